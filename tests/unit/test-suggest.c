/* tests/unit/test-suggest.c - what is near enough to have been meant. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#include "referee/suggest.h"
#include "tests/unit/leaks.h"

static const struct {
	const char *given, *offer;
	bool near;
} tries[] = {
	{ "match", "match", true }, { "mtach", "match", true },
	{ "mach", "match", true },  { "matchh", "match", true },
	{ "mitch", "match", true }, { "mx", "match", false },
	{ "ma", "match", true },    { "m", "match", false },
	{ "", "match", false },	    { "check", "match", false },
	{ "lst", "list", true },    { "lots", "list", true },
	{ "tols", "list", false },  { "--gaems", "--games", true },
	{ "ab", "ba", true },	    { "abc", "", false },
	{ "abcd", "badc", true },   { "abcdef", "badcfe", false },
};

Test(suggest, near_and_far)
{
	struct suggestion meant;
	unsigned i;

	for (i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		meant = suggest(tries[i].given);
		suggest_offer(&meant, tries[i].offer);
		cr_expect_eq(meant.text[0] != '\0', tries[i].near, "%s for %s",
			     tries[i].given, tries[i].offer);
	}
	NO_LEAKS();
}

Test(suggest, the_nearest_and_of_those_the_first)
{
	struct suggestion meant = suggest("shov");

	suggest_offer(&meant, "shows");
	suggest_offer(&meant, "show");
	suggest_offer(&meant, "shot");
	cr_assert_str_eq(meant.text, "; did you mean show?");
	NO_LEAKS();
}

Test(suggest, a_word_too_long_is_not_compared)
{
	char word[SUGGEST_WORD_BYTES + 2], offer[SUGGEST_WORD_BYTES + 2];
	struct suggestion meant;

	memset(word, 'a', sizeof(word));
	memset(offer, 'a', sizeof(offer));
	word[SUGGEST_WORD_BYTES] = offer[SUGGEST_WORD_BYTES] = '\0';
	word[0] = 'b';
	meant = suggest(word);
	suggest_offer(&meant, offer);
	cr_assert_eq(strncmp(meant.text, "; did you mean aaa", 18), 0);
	word[SUGGEST_WORD_BYTES] = 'a';
	word[SUGGEST_WORD_BYTES + 1] = '\0';
	meant = suggest(word);
	suggest_offer(&meant, offer);
	cr_assert_str_eq(meant.text, "");
	NO_LEAKS();
}
