/* tests/world/world-disk.h - what happens to the disk in a life, and what a power cut
 * leaves for the next one.
 *
 * A life watches the data folder (tests/unit/disk.h).  At a drawn change the power is
 * cut: what the disk has then is made in another folder, and the process ends.  The
 * supervisor puts that folder in the place of the first.  The program has to be linked
 * with tests/unit/disk.c. */
#ifndef TESTS_WORLD_WORLD_DISK_H
#define TESTS_WORLD_WORLD_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"
#include "tests/unit/disk.h"
#include "tests/world/world.h"

#define WORLD_DISK_NEVER UINT64_MAX

/* Says what happens at which change.  Changes are counted from 0 in each life,
 * with those that fail. */
struct world_disk {
	uint64_t cut;	   /* the power is cut while this one is made */
	uint64_t cut_sync; /* or before this sync, counted alike */
	uint64_t cut_pack; /* or before this sync of records */
	enum disk_loss loss;
	/* From the first of these changes on and before the second, the disk fails. */
	uint64_t fails, works;
	int error; /* ENOSPC or EIO */
	uint64_t
		apart; /* changes between two such times, about; 0: there is one */
	unsigned slow;	  /* so many of 1000 syncs are slow */
	uint64_t slow_us; /* the usual time of a slow one */
	struct dice dice; /* for what is drawn later */
};

/* Nothing happens. */
void world_disk_calm(struct world_disk *plan);
/* Draws a plan for a life of so many changes or less: most have a power cut if `cuts`,
 * a third a full or failing disk, a third slow syncs. */
void world_disk_draw(struct world_disk *plan, struct dice dice,
		     uint64_t changes, bool cuts);

/* Watches the data folder of this life.  Strings are borrowed.  A power cut leaves
 * its folder as `next`, on the same file system, which must not be there.  If the
 * life ends by exit(3), the data folder is compared with what was noted, and a
 * change that was not noted ends the life with world_broken(). */
void world_disk_begin(const char *data, const char *next,
		      const struct world_disk *plan);
/* Returns true if the disk has failed in this life. */
bool world_disk_failed(void) MUST_CHECK;
/* Returns true while a slow sync has not ended, or while what failed has not been tried
 * again. */
bool world_disk_waits(void) MUST_CHECK;
/* Cuts the power now, with a loss of this kind: ends the process with WORLD_CUT. */
_Noreturn void world_disk_cut(enum disk_loss loss);

/* Says that a fork may have changed the folder just now. */
void world_disk_forked(void);

/* Called by the supervisor after a life: puts what a power cut has left in the place of
 * the data folder.  Returns false if the power was not cut. */
bool world_disk_next(const char *data, const char *next) MUST_CHECK;

#endif
