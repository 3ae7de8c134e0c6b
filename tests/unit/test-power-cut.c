/* tests/unit/test-power-cut.c - what is safe stays safe, whatever a power cut takes,
 * and a disk that is full or fails costs nothing but time.
 *
 * Games are appended to a log and followed by a ladder on a disk that notes every
 * change (disk.h).  Then the disk is made as a cut after some change may have left
 * it, and the next life begins there. */
#include <criterion/criterion.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/file.h"
#include "referee/records/log-packs.h"
#include "tests/unit/disk.h"
#include "tests/unit/ladder-kit.h"

#define GROUPS 10
#define GROUP_MAX 4
#define CUTS 10 /* of each kind of loss, unless CHECK_ALL asks for all */

static struct error why;

static void
begin(void)
{
	cr_assert_geq(sodium_init(), 0);
	kit_begin();
}

static void
end(void)
{
	disk_leave();
	kit_end();
}

TestSuite(power_cut, .init = begin, .fini = end);

static void
make_temporary(char *path, size_t size)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(path, size, "%s/referee-cut-XXXXXX",
		 tmp != NULL ? tmp : "/tmp");
	cr_assert_not_null(mkdtemp(path));
}

/* ---- a life ----------------------------------------------------------- */

struct life {
	struct ladder *ladder;
	struct ladder_log *log;
};

static int
open_log(struct life *life, const char *records, bool packs)
{
	return packs ? log_packs_open(life->ladder, records, &life->log, &why)
		     : ladder_log_files(life->ladder, records, &life->log,
					&why);
}

static void
leave(struct life *life)
{
	ladder_log_free(life->log);
	ladder_close(life->ladder);
	*life = (struct life){ NULL, NULL };
}

/* Appends so many games, and lets the ladder follow. */
static int
play(struct life *life, unsigned games, uint32_t first)
{
	struct ladder_game game[GROUP_MAX];
	struct log_entry entry[GROUP_MAX];
	struct text text[GROUP_MAX];
	static char bytes[65536];
	unsigned i, count = 0;
	int result;

	for (i = 0; i < games; i++) {
		kit_game(first + i, life->log->last + 1 + i, &game[i]);
		kit_record_text(&game[i], ladder_id(life->ladder), bytes,
				sizeof(bytes));
		kit_hash(&game[i], ladder_id(life->ladder));
		text_init(&text[i], sizeof(bytes));
		text_str(&text[i], bytes);
		entry[i] = (struct log_entry){ .serial = game[i].serial,
					       .id = game[i].id,
					       .text = &text[i],
					       .game = &game[i] };
		if (i > 0)
			entry[i - 1].next = &entry[i];
	}
	result = life->log->ops->append(life->log, entry, &why);
	if (result == 0)
		result = ladder_follow(life->ladder, life->log, entry, &count,
				       &why);
	for (i = 0; i < games; i++)
		text_release(&text[i]);
	return result;
}

/* ---- what was safe, and when ------------------------------------------ */

struct safe {
	size_t changes; /* by then */
	int64_t serial; /* all up to this one were */
};

struct safes {
	struct safe at[GROUPS * 2 + 1];
	unsigned count;
};

static void
note_safe(struct safes *safes, const struct life *life)
{
	safes->at[safes->count++] =
		(struct safe){ disk_changes(), life->log->last };
}

static int64_t
safe_after(const struct safes *safes, size_t changes)
{
	int64_t serial = 0;

	for (unsigned i = 0; i < safes->count; i++)
		if (safes->at[i].changes <= changes)
			serial = safes->at[i].serial;
	return serial;
}

