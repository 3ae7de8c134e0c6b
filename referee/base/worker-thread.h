/* referee/base/worker-thread.h - a thread for what waits: the disk, name servers; or
 * some of them for what takes processor time.
 *
 * One thread does one job after another, in the order of the requests; several
 * begin them in that order.  The callers must bound how many wait at a time.  The
 * loop never waits for it.  Signals are the loop's. */
#ifndef REFEREE_WORKER_THREAD_H
#define REFEREE_WORKER_THREAD_H

#include <stdbool.h>

#include "protocol/util.h"
#include "referee/base/loop.h"

struct worker_thread;

/* A job; its owner keeps it until done(). */
struct worker_thread_job {
	/* Called by the thread, which has the job to itself meanwhile. */
	void (*read)(struct worker_thread_job *job);
	/* Called by the loop; may free the job and ask for others.  `read` is
	 * false if the thread ended before it did the job. */
	void (*done)(struct worker_thread_job *job, bool read);
	struct worker_thread_job *next; /* private to the thread */
};

/* Starts one thread.  Returns NULL and errno if there is none to be had. */
struct worker_thread *worker_thread_new(struct loop *loop) MUST_CHECK;
/* Starts several threads that share the jobs; fewer if the machine gives no
 * more.  Returns NULL and errno if it gives none. */
struct worker_thread *worker_thread_pool(struct loop *loop,
					 unsigned threads) MUST_CHECK;
/* Waits for the jobs that are being read, and calls done() for every job that
 * was asked for. */
void worker_thread_free(struct worker_thread *thread); /* NULL is allowed */
/* Gives the thread up without waiting.  It calls drop() for the jobs that it
 * has, and frees itself when its current job ends. done() is not called any
 * more. */
void worker_thread_leave(struct worker_thread *thread,
			 void (*drop)(struct worker_thread_job *job));

void worker_thread_ask(struct worker_thread *thread,
		       struct worker_thread_job *job);
/* Asks for a list of jobs, which ends with NULL. No other job comes between
 * them, and work() gets all of them at once. */
void worker_thread_ask_all(struct worker_thread *thread,
			   struct worker_thread_job *jobs);

/* ---- without a loop --------------------------------------------------- */

struct worker_thread_plan {
	/* By the thread: all jobs that wait, the first one first, as a list
	 * that ends in NULL.  They are given to worker_thread_back(), each by
	 * itself or as lists.  read() is not called.  NULL: it is. */
	void (*work)(void *arg, struct worker_thread_job *jobs);
	void *arg;
	unsigned threads; /* 0 counts as 1 */
	bool finish;	  /* worker_thread_free() waits until all is done */
};

/* The plan is copied.  NULL and errno.  done() is called by
 * worker_thread_free() alone, of what lies here then, where it is not NULL. */
struct worker_thread *
worker_thread_start(const struct worker_thread_plan *plan) MUST_CHECK;
void worker_thread_back(struct worker_thread *thread,
			struct worker_thread_job *jobs);
/* Returns a descriptor that can be read when jobs have come back. */
int worker_thread_fd(const struct worker_thread *thread);
/* Returns the next job that came back, or NULL. */
struct worker_thread_job *worker_thread_take(struct worker_thread *thread);

#endif
