/* tests/unit/test-store.c - the ladder's file: opening, rating, reading and
 * errors. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/fit-kept.h"
#include "protocol/file.h"
#include "tests/unit/one-ladder.h"

#define AN_ID "0123456789abcdef0123456789abcdef"

TestSuite(store, .init = kit_begin, .fini = end_ladder);

static void
expect_no_open(const char *path, enum ladder_mode mode, enum error_kind kind,
	       const char *part)
{
	struct ladder *its;

	why.text[0] = '\0';
	cr_assert_eq(KIND(ladder_open(path, mode, &its, &why)), kind);
	cr_assert_null(its);
	cr_assert_not_null(strstr(why.text, part), "\"%s\" lacks \"%s\"",
			   why.text, part);
	TELLS(path);
}

static void
rate(struct ladder *its, uint32_t number)
{
	struct ladder_game game;

	kit_game(number, 0, &game);
	kit_rate(its, &game, 1);
}

/* ---- opening ---------------------------------------------------------- */

Test(store, made_when_opened_for_writing_and_kept)
{
	char id[ID_BYTES + 1];
	int64_t again, k, start;

	open_ladder();
	memcpy(id, ladder_id(ladder), sizeof(id));
	cr_assert_eq(strspn(id, "0123456789abcdef"), 32);
	cr_assert_eq(strlen(ladder_created(ladder)), 20);
	OK(ladder_settings(ladder, &k, &start, &why));
	cr_assert_eq(k, 16000);
	cr_assert_eq(start, 1500000);
	OK(ladder_folder(ladder, kit_path("records/../records"), &again, &why));
	cr_assert_eq(again, folder);
	close_ladder();
	OK(ladder_open(kit_path("ladder.db"), LADDER_READ, &ladder, &why));
	cr_assert_str_eq(ladder_id(ladder), id);
	close_ladder();
	ladder_close(NULL);
}

Test(store, a_schema_that_somebody_has_made)
{
	static const char *const change[] = {
		("CREATE TRIGGER more AFTER INSERT ON game BEGIN"
		 " DELETE FROM void; END"),
		"CREATE VIEW more AS SELECT * FROM game",
		"ALTER TABLE bot ADD COLUMN more",
	};
	const char *path = kit_path("made.db");
	size_t i;

	for (i = 0; i < NELEM(change); i++) {
		OK(ladder_open(path, LADDER_WRITE, &ladder, &why));
		close_ladder();
		kit_execute(path, change[i]);
		expect_no_open(path, LADDER_WRITE, ERROR_INPUT,
			       "has other tables, triggers or views");
		expect_no_open(path, LADDER_READ, ERROR_INPUT,
			       "has other tables, triggers or views");
		unlink(path);
	}
}

Test(store, another_version_is_left_alone)
{
	const char *path = kit_path("ladder.db");
	static const char *const version[] = { "11", "12", "13", "15" };
	char text[64];

	ladder_close(kit_open(&folder));
	for (size_t i = 0; i < NELEM(version); i++) {
		snprintf(text, sizeof(text), "PRAGMA user_version = %s",
			 version[i]);
		kit_execute(path, text);
		snprintf(text, sizeof(text),
			 "is of version %s, but this referee knows version 14",
			 version[i]);
		expect_no_open(path, LADDER_WRITE, ERROR_INPUT, text);
		expect_no_open(path, LADDER_READ, ERROR_INPUT, text);
		expect_no_open(path, LADDER_READ, ERROR_INPUT,
			       i < 3 ? "it cannot be read"
				     : "use a newer referee");
		if (i == 1)
			kit_founding(kit_path("records"), AN_ID);
		expect_no_open(path, LADDER_WRITE, ERROR_INPUT,
			       i < 1 ? "" : "makes it again");
	}
}

/* The last page is not read by opening. */
Test(store, a_damaged_file_is_told)
{
	static const struct {
		unsigned games;
		long from;
		int whence;
		unsigned pages;
	} damaged[] = { { 200, 4096, SEEK_SET, 11 },
			{ 400, -4096, SEEK_END, 1 } };
	const char *path;
	char junk[4096];
	FILE *file;

	memset(junk, 0x5a, sizeof(junk));
	for (size_t i = 0; i < NELEM(damaged); i++) {
		begin_again();
		path = kit_path("ladder.db");
		open_ladder();
		for (uint32_t game = 1; game < damaged[i].games; game++)
			rate(ladder, game);
		close_ladder();
		file = fopen(path, "r+e");
		cr_assert_not_null(file);
		cr_assert_eq(fseek(file, damaged[i].from, damaged[i].whence),
			     0);
		for (unsigned page = 0; page < damaged[i].pages; page++)
			cr_assert_eq(fwrite(junk, sizeof(junk), 1, file), 1);
		fclose(file);
		expect_no_open(path, LADDER_WRITE, ERROR_INPUT, "damaged");
		if (i == 0)
			expect_no_open(path, LADDER_READ, ERROR_INPUT,
				       "damaged");
	}
}

/* A kill leaves such a file while a ladder is made. */
Test(store, an_empty_file_with_a_lock_is_a_ladder_not_made_yet)
{
	const char *path = kit_path("ladder.db");
	struct stat st;

	kit_write_file(path, "", 0);
	kit_write_file(kit_path("ladder.db.lock"), "77\n", 3);
	expect_no_open(path, LADDER_READ, ERROR_INPUT, "empty");
	OK(ladder_open(path, LADDER_WRITE, &ladder, &why));
	rate(ladder, 1);
	close_ladder();

	/* Cut one step later: the file has a header page. */
	path = kit_path("later.db");
	kit_execute(path, "PRAGMA journal_mode = WAL");
	kit_write_file(kit_path("later.db.lock"), "77\n", 3);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_size, 4096);
	expect_no_open(path, LADDER_READ, ERROR_INPUT, "empty");
	OK(ladder_open(path, LADDER_WRITE, &ladder, &why));
	rate(ladder, 1);
}

static void
expect_alone(const char *name)
{
	char other[64];
	static const char *const tails[] = { ".lock", "-wal", "-shm" };
	size_t i;

	for (i = 0; i < NELEM(tails); i++) {
		snprintf(other, sizeof(other), "%s%s", name, tails[i]);
		cr_assert_neq(access(kit_path(other), F_OK), 0, "%s", other);
	}
}

