/* referee/records/verdict.h - the outcome of a record's proof. */
#ifndef REFEREE_VERDICT_H
#define REFEREE_VERDICT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "protocol/record.h"

#define VERDICT_BYTES 512

struct verdict {
	bool ok;
	bool sealed;   /* ok: proved from the secret, not by the rules alone */
	uint32_t line; /* not ok: of the file, from 1; the number after the
			* last if the record ends too early */
	char expected[VERDICT_BYTES]; /* not ok: for "expected …, found …" */
	char found[VERDICT_BYTES];
};

/* Write one side of "expected …, found …"; what does not fit is cut off and
 * ends in "...".  verdict_quote(): the text in backticks. */
void verdict_say(char side[VERDICT_BYTES], const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
void verdict_quote(char side[VERDICT_BYTES], const char *text);

/* The number of the line after the record's last one. */
uint32_t record_end_line(const struct record *record);

#endif
