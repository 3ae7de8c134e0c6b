/* referee/queue/coordinator.h - the daemon's side of the queue.  The queue is a
 * place where games of imported bots are played (referee/runner/dispatch.h).
 * This side writes jobs into the database, fetches results from it, and proves
 * them.
 *
 * A job that is in the database is played, whether this daemon lives or not.
 * If no game here waits for its result, adopted() is called. tenure.h knows if
 * this daemon may write to the database. */
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
#define COORDINATOR_RESULTS 16		  /* results of one answer */
#define COORDINATOR_RESULT_BYTES 16777216 /* bytes before the last */
#define COORDINATOR_FETCHED_MAX 4096	  /* results not on disk yet */
#define COORDINATOR_BYTES_MAX 268435456	  /* bytes of these results */

/* The loop makes these calls. */
struct coordinator_calls {
	/* A game of this ladder is over that nothing here has begun, or that
	 * was parked.  Returns a game of the owner, with its calls: its number
	 * and result are set afterwards, then over() is called.  Returns NULL
	 * if there is no such ladder; then the result stays in the database. */
	struct dispatched *(*adopted)(void *arg, const char *ladder,
				      const struct job *job);
	/* The connection to the database is up. */
	void (*up)(void *arg);
	/* A job waits for a bot that the database lacks. */
	void (*lacks)(void *arg);
	/* Another daemon has taken over.  Called once. */
	void (*taken)(void *arg, const char *why);
};

/* The strings are copied. */
struct coordinator_setup {
	struct loop *loop;
	struct logger *logger;
	struct dispatch *dispatch;
	const char *conninfo, *key; /* of the database; the file of the key */
	bool standby;		    /* may wait for another daemon */
	const struct coordinator_calls *calls;
	void *arg;
};

/* Upper bounds in seconds of the time that a result waits for its verdict. */
#define COORDINATOR_LAG_BOUNDS 7
#define COORDINATOR_LAG_SECONDS                                                \
	{                                                                      \
		0.05, 0.1, 0.25, 0.5, 1, 2, 10                                 \
	}

/* The state of the queue, for metrics and pages. */
struct coordinator_told {
	bool up;
	int64_t since; /* seconds since 1970 at which `up` last changed; 0:
		        * never up */
	/* Counted since this process began: connections to the database, and
	 * results. */
	uint64_t connects, results, refused, adopted;
	/* The lag from the report of a result to its verdict: the number of
	 * results up to each bound and above the one before, and the sum of all
	 * lags. */
	uint64_t lag[COORDINATOR_LAG_BOUNDS + 1], lag_us;
	/* The last figures from the database.  They are at most
	 * COORDINATOR_POLL_MS old, or older while it is down. */
	bool known; /* figures have come */
	struct queue_figures figures;
	struct queue_job job[QUEUE_LISTED]; /* the first parked jobs */
	unsigned jobs;
	int64_t followers, behind; /* waiting daemons; the most verdicts that
				    * one lacks */
	double behind_s;
};

struct coordinator;

/* Connects from now on, and plays those games of the dispatch that it can play.
 * The dispatch is borrowed until dispatch_free().  Returns NULL and an error if
 * that fails. */
struct coordinator *coordinator_new(const struct coordinator_setup *setup,
				    struct error *why) MUST_CHECK;

/* Returns the tenure, which knows if the queue is ours; the coordinator owns
 * it. */
const struct tenure *coordinator_tenure(const struct coordinator *coordinator);
/* Fetches results from now on; call it once the ladders are open. */
void coordinator_begin(struct coordinator *coordinator);
/* Returns the jobs that its games wait for; the coordinator owns them. */
struct orders *coordinator_orders(const struct coordinator *coordinator);
const struct coordinator_told *
coordinator_told(const struct coordinator *coordinator);

#endif
