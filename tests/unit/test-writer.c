/* tests/unit/test-writer.c - finished games become records that are safe or
 * absent, and a ladder follows. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/pack.h"
#include "protocol/asks.h"
#include "protocol/file.h"
#include "referee/records/log-packs.h"
#include "referee/records/writer.h"
#include "tests/unit/disk.h"
#include "tests/unit/ladder-kit.h"

#define TASKS 40

static struct ladder_log *log_used; /* by the writer */
static struct writer_task tasks[TASKS];
static struct text bodies[TASKS];
/* Holds the tasks that have come back, in this order, and how many of them were
 * taken. */
static struct writer_task *back[2 * TASKS];
static unsigned told, taken;

static void
on_done(struct writer_task *task)
{
	cr_assert_lt(told, NELEM(back));
	back[told++] = task;
}

/* Prepares task `i` with this game, whose body has this many bytes. */
static void
prepare_game(unsigned i, uint32_t number, size_t bytes)
{
	struct writer_task *task = &tasks[i];
	char text[8192];

	memset(task, 0, sizeof(*task));
	kit_game(number, 0, &task->game);
	kit_record_text(&task->game, NULL, text, sizeof(text));
	text_init(&task->header, RECORD_BYTES);
	text_init(&bodies[i], RECORD_BYTES);
	text_add(&task->header, text,
		 (size_t)(strstr(text, "\n\n") + 1 - text));
	while (bodies[i].used < bytes)
		text_str(&bodies[i], "note ; this is a long comment\n");
	text_str(&bodies[i], strstr(text, "\n\n") + 2);
	task->done = on_done;
	task->body = &bodies[i];
	task->number = i + 1;
	task->id = task->game.id;
}

/* Prepares game number i + 1. */
static void
prepare(unsigned i, size_t bytes)
{
	prepare_game(i, i + 1, bytes);
}

static void
prepare_all(size_t bytes)
{
	unsigned i;

	for (i = 0; i < TASKS; i++)
		prepare(i, bytes);
}

static void
release_all(void)
{
	unsigned i;

	for (i = 0; i < TASKS; i++) {
		text_release(&tasks[i].header);
		text_release(&bodies[i]);
	}
}

/* Expects the task still to have the faults of game `number`. */
static void
expect_faults(unsigned i, uint32_t number)
{
	struct ladder_game game;

	kit_game(number, 0, &game);
	for (unsigned s = 0; s < game.seats; s++)
		cr_expect_eq(memcmp(tasks[i].game.seat[s].faults,
				    game.seat[s].faults,
				    sizeof(game.seat[s].faults)),
			     0, "job %u, seat %u", i, s);
}

static struct writer_task *
take(struct writer *writer)
{
	struct pollfd pollfd = { .fd = writer_fd(writer), .events = POLLIN };

	for (writer_tell(writer); taken == told; writer_tell(writer))
		cr_assert_gt(poll(&pollfd, 1, 60000), 0);
	return back[taken++];
}

/* Submits tasks from..to-1 and takes them back, in this order. */
static void
submit(struct writer *writer, unsigned from, unsigned to)
{
	unsigned i;

	for (i = from; i < to; i++)
		writer_submit(writer, &tasks[i]);
	for (i = from; i < to; i++)
		cr_assert_eq(take(writer), &tasks[i]);
	writer_tell(writer);
	cr_expect_eq(taken, told);
}

static struct writer *
begin_with(struct ladder_log *log)
{
	struct writer *writer = writer_new(log, kit_path("records"));

	cr_assert_not_null(writer);
	log_used = log;
	return writer;
}

/* Begins a writer with a log of files; the ladder may be NULL. */
static struct writer *
begin(struct ladder *ladder)
{
	return begin_with(kit_log(ladder));
}

static void
end(struct writer *writer)
{
	writer_free(writer);
	ladder_log_free(log_used);
	log_used = NULL;
}

/* ---- groups ------------------------------------------------------------ */

/* A task that keeps the writer busy until the gate is open. */
struct gate {
	struct writer_task task; /* first */
	int fd[2];
};

static void
wait_at(struct writer_task *task, struct ladder *ladder UNUSED,
	struct ladder_log *log UNUSED)
{
	struct gate *gate = (struct gate *)task;
	char byte;

	cr_expect_eq(read(gate->fd[0], &byte, 1), 1);
}

/* Submits tasks from..to-1 as one group, and takes them back. */
static void
submit_group(struct writer *writer, unsigned from, unsigned to)
{
	struct gate gate = { .task.run = wait_at, .task.done = on_done };
	unsigned i;

	cr_assert_eq(pipe2(gate.fd, O_CLOEXEC), 0);
	writer_submit(writer, &gate.task);
	for (i = from; i < to; i++)
		writer_submit(writer, &tasks[i]);
	cr_assert_eq(write(gate.fd[1], "", 1), 1);
	cr_assert_eq(take(writer), &gate.task);
	for (i = from; i < to; i++)
		cr_assert_eq(take(writer), &tasks[i]);
	close(gate.fd[0]);
	close(gate.fd[1]);
}

/* ---- what lies in the folder ------------------------------------------- */

/* Counts the files in the folder beside the founding, and those of them that are no
 * whole records. */
static unsigned
count_files(const char *dir, unsigned *broken)
{
	char path[1024];
	struct error why;
	struct dirent *entry;
	struct record *record;
	unsigned files = 0;
	DIR *open = opendir(dir);

	*broken = 0;
	cr_assert_not_null(open);
	while ((entry = readdir(open)) != NULL) {
		if (entry->d_name[0] == '.' ||
		    strstr(entry->d_name, ".ladder") != NULL)
			continue;
		files++;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		if (strstr(entry->d_name, ".tmp") != NULL ||
		    record_read(path, &record, &why) != 0)
			++*broken;
		else
			record_free(record);
	}
	closedir(open);
	return files;
}

/* Returns the name of the file of a task that is safe. */
static const char *
name_of(unsigned i)
{
	static char name[LADDER_FILE_BYTES];

	writer_file_name(&tasks[i], name);
	return name;
}

/* Expects the line once, even after several tries. */
static void
expect_once(const struct record *record, const char *key)
{
	unsigned i, count = 0;

	for (i = 0; i < record->headers; i++)
		count += strncmp(record->header[i].text, key, strlen(key)) == 0;
	cr_expect_leq(count, 1, "%s%u times", key, count);
}

static void
expect_record(unsigned i, const char *name)
{
	char path[1024];
	struct error why;
	unsigned char hash[RECORD_HASH_BYTES];
	struct record *record;
	const mode_t mask = umask(0);
	struct stat st;

	umask(mask);
	snprintf(path, sizeof(path), "%s/%s", kit_path("records"), name);
	cr_assert_eq(record_read(path, &record, &why), 0, "%s", why.text);
	record_hash(record, hash);
	cr_expect_eq(memcmp(hash, tasks[i].hash, sizeof(hash)), 0);
	cr_expect_str_eq(record->id, tasks[i].id);
	expect_once(record, "ladder ");
	expect_once(record, "serial ");
	record_free(record);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0644 & ~mask);
}

