/* protocol/util.c - where the program cannot go on. */
#include "protocol/util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "referee: bug at %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}

static void *
checked(void *new, size_t bytes)
{
	if (new == NULL) {
		fprintf(stderr, "referee: out of memory (%zu bytes)\n", bytes);
		abort();
	}
	return new;
}

void *
memory(void *old, size_t bytes)
{
	return checked(realloc(old, bytes > 0 ? bytes : 1), bytes);
}

void *
zeroed(size_t count, size_t bytes)
{
	return checked(calloc(count > 0 ? count : 1, bytes), count * bytes);
}

char *
copied(const char *string)
{
	return checked(strdup(string), strlen(string));
}
