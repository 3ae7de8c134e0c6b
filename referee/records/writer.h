/* referee/records/writer.h - the thread that makes results safe.
 *
 * The loop does not wait for that: it submits finished games.  The thread takes
 * the waiting games as one group, up to the first task that is not a game, and
 * does three steps.  Each ladder of a daemon has a writer and a log of its own.  The
 * daemon begins no game on a ladder while `at_once` of its games run, wait here or for
 * another attempt, or were left by an earlier daemon.
 *
 * 1. It gives each game that counts the next serial of the log, and the last lines
 *    of its header.  A game that has failed before is first looked up in the
 *    ladder, which follows its log before that if it is unknown what the log has.
 *    Records of aborted games are written now.
 * 2. It appends the group to the log (ladder/log.h).  A game is safe if its entry
 *    is durable, or if an earlier submission of it is rated (`counted`).  Every
 *    other game that counts has `failed`.
 * 3. If a game went to the log, the ladder follows it (ladder_follow_some()).  A
 *    ladder that was at the log's end folds the whole group, if all of it is in the
 *    folders.  Another one folds at most LADDER_FOLLOW_GROUPS groups that it reads,
 *    which may be all.  A ladder that fails, or has more to follow, is `behind`,
 *    also if only its own file cannot be written.  In a daemon no game fails for
 *    that: bots hear `over`, games begin, and the next pairing takes the old
 *    ratings.  A later append lets it follow further.  So does a task of the
 *    daemon, which comes at once, again while more is left, and SCHEDULER_AGAIN_MS
 *    after a failure.  A match ends with an error, and aborts the games that it
 *    plays.
 *
 * Then each game comes back through done(), in the loop's thread.  The owner of a
 * safe game tells the bots `over ID HASH`, and looks for the next pairing.  So
 * `over` also waits for step 3, and for earlier tasks.  (Another machine that has
 * played the game tells its bots, once the queue's database has the entry.  If that
 * takes longer than RECEIPT_MS, or the bots of too many games wait there, they get
 * `bye` without it.)
 *
 * Pages list finished games as the ladder has them (ladder/store.h), and never ask the
 * queue's database.  So a page that is made after the fold lists the game, even before
 * its bots hear `over`.  A page that was kept lists it soon after (page-cache.h).  Bots
 * that the last fit has get their Elo and order from it; it may lack the newest games
 * (referee/scheduler/refit.h).  While the standings are frozen, they and the public
 * lists come from a copy of the ladder (referee/scheduler/scheduler-freeze.h).  No page
 * says that its ladder is behind: the daemon's log (`ladder-fails`) and the metric
 * referee_games_unrated do.
 *
 * A void or a rebuild is a task of its own.  Games that were submitted before it are
 * in the log by then, or have failed: a void does not see those, and they may count
 * later.  Games behind it wait until it is done.
 *
 * Bots of a failed game hear nothing.  Its owner submits it again, or gives it up and
 * tells them `abort ID machine`, or the WORD of an aborted game.  If it gives up a game
 * that another machine has played, it tells no bots, and the result stays in the
 * queue's database.  A daemon submits a failed game SCHEDULER_AGAIN_MS
 * (referee/scheduler) after the ladder's last failure, and begins no game on that
 * ladder until a write succeeds, of this game or another.  When the daemon's stop is
 * out of time or hurried, or the daemon has lost its queue, it submits the game a last
 * time and then gives it up.  A match gives it up at once, ends with an error, and
 * aborts the games that it plays.  A game that was given up is not recorded as
 * aborted; if the log has it all the same (ladder/log.h, log-packs.h), it counts.  A
 * game that is submitted again keeps its ID, but may get another serial and hash.
 *
 * A process that dies before step 2 loses the games that it plays or has not appended,
 * also those that failed and wait, unless the log has kept their entry.  Other
 * machines play on; the queue keeps their results.  A process that dies in step 2 may
 * leave whole entries.  They count, though its bots heard no `over`.  Another machine
 * tells its bots itself.  log-packs.h says what a power cut leaves.  After step 2
 * nothing is lost: the next process that opens the ladder to play on it lets it follow
 * first, but does not tell the bots.
 *
 * The log has a failed game whose file could not be removed, and may have one if the
 * queue's database did not answer.  Submitted again, it comes back as `counted` once
 * the ladder has rated it.  Until the ladder has followed that far, it fails again
 * with a queue; in a folder of files it gets a second entry, which is not rated.
 *
 * A game submitted as `aborted` has no serial and does not count.  Its bots hear
 * `abort ID WORD`.  Its record is a file in the `dir` of writer_new(), synced
 * before step 2; its asks are not synced.  Even with a queue, such a game has failed
 * if its file cannot be written, or if the queue cannot be told of its end.  It is
 * submitted again or given up like any other. */
