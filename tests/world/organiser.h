/* tests/world/organiser.h - somebody who runs the daemon: disables and enables bots,
 * pardons them, takes tokens away, bans owners, reloads settings, sets the calendar, at
 * drawn times. */
#ifndef TESTS_WORLD_ORGANISER_H
#define TESTS_WORLD_ORGANISER_H

#include "tests/world/scenario.h"

/* Begins for this life.  `scenario` is borrowed. */
void organiser_begin(const struct scenario *scenario, uint64_t number);
/* Does nothing more: the daemon is told to stop. */
void organiser_end(void);

#endif
