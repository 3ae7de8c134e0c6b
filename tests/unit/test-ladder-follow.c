/* tests/unit/test-ladder-follow.c - a ladder follows its log. test-power-cut.c
 * interrupts it. */
#include <criterion/criterion.h>
#include <glob.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/log.h"
#include "ladder/store-inside.h"
#include "protocol/file.h"
#include "tests/unit/one-ladder.h"

#define BATCH 4 /* games at most */

TestSuite(follow, .init = kit_begin, .fini = end_ladder);

/* ---- groups ----------------------------------------------------------- */

struct batch {
	struct ladder_game game[BATCH];
	struct log_entry entry[BATCH];
	struct text text[BATCH];
	unsigned count;
};

/* Adds game `number` with the next serial. */
static void
batch_add(struct batch *batch, const struct ladder_log *log, uint32_t number)
{
	const unsigned i = batch->count++;
	struct ladder_game *game = &batch->game[i];
	char text[2048];

	kit_game(number, log->last + 1 + i, game);
	kit_record_text(game, ladder_id(ladder), text, sizeof(text));
	kit_hash(game, ladder_id(ladder));
	text_init(&batch->text[i], sizeof(text));
	text_add(&batch->text[i], text, strlen(text));
	batch->entry[i] = (struct log_entry){ .serial = game->serial,
					      .id = game->id,
					      .text = &batch->text[i],
					      .path = game->id,
					      .game = game };
	if (i > 0)
		batch->entry[i - 1].next = &batch->entry[i];
}

static void
batch_release(struct batch *batch)
{
	unsigned i;

	for (i = 0; i < batch->count; i++)
		text_release(&batch->text[i]);
}

/* Appends `n` games, whose numbers are their serials, and has the ladder follow,
 * as the writer does; nothing is asserted, as it may run in a child. */
static bool
play(struct ladder_log *log, unsigned n, unsigned *rated)
{
	struct batch batch = { .count = 0 };
	unsigned i;
	bool done;

	for (i = 0; i < n; i++)
		batch_add(&batch, log, (uint32_t)log->last + 1 + i);
	done = log->ops->append(log, batch.entry, &why) == 0 &&
	       ladder_follow(ladder, log, batch.entry, rated, &why) == 0;
	batch_release(&batch);
	return done;
}

/* Every fifth entry is a void, every eleventh a setting; the others are games. */
static bool
is_setting(int64_t serial)
{
	return serial % 11 == 0;
}

/* Returns how many of the first `last` entries are games. */
static int64_t
games(int64_t last)
{
	return last - last / 5 - last / 11;
}

static void
write_entry(struct ladder_log *log, int64_t serial)
{
	unsigned count = 0;

	if (is_setting(serial)) {
		OK(ladder_set(ladder, log, 1000 * serial, 1000000 + serial,
			      &why));
		cr_assert_eq(ladder_last(ladder), serial);
		return;
	}

	if (serial % 5 == 0) {
		OK(void_game(
			log,
			(uint32_t)(serial - (is_setting(serial - 3) ? 4 : 3)),
			"a reason"));
		cr_assert_eq(voided.serial, serial);
		return;
	}
	cr_assert(play(log, 1, &count), "%s", why.text);
	cr_assert_eq(count, 1);
}

/* Finds the one file in `records` that is called so. */
static const char *
find_file(const char *pattern)
{
	static char path[512];
	glob_t files;

	cr_assert_eq(glob(kit_pathf("records/%s", pattern), 0, NULL, &files), 0,
		     "%s", pattern);
	cr_assert_eq(files.gl_pathc, 1);
	snprintf(path, sizeof(path), "%s", files.gl_pathv[0]);
	globfree(&files);
	return path;
}

static const char *
write_void(int64_t serial, uint32_t number)
{
	char name[LADDER_FILE_BYTES];
	struct text text;

	text_init(&text, 1024);
	kit_void(serial, number, ladder_id(ladder), name, &text);
	kit_write_file(kit_pathf("records/%s", name), text.bytes, text.used);
	text_release(&text);
	return kit_pathf("records/%s", name);
}

/* Expects all records to be in the ladder, once, and to give the same again. */
static void
expect_whole(void)
{
	expect_same_again(kit_count_records());
}