Test(store, what_is_not_opened_is_left_alone)
{
	static const struct {
		const char *text, *sql, *part;
	} others[] = {
		{ "", NULL, "not a ladder" },
		{ "junkjunkjunk", NULL, "not a ladder" },
		{ "a letter, and no ladder at all, but long enough for a "
		  "header "
		  "of SQLite, which has one hundred bytes in it\n",
		  NULL, "not a ladder" },
		{ NULL, "CREATE TABLE meta (id TEXT); PRAGMA user_version = 1",
		  "another SQLite" },
		{ NULL, "PRAGMA journal_mode = WAL; CREATE TABLE mine (x)",
		  "another SQLite" },
	};
	struct text bytes = { .max = 65536 };
	char name[16];

	for (size_t i = 0; i < NELEM(others); i++) {
		snprintf(name, sizeof(name), "other-%zu", i);
		if (others[i].sql != NULL)
			kit_execute(kit_path(name), others[i].sql);
		else
			kit_write_file(kit_path(name), others[i].text,
				       strlen(others[i].text));
		text_clear(&bytes);
		cr_assert_eq(file_load(kit_path(name), &bytes), 0);
		expect_no_open(kit_path(name), LADDER_WRITE, ERROR_INPUT,
			       others[i].part);
		expect_no_open(kit_path(name), LADDER_READ, ERROR_INPUT,
			       bytes.used == 0 ? "empty" : others[i].part);
		cr_assert(kit_file_equals(kit_path(name), text_string(&bytes),
					  bytes.used),
			  "%s", name);
		expect_alone(name);
	}
	text_release(&bytes);
}

Test(store, odd_names_are_names)
{
	static const char *const names[] = { ":memory:", "file:x?mode=memory",
					     "-", "a b" };
	size_t i;

	cr_assert_eq(chdir(kit_path("records")), 0);
	for (i = 0; i < NELEM(names); i++) {
		OK(ladder_open(names[i], LADDER_WRITE, &ladder, &why));
		rate(ladder, 1);
		close_ladder();
		cr_assert_eq(access(names[i], F_OK), 0, "%s", names[i]);
		OK(ladder_open(names[i], LADDER_READ, &ladder, &why));
		close_ladder();
	}
	FAILS(ladder_open("", LADDER_WRITE, &ladder, &why), ERROR_INPUT,
	      "name");
	cr_assert_eq(KIND(ladder_open("", LADDER_READ, &ladder, &why)),
		     ERROR_INPUT);
	OK(ladder_open("-", LADDER_READ, &ladder, &why));
	cr_assert_eq(chdir("/"), 0);
}

Test(store, closed_it_leaves_one_file_and_the_lock)
{
	open_ladder();
	rate(ladder, 1);
	cr_assert_eq(access(kit_path("ladder.db-wal"), F_OK), 0);
	close_ladder();
	cr_assert_neq(access(kit_path("ladder.db-wal"), F_OK), 0);
	cr_assert_neq(access(kit_path("ladder.db-shm"), F_OK), 0);
	OK(ladder_open(kit_path("ladder.db"), LADDER_READ, &ladder, &why));
	kit_describe(ladder);
	close_ladder();
	cr_assert_neq(access(kit_path("ladder.db-wal"), F_OK), 0);
	cr_assert_neq(access(kit_path("ladder.db-shm"), F_OK), 0);
}

Test(store, a_discarded_ladder_is_gone_if_it_was_just_made)
{
	const char *path = kit_path("ladder.db");

	open_ladder();
	ladder_discard(ladder);
	cr_assert_neq(access(path, F_OK), 0);
	expect_alone("ladder.db");
	ladder_close(kit_open(&folder));
	ladder_discard(kit_open(&folder));
	cr_assert_eq(access(path, F_OK), 0);
	ladder_discard(NULL);
	OK(ladder_open(path, LADDER_READ, &ladder, &why));
}

Test(store, nothing_there_to_read)
{
	expect_no_open(kit_path("none.db"), LADDER_READ, ERROR_INPUT,
		       "No such file");
	cr_assert_neq(access(kit_path("none.db"), F_OK), 0);
	expect_no_open(kit_path("no/folder.db"), LADDER_WRITE, ERROR_INPUT,
		       "No such file");
	expect_no_open(kit_path("no/folder.db"), LADDER_READ, ERROR_INPUT,
		       "No such file");
	kit_write_file(kit_path("file"), "x", 1);
	expect_no_open(kit_path("file/below.db"), LADDER_WRITE, ERROR_INPUT,
		       "Not a directory");
	expect_no_open(kit_path("records"), LADDER_WRITE, ERROR_INPUT,
		       "not a file");
	expect_no_open(kit_path("new/"), LADDER_WRITE, ERROR_INPUT,
		       "No such file");
}

/* ---- folders ---------------------------------------------------------- */

static void
find_path(int64_t in, char path[LADDER_PATH_BYTES])
{
	struct ladder_game game;

	kit_game(7, 7, &game);
	game.folder = in;
	OK(ladder_game_path(ladder, &game, path, &why));
	*strrchr(path, '/') = '\0';
}

Test(store, moved_with_its_folder_it_finds_its_records)
{
	char path[LADDER_PATH_BYTES], *moved;
	int64_t inside, itself, outside, again;

	cr_assert_eq(mkdir(kit_path("old"), 0755), 0);
	cr_assert_eq(mkdir(kit_path("old/deep"), 0755), 0);
	cr_assert_eq(mkdir(kit_path("older"), 0755), 0);
	OK(ladder_open(kit_path("old/l.db"), LADDER_WRITE, &ladder, &why));
	OK(ladder_folder(ladder, kit_path("old/deep"), &inside, &why));
	OK(ladder_folder(ladder, kit_path("old"), &itself, &why));
	OK(ladder_folder(ladder, kit_path("older"), &outside, &why));
	cr_assert_eq(
		KIND(ladder_folder(ladder, kit_path("old/l.db"), &again, &why)),
		ERROR_INPUT);
	cr_assert_eq(
		KIND(ladder_folder(ladder, kit_path("none"), &again, &why)),
		ERROR_INPUT);
	close_ladder();
	cr_assert_eq(rename(kit_path("old"), kit_path("new")), 0);
	OK(ladder_open(kit_path("new/l.db"), LADDER_WRITE, &ladder, &why));
	find_path(inside, path);
	moved = realpath(kit_path("new/deep"), NULL);
	cr_assert_str_eq(path, moved);
	free(moved);
	find_path(itself, path);
	moved = realpath(kit_path("new"), NULL);
	cr_assert_str_eq(path, moved);
	free(moved);
	find_path(outside, path);
	moved = realpath(kit_path("older"), NULL);
	cr_assert_str_eq(path, moved);
	free(moved);
	OK(ladder_folder(ladder, kit_path("new/deep"), &again, &why));
	cr_assert_eq(again, inside);
}

