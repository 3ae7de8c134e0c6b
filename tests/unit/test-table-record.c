/* tests/unit/test-table-record.c - lines and comments while a game is played.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "referee/table/table-record.h"

Test(table_record, thinking_time_is_in_milliseconds)
{
	static const struct {
		uint64_t us;
		const char *line;
	} cases[] = {
		{ 0, "move 0 x ; 0.000ms\n" },
		{ 9, "move 0 x ; 0.009ms\n" },
		{ 999, "move 0 x ; 0.999ms\n" },
		{ 1000, "move 0 x ; 1.000ms\n" },
		{ 123456789, "move 0 x ; 123456.789ms\n" },
		{ UINT64_MAX, "move 0 x ; 18446744073709551.615ms\n" },
	};
	struct table_record record;
	size_t i;

	for (i = 0; i < NELEM(cases); i++) {
		table_record_init(&record);
		table_record_events(&record, "move 0 x\nscore 0 1\n", 19,
				    &cases[i].us);
		cr_expect_eq(strncmp(text_string(&record.body), cases[i].line,
				     strlen(cases[i].line)),
			     0, "%s", text_string(&record.body));
		cr_expect_not_null(
			strstr(text_string(&record.body), "ms\nscore 0 1\n"));
		table_record_release(&record);
	}
}

/* A line that is as long as a line may be has no room for a comment. */
Test(table_record, no_line_grows_too_long)
{
	char line[LINE_REFEREE_BYTES + 2];
	const uint64_t us = UINT64_MAX;
	struct table_record record;
	const char *lf;
	unsigned less;

	for (less = 0; less < 64; less++) {
		memset(line, 'x', sizeof(line));
		memcpy(line + LINE_REFEREE_BYTES - less, "\n", 2);
		table_record_init(&record);
		table_record_remark(&record, 3, "hm", 2);
		table_record_events(&record, line, strlen(line), &us);
		table_record_events(&record, "quiet\n", 6, NULL);
		lf = strchr(text_string(&record.body), '\n');
		cr_assert_leq(lf - record.body.bytes, LINE_REFEREE_BYTES);
		/* The remark is in the one line or in the other, once. */
		cr_expect_not_null(strstr(record.body.bytes, " ; say 3 hm\n"));
		cr_expect_eq(record.remarks.used, 0);
		table_record_release(&record);
	}
}

/* Wherever the limit falls, what is kept is whole lines from the beginning. */
Test(table_record, a_full_record_ends_with_a_line)
{
	static const char whole[] = "move 0 x ; 0.007ms ; say 1 hm\nquiet\n"
				    "move 1 y ; 0.007ms\n";
	const uint64_t us = 7;
	struct table_record record;
	size_t max, n;

	for (max = 1; max <= sizeof(whole) - 1; max++) {
		table_record_init(&record);
		record.body.max = max;
		table_record_remark(&record, 1, "hm", 2);
		table_record_events(&record, "move 0 x\nquiet\n", 15, &us);
		table_record_events(&record, "move 1 y\n", 9, &us);
		cr_expect_eq(record.body.full, max < sizeof(whole) - 1);
		table_record_cut(&record);
		n = record.body.used;
		cr_assert(n == 0 || record.body.bytes[n - 1] == '\n', "%zu",
			  max);
		cr_expect_eq(strncmp(text_string(&record.body), whole, n), 0);
		table_record_release(&record);
	}
}
