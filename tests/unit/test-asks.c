/* tests/unit/test-asks.c - the side file of a record: written, read, damaged. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/asks.h"

#define HEAD "asks 1\nid x\n"

static int
parse(const char *text, struct asks *asks, struct error *why)
{
	return asks_parse(text, strlen(text), 3, 500, asks, why);
}

static void
same(const struct asks_ask *one, const struct asks_ask *other)
{
	cr_expect_eq(one->line, other->line);
	cr_expect_eq(one->number, other->number);
	cr_expect_eq(one->seat, other->seat);
	cr_expect_eq(one->fault, other->fault);
	cr_expect_eq(one->us, other->us);
	cr_expect_eq(one->bank, other->bank);
	cr_expect_eq(one->wrote, other->wrote);
	cr_expect_str_eq(one->answer, other->answer);
}

/* ---- what was written is read ------------------------------------------- */

static const struct asks_ask game[] = {
	{ .line = 4, .number = 1, .us = 104, .bank = 500, .answer = "play:JH" },
	{ .line = 4,
	  .number = 1,
	  .seat = 2,
	  .us = 100204,
	  .bank = 0,
	  .wrote = 70000,
	  .fault = FAULT_TIMEOUT },
	{ .line = 9, .number = 2, .us = 0, .bank = 510, .answer = "pass" },
	{ .line = 9, .seat = 2, .fault = FAULT_CRASH, .wrote = 70000 },
	{ .line = UINT32_MAX,
	  .number = 3,
	  .us = INT64_MAX,
	  .bank = INT64_MAX,
	  .wrote = INT64_MAX,
	  .fault = FAULT_PROTOCOL,
	  .answer = "" },
};

static void
write_game(struct asks_writer *writer)
{
	asks_begin(writer, "0123456789abcdef0123456789abcdef", 500);
	for (size_t i = 0; i < NELEM(game); i++)
		asks_add(writer, &game[i]);
}

Test(asks, are_read_as_they_were_written)
{
	struct asks_writer writer;
	struct asks asks;
	struct error why = { 0 };

	write_game(&writer);
	cr_expect_str_eq(text_string(&writer.text),
			 "asks 1\n"
			 "id 0123456789abcdef0123456789abcdef\n"
			 "4 0 104 play:JH\n"
			 "0 2 100204 - fault=timeout bank=0 stderr=70000\n"
			 "5 0 0 pass bank=510\n"
			 "0 2 - - fault=crash\n"
			 "4294967286 0 9223372036854775807 - fault=protocol "
			 "bank=9223372036854775807 "
			 "stderr=9223372036854775807\n");
	cr_assert_eq(asks_parse(writer.text.bytes, writer.text.used, 3, 500,
				&asks, &why),
		     0, "%s", why.text);
	cr_expect_str_eq(asks.id, "0123456789abcdef0123456789abcdef");
	cr_assert_eq(asks.count, NELEM(game));
	for (size_t i = 0; i < NELEM(game); i++)
		same(&asks.ask[i], &game[i]);
	asks_forget(&asks);
	asks_release(&writer);
}

Test(asks, count_the_lines_of_a_body_that_grows)
{
	static const char body[] = "round 1\ndeal 0 {1}0\nmove 0 a\n";
	struct asks_writer writer;

	asks_begin(&writer, "x", 0);
	cr_expect_eq(asks_count_lines(&writer, NULL, 0), 0);
	cr_expect_eq(asks_count_lines(&writer, body, 20), 2);
	cr_expect_eq(asks_count_lines(&writer, body, 20), 2);
	cr_expect_eq(asks_count_lines(&writer, body, sizeof(body) - 1), 3);
	asks_release(&writer);
}

/* ---- damage ------------------------------------------------------------- */

/* A file that was cut anywhere keeps the asks before the cut. */
Test(asks, a_file_that_was_cut_off_has_those_before)
{
	struct asks_writer writer;
	struct asks asks;
	struct error why;
	unsigned lines = 0;
	char *copy;

	write_game(&writer);
	for (size_t n = 0; n < writer.text.used; n++) {
		copy = memory(NULL, n + 1); /* to find reads beyond the end */
		memcpy(copy, writer.text.bytes, n);
		if (n > 0 && copy[n - 1] == '\n')
			lines++;
		if (asks_parse(copy, n, 3, 500, &asks, &why) == 0)
			cr_expect(lines >= 2 && copy[n - 1] == '\n',
				  "%zu bytes", n);
		else
			cr_expect(lines < 2 || copy[n - 1] != '\n',
				  "%zu bytes: %s", n, why.text);
		cr_expect_eq(asks.count, lines < 2 ? 0 : lines - 2);
		asks_forget(&asks);
		free(copy);
	}
	asks_release(&writer);
}

