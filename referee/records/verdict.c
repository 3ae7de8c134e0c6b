/* referee/records/verdict.c - see verdict.h. */
#include "referee/records/verdict.h"

#include <stdio.h>
#include <string.h>

void
verdict_say(char side[VERDICT_BYTES], const char *fmt, va_list ap)
{
	int n = vsnprintf(side, VERDICT_BYTES, fmt, ap);

	if (n >= VERDICT_BYTES)
		memcpy(side + VERDICT_BYTES - 4, "...", 4);
}

void
verdict_quote(char side[VERDICT_BYTES], const char *text)
{
	int n = snprintf(side, VERDICT_BYTES, "`%s`", text);

	if (n >= VERDICT_BYTES)
		memcpy(side + VERDICT_BYTES - 4, "...", 4);
}

/* The lines follow one another; the empty one stands behind the header. */
uint32_t
record_end_line(const struct record *record)
{
	return record->headers + 1 + record->bodies + 1;
}
