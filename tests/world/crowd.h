/* tests/world/crowd.h - the bots and watchers of a scenario in one life, and what must
 * hold for each of them at any time. */
#ifndef TESTS_WORLD_CROWD_H
#define TESTS_WORLD_CROWD_H

#include "tests/world/scenario.h"

/* Lets remote bots and watchers come.  An honest bot that is charged with a fault,
 * refused an answer or told what PROTOCOL.md does not have ends the life.
 *
 * Games that bots are told are over are added to the file `promises` of the working
 * folder, one a line, `ID HASH`: they are on the ladder in all later lives.  Those that
 * they are told are aborted are added to `aborted`: they are never on it. */
void crowd_begin(const struct scenario *scenario, unsigned life);
/* Writes to the trace how much happened. */
void crowd_report(void);

#endif
