/* tests/unit/test-prune.c - pruned records keep their result. */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ladder/pack.h"
#include "protocol/asks.h"
#include "protocol/fault.h"
#include "protocol/file.h"
#include "protocol/prune.h"
#include "protocol/record.h"
#include "referee/scheduler/scheduler-prune.h"
#include "tests/unit/ladder-kit.h"

#define VECTORS SOURCE_DIR "/tests/vectors"

static unsigned pruned, refused, faults;

static void
same_result(const struct record *record, const struct record *other,
	    const char *path)
{
	long points[2][SEATS_MAX];
	int place[2][SEATS_MAX];
	struct error why;
	unsigned s;

	cr_assert_eq(record_places(record, place[0], points[0], &why), 0);
	OK(record_places(other, place[1], points[1], &why));
	for (s = 0; s < record->seats; s++) {
		cr_assert_eq(place[0][s], place[1][s], "%s, seat %u", path, s);
		cr_assert_eq(points[0][s], points[1][s], "%s, seat %u", path,
			     s);
	}
}

/* Returns how many faults there are, which must be the same in both. */
static unsigned
same_faults(const struct record *record, const struct record *other,
	    const char *path)
{
	const struct record *const of[2] = { record, other };
	unsigned kinds[2][SEATS_MAX][FAULT_KINDS] = { 0 }, seat, r, i, all = 0;
	const struct record_line *line;
	enum fault fault;

	for (r = 0; r < 2; r++) {
		for (i = 0; i < of[r]->bodies; i++) {
			line = &of[r]->body[i];
			if (!fault_line(line->text, line->n, &seat, &fault))
				continue;
			kinds[r][seat][fault]++;
			all += r;
		}
	}
	cr_assert_eq(memcmp(kinds[0], kinds[1], sizeof(kinds[0])), 0, "%s",
		     path);
	faults += all;
	return all;
}

static void
prune(const char *path)
{
	unsigned char hash[RECORD_HASH_BYTES], was[RECORD_HASH_BYTES];
	struct record *record, *other;
	struct error why;
	struct text text;

	OK(record_read(path, &record, &why));
	text_init(&text, RECORD_BYTES);
	cr_assert_not(record_pruned(record, hash));
	if (record_prune(record, &text, &why) < 0) {
		cr_assert_not_null(record->aborted, "%s: %s", path, why.text);
		cr_assert_eq(text.used, 0);
		refused++;
	} else {
		OK(record_parse(text.bytes, text.used, &other, &why));
		cr_assert(record_pruned(other, hash));
		record_hash(record, was);
		cr_assert_eq(memcmp(hash, was, sizeof(hash)), 0);
		cr_assert_eq(other->bodies,
			     other->seats + same_faults(record, other, path));
		cr_assert_str_eq(other->id, record->id);
		same_result(record, other, path);
		cr_assert_eq(record_prune(other, &text, &why), -1, "twice");
		record_free(other);
		pruned++;
	}
	text_release(&text);
	record_free(record);
}

Test(prune, the_result_stays)
{
	glob_t files;
	size_t i;

	cr_assert_eq(glob(VECTORS "/*.rec", 0, NULL, &files), 0);
	for (i = 0; i < files.gl_pathc; i++)
		prune(files.gl_pathv[i]);
	globfree(&files);
	cr_assert_gt(pruned, 40);
	cr_assert_gt(refused, 3);
	cr_assert_gt(faults, 10);
}

Test(prune, a_hash_of_another_form_is_none)
{
	static const char text[] = "record 1\nid x\ngame toepen\nseats 2\n"
				   "option points 15\nbot 0 a\nbot 1 b\n"
				   "pruned 12\n\nresult 0 1 0\nresult 1 2 0\n";
	unsigned char hash[RECORD_HASH_BYTES];
	struct error why;
	struct record *record;

	OK(record_parse(text, strlen(text), &record, &why));
	cr_assert_not(record_pruned(record, hash));
	record_free(record);
}