static int64_t
games_in(struct ladder *its, bool only_voided)
{
	const char *text = kit_describe(its), *at = text;
	int64_t count = 0;

	while ((at = strstr(at, "\ngame ")) != NULL) {
		at++;
		count += !only_voided ||
			 memmem(at, strcspn(at, "\n"), " void ", 6) != NULL;
	}
	return count;
}

/* ---- a group ---------------------------------------------------------- */

Test(follow, a_group_is_rated_and_told)
{
	struct batch batch = { .count = 0 };
	struct ladder_game game;
	struct ladder_log *log;
	unsigned i, s, count = 7;

	open_ladder();
	log = kit_log(ladder);
	cr_assert(play(log, 2, &count));
	cr_assert_eq(count, 9);
	for (i = 0; i < 3; i++)
		batch_add(&batch, log, 3 + i);
	OK(log->ops->append(log, batch.entry, &why));
	cr_assert(log->last == 5 && log->here == 5);
	/* The game is durable, but not rated. */
	cr_assert_eq(ladder_last(ladder), 2);
	cr_assert_eq(kit_count_records(), 5);
	OK(ladder_follow(ladder, log, batch.entry, &count, &why));
	cr_assert_eq(count, 12);
	cr_assert_eq(ladder_last(ladder), 5);
	for (i = 0; i < 3; i++) {
		cr_assert(batch.entry[i].durable && !batch.entry[i].twin);
		cr_assert_eq(
			ladder_game_find(ladder, batch.game[i].id, &game, &why),
			LADDER_FOUND);
		cr_assert_eq(game.folder, folder);
		for (s = 0; s < game.seats; s++)
			cr_assert(game.seat[s].before_milli ==
					  batch.game[i].seat[s].before_milli &&
				  game.seat[s].delta_milli ==
					  batch.game[i].seat[s].delta_milli);
	}
	/* Not twice. */
	OK(ladder_follow(ladder, log, batch.entry, &count, &why));
	cr_assert_eq(count, 12);
	batch_release(&batch);
	ladder_log_free(log);
	expect_whole();
}

/* The second row of a table fails, and SQLite rolls back only that statement. */
Test(follow, a_statement_that_fails_takes_its_group_back)
{
	static const char *const what[] = {
		"bot (bot > 0)", "rating (pool > 0)", "game (serial > 0)",
		"course (serial > 0)", "seat (serial > 0)"
	};
	struct ladder_log *log;
	char sql[128];
	const char *stands;
	unsigned i, count;

	for (i = 0; i < NELEM(what); i++) {
		count = 0;
		open_ladder();
		log = kit_log(ladder);
		stands = kit_describe(ladder);
		snprintf(sql, sizeof(sql), "CREATE UNIQUE INDEX trouble ON %s",
			 what[i]);
		kit_execute(kit_path("ladder.db"), sql);
		cr_assert_not(play(log, BATCH, &count), "%s", what[i]);
		cr_assert_eq(count, 0);
		kit_expect(ladder, stands);
		kit_execute(kit_path("ladder.db"), "DROP INDEX trouble");
		OK(ladder_follow(ladder, log, NULL, &count, &why));
		cr_assert_eq(count, BATCH);
		expect_whole();
		ladder_log_free(log);
		begin_again();
	}
}

/* Entries of one read; the second read fails. */
static void
break_entry(unsigned how, int64_t serial)
{
	struct ladder_game game;
	struct text text;

	text_init(&text, 4096);
	kit_game((uint32_t)serial, serial, &game);
	if (how == 0) {
		/* Necessary lines are missing. */
		text_fmt(&text, "record 1\nladder %s\n", ladder_id(ladder));
		kit_write_file(kit_record_path((uint32_t)serial, serial),
			       text.bytes, text.used);
	} else if (how == 1) {
		/* Another record has its serial. */
		kit_game(100000, serial, &game);
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	} else {
		/* No bot has this place. */
		snprintf(game.game, sizeof(game.game), "%s", "toepen");
		OK(file_load(kit_record_path((uint32_t)serial, serial), &text));
		text_str(&text, "result 0 9 0\n");
		kit_write_file(kit_record_path((uint32_t)serial, serial),
			       text.bytes, text.used);
	}
	text_release(&text);
}

static void
mend_entry(unsigned how, int64_t serial)
{
	if (how == 1)
		cr_assert_eq(unlink(kit_record_path(100000, serial)), 0);
	write_records((uint32_t)serial, (uint32_t)serial);
}

/* The first group stays; the ladder can be read, and goes on when the file is
 * mended. */
