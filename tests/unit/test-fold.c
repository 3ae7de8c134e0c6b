/* tests/unit/test-fold.c - rates records, also after interruptions. */
#include <criterion/criterion.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/pack.h"
#include "protocol/file.h"
#include "protocol/prune.h"
#include "referee/scheduler/scheduler-prune.h"
#include "tests/unit/one-ladder.h"

TestSuite(fold, .init = kit_begin, .fini = end_ladder);

static const struct ladder_rebuilding with_gaps = { .gaps = true };

/* Writes records `from` to `to` of this ladder; `others` entries are before them. */
static void
write_behind(uint32_t from, uint32_t to, int64_t others)
{
	struct ladder_game game;

	for (; from <= to; from++) {
		kit_game(from, from + others, &game);
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	}
}

/* Lets a ladder be made from what is in the folder alone. */
static struct ladder_rebuilding
from_records(void)
{
	static char records[512];
	static const char *const folders[] = { records, NULL };

	snprintf(records, sizeof(records), "%s", kit_path("records"));
	return (struct ladder_rebuilding){ .folders = folders };
}

static void
remove_record(uint32_t number)
{
	cr_assert_eq(unlink(kit_record_path(number, number)), 0);
}

static void
prune_record(uint32_t number)
{
	const char *path = kit_record_path(number, number);
	struct record *record;
	struct text text;

	OK(record_read(path, &record, &why));
	text_init(&text, RECORD_BYTES);
	OK(record_prune(record, &text, &why));
	kit_write_file(path, text.bytes, text.used);
	text_release(&text);
	record_free(record);
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
	OK(record_parse(text, strlen(text), &record, &why));
	OK(ladder_game_from_record(record, &game, &why));
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
	cr_assert_eq(record_parse(text, strlen(text), &record, &why), 0);
	FAILS(ladder_game_from_record(record, &game, &why), ERROR_INPUT,
	      "serial");
	record_free(record);
}

Test(fold, file_names_sort_by_serial)
{
	char name[LADDER_FILE_BYTES];

	ladder_file_name(ENTRY_GAME, 7, "00ff", name);
	cr_assert_str_eq(name, "00000007-00ff.rec");
	ladder_file_name(ENTRY_GAME, 1234567890123, "00ff", name);
	cr_assert_str_eq(name, "1234567890123-00ff.rec");
}

/* A ladder_check that accepts all records. */
static int
takes_all(const struct record *record, const char *path, struct error *reason)
{
	(void)record;
	(void)path;
	(void)reason->text;
	return 0;
}

/* ---- follow ----------------------------------------------------------- */

Test(fold, what_was_left_is_rated)
{
	open_ladder();
	cr_assert_eq(kit_follow(ladder), 0);
	write_records(1, 12);
	cr_assert_eq(kit_follow(ladder), 12);
	cr_assert_eq(kit_follow(ladder), 0);
	write_records(13, 20);
	/* A record that is rated is not opened again. */
	kit_write_file(kit_path("records/00000012-00ff.rec"), "junk", 4);
	open_ladder();
	cr_assert_eq(kit_follow(ladder), 8);
	cr_assert_eq(ladder_last(ladder), 20);
}

Test(fold, what_is_not_its_own_is_passed_over)
{
	static const char foreign[] = "0123456789abcdef0123456789abcdef";
	struct ladder_game game;

	open_ladder();
	write_records(1, 9);
	cr_assert_eq(kit_follow(ladder), 9);
	kit_game(11, 11, &game);
	cr_assert(kit_write_record(&game, foreign, 0));
	kit_game(22, 2, &game);
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
	cr_assert_eq(kit_follow(ladder), 0);
	/* Half-written files are gone, except those of others. */
	for (uint32_t i = 3; i <= 5; i++)
		cr_assert_eq(kit_is_there(kit_pathf(
				     "records/%08u-%032u.rec.tmp", i, i)),
			     i == 3, "%u", i);
	cr_assert_eq(access(kit_path("records/notes.tmp"), F_OK), 0);
}

/* The ladder's file may name foreign folders, and a reader never removes
 * anything. */
Test(fold, nothing_is_removed_without_proof)
{
	static const char *const halves[] = {
		"00000003-00ff.rec.tmp",
		"00000001-00000256.tar.gz.tmp",
	};
	char path[128];
	const struct ladder_voiding how = { .id = path, .why = "x" };
	struct ladder_voided report;
	struct ladder_log *log;
	struct log_entry *group;
	glob_t files;
	int64_t other;
	size_t i;

	open_ladder();
	write_records(1, 2);
	cr_assert_eq(kit_follow(ladder), 2);
	cr_assert_eq(mkdir(kit_path("theirs"), 0700), 0);
	OK(ladder_folder(ladder, kit_path("theirs"), &other, &why));
	for (i = 0; i < NELEM(halves); i++) {
		snprintf(path, sizeof(path), "theirs/%s", halves[i]);
		kit_write_file(kit_path(path), "", 0);
		kit_write_file(kit_pathf("records/%s", halves[i]), "", 0);
	}
	cr_assert_eq(
		symlink("../theirs/x", kit_path("records/00000001-0.rec.tmp")),
		0);
	log = ladder_log_memory(ladder);
	OK(log->ops->read(log, 0, &group, &why));
	ladder_log_forget(group);
	ladder_log_free(log);
	for (i = 0; i < NELEM(halves); i++) {
		snprintf(path, sizeof(path), "records/%s", halves[i]);
		cr_expect_eq(access(kit_path(path), F_OK), 0, "%s", path);
	}
	cr_assert_eq(kit_follow(ladder), 0);
	for (i = 0; i < NELEM(halves); i++) {
		snprintf(path, sizeof(path), "records/%s", halves[i]);
		cr_expect_eq(access(kit_path(path), F_OK), -1, "%s", path);
		snprintf(path, sizeof(path), "theirs/%s", halves[i]);
		cr_expect_eq(access(kit_path(path), F_OK), 0, "%s", path);
	}
	snprintf(path, sizeof(path), "%032x", 2);
	OK(ladder_void(ladder, NULL, &how, &report, &why));
	cr_expect_eq(glob(kit_path("theirs/*.void"), 0, NULL, &files),
		     GLOB_NOMATCH);
	cr_expect_eq(glob(kit_path("records/*.void"), 0, NULL, &files), 0);
	globfree(&files);
}