static void
rate_thirty(void)
{
	open_ladder();
	write_records(1, 30);
	cr_assert_eq(kit_follow(ladder), 30);
	close_ladder();
}

/* ---- seasons ----------------------------------------------------------- */

static void rate_heir(uint32_t number, const char *bot, const char *heir_of,
		      struct ladder_game *game);

static void
count_entries(void *arg, const struct ladder_entry *entry)
{
	unsigned *count = arg;

	++*count;
	cr_expect_leq(entry->rating_milli, LADDER_START_MILLI_MAX);
	cr_expect_geq(entry->rating_milli, 0);
}

/* Ratings of less than 0 and more than any rating that is told stay within bounds, at
 * both ends. */
Test(store, a_season_halves_every_rating_and_keeps_within_bounds)
{
	const struct ladder_founding how = { .k_milli = -1, .start_milli = -1 };
	struct ladder_founding season = how;
	struct ladder *old, *new;
	struct ladder_game game;
	unsigned count = 0;

	rate_thirty();
	kit_execute(kit_path("ladder.db"),
		    "UPDATE rating SET milli = -3000000 WHERE bot = 1;"
		    "UPDATE rating SET milli = 99000000 WHERE bot = 2;"
		    "UPDATE rating SET milli = 1499997 WHERE bot = 3");
	OK(ladder_open(kit_path("ladder.db"), LADDER_READ, &old, &why));
	cr_expect_str_eq(ladder_season(old)->name, "");
	season.after = old;
	season.season = "spring";
	OK(ladder_found(kit_path("new.db"), &season, &new, &why));
	OK(ladder_entries(new, count_entries, &count, &why));
	cr_expect_gt(count, 5);
	kit_game(30, 1, &game); /* of bots that have played there */
	kit_rate(new, &game, 1);
	for (unsigned s = 0; s < game.seats; s++)
		cr_expect_neq(game.seat[s].before_milli, LADDER_START_MILLI);
	ladder_close(new);
	ladder_close(old);
	OK(ladder_open(kit_path("new.db"), LADDER_WRITE, &new, &why));
	cr_expect_str_eq(ladder_season(new)->name, "spring");
	ladder_close(new);
	cr_expect_eq(KIND(ladder_found(kit_path("new.db"), &how, &new, &why)),
		     ERROR_INPUT);
}

static void
tell_entry(void *arg, const struct ladder_entry *entry)
{
	text_fmt(arg, "%s %s %u %d %s %lld\n", entry->pool.game,
		 entry->pool.options, entry->pool.seats, entry->pool.arrival,
		 entry->bot, (long long)entry->rating_milli);
}

static void
expect_same_entries(struct ladder *one, struct ladder *other)
{
	struct text a = { .max = 1 << 20 }, b = { .max = 1 << 20 };

	OK(ladder_entries(one, tell_entry, &a, &why));
	OK(ladder_entries(other, tell_entry, &b, &why));
	cr_expect_gt(a.used, 100);
	cr_expect_str_eq(text_string(&a), text_string(&b));
	text_release(&a);
	text_release(&b);
}

Test(store, a_ladder_that_is_lost_begins_as_it_began)
{
	struct ladder_founding how = { .season = "spring",
				       .k_milli = 12000,
				       .start_milli = -1 };
	struct ladder *old, *new, *again;
	struct ladder_season season;
	struct text told, second;

	rate_thirty();
	text_init(&told, 1 << 20);
	text_init(&second, 1 << 20);
	OK(ladder_open(kit_path("ladder.db"), LADDER_READ, &old, &why));
	how.after = old;
	OK(ladder_found(kit_path("new.db"), &how, &new, &why));
	OK(ladder_founding_tell(new, &told, &why));
	OK(ladder_founding_season(&told, &season, &why));
	cr_expect_str_eq(season.name, "spring");
	cr_expect_str_eq(season.after, ladder_id(old));
	cr_assert_eq(mkdir(kit_path("again.db.records"), 0755), 0);
	OK(ladder_founding_keep(&told, kit_path("again.db.records"), &why));
	OK(ladder_founding_keep(&told, kit_path("again.db.records"), &why));
	OK(ladder_open(kit_path("again.db"), LADDER_WRITE, &again, &why));
	OK(ladder_founding_tell(again, &second, &why));
	cr_expect_str_eq(text_string(&second), text_string(&told));
	cr_expect_str_eq(ladder_id(again), ladder_id(new));
	cr_expect_str_eq(ladder_created(again), ladder_created(new));
	cr_expect_str_eq(ladder_season(again)->name, "spring");
	cr_expect_str_eq(ladder_season(again)->after, ladder_id(old));
	expect_same_entries(again, new);
	cr_expect_gt(second.used, 500); /* with entries */
	ladder_close(again);
	/* No new ladder is founded in its place. */
	cr_assert_eq(unlink(kit_path("again.db")), 0);
	FAILS(ladder_found(kit_path("again.db"), &how, &again, &why),
	      ERROR_INPUT, "another ladder's records");
	cr_expect_neq(access(kit_path("again.db"), F_OK), 0);
	ladder_close(new);
	ladder_close(old);
	text_release(&told);
	text_release(&second);
}

/* A bot enters a season with its own rating of the one before, with what the earlier
 * version has here or had there, or with the start rating. */
Test(store, a_bot_enters_a_season_with_what_it_had)
{
	static const char lines[] =
		"enter old 1400 2 priority toepen points=10 joker=no\n"
		"enter elder 1300.5 2 priority toepen points=10 joker=no\n"
		"enter own 1234.567 2 priority toepen points=10 joker=no\n"
		"enter other 1100 3 priority toepen points=10 joker=no\n";
	static const struct {
		const char *bot, *heir_of;
		int64_t milli;
	} cases[] = {
		{ "own", "elder", 1234567 },
		{ "old", "", 1400000 },
		{ "new", "old", 0 }, /* what that one has by then */
		{ "young", "elder", 1300500 },
		{ "other", "", LADDER_START_MILLI },
		{ "late", "nobody", LADDER_START_MILLI },
	};
	struct text text = { .max = 2048 };
	struct ladder_game game = { 0 };
	int64_t has = 0;
	size_t i;

	text_fmt(&text,
		 "ladder 1\nid %s\nladder %s\nserial 0\n"
		 "date 2026-11-21T09:00:00Z\nrating-k 16\n"
		 "rating-start 1500\nseason spring %s\n%send\n",
		 AN_ID, AN_ID, AN_ID, lines);
	OK(ladder_founding_keep(&text, kit_path("records"), &why));
	text_release(&text);
	open_ladder();
	for (i = 0; i < NELEM(cases); i++) {
		kit_game(9, (int64_t)i + 1, &game);
		snprintf(game.id, sizeof(game.id), "%032zx", i);
		cr_assert_eq(game.seats, 2);
		snprintf(game.game, sizeof(game.game), "toepen");
		snprintf(game.options, sizeof(game.options),
			 "points=10 joker=no");
		game.arrival = false;
		snprintf(game.seat[0].bot, sizeof(game.seat[0].bot), "%s",
			 cases[i].bot);
		snprintf(game.seat[0].heir_of, sizeof(game.seat[0].heir_of),
			 "%s", cases[i].heir_of);
		kit_rate(ladder, &game, 1);
		cr_expect_eq(game.seat[0].before_milli,
			     cases[i].milli > 0 ? cases[i].milli : has, "%s",
			     cases[i].bot);
		if (strcmp(cases[i].bot, "old") == 0)
			has = game.seat[0].before_milli +
			      game.seat[0].delta_milli;
	}
}

