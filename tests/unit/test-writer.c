/* tests/unit/test-writer.c - finished games become records, and a ladder follows. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "protocol/asks.h"
#include "protocol/file.h"
#include "tests/unit/desk.h"
#include "tests/unit/ladder-kit.h"

TestSuite(writer, .init = desk_set_up, .fini = desk_tear_down);

/* ---- what should be ---------------------------------------------------- */

Test(writer, records_are_numbered_and_hashed)
{
	char name[LADDER_FILE_BYTES];
	unsigned i;

	tasks[7].aborted = true;
	desk_begin(UNRATED);
	desk_submit(0, 20);
	desk_submit(20, DESK_TASKS);
	for (i = 0; i < DESK_TASKS; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		if (i == 7)
			snprintf(name, sizeof(name), "%s.rec", tasks[i].id);
		else
			ladder_file_name(ENTRY_GAME, i + 1, tasks[i].id, name);
		desk_expect_record(i, name);
	}
	desk_expect_files(DESK_TASKS);
}

/* Returns the side file of a task's record, or NULL. */
static char *
read_asks(const char *name)
{
	struct text text = { .max = ASKS_BYTES };
	char *bytes = NULL;

	if (file_load(desk_path(name), &text) == 0)
		bytes = copied(text_string(&text));
	text_release(&text);
	return bytes;
}

static void
expect_asks(const char *name, const char *bytes)
{
	char *read = read_asks(name);

	cr_expect(read == NULL ? bytes == NULL
			       : bytes != NULL && strcmp(read, bytes) == 0,
		  "%s has %s", name, read);
	free(read);
}

static void
asks_name(unsigned i, char name[LADDER_FILE_BYTES + 1])
{
	char record[LADDER_FILE_BYTES];

	ladder_file_name(ENTRY_GAME, i + 1, tasks[i].id, record);
	cr_assert(asks_path(record, name, LADDER_FILE_BYTES + 1));
}

Test(writer, asks_stand_beside_their_record_and_fail_without_a_word)
{
	struct text asks[4], none = { .max = 1 };
	char name[4][LADDER_FILE_BYTES + 1];

	for (unsigned i = 0; i < NELEM(asks); i++) {
		text_init(&asks[i], ASKS_BYTES);
		text_fmt(&asks[i], "asks of %u\n", i);
		tasks[i].asks = &asks[i];
		asks_name(i, name[i]);
	}
	tasks[4].asks = &none;
	tasks[3].aborted = true;
	snprintf(name[3], sizeof(name[3]), "%s.asks", tasks[3].id);
	/* There are a leftover file and a folder in the way. */
	kit_write_file(kit_path("records/x"), "old and longer\n", 15);
	cr_assert_eq(renameat(AT_FDCWD, kit_path("records/x"), AT_FDCWD,
			      desk_path(name[1])),
		     0);
	cr_assert_eq(mkdir(desk_path(name[2]), 0700), 0);
	desk_begin(UNRATED);
	desk_submit(0, 6);
	desk_expect(0, 6, SAFE);
	expect_asks(name[0], "asks of 0\n");
	expect_asks(name[1], "asks of 1\n");
	expect_asks(name[2], NULL);
	expect_asks(name[3], "asks of 3\n");
	asks_name(4, name[0]);
	expect_asks(name[0], NULL);
	for (unsigned i = 0; i < NELEM(asks); i++)
		text_release(&asks[i]);
}

/* Nothing is left of a game whose record could not be kept. */
Test(writer, a_game_without_a_record_has_no_asks)
{
	struct text asks = { .max = 64 };
	char name[LADDER_FILE_BYTES + 1];

	text_str(&asks, "asks 1\n");
	tasks[0].asks = &asks;
	asks_name(0, name);
	cr_assert_eq(mkdir(kit_path("records/taken"), 0700), 0);
	ladder_file_name(ENTRY_GAME, 1, tasks[0].id, name);
	cr_assert_eq(rename(kit_path("records/taken"), desk_path(name)), 0);
	desk_begin(UNRATED);
	desk_submit(0, 1);
	cr_expect(tasks[0].failed);
	asks_name(0, name);
	expect_asks(name, NULL);
	text_release(&asks);
}

Test(writer, without_a_folder_records_are_only_hashed)
{
	unsigned char hash[RECORD_HASH_BYTES];
	struct text whole = { .max = RECORD_BYTES };

	desk_begin_with(ladder_log_memory(NULL), NULL);
	desk_prepare(0, 100);
	tasks[1].aborted = true;
	text_add(&whole, tasks[0].header.bytes, tasks[0].header.used);
	text_str(&whole, "\n");
	text_add(&whole, bodies[0].bytes, bodies[0].used);
	record_hash_text(whole.bytes, whole.used, hash);
	desk_submit(0, 2);
	desk_expect(0, 2, SAFE);
	cr_expect_eq(memcmp(hash, tasks[0].hash, sizeof(hash)), 0);
	text_release(&whole);
}