/* The pruner's thread writes while the ladder follows or is rebuilt. */
Test(fold, what_the_pruner_writes_stays)
{
	static const char name[] = "records/00000001-000000000000000000000000"
				   "00000001.rec" SCHEDULER_PRUNE_HALF;
	struct ladder_game game;
	char text[256];
	uint32_t i;
	int n;

	open_ladder();
	n = snprintf(text, sizeof(text), "record 1\nladder %s\nserial 1\n",
		     ladder_id(ladder));
	kit_write_file(kit_path(name), text, (size_t)n);
	for (i = 1; i <= 2; i++) {
		kit_game(i, i, &game);
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	}
	cr_assert_eq(kit_follow(ladder), 2);
	OK(rebuild(NULL));
	cr_assert_eq(access(kit_path(name), F_OK), 0);
}

Test(fold, an_aborted_game_takes_its_serial_and_no_rating)
{
	static const char text[] =
		"record 1\nid 0000000000000000000000000000000a\ngame toepen\n"
		"seats 2\nbot 0 ada\nbot 1 bob\nladder %s\nserial 1\n"
		"aborted stopped\n\nmove 0 knock\n";
	char bytes[512];

	open_ladder();
	snprintf(bytes, sizeof(bytes), text, ladder_id(ladder));
	kit_write_file(kit_path("records/00000001-"
				"0000000000000000000000000000000a.rec"),
		       bytes, strlen(bytes));
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_last(ladder), 1);
	OK(rebuild(&with_gaps));
	cr_assert_eq(rebuilt.games, 0);
}

Test(fold, a_broken_record_stops_the_ladder_there)
{
	static const struct {
		const char *head, *tail, *part;
	} broken[] = {
		{ "", "", "00000004-00ff.rec:" },
		{ "id 00ff\ngame toepen\nseats 2\nbot 0 ada\nbot 1 bob\n",
		  "serial 4\n\nresult 0 1 0\nresult 1 3 0\n",
		  "00000004-00ff.rec:11: expected" },
	};
	struct ladder_game game;
	char text[512];
	int n;

	open_ladder();
	write_records(1, 3);
	for (size_t i = 0; i < NELEM(broken); i++) {
		n = snprintf(text, sizeof(text), "record 1\n%sladder %s\n%s",
			     broken[i].head, ladder_id(ladder), broken[i].tail);
		kit_write_file(kit_path("records/00000004-00ff.rec"), text,
			       (size_t)n);
		FAILS(try_follow(), ERROR_INPUT, broken[i].part);
		kit_game(3, 3, &game);
		cr_assert_eq(ladder_game_find(ladder, game.id, &game, &why),
			     LADDER_FOUND);
		cr_assert_eq(ladder_last(ladder), 3);
	}
	cr_assert_eq(unlink(kit_path("records/00000004-00ff.rec")), 0);
	cr_assert_eq(kit_follow(ladder), 0);
}

/* Such a record blocks neither games nor a rebuild. */
Test(fold, what_is_unreadable_and_of_no_ladder_is_passed_over)
{
	struct ladder_rebuilding how = { .check = takes_all };

	open_ladder();
	write_records(1, 3);
	kit_write_file(kit_path("records/00000004-00ff.rec"), "record 1\n", 9);
	kit_write_file(kit_path("records/00000005-00ff.rec"), "", 0);
	kit_write_file(kit_path("records/00000006-00ff.rec"),
		       "record 1\nladder 00ff\n", 21);
	cr_assert_eq(symlink("nowhere", kit_path("records/00000007-00ff.rec")),
		     0);
	cr_assert_eq(kit_follow(ladder), 3);
	OK(rebuild(&how));
	cr_assert_eq(rebuilt.games, 3);
}

Test(fold, a_renamed_record_is_told)
{
	open_ladder();
	write_records(1, 1);
	cr_assert_eq(rename(kit_record_path(1, 1), kit_record_path(1, 2)), 0);
	FAILS(try_follow(), ERROR_INPUT, "00000002-");
	TELLS("must be 00000001-");
}

/* ---- rebuild ---------------------------------------------------------- */

Test(fold, rebuild_gives_the_same_to_the_last_digit)
{
	open_ladder();
	kit_set(ladder, 24000, 1200000);
	write_behind(1, 40, 1);
	cr_assert_eq(kit_follow(ladder), 40);
	kit_set(ladder, 10000, 1700000);
	write_behind(41, 80, 2);
	cr_assert_eq(kit_follow(ladder), 40);
	expect_same_again(80);
	expect_same_again(80);
	cr_assert_eq(ladder_last(ladder), 82);
}

Test(fold, a_missing_record_stops_a_rebuild)
{
	const char *before;

	open_ladder();
	write_records(1, 20);
	cr_assert_eq(kit_follow(ladder), 20);
	before = kit_describe(ladder);
	remove_record(13);
	FAILS(rebuild(NULL), ERROR_ANSWER, "/records/00000013-");
	kit_expect(ladder, before);
	/* The ladder still goes on. */
	write_records(13, 13);
	write_records(21, 21);
	cr_assert_eq(kit_follow(ladder), 1);
	expect_same_again(21);
}

static atomic_bool asked_to_stop;

/* A ladder_check that stops at game 7. */
static int
stop_at_7(const struct record *record, const char *path, struct error *reason)
{
	(void)path;
	(void)reason->text;
	if (strcmp(record_header(record, "serial"), "7") == 0)
		asked_to_stop = true;
	return 0;
}

Test(fold, a_rebuild_can_be_stopped_and_nothing_changes)
{
	const struct ladder_rebuilding how = { .check = stop_at_7,
					       .stop = &asked_to_stop };
	const char *before;

	open_ladder();
	write_records(1, 20);
	cr_assert_eq(kit_follow(ladder), 20);
	before = kit_describe(ladder);
	FAILS(rebuild(&how), ERROR_MACHINE, "was stopped");
	cr_assert_eq(rebuilt.games, 0);
	kit_expect(ladder, before);
	expect_same_again(20);
}