Test(follow, an_entry_that_does_not_hold_stops_the_ladder_there)
{
	const unsigned most = 2 * LADDER_LOG_ENTRIES + 40;
	const unsigned bad = LADDER_LOG_ENTRIES + 30;
	static const char *const told[] = { ": ", "take away the record that",
					    "expected" };
	/* A follow that cannot read an entry keeps what came before it; one that cannot
	 * fold an entry takes its group back. */
	const unsigned kept[] = { bad - 1, LADDER_LOG_ENTRIES, bad - 1 };
	struct batch batch = { .count = 0 };
	struct ladder *reader;
	struct ladder_log *log;
	char part[64];
	const char *stands;
	unsigned how, count;

	for (how = 0; how < NELEM(told); how++) {
		open_ladder();
		write_records(1, most);
		break_entry(how, bad);
		log = kit_log(ladder);
		cr_assert_eq(log->last, most);
		count = 5;
		FAILS(ladder_follow(ladder, log, NULL, &count, &why),
		      ERROR_INPUT, told[how]);
		snprintf(part, sizeof(part), "%u", bad);
		TELLS(part);
		cr_assert_eq(count, 5 + kept[how]);
		cr_assert_eq(ladder_last(ladder), kept[how]);
		stands = kit_describe(ladder);
		OK(ladder_open(kit_path("ladder.db"), LADDER_READ, &reader,
			       &why));
		cr_assert_eq(games_in(reader, false), kept[how]);
		ladder_close(reader);
		/* An entry that is appended in this state is durable, and
		 * waits. */
		batch_add(&batch, log, most + 1);
		OK(log->ops->append(log, batch.entry, &why));
		cr_assert(batch.entry[0].durable);
		cr_assert_eq(KIND(ladder_follow(ladder, log, batch.entry,
						&count, &why)),
			     ERROR_INPUT);
		cr_assert_eq(count, 5 + kept[how]);
		kit_expect(ladder, stands);
		mend_entry(how, bad);
		OK(ladder_follow(ladder, log, NULL, &count, &why));
		cr_assert_eq(count, 5 + most + 1);
		expect_whole();
		ladder_log_free(log);
		batch_release(&batch);
		batch.count = 0;
		begin_again();
	}
}

/* The caller has other work, too. */
Test(follow, a_part_is_as_much_as_a_moment_takes)
{
	const unsigned part = LADDER_LOG_ENTRIES * LADDER_FOLLOW_GROUPS;
	struct ladder_log *log;
	unsigned count = 0;

	open_ladder();
	write_records(1, part + 3);
	log = kit_log(ladder);
	cr_assert_eq(ladder_follow_some(ladder, log, NULL, &count, &why),
		     LADDER_MORE);
	cr_assert_eq(count, part);
	cr_assert_eq(ladder_last(ladder), part);
	cr_assert(play(log, 1, &count), "%s", why.text);
	cr_assert_eq(count, part + 4);
	OK(ladder_follow_some(ladder, log, NULL, &count, &why));
	cr_assert_eq(count, part + 4);
	ladder_log_free(log);
	expect_whole();
}

/* ---- voids ------------------------------------------------------------ */

/* The void is in the group after its game's, in the same group, and before its
 * game. */
Test(follow, a_void_has_all_folded_again)
{
	static const struct {
		int64_t serial;
		uint32_t number;
	} voids[] = { { LADDER_LOG_ENTRIES + 3, 17 },
		      { 9, 4 },
		      { LADDER_LOG_ENTRIES + 5, LADDER_LOG_ENTRIES + 1 },
		      { 7, 12 } };
	const unsigned most = LADDER_LOG_ENTRIES + 20;
	size_t i, j;
	const char *first;
	uint32_t n;

	for (i = 1; i <= NELEM(voids); i++) {
		open_ladder();
		write_records(1, most);
		for (j = 0; j < i; j++) {
			n = (uint32_t)voids[j].serial;
			cr_assert_eq(unlink(kit_record_path(n, n)), 0);
			(void)write_void(n, voids[j].number);
		}
		cr_assert_eq(kit_follow(ladder), most - i);
		cr_assert_eq(ladder_last(ladder), most);
		cr_assert_eq(games_in(ladder, true), (int64_t)i);
		cr_assert_eq(kit_follow(ladder), 0);
		expect_whole();
		first = kit_describe(ladder);
		open_ladder();
		cr_assert_eq(kit_follow(ladder), 0);
		cr_assert_eq(ladder_missing(ladder), 0);
		kit_expect(ladder, first);
		begin_again();
	}
}

