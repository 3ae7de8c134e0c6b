/* referee/spawner/spawner-watch.h - finds bots that the spawner must kill
 * without an order.
 *
 * These are boxes that were told to end and did not, because their first
 * process cannot or does not answer; and bots in tier C whose processes
 * together have more memory than they may, which only the spawner can see.  The
 * processes of such a bot cannot leave its session and group. */
#ifndef REFEREE_SPAWNER_WATCH_H
#define REFEREE_SPAWNER_WATCH_H

#include <stdint.h>

#include "protocol/util.h"
#include "referee/spawner/spawner-bots.h"

/* Time between two looks at memory, and until the second look if the first
 * finds too much: during a look, memory may go from a process that was seen to one that
 * will be. */
#define SPAWNER_WATCH_MS 200
#define SPAWNER_AGAIN_MS 20

/* Returns the monotonic clock in milliseconds. */
uint64_t now_ms(void) MUST_CHECK;

/* Ends the bots whose time has come.  A bot that cannot be looked at has too
 * much memory. */
void spawner_watch(struct bots *bots);
/* Returns the milliseconds until the next call of spawner_watch(); -1: not
 * before something happens. */
int spawner_patience(const struct bots *bots) MUST_CHECK;

#endif
