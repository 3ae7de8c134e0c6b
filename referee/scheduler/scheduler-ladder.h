/* referee/scheduler/scheduler-ladder.h - opens what a scheduler begins with: the
 * ladder and its records. */
#ifndef REFEREE_SCHEDULER_LADDER_H
#define REFEREE_SCHEDULER_LADDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/config/serve-config.h"
#include "referee/queue/verdicts.h"

/* Room for the folder of a ladder, and for a name below it. */
#define SCHEDULER_DIR_BYTES (LADDER_PATH_BYTES - 16)

/* Tells what ladder_is_lost() finds. */
#define SCHEDULER_LADDER_LOST                                                  \
	"its file was removed or replaced while the daemon runs; its games "   \
	"are safe in its log: restart the daemon, and the ladder has them all"
/* Tells of a season that ladder_season_is_apart() finds. */
#define SCHEDULER_LADDER_APART                                                 \
	"its game, seats, options or open are not those of the ladder "        \
	"before it: every bot enters with the start rating"

struct scheduler_ladder {
	struct ladder *ladder; /* owned */
	char records[LADDER_PATH_BYTES];
	struct ladder_log *log;	   /* owned; packs, or the queue's database */
	struct verdicts *verdicts; /* that database; NULL: there is no queue */
	unsigned settled;	   /* games that were rated now */
	/* With what bots enter the pool, if it is a season: owned, by name. */
	struct ladder_entry *entry;
	size_t entries;
	bool apart; /* ladder_season_is_apart() */
	bool set;   /* the configuration has other settings than before */
};

/* Opens or makes all of it in `dir`, which is made, too.  The ladder follows its
 * log, and only then the settings hold that the configuration has now.  -1 and a
 * sentence.  In any thread; `stop` as for ladder_open_until(), or NULL.  With a
 * queue (`house` is not NULL, and borrowed for the call) the ladder has all games
 * and voids that the database has, then, and a lost one is made from them.  For a
 * daemon that waits (house->epoch is 0) the settings stay as they are; `ladder`
 * may be NULL: the database knows none by that name yet. */
int scheduler_ladder_open(const char *dir, const struct config_ladder *setup,
			  const struct queue_house *house,
			  const atomic_bool *stop,
			  struct scheduler_ladder *opened,
			  struct error *why) MUST_CHECK;
/* What it has found, in the log. */
void scheduler_ladder_tell(const struct scheduler_ladder *opened,
			   const struct config_ladder *setup,
			   struct logger *logger);
/* Whether the bot enters this season with a rating of its own. */
bool scheduler_ladder_enters(const struct scheduler_ladder *opened,
			     const char *bot, int64_t *rating_milli);
void scheduler_ladder_close(struct scheduler_ladder *opened);

#endif
