/* referee/sandbox/box-hear.h - reports to the first process of a box what its bot
 * tries.
 *
 * The bot itself sets the filter of the box, just before its exec, and hands
 * its listener to the first process.  A call that the filter refuses waits
 * until the listener has taken a note of it and answered with the error that
 * the filter gives.  Some allowed calls are reported as well, so that their
 * purpose is seen; they then go on as if nothing had been reported.  What
 * decent programs try is not noted. */
#ifndef REFEREE_BOX_HEAR_H
#define REFEREE_BOX_HEAR_H

#include <stdbool.h>
#include <sys/types.h>

#include "referee/sandbox/box.h"

/* Reads the filter, to its end, and closes it; before the fork.  0 or -1. */
int box_hear_read(int filter);
/* A fork that shares its descriptors with the first process until
 * box_hear_begin(), for that is how the listener gets there: what is sent
 * through a socket counts against others of the same user. */
pid_t box_hear_fork(void);
/* In the fork, first of all: sets the filter, tells of it at the writing end
 * of a pipe, and has descriptors of its own then, to be closed by the exec.
 * 0 or -1. */
int box_hear_begin(int ready);
/* In the first process, at the other end: the listener, or -1. */
int box_hear_take(int ready);
/* Answers one call, when the listener is readable; false: no process is left to
 * hear. */
bool box_hear_serve(int listener);
/* Adds the notes to the report, and what can be seen of the box at the end. */
void box_hear_end(struct box_report *report);

/* Takes a note, if there is none like it. */
void box_note(enum box_tried tried, int number, const char *path);

/* ---- box-files.c -------------------------------------------------------- */

#define BOX_PATH_MAX 512

/* A path as the bot has written it, at an address of its own, relative to a
 * folder that it has open (AT_FDCWD: its working directory), as an absolute one
 * without `.` and `..`; false: it cannot be read. */
bool box_path_read(pid_t pid, int folder, unsigned long at,
		   char path[BOX_PATH_MAX]);
/* Takes a note if a decent bot would not look at that file, or change it. */
void box_path_judge(const char *path, bool change);
/* Likewise of a program that the bot wants to run. */
void box_path_judge_run(const char *path);
/* Likewise of a lock or a watch on a file. */
void box_path_judge_lock(const char *path);
/* Whether there is, or was, such a process among those of the bot. */
bool box_is_own(long pid);

#endif
