/* referee/runner/cores.c - see cores.h. */
#include "referee/runner/cores.h"

#include <sched.h>
#include <stdint.h>

#include "protocol/field.h"
#include "protocol/file.h"

/* Returns the whole processors that a control group gives us; 0 if it does not
 * say. */
static unsigned
quota(void)
{
	uint64_t max = 0, period = 0;
	char text[64];

	if (file_peek(text, sizeof(text), "/sys/fs/cgroup/cpu.max") <= 0 ||
	    field_number(field_number(text, &max), &period) == NULL ||
	    max == 0 || period == 0)
		return 0;
	return max < period ? 1 : (unsigned)(max / period);
}

unsigned
cores_usable(void)
{
	const unsigned given = quota();
	unsigned cores = 1;
	cpu_set_t all;

	if (sched_getaffinity(0, sizeof(all), &all) == 0)
		cores = (unsigned)CPU_COUNT(&all);
	if (given != 0 && given < cores)
		cores = given;
	return cores;
}

int
cores_pick(unsigned i)
{
	cpu_set_t all;
	int core = sched_getcpu();

	if (sched_getaffinity(0, sizeof(all), &all) < 0 || core < 0 ||
	    CPU_COUNT(&all) < 2)
		return -1;
	for (;; core = (core + 1) % CPU_SETSIZE)
		if (CPU_ISSET(core, &all) && i-- == 0)
			return core;
}
