/* referee/queue/queue-figures.h - what is told of the queue: its figures, jobs that are
 * parked, workers; and how that looks as JSON.
 *
 * The daemon's pages and `referee queue` have one shape.  The names of machines
 * and what they give as reasons are told to the operator alone, who has a role in
 * the database: of what all may see they are left out. */
#ifndef REFEREE_QUEUE_FIGURES_H
#define REFEREE_QUEUE_FIGURES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/queue/limits.h"

#define QUEUE_COUNTED 10000 /* jobs of a state; of more an estimate is told */
#define QUEUE_RECENT 1000 /* of games rated lately that is what is looked at, */
#define QUEUE_RECENT_S 300    /* in so many seconds */
#define QUEUE_LISTED 100      /* parked jobs that pages have */
#define QUEUE_WORKER_BYTES 65 /* of its name, with a NUL */
#define QUEUE_WHY_BYTES 512   /* of a reason, with its NUL */

enum queue_reader { QUEUE_ALL, QUEUE_OPERATOR };

struct queue_figures {
	bool up; /* the database; if not, all else is what it told last */
	int64_t version, epoch; /* of the tables; of the daemon that writes */
	char holder[128];	/* what that calls itself; "": none yet */
	char key[64];		/* the print of the key; "": none yet */
	int64_t taken, at;	/* since 1970: it took over; these were true */
	int64_t waiting;
	int64_t claimed, reported, parked, verdicts;
	int64_t oldest_s; /* since the oldest that waits was made */
	int64_t workers, suspended;
	/* Rated lately, in so many seconds; how long a result waited for its
	 * verdict: the median, and the longest. */
	int64_t recent;
	double recent_s, lag_median_s, lag_worst_s;
};

/* A job that is parked. */
struct queue_job {
	int64_t job, losses, made; /* made: since 1970 */
	char ladder[NAME_BYTES + 1], game[ID_BYTES + 1];
	char why[QUEUE_WHY_BYTES];
	char unbuilt[NAME_BYTES + 1]; /* the bot that machines lack, or "" */
	unsigned seats;
	char name[SEATS_MAX][NAME_BYTES + 1];
};

struct queue_worker {
	char name[QUEUE_WORKER_BYTES], class[65], version[256], processor[512];
	int64_t cores, seen_s;
	double speed;
	int64_t jobs, hour; /* that it has; results in the last hour */
	bool suspended;
	char why[QUEUE_WHY_BYTES];
};

/* Games rated a second, of late. */
double queue_pace(const struct queue_figures *figures) MUST_CHECK;
/* Objects; the caller's. */
json_t *queue_figures_json(const struct queue_figures *figures,
			   enum queue_reader reader) MUST_CHECK;
json_t *queue_job_json(const struct queue_job *job,
		       enum queue_reader reader) MUST_CHECK;
json_t *queue_worker_json(const struct queue_worker *worker) MUST_CHECK;

#endif
