/* referee/queue/tenure.h - this daemon has the house of a queue, or waits for it.
 *
 * One daemon at a time has the house, by an advisory lock and an epoch that each
 * of its writes names; once another has taken over, none of them counts. */
#ifndef REFEREE_TENURE_H
#define REFEREE_TENURE_H

#include <stdbool.h>

#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/queue/pg.h"
#include "referee/queue/verdicts.h"

#define TENURE_RETRY_MS 1000 /* to ask for the house again */
/* A daemon that waits lets the other one have its house again, after both have
 * lost the database: longer than PG_RETRY_MAX_MS. */
#define TENURE_GRACE_MS 8000

enum tenure_state {
	TENURE_WAITS, /* for the database, */
	TENURE_HELD,  /* or for another daemon that has the house */
	TENURE_READY,
	TENURE_FAILED, /* that is no use: a sentence */
};

/* By the loop. */
struct tenure_calls {
	/* The house is ours, and our key opens its jobs; tenure_begin() is due.
	 * It is told again if the connection is lost before that. */
	void (*has)(void *arg);
	/* After that, once: it is ready. */
	void (*begun)(void *arg);
	/* Another daemon has taken over: once. */
	void (*taken)(void *arg, const char *why);
};

struct tenure;

/* Asks for nothing before tenure_up().  `key_print` is that of our key; with
 * `standby` it may wait for another daemon.  All is borrowed. */
struct tenure *tenure_new(struct loop *loop, struct pg *pg,
			  const char *conninfo, const char *key_print,
			  bool standby, const struct tenure_calls *calls,
			  void *arg) MUST_CHECK;
void tenure_free(struct tenure *tenure); /* NULL is fine */

/* The connection is up, or is lost: a sentence. */
void tenure_up(struct tenure *tenure);
void tenure_down(struct tenure *tenure, const char *why);
/* All that the daemon needs to know of the house is here, if not long since. */
void tenure_begin(struct tenure *tenure);

/* `*why` is a sentence unless it is ready, borrowed. */
enum tenure_state tenure_state(const struct tenure *tenure,
			       const char **why) MUST_CHECK;
/* Borrowed; its epoch is 0 until the house is ours. */
const struct queue_house *tenure_house(const struct tenure *tenure);
/* Returns true if the database can be asked, and would hear us. */
bool tenure_is_ready(const struct tenure *tenure) MUST_CHECK;
/* Returns true if the answer is no because of another daemon, and tells that
 * once. */
bool tenure_is_taken(struct tenure *tenure, const struct pg_answer *answer);

#endif