/* ---- writers and readers ---------------------------------------------- */

/* The present files may be those of another writer. */
Test(store, nothing_is_removed_without_the_lock)
{
	const char *path = kit_path("ladder.db");
	const char *lock = kit_path("ladder.db.lock");
	struct stat st;
	int fd;

	cr_assert_eq(symlink("none.db", path), 0);
	fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	cr_assert(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0);
	expect_no_open(path, LADDER_WRITE, ERROR_MACHINE,
		       "is in use by another referee");
	cr_expect_eq(lstat(path, &st), 0, "the file is gone");
	cr_expect_eq(lstat(lock, &st), 0, "the lock is gone");
	close(fd);
}

/* The files came with a foreign ladder. */
Test(store, what_lies_beside_harms_no_other_file)
{
	static const unsigned char magic[] = { 0xd9, 0xd5, 0x05, 0xf9,
					       0x20, 0xa1, 0x63, 0xd7 };
	char path[512];
	char journal[600];

	snprintf(path, sizeof(path), "%s", kit_path("ladder.db"));
	ladder_close(kit_open(&folder));
	kit_write_file(kit_path("mine"), "text", 4);
	cr_assert_eq(unlink(kit_path("ladder.db.lock")), 0);
	cr_assert_eq(symlink("mine", kit_path("ladder.db.lock")), 0);
	expect_no_open(path, LADDER_WRITE, ERROR_INPUT, "is a link");
	cr_assert_eq(unlink(kit_path("ladder.db.lock")), 0);
	cr_assert_eq(link(kit_path("mine"), kit_path("ladder.db.lock")), 0);
	expect_no_open(path, LADDER_WRITE, ERROR_INPUT, "is a link");
	cr_assert_eq(unlink(kit_path("ladder.db.lock")), 0);
	cr_expect(kit_file_equals(kit_path("mine"), "text", 4));
	memset(journal, 'x', sizeof(journal));
	memcpy(journal + sizeof(journal) - sizeof(magic), magic, sizeof(magic));
	kit_write_file(kit_path("ladder.db-journal"), journal, sizeof(journal));
	expect_no_open(path, LADDER_WRITE, ERROR_INPUT, "is not its own");
	expect_no_open(path, LADDER_READ, ERROR_INPUT, "is not its own");
	kit_write_file(kit_path("ladder.db-journal"), "", 0);
	ladder_close(kit_open(&folder));
}

Test(store, numbers_beyond_their_limits_are_damage)
{
	static const char *const bad[] = {
		"UPDATE setting SET k_milli = -1",
		"UPDATE setting SET k_milli = 1000001",
		"UPDATE setting SET k_milli = 0, start_milli = 9999001",
		"UPDATE setting SET start_milli = -1",
	};
	char path[512];
	int64_t k, start;
	size_t i;

	snprintf(path, sizeof(path), "%s", kit_path("ladder.db"));
	for (i = 0; i < NELEM(bad); i++) {
		ladder_close(kit_open(&folder));
		kit_execute(path, bad[i]);
		open_ladder();
		FAILS(ladder_settings(ladder, &k, &start, &why), ERROR_INPUT,
		      "beyond its limits");
		close_ladder();
	}
	kit_execute(path, "UPDATE meta SET last = 1000000000001");
	expect_no_open(path, LADDER_READ, ERROR_INPUT, "beyond its limits");
	kit_execute(path, "UPDATE meta SET last = -1");
	expect_no_open(path, LADDER_WRITE, ERROR_INPUT, "beyond its limits");
	kit_execute(path, "UPDATE meta SET last = 1000000000000");
	ladder_close(kit_open(&folder));
}

Test(store, two_writers_but_any_number_of_readers)
{
	const char *path = kit_path("ladder.db"), *alias = kit_path("alias.db");
	struct ladder *writer, *reader;
	char pid[32];

	writer = kit_open(&folder);
	snprintf(pid, sizeof(pid), "(process %ld)", (long)getpid());
	expect_no_open(path, LADDER_WRITE, ERROR_MACHINE,
		       "is in use by another referee");
	TELLS(pid);
	cr_assert_eq(symlink(path, alias), 0);
	expect_no_open(alias, LADDER_WRITE, ERROR_MACHINE, pid);
	OK(ladder_open(path, LADDER_READ, &reader, &why));
	ladder_close(reader);
	ladder_close(writer);
	OK(ladder_open(path, LADDER_WRITE, &writer, &why));
	ladder_close(writer);
}

Test(store, records_lie_beside_the_file_that_a_link_names)
{
	char dir[LADDER_PATH_BYTES], *real;

	ladder_close(kit_open(&folder));
	real = realpath(kit_path("records"), NULL);
	cr_assert_eq(mkdir(kit_path("links"), 0700), 0);
	cr_assert_eq(symlink("../ladder.db", kit_path("links/cup.db")), 0);
	cr_assert(ladder_records_beside(kit_path("links/cup.db"), dir));
	cr_assert_str_eq(dir, real);
	free(real);
}

Test(store, a_reader_sees_one_moment)
{
	const char *path = kit_path("ladder.db"), *before;
	struct ladder *reader;

	open_ladder();
	rate(ladder, 1);
	OK(ladder_open(path, LADDER_READ, &reader, &why));
	before = kit_describe(reader);
	rate(ladder, 2);
	kit_expect(reader, before);
	ladder_close(reader);
	OK(ladder_open(path, LADDER_READ, &reader, &why));
	cr_assert_str_neq(kit_describe(reader), before);
	ladder_close(reader);
}

/* ---- rating ----------------------------------------------------------- */