Test(fold, rebuild_tells_what_is_other)
{
	static const struct ladder_rebuilding accept = { .accept = true };
	const char *before;
	struct ladder_game game;

	open_ladder();
	write_records(1, 20);
	remove_record(5);
	OK(rebuild(&with_gaps));
	write_records(5, 5);
	kit_game(11, 11, &game);
	game.seat[0].points += 1000;
	cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	before = kit_describe(ladder);
	FAILS(rebuild(NULL), ERROR_ANSWER, "/records/00000011-");
	kit_expect(ladder, before);
	OK(rebuild(&accept));
	cr_assert_eq(rebuilt.games, 20);
	cr_assert_eq(rebuilt.added, 1);
	cr_assert_eq(rebuilt.altered, 1);
	cr_assert_gt(rebuilt.changed, 1);
	expect_same_again(20);
}

Test(fold, rebuild_mends_ratings_that_somebody_changed)
{
	const char *before;

	open_ladder();
	write_records(1, 9);
	cr_assert_eq(kit_follow(ladder), 9);
	before = kit_describe(ladder);
	kit_execute(kit_path("ladder.db"),
		    "UPDATE rating SET milli = milli + 1 WHERE entered = 1");
	OK(rebuild(NULL));
	cr_assert_eq(rebuilt.changed, 3);
	kit_expect(ladder, before);
}

static int
dislike_the_seventh(const struct record *record, const char *path,
		    struct error *sentence)
{
	if (strcmp(record_header(record, "serial"), "7") != 0)
		return 0;
	return error_set(sentence, ERROR_ANSWER, "%.400s is odd", path);
}

Test(fold, rebuild_asks_about_each_record)
{
	static const struct ladder_rebuilding how = {
		.check = dislike_the_seventh
	};
	const char *before;

	open_ladder();
	write_records(1, 6);
	cr_assert_eq(kit_follow(ladder), 6);
	OK(rebuild(&how));
	cr_assert_eq(rebuilt.games, 6);
	write_records(7, 8);
	cr_assert_eq(kit_follow(ladder), 2);
	before = kit_describe(ladder);
	FAILS(rebuild(&how), ERROR_ANSWER, "/records/00000007-");
	TELLS(" is odd");
	kit_expect(ladder, before);
}

/* ---- from the records alone ------------------------------------------- */

static void
remove_ladder(void)
{
	cr_assert_eq(unlink(kit_path("ladder.db")), 0);
	cr_assert_eq(unlink(kit_path("ladder.db.lock")), 0);
}

static void
open_bare(void)
{
	close_ladder();
	OK(ladder_open(kit_path("ladder.db"), LADDER_WRITE, &ladder, &why));
}

static void
add_setting(void *arg, const struct ladder_setting *setting)
{
	uint64_t *sum = arg;

	*sum = 31 * *sum + (uint64_t)setting->from_serial;
	*sum = 31 * *sum + (uint64_t)setting->k_milli;
	*sum = 31 * *sum + (uint64_t)setting->start_milli;
}

Test(fold, a_ladder_is_made_from_its_records_alone)
{
	char id[ID_BYTES + 1];
	const char *before;
	const struct ladder_rebuilding how = from_records();
	int64_t k, start;
	uint64_t log_before = 0, log_after = 0;
	struct ladder_anchors anchors = { .count = 0 }, still;

	open_ladder();
	kit_set(ladder, 24500, 1200000);
	write_behind(1, 40, 1);
	cr_assert_eq(kit_follow(ladder), 40);
	kit_set(ladder, 0, 1700001);
	write_behind(41, 50, 2);
	cr_assert_eq(kit_follow(ladder), 10);
	kit_set(ladder, 10000, 1700001);
	write_behind(51, 80, 3);
	cr_assert_eq(kit_follow(ladder), 30);
	OK(ladder_settings_log(ladder, add_setting, &log_before, &why));
	memcpy(id, ladder_id(ladder), sizeof(id));
	before = kit_describe(ladder);
	close_ladder();
	remove_ladder();

	/* A new file elsewhere is another ladder until it has read the folder. */
	OK(ladder_open(kit_path("elsewhere.db"), LADDER_WRITE, &ladder, &why));
	cr_assert_str_neq(ladder_id(ladder), id);
	OK(rebuild(&how));
	cr_assert_eq(rebuilt.games, 80);
	cr_assert_eq(rebuilt.added, 80);
	cr_assert_str_eq(ladder_id(ladder), id);
	close_ladder();

	open_ladder();
	cr_assert_str_eq(ladder_id(ladder), id);
	cr_assert_eq(kit_follow(ladder), 80);
	kit_expect(ladder, before);
	OK(ladder_settings_log(ladder, add_setting, &log_after, &why));
	cr_assert_eq(log_after, log_before);
	OK(ladder_settings(ladder, &k, &start, &why));
	cr_assert(k == 10000 && start == 1700001);
	cr_assert_eq(ladder_last(ladder), 83);
	OK(ladder_anchor_add(&anchors, "ada=1000", &why));
	OK(ladder_set_anchors(ladder, &anchors, &why));
	expect_same_again(80);
	OK(ladder_anchors(ladder, &still, &why));
	cr_assert(ladder_anchors_same(&still, &anchors));
}

#define OTHER "0123456789abcdef0123456789abcdef"

