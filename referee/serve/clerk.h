/* referee/serve/clerk.h - a thread that reads files for those who look on.
 *
 * Neither the loop nor the writer waits for it.  It does one thing after
 * another, in the order in which they were asked for; how many ask at a time,
 * whoever asks has to bound. */
#ifndef REFEREE_CLERK_H
#define REFEREE_CLERK_H

#include <stdbool.h>

#include "protocol/util.h"
#include "referee/table/loop.h"

struct clerk;

/* Something to be read; its owner keeps it until done(). */
struct clerk_job {
	/* By the thread, which meanwhile has the job to itself. */
	void (*read)(struct clerk_job *job);
	/* By the loop; may free the job and ask for others.  `read` is false if
	 * the clerk ends before it got there. */
	void (*done)(struct clerk_job *job, bool read);
	struct clerk_job *next; /* the clerk's own */
};

/* NULL and errno: no thread. */
struct clerk *clerk_new(struct loop *loop) MUST_CHECK;
/* Waits for what is being read; all that was asked for is done(). */
void clerk_free(struct clerk *clerk); /* NULL is fine */

void clerk_ask(struct clerk *clerk, struct clerk_job *job);

#endif
