/* referee/queue/spec.h - a job of the queue as the database keeps it.
 *
 * A spec is the job (referee/runner/job.h) as bytes.  The secret and the
 * entropy of its bots are not in it; other columns hold them.  In place of a
 * program's folder it has the hash of the imported bot
 * (referee/import/files.h). */
#ifndef REFEREE_SPEC_H
#define REFEREE_SPEC_H

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/queue/pg.h"
#include "referee/queue/seal.h"
#include "referee/runner/job.h"

/* The format of jobs and results as bytes.  Add one with every change of what
 * spec_write(), spec_entropy_write() or job_result_write() writes. */
#define SPEC_FORMAT 7
/* The bytes of spec_rules(). */
#define SPEC_RULES_BYTES 64

/* Writes which programs may play a job and read its result:
 * "GAME/VERSION/FORMAT", with the version of the rules and SPEC_FORMAT. A job
 * that another program has written waits for a program that knows its rules. */
void spec_rules(const struct game_rules *rules, char text[SPEC_RULES_BYTES]);
/* Returns the rules of all games, `*n` of them.  The caller frees the array
 * alone. */
const char **spec_known(size_t *n) MUST_CHECK;

enum spec_age {
	SPEC_KNOWN,
	SPEC_NEWER, /* newer than this program */
	SPEC_OLDER,
	SPEC_STRANGE, /* a game that this program does not have */
};

/* Says if this program can read a job of these rules, and if not, why. */
enum spec_age spec_age(const char *rules) MUST_CHECK;

/* Writes the job to `to`, which has room for JOB_BYTES. The job has no seat
 * that its owner plays itself.  A program is written as the hash in its seat's
 * `content`, and its box as the limits and the tier, which is the lowest one
 * allowed. */
void spec_write(const struct job *job, struct text *to);
/* Reads a job from bytes, which are copied. hash[] is borrowed from the job; an
 * element is NULL if no program sits there.  The caller calls job_free().
 * Returns NULL if the bytes are no spec. */
struct job *spec_read(const char *bytes, size_t n,
		      const char *hash[SEATS_MAX]) MUST_CHECK;

/* Writes the entropy of the seats: for each its length as one byte, then its
 * bytes. */
void spec_entropy_write(const struct entropy *entropy, unsigned seats,
			struct text *to);
bool spec_entropy_read(const char *bytes, size_t n, unsigned seats,
		       struct entropy *entropy) MUST_CHECK;

/* The sentence of spec_open() if the key is another one. */
#define SPEC_SEALED "its secret does not open with this worker's key"

/* Reads the job of a row that has, from `column` on, the game's ID, spec,
 * sealed secret, commitment, and entropy of its bots.  Returns NULL, or a
 * sentence if something is wrong.  In both cases the caller calls job_free()
 * unless `*job` is NULL. hash[] is that of spec_read(). */
const char *spec_open(const struct pg_answer *answer, unsigned row,
		      unsigned column, const struct seal_key *key,
		      struct job **job, const char *hash[SEATS_MAX]) MUST_CHECK;

#endif
