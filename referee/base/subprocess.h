/* referee/base/subprocess.h - this program again, or another one of ours, as a
 * process that does one thing and ends.
 *
 * It leads a session of its own, because Ctrl-C is for us alone, and it dies with
 * the thread that has started it.  Its output comes over a pipe.  One that a loop
 * watches is told of by a call; a thread that may wait waits for it. */
#ifndef REFEREE_SUBPROCESS_H
#define REFEREE_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/loop.h"

struct subprocess;

struct subprocess_order {
	/* A path, which gets of our environment and descriptors what a bot
	 * gets; NULL: this program. */
	const char *program;
	const char *const *argv; /* from its name to a NULL */
	int in;		   /* becomes its standard input; -1: it has none */
	bool errors_apart; /* its standard error is ours, not output */
	size_t most;	   /* so many bytes of its output are kept */
	bool bounded;	   /* it is killed if it writes more */
	unsigned ms;	   /* then it is killed; 0: never, if it is watched */
	int nice;
};

enum subprocess_how {
	SUBPROCESS_ENDED,
	SUBPROCESS_LATE,    /* it was killed: its time was over, */
	SUBPROCESS_FULL,    /* it wrote too much, */
	SUBPROCESS_STOPPED, /* or `stop` could be read */
};

struct subprocess_end {
	enum subprocess_how how;
	int status;	    /* as waitpid(2) gives it */
	struct text output; /* goes with the process; who zeroes it has it */
};

/* Returns a file in memory with these bytes, to be read from its beginning, which
 * the caller closes; or -1 and errno. */
int subprocess_input(const char *bytes, size_t n) MUST_CHECK;

/* Starts one; `order` and what it points to are not kept.  Returns NULL and errno
 * if that fails, also if the program cannot be executed. */
struct subprocess *
subprocess_start(const struct subprocess_order *order) MUST_CHECK;
/* Kills one that runs.  With another program all ends that it has started in its
 * group; this program's own ends with it by itself.  NULL is fine. */
void subprocess_free(struct subprocess *process);

/* Waits at most so many milliseconds, or (0) until it is over.  It is killed when
 * `stop` can be read, which is a descriptor or -1; and if the wait itself fails,
 * its time is over.  Returns NULL if it still runs. */
struct subprocess_end *subprocess_wait(struct subprocess *process, int stop,
				       unsigned ms) MUST_CHECK;

/* Calls `ended` by the loop when it is over, and frees the process then.  Who frees
 * it before is not called. */
typedef void subprocess_ended(void *arg, struct subprocess_end *end);
void subprocess_watch(struct subprocess *process, struct loop *loop,
		      subprocess_ended *ended, void *arg);

#endif