/* Also at the end of a line: its games would count again, unnoticed. */
Test(follow, a_void_that_was_cut_does_not_hold)
{
	struct text text = { .max = 1024 };
	char name[LADDER_FILE_BYTES];
	const char *stands;
	size_t n;

	open_ladder();
	write_records(1, 3);
	cr_assert_eq(kit_follow(ladder), 3);
	stands = kit_describe(ladder);
	kit_void(4, 2, ladder_id(ladder), name, &text);
	for (n = strlen("void 1\nid \nladder \n") + ID_BYTES * 2; n < text.used;
	     n++) {
		kit_write_file(kit_pathf("records/%s", name), text.bytes, n);
		cr_assert_eq(KIND(try_follow()), ERROR_INPUT, "%zu bytes", n);
		TELLS(name);
		kit_expect(ladder, stands);
	}
	kit_write_file(kit_pathf("records/%s", name), text.bytes, text.used);
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(games_in(ladder, true), 1);
	text_release(&text);
}

Test(follow, a_void_that_does_not_hold_is_told_by_line)
{
	static const char id[] = "0000000000000000000000000000000f";
	static const struct {
		const char *lines, *part;
	} bad[] = {
		{ "serial 4", ".void:5: expected a line `date DATE`" },
		{ "number 4", ".void:4: expected a line `serial N`" },
		{ "serial 5\ndate 2026-11-21T09:00:00Z\nwhy x\ngame 1 1",
		  ".void:4: expected the serial 4" },
		{ "serial 4\ndate 2026-11-21T09:00:00Z\nway x\ngame 1 1",
		  ".void:6: expected a line `why TEXT`" },
		{ "serial 4\ndate 2026-11-21T09:00:00Z\nwhy x",
		  ".void:7: expected a line `game SERIAL ID`" },
		{ "serial 4\ndate 2026-11-21T09:00:00Z\nwhy x\ngame 1",
		  ".void:7: expected a line `game SERIAL ID`" },
		{ "serial 4\ndate 2026-11-21T09:00:00Z\nwhy x\ngame 1 1\nend",
		  ".void:8: expected a line `game SERIAL ID`" },
	};
	char text[512];
	const char *stands;
	size_t i;
	int n;

	open_ladder();
	write_records(1, 3);
	cr_assert_eq(kit_follow(ladder), 3);
	stands = kit_describe(ladder);
	write_records(5, 5);
	for (i = 0; i < NELEM(bad); i++) {
		n = snprintf(text, sizeof(text),
			     "void 1\nid %s\nladder %s\n%s\nend\n", id,
			     ladder_id(ladder), bad[i].lines);
		kit_write_file(kit_pathf("records/00000004-%s.void", id), text,
			       (size_t)n);
		FAILS(try_follow(), ERROR_INPUT, bad[i].part);
		cr_assert_eq(followed, 0);
		FAILS(rebuild(NULL), ERROR_INPUT, bad[i].part);
		kit_expect(ladder, stands);
	}
	cr_assert_eq(unlink(kit_pathf("records/00000004-%s.void", id)), 0);
	(void)write_void(4, 2);
	cr_assert_eq(kit_follow(ladder), 1);
	cr_assert_eq(games_in(ladder, true), 1);
	expect_whole();
}

/* ---- the ladder is another day's --------------------------------------- */

static void
put_copy(int64_t serial)
{
	char name[32];
	struct text text = { .max = SIZE_MAX };

	snprintf(name, sizeof(name), "copy-%" PRId64, serial);
	OK(file_load(kit_path(name), &text));
	(void)unlink(kit_path("ladder.db-wal"));
	(void)unlink(kit_path("ladder.db-shm"));
	kit_write_file(kit_path("ladder.db"), text.bytes, text.used);
	text_release(&text);
}

static void
back_up(void)
{
	char name[32];

	snprintf(name, sizeof(name), "copy-%" PRId64, ladder_last(ladder));
	OK(ladder_backup(ladder, kit_path(name), &why));
}

