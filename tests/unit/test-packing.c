/* tests/unit/test-packing.c - the log in packs: how packs grow and are closed. */
#include <criterion/criterion.h>
#include <errno.h>
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/folder.h"
#include "ladder/pack.h"
#include "protocol/asks.h"
#include "protocol/file.h"
#include "referee/records/log-packs.h"
#include "referee/records/record-walk.h"
#include "tests/unit/one-ladder.h"

#define OTHER "fedcba9876543210fedcba9876543210"

/* ---- the log ---------------------------------------------------------- */

static struct ladder_log *packs;
/* A test's copy of a pack. */
static struct text tar = { .max = PACK_BYTES_MAX };

/* Opens the log, which is to go on with this serial. */
static void
begin(int64_t next)
{
	if (ladder == NULL)
		open_ladder();
	OK(log_packs_open(ladder, kit_path("records"), 0, &packs, &why));
	cr_assert_eq(packs->last, next - 1);
}

static void
end(void)
{
	ladder_log_free(packs);
	packs = NULL;
}

static const struct ladder_rebuilding gaps = { .gaps = true };

/* ---- groups ----------------------------------------------------------- */

struct made {
	struct log_entry entry; /* first */
	char id[ID_BYTES + 1];
	struct text text, asks;
};

/* Holds the entries to be appended next. */
static struct log_entry *group, **group_end = &group;

static void
forget(void)
{
	struct log_entry *next;
	struct made *made;

	for (; group != NULL; group = next) {
		next = group->next;
		made = (struct made *)group;
		text_release(&made->text);
		text_release(&made->asks);
		free(made);
	}
	group_end = &group;
}

static void
end_all(void)
{
	end();
	forget();
	text_release(&tar);
	end_ladder();
}

TestSuite(packing, .init = kit_begin, .fini = end_all);

static struct made *
add(enum entry_kind kind, int64_t serial)
{
	struct made *made = zeroed(1, sizeof(*made));

	made->text = (struct text){ .max = RECORD_BYTES };
	made->asks = (struct text){ .max = 64 };
	made->entry = (struct log_entry){ .kind = kind,
					  .serial = serial,
					  .id = made->id,
					  .text = &made->text,
					  .asks = &made->asks };
	*group_end = &made->entry;
	group_end = &made->entry.next;
	return made;
}

/* Makes the record of game `serial` of a ladder, and `bytes` more. */
static void
make_record(int64_t serial, const char *of, size_t bytes, char id[ID_BYTES + 1],
	    struct text *whole)
{
	struct ladder_game game;
	char text[8192];
	size_t header;

	kit_game((uint32_t)serial, serial, &game);
	kit_record_text(&game, of, text, sizeof(text));
	memcpy(id, game.id, sizeof(game.id));
	header = (size_t)(strstr(text, "\n\n") + 2 - text);
	text_add(whole, text, header);
	while (whole->used - header < bytes)
		text_str(whole, "note ; this is a long comment\n");
	text_str(whole, text + header);
}

/* Replaces the date of the line with this key. */
static void
change_date(struct text *entry, const char *key, const char *date)
{
	char *line = memmem(entry->bytes, entry->used, key, strlen(key));

	cr_assert_not_null(line);
	memcpy(line + strlen(key), date, strlen(date));
}

/* Adds a game; every second one has asks.  `ended` NULL: a date of the same minute. */
static void
add_game(int64_t serial, size_t bytes, const char *ended)
{
	struct made *made = add(ENTRY_GAME, serial);

	make_record(serial, ladder_id(ladder), bytes, made->id, &made->text);
	if (ended != NULL)
		change_date(&made->text, "\nended ", ended);
	if (serial % 2 == 0)
		text_fmt(&made->asks, "asks %" PRId64 "\n", serial);
}

