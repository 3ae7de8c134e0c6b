/* referee/sandbox/process-look.h - a look at the processes of a bot, in /proc. */
#ifndef REFEREE_PROCESS_LOOK_H
#define REFEREE_PROCESS_LOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"

/* Of a process and all below it. */
struct proc_look {
	uint64_t threads; /* of all of them; 0: there is none */
	uint64_t running; /* of them: on a processor, or waiting for one */
	uint64_t processes;
	uint64_t stopped;    /* of the processes, by SIGSTOP or the like */
	uint64_t memory_kib; /* resident, what they share counted each time */
	uint64_t own_kib;    /* likewise, without files and what is shared */
};

/* At most PROC_LOOK_MAX processes are looked at. */
#define PROC_LOOK_MAX 4096

/* Calls `seen` for each thread of a process and of all below it, until it returns
 * false.  A thread is seen before what it has started is looked up. */
typedef bool proc_seen(void *arg, pid_t pid, pid_t thread);
void proc_walk(pid_t pid, proc_seen *seen, void *arg);
/* Writes the processes that a thread has started, at most `max`, and returns how
 * many these are. */
unsigned proc_children(pid_t pid, pid_t thread, pid_t child[], unsigned max);

/* The letter of proc(5), as R, S, T or Z; '\0': it is gone. */
char proc_state(pid_t pid) MUST_CHECK;

void proc_look(pid_t pid, struct proc_look *look);

/* Of a box that is `pid`: how many processes in it have lost their parent, and
 * are no child of the program's.  (The box has one process, the first, whose
 * children they are then, beside the program.) */
unsigned proc_orphans(pid_t pid);

#endif
