/* tests/world/promises.c - see promises.h. */
#include "tests/world/promises.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static FILE *file;

void
promises_begin(const char *path)
{
	file = fopen(path, "ae");
	if (file == NULL)
		bug("cannot open %s", path);
}

void
promise_over(const char *id, const char *hash)
{
	if (file != NULL)
		fprintf(file, "over %s %s\n", id, hash);
}

void
promise_read(const char *id, unsigned seat, uint64_t number, const char *line)
{
	if (file != NULL)
		fprintf(file, "read %s %u %" PRIu64 " %s\n", id, seat, number,
			line);
}

/* ---- reading ---------------------------------------------------------- */

/* Reads the whole file, with a NUL behind it.  Returns NULL and errno. */
static char *
slurp(const char *path)
{
	FILE *from = fopen(path, "re");
	char *bytes = NULL;
	struct stat st;
	size_t n;

	if (from == NULL)
		return NULL;
	if (fstat(fileno(from), &st) == 0) {
		bytes = memory(NULL, (size_t)st.st_size + 1);
		n = fread(bytes, 1, (size_t)st.st_size, from);
		bytes[n] = '\0';
	}
	fclose(from);
	return bytes;
}

/* Cuts off the next word. */
static const char *
word(char **rest)
{
	const char *found = strsep(rest, " ");

	return found == NULL ? "" : found;
}

static bool
take_line(struct promises *promises, char *line, size_t order)
{
	struct promised_line *read;
	struct promised_over *over;
	const char *verb = word(&line);

	if (strcmp(verb, "over") == 0) {
		over = &promises->over[promises->overs++];
		over->id = word(&line);
		over->hash = word(&line);
		return *over->hash != '\0' && line == NULL;
	}
	if (strcmp(verb, "read") != 0)
		return false;
	read = &promises->line[promises->lines++];
	read->id = word(&line);
	read->seat = (unsigned)strtoul(word(&line), NULL, 10);
	read->number = strtoull(word(&line), NULL, 10);
	read->line = line;
	read->order = order;
	return line != NULL;
}

static int
by_over(const void *a, const void *b)
{
	const struct promised_over *x = a, *y = b;
	const int order = strcmp(x->id, y->id);

	return order != 0 ? order : strcmp(x->hash, y->hash);
}

static int
by_seat(const void *a, const void *b)
{
	const struct promised_line *x = a, *y = b;
	const int order = strcmp(x->id, y->id);

	return order != 0 ? order : (x->seat > y->seat) - (x->seat < y->seat);
}

static int
by_order(const void *a, const void *b)
{
	const struct promised_line *x = a, *y = b;
	const int order = by_seat(a, b);

	return order != 0 ? order
			  : (x->order > y->order) - (x->order < y->order);
}

/* Leaves each promise once: each bot of a table has heard it. */
static void
drop_twins(struct promises *promises)
{
	size_t kept = 0;

	for (size_t i = 0; i < promises->overs; i++)
		if (i == 0 ||
		    by_over(&promises->over[i], &promises->over[kept - 1]) != 0)
			promises->over[kept++] = promises->over[i];
	promises->overs = kept;
}

int
promises_read(const char *path, struct promises *promises, struct error *why)
{
	char *at, *end;
	size_t most = 0;

	*promises = (struct promises){ .bytes = slurp(path) };
	if (promises->bytes == NULL && errno == ENOENT)
		return 0;
	if (promises->bytes == NULL)
		return error_set(why, ERROR_MACHINE, "cannot read %s: %m",
				 path);
	for (at = promises->bytes; (at = strchr(at, '\n')) != NULL; at++)
		most++;
	promises->over = zeroed(most + 1, sizeof(*promises->over));
	promises->line = zeroed(most + 1, sizeof(*promises->line));
	for (at = promises->bytes; (end = strchr(at, '\n')) != NULL;
	     at = end + 1) {
		*end = '\0';
		if (!take_line(promises, at, (size_t)(at - promises->bytes)))
			return error_set(why, ERROR_INPUT,
					 "%s: no promise begins with `%s`",
					 path, at);
	}
	if (promises->overs > 0)
		qsort(promises->over, promises->overs, sizeof(*promises->over),
		      by_over);
	if (promises->lines > 0)
		qsort(promises->line, promises->lines, sizeof(*promises->line),
		      by_order);
	drop_twins(promises);
	return 0;
}

void
promises_release(struct promises *promises)
{
	free(promises->bytes);
	free(promises->over);
	free(promises->line);
	*promises = (struct promises){ .bytes = NULL };
}

const struct promised_line *
promises_lines(const struct promises *promises, const char *id, unsigned seat,
	       size_t *count)
{
	const struct promised_line key = { .id = id, .seat = seat };
	size_t low = 0, high = promises->lines, end;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (by_seat(&promises->line[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low;
	     end < promises->lines && by_seat(&promises->line[end], &key) == 0;)
		end++;
	*count = end - low;
	return promises->line + low;
}
