/* referee/scheduler/scheduler.h - plays one ladder of the daemon: its bots, its
 * tables, its records.
 *
 * In DIR/ladders/NAME lie the ladder (ladder.db) and its records.  Bots sit
 * down and rise; whenever there is room for one more table, the pairing names
 * the next one.  A finished game goes to the writer, and only when its record
 * is safe are its bots told `over`.  When the disk fails, no game begins until
 * the finished ones have been written; the writer tries again until then. */
#ifndef REFEREE_SCHEDULER_H
#define REFEREE_SCHEDULER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/abort.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/config/serve-config.h"
#include "referee/records/ladder-rebuild.h"
#include "referee/runner/participant.h"
#include "referee/scheduler/scheduler-bots.h"
#include "referee/scheduler/scheduler-counts.h"
#include "referee/scheduler/scheduler-game.h"

#define SCHEDULER_BLOCK_BYTES 256 /* a sentence and its NUL */

struct scheduler;
struct queue_house;

struct scheduler_calls {
	struct scheduler_game_news news;
	/* Whether bots of this machine can begin no game now, wherever they
	 * sit.  When that is over, scheduler_wake() is due. */
	bool (*full)(void *arg);
	/* No table is left, and nothing is with the writer; after
	 * scheduler_stop().
	 */
	void (*empty)(void *arg, struct scheduler *scheduler);
};

/* Opens or makes the ladder below `data`, rates what a cut has left unrated, and reads
 * all of its games: that takes seconds with a million.  In any thread: no loop, no log.
 * `house` is borrowed; NULL: there is no queue.  Gives up soon after *stop is true
 * (NULL: never).  scheduler_open() or scheduler_close_files() is due.  NULL and
 * ERROR_INPUT, a sentence that names the ladder. */
struct scheduler *scheduler_read(const struct config_ladder *ladder,
				 const char *data,
				 const struct queue_house *house,
				 const atomic_bool *stop,
				 struct error *why) MUST_CHECK;
/* Tells in the log what games a cut has ended, and begins to listen to the writer.  -1
 * and such an error: it is closed. */
int scheduler_open(struct scheduler *scheduler, struct loop *loop,
		   struct logger *logger, struct dispatch *dispatch,
		   const struct scheduler_calls *calls, void *arg,
		   struct error *why) MUST_CHECK;
/* Closes it when no table is left: scheduler_close(), or first
 * scheduler_close_events() in the thread of the loop and then
 * scheduler_close_files(), which waits for the disk, in any thread; NULL is fine for
 * that. */
void scheduler_close(struct scheduler *scheduler);
void scheduler_close_events(struct scheduler *scheduler);
void scheduler_close_files(struct scheduler *scheduler);

/* Its ladder's name, counts and configuration; borrowed until it is closed. */
const char *scheduler_name(const struct scheduler *scheduler);
const struct scheduler_counts *
scheduler_counts(const struct scheduler *scheduler);
const struct config_ladder *scheduler_setup(const struct scheduler *scheduler);
/* Who sits here, and its games, to be read: only the scheduler changes them. */
const struct scheduler_bots *scheduler_bots(const struct scheduler *scheduler);
const struct scheduler_games *
scheduler_games(const struct scheduler *scheduler);
/* Where its ladder is. */
void scheduler_path(const struct scheduler *scheduler,
		    char path[LADDER_PATH_BYTES]);
/* Which season its ladder is; borrowed. */
const struct ladder_season *scheduler_season(const struct scheduler *scheduler);

/* Why no bots can meet although enough are here: they are of too few owners
 * that are kept apart.  NULL: that is not so. */
const char *scheduler_blocked(const struct scheduler *scheduler);

/* Other settings from the next game on; one that was stopped goes on.  Game,
 * options, seats, `open`, K, start rating and same_bot_twice are as before:
 * scheduler_can_set(). */
void scheduler_set(struct scheduler *scheduler,
		   const struct config_ladder *ladder);
bool scheduler_can_set(const struct scheduler *scheduler,
		       const struct config_ladder *ladder);

/* It plays here from now on, with so many games at a time as it has
 * room for.  Once more: its room has changed.  False: the ladder takes no more
 * bots. */
bool scheduler_sit(struct scheduler *scheduler,
		   struct participant *participant);
/* It sits here, but begins no game until it sits down once more. */
void scheduler_hold(struct scheduler *scheduler,
		    struct participant *participant);
/* Whether others play here, or enough of those that sit here play elsewhere, so
 * that some may soon be free for it. */
bool scheduler_hopes(const struct scheduler *scheduler,
		     const struct participant *participant);
/* Its fit was done again: opponents are chosen by that from soon on. */
void scheduler_refitted(struct scheduler *scheduler);
/* There may be room for another table. */
void scheduler_wake(struct scheduler *scheduler);
/* It begins no more games here. */
void scheduler_rise(struct scheduler *scheduler,
		    struct participant *participant);
/* Says what becomes of the games of one that is gone. */
enum scheduler_parting {
	SCHEDULER_LOST,	     /* they have lost it: it did not wait */
	SCHEDULER_WITHDRAWN, /* as of scheduler_games_withdraw() */
	SCHEDULER_LET_GO,    /* they are all over but for their records */
};
/* It is gone, and not to be touched any more. */
void scheduler_part(struct scheduler *scheduler,
		    struct participant *participant,
		    enum scheduler_parting how);

/* The failures of this one are forgotten, as of a bot that was mended.  Whether
 * it was suspended, from which it comes back. */
bool scheduler_pardon(struct scheduler *scheduler, const char *name);

/* What rebuild_do() says; `why` is NULL if it was done. */
typedef void scheduler_rebuilt(void *arg, uint64_t number,
			       const struct text *out, const struct error *why);

/* Rebuilds its ladder, or voids games of it, in the writer's thread: games go
 * on, and those that end meanwhile are written afterwards.  `rebuild` is
 * copied, with its folders; `rebuilt` is called in the end, with `number`, also
 * after scheduler_abort(). False: it is being rebuilt already. */
bool scheduler_rebuild(struct scheduler *scheduler,
		       const struct rebuild *rebuild,
		       scheduler_rebuilt *rebuilt, void *arg,
		       uint64_t number) MUST_CHECK;

/* As of scheduler_games_adopt(); NULL: it is no game of this ladder. */
struct dispatched *scheduler_adopt(struct scheduler *scheduler,
				   const struct job *job) MUST_CHECK;

/* Whether no game runs or waits for the disk, and nothing is rebuilt. */
bool scheduler_is_empty(const struct scheduler *scheduler);
/* Begins no more games; empty() follows. */
void scheduler_stop(struct scheduler *scheduler);
/* As of scheduler_games_leave(); after scheduler_stop(). */
void scheduler_leave(struct scheduler *scheduler);
/* Aborts all games that run.  From now on a record that
 * cannot be written is lost, and its game with it.  A ladder that is being
 * rebuilt stays as it was. */
void scheduler_abort(struct scheduler *scheduler, enum abort_word why);

#endif
