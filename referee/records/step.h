/* referee/records/step.h - steps through a replay on a terminal. */
#ifndef REFEREE_STEP_H
#define REFEREE_STEP_H

#include "protocol/util.h"
#include "referee/records/replay.h"

/* Shows the replay from line `first` on, as `viewer` (a seat or VIEW_…) sees
 * it, until the reader quits or the terminal goes away.  Standard input and
 * output must be a terminal.  It is restored when this returns, and also when a
 * signal ends the program.  Returns 0, or -1 with errno. */
int step_run(const struct replay *replay, unsigned first,
	     int viewer) MUST_CHECK;

#endif
