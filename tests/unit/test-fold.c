/* tests/unit/test-fold.c - records into ratings, whatever cuts it short. */
#include <criterion/criterion.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/ladder-kit.h"
#include "tests/unit/leaks.h"

TestSuite(fold, .init = kit_begin, .fini = kit_end, .timeout = 120);

static char why[LADDER_WHY_BYTES];

#define OK(call) cr_assert_eq(call, LADDER_OK, "%s", why)

/* Records `from` to `to`, their serials the same, of this ladder. */
static void
write_records(struct ladder *ladder, uint32_t from, uint32_t to)
{
	struct ladder_game game;

	for (; from <= to; from++) {
		kit_game(from, from, &game);
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	}
}

static unsigned
settle(struct ladder *ladder)
{
	unsigned count;

	OK(ladder_settle(ladder, &count, why));
	return count;
}

static void
remove_record(uint32_t number)
{
	char name[LADDER_FILE_BYTES], path[128];
	struct ladder_game game;

	kit_game(number, number, &game);
	ladder_file_name(number, game.id, name);
	snprintf(path, sizeof(path), "records/%s", name);
	cr_assert_eq(unlink(kit_path(path)), 0);
}

/* ---- one record ------------------------------------------------------- */

Test(fold, a_record_is_a_game)
{
	struct ladder_game wanted, game;
	struct record *record;
	char text[2048];
	unsigned i;

	kit_game(6, 42, &wanted);
	kit_record_text(&wanted, "0123", text, sizeof(text));
	cr_assert_eq(record_parse(text, strlen(text), &record, why), 0, "%s",
		     why);
	OK(ladder_game_from_record(record, &game, why));
	cr_assert_eq(game.serial, 42);
	cr_assert_str_eq(game.id, wanted.id);
	cr_assert_str_eq(game.game, "toepen");
	cr_assert_str_eq(game.options, "points=10 joker=no");
	cr_assert_str_eq(game.ended, wanted.ended);
	cr_assert_eq(game.arrival, true);
	cr_assert_eq(game.seats, wanted.seats);
	for (i = 0; i < game.seats; i++) {
		cr_assert_str_eq(game.seat[i].bot, wanted.seat[i].bot);
		cr_assert_eq(game.seat[i].place, wanted.seat[i].place);
		cr_assert_eq(game.seat[i].points, wanted.seat[i].points);
	}
	record_hash(record, wanted.hash);
	cr_assert_arr_eq(game.hash, wanted.hash, sizeof(game.hash));
	record_free(record);

	kit_record_text(&wanted, NULL, text, sizeof(text));
	cr_assert_eq(record_parse(text, strlen(text), &record, why), 0);
	cr_assert_eq(ladder_game_from_record(record, &game, why), LADDER_BAD);
	cr_assert_not_null(strstr(why, "serial"), "%s", why);
	record_free(record);
	NO_LEAKS();
}

Test(fold, file_names_sort_by_serial)
{
	char name[LADDER_FILE_BYTES];

	ladder_file_name(7, "00ff", name);
	cr_assert_str_eq(name, "00000007-00ff.rec");
	ladder_file_name(1234567890123, "00ff", name);
	cr_assert_str_eq(name, "1234567890123-00ff.rec");
	NO_LEAKS();
}

/* ---- settle ----------------------------------------------------------- */

Test(fold, settle_rates_what_was_left)
{
	struct ladder *ladder;
	int64_t folder;

	ladder = kit_open(&folder);
	cr_assert_eq(settle(ladder), 0);
	write_records(ladder, 1, 12);
	cr_assert_eq(settle(ladder), 12);
	cr_assert_eq(settle(ladder), 0);
	write_records(ladder, 13, 20);
	/* What is rated is not opened again. */
	kit_write_file(kit_path("records/00000012-00ff.rec"), "junk", 4);
	ladder_close(ladder);
	ladder = kit_open(&folder);
	cr_assert_eq(settle(ladder), 8);
	cr_assert_eq(ladder_next_serial(ladder), 21);
	ladder_close(ladder);
	NO_LEAKS();
}

