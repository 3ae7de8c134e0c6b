/* protocol/field.c - see field.h. */
#include "protocol/field.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char space[] = " \t\n";

/* Returns where the next field begins, or NULL if there is none. */
static const char *
begin(const char *at)
{
	if (at == NULL)
		return NULL;
	at += strspn(at, space);
	return *at == '\0' ? NULL : at;
}

const char *
field_skip(const char *at, unsigned count)
{
	while (count-- > 0 && (at = begin(at)) != NULL)
		at += strcspn(at, space);
	return at;
}

const char *
field_number(const char *at, uint64_t *number)
{
	char *end;

	at = begin(at);
	if (at == NULL || *at < '0' || *at > '9')
		return NULL;
	errno = 0;
	*number = strtoull(at, &end, 10);
	return errno == 0 && strchr(space, *end) != NULL ? end : NULL;
}
