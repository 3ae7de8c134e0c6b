/* ladder/log.h - the log of a ladder: all that has changed its ratings since its
 * founding, in the order in which it counts.
 *
 * An entry is a text, and its first word says what it is:
 *
 *	record 1	a game (RECORD.md), with the times of its asks beside it
 *	void 1		games that do not count
 *	setting 1	K and the start rating of the games behind it
 *
 * Entries have serials from 1 on, without holes unless the log loses some.  A
 * result is safe when its entry is durable, which append() reports.  Only then do
 * bots hear `over`.  Games and ratings follow the log and can be made again from
 * it and the founding: those in the ladder's file (ladder_follow()), and copies
 * elsewhere (ladder_log_copy()).  The founding tells what a ladder began with.  It is
 * no entry; it is written into the folder whose log is opened.  A pack syncs the asks
 * with their record, and the queue's database has them in its transaction.  A
 * folder of files writes them, without a sync, once the record is durable.  There a
 * kill or a power cut may lose them, or leave them empty or torn.
 *
 * A log may lose its last entries, by damage or an old copy, after the ladder has
 * folded them.  They still count, and the next entry gets the serial after the
 * ladder's last one, so the log has a hole.  (If the ladder's file is lost before
 * that, nothing tells of the lost entries, and they do not count.)  If the ladder's
 * file is lost as well, ladder_follow() stops at the hole, and only ladder_rebuild()
 * with `gaps` passes it.  Damage to an open pack's tar is such a hole, too.  Other
 * unreadable entries stop even that rebuild; a file that names no ladder is passed
 * over, as if it were lost.
 *
 * There are four logs:
 *
 *	ladder_log_files()	a file for each entry: a match
 *	log-packs.h		packs: a daemon (referee/records)
 *	verdicts.h		the queue's database, copied into packs: a daemon
 *				with a queue (referee/queue)
 *	ladder_log_memory()	keeps nothing: a match with neither records nor a
 *				ladder
 *
 * Of several daemons with one queue, one may append.  Once another has taken over,
 * every append of the first fails, and it ends.  A standby appends nothing: its
 * ladder_follow() copies entries from the queue's database into its own packs.  No
 * game waits for that.
 *
 * A log has one user at a time, in any thread.  Functions return 0, or -1 and an
 * error, unless they say otherwise. */
#ifndef LADDER_LOG_H
#define LADDER_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

/* The most that one transaction or read of the queue's database, or one step of a
 * copy, takes; the entry that reaches LADDER_LOG_BYTES is the last.  A read of folders
 * keeps only to LADDER_LOG_ENTRIES, as it leaves the texts of games unread. */
#define LADDER_LOG_ENTRIES 256
#define LADDER_LOG_BYTES 16777216

struct log_entry {
	struct log_entry *next; /* in the same group; NULL: this is the last */
	int64_t serial;
	const char *id;		 /* the game's, or the entry's own */
	const struct text *text; /* all of it; NULL: unread, at `path` */
	const struct text *asks; /* the asks of a game, or NULL */
	const char *path;	 /* the file to read; names it in sentences */
	/* The game that the text records, if it is one to rate; else NULL. */
	struct ladder_game *game;
	enum entry_kind kind;
	bool durable; /* set by append() */
	bool twin; /* set by ladder_follow(): its game was rated before, under
			 * another serial, and does not count again */
	int64_t folder; /* the folder where it lies, by the ladder's number */
	/* The job that another machine has played, or 0. */
	int64_t queue_job, queue_attempt;
};

struct ladder_log;