Test(fold, settle_passes_over_what_is_not_its_own)
{
	static const char foreign[] = "0123456789abcdef0123456789abcdef";
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder;

	ladder = kit_open(&folder);
	kit_game(1, 1, &game);
	cr_assert(kit_write_record(&game, foreign, 0));
	kit_game(2, 2, &game);
	cr_assert(kit_write_record(&game, NULL, 0));
	kit_game(3, 3, &game);
	cr_assert(kit_write_record(&game, foreign, 2));
	kit_game(4, 4, &game);
	cr_assert(kit_write_record(&game, ladder_id(ladder), 1));
	kit_game(5, 5, &game);
	cr_assert(kit_write_record(&game, ladder_id(ladder), 2));
	kit_write_file(kit_path("records/notes.tmp"), "mine", 4);
	kit_write_file(kit_path("records/7-x.rec"), "not a name", 10);
	kit_write_file(kit_path("records/00000008-.rec"), "nor this", 8);
	kit_write_file(kit_path("records/-0000009-x.rec"), "nor this", 8);
	kit_write_file(kit_path("records/0000000010-x.rec"), "nor this", 8);
	cr_assert_eq(settle(ladder), 0);
	/* Half-written ones are gone, but those of others. */
	cr_assert_neq(access(kit_path("records/00000004-00000000000000000"
				      "000000000000004.rec.tmp"),
			     F_OK),
		      0);
	cr_assert_neq(access(kit_path("records/00000005-00000000000000000"
				      "000000000000005.rec.tmp"),
			     F_OK),
		      0);
	cr_assert_eq(access(kit_path("records/00000003-00000000000000000"
				     "000000000000003.rec.tmp"),
			    F_OK),
		     0);
	cr_assert_eq(access(kit_path("records/notes.tmp"), F_OK), 0);
	ladder_close(ladder);
	NO_LEAKS();
}

Test(fold, an_aborted_game_takes_its_serial_and_no_rating)
{
	static const char text[] =
		"record 1\nid 0000000000000000000000000000000a\ngame toepen\n"
		"seats 2\nbot 0 ada\nbot 1 bob\nladder %s\nserial 7\n"
		"aborted stopped\n\nmove 0 knock\n";
	struct ladder_rebuilt report;
	struct ladder *ladder;
	char bytes[512];
	int64_t folder;

	ladder = kit_open(&folder);
	snprintf(bytes, sizeof(bytes), text, ladder_id(ladder));
	kit_write_file(kit_path("records/00000007-"
				"0000000000000000000000000000000a.rec"),
		       bytes, strlen(bytes));
	cr_assert_eq(settle(ladder), 0);
	cr_assert_eq(ladder_next_serial(ladder), 8);
	OK(ladder_rebuild(ladder, &report, why));
	cr_assert_eq(report.games, 0);
	ladder_close(ladder);
	NO_LEAKS();
}

Test(fold, a_broken_record_stops_settling_and_nothing_changes)
{
	struct ladder *ladder;
	struct ladder_game game;
	int64_t folder;
	unsigned count;

	ladder = kit_open(&folder);
	write_records(ladder, 1, 3);
	kit_write_file(kit_path("records/00000004-00ff.rec"), "record 1\n", 9);
	cr_assert_eq(ladder_settle(ladder, &count, why), LADDER_BAD);
	cr_assert_not_null(strstr(why, "00000004-00ff.rec:"), "%s", why);
	kit_game(1, 1, &game);
	OK(ladder_has_game(ladder, game.id, why));
	cr_assert_eq(unlink(kit_path("records/00000004-00ff.rec")), 0);
	cr_assert_eq(settle(ladder), 3);
	ladder_close(ladder);
	NO_LEAKS();
}

