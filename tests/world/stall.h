/* tests/world/stall.h - a machine that stands still for a while, as one that sleeps. */
#ifndef TESTS_WORLD_STALL_H
#define TESTS_WORLD_STALL_H

#include <stdbool.h>

/* Draws if and when the machine of this life stands still.  Its clock goes on
 * meanwhile, and nothing runs: no bot may be charged for that time. */
void stall_begin(unsigned life);
/* Returns true if it does in this life. */
bool stall_comes(void);

#endif
