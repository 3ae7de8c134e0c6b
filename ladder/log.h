/* ladder/log.h - the log of a ladder: all that its ratings depend on, in the order
 * in which it counts.
 *
 * An entry is a text, and its first word says what it is:
 *
 *	record 1	a game (RECORD.md), with the times of its asks beside it
 *	void 1		games that do not count
 *	setting 1	K and the start rating of the games behind it
 *
 * Entries have serials from 1 on, without holes.  A result is safe when its entry is
 * durable: append() has said so.  Only then do bots hear `over`.  All else follows the
 * log and can be had from it again: the ladder's database (ladder_follow()), and
 * copies elsewhere (ladder_log_copy()).  What a ladder began with is no entry, but is
 * written into the folder whose log is opened, so that a database that is lost is made
 * again.  The asks are less than their record: in a pack they are synced with it; in a
 * folder of files they are written after it, and a power cut may take them, or leave
 * them empty or torn.  If the last entries of a log are lost, it goes on behind the
 * last serial that the ladder has folded.
 *
 * There are four logs: a folder with a file for each entry (ladder_log_files()), a
 * folder of packs (referee/records/log-packs.h), memory (ladder_log_memory()), and
 * the queue's database, whose entries are copied into packs
 * (referee/queue/verdicts.h).
 *
 * A log has one user at a time, in any thread.  Functions return 0, or -1 and an
 * error, unless they say otherwise. */
#ifndef LADDER_LOG_H
#define LADDER_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"

/* One read() gives no more; a single entry may have more bytes. */
#define LADDER_LOG_ENTRIES 256
#define LADDER_LOG_BYTES 16777216

struct log_entry {
	struct log_entry *next; /* of its group; NULL: it is the last one */
	int64_t serial;
	const char *id;		 /* of its game; others have one of their own */
	const struct text *text; /* the whole entry; NULL: it lies at `path` */
	const struct text *asks; /* of a game, or NULL */
	const char *path;	 /* for sentences, and of a file to be read */
	/* The text as a game, if it is one that counts; else NULL. */
	struct ladder_game *game;
	enum entry_kind kind;
	bool durable; /* set by append() */
	bool twin; /* set by ladder_follow(): its game was rated before, under
			 * another serial, and does not count again */
	int64_t folder; /* where it lies: a number of the ladder */
	/* The job that another machine has played, or 0. */
	int64_t queue_job, queue_attempt;
};

struct ladder_log;

struct ladder_log_ops {
	/* Takes a group that follows log->last without a hole.  Marks what is
	 * `durable`, texts and names: all of it; or, with an error, what comes
	 * before the first entry that failed.  What it had written of the others
	 * is gone before another entry gets their serials.  If it cannot be
	 * known whether the log has them, they are not marked either, and the
	 * log is `unsure`: so is only one elsewhere.  In files, if the folder
	 * cannot be synced, an entry that cannot be removed keeps its serial and
	 * counts, though its game has failed, as do those of the group before it;
	 * submitted again, a game is rated once.
	 * The serials of what failed go to whatever is appended next.  Moves
	 * log->last, and sets `folder` of each. */
	int (*append)(struct ladder_log *log, struct log_entry *group,
		      struct error *why);
	/* Gives entries with serials above `after`, by serial and each once, up
	 * to one that is missing, as a group that ladder_log_forget() frees;
	 * NULL: there are none.  ERROR_INPUT: an entry lies in two places, and
	 * is not the same there. */
	int (*read)(struct ladder_log *log, int64_t after,
		    struct log_entry **group, struct error *why);
	/* Or NULL: the log is here.  Finds out what a log elsewhere has, and
	 * copies to the ladder's folders what they lack behind their end, or a
	 * part of that: then log->here is less than log->last. */
	int (*bring)(struct ladder_log *log, struct error *why);
	/* Or NULL.  Tells the queue that a job has come to no result. */
	int (*drop)(struct ladder_log *log, int64_t queue_job,
		    struct error *why);
	void (*free)(struct ladder_log *log);
};

/* The head of each log, first in its struct. */
struct ladder_log {
	const struct ladder_log_ops *ops;
	struct ladder
		*ladder; /* borrowed; NULL: of files that are no ladder's */
	int64_t last;	 /* serial of the last entry that is durable */
	int64_t here; /* of the last one that lies in the ladder's folders, or that
		       * the ladder has folded, if that is higher */
	bool unsure; /* it may have more entries than `last`, so append() fails
		       * until bring() has found out */
	struct log_cursor *cursor; /* where read() is; owned, or NULL */
	ladder_check *check;	   /* or NULL: of records, when they are read */
};

/* ---- the four ---------------------------------------------------------- */

/* Opens the log of files in the folder `dir`, which exists.  `ladder` is open for
 * writing and knows the folder from now on; half-written files go.  Each file is
 * synced, the folder once a group.  Without a ladder entries may be appended in any
 * order. */
