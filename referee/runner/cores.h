/* referee/runner/cores.h - the processors that workers may use.
 *
 * Linux: sched_getaffinity(2), /sys/fs/cgroup/cpu.max. */
#ifndef REFEREE_CORES_H
#define REFEREE_CORES_H

#include "protocol/util.h"

/* How many this process may use, at least 1: by its mask, and what its control
 * group is given of them. */
unsigned cores_usable(void) MUST_CHECK;

/* The processor of worker `i`: one after the other, from the one that we are on
 * now, so that two matches of one job do not meet on the first.  -1: there is
 * no choice. */
int cores_pick(unsigned i) MUST_CHECK;

#endif
