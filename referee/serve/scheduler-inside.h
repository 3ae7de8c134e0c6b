/* referee/serve/scheduler-inside.h - struct scheduler, for the files of the
 * scheduler.
 *
 * A game that ends, a rebuild and the writer's answer all change one ladder:
 * its pairing, its counts, its seated bots.  scheduler.c has the seated bots
 * and the next table, scheduler-game.c a game from its seats to its record,
 * scheduler-rebuild.c, scheduler-fit.c and scheduler-opening.c the slow work;
 * they would be one file of 1,700 lines.  What needs less of the struct has its
 * own module: scheduler-ladder, -prune, -recall, -running, -age, fault-counts. */
#ifndef REFEREE_SCHEDULER_INSIDE_H
#define REFEREE_SCHEDULER_INSIDE_H

#include <event2/util.h>

#include "ladder/fit-kept.h"
#include "protocol/error.h"
#include "referee/serve/dispatch.h"
#include "referee/serve/fault-counts.h"
#include "referee/serve/scheduler-prune.h"
#include "referee/serve/scheduler.h"
#include "referee/table/table.h"
#include "referee/records/writer.h"

/* A running game: its setup, who sits there, its writer job. */
struct run {
	struct scheduler *scheduler;
	struct run *next, **prev;
	struct dispatched game;
	struct table_setup setup;
	struct pairing_table paired;
	struct participant *participant[SEATS_MAX]; /* NULL: it has left */
	bool lost[SEATS_MAX];		     /* and did not wait for the end */
	char bot[SEATS_MAX][NAME_BYTES + 1]; /* what each was called first */
	struct writer_job job;
	bool failed; /* to be written again */
};

/* Another fit, on its way to the pairing. */
struct scheduler_fit {
	struct writer_job job;
	struct ladder_pool pool;
	struct fit_kept *kept; /* what was read; or NULL */
	bool is_read;	       /* now */
};

struct scheduler {
	struct loop *loop;
	struct logger *logger;
	struct dispatch *dispatch;
	struct config_ladder setup;
	const struct scheduler_calls *calls;
	void *arg;
	struct scheduler_ladder at; /* its ladder is the writer's */
	struct writer *writer;
	struct scheduler_prune *prune;	  /* NULL: none was ever to be pruned */
	char dir[LADDER_PATH_BYTES - 16]; /* room for a name below */
	struct event *written, *again, *retry;
	struct event *prune_told; /* NULL as long as `prune` is */
	struct loop_task fill_task;
	struct pairing *pairing;
	struct participant *
		*participant;  /* by handle: who sits here, or NULL */
	unsigned participants; /* room in it */
	unsigned remotes;      /* of them, those that are not of this machine */
	struct run *runs;      /* all that are not safe yet */
	struct scheduler_rebuild *rebuild; /* under way, or NULL */
	struct writer_job ranking;	   /* tells the ladder ranked_days, */
	uint64_t ranked_days;		   /* these, */
	bool is_ranking;		   /* now */
	struct scheduler_fit fit;
	struct fault_counts faults; /* by handle */
	struct scheduler_counts counts;
	uint64_t calm_us; /* a game could not be had: none begins until then */
	bool stopping, failing;
	bool blocked;			 /* by owners who are kept apart: */
	char why[SCHEDULER_BLOCK_BYTES]; /* a sentence */
	bool hurried; /* scheduler_abort(): what cannot be written is given up
		       */
};

/* A ladder that is open, and its past. */
struct scheduler_opening {
	struct config_ladder setup;
	char dir[LADDER_PATH_BYTES - 16]; /* room for a name below */
	struct scheduler_ladder at;
	struct pairing *pairing;
	struct fault_counts faults;
	uint64_t games;
	struct error why; /* "": it is open */
};

/* ---- scheduler.c ------------------------------------------------------ */

/* Calls empty() if it was stopped and is empty. */
void scheduler_look_if_empty(struct scheduler *scheduler);

/* The ladder has been told who is ranked. */
void scheduler_ranking_done(struct scheduler *scheduler);

/* Whose rating it enters the ladder with, as its own earlier entry: a name that
 * has a rating here.  NULL: none. */
const char *scheduler_heir_of(const struct scheduler *scheduler,
			      const struct participant *participant);

/* The pairing is told with what rating those who sit here would enter, as far
 * as they have none. */
void scheduler_rate_newcomers(struct scheduler *scheduler);

/* ---- scheduler-game.c ------------------------------------------------- */

/* A line with the ladder's name and a sentence. */
void scheduler_log(struct scheduler *scheduler, enum log_level level,
		   const char *event, const char *why);

/* False: the machine cannot now; it is tried again a little later. */
bool scheduler_game_begin(struct scheduler *scheduler,
			  const struct pairing_table *paired);
/* What could not be written is written once more. */
void scheduler_game_again(struct scheduler *scheduler);
/* The ladder has taken so many games, and what it had left. */
void scheduler_count_rated(struct scheduler *scheduler, unsigned count);
/* For libevent; `arg` is the scheduler.  The time to call
 * scheduler_game_again(), */
void scheduler_on_retry(evutil_socket_t fd, short what, void *arg);
/* and that games have come back from the writer. */
void scheduler_on_writer(evutil_socket_t fd, short what, void *arg);

/* ---- scheduler-fit.c -------------------------------------------------- */

/* What scheduler_refitted() asked the writer's thread for has come back. */
void scheduler_fit_done(struct scheduler *scheduler);
/* If this one, which sits here, is in no fit yet, it stands where the bot before
 * it does. */
void scheduler_fit_heir(struct scheduler *scheduler, unsigned bot);

/* ---- scheduler-rebuild.c ---------------------------------------------- */

/* It has come back from the writer. */
void scheduler_rebuild_done(struct scheduler *scheduler);
/* It is to come back soon. */
void scheduler_rebuild_stop(struct scheduler *scheduler);

#endif
