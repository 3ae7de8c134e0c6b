/* protocol/util.c - where the program cannot go on. */
#include "protocol/util.h"

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

/* The room is always the next power of two from 64. */
void *
grown(void *list, size_t count, size_t bytes)
{
	if (count == 0 || (count >= 64 && (count & (count - 1)) == 0))
		list = memory(list, (count < 64 ? 64 : 2 * count) * bytes);
	memset((char *)list + count * bytes, 0, bytes);
	return list;
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

char *
formatted(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = vformatted(fmt, ap);
	va_end(ap);
	return text;
}

char *
vformatted(const char *fmt, va_list ap)
{
	char *text = NULL;

	return checked(vasprintf(&text, fmt, ap) < 0 ? NULL : text,
		       strlen(fmt));
}

int
by_unsigned(const void *a, const void *b)
{
	const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}