Test(fold, a_record_without_its_results_is_told_by_line)
{
	struct ladder *ladder;
	char bytes[512];
	int64_t folder;
	unsigned count;

	ladder = kit_open(&folder);
	snprintf(bytes, sizeof(bytes),
		 "record 1\nid 00ff\ngame toepen\nseats 2\nbot 0 ada\n"
		 "bot 1 bob\nladder %s\nserial 4\n\nresult 0 1 0\n"
		 "result 1 3 0\n",
		 ladder_id(ladder));
	kit_write_file(kit_path("records/00000004-00ff.rec"), bytes,
		       strlen(bytes));
	cr_assert_eq(ladder_settle(ladder, &count, why), LADDER_BAD);
	cr_assert_not_null(strstr(why, "00000004-00ff.rec:11: expected"), "%s",
			   why);
	ladder_close(ladder);
	NO_LEAKS();
}

Test(fold, a_renamed_record_is_told)
{
	struct ladder *ladder;
	int64_t folder;
	unsigned count;

	ladder = kit_open(&folder);
	write_records(ladder, 1, 1);
	cr_assert_eq(rename(kit_path("records/00000001-00000000000000000"
				     "000000000000001.rec"),
			    kit_path("records/00000002-00000000000000000"
				     "000000000000001.rec")),
		     0);
	cr_assert_eq(ladder_settle(ladder, &count, why), LADDER_BAD);
	cr_assert_not_null(strstr(why, "00000002-"), "%s", why);
	cr_assert_not_null(strstr(why, "must be 00000001-"), "%s", why);
	ladder_close(ladder);
	NO_LEAKS();
}

/* ---- rebuild ---------------------------------------------------------- */

static void
expect_same_again(struct ladder *ladder, unsigned games)
{
	struct ladder_rebuilt report;
	char *before = kit_describe(ladder), *after;

	OK(ladder_rebuild(ladder, &report, why));
	after = kit_describe(ladder);
	cr_assert_str_eq(after, before);
	cr_assert_eq(report.games, games);
	cr_assert_eq(report.added, 0);
	cr_assert_eq(report.altered, 0);
	cr_assert_eq(report.changed, 0);
	free(before);
	free(after);
}

Test(fold, rebuild_gives_the_same_to_the_last_digit)
{
	struct ladder *ladder;
	int64_t folder;

	ladder = kit_open(&folder);
	OK(ladder_set(ladder, 24000, 1200000, why));
	write_records(ladder, 1, 40);
	cr_assert_eq(settle(ladder), 40);
	OK(ladder_set(ladder, 10000, 1700000, why));
	write_records(ladder, 41, 80);
	cr_assert_eq(settle(ladder), 40);
	expect_same_again(ladder, 80);
	expect_same_again(ladder, 80);
	cr_assert_eq(ladder_next_serial(ladder), 81);
	ladder_close(ladder);
	NO_LEAKS();
}

Test(fold, a_missing_record_stops_a_rebuild)
{
	struct ladder_rebuilt report;
	struct ladder *ladder;
	char *before, *after;
	int64_t folder;

	ladder = kit_open(&folder);
	write_records(ladder, 1, 20);
	cr_assert_eq(settle(ladder), 20);
	before = kit_describe(ladder);
	remove_record(13);
	cr_assert_eq(ladder_rebuild(ladder, &report, why), LADDER_BAD);
	cr_assert_not_null(strstr(why, "/records/00000013-"), "%s", why);
	after = kit_describe(ladder);
	cr_assert_str_eq(after, before);
	/* The ladder still goes on. */
	write_records(ladder, 13, 13);
	write_records(ladder, 21, 21);
	cr_assert_eq(settle(ladder), 1);
	expect_same_again(ladder, 21);
	ladder_close(ladder);
	free(before);
	free(after);
	NO_LEAKS();
}

