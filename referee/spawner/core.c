/* referee/spawner/core.c - see core.h. */
#include "referee/spawner/core.h"

#include <sched.h>
#include <stdbool.h>

#include "protocol/util.h"
#include "referee/sandbox/process-look.h"

#define THREADS 512 /* threads looked at for one bot */

static cpu_set_t all;
static bool known;

static void
remember_all(void)
{
	known = known || sched_getaffinity(0, sizeof(all), &all) == 0;
}

static void
only(int core, cpu_set_t *set)
{
	CPU_ZERO(set);
	CPU_SET(core, set);
}

void
core_stay(int core)
{
	cpu_set_t one;

	remember_all();
	only(core, &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
}

struct moving {
	const cpu_set_t *to;
	unsigned count;
};

/* Moves a thread; one that we may not move stays where it is. */
static bool
move(void *arg, pid_t pid UNUSED, pid_t thread)
{
	struct moving *moving = arg;

	(void)sched_setaffinity(thread, sizeof(*moving->to), moving->to);
	return ++moving->count < THREADS;
}

void
core_set(pid_t pid, int core)
{
	cpu_set_t one;
	struct moving to = { core >= 0 ? &one : &all, 0 };

	remember_all();
	if (core >= 0)
		only(core, &one);
	proc_walk(pid, move, &to);
}
