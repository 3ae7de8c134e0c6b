/* referee/queue/verdicts.h - the log of a ladder (ladder/log.h) in the queue's
 * database.
 *
 * The database decides what counts, and with what serials.  It refuses whatever a
 * daemon writes once another one has taken over.  The packs in the daemon's folder are
 * a copy: an entry that the database has is durable; it is appended to the packs as
 * well, and if that fails, it is brought there before the ladder follows.  Entries
 * that only the packs have are brought to the database: they are from before the
 * queue, or a database that took the place of another one has forgotten them.  Before
 * that, the last game there that the ladder has folded must have the same serial here:
 * else ERROR_INPUT.  If ladder.db is lost, the ladder begins from the database alone,
 * and what only the packs had does not count: their folder is set aside as
 * records.before.N.  A standby only reads the database, and fills its own packs.  Up
 * to LADDER_LOG_ENTRIES entries or LADDER_LOG_BYTES bytes are one transaction, of
 * which all or none is durable; a bigger group is several.  Any error of the database
 * makes the log unsure: append() lets bring() find out before it goes on.  Each log
 * has a connection of its own, which waits in its user's thread. */
#ifndef REFEREE_VERDICTS_H
#define REFEREE_VERDICTS_H

#include <stdint.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"

/* To write, in all; what the database refuses is not tried again. */
#define VERDICTS_TRIES 5

/* Who may write there. */
struct queue_house {
	const char *conninfo;
	int64_t epoch; /* 0: only reads, as a standby does */
};

struct verdicts;

/* Of the ladder that is configured under this name.  Everything is copied.  Does
 * not connect yet.  NULL and a sentence. */
struct verdicts *verdicts_new(const struct queue_house *house, const char *name,
			      struct error *why) MUST_CHECK;
/* The same as a log, for ladder_log_free(); nothing else is done with it before
 * verdicts_bind().  The first ladder_follow() brings what the folder lacks, or the
 * database. */
struct ladder_log *verdicts_log(struct verdicts *verdicts);

/* Appends the founding of that ladder to `to`; nothing if the database knows none by
 * that name. */
int verdicts_founding(struct verdicts *verdicts, struct text *to,
		      struct error *why) MUST_CHECK;
/* Opens the packs in `dir`, which the ladder follows; `*count` games.  The ladder
 * is the one that the database knows by the name, or is made known.  ERROR_INPUT:
 * they do not go together. */
int verdicts_bind(struct verdicts *verdicts, struct ladder *ladder,
		  const char *dir, unsigned *count,
		  struct error *why) MUST_CHECK;

#endif