/* The file is a copy from before a void and from before changed settings. */
Test(follow, an_older_copy_becomes_the_same_to_the_last_digit)
{
	enum { MOST = 43 };
	struct ladder_log *log;
	const char *wanted;
	int64_t i;

	open_ladder();
	back_up();
	log = kit_log(ladder);
	for (i = 1; i <= MOST; i++) {
		write_entry(log, i);
		back_up();
	}
	ladder_log_free(log);
	wanted = kit_describe(ladder);
	cr_assert_eq(games_in(ladder, true), MOST / 5);
	expect_whole();
	close_ladder();
	for (i = 0; i <= MOST; i++) {
		put_copy(i);
		open_ladder();
		cr_assert_eq(ladder_last(ladder), i);
		cr_assert_eq(kit_follow(ladder), games(MOST) - games(i),
			     "%" PRId64, i);
		kit_expect(ladder, wanted);
		cr_assert_eq(ladder_last(ladder), MOST);
		cr_assert_eq(ladder_missing(ladder), 0);
		if (i % 7 == 0)
			expect_whole();
		close_ladder();
	}
	/* It is removed. */
	cr_assert_eq(unlink(kit_path("ladder.db")), 0);
	open_ladder();
	cr_assert_eq(kit_follow(ladder), games(MOST));
	kit_expect(ladder, wanted);
	cr_assert_eq(ladder_last(ladder), MOST);
	expect_whole();
}

/* ---- what is in the folders --------------------------------------------- */

/* It goes on when the entries are back, or are declared lost. */
Test(follow, a_hole_in_the_serials_is_told_and_not_passed_over)
{
	open_ladder();
	write_records(1, 4);
	write_records(7, 9);
	(void)write_void(12, 3);
	FAILS(try_follow(), ERROR_INPUT, "entry 5 of its log is missing");
	cr_assert(followed == 4 && ladder_last(ladder) == 4);
	FAILS(rebuild(NULL), ERROR_ANSWER,
	      "4 records are missing, serial 5 to 6, 10 "
	      "to 11,");
	write_records(5, 6);
	FAILS(try_follow(), ERROR_INPUT, "entry 10 of its log");
	OK(rebuild(&(struct ladder_rebuilding){ .gaps = true }));
	cr_assert(rebuilt.games == 9 && rebuilt.gaps == 2);
	cr_assert_eq(ladder_last(ladder), 12);
	/* They are where they belong again, but are not rated by themselves. */
	write_records(10, 11);
	cr_assert_eq(kit_follow(ladder), 0);
	OK(rebuild(NULL));
	cr_assert(rebuilt.games == 11 && rebuilt.added == 2);
	expect_whole();
}

/* Returns the kind of the error, when no file can be opened. */
static enum error_kind
adopt_without_descriptors(const char *path)
{
	struct rlimit before, none;
	enum error_kind kind;

	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){ 0, before.rlim_max };
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	kind = KIND(founding_adopt(NULL, path, &why));
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	return kind;
}

Test(follow, a_founding_that_is_not_read_tells_whose_fault_it_is)
{
	struct text founding = { .max = LADDER_FOUNDING_BYTES };
	const char *path;
	glob_t found;

	open_ladder();
	OK(ladder_founding_tell(ladder, &founding, &why));
	OK(ladder_founding_keep(&founding, kit_path("records"), &why));
	cr_assert_eq(glob(kit_path("records/*.ladder"), 0, NULL, &found), 0);
	path = found.gl_pathv[0];
	cr_expect_eq(adopt_without_descriptors(path), ERROR_MACHINE, "%s",
		     why.text);
	/* A link in this place is a mistake of the operator. */
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(symlink("elsewhere", path), 0);
	cr_expect_eq(KIND(founding_adopt(NULL, path, &why)), ERROR_INPUT, "%s",
		     why.text);
	cr_expect_eq(KIND(ladder_founding_keep(&founding, kit_path("records"),
					       &why)),
		     ERROR_INPUT, "%s", why.text);
	globfree(&found);
	text_release(&founding);
}

