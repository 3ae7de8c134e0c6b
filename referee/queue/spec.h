/* referee/queue/spec.h - a job of the queue: what the database keeps of it.
 *
 * A spec is the job (referee/runner/job.h) as bytes, without its secret and
 * what its bots have given, which stand beside it; in place of a program's
 * folder is the hash of the bot that was imported (referee/import/files.h). */
#ifndef REFEREE_SPEC_H
#define REFEREE_SPEC_H

#include "ladder/roster.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/queue/pg.h"
#include "referee/queue/seal.h"
#include "referee/runner/job.h"

/* Of jobs and results as bytes: one more with every change of what
 * spec_write(), spec_entropy_write() or job_result_write() puts down. */
#define SPEC_FORMAT 7
/* Of spec_rules(). */
#define SPEC_RULES_BYTES 64

/* Who may play it, and read its result: "GAME/VERSION/FORMAT", the version of
 * the rules and SPEC_FORMAT.  What another program has written waits for one
 * that knows it. */
void spec_rules(const struct game_rules *rules, char text[SPEC_RULES_BYTES]);
/* Those of all games, `*n` of them.  free() is due for the array alone. */
const char **spec_known(size_t *n) MUST_CHECK;

enum spec_age {
	SPEC_KNOWN,
	SPEC_NEWER, /* than this program */
	SPEC_OLDER,
	SPEC_STRANGE, /* a game that this program does not have */
};

/* What the rules of a job say of who can read it. */
enum spec_age spec_age(const char *rules) MUST_CHECK;

/* The job, which has no seat of the owner's own, into `to`, which has room for
 * JOB_BYTES.  A program's bot is its seat's `content`; of its box the limits and
 * the tier count, which is the least that will do. */
void spec_write(const struct job *job, struct text *to);
/* From bytes, which are copied.  hash[] is borrowed from the job; NULL: no
 * program sits there.  job_free() is due.  NULL: they are no spec. */
struct job *spec_read(const char *bytes, size_t n,
		      const char *hash[SEATS_MAX]) MUST_CHECK;

/* What the seats have given: of each how many bytes, as one byte, and these. */
void spec_entropy_write(const struct entropy *entropy, unsigned seats,
			struct text *to);
bool spec_entropy_read(const char *bytes, size_t n, unsigned seats,
		       struct entropy *entropy) MUST_CHECK;

/* What spec_open() says if the key is another one. */
#define SPEC_SEALED "its secret does not open with this worker's key"

/* The job of a row that has, from `column` on, its game's ID, spec, sealed
 * secret, commitment, and what its bots have given: NULL, or what is wrong with
 * it.  job_free() is due in either case, unless `*job` is NULL; hash[] is as of
 * spec_read(). */
const char *spec_open(const struct pg_answer *answer, unsigned row,
		      unsigned column, const struct seal_key *key,
		      struct job **job, const char *hash[SEATS_MAX]) MUST_CHECK;

#endif
