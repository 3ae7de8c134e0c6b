/* referee/sandbox/box-watch.h - the total memory and files of a box's processes,
 * where no control group counts them. */
#ifndef REFEREE_BOX_WATCH_H
#define REFEREE_BOX_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"

/* The first process of a box looks once in this time. */
#define BOX_WATCH_MS 200

/* Returns true if the processes have more than `bytes` of memory of their own
 * (each page and the tables of pages counted once), together with the folder of
 * a box that builds; if /tmp has more than BOX_NAMES names; or if that cannot
 * be found out.  The first process of a box calls it.  It does not allocate. */
bool box_has_too_much(uint64_t bytes) MUST_CHECK;
/* Looks only to update box_seen_kib(). */
void box_look(void);
/* Returns the most memory that a look has found in all processes together, in
 * KiB. */
uint64_t box_seen_kib(void);

#endif
