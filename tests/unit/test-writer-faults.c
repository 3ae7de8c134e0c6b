/* tests/unit/test-writer-faults.c - a record is safe or absent, whatever fails. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/pack.h"
#include "protocol/asks.h"
#include "referee/records/log-packs.h"
#include "tests/unit/desk.h"
#include "tests/unit/disk.h"
#include "tests/unit/ladder-kit.h"

TestSuite(writer_faults, .init = desk_set_up, .fini = desk_tear_down);

/* ---- what should not be ------------------------------------------------ */

Test(writer_faults, a_folder_that_is_gone_is_a_failure)
{
	unsigned i, broken;

	desk_begin(UNRATED);
	desk_submit(0, 1);
	cr_assert_not(tasks[0].failed);
	cr_assert_eq(rename(kit_path("records"), kit_path("moved")), 0);
	desk_submit(1, 2);
	cr_assert_not(tasks[1].failed, "%s", tasks[1].why.text);
	cr_expect_eq(desk_count_files(kit_path("moved"), &broken), 2);
	desk_end();
	cr_assert_eq(mkdir(kit_path("records"), 0755), 0);
	desk_begin(UNRATED);
	cr_assert_eq(rmdir(kit_path("records")), 0);
	desk_submit(2, 3);
	desk_expect_failed(2, "cannot write the record ", ENOENT);
	/* Another folder of its name does not count. */
	cr_assert_eq(mkdir(kit_path("records"), 0755), 0);
	tasks[5].aborted = true;
	desk_submit(3, DESK_TASKS);
	for (i = 3; i < DESK_TASKS; i++)
		desk_expect_failed(i, "cannot write the record ", ENOENT);
	desk_expect_files(0);
}

/* An entry that fails in the middle of a group fails with all after it, and no
 * file is half written.  Once there is room, the same tasks are submitted
 * again. */
Test(writer_faults, a_file_that_may_not_grow_is_a_failure)
{
	desk_prepare(2, 100000);
	desk_begin(UNRATED);
	desk_limit_files(50000);
	desk_submit_group(0, 5);
	desk_expect(0, 2, SAFE);
	desk_expect(2, 5, FAILED);
	desk_expect_failed(2, "cannot write the record ", EFBIG);
	cr_expect_str_eq(tasks[4].why.text, tasks[2].why.text);
	desk_expect_files(2);
	desk_submit(5, 6); /* the next one is tried all the same */
	cr_expect_not(tasks[5].failed);
	desk_submit(2, 3);
	cr_expect(tasks[2].failed);
	desk_limit_files(RLIM_INFINITY);
	desk_submit(2, 5);
	desk_submit(6, DESK_TASKS);
	desk_expect_records(0, DESK_TASKS);
	desk_expect_files(DESK_TASKS);
}

/* It counts nowhere, but its record should exist; also that of a game that was
 * aborted only then. */
Test(writer_faults, an_aborted_game_without_its_record_has_failed)
{
	struct record *record;
	unsigned i;

	desk_prepare(1, 100000);
	tasks[1].aborted = true;
	desk_prepare(2, 100000);
	desk_begin(RATED);
	desk_limit_files(50000);
	desk_submit_group(0, 3);
	desk_expect_failed(1, "cannot write the record ", EFBIG);
	desk_expect_failed(2, "cannot write the record ", EFBIG);
	cr_expect_not(tasks[0].failed);
	desk_expect_files(1);
	desk_limit_files(RLIM_INFINITY);
	tasks[2].aborted = true;
	desk_submit(1, 4);
	desk_expect_records(1, 3);
	for (i = 1; i < 3; i++) {
		cr_assert_eq(
			record_read(desk_path(desk_name(i)), &record, &why), 0);
		cr_expect_null(record_header(record, "serial"));
		record_free(record);
	}
	cr_expect_eq(tasks[3].game.serial, 2);
	desk_expect_followed();
}

