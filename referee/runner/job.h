/* referee/runner/job.h - a game to play, and its result.
 *
 * A job has everything that is fixed before the first card.  A result has
 * everything that remains when the game is over.  Both are plain values that
 * can be written as bytes, so another process can play a job, and a third one
 * can play it again with the same cards if that process is lost. */
#ifndef REFEREE_JOB_H
#define REFEREE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/spawner/spawner.h"
#include "referee/table/bot.h"
#include "referee/table/fault-note.h"
#include "referee/table/table.h"

/* Strings of a job's argv, additions to the environment, and lists of its box. */
#define JOB_STRINGS_MAX 4096
/* Bytes of a job: the strings of SEATS_MAX programs, and the rest. */
#define JOB_BYTES (SEATS_MAX * 2 * SPAWNER_REQUEST_BYTES + 65536)
/* Bytes of a result: header and body of a record, its asks, the programs'
 * standard error, and the rest. */
#define RESULT_BYTES                                                           \
	(2 * (size_t)RECORD_BYTES + ASKS_BYTES + SEATS_MAX * STDERR_BYTES +    \
	 SEATS_MAX * FAULT_NOTES_A_SEAT * 2 * sizeof(struct fault_note) +      \
	 65536)
#define JOB_WHY_BYTES 512

/* The bot of one seat: a program, a built-in bot, or an own bot, which the
 * owner of the runner seats itself.  A job with an own bot stays in this
 * process. */
struct job_seat {
	const char *builtin; /* "random", "house"; NULL: a program */
	bool own;	     /* runner_calls.seat() makes its bot; with `reuse`,
			      * runner_calls.kept() gives it back */
	/* The owner's number of the bot.  A process that is used again plays
	 * only for the same number. */
	uint32_t bot;
	bool reuse; /* its process plays game after game */
	/* No game of this bot counts yet.  If its program cannot be started, or
	 * ends without a word and not for its memory, the game is aborted with
	 * ABORT_NOT_STARTED. */
	bool untried;
	/* The hash of the imported bot; NULL: not imported.  It is neither
	 * written nor copied. */
	const char *content;
	struct spawner_task program; /* without its descriptors; with its box */
};

struct job {
	uint64_t number; /* the owner's number of it; no two running jobs have
			  * the same */
	struct table_setup setup;
	bool rests; /* a program that is not asked gets no processor */
	/* If true, a bot whose program cannot be started has crashed, unless it
	 * is `untried`.  If false, its game is aborted with ABORT_NOT_STARTED. */
	bool charges_start;
	/* ended() reports each program that outlives its game's result, however
	 * it leaves; not with `reuse`. */
	bool all_ends;
	uint64_t
		limit_us; /* time limit of the game by the bots' clock; 0: none */
	struct job_seat seat[SEATS_MAX];
};

/* The end of a seat's program. */
struct job_end {
	bool known; /* false: it lives, or it is not a program */
	bool lives; /* it lived when the result was told */
	bool started, machine;
	bool early, over; /* as in struct bot_end */
	bool silent;	  /* it has not written a byte */
	int error, status;
	/* Owned: what it left on standard error; if it lives, what it has
	 * written for this game so far. */
	struct text complaint;
	uint64_t wrote_from; /* where that begins in all that it has written
			      * there */
};

/* The `why` of a result if the spawner died. */
#define SPAWNER_DIED "the process that starts the bots has died"

struct job_result {
	uint64_t number;
	struct table_outcome outcome;
	char ended[RECORD_DATE_BYTES];
	/* From table_record(), owned.  Empty: the game has not begun, so there
	 * is no record. */
	struct text header;
	struct text body; /* owned */
	struct text asks; /* owned: the record's side file (protocol/asks.h) */
	struct fault_notes faults; /* owned */
	struct job_end end[SEATS_MAX];
	/* The seat whose program could not be started, though the machine was
	 * not at fault, or failed as in `untried`; or -1.  Its end says why the
	 * game was aborted. */
	int not_started;
	bool machine; /* the machine has failed; `why` is a sentence */
	char why[JOB_WHY_BYTES];
};

bool job_seat_is_program(const struct job_seat *seat) MUST_CHECK;
/* Returns how many seats are programs. */
unsigned job_programs(const struct job *job) MUST_CHECK;
/* Returns true if the bot of a seat plays game after game. */
bool job_reuses(const struct job *job) MUST_CHECK;
/* Returns true if a seat is asked for entropy and has not given it yet. */
bool job_asks_entropy(const struct job *job) MUST_CHECK;

/* Appends the job to `to`, which becomes full if the job is too long.  The job
 * must have no own seats. */
void job_write(const struct job *job, struct text *to);
/* Reads a job from bytes, which it copies.  Returns NULL if they are not a job.
 * The caller frees it by job_free(). */
struct job *job_read(const char *bytes, size_t n) MUST_CHECK;
void job_free(struct job *job);
/* Returns a copy, as if it had been read, but with `own`. */
struct job *job_copy(const struct job *job) MUST_CHECK;

void job_result_init(struct job_result *result);
void job_result_release(struct job_result *result);
/* Computes the hash of the result's record, which has no header lines but its
 * own. */
void job_result_hash(const struct job_result *result,
		     unsigned char hash[RECORD_HASH_BYTES]);
/* Moves a result into an empty one.  `from` is then as freshly initialised. */
void job_result_move(struct job_result *to, struct job_result *from);
void job_result_write(const struct job_result *result, struct text *to);
/* Reads into an initialised result, which the caller must release in either
 * case.  Returns false if the bytes are not a result. */
bool job_result_read(struct job_result *result, char *bytes,
		     size_t n) MUST_CHECK;

struct wire;
/* Writes an end or reads one, by the wire. */
void job_end_code(struct wire *wire, struct job_end *end);

#endif