Test(store, rates_as_elo_says)
{
	static const int64_t delta[] = { 8000, -2667, -5333 };
	struct ladder_game game;
	unsigned i;

	open_ladder();
	kit_game(1, 0, &game);
	cr_assert_eq(game.seats, 3);
	for (i = 0; i < 3; i++)
		game.seat[i].place = (int)i + 1;
	game.seat[1].place = 2;
	kit_rate(ladder, &game, 1);
	/* 16/2 * 1/2 from each: +4 +4, -4 +4, -4 -4. */
	cr_assert_eq(game.seat[0].delta_milli, delta[0]);
	cr_assert_eq(game.seat[1].delta_milli, 0);
	cr_assert_eq(game.seat[2].delta_milli, -8000);
	cr_assert_eq(game.seat[2].before_milli, 1500000);
}

static void
rate_pairs(struct ladder *its, unsigned at_once)
{
	struct ladder_game game[60];
	uint32_t i;

	for (i = 0; i < NELEM(game); i++)
		kit_game(i + 1, 0, &game[i]);
	for (i = 0; i < NELEM(game); i += at_once)
		kit_rate(its, &game[i], at_once);
}

Test(store, many_in_a_transaction_are_as_one_each)
{
	struct ladder *one, *many;

	OK(ladder_open(kit_path("one.db"), LADDER_WRITE, &one, &why));
	OK(ladder_open(kit_path("many.db"), LADDER_WRITE, &many, &why));
	rate_pairs(one, 1);
	rate_pairs(many, 30);
	kit_expect(many, kit_describe(one));
	cr_assert_not_null(strstr(kit_describe(one), "game 60 "));
	ladder_close(one);
	ladder_close(many);
}

Test(store, a_game_counts_once)
{
	struct ladder_game game, again;
	const char *before;

	open_ladder();
	kit_game(5, 0, &game);
	OK(ladder_game_find(ladder, game.id, &again, &why));
	kit_rate(ladder, &game, 1);
	before = kit_describe(ladder);

	kit_game(5, 0, &again);
	kit_rate(ladder, &again, 1);
	cr_assert_eq(again.seat[0].delta_milli, game.seat[0].delta_milli);
	cr_assert_eq(again.seat[1].before_milli, 1500000);
	cr_assert_eq(ladder_game_find(ladder, game.id, &again, &why),
		     LADDER_FOUND);
	cr_assert_eq(again.serial, game.serial);
	kit_expect(ladder, before);
}

/* Expects the game to be refused with what stands before and behind it in its group. */
static void
expect_refused(const struct ladder_game *game, const char *part)
{
	struct ladder_game group[3];
	const char *before = kit_describe(ladder);

	kit_game(101, 0, &group[0]);
	group[1] = *game;
	kit_game(103, 0, &group[2]);
	FAILS(kit_try_rate(ladder, group, 3, &why), ERROR_INPUT, part);
	cr_assert_eq(ladder_last(ladder), 1);
	kit_expect(ladder, before);
}

Test(store, refuses_what_cannot_be_rated_and_goes_on)
{
	struct ladder_game game;

	open_ladder();
	rate(ladder, 1);
	kit_game(2, 0, &game);
	game.seats = 1;
	expect_refused(&game, " has 1 seats");
	kit_game(2, 0, &game);
	game.seat[1].place = (int)game.seats + 1;
	expect_refused(&game, "a place from 1 to");
	kit_game(2, 0, &game);
	game.seat[0].bot[0] = '\0';
	expect_refused(&game, "seat 0 needs a bot");
	kit_game(2, 0, &game);
	game.game[0] = '\0';
	expect_refused(&game, "without id, name or serial");
	rate(ladder, 2);
	cr_assert_eq(ladder_last(ladder), 2);
	cr_assert_not_null(strstr(kit_describe(ladder), "game 1 "));
	cr_assert_not_null(strstr(kit_describe(ladder), "game 2 "));
}

static void
add_rating(void *arg, const struct ladder_standing *standing)
{
	int64_t *sum = arg;

	*sum += standing->rating_milli - 1500000;
}

static void
check_pool(void *arg, const struct ladder_pool *pool)
{
	struct ladder_pool found = *pool;
	int64_t sum = 0;

	(void)arg;
	found.number = 0;
	OK(ladder_standings(ladder, pool->number, add_rating, &sum, &why));
	cr_assert_eq(sum, 0);
	OK(ladder_pool_find(ladder, &found, &why));
	cr_assert_eq(found.number, pool->number);
	found.seats = 8;
	OK(ladder_pool_find(ladder, &found, &why));
	cr_assert_eq(found.number, 0);
}

Test(store, ratings_of_a_pool_keep_their_sum)
{
	uint32_t i;

	open_ladder();
	for (i = 0; i < 600; i++)
		rate(ladder, i);
	OK(ladder_pools(ladder, check_pool, NULL, &why));
}

/* A bot that sits twice gains from itself what it loses to itself. */
Test(store, a_bot_against_itself_stays)
{
	struct ladder_game game;

	open_ladder();
	kit_game(3, 0, &game);
	cr_assert_eq(game.seats, 2);
	memcpy(game.seat[1].bot, game.seat[0].bot, sizeof(game.seat[1].bot));
	game.seat[0].place = 1;
	game.seat[1].place = 2;
	kit_rate(ladder, &game, 1);
	cr_assert_not_null(strstr(kit_describe(ladder),
				  " 1500000 games 2 wins 1 places 3 "
				  "halves 2 entered 1 faults 0 0 "
				  "0 0\n"));
}

Test(store, equal_ratings_share_a_rank)
{
	struct ladder_game game;

	open_ladder();
	kit_game(2, 0, &game);
	cr_assert_eq(game.seats, 4);
	snprintf(game.seat[0].bot, sizeof(game.seat[0].bot), "zoe");
	game.seat[0].place = 1;
	game.seat[1].place = 4;
	game.seat[2].place = game.seat[3].place = 2;
	snprintf(game.seat[1].bot, sizeof(game.seat[1].bot), "abe");
	snprintf(game.seat[2].bot, sizeof(game.seat[2].bot), "two");
	snprintf(game.seat[3].bot, sizeof(game.seat[3].bot), "one");
	kit_rate(ladder, &game, 1);
	cr_assert_not_null(strstr(kit_describe(ladder), "\n1 zoe 1508001 "));
	cr_assert_not_null(strstr(kit_describe(ladder), "\n2 one 1500000 "));
	cr_assert_not_null(strstr(kit_describe(ladder), "\n2 two 1500000 "));
	cr_assert_not_null(strstr(kit_describe(ladder), "\n4 abe 1491999 "));
}