int ladder_log_files(struct ladder *ladder, const char *dir,
		     struct ladder_log **log, struct error *why) MUST_CHECK;
/* Opens a log that keeps nothing, and reads what lies in the ladder's folders.  Its
 * entries are durable only as far as the ladder follows them at once.  For games whose
 * records are not wanted, and for tests.  The ladder may be NULL. */
struct ladder_log *ladder_log_memory(struct ladder *ladder);
void ladder_log_free(struct ladder_log *log); /* NULL is fine */

/* ---- what is done with any of them -------------------------------------- */

/* Loads the text and the asks of an entry that was read and lies in a file. */
int ladder_log_load(struct ladder_log *log, struct log_entry *entry,
		    struct error *why) MUST_CHECK;
void ladder_log_forget(struct log_entry *group);

/* Appends to `to` what `from` has above to->last.  ERROR_INPUT: an entry is
 * missing; those before it may be there. */
int ladder_log_copy(struct ladder_log *from, struct ladder_log *to,
		    struct error *why) MUST_CHECK;
/* Does a part of that: at least one entry, if there is one. */
int ladder_log_copy_some(struct ladder_log *from, struct ladder_log *to,
			 struct error *why) MUST_CHECK;

/* Folds what the log has beyond the ladder's last entry: after each group, when a
 * ladder is opened, after an error, in a standby.  `known` is a group that was
 * just appended and need not be read again, or NULL.  Adds the games that were
 * rated to `*count`.  A game in `known` gets the ratings of its seats,
 * unless LADDER_MORE is left.  A void of
 * games that were folded has the whole ladder folded again.
 * Each group is one transaction, without a sync: a power cut may take the last ones,
 * never a part of one, and they are folded again.
 * -1: the ladder is behind; it stands as it was after some entry, and the next
 * call goes on there.  A daemon that runs plays on meanwhile; one that starts does not
 * open such a ladder.  ERROR_INPUT: an entry is missing, does not hold, or has a serial
 * that another entry had. */
int ladder_follow(struct ladder *ladder, struct ladder_log *log,
		  struct log_entry *known, unsigned *count,
		  struct error *why) MUST_CHECK;
/* Does a part of that, so that its thread can do other things between: LADDER_MORE
 * if entries are left. */
int ladder_follow_some(struct ladder *ladder, struct ladder_log *log,
		       struct log_entry *known, unsigned *count,
		       struct error *why) MUST_CHECK;
#define LADDER_MORE 1
#define LADDER_FOLLOW_GROUPS 4 /* that are read, in a part */

/* Finds the serial of the last entry in the folders, for a ladder that is open for
 * reading; that of the ladder itself, if there is none above, or while a process writes
 * to it, which then follows its log. */
int ladder_log_end(struct ladder *ladder, int64_t *end,
		   struct error *why) MUST_CHECK;

struct ladder_rehearsed {
	bool lost; /* its file is gone or empty, and will be made again */
	int64_t last, end; /* serials of the last entry in its file, and in its
			    * log */
};

/* Looks, and writes nothing, whether who opens the ladder in `path` for writing can
 * follow its log in the folders: the founding, and all entries beyond the last one.
 * A ladder that is not there yet can be made; one that a process writes to is left to
 * it. */
int ladder_rehearse(const char *path, struct ladder_rehearsed *found,
		    struct error *why) MUST_CHECK;

/* ---- for those who make a log ------------------------------------------- */

/* Copies a text and its asks into an entry that ladder_log_forget() frees, and
 * reads what it says.  ERROR_INPUT: it does not hold; `where` begins the
 * sentence.  NULL and an error. */
struct log_entry *ladder_log_entry(const char *where, const void *text,
				   size_t n, const void *asks, size_t asks_n,
				   struct error *why) MUST_CHECK;
/* Writes and syncs a whole file, under a temporary name that bots cannot guess, and
 * then gives it this one, which is not synced yet.  0, or -1 and errno; EEXIST: a
 * file has the name. */
int ladder_log_write(int dir, const char *name,
		     const struct text *text) MUST_CHECK;
/* Writes the asks beside a record in place of what is there, without a sync; what
 * fails is only missing. */
void ladder_log_write_asks(int dir, const char *record,
			   const struct text *asks);
/* Sets log->here and log->last of a log in folders, removes half-written files, and
 * sees that the founding lies in `dir`.  ERROR_INPUT: the ladder is empty, and what
 * lies there is another one's. */
int ladder_log_look(struct ladder_log *log, const char *dir,
		    struct error *why) MUST_CHECK;
/* read() of a log in folders. */
int ladder_log_read(struct ladder_log *log, int64_t after,
		    struct log_entry **group, struct error *why) MUST_CHECK;

#endif