/* Writes a file that has the name of a task's record; returns its path. */
static const char *
take_name(unsigned i)
{
	static char path[1024];
	char name[LADDER_FILE_BYTES];

	ladder_file_name(ENTRY_GAME, i + 1, tasks[i].id, name);
	snprintf(path, sizeof(path), "%s/%s", kit_path("records"), name);
	kit_write_file(path, "mine", 4);
	return path;
}

/* The record of another game is not overwritten, nor is it taken for ours. */
Test(writer_faults, a_name_that_is_taken_is_a_failure)
{
	const char *path = take_name(0);
	unsigned broken;

	desk_begin(UNRATED);
	desk_submit(0, 1);
	desk_expect_failed(0, "cannot write the record ", EEXIST);
	cr_expect(kit_file_equals(path, "mine", 4));
	cr_expect_eq(desk_count_files(kit_path("records"), &broken), 1);
}

/* Games that had become durable count, also when the ladder is opened next. */
Test(writer_faults, a_ladder_survives_a_failure_in_the_middle_of_a_group)
{
	unsigned i;

	desk_prepare(9, 1000000);
	desk_begin(RATED);
	desk_limit_files(400000);
	desk_submit_group(0, 20);
	desk_expect(0, 9, SAFE);
	desk_expect(9, 20, FAILED);
	desk_limit_files(RLIM_INFINITY);
	desk_end();
	close_ladder();
	desk_expect_files(9);
	open_ladder();
	for (i = 0; i < 20; i++)
		cr_expect_eq(desk_rated(i), i < 9, "game %u", i);
	desk_expect_followed();
}

/* A bot can guess these names from a game's ID: the writer must not wait for a
 * reader of a pipe, nor write through a link. */
Test(writer_faults, names_that_a_bot_can_guess_are_not_used)
{
	char name[LADDER_FILE_BYTES];
	struct stat st;

	ladder_file_name(ENTRY_GAME, 1, tasks[0].id, name);
	cr_assert_eq(mkfifo(kit_pathf("records/%s.tmp", name), 0666), 0);
	ladder_file_name(ENTRY_GAME, 2, tasks[1].id, name);
	cr_assert_eq(symlink("elsewhere", kit_pathf("records/%s.tmp", name)),
		     0);
	desk_begin(UNRATED);
	desk_submit(0, 2);
	desk_expect(0, 2, SAFE);
	cr_expect_eq(lstat(kit_pathf("records/%s.tmp", name), &st), 0);
	cr_expect_neq(access(kit_path("records/elsewhere"), F_OK), 0);
	ladder_file_name(ENTRY_GAME, 1, tasks[0].id, name);
	desk_expect_record(0, name);
}

/* Submits a task: the name under which its record is made, before it has its own. */
static void
watch_name(unsigned i, char *to, size_t size)
{
	_Alignas(8) char bytes[4096];
	const int watch = inotify_init1(IN_CLOEXEC);
	struct pollfd ready = { .fd = watch, .events = POLLIN };
	const struct inotify_event *event = (void *)bytes;

	cr_assert_geq(inotify_add_watch(watch, kit_path("records"), IN_CREATE),
		      0);
	desk_submit(i, i + 1);
	cr_assert_eq(poll(&ready, 1, 600000), 1);
	cr_assert_gt(read(watch, bytes, sizeof(bytes)), 0);
	snprintf(to, size, "records/%.400s", event->name);
	close(watch);
}

Test(writer_faults, what_it_leaves_when_killed_is_swept)
{
	char name[512], other[512];

	desk_expect_followed();
	tasks[0].aborted = tasks[1].aborted = true;
	desk_begin(UNRATED);
	watch_name(0, name, sizeof(name));
	watch_name(1, other, sizeof(other));
	desk_end();
	cr_expect_null(strstr(name, tasks[0].id), "%s", name);
	cr_expect_str_neq(name, other, "it is drawn");
	kit_write_file(kit_path(name), "half", 4);
	cr_assert_eq(mkfifo(kit_path("records/00000009-00ff.rec.tmp"), 0666),
		     0);
	cr_assert_eq(mkfifo(kit_path("records/00000009-00ff.rec"), 0666), 0);
	desk_expect_followed();
	cr_expect_neq(access(kit_path(name), F_OK), 0, "%s", name);
	/* A pipe with such a name is not ours, and stays. */
	cr_expect_eq(unlink(kit_path("records/00000009-00ff.rec.tmp")), 0);
	cr_expect_eq(unlink(kit_path("records/00000009-00ff.rec")), 0);
	desk_expect_files(2);
}