/* Adds a void of game 1, which has no asks. */
static void
add_void(int64_t serial, const char *date)
{
	struct made *made = add(ENTRY_VOID, serial);
	char name[LADDER_FILE_BYTES];

	made->entry.asks = NULL;
	kit_void(serial, 1, ladder_id(ladder), name, &made->text);
	snprintf(made->id, sizeof(made->id), "%s", strchr(name, '-') + 1);
	change_date(&made->text, "\ndate ", date);
}

static void
add_games(int64_t first, int64_t last)
{
	for (; first <= last; first++)
		add_game(first, 0, NULL);
}

/* Appends the group; entries up to packs->last are durable. */
static int
append(void)
{
	const int result = packs->ops->append(packs, group, &why);
	const struct log_entry *entry;

	for (entry = group; entry != NULL; entry = entry->next)
		cr_expect_eq(entry->durable, entry->serial <= packs->last);
	cr_expect_eq(packs->here, packs->last);
	forget();
	return result;
}

static void
append_games(int64_t first, int64_t last)
{
	add_games(first, last);
	OK(append());
	cr_expect_eq(packs->last, last);
}

/* ---- packs ------------------------------------------------------------ */

static const char *
path_of(int64_t first, int64_t last)
{
	char name[PACK_NAME_BYTES];

	pack_name((struct pack_range){ first, last }, name);
	return kit_pathf("records/%s", name);
}

static bool
is_there(int64_t first, int64_t last)
{
	return access(path_of(first, last), F_OK) == 0;
}

/* Waits until the thread has removed the open pack: ten minutes at most. */
static void
wait_closed(int64_t first)
{
	for (unsigned i = 0; i < 600000 && is_there(first, 0); i++)
		usleep(1000); /* luck: it takes as long as it takes */
	cr_assert_not(is_there(first, 0), "%" PRId64, first);
}

/* Expects just these records in the pack, and the asks of every second one. */
static void
expect_pack(int64_t first, int64_t last, bool closed)
{
	struct text whole = { 0 };
	struct pack_member member;
	int64_t serial = first;
	size_t at = 0;
	int result;

	if (closed)
		wait_closed(first);
	cr_assert_eq(pack_load(path_of(first, closed ? last : 0), &whole), 0,
		     "%s", strerror(errno));
	while ((result = pack_next(&whole, &at, &member)) > 0) {
		cr_expect_eq(member.serial, serial);
		if (member.kind == ENTRY_GAME && serial % 2 == 0)
			continue;
		cr_expect_eq(member.kind == ENTRY_ASKS, serial % 2 == 0);
		serial++;
	}
	cr_expect_eq(result, 0);
	cr_expect_eq(serial, last + 1);
	text_release(&whole);
}

/* Counts them without the ladder's founding. */
static unsigned
count_files(void)
{
	DIR *dir = opendir(kit_path("records"));
	struct dirent *entry;
	unsigned count = 0;

	cr_assert_not_null(dir);
	while ((entry = readdir(dir)) != NULL)
		count += entry->d_name[0] != '.' &&
			 !folder_ends_in(entry->d_name, ".ladder");
	closedir(dir);
	return count;
}

Test(packing, asks_that_are_torn_are_left_out)
{
	struct made *made;
	struct log_entry *read;

	begin(1);
	add_game(1, 0, NULL);
	made = (struct made *)group;
	text_add(&made->asks, "asks 1\n\0\0", 9);
	add_game(2, 0, NULL);
	OK(append());
	expect_pack(1, 2, false);
	cr_assert_eq(packs->ops->read(packs, 0, &read, &why), 0);
	cr_assert_not_null(read);
	cr_expect_not_null(read->next);
	ladder_log_forget(read);
}

