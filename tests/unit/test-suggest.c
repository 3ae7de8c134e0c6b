/* tests/unit/test-suggest.c - suggestions for misspelt names. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "referee/base/suggest.h"

static struct error failure;

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
}

Test(suggest, the_nearest_and_of_those_the_first)
{
	struct suggestion meant = suggest("shov");

	suggest_offer(&meant, "shows");
	suggest_offer(&meant, "show");
	suggest_offer(&meant, "shot");
	cr_assert_str_eq(meant.text, "; did you mean show?");
}

/* A truncated list does not claim to be complete. */
Test(suggest, the_names_that_there_are)
{
	struct suggestion meant = suggest("mian");
	char expected[SUGGEST_LIST_BYTES + 64];
	unsigned i;

	cr_assert_eq(suggest_none(&meant, &failure, "there is no ladder %s",
				  meant.word),
		     -1);
	cr_expect_str_eq(failure.text,
			 "there is no ladder mian; there is none");
	cr_expect_eq(failure.kind, ERROR_INPUT);
	suggest_offer(&meant, "cup");
	suggest_none(&meant, &failure, "there is no ladder %s", meant.word);
	cr_expect_str_eq(failure.text, "there is no ladder mian; there is cup");
	suggest_offer(&meant, "main");
	suggest_none(&meant, &failure, "there is no ladder %s", meant.word);
	cr_expect_str_eq(failure.text, "there is no ladder mian; there are "
				       "cup, main; did you mean main?");
	for (i = 0; i < SUGGEST_LIST_BYTES; i++)
		suggest_offer(&meant, "x");
	snprintf(expected, sizeof(expected), "%s", meant.list);
	suggest_offer(&meant, "more");
	cr_expect_str_eq(meant.list, expected);
	cr_expect_lt(strlen(meant.list), SUGGEST_LIST_BYTES);
	cr_expect_str_eq(strrchr(meant.list, ','), ", ...");
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
}
