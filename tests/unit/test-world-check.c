/* tests/unit/test-world-check.c - the invariants of the world find each kind of damage,
 * and nothing in a folder that has none.
 *
 * A data folder is made with random games, and what their bots have read.  Then one
 * thing in it is changed by hand. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/hidden.h"
#include "protocol/prune.h"
#include "referee/records/log-packs.h"
#include "tests/unit/ladder-kit.h"
#include "tests/unit/random-record.h"
#include "tests/world/check.h"

#define GAMES 6

static const char *const honest[] = { "random0", "random1", "random2", NULL };
static const char *const none[] = { NULL };

static struct error why;
static char *said;	    /* what the last check said */
static bool stopped = true; /* the daemon was told to stop */
static struct world_checked checked;

#define DONE(call) cr_assert_geq(call, 0, "%s", why.text)

/* ---- a data folder -------------------------------------------------------- */

struct game {
	struct log_entry entry;
	struct ladder_game game;
	struct text text;
};

static struct ladder *ladder;
static struct game game[GAMES];

static const struct record_recipe recipes[GAMES] = {
	{ .game = "toepen", .seats = 3, .options = "points=1", .seed = "a" },
	{ .game = "durnius", .seats = 2, .options = "", .seed = "b" },
	{ .game = "daumen-drauf", .seats = 3, .options = "", .seed = "c" },
	{ .game = "doubles-dread", .seats = 2, .options = "", .seed = "d" },
	{ .game = "daupun", .seats = 2, .options = "", .seed = "e" },
	{ .game = "toepen", .seats = 2, .options = "points=2", .seed = "f" },
};

/* Makes the record of a game of the ladder. */
static void
make_record(const struct record_recipe *recipe, int64_t serial, struct text *to)
{
	struct record_recipe with = *recipe;
	struct text bare = { .max = RECORD_BYTES };
	const char *text, *body;

	with.asks = true;
	random_record(&with, &bare);
	text = text_string(&bare);
	body = strstr(text, "\n\n") + 1;
	*to = (struct text){ .max = RECORD_BYTES };
	text_add(to, text, (size_t)(body - text));
	text_fmt(to, "ladder %s\nserial %" PRId64 "\n", ladder_id(ladder),
		 serial);
	text_str(to, body);
	text_release(&bare);
}

static void
make_entry(const struct record_recipe *recipe, int64_t serial,
	   struct game *made)
{
	struct record *record;

	make_record(recipe, serial, &made->text);
	DONE(record_parse(made->text.bytes, made->text.used, &record, &why));
	DONE(ladder_game_from_record(record, &made->game, &why));
	record_free(record);
	made->entry = (struct log_entry){ .serial = serial,
					  .id = made->game.id,
					  .text = &made->text,
					  .game = &made->game };
}

static void
append(struct ladder_log *log, const struct record_recipe *recipe)
{
	unsigned count = 0;

	for (unsigned i = 0; i < GAMES; i++) {
		make_entry(&recipe[i], i + 1, &game[i]);
		if (i > 0)
			game[i - 1].entry.next = &game[i].entry;
	}
	DONE(log->ops->append(log, &game[0].entry, &why));
	DONE(ladder_follow(ladder, log, &game[0].entry, &count, &why));
	cr_assert_eq(count, GAMES);
	ladder_log_free(log);
	ladder_close(ladder);
	ladder = NULL;
}

static const char *
cup(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", kit_path("data/ladders/cup"),
		 name);
	return path;
}

/* The record of game `i` as a file. */
static const char *
record_path(unsigned i)
{
	char name[LADDER_FILE_BYTES], below[LADDER_FILE_BYTES + 16];

	ladder_file_name(ENTRY_GAME, game[i].entry.serial, game[i].game.id,
			 name);
	snprintf(below, sizeof(below), "records/%s", name);
	return cup(below);
}

static void
open_ladder(void)
{
	cr_assert_eq(mkdir(kit_path("data"), 0700), 0);
	cr_assert_eq(mkdir(kit_path("data/ladders"), 0700), 0);
	cr_assert_eq(mkdir(kit_path("data/ladders/cup"), 0700), 0);
	cr_assert_eq(mkdir(cup("records"), 0700), 0);
	DONE(ladder_open(cup("ladder.db"), LADDER_WRITE, &ladder, &why));
}

/* ---- what bots read -------------------------------------------------------- */