/* A game that came to no record has no serial: the one that comes next gets it. */
Test(writer_faults, a_record_that_fails_takes_no_serial)
{
	const char *path = take_name(9);
	unsigned i;

	desk_begin(RATED);
	desk_submit_group(0, 20);
	cr_assert(tasks[9].failed);
	unlink(path);
	for (i = 20; i-- > 9;) { /* in any order */
		desk_submit(i, i + 1);
		cr_assert_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_not(tasks[i].counted);
		cr_expect_eq(tasks[i].game.serial, 10 + 19 - (int64_t)i);
		desk_expect_record(i, desk_name(i));
	}
	desk_end();
	cr_expect_eq(ladder_last(ladder), 20);
	desk_expect_followed();
}

/* No game of the group is safe, and its names are gone.  When that is certain,
 * the same tasks are submitted again. */
Test(writer_faults, a_folder_that_does_not_sync_is_a_failure)
{
	unsigned i, broken;

	tasks[5].aborted = true;
	desk_begin(RATED);
	desk_submit(0, 2);
	disk_fail_folders(kit_path("."), NULL);
	desk_submit_group(2, 6);
	desk_submit(6, 7);
	desk_expect(2, 7, FAILED);
	for (i = 2; i < 7; i++)
		cr_expect_not(desk_rated(i));
	desk_expect_failed(3, "cannot sync the folder ", EIO);
	desk_expect_failed(6, "cannot sync the folder ", EIO);
	cr_expect_leq(desk_count_files(kit_path("records"), &broken), 3);
	cr_expect_eq(broken, 0);
	disk_leave();
	desk_submit_group(2, 7);
	desk_expect_records(0, 7);
	cr_expect_eq(ladder_last(ladder), 6);
	desk_expect_followed();
}

/* A record whose name cannot be removed counts, and so do those before it: they
 * are found when their tasks are submitted again. */
Test(writer_faults, a_name_that_does_not_go)
{
	unsigned i;

	desk_begin(RATED);
	desk_submit(0, 2);
	disk_fail_folders(kit_path("."), "00000004-");
	desk_submit_group(2, 6);
	desk_expect(2, 6, FAILED);
	for (i = 2; i < 6; i++)
		cr_expect_eq(desk_rated(i), i < 4);
	disk_leave();
	desk_submit_group(3, 6);
	desk_submit(2, 3);
	desk_expect(0, 2, SAFE);
	desk_expect(2, 4, COUNTED);
	desk_expect(4, 6, SAFE);
	for (i = 0; i < 6; i++) {
		cr_expect_eq(tasks[i].game.serial, (int64_t)i + 1);
		cr_expect(desk_rated(i));
		desk_expect_record(i, desk_name(i));
	}
	desk_expect_files(6);
	desk_expect_followed();
}

/* A game that the ladder refuses does not keep other games from being durable,
 * and once it is gone the ladder goes on after it. */
