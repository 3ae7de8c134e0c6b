/* referee/queue/tenure.h - this daemon has its queue, or waits for it.
 *
 * One daemon at a time has the queue, by an advisory lock and an epoch, which
 * each of its writes names.  Once another has taken over, the database refuses
 * these writes. */
#ifndef REFEREE_TENURE_H
#define REFEREE_TENURE_H

#include <stdbool.h>

#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/queue/pg.h"
#include "referee/queue/verdicts.h"

#define TENURE_RETRY_MS 1000 /* wait before it asks for the queue again */
/* After both have lost the database, a waiting daemon leaves the queue for this
 * long to the one that had it.  It is longer than PG_RETRY_MAX_MS. */
#define TENURE_GRACE_MS 8000

enum tenure_state {
	TENURE_WAITS, /* waits for the database */
	TENURE_HELD,  /* waits, as another daemon has the queue or the schema is
		       * too old */
	TENURE_READY,
	TENURE_FAILED, /* waiting does not help */
};

/* The loop makes these calls. */
struct tenure_calls {
	/* The queue is ours, and our key opens its jobs: call tenure_begin().
	 * This comes again if the connection is lost before that. */
	void (*has)(void *arg);
	/* The tenure is ready.  Called once, by tenure_begin(). */
	void (*begun)(void *arg);
	/* Another daemon has taken over.  Called once. */
	void (*taken)(void *arg, const char *why);
};

struct tenure;

/* Makes a tenure, which asks for nothing before tenure_up().  `key_print` is
 * the print of our key.  With `standby` it may wait for another daemon.  All
 * arguments are borrowed. */
struct tenure *tenure_new(struct loop *loop, struct pg *pg,
			  const char *conninfo, const char *key_print,
			  bool standby, const struct tenure_calls *calls,
			  void *arg) MUST_CHECK;
void tenure_free(struct tenure *tenure); /* NULL is allowed */

/* The connection is up, or it is lost, and `why` is a sentence. */
void tenure_up(struct tenure *tenure);
void tenure_down(struct tenure *tenure, const char *why);
/* Makes the tenure ready: the daemon has all that it needs to know of the
 * queue.  A second call does nothing. */
void tenure_begin(struct tenure *tenure);

/* Returns the state.  `*why` is a borrowed sentence unless it is ready. */
enum tenure_state tenure_state(const struct tenure *tenure,
			       const char **why) MUST_CHECK;
/* Returns where and under which epoch we write, borrowed.  The epoch is 0 until
 * the queue is ours. */
const struct queue_term *tenure_term(const struct tenure *tenure);
/* Returns true if the tenure is ready, no other daemon has taken over, and the
 * connection is up. */
bool tenure_is_ready(const struct tenure *tenure) MUST_CHECK;
/* Returns true if the database refused because another daemon has taken over;
 * the first time it calls taken(). */
bool tenure_is_taken(struct tenure *tenure, const struct pg_answer *answer);

#endif