static void
read_one(const struct record *record, unsigned seat)
{
	char line[LINE_REFEREE_BYTES + 1], head[16], told[8];
	unsigned i, number = 0, asks = 0;
	const char *text;
	ssize_t n;

	snprintf(head, sizeof(head), "ask %u ", seat);
	promise_read(record->id, seat, ++number, "game and so on");
	for (i = 0; i < record->bodies; i++) {
		text = record->body[i].text;
		snprintf(told, sizeof(told), "%.7s", text);
		if (strncmp(text, head, strlen(head)) == 0) {
			snprintf(line, sizeof(line), "ask %u 1000 %.8000s",
				 ++asks, text + strlen(head));
			promise_read(record->id, seat, ++number, line);
		}
		if (strncmp(told, "ask ", 4) == 0 ||
		    strcmp(told, "forfeit") == 0)
			continue;
		n = hidden_redact(text, strlen(text), (int)seat, line);
		cr_assert_geq(n, 0);
		line[n] = '\0';
		promise_read(record->id, seat, ++number, line);
	}
	promise_read(record->id, seat, ++number, "over and so on");
}

static void
promise_game(const struct game *made)
{
	char hash[2 * RECORD_HASH_BYTES + 1];
	struct record *record;

	DONE(record_parse(made->text.bytes, made->text.used, &record, &why));
	sodium_bin2hex(hash, sizeof(hash), made->game.hash,
		       sizeof(made->game.hash));
	for (unsigned seat = 0; seat < record->seats; seat++) {
		read_one(record, seat);
		promise_over(record->id, hash);
	}
	record_free(record);
}

static void
promise_all(void)
{
	promises_begin(kit_path("promises"));
	for (unsigned i = 0; i < GAMES; i++)
		promise_game(&game[i]);
	fflush(NULL);
}

/* ---- the tests ------------------------------------------------------------- */

static void
make_with(const struct record_recipe *recipe)
{
	struct ladder_log *log;

	open_ladder();
	DONE(ladder_log_files(ladder, cup("records"), &log, &why));
	append(log, recipe);
	promise_all();
}

static void
begin(void)
{
	cr_assert_geq(sodium_init(), 0);
	kit_begin();
}

static void
end(void)
{
	for (unsigned i = 0; i < GAMES; i++)
		text_release(&game[i].text);
	free(said);
	kit_end();
}

TestSuite(world_check, .init = begin, .fini = end);

/* One owner has one bot. */
static const char *
owner_of(void *arg UNUSED, const char *bot)
{
	return bot[0] == 'x' ? "ann" : "";
}

static bool
has_many_seats(void *arg UNUSED, const char *name UNUSED)
{
	return false;
}

static const struct check_rules rules = {
	.uploads = 1, .trials = 10, .owner = owner_of, .many = has_many_seats
};

static unsigned
check(const char *const *names, const char *log)
{
	struct promises promises;
	struct world_check what = { .data = kit_path("data"),
				    .copy = kit_path("copy"),
				    .promises = &promises,
				    .honest = names,
				    .log = log,
				    .rules = &rules,
				    .stopped = stopped };
	size_t bytes;
	unsigned wrong;

	free(said);
	what.out = open_memstream(&said, &bytes);
	DONE(promises_read(kit_path("promises"), &promises, &why));
	wrong = world_check(&what, &checked);
	promises_release(&promises);
	fclose(what.out);
	return wrong;
}

static void
expect_nothing(void)
{
	cr_assert_eq(check(honest, NULL), 0, "%s", said);
	cr_assert_eq(checked.ladders, 1);
	cr_assert_eq(checked.games, GAMES);
	cr_assert_eq(checked.promises, GAMES);
	cr_assert_gt(checked.lines, 500);
	cr_assert_gt(checked.asks, 100);
}

/* Expects a sentence with these words. */
static void
expect(const char *words)
{
	cr_assert_gt(check(honest, NULL), 0);
	cr_assert_not_null(strstr(said, words), "expected `%s`, found: %s",
			   words, said);
}

/* Changes the first `from` of a file to `to`, which has as many bytes. */
static void
spoil(const char *path, const char *from, const char *to)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat st;
	char *bytes, *at;

	cr_assert_geq(fd, 0, "%s", path);
	cr_assert_eq(fstat(fd, &st), 0);
	bytes = zeroed((size_t)st.st_size + 1, 1);
	cr_assert_eq(read(fd, bytes, (size_t)st.st_size), st.st_size);
	at = strstr(bytes, from);
	cr_assert_not_null(at, "%s has no `%s`", path, from);
	cr_assert_eq(strlen(from), strlen(to));
	cr_assert_eq(pwrite(fd, to, strlen(to), at - bytes),
		     (ssize_t)strlen(to));
	close(fd);
	free(bytes);
}

