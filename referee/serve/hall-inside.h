/* referee/serve/hall-inside.h - what the files of the hall share, and nobody
 * else includes. */
#ifndef REFEREE_HALL_INSIDE_H
#define REFEREE_HALL_INSIDE_H

#include <event2/util.h>

#include "referee/serve/dispatch.h"
#include "referee/serve/hall-prune.h"
#include "referee/serve/hall.h"
#include "referee/table/table.h"
#include "referee/records/writer.h"

/* A running game: its setup, who sits there, its writer job. */
struct run {
	struct hall *hall;
	struct run *next, **prev;
	struct dispatched game;
	struct table_setup setup;
	struct pairing_table paired;
	struct sitter *sitter[SEATS_MAX]; /* NULL: it has left */
	bool lost[SEATS_MAX];		  /* and did not wait for the end */
	struct writer_job job;
	bool failed; /* to be written again */
};

struct hall {
	struct loop *loop;
	struct logger *logger;
	struct dispatch *dispatch;
	struct config_ladder setup;
	const struct hall_calls *calls;
	void *arg;
	struct hall_ladder at; /* its ladder is the writer's */
	struct writer *writer;
	struct hall_prune *prune;	  /* NULL: none was ever to be pruned */
	char dir[LADDER_PATH_BYTES - 16]; /* room for a name below */
	struct event *written, *again, *retry;
	struct event *prune_told; /* NULL as long as `prune` is */
	struct loop_task fill_task;
	struct pairing *pairing;
	struct sitter **sitter; /* by handle: who sits here, or NULL */
	unsigned sitters;	/* room in it */
	unsigned guests;  /* of them, those that are not of this machine */
	struct run *runs; /* all that are not safe yet */
	struct hall_rebuild *rebuild; /* under way, or NULL */
	struct hall_counts counts;
	uint64_t calm_us; /* a game could not be had: none begins until then */
	bool stopping, failing;
	bool blocked;		    /* by owners who are kept apart: */
	char why[HALL_BLOCK_BYTES]; /* a sentence */
	bool hurried; /* hall_abort(): what cannot be written is given up */
};

/* A ladder that is open, and its past. */
struct hall_opening {
	struct config_ladder setup;
	char dir[LADDER_PATH_BYTES - 16]; /* room for a name below */
	struct hall_ladder at;
	struct pairing *pairing;
	char why[HALL_WHY_BYTES]; /* "": it is open */
};

/* ---- hall.c ----------------------------------------------------------- */

/* Tells so, if it is and was to be. */
void hall_look_if_empty(struct hall *hall);

/* Whose rating it enters the ladder with, as its own earlier entry: a name that
 * has a rating here.  NULL: nobody's. */
const char *hall_heir_of(const struct hall *hall, const struct sitter *sitter);

/* The pairing is told with what rating those who sit here would enter, as far
 * as they have none. */
void hall_rate_newcomers(struct hall *hall);

/* ---- hall-game.c ------------------------------------------------------ */

/* A line with the ladder's name and a sentence. */
void hall_log(struct hall *hall, enum log_level level, const char *event,
	      const char *why);

/* False: the machine cannot now; it is tried again a little later. */
bool hall_game_begin(struct hall *hall, const struct pairing_table *paired);
/* What could not be written is written once more. */
void hall_game_again(struct hall *hall);
/* The ladder has taken so many games, and what it had left. */
void hall_count_rated(struct hall *hall, unsigned count);
/* For libevent; `arg` is the hall.  The time to call hall_game_again(), */
void hall_on_retry(evutil_socket_t fd, short what, void *arg);
/* and that games have come back from the writer. */
void hall_on_writer(evutil_socket_t fd, short what, void *arg);

/* ---- hall-rebuild.c --------------------------------------------------- */

/* It has come back from the writer. */
void hall_rebuild_done(struct hall *hall);
/* It is to come back soon. */
void hall_rebuild_stop(struct hall *hall);

#endif
