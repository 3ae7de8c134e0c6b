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
 * nothing after a cut.  So are sockets and pipes.
 *
 * What fopen(3), mkdtemp(3) and mmap(2) change is not noted. */
#ifndef TESTS_UNIT_DISK_H
#define TESTS_UNIT_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Watches this folder, an absolute path, and those below.  Existing content
 * counts as synced.  Only one folder can be watched at a time. */
void disk_watch(const char *dir);
void disk_leave(void);

/* Says that only all changes so far will be cut, never the first `n` of them.  Then
 * notes of what is synced are not kept, so that a process can run for long.  Call it
 * after disk_watch(). */
void disk_forget(void);

/* Lets calls go straight to the system from now on, as in a fork. */
void disk_let_go(void);
/* Notes what another process has changed in the folder, as changes that are not
 * synced. */
void disk_look(void);

/* Returns how many changes have been noted since disk_watch(). */
size_t disk_changes(void);

enum disk_loss {
	DISK_SYNCED, /* everything that was not synced is lost */
	DISK_TORN,   /* only half of the last write of each file is lost */
	DISK_DRAWN,  /* some writes and names that were not synced are lost */
	DISK_LOSSES,
	DISK_NOTHING = DISK_LOSSES /* nothing is lost, as after a kill */
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

/* A plan of what becomes of each change, in place of disk_fail(). */
struct disk_plan {
	/* Called before change number `n`, counted from 0.  Returns 0, the errno with
	 * which it fails, or DISK_END. */
	int (*next)(struct disk_plan *plan, size_t n);
	/* Called when a change with DISK_END is half done.  Must not return. */
	void (*end)(struct disk_plan *plan);
	/* Called before each sync of a descriptor, while no lock is held; or NULL. */
	void (*sync)(struct disk_plan *plan, int fd);
};
#define DISK_END (-1)
void disk_follow(struct disk_plan *plan); /* borrowed; NULL: none */

#endif