static void
sql(const char *statement)
{
	sqlite3 *db;

	cr_assert_eq(sqlite3_open(cup("ladder.db"), &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, statement, NULL, NULL, NULL), SQLITE_OK,
		     "%s", sqlite3_errmsg(db));
	cr_assert_gt(sqlite3_total_changes(db), 0);
	sqlite3_close(db);
}

Test(world_check, a_folder_of_files_holds)
{
	make_with(recipes);
	expect_nothing();
}

Test(world_check, a_folder_of_packs_holds)
{
	struct ladder_log *log;

	open_ladder();
	DONE(log_packs_open(ladder, cup("records"), 0, &log, &why));
	append(log, recipes);
	promise_all();
	expect_nothing();
}

Test(world_check, a_ladder_without_games_holds)
{
	open_ladder();
	ladder_close(ladder);
	cr_assert_eq(check(honest, NULL), 0, "%s", said);
}

Test(world_check, a_ladder_may_be_behind_after_a_crash)
{
	make_with(recipes);
	cr_assert_eq(unlink(cup("ladder.db")), 0);
	expect("ladder cup: SQLite says of its file");
	stopped = false;
	expect_nothing();
}

Test(world_check, a_record_that_is_gone)
{
	make_with(recipes);
	cr_assert_eq(unlink(record_path(2)), 0);
	expect("expected entry 3 of its log, found 4");
	expect(game[2].game.id);
}

Test(world_check, the_last_record_is_gone)
{
	make_with(recipes);
	cr_assert_eq(unlink(record_path(GAMES - 1)), 0);
	expect("it ends with entry 6, its log with entry 5");
	expect("a bot was told that it is over, but no log has it");
}

Test(world_check, another_record_with_the_same_serial)
{
	struct game twin;
	char name[LADDER_FILE_BYTES], below[LADDER_FILE_BYTES + 16];

	make_with(recipes);
	DONE(ladder_open(cup("ladder.db"), LADDER_WRITE, &ladder, &why));
	make_entry(&(struct record_recipe){ .game = "toepen",
					    .seats = 2,
					    .options = "",
					    .seed = "g" },
		   4, &twin);
	ladder_close(ladder);
	ladder_file_name(ENTRY_GAME, 4, twin.game.id, name);
	snprintf(below, sizeof(below), "records/%s", name);
	kit_write_file(cup(below), twin.text.bytes, twin.text.used);
	text_release(&twin.text);
	expect("ladder cup");
}

Test(world_check, one_game_with_two_serials)
{
	struct game twin;
	char name[LADDER_FILE_BYTES], below[LADDER_FILE_BYTES + 16];

	make_with(recipes);
	DONE(ladder_open(cup("ladder.db"), LADDER_WRITE, &ladder, &why));
	make_entry(&recipes[2], GAMES + 1, &twin);
	ladder_close(ladder);
	ladder_file_name(ENTRY_GAME, GAMES + 1, twin.game.id, name);
	snprintf(below, sizeof(below), "records/%s", name);
	kit_write_file(cup(below), twin.text.bytes, twin.text.used);
	text_release(&twin.text);
	expect("is in the logs twice: entry 3 of ladder cup and entry 7");
}

Test(world_check, a_record_that_does_not_verify)
{
	make_with(recipes);
	spoil(record_path(0), "\nmove 0 ", "\nmove 1 ");
	expect("ladder cup, entry 1:");
}

Test(world_check, another_receipt)
{
	make_with(recipes);
	spoil(record_path(0), "\nbot 0 random0\n", "\nbot 0 randomX\n");
	expect("expected the record of the receipt");
}

/* ---- the ladder's file ------------------------------------------------------ */

Test(world_check, a_rating_that_differs_by_a_thousandth)
{
	make_with(recipes);
	sql("UPDATE rating SET milli = milli + 1 WHERE bot = 1");
	expect("rating of random");
}

Test(world_check, a_rating_before_a_game_that_differs_by_a_thousandth)
{
	make_with(recipes);
	sql("UPDATE seat SET before_milli = before_milli + 1"
	    " WHERE serial = 5 AND seat = 0");
	expect("seat 0 of game 5: expected ");
	expect("expected a rebuild that changes nothing, found");
}

