/* referee/cli/ladder-change.h - changes a whole ladder: through the daemon that
 * has it, or in this process. */
#ifndef REFEREE_LADDER_CHANGE_H
#define REFEREE_LADDER_CHANGE_H

#include "protocol/util.h"
#include "referee/records/ladder-rebuild.h"

/* Runs rebuild_do() in the process that has the ladder open.  Prints the answer
 * or the error.  Returns the exit code. */
int ladder_change(struct rebuild *rebuild) MUST_CHECK;

#endif