static void
count_setting(void *arg, const struct ladder_setting *setting)
{
	int64_t *sum = arg;

	*sum = 10 * *sum + setting->from_serial;
}

struct found {
	const char *bot;
	struct ladder_standing standing;
};

static void
find_standing(void *arg, const struct ladder_standing *standing)
{
	struct found *found = arg;

	if (strcmp(standing->bot, found->bot) == 0)
		found->standing = *standing;
}

/* Returns how a bot stands in the first pool. */
static struct ladder_standing
standing_of(const char *bot)
{
	struct found found = { .bot = bot };

	OK(ladder_standings(ladder, 1, find_standing, &found, &why));
	return found.standing;
}

/* `bot` in place of the bot at seat 0, as an heir of `heir_of`. */
static void
rate_heir(uint32_t number, const char *bot, const char *heir_of,
	  struct ladder_game *game)
{
	kit_game(1, 0, game); /* of one pool */
	snprintf(game->id, sizeof(game->id), "%032u", number);
	snprintf(game->seat[0].bot, sizeof(game->seat[0].bot), "%s", bot);
	snprintf(game->seat[0].heir_of, sizeof(game->seat[0].heir_of), "%s",
		 heir_of);
	kit_rate(ladder, game, 1);
}

/* ---- who is ranked ---------------------------------------------------- */

/* A game of `first` and `ada` that ended on that day. */
static void
rate_on(uint32_t number, const char *first, unsigned day)
{
	struct ladder_game game;

	kit_game(3 * number, number, &game);
	snprintf(game.seat[0].bot, sizeof(game.seat[0].bot), "%s", first);
	snprintf(game.seat[1].bot, sizeof(game.seat[1].bot), "ada");
	snprintf(game.ended, sizeof(game.ended), "2026-01-%02uT12:00:00Z", day);
	kit_rate(ladder, &game, 1);
}

static void
write_marks(void *arg, const struct ladder_standing *standing)
{
	fprintf(arg, "%s%s:%s ", standing->rank > 0 ? "" : "-", standing->bot,
		ladder_mark_name(standing->mark));
}

/* Expects the bots in the order of their ratings, each with its mark, and a minus if it
 * has no rank. */
static void
expect_marks(const char *wanted)
{
	char *text = NULL;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	OK(ladder_standings(ladder, 1, write_marks, to, &why));
	fclose(to);
	cr_expect_str_eq(text, wanted);
	free(text);
}

static struct ladder_known
mark_cyd(void *arg, const char *bot)
{
	return (struct ladder_known){
		.mark = strcmp(bot, "cyd") == 0 ? *(enum ladder_mark *)arg
						: LADDER_PLAYS,
	};
}

/* Knows the bots in this list, from the one that played first to the last, as versions
 * of one bot. */
static struct ladder_known
know_versions(void *arg, const char *bot)
{
	const char *at = strstr(arg, bot);

	return at == NULL
		       ? (struct ladder_known){ .of = 0 }
		       : (struct ladder_known){
				 .of = 7, .turn = 1 + (at - (const char *)arg)
			 };
}

Test(store, who_plays_no_more_is_marked_and_then_not_ranked)
{
	enum ladder_mark mark = LADDER_DISABLED;

	open_ladder();
	kit_set(ladder, 0, 1500000); /* by name */
	rate_on(1, "bob", 1);
	rate_on(2, "cyd", 2);
	rate_on(3, "ada", 31);
	expect_marks("ada: bob: cyd: ");
	OK(ladder_rank_for(ladder, 31, &why));
	expect_marks("ada: bob:inactive cyd:inactive ");
	OK(ladder_rank_for(ladder, 30, &why));
	expect_marks("ada: cyd:inactive -bob:inactive ");
	ladder_mark_by(ladder, mark_cyd, &mark);
	expect_marks("ada: -bob:inactive -cyd:disabled ");
	OK(ladder_rank_for(ladder, 0, &why));
	expect_marks("ada: bob: -cyd:disabled ");
	mark = LADDER_REMOVED;
	OK(ladder_rank_for(ladder, 29, &why));
	expect_marks("ada: -bob:inactive -cyd:removed ");
	ladder_mark_by(ladder, NULL, NULL);
	OK(ladder_rank_for(ladder, 3, &why));
	rate_on(4, "bob", 29); /* an earlier date: the clock was set
				        * back */
	expect_marks("ada: bob: -cyd:inactive ");
	OK(ladder_rank_for(ladder, 0, &why));
	expect_marks("ada: bob: cyd: ");
	cr_expect_eq(KIND(ladder_rank_for(ladder, -1, &why)), ERROR_INPUT);
	cr_expect_eq(
		KIND(ladder_rank_for(ladder, LADDER_RANKED_DAYS_MAX + 1, &why)),
		ERROR_INPUT);
	OK(ladder_rank_for(ladder, LADDER_RANKED_DAYS_MAX, &why));
}

static void
add_anchors(struct ladder_anchors *anchors, const char *first,
	    const char *second)
{
	*anchors = (struct ladder_anchors){ .count = 0 };
	OK(ladder_anchor_add(anchors, first, &why));
	OK(ladder_anchor_add(anchors, second, &why));
}

static void
expect_anchors(struct ladder *its, const struct ladder_anchors *wanted)
{
	struct ladder_anchors anchors;

	OK(ladder_anchors(its, &anchors, &why));
	cr_expect(ladder_anchors_same(&anchors, wanted));
}

Test(store, anchors_stay)
{
	struct ladder_anchors none = { .count = 0 }, first, second;
	struct ladder_founding season = { .k_milli = -1,
					  .start_milli = -1,
					  .season = "spring" };
	struct ladder *new;

	open_ladder();
	expect_anchors(ladder, &none);
	add_anchors(&first, "b=1000", "a=12.5");
	cr_expect_str_eq(first.at[0].bot, "a");
	cr_expect_eq(first.at[0].milli, 12500);
	OK(ladder_set_anchors(ladder, &first, &why));
	expect_anchors(ladder, &first);
	OK(ladder_set_anchors(ladder, &first, &why));
	add_anchors(&second, "b=1000", "a=12.501");
	cr_expect_not(ladder_anchors_same(&first, &second));
	OK(ladder_set_anchors(ladder, &second, &why));
	season.after = ladder;
	OK(ladder_found(kit_path("new.db"), &season, &new, &why));
	expect_anchors(new, &second);
	ladder_close(new);
	close_ladder();
	OK(ladder_open(kit_path("ladder.db"), LADDER_READ, &ladder, &why));
	expect_anchors(ladder, &second);
	close_ladder();
	OK(ladder_open(kit_path("ladder.db"), LADDER_WRITE, &ladder, &why));
	OK(ladder_set_anchors(ladder, &none, &why));
	expect_anchors(ladder, &none);
}