Test(world_check, a_fault_that_only_the_ladder_has)
{
	make_with(recipes);
	sql("UPDATE conduct SET crash = crash + 1 WHERE bot = 1");
	expect("conduct of random");
}

Test(world_check, a_game_that_only_the_ladder_lacks)
{
	make_with(recipes);
	sql("DELETE FROM game WHERE serial = 2");
	expect("is entry 2 of the log, but the ladder does not have it");
	expect("but ladder cup does not have it");
}

Test(world_check, a_file_that_is_not_sound)
{
	make_with(recipes);
	spoil(cup("ladder.db"), "SQLite", "SQLote");
	expect("ladder cup cannot follow its log");
}

Test(world_check, a_roster_that_is_not_sound)
{
	make_with(recipes);
	kit_write_file(kit_path("data/roster.db"), "no database", 11);
	expect("the roster: SQLite says of its file: file is not a database");
}

/* ---- honest bots ------------------------------------------------------------ */

Test(world_check, a_fault_of_an_honest_bot)
{
	struct record_recipe faulty[GAMES];

	memcpy(faulty, recipes, sizeof(faulty));
	faulty[0].faults = 3;
	faulty[0].fault_rate = 5;
	make_with(faulty);
	expect(" which is honest, found `fault ");
	cr_assert_eq(check(none, NULL), 0, "%s", said);
}

Test(world_check, a_suspension_of_an_honest_bot)
{
	static const char line[] =
		"2026-11-21T12:00:00.123Z level=warn event=suspended "
		"ladder=cup game=1 bot=random1 why=\"it was retired\"\n";
	static const char *const others[] = { "random", "random10", NULL };

	make_with(recipes);
	kit_write_file(kit_path("log"), line, strlen(line));
	cr_assert_eq(check(others, kit_path("log")), 0, "%s", said);
	cr_assert_eq(check(honest, kit_path("log")), 1, "%s", said);
	cr_assert_not_null(strstr(said, "no suspension of random1"));
}

/* ---- what the trace says ---------------------------------------------------- */

/* Checks a trace of these lines, the last one NULL.  One thing is wrong there, and is
 * told with `words`; NULL: nothing is. */
__attribute__((sentinel)) static void
expect_trace(const char *words, ...)
{
	struct text trace = { .max = SIZE_MAX };
	const char *line;
	va_list lines;

	va_start(lines, words);
	while ((line = va_arg(lines, const char *)) != NULL)
		text_str(&trace, line);
	va_end(lines);
	kit_write_file(kit_path("log"), trace.bytes, trace.used);
	text_release(&trace);
	cr_assert_eq(check(none, kit_path("log")), words == NULL ? 0 : 1, "%s",
		     said);
	if (words != NULL)
		cr_assert_not_null(strstr(said, words), "%s", said);
}

#define LINE(seconds, words) seconds ".000000 " words "\n"
#define TERM(term) LINE("10", "term of cup: " term)
#define LIFE LINE("10", "life 0 begins")
#define MANY_ZEROS                                                             \
	"0000000000000000000000000000000" /* one less than an ID has */
#define BEGUN(seconds, id, at)                                                 \
	LINE(seconds, "begun: " MANY_ZEROS id " seat 0 by - at " at)
#define OVER(id, bot0, bot1)                                                   \
	"2027-01-15T08:00:00.123Z level=info event=game-over ladder=cup "      \
	"game=" MANY_ZEROS id " bot0=" bot0 " place0=1 bot1=" bot1             \
	" place1=2\n"

Test(world_check, games_outside_of_the_term)
{
	make_with(recipes);
	expect_trace(NULL, TERM("0 0 1000 0"), LIFE, BEGUN("100", "1", "1020"),
		     OVER("1", "x", "y"), NULL);
	expect_trace("100 s after `ends`", TERM("0 0 1000 0"), LIFE,
		     BEGUN("100", "1", "1100"), OVER("1", "x", "y"), NULL);
	expect_trace("100 s before `begins`", TERM("1200 0 0 0"), LIFE,
		     BEGUN("100", "1", "1100"), OVER("1", "x", "y"), NULL);
	/* It was drawn before the calendar was moved. */
	expect_trace(NULL, TERM("1200 0 0 0"), LIFE,
		     LINE("90", "the calendar is moved by -200 s"),
		     BEGUN("100", "1", "1100"), OVER("1", "x", "y"), NULL);
}

