/* protocol/date.c - see date.h. */
#include "protocol/date.h"

#include <stddef.h>
#include <time.h>

int64_t
date_read(const char *text)
{
	struct tm tm = { 0 };
	const char *rest;

	if (text == NULL)
		return -1;
	rest = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return rest == NULL || *rest != '\0' ? -1 : (int64_t)timegm(&tm);
}