Test(fold, rebuild_tells_what_is_other)
{
	struct ladder_rebuilt report;
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder;

	ladder = kit_open(&folder);
	write_records(ladder, 1, 20);
	remove_record(5);
	cr_assert_eq(settle(ladder), 19);
	write_records(ladder, 5, 5);
	kit_game(11, 11, &game);
	game.seat[0].points += 1000;
	cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	OK(ladder_rebuild(ladder, &report, why));
	cr_assert_eq(report.games, 20);
	cr_assert_eq(report.added, 1);
	cr_assert_eq(report.altered, 1);
	cr_assert_gt(report.changed, 1);
	expect_same_again(ladder, 20);
	ladder_close(ladder);
	NO_LEAKS();
}

Test(fold, rebuild_mends_ratings_that_somebody_changed)
{
	struct ladder_rebuilt report;
	struct ladder *ladder;
	char *before, *after;
	int64_t folder;
	sqlite3 *db;

	ladder = kit_open(&folder);
	write_records(ladder, 1, 9);
	cr_assert_eq(settle(ladder), 9);
	before = kit_describe(ladder);
	cr_assert_eq(sqlite3_open(kit_path("ladder.db"), &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db,
				  "UPDATE rating SET milli = milli + 1 WHERE "
				  "entered = 1",
				  NULL, NULL, NULL),
		     SQLITE_OK);
	cr_assert_eq(sqlite3_close(db), SQLITE_OK);
	OK(ladder_rebuild(ladder, &report, why));
	cr_assert_eq(report.changed, 3);
	after = kit_describe(ladder);
	cr_assert_str_eq(after, before);
	ladder_close(ladder);
	free(before);
	free(after);
	NO_LEAKS();
}

Test(fold, two_games_cannot_have_one_serial)
{
	struct ladder_rebuilt report;
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder;

	ladder = kit_open(&folder);
	write_records(ladder, 1, 3);
	cr_assert_eq(settle(ladder), 3);
	kit_game(9, 2, &game);
	cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	cr_assert_eq(ladder_rebuild(ladder, &report, why), LADDER_BAD);
	cr_assert_not_null(strstr(why, "serial 2"), "%s", why);
	ladder_close(ladder);
	NO_LEAKS();
}

Test(fold, the_same_record_in_two_folders_is_one_game)
{
	struct ladder_rebuilt report;
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder, other;

	ladder = kit_open(&folder);
	write_records(ladder, 1, 3);
	OK(ladder_folder(ladder, kit_path("."), &other, why));
	cr_assert_eq(link(kit_path("records/00000002-00000000000000000"
				   "000000000000002.rec"),
			  kit_path("00000002-00000000000000000"
				   "000000000000002.rec")),
		     0);
	cr_assert_eq(settle(ladder), 3);
	expect_same_again(ladder, 3);
	/* Renamed over the one, the other stays as it was. */
	kit_game(2, 2, &game);
	game.seat[0].points += 1000;
	cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	cr_assert_eq(ladder_rebuild(ladder, &report, why), LADDER_BAD);
	cr_assert_not_null(strstr(why, "different records of game"), "%s", why);
	ladder_close(ladder);
	NO_LEAKS();
}

/* ---- kills ------------------------------------------------------------ */

/* Where the writer stops for good, in the order of its work. */
enum cut {
	CUT_HALF,   /* the record is half written */
	CUT_WHOLE,  /* written, not renamed */
	CUT_RENAME, /* renamed, no transaction yet */
	CUT_BEGIN,
	CUT_RATE,   /* rated, not committed */
	CUT_COMMIT, /* all done */
	CUT_COUNT,
	CUT_NEVER,
};

static void
die_at(enum cut here, enum cut cut)
{
	if (here == cut)
		raise(SIGKILL);
}

/* One batch of games as the match's writer does it; any trouble ends the
 * process with 1, since nothing may be asserted in a child. */