Test(world_check, more_games_than_a_day_may_have)
{
	make_with(recipes);
	expect_trace(NULL, TERM("0 0 0 1440"), LIFE, BEGUN("100", "1", "1100"),
		     BEGUN("101", "2", "1101"), OVER("1", "x", "y"),
		     OVER("2", "x", "y"), NULL);
	expect_trace("games-a-day = 1440", TERM("0 0 0 1440"), LIFE,
		     BEGUN("100", "1", "1100"), BEGUN("101", "2", "1101"),
		     BEGUN("102", "3", "1102"), OVER("1", "x", "y"),
		     OVER("2", "x", "y"), OVER("3", "x", "y"), NULL);
}

Test(world_check, what_is_told_after_the_freeze)
{
	char *games, *over;

	make_with(recipes);
	games = formatted("100.000000 told games of /live at 100: %s\n",
			  game[0].entry.id);
	over = formatted("2027-01-15T08:00:00.123Z level=info event=game-over "
			 "ladder=cup game=%s bot0=x place0=1 bot1=y place1=2\n",
			 game[0].entry.id);
	expect_trace(NULL, TERM("0 0 0 0"), LIFE, over, games, NULL);
	/* These records have no date, so their games ended at -1. */
	expect_trace("is told by /live", TERM("0 -1 0 0"), LIFE, over, games,
		     NULL);
	/* It ran still, though the calendar that has been moved says otherwise. */
	expect_trace(NULL, TERM("0 -1 0 0"), LIFE, games,
		     LINE("110", "the calendar is moved by -200 s"), over,
		     NULL);
	free(over);
	free(games);
	expect_trace(NULL, TERM("0 1 0 0"), LIFE,
		     LINE("100", "told standings of cup at 100 frozen:"), NULL);
	expect_trace("its standings are live", TERM("0 1 0 0"), LIFE,
		     LINE("100", "told standings of cup at 100 live:"), NULL);
	expect_trace("its standings are frozen", TERM("0 1000 0 0"), LIFE,
		     LINE("100", "told standings of cup at 100 frozen:"), NULL);
	/* A calendar that is moved back does not thaw them. */
	expect_trace(NULL, TERM("0 1000 0 0"), LIFE,
		     LINE("20", "the calendar is moved by -2000 s"),
		     LINE("100", "told standings of cup at 100 frozen:"), NULL);
}

Test(world_check, bots_that_may_not_play)
{
	make_with(recipes);
	expect_trace("x may not play", LIFE,
		     LINE("20", "the organiser asks disable\tx\twhy"),
		     LINE("20", "the organiser is answered 0"),
		     BEGUN("100", "1", "1"), OVER("1", "x.2", "y"), NULL);
	expect_trace(NULL, LIFE,
		     LINE("20", "the organiser asks disable\tx\twhy"),
		     LINE("20", "the organiser is answered 0"),
		     LINE("30", "the organiser asks enable\tx"),
		     LINE("30", "the organiser is answered 0"),
		     BEGUN("100", "1", "1"), OVER("1", "x.2", "y"), NULL);
	expect_trace("ann may not play", LIFE,
		     LINE("20", "the organiser asks ban\tann\twhy"),
		     LINE("20", "the organiser is answered 0"),
		     BEGUN("100", "1", "1"), OVER("1", "y", "x"), NULL);
	expect_trace("x may not play", LIFE,
		     LINE("20", "owner ann asks PUT /bots/x/withdrawn"),
		     LINE("21", "owner ann is answered 200"),
		     BEGUN("100", "1", "1"), OVER("1", "x", "y"), NULL);
	/* It is not known what was done last. */
	expect_trace(NULL, LIFE,
		     LINE("20", "owner ann asks PUT /bots/x/withdrawn"),
		     LINE("20", "the organiser asks enable\tx"),
		     LINE("21", "the organiser is answered 0"),
		     LINE("21", "owner ann is answered 200"),
		     BEGUN("100", "1", "1"), OVER("1", "x", "y"), NULL);
}