/* Games in groups, and now and then a void. */
static void
live(bool packs, struct safes *safes)
{
	struct life life = { NULL, NULL };
	struct ladder_voided voided;
	struct ladder_game game;
	uint32_t state = 7;
	unsigned i;

	cr_assert_eq(ladder_open(kit_path("ladder.db"), LADDER_WRITE,
				 &life.ladder, &why),
		     0, "%s", why.text);
	cr_assert_eq(open_log(&life, kit_path("records"), packs), 0, "%s",
		     why.text);
	for (i = 0; i < GROUPS; i++) {
		cr_assert_eq(play(&life, 1 + kit_random(&state, GROUP_MAX),
				  1000 + i * GROUP_MAX),
			     0, "%s", why.text);
		note_safe(safes, &life);
		if (i % 4 == 1) {
			cr_assert_eq(ladder_set(life.ladder, life.log, 1000 + i,
						1000000, &why),
				     0, "%s", why.text);
			note_safe(safes, &life);
		}
		if (i % 4 != 3)
			continue;
		kit_game(1000 + (i - 1) * GROUP_MAX, 1, &game);
		cr_assert_eq(ladder_void(life.ladder, life.log,
					 &(struct ladder_voiding){
						 .id = game.id, .why = "test" },
					 &voided, &why),
			     0, "%s", why.text);
		note_safe(safes, &life);
	}
	leave(&life);
}

/* ---- the next life ---------------------------------------------------- */

static void
expect_whole(struct life *life, size_t n, int loss)
{
	const struct ladder_rebuilding as_known = { .folders = NULL };
	struct ladder_rebuilt report;

	cr_assert_eq(ladder_last(life->ladder), life->log->last,
		     "cut %zu %d: the ladder has all of the log", n, loss);
	cr_assert_eq(ladder_missing(life->ladder), 0, "cut %zu %d", n, loss);
	cr_assert_eq(ladder_rebuild(life->ladder, &as_known, &report, &why), 0,
		     "cut %zu %d: %s", n, loss, why.text);
	cr_assert(report.added == 0 && report.altered == 0 &&
			  report.changed == 0 && report.gaps == 0,
		  "cut %zu %d: %u added, %u changed", n, loss, report.added,
		  report.changed);
}

/* Returns true if the ladder had something to follow. */
static bool
try_cut(const struct safes *safes, size_t n, int loss, bool packs,
	uint32_t *state)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	char to[256], sub[288], file[320], records[320];
	struct life life = { NULL, NULL };
	unsigned count = 0;
	size_t i;

	make_temporary(to, sizeof(to));
	snprintf(sub, sizeof(sub), "%s/d", to);
	snprintf(file, sizeof(file), "%s/ladder.db", sub);
	snprintf(records, sizeof(records), "%s/records", sub);
	disk_cut(n, loss, state, sub);
	(void)mkdir(records, 0700); /* its maker may not have come so far */
	/* The ladder's file may be lost as well: it is made again. */
	for (i = 0; n % 3 == 0 && i < NELEM(ends); i++) {
		char path[sizeof(file) + 8];

		snprintf(path, sizeof(path), "%s%s", file, ends[i]);
		(void)unlink(path);
	}
	cr_assert_eq(ladder_open(file, LADDER_WRITE, &life.ladder, &why), 0,
		     "cut %zu %d: %s", n, loss, why.text);
	cr_assert_eq(open_log(&life, records, packs), 0, "cut %zu %d: %s", n,
		     loss, why.text);
	cr_assert_eq(ladder_follow(life.ladder, life.log, NULL, &count, &why),
		     0, "cut %zu %d: %s", n, loss, why.text);
	cr_assert_geq(life.log->last, safe_after(safes, n),
		      "cut %zu %d: what was safe is there", n, loss);
	expect_whole(&life, n, loss);
	cr_assert_eq(play(&life, 2, 5000), 0, "cut %zu %d: it goes on: %s", n,
		     loss, why.text);
	expect_whole(&life, n, loss);
	leave(&life);
	kit_remove(to);
	return count > 0;
}

