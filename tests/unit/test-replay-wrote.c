/* tests/unit/test-replay-wrote.c - standard error beside decisions: which part
 * belongs to which, and the files of a match. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/records/replay-wrote.h"

/* Seat 0 has written "early" before its first answer, nothing before its second
 * and "later" before its third; seat 1 "x". */
static struct asks_ask ask[] = {
	{ .line = 3, .number = 1, .wrote = 5 },
	{ .line = 3, .number = 1, .seat = 1, .wrote = 1 },
	{ .line = 4, .number = 2, .wrote = 5 },
	{ .line = 5, .number = 3, .wrote = 10 },
};
static const struct asks asks = { .ask = ask, .count = 4 };

static void
expect_part(struct replay_wrote_part part, const char *bytes,
	    const char *sentence)
{
	char told[REPLAY_WROTE_BYTES] = "";

	cr_expect_eq(part.n, strlen(bytes), "%s", bytes);
	if (part.n == strlen(bytes) && part.n > 0)
		cr_expect_arr_eq(part.bytes, bytes, part.n);
	if (part.all > 0)
		replay_wrote_sentence(&part, told);
	cr_expect_str_eq(told, sentence);
}

static struct replay_wrote
wrote_of(const char *bytes, uint64_t from)
{
	return (struct replay_wrote){ .bytes = (char *)(uintptr_t)bytes,
				      .n = strlen(bytes),
				      .from = from };
}

Test(replay_wrote, each_ask_has_its_part)
{
	const struct replay_wrote wrote = wrote_of("earlylaterend", 0);
	const struct replay_wrote other = wrote_of("x", 0);

	expect_part(replay_wrote_at(&asks, &ask[0], &wrote, 9), "early",
		    "It wrote to standard error:");
	expect_part(replay_wrote_at(&asks, &ask[1], &other, 9), "x",
		    "It wrote to standard error:");
	expect_part(replay_wrote_at(&asks, &ask[2], &wrote, 9), "", "");
	expect_part(replay_wrote_at(&asks, &ask[3], &wrote, 5), "later",
		    "It wrote to standard error:");
	expect_part(replay_wrote_at(&asks, &ask[3], &wrote, 4), "ater",
		    "It wrote 5 bytes to standard error; the last 4 are:");
	expect_part(replay_wrote_after(&asks, 0, &wrote, 3), "end",
		    "After its last answer it wrote to standard error:");
	expect_part(replay_wrote_after(&asks, 0, &wrote, 2), "nd",
		    "After its last answer it wrote 3 bytes to standard "
		    "error; the last 2 are:");
	expect_part(replay_wrote_after(&asks, 1, &other, 9), "", "");
	expect_part(replay_wrote_after(&asks, 2, &other, 9), "x",
		    "It wrote to standard error:");
}

Test(replay_wrote, what_is_not_kept_is_told)
{
	const struct replay_wrote half = wrote_of("erend", 8);
	const struct replay_wrote gone = { .gone = true };
	const struct replay_wrote none = { .gone = false };
	static const char told[] =
		"What it wrote to standard error is no longer kept.";

	expect_part(replay_wrote_at(&asks, &ask[0], &half, 9), "", told);
	expect_part(replay_wrote_at(&asks, &ask[2], &half, 9), "", "");
	expect_part(replay_wrote_at(&asks, &ask[3], &half, 9), "er",
		    "It wrote 5 bytes to standard error; the last 2 are:");
	expect_part(replay_wrote_after(&asks, 0, &half, 9), "end",
		    "After its last answer it wrote to standard error:");
	expect_part(replay_wrote_at(&asks, &ask[0], &gone, 9), "", told);
	expect_part(replay_wrote_at(&asks, &ask[2], &gone, 9), "", "");
	expect_part(replay_wrote_after(&asks, 0, &gone, 9), "", "");
	expect_part(replay_wrote_at(&asks, &ask[0], &none, 9), "", "");
}

Test(replay_wrote, less_than_the_asks_say_belongs_to_another_game)
{
	const struct replay_wrote wrote = wrote_of("early", 0);

	expect_part(replay_wrote_at(&asks, &ask[3], &wrote, 9), "", "");
	expect_part(replay_wrote_after(&asks, 0, &wrote, 9), "", "");
}

/* ---- files ------------------------------------------------------------- */

static char folder[] = "/tmp/replay-wrote-XXXXXX";
static const struct record record = { .seats = 2, .name = { "ann", "ben" } };
static struct replay_wrote read_back[SEATS_MAX];
static struct error why;

static void
make_folder(void)
{
	cr_assert_not_null(mkdtemp(folder));
}

static void
drop_folder(void)
{
	char path[sizeof(folder) + 300];
	const struct dirent *entry;
	DIR *dir = opendir(folder);

	while ((entry = readdir(dir)) != NULL) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		(void)unlink(path);
	}
	closedir(dir);
	cr_expect_eq(rmdir(folder), 0);
}

static void
keep(const char *bytes, size_t n, uint64_t from)
{
	const struct text text = { .bytes = (char *)(uintptr_t)bytes,
				   .used = n };

	cr_assert_eq(replay_wrote_keep(folder, 7, 0, "ann", &text, from), 0);
}

static int
read_game(const char *path)
{
	return replay_wrote_read(folder, path, &record, read_back, &why);
}

Test(replay_wrote, files_are_read_back, .init = make_folder,
     .fini = drop_folder)
{
	static char bytes[STDERR_BYTES];
	static const struct {
		size_t n;
		uint64_t from;
	} cases[] = { { 0, 0 },
		      { 3, 0 },
		      { STDERR_BYTES, 0 },
		      { STDERR_BYTES, 1 },
		      { STDERR_BYTES, UINT64_MAX } };

	/* A bot's own line means nothing. */
	memset(bytes, 'x', sizeof(bytes));
	memcpy(bytes, "[5 bytes before these are not kept]\n", 36);
	bytes[40] = '\0';
	for (size_t i = 0; i < NELEM(cases); i++) {
		keep(bytes, cases[i].n, cases[i].from);
		cr_assert_eq(read_game("p.tar.gz/00000007-ID.rec"), 0, "%s",
			     why.text);
		cr_assert_eq(read_back[0].n, cases[i].n);
		cr_expect_eq(read_back[0].from, cases[i].from);
		cr_expect_arr_eq(read_back[0].bytes, bytes, cases[i].n);
		cr_expect_null(read_back[1].bytes);
		replay_wrote_forget(read_back);
	}
}

Test(replay_wrote, other_files_are_refused, .init = make_folder,
     .fini = drop_folder)
{
	static char bytes[STDERR_BYTES + 1];

	keep("x", 1, 0);
	cr_expect_eq(read_game("00000008-ID.rec"), -1);
	cr_expect_not_null(strstr(why.text, "no standard error of this game"));
	cr_expect_eq(read_game("ID.rec"), -1);
	cr_expect_not_null(strstr(why.text, "number of its game"));
	keep(bytes, sizeof(bytes), 0);
	cr_expect_eq(read_game("00000007-ID.rec"), -1);
	cr_expect_not_null(strstr(why.text, "longer than"));
	replay_wrote_forget(read_back);
	keep(bytes, sizeof(bytes), 1);
	cr_expect_eq(read_game("00000007-ID.rec"), -1);
	replay_wrote_forget(read_back);
}
