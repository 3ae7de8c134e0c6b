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
	uint32_t line; /* not ok: the file's line, from 1; the one after the
		        * last if the record ends too early */
	char expected[VERDICT_BYTES]; /* not ok: the words of "expected …, found
				       * …" */
	char found[VERDICT_BYTES];
};

/* Write one side of "expected …, found …".  A text that does not fit is cut and
 * ends in "...". verdict_quote() puts it in backticks. */
void verdict_say(char side[VERDICT_BYTES], const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
void verdict_quote(char side[VERDICT_BYTES], const char *text);

/* Returns the number of the line after the record's last one. */
uint32_t record_end_line(const struct record *record);

#endif
