/* referee/queue/registry.h - the roster and the bots of a data folder, as the
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
#ifndef REFEREE_REGISTRY_H
#define REFEREE_REGISTRY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/config/serve-config.h"
#include "referee/queue/verdicts.h"

#define REGISTRY_PAGE_BYTES 4096
#define REGISTRY_ID_BYTES 64 /* bytes, with a NUL */
#define REGISTRY_TRIES 3     /* attempts to write */
#define REGISTRY_HOLDER_BYTES 96

/* A connection that one thread at a time may use. */
struct registry;

/* Makes one for the data folder of this configuration, without connecting yet.
 * All arguments are copied.  Returns NULL and an error if that fails. */
struct registry *registry_new(const struct queue_term *queue,
			      const struct config *config,
			      struct error *why) MUST_CHECK;
void registry_free(struct registry *registry); /* NULL is allowed */

/* Copies the database's roster into the folder if the folder has an older one
 * or none.  No roster may be open there.  Sets `*changed` to true if it copied.
 * The error is ERROR_INPUT if the folder has a roster that is not a copy of
 * this one, or if the key does not open it. */
int registry_bring(struct registry *registry, bool *changed,
		   struct error *why) MUST_CHECK;
/* Returns the state that the folder has after that. */
int64_t registry_state(const struct registry *registry);
/* Copies a roster of `n` bytes to the database; only pages that have changed
 * are sent. */
int registry_put(struct registry *registry, const void *image, size_t n,
		 const unsigned char key[ROSTER_KEY_BYTES],
		 struct error *why) MUST_CHECK;

/* The next registry_put() reads again what the database has, as it may be another
 * database. */
void registry_look_again(struct registry *registry);

/* Copies the archive of DATA/bots/HASH to the database, unless that has it.
 * The error is ERROR_INPUT if no archive can be made of the folder. */
int registry_put_bot(struct registry *registry, const char *hash,
		     const char *name, struct error *why) MUST_CHECK;
/* Makes DATA/bots/HASH of that archive and builds it in a sandbox, unless the
 * folder is there.  It stops as soon as `*stop` is true, and then returns an
 * error. */
int registry_bring_bot(struct registry *registry, const char *hash,
		       const atomic_bool *stop, struct error *why) MUST_CHECK;

/* Writes how far this waiting daemon has followed `n` ladders, and in `cannot`
 * what it cannot do, or NULL. Stores how many verdicts and seconds it is
 * behind. */
int registry_tell(struct registry *registry, const char *follower,
		  const char *const ladder[], const int64_t serial[], size_t n,
		  const char *cannot, int64_t *behind, double *behind_s,
		  struct error *why) MUST_CHECK;

/* Writes the name of this process for the database, used while it waits and
 * while it has the queue. */
void registry_holder(char name[REGISTRY_HOLDER_BYTES]);

/* Makes the folder one that is no copy of a queue's database, as its daemon has
 * no queue any more (data_folder_is_copy()). */
int registry_leave(const char *data, struct error *why) MUST_CHECK;

#endif
