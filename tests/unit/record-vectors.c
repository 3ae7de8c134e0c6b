/* tests/unit/record-vectors.c - see record-vectors.h. */
#include "tests/unit/record-vectors.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
vector_load(const char *path, struct text *text)
{
	FILE *file = fopen(path, "rbe");
	char part[4096];
	size_t n;

	text_clear(text);
	cr_assert_not_null(file, "%s", path);
	while ((n = fread(part, 1, sizeof(part), file)) > 0)
		text_add(text, part, n);
	fclose(file);
}

static int
is_record(const struct dirent *entry)
{
	return strstr(entry->d_name, ".rec") != NULL;
}

void
vectors_each(void (*check)(const char *name, const struct text *text))
{
	struct text text = { .max = RECORD_BYTES };
	struct dirent **entry;
	int n = scandir(VECTORS, &entry, is_record, alphasort), i;
	char path[4096];

	cr_assert_geq(n, 15, "found %d vectors in " VECTORS, n);
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), VECTORS "/%s", entry[i]->d_name);
		vector_load(path, &text);
		*strstr(entry[i]->d_name, ".rec") = '\0';
		check(entry[i]->d_name, &text);
		free(entry[i]);
	}
	free(entry);
	text_release(&text);
}

bool
record_holds(const char *bytes, size_t n, bool by_rules,
	     struct verdict *verdict)
{
	struct error why;
	struct record *record;

	memset(verdict, 0, sizeof(*verdict));
	if (record_parse(bytes, n, &record, &why) != 0) {
		verdict->line = (uint32_t)strtoul(why.text, NULL, 10);
		snprintf(verdict->expected, VERDICT_BYTES, "%.511s", why.text);
		return false;
	}
	verify_record(record, by_rules, NULL, verdict);
	record_free(record);
	return verdict->ok;
}
