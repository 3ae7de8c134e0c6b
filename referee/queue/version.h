/* referee/queue/version.h - checks that this program and a queue go together.
 *
 * A queue has the version of the schema that its `referee queue init` knew.  An
 * older program can use the queue as long as all functions that it calls are
 * there. */
#ifndef REFEREE_QUEUE_VERSION_H
#define REFEREE_QUEUE_VERSION_H

#include "protocol/util.h"
#include "referee/queue/pg.h"

/* The statement to ask before anything else. */
#define QUEUE_VERSION_ASK "SELECT version, oldest FROM referee.queue_version()"
#define QUEUE_FIT_BYTES 200

enum queue_fit {
	QUEUE_FITS,
	QUEUE_UNKNOWN, /* no answer: there is no queue, or no database */
	QUEUE_TOO_OLD, /* `referee queue init` helps: wait for it */
	QUEUE_TOO_NEW, /* only another program helps */
};

/* The roles of the database. */
#define QUEUE_DAEMON "referee_coordinator"
#define QUEUE_WORKER "referee_worker"

/* Sets an error that says what an answer that is not done means, and what mends
 * it, if we have to be a member of `role`.  The error is ERROR_INPUT if the
 * database refuses, else ERROR_MACHINE. */
int queue_trouble(const struct pg_answer *answer, const char *role,
		  struct error *why);

/* Reads the answer to QUEUE_VERSION_ASK. `why` is a sentence if the queue is
 * too old or too new. */
enum queue_fit queue_fit(const struct pg_answer *answer,
			 char why[QUEUE_FIT_BYTES]) MUST_CHECK;

#endif
