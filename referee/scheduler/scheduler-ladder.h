/* referee/scheduler/scheduler-ladder.h - opens the ladder and the records of a
 * scheduler. */
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

/* Bytes for the folder of a ladder, which leave room for a name below it. */
#define SCHEDULER_DIR_BYTES (LADDER_PATH_BYTES - 16)

/* The sentence for ladder_is_lost(). */
#define SCHEDULER_LADDER_LOST                                                  \
	"its file was removed or replaced while the daemon runs; its games "   \
	"are safe in its log: restart the daemon, and the ladder has them all"
/* The sentence for ladder_season_is_apart(). */
#define SCHEDULER_LADDER_APART                                                 \
	"its game, seats, options or open are not those of the ladder "        \
	"before it: every bot enters with the start rating"

struct scheduler_ladder {
	struct ladder *ladder; /* owned */
	char records[LADDER_PATH_BYTES];
	struct ladder_log *log; /* owned; its packs, or the queue's database */
	struct verdicts *verdicts; /* that database; NULL: no queue */
	unsigned settled; /* games that were rated while it was opened */
	/* The ratings that bots enter the pool with, if it is a season; owned,
	 * sorted by name. */
	struct ladder_entry *entry;
	size_t entries;
	bool apart; /* ladder_season_is_apart() */
	bool set;   /* the configuration has changed the settings */
};

/* Opens or makes the ladder and its records in `dir`, which is made too.  The
 * ladder first follows its log, then the settings of the configuration take
 * effect.  Returns 0, or -1 and an error.  May be called in any thread; `stop`
 * is that of ladder_open_until(), or NULL. With a queue (`term` is not NULL,
 * and borrowed for the call) the ladder then has all games and voids of the
 * database, and a lost ladder is made from them.  For a daemon that waits
 * (term->epoch is 0) the settings stay unchanged, and opened->ladder may be
 * NULL, if the database knows no ladder of that name yet. */
int scheduler_ladder_open(const char *dir, const struct config_ladder *setup,
			  const struct queue_term *term,
			  const atomic_bool *stop,
			  struct scheduler_ladder *opened,
			  struct error *why) MUST_CHECK;
/* Logs what opening has found. */
void scheduler_ladder_tell(const struct scheduler_ladder *opened,
			   const struct config_ladder *setup,
			   struct logger *logger);
/* Returns true, and the rating, if the bot enters this season with a rating of
 * its own. */
bool scheduler_ladder_enters(const struct scheduler_ladder *opened,
			     const char *bot, int64_t *rating_milli);
void scheduler_ladder_close(struct scheduler_ladder *opened);

#endif
