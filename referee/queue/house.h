/* referee/queue/house.h - the roster and the bots of a data folder, as the
 * queue's database has them.
 *
 * The roster is the bytes of roster.db, page by page, and roster.key, sealed.
 * Each change of it is one more state, which only the daemon with the house
 * writes.  DATA/house names the state that the folder is a copy of, or 0 until the
 * first copy is whole: who finds such a file there must not write to the folder
 * without that daemon.
 *
 * Functions wait, in any thread, and return 0, or -1 and an error. */
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
#define HOUSE_ID_BYTES 64 /* with a NUL */
#define HOUSE_TRIES 3	  /* to write */
#define HOUSE_HOLDER_BYTES 96

/* A connection, for one thread at a time. */
struct house;

/* For the data folder of this configuration.  All is copied.  Does not connect yet.
 * NULL and a sentence. */
struct house *house_new(const struct queue_house *queue,
			const struct config *config,
			struct error *why) MUST_CHECK;
void house_free(struct house *house); /* NULL is fine */

/* The roster of the database into the folder, where no roster is open, if that
 * has an older one or none.  `*changed`: it was.  ERROR_INPUT: the folder has a
 * roster that is not a copy of this one, or the key does not open it. */
int house_bring(struct house *house, bool *changed,
		struct error *why) MUST_CHECK;
/* The state that the folder has, after that. */
int64_t house_state(const struct house *house);
/* And there: `n` bytes, of which those that have changed are sent. */
int house_put(struct house *house, const void *image, size_t n,
	      const unsigned char key[ROSTER_KEY_BYTES],
	      struct error *why) MUST_CHECK;

/* The next house_put() looks at what the database has: it may be another one. */
void house_look_again(struct house *house);

/* The archive of DATA/bots/HASH, unless the database has it.  ERROR_INPUT: there
 * is no such archive. */
int house_put_bot(struct house *house, const char *hash, const char *name,
		  struct error *why) MUST_CHECK;
/* DATA/bots/HASH from that archive, unless it is there: built in a sandbox.
 * Left as soon as *stop is true, which is an error then. */
int house_bring_bot(struct house *house, const char *hash,
		    const atomic_bool *stop, struct error *why) MUST_CHECK;

/* How far this daemon, which waits, has come with `n` ladders, and what it
 * cannot do, or NULL; then how far behind it is. */
int house_tell(struct house *house, const char *follower,
	       const char *const ladder[], const int64_t serial[], size_t n,
	       const char *cannot, int64_t *behind, double *behind_s,
	       struct error *why) MUST_CHECK;

/* What this process calls itself there, while it waits and when it has the
 * house. */
void house_holder(char name[HOUSE_HOLDER_BYTES]);

/* The folder is no copy of a queue's database any more: its daemon has no queue
 * (data_folder_is_copy()). */
int house_leave(const char *data, struct error *why) MUST_CHECK;

#endif