Test(writer_faults, an_entry_that_does_not_hold_leaves_the_ladder_behind)
{
	const struct ladder_rebuilding gaps = { .gaps = true };
	struct ladder_rebuilt report;
	const char *name;
	unsigned i;

	tasks[3].game.seat[0].place = 9;
	text_clear(&bodies[3]); /* no result */
	text_str(&bodies[3], "note ; nothing\n");
	desk_begin(RATED);
	desk_submit_group(0, 2);
	desk_submit_group(2, 5);
	desk_expect(0, 2, SAFE);
	desk_expect(2, 5, BEHIND);
	cr_expect_not_null(strstr(tasks[4].why.text, "place"), "%s",
			   tasks[4].why.text);
	desk_submit(5, 7);
	desk_expect(5, 7, BEHIND);
	for (i = 5; i < 7; i++) {
		cr_expect_not_null(strstr(tasks[i].why.text, tasks[3].id), "%s",
				   tasks[i].why.text);
		desk_expect_record(i, desk_name(i));
	}
	name = desk_path(desk_name(3));
	cr_assert_eq(unlink(name), 0, "%s", name);
	desk_submit(7, 8);
	cr_expect(tasks[7].behind);
	cr_expect_not_null(strstr(tasks[7].why.text, "entry 4 of its log"),
			   "%s", tasks[7].why.text);
	OK(ladder_rebuild(ladder, &gaps, &report, &why));
	desk_submit(8, 10);
	for (i = 0; i < 10; i++)
		cr_expect_eq(desk_rated(i), i != 3, "game %u", i);
	desk_expect(8, 10, SAFE);
	for (i = 8; i < 10; i++)
		cr_expect_gt(tasks[i].game.seat[0].before_milli, 0,
			     "it has its ratings");
}

/* The records are kept, whatever the ladder does, and it follows as soon as it
 * can. */
Test(writer_faults, games_that_cannot_be_rated_are_safe)
{
	unsigned i;

	tasks[2].aborted = true;
	desk_begin(RATED);
	desk_hinder(true);
	desk_submit(0, 1);
	desk_submit(1, 4);
	for (i = 0; i < 4; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_eq(tasks[i].behind, i != 2);
		cr_expect_eq(tasks[i].why.text[0] == '\0', i == 2);
		desk_expect_record(i, desk_name(i));
	}
	cr_expect_eq(tasks[3].game.serial, 3);
	desk_hinder(false);
	/* One of this group was rated before. */
	desk_prepare_game(5, 1, 100);
	desk_submit_group(4, 7);
	for (i = 0; i < 7; i++)
		cr_expect_eq(desk_rated(i), i != 2);
	desk_expect(4, 5, SAFE);
	desk_expect(5, 6, COUNTED);
	desk_expect(6, 7, SAFE);
	for (i = 4; i < 7; i++)
		cr_expect_gt(tasks[i].game.seat[0].before_milli, 0);
	cr_expect_gt(tasks[4].game.seat[1].faults[FAULT_TIMEOUT], 0,
		     "what was charged stays");
}

/* A part of a group may be folded with what came before it. */
Test(writer_faults, no_rating_is_told_that_is_not_known)
{
	const unsigned before = LADDER_LOG_ENTRIES * LADDER_FOLLOW_GROUPS - 4;
	struct ladder_game game;
	unsigned i;

	open_ladder();
	for (i = 1; i <= before; i++) {
		kit_game(i, i, &game);
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	}
	for (i = 0; i < DESK_TASKS; i++)
		desk_prepare_game(i, before + 1 + i, 0);
	desk_begin(RATED);
	desk_submit_group(0, 8);
	cr_expect_eq(ladder_last(ladder), before + 4);
	for (i = 0; i < 8; i++) {
		cr_expect_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect(tasks[i].behind ||
				  tasks[i].game.seat[0].before_milli > 0,
			  "game %u", i);
	}
	desk_submit(8, 9);
	cr_expect_not(tasks[8].behind);
	cr_expect_gt(tasks[8].game.seat[0].before_milli, 0);
}

