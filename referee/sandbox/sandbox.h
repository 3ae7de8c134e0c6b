/* referee/sandbox/sandbox.h - the box that a stranger's program runs in.
 *
 * A box is made by bubblewrap (namespaces for files, processes, users, network,
 * IPC), a seccomp filter, resource limits, and a control group where the
 * machine lets us.  In it there is no network and no other process; the system
 * and the program's own files can be read, and nothing can be written but a
 * small /tmp.  The tiers say what holds:
 *
 *	SANDBOX_FULL     A: all of it, and the sums of memory and processor time
 *	                 are bounded by a control group
 *	SANDBOX_BOX      B: all but the sums: each process has its limits
 *	SANDBOX_LANDLOCK C: Landlock and seccomp: files, sockets and system
 *	                 calls; no view of its own, no bounds of processes
 *	SANDBOX_NONE     D: nothing of this, only the walls of the spawner
 *
 * A program is started in one by spawner_start(), with spawner_task.box. */
#ifndef REFEREE_SANDBOX_H
#define REFEREE_SANDBOX_H

#include <stdbool.h>

#include "protocol/error.h"
#include "protocol/util.h"

enum sandbox_want { SANDBOX_AUTO, SANDBOX_ON, SANDBOX_OFF };

/* From the weakest to the strongest. */
enum sandbox_tier {
	SANDBOX_NONE,
	SANDBOX_LANDLOCK,
	SANDBOX_BOX,
	SANDBOX_FULL,
};

/* Words for arguments and configurations, in the order of the enums; NULL ends.
 * Tiers are "D", "C", "B", "A". */
extern const char *const sandbox_wants[];
extern const char *const sandbox_tiers[];

/* 0 means no limit, except for memory_mib and processes. */
struct sandbox_limits {
	unsigned memory_mib;  /* the whole box with /tmp in tier A; else the
			       * data of each process, and the sum at each look */
	unsigned processes;   /* processes and threads together */
	unsigned tmp_mib;     /* size of /tmp, which is memory */
	unsigned file_mib;    /* of one file */
	unsigned descriptors; /* of one process */
	unsigned cpu_s;	      /* of one process */
	unsigned folder_mib;  /* a folder that can be written to; it is memory
			       * and counts as such */
};

extern const struct sandbox_limits sandbox_limits_default;

/* The bot's own folder in its box. */
#define SANDBOX_FOLDER "/bot"
/* The sources of a build, which its folder is a copy of. */
#define SANDBOX_SENT "/sent"
/* The PATH in a box: programs are looked for there alone. */
#define SANDBOX_PATH                                                           \
	"/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

#define SANDBOX_SEE_MAX 32
#define SANDBOX_SENTENCE_BYTES 768

/* One box.  All strings are absolute paths.  They are borrowed until
 * spawner_start() returns. */
struct sandbox_box {
	enum sandbox_tier tier; /* by sandbox_choose(); SANDBOX_NONE is bare */
	struct sandbox_limits limits;
	/* The bot's folder, which becomes the working directory.  The box shows
	 * it at SANDBOX_FOLDER; tier C shows it at its own path and hides
	 * nothing.  NULL: the working directory is spawner_task.folder, or the
	 * referee's, as far as the box shows it. */
	const char *folder;
	/* For builds: the folder may be written to.  In tier SANDBOX_BOX or
	 * better it is a copy in memory, and spawner_task.fds[0] is a socket
	 * (SOCK_SEQPACKET).  Before the program starts, the socket brings a
	 * descriptor of the copy; the program itself has /dev/null there.  The
	 * copy lives as long as the box or that descriptor. */
	bool writable;
	bool strict;	   /* a refused system call ends the program by SIGSYS;
			    * for checks */
	bool watch;	   /* its first process notes what is refused, and more,
			    * in spawner_end.note; for checks in tier
			    * SANDBOX_BOX or better, if sandbox_can_watch() */
	char *const *see;  /* files and folders shown read-only at their own
			    * path; ends with NULL; NULL: none */
	char *const *hide; /* folders and files below those that appear empty;
			    * ends with NULL; NULL: none */
};

/* The tier that this machine allows. */
struct sandbox_probe {
	enum sandbox_tier tier;
	/* Says what is and is not enforced here; below tier B also the reason
	 * and its cure.  One line without a full stop. */
	char sentence[SANDBOX_SENTENCE_BYTES];
	/* Says why the tier is no better, and nothing else; "" in tier A. */
	char missing[SANDBOX_SENTENCE_BYTES];
};

/* The first box has so long to start: a machine that is only busy must not get a weaker
 * sandbox. */
#define SANDBOX_LOOK_S 60
/* Starts a box and looks around in it.  Later calls return the first result.
 * Call it before the first thread and before spawner_new(), which keeps the
 * result. */
const struct sandbox_probe *sandbox_probe(void);

/* Prepares a process to start boxes of a tier that another process has found by
 * sandbox_probe().  Call it before spawner_new(). */
void sandbox_prepare(void);

/* Returns true if the kernel tells one process of another's system calls (Linux
 * 5.5; not in a container that is watched itself).  Call it before the first
 * thread. */
bool sandbox_can_watch(void);
/* Returns the name of a system call, such as "ptrace".  Borrowed until the next
 * call. */
const char *sandbox_call_name(int number);

/* Chooses the tier to play in by `want` and by what the probe found, which must
 * be at least `minimum` (SANDBOX_ON: at least B).  Returns 0; or -1 and a
 * sentence with the cure in `why`. */
int sandbox_choose(enum sandbox_want want, enum sandbox_tier minimum,
		   enum sandbox_tier *tier, struct error *why) MUST_CHECK;

/* The box shows to a bare command line each folder that its words name (`x`,
 * `-x`, `--x=FILE`), and the folder of each file that they name.  Of a file
 * directly in /, in a folder of the system or in the home folder it shows the
 * file alone.  Of a file in a folder `bin` it also shows what lies beside that
 * folder.  The list owns the strings. */
struct sandbox_seen {
	char *path[SANDBOX_SEE_MAX + 1];
	unsigned count;
};
/* Adds a path as an absolute one without `.` and `..`, and its target if it is
 * a link.  The path need not exist. sandbox_box.hide can be filled with it.
 * Returns false if there are too many. */
bool sandbox_seen_add(struct sandbox_seen *seen, const char *path);
/* Fills `seen` for a command line.  Returns 0; or -1 and a sentence if there
 * are too many paths or a box cannot show the program. */
int sandbox_see_command(struct sandbox_seen *seen, char *const argv[],
			struct error *why) MUST_CHECK;
void sandbox_seen_release(struct sandbox_seen *seen);

#endif
