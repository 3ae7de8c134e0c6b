/* tests/unit/disk.h - a disk that can be cut off from power at any moment, be full,
 * or fail.
 *
 * A program that is linked with disk.c has its own open(2), write(2), fsync(2)
 * and so on, which the libraries that it uses call, too.  While no folder is
 * watched they act like the system's.  Every change of files in the watched
 * folder is noted: writes, sizes, syncs, and names that come, move or go.  From
 * these notes it can make any state that a power cut might have left: synced
 * changes are there, and of the rest some sectors are and some are not.  Only
 * the sync of its folder syncs a name, as POSIX says.  Any change can fail,
 * too, or be the process's last.  SQLite's -shm files are left out: they mean
 * nothing after a cut. */
#ifndef TESTS_UNIT_DISK_H
#define TESTS_UNIT_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Watches this folder, an absolute path, and those below.  Existing content
 * counts as synced.  Only one folder can be watched at a time. */
void disk_watch(const char *dir);
void disk_leave(void);

/* Returns how many changes have been noted since disk_watch(). */
size_t disk_changes(void);

enum disk_loss {
	DISK_SYNCED, /* everything that was not synced is lost */
	DISK_TORN,   /* only half of the last write of each file is lost */
	DISK_DRAWN,  /* some writes and names that were not synced are lost */
	DISK_LOSSES
};

/* Makes the new folder `to` in a state in which the watched one may be found if
 * the power is cut after the first `n` changes.  `state` is a generator for
 * what is lost. */
void disk_cut(size_t n, enum disk_loss loss, uint32_t *state, const char *to);

/* Says which changes fail until the next call.  A failing write is half done. */
struct disk_fault {
	size_t from; /* changes before the first failure */
	bool once;   /* only one fails */
	/* 0: the process is killed.  ENOSPC: names may go, and files be shortened. */
	int error;
	bool folders; /* only syncs of folders fail, and the removal of a name */
	const char *keeps; /* that begins with this, unless it is NULL */
};
void disk_fail(const struct disk_fault *fault); /* NULL: none fail */
/* Watches this folder with a fault of `folders` and EIO from now on. */
void disk_fail_folders(const char *dir, const char *keeps);

#endif