/* The ladder stops before them until one of them is removed. */
Test(follow, two_entries_with_one_serial_are_told)
{
	static const unsigned char is_void[][2] = { { false, false },
						    { false, true },
						    { true, false },
						    { true, true } };
	char paths[2][512];
	const char *stands;
	struct ladder_game game;
	unsigned i, j;

	for (i = 0; i < NELEM(is_void); i++) {
		open_ladder();
		write_records(1, 3);
		cr_assert_eq(kit_follow(ladder), 3);
		stands = kit_describe(ladder);
		for (j = 0; j < 2; j++) {
			if (is_void[i][j]) {
				char name[LADDER_FILE_BYTES];
				struct text text;

				text_init(&text, 1024);
				kit_void(4, 1 + j, ladder_id(ladder), name,
					 &text);
				/* The name puts it before or behind the other one. */
				name[strcspn(name, "-") + 1] = j ? 'f' : '0';
				memcpy(strstr(text.bytes, "\nid ") + 4,
				       name + 9, 1);
				snprintf(paths[j], sizeof(paths[j]), "%s",
					 kit_pathf("records/%s", name));
				kit_write_file(paths[j], text.bytes, text.used);
				text_release(&text);
				continue;
			}
			kit_game(j ? 0xffffffff : 4, 4, &game);
			cr_assert(
				kit_write_record(&game, ladder_id(ladder), 0));
			snprintf(paths[j], sizeof(paths[j]), "%s",
				 kit_record_path(j ? 0xffffffff : 4, 4));
		}
		cr_assert_eq(KIND(try_follow()), ERROR_INPUT, "%u", i);
		cr_assert_not_null(strstr(why.text, "serial 4"), "%u: %s", i,
				   why.text);
		cr_assert_not_null(strstr(why.text, "take away"), "%u: %s", i,
				   why.text);
		cr_assert_eq(followed, 0);
		kit_expect(ladder, stands);
		cr_assert_eq(KIND(rebuild(NULL)), ERROR_INPUT, "%u", i);
		cr_assert_not_null(strstr(why.text, "serial 4"), "%u: %s", i,
				   why.text);
		kit_expect(ladder, stands);
		cr_assert_eq(unlink(paths[1]), 0);
		cr_assert_eq(kit_follow(ladder), is_void[i][0] ? 0 : 1);
		cr_assert_eq(ladder_last(ladder), 4);
		expect_whole();
		begin_again();
	}
}

/* A void makes the ladder fold again, which must not skip missing entries. */
Test(follow, a_void_does_not_pass_over_what_is_missing)
{
	struct ladder_log *log;
	const char *stands;

	/* Behind the last entry, */
	open_ladder();
	write_records(1, 4);
	(void)write_void(5, 2);
	write_records(7, 9);
	FAILS(try_follow(), ERROR_ANSWER, "1 record is missing, serial 6,");
	cr_assert_eq(ladder_last(ladder), 0);
	write_records(6, 6);
	cr_assert_eq(kit_follow(ladder), 8);
	/* or what lies behind the end of the log. */
	write_records(10, 13);
	cr_assert_eq(kit_follow(ladder), 4);
	stands = kit_describe(ladder);
	log = kit_log(ladder);
	write_records(20, 20);
	cr_assert_eq(void_game(log, 12, "a reason"), -1);
	cr_assert_eq(why.kind, ERROR_INPUT);
	TELLS("have game 20 of a ladder");
	kit_expect(ladder, stands);
	cr_assert_eq(unlink(kit_record_path(20, 20)), 0);
	cr_assert_eq(void_game(log, 12, "a reason"), 0, "%s", why.text);
	cr_assert_eq(voided.serial, 14);
	expect_whole();
	ladder_log_free(log);
}

/* Entries that are lost stay as the ladder knows them, when a game is voided and when
 * a void is followed: with them it is the same. */
Test(follow, a_void_needs_no_other_entry)
{
	static const char *const lost[] = {
		"00000001-*", "00000005-*", "00000006-*", "00000007-*",
		"00000010-*", "00000013-*", "00000014-*", "00000021-*",
	};
	char paths[NELEM(lost)][512], aside[LADDER_PATH_BYTES + 8];
	struct ladder_log *log;
	size_t i;

	open_ladder();
	write_records(1, 4);
	(void)write_void(5, 2);
	write_records(6, 9);
	cr_assert_eq(kit_follow(ladder), 8);
	kit_set(ladder, 40000, 1000000);
	write_records(11, 13);
	(void)write_void(14, 12);
	write_records(15, 21);
	cr_assert_eq(kit_follow(ladder), 10);
	for (i = 0; i < NELEM(lost); i++) {
		snprintf(paths[i], sizeof(paths[i]), "%s", find_file(lost[i]));
		snprintf(aside, sizeof(aside), "%.511s.aside", paths[i]);
		cr_assert_eq(rename(paths[i], aside), 0);
	}
	log = kit_log(ladder);
	cr_assert_eq(ladder_missing(ladder), (int64_t)NELEM(lost));
	cr_assert_eq(void_game(log, 16, "a reason"), 0, "%s", why.text);
	cr_assert_eq(voided.serial, 22);
	/* Also a game whose record is lost. */
	cr_assert_eq(void_game(log, 7, "a reason"), 0, "%s", why.text);
	ladder_log_free(log);
	(void)write_void(24, 3);
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_last(ladder), 24);
	cr_assert_eq(games_in(ladder, true), 5);
	/* Only a rebuild with proof needs them. */
	cr_assert_eq(KIND(rebuild(NULL)), ERROR_ANSWER);
	for (i = 0; i < NELEM(lost); i++) {
		snprintf(aside, sizeof(aside), "%.511s.aside", paths[i]);
		cr_assert_eq(rename(aside, paths[i]), 0);
	}
	expect_whole();
}

