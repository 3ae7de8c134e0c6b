/* tests/world/world-disk.c - see world-disk.h. */
#include "tests/world/world-disk.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "referee/scheduler/scheduler-game.h"
#include "tests/world/folder-copy.h"
#include "tests/world/kernel.h"

#define SYNC_CHANGES 6 /* a sync comes after about so many changes */
#define PACK_SYNCS 12  /* most lives have more syncs of records */

static struct {
	struct disk_plan plan; /* first: the calls get its address */
	struct world_disk what;
	const char *data, *next;
	uint64_t asked;	       /* changes that were tried */
	uint64_t syncs, packs; /* and of those that are of records */
	uint64_t failed,
		slow;	    /* so many changes, and so many syncs were slow */
	uint64_t failed_us; /* when the last one failed */
	unsigned waits;	    /* slow syncs that have not ended */
	bool forked;	    /* a fork may have changed the folder */
} world_disk;

static const char *const losses[] = {
	[DISK_SYNCED] = "all that was not synced",
	[DISK_TORN] = "half of the last writes",
	[DISK_DRAWN] = "some of what was not synced",
	[DISK_NOTHING] = "nothing",
};

void
world_disk_calm(struct world_disk *plan)
{
	*plan = (struct world_disk){ .cut = WORLD_DISK_NEVER,
				     .cut_sync = WORLD_DISK_NEVER,
				     .cut_pack = WORLD_DISK_NEVER,
				     .fails = WORLD_DISK_NEVER,
				     .works = WORLD_DISK_NEVER };
}

/* Draws a number below `most`, often a small one: short lives shall have some, too. */
static uint64_t
draw_few(struct dice *dice, uint64_t most)
{
	return dice_draw(dice, 1 + (most >> dice_draw(dice, 6)));
}

/* Draws the next failure after change `n`: half of them are of one change. */
static void
draw_failure(struct world_disk *plan, uint64_t n)
{
	struct dice *dice = &plan->dice;

	plan->error = dice_draw(dice, 2) == 0 ? ENOSPC : EIO;
	plan->fails = n + dice_draw(dice, 2 * plan->apart);
	plan->works = plan->fails + 1 +
		      dice_draw(dice, dice_draw(dice, 2) == 0 ? 1 : 60);
}

/* Draws when the power is cut, if it is.  Before a sync most can be lost: all that was
 * written since the last one. */
static void
draw_cut(struct world_disk *plan, struct dice *dice, uint64_t changes)
{
	switch (dice_draw(dice, 4)) {
	case 0:
		return;
	case 1:
		plan->cut = draw_few(dice, changes);
		return;
	case 2:
		plan->cut_sync = draw_few(dice, changes / SYNC_CHANGES);
		if (dice_draw(dice, 3) > 0)
			plan->loss = DISK_DRAWN;
		return;
	default:
		plan->cut_pack = dice_draw(dice, PACK_SYNCS);
		plan->loss = DISK_DRAWN;
	}
}

void
world_disk_draw(struct world_disk *plan, struct dice dice, uint64_t changes,
		bool cuts)
{
	world_disk_calm(plan);
	plan->loss = (enum disk_loss)dice_draw(&dice, DISK_LOSSES);
	if (cuts)
		draw_cut(plan, &dice, changes);
	if (dice_draw(&dice, 3) == 0) {
		plan->apart = 1 + draw_few(&dice, changes);
		plan->dice = dice;
		draw_failure(plan, 0);
		dice = plan->dice;
	}
	if (dice_draw(&dice, 3) == 0) {
		plan->slow = 1 + (unsigned)dice_draw(&dice, 200);
		plan->slow_us = 1000 + dice_draw(&dice, 5000000);
	}
	plan->dice = dice;
}

/* Commands run in forks, and nothing else happens at the same time.  They see no fault
 * of the disk. */
void
world_disk_forked(void)
{
	world_disk.forked = true;
}

static void
in_fork(void)
{
	disk_let_go();
}

static void
look(void)
{
	if (world_disk.forked)
		disk_look();
	world_disk.forked = false;
}