struct ladder_log_ops {
	/* Appends a group that follows log->last without a hole.  Marks the
	 * entries that are `durable`, and moves log->last to the last of them.
	 * Sets `folder` of each entry that lies in a folder.  Syncs each pack that the
	 * group goes into once, and the folder of a new pack; of a folder of files each
	 * file, and then the folder once.  A full pack is closed later, by a thread
	 * whose failures harm no entry.
	 *
	 * With an error, only the entries before the first one that failed are durable.
	 * So a kill or an error may leave a part of a group.  What was written of the
	 * others is removed, at once or before the next append, and the next entries
	 * get their serials.  While it cannot be removed from a pack, every append
	 * fails.  A full disk is ERROR_MACHINE.  With the queue's database a full disk
	 * of the daemon is no error: the entries are durable, but log->here stays
	 * behind, and the ladder with it, until bring() has copied them.  If that
	 * database does not answer, the call may take minutes before it fails.
	 *
	 * There are three exceptions, in which entries may keep their serials and
	 * count, though their games have failed.  First, the process ends, or the power
	 * goes, before they are removed for good.
	 *
	 * Second, a folder of files cannot be synced: the whole group fails, and its
	 * files are removed, the last one first.  If one cannot be removed, it and
	 * those before it stay, and log->last is its serial.  Such a game, submitted
	 * again, gets no second entry if the ladder has followed meanwhile.  Else it
	 * gets one, which is not rated (`twin`).
	 *
	 * Third, and only with the queue's database, it may be unknown if the log has
	 * an entry.  Then the entry is not marked, log->last stays, and the log is
	 * `unsure`.  Of a group that takes several transactions, the first entries may
	 * be marked all the same. */
	int (*append)(struct ladder_log *log, struct log_entry *group,
		      struct error *why);
	/* Gives entries with serials above `after`, by serial and each once.
	 * Begins with the lowest that is there, even if others are missing
	 * before it.  Ends at the latest before the next one that is missing.
	 * The group is freed by ladder_log_forget(); it is NULL if there are no
	 * entries.  Entries before one that cannot be read are given first, and the
	 * next call fails.  Fails with ERROR_INPUT if an entry lies in two places
	 * and is not the same there. */
	int (*read)(struct ladder_log *log, int64_t after,
		    struct log_entry **group, struct error *why);
	/* NULL, but for the log in the queue's database.  Finds out which ends
	 * later, the queue's database or the ladder's folders, and copies to the
	 * other what that lacks behind its end.  May copy only a part to the
	 * folders: then log->here stays less than log->last.  Does not look for
	 * entries that are missing before these ends.  Fails with ERROR_INPUT if the
	 * ladder does not have, under its serial, the last game of the database that
	 * it should have folded.  In a standby it only copies to the folders. */
	int (*bring)(struct ladder_log *log, struct error *why);
	/* May be NULL. Tells the queue that a job has ended without a result. */
	int (*drop)(struct ladder_log *log, int64_t queue_job,
		    struct error *why);
	void (*free)(struct ladder_log *log);
};

/* Tells what was cut off an open pack when its log was opened, and may be of value
 * (log-packs.h). */
struct ladder_log_cut {
	char *copy; /* path of a copy of the pack before the cut; owned; NULL:
		     * nothing was cut off */
	int64_t bytes;
	/* Whole ones among these bytes.  They do not count, unless the queue's
	 * database has them. */
	unsigned entries;
};

/* The head of every log; the first member of its struct. */
struct ladder_log {
	const struct ladder_log_ops *ops;
	struct ladder
		*ladder; /* borrowed; NULL: the files belong to no ladder */
	int64_t last;	 /* the highest serial of what is durable, what is
			  * folded, and what is damaged at a pack's end */
	int64_t here;	 /* the same without what only the queue's database has:
			  * where read() ends */
	bool unsure;	 /* the log may have more entries than `last` says;
			  * append() fails unless bring() finds out first */
	struct ladder_log_cut cut;
	struct log_cursor *cursor; /* where read() stands; owned, or NULL */
	ladder_check *check;	   /* checks records when they are read; only
			      * ladder_rebuild() sets it; else NULL */
};

/* ---- the four ---------------------------------------------------------- */

/* Opens the log of files in the folder `dir`, which exists.  `ladder` must be
 * open for writing, and knows the folder from now on.  Removes half-written files
 * as ladder_log_look() does.  append() syncs each file, and the folder once for each
 * group.  Until then the file system must keep the order of new names: otherwise a
 * power cut may leave a hole.  If `ladder` is NULL, half-written files stay, and
 * entries may be appended in any order. */
int ladder_log_files(struct ladder *ladder, const char *dir,
		     struct ladder_log **log, struct error *why) MUST_CHECK;
/* Opens a log that keeps nothing; its read() gives what lies in the ladder's
 * folders.  A ladder that followed its entries would be their only place.  It is
 * meant for a match without a ladder, for reading folders, and for tests.  The ladder
 * may be NULL. */
struct ladder_log *ladder_log_memory(struct ladder *ladder);
void ladder_log_free(struct ladder_log *log); /* NULL is fine */

/* ---- what is done with any of them -------------------------------------- */

/* Loads the text and the asks of an entry that was read and lies in a file. */
int ladder_log_load(struct ladder_log *log, struct log_entry *entry,
		    struct error *why) MUST_CHECK;
void ladder_log_forget(struct log_entry *group);

/* Appends to `to` the entries of `from` above to->last.  Fails with ERROR_INPUT
 * if an entry is missing; those before it may have been appended. */
int ladder_log_copy(struct ladder_log *from, struct ladder_log *to,
		    struct error *why) MUST_CHECK;
