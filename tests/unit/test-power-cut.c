/* tests/unit/test-power-cut.c - durable games survive kills and power cuts at
 * any moment, and a full or failing disk only costs time.
 *
 * Games are appended to a log and followed by a ladder on a disk that notes
 * every change (disk.h).  Then the test makes the disk as a cut after some
 * change may have left it, or kills the process there, and starts again. */
#include <criterion/criterion.h>
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "referee/records/log-packs.h"
#include "tests/unit/disk.h"
#include "tests/unit/ladder-kit.h"
#include "tests/unit/rounds.h"

#define GROUPS 10
#define GROUP_MAX 4
#define CUTS 8 /* of each kind */

#define DONE(call) cr_assert_eq(call, 0, "%s: %s", now, why.text)

static struct error why;
static char now[64]; /* the present case, for messages */

/* The folder that is watched. */
static const char *
home(void)
{
	return kit_path("home");
}

static void
begin(void)
{
	cr_assert_geq(sodium_init(), 0);
	kit_begin();
	cr_assert_eq(mkdir(home(), 0700), 0);
}

static void
end(void)
{
	disk_leave();
	kit_end();
}

TestSuite(power_cut, .init = begin, .fini = end);

/* The next change to try: some `step` away, or each in the long form. */
static size_t
later(size_t n, uint32_t *state, size_t step)
{
	const uint32_t most = check_is_all() ? 0 : (uint32_t)step * 2;

	return n + 1 + (most == 0 ? 0 : kit_random(state, most));
}

/* ---- a life ----------------------------------------------------------- */

struct life {
	struct ladder *ladder;
	struct ladder_log *log;
};

static void
leave(struct life *life)
{
	ladder_log_free(life->log);
	ladder_close(life->ladder);
	*life = (struct life){ NULL, NULL };
}

/* Opens the ladder in this folder, and its log. */
static int
enter(struct life *life, const char *dir, bool packs)
{
	char file[320], records[320];
	int result;

	snprintf(file, sizeof(file), "%s/ladder.db", dir);
	snprintf(records, sizeof(records), "%s/records", dir);
	(void)mkdir(records, 0700); /* a cut may have taken it */
	result = ladder_open(file, LADDER_WRITE, &life->ladder, &why);
	if (result == 0)
		result = packs ? log_packs_open(life->ladder, records, 0,
						&life->log, &why)
			       : ladder_log_files(life->ladder, records,
						  &life->log, &why);
	if (result < 0)
		leave(life);
	return result;
}

/* Makes a game; now and then a day passes, so that packs are closed. */
static void
make_game(const struct life *life, uint32_t number, int64_t serial,
	  struct ladder_game *game, struct text *text)
{
	static char bytes[65536];

	kit_game(number, serial, game);
	game->ended[9] = (char)('1' + number % 1000 / 16);
	kit_record_text(game, ladder_id(life->ladder), bytes, sizeof(bytes));
	record_hash_text(bytes, strlen(bytes), game->hash);
	text_init(text, sizeof(bytes));
	text_str(text, bytes);
}

/* Appends this many games, except those that the ladder has, and lets it
 * follow, as the writer does. */
static int
play(struct life *life, unsigned games, uint32_t first)
{
	struct ladder_game game[GROUP_MAX], found;
	struct log_entry entry[GROUP_MAX];
	struct text text[GROUP_MAX];
	unsigned i, n = 0, count = 0;
	int result = 0;

	for (i = 0; i < games; i++) {
		kit_game(first + i, 0, &game[n]);
		if (ladder_game_find(life->ladder, game[n].id, &found, &why) ==
		    LADDER_FOUND)
			continue;
		make_game(life, first + i, life->log->last + 1 + n, &game[n],
			  &text[n]);
		entry[n] = (struct log_entry){ .serial = game[n].serial,
					       .id = game[n].id,
					       .text = &text[n],
					       .game = &game[n] };
		if (n > 0)
			entry[n - 1].next = &entry[n];
		n++;
	}
	if (n > 0)
		result = life->log->ops->append(life->log, entry, &why);
	for (i = 1; i < n; i++)
		cr_assert(entry[i - 1].durable || !entry[i].durable);
	/* Entries that are durable count, even if others are not. */
	if (ladder_follow(life->ladder, life->log, n > 0 ? entry : NULL, &count,
			  &why) < 0)
		result = -1;
	for (i = 0; i < n; i++)
		text_release(&text[i]);
	return result;
}

/* ---- what was safe, and when ------------------------------------------ */

struct safe {
	size_t changes; /* by then */
	int64_t serial; /* entries up to this one were durable */
};

