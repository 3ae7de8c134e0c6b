/* referee/sandbox/process-look.h - a look at the processes of a bot, in /proc. */
#ifndef REFEREE_PROCESS_LOOK_H
#define REFEREE_PROCESS_LOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"

/* Sums over a process and all its descendants. */
struct proc_look {
	uint64_t threads; /* all of them; 0: no process is left */
	uint64_t running; /* threads on a processor or waiting for one */
	uint64_t processes;
	uint64_t stopped;    /* processes stopped by SIGSTOP or the like */
	uint64_t memory_kib; /* resident, what they share counted each time */
	uint64_t own_kib;    /* resident without files and shared memory */
};

/* A look covers at most this many processes. */
#define PROC_LOOK_MAX 4096

/* Calls `seen` for each thread of a process and of all below it, until it
 * returns false.  A thread is seen before its children are looked up. */
typedef bool proc_seen(void *arg, pid_t pid, pid_t thread);
void proc_walk(pid_t pid, proc_seen *seen, void *arg);
/* Writes the children of a thread, at most `max`, and returns their number. */
unsigned proc_children(pid_t pid, pid_t thread, pid_t child[], unsigned max);

/* Returns the state letter of proc(5), such as R, S, T or Z; '\0' if the
 * process is gone. */
char proc_state(pid_t pid) MUST_CHECK;

void proc_look(pid_t pid, struct proc_look *look);

/* Counts the processes of the box `pid` that have lost their parent.  They
 * become children of the first process, whose only other child is the program. */
unsigned proc_orphans(pid_t pid);

#endif
