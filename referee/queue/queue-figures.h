/* referee/queue/queue-figures.h - the figures, parked jobs and machines of a
 * queue, and their JSON.
 *
 * The daemon's pages and `referee queue` show the same JSON. Only the operator,
 * who has a role in the database, sees the names of machines and the reasons
 * that they give; the public pages leave them out. */
#ifndef REFEREE_QUEUE_FIGURES_H
#define REFEREE_QUEUE_FIGURES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/queue/limits.h"

#define QUEUE_COUNTED 10000   /* of a state; more jobs are estimated */
#define QUEUE_RECENT 1000     /* most games that are looked at */
#define QUEUE_RECENT_S 300    /* time that counts as recent */
#define QUEUE_LISTED 100      /* parked jobs on a page */
#define QUEUE_WORKER_BYTES 65 /* of a machine's name, with a NUL */
#define QUEUE_WHY_BYTES 512   /* of a reason, with its NUL */

enum queue_reader { QUEUE_ALL, QUEUE_OPERATOR };

struct queue_figures {
	bool up; /* the database is up; if not, the rest is older */
	int64_t version, epoch; /* of the tables; of the writing daemon */
	char holder[128];	/* name of that daemon; "": none yet */
	char key[64];		/* the print of the key; "": none yet */
	int64_t taken, at;	/* seconds since 1970: it took over; figures
				 * read */
	int64_t waiting;
	int64_t claimed, reported, parked, verdicts;
	int64_t oldest_s; /* age of the oldest waiting job */
	int64_t workers, suspended;
	/* Number of games rated recently, and in how many seconds; the time
	 * that a result waited for its verdict, as median and maximum. */
	int64_t recent;
	double recent_s, lag_median_s, lag_worst_s;
};

/* A parked job. */
struct queue_job {
	int64_t job, losses, made; /* made: since 1970 */
	char ladder[NAME_BYTES + 1], game[ID_BYTES + 1];
	char why[QUEUE_WHY_BYTES];
	char unbuilt[NAME_BYTES + 1]; /* the bot that machines cannot build, or
				       * "" */
	unsigned seats;
	char name[SEATS_MAX][NAME_BYTES + 1];
};

struct queue_worker {
	char name[QUEUE_WORKER_BYTES], class[65], version[256], processor[512];
	int64_t cores, seen_s;
	double speed;
	int64_t jobs, hour; /* claimed now; results in the last hour */
	bool suspended;
	char why[QUEUE_WHY_BYTES];
};

/* Returns the recent number of rated games per second. */
double queue_pace(const struct queue_figures *figures) MUST_CHECK;
/* Return JSON objects, which the caller owns. */
json_t *queue_figures_json(const struct queue_figures *figures,
			   enum queue_reader reader) MUST_CHECK;
json_t *queue_job_json(const struct queue_job *job,
		       enum queue_reader reader) MUST_CHECK;
json_t *queue_worker_json(const struct queue_worker *worker) MUST_CHECK;

#endif
