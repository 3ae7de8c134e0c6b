/* protocol/date.c - see date.h. */
#include "protocol/date.h"

#include <string.h>
#include <time.h>

#define FORM "%Y-%m-%dT%H:%M:%SZ"

int64_t
date_read(const char *text)
{
	struct tm tm = { 0 };
	char again[DATE_BYTES];
	const char *rest;
	int64_t when;

	if (text == NULL)
		return -1;
	rest = strptime(text, FORM, &tm);
	if (rest == NULL || *rest != '\0')
		return -1;
	when = (int64_t)timegm(&tm);
	/* A day or second that there is not becomes another one. */
	date_write(when, again);
	return when >= 0 && strcmp(again, text) == 0 ? when : -1;
}

void
date_write(int64_t seconds, char text[DATE_BYTES])
{
	const time_t when = (time_t)seconds;
	struct tm tm;

	strftime(text, DATE_BYTES, FORM, gmtime_r(&when, &tm));
}
