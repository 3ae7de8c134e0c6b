/* protocol/fault.h - what a bot can do wrong, and its lines in a record. */
#ifndef PROTOCOL_FAULT_H
#define PROTOCOL_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"

/* A new fault needs a name in fault.c, a column of `conduct` in schema.sql, read.c,
 * rebuild.c and rate.c, a sentence in fault-note.c and check-judge.c, and a place in
 * PROTOCOL.md, RECORD.md and the manual. */
enum fault {
	FAULT_NONE,
	FAULT_TIMEOUT,	/* no answer by the deadline */
	FAULT_ILLEGAL,	/* a token that is not in the list */
	FAULT_PROTOCOL, /* a line that breaks the grammar or a limit */
	FAULT_CRASH,	/* end of file or death */
	FAULT_KINDS	/* how many there are, none included */
};

/* "timeout", "illegal", … */
const char *fault_name(enum fault fault);
/* Finds the fault that `n` bytes name.  False: they name none, and `*fault` is
 * FAULT_KINDS. */
bool fault_read(const char *name, size_t n, enum fault *fault) MUST_CHECK;

/* Returns true if a line of a record's body, which ends at a LF, a NUL or after `n`
 * bytes, is `fault S WHY`; then sets `seat` to S and `fault` to WHY. */
bool fault_line(const char *line, size_t n, unsigned *seat,
		enum fault *fault) MUST_CHECK;

/* The comment of a time-out of a bot that had no processor begins like this, before the
 * numbers. */
#define FAULT_STARVED " ; starved "
/* Adds how many time-outs of each seat have it, by the lines of a record's
 * body. */
void fault_count_starved(const char *body, size_t n, unsigned count[SEATS_MAX]);

/* Adds how often each seat was charged with what, by the lines of a record's
 * body. */
void fault_count(const char *body, size_t n,
		 unsigned count[SEATS_MAX][FAULT_KINDS]);

#endif
