/* referee/sandbox/cpu-time.h - the processor time of a process that was reaped, also
 * for the static program of a box. */
#ifndef REFEREE_CPU_TIME_H
#define REFEREE_CPU_TIME_H

#include <stdint.h>
#include <sys/resource.h>

/* Returns the processor time of the process and of the kernel for it, in
 * microseconds. */
static inline uint64_t
cpu_time_us(const struct rusage *usage)
{
	return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) *
		       1000000 +
	       (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

#endif