_Noreturn void
world_disk_cut(enum disk_loss loss)
{
	uint32_t state = (uint32_t)dice_draw(&world_disk.what.dice, UINT32_MAX);

	look();
	world_trace("the power is cut at change %zu; %s is lost",
		    disk_changes(), losses[loss]);
	disk_cut(disk_changes(), loss, &state, world_disk.next);
	fflush(NULL);
	_exit(WORLD_CUT);
}

static void
on_end(struct disk_plan *plan UNUSED)
{
	world_disk_cut(world_disk.what.loss);
}

static int
on_change(struct disk_plan *plan UNUSED, size_t done UNUSED)
{
	struct world_disk *what = &world_disk.what;
	const uint64_t n = world_disk.asked++;

	look();
	if (n >= what->cut)
		return DISK_END;
	if (n < what->fails)
		return 0;
	if (n >= what->works) {
		if (what->apart > 0)
			draw_failure(what, n);
		return 0;
	}
	if (n == what->fails)
		world_trace("the disk fails from change %" PRIu64 " to %" PRIu64
			    " with errno %d",
			    n, what->works, what->error);
	world_disk.failed++;
	world_disk.failed_us = clock_us();
	return what->error;
}

static bool
is_never(void *arg UNUSED)
{
	return false;
}

/* Returns true for the open pack of a ladder. */
static bool
is_pack(int fd)
{
	char link[32], path[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path));
	return n > 5 && memcmp(path + n - 5, "-.tar", 5) == 0;
}

static void
on_sync(struct disk_plan *plan UNUSED, int fd)
{
	struct world_disk *what = &world_disk.what;

	if (what->cut_pack != WORLD_DISK_NEVER && is_pack(fd) &&
	    world_disk.packs++ >= what->cut_pack)
		world_disk_cut(what->loss);
	/* All that was written since the last sync may be lost. */
	if (world_disk.syncs++ >= what->cut_sync)
		world_disk_cut(what->loss);
	/* The daemon charges no bot for a time in which its loop stood still.  It knows
	 * that from its beat, which is off here. */
	if (kernel_in_daemon() || !dice_often(&what->dice, what->slow))
		return;
	world_disk.slow++;
	world_disk.waits++;
	fiber_wait(is_never, NULL,
		   clock_us() + dice_delay_us(&what->dice, what->slow_us));
	world_disk.waits--;
}

bool
world_disk_waits(void)
{
	return world_disk.waits > 0 ||
	       (world_disk.failed > 0 &&
		clock_us() <= world_disk.failed_us +
				      2 * SCHEDULER_AGAIN_MS * UINT64_C(1000));
}

/* Compares the folder with one that is made of the notes alone. */
static void
compare_notes(void)
{
	uint32_t state = 0;
	char *found;

	look();
	world_trace("disk: %" PRIu64 " changes tried, %" PRIu64
		    " failed, %" PRIu64 " slow syncs",
		    world_disk.asked, world_disk.failed, world_disk.slow);
	disk_cut(disk_changes(), DISK_NOTHING, &state, world_disk.next);
	disk_leave();
	found = folder_difference(world_disk.data, world_disk.next);
	if (found != NULL)
		world_broken("%s is not what was noted of the disk", found);
	folder_remove(world_disk.next);
}

void
world_disk_begin(const char *data, const char *next,
		 const struct world_disk *plan)
{
	world_disk.what = *plan;
	world_disk.data = data;
	world_disk.next = next;
	world_disk.asked = world_disk.syncs = world_disk.packs =
		world_disk.failed = world_disk.slow = 0;
	world_disk.waits = 0;
	world_disk.plan = (struct disk_plan){ .next = on_change,
					      .end = on_end,
					      .sync = on_sync };
	disk_watch(data);
	disk_forget();
	disk_follow(&world_disk.plan);
	if (pthread_atfork(NULL, world_disk_forked, in_fork) != 0 ||
	    atexit(compare_notes) != 0)
		world_broken("cannot watch the disk to the end");
}

bool
world_disk_failed(void)
{
	return world_disk.failed > 0;
}

/* ---- between two lives ---------------------------------------------------- */

bool
world_disk_next(const char *data, const char *next)
{
	if (access(next, F_OK) < 0)
		return false;
	folder_remove(data);
	if (rename(next, data) < 0)
		bug("cannot put %s in the place of %s", next, data);
	return true;
}
