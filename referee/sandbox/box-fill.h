/* referee/sandbox/box-fill.h - the folder of a box that builds: in memory, filled
 * with the sources of the build. */
#ifndef REFEREE_BOX_FILL_H
#define REFEREE_BOX_FILL_H

#include <stdint.h>

#include "protocol/util.h"

/* Copies all files and folders below SANDBOX_SENT to SANDBOX_FOLDER, sends a
 * descriptor of that folder over the socket `in`, and then makes `in`
 * /dev/null.  The first process of a box calls this before it starts anything.
 * Returns 0, or -1 and errno. */
int box_fill(int in) MUST_CHECK;

/* Returns the bytes in that folder; 0 if box_fill() has not filled it. */
uint64_t box_filled(void) MUST_CHECK;

#endif
