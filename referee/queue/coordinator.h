/* referee/queue/coordinator.h - the daemon's side of the queue: jobs go into the
 * database, results come out of it, and are proved.
 *
 * One daemon at a time has the house, by an advisory lock and an epoch that each
 * of its writes names; once another has taken over, none of them counts.  A job
 * that is in the database is played, whether this daemon lives or not: its
 * result is told by adopted() if no game here waits for it.  What a program of
 * another version has made and this one cannot read stays where it is, for one
 * that can. */
#ifndef REFEREE_COORDINATOR_H
#define REFEREE_COORDINATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/queue/queue-figures.h"
#include "referee/queue/verdicts.h"
#include "referee/runner/job.h"

#define COORDINATOR_POLL_MS 5000  /* a notice may be lost */
#define COORDINATOR_RETRY_MS 1000 /* to ask for the house again */
/* A daemon that waits lets the other one have its house again, after both have
 * lost the database: longer than PG_RETRY_MAX_MS. */
#define COORDINATOR_GRACE_MS 8000
#define COORDINATOR_RESULTS 16		  /* of one answer */
#define COORDINATOR_RESULT_BYTES 16777216 /* likewise, and the last of them */
#define COORDINATOR_CHECKS_MAX 4096	  /* results that are not on disk yet */
#define COORDINATOR_BYTES_MAX 268435456	  /* of these, likewise */
#define COORDINATOR_CLASSED 10000	  /* jobs that change class at a time */

/* Which result it is. */
struct coordinator_result {
	int64_t job, attempt;
};

/* All from the loop. */
struct coordinator_calls {
	/* The game of a job is over.  The result is the owner's from now on;
	 * coordinator_receipt() is due. */
	void (*over)(void *arg, uint64_t number, struct job_result *result,
		     const struct coordinator_result *which);
	/* Likewise of a job that nothing here knows, on this ladder.  False: no
	 * such ladder is here; the result is not taken, and stays where it
	 * is. */
	bool (*adopted)(void *arg, const char *ladder, const struct job *job,
			struct job_result *result,
			const struct coordinator_result *which);
	/* The job is not played, for now: a sentence, and a bit for each seat
	 * whose bot is the reason.  It is forgotten here. */
	void (*parked)(void *arg, uint64_t number, const char *why,
		       unsigned blamed);
};

/* For those who tell people of it; by the loop. */
struct coordinator_news {
	/* The result of a worker was refused, and the worker is suspended: a
	 * sentence. */
	void (*refused)(void *arg, const char *worker, const char *game,
			const char *why);
	/* The database is there, or is not: a sentence. */
	void (*up)(void *arg);
	void (*down)(void *arg, const char *why);
	/* Another daemon has taken over: once. */
	void (*taken)(void *arg, const char *why);
};

/* The strings are copied. */
struct coordinator_setup {
	struct loop *loop;
	const char *conninfo, *key, *data; /* connection, file, folder */
	bool standby;			   /* it may wait for another one */
	const struct coordinator_news *news;
	void *news_arg;
};

enum coordinator_state {
	COORDINATOR_WAITS, /* for the database, */
	COORDINATOR_HELD,  /* or for another daemon that has the house */
	COORDINATOR_READY,
	COORDINATOR_FAILED, /* that is no use: a sentence */
};

/* Results wait for their verdicts up to so many seconds each. */
#define COORDINATOR_LAG_BOUNDS 7
#define COORDINATOR_LAG_SECONDS                                                \
	{                                                                      \
		0.05, 0.1, 0.25, 0.5, 1, 2, 10                                 \
	}

/* Of this process. */
struct coordinator_counts {
	bool up;
	uint64_t connects; /* to the database */
	uint64_t results, refused, adopted;
	/* Between the report of a result and its verdict: how many were up to
	 * each bound and above the one before, and of all the sum. */
	uint64_t lag[COORDINATOR_LAG_BOUNDS + 1], lag_us;
	int64_t followers, behind; /* daemons that wait; verdicts, at most */
	double behind_s;
};

/* What the database has told last: COORDINATOR_POLL_MS ago at most, or longer ago
 * while it is down. */
struct coordinator_told {
	bool known; /* it has told something */
	struct queue_figures figures;
	struct queue_job job[QUEUE_LISTED]; /* parked, the first ones */
	unsigned jobs;
	int64_t since; /* 1970: the database is up, or down; 0: never was */
};

struct coordinator;

/* Connects from now on.  NULL and a sentence. */
struct coordinator *coordinator_new(const struct coordinator_setup *setup,
				    const struct coordinator_calls *calls,
				    void *arg, struct error *why) MUST_CHECK;
void coordinator_free(struct coordinator *coordinator); /* NULL is fine */

/* `*why` is a sentence unless it is ready, borrowed. */
enum coordinator_state coordinator_state(const struct coordinator *coordinator,
					 const char **why) MUST_CHECK;
/* Borrowed; its epoch is 0 until the coordinator is ready. */
const struct queue_house *
coordinator_house(const struct coordinator *coordinator);
/* The ladders are open: results may come. */
void coordinator_begin(struct coordinator *coordinator);

/* Whether all its programs are bots that were imported. */
bool coordinator_can_play(const struct job *job) MUST_CHECK;
/* The job is copied. */
void coordinator_play(struct coordinator *coordinator, const struct job *job,
		      const char *ladder);
/* From now on jobs of this ladder, also those that wait, are played by machines
 * of this class alone; "": by any. */
void coordinator_set_class(struct coordinator *coordinator, const char *ladder,
			   const char *class);
/* The owner waits no longer; the job is played all the same, and its result
 * adopted. */
void coordinator_leave(struct coordinator *coordinator, uint64_t number);
/* Jobs of this ladder that are played though no game here waits for them, as far
 * as is known: an earlier daemon has made them. */
uint64_t coordinator_left(const struct coordinator *coordinator,
			  const char *ladder) MUST_CHECK;
/* The result of this job stands in the log, or is given up. */
void coordinator_receipt(struct coordinator *coordinator, int64_t job);

const struct coordinator_counts *
coordinator_counts(const struct coordinator *coordinator);
const struct coordinator_told *
coordinator_told(const struct coordinator *coordinator);

#endif