Test(packing, a_full_one_is_closed)
{
	begin(1);
	append_games(1, PACK_RECORDS - 1);
	end();
	cr_expect(is_there(1, 0));
	begin(PACK_RECORDS);
	append_games(PACK_RECORDS, PACK_RECORDS);
	expect_pack(1, PACK_RECORDS, true);
	append_games(PACK_RECORDS + 1, 2 * PACK_RECORDS + 1);
	expect_pack(PACK_RECORDS + 1, 2 * PACK_RECORDS, true);
	expect_pack(2 * PACK_RECORDS + 1, 2 * PACK_RECORDS + 1, false);
	end();
	cr_expect_eq(count_files(), 3);
}

Test(packing, a_long_one_is_closed)
{
	begin(1);
	add_game(1, PACK_BYTES - 8192, NULL);
	OK(append());
	cr_expect(is_there(1, 0));
	add_game(2, 8192, NULL);
	add_game(3, 2 * PACK_BYTES, NULL);
	OK(append());
	cr_expect_eq(packs->last, 3);
	expect_pack(1, 2, true);
	expect_pack(3, 3, true);
}

/* The log goes on with any part of the last group on disk. */
Test(packing, goes_on_behind_what_is_whole)
{
	size_t whole, n;

	begin(1);
	append_games(1, 2);
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	whole = tar.used;
	append_games(3, 3);
	end();
	text_clear(&tar);
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	for (n = whole; n < tar.used; n += 97) {
		kit_write_file(path_of(1, 0), tar.bytes, n);
		begin(3);
		cr_expect_null(packs->cut.copy);
		expect_pack(1, 2, false);
		append_games(3, 4);
		expect_pack(1, 4, false);
		end();
	}
	/* Not one record is whole. */
	kit_write_file(path_of(1, 0), tar.bytes, 700);
	begin(1);
	cr_expect_eq(count_files(), 0);
	append_games(1, 1);
	expect_pack(1, 1, false);
}

/* A day has ended, so a pack was begun beside one that is not full. */
Test(packing, goes_on_beside_one_without_an_entry)
{
	begin(1);
	append_games(1, 2);
	end();
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	kit_write_file(path_of(3, 0), tar.bytes, 700);
	begin(3);
	cr_expect_not(is_there(3, 0));
	append_games(3, 4);
	expect_pack(1, 4, false);
	end();
	cr_expect_eq(count_files(), 1);
}

/* ---- packs that are not whole ------------------------------------------- */

/* Returns where the record of this serial begins in the pack. */
static size_t
find_record(int64_t serial)
{
	struct pack_member member;
	size_t at = 0, begin = 0;

	while (pack_next(&tar, &at, &member) > 0 &&
	       (member.serial != serial || member.kind != ENTRY_GAME))
		begin = at;
	cr_assert_lt(begin, tar.used);
	return begin;
}

/* Appends four games, each in a group of its own, ends, and loads the pack. */
static void
make_four(void)
{
	tar = (struct text){ .max = PACK_BYTES_MAX };
	begin(1);
	for (int64_t i = 1; i <= 4; i++)
		append_games(i, i);
	end();
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
}

static void
put_back(void)
{
	kit_write_file(path_of(1, 0), tar.bytes, tar.used);
}

/* Damages a byte of a record's header in the tar file, or of its text. */
static void
damage(int64_t serial, bool text)
{
	tar.bytes[find_record(serial) + (text ? PACK_BLOCK + 100 : 5)] = '\0';
	put_back();
}

static void
start_again(void)
{
	text_release(&tar);
	begin_again();
}

static int
follow(void)
{
	followed = 0;
	return ladder_follow(ladder, packs, NULL, &followed, &why);
}

static void
expect_copy(const char *end)
{
	char *path = formatted("%s.damaged%s", path_of(1, 0), end);

	cr_expect(kit_file_equals(path, tar.bytes, tar.used));
	cr_assert_not_null(packs->cut.copy);
	cr_expect_str_eq(packs->cut.copy, path);
	free(path);
}

