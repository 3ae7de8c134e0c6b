/* tests/unit/test-error.c - errors have a kind and a sentence. */
#include <criterion/criterion.h>
#include <string.h>

#include "protocol/error.h"

Test(error, is_a_kind_and_a_sentence)
{
	struct error why;

	cr_expect_eq(error_set(&why, ERROR_INPUT, "no bot %s", "a"), -1);
	cr_expect_eq(why.kind, ERROR_INPUT);
	cr_expect_str_eq(why.text, "no bot a");
}

Test(error, may_be_told_of_itself)
{
	struct error why;

	(void)error_set(&why, ERROR_MACHINE, "disk full");
	(void)error_set(&why, ERROR_ANSWER, "it is %s, %s", why.text, why.text);
	cr_expect_str_eq(why.text, "it is disk full, disk full");
	cr_expect_eq(error_prefix(&why, "%s:%d: ", "file", 7), -1);
	cr_expect_str_eq(why.text, "file:7: it is disk full, disk full");
	cr_expect_eq(why.kind, ERROR_ANSWER);
}

Test(error, numbers_and_their_nouns)
{
	cr_expect_str_eq(counted(0, "game").text, "0 games");
	cr_expect_str_eq(counted(1, "game").text, "1 game");
	cr_expect_str_eq(counted(1, "process").text, "1 process");
	cr_expect_str_eq(counted(2, "process").text, "2 processes");
	cr_expect_str_eq(counted(UINT64_MAX, "thing").text,
			 "18446744073709551615 things");
}

Test(error, ends_in_points_where_it_is_too_long)
{
	char longest[ERROR_BYTES + 1];
	struct error why;

	memset(longest, 'x', sizeof(longest));
	longest[ERROR_BYTES - 1] = '\0';
	(void)error_set(&why, ERROR_INPUT, "%s", longest);
	cr_expect_str_eq(why.text, longest);
	longest[ERROR_BYTES - 1] = 'x';
	longest[ERROR_BYTES] = '\0';
	(void)error_set(&why, ERROR_INPUT, "%s", longest);
	cr_expect_eq(strlen(why.text), ERROR_BYTES - 1);
	cr_expect_str_eq(why.text + ERROR_BYTES - 5, "x...");
	(void)error_prefix(&why, "y: ");
	cr_expect_eq(strlen(why.text), ERROR_BYTES - 1);
	cr_expect_eq(strncmp(why.text, "y: xx", 5), 0);
	cr_expect_str_eq(why.text + ERROR_BYTES - 5, "x...");
}
