/* referee/serve/worker-thread.h - a thread that reads files for those who look
 * on.
 *
 * Neither the loop nor the writer waits for it.  It does one thing after
 * another, in the order in which they were asked for; how many ask at a time,
 * whoever asks has to bound. */
#ifndef REFEREE_WORKER_THREAD_H
#define REFEREE_WORKER_THREAD_H

#include <stdbool.h>

#include "protocol/util.h"
#include "referee/table/loop.h"

struct worker_thread;

/* Something to be read; its owner keeps it until done(). */
struct worker_thread_job {
	/* By the thread, which meanwhile has the job to itself. */
	void (*read)(struct worker_thread_job *job);
	/* By the loop; may free the job and ask for others.  `read` is false if
	 * the worker thread ends before it got there. */
	void (*done)(struct worker_thread_job *job, bool read);
	struct worker_thread_job *next; /* the worker thread's own */
};

/* NULL and errno: no thread. */
struct worker_thread *worker_thread_new(struct loop *loop) MUST_CHECK;
/* Waits for what is being read; all that was asked for is done(). */
void worker_thread_free(struct worker_thread *thread); /* NULL is fine */

void worker_thread_ask(struct worker_thread *thread,
		       struct worker_thread_job *job);

#endif
