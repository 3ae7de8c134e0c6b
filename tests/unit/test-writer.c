/* tests/unit/test-writer.c - records on disk, whole or not at all. */
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
#include "referee/records/writer.h"
#include "tests/unit/ladder-kit.h"

#define JOBS 40

static struct writer_job jobs[JOBS];
static struct text bodies[JOBS];
/* What has come back, in this order; and how many of them were taken. */
static struct writer_job *back[2 * JOBS];
static unsigned told, taken;

static void
on_done(struct writer_job *job)
{
	cr_assert_lt(told, NELEM(back));
	back[told++] = job;
}

/* Job `i`: game number i + 1, whose body is so many bytes. */
static void
prepare(unsigned i, size_t bytes)
{
	struct writer_job *job = &jobs[i];
	char text[8192];

	memset(job, 0, sizeof(*job));
	kit_game(i + 1, 0, &job->game);
	kit_record_text(&job->game, NULL, text, sizeof(text));
	text_init(&job->header, RECORD_BYTES);
	text_init(&bodies[i], RECORD_BYTES);
	text_add(&job->header, text, (size_t)(strstr(text, "\n\n") + 1 - text));
	while (bodies[i].used < bytes)
		text_str(&bodies[i], "note ; this is a long comment\n");
	text_str(&bodies[i], strstr(text, "\n\n") + 2);
	job->done = on_done;
	job->body = &bodies[i];
	job->number = i + 1;
	job->id = job->game.id;
}

static void
prepare_all(size_t bytes)
{
	unsigned i;

	for (i = 0; i < JOBS; i++)
		prepare(i, bytes);
}

static void
release_all(void)
{
	unsigned i;

	for (i = 0; i < JOBS; i++) {
		text_release(&jobs[i].header);
		text_release(&bodies[i]);
	}
}

static struct writer_job *
take(struct writer *writer)
{
	struct pollfd pollfd = { .fd = writer_fd(writer), .events = POLLIN };

	for (writer_tell(writer); taken == told; writer_tell(writer))
		cr_assert_gt(poll(&pollfd, 1, 60000), 0);
	return back[taken++];
}

/* Submits jobs from..to-1 and takes them back, in this order. */
static void
submit(struct writer *writer, unsigned from, unsigned to)
{
	unsigned i;

	for (i = from; i < to; i++)
		writer_submit(writer, &jobs[i]);
	for (i = from; i < to; i++)
		cr_assert_eq(take(writer), &jobs[i]);
	writer_tell(writer);
	cr_expect_eq(taken, told);
}

static struct writer *
begin(struct ladder *ladder, int64_t folder)
{
	struct writer *writer = writer_new(kit_path("records"), ladder, folder);

	cr_assert_not_null(writer);
	return writer;
}

/* Files in the folder, and how many of them are not whole records. */
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
		if (entry->d_name[0] == '.')
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
	cr_expect_eq(memcmp(hash, jobs[i].hash, sizeof(hash)), 0);
	cr_expect_str_eq(record->id, jobs[i].id);
	record_free(record);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0644 & ~mask);
}

/* ---- what should be ---------------------------------------------------- */

Test(writer, records_are_numbered_and_hashed)
{
	char name[LADDER_FILE_BYTES];
	struct writer *writer;
	unsigned i, broken;

	kit_begin();
	prepare_all(0);
	jobs[7].aborted = true;
	writer = begin(NULL, 0);
	submit(writer, 0, 20);
	submit(writer, 20, JOBS);
	for (i = 0; i < JOBS; i++) {
		cr_expect_not(jobs[i].failed, "%s", jobs[i].why.text);
		if (i == 7)
			snprintf(name, sizeof(name), "%s.rec", jobs[i].id);
		else
			ladder_file_name(i + 1, jobs[i].id, name);
		expect_record(i, name);
	}
	cr_expect_eq(count_files(kit_path("records"), &broken), JOBS);
	cr_expect_eq(broken, 0);
	writer_free(writer);
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

/* The side file of a job's record; NULL: there is none. */
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

	ladder_file_name(i + 1, jobs[i].id, record);
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
		jobs[i].asks = &asks[i];
		asks_name(i, name[i]);
	}
	jobs[4].asks = &none;
	jobs[3].aborted = true;
	snprintf(name[3], sizeof(name[3]), "%s.asks", jobs[3].id);
	/* One that was left, and a folder in the way. */
	kit_write_file(kit_path("records/x"), "old and longer\n", 15);
	cr_assert_eq(renameat(AT_FDCWD, kit_path("records/x"), AT_FDCWD,
			      in_records(name[1])),
		     0);
	cr_assert_eq(mkdir(in_records(name[2]), 0700), 0);
	writer = begin(NULL, 0);
	submit(writer, 0, 6);
	for (unsigned i = 0; i < 6; i++)
		cr_expect_not(jobs[i].failed, "%s", jobs[i].why.text);
	expect_asks(name[0], "asks of 0\n");
	expect_asks(name[1], "asks of 1\n");
	expect_asks(name[2], NULL);
	expect_asks(name[3], "asks of 3\n");
	asks_name(4, name[0]);
	expect_asks(name[0], NULL);
	writer_free(writer);
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
	jobs[0].asks = &asks;
	asks_name(0, name);
	cr_assert_eq(mkdir(kit_path("records/taken"), 0700), 0);
	ladder_file_name(1, jobs[0].id, name);
	cr_assert_eq(rename(kit_path("records/taken"), in_records(name)), 0);
	writer = begin(NULL, 0);
	submit(writer, 0, 1);
	cr_expect(jobs[0].failed);
	asks_name(0, name);
	expect_asks(name, NULL);
	writer_free(writer);
	text_release(&asks);
	release_all();
	kit_end();
}