/* This needs the right to mount. */
Test(writer_faults, a_full_disk_is_a_failure)
{
	unsigned i, failed = DESK_TASKS;

	if (unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", kit_path("records"), "tmpfs", 0, "size=256k") < 0)
		cr_skip_test("not allowed to mount");
	for (i = 0; i < DESK_TASKS; i++)
		desk_prepare(i, 20000);
	desk_begin(RATED);
	for (i = 0; i < 30; i++) {
		desk_submit(i, i + 1);
		if (tasks[i].failed && failed == DESK_TASKS)
			failed = i;
		cr_expect_eq(tasks[i].failed, i >= failed);
	}
	cr_assert_lt(failed, 15);
	cr_expect_gt(failed, 5);
	desk_expect_failed(failed, "cannot write the record ", ENOSPC);
	desk_expect_files(failed);
	/* Once there is room, the same tasks are submitted once more. */
	cr_assert_eq(mount("none", kit_path("records"), "tmpfs", MS_REMOUNT,
			   "size=4m"),
		     0);
	desk_submit_group(failed, DESK_TASKS);
	desk_expect_records(0, DESK_TASKS);
	desk_expect_followed();
	cr_expect_eq(ladder_last(ladder), DESK_TASKS);
	cr_assert_eq(umount(kit_path("records")), 0);
}

/* ---- packs ------------------------------------------------------------ */

static void
begin_packs(void)
{
	struct ladder_log *log;

	if (ladder == NULL)
		open_ladder();
	OK(log_packs_open(ladder, kit_path("records"), 0, &log, &why));
	desk_begin_with(log, kit_path("records"));
}

/* Expects the record of a task in a pack, with this hash. */
static void
expect_packed(unsigned i)
{
	unsigned char hash[RECORD_HASH_BYTES];
	char path[LADDER_PATH_BYTES];
	struct record *record;

	cr_assert_eq(ladder_game_path(ladder, &tasks[i].game, path, &why), 0);
	cr_expect_gt(pack_in_path(path), 0, "%s", path);
	OK(packed_record(NULL, path, &record, &why));
	record_hash(record, hash);
	cr_expect_eq(memcmp(hash, tasks[i].hash, sizeof(hash)), 0);
	cr_expect_str_eq(record->id, tasks[i].id);
	record_free(record);
}

Test(writer_faults, packs_have_all_but_what_was_aborted)
{
	struct text asks = { .max = 64 }, read = { .max = 64 };
	char name[LADDER_FILE_BYTES], path[LADDER_PATH_BYTES];
	char beside[LADDER_PATH_BYTES];
	unsigned i;

	text_str(&asks, "asks 1\n");
	tasks[5].asks = &asks;
	tasks[3].aborted = true;
	desk_begin(RATED);
	desk_submit(0, 2); /* a ladder goes on with packs */
	desk_end();
	begin_packs();
	desk_submit(2, 20);
	desk_submit(20, 30);
	desk_end();
	begin_packs();
	desk_submit(30, DESK_TASKS);
	desk_expect(0, DESK_TASKS, SAFE);
	for (i = 4; i < DESK_TASKS; i++)
		expect_packed(i);
	cr_assert_eq(ladder_game_path(ladder, &tasks[5].game, path, &why), 0);
	cr_assert(asks_path(path, beside, sizeof(beside)));
	cr_assert_eq(packed_load(NULL, beside, &read), 0);
	cr_expect_str_eq(text_string(&read), "asks 1\n");
	snprintf(name, sizeof(name), "%s.rec", tasks[3].id);
	desk_expect_record(3, name);
	desk_end();
	cr_expect_eq(ladder_last(ladder), DESK_TASKS - 1);
	desk_expect_followed();
	text_release(&asks);
	text_release(&read);
}

/* A group is in a pack as a whole, or not at all; and serials have no gap. */
Test(writer_faults, a_pack_that_cannot_grow_is_a_failure)
{
	unsigned i;

	desk_prepare(9, 1000000);
	begin_packs();
	desk_submit(0, 5);
	desk_limit_files(900000);
	desk_submit_group(5, 20);
	for (i = 0; i < 20; i++) {
		cr_expect_eq(tasks[i].failed, i >= 5);
		cr_expect_eq(desk_rated(i), i < 5);
	}
	desk_expect_failed(9, "cannot write the records in ", EFBIG);
	desk_submit(20, 21); /* there is room for one */
	cr_expect_not(tasks[20].failed);
	cr_expect_eq(tasks[20].game.serial, 6);
	desk_limit_files(RLIM_INFINITY);
	for (i = 20; i-- > 5;) {
		desk_submit(i, i + 1);
		cr_assert_not(tasks[i].failed, "%s", tasks[i].why.text);
		cr_expect_not(tasks[i].counted);
	}
	for (i = 0; i < 21; i++)
		expect_packed(i);
	desk_end();
	cr_expect_eq(ladder_last(ladder), 21);
	desk_expect_followed();
}
