/* tests/world/life.h - one life of the daemon on the simulated machine. */
#ifndef TESTS_WORLD_LIFE_H
#define TESTS_WORLD_LIFE_H

#include <stdbool.h>
#include <stdio.h>

#include "tests/world/scenario.h"

/* Lives until the drawn end, and ends this process with an enum world_end or 0.  The
 * last life ends because the daemon is told to. */
_Noreturn void life_live(const struct scenario *scenario, unsigned number,
			 uint64_t now_us, int64_t calendar_ms, FILE *trace);
/* Returns true if the daemon was told to stop, and the time that games have to end is
 * over. */
bool life_aborts(void);

#endif
