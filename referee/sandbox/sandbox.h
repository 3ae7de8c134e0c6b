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
 * A program is started in one by spawner_start(), with spawner_job.box. */
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

/* 0 is no limit, but for memory_mib and processes. */
struct sandbox_limits {
	unsigned memory_mib;  /* of the whole box in tier A, /tmp included;
			       * else of each process (its data), and of
			       * all of them when they are looked at */
	unsigned processes;   /* and threads, together */
	unsigned tmp_mib;     /* in /tmp, which is memory */
	unsigned file_mib;    /* of one file */
	unsigned descriptors; /* of one process */
	unsigned cpu_s;	      /* of one process */
	unsigned folder_mib;  /* of a folder that can be written to, which is
			       * memory, too, and counts as such */
};

extern const struct sandbox_limits sandbox_limits_default;

/* Where a bot's own folder is found in its box. */
#define SANDBOX_FOLDER "/bot"
/* Where a build has what its folder is a copy of. */
#define SANDBOX_SENT "/sent"
/* The PATH in a box: programs are looked for there alone. */
#define SANDBOX_PATH                                                           \
	"/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

#define SANDBOX_SEE_MAX 32
#define SANDBOX_SENTENCE_BYTES 768

/* One box.  All strings are absolute paths; borrowed until spawner_start()
 * returns. */
struct sandbox_box {
	enum sandbox_tier tier; /* by sandbox_choose(); SANDBOX_NONE is bare */
	struct sandbox_limits limits;
	/* The bot's folder: SANDBOX_FOLDER (its own path in tier C, which also
	 * hides nothing), and the working directory; NULL:
	 * the working directory is spawner_job.folder, or the referee's, as far
	 * as it is seen. */
	const char *folder;
	/* For builds: the folder may be written to.  In tier SANDBOX_BOX or
	 * better that is a copy of it in memory, and spawner_job.fds[0] a
	 * socket (SOCK_SEQPACKET), over which a descriptor of it comes before
	 * the program is started; the program itself has /dev/null there.  The
	 * copy lives as long as the box or that descriptor. */
	bool writable;
	bool strict;	   /* a system call that is refused ends the program,
			    * by SIGSYS: for checks */
	bool watch;	   /* its first process takes notes of what is refused,
			    * and of more: spawner_end.note; for checks, tier
			    * SANDBOX_BOX or better, if sandbox_can_watch() */
	char *const *see;  /* files and folders that are seen at their own
			    * path, to be read; NULL ends; NULL: none */
	char *const *hide; /* folders and files below those that are empty;
			    * NULL ends; NULL: none */
};

/* What this machine lets us do. */
struct sandbox_probe {
	enum sandbox_tier tier;
	/* What is and what is not enforced here, and if it is less than tier B
	 * the reason with its cure.  One line without a full stop. */
	char sentence[SANDBOX_SENTENCE_BYTES];
};

/* Starts a box and looks around in it: once, later calls are free.  Before the
 * first thread, and before spawner_new(), which keeps what was found. */
const struct sandbox_probe *sandbox_probe(void);

/* For a process that starts boxes of a tier which another has found by
 * sandbox_probe(): makes what all of them need, before spawner_new(). */
void sandbox_prepare(void);

/* Whether the kernel tells one process of another's system calls (Linux 5.5; in
 * a container that is watched itself it does not).  Before the first thread. */
bool sandbox_can_watch(void);
/* What a system call is called: "ptrace".  Borrowed until the next call. */
const char *sandbox_call_name(int number);

/* The tier to play in: `want` against what the probe found, which must be at
 * least `minimum` (SANDBOX_ON: at least B).  0; or -1 and one sentence with the
 * cure in `why`. */
int sandbox_choose(enum sandbox_want want, enum sandbox_tier minimum,
		   enum sandbox_tier *tier, struct error *why) MUST_CHECK;

/* What a program given as a bare command line sees: the folder of each file
 * that its words name (`x`, `-x`, `--x=FILE`), and each folder that they name;
 * of a file in /, in a folder of the system or in the home folder itself the
 * file alone; of one in a folder `bin` what lies beside that, too.  Strings are
 * owned by the list. */
struct sandbox_seen {
	char *path[SANDBOX_SEE_MAX + 1];
	unsigned count;
};
/* Adds a path, absolute and without `.` and `..`, and where it leads to if that
 * is elsewhere; it need not be there.  For sandbox_box.hide, for example.
 * False: too many. */
bool sandbox_seen_add(struct sandbox_seen *seen, const char *path);
/* 0; or -1 and a sentence: too many, or the program cannot be seen in a box. */
int sandbox_see_command(struct sandbox_seen *seen, char *const argv[],
			struct error *why) MUST_CHECK;
void sandbox_seen_release(struct sandbox_seen *seen);

#endif
