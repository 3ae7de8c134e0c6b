/* referee/sandbox/box-fill.h - the folder of a box that builds: in memory, filled
 * with the sources of the build. */
#ifndef REFEREE_BOX_FILL_H
#define REFEREE_BOX_FILL_H

#include <stdint.h>

#include "protocol/util.h"

/* Copies all below SANDBOX_SENT, which are files and folders, to
 * SANDBOX_FOLDER, and sends a descriptor of that folder over the socket `in`,
 * which becomes /dev/null then.  For the first process of a box, before it
 * starts anything: 0, or -1 and errno. */
int box_fill(int in) MUST_CHECK;

/* The bytes in that folder; 0: it was not filled by us. */
uint64_t box_filled(void) MUST_CHECK;

#endif