Test(world_check, owners_and_authors_who_may_not)
{
	make_with(recipes);
	expect_trace("expected that ann is banned", LIFE,
		     LINE("20", "the organiser asks ban\tann\twhy"),
		     LINE("20", "the organiser is answered 0"),
		     LINE("30", "owner ann asks GET /api/1/owners/ann"),
		     LINE("31", "owner ann is answered 200"), NULL);
	expect_trace("expected that x may not be uploaded", LIFE,
		     LINE("20", "the organiser asks ban\tann\twhy"),
		     LINE("20", "the organiser is answered 0"),
		     LINE("30", "the author of x uploads"),
		     LINE("31", "the author of x is answered 202"), NULL);
	expect_trace("expected that x has no token any more", LIFE,
		     LINE("20", "revoked for good: x"),
		     LINE("30", "the author of x goes back"),
		     LINE("31", "the author of x is answered 200"), NULL);
	expect_trace(NULL, LIFE, LINE("20", "the author of x uploads"),
		     LINE("30", "revoked for good: x"),
		     LINE("31", "the author of x is answered 202"), NULL);
	expect_trace("expected 10 games of trials", LIFE,
		     LINE("20", "taken trial of ann on day 1: 6 games"),
		     LINE("30", "taken trial of ann on day 1: 5 games"), NULL);
	expect_trace("a code that makes 1 accounts",
		     LINE("9", "a code for accounts: 1"), LIFE,
		     LINE("20", "owner ann asks PUT /owners/bob"),
		     LINE("21", "owner ann is answered 201"),
		     LINE("22", "owner ann asks PUT /owners/eve"),
		     LINE("23", "owner ann is answered 201"), NULL);
}

#define FOUR(game) game, game, game, game
#define SIXTEEN(game) FOUR(game), FOUR(game), FOUR(game), FOUR(game)

Test(world_check, seats_that_are_not_evened_out)
{
	make_with(recipes);
	expect_trace(NULL, SIXTEEN(OVER("1", "x", "y")),
		     SIXTEEN(OVER("2", "y", "x")), NULL);
	expect_trace("seats are evened out", SIXTEEN(OVER("1", "x", "y")),
		     SIXTEEN(OVER("2", "x", "y")), NULL);
}

/* ---- secrets ---------------------------------------------------------------- */

/* Writes all promises again, after `change` has seen each of them. */
static void
change_promises(bool (*change)(char *line, FILE *to))
{
	FILE *from = fopen(kit_path("promises"), "re"), *to;
	char *line = NULL;
	size_t room = 0;
	bool changed = false;

	cr_assert_not_null(from);
	to = fopen(kit_path("changed"), "we");
	cr_assert_not_null(to);
	while (getline(&line, &room, from) > 0)
		if (changed || !change(line, to))
			fputs(line, to);
		else
			changed = true;
	cr_assert(changed);
	free(line);
	fclose(from);
	fclose(to);
	cr_assert_eq(rename(kit_path("changed"), kit_path("promises")), 0);
}

/* Gives the hand of seat 0 to another seat. */
static bool
tell_hand(char *line, FILE *to)
{
	char *deal = strstr(line, " deal 1 ?");

	if (deal == NULL)
		return false;
	fprintf(to, "%.*s deal 1 AH%s", (int)(deal - line), line,
		deal + strlen(" deal 1 ?"));
	return true;
}

Test(world_check, a_secret_that_is_told)
{
	make_with(recipes);
	change_promises(tell_hand);
	expect("may read `deal 1 ? ? ? ?` as event 4, but was sent `deal 1 "
	       "AH ");
}

static bool
ask_for_another(char *line, FILE *to)
{
	char *ask = strstr(line, " ask 2 1000 ");

	if (ask == NULL)
		return false;
	fprintf(to, "%.*s ask 2 1000 play:AH\n", (int)(ask - line), line);
	return true;
}

Test(world_check, an_ask_that_the_rules_do_not_give)
{
	make_with(recipes);
	change_promises(ask_for_another);
	expect("was asked `ask 2 1000 play:AH`, which the rules do not ask");
}

static bool
leave_out(char *line, FILE *to UNUSED)
{
	return strstr(line, " result 1 ") != NULL;
}

Test(world_check, a_line_that_is_not_told)
{
	make_with(recipes);
	change_promises(leave_out);
	expect("seat 0 has read line 22, but no line 21");
}

/* A bot that comes back is told some lines again. */
static bool
tell_again(char *line, FILE *to)
{
	static char *kept[3];
	static unsigned n;

	if (strstr(line, " 0 ") == NULL)
		return false;
	kept[n++] = copied(line);
	fputs(line, to);
	if (n < 3)
		return false;
	for (n = 1; n < 3; n++)
		fputs(kept[n], to);
	for (n = 0; n < 3; n++)
		free(kept[n]);
	return true;
}

Test(world_check, lines_that_are_told_again)
{
	make_with(recipes);
	change_promises(tell_again);
	cr_assert_eq(check(honest, NULL), 0, "%s", said);
}