/* The next fit uses them; until then the last one stays. */
Test(store, other_anchors_need_another_fit)
{
	struct ladder_anchors first, second;
	struct fit_settings settings;
	struct fit_kept *kept;
	struct fit *fit;

	open_ladder();
	rate_on(1, "bob", 1);
	rate_on(2, "bob", 2);
	add_anchors(&first, "ada=1000", "nobody=1");
	OK(ladder_set_anchors(ladder, &first, &why));
	OK(fit_settings_of(ladder, &settings, &why));
	OK(fit_pool(ladder, 1, &settings, NULL, &fit, &why));
	fit_keep(fit, ladder, 1);
	fit_free(fit);
	add_anchors(&second, "bob=2000", "nobody=1");
	OK(ladder_set_anchors(ladder, &second, &why));
	kept = fit_recall_any(ladder, 1);
	cr_assert_not_null(kept);
	cr_expect_eq(fit_kept_find(kept, "ada")->rating, 1000);
	cr_expect(fit_is_fixed(fit_kept_find(kept, "ada")));
	fit_kept_free(kept);
	OK(fit_recall(ladder, 1, &kept, &why));
	cr_expect_eq(fit_kept_find(kept, "bob")->rating, 2000);
	cr_expect_not(fit_is_fixed(fit_kept_find(kept, "ada")));
	fit_kept_free(kept);
}

Test(store, seven_days_are_long)
{
	open_ladder();
	kit_set(ladder, 0, 1500000);
	OK(ladder_rank_for(ladder, 30, &why));
	rate_on(1, "bob", 1);
	rate_on(2, "cyd", LADDER_INACTIVE_DAYS);
	expect_marks("ada: bob: cyd: ");
	rate_on(3, "cyd", 1 + LADDER_INACTIVE_DAYS);
	expect_marks("ada: bob:inactive cyd: ");
}

static void
write_heads(void *arg, const struct ladder_standing *standing)
{
	if (standing->superseded_by[0] != '\0')
		fprintf(arg, "%s by %s, ", standing->bot,
			standing->superseded_by);
	cr_expect_eq(standing->superseded_by[0] != '\0',
		     standing->mark == LADDER_SUPERSEDED);
}

/* Expects who supersedes whom if the roster has these versions. */
static void
expect_heads(const char *versions, const char *wanted)
{
	char *text = NULL, names[64];
	size_t n;
	FILE *to = open_memstream(&text, &n);

	snprintf(names, sizeof(names), "%s", versions);
	ladder_mark_by(ladder, *versions == '\0' ? NULL : know_versions, names);
	OK(ladder_standings(ladder, 1, write_heads, to, &why));
	fclose(to);
	cr_expect_str_eq(text, wanted, "%s: %s", versions, text);
	free(text);
	ladder_mark_by(ladder, NULL, NULL);
}

static void
expect_rank(const char *bot, unsigned rank)
{
	cr_expect_eq(standing_of(bot).rank, rank, "%s: %u", bot,
		     standing_of(bot).rank);
}

/* The version in the pool that played last stands for the bot. */
Test(store, one_version_stands_for_a_bot)
{
	struct ladder_game game;

	open_ladder();
	kit_set(ladder, 0, 1500000); /* by name */
	rate_heir(1, "v1", "", &game);
	expect_heads("", "");
	rate_heir(2, "v2", "v1", &game);
	expect_heads("", "v1 by v2, ");
	expect_heads("v1 v2", "v1 by v2, ");
	expect_heads("v2 v1", "v2 by v1, ");
	expect_heads("v1 v2 elsewhere", "v1 by v2, ");
	expect_heads("v2 v1 elsewhere", "v2 by v1, ");
	rate_heir(3, "v3", "v1", &game);
	expect_heads("", "v1 by v3, ");
	expect_heads("v2 v1 v3", "v1 by v3, v2 by v3, ");
	expect_heads("v3 v1 v2", "v1 by v2, v3 by v2, ");
	rate_heir(4, "v4", "v3", &game);
	expect_heads("", "v1 by v4, v3 by v4, ");
	expect_heads("v2 v4", "v1 by v4, v2 by v4, v3 by v4, ");
}

/* A version whose author went back to one that has no games here. */
Test(store, the_only_version_in_a_pool_stands_for_the_bot)
{
	char versions[] = "new old";
	struct ladder_game game;

	open_ladder();
	kit_set(ladder, 0, 1500000);
	rate_heir(1, "new", "old", &game);
	expect_heads(versions, "");
	OK(ladder_keep_marks(ladder, know_versions, versions, &why));
	expect_heads("", "");
	rate_heir(2, "old", "", &game);
	expect_heads(versions, "new by old, ");
}

/* The best version has no rank if it does not play, and the next fit passes it over. */
Test(store, a_superseded_version_has_no_rank)
{
	char versions[] = "v2 v1";
	struct fit_settings settings;
	struct ladder_game game;
	struct fit_kept *kept;
	struct fit *fit;
	unsigned ranked = 0, lowest = 99;

	open_ladder();
	rate_heir(1, "v1", "", &game);
	for (uint32_t i = 2; i < 6; i++)
		rate_heir(i, "v2", "v1", &game);
	expect_rank("v1", 0);
	expect_rank("v2", 1);
	OK(fit_settings_of(ladder, &settings, &why));
	OK(fit_pool(ladder, 1, &settings, NULL, &fit, &why));
	fit_keep(fit, ladder, 1);
	fit_free(fit);
	ladder_mark_by(ladder, know_versions, versions);
	expect_rank("v1", 2); /* a rival leads */
	expect_rank("v2", 0);
	OK(fit_recall(ladder, 1, &kept, &why));
	for (unsigned i = 0; i < kept->count; i++) {
		ranked += kept->row[i].best > 0;
		if (kept->row[i].best > 0 && kept->row[i].best < lowest)
			lowest = kept->row[i].best;
	}
	cr_expect_eq(ranked, kept->count - 1);
	cr_expect_eq(lowest, 1);
	cr_expect_eq(fit_kept_find(kept, "v2")->best, 0);
	cr_expect_gt(fit_kept_find(kept, "v1")->best, 0);
	fit_kept_free(kept);
}

Test(store, kept_marks_tell_which_version_stands)
{
	char versions[] = "new old";
	struct ladder_game game;

	open_ladder();
	kit_set(ladder, 0, 1500000);
	rate_heir(1, "old", "", &game);
	rate_heir(2, "new", "old", &game);
	OK(ladder_keep_marks(ladder, know_versions, versions, &why));
	expect_heads("", "new by old, ");
}

