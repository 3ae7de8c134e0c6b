/* tests/world/crowd.h - the bots and watchers of a scenario in one life, and what must
 * hold for each of them at any time. */
#ifndef TESTS_WORLD_CROWD_H
#define TESTS_WORLD_CROWD_H

#include "tests/world/scenario.h"

/* Draws how programs and processes fare in this life; without it nothing happens to
 * them.  Call it before crowd_begin(). */
void crowd_draw_luck(unsigned life);
/* Lets remote bots, watchers and authors come.  The life ends if an honest bot is
 * charged with a fault, is refused an answer, or is told what PROTOCOL.md does not
 * have.
 *
 * What bots read is added to the promises (promises.h). */
void crowd_begin(const struct scenario *scenario, unsigned life);
/* Says that the daemon was told to stop. */
void crowd_stopping(void);
/* Ends the life if nothing is wrong and too few games were played in this time. */
void crowd_check_calm(const struct scenario *scenario, uint64_t us);
/* Closes the descriptors of all of them: the daemon has ended. */
void crowd_end(void);
/* Writes to the trace how much happened. */
void crowd_report(void);

#endif
