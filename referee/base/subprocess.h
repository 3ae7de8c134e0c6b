/* referee/base/subprocess.h - runs this program again, or another one of ours,
 * as a process that does one thing and ends.
 *
 * It leads a session of its own, because Ctrl-C is for us alone, and it dies
 * with the thread that has started it.  Its output comes over a pipe.  If a
 * loop watches it, a call reports its end; a thread that may wait can wait for
 * it. */
#ifndef REFEREE_SUBPROCESS_H
#define REFEREE_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/loop.h"

struct subprocess;

struct subprocess_order {
	/* The path of another program, which gets the same of our environment
	 * and descriptors as a bot; NULL: this program. */
	const char *program;
	const char *const *argv; /* from the program's name to a NULL */
	int in;		   /* becomes its standard input; -1: it has none */
	bool errors_apart; /* its standard error is ours and no part of its
			    * output */
	size_t most;	   /* bytes of its output that are kept */
	bool bounded;	   /* kill it if it writes more */
	unsigned ms;	   /* kill it after this time; 0: never, if it is
			    * watched */
	int nice;
};

enum subprocess_how {
	SUBPROCESS_ENDED,
	SUBPROCESS_LATE,    /* killed: its time was over */
	SUBPROCESS_FULL,    /* killed: it wrote too much */
	SUBPROCESS_STOPPED, /* killed: `stop` could be read */
};

struct subprocess_end {
	enum subprocess_how how;
	int status; /* the status of waitpid(2) */
	struct text
		output; /* freed with the process; zero it to take it over */
};

/* Returns a file in memory that has these bytes and is read from its beginning,
 * or -1 and errno.  The caller closes it. */
int subprocess_input(const char *bytes, size_t n) MUST_CHECK;

/* Writes the variables of our environment that another program gets, as a bot does:
 * NAME=VALUE, owned; NULL ends. */
#define SUBPROCESS_KEPT 5
static inline void
subprocess_environment(char *variable[SUBPROCESS_KEPT + 1])
{
	static const char *const kept[SUBPROCESS_KEPT] = { "PATH", "HOME",
							   "LANG", "USER",
							   "TMPDIR" };
	const char *value;
	unsigned count = 0;
	size_t i;

	for (i = 0; i < SUBPROCESS_KEPT; i++) {
		value = getenv(kept[i]);
		if (value != NULL)
			variable[count++] = formatted("%s=%s", kept[i], value);
	}
	variable[count] = NULL;
}

/* Starts a process; `order` and what it points to are not kept.  Returns NULL
 * and errno if that fails, also if the program cannot be executed. */
struct subprocess *
subprocess_start(const struct subprocess_order *order) MUST_CHECK;
/* Frees a process and kills it if it runs.  With another program its whole
 * group is killed; what this program has started ends by itself.  NULL is
 * allowed. */
void subprocess_free(struct subprocess *process);

/* Waits at most `ms` milliseconds, or until the process is over if `ms` is 0.
 * The process is killed when `stop`, a descriptor or -1, can be read.  If the
 * wait itself fails, its time counts as over.  Returns NULL if it still runs. */
struct subprocess_end *subprocess_wait(struct subprocess *process, int stop,
				       unsigned ms) MUST_CHECK;

/* Calls `ended` by the loop when the process is over, and frees the process
 * then.  If the caller frees it before, `ended` is not called. */
typedef void subprocess_ended(void *arg, struct subprocess_end *end);
void subprocess_watch(struct subprocess *process, struct loop *loop,
		      subprocess_ended *ended, void *arg);

#endif