Test(fold, a_ladder_is_not_made_from_records_of_two)
{
	char id[ID_BYTES + 1];
	const struct ladder_rebuilding how = from_records();
	struct ladder_game game;

	/* A ladder that is there already may be empty. */
	open_bare();
	FAILS(rebuild(&how), ERROR_INPUT, "no founding of a ladder");
	close_ladder();
	open_bare();
	OK(rebuild(&how));
	write_records(1, 3);
	cr_assert_eq(kit_follow(ladder), 3);
	memcpy(id, ladder_id(ladder), sizeof(id));
	close_ladder();
	remove_ladder();

	kit_game(9, 9, &game);
	cr_assert(kit_write_record(&game, OTHER, 0));
	kit_game(8, 8, &game);
	cr_assert(kit_write_record(&game, NULL, 0));
	kit_founding(kit_path("records"), OTHER);
	FAILS(ladder_open(kit_path("ladder.db"), LADDER_WRITE, &ladder, &why),
	      ERROR_INPUT, id);
	TELLS(OTHER);
	TELLS("two ladders");
	cr_assert_eq(access(kit_path("ladder.db"), F_OK), -1);
	OK(ladder_open(kit_path("elsewhere.db"), LADDER_WRITE, &ladder, &why));
	FAILS(rebuild(&how), ERROR_INPUT, "two ladders");
	cr_assert_str_neq(ladder_id(ladder), id);
	OK(rebuild(NULL));
	cr_assert_eq(rebuilt.games, 0);
	close_ladder();

	/* An existing ladder knows its own records. */
	cr_assert_eq(unlink(kit_path("records/00000000-" OTHER ".ladder")), 0);
	open_bare();
	OK(rebuild(&how));
	cr_assert_eq(rebuilt.games, 3);
	kit_founding(kit_path("records"), OTHER);
	OK(rebuild(&how));
	cr_assert_eq(rebuilt.games, 3);
	cr_assert_eq(rebuilt.added, 0);
}

/* A founding and a setting as they must be, and with a line that is wrong. */
#define HEAD(word, serial)                                                     \
	word " 1\nid " OTHER "\nladder " OTHER "\nserial " serial              \
	     "\ndate 2026-11-21T09:00:00Z\n"
#define SETTINGS "rating-k 12.5\nrating-start 1000.001\n"
#define END "end\n"

Test(fold, a_setting_tells_both_numbers)
{
	static const char *const bad[] = {
		"rating-k 16\n",
		"rating-start 1500\n",
		"rating-k 1001\nrating-start 1500\n",
		"rating-k 16\nrating-start -5\n",
		"rating-k 16.0001\nrating-start 1500\n",
		"rating-k .5\nrating-start 1500\n",
		"rating-k 16.\nrating-start 1500\n",
		"rating-k 16\nrating-start 99999999999999999999999\n",
		"",
	};
	const char *name = "records/00000001-" OTHER ".setting";
	int64_t k, start;
	char text[1024];
	size_t i;

	kit_founding(kit_path("records"), OTHER);
	open_ladder();
	for (i = 0; i < NELEM(bad); i++) {
		snprintf(text, sizeof(text), "%s%s" END, HEAD("setting", "1"),
			 bad[i]);
		kit_write_file(kit_path(name), text, strlen(text));
		cr_assert_eq(KIND(try_follow()), ERROR_INPUT, "%s", bad[i]);
		TELLS(name);
		TELLS("expected a line `rating-");
		cr_assert_eq(ladder_last(ladder), 0);
	}
	kit_write_file(kit_path(name), HEAD("setting", "1") SETTINGS END,
		       strlen(HEAD("setting", "1") SETTINGS END));
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_last(ladder), 1);
	OK(ladder_settings(ladder, &k, &start, &why));
	cr_assert(k == 12500 && start == 1000001);
}

Test(fold, a_founding_that_is_damaged_makes_no_ladder)
{
	static const char *const bad[] = {
		"",
		"ladder 1\n",
		"ladder 2\nid " OTHER "\n",
		"ladder 1\nid .\nladder " OTHER "\n",
		HEAD("setting", "1") SETTINGS END,
		HEAD("ladder", "1") SETTINGS END,
		HEAD("ladder", "0") END,
		HEAD("ladder", "0") "rating-k 16\n" END,
		HEAD("ladder", "0") SETTINGS "season autumn\n" END,
		HEAD("ladder", "0") SETTINGS "enter ann\n" END,
		HEAD("ladder", "0") SETTINGS "enter ann 1500 4 priority\n" END,
		HEAD("ladder", "0") SETTINGS
		"enter ann 1500 4x priority toepen\n" END,
		HEAD("ladder", "0") SETTINGS
		"enter ann 1500 1 priority toepen\n" END,
		HEAD("ladder", "0") SETTINGS
		"enter ann 1500 9 priority toepen\n" END,
		HEAD("ladder", "0") SETTINGS
		"enter ann 1500 4 first toepen\n" END,
		HEAD("ladder", "0") SETTINGS
		"enter ann 10000 4 priority toepen\n" END,
		HEAD("ladder", "0") SETTINGS
		"enter ann 1500 4 priority toepen" END,
		HEAD("ladder", "0") SETTINGS "else\n" END,
		HEAD("ladder", "0") SETTINGS,
		HEAD("ladder", "0") SETTINGS
		"enter ann 1500 4 priority toepen\n",
		HEAD("ladder", "0") SETTINGS "end",
	};
	const char *name = "records/00000000-" OTHER ".ladder";
	size_t i;

	for (i = 0; i < NELEM(bad); i++) {
		kit_write_file(kit_path(name), bad[i], strlen(bad[i]));
		cr_assert_eq(KIND(ladder_open(kit_path("ladder.db"),
					      LADDER_WRITE, &ladder, &why)),
			     ERROR_INPUT, "%s", bad[i]);
		TELLS(name);
		TELLS("expected ");
		cr_assert_eq(access(kit_path("ladder.db"), F_OK), -1);
	}
}

/* The ladder's file has it, and the folder, and both are the same. */
Test(fold, a_founding_does_not_change)
{
	char path[512], text[1024];
	const char *before;
	int64_t k, start;

	snprintf(path, sizeof(path), "%s",
		 kit_path("records/00000000-" OTHER ".ladder"));
	kit_founding(kit_path("records"), OTHER);
	open_ladder();
	write_records(1, 5);
	cr_assert_eq(kit_follow(ladder), 5);
	before = kit_describe(ladder);
	snprintf(text, sizeof(text), "%s", HEAD("ladder", "0") SETTINGS END);
	kit_write_file(path, text, strlen(text));
	FAILS(try_follow(), ERROR_INPUT, "is not what the ladder began with");
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(kit_follow(ladder), 0);
	close_ladder();
	/* A rebuild takes K from the founding, not from the tables. */
	kit_execute(kit_path("ladder.db"),
		    "UPDATE setting SET k_milli = 900000");
	open_ladder();
	OK(rebuild(NULL));
	OK(ladder_settings(ladder, &k, &start, &why));
	cr_assert_eq(k, LADDER_K_MILLI);
	kit_expect(ladder, before);
}