/* Expects the ladder to tell that the pack is damaged, and to leave it. */
static void
expect_told(const char *part)
{
	FAILS(follow(), ERROR_INPUT, part);
	TELLS("00000001-.tar is damaged");
	cr_expect_null(packs->cut.copy);
	end();
	cr_expect(kit_file_equals(path_of(1, 0), tar.bytes, tar.used));
	cr_expect_eq(count_files(), 1);
}

/* Expects that a rebuild passes over as many damaged entries, up to `last`. */
static void
expect_gaps(unsigned count, int64_t last)
{
	OK(rebuild(&gaps));
	cr_expect_eq(rebuilt.gaps, count);
	cr_expect_eq(ladder_last(ladder), last);
}

/* Appends the next game, which the ladder follows. */
static void
go_on(int64_t serial)
{
	append_games(serial, serial);
	OK(follow());
	end();
}

static void
expect_lost(unsigned count, int64_t last)
{
	begin(last + 1);
	expect_told("");
	expect_gaps(count, last);
	begin(last + 1);
	go_on(last + 1);
}

/* The ladder has all entries: it misses none. */
Test(packing, a_damaged_one_stays_as_it_is)
{
	make_four();
	begin(5);
	OK(follow());
	end();
	damage(3, false);
	begin(5);
	append_games(5, 5);
	OK(follow());
	cr_expect_null(packs->cut.copy);
	end();
	cr_expect(kit_file_equals(path_of(1, 0), tar.bytes, tar.used));
	expect_pack(5, 5, false);
	cr_expect_eq(count_files(), 2);
}

/* The entries behind the damaged one are taken.  The log ends with them, so their
 * serials are not used again. */
Test(packing, a_damaged_entry_is_missed)
{
	for (int text = 0; text < 2; text++) {
		make_four();
		damage(3, text == 1);
		begin(5);
		expect_told("entry 3 of");
		TELLS("ladder rebuild --gaps");
		expect_gaps(1, 4);
		cr_expect_eq(rebuilt.games, 3);
		begin(5);
		OK(follow());
		go_on(5);
		expect_pack(5, 5, false);
		start_again();
	}
}

/* The ladder has the damaged entry, but not the one behind it. */
Test(packing, what_lies_behind_a_damaged_entry_is_folded)
{
	begin(1);
	append_games(1, 3);
	OK(follow());
	end();
	begin(4);
	append_games(4, 4);
	end();
	tar = (struct text){ .max = PACK_BYTES_MAX };
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	damage(3, false);
	begin(5);
	OK(follow());
	cr_expect_eq(ladder_last(ladder), 4);
}

/* Another log has the entries: they are cut off, and copied again. */
Test(packing, a_damaged_part_that_is_elsewhere_is_cut_off)
{
	/* The last one is damaged in its text, with its asks. */
	for (int64_t serial = 1; serial <= 4; serial += serial < 3 ? 2 : 1) {
		make_four();
		if (serial == 4)
			tar.bytes[tar.used - PACK_BLOCK + 2] = '\0';
		damage(serial, serial == 4);
		for (int64_t elsewhere = 3; elsewhere <= 4; elsewhere++) {
			OK(log_packs_open(ladder, kit_path("records"),
					  elsewhere, &packs, &why));
			cr_expect_eq(packs->last,
				     elsewhere == 3 ? 4 : serial - 1);
			cr_expect_eq(packs->cut.copy != NULL, elsewhere == 4);
			if (elsewhere == 4) {
				expect_copy("");
				cr_expect_eq(packs->cut.entries, 4 - serial);
				append_games(serial, 4);
				OK(follow());
				expect_pack(1, 4, false);
			}
			end();
		}
		start_again();
	}
}

/* A power cut may lose any sectors of the last group.  Nothing of the group was
 * safe, but that is not known for sure, so the pack is copied and that is told. */
