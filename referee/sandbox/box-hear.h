/* referee/sandbox/box-hear.h - tells the first process of a box which system
 * calls its bot tries.
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

/* Reads the filter to its end and closes it.  Call it before the fork.  Returns
 * 0 or -1. */
int box_hear_read(int filter);
/* Forks.  The child shares its descriptors with the first process until
 * box_hear_begin(): the listener gets there in this way, because a descriptor
 * sent through a socket would count against other processes of the same user. */
pid_t box_hear_fork(void);
/* The child calls this first of all.  It sets the filter and writes the
 * listener's number to the pipe `ready`.  From then on the child has
 * descriptors of its own, which the exec closes.  Returns 0 or -1. */
int box_hear_begin(int ready);
/* Returns the listener, which the first process reads from the pipe's other
 * end, or -1. */
int box_hear_take(int ready);
/* Answers one call.  Call it when the listener is readable.  Returns false if
 * no process is left that could call. */
bool box_hear_serve(int listener);
/* Adds the notes to the report, and what the box shows at its end. */
void box_hear_end(struct box_report *report);

/* Takes a note, unless there is one like it. */
void box_note(enum box_tried tried, int number, const char *path);

/* ---- box-files.c -------------------------------------------------------- */

#define BOX_PATH_MAX 512

/* Reads a path from address `at` of the bot's memory and makes it absolute,
 * without `.` and `..`.  It is relative to `folder`, a descriptor of the bot's
 * (AT_FDCWD: its working directory).  Returns false if the path cannot be read. */
bool box_path_read(pid_t pid, int folder, unsigned long at,
		   char path[BOX_PATH_MAX]);
/* Takes a note if a decent bot would not look at that file, or change it. */
void box_path_judge(const char *path, bool change);
/* Takes a note if a decent bot would not run that program. */
void box_path_judge_run(const char *path);
/* Takes a note if a decent bot would not lock or watch that file. */
void box_path_judge_lock(const char *path);
/* Returns true if the bot has, or had, a process with this ID. */
bool box_is_own(long pid);

#endif
