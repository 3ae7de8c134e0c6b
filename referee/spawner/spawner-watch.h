/* referee/spawner/spawner-watch.h - bots that the spawner must kill without an
 * order.
 *
 * These are boxes that were told to end and did not, because their first
 * process cannot or does not answer; and bots in tier C whose processes have
 * more memory together than they may: only the spawner can look at that.  They
 * are all in the bot's session and group, which none can leave. */
#ifndef REFEREE_SPAWNER_WATCH_H
#define REFEREE_SPAWNER_WATCH_H

#include <stdint.h>

#include "protocol/util.h"
#include "referee/spawner/spawner-bots.h"

/* How often to look at memory; and once more after what looks like too much: a
 * process that is about to become another one (vfork) shows the memory of its
 * parent. */
#define SPAWNER_WATCH_MS 200
#define SPAWNER_AGAIN_MS 20

/* By a clock that only goes on. */
uint64_t now_ms(void) MUST_CHECK;

/* Ends those whose time has come.  What cannot be looked at has too much. */
void spawner_watch(struct bots *bots);
/* How long until the next call of spawner_watch(), in ms; -1: not before
 * something happens. */
int spawner_patience(const struct bots *bots) MUST_CHECK;

#endif
