/* referee/queue/coordinator.h - the daemon's side of the queue: jobs go into the
 * database, results come out of it, and are proved.
 *
 * One daemon at a time has the house, by an advisory lock and an epoch that each
 * of its writes names; once another has taken over, none of them counts.  A job
 * that is in the database is played, whether this daemon lives or not: its
 * result is told by adopted() if no game here waits for it. */
#ifndef REFEREE_COORDINATOR_H
#define REFEREE_COORDINATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/queue/verdicts.h"
#include "referee/runner/job.h"
#include "referee/table/loop.h"

#define COORDINATOR_POLL_MS 5000    /* a notice may be lost */
#define COORDINATOR_AGAIN_MS 1000   /* to ask for the house again */
#define COORDINATOR_RESULTS 16	    /* of one answer */
#define COORDINATOR_CHECKS_MAX 4096 /* results that are not on disk yet */
#define COORDINATOR_SEEN_S 60	    /* a worker is there that was seen then */

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
	/* The job is not played, for now: a sentence.  It is forgotten here. */
	void (*parked)(void *arg, uint64_t number, const char *why);
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
};

enum coordinator_state {
	COORDINATOR_WAITS, /* for the database, */
	COORDINATOR_HELD,  /* or for another daemon that has the house */
	COORDINATOR_READY,
	COORDINATOR_FAILED, /* that is no use: a sentence */
};

struct coordinator_counts {
	bool up;
	int64_t waiting, claimed, reported, parked, workers;
	int64_t oldest_s; /* since the oldest that waits was made */
	uint64_t results, refused, adopted;
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
/* The owner waits no longer; the job is played all the same, and its result
 * adopted. */
void coordinator_leave(struct coordinator *coordinator, uint64_t number);
/* The result of this job stands in the log, or is given up. */
void coordinator_receipt(struct coordinator *coordinator, int64_t job);

const struct coordinator_counts *
coordinator_counts(const struct coordinator *coordinator);

#endif
