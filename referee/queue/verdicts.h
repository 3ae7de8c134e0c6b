/* referee/queue/verdicts.h - the log of a ladder (ladder/log.h) in the queue's
 * database.
 *
 * The database decides what counts, and with what serials.  It refuses all
 * writes of a daemon once another one has taken over.  The packs in the
 * daemon's folder are a copy.  An entry that the database has is durable.  It
 * is appended to the packs as well; if that fails, it is copied there before
 * the ladder follows.  Entries that only the packs have are copied to the
 * database: they are from before the queue, or a database that replaced another
 * one has lost them.  Before that, the database's last game with a serial that
 * the ladder has reached must be in the ladder's file under the same serial; if
 * not, the error is ERROR_INPUT. If ladder.db is lost and the database knows
 * the ladder, it begins from the database alone, and entries that only the
 * packs had do not count: the folder of the packs is set aside as
 * records.before.N. A standby only reads the database, and fills its own packs.
 * Up to LADDER_LOG_ENTRIES entries or LADDER_LOG_BYTES bytes are one
 * transaction, of which all or nothing is durable; a bigger group takes
 * several.  The log is unsure when it is opened, and after an append() that
 * failed: then bring() finds out what is durable before anything is appended.
 * Each log has a connection of its own, which waits in its user's thread. */
#ifndef REFEREE_VERDICTS_H
#define REFEREE_VERDICTS_H

#include <stdint.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"

/* Attempts to write.  A refused write is not tried again. */
#define VERDICTS_TRIES 5

/* The queue's database, and the right to write there. */
struct queue_term {
	const char *conninfo;
	int64_t epoch; /* 0: only reads, for a standby */
};

struct verdicts;

/* Makes the log of the ladder that is configured under this name, without
 * connecting yet.  All arguments are copied.  Returns NULL and an error if that
 * fails. */
struct verdicts *verdicts_new(const struct queue_term *term, const char *name,
			      struct error *why) MUST_CHECK;
/* Returns it as a log, which ladder_log_free() frees.  No other function may be
 * called on it before verdicts_bind().  The first ladder_follow() copies what
 * the folder or the database lacks. */
struct ladder_log *verdicts_log(struct verdicts *verdicts);

/* Appends the founding of that ladder to `to`, or nothing if the database knows
 * no ladder of that name. */
int verdicts_founding(struct verdicts *verdicts, struct text *to,
		      struct error *why) MUST_CHECK;
/* Opens the packs in `dir`, which the ladder follows, and sets `*count` to the
 * number of their games.  The ladder must be the one that the database knows by
 * the name; if it knows none, the ladder is made known.  The error is
 * ERROR_INPUT if they do not go together. */
int verdicts_bind(struct verdicts *verdicts, struct ladder *ladder,
		  const char *dir, unsigned *count,
		  struct error *why) MUST_CHECK;

#endif