/* Does a part of ladder_log_copy(): at least one entry, if there is one. */
int ladder_log_copy_some(struct ladder_log *from, struct ladder_log *to,
			 struct error *why) MUST_CHECK;

/* Folds the log's entries beyond the ladder's last one.  Call it after each
 * group, when a ladder is opened, after an error, and in a standby.  `known` is a
 * group that was just appended, or NULL.  It is read again only if not all of it is
 * durable and in the folders, or if the ladder was behind.  Adds the number of rated
 * games to `*count`.  A rated game in `known` gets the ratings of its seats.
 *
 * A void of games that are folded makes it fold the whole ladder again, but only
 * once all of the log is in the ladder's folders: once for all voids that come
 * together from the queue's database.  A lost entry that was folded stays as the
 * ladder knows it.  If any other is missing, folding again fails with ERROR_ANSWER, and
 * the ladder stays as it was.
 *
 * Each group is one transaction, whose commit does not sync (SQLite's checkpoints do,
 * about each 1000 pages): a power cut may undo the last transactions, never a part of
 * one, and their entries are folded again.  If it returns -1, the ladder is behind: it
 * stands as it was after some entry, and the next call goes on there.  A running daemon
 * plays on meanwhile.  A daemon follows all its ladders before it opens its pages and
 * begins games.  It does not start if this call fails for one of its ladders, and a
 * running one refuses a configuration with such a new ladder.  The error is ERROR_INPUT
 * if an entry is missing or not valid, or if two entries have one serial. */
int ladder_follow(struct ladder *ladder, struct ladder_log *log,
		  struct log_entry *known, unsigned *count,
		  struct error *why) MUST_CHECK;
/* Does a part of ladder_follow(), so that its thread can do other things in
 * between.  Returns LADDER_MORE if entries are left.  Then a game in `known` may
 * lack its ratings. */
int ladder_follow_some(struct ladder *ladder, struct ladder_log *log,
		       struct log_entry *known, unsigned *count,
		       struct error *why) MUST_CHECK;
#define LADDER_MORE 1
#define LADDER_FOLLOW_GROUPS 4 /* groups that one part reads */

/* Finds the serial of the last entry in the folders, for a ladder that is open
 * for reading.  Gives the ladder's own last serial if the folders have none
 * above it, or while a process writes to the ladder, because that process follows
 * the log.  Fails with ERROR_INPUT if its file has taken the place of another's. */
int ladder_log_end(struct ladder *ladder, int64_t *end,
		   struct error *why) MUST_CHECK;

struct ladder_rehearsed {
	bool lost; /* its file is gone or empty, and will be made again */
	int64_t last, end; /* serials of the last entry in its file, and in its
			    * log */
};

/* Checks, without writing anything, that a process that opens the ladder in
 * `path` for writing could follow its log in the folders: reads the founding,
 * and all entries beyond the last one.  A ladder that is not there yet can be
 * made.  A ladder that a process writes to is not checked. */
int ladder_rehearse(const char *path, struct ladder_rehearsed *found,
		    struct error *why) MUST_CHECK;

/* ---- for those who make a log ------------------------------------------- */

/* Copies a text and its asks into an entry that ladder_log_forget() frees, and
 * parses it.  Returns NULL and an error, ERROR_INPUT if the text is not valid;
 * `where` begins the sentence. */
struct log_entry *ladder_log_entry(const char *where, const void *text,
				   size_t n, const void *asks, size_t asks_n,
				   struct error *why) MUST_CHECK;
/* Writes and syncs a whole file under a temporary name, 00000001-ID.rec.tmp with
 * a random ID that bots cannot guess.  Then renames it to `name`.  Does not sync
 * the name.  Returns 0, or -1 and errno; EEXIST if a file has the name. */
int ladder_log_write(int dir, const char *name,
		     const struct text *text) MUST_CHECK;
/* Writes the asks beside a record, in place of what is there, without a sync.
 * If that fails, the asks are missing, and nothing else happens. */
void ladder_log_write_asks(int dir, const char *record,
			   const struct text *asks);
/* Sets log->here and log->last of a log in folders, and makes sure that the founding
 * lies in `dir`.  First removes half-written packs, and half-written files unless they
 * name another ladder, in each of the ladder's folders that has its founding by then.
 * Fails with ERROR_INPUT if the ladder is empty and the entries that lie there belong
 * to another one. */
int ladder_log_look(struct ladder_log *log, const char *dir,
		    struct error *why) MUST_CHECK;
/* Implements read() for a log in folders. */
int ladder_log_read(struct ladder_log *log, int64_t after,
		    struct log_entry **group, struct error *why) MUST_CHECK;

#endif