#ifndef REFEREE_WRITER_H
#define REFEREE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/thread.h"

/* One finished game, or another operation on the ladder.  The owner keeps the
 * task until it comes back. */
struct writer_task {
	struct thread_task waits; /* first member; only for the writer */
	/* NULL: the task is a game.  Otherwise the writer's thread calls this
	 * between the games before and after it, and ignores all other fields. */
	void (*run)(struct writer_task *task, struct ladder *ladder,
		    struct ladder_log *log);
	/* The task has come back; writer_tell() calls this in the loop's thread.
	 * The owner may free the task or submit it again. */
	void (*done)(struct writer_task *task);
	struct text header; /* owned by the task's owner; lines are added */
	const struct text *body; /* borrowed */
	/* Borrowed: the side file (protocol/asks.h); NULL: none. */
	const struct text *asks;
	uint64_t number; /* names the file if there is no ladder */
	const char *id;
	bool aborted;		 /* recorded, but not rated */
	struct ladder_game game; /* without serial, folder and hash */
	/* For the log: the queue's job and attempt, or 0. */
	int64_t queue_job, queue_attempt;
	/* The result. */
	bool failed;  /* not known to be safe; see `why` */
	bool behind;  /* safe, but the ladder may not have folded it yet, see
		      * `why`; its ratings are unknown */
	bool counted; /* safe: an earlier submission had reached the log, and
		       * the ladder has rated it */
	/* The ladder's file was removed or replaced.  A daemon reports this and
	 * plays on: it folds into the open file and pairs by its ratings.  Pages and
	 * fits read the file that is there.  If none is, rebuilds, voids and fits fail,
	 * and new pages fail or show no finished games of it.
	 * The next start of a daemon, or of a match whose records lie
	 * beside the ladder (ladder_records_beside()), makes the ladder again if the
	 * file is gone, follows the log if an older copy of it is there, and refuses
	 * another ladder's file.  A match with its records elsewhere refuses to start:
	 * ladder_rebuild() with their folder makes the ladder. */
	bool lost;
	struct error why;
	unsigned char hash[RECORD_HASH_BYTES];
	/* Only for the writer. */
	size_t bare; /* bytes of the header as it was submitted */
	bool failed_before;
	bool unsure;	   /* unknown if the queue's database has the game */
	struct text whole; /* the record */
	struct log_entry entry;
};

struct writer;

/* Makes a writer.  Only the writer may use `log` and its ladder until
 * writer_free(), which does not free them.  `dir` is an existing folder for the
 * records of aborted games; NULL: they are not kept.  Returns NULL and errno on
 * failure. */
struct writer *writer_new(struct ladder_log *log, const char *dir) MUST_CHECK;
/* Waits until all submitted tasks are done, and ends the thread.  Does not call the
 * done() of those that have not come back. */
void writer_free(struct writer *writer);

/* Writes the name of a safe game's file, or of its member in a pack. */
void writer_file_name(const struct writer_task *task,
		      char name[LADDER_FILE_BYTES]);

/* Returns a descriptor that is readable when tasks have come back. */
int writer_fd(const struct writer *writer);
/* Submits a task.  A task that failed can be submitted again unchanged. */
void writer_submit(struct writer *writer, struct writer_task *task);
/* Submits tasks as one group, linked by `waits` in their order.  A match submits so
 * the games of a duplicate block, once the last of them is over: the secret in one
 * record tells the cards of all.  A match that ends earlier submits the games that
 * are over, or drops them if it can be resumed, which plays them again.  The group
 * may be divided: the first games are safe, and the others have failed. */
void writer_submit_all(struct writer *writer, struct writer_task *tasks);
/* Calls done() of all tasks that have come back, in the order of submission. */
void writer_tell(struct writer *writer);

#endif
