/* referee/queue/verdicts.h - the log of a ladder (ladder/log.h) in the queue's
 * database.
 *
 * The database decides what counts, and with what serials.  It refuses all
 * writes of a daemon once another one has taken over; such a daemon ends
 * (tenure.h).  An entry that the database has is durable, as far as its settings
 * make it so (MANY-MACHINES.md).  The packs in the daemon's folder are a copy,
 * to which append() also writes.  If that fails, the ladder is behind until
 * bring() has copied the entry.
 *
 * Entries that only the packs have are from before the queue, or a database that
 * replaced another one has lost them.  While ladder.db is there, bring() copies
 * them to the database.  Before that it compares one game: the database's last
 * one whose serial the ladder has reached.  If ladder.db has another game under
 * that serial, or none, the error is ERROR_INPUT.  Then only one of the two can
 * be right; to take the database, move ladder.db away.
 *
 * If ladder.db is lost and the database knows the ladder, the daemon moves the
 * folder of the packs to records.before.N and begins from the database alone.
 * Then entries that only the packs had do not count.  If the database does not
 * know the ladder either, it is made again from the packs.
 *
 * A standby only reads the database, and fills its own packs.  Up to
 * LADDER_LOG_ENTRIES entries or LADDER_LOG_BYTES bytes are one transaction, of
 * which all or nothing is durable; a bigger group takes several.  The log is
 * unsure when it is opened, and after an append() that failed: then bring()
 * finds out what is durable before anything is appended.  Each log has a
 * connection of its own.  Its user's thread waits, for minutes if the database
 * does not answer (pg.h). */
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
 * the name, or a season that follows it.  If the database knows none, or one
 * without games, it knows this one from now on.  The error is ERROR_INPUT if
 * they do not go together. */
int verdicts_bind(struct verdicts *verdicts, struct ladder *ladder,
		  const char *dir, unsigned *count,
		  struct error *why) MUST_CHECK;

#endif
