/* referee/sandbox/box.h - the messages between the spawner and the first process
 * of a box.
 *
 * The first process of a box is the program referee-box: static, so that it
 * needs nothing that is not in the box.  It sets the limits, starts the bot,
 * and reports by writing struct box_report to a SOCK_SEQPACKET socket that the
 * bot never sees: that the bot was started, or could not be; then how it ended.
 * Any packet that it gets there, or the end of the file, tells it to end the
 * bot and all others in the box.  Its arguments are:
 *
 *	referee-box REPORT IN OUT ERR PROCESSES DATA FILE DESCRIPTORS CPU
 *		WATCH FILTER BUILD ARGV...
 *
 * the descriptor of the socket, those which become the bot's 0, 1 and 2, then
 * limits (0: none; processes, bytes, bytes, descriptors, seconds; then what all
 * in the box may have together, if it has to look itself, in bytes), and the
 * filter for the system calls of the box, as a descriptor to read to its end:
 * then it takes notes of what is refused, and of more
 * (referee/sandbox/box-hear.h); -1: bubblewrap has set the filter; and whether it
 * is a box that builds (1, or 0: referee/sandbox/box-fill.h).  Without ARGV it
 * looks around in the box and exits with BOX_LOOKED, or with less the bits of
 * what it could do and should not have been able to. */
#ifndef REFEREE_BOX_H
#define REFEREE_BOX_H

#include <stdint.h>
#include <sys/resource.h>

#include "referee/table/box-note.h"

/* The path of the first process's program in the box. */
#define SANDBOX_SHIM "/box"

/* Pending signals and timers of one user.  Each takes kernel memory. */
#define BOX_SIGNALS 1024

#define BOX_NICE 5	 /* bots come after the referee */
#define BOX_ARGUMENTS 12 /* words before ARGV */
/* The only argument of a start that only shows that programs can be started. */
#define BOX_REFERENCE "start"

enum box_word {
	BOX_STARTED, /* the exec has succeeded */
	BOX_FAILED,  /* value: errno of the bot's exec; with `machine`, of a
		      * step before it, and the machine is at fault */
	BOX_OVER,    /* about to be ended for its memory; BOX_ENDED may be
		      * missing if that takes too long */
	BOX_ENDED,   /* value: as of waitpid(2); cpu_us, peak_kib */
};

struct box_report {
	uint32_t word;
	int32_t value;
	uint32_t machine;
	uint32_t left;	   /* processes besides the bot that were killed */
	uint64_t cpu_us;   /* processor time of all that ran in the box */
	uint64_t peak_kib; /* peak of the largest process, or of all together if
			    * a look has found more */
	uint32_t over;	   /* ended for its memory, or for its names in /tmp */
	uint32_t notes; /* each kind once; the first ones if there are more than
			 * BOX_NOTES */
	struct box_note note[BOX_NOTES];
};

/* The findings of a look around the box.  Each bit is good. */
enum {
	BOX_LOOK_ALONE = 1,	 /* no other process */
	BOX_LOOK_READ_ONLY = 2,	 /* / cannot be written to */
	BOX_LOOK_TMP = 4,	 /* /tmp can */
	BOX_LOOK_NO_NET = 8,	 /* no socket */
	BOX_LOOK_NO_SPACES = 16, /* no new namespaces */
	BOX_LOOK_NO_HOST = 32,	 /* no folder of the host's users */
	BOX_LOOKED = 63,
};

/* Sets a limit, but no higher than it is: 0, or -1 and errno. */
static inline int
box_limit(int resource, rlim_t most)
{
	struct rlimit has;

	if (getrlimit(resource, &has) == 0 && has.rlim_max < most)
		most = has.rlim_max;
	return setrlimit(resource, &(struct rlimit){ most, most });
}

/* Lowers the priority to BOX_NICE. A process that is lower already stays there. */
static inline void
box_come_after(void)
{
	if (getpriority(PRIO_PROCESS, 0) < BOX_NICE)
		setpriority(PRIO_PROCESS, 0, BOX_NICE);
}

#endif