Test(writer, without_a_folder_records_are_only_hashed)
{
	unsigned char hash[RECORD_HASH_BYTES];
	struct text whole = { .max = RECORD_BYTES };
	struct writer *writer = writer_new(NULL, NULL, 0);

	cr_assert_not_null(writer);
	prepare(0, 100);
	text_add(&whole, jobs[0].header.bytes, jobs[0].header.used);
	text_str(&whole, "\n");
	text_add(&whole, bodies[0].bytes, bodies[0].used);
	record_hash_text(whole.bytes, whole.used, hash);
	submit(writer, 0, 1);
	cr_expect_not(jobs[0].failed);
	cr_expect_eq(memcmp(hash, jobs[0].hash, sizeof(hash)), 0);
	writer_free(writer);
	text_release(&whole);
	release_all();
}

Test(writer, games_are_rated_in_the_order_of_their_coming)
{
	char name[LADDER_FILE_BYTES];
	struct error why;
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i, count;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	jobs[3].aborted = true;
	writer = begin(ladder, folder);
	submit(writer, 0, JOBS);
	for (i = 0; i < JOBS; i++) {
		cr_assert_not(jobs[i].failed, "%s", jobs[i].why.text);
		cr_expect_not(jobs[i].counted);
		if (i == 3)
			continue;
		cr_expect_eq(jobs[i].game.serial, (int64_t)i + (i < 3));
		ladder_file_name(jobs[i].game.serial, jobs[i].id, name);
		expect_record(i, name);
	}
	writer_free(writer);
	/* All of them are on the ladder, and it is what the records say. */
	cr_expect_eq(ladder_settle(ladder, &count, &why), 0);
	cr_expect_eq(count, 0);
	cr_expect_eq(ladder_has_game(ladder, jobs[JOBS - 1].id, &why),
		     LADDER_FOUND);
	cr_expect_eq(ladder_has_game(ladder, jobs[3].id, &why), 0);
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
	writer = begin(NULL, 0);
	for (i = 0; i < JOBS; i++)
		writer_submit(writer, &jobs[i]);
	writer_free(writer);
	cr_expect_eq(count_files(kit_path("records"), &broken), JOBS);
	cr_expect_eq(broken, 0);
	release_all();
	kit_end();
	writer_free(NULL);
}

Test(writer, needs_its_folder)
{
	kit_begin();
	errno = 0;
	cr_expect_null(writer_new(kit_path("nowhere"), NULL, 0));
	cr_expect_eq(errno, ENOENT);
	kit_end();
}

/* ---- what should not be ------------------------------------------------ */

/* From now on nothing is written, though there is room again. */
static void
expect_nothing_more(struct writer *writer, unsigned from, const char *dir)
{
	unsigned before, broken, i;

	before = count_files(dir, &broken);
	cr_expect_eq(broken, 0, "nothing half-written under any name");
	submit(writer, from, JOBS);
	for (i = from; i < JOBS; i++)
		cr_expect(jobs[i].failed);
	cr_expect_eq(count_files(dir, &broken), before);
	cr_expect_eq(broken, 0);
}

static void
expect_failed(unsigned i, const char *middle, int error)
{
	cr_assert(jobs[i].failed);
	cr_expect_not_null(strstr(jobs[i].why.text, middle), "%s",
			   jobs[i].why.text);
	cr_expect_not_null(strstr(jobs[i].why.text, strerror(error)), "%s",
			   jobs[i].why.text);
}

