/* referee/queue/house.h - the roster and the bots of a data folder, as the
 * queue's database has them.
 *
 * The roster consists of the bytes of roster.db, page by page, and of
 * roster.key, sealed.  Each change makes a new state, which only the daemon
 * that has the queue writes.  DATA/house names the state that the folder is a
 * copy of, or 0 until the first copy is whole.  A program that finds such a
 * file must not write to the folder without that daemon.
 *
 * The functions wait, may be called in any thread, and return 0, or -1 and an
 * error. */
#ifndef REFEREE_HOUSE_H
#define REFEREE_HOUSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/config/serve-config.h"
#include "referee/queue/verdicts.h"

#define HOUSE_PAGE_BYTES 4096
#define HOUSE_ID_BYTES 64 /* bytes, with a NUL */
#define HOUSE_TRIES 3	  /* attempts to write */
#define HOUSE_HOLDER_BYTES 96

/* A connection that one thread at a time may use. */
struct house;

/* Makes one for the data folder of this configuration, without connecting yet.
 * All arguments are copied.  Returns NULL and an error if that fails. */
struct house *house_new(const struct queue_house *queue,
			const struct config *config,
			struct error *why) MUST_CHECK;
void house_free(struct house *house); /* NULL is allowed */

/* Copies the database's roster into the folder if the folder has an older one
 * or none.  No roster may be open there.  Sets `*changed` to true if it copied.
 * The error is ERROR_INPUT if the folder has a roster that is not a copy of
 * this one, or if the key does not open it. */
int house_bring(struct house *house, bool *changed,
		struct error *why) MUST_CHECK;
/* Returns the state that the folder has after that. */
int64_t house_state(const struct house *house);
/* Copies a roster of `n` bytes to the database; only pages that have changed
 * are sent. */
int house_put(struct house *house, const void *image, size_t n,
	      const unsigned char key[ROSTER_KEY_BYTES],
	      struct error *why) MUST_CHECK;

/* The next house_put() reads again what the database has, as it may be another
 * database. */
void house_look_again(struct house *house);

/* Copies the archive of DATA/bots/HASH to the database, unless that has it.
 * The error is ERROR_INPUT if no archive can be made of the folder. */
int house_put_bot(struct house *house, const char *hash, const char *name,
		  struct error *why) MUST_CHECK;
/* Makes DATA/bots/HASH of that archive and builds it in a sandbox, unless the
 * folder is there.  It stops as soon as `*stop` is true, and then returns an
 * error. */
int house_bring_bot(struct house *house, const char *hash,
		    const atomic_bool *stop, struct error *why) MUST_CHECK;

/* Writes how far this waiting daemon has followed `n` ladders, and in `cannot`
 * what it cannot do, or NULL. Stores how many verdicts and seconds it is
 * behind. */
int house_tell(struct house *house, const char *follower,
	       const char *const ladder[], const int64_t serial[], size_t n,
	       const char *cannot, int64_t *behind, double *behind_s,
	       struct error *why) MUST_CHECK;

/* Writes the name of this process for the database, used while it waits and
 * while it has the queue. */
void house_holder(char name[HOUSE_HOLDER_BYTES]);

/* Makes the folder one that is no copy of a queue's database, as its daemon has
 * no queue any more (data_folder_is_copy()). */
int house_leave(const char *data, struct error *why) MUST_CHECK;

#endif