Test(packing, what_a_power_cut_has_torn_is_kept_before_it_is_cut)
{
	size_t begins;

	make_four();
	begins = find_record(3);
	for (unsigned i = 0; i < 2; i++) {
		/* The header is lost; then the first sector of the text. */
		memset(tar.bytes + begins + i * PACK_BLOCK, 0, PACK_BLOCK);
		put_back();
		begin(3);
		expect_copy(i == 0 ? "" : ".2");
		cr_expect_eq(packs->cut.entries, 1);
		cr_expect_eq(packs->cut.bytes, (int64_t)(tar.used - begins));
		OK(follow());
		end();
		expect_pack(1, 2, false);
		if (i == 0) { /* again, after a cut before the pack was cut */
			put_back();
			begin(3);
			expect_copy("");
			end();
		}
	}
	cr_expect_eq(count_files(), 3);
	begin(3);
	append_games(3, 3);
	cr_expect_null(packs->cut.copy);
	end();
	expect_pack(1, 3, false);
}

/* Bots may have been told the result of the damaged entry, so its serial is not
 * used again. */
Test(packing, a_damaged_end_is_missed_as_well)
{
	for (int text = 0; text < 2; text++) {
		make_four();
		tar.used = find_record(4);
		damage(3, text == 1);
		begin(4);
		expect_told("entry 3 of");
		FAILS(rebuild(NULL), ERROR_ANSWER, "serial 3,");
		expect_gaps(1, 3);
		cr_expect_eq(rebuilt.games, 2);
		begin(4);
		expect_copy("");
		cr_expect_eq(packs->cut.entries, 0);
		expect_pack(1, 2, true);
		end();
		/* Nothing in the folder tells of the hole any more. */
		FAILS(rebuild(NULL), ERROR_ANSWER, "serial 3,");
		expect_gaps(1, 3);
		begin(4);
		go_on(4);
		cr_expect_eq(count_files(), 3);
		start_again();
	}
}

/* Leaves only the entries up to `last` in the pack. */
static void
take_away_behind(int64_t last)
{
	if (last < 4)
		tar.used = find_record(last + 1);
}

/* Asks that are whole tell the serial of the first one, or the headers tell both. */
Test(packing, two_damaged_entries_at_the_end_are_missed)
{
	for (int64_t first = 2; first <= 3; first++) {
		make_four();
		take_away_behind(first + 1);
		if (first == 3) /* its asks */
			tar.bytes[tar.used - PACK_BLOCK + 2] = '\0';
		damage(first + 1, first == 3);
		damage(first, first == 3);
		expect_lost(2, first + 1);
		start_again();
	}
}

/* The header of its asks is damaged as well, but their text tells what they are. */
Test(packing, asks_behind_a_damaged_entry_are_no_entry)
{
	make_four();
	tar.bytes[tar.used - 2 * PACK_BLOCK + 5] = '\0';
	damage(4, true);
	expect_lost(1, 4);
}

/* The asks' header is whole, but more is damaged than these asks. */
Test(packing, an_entry_behind_damaged_asks_is_missed)
{
	size_t asks;

	make_four();
	take_away_behind(3);
	asks = find_record(3) - PACK_BLOCK;
	damage(3, false);
	tar.bytes[asks + 2] = '\0';
	put_back();
	expect_lost(1, 3);
}

/* Nothing is whole in the pack, or only the asks of what is not. */
Test(packing, a_damaged_end_without_an_entry_is_missed)
{
	for (int64_t serial = 1; serial <= 4; serial += 3) {
		make_four();
		if (serial == 1)
			tar.used = find_record(2);
		damage(serial, false);
		begin(serial + 1);
		expect_told("is damaged; restore it");
		expect_gaps(1, serial);
		begin(serial + 1);
		expect_copy("");
		if (serial == 4)
			expect_pack(1, 3, true);
		cr_expect_not(is_there(1, 0));
		go_on(serial + 1);
		start_again();
	}
}

