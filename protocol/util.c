/* protocol/util.c - where the program cannot go on. */
#include "protocol/util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

void *
memory(void *old, size_t bytes)
{
	void *new = realloc(old, bytes > 0 ? bytes : 1);

	if (new == NULL) {
		fprintf(stderr, "referee: out of memory (%zu bytes)\n", bytes);
		abort();
	}
	return new;
}
