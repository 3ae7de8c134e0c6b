/* referee/sandbox/sandbox-slot.h - numbers of boxes that no other referee on this
 * machine uses now.
 *
 * As root each box has a user of its own by its number (sandbox-start.h).  Two
 * processes that start bots must not give out the same number: their bots could
 * signal each other, and their processes would count together.  So each number
 * in use is a byte that is locked in a file, until it is given back or the
 * process ends, however that happens.  An ordinary user's boxes have no users,
 * and if the file cannot be made every number is free. */
#ifndef REFEREE_SANDBOX_SLOT_H
#define REFEREE_SANDBOX_SLOT_H

#include <stdbool.h>

#include "protocol/util.h"

#define SANDBOX_SLOT_FILE "/run/referee.users"

/* Whether it was free, and is ours now. */
bool sandbox_slot_lock(unsigned slot) MUST_CHECK;
void sandbox_slot_unlock(unsigned slot);

#endif