/* Writes a founding of this many bytes. */
static void
write_founding(const char *path, size_t bytes)
{
	static const char head[] = HEAD("ladder", "0") SETTINGS;
	static const char line[] = "enter b 1500 4 priority toepen ";
	FILE *file = fopen(path, "we");
	size_t left = bytes - strlen(head) - strlen(END), n;

	cr_assert_not_null(file);
	fputs(head, file);
	for (; left > 0; left -= n) {
		n = left > 600 ? 432 : left > 300 ? 132 : left;
		fputs(line, file);
		for (size_t i = strlen(line) + 1; i < n; i++)
			fputc('o', file);
		fputc('\n', file);
	}
	fputs(END, file);
	cr_assert_eq(fclose(file), 0);
}

Test(fold, a_founding_has_a_limit)
{
	const char *path = kit_path("records/00000000-" OTHER ".ladder");

	write_founding(path, LADDER_FOUNDING_BYTES + 1);
	FAILS(ladder_open(kit_path("ladder.db"), LADDER_WRITE, &ladder, &why),
	      ERROR_INPUT, "has more than 16777216 bytes");
	cr_assert_eq(access(kit_path("ladder.db"), F_OK), -1);
	write_founding(path, LADDER_FOUNDING_BYTES);
	OK(ladder_open(kit_path("ladder.db"), LADDER_WRITE, &ladder, &why));
	cr_assert_str_eq(ladder_id(ladder), OTHER);
}

/* ---- what is gone ----------------------------------------------------- */

Test(fold, a_lost_ladder_is_made_again_beside_its_records)
{
	const char *before;
	unsigned i;

	for (i = 0; i < 2; i++) {
		open_ladder();
		write_records(1, 5);
		cr_assert_eq(kit_follow(ladder), i == 0 ? 5 : 0);
		before = kit_describe(ladder);
		close_ladder();
		if (i == 0)
			remove_ladder();
		else
			kit_write_file(kit_path("ladder.db"), "", 0);
		FAILS(ladder_open(kit_path("ladder.db"), LADDER_READ, &ladder,
				  &why),
		      ERROR_INPUT, i == 0 ? " is gone" : " is empty");
		TELLS("`referee ladder rebuild");
		/* A process that makes it may be killed before it follows. */
		open_bare();
		open_ladder();
		cr_assert_eq(kit_follow(ladder), 5);
		kit_expect(ladder, before);
		close_ladder();
	}
}

/* A ladder of another folder, or without its founding, also begins with serial
 * 1. */
Test(fold, a_second_ladder_does_not_begin_beside_records)
{
	char id[ID_BYTES + 1];
	struct ladder *second;
	unsigned count;

	open_ladder();
	write_records(1, 5);
	cr_assert_eq(kit_follow(ladder), 5);
	memcpy(id, ladder_id(ladder), sizeof(id));
	OK(ladder_open(kit_path("second.db"), LADDER_WRITE, &second, &why));
	OK(ladder_folder(second, kit_path("records"), &folder, &why));
	FAILS(kit_try_follow(second, &count, &why), ERROR_INPUT,
	      "belongs to another ladder");
	TELLS("--records FOLDER");
	ladder_close(second);
	close_ladder();
	remove_ladder();
	cr_assert_eq(unlink(kit_pathf("records/00000000-%s.ladder", id)), 0);
	open_ladder();
	FAILS(try_follow(), ERROR_INPUT, "belongs to another ladder");
}

Test(fold, a_gap_is_told_and_allowed)
{
	static const uint32_t gone[] = { 2, 5, 6, 9 };
	const struct ladder_rebuilding how = from_records();
	size_t i;

	open_ladder();
	write_records(1, 10);
	cr_assert_eq(kit_follow(ladder), 10);
	cr_assert_eq(ladder_missing(ladder), 0);
	for (i = 0; i < NELEM(gone); i++)
		remove_record(gone[i]);
	close_ladder();
	/* The ladder knows of them, */
	open_ladder();
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_missing(ladder), 4);
	cr_assert_eq(KIND(rebuild(&with_gaps)), ERROR_ANSWER);
	close_ladder();
	/* and without it their serials tell. */
	remove_ladder();
	open_bare();
	FAILS(rebuild(&how), ERROR_ANSWER,
	      "4 records are missing, serial 2, 5 to "
	      "6, 9, nothing");
	/* It does not follow them, either. */
	OK(ladder_folder(ladder, kit_path("records"), &folder, &why));
	FAILS(try_follow(), ERROR_INPUT, "entry 2 of its log is missing");
	TELLS("`referee ladder rebuild --gaps`");
	cr_assert_eq(ladder_last(ladder), 1);
	OK(rebuild(&(struct ladder_rebuilding){ .folders = how.folders,
						.gaps = true }));
	cr_assert_eq(rebuilt.games, 6);
	cr_assert_eq(rebuilt.gaps, 4);
	cr_assert_eq(ladder_last(ladder), 10);
}

/* Pruned records are as good as whole ones: no gap, and the same ladder. */
Test(fold, a_pruned_ladder_has_no_gaps)
{
	uint32_t i;

	open_ladder();
	write_records(1, 12);
	cr_assert_eq(kit_follow(ladder), 12);
	for (i = 1; i <= 12; i++)
		prune_record(i);
	expect_same_again(12);
	open_ladder();
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_missing(ladder), 0);
}

