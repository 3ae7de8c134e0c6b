/* tests/unit/disk.h - a disk that can be cut off from power at any moment, be full,
 * or fail.
 *
 * A program that is linked with disk.c has its own open(2), write(2), fsync(2) and so
 * on, which the libraries that it uses call, too.  Every change of files in the
 * folder that is watched is noted: writes, sizes, syncs, and names that come,
 * move or go.  From these notes any state can be made that a power cut might have
 * left: what was synced is there; of the rest some is, in pieces of a sector, and
 * some is not.  A name is synced by the sync of its folder alone, as POSIX has it.
 * SQLite's -shm files are left out: they mean nothing after a cut. */
#ifndef TESTS_UNIT_DISK_H
#define TESTS_UNIT_DISK_H

#include <stddef.h>
#include <stdint.h>

/* Watches this folder, from the root on, and those below.  What is there counts as
 * synced.  One folder at a time. */
void disk_watch(const char *dir);
void disk_leave(void);

/* Returns how many changes have been noted since disk_watch(). */
size_t disk_changes(void);

enum disk_loss {
	DISK_KILL, /* the process died, the machine goes on: nothing is lost */
	DISK_SYNCED, /* all is lost that was not synced */
	DISK_TORN,   /* only the last write of each file is, but for its half */
	DISK_DRAWN, /* of writes and names that were not synced some are lost */
	DISK_LOSSES
};

/* Makes the folder `to`, which is not there, as the one that is watched may be found
 * if the power is cut after the first `n` changes.  `state` is for
 * kit_random(). */
void disk_cut(size_t n, enum disk_loss loss, uint32_t *state, const char *to);

/* From change `n` on each that needs room fails with this error, until another call;
 * 0: none does. */
void disk_fail(size_t n, int error);

#endif