static bool
is_rated(struct ladder *ladder, unsigned i)
{
	struct ladder_game game;
	struct error why;
	const int result = ladder_game_find(ladder, tasks[i].id, &game, &why);

	cr_assert_geq(result, 0, "%s", why.text);
	return result == LADDER_FOUND;
}

/* Expects the whole log on the ladder, in agreement with the records. */
static void
expect_followed(struct ladder *ladder)
{
	const struct ladder_rebuilding how = { 0 };
	struct ladder_log *log = kit_log(ladder);
	struct ladder_rebuilt report;
	struct error why;
	unsigned count = 0;

	cr_expect_eq(log->last, ladder_last(ladder));
	cr_assert_eq(ladder_follow(ladder, log, NULL, &count, &why), 0, "%s",
		     why.text);
	cr_expect_eq(count, 0);
	ladder_log_free(log);
	cr_assert_eq(ladder_rebuild(ladder, &how, &report, &why), 0, "%s",
		     why.text);
	cr_expect_eq(report.games, (unsigned)ladder_last(ladder));
	cr_expect(report.changed == 0 && report.added == 0 && report.gaps == 0);
}

static void
limit_files(rlim_t bytes)
{
	const struct rlimit limit = { bytes, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Makes a task again, with a longer body. */
static void
make_long(unsigned i, size_t bytes)
{
	text_release(&bodies[i]);
	text_release(&tasks[i].header);
	prepare(i, bytes);
}

/* ---- what should be ---------------------------------------------------- */

Test(writer, records_are_numbered_and_hashed)
{
	char name[LADDER_FILE_BYTES];
	struct writer *writer;
	unsigned i, broken;

	kit_begin();
	prepare_all(0);
	tasks[7].aborted = true;
	writer = begin(NULL);
	submit(writer, 0, 20);
	submit(writer, 20, TASKS);
	for (i = 0; i < TASKS; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		if (i == 7)
			snprintf(name, sizeof(name), "%s.rec", tasks[i].id);
		else
			ladder_file_name(ENTRY_GAME, i + 1, tasks[i].id, name);
		expect_record(i, name);
	}
	cr_expect_eq(count_files(kit_path("records"), &broken), TASKS);
	cr_expect_eq(broken, 0);
	end(writer);
	release_all();
	kit_end();
}

static const char *
in_records(const char *name)
{
	char below[LADDER_FILE_BYTES + 16];

	snprintf(below, sizeof(below), "records/%s", name);
	return kit_path(below);
}

/* Returns the side file of a task's record, or NULL. */
static char *
read_asks(const char *name)
{
	struct text text = { .max = ASKS_BYTES };
	char *bytes = NULL;

	if (file_load(in_records(name), &text) == 0)
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
	struct writer *writer;

	kit_begin();
	prepare_all(0);
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
			      in_records(name[1])),
		     0);
	cr_assert_eq(mkdir(in_records(name[2]), 0700), 0);
	writer = begin(NULL);
	submit(writer, 0, 6);
	for (unsigned i = 0; i < 6; i++)
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
	expect_asks(name[0], "asks of 0\n");
	expect_asks(name[1], "asks of 1\n");
	expect_asks(name[2], NULL);
	expect_asks(name[3], "asks of 3\n");
	asks_name(4, name[0]);
	expect_asks(name[0], NULL);
	end(writer);
	for (unsigned i = 0; i < NELEM(asks); i++)
		text_release(&asks[i]);
	release_all();
	kit_end();
}

/* Nothing is left of a game whose record could not be kept. */
Test(writer, a_game_without_a_record_has_no_asks)
{
	struct text asks = { .max = 64 };
	char name[LADDER_FILE_BYTES + 1];
	struct writer *writer;

	kit_begin();
	prepare_all(0);
	text_str(&asks, "asks 1\n");
	tasks[0].asks = &asks;
	asks_name(0, name);
	cr_assert_eq(mkdir(kit_path("records/taken"), 0700), 0);
	ladder_file_name(ENTRY_GAME, 1, tasks[0].id, name);
	cr_assert_eq(rename(kit_path("records/taken"), in_records(name)), 0);
	writer = begin(NULL);
	submit(writer, 0, 1);
	cr_expect(tasks[0].failed);
	asks_name(0, name);
	expect_asks(name, NULL);
	end(writer);
	text_release(&asks);
	release_all();
	kit_end();
}

Test(writer, without_a_folder_records_are_only_hashed)
{
	unsigned char hash[RECORD_HASH_BYTES];
	struct text whole = { .max = RECORD_BYTES };
	struct writer *writer;

	log_used = ladder_log_memory(NULL);
	writer = writer_new(log_used, NULL);
	cr_assert_not_null(writer);
	prepare(0, 100);
	prepare(1, 0);
	tasks[1].aborted = true;
	text_add(&whole, tasks[0].header.bytes, tasks[0].header.used);
	text_str(&whole, "\n");
	text_add(&whole, bodies[0].bytes, bodies[0].used);
	record_hash_text(whole.bytes, whole.used, hash);
	submit(writer, 0, 2);
	cr_expect_not(tasks[0].failed);
	cr_expect_not(tasks[1].failed);
	cr_expect_eq(memcmp(hash, tasks[0].hash, sizeof(hash)), 0);
	end(writer);
	text_release(&whole);
	release_all();
}

/* Tests a ladder that keeps no records. */
Test(writer, a_log_in_memory_rates_and_keeps_nothing)
{
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i, broken;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	tasks[3].aborted = true;
	log_used = ladder_log_memory(ladder);
	writer = writer_new(log_used, NULL);
	cr_assert_not_null(writer);
	submit(writer, 0, 5);
	submit_group(writer, 5, 20);
	for (i = 0; i < 20; i++) {
		cr_expect_not(tasks[i].failed || tasks[i].behind, "%s",
			      tasks[i].why.text);
		cr_expect_eq(is_rated(ladder, i), i != 3);
	}
	cr_expect_neq(tasks[19].game.seat[0].delta_milli, 0);
	cr_expect_eq(ladder_last(ladder), 19);
	cr_expect_eq(count_files(kit_path("records"), &broken), 0);
	end(writer);
	ladder_close(ladder);
	release_all();
	kit_end();
}

