/* tests/unit/vectors.h - reads the files of protocol/vectors.
 *
 *	struct vectors v = vectors_open("redact.txt");
 *
 *	while (vectors_next(&v))
 *		if (vectors_is(&v, "full"))
 *			... v.value, v.n ...
 *	vectors_release(&v); */
#ifndef TESTS_UNIT_VECTORS_H
#define TESTS_UNIT_VECTORS_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vectors {
	FILE *file;
	char *line; /* owned */
	size_t size;
	unsigned number; /* of the line, from 1 */
	const char *key, *value;
	size_t n; /* bytes of value */
};

static inline struct vectors
vectors_open(const char *name)
{
	struct vectors v = { 0 };
	char path[1024];

	snprintf(path, sizeof(path), "%s/protocol/vectors/%s", SOURCE_DIR,
		 name);
	v.file = fopen(path, "re");
	cr_assert_not_null(v.file, "%s cannot be opened", path);
	return v;
}

static inline void
vectors_release(struct vectors *v)
{
	fclose(v->file);
	free(v->line);
}

/* Reads the next key and value; returns false at the end of the file. */
static inline bool
vectors_next(struct vectors *v)
{
	ssize_t n;
	char *space;

	do {
		n = getline(&v->line, &v->size, v->file);
		if (n < 0)
			return false;
		v->number++;
		if (v->line[n - 1] == '\n')
			v->line[--n] = '\0';
	} while (n == 0 || v->line[0] == '#');
	space = strchr(v->line, ' ');
	v->key = v->line;
	v->value = space != NULL ? space + 1 : v->line + n;
	v->n = (size_t)(v->line + n - v->value);
	if (space != NULL)
		*space = '\0';
	return true;
}

static inline bool
vectors_is(const struct vectors *v, const char *key)
{
	return strcmp(v->key, key) == 0;
}

#endif