Test(asks, a_line_that_is_none_ends_them)
{
	static const char *const wrong[] = {
		"",
		"x",
		"0",
		"0 0",
		"0 0 1",
		"0 0 1 ",
		"0 0 1 pass ",
		" 0 0 1 pass",
		"0  0 1 pass",
		"0 3 1 pass",
		"0 -1 1 pass",
		"-1 0 1 pass",
		"00 0 1 pass",
		"0 0 01 pass",
		"0 0 1.5 pass",
		"4294967295 0 1 pass",
		"0 0 9223372036854775808 pass",
		"0 0 1 pass more",
		"0 0 1 pass fault=none",
		"0 0 1 pass fault=",
		"0 0 1 pass fault=slow",
		"0 0 1 pass bank=",
		"0 0 1 pass bank=x",
		"0 0 1 pass bank=1 bank=1",
		"0 0 1 pass bank=1 fault=crash",
		"0 0 1 pass stderr=1 bank=1",
		"0 0 1 pass stderr=-1",
		"0 0 1 p\xc3\xa4ss",
		"0 0 1 a\tb",
		"0 0 1 pass:32-bytes-with-its-nul-and-1x",
	};
	struct error why;
	struct asks asks;
	char text[256];

	for (size_t i = 0; i < NELEM(wrong); i++) {
		snprintf(text, sizeof(text), HEAD "1 0 1 a\n%s\n0 0 1 a\n",
			 wrong[i]);
		cr_expect_eq(parse(text, &asks, &why), -1, "'%s'", wrong[i]);
		cr_expect_eq(asks.count, 1, "'%s'", wrong[i]);
		cr_expect_eq(strncmp(why.text, "4: ", 3), 0, "%s", why.text);
		asks_forget(&asks);
	}
}

Test(asks, a_head_that_is_none_tells_nothing)
{
	static const char *const wrong[] = {
		"",
		"asks 1",
		"asks 2\nid x\n",
		"record 1\nid x\n",
		"asks 1\n",
		"asks 1\nid \n",
		"asks 1\nid\n",
		"asks 1\nname x\n",
		"asks 1\nid 0123456789abcdef0123456789abcdefx\n",
	};
	struct error why;
	struct asks asks;

	for (size_t i = 0; i < NELEM(wrong); i++) {
		cr_expect_eq(parse(wrong[i], &asks, &why), -1, "'%s'",
			     wrong[i]);
		cr_expect_eq(asks.count, 0);
		asks_forget(&asks);
	}
}

/* ---- limits ------------------------------------------------------------- */

Test(asks, what_does_not_fit_is_left_out_as_a_whole)
{
	const struct asks_ask ask = { .number = 1, .answer = "pass" };
	struct asks_writer writer;
	struct asks asks;
	struct error why = { 0 };

	asks_begin(&writer, "x", 0);
	while (writer.text.used + strlen("0 0 0 pass\n") <= ASKS_BYTES)
		asks_add(&writer, &ask);
	cr_expect_not(writer.text.full);
	asks_add(&writer, &ask);
	cr_expect(writer.text.full);
	cr_expect_leq(writer.text.used, ASKS_BYTES);
	cr_expect_eq(asks_parse(writer.text.bytes, writer.text.used, 1, 0,
				&asks, &why),
		     0, "%s", why.text);
	cr_expect_eq(asks.count,
		     (ASKS_BYTES - strlen(HEAD)) / strlen("0 0 0 pass\n"));
	asks_forget(&asks);
	asks_release(&writer);
}

Test(asks, a_file_of_one_byte_more_is_none)
{
	static const char line[] = "0 0 0 pass\n";
	char *text = memory(NULL, ASKS_BYTES + 1);
	size_t n = strlen(HEAD);
	struct error why = { 0 };
	struct asks asks;

	memcpy(text, HEAD, n);
	for (; n + 2 * strlen(line) <= ASKS_BYTES; n += strlen(line))
		memcpy(text + n, line, strlen(line));
	n += (size_t)snprintf(text + n, 64, "0 0 1 ");
	while (n < ASKS_BYTES - 1)
		text[n++] = 'x'; /* an answer to the remaining asks */
	memcpy(text + n, "\n\n", 2);
	cr_expect_eq(asks_parse(text, ASKS_BYTES, 1, 0, &asks, &why), 0, "%s",
		     why.text);
	asks_forget(&asks);
	cr_expect_eq(asks_parse(text, ASKS_BYTES + 1, 1, 0, &asks, &why), -1);
	cr_expect_not_null(strstr(why.text, "longer than 1048576 bytes"), "%s",
			   why.text);
	cr_expect_eq(asks.count, 0);
	asks_forget(&asks);
	free(text);
}

/* ---- names -------------------------------------------------------------- */

Test(asks, stand_beside_their_record)
{
	char path[32];

	cr_expect(asks_path("a/00000001-x.rec", path, sizeof(path)));
	cr_expect_str_eq(path, "a/00000001-x.asks");
	cr_expect_not(asks_path("x.rec", path, strlen("x.asks")));
	cr_expect(asks_path("x.rec", path, strlen("x.asks") + 1));
	cr_expect_not(asks_path(".rec", path, sizeof(path)));
	cr_expect_not(asks_path("x.txt", path, sizeof(path)));
}