Test(writer, games_are_rated_in_the_order_of_their_coming)
{
	char name[LADDER_FILE_BYTES];
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	tasks[3].aborted = true;
	writer = begin(ladder);
	submit(writer, 0, TASKS);
	for (i = 0; i < TASKS; i++) {
		cr_assert_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_not(tasks[i].counted || tasks[i].behind);
		cr_expect_eq(is_rated(ladder, i), i != 3);
		if (i == 3)
			continue;
		cr_expect_eq(tasks[i].game.serial, (int64_t)i + (i < 3));
		cr_expect_eq(tasks[i].game.folder, folder);
		ladder_file_name(ENTRY_GAME, tasks[i].game.serial, tasks[i].id,
				 name);
		expect_record(i, name);
	}
	end(writer);
	expect_followed(ladder);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* The ladder returns what it already knew about the game. */
Test(writer, a_game_that_was_rated_before_is_counted)
{
	struct ladder *ladder;
	struct writer *writer;
	struct ladder_game twin;
	int64_t folder;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	writer = begin(ladder);
	submit(writer, 0, 3);
	text_release(&bodies[5]);
	text_release(&tasks[5].header);
	prepare_game(5, 1, 100);
	twin = tasks[0].game;
	submit_group(writer, 4, 7);
	cr_expect(tasks[5].counted);
	expect_faults(5, 1);
	cr_expect_not(tasks[5].failed || tasks[5].behind);
	cr_expect_eq(tasks[5].game.seat[0].delta_milli,
		     twin.seat[0].delta_milli);
	cr_expect_not(tasks[4].counted || tasks[6].counted);
	cr_expect(is_rated(ladder, 4) && is_rated(ladder, 6));
	cr_expect_eq(ladder_last(ladder), 6);
	end(writer);
	ladder_close(ladder);
	release_all();
	kit_end();
}

Test(writer, freeing_waits_for_what_was_submitted)
{
	struct writer *writer;
	unsigned i, broken;

	kit_begin();
	prepare_all(100000);
	writer = begin(NULL);
	for (i = 0; i < TASKS; i++)
		writer_submit(writer, &tasks[i]);
	end(writer);
	cr_expect_eq(count_files(kit_path("records"), &broken), TASKS);
	cr_expect_eq(broken, 0);
	release_all();
	kit_end();
	writer_free(NULL);
}

Test(writer, needs_its_folder)
{
	kit_begin();
	errno = 0;
	log_used = ladder_log_memory(NULL);
	cr_expect_null(writer_new(log_used, kit_path("nowhere")));
	cr_expect_eq(errno, ENOENT);
	ladder_log_free(log_used);
	kit_end();
}

/* ---- what should not be ------------------------------------------------ */

static void
expect_failed(unsigned i, const char *middle, int error)
{
	cr_assert(tasks[i].failed);
	cr_expect_not_null(strstr(tasks[i].why.text, middle), "%s",
			   tasks[i].why.text);
	cr_expect_not_null(strstr(tasks[i].why.text, strerror(error)), "%s",
			   tasks[i].why.text);
}

Test(writer, a_folder_that_is_gone_is_a_failure)
{
	struct writer *writer;
	unsigned i, broken;

	kit_begin();
	prepare_all(0);
	writer = begin(NULL);
	submit(writer, 0, 1);
	cr_assert_not(tasks[0].failed);
	cr_assert_eq(rename(kit_path("records"), kit_path("moved")), 0);
	submit(writer, 1, 2);
	cr_assert_not(tasks[1].failed, "%s", tasks[1].why.text);
	cr_expect_eq(count_files(kit_path("moved"), &broken), 2);
	end(writer);
	cr_assert_eq(mkdir(kit_path("records"), 0755), 0);
	writer = begin(NULL);
	cr_assert_eq(rmdir(kit_path("records")), 0);
	submit(writer, 2, 3);
	expect_failed(2, "cannot write the record ", ENOENT);
	/* Another folder of its name does not count. */
	cr_assert_eq(mkdir(kit_path("records"), 0755), 0);
	tasks[5].aborted = true;
	submit(writer, 3, TASKS);
	for (i = 3; i < TASKS; i++)
		expect_failed(i, "cannot write the record ", ENOENT);
	cr_expect_eq(count_files(kit_path("records"), &broken), 0);
	end(writer);
	release_all();
	kit_end();
}

/* An entry that fails in the middle of a group fails with all after it, and no
 * file is half written.  Once there is room, the same tasks are submitted
 * again. */
Test(writer, a_file_that_may_not_grow_is_a_failure)
{
	struct writer *writer;
	unsigned i, broken;

	kit_begin();
	prepare_all(0);
	make_long(2, 100000);
	writer = begin(NULL);
	limit_files(50000);
	submit_group(writer, 0, 5);
	for (i = 0; i < 5; i++)
		cr_expect_eq(tasks[i].failed, i >= 2, "%u", i);
	expect_failed(2, "cannot write the record ", EFBIG);
	cr_expect_str_eq(tasks[4].why.text, tasks[2].why.text);
	cr_expect_eq(count_files(kit_path("records"), &broken), 2);
	cr_expect_eq(broken, 0);
	submit(writer, 5, 6); /* the next one is tried all the same */
	cr_expect_not(tasks[5].failed);
	submit(writer, 2, 3);
	cr_expect(tasks[2].failed);
	limit_files(RLIM_INFINITY);
	submit(writer, 2, 5);
	submit(writer, 6, TASKS);
	for (i = 0; i < TASKS; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		expect_record(i, name_of(i));
	}
	cr_expect_eq(count_files(kit_path("records"), &broken), TASKS);
	end(writer);
	release_all();
	kit_end();
}

/* It counts nowhere, but its record should exist; also that of a game that was
 * aborted only then. */
Test(writer, an_aborted_game_without_its_record_has_failed)
{
	struct record *record;
	struct ladder *ladder;
	struct writer *writer;
	struct error why;
	unsigned i, broken;
	int64_t folder;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	make_long(1, 100000);
	tasks[1].aborted = true;
	make_long(2, 100000);
	writer = begin(ladder);
	limit_files(50000);
	submit_group(writer, 0, 3);
	expect_failed(1, "cannot write the record ", EFBIG);
	expect_failed(2, "cannot write the record ", EFBIG);
	cr_expect_not(tasks[0].failed);
	cr_expect_eq(count_files(kit_path("records"), &broken), 1);
	cr_expect_eq(broken, 0);
	limit_files(RLIM_INFINITY);
	tasks[2].aborted = true;
	submit(writer, 1, 4);
	for (i = 1; i < 3; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		expect_record(i, name_of(i));
		cr_assert_eq(record_read(in_records(name_of(i)), &record, &why),
			     0);
		cr_expect_null(record_header(record, "serial"));
		record_free(record);
	}
	cr_expect_eq(tasks[3].game.serial, 2);
	end(writer);
	expect_followed(ladder);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* The record of another game is not overwritten, nor is it taken for ours. */
Test(writer, a_name_that_is_taken_is_a_failure)
{
	char name[LADDER_FILE_BYTES], path[128];
	struct writer *writer;
	unsigned broken;

	kit_begin();
	prepare_all(0);
	ladder_file_name(ENTRY_GAME, 1, tasks[0].id, name);
	snprintf(path, sizeof(path), "records/%s", name);
	kit_write_file(kit_path(path), "mine", 4);
	writer = begin(NULL);
	submit(writer, 0, 1);
	expect_failed(0, "cannot write the record ", EEXIST);
	cr_expect(kit_file_equals(kit_path(path), "mine", 4));
	cr_expect_eq(count_files(kit_path("records"), &broken), 1);
	end(writer);
	release_all();
	kit_end();
}

/* Games that had become durable count, also when the ladder is opened next. */
Test(writer, a_ladder_survives_a_failure_in_the_middle_of_a_group)
{
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i, broken;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	make_long(9, 1000000);
	writer = begin(ladder);
	limit_files(400000);
	submit_group(writer, 0, 20);
	for (i = 0; i < 20; i++)
		cr_expect_eq(tasks[i].failed, i >= 9);
	limit_files(RLIM_INFINITY);
	end(writer);
	ladder_close(ladder);

	cr_expect_eq(count_files(kit_path("records"), &broken), 9);
	cr_expect_eq(broken, 0);
	ladder = kit_open(&folder);
	for (i = 0; i < 20; i++)
		cr_expect_eq(is_rated(ladder, i), i < 9, "game %u", i);
	expect_followed(ladder);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* A bot can guess these names from a game's ID: the writer must not wait for a
 * reader of a pipe, nor write through a link. */
Test(writer, names_that_a_bot_can_guess_are_not_used)
{
	char name[LADDER_FILE_BYTES], path[128];
	struct writer *writer;
	struct stat st;

	kit_begin();
	prepare(0, 0);
	prepare(1, 0);
	ladder_file_name(ENTRY_GAME, 1, tasks[0].id, name);
	snprintf(path, sizeof(path), "records/%s.tmp", name);
	cr_assert_eq(mkfifo(kit_path(path), 0666), 0);
	ladder_file_name(ENTRY_GAME, 2, tasks[1].id, name);
	snprintf(path, sizeof(path), "records/%s.tmp", name);
	cr_assert_eq(symlink("elsewhere", kit_path(path)), 0);
	writer = begin(NULL);
	submit(writer, 0, 2);
	cr_expect_not(tasks[0].failed, "%s", tasks[0].why.text);
	cr_expect_not(tasks[1].failed, "%s", tasks[1].why.text);
	cr_expect_eq(lstat(kit_path(path), &st), 0);
	cr_expect_neq(access(kit_path("records/elsewhere"), F_OK), 0);
	ladder_file_name(ENTRY_GAME, 1, tasks[0].id, name);
	expect_record(0, name);
	end(writer);
	release_all();
	kit_end();
}

/* Submits a task: the name under which its record is made, before it has its own. */
static void
watch_name(struct writer *writer, unsigned i, char *to, size_t size)
{
	_Alignas(8) char bytes[4096];
	const int watch = inotify_init1(IN_CLOEXEC);
	struct pollfd ready = { .fd = watch, .events = POLLIN };
	const struct inotify_event *event = (void *)bytes;

	cr_assert_geq(inotify_add_watch(watch, kit_path("records"), IN_CREATE),
		      0);
	submit(writer, i, i + 1);
	cr_assert_eq(poll(&ready, 1, 60000), 1);
	cr_assert_gt(read(watch, bytes, sizeof(bytes)), 0);
	snprintf(to, size, "records/%.400s", event->name);
	close(watch);
}

Test(writer, what_it_leaves_when_killed_is_swept)
{
	char name[512], other[512];
	struct ladder *ladder;
	struct writer *writer;
	unsigned broken;
	int64_t folder;

	kit_begin();
	ladder = kit_open(&folder);
	expect_followed(ladder);
	prepare(0, 0);
	prepare(1, 0);
	tasks[0].aborted = tasks[1].aborted = true;
	writer = begin(NULL);
	watch_name(writer, 0, name, sizeof(name));
	watch_name(writer, 1, other, sizeof(other));
	end(writer);
	cr_expect_null(strstr(name, tasks[0].id), "%s", name);
	cr_expect_str_neq(name, other, "it is drawn");
	kit_write_file(kit_path(name), "half", 4);
	cr_assert_eq(mkfifo(kit_path("records/00000009-00ff.rec.tmp"), 0666),
		     0);
	cr_assert_eq(mkfifo(kit_path("records/00000009-00ff.rec"), 0666), 0);
	expect_followed(ladder);
	cr_expect_neq(access(kit_path(name), F_OK), 0, "%s", name);
	/* A pipe with such a name is not ours, and stays. */
	cr_expect_eq(unlink(kit_path("records/00000009-00ff.rec.tmp")), 0);
	cr_expect_eq(unlink(kit_path("records/00000009-00ff.rec")), 0);
	cr_expect_eq(count_files(kit_path("records"), &broken), 2);
	ladder_close(ladder);
	release_all();
	kit_end();
}

Test(writer, games_before_the_one_that_fails_count)
{
	char name[LADDER_FILE_BYTES], path[128];
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	ladder_file_name(ENTRY_GAME, 10, tasks[9].id, name);
	snprintf(path, sizeof(path), "records/%s", name);
	kit_write_file(kit_path(path), "mine", 4);
	writer = begin(ladder);
	submit_group(writer, 0, 20);
	for (i = 0; i < 9; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_not(tasks[i].behind);
		expect_record(i, name_of(i));
	}
	expect_failed(9, "cannot write the record ", EEXIST);
	for (i = 10; i < 20; i++)
		cr_expect(tasks[i].failed);
	end(writer);
	for (i = 0; i < 20; i++)
		cr_expect_eq(is_rated(ladder, i), i < 9, "game %u", i);
	unlink(kit_path(path));
	expect_followed(ladder);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* A game that came to no record has no serial: the one that comes next gets it. */
Test(writer, a_record_that_fails_takes_no_serial)
{
	char name[LADDER_FILE_BYTES], path[128];
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	ladder_file_name(ENTRY_GAME, 10, tasks[9].id, name);
	snprintf(path, sizeof(path), "records/%s", name);
	kit_write_file(kit_path(path), "mine", 4);
	writer = begin(ladder);
	submit_group(writer, 0, 20);
	cr_assert(tasks[9].failed);
	unlink(kit_path(path));
	for (i = 20; i-- > 9;) { /* in any order */
		submit(writer, i, i + 1);
		cr_assert_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_not(tasks[i].counted);
		cr_expect_eq(tasks[i].game.serial, 10 + 19 - (int64_t)i);
		expect_record(i, name_of(i));
	}
	end(writer);
	cr_expect_eq(ladder_last(ladder), 20);
	expect_followed(ladder);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* No game of the group is safe, and its names are gone.  When that is certain,
 * the same tasks are submitted again. */
Test(writer, a_folder_that_does_not_sync_is_a_failure)
{
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i, broken;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	tasks[5].aborted = true;
	writer = begin(ladder);
	submit(writer, 0, 2);
	disk_fail_folders(kit_path("."), NULL);
	submit_group(writer, 2, 6);
	submit(writer, 6, 7);
	for (i = 2; i < 7; i++) {
		cr_expect(tasks[i].failed);
		cr_expect_not(is_rated(ladder, i));
	}
	expect_failed(3, "cannot sync the folder ", EIO);
	expect_failed(6, "cannot sync the folder ", EIO);
	cr_expect_leq(count_files(kit_path("records"), &broken), 3);
	cr_expect_eq(broken, 0);
	disk_leave();
	submit_group(writer, 2, 7);
	for (i = 0; i < 7; i++) {
		cr_expect_not(tasks[i].failed || tasks[i].counted, "%s",
			      tasks[i].why.text);
		expect_record(i, name_of(i));
	}
	cr_expect_eq(ladder_last(ladder), 6);
	end(writer);
	expect_followed(ladder);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* A record whose name cannot be removed counts, and so do those before it: they
 * are found when their tasks are submitted again. */
Test(writer, a_name_that_does_not_go)
{
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i, broken;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	writer = begin(ladder);
	submit(writer, 0, 2);
	disk_fail_folders(kit_path("."), "00000004-");
	submit_group(writer, 2, 6);
	for (i = 2; i < 6; i++) {
		cr_expect(tasks[i].failed);
		cr_expect_eq(is_rated(ladder, i), i < 4);
	}
	disk_leave();
	submit_group(writer, 3, 6);
	submit(writer, 2, 3);
	for (i = 0; i < 6; i++) {
		cr_expect_not(tasks[i].failed || tasks[i].behind, "%s",
			      tasks[i].why.text);
		cr_expect_eq(tasks[i].counted, i == 2 || i == 3);
		cr_expect_eq(tasks[i].game.serial, (int64_t)i + 1);
		cr_expect(is_rated(ladder, i));
		expect_record(i, name_of(i));
	}
	cr_expect_eq(count_files(kit_path("records"), &broken), 6);
	end(writer);
	expect_followed(ladder);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* A game that the ladder refuses does not keep other games from being durable,
 * and once it is gone the ladder goes on after it. */
Test(writer, an_entry_that_does_not_hold_leaves_the_ladder_behind)
{
	const struct ladder_rebuilding gaps = { .gaps = true };
	struct ladder_rebuilt report;
	struct error why;
	const char *name;
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	tasks[3].game.seat[0].place = 9;
	text_clear(&bodies[3]); /* no result */
	text_str(&bodies[3], "note ; nothing\n");
	writer = begin(ladder);
	submit_group(writer, 0, 2);
	submit_group(writer, 2, 5);
	for (i = 0; i < 5; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_eq(tasks[i].behind, i >= 2, "game %u", i);
	}
	cr_expect_not_null(strstr(tasks[4].why.text, "place"), "%s",
			   tasks[4].why.text);
	submit(writer, 5, 7);
	for (i = 5; i < 7; i++) {
		cr_expect_not(tasks[i].failed);
		cr_expect(tasks[i].behind);
		cr_expect_not_null(strstr(tasks[i].why.text, tasks[3].id), "%s",
				   tasks[i].why.text);
		expect_record(i, name_of(i));
	}
	name = in_records(name_of(3));
	cr_assert_eq(unlink(name), 0, "%s", name);
	submit(writer, 7, 8);
	cr_expect(tasks[7].behind);
	cr_expect_not_null(strstr(tasks[7].why.text, "entry 4 of its log"),
			   "%s", tasks[7].why.text);
	cr_assert_eq(ladder_rebuild(ladder, &gaps, &report, &why), 0, "%s",
		     why.text);
	submit(writer, 8, 10);
	for (i = 0; i < 10; i++)
		cr_expect_eq(is_rated(ladder, i), i != 3, "game %u", i);
	for (i = 8; i < 10; i++) {
		cr_expect_not(tasks[i].behind);
		cr_expect_gt(tasks[i].game.seat[0].before_milli, 0,
			     "it has its ratings");
	}
	end(writer);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* Makes the ladder refuse all games, because another has the next serial, or
 * accept them again. */
static void
hinder(bool hinders)
{
	const char *text =
		hinders ? "insert into game select ifnull(max(serial), 0) + 1,"
			  " 'hinders', 1, '', null, zeroblob(32) from game"
			: "delete from game where id = 'hinders'";
	sqlite3 *base;

	cr_assert_eq(sqlite3_open(kit_path("ladder.db"), &base), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(base, text, NULL, NULL, NULL), SQLITE_OK,
		     "%s", sqlite3_errmsg(base));
	sqlite3_close(base);
}

/* The records are kept, whatever the ladder does, and it follows as soon as it
 * can. */
Test(writer, games_that_cannot_be_rated_are_safe)
{
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	tasks[2].aborted = true;
	writer = begin(ladder);
	hinder(true);
	submit(writer, 0, 1);
	submit(writer, 1, 4);
	for (i = 0; i < 4; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_eq(tasks[i].behind, i != 2);
		cr_expect_eq(tasks[i].why.text[0] == '\0', i == 2);
		expect_record(i, name_of(i));
	}
	cr_expect_eq(tasks[3].game.serial, 3);
	hinder(false);
	/* One of this group was rated before. */
	text_release(&bodies[5]);
	text_release(&tasks[5].header);
	prepare_game(5, 1, 100);
	submit_group(writer, 4, 7);
	for (i = 0; i < 7; i++)
		cr_expect_eq(is_rated(ladder, i), i != 2);
	for (i = 4; i < 7; i++) {
		cr_expect_not(tasks[i].failed || tasks[i].behind);
		cr_expect_eq(tasks[i].counted, i == 5);
		cr_expect_gt(tasks[i].game.seat[0].before_milli, 0);
	}
	cr_expect_gt(tasks[4].game.seat[1].faults[FAULT_TIMEOUT], 0,
		     "what was charged stays");
	end(writer);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* A part of a group may be folded with what came before it. */
Test(writer, no_rating_is_told_that_is_not_known)
{
	const unsigned before = LADDER_LOG_ENTRIES * LADDER_FOLLOW_GROUPS - 4;
	struct ladder_game game;
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	for (i = 1; i <= before; i++) {
		kit_game(i, i, &game);
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	}
	for (i = 0; i < TASKS; i++)
		prepare_game(i, before + 1 + i, 0);
	writer = begin(ladder);
	submit_group(writer, 0, 8);
	cr_expect_eq(ladder_last(ladder), before + 4);
	for (i = 0; i < 8; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect(tasks[i].behind ||
				  tasks[i].game.seat[0].before_milli > 0,
			  "game %u", i);
	}
	submit(writer, 8, 9);
	cr_expect_not(tasks[8].behind);
	cr_expect_gt(tasks[8].game.seat[0].before_milli, 0);
	end(writer);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* This needs the right to mount. */
Test(writer, a_full_disk_is_a_failure)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned i, broken, failed = TASKS;
	int64_t folder;

	kit_begin();
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", kit_path("records"), "tmpfs", 0, "size=256k") < 0) {
		kit_end();
		cr_skip_test("not allowed to mount");
	}
	ladder = kit_open(&folder);
	prepare_all(20000);
	writer = begin(ladder);
	for (i = 0; i < 30; i++) {
		submit(writer, i, i + 1);
		if (tasks[i].failed && failed == TASKS)
			failed = i;
		cr_expect_eq(tasks[i].failed, i >= failed);
	}
	cr_assert_lt(failed, 15);
	cr_expect_gt(failed, 5);
	expect_failed(failed, "cannot write the record ", ENOSPC);
	cr_expect_eq(count_files(kit_path("records"), &broken), failed);
	cr_expect_eq(broken, 0);
	/* Once there is room, the same tasks are submitted once more. */
	cr_assert_eq(mount("none", kit_path("records"), "tmpfs", MS_REMOUNT,
			   "size=4m"),
		     0);
	submit_group(writer, failed, TASKS);
	for (i = 0; i < TASKS; i++) {
		cr_expect_not(tasks[i].failed || tasks[i].behind, "%s",
			      tasks[i].why.text);
		expect_record(i, name_of(i));
	}
	end(writer);
	expect_followed(ladder);
	cr_expect_eq(ladder_last(ladder), TASKS);
	ladder_close(ladder);
	cr_assert_eq(umount(kit_path("records")), 0);
	release_all();
	kit_end();
}

/* ---- packs ------------------------------------------------------------ */

static struct writer *
begin_packs(struct ladder *ladder)
{
	struct ladder_log *log;
	struct error why;

	cr_assert_eq(log_packs_open(ladder, kit_path("records"), 0, &log, &why),
		     0, "%s", why.text);
	return begin_with(log);
}

/* Expects the record of a task in a pack, with this hash. */
static void
expect_packed(struct ladder *ladder, unsigned i)
{
	unsigned char hash[RECORD_HASH_BYTES];
	char path[LADDER_PATH_BYTES];
	struct record *record;
	struct error why;

	cr_assert_eq(ladder_game_path(ladder, &tasks[i].game, path, &why), 0);
	cr_expect_gt(pack_in_path(path), 0, "%s", path);
	cr_assert_eq(packed_record(NULL, path, &record, &why), 0, "%s",
		     why.text);
	record_hash(record, hash);
	cr_expect_eq(memcmp(hash, tasks[i].hash, sizeof(hash)), 0);
	cr_expect_str_eq(record->id, tasks[i].id);
	record_free(record);
}

Test(writer, packs_have_all_but_what_was_aborted)
{
	struct text asks = { .max = 64 }, read = { .max = 64 };
	char name[LADDER_FILE_BYTES], path[LADDER_PATH_BYTES];
	char beside[LADDER_PATH_BYTES];
	struct ladder *ladder;
	struct writer *writer;
	struct error why;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	text_str(&asks, "asks 1\n");
	tasks[5].asks = &asks;
	tasks[3].aborted = true;
	writer = begin(ladder);
	submit(writer, 0, 2); /* a ladder goes on with packs */
	end(writer);
	writer = begin_packs(ladder);
	submit(writer, 2, 20);
	submit(writer, 20, 30);
	end(writer);
	writer = begin_packs(ladder);
	submit(writer, 30, TASKS);
	for (i = 0; i < TASKS; i++) {
		cr_assert_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_not(tasks[i].behind);
	}
	for (i = 4; i < TASKS; i++)
		expect_packed(ladder, i);
	cr_assert_eq(ladder_game_path(ladder, &tasks[5].game, path, &why), 0);
	cr_assert(asks_path(path, beside, sizeof(beside)));
	cr_assert_eq(packed_load(NULL, beside, &read), 0);
	cr_expect_str_eq(text_string(&read), "asks 1\n");
	snprintf(name, sizeof(name), "%s.rec", tasks[3].id);
	expect_record(3, name);
	end(writer);
	cr_expect_eq(ladder_last(ladder), TASKS - 1);
	expect_followed(ladder);
	ladder_close(ladder);
	text_release(&asks);
	text_release(&read);
	release_all();
	kit_end();
}

/* A group is in a pack as a whole, or not at all; and serials have no gap. */
Test(writer, a_pack_that_cannot_grow_is_a_failure)
{
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	make_long(9, 1000000);
	writer = begin_packs(ladder);
	submit(writer, 0, 5);
	limit_files(900000);
	submit_group(writer, 5, 20);
	for (i = 0; i < 20; i++) {
		cr_expect_eq(tasks[i].failed, i >= 5);
		cr_expect_eq(is_rated(ladder, i), i < 5);
	}
	expect_failed(9, "cannot write the records in ", EFBIG);
	submit(writer, 20, 21); /* there is room for one */
	cr_expect_not(tasks[20].failed);
	cr_expect_eq(tasks[20].game.serial, 6);
	limit_files(RLIM_INFINITY);
	for (i = 20; i-- > 5;) {
		submit(writer, i, i + 1);
		cr_assert_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_not(tasks[i].counted);
	}
	for (i = 0; i < 21; i++)
		expect_packed(ladder, i);
	end(writer);
	cr_expect_eq(ladder_last(ladder), 21);
	expect_followed(ladder);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* A ladder that could not follow does when it is opened next. */
Test(writer, packed_games_that_cannot_be_rated_are_safe)
{
	struct ladder *ladder;
	struct writer *writer;
	struct error why;
	unsigned count = 0;
	int64_t folder;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	writer = begin_packs(ladder);
	submit(writer, 0, 2);
	hinder(true);
	submit(writer, 2, 3);
	cr_expect_not(tasks[2].failed);
	cr_expect(tasks[2].behind);
	end(writer);
	ladder_close(ladder);
	hinder(false);
	ladder = kit_open(&folder);
	cr_expect_eq(ladder_last(ladder), 2);
	writer = begin_packs(ladder);
	cr_assert_eq(ladder_follow(ladder, log_used, NULL, &count, &why), 0,
		     "%s", why.text);
	cr_expect_eq(count, 1);
	submit(writer, 3, 4);
	cr_expect_not(tasks[3].failed || tasks[3].behind, "%s",
		      tasks[3].why.text);
	cr_expect_eq(tasks[3].game.serial, 4);
	end(writer);
	expect_followed(ladder);
	ladder_close(ladder);
	release_all();
	kit_end();
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
count_rated(struct writer_task *task, struct ladder *ladder,
	    struct ladder_log *log)
{
	struct count *count = (struct count *)task;
	struct error why;

	cr_expect_eq(log, log_used);
	cr_expect_eq(ladder_games(ladder, NULL, 0, on_any, &count->rated, &why),
		     0, "%s", why.text);
}

Test(writer, other_work_has_its_turn)
{
	struct count count = { .task.run = count_rated, .task.done = on_done };
	struct count last = count;
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	writer = begin(ladder);
	prepare_all(0);
	for (i = 0; i < TASKS; i++) {
		writer_submit(writer, &tasks[i]);
		if (i == 6)
			writer_submit(writer, &count.task);
	}
	writer_submit(writer, &last.task);
	for (i = 0; i < TASKS; i++) {
		cr_assert_eq(take(writer), &tasks[i]);
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		if (i == 6)
			cr_assert_eq(take(writer), &count.task);
	}
	cr_assert_eq(take(writer), &last.task);
	cr_expect_eq(count.rated, 7);
	cr_expect_eq(last.rated, TASKS);
	end(writer);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* ---- with a log elsewhere ---------------------------------------------- */

/* Holds the whole records of the log elsewhere, by serial. */
static struct {
	struct text record[TASKS + 1];
	char id[TASKS + 1][ID_BYTES + 1];
	int64_t job[TASKS + 1], dropped;
	unsigned kept, early; /* early: a record was here before it was in the
			       * log */
	bool refuses, is_deaf;
	bool is_silent; /* it keeps them, but does not answer */
} there;

/* The files here are a copy of such a log. */
struct elsewhere {
	struct ladder_log log; /* first */
	struct ladder_log *here;
};

static int
no_answer(struct error *why)
{
	return error_set(why, ERROR_MACHINE, "no answer");
}

static void
keep_one(const struct log_entry *entry)
{
	struct text *record = &there.record[entry->serial];
	char name[LADDER_FILE_BYTES];

	cr_assert_leq(entry->serial, TASKS);
	cr_assert_eq(record->used, 0, "it is decided already");
	for (int i = 1; i <= TASKS; i++)
		cr_assert_str_neq(there.id[i], entry->id, "it stands there");
	ladder_file_name(entry->kind, entry->serial, entry->id, name);
	there.early += access(in_records(name), F_OK) == 0;
	there.kept++;
	text_init(record, RECORD_BYTES);
	text_add(record, entry->text->bytes, entry->text->used);
	snprintf(there.id[entry->serial], ID_BYTES + 1, "%s", entry->id);
	there.job[entry->serial] = entry->queue_job;
}

/* Returns the entries above this serial. */
static struct log_entry *
fetch(int64_t serial)
{
	struct log_entry *group = NULL, **end_of = &group;
	const struct text *record;
	struct error why;

	while (++serial <= TASKS && there.record[serial].used > 0) {
		record = &there.record[serial];
		*end_of = ladder_log_entry("there", record->bytes, record->used,
					   NULL, 0, &why);
		cr_assert_not_null(*end_of, "%s", why.text);
		end_of = &(*end_of)->next;
	}
	return group;
}

static int
elsewhere_bring(struct ladder_log *log, struct error *why)
{
	struct elsewhere *elsewhere = (struct elsewhere *)log;
	struct ladder_log *here = elsewhere->here;
	struct log_entry *group, *entry;
	int result = 0;

	if (there.is_deaf)
		return no_answer(why);
	group = fetch(here->last);
	for (entry = group; entry != NULL; entry = entry->next)
		log->last = entry->serial;
	log->unsure = false;
	if (group != NULL)
		result = here->ops->append(here, group, why);
	ladder_log_forget(group);
	log->here = here->last;
	return result;
}

static int
elsewhere_append(struct ladder_log *log, struct log_entry *group,
		 struct error *why)
{
	struct ladder_log *here = ((struct elsewhere *)log)->here;
	struct log_entry *entry;
	struct error ignored;

	if (log->unsure && elsewhere_bring(log, why) < 0 && log->unsure)
		return -1;
	if (there.refuses)
		return no_answer(why);
	cr_assert_eq(group->serial, log->last + 1);
	for (entry = group; entry != NULL; entry = entry->next)
		keep_one(entry);
	log->unsure = there.is_silent;
	if (there.is_silent)
		return no_answer(why);
	if (here->last + 1 == group->serial)
		(void)!here->ops->append(here, group, &ignored);
	log->here = here->last;
	for (entry = group; entry != NULL; entry = entry->next) {
		entry->durable = true;
		log->last = entry->serial;
	}
	return 0;
}

static int
elsewhere_drop(struct ladder_log *log UNUSED, int64_t queue_job,
	       struct error *why)
{
	if (there.refuses)
		return no_answer(why);
	there.dropped = queue_job;
	return 0;
}

static void
elsewhere_free(struct ladder_log *log)
{
	struct elsewhere *elsewhere = (struct elsewhere *)log;

	ladder_log_free(elsewhere->here);
	free(elsewhere);
}

static const struct ladder_log_ops elsewhere_ops = {
	.append = elsewhere_append,
	.read = ladder_log_read,
	.bring = elsewhere_bring,
	.drop = elsewhere_drop,
	.free = elsewhere_free,
};

/* Begins a writer elsewhere: the ladder follows, and this many games are new to it. */
static struct writer *
begin_elsewhere(struct ladder **ladder, unsigned news)
{
	struct elsewhere *elsewhere = zeroed(1, sizeof(*elsewhere));
	struct error why;
	unsigned count = 0;
	int64_t folder;

	*ladder = kit_open(&folder);
	elsewhere->here = kit_log(*ladder);
	elsewhere->log = (struct ladder_log){ .ops = &elsewhere_ops,
					      .ladder = *ladder,
					      .last = elsewhere->here->last,
					      .here = elsewhere->here->last,
					      .unsure = true };
	cr_assert_eq(
		ladder_follow(*ladder, &elsewhere->log, NULL, &count, &why), 0,
		"%s", why.text);
	cr_expect_eq(count, news);
	return begin_with(&elsewhere->log);
}

/* Expects these games in log, folder and ladder, each once. */
static void
end_elsewhere(struct writer *writer, struct ladder *ladder, unsigned games)
{
	struct ladder_game game;
	struct error why;
	unsigned i, broken;

	end(writer);
	cr_expect_eq(there.kept, games);
	cr_expect_eq(there.early, 0);
	cr_expect_eq(count_files(kit_path("records"), &broken), games);
	cr_expect_eq(broken, 0);
	for (i = 0; i < games; i++) {
		cr_assert_eq(ladder_game_find(ladder, tasks[i].id, &game, &why),
			     LADDER_FOUND);
		cr_expect_eq(game.serial, tasks[i].game.serial);
		cr_expect_str_eq(there.id[game.serial], tasks[i].id);
		expect_record(i, name_of(i));
	}
	expect_followed(ladder);
	ladder_close(ladder);
	release_all();
	for (i = 0; i <= TASKS; i++)
		text_release(&there.record[i]);
	kit_end();
}

/* The log decides before a record is on disk. */
Test(writer, a_log_comes_before_the_folder)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned i;

	kit_begin();
	prepare_all(0);
	tasks[7].queue_job = 70;
	writer = begin_elsewhere(&ladder, 0);
	submit(writer, 0, 20);
	for (i = 0; i < 20; i++)
		cr_expect_not(tasks[i].failed || tasks[i].behind, "%s",
			      tasks[i].why.text);
	cr_expect_eq(there.job[8], 70);
	end_elsewhere(writer, ladder, 20);
}

/* A game that the log refuses takes no serial, and can be submitted once more. */
Test(writer, a_log_that_refuses)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned i;

	kit_begin();
	prepare_all(0);
	writer = begin_elsewhere(&ladder, 0);
	submit(writer, 0, 5);
	there.refuses = true;
	submit(writer, 5, 9);
	for (i = 5; i < 9; i++)
		cr_expect(tasks[i].failed);
	there.refuses = false;
	submit(writer, 7, 12);
	submit(writer, 5, 7);
	for (i = 0; i < 12; i++)
		cr_expect_not(tasks[i].failed || tasks[i].counted);
	cr_expect_eq(tasks[7].game.serial, 6);
	end_elsewhere(writer, ladder, 12);
}

/* The answer of the log is lost: its games are written to disk first, and are
 * found when they are submitted again in another order. */
Test(writer, a_log_whose_answer_is_lost)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned i;

	kit_begin();
	prepare_all(0);
	writer = begin_elsewhere(&ladder, 0);
	there.is_silent = true;
	submit(writer, 0, 6);
	for (i = 0; i < 6; i++)
		cr_expect(tasks[i].failed);
	there.is_silent = false;
	submit(writer, 3, 8);
	submit(writer, 0, 3);
	for (i = 0; i < 8; i++) {
		cr_expect_not(tasks[i].failed || tasks[i].behind);
		cr_expect_eq(tasks[i].counted, i < 6);
		cr_expect_eq(tasks[i].game.serial, (int64_t)i + 1);
		expect_faults(i, i + 1);
	}
	end_elsewhere(writer, ladder, 8);
}

/* While the disk has no room, it is unknown that the log has them; others go
 * on. */
Test(writer, a_log_whose_answer_is_lost_beside_a_full_disk)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned i;

	kit_begin();
	prepare_all(0);
	make_long(2, 1000000);
	writer = begin_elsewhere(&ladder, 0);
	submit(writer, 0, 2);
	limit_files(400000);
	there.is_silent = true;
	submit(writer, 2, 3);
	cr_expect(tasks[2].failed);
	there.is_silent = false;
	submit_group(writer, 2, 5);
	cr_expect(tasks[2].failed);
	cr_expect_not_null(strstr(tasks[2].why.text, "it may be in the log"),
			   "%s", tasks[2].why.text);
	for (i = 3; i < 5; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect(tasks[i].behind);
	}
	limit_files(RLIM_INFINITY);
	submit(writer, 5, 6);
	submit(writer, 2, 3);
	cr_expect_not(tasks[2].failed);
	cr_expect(tasks[2].counted);
	end_elsewhere(writer, ladder, 6);
}

/* Until the log answers, nothing more is decided. */
Test(writer, a_log_that_is_silent_for_long)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned i;

	kit_begin();
	prepare_all(0);
	writer = begin_elsewhere(&ladder, 0);
	there.is_silent = there.is_deaf = true;
	submit_group(writer, 0, 4);
	cr_expect_eq(there.kept, 4);
	submit(writer, 2, 6);
	for (i = 0; i < 6; i++)
		cr_expect(tasks[i].failed);
	cr_expect_eq(there.kept, 4);
	there.is_silent = there.is_deaf = false;
	submit_group(writer, 2, 8);
	submit(writer, 0, 2);
	for (i = 0; i < 8; i++) {
		cr_expect_not(tasks[i].failed || tasks[i].behind);
		cr_expect_eq(tasks[i].counted, i < 4);
	}
	end_elsewhere(writer, ladder, 8);
}

/* The next writer finds a decided game. */
Test(writer, a_log_whose_answer_came_after_the_end)
{
	struct ladder *ladder;
	struct writer *writer;

	kit_begin();
	prepare_all(0);
	writer = begin_elsewhere(&ladder, 0);
	submit(writer, 0, 2);
	there.is_silent = there.is_deaf = true;
	submit(writer, 2, 3);
	cr_expect(tasks[2].failed);
	end(writer);
	ladder_close(ladder);
	there.is_silent = there.is_deaf = false;
	writer = begin_elsewhere(&ladder, 1);
	submit(writer, 2, 4);
	cr_expect(tasks[2].counted);
	cr_expect_not(tasks[2].failed || tasks[3].failed || tasks[3].counted);
	end_elsewhere(writer, ladder, 4);
}

/* Games in the log are safe, and are written to disk when it has room or at the
 * next start. */
Test(writer, a_log_is_ahead_of_a_full_disk)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned i;

	kit_begin();
	prepare_all(0);
	for (i = 4; i < 9; i++)
		make_long(i, 1000000);
	writer = begin_elsewhere(&ladder, 0);
	submit(writer, 0, 4);
	limit_files(400000);
	submit_group(writer, 4, 6);
	submit(writer, 6, 7);
	for (i = 0; i < 7; i++) {
		cr_expect_not(tasks[i].failed);
		cr_expect_eq(tasks[i].behind, i >= 4);
	}
	cr_expect_not_null(strstr(tasks[6].why.text, strerror(EFBIG)), "%s",
			   tasks[6].why.text);
	limit_files(RLIM_INFINITY);
	submit(writer, 7, 8);
	cr_expect_not(tasks[7].failed || tasks[7].behind);
	cr_expect_eq(ladder_last(ladder), 8);
	limit_files(400000);
	submit(writer, 8, 9);
	cr_expect_not(tasks[8].failed);
	cr_expect(tasks[8].behind);
	end(writer);
	ladder_close(ladder);
	limit_files(RLIM_INFINITY);
	writer = begin_elsewhere(&ladder, 1);
	end_elsewhere(writer, ladder, 9);
}

static void
let_follow(struct writer_task *task, struct ladder *ladder,
	   struct ladder_log *log)
{
	unsigned rated = 0;
	struct error why;

	cr_expect_eq(ladder_follow(ladder, log, NULL, &rated, &why), 0, "%s",
		     why.text);
	((struct count *)task)->rated = rated;
}

/* The ladder also follows when its owner says so, not only with the next game. */
Test(writer, a_ladder_that_is_behind_follows_by_a_task)
{
	struct count count = { .task.run = let_follow, .task.done = on_done };
	struct ladder *ladder;
	struct writer *writer;

	kit_begin();
	prepare_all(0);
	make_long(2, 1000000);
	writer = begin_elsewhere(&ladder, 0);
	submit(writer, 0, 2);
	limit_files(400000);
	submit(writer, 2, 3);
	cr_expect(tasks[2].behind);
	limit_files(RLIM_INFINITY);
	writer_submit(writer, &count.task);
	cr_assert_eq(take(writer), &count.task);
	cr_expect_eq(count.rated, 1);
	end_elsewhere(writer, ladder, 3);
}

/* The queue is told about a game without a result. */
Test(writer, an_aborted_game_is_dropped_there)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned broken;

	kit_begin();
	prepare_all(0);
	tasks[3].aborted = tasks[4].aborted = true;
	tasks[3].queue_job = 30;
	writer = begin_elsewhere(&ladder, 0);
	submit(writer, 0, 3);
	there.refuses = true;
	submit(writer, 3, 5);
	cr_expect(tasks[3].failed);
	cr_expect_not(tasks[4].failed, "the queue does not know it");
	cr_expect_eq(count_files(kit_path("records"), &broken), 4);
	there.refuses = false;
	submit(writer, 3, 4);
	cr_expect_not(tasks[3].failed, "%s", tasks[3].why.text);
	cr_expect_eq(there.dropped, 30);
	expect_record(3, name_of(3));
	cr_assert_eq(unlink(in_records(name_of(3))), 0);
	cr_assert_eq(unlink(in_records(name_of(4))), 0);
	end_elsewhere(writer, ladder, 3);
}
