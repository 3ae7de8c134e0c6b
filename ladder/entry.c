/* ladder/entry.c - reads and writes the names of all files of a log, and the
 * lines that voids, settings and foundings have in common. */
#include "ladder/store-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/clock.h"
#include "protocol/date.h"
#include "protocol/message.h"

/* Names and first words of all kinds. */
static const struct {
	const char *ending; /* ending of a file's name */
	const char *word;   /* first word of the first line */
} kinds[] = {
	[ENTRY_GAME] = { ".rec", "record" },
	[ENTRY_VOID] = { ".void", "void" },
	[ENTRY_SETTING] = { ".setting", "setting" },
	[ENTRY_FOUNDING] = { ".ladder", "ladder" },
	[ENTRY_ASKS] = { ".asks", "" },
};

/* ---- names ------------------------------------------------------------ */

void
ladder_file_name(enum entry_kind kind, int64_t serial, const char *id,
		 char name[LADDER_FILE_BYTES])
{
	snprintf(name, LADDER_FILE_BYTES, "%08" PRId64 "-%.*s%s", serial,
		 ID_BYTES, id, kinds[kind].ending);
}

/* A founding has serial 0; all other files have a higher one. */
static bool
is_name(const char *name, size_t n, enum entry_kind kind, int64_t serial,
	const char *id, size_t id_bytes)
{
	char only[ID_BYTES + 1], whole[LADDER_FILE_BYTES];

	if (id_bytes < 1 || id_bytes > ID_BYTES ||
	    (serial == 0) != (kind == ENTRY_FOUNDING))
		return false;
	snprintf(only, sizeof(only), "%.*s", (int)id_bytes, id);
	ladder_file_name(kind, serial, only, whole);
	return strlen(whole) == n && memcmp(whole, name, n) == 0;
}

int64_t
ladder_file_serial(const char *name, size_t n, enum entry_kind *kind)
{
	const char *end = memchr(name, '.', n);
	int64_t serial;
	char *dash;

	*kind = ENTRY_OTHER;
	if (end == NULL || n >= LADDER_FILE_BYTES || name[0] < '0' ||
	    name[0] > '9')
		return 0;
	serial = strtoll(name, &dash, 10);
	if (*dash != '-' || serial > LADDER_SERIAL_MAX)
		return 0;
	/* An ID may have dots. */
	for (size_t i = 0; i < NELEM(kinds); i++)
		if (n > strlen(kinds[i].ending) &&
		    memcmp(name + n - strlen(kinds[i].ending), kinds[i].ending,
			   strlen(kinds[i].ending)) == 0 &&
		    is_name(name, n, (enum entry_kind)i, serial, dash + 1,
			    n - strlen(kinds[i].ending) -
				    (size_t)(dash + 1 - name))) {
			*kind = (enum entry_kind)i;
			return serial;
		}
	return 0;
}

/* ---- lines ------------------------------------------------------------ */

enum entry_kind
entry_kind_of(const char *text, size_t n)
{
	size_t word;

	for (size_t i = 0; i < NELEM(kinds); i++) {
		word = strlen(kinds[i].word);
		if (word > 0 && n > word && text[word] == ' ' &&
		    memcmp(text, kinds[i].word, word) == 0)
			return (enum entry_kind)i;
	}
	return ENTRY_OTHER;
}

/* Reads the next line.  Returns false at the end, and at a line that is too
 * long or not whole. */
static bool
next_line(struct entry_lines *lines)
{
	const size_t left = (size_t)(lines->end - lines->at);
	const char *end = left == 0 ? NULL : memchr(lines->at, '\n', left);
	const size_t n = end == NULL ? 0 : (size_t)(end - lines->at);

	lines->number++;
	if (end == NULL || n >= sizeof(lines->line))
		return false;
	memcpy(lines->line, lines->at, n);
	lines->line[n] = '\0';
	lines->at = end + 1;
	return true;
}

const char *
entry_value(struct entry_lines *lines, const char *key)
{
	const size_t n = strlen(key);

	if (!next_line(lines) || strncmp(lines->line, key, n) != 0 ||
	    lines->line[n] != ' ')
		return NULL;
	return lines->line + n + 1;
}

