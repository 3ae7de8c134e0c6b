/* referee/runner/job.h - a game to play, and its result.
 *
 * A job has everything that is fixed before the first card; a result has
 * everything that remains when the game is over.  Both are plain values that
 * can be written to a stream of bytes, so a job can be played in another
 * process, and played again with the same cards if that process is lost. */
#ifndef REFEREE_JOB_H
#define REFEREE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner.h"
#include "referee/table/bot.h"
#include "referee/table/deal.h"
#include "referee/table/fault-note.h"
#include "referee/table/table.h"

/* Of a job's argv, additions to the environment, and lists of its box. */
#define JOB_STRINGS_MAX 4096
/* Of a job as bytes: its strings, of SEATS_MAX programs, and the rest. */
#define JOB_BYTES (SEATS_MAX * 2 * SPAWNER_REQUEST_BYTES + 65536)
/* Of a result as bytes: header and body of a record, its asks, what the programs
 * left on their standard error, and the rest. */
#define RESULT_BYTES                                                           \
	(2 * (size_t)RECORD_BYTES + ASKS_BYTES + SEATS_MAX * STDERR_BYTES +    \
	 SEATS_MAX * FAULT_NOTES_A_SEAT * 2 * sizeof(struct fault_note) +      \
	 65536)
#define JOB_WHY_BYTES 512

/* Who sits at one seat: a program, a bot that is built in, or one that the
 * owner of the runner seats itself; such a job stays in this process. */
struct job_seat {
	const char *builtin; /* "random", "house"; NULL: a program */
	bool own;	     /* runner_calls.seat() makes its bot; with `reuse`
			      * runner_calls.kept() gives it back */
	/* Which bot of the owner's it is.  Processes that are used again play
	 * for the same number only. */
	uint32_t bot;
	bool reuse; /* its process plays game after game */
	/* None of its games counts yet: if its program cannot be started, or
	 * ends without a word and not for its memory, this one is aborted,
	 * ABORT_NOT_STARTED. */
	bool untried;
	/* The hash of the bot as it was imported, or NULL: it was not.  Not
	 * written, and not copied. */
	const char *content;
	struct spawner_job program; /* but its descriptors; with a box */
};

struct job {
	uint64_t number; /* the owner's name for it; no two run at a time */
	struct table_setup setup;
	bool rests; /* a program that is not asked gets no processor */
	/* A bot whose program cannot be started has crashed, but for `untried`;
	 * else its game is aborted, ABORT_NOT_STARTED. */
	bool charges_start;
	/* ended() tells the end of each program that outlives its game's
	 * result, however it leaves; not with `reuse`. */
	bool all_ends;
	uint64_t limit_us; /* of the game, by the clock of the bots; 0: none */
	struct job_seat seat[SEATS_MAX];
};

/* How the program of a seat has ended. */
struct job_end {
	bool known; /* false: it lives, or is no program */
	bool lives; /* when the result was told */
	bool started, machine;
	bool early, over; /* as in struct bot_end */
	bool silent;	  /* it has not said a byte */
	int error, status;
	/* Owned: what it left on standard error; of one that lives, what it
	 * has written for this game so far. */
	struct text complaint;
	uint64_t wrote_from; /* its place in all that it has written there */
};

/* A result's `why`, if it was not the machine that could not start a bot. */
#define SPAWNER_DIED "the process that starts the bots has died"

struct job_result {
	uint64_t number;
	struct table_outcome outcome;
	char ended[RECORD_DATE_BYTES];
	/* As of table_record(); owned; empty: the game has not begun, so there
	 * is no record. */
	struct text header;
	struct text body; /* likewise */
	struct text asks; /* likewise: its side file (protocol/asks.h) */
	struct fault_notes faults; /* owned */
	struct job_end end[SEATS_MAX];
	/* The game was aborted as the program of a seat could not be started,
	 * through no fault of the machine's, or as in `untried`: which, or -1;
	 * why is in its end. */
	int not_started;
	bool machine; /* the machine has failed: a sentence in `why` */
	char why[JOB_WHY_BYTES];
};

bool job_seat_is_program(const struct job_seat *seat) MUST_CHECK;
/* How many of its seats are. */
unsigned job_programs(const struct job *job) MUST_CHECK;
/* Whether the bot of a seat plays game after game. */
bool job_reuses(const struct job *job) MUST_CHECK;
/* Whether a seat is asked for entropy, which is not given yet. */
bool job_asks_entropy(const struct job *job) MUST_CHECK;

/* Adds the job, which has no seat of the owner's own, to `to`, which becomes
 * full if it is too long. */
void job_write(const struct job *job, struct text *to);
/* A job from bytes, which are copied.  NULL: they are none.  Its owner calls
 * job_free(). */
struct job *job_read(const char *bytes, size_t n) MUST_CHECK;
void job_free(struct job *job);
/* A copy, as if it had been read; `own` is kept. */
struct job *job_copy(const struct job *job) MUST_CHECK;

void job_result_init(struct job_result *result);
void job_result_release(struct job_result *result);
/* The hash of its record, which has no header lines but its own. */
void job_result_hash(const struct job_result *result,
		     unsigned char hash[RECORD_HASH_BYTES]);
/* Into one that holds nothing; `from` is as if it had just been initialised. */
void job_result_move(struct job_result *to, struct job_result *from);
void job_result_write(const struct job_result *result, struct text *to);
/* Into an initialised result, whose owner releases it in either case.  False:
 * the bytes are none. */
bool job_result_read(struct job_result *result, char *bytes,
		     size_t n) MUST_CHECK;

struct wire;
/* Writes it, or reads it. */
void job_end_code(struct wire *wire, struct job_end *end);

#endif
