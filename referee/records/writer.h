/* referee/records/writer.h - the thread that puts finished games on disk.
 *
 * The loop never waits for the disk: it submits finished games and hears of
 * them, by the done() of each, when they are safe.  The writer takes all that
 * wait, gives each its serial (if there is a ladder), writes and syncs the
 * records, each in a file of its own or all behind those in a pack, and then
 * rates them all in one transaction of the ladder.  A cut between the two is
 * mended by ladder_settle() at the next start. */
#ifndef REFEREE_WRITER_H
#define REFEREE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/worker-thread.h"

/* One finished game, or something else to be done with the ladder.  The owner
 * keeps it until it comes back. */
struct writer_job {
	struct worker_thread_job waits; /* first; the writer's own */
	/* NULL: a game.  Else this is called in the writer's thread, after the
	 * games before it and before those behind it; the rest is not looked
	 * at. */
	void (*run)(struct writer_job *job, struct ladder *ladder);
	/* In the loop's thread, by writer_tell(): it has come back.  It may be
	 * freed, or submitted once more. */
	void (*done)(struct writer_job *job);
	struct text header;	 /* owned by the job's owner; lines are added */
	const struct text *body; /* borrowed */
	/* Borrowed: the side file (protocol/asks.h); NULL: none. */
	const struct text *asks;
	uint64_t number; /* names the file where there is no ladder */
	const char *id;
	bool aborted;		 /* recorded, but not rated */
	struct ladder_game game; /* but serial, folder and hash */
	/* For the log: what it was played as by another machine, or 0. */
	int64_t queue_job, queue_attempt;
	/* What came of it. */
	bool failed;  /* there is no record: why */
	bool unrated; /* its record is safe, the ladder did not take it: why */
	bool refused; /* likewise, and never will */
	bool counted; /* was on the ladder before */
	struct error why;
	unsigned char hash[RECORD_HASH_BYTES];
	/* The writer's own. */
	size_t bare; /* bytes of the header as it was submitted */
	bool again;  /* it has failed before, and may stand in the log */
};

/* Where it is decided which games count, and with what serials, if that is not
 * the ladder's folder: the folder and the ladder are then a copy of it.  Called
 * in the writer's thread, or out of writer_catch_up(). */
struct writer_log {
	/* A group, linked by `waits`: those that are neither failed nor counted
	 * have serial, header and hash, or are aborted.  0: the log has all of
	 * them, for good.  -1 and an error: none of them, or it is not known. */
	int (*keep)(void *arg, const struct writer_job *jobs,
		    struct error *why);
	/* Some of the games with serials above `serial` that the log has, by
	 * serial, linked likewise; *jobs is NULL if there are none.  Their
	 * header is whole, and `game` as of ladder_game_from_record().  0, or
	 * -1 and an error. */
	int (*missed)(void *arg, int64_t serial, struct writer_job **jobs,
		      struct error *why);
	/* They are not needed any more. */
	void (*forget)(void *arg, struct writer_job *jobs);
	void *arg;
};

struct writer;

/* `dir`: where records go, which exists; NULL: nowhere, they are only hashed.
 * `ladder` is the writer's own until writer_free(), or NULL; with a ladder
 * `folder` is the number of `dir` in it.  NULL and errno. */
struct writer *writer_new(const char *dir, struct ladder *ladder,
			  int64_t folder) MUST_CHECK;
/* Of a writer with a ladder that was settled, before anything is submitted:
 * records go into packs (packing.h) from now on, but those of aborted games.  0,
 * or -1 and an error. */
int writer_pack(struct writer *writer, struct error *why) MUST_CHECK;
/* Of a writer with a ladder, before anything is submitted; borrowed.  A game
 * that stands in the log, while the folder cannot take it, comes back `unrated`:
 * it is brought to disk before the next group. */
void writer_set_log(struct writer *writer, const struct writer_log *log);
/* Likewise: writes and rates what the log has above the ladder's serials;
 * `*count` games.  0, or -1 and an error. */
int writer_catch_up(struct writer *writer, unsigned *count,
		    struct error *why) MUST_CHECK;
/* The job behind one in a list of the writer; or NULL. */
struct writer_job *writer_job_after(const struct writer_job *job);
/* Waits until everything submitted is done, and takes the thread down. */
void writer_free(struct writer *writer);

/* The name of the file of a game that is safe, or of its member in a pack. */
void writer_file_name(const struct writer *writer, const struct writer_job *job,
		      char name[LADDER_FILE_BYTES]);

/* Readable when jobs have come back. */
int writer_fd(const struct writer *writer);
void writer_submit(struct writer *writer, struct writer_job *job);
/* After a failure all jobs fail, until this: the disk may have room again.  A
 * job that failed can then be submitted once more, as it is. */
void writer_mend(struct writer *writer);
/* Calls done() of all jobs that have come back, in the order of submission. */
void writer_tell(struct writer *writer);

#endif