/* Tests a ladder that keeps no records. */
Test(writer, a_log_in_memory_rates_and_keeps_nothing)
{
	unsigned i;

	tasks[3].aborted = true;
	open_ladder();
	desk_begin_with(ladder_log_memory(ladder), NULL);
	desk_submit(0, 5);
	desk_submit_group(5, 20);
	desk_expect(0, 20, SAFE);
	for (i = 0; i < 20; i++)
		cr_expect_eq(desk_rated(i), i != 3);
	cr_expect_neq(tasks[19].game.seat[0].delta_milli, 0);
	cr_expect_eq(ladder_last(ladder), 19);
	desk_expect_files(0);
}

Test(writer, games_are_rated_in_the_order_of_their_coming)
{
	char name[LADDER_FILE_BYTES];
	unsigned i;

	tasks[3].aborted = true;
	desk_begin(RATED);
	desk_submit(0, DESK_TASKS);
	for (i = 0; i < DESK_TASKS; i++) {
		cr_assert_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_not(tasks[i].counted || tasks[i].behind);
		cr_expect_eq(desk_rated(i), i != 3);
		if (i == 3)
			continue;
		cr_expect_eq(tasks[i].game.serial, (int64_t)i + (i < 3));
		cr_expect_eq(tasks[i].game.folder, folder);
		ladder_file_name(ENTRY_GAME, tasks[i].game.serial, tasks[i].id,
				 name);
		desk_expect_record(i, name);
	}
	desk_expect_followed();
}

/* The ladder returns what it already knew about the game. */
Test(writer, a_game_that_was_rated_before_is_counted)
{
	struct ladder_game twin;

	desk_begin(RATED);
	desk_submit(0, 3);
	desk_prepare_game(5, 1, 100);
	twin = tasks[0].game;
	desk_submit_group(4, 7);
	desk_expect(4, 5, SAFE);
	desk_expect(5, 6, COUNTED);
	desk_expect(6, 7, SAFE);
	desk_expect_faults(5, 1);
	cr_expect_eq(tasks[5].game.seat[0].delta_milli,
		     twin.seat[0].delta_milli);
	cr_expect(desk_rated(4) && desk_rated(6));
	cr_expect_eq(ladder_last(ladder), 6);
}

Test(writer, freeing_waits_for_what_was_submitted)
{
	unsigned i;

	for (i = 0; i < DESK_TASKS; i++)
		desk_prepare(i, 100000);
	desk_begin(UNRATED);
	for (i = 0; i < DESK_TASKS; i++)
		writer_submit(writer, &tasks[i]);
	desk_end();
	desk_expect_files(DESK_TASKS);
	writer_free(NULL);
}

Test(writer, needs_its_folder)
{
	errno = 0;
	log_used = ladder_log_memory(NULL);
	cr_expect_null(writer_new(log_used, kit_path("nowhere")));
	cr_expect_eq(errno, ENOENT);
}

/* ---- other work ------------------------------------------------------- */

struct count {
	struct writer_task task;
	unsigned rated;
};

static void
on_any(void *arg, const struct ladder_game *game)
{
	(void)game;
	++*(unsigned *)arg;
}

static void
count_rated(struct writer_task *task, struct ladder *its,
	    struct ladder_log *log)
{
	struct count *count = (struct count *)task;

	cr_expect_eq(log, log_used);
	OK(ladder_games(its, NULL, 0, on_any, &count->rated, &why));
}

Test(writer, other_work_has_its_turn)
{
	struct count count = { .task.run = count_rated,
			       .task.done = desk_on_done };
	struct count last = count;
	unsigned i;

	desk_begin(RATED);
	for (i = 0; i < DESK_TASKS; i++) {
		writer_submit(writer, &tasks[i]);
		if (i == 6)
			writer_submit(writer, &count.task);
	}
	writer_submit(writer, &last.task);
	for (i = 0; i < DESK_TASKS; i++) {
		cr_assert_eq(desk_take(), &tasks[i]);
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		if (i == 6)
			cr_assert_eq(desk_take(), &count.task);
	}
	cr_assert_eq(desk_take(), &last.task);
	cr_expect_eq(count.rated, 7);
	cr_expect_eq(last.rated, DESK_TASKS);
}
