/* referee/sandbox/process-look.h - a look at the processes of a bot, in /proc. */
#ifndef REFEREE_PROCESS_LOOK_H
#define REFEREE_PROCESS_LOOK_H

#include <stdint.h>
#include <sys/types.h>

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

void proc_look(pid_t pid, struct proc_look *look);

/* Of a box that is `pid`: how many processes in it have lost their parent, and
 * are no child of the program's.  (The box has one process, the first, whose
 * children they are then, beside the program.) */
unsigned proc_orphans(pid_t pid);

#endif
