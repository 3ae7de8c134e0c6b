/* tests/unit/disk.h - a disk that can be cut off from power at any moment, be full,
 * or fail.
 *
 * A program that is linked with disk.c has its own open(2), write(2), fsync(2) and so
 * on, which the libraries that it uses call, too.  While no folder is watched they do
 * what the system's do.  Every change of files in the folder that is watched is
 * noted: writes, sizes, syncs, and names that come, move or go.  From these notes any
 * state can be made that a power cut might have left: what was synced is there; of
 * the rest some is, in pieces of a sector, and some is not.  A name is synced by the
 * sync of its folder alone, as POSIX has it.  Any change can fail, too, or be the
 * process's last.  SQLite's -shm files are left out: they mean nothing after a cut. */
#ifndef TESTS_UNIT_DISK_H
#define TESTS_UNIT_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Watches this folder, from the root on, and those below.  What is there counts as
 * synced.  One folder at a time. */
void disk_watch(const char *dir);
void disk_leave(void);

/* Returns how many changes have been noted since disk_watch(). */
size_t disk_changes(void);

enum disk_loss {
	DISK_SYNCED, /* all is lost that was not synced */
	DISK_TORN,   /* only the last write of each file is, but for its half */
	DISK_DRAWN, /* of writes and names that were not synced some are lost */
	DISK_LOSSES
};

/* Makes the folder `to`, which is not there, as the one that is watched may be found
 * if the power is cut after the first `n` changes.  `state` is for what is drawn. */
void disk_cut(size_t n, enum disk_loss loss, uint32_t *state, const char *to);

/* Says which changes fail until the next call.  A write that fails is half done. */
struct disk_fault {
	size_t from; /* so many changes come first */
	bool once;   /* only one fails */
	/* 0: the process is killed.  ENOSPC: names may go, and files be shortened. */
	int error;
	bool folders; /* only syncs of folders fail, and to unlink a name */
	const char *keeps; /* that begins so, unless this is NULL */
};
void disk_fail(const struct disk_fault *fault); /* NULL: none fail */
/* Watches this folder, where `folders` is so from now on, with EIO. */
void disk_fail_folders(const char *dir, const char *keeps);

#endif
