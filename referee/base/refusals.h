/* referee/base/refusals.h - logs and counts connections that were turned away.
 *
 * For each address and kind the first REFUSALS_EACH in a period have a line
 * each; the others are counted, and one line at the end of the period has their
 * number.  Only REFUSALS_APART addresses are kept apart; further ones share a
 * line (`address=others`).  So a crowd can neither flood the log nor hide its
 * size. */
#ifndef REFEREE_REFUSALS_H
#define REFEREE_REFUSALS_H

#include <stdint.h>

#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/refusal.h"

#define REFUSALS_PERIOD_MS 60000
#define REFUSALS_EACH 5
#define REFUSALS_APART 16 /* addresses, each with a kind */

struct loop;
struct refusals;

/* Borrows the base and the logger. */
struct refusals *refusals_new(struct loop *loop,
			      struct logger *logger) MUST_CHECK;
void refusals_free(struct refusals *refusals); /* NULL is allowed */

/* Counts a refusal and may log it; `arg` is the struct refusals. */
refusal_told refusals_tell;
/* Ends the period: logs the refusals that were only counted. */
void refusals_end_period(struct refusals *refusals);

/* Returns the number of refusals since the start. */
uint64_t refusals_count(const struct refusals *refusals, enum refusal kind);
/* "limit", "hello", … */
const char *refusal_name(enum refusal kind);

#endif
