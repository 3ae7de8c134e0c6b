/* referee/records/writer.h - the thread that makes results safe.
 *
 * The loop never waits for a disk: it submits finished games.  Each comes back
 * through done(), in the loop's thread, after the three steps below.  If the
 * game has not failed, its owner then sends `over` to the bots, or `abort` for
 * an aborted game, with the hash of the record and no rating, and looks for the
 * next pairing. (The bots of a game that another machine has played hear it
 * from that machine, as soon as the queue's database has the entry.) Bots of a
 * failed game hear nothing; if it is given up, they hear `abort ID machine`.
 * The thread takes the waiting games as one group, up to the first task that is
 * not a game:
 *
 * 1. each game gets the next serial of the log, and its header's last lines; 2.
 * the group is appended to the log (ladder/log.h).  What is durable now is
 * safe, whatever happens; the rest has `failed`, and its owner submits it again
 * later, or gives it up: a daemon tries each SCHEDULER_AGAIN_MS, and once more
 * when its stop has run out of time, a match gives up at once; 3. the ladder
 * follows a part of its log (ladder_follow_some()).  If it cannot, or has more
 * to follow, it is `behind`: no game fails for that, the next pairing takes the
 * old ratings, and the next group tries again, or its owner does, by a task of
 * its own.
 *
 * A process that dies before 2 loses the games that it has in memory, but for
 * those of a queue, whose results stay in its database.  One that dies in 2 may
 * leave whole entries, which count though no bot heard `over`.  After 2 it
 * loses nothing: the next one that opens the ladder lets it follow, but does
 * not tell the bots.  If the queue's database did not answer, the log may have
 * a failed game after all.  Submitted again, such a game comes back as
 * `counted` if it is there.  Until the ladder has followed far enough to know,
 * it fails again.  An aborted game has no serial and does not count: its record
 * is a synced file beside the log, written before the group is appended, and
 * its asks are not synced.  If the file cannot be written, or the queue's
 * database does not void its job, the game has failed, too. */
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
	bool failed;  /* not in the log as far as is known; see `why` */
	bool behind;  /* safe, but the ladder has not folded it yet, see `why`;
		      * its ratings are unknown */
	bool counted; /* safe: an earlier submission had reached the log, and
		       * the ladder has rated it */
	/* The ladder's file was removed or replaced.  A daemon reports this and
	 * plays on.  Its next start makes the ladder again if the file is gone,
	 * follows the log if an older copy of it is there, and refuses another
	 * ladder's file. */
	bool lost;
	struct error why;
	unsigned char hash[RECORD_HASH_BYTES];
	/* Only for the writer. */
	size_t bare; /* bytes of the header as it was submitted */
	bool failed_before;
	bool unsure;	   /* the log may have the game, though it failed */
	struct text whole; /* the record */
	struct log_entry entry;
};

struct writer;

/* Makes a writer.  Only the writer may use `log` and its ladder until
 * writer_free(), which does not free them.  `dir` is an existing folder for the
 * records of aborted games; NULL: they are not kept.  Returns NULL and errno on
 * failure. */
struct writer *writer_new(struct ladder_log *log, const char *dir) MUST_CHECK;
/* Waits until all submitted tasks are done, and ends the thread. */
void writer_free(struct writer *writer);

/* Writes the name of a safe game's file, or of its member in a pack. */
void writer_file_name(const struct writer_task *task,
		      char name[LADDER_FILE_BYTES]);

/* Returns a descriptor that is readable when tasks have come back. */
int writer_fd(const struct writer *writer);
/* Submits a task.  A task that failed can be submitted again unchanged. */
void writer_submit(struct writer *writer, struct writer_task *task);
/* Submits tasks as one group, linked by `waits` in their order. */
void writer_submit_all(struct writer *writer, struct writer_task *tasks);
/* Calls done() of all tasks that have come back, in the order of submission. */
void writer_tell(struct writer *writer);

#endif