/* The record is whole, so no result is lost. */
Test(packing, damaged_asks_at_the_end_are_kept_before_they_are_cut)
{
	make_four();
	tar.bytes[tar.used - PACK_BLOCK + 2] = '\0';
	put_back();
	begin(5);
	expect_copy("");
	cr_expect_eq(packs->cut.bytes, 2 * PACK_BLOCK);
	OK(follow());
	cr_expect_eq(ladder_last(ladder), 4);
}

/* A void in a file has taken the serial of what was cut. */
Test(packing, one_that_a_kill_has_torn_is_closed_behind_another_entry)
{
	begin(1);
	append_games(1, 3);
	end();
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	tar.used -= 700;
	put_back();
	write_records(3, 3);
	begin(4);
	expect_copy("");
	cr_expect_eq(packs->cut.entries, 0);
	expect_pack(1, 2, true);
	append_games(4, 4);
}

Test(packing, what_a_kill_left_of_closing_is_finished)
{
	unsigned i;

	begin(1);
	append_games(1, 4);
	end();
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	/* Both are there.  0: nothing else; otherwise an earlier version went
	 * on with files, 1: without closing the pack, 2: with half of it
	 * written. */
	for (i = 0; i < 3; i++) {
		kit_write_file(path_of(1, 0), tar.bytes, tar.used);
		unlink(path_of(1, 4));
		if (i == 0)
			cr_assert_eq(pack_write(path_of(1, 4), &tar, NULL), 0);
		if (i == 1)
			write_records(8, 8);
		if (i == 2)
			kit_write_file(kit_path("records/00000001-00000004."
						"tar.gz.tmp"),
				       "half", 4);
		begin(i == 0 ? 5 : 9);
		expect_pack(1, 4, true);
		end();
		cr_expect_eq(count_files(), i == 0 ? 1 : 2, "%u", i);
	}
	/* A different closed pack is left alone, and so is the open one. */
	kit_write_file(path_of(1, 0), tar.bytes, tar.used);
	text_clear(&tar);
	pack_add(&tar, "00000001-ff.rec", "x", 1);
	cr_assert_eq(pack_write(path_of(1, 4), &tar, NULL), 0);
	begin(9);
	append_games(9, PACK_RECORDS + 8);
	wait_closed(9); /* which comes behind it */
	end();
	cr_expect(is_there(1, 0) && is_there(1, 4));
}

/* The ladder went on without packs for a while. */
Test(packing, a_pack_has_no_gaps)
{
	begin(1);
	append_games(1, 2);
	end();
	write_records(3, 4);
	begin(5);
	append_games(5, 6);
	expect_pack(1, 2, true);
	expect_pack(5, 6, false);
}

/* This also holds after a restart of the program. */
Test(packing, a_pack_is_of_one_day)
{
	static const char first[] = "2026-11-21T09:00:10Z";
	static const char within[] = "2026-11-22T09:00:09Z";
	static const char next[] = "2026-11-22T09:00:10Z";
	static const char before[] = "2025-01-01T00:00:00Z";

	begin(1);
	cr_expect_eq(PACK_SECONDS, 24 * 60 * 60);
	add_game(1, 0, first);
	add_game(2, 0, within);
	add_game(3, 0, before);
	add_game(4, 0, next);
	OK(append());
	expect_pack(1, 3, true);
	expect_pack(4, 4, false);
	end();
	begin(5);
	add_game(5, 0, "2026-11-23T09:00:09Z");
	OK(append());
	add_game(6, 0, "2026-11-23T09:00:10Z");
	OK(append());
	expect_pack(4, 5, true);
	expect_pack(6, 6, false);
}

/* A void can be the first and the last of a pack, as a record can, and counts by its
 * date. */
Test(packing, a_void_stands_among_records)
{
	begin(1);
	add_void(1, "2026-11-21T09:00:10Z");
	add_game(2, 0, "2026-11-22T09:00:09Z");
	add_void(3, "2026-11-22T09:00:10Z");
	OK(append());
	expect_pack(1, 2, true);
	expect_pack(3, 3, false);
	end();
	begin(4);
	add_game(4, 0, "2026-11-23T09:00:09Z");
	add_void(5, "2026-11-23T09:00:10Z");
	OK(append());
	expect_pack(3, 4, true);
	expect_pack(5, 5, false);
}