/* ---- a ladder's folder ------------------------------------------------- */

#define DAY INT64_C(86400)
#define NOW INT64_C(1800000000)

static struct ladder *ladder;
static int64_t rated_until; /* serial */
static int64_t records;	    /* the folder's number */

static void
date(int64_t when, char text[LADDER_DATE_BYTES])
{
	time_t seconds = (time_t)when;
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, LADDER_DATE_BYTES, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

/* Rates a game that ended then, with its record. */
static void
rate(int64_t ended)
{
	struct ladder_game game;

	rated_until++;
	kit_game((uint32_t)rated_until, rated_until, &game);
	game.folder = records;
	date(ended, game.ended);
	cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
	kit_hash(&game, ladder_id(ladder));
	kit_rate(ladder, &game, 1);
}

/* Rates a game of each of the last days. */
static void
rate_days(unsigned days)
{
	for (unsigned i = 0; i < days; i++)
		rate(NOW - (days - i) * DAY);
}

/* Aborts a game that ended then. */
static void
abort_one(const char *name, int64_t ended)
{
	char text[512], when[LADDER_DATE_BYTES];

	date(ended, when);
	snprintf(text, sizeof(text),
		 "record 1\nid %032d\ngame toepen\nseats 2\noption points 10\n"
		 "option joker no\nbot 0 a\nbot 1 b\nended %s\n"
		 "aborted shutdown\n\n",
		 0, when);
	kit_write_file(kit_pathf("records/%s", name), text, strlen(text));
}

static void
begin_ladder(void)
{
	kit_begin();
	rated_until = 0;
	ladder = kit_open(&records);
}

static void
end_ladder(void)
{
	ladder_close(ladder);
	kit_end();
}

TestSuite(prune, .init = begin_ladder, .fini = end_ladder);

static struct scheduler_prune_done
run(unsigned days, int64_t now, unsigned least)
{
	struct scheduler_prune_order order = { .days = days,
					       .now = now,
					       .least = least };
	char file[512], dir[512];
	struct scheduler_prune_done done;

	snprintf(file, sizeof(file), "%s", kit_path("ladder.db"));
	snprintf(dir, sizeof(dir), "%s", kit_path("records"));
	order.ladder = file;
	order.dir = dir;
	scheduler_prune_now(&order, &done);
	cr_assert_not(done.failed, "%s", done.why.text);
	return done;
}

/* Returns true if the record of that serial is pruned. */
static bool
is_pruned(int64_t serial)
{
	char name[LADDER_FILE_BYTES], path[LADDER_PATH_BYTES];
	struct error why;
	unsigned char hash[RECORD_HASH_BYTES];
	struct ladder_game game;
	struct record *record;
	bool is;

	kit_game((uint32_t)serial, serial, &game);
	ladder_file_name(ENTRY_GAME, serial, game.id, name);
	cr_assert(packed_find(kit_path("records"), name, path));
	OK(packed_record(NULL, path, &record, &why));
	is = record_pruned(record, hash);
	record_free(record);
	return is;
}

/* Expects the records from 1 on to be pruned, and no others. */
static void
expect_pruned(int64_t until)
{
	int64_t serial;

	for (serial = 1; serial <= rated_until; serial++)
		cr_expect_eq(is_pruned(serial), serial <= until, "%d",
			     (int)serial);
}

Test(prune, what_is_older_than_its_days)
{
	rate_days(40);
	/* 39 days of games after the first one, one after the last but one. */
	cr_expect_eq(run(30, NOW, 1000).pruned, 10);
	expect_pruned(10);
	cr_expect_eq(run(30, NOW, 1000).pruned, 0, "once");
	cr_expect_eq(run(29, NOW, 1000).pruned, 1);
}

/* Packs the records that are in files of their own, with invalid asks.  If
 * `last` is 0, the pack is open and goes up to `until`. */
static void
pack_up(int64_t first, int64_t last, int64_t until)
{
	char name[PACK_NAME_BYTES], file[LADDER_FILE_BYTES],
		asks[LADDER_FILE_BYTES + 1];
	struct text tar = { .max = PACK_BYTES_MAX }, text;
	struct pack_range range = { first, last };
	struct ladder_game game;
	int64_t serial;

	for (serial = first; serial <= (last > 0 ? last : until); serial++) {
		kit_game((uint32_t)serial, serial, &game);
		ladder_file_name(ENTRY_GAME, serial, game.id, file);
		text_init(&text, RECORD_BYTES);
		cr_assert_eq(file_load(kit_pathf("records/%s", file), &text),
			     0);
		cr_assert_eq(unlink(kit_pathf("records/%s", file)), 0);
		pack_add(&tar, file, text.bytes, text.used);
		cr_assert(asks_path(file, asks, sizeof(asks)));
		pack_add(&tar, asks, "asks", 4);
		text_release(&text);
	}
	pack_name(range, name);
	if (last > 0)
		cr_assert_eq(
			pack_write(kit_pathf("records/%s", name), &tar, NULL),
			0);
	else
		kit_write_file(kit_pathf("records/%s", name), tar.bytes,
			       tar.used);
	text_release(&tar);
}

/* Expects the pack to have this many records and asks. */
static void
expect_members(const char *pack, unsigned records_, unsigned asks)
{
	struct text tar = { 0 };
	struct pack_member member;
	unsigned count[ENTRY_OTHER + 1] = { 0 };
	size_t at = 0;
	int left;

	cr_assert_eq(pack_load(kit_path(pack), &tar), 0);
	while ((left = pack_next(&tar, &at, &member)) > 0)
		count[member.kind]++;
	cr_expect_eq(left, 0);
	cr_expect_eq(count[ENTRY_GAME], records_);
	cr_expect_eq(count[ENTRY_ASKS], asks);
	cr_expect_eq(count[ENTRY_VOID], 0);
	text_release(&tar);
}

Test(prune, records_in_packs)
{
	struct scheduler_prune_done done;
	rate_days(40);
	pack_up(1, 8, 0);
	pack_up(9, 15, 0);
	pack_up(16, 0, 20);
	done = run(30, NOW, 3);
	cr_expect_eq(done.pruned, 3);
	cr_expect(done.more);
	cr_expect_eq(run(30, NOW, 1000).pruned, 7);
	expect_pruned(10);
	expect_members("records/00000001-00000008.tar.gz", 8, 0);
	expect_members("records/00000009-00000015.tar.gz", 7, 5);
	cr_expect_eq(run(30, NOW, 1000).pruned, 0, "once");
	cr_expect_eq(run(22, NOW, 1000).pruned, 5, "an open one is left alone");
	expect_pruned(15);
	expect_members("records/00000016-.tar", 5, 5);
}

/* A void is kept however old it is, in a pack or a file of its own. */
Test(prune, a_void_is_kept)
{
	static const char pack[] = "records/00000001-00000008.tar.gz";
	struct text void_text = { .max = 1024 }, tar = { 0 }, more;
	char name[LADDER_FILE_BYTES];
	struct pack_member member;
	unsigned voids = 0;
	size_t at = 0;

	rate_days(40);
	kit_void(4, 1, ladder_id(ladder), name, &void_text);
	kit_write_file(kit_pathf("records/%s", name), void_text.bytes,
		       void_text.used);
	pack_up(1, 8, 0);
	cr_assert_eq(pack_load(kit_path(pack), &tar), 0);
	more = (struct text){ .max = PACK_BYTES_MAX };
	pack_add(&more, name, void_text.bytes, void_text.used);
	while (pack_next(&tar, &at, &member) > 0) {
		pack_add(&more, member.name, member.bytes, member.used);
		if (member.kind == ENTRY_ASKS)
			pack_add(&more, name, void_text.bytes, void_text.used);
	}
	cr_assert_eq(pack_write(kit_path(pack), &more, NULL), 0);
	cr_expect_eq(run(30, NOW, 1000).pruned, 10);
	expect_pruned(10);
	text_clear(&tar);
	cr_assert_eq(pack_load(kit_path(pack), &tar), 0);
	for (at = 0; pack_next(&tar, &at, &member) > 0;) {
		cr_expect_neq(member.kind, ENTRY_ASKS);
		if (member.kind != ENTRY_VOID)
			continue;
		voids++;
		cr_expect_str_eq(member.name, name);
		cr_expect(member.used == void_text.used &&
			  memcmp(member.bytes, void_text.bytes, member.used) ==
				  0);
	}
	cr_expect_eq(voids, 9);
	cr_expect(kit_file_equals(kit_pathf("records/%s", name),
				  void_text.bytes, void_text.used));
	text_release(&void_text);
	text_release(&more);
	text_release(&tar);
}

/* The open pack is still compared with it. */
Test(prune, a_pack_that_is_just_closed_must_wait)
{
	struct text tar = { 0 };
	rate_days(40);
	pack_up(1, 8, 0);
	cr_assert_eq(
		pack_load(kit_path("records/00000001-00000008.tar.gz"), &tar),
		0);
	kit_write_file(kit_path("records/00000001-.tar"), tar.bytes, tar.used);
	cr_expect_eq(run(30, NOW, 1000).pruned, 2);
	cr_assert_eq(unlink(kit_path("records/00000001-.tar")), 0);
	cr_expect_eq(run(30, NOW, 1000).pruned, 8);
	expect_pruned(10);
	text_release(&tar);
}

Test(prune, a_damaged_pack_stays_as_it_is)
{
	static const char path[] = "records/00000001-00000008.tar.gz";
	struct text bytes = { .max = PACK_BYTES_MAX };
	rate_days(40);
	pack_up(1, 8, 0);
	cr_assert_eq(file_load(kit_path(path), &bytes), 0);
	bytes.used -= 9;
	kit_write_file(kit_path(path), bytes.bytes, bytes.used);
	cr_expect_eq(run(30, NOW, 1000).pruned, 2, "the others go");
	cr_expect(kit_file_equals(kit_path(path), bytes.bytes, bytes.used));
	text_release(&bytes);
}

Test(prune, a_clock_ten_years_ahead_destroys_nothing)
{
	unsigned i;

	rate_days(20);
	cr_expect_eq(run(30, NOW + 3650 * DAY, 1000).pruned, 0, "at rest");
	for (i = 0; i < 3; i++)
		rate(NOW + 3650 * DAY + i);
	cr_expect_eq(run(30, NOW + 3650 * DAY, 1000).pruned, 0,
		     "nor when games are played by it");
	rate(NOW);
	cr_expect_eq(run(30, NOW, 1000).pruned, 0,
		     "nor when it is right again");
	expect_pruned(0);
}

Test(prune, a_clock_that_jumps_prunes_what_is_old_by_games)
{
	unsigned i;

	for (i = 0; i < 10; i++)
		rate(NOW - 1000 * DAY + (i % 2) * 3650 * DAY);
	/* Five jumps ahead are five weeks; records from the future are not old. */
	cr_expect_eq(run(30, NOW, 1000).pruned, 1);
	cr_expect(is_pruned(1));
	cr_expect_not(is_pruned(2));
}

Test(prune, a_clock_that_is_behind_prunes_nothing)
{
	rate_days(40);
	cr_expect_eq(run(30, NOW - 3650 * DAY, 1000).pruned, 0);
}

Test(prune, a_ladder_that_rested_ages_by_a_week)
{
	unsigned i;

	for (i = 0; i < 5; i++)
		rate(NOW - 365 * DAY + i);
	cr_expect_eq(run(30, NOW, 1000).pruned, 0, "at rest");
	rate(NOW);
	cr_expect_eq(run(30, NOW, 1000).pruned, 0, "the first game after it");
	cr_expect_eq(run(7, NOW, 1000).pruned, 5, "seven days count");
}

Test(prune, a_run_has_a_limit)
{
	struct scheduler_prune_done done;
	cr_expect_eq(scheduler_prune_limit(1000, 0, 0), 1000);
	cr_expect_eq(scheduler_prune_limit(1000, 5000, 10 * DAY), 1000);
	cr_expect_eq(scheduler_prune_limit(1000, 5010, 10 * DAY), 1002);
	cr_expect_eq(scheduler_prune_limit(1000, UINT64_MAX / DAY, 1),
		     UINT32_MAX);
	rate_days(30);
	done = run(10, NOW, 7);
	cr_expect_eq(done.pruned, 7);
	cr_expect_eq(done.limit, 7);
	cr_expect(done.more);
	cr_expect_eq(run(10, NOW, 7).pruned, 7);
	done = run(10, NOW, 7);
	cr_expect_eq(done.pruned, 6);
	cr_expect_not(done.more);
	expect_pruned(20);
}

Test(prune, games_without_a_serial_are_as_old_as_the_others)
{
	static const char half[] = "records/x.rec" SCHEDULER_PRUNE_HALF;
	abort_one("old.rec", NOW - 35 * DAY);
	abort_one("young.rec", NOW - 25 * DAY);
	abort_one("other.txt", NOW - 35 * DAY);
	cr_expect_eq(run(30, NOW, 1000).pruned, 0, "none is rated");
	rate_days(35);
	kit_write_file(kit_path(half), "x", 1);
	cr_expect_eq(run(30, NOW, 1000).pruned, 6);
	cr_expect_neq(access(kit_path("records/old.rec"), F_OK), 0);
	cr_expect_eq(access(kit_path("records/young.rec"), F_OK), 0);
	cr_expect_eq(access(kit_path("records/other.txt"), F_OK), 0);
	cr_expect_neq(access(kit_path(half), F_OK), 0);
}

static void
put_asks(int64_t serial, char path[128])
{
	struct ladder_game game;
	char record[LADDER_FILE_BYTES], name[LADDER_FILE_BYTES + 1];

	kit_game((uint32_t)serial, serial, &game);
	ladder_file_name(ENTRY_GAME, serial, game.id, record);
	cr_assert(asks_path(record, name, sizeof(name)));
	snprintf(path, 128, "records/%s", name);
	kit_write_file(kit_path(path), "asks 1\n", 7);
}

Test(prune, asks_go_with_their_record)
{
	char old[128], young[128];

	for (unsigned i = 0; i < 40; i++)
		rate(NOW - (40 - i) * DAY);
	abort_one("old.rec", NOW - 35 * DAY);
	kit_write_file(kit_path("records/old.asks"), "asks 1\n", 7);
	put_asks(10, old);
	put_asks(11, young);
	cr_expect_eq(run(30, NOW, 1000).pruned, 11);
	cr_expect_neq(access(kit_path(old), F_OK), 0);
	cr_expect_eq(access(kit_path(young), F_OK), 0);
	cr_expect_neq(access(kit_path("records/old.asks"), F_OK), 0);
}

Test(prune, a_failure_is_told)
{
	struct scheduler_prune_order order = { .ladder = "/nowhere/ladder.db",
					       .dir = "/nowhere",
					       .days = 1,
					       .now = NOW,
					       .least = 1000 };
	char file[512];
	struct scheduler_prune_done done;

	scheduler_prune_now(&order, &done);
	cr_expect(done.failed);
	cr_expect_not_null(strstr(done.why.text, "/nowhere"));
	snprintf(file, sizeof(file), "%s", kit_path("ladder.db"));
	order.ladder = file;
	scheduler_prune_now(&order, &done);
	cr_expect(done.failed);
	cr_expect_not_null(strstr(done.why.text, "cannot prune /nowhere"));
}