static void
write_batch(struct ladder *ladder, int64_t folder, unsigned n, enum cut cut)
{
	struct ladder_game game[4];
	int64_t serial;
	unsigned i;
	int stop;

	for (i = 0; i < n; i++) {
		serial = ladder_next_serial(ladder);
		kit_game((uint32_t)serial, serial, &game[i]);
		kit_hash(&game[i], ladder_id(ladder));
		game[i].folder = folder;
		stop = cut <= CUT_WHOLE && i == n - 1 ? 1 + (int)cut : 0;
		if (!kit_write_record(&game[i], ladder_id(ladder), stop))
			_exit(1);
	}
	if (cut <= CUT_RENAME)
		raise(SIGKILL);
	if (ladder_begin(ladder, why) != LADDER_OK)
		_exit(1);
	die_at(CUT_BEGIN, cut);
	for (i = 0; i < n; i++)
		if (ladder_rate(ladder, &game[i], why) != LADDER_OK)
			_exit(1);
	die_at(CUT_RATE, cut);
	if (ladder_commit(ladder, why) != LADDER_OK)
		_exit(1);
	die_at(CUT_COMMIT, cut);
}

/* The child: opens, settles, says so on `ready`, then writes on and on until
 * it is killed; with a cut it dies there by itself in its third batch. */
static void
write_on(int ready, uint32_t seed, enum cut cut)
{
	struct ladder *ladder;
	int64_t folder;
	unsigned count, batch;

	if (ladder_open(kit_path("ladder.db"), LADDER_WRITE, &ladder, why) !=
		    LADDER_OK ||
	    ladder_folder(ladder, kit_path("records"), &folder, why) !=
		    LADDER_OK ||
	    ladder_settle(ladder, &count, why) != LADDER_OK ||
	    write(ready, "r", 1) != 1)
		_exit(1);
	for (batch = 1; batch < 10000; batch++)
		write_batch(ladder, folder, 1 + kit_random(&seed, 4),
			    batch == 3 ? cut : CUT_NEVER);
	_exit(1);
}

static void
run_and_kill(uint32_t seed, enum cut cut, long nanoseconds)
{
	struct timespec pause = { .tv_nsec = nanoseconds };
	int ready[2], status;
	char byte;
	pid_t pid;

	cr_assert_eq(pipe(ready), 0);
	pid = fork();
	cr_assert_neq(pid, -1);
	if (pid == 0)
		write_on(ready[1], seed, cut);
	close(ready[1]);
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	if (cut == CUT_NEVER) {
		nanosleep(&pause, NULL);
		kill(pid, SIGKILL);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
		  "status %d", status);
}

static void
check_after_kill(unsigned *left, bool again)
{
	struct ladder *ladder;
	int64_t folder;

	ladder = kit_open(&folder);
	*left += settle(ladder);
	if (again)
		expect_same_again(ladder, kit_count_records());
	ladder_close(ladder);
}

Test(fold, cut_at_any_step_loses_nothing_and_counts_once)
{
	static const bool leaves[CUT_COUNT] = {
		[CUT_RENAME] = true, [CUT_BEGIN] = true, [CUT_RATE] = true
	};
	unsigned left;
	uint32_t seed;
	int cut;

	for (cut = 0; cut < CUT_COUNT; cut++)
		for (seed = 1; seed <= 3; seed++) {
			left = 0;
			run_and_kill(seed, (enum cut)cut, 0);
			check_after_kill(&left, true);
			if (leaves[cut])
				cr_assert_gt(left, 0, "cut %d", cut);
			if (cut == CUT_COMMIT)
				cr_assert_eq(left, 0);
		}
	NO_LEAKS();
}

Test(fold, killed_at_random_loses_nothing_and_counts_once)
{
	unsigned left = 0, n;
	uint32_t state = (uint32_t)getpid();

	for (n = 1; n <= 40; n++) {
		run_and_kill(n, CUT_NEVER, (long)kit_random(&state, 4000000));
		check_after_kill(&left, n % 10 == 0);
	}
	cr_assert_gt(kit_count_records(), 40);
	NO_LEAKS();
}