/* A hash that is copied hides nothing: places must be those that were rated. */
Test(fold, a_pruned_record_cannot_change)
{
	struct ladder_game game;
	char name[LADDER_FILE_BYTES], text[4096], *at;
	FILE *file;
	size_t n;

	open_ladder();
	write_records(1, 8);
	cr_assert_eq(kit_follow(ladder), 8);
	prune_record(5);
	OK(rebuild(NULL));
	kit_game(5, 5, &game);
	ladder_file_name(ENTRY_GAME, 5, game.id, name);
	file = fopen(kit_pathf("records/%s", name), "r");
	n = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[n] = '\0';
	at = strstr(text, "\nbot 0 ");
	cr_assert_not_null(at);
	at[7] = at[7] == 'x' ? 'y' : 'x';
	kit_write_file(kit_pathf("records/%s", name), text, n);
	FAILS(rebuild(NULL), ERROR_ANSWER, "is not the record that was rated");
	OK(rebuild(&(struct ladder_rebuilding){ .accept = true }));
	cr_assert_eq(rebuilt.altered, 1);
}

/* A truncated number would be another serial. */
Test(fold, many_gaps_are_told_in_whole_numbers)
{
	uint32_t i;

	open_ladder();
	for (i = 1; i <= 201; i += 2)
		write_records(i, i);
	OK(rebuild(&with_gaps));
	FAILS(rebuild(NULL), ERROR_ANSWER,
	      "100 records are missing, serial 2, 4");
	TELLS(" and more, nothing is rebuilt");
	cr_assert_null(strstr(why.text, ",,"), "%s", why.text);
	cr_assert_null(strstr(why.text, ", and"), "%s", why.text);
}

/* A record with the highest number would leave none for the next game. */
Test(fold, a_serial_leaves_room_for_the_next)
{
	static const int64_t serials[] = { LADDER_SERIAL_MAX,
					   LADDER_SERIAL_MAX + 1, INT64_MAX };
	struct ladder_game game;
	size_t i;

	for (i = NELEM(serials); i-- > 0;) {
		open_ladder();
		kit_game(7, serials[i], &game);
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
		cr_assert_eq(KIND(try_follow()),
			     i == 0 ? ERROR_INPUT : ERROR_NONE);
		cr_assert_eq(followed, 0);
		close_ladder();
	}
	open_ladder();
	OK(rebuild(&with_gaps));
	cr_assert_eq(rebuilt.gaps, LADDER_SERIAL_MAX - 1);
	cr_assert_eq(ladder_last(ladder), LADDER_SERIAL_MAX);
}

/* ---- games that do not count ------------------------------------------ */

/* Returns how many voids there are in the folder; *path is one of them. */
static unsigned
find_voids(char path[512])
{
	glob_t files;
	size_t count = 0;

	if (glob(kit_path("records/*.void"), 0, NULL, &files) == 0) {
		snprintf(path, 512, "%s", files.gl_pathv[0]);
		count = files.gl_pathc;
		globfree(&files);
	}
	return (unsigned)count;
}

static unsigned
count_voids(void)
{
	char path[512];

	return find_voids(path);
}

/* Expects the ratings of another ladder, with the same games but those in `gone`. */
static void
expect_ratings_without(const uint32_t *gone, size_t n, uint32_t games)
{
	struct ladder_game game[32];
	struct log_entry entry[NELEM(game)];
	struct ladder_log *log;
	struct ladder *its;
	unsigned count = 0;
	const char *text;
	size_t ratings, j;
	uint32_t i;

	OK(ladder_open(kit_path("without.db"), LADDER_WRITE, &its, &why));
	log = ladder_log_memory(its);
	for (i = 0; i < games; i++) {
		for (j = 0; j < n && gone[j] != i + 1; j++)
			;
		kit_game(i + 1, i + 1, &game[i]);
		entry[i] =
			(struct log_entry){ .serial = i + 1,
					    .id = game[i].id,
					    .game = j < n ? NULL : &game[i] };
		if (i > 0)
			entry[i - 1].next = &entry[i];
	}
	OK(log->ops->append(log, entry, &why));
	OK(ladder_follow(its, log, entry, &count, &why));
	cr_assert_eq(count, games - n);
	ladder_log_free(log);
	text = kit_describe(its);
	ratings = (size_t)(strstr(text, "\ngame ") - text);
	cr_assert_eq(strncmp(kit_describe(ladder), text, ratings), 0, "%s\n%s",
		     kit_describe(ladder), text);
	ladder_close(its);
}

Test(fold, a_voided_game_counts_no_more)
{
	static const uint32_t gone[] = { 7, 3, 20 };
	const char *live;
	const struct ladder_rebuilding how = from_records();

	open_ladder();
	write_records(1, 20);
	cr_assert_eq(kit_follow(ladder), 20);
	OK(void_game(NULL, 7, "they talked"));
	OK(void_game(NULL, 3, "the referee's mistake"));
	OK(void_game(NULL, 20, "x"));
	expect_ratings_without(gone, 3, 20);
	cr_assert_not_null(
		strstr(kit_describe(ladder), "void 21 (they talked)"));
	expect_same_again(20);
	/* It goes on from there, */
	cr_assert_eq(ladder_last(ladder), 23);
	write_records(24, 27);
	cr_assert_eq(kit_follow(ladder), 4);
	live = kit_describe(ladder);
	expect_same_again(24);
	close_ladder();
	/* and comes again from its files. */
	remove_ladder();
	open_bare();
	OK(rebuild(&how));
	cr_assert_eq(rebuilt.voided, 3);
	kit_expect(ladder, live);
}

/* A resumed match plays a game again if its record was removed, so the log may
 * have it under two serials.  The ladder counts it once. */
Test(fold, a_game_with_two_serials_counts_once)
{
	struct ladder_game game;

	for (int other = 0; other < 2; other++) {
		open_ladder();
		write_records(1, 4);
		cr_assert_eq(kit_follow(ladder), 4);
		kit_game(2, 5, &game);
		game.seat[0].points += 1000 * other;
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
		cr_assert_eq(kit_follow(ladder), 0);
		cr_expect_eq(ladder_last(ladder), 5);
		OK(void_game(NULL, 1, "with both records"));
		remove_record(2);
		OK(void_game(NULL, 3, "with the second record alone"));
		write_records(2, 2);
		if (other == 0) {
			expect_same_again(4);
		} else {
			FAILS(rebuild(NULL), ERROR_INPUT,
			      "different records of game");
		}
		cr_expect_eq(ladder_last(ladder), 7);
		close_ladder();
		kit_end();
		kit_begin();
	}
}