int
entry_expected(const struct entry_lines *lines, const char *what,
	       struct error *why)
{
	return error_set(why, ERROR_INPUT,
			 "%u: expected a line `%s`: mend this file",
			 lines->number, what);
}

/* Checks that the last line is `end`, which a cut text lacks, and leaves it
 * out. */
static int
leave_end(struct entry_lines *lines, struct error *why)
{
	static const char end[] = "\nend\n";
	const size_t n = strlen(end);

	if ((size_t)(lines->end - lines->at) < n - 1 ||
	    memcmp(lines->end - n, end, n) != 0)
		return error_set(why, ERROR_INPUT,
				 "expected `end` as the last line: mend this "
				 "file, or restore it from a copy");
	lines->end -= n - 1;
	return 0;
}

int
entry_begin(struct entry_lines *lines, enum entry_kind kind,
	    const struct text *text, int64_t *serial, char id[ID_BYTES + 1],
	    struct error *why)
{
	const char *value;
	char first[16], *end;

	*lines = (struct entry_lines){ .at = text->bytes,
				       .end = text->bytes + text->used };
	snprintf(first, sizeof(first), "%s 1", kinds[kind].word);
	if (!next_line(lines) || strcmp(lines->line, first) != 0)
		return entry_expected(lines, first, why);
	value = entry_value(lines, "id");
	if (value == NULL || !message_name_ok(value, strlen(value)) ||
	    strlen(value) > ID_BYTES)
		return entry_expected(lines, "id ID", why);
	snprintf(id, ID_BYTES + 1, "%s", value);
	if (entry_value(lines, "ladder") == NULL)
		return entry_expected(lines, "ladder ID", why);
	value = entry_value(lines, "serial");
	if (value == NULL || *value < '0' || *value > '9' ||
	    (*serial = strtoll(value, &end, 10)) > LADDER_SERIAL_MAX ||
	    *end != '\0' || (*serial == 0) != (kind == ENTRY_FOUNDING))
		return entry_expected(lines, "serial N", why);
	value = entry_value(lines, "date");
	if (value == NULL || date_read(value) < 0)
		return entry_expected(lines, "date DATE", why);
	snprintf(lines->date, sizeof(lines->date), "%s", value);
	return leave_end(lines, why);
}

int
entry_end(struct entry_lines *lines, struct error *why)
{
	lines->number++;
	return lines->at == lines->end ? 0 : entry_expected(lines, "end", why);
}

void
entry_write_end(struct text *to)
{
	text_str(to, "end\n");
}

int
entry_check(struct ladder *ladder, int64_t serial, int64_t told, const char *id,
	    struct error *why)
{
	char found[ID_BYTES + 1];
	int result;

	if (told != serial)
		return error_set(why, ERROR_INPUT,
				 "4: expected the serial %" PRId64
				 " of its name: mend this file",
				 serial);
	result = sql_row(&ladder->sql, why,
			 "SELECT id FROM (SELECT id FROM game WHERE serial = ?1"
			 " UNION ALL SELECT id FROM void WHERE number = ?1"
			 " UNION ALL SELECT id FROM setting"
			 " WHERE from_serial = ?1) ORDER BY id = ?2",
			 "is", serial, id, "s", found, sizeof(found));
	if (result <= 0)
		return result;
	if (strcmp(found, id) == 0)
		return LADDER_FOUND;
	return error_set(why, ERROR_INPUT,
			 "another entry has serial %" PRId64
			 ", too; take away the one that does not belong here",
			 serial);
}

void
entry_write(struct text *to, enum entry_kind kind, int64_t serial,
	    const char *ladder, char id[ID_BYTES + 1])
{
	char date[LADDER_DATE_BYTES];

	id_draw(id);
	date_write(clock_seconds(), date);
	text_fmt(to, "%s 1\nid %s\nladder %s\nserial %" PRId64 "\ndate %s\n",
		 kinds[kind].word, id, ladder != NULL ? ladder : id, serial,
		 date);
}
