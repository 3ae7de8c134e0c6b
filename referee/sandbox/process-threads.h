/* referee/sandbox/process-threads.h - the processor time of threads, and how long
 * they had to wait for it. */
#ifndef REFEREE_PROCESS_THREADS_H
#define REFEREE_PROCESS_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"

/* One thread, since it began. */
struct proc_thread {
	pid_t thread;
	bool running;	 /* on a processor, or ready without one */
	uint64_t ran_us; /* on a processor */
	/* Ready without a processor: only waits that are over. */
	uint64_t waited_us;
	uint64_t slept; /* how often it gave its processor up by itself */
};

/* Fills in the threads of a process and of all below it, at most `max`; how many.
 * 0: there are none, or the kernel does not count. */
unsigned proc_threads(pid_t pid, struct proc_thread thread[],
		      unsigned max) MUST_CHECK;

/* The longest time that one of the threads was ready without a processor, in the
 * `of_us` from `then` to `now`.  A wait that is not over counts if the thread was
 * ready all the time. */
uint64_t proc_waited_us(const struct proc_thread then[], unsigned thens,
			const struct proc_thread now[], unsigned nows,
			uint64_t of_us) MUST_CHECK;

#endif
