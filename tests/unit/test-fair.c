/* tests/unit/test-fair.c - the order of many waiting entries. */
#include <criterion/criterion.h>
#include <string.h>

#include "protocol/util.h"
#include "referee/base/fair.h"

/* Adds an entry for each letter; a capital has a lower rank. */
static void
add_all(struct fair *fair, struct fair_entry *entry, const char *letters)
{
	size_t i;

	for (i = 0; letters[i] != '\0'; i++) {
		const char who[2] = { letters[i], '\0' };

		fair_add(fair, &entry[i], who, letters[i] >= 'a');
	}
}

static void
expect_order(const char *letters, const char *order)
{
	struct fair_entry entry[16], *next;
	struct fair fair;
	char found[17];
	size_t n = 0;

	fair_init(&fair);
	add_all(&fair, entry, letters);
	cr_expect_eq(fair.count, strlen(letters));
	while ((next = fair_take(&fair)) != NULL)
		found[n++] = next->who[0];
	found[n] = '\0';
	cr_expect_str_eq(found, order, "of %s", letters);
	cr_expect_eq(fair.count, 0);
}

Test(fair, turns)
{
	expect_order("", "");
	expect_order("abc", "abc");
	expect_order("aaabc", "abcaa");
	expect_order("aaabbc", "abcaba");
	expect_order("baab", "baab");
	/* Entries of a lower rank come first, also in turns. */
	expect_order("aaAAB", "ABAaa");
}

/* An owner that always has requests is not served sooner. */
Test(fair, turns_go_on)
{
	struct fair_entry entry[5];
	struct fair fair;

	fair_init(&fair);
	add_all(&fair, entry, "aa");
	cr_expect_eq(fair_take(&fair), &entry[0]);
	fair_add(&fair, &entry[2], "b", 1);
	fair_add(&fair, &entry[3], "a", 1);
	fair_add(&fair, &entry[4], "c", 1);
	cr_expect_eq(fair_count(&fair, "a"), 2);
	cr_expect_eq(fair_count(&fair, "d"), 0);
	cr_expect_eq(fair_first(&fair, "a"), &entry[1]);
	cr_expect_null(fair_first(&fair, ""));
	/* a 2, b 2, c 2, a 3: the last one makes room for an owner with fewer
	 * entries, or for a lower rank. */
	cr_expect_eq(fair_yields(&fair, "d", 1), &entry[3]);
	cr_expect_null(fair_yields(&fair, "b", 1));
	cr_expect_eq(fair_yields(&fair, "b", 0), &entry[3]);
	cr_expect_null(fair_yields(&fair, "d", 2));
	cr_expect_eq(fair_take(&fair), &entry[1]);
	cr_expect_eq(fair_take(&fair), &entry[2]);
	fair_remove(&fair, &entry[4]);
	cr_expect_eq(fair_take(&fair), &entry[3]);
	cr_expect_null(fair_take(&fair));
}