static int
count_record(void *arg, const char *path, const struct text *text UNUSED)
{
	cr_expect(folder_ends_in(path, ".rec"), "%s", path);
	++*(unsigned *)arg;
	return 0;
}

static int
on_trouble(void *arg UNUSED, enum walk_trouble trouble UNUSED,
	   const struct error *reason)
{
	cr_expect(false, "%s", reason->text);
	return 0;
}

/* A reader finds the records around the void, and no hole. */
Test(packing, a_void_is_walked_over)
{
	struct pack_cache cache = { 0 };
	unsigned count = 0;
	const struct record_walk walk = { .record = count_record,
					  .trouble = on_trouble,
					  .arg = &count,
					  .cache = &cache };

	begin(1);
	add_void(1, "2026-11-21T09:00:10Z");
	add_games(2, 3);
	add_void(4, "2026-11-21T09:00:10Z");
	add_games(5, PACK_RECORDS - 1);
	add_void(PACK_RECORDS, "2026-11-21T09:00:10Z");
	add_void(PACK_RECORDS + 1, "2026-11-21T09:00:10Z");
	add_games(PACK_RECORDS + 2, PACK_RECORDS + 2);
	OK(append());
	wait_closed(1);
	end();
	cr_expect(is_there(1, PACK_RECORDS) && is_there(PACK_RECORDS + 1, 0));
	cr_expect_eq(record_walk(&walk, path_of(1, PACK_RECORDS)), 0);
	cr_expect_eq(count, PACK_RECORDS - 3);
	cr_expect_eq(record_walk(&walk, path_of(PACK_RECORDS + 1, 0)), 0);
	cr_expect_eq(count, PACK_RECORDS - 2);
	cr_expect_eq(record_walk(&walk, kit_path("records")), 0);
	cr_expect_eq(count, 2 * (PACK_RECORDS - 2));
	pack_cache_release(&cache);
}

Test(packing, the_pack_of_another_ladder_is_left_alone)
{
	char name[LADDER_FILE_BYTES], id[ID_BYTES + 1];
	struct text whole = { .max = RECORD_BYTES };

	begin(1);
	make_record(1, OTHER, 0, id, &whole);
	ladder_file_name(ENTRY_GAME, 1, id, name);
	pack_add(&tar, name, whole.bytes, whole.used);
	kit_write_file(path_of(1, 0), tar.bytes, tar.used);
	/* The name of a pack is not taken either. */
	add_games(1, 1);
	cr_expect_eq(append(), -1);
	TELLS(strerror(EEXIST));
	end();
	cr_expect(kit_file_equals(path_of(1, 0), tar.bytes, tar.used));
	write_records(1, 1);
	begin(2);
	append_games(2, PACK_RECORDS + 1);
	wait_closed(2);
	end();
	cr_expect(kit_file_equals(path_of(1, 0), tar.bytes, tar.used));
	text_release(&whole);
}

/* Two ladders may keep their records in one folder. */
Test(packing, the_damaged_end_of_another_ladder_is_no_loss)
{
	char name[LADDER_FILE_BYTES], id[ID_BYTES + 1];
	struct text whole = { .max = RECORD_BYTES };

	for (int64_t serial = 5; serial <= 6; serial++) {
		text_clear(&whole);
		make_record(serial, OTHER, 0, id, &whole);
		ladder_file_name(ENTRY_GAME, serial, id, name);
		pack_add(&tar, name, whole.bytes, whole.used);
	}
	tar.bytes[find_record(6) + 5] = '\0';
	begin(1);
	end();
	kit_write_file(path_of(5, 0), tar.bytes, tar.used);
	write_records(1, 1);
	begin(2);
	OK(follow());
	append_games(2, 2);
	end();
	cr_expect(kit_file_equals(path_of(5, 0), tar.bytes, tar.used));
	text_release(&whole);
}

