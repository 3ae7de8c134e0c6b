/* referee/queue/verdicts.h - the log of a ladder (ladder/log.h) in the queue's
 * database.
 *
 * The queue's database decides what counts, and with what serials.  It refuses
 * all writes of a daemon once another one has taken over; such a daemon ends
 * (tenure.h).  An entry that it has is durable, as far as its settings make it so
 * (MANY-MACHINES.md).  The packs in the daemon's folder are a copy, from which
 * the ladder is folded.  append() writes to the packs last.  If only that fails,
 * append() succeeds and the games are safe, but the ladder is behind until
 * bring() has copied the entries.
 *
 * Entries that only the packs have are from before the queue, or from a queue's
 * database that was replaced.  While ladder.db is there, bring() copies those
 * behind the end of the queue's database to it.  First it looks up the last game
 * there whose serial is not above ladder_last().  If ladder.db does not have this
 * game under this serial, the error is ERROR_INPUT.  Then only one of the two can
 * be right; to take the queue's database, move ladder.db away.
 *
 * If ladder.db is lost and the queue's database knows a ladder of the configured
 * name, even one without entries, the daemon moves the folder of the packs,
 * unless it is empty, to records.before.N and begins from the queue's database
 * alone.  Then entries that only the packs had do not count.  If the queue's
 * database knows no ladder of that name, the ladder is made again from the packs.
 * If ladder.db has the ladder before the season that the queue's database knows by
 * this name, the daemon moves the ladder's folder to FOLDER.before.N and does the
 * same.
 *
 * A standby only reads the queue's database, and fills its own packs.  Up to
 * LADDER_LOG_ENTRIES entries or LADDER_LOG_BYTES bytes are one transaction, of
 * which all or nothing is durable; a bigger group takes several.  The log is
 * unsure when it is opened, and after an append() that failed: then bring()
 * finds out what is durable before anything is appended.  Each log has a
 * connection of its own.  Its user's thread waits, for minutes if the queue's
 * database does not answer (pg.h). */
#ifndef REFEREE_VERDICTS_H
#define REFEREE_VERDICTS_H

#include <stdint.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/error.h"
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
 * the folder lacks. */
struct ladder_log *verdicts_log(struct verdicts *verdicts);

/* Appends the founding of that ladder to `to`, or nothing if the queue's
 * database knows no ladder of that name. */
int verdicts_founding(struct verdicts *verdicts, struct text *to,
		      struct error *why) MUST_CHECK;
/* Opens the packs in `dir`, which the ladder follows, and adds the number of
 * games that it rates to `*count`.  The queue's database may know this ladder by
 * the name, the one before its season, one without entries, or none; once it has
 * the founding and all entries of the packs, it knows this one.  If it knows any
 * other, the error is ERROR_INPUT. */
int verdicts_bind(struct verdicts *verdicts, struct ladder *ladder,
		  const char *dir, unsigned *count,
		  struct error *why) MUST_CHECK;

#endif
