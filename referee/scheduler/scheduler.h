/* referee/scheduler/scheduler.h - plays one ladder of the daemon: its bots, its
 * tables, its records.
 *
 * The folder DIR/ladders/NAME holds the ladder (ladder.db) and its records.
 * Bots sit down and rise.  Whenever there is room for one more table, the
 * pairing names the next one.  A finished game goes to the writer, and its bots
 * are told `over` only when its record is safe.  When the disk fails, no game
 * begins until the finished ones have been written; the writer tries again
 * until then. */
#ifndef REFEREE_SCHEDULER_H
#define REFEREE_SCHEDULER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/abort.h"
#include "protocol/error.h"
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

#define SCHEDULER_BLOCK_BYTES 256 /* bytes of a sentence and its NUL */

struct scheduler;
struct queue_term;

struct scheduler_calls {
	struct scheduler_game_news news;
	/* Returns true if bots of this machine can begin no game now, wherever
	 * they sit.  The owner calls scheduler_wake() when that has changed. */
	bool (*full)(void *arg);
	/* After scheduler_stop(): no table is left, and the writer has no job. */
	void (*empty)(void *arg, struct scheduler *scheduler);
};

/* Opens or makes the ladder below `data`, rates games that an earlier process
 * has left unrated, and reads all games, which takes seconds for a million.
 * May be called in any thread: it uses neither loop nor log.  `house` is
 * borrowed; NULL means that there is no queue.  It gives up soon after `*stop`
 * is true; `stop` may be NULL. The caller then calls scheduler_open() or
 * scheduler_close_files().  Returns NULL and an ERROR_INPUT that names the
 * ladder if that fails. */
struct scheduler *scheduler_read(const struct config_ladder *ladder,
				 const char *data,
				 const struct queue_term *house,
				 const atomic_bool *stop,
				 struct error *why) MUST_CHECK;
/* Logs what reading has found, starts the threads, and listens to the writer.
 * Returns 0; if it fails, it closes the scheduler and returns -1 and an
 * ERROR_INPUT that names the ladder. */
int scheduler_open(struct scheduler *scheduler, struct loop *loop,
		   struct logger *logger, struct dispatch *dispatch,
		   const struct scheduler_calls *calls, void *arg,
		   struct error *why) MUST_CHECK;
/* Close it when no table is left.  Call scheduler_close(), or first
 * scheduler_close_events() in the thread of the loop and then
 * scheduler_close_files(), which waits for the disk, in any thread.  NULL is
 * allowed for the last. */
void scheduler_close(struct scheduler *scheduler);
void scheduler_close_events(struct scheduler *scheduler);
void scheduler_close_files(struct scheduler *scheduler);

/* Return its ladder's name, counts and configuration, borrowed until it is
 * closed. */
const char *scheduler_name(const struct scheduler *scheduler);
const struct scheduler_counts *
scheduler_counts(const struct scheduler *scheduler);
const struct config_ladder *scheduler_setup(const struct scheduler *scheduler);
/* Return its bots and its games to be read; only the scheduler changes them. */
const struct scheduler_bots *scheduler_bots(const struct scheduler *scheduler);
const struct scheduler_games *
scheduler_games(const struct scheduler *scheduler);
/* Writes the path of its ladder's file. */
void scheduler_path(const struct scheduler *scheduler,
		    char path[LADDER_PATH_BYTES]);
/* Returns the second at which its standings froze; 0: they are not frozen.  Until the
 * configuration has no `freezes`, or one that is to come, everybody but the organiser
 * reads the ladder's file at scheduler_shown_path(), and sees no game that runs. */
int64_t scheduler_frozen(const struct scheduler *scheduler);
/* Writes the path of the file that pages show: that of the ladder, or the copy of the
 * freeze (scheduler-freeze.h), which is missing while it is made. */
void scheduler_shown_path(const struct scheduler *scheduler,
			  char path[LADDER_PATH_BYTES]);
/* Returns true if spectators may watch its games as they run. */
bool scheduler_is_watched(const struct scheduler *scheduler);
/* Returns the season of its ladder, borrowed. */
const struct ladder_season *scheduler_season(const struct scheduler *scheduler);

/* Returns why no bots can meet although enough are here: the time has not come or is
 * over (scheduler-term.h); or bots of one owner are kept apart, and there are too few
 * owners.  Returns NULL if that is not so. */
const char *scheduler_blocked(const struct scheduler *scheduler);
/* Returns true if that is only the pause between two games that `games-a-day` makes. */
bool scheduler_paced(const struct scheduler *scheduler) MUST_CHECK;

/* Sets other settings from the next game on; a stopped scheduler goes on.
 * Game, options, seats, `open`, K, start rating and same_bot_twice must be
 * those of before: scheduler_can_set(). */
void scheduler_set(struct scheduler *scheduler,
		   const struct config_ladder *ladder);
bool scheduler_can_set(const struct scheduler *scheduler,
		       const struct config_ladder *ladder);

/* Lets it play here from now on, with as many games at a time as it has room
 * for.  Call it again when its room has changed.  Returns false if the ladder
 * takes no more bots. */
bool scheduler_sit(struct scheduler *scheduler,
		   struct participant *participant);
/* Lets it begin no game here until the next scheduler_sit(); it keeps sitting. */
void scheduler_hold(struct scheduler *scheduler,
		    struct participant *participant);
/* Returns true if opponents may soon be free for it: others play here, or
 * enough bots sit here of which some play elsewhere. */
bool scheduler_may_pair_soon(const struct scheduler *scheduler,
			     const struct participant *participant);
/* Reads the new fit of its ladder, by which opponents are chosen from then on. */
void scheduler_refitted(struct scheduler *scheduler);
/* Looks soon if there is room for another table. */
void scheduler_wake(struct scheduler *scheduler);
/* Lets it begin no more games here. */
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

/* Forgets the failures of a bot that was mended, and ends its suspension.
 * Returns true if it was suspended. */
bool scheduler_pardon(struct scheduler *scheduler, const char *name);

/* Called with the answer of rebuild_do(); `why` is NULL if it succeeded. */
typedef void scheduler_rebuilt(void *arg, uint64_t number,
			       const struct text *out, const struct error *why);

/* Rebuilds its ladder, or voids games of it, in the writer's thread.  Games go
 * on, and those that end meanwhile are written afterwards.  `rebuild` is copied
 * with its folders.  `rebuilt` is called at the end with `number`, even after
 * scheduler_abort().  Returns false if the ladder is being rebuilt already. */
bool scheduler_rebuild(struct scheduler *scheduler,
		       const struct rebuild *rebuild,
		       scheduler_rebuilt *rebuilt, void *arg,
		       uint64_t number) MUST_CHECK;

/* Calls scheduler_games_adopt().  Returns NULL if the job's game or number of
 * seats is not that of this ladder. */
struct dispatched *scheduler_adopt(struct scheduler *scheduler,
				   const struct job *job) MUST_CHECK;

/* Returns true if no game runs or waits for the disk, and the writer has no
 * other job of this scheduler. */
bool scheduler_is_empty(const struct scheduler *scheduler);
/* Lets it begin no more games; empty() follows. */
void scheduler_stop(struct scheduler *scheduler);
/* Calls scheduler_games_leave().  Call it after scheduler_stop(). */
void scheduler_leave(struct scheduler *scheduler);
/* Aborts all running games.  From now on a record that cannot be written is
 * lost with its game.  A ladder that is being rebuilt stays unchanged. */
void scheduler_abort(struct scheduler *scheduler, enum abort_word why);

#endif