/* ---- faults ----------------------------------------------------------- */

Test(store, faults_are_counted_by_bot_and_kind)
{
	struct ladder_game game;
	unsigned i;

	open_ladder();
	for (i = 1; i <= 2; i++) {
		kit_game(3 * i, i, &game);
		snprintf(game.seat[0].bot, sizeof(game.seat[0].bot), "old");
		memset(game.seat[0].faults, 0, sizeof(game.seat[0].faults));
		game.seat[0].faults[FAULT_TIMEOUT] = i;
		game.seat[0].faults[FAULT_CRASH] = 3;
		kit_rate(ladder, &game, 1);
	}
	for (enum fault fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
		cr_expect_eq(standing_of("old").faults[fault],
			     fault == FAULT_TIMEOUT ? 3
			     : fault == FAULT_CRASH ? 6
						    : 0,
			     "%s", fault_name(fault));
}

Test(store, an_heir_enters_with_the_rating_of_who_was_before_it)
{
	struct ladder_game game;
	int64_t after;
	uint32_t i;

	open_ladder();
	rate_heir(1, "old", "", &game);
	after = game.seat[0].before_milli + game.seat[0].delta_milli;
	cr_assert_neq(after, 1500000);
	rate_heir(2, "new", "old", &game);
	cr_expect_eq(game.seat[0].before_milli, after);
	after += game.seat[0].delta_milli;
	rate_heir(3, "new", "old", &game);
	cr_expect_eq(game.seat[0].before_milli, after, "once, and no more");
	rate_heir(4, "other", "nobody", &game);
	cr_expect_eq(game.seat[0].before_milli, 1500000);
	for (i = 5; i < 5 + LADDER_PROVISIONAL - 3; i++)
		rate_heir(i, "new", "old", &game);
	cr_expect_eq(standing_of("new").games, LADDER_PROVISIONAL - 1);
	cr_expect_str_eq(standing_of("new").heir_of, "old");
	cr_expect(standing_of("new").provisional);
	rate_heir(i, "new", "old", &game);
	cr_expect_not(standing_of("new").provisional);
	cr_expect_str_eq(standing_of("other").heir_of, "");
	cr_expect(standing_of("other").provisional,
		  "no heir, but of few games");
	cr_expect_eq(standing_of("old").mark, LADDER_SUPERSEDED);
	cr_expect_not(standing_of("old").provisional, "it plays no more");
}

Test(store, settings_hold_from_the_next_game_on)
{
	static const int64_t bad[][2] = { { -1, 0 },
					  { LADDER_K_MILLI_MAX + 1, 0 },
					  { 16000, -1 },
					  { 16000,
					    LADDER_START_MILLI_MAX + 1 } };
	struct ladder_log *log;
	size_t i;
	struct ladder_game game;
	int64_t sum = 0, k, start;

	open_ladder();
	rate(ladder, 3);
	kit_set(ladder, 40000, 1000000);
	OK(ladder_settings(ladder, &k, &start, &why));
	cr_assert(k == 40000 && start == 1000000);
	kit_game(9, 0, &game);
	cr_assert_eq(game.seats, 2);
	memcpy(game.seat[0].bot, "new", 4);
	memcpy(game.seat[1].bot, "also", 5);
	game.seat[0].place = 1;
	game.seat[1].place = 2;
	kit_rate(ladder, &game, 1);
	cr_assert_eq(game.seat[0].before_milli, 1000000);
	cr_assert_eq(game.seat[0].delta_milli, 20000);
	OK(ladder_settings_log(ladder, count_setting, &sum, &why));
	cr_assert_eq(sum, 2); /* the founding, and behind a game */
	log = kit_log(ladder);
	for (i = 0; i < NELEM(bad); i++)
		cr_assert_eq(KIND(ladder_set(ladder, log, bad[i][0], bad[i][1],
					     &why)),
			     ERROR_INPUT);
	OK(ladder_set(ladder, log, 0, 0, &why));
	OK(ladder_set(ladder, log, LADDER_K_MILLI_MAX, LADDER_START_MILLI_MAX,
		      &why));
	ladder_log_free(log);
}

/* ---- reading ---------------------------------------------------------- */

static void
count_game(void *arg, const struct ladder_game *game)
{
	unsigned *count = arg, i;
	bool sat = false;

	for (i = 0; i < game->seats; i++)
		sat |= strcmp(game->seat[i].bot, "ada") == 0;
	count[0]++;
	count[1] += sat;
}

Test(store, history_is_the_games_of_one_bot)
{
	unsigned all[2] = { 0 }, ada[2] = { 0 };

	open_ladder();
	rate_pairs(ladder, 60);
	OK(ladder_games(ladder, NULL, 0, count_game, all, &why));
	OK(ladder_games(ladder, "ada", 0, count_game, ada, &why));
	cr_assert_eq(all[0], 60);
	cr_assert(ada[0] > 0 && ada[0] < 60);
	cr_assert(ada[0] == all[1] && ada[1] == all[1]);
	FAILS(ladder_games(ladder, "nobody", 0, count_game, all, &why),
	      ERROR_INPUT, "no bot nobody");
}

Test(store, a_backup_is_a_ladder)
{
	const char *path = kit_path("copy.db");
	struct ladder *copy;

	open_ladder();
	rate_pairs(ladder, 60);
	OK(ladder_backup(ladder, path, &why));
	FAILS(ladder_backup(ladder, path, &why), ERROR_INPUT, path);
	OK(ladder_open(path, LADDER_READ, &copy, &why));
	kit_expect(copy, kit_describe(ladder));
	ladder_close(copy);
}

static void *
rate_elsewhere(void *arg)
{
	rate_pairs(arg, 10);
	return NULL;
}

Test(store, another_thread_may_write)
{
	pthread_t thread;

	open_ladder();
	cr_assert_eq(pthread_create(&thread, NULL, rate_elsewhere, ladder), 0);
	cr_assert_eq(pthread_join(thread, NULL), 0);
	cr_assert_not_null(strstr(kit_describe(ladder), "game 60 "));
}

/* ---- a record that was not kept ---------------------------------------- */

Test(store, a_game_without_a_record_is_not_rebuilt)
{
	static const struct ladder_rebuilding how = { .accept = true };
	struct ladder_game game;

	open_ladder();
	kit_game(1, 1, &game);
	kit_rate(ladder, &game, 1);
	FAILS(rebuild(&how), ERROR_ANSWER, "no record");
}