Test(writer, a_folder_that_is_gone_is_a_failure)
{
	struct writer *writer;
	unsigned broken;

	kit_begin();
	prepare_all(0);
	writer = begin(NULL, 0);
	submit(writer, 0, 1);
	cr_assert_not(jobs[0].failed);
	cr_assert_eq(rename(kit_path("records"), kit_path("moved")), 0);
	submit(writer, 1, 2);
	cr_assert_not(jobs[1].failed, "%s", jobs[1].why.text);
	cr_expect_eq(count_files(kit_path("moved"), &broken), 2);
	writer_free(writer);
	cr_assert_eq(mkdir(kit_path("records"), 0755), 0);
	writer = begin(NULL, 0);
	cr_assert_eq(rmdir(kit_path("records")), 0);
	submit(writer, 2, 3);
	expect_failed(2, "cannot write the record ", ENOENT);
	cr_assert_eq(mkdir(kit_path("records"), 0755), 0);
	expect_nothing_more(writer, 3, kit_path("records"));
	writer_free(writer);
	release_all();
	kit_end();
}

Test(writer, a_file_that_may_not_grow_is_a_failure)
{
	struct rlimit limit = { 50000, RLIM_INFINITY };
	struct writer *writer;
	unsigned broken;

	kit_begin();
	prepare_all(0);
	text_release(&bodies[2]);
	text_release(&jobs[2].header);
	prepare(2, 100000);
	writer = begin(NULL, 0);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	submit(writer, 0, 5); /* perhaps in one group, perhaps in several */
	expect_failed(2, "cannot write the record ", EFBIG);
	cr_expect(jobs[3].failed);
	cr_expect_leq(count_files(kit_path("records"), &broken), 2);
	limit.rlim_cur = RLIM_INFINITY;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	expect_nothing_more(writer, 5, kit_path("records"));
	writer_free(writer);
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
	ladder_file_name(1, jobs[0].id, name);
	snprintf(path, sizeof(path), "records/%s", name);
	kit_write_file(kit_path(path), "mine", 4);
	writer = begin(NULL, 0);
	submit(writer, 0, 1);
	expect_failed(0, "cannot rename the record ", EEXIST);
	cr_expect(kit_file_equals(kit_path(path), "mine", 4));
	cr_expect_eq(count_files(kit_path("records"), &broken), 1);
	writer_free(writer);
	release_all();
	kit_end();
}

