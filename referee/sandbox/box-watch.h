/* referee/sandbox/box-watch.h - the total memory and files of a box's processes,
 * where no control group counts them. */
#ifndef REFEREE_BOX_WATCH_H
#define REFEREE_BOX_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"

/* How often the first process of a box looks. */
#define BOX_WATCH_MS 200

/* Whether they have more than `bytes` of memory of their own (each page counted
 * once, and the tables of pages), with what lies in the folder of a box that
 * builds, or /tmp has more than BOX_NAMES names; also if that cannot be found
 * out.  For the first process of a box; without allocation. */
bool box_has_too_much(uint64_t bytes) MUST_CHECK;
/* Looks for the sake of what is seen. */
void box_look(void);
/* The most that they were seen to have together, in KiB. */
uint64_t box_seen_kib(void);

#endif
