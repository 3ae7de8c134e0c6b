/* referee/runner/cores.h - the processors that workers may use.
 *
 * Linux: sched_getaffinity(2), /sys/fs/cgroup/cpu.max. */
#ifndef REFEREE_CORES_H
#define REFEREE_CORES_H

#include "protocol/util.h"

/* Returns how many processors this process may use by its mask and its control
 * group, at least 1. */
unsigned cores_usable(void) MUST_CHECK;

/* Returns the processor of worker `i`: one after the other, beginning with the
 * one that we are on now, so that two matches do not meet on the first.
 * Returns -1 if there is no choice. */
int cores_pick(unsigned i) MUST_CHECK;

#endif
