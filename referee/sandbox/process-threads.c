/* referee/sandbox/process-threads.c - reads /proc/PID/task/TID. */
#include "referee/sandbox/process-threads.h"

#include <string.h>

#include "protocol/field.h"
#include "protocol/file.h"
#include "referee/sandbox/process-look.h"

struct threads {
	struct proc_thread *thread;
	unsigned count, max;
};

/* Returns true if the times of the thread are known. */
static bool
look_at(pid_t pid, pid_t id, struct proc_thread *thread)
{
	static const char state[] = "\nState:\t";
	static const char slept[] = "\nvoluntary_ctxt_switches:\t";
	char text[4096];
	const char *at;

	/* The file begins with two numbers in nanoseconds. */
	if (file_peek(text, sizeof(text), "/proc/%d/task/%d/schedstat", pid,
		      id) <= 0 ||
	    field_number(field_number(text, &thread->ran_us),
			 &thread->waited_us) == NULL)
		return false;
	thread->ran_us /= 1000;
	thread->waited_us /= 1000;
	thread->thread = id;
	if (file_peek(text, sizeof(text), "/proc/%d/task/%d/status", pid, id) <=
		    0 ||
	    (at = strstr(text, state)) == NULL)
		return false;
	thread->running = at[sizeof(state) - 1] == 'R';
	at = strstr(text, slept);
	return at != NULL &&
	       field_number(at + sizeof(slept) - 1, &thread->slept) != NULL;
}

static bool
take_thread(void *arg, pid_t pid, pid_t id)
{
	struct threads *threads = arg;

	if (look_at(pid, id, &threads->thread[threads->count]))
		threads->count++;
	return threads->count < threads->max;
}

unsigned
proc_threads(pid_t pid, struct proc_thread thread[], unsigned max)
{
	struct threads threads = { .thread = thread, .max = max };

	if (pid > 0 && max > 0)
		proc_walk(pid, take_thread, &threads);
	return threads.count;
}

static uint64_t
waited(const struct proc_thread *then, const struct proc_thread *now,
       uint64_t of_us)
{
	const uint64_t ran_us = now->ran_us - then->ran_us;

	if (then->running && now->running && then->slept == now->slept)
		return of_us > ran_us ? of_us - ran_us : 0;
	return now->waited_us - then->waited_us;
}

uint64_t
proc_waited_us(const struct proc_thread then[], unsigned thens,
	       const struct proc_thread now[], unsigned nows, uint64_t of_us)
{
	uint64_t most = 0, us;

	for (unsigned i = 0; i < nows; i++)
		for (unsigned k = 0; k < thens; k++) {
			if (then[k].thread != now[i].thread ||
			    then[k].ran_us > now[i].ran_us ||
			    then[k].waited_us > now[i].waited_us)
				continue;
			us = waited(&then[k], &now[i], of_us);
			if (us > most)
				most = us;
		}
	return most;
}