Test(follow, lost_games_and_lost_voids_are_counted)
{
	char lost[512];

	open_ladder();
	write_records(1, 5);
	snprintf(lost, sizeof(lost), "%s", write_void(6, 2));
	write_records(7, 9);
	(void)write_void(10, 3);
	cr_assert_eq(kit_follow(ladder), 8);
	cr_assert_eq(ladder_missing(ladder), 0);
	cr_assert_eq(unlink(lost), 0);
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_missing(ladder), 1);
	FAILS(rebuild(NULL), ERROR_ANSWER, "00000006-f");
	cr_assert_eq(unlink(kit_record_path(8, 8)), 0);
	cr_assert_eq(unlink(kit_record_path(9, 9)), 0);
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_missing(ladder), 3);
	/* It goes on all the same. */
	write_records(11, 11);
	cr_assert_eq(kit_follow(ladder), 1);
	cr_assert_eq(ladder_missing(ladder), 3);
	write_records(8, 9);
	(void)write_void(6, 2);
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_missing(ladder), 0);
	expect_whole();
}

/* ---- a log that is in use -------------------------------------------------- */

/* The ladder's next game would get the serial of an entry that only the folder has. */
Test(follow, a_rebuild_does_not_pass_the_end_of_a_log_in_use)
{
	struct ladder_rebuilding how = { .gaps = true };
	struct ladder_log *log;

	open_ladder();
	write_records(1, 3);
	log = kit_log(ladder);
	cr_assert_eq(log->last, 3);
	write_records(4, 4);
	how.log = log;
	FAILS(rebuild(&how), ERROR_INPUT, "stop the daemon first");
	cr_assert_eq(ladder_last(ladder), 0);
	how.log = NULL;
	OK(rebuild(&how));
	cr_assert_eq(rebuilt.games, 4);
	ladder_log_free(log);
}

/* ---- an answer that is lost ------------------------------------------- */

static int
lose_answer(struct ladder_log *log, struct log_entry *group UNUSED,
	    struct error *error)
{
	log->unsure = true;
	return error_set(error, ERROR_MACHINE, "no answer");
}

static int
give_answer(struct ladder_log *log UNUSED, struct log_entry *group UNUSED,
	    struct error *error)
{
	return error_set(error, ERROR_MACHINE, "no room");
}

/* An unknown outcome is not reported as "nothing was done". */
Test(follow, what_is_not_known_is_told)
{
	struct ladder_log_ops ops;
	struct ladder_log *log;
	unsigned count = 0;

	open_ladder();
	log = kit_log(ladder);
	cr_assert(play(log, 2, &count), "%s", why.text);
	ops = *log->ops;
	log->ops = &ops;
	ops.append = give_answer;
	cr_assert_lt(void_game(log, 1, "a reason"), 0);
	cr_expect_str_eq(why.text, "nothing is voided: no room");
	cr_assert_lt(ladder_set(ladder, log, 5000, 5000, &why), 0);
	cr_expect_str_eq(why.text, "no room");
	ops.append = lose_answer;
	cr_assert_lt(void_game(log, 1, "a reason"), 0);
	cr_expect_str_eq(why.text, "it is not known whether the games are "
				   "voided: no answer");
	cr_assert_lt(ladder_set(ladder, log, 5000, 5000, &why), 0);
	cr_expect_str_eq(why.text, "it is not known whether they are set: "
				   "no answer");
	ladder_log_free(log);
}