/* A link to itself may hide an entry of this ladder. */
Test(packing, a_last_entry_that_cannot_be_read_is_told)
{
	char name[LADDER_FILE_BYTES];

	begin(1);
	end();
	ladder_file_name(ENTRY_GAME, 1, OTHER, name);
	cr_assert_eq(symlink(name, kit_pathf("records/%s", name)), 0);
	cr_expect_eq(
		log_packs_open(ladder, kit_path("records"), 0, &packs, &why),
		-1);
	TELLS(strerror(ELOOP));
}

/* A restored backup or a script replaces it. */
Test(packing, one_that_was_replaced_is_left)
{
	begin(1);
	append_games(1, 2);
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	cr_assert_eq(unlink(path_of(1, 0)), 0);
	kit_write_file(path_of(1, 0), tar.bytes, tar.used);
	append_games(3, 4);
	append_games(5, 5);
	expect_pack(1, 2, false);
	expect_pack(3, 5, false);
	cr_assert_eq(truncate(path_of(3, 0), 0), 0);
	append_games(6, 6);
	expect_pack(6, 6, false);
}

/* ---- a disk that is full ---------------------------------------------- */

static void
limit_files(rlim_t bytes)
{
	const struct rlimit limit = { bytes, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

Test(packing, a_group_that_does_not_fit_is_taken_back)
{
	begin(1);
	/* Not even the first entry fits. */
	limit_files(600);
	add_games(1, 2);
	FAILS(append(), ERROR_MACHINE, "/00000001-.tar: ");
	cr_expect_eq(packs->last, 0);
	cr_expect_eq(count_files(), 0);
	limit_files(100000);
	append_games(1, 3);
	/* The one that grows. */
	add_game(4, 0, NULL);
	add_game(5, 200000, NULL);
	cr_expect_eq(append(), -1);
	cr_expect_eq(packs->last, 3);
	expect_pack(1, 3, false);
	append_games(4, 4);
	expect_pack(1, 4, false);
	limit_files(RLIM_INFINITY);
}

/* Entries in packs that were full before it stay. */
Test(packing, a_group_of_which_the_end_does_not_fit)
{
	begin(1);
	limit_files(4 * PACK_BYTES);
	add_games(1, PACK_RECORDS);
	add_game(PACK_RECORDS + 1, 0, NULL);
	add_game(PACK_RECORDS + 2, 5 * PACK_BYTES, NULL);
	cr_expect_eq(append(), -1);
	cr_expect_eq(packs->last, PACK_RECORDS);
	limit_files(RLIM_INFINITY);
	append_games(PACK_RECORDS + 1, PACK_RECORDS + 2);
	expect_pack(1, PACK_RECORDS, true);
	expect_pack(PACK_RECORDS + 1, PACK_RECORDS + 2, false);
}

/* No room to compress: the open one stays, and is closed at the next start. */
Test(packing, one_that_cannot_be_closed_stays_open)
{
	static const char half[] = "records/00000001-00000256.tar.gz.tmp";

	begin(1);
	cr_assert_eq(mkdir(kit_path(half), 0700), 0);
	append_games(1, 2 * PACK_RECORDS + 1);
	wait_closed(PACK_RECORDS + 1); /* which comes behind it */
	end();
	expect_pack(1, PACK_RECORDS, false);
	cr_assert_eq(rmdir(kit_path(half)), 0);
	begin(2 * PACK_RECORDS + 2);
	expect_pack(1, PACK_RECORDS, true);
	end();
	expect_pack(PACK_RECORDS + 1, 2 * PACK_RECORDS, true);
	expect_pack(2 * PACK_RECORDS + 1, 2 * PACK_RECORDS + 1, false);
}