struct safes {
	struct safe at[GROUPS * 2 + 1];
	unsigned count;
};

static void
note_safe(struct safes *safes, const struct life *life)
{
	safes->at[safes->count] =
		(struct safe){ disk_changes(), life->log->last };
	safes->count++;
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

/* Appends games in groups, and now and then a void or a setting. */
static void
live(bool packs, struct safes *safes)
{
	struct life life = { NULL, NULL };
	struct ladder_voided voided;
	struct ladder_game game;
	uint32_t state = 7;
	unsigned i;

	DONE(enter(&life, home(), packs));
	for (i = 0; i < GROUPS; i++) {
		DONE(play(&life, 1 + kit_random(&state, GROUP_MAX),
			  1000 + i * GROUP_MAX));
		note_safe(safes, &life);
		if (i % 4 == 1) {
			DONE(ladder_set(life.ladder, life.log, 1000 + i,
					1000000, &why));
			note_safe(safes, &life);
		}
		if (i % 4 != 3)
			continue;
		kit_game(1000 + (i - 1) * GROUP_MAX, 1, &game);
		DONE(ladder_void(life.ladder, life.log,
				 &(struct ladder_voiding){ .id = game.id,
							   .why = "test" },
				 &voided, &why));
		note_safe(safes, &life);
	}
	leave(&life);
}

/* ---- after the cut ---------------------------------------------------- */

static void
expect_whole(struct life *life)
{
	const struct ladder_rebuilding as_known = { .folders = NULL };
	struct ladder_rebuilt report;

	cr_assert_eq(ladder_last(life->ladder), life->log->last,
		     "%s: the ladder has all of the log", now);
	cr_assert_eq(ladder_missing(life->ladder), 0, "%s", now);
	DONE(ladder_rebuild(life->ladder, &as_known, &report, &why));
	cr_assert(report.added == 0 && report.altered == 0 &&
			  report.changed == 0 && report.gaps == 0,
		  "%s: %u added, %u changed", now, report.added,
		  report.changed);
}

static void
expect_no_halves(const char *dir)
{
	char pattern[320];
	glob_t files;

	snprintf(pattern, sizeof(pattern), "%s/records/*.rec.tmp", dir);
	cr_assert_eq(glob(pattern, 0, NULL, &files), GLOB_NOMATCH, "%s", now);
	globfree(&files);
}

/* Returns true if the ladder had something to follow. */
static bool
live_again(const char *dir, int64_t safe, bool packs)
{
	struct life life = { NULL, NULL };
	unsigned count = 0;

	DONE(enter(&life, dir, packs));
	expect_no_halves(dir);
	DONE(ladder_follow(life.ladder, life.log, NULL, &count, &why));
	cr_assert_geq(life.log->last, safe, "%s: what was safe is there", now);
	expect_whole(&life);
	DONE(play(&life, 2, 5000));
	expect_whole(&life);
	leave(&life);
	return count > 0;
}

/* ---- a power cut ------------------------------------------------------ */

static bool
try_cut(const struct safes *safes, size_t n, int loss, bool packs,
	uint32_t *state)
{
	const char *to = kit_path("cut");
	bool behind;

	snprintf(now, sizeof(now), "cut %zu %d", n, loss);
	disk_cut(n, loss, state, to);
	if (n % 3 == 0) { /* the ladder's file may be lost: it is made again */
		(void)unlink(kit_path("cut/ladder.db"));
		(void)unlink(kit_path("cut/ladder.db-wal"));
	}
	behind = live_again(to, safe_after(safes, n), packs);
	kit_remove(to);
	return behind;
}

static void
cut_everywhere(bool packs)
{
	struct safes safes = { .count = 0 };
	uint32_t state = 11, lost = 12;
	unsigned cuts = 0, behind[DISK_LOSSES] = { 0 };
	size_t changes, n;
	int loss;

	disk_watch(home());
	live(packs, &safes);
	changes = disk_changes();
	cr_assert_gt(changes, 100);
	for (loss = 0; loss < DISK_LOSSES; loss++)
		for (n = 0; n <= changes;
		     n = later(n, &state, changes / CUTS)) {
			behind[loss] += try_cut(&safes, n, loss, packs, &lost);
			cuts++;
		}
	cr_log_info("%u cuts at %zu changes; the ladder was behind after %u, "
		    "%u, %u",
		    cuts, changes, behind[0], behind[1], behind[2]);
	/* The ladder's database is not synced. */
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

/* ---- a process that is killed ------------------------------------------ */

/* Returns false if the process had ended before. */
static bool
try_kill(size_t n, bool packs, struct safes *safes, unsigned *behind)
{
	int status;
	pid_t pid;

	snprintf(now, sizeof(now), "kill %zu", n);
	safes->count = 0;
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0) {
		disk_watch(home());
		disk_fail(&(struct disk_fault){ .from = n });
		live(packs, safes);
		_exit(0);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(status == 0 ||
		  (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
	*behind += live_again(home(), safe_after(safes, n), packs);
	end();
	begin();
	return status != 0;
}

static void
kill_everywhere(bool packs)
{
	struct safes *safes = mmap(NULL, sizeof(*safes), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned behind = 0;
	uint32_t state = 14;
	size_t n = 0;

	cr_assert_neq(safes, MAP_FAILED);
	while (try_kill(n, packs, safes, &behind))
		n = later(n, &state, 20);
	cr_assert_gt(behind, 0);
	munmap(safes, sizeof(*safes));
}

Test(power_cut, killed_in_packs_nothing_safe_is_lost)
{
	kill_everywhere(true);
}

Test(power_cut, killed_in_files_nothing_safe_is_lost)
{
	kill_everywhere(false);
}

/* ---- a disk that fails ------------------------------------------------ */

static void
expect_told(int error)
{
	cr_assert_eq(why.kind, ERROR_MACHINE, "%s: %s", now, why.text);
	cr_assert(strstr(why.text, "disk") != NULL ||
			  strstr(why.text, strerror(error)) != NULL,
		  "%s: %s", now, why.text);
}

/* Opens both, and again if the disk has failed. */
static void
enter_at_last(struct life *life, bool packs)
{
	if (enter(life, home(), packs) == 0)
		return;
	disk_fail(NULL);
	DONE(enter(life, home(), packs));
}

/* Lets the disk fail until that is noticed.  Returns false if everything was
 * done before. */
static bool
try_failure(const struct disk_fault *fault, bool packs)
{
	struct life life = { NULL, NULL };
	unsigned i, count;
	bool came;

	snprintf(now, sizeof(now), "failure %zu %d %d", fault->from,
		 fault->error, fault->once);
	disk_watch(home());
	disk_fail(fault);
	enter_at_last(&life, packs);
	for (i = 0; i < 4; i++) {
		count = 0;
		if (play(&life, 3, i * 16) < 0) {
			disk_fail(NULL);
			expect_told(fault->error);
			DONE(ladder_follow(life.ladder, life.log, NULL, &count,
					   &why));
			DONE(play(&life, 3, i * 16));
		}
		cr_assert_eq(life.log->last, i * 3 + 3, "%s: each once", now);
	}
	came = disk_changes() > fault->from;
	disk_leave();
	expect_whole(&life);
	leave(&life);
	live_again(home(), 12, packs);
	end();
	begin();
	return came;
}

static void
fail_everywhere(int error, bool packs)
{
	struct disk_fault fault = { .error = error };
	/* Each test fails at other changes. */
	uint32_t state = (uint32_t)error * 2 + packs;
	int once;

	for (once = 0; once < 2; once++) {
		fault.once = once;
		fault.from = 0;
		while (try_failure(&fault, packs))
			fault.from = later(fault.from, &state, 15);
	}
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

/* ---- a ladder that could not be made ------------------------------------ */

/* All changes from one on fail, but for one of them. */
struct but_one {
	struct disk_plan plan; /* first */
	unsigned tried, from, works;
};

static int
fail_but_one(struct disk_plan *plan, size_t n UNUSED)
{
	struct but_one *own = (struct but_one *)plan;
	const unsigned now_tried = own->tried++;

	return now_tried < own->from || now_tried == own->works ? 0 : EIO;
}

/* Returns true if the ladder could be made. */
static bool
make_with_failures(unsigned from, unsigned works)
{
	struct but_one plan = { .plan = { .next = fail_but_one },
				.from = from,
				.works = works };
	struct life life = { NULL, NULL };
	bool made;

	snprintf(now, sizeof(now), "failures from %u, not %u", from, works);
	disk_watch(home());
	disk_follow(&plan.plan);
	made = enter(&life, home(), true) == 0;
	disk_leave();
	leave(&life);
	DONE(enter(&life, home(), true));
	leave(&life);
	end();
	begin();
	return made;
}

Test(power_cut, a_ladder_that_could_not_be_made_is_made_later)
{
	const unsigned step = (unsigned)check_rounds(3, 1);
	unsigned from, works;

	for (from = 0; !make_with_failures(from, 0); from++)
		for (works = from + 1 + from % step; works < from + 6;
		     works += step)
			make_with_failures(from, works);
	cr_assert_gt(from, 10);
}