static void
cut_everywhere(bool packs)
{
	const bool all = getenv("CHECK_ALL") != NULL;
	struct safes safes = { .count = 0 };
	uint32_t state = 11, lost = 12;
	unsigned cuts = 0, behind[DISK_LOSSES] = { 0 };
	size_t changes, n;
	int loss;

	disk_watch(kit_path("."));
	live(packs, &safes);
	changes = disk_changes();
	cr_assert_gt(changes, 100);
	for (loss = 0; loss < DISK_LOSSES; loss++)
		for (n = all ? 0 : kit_random(&state, 8); n <= changes;
		     n += all ? 1
			      : 1 + kit_random(&state,
					       (uint32_t)changes / CUTS * 2)) {
			behind[loss] += try_cut(&safes, n, loss, packs, &lost);
			cuts++;
		}
	cr_log_info("%u cuts at %zu changes; the ladder was behind after %u, "
		    "%u, %u, %u",
		    cuts, changes, behind[0], behind[1], behind[2], behind[3]);
	/* Its database is not synced. */
	cr_assert_gt(behind[DISK_SYNCED], 0);
}

Test(power_cut, in_packs_nothing_safe_is_lost)
{
	cut_everywhere(true);
}

Test(power_cut, in_files_nothing_safe_is_lost)
{
	cut_everywhere(false);
}

/* ---- a disk that fails ------------------------------------------------ */

/* Opens both; once more, if the disk has failed meanwhile. */
static void
open_both(struct life *life, const char *file, const char *records, bool packs)
{
	for (int tries = 0; tries < 2; tries++) {
		if (ladder_open(file, LADDER_WRITE, &life->ladder, &why) == 0 &&
		    open_log(life, records, packs) == 0)
			return;
		disk_fail(0, 0);
		leave(life);
	}
	cr_assert_fail("%s", why.text);
}

/* From change `n` on all fails, until it is noticed. */
static void
try_failure(size_t n, int error, bool packs)
{
	char to[256], file[320], records[320];
	struct life life = { NULL, NULL };
	int64_t durable = 0;
	unsigned i, count;

	make_temporary(to, sizeof(to));
	snprintf(file, sizeof(file), "%s/ladder.db", to);
	snprintf(records, sizeof(records), "%s/records", to);
	cr_assert_eq(mkdir(records, 0700), 0);
	disk_watch(to);
	disk_fail(n, error);
	open_both(&life, file, records, packs);
	for (i = 0; i < 4; i++) {
		count = 0;
		if (play(&life, 2, i * 2) < 0) {
			disk_fail(0, 0);
			cr_assert_eq(ladder_follow(life.ladder, life.log, NULL,
						   &count, &why),
				     0, "failure %zu: %s", n, why.text);
		}
		cr_assert_geq(life.log->last, durable, "failure %zu", n);
		durable = life.log->last;
	}
	cr_assert_geq(durable, 6, "failure %zu: one group is lost at most", n);
	expect_whole(&life, n, error);
	leave(&life);
	open_both(&life, file, records, packs);
	cr_assert_eq(life.log->last, durable, "failure %zu", n);
	expect_whole(&life, n, error);
	leave(&life);
	disk_leave();
	kit_remove(to);
}

static void
fail_everywhere(int error, bool packs)
{
	const bool all = getenv("CHECK_ALL") != NULL;
	uint32_t state = 13;
	size_t n;

	for (n = 0; n < 130; n += all ? 1 : 1 + kit_random(&state, 19))
		try_failure(n, error, packs);
}

Test(power_cut, a_full_disk_loses_nothing_from_packs)
{
	fail_everywhere(ENOSPC, true);
}

Test(power_cut, a_full_disk_loses_nothing_from_files)
{
	fail_everywhere(ENOSPC, false);
}

Test(power_cut, a_disk_that_fails_loses_nothing_from_packs)
{
	fail_everywhere(EIO, true);
}

Test(power_cut, a_disk_that_fails_loses_nothing_from_files)
{
	fail_everywhere(EIO, false);
}
