/* referee/scheduler/scheduler-opening.h - what takes long when a scheduler opens: its
 * ladder's file, and all games of its past.  In any thread: no loop, no log. */
#ifndef REFEREE_SCHEDULER_OPENING_H
#define REFEREE_SCHEDULER_OPENING_H

#include <stdatomic.h>
#include <stdint.h>

#include "ladder/pairing.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/config/serve-config.h"
#include "referee/queue/verdicts.h"
#include "referee/scheduler/scheduler-ladder.h"
#include "referee/scheduler/scheduler-recall.h"

#define SCHEDULER_RECALLED 2000 /* games of before: who has just met whom */
/* Of the folder of a ladder: room for a name below it. */
#define SCHEDULER_DIR_BYTES (LADDER_PATH_BYTES - 16)

/* A ladder that was opened, and what its past tells.  All of it is its own. */
struct scheduler_opening {
	struct error why; /* "": it is open; else a sentence */
	struct config_ladder setup;
	char dir[SCHEDULER_DIR_BYTES];
	struct scheduler_ladder at;
	struct pairing *pairing;
	struct scheduler_standings standings;
};

/* `house` is borrowed; NULL: there is no queue.  Opens or makes the ladder below
 * `data`, rates what a cut has left unrated,
 * and reads all of its games: takes seconds with a million.  Never NULL.
 * Becomes a failure soon after *stop is true (NULL: never). */
struct scheduler_opening *scheduler_read(const struct config_ladder *ladder,
					 const char *data,
					 const struct queue_house *house,
					 const atomic_bool *stop) MUST_CHECK;
/* May take as long; NULL is fine. */
void scheduler_opening_free(struct scheduler_opening *opening);

#endif
