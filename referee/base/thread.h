/* referee/base/thread.h - a thread for what waits: the disk, name servers; or
 * some of them for what takes processor time.
 *
 * One thread does one task after another, in the order of the requests; several
 * begin them in that order.  The callers must bound how many wait at a time.  The
 * loop never waits for it.  Signals are the loop's. */
#ifndef REFEREE_THREAD_H
#define REFEREE_THREAD_H

#include <stdbool.h>

#include "protocol/util.h"
#include "referee/base/loop.h"

struct thread;

/* A task; its owner keeps it until done(). */
struct thread_task {
	/* Called by the thread, which has the task to itself meanwhile. */
	void (*read)(struct thread_task *task);
	/* Called by the loop; may free the task and ask for others.  `read` is
	 * false if the thread ended before it did the task. */
	void (*done)(struct thread_task *task, bool read);
	struct thread_task *next; /* private to the thread */
};

/* Starts one thread.  Returns NULL and errno if there is none to be had. */
struct thread *thread_new(struct loop *loop) MUST_CHECK;
/* Starts several threads that share the tasks; fewer if the machine gives no
 * more.  Returns NULL and errno if it gives none. */
struct thread *thread_pool(struct loop *loop, unsigned threads) MUST_CHECK;
/* Waits for the tasks that are being read, and calls done() for every task that
 * was asked for. */
void thread_free(struct thread *thread); /* NULL is allowed */
/* Gives the thread up without waiting.  It calls drop() for the tasks that it
 * has, and frees itself when its current task ends. done() is not called any
 * more. */
void thread_leave(struct thread *thread,
		  void (*drop)(struct thread_task *task));

void thread_ask(struct thread *thread, struct thread_task *task);
/* Asks for a list of tasks, which ends with NULL. No other task comes between
 * them, and work() gets all of them at once. */
void thread_ask_all(struct thread *thread, struct thread_task *tasks);

/* ---- without a loop --------------------------------------------------- */

struct thread_plan {
	/* The thread calls this with all waiting tasks, the first one first, as
	 * a list that ends in NULL. It gives them to thread_back(), one by one
	 * or as lists; read() is not called.  NULL: the thread calls read(). */
	void (*work)(void *arg, struct thread_task *tasks);
	void *arg;
	unsigned threads; /* 0 counts as 1 */
	bool finish;	  /* thread_free() waits until all is done */
};

/* The plan is copied.  NULL and errno.  done() is called by
 * thread_free() alone, of what lies here then, where it is not NULL. */
struct thread *thread_start(const struct thread_plan *plan) MUST_CHECK;
void thread_back(struct thread *thread, struct thread_task *tasks);
/* Returns a descriptor that can be read when tasks have come back. */
int thread_fd(const struct thread *thread);
/* Returns the next task that came back, or NULL. */
struct thread_task *thread_take(struct thread *thread);

#endif
