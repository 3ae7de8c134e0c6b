/* referee/sandbox/sandbox-slot.h - gives out numbers of boxes that no other
 * referee on this machine uses.
 *
 * When the referee is root, each box has a user of its own by its number
 * (sandbox-start.h).  Two referees must not give out the same number: their
 * bots could signal each other, and their processes would count together.  So
 * each number in use is a locked byte of a file.  The lock ends when the number
 * is given back or the process ends in any way.  For an ordinary user, whose
 * boxes have no users of their own, and if the file cannot be made, every
 * number is free. */
#ifndef REFEREE_SANDBOX_SLOT_H
#define REFEREE_SANDBOX_SLOT_H

#include <stdbool.h>

#include "protocol/util.h"

#define SANDBOX_SLOT_FILE "/run/referee.users"

/* Takes a number.  Returns false if another referee has it. */
bool sandbox_slot_lock(unsigned slot) MUST_CHECK;
void sandbox_slot_unlock(unsigned slot);

#endif