Test(fold, games_of_a_bot_are_voided_since_a_date)
{
	struct ladder_voiding how = { .why = "x" };
	struct ladder_game game;

	open_ladder();
	write_records(1, 30);
	cr_assert_eq(kit_follow(ladder), 30);
	kit_game(15, 15, &game);
	how.bot = game.seat[0].bot;
	how.since = game.ended;
	OK(ladder_void(ladder, NULL, &how, &voided, &why));
	cr_assert_gt(voided.games, 0);
	cr_assert_lt(voided.games, 30);
	cr_assert_eq(voided.serial, 31);
	expect_same_again(30);
	FAILS(ladder_void(ladder, NULL, &how, &voided, &why), ERROR_INPUT,
	      "has no game that is not voided");
}

Test(fold, what_cannot_be_voided_is_told)
{
	char many[LADDER_VOID_BYTES + 2];
	const struct ladder_voiding bad[] = {
		{ .id = "00ff", .why = "x" },
		{ .id = "00000000000000000000000000000099", .why = "x" },
		{ .id = "00000000", .why = "x" }, /* several */
		{ .id = "00000000000000000000000000000001", .why = "" },
		{ .id = "00000000000000000000000000000001", .why = "a\nb" },
		{ .id = "00000000000000000000000000000001", .why = many },
		{ .bot = "nobody", .since = "2026-01-01", .why = "x" },
		{ .bot = "ada", .since = "2026-02-30", .why = "x" },
		{ .bot = "ada", .since = "yesterday", .why = "x" },
		{ .bot = "ada", .since = "2026-1-1", .why = "x" },
	};
	const char *before;
	size_t i;

	memset(many, 'x', sizeof(many));
	many[LADDER_VOID_BYTES + 1] = '\0';
	open_ladder();
	write_records(1, 3);
	cr_assert_eq(kit_follow(ladder), 3);
	before = kit_describe(ladder);
	for (i = 0; i < NELEM(bad); i++) {
		cr_expect_eq(
			KIND(ladder_void(ladder, NULL, &bad[i], &voided, &why)),
			ERROR_INPUT, "%zu", i);
		cr_expect_null(strchr(why.text, '\n'), "%s", why.text);
	}
	kit_expect(ladder, before);
	many[LADDER_VOID_BYTES] = '\0';
	OK(void_game(NULL, 1, many));
	FAILS(ladder_void(ladder, NULL,
			  &(struct ladder_voiding){
				  .id = "00000000000000000000000000000001",
				  .why = "x" },
			  &voided, &why),
	      ERROR_INPUT, "is voided already (xxx");
	cr_assert_eq(count_voids(), 1);
}

/* ---- records that do not go together ---------------------------------- */

/* Expects an error: the ladder knows a second folder with this file, and the
 * first folder has a different one. */
static void
expect_two_texts(const char *name)
{
	char one[512], two[600];
	const char *before = kit_describe(ladder);
	const int64_t last = ladder_last(ladder);

	snprintf(one, sizeof(one), "%s", kit_path(name));
	snprintf(two, sizeof(two), "%s/%s", kit_path("records"), name);
	for (int i = 0; i < 2; i++) {
		FAILS(i == 0 ? try_follow() : rebuild(NULL), ERROR_INPUT,
		      "differ, but are one entry");
		TELLS(one);
		TELLS(two);
	}
	cr_assert_eq(ladder_last(ladder), last);
	kit_expect(ladder, before);
}

Test(fold, an_entry_has_one_text_in_all_folders)
{
	static const char setting[] = "00000004-" OTHER ".setting";
	char name[LADDER_FILE_BYTES];
	struct text text = { .max = 1024 };
	struct ladder_game game;
	int64_t other;

	kit_founding(kit_path("records"), OTHER);
	open_ladder();
	OK(ladder_folder(ladder, kit_path("."), &other, &why));
	write_records(1, 3);
	cr_assert_eq(kit_follow(ladder), 3);

	kit_write_file(kit_path(setting), HEAD("setting", "4") SETTINGS END,
		       strlen(HEAD("setting", "4") SETTINGS END));
	kit_write_file(kit_pathf("records/%s", setting),
		       HEAD("setting", "4") "rating-k 9\nrating-start 9\n" END,
		       strlen(HEAD("setting",
				   "4") "rating-k 9\nrating-start 9\n" END));
	expect_two_texts(setting);
	cr_assert_eq(unlink(kit_pathf("records/%s", setting)), 0);
	cr_assert_eq(kit_follow(ladder), 0);

	kit_void(5, 2, OTHER, name, &text);
	kit_write_file(kit_path(name), text.bytes, text.used);
	text_release(&text);
	kit_void(5, 3, OTHER, name, &text);
	kit_write_file(kit_pathf("records/%s", name), text.bytes, text.used);
	expect_two_texts(name);
	kit_write_file(kit_path(name), text.bytes, text.used);
	text_release(&text);
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_last(ladder), 5);
	expect_same_again(3);
	cr_expect_eq(rebuilt.voided, 1);

	write_records(6, 6);
	kit_game(6, 6, &game);
	ladder_file_name(ENTRY_GAME, 6, game.id, name);
	cr_assert_eq(rename(kit_pathf("records/%s", name), kit_path(name)), 0);
	game.seat[0].points += 1000;
	cr_assert(kit_write_record(&game, OTHER, 0));
	expect_two_texts(name);
}

/* A lost ladder accepts neither of two different foundings. */
Test(fold, a_founding_has_one_text_in_all_folders)
{
	static const char name[] = "00000000-" OTHER ".ladder";
	char one[512], two[512];
	const char *folders[] = { one, two, NULL };
	const struct ladder_rebuilding how = { .folders = folders };
	char path[128];

	snprintf(one, sizeof(one), "%s", kit_path("records"));
	snprintf(two, sizeof(two), "%s", kit_path("more"));
	cr_assert_eq(mkdir(two, 0700), 0);
	kit_founding(one, OTHER);
	snprintf(path, sizeof(path), "more/%s", name);
	kit_write_file(kit_path(path), HEAD("ladder", "0") SETTINGS END,
		       strlen(HEAD("ladder", "0") SETTINGS END));
	OK(ladder_open(kit_path("new.db"), LADDER_WRITE, &ladder, &why));
	for (int i = 0; i < 2; i++) {
		FAILS(rebuild(&how), ERROR_INPUT, "the founding of one ladder");
		TELLS(kit_path(path));
		folders[0] = two;
		folders[1] = one;
	}
}