/* What had become whole on disk is rated at the next start. */
Test(writer, a_ladder_survives_a_failure_in_the_middle_of_a_group)
{
	struct rlimit limit = { 400000, RLIM_INFINITY };
	struct error why;
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i, broken, files, count;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	text_release(&bodies[9]);
	text_release(&jobs[9].header);
	prepare(9, 1000000);
	writer = begin(ladder, folder);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	submit(writer, 0, 20);
	for (i = 9; i < 20; i++)
		cr_expect(jobs[i].failed);
	limit.rlim_cur = RLIM_INFINITY;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	writer_free(writer);
	ladder_close(ladder);

	files = count_files(kit_path("records"), &broken);
	cr_expect_eq(broken, 0);
	cr_expect_leq(files, 9);
	ladder = kit_open(&folder); /* which settles */
	cr_assert_eq(ladder_settle(ladder, &count, &why), 0, "%s", why.text);
	for (count = i = 0; i < 20; i++)
		count += ladder_has_game(ladder, jobs[i].id, &why) ==
			 LADDER_FOUND;
	cr_expect_eq(count, files);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* What a bot can make of a game's ID: the writer must not wait for anybody who
 * reads, nor write through a link. */
Test(writer, names_that_a_bot_can_guess_are_not_used)
{
	char name[LADDER_FILE_BYTES], path[128];
	struct writer *writer;
	struct stat st;

	kit_begin();
	prepare(0, 0);
	prepare(1, 0);
	ladder_file_name(1, jobs[0].id, name);
	snprintf(path, sizeof(path), "records/%s.tmp", name);
	cr_assert_eq(mkfifo(kit_path(path), 0666), 0);
	ladder_file_name(2, jobs[1].id, name);
	snprintf(path, sizeof(path), "records/%s.tmp", name);
	cr_assert_eq(symlink("elsewhere", kit_path(path)), 0);
	writer = begin(NULL, 0);
	submit(writer, 0, 2);
	cr_expect_not(jobs[0].failed, "%s", jobs[0].why.text);
	cr_expect_not(jobs[1].failed, "%s", jobs[1].why.text);
	cr_expect_eq(lstat(kit_path(path), &st), 0);
	cr_expect_neq(access(kit_path("records/elsewhere"), F_OK), 0);
	ladder_file_name(1, jobs[0].id, name);
	expect_record(0, name);
	writer_free(writer);
	release_all();
	kit_end();
}

/* The name under which the next record is made, before it has its own. */
static void
watch_name(int watch, char *to, size_t size)
{
	_Alignas(8) char bytes[4096];
	struct pollfd ready = { .fd = watch, .events = POLLIN };
	const struct inotify_event *event = (void *)bytes;

	cr_assert_eq(poll(&ready, 1, 60000), 1);
	cr_assert_gt(read(watch, bytes, sizeof(bytes)), 0);
	snprintf(to, size, "records/%.400s", event->name);
	close(watch);
}

Test(writer, what_it_leaves_when_killed_is_swept)
{
	char name[512];
	struct error why;
	int watch = inotify_init1(IN_CLOEXEC);
	struct ladder *ladder;
	struct writer *writer;
	unsigned broken, count;
	int64_t folder;

	kit_begin();
	ladder = kit_open(&folder);
	cr_assert_geq(inotify_add_watch(watch, kit_path("records"), IN_CREATE),
		      0);
	prepare(0, 0);
	jobs[0].aborted = true;
	writer = begin(NULL, 0);
	submit(writer, 0, 1);
	writer_free(writer);
	watch_name(watch, name, sizeof(name));
	cr_expect_null(strstr(name, jobs[0].id), "%s", name);
	kit_write_file(kit_path(name), "half", 4);
	cr_assert_eq(mkfifo(kit_path("records/00000009-00ff.rec.tmp"), 0666),
		     0);
	cr_assert_eq(mkfifo(kit_path("records/00000009-00ff.rec"), 0666), 0);
	cr_assert_eq(ladder_settle(ladder, &count, &why), 0, "%s", why.text);
	cr_expect_eq(count, 0);
	cr_expect_neq(access(kit_path(name), F_OK), 0, "%s", name);
	unlink(kit_path("records/00000009-00ff.rec"));
	cr_expect_eq(count_files(kit_path("records"), &broken), 1);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* Submits all in one group: while the writer is busy with the first. */
static void
submit_as_a_group_from(struct writer *writer, unsigned from, unsigned to)
{
	unsigned i;

	for (i = from; i < to; i++)
		writer_submit(writer, &jobs[i]);
	for (i = from; i < to; i++)
		cr_assert_eq(take(writer), &jobs[i]);
}

static void
submit_as_a_group(struct writer *writer, unsigned count)
{
	submit_as_a_group_from(writer, 0, count);
}

Test(writer, games_before_the_one_that_fails_count)
{
	char name[LADDER_FILE_BYTES], path[128];
	struct error why;
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i, count;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	ladder_file_name(10, jobs[9].id, name);
	snprintf(path, sizeof(path), "records/%s", name);
	kit_write_file(kit_path(path), "mine", 4);
	writer = begin(ladder, folder);
	submit_as_a_group(writer, 20);
	for (i = 0; i < 9; i++) {
		cr_expect_not(jobs[i].failed, "%s", jobs[i].why.text);
		cr_expect_not(jobs[i].unrated);
		ladder_file_name(jobs[i].game.serial, jobs[i].id, name);
		expect_record(i, name);
	}
	expect_failed(9, "cannot rename the record ", EEXIST);
	for (i = 10; i < 20; i++)
		cr_expect(jobs[i].failed);
	writer_free(writer);
	for (i = 0; i < 20; i++)
		cr_expect_eq(ladder_has_game(ladder, jobs[i].id, &why) ==
				     LADDER_FOUND,
			     i < 9, "game %u", i);
	unlink(kit_path(path));
	cr_assert_eq(ladder_settle(ladder, &count, &why), 0, "%s", why.text);
	cr_expect_eq(count, 0);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* What came to no record has no serial: the one that comes next gets it. */
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
	ladder_file_name(10, jobs[9].id, name);
	snprintf(path, sizeof(path), "records/%s", name);
	kit_write_file(kit_path(path), "mine", 4);
	writer = begin(ladder, folder);
	submit_as_a_group(writer, 20);
	cr_assert(jobs[9].failed);
	unlink(kit_path(path));
	writer_mend(writer);
	for (i = 20; i-- > 9;) { /* in any order */
		writer_submit(writer, &jobs[i]);
		cr_assert_eq(take(writer), &jobs[i]);
		cr_assert_not(jobs[i].failed, "%s", jobs[i].why.text);
		cr_expect_eq(jobs[i].game.serial, 10 + 19 - (int64_t)i);
	}
	writer_free(writer);
	cr_expect_eq(ladder_next_serial(ladder), 21);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* One that the ladder refuses keeps none of its group from being rated. */
Test(writer, a_game_that_is_refused_is_refused_alone)
{
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	jobs[1].game.seat[0].place = 9;
	writer = begin(ladder, folder);
	submit_as_a_group(writer, 4);
	for (i = 0; i < 4; i++) {
		cr_expect_not(jobs[i].failed, "%s", jobs[i].why.text);
		cr_expect_eq(jobs[i].unrated, i == 1, "game %u", i);
	}
	cr_expect_not_null(strstr(jobs[1].why.text, "place"), "%s",
			   jobs[1].why.text);
	writer_free(writer);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* The ladder fails, here for want of a table; the records stand. */
Test(writer, games_that_cannot_be_rated_are_safe)
{
	char name[LADDER_FILE_BYTES];
	struct ladder *ladder;
	struct writer *writer;
	sqlite3 *base;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	jobs[2].aborted = true;
	writer = begin(ladder, folder);
	cr_assert_eq(sqlite3_open(kit_path("ladder.db"), &base), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(base, "alter table game rename to gone", NULL,
				  NULL, NULL),
		     SQLITE_OK, "%s", sqlite3_errmsg(base));
	sqlite3_close(base);
	submit(writer, 0, 1);
	cr_expect_not(jobs[0].failed);
	cr_expect(jobs[0].unrated);
	cr_expect_neq(jobs[0].why.text[0], '\0');
	ladder_file_name(jobs[0].game.serial, jobs[0].id, name);
	expect_record(0, name);
	/* And that is the end of it. */
	submit(writer, 1, 4);
	for (i = 1; i < 4; i++) {
		cr_expect(jobs[i].failed);
		cr_expect_str_eq(jobs[i].why.text, jobs[0].why.text);
	}
	writer_free(writer);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* Only who may mount can try this. */
Test(writer, a_full_disk_is_a_failure)
{
	struct writer *writer;
	unsigned i, failed = JOBS;

	kit_begin();
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", kit_path("records"), "tmpfs", 0, "size=256k") < 0) {
		kit_end();
		cr_skip_test("not allowed to mount");
	}
	prepare_all(20000);
	writer = begin(NULL, 0);
	for (i = 0; i < 30; i++) {
		submit(writer, i, i + 1);
		if (jobs[i].failed && failed == JOBS)
			failed = i;
	}
	cr_assert_lt(failed, 15);
	cr_expect_gt(failed, 5);
	expect_failed(failed, "cannot write the record ", ENOSPC);
	expect_nothing_more(writer, 30, kit_path("records"));
	writer_free(writer);
	cr_assert_eq(umount(kit_path("records")), 0);
	release_all();
	kit_end();
}

/* ---- packs ------------------------------------------------------------ */

static struct writer *
begin_packs(struct ladder *ladder, int64_t folder)
{
	struct writer *writer = begin(ladder, folder);
	struct error why;

	cr_assert_eq(writer_pack(writer, &why), 0, "%s", why.text);
	return writer;
}

/* The record of a job is in a pack, with this hash. */
static void
expect_packed(struct ladder *ladder, unsigned i)
{
	unsigned char hash[RECORD_HASH_BYTES];
	char path[LADDER_PATH_BYTES];
	struct record *record;
	struct error why;

	cr_assert_eq(ladder_game_path(ladder, &jobs[i].game, path, &why), 0);
	cr_expect_gt(pack_in_path(path), 0, "%s", path);
	cr_assert_eq(packed_record(NULL, path, &record, &why), 0, "%s",
		     why.text);
	record_hash(record, hash);
	cr_expect_eq(memcmp(hash, jobs[i].hash, sizeof(hash)), 0);
	cr_expect_str_eq(record->id, jobs[i].id);
	record_free(record);
}

Test(writer, packs_have_all_but_what_was_aborted)
{
	struct text asks = { .max = 64 }, read = { .max = 64 };
	char name[LADDER_FILE_BYTES], path[LADDER_PATH_BYTES];
	char beside[LADDER_PATH_BYTES];
	const struct ladder_rebuilding how = { 0 };
	struct ladder_rebuilt report;
	struct ladder *ladder;
	struct writer *writer;
	struct error why;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	text_str(&asks, "asks 1\n");
	jobs[5].asks = &asks;
	jobs[3].aborted = true;
	writer = begin(ladder, folder);
	submit(writer, 0, 2); /* a ladder goes on with packs */
	writer_free(writer);
	writer = begin_packs(ladder, folder);
	submit(writer, 2, 20);
	submit(writer, 20, 30);
	writer_free(writer);
	writer = begin_packs(ladder, folder);
	submit(writer, 30, JOBS);
	for (i = 0; i < JOBS; i++) {
		cr_assert_not(jobs[i].failed, "%s", jobs[i].why.text);
		cr_expect_not(jobs[i].unrated);
	}
	for (i = 4; i < JOBS; i++)
		expect_packed(ladder, i);
	cr_assert_eq(ladder_game_path(ladder, &jobs[5].game, path, &why), 0);
	cr_assert(asks_path(path, beside, sizeof(beside)));
	cr_assert_eq(packed_load(NULL, beside, &read), 0);
	cr_expect_str_eq(text_string(&read), "asks 1\n");
	snprintf(name, sizeof(name), "%s.rec", jobs[3].id);
	expect_record(3, name);
	writer_free(writer);
	cr_assert_eq(ladder_rebuild(ladder, &how, &report, &why), 0, "%s",
		     why.text);
	cr_expect(report.games == JOBS - 1 && report.changed == 0 &&
		  report.added == 0);
	ladder_close(ladder);
	text_release(&asks);
	text_release(&read);
	release_all();
	kit_end();
}

/* Likewise with a file that may not grow; and serials have no gap. */
Test(writer, a_pack_that_cannot_grow_is_a_failure)
{
	struct rlimit limit = { 900000, RLIM_INFINITY };
	struct ladder *ladder;
	struct writer *writer;
	struct error why;
	unsigned i, count;
	int64_t folder;

	kit_begin();
	signal(SIGXFSZ, SIG_IGN);
	ladder = kit_open(&folder);
	prepare_all(0);
	text_release(&bodies[9]);
	text_release(&jobs[9].header);
	prepare(9, 1000000);
	writer = begin_packs(ladder, folder);
	submit(writer, 0, 5);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	submit_as_a_group_from(writer, 5, 20);
	expect_failed(9, "cannot write the records in ", EFBIG);
	for (i = 10; i < 20; i++)
		cr_expect(jobs[i].failed);
	limit.rlim_cur = RLIM_INFINITY;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (i = count = 0; i < 20; i++)
		count += !jobs[i].failed;
	cr_expect_geq(count, 5);
	writer_mend(writer);
	for (i = 0; i < 20; i++) {
		if (!jobs[i].failed)
			continue;
		writer_submit(writer, &jobs[i]);
		cr_assert_eq(take(writer), &jobs[i]);
		cr_assert_not(jobs[i].failed, "%s", jobs[i].why.text);
	}
	for (i = 0; i < 20; i++)
		expect_packed(ladder, i);
	writer_free(writer);
	cr_expect_eq(ladder_next_serial(ladder), 21);
	ladder_untake_serials(ladder, 21);
	cr_assert_eq(ladder_settle(ladder, &count, &why), 0, "%s", why.text);
	cr_expect_eq(count, 0);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* A cut between the record and its rating. */
/* A table that is renamed, and back, is not written as it was. */
static void
copy_base(sqlite3 *from, sqlite3 *to)
{
	sqlite3_backup *copy = sqlite3_backup_init(to, "main", from, "main");

	cr_assert_not_null(copy);
	cr_assert_eq(sqlite3_backup_step(copy, -1), SQLITE_DONE);
	cr_assert_eq(sqlite3_backup_finish(copy), SQLITE_OK);
}

Test(writer, packed_games_that_cannot_be_rated_are_safe)
{
	struct ladder *ladder;
	struct writer *writer;
	sqlite3 *base, *kept;
	struct error why;
	unsigned count;
	int64_t folder;

	kit_begin();
	ladder = kit_open(&folder);
	prepare_all(0);
	writer = begin_packs(ladder, folder);
	submit(writer, 0, 2);
	cr_assert_eq(sqlite3_open(kit_path("ladder.db"), &base), SQLITE_OK);
	cr_assert_eq(sqlite3_open(":memory:", &kept), SQLITE_OK);
	copy_base(base, kept);
	cr_assert_eq(sqlite3_exec(base, "alter table game rename to gone", NULL,
				  NULL, NULL),
		     SQLITE_OK, "%s", sqlite3_errmsg(base));
	submit(writer, 2, 3);
	cr_expect_not(jobs[2].failed);
	cr_expect(jobs[2].unrated);
	writer_free(writer);
	ladder_close(ladder);
	copy_base(kept, base);
	sqlite3_close(kept);
	sqlite3_close(base);
	ladder = kit_open(&folder);
	cr_assert_eq(ladder_settle(ladder, &count, &why), 0, "%s", why.text);
	cr_expect_eq(count, 1);
	writer = begin_packs(ladder, folder);
	submit(writer, 3, 4);
	cr_expect_not(jobs[3].failed, "%s", jobs[3].why.text);
	cr_expect_eq(jobs[3].game.serial, 4);
	writer_free(writer);
	ladder_close(ladder);
	release_all();
	kit_end();
}

/* ---- other work ------------------------------------------------------- */

struct count {
	struct writer_job job;
	unsigned rated;
};

static void
on_any(void *arg, const struct ladder_game *game)
{
	(void)game;
	++*(unsigned *)arg;
}

static void
count_rated(struct writer_job *job, struct ladder *ladder)
{
	struct count *count = (struct count *)job;
	struct error why;

	cr_expect_eq(ladder_games(ladder, NULL, 0, on_any, &count->rated, &why),
		     0, "%s", why.text);
}

/* ---- with a log -------------------------------------------------------- */

/* What a log has: whole records, by serial. */
static struct {
	struct text record[JOBS + 1];
	struct ladder_game game[JOBS + 1];
	unsigned kept, early; /* early: a record was there before its game */
	bool refuses,
		is_silent; /* silent: it keeps them, and no answer comes */
} there;

struct fetched {
	struct writer_job job; /* first */
	struct text body;
};

static void
keep_one(const struct writer_job *job)
{
	const int64_t serial = job->game.serial;
	char name[LADDER_FILE_BYTES], path[128];
	struct text *record = &there.record[serial];

	cr_assert_leq(serial, JOBS);
	cr_assert(record->used == 0 ||
		  strcmp(there.game[serial].id, job->id) == 0);
	ladder_file_name(serial, job->id, name);
	snprintf(path, sizeof(path), "records/%s", name);
	there.early += access(kit_path(path), F_OK) == 0;
	there.kept += record->used == 0;
	text_clear(record);
	text_init(record, RECORD_BYTES);
	text_add(record, job->header.bytes, job->header.used);
	text_str(record, "\n");
	text_add(record, job->body->bytes, job->body->used);
	there.game[serial] = job->game;
}

static int
log_keep(void *arg UNUSED, const struct writer_job *first, struct error *why)
{
	const struct writer_job *job;

	for (job = first; job != NULL && !there.refuses;
	     job = writer_job_after(job))
		if (!job->failed && !job->counted && !job->aborted)
			keep_one(job);
	if (!there.refuses && !there.is_silent)
		return 0;
	return error_set(why, ERROR_MACHINE, "no answer");
}

static int
log_missed(void *arg UNUSED, int64_t serial, struct writer_job **list,
	   struct error *why UNUSED)
{
	struct fetched *fetched;
	const char *bytes, *end;
	struct text *record;

	*list = NULL;
	record = &there.record[serial + 1];
	if (serial == JOBS || record->used == 0)
		return 0;
	fetched = zeroed(1, sizeof(*fetched));
	bytes = text_string(record);
	end = strstr(bytes, "\n\n");
	text_init(&fetched->job.header, RECORD_BYTES);
	text_init(&fetched->body, RECORD_BYTES);
	text_add(&fetched->job.header, bytes, (size_t)(end + 1 - bytes));
	text_str(&fetched->body, end + 2);
	fetched->job.body = &fetched->body;
	fetched->job.game = there.game[serial + 1];
	fetched->job.id = there.game[serial + 1].id;
	*list = &fetched->job;
	return 0;
}

static void
log_forget(void *arg UNUSED, struct writer_job *list)
{
	struct fetched *fetched = (struct fetched *)list;

	cr_assert_null(writer_job_after(list));
	text_release(&fetched->job.header);
	text_release(&fetched->body);
	free(fetched);
}

static const struct writer_log fake_log = { .keep = log_keep,
					    .missed = log_missed,
					    .forget = log_forget };

static struct writer *
begin_logged(struct ladder **ladder)
{
	struct writer *writer;
	unsigned count;
	struct error why;
	int64_t folder;

	*ladder = kit_open(&folder);
	cr_assert_eq(ladder_settle(*ladder, &count, &why), 0, "%s", why.text);
	writer = begin(*ladder, folder);
	writer_set_log(writer, &fake_log);
	return writer;
}

/* Log, folder and ladder have these games, each once. */
static void
end_logged(struct ladder *ladder, unsigned games)
{
	char name[LADDER_FILE_BYTES];
	struct ladder_game game;
	struct error why;
	unsigned i, broken;

	cr_expect_eq(there.kept, games);
	cr_expect_eq(there.early, 0);
	cr_expect_eq(count_files(kit_path("records"), &broken), games);
	cr_expect_eq(broken, 0);
	for (i = 0; i < games; i++) {
		cr_assert_eq(ladder_game_find(ladder, jobs[i].id, &game, &why),
			     LADDER_FOUND);
		cr_expect_str_eq(there.game[game.serial].id, jobs[i].id);
		ladder_file_name(game.serial, jobs[i].id, name);
		expect_record(i, name);
	}
	ladder_close(ladder);
	release_all();
	for (i = 0; i <= JOBS; i++)
		text_release(&there.record[i]);
	kit_end();
}

static void
limit_files(rlim_t bytes)
{
	const struct rlimit limit = { bytes, RLIM_INFINITY };

	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The log decides before a record is on disk. */
Test(writer, a_log_comes_before_the_folder)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned i;

	kit_begin();
	prepare_all(0);
	writer = begin_logged(&ladder);
	submit(writer, 0, 20);
	for (i = 0; i < 20; i++)
		cr_expect_not(jobs[i].failed || jobs[i].unrated, "%s",
			      jobs[i].why.text);
	writer_free(writer);
	end_logged(ladder, 20);
}

/* What it refuses takes no serial, and can be submitted once more. */
Test(writer, a_log_that_refuses)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned i;

	kit_begin();
	prepare_all(0);
	writer = begin_logged(&ladder);
	submit(writer, 0, 5);
	there.refuses = true;
	submit(writer, 5, 9);
	for (i = 5; i < 9; i++)
		cr_expect(jobs[i].failed);
	there.refuses = false;
	writer_mend(writer);
	submit(writer, 7, 12);
	submit(writer, 5, 7);
	for (i = 0; i < 12; i++)
		cr_expect_not(jobs[i].failed);
	writer_free(writer);
	end_logged(ladder, 12);
}

/* The answer of the log is lost: its games come to disk first, and are found
 * when they are submitted once more, in another order. */
Test(writer, a_log_whose_answer_is_lost)
{
	struct ladder *ladder;
	struct writer *writer;
	unsigned i;

	kit_begin();
	prepare_all(0);
	writer = begin_logged(&ladder);
	there.is_silent = true;
	submit(writer, 0, 6);
	for (i = 0; i < 6; i++)
		cr_expect(jobs[i].failed);
	there.is_silent = false;
	writer_mend(writer);
	submit(writer, 3, 8);
	submit(writer, 0, 3);
	for (i = 0; i < 8; i++)
		cr_expect_not(jobs[i].failed || jobs[i].unrated);
	writer_free(writer);
	end_logged(ladder, 8);
}

/* Games that stand in the log are safe, and come to disk when it has room; or
 * at the next start. */
Test(writer, a_log_is_ahead_of_a_full_disk)
{
	struct ladder *ladder;
	struct writer *writer;
	struct error why;
	unsigned i, count;

	kit_begin();
	prepare_all(0);
	for (i = 4; i < 8; i++) {
		text_release(&bodies[i]);
		text_release(&jobs[i].header);
		prepare(i, 1000000);
	}
	writer = begin_logged(&ladder);
	limit_files(400000);
	submit(writer, 0, 6);
	for (i = 0; i < 6; i++)
		cr_expect_not(jobs[i].failed);
	cr_expect(jobs[4].unrated);
	submit(writer, 6, 7);
	cr_expect(jobs[6].failed);
	limit_files(RLIM_INFINITY);
	writer_mend(writer);
	submit(writer, 6, 7);
	cr_expect_not(jobs[6].failed || jobs[6].unrated);
	limit_files(400000);
	submit(writer, 7, 8);
	cr_expect(jobs[7].unrated);
	writer_free(writer);
	ladder_close(ladder);
	limit_files(RLIM_INFINITY);
	writer = begin_logged(&ladder);
	cr_assert_eq(writer_catch_up(writer, &count, &why), 0, "%s", why.text);
	cr_expect_eq(count, 1);
	writer_free(writer);
	end_logged(ladder, 8);
}

Test(writer, other_work_has_its_turn)
{
	struct count count = { .job.run = count_rated, .job.done = on_done };
	struct count last = count;
	struct ladder *ladder;
	struct writer *writer;
	int64_t folder;
	unsigned i;

	kit_begin();
	ladder = kit_open(&folder);
	writer = begin(ladder, folder);
	prepare_all(0);
	for (i = 0; i < JOBS; i++) {
		writer_submit(writer, &jobs[i]);
		if (i == 6)
			writer_submit(writer, &count.job);
	}
	writer_submit(writer, &last.job);
	for (i = 0; i < JOBS; i++) {
		cr_assert_eq(take(writer), &jobs[i]);
		cr_expect_not(jobs[i].failed, "%s", jobs[i].why.text);
		if (i == 6)
			cr_assert_eq(take(writer), &count.job);
	}
	cr_assert_eq(take(writer), &last.job);
	cr_expect_eq(count.rated, 7);
	cr_expect_eq(last.rated, JOBS);
	writer_free(writer);
	ladder_close(ladder);
	release_all();
	kit_end();
}
