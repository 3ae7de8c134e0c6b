/* referee/queue/coordinator.h - the daemon's side of the queue, which is a place
 * where its games are played (referee/runner/dispatch.h): those of bots that were
 * imported.  Jobs go into the database, results come out of it, and are proved.
 *
 * A job that is in the database is played, whether this daemon lives or not: its
 * result is told by adopted() if no game here waits for it.  Whether this daemon
 * may write there says tenure.h. */
#ifndef REFEREE_COORDINATOR_H
#define REFEREE_COORDINATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/queue/queue-figures.h"
#include "referee/queue/tenure.h"
#include "referee/runner/dispatch.h"

#define COORDINATOR_POLL_MS 5000	  /* a notice may be lost */
#define COORDINATOR_RESULTS 16		  /* of one answer */
#define COORDINATOR_RESULT_BYTES 16777216 /* likewise, and the last of them */
#define COORDINATOR_CHECKS_MAX 4096	  /* results that are not on disk yet */
#define COORDINATOR_BYTES_MAX 268435456	  /* of these, likewise */

/* By the loop. */
struct coordinator_calls {
	/* A game of this ladder is over that nothing here has begun, or that was
	 * parked: a game of the owner's, with its calls.  Its number and result
	 * come afterwards, then over() is called.  NULL: there is no such
	 * ladder, and the result stays where it is. */
	struct dispatched *(*adopted)(void *arg, const char *ladder,
				      const struct job *job);
	/* The database is there. */
	void (*up)(void *arg);
	/* Another daemon has taken over: once. */
	void (*taken)(void *arg, const char *why);
};

/* The strings are copied. */
struct coordinator_setup {
	struct loop *loop;
	struct logger *logger;
	struct dispatch *dispatch;
	const char *conninfo, *key; /* connection, file */
	bool standby;		    /* it may wait for another one */
	const struct coordinator_calls *calls;
	void *arg;
};

/* Results wait for their verdicts up to so many seconds each. */
#define COORDINATOR_LAG_BOUNDS 7
#define COORDINATOR_LAG_SECONDS                                                \
	{                                                                      \
		0.05, 0.1, 0.25, 0.5, 1, 2, 10                                 \
	}

/* How the queue does. */
struct coordinator_told {
	bool up;
	int64_t since; /* 1970: the database is up, or down; 0: never was */
	/* Of this process: connections to the database; results. */
	uint64_t connects, results, refused, adopted;
	/* Between the report of a result and its verdict: how many were up to
	 * each bound and above the one before, and of all the sum. */
	uint64_t lag[COORDINATOR_LAG_BOUNDS + 1], lag_us;
	/* What the database has told last: COORDINATOR_POLL_MS ago at most, or
	 * longer ago while it is down. */
	bool known; /* it has told something */
	struct queue_figures figures;
	struct queue_job job[QUEUE_LISTED]; /* parked, the first ones */
	unsigned jobs;
	int64_t followers, behind; /* daemons that wait; verdicts, at most */
	double behind_s;
};

struct coordinator;

/* Connects from now on, and plays the games of the dispatch that it can play.  It
 * is borrowed until dispatch_free().  NULL and a sentence. */
struct coordinator *coordinator_new(const struct coordinator_setup *setup,
				    struct error *why) MUST_CHECK;

/* Returns what tells whether the house is ours; it stays the coordinator's. */
const struct tenure *coordinator_tenure(const struct coordinator *coordinator);
/* The ladders are open: results may come. */
void coordinator_begin(struct coordinator *coordinator);
/* The jobs that its games wait for; the coordinator's. */
struct orders *coordinator_orders(const struct coordinator *coordinator);
const struct coordinator_told *
coordinator_told(const struct coordinator *coordinator);

#endif
