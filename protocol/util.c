/* protocol/util.c - the end of the road for our own mistakes. */
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