/* ---- packs ------------------------------------------------------------ */

/* The entries with these serials go into one pack. */
static void
pack_records(int64_t first, int64_t last, bool closed)
{
	struct text tar = { .max = PACK_BYTES_MAX }, text;
	glob_t files;
	int64_t i;

	for (i = first; i <= last; i++) {
		cr_assert_eq(glob(kit_pathf("records/%08" PRId64 "-*", i), 0,
				  NULL, &files),
			     0);
		cr_assert_eq(files.gl_pathc, 1);
		text = (struct text){ .max = RECORD_BYTES };
		OK(file_load(files.gl_pathv[0], &text));
		pack_add(&tar, strrchr(files.gl_pathv[0], '/') + 1, text.bytes,
			 text.used);
		text_release(&text);
		cr_assert_eq(unlink(files.gl_pathv[0]), 0);
		globfree(&files);
	}
	if (closed)
		OK(pack_write(kit_pathf("records/%08" PRId64 "-%08" PRId64
					".tar.gz",
					first, last),
			      &tar, NULL));
	else
		kit_write_file(kit_pathf("records/%08" PRId64 "-.tar", first),
			       tar.bytes, tar.used);
	text_release(&tar);
}

Test(fold, packs_and_single_records_are_one_ladder)
{
	char path[LADDER_PATH_BYTES];
	struct ladder_game game;
	struct record *record;

	open_ladder();
	write_records(1, 40);
	pack_records(6, 20, true);
	pack_records(21, 30, false);
	cr_assert_eq(kit_follow(ladder), 40);
	cr_assert_eq(ladder_last(ladder), 40);
	expect_same_again(40);
	/* All of them closed. */
	pack_records(1, 5, true);
	pack_records(31, 40, true);
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_missing(ladder), 0);
	expect_same_again(40);
	kit_game(33, 33, &game);
	cr_assert_eq(ladder_game_find(ladder, game.id, &game, &why),
		     LADDER_FOUND);
	OK(ladder_game_path(ladder, &game, path, &why));
	cr_assert_not_null(strstr(path, "/00000031-00000040.tar.gz/00000033-"),
			   "%s", path);
	OK(packed_record(NULL, path, &record, &why));
	cr_assert_str_eq(record->id, game.id);
	record_free(record);
}

/* The log has the voids of the ladder, and one that it does not know yet. */
Test(fold, voids_in_packs_are_taken)
{
	static const char other[] = "f000000000000000000000000000000f";
	struct text text = { .max = RECORD_BYTES };

	open_ladder();
	write_records(1, 9);
	cr_assert_eq(kit_follow(ladder), 9);
	OK(void_game(NULL, 4, "they talked"));
	write_records(11, 14);
	cr_assert_eq(kit_follow(ladder), 4);
	pack_records(6, 12, true);
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_missing(ladder), 0);
	expect_same_again(13);
	text_fmt(&text,
		 "void 1\nid %s\nladder %s\nserial 15\ndate "
		 "2026-11-21T09:00:00Z\nwhy x\n"
		 "game 8 %032x\nend\n",
		 other, ladder_id(ladder), 8);
	kit_write_file(kit_pathf("records/00000015-%s.void", other), text.bytes,
		       text.used);
	write_records(16, 16);
	pack_records(13, 16, false);
	cr_assert_eq(kit_follow(ladder), 1);
	cr_assert_eq(ladder_last(ladder), 16);
	OK(rebuild(NULL));
	cr_assert(rebuilt.voided == 2 && rebuilt.changed == 0);
	expect_same_again(14);
	text_release(&text);
}

/* A start reads only the last pack. */
Test(fold, packs_of_rated_games_are_not_read)
{
	static const char closed[] = "records/00000001-00000020.tar.gz";

	open_ladder();
	write_records(1, 25);
	pack_records(1, 20, true);
	cr_assert_eq(kit_follow(ladder), 25);
	kit_write_file(kit_path(closed), "\x1f\x8b no more", 10);
	pack_records(21, 25, false);
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_missing(ladder), 0);
	FAILS(rebuild(&with_gaps), ERROR_INPUT, "20.tar.gz: it is damaged");
	cr_assert_eq(unlink(kit_path(closed)), 0);
	cr_assert_eq(kit_follow(ladder), 0);
	cr_assert_eq(ladder_missing(ladder), 20);
}

/* The power is cut while a group is appended, and while a pack is closed. */
Test(fold, what_was_cut_off_in_packs_does_not_count)
{
	static const char half[] = "records/00000004-00000006.tar.gz.tmp";
	struct text tar = { .max = PACK_BYTES_MAX };

	open_ladder();
	cr_assert_eq(kit_follow(ladder), 0);
	write_records(1, 6);
	pack_records(1, 3, true);
	pack_records(4, 6, false);
	OK(file_load(kit_path("records/00000004-.tar"), &tar));
	kit_write_file(kit_path("records/00000004-.tar"), tar.bytes,
		       tar.used - 100);
	kit_write_file(kit_path(half), "half", 4);
	cr_assert_eq(kit_follow(ladder), 5);
	cr_assert_eq(access(kit_path(half), F_OK), -1);
	cr_assert_eq(ladder_last(ladder), 5);
	/* It was compressed, but is still there. */
	kit_write_file(kit_path("records/00000004-.tar"), tar.bytes, tar.used);
	OK(pack_write(kit_path("records/00000004-00000006.tar.gz"), &tar,
		      NULL));
	cr_assert_eq(kit_follow(ladder), 1);
	expect_same_again(6);
	text_release(&tar);
}
