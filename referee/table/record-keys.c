/* referee/table/record-keys.c - see record-keys.h. */
#include "referee/table/record-keys.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/date.h"
#include "protocol/message.h"

#define FAULT_WORDS                                                            \
	{                                                                      \
		"timeout", "illegal", "protocol", "crash"                      \
	}
#define HASH .form = FORM_HEX, .min = 32, .max = 32

const struct record_row record_rows[RECORD_KEYS] = {
	[RECORD_RULES] = { "rules", FORM_NUMBER, .min = 1,
			   .max = RECORD_RULES_MAX },
	[RECORD_OPEN] = { "open", FORM_CHOICE,
			  .words = { "priority", "arrival" } },
	[RECORD_TIME] = { "time", FORM_NUMBER, .min = 1, .max = TIME_MS_MAX },
	[RECORD_BANK] = { "bank", FORM_NUMBER, .max = TIME_MS_MAX },
	[RECORD_INCREMENT] = { "increment", FORM_NUMBER, .max = TIME_MS_MAX },
	[RECORD_TOTAL] = { "total", FORM_NUMBER, .min = 1,
			   .max = TOTAL_MS_MAX },
	[RECORD_FAULTS] = { "faults", FORM_NUMBER, .min = 1,
			    .max = FAULTS_MAX },
	[RECORD_STARTED] = { .key = "started", .form = FORM_DATE },
	[RECORD_ENDED] = { .key = "ended", .form = FORM_DATE },
	[RECORD_REFEREE] = { "referee", FORM_WORD,
			     .max = RECORD_VERSION_BYTES },
	[RECORD_COMMIT] = { "commit", HASH },
	[RECORD_BLOCK] = { "block", FORM_BLOCK, .min = ID_BYTES / 2,
			   .max = ID_BYTES / 2, .with = "commit" },
	[RECORD_ENTROPY] = { "entropy", FORM_HEX, .seat = true, .min = 1,
			     .max = ENTROPY_BYTES, .with = "commit",
			     .without = "block" },
	[RECORD_SEEDED] = { "seeded", FORM_NONE, .with = "commit" },
	[RECORD_SECRET] = { "secret", HASH, .with = "commit" },
	[RECORD_LADDER] = { "ladder", FORM_HEX, .min = ID_BYTES / 2,
			    .max = ID_BYTES / 2, .with = "serial" },
	[RECORD_SERIAL] = { "serial", FORM_NUMBER, .min = 1,
			    .max = RECORD_SERIAL_MAX, .with = "ladder" },
	[RECORD_HEIR_OF] = { "heir-of", FORM_NAME, .seat = true },
	[RECORD_OWED] = { "owed", FORM_CHOICE, .seat = true,
			  .words = FAULT_WORDS },
	[RECORD_BROKEN] = { "broken", FORM_CHOICE, .seat = true,
			    .words = { "crash", "protocol" } },
	[RECORD_CPU] = { "cpu", FORM_MILLI, .seat = true,
			 .max = RECORD_CPU_MS_MAX },
	[RECORD_MEMORY] = { "memory", FORM_NUMBER, .seat = true,
			    .max = RECORD_MEMORY_KIB_MAX },
	[RECORD_ABORTED] = { .key = "aborted", .form = FORM_NAME },
	[RECORD_PRUNED] = { "pruned", HASH },
};

void
record_put(struct text *to, enum record_key key, const char *fmt, ...)
{
	char value[LINE_REFEREE_BYTES];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, sizeof(value), fmt, ap);
	va_end(ap);
	text_fmt(to, "%s%s%s\n", record_rows[key].key,
		 value[0] == '\0' ? "" : " ", value);
}

/* ---- the forms -------------------------------------------------------- */

/* Returns true for a number of at most `max` with exactly three decimals. */
static bool
is_milli(const char *text, uint64_t max)
{
	size_t whole = strcspn(text, ".");
	uint64_t number;

	if (message_number(text, whole, max, &number) != 0 ||
	    text[whole] == '\0')
		return false;
	text += whole + 1;
	return strlen(text) == 3 && strspn(text, "0123456789") == 3 &&
	       (number < max || strcmp(text, "000") == 0);
}

static bool
is_hex(const char *text, uint64_t min, uint64_t max)
{
	size_t n = strlen(text);

	return n % 2 == 0 && n >= 2 * min && n <= 2 * max &&
	       strspn(text, "0123456789abcdef") == n;
}

static bool
is_choice(const char *text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strcmp(text, *words) == 0)
			return true;
	return false;
}

/* An ID, a space, a number from 1 to `seats`. */
static bool
is_block(const char *text, unsigned seats)
{
	const size_t n = strcspn(text, " ");
	uint64_t number;

	return text[n] == ' ' && message_id_ok(text, n) &&
	       message_number(text + n + 1, strlen(text + n + 1), seats,
			      &number) == 0 &&
	       number > 0;
}

static bool
has_form(const struct record_row *row, const char *value, unsigned seats)
{
	size_t n = strlen(value);
	uint64_t number;

	switch (row->form) {
	case FORM_NONE:
		return false; /* a value is one too many */
	case FORM_WORD:
		return n > 0 && n <= row->max && strchr(value, ' ') == NULL;
	case FORM_CHOICE:
		return is_choice(value, row->words);
	case FORM_NAME:
		return message_name_ok(value, n);
	case FORM_NUMBER:
		return message_number(value, n, row->max, &number) == 0 &&
		       number >= row->min;
	case FORM_MILLI:
		return is_milli(value, row->max);
	case FORM_DATE:
		return date_read(value) >= 0;
	case FORM_HEX:
		return is_hex(value, row->min, row->max);
	case FORM_BLOCK:
		return is_block(value, seats);
	}
	return false;
}

/* ---- what should stand there ------------------------------------------ */

/* Names of the values, by their forms. */
static const char *const names[] = {
	[FORM_NONE] = "",
	[FORM_WORD] = " WORD",
	[FORM_CHOICE] = " WORD",
	[FORM_NAME] = " NAME",
	[FORM_NUMBER] = " N",
	[FORM_MILLI] = " N",
	[FORM_DATE] = " YYYY-MM-DDTHH:MM:SSZ",
	[FORM_HEX] = " HEX",
	[FORM_BLOCK] = " ID N",
};

/* Writes what the value must be, beyond its name. */
static void
tell_rule(const struct record_row *row, char rule[160])
{
	size_t used = 0;

	rule[0] = '\0';
	switch (row->form) {
	case FORM_WORD:
		snprintf(rule, 160, ", at most %" PRIu64 " bytes", row->max);
		break;
	case FORM_CHOICE:
		for (unsigned i = 0; row->words[i] != NULL; i++)
			used += (size_t)snprintf(
				rule + used, 160 - used, "%s`%s`",
				i == 0			    ? ", WORD "
				: row->words[i + 1] == NULL ? " or "
							    : ", ",
				row->words[i]);
		break;
	case FORM_NUMBER:
		snprintf(rule, 160, ", N from %" PRIu64 " to %" PRIu64,
			 row->min, row->max);
		break;
	case FORM_MILLI:
		snprintf(rule, 160,
			 ", N from 0 to %" PRIu64 " with exactly three "
			 "decimals",
			 row->max);
		break;
	case FORM_HEX:
		if (row->min == row->max)
			snprintf(rule, 160,
				 ", %" PRIu64 " bytes in lower-case hex",
				 row->max);
		else
			snprintf(rule, 160,
				 ", %" PRIu64 " to %" PRIu64
				 " bytes in lower-case hex",
				 row->min, row->max);
		break;
	case FORM_BLOCK:
		snprintf(rule, 160,
			 ", ID %" PRIu64 " bytes in lower-case hex, N from 1 "
			 "to the number of seats",
			 row->max);
		break;
	case FORM_NONE:
	case FORM_NAME:
	case FORM_DATE:
		break;
	}
}

static int
expect(const struct record_row *row, char expected[RECORD_FORM_BYTES])
{
	char rule[160];

	tell_rule(row, rule);
	snprintf(expected, RECORD_FORM_BYTES, "%s`%s%s%s`%s",
		 row->seat ? "for each seat at most one line " : "", row->key,
		 row->seat ? " SEAT" : "", names[row->form], rule);
	return -1;
}

/* ---- the whole header ------------------------------------------------- */

static const struct record_row *
find_row(const struct record_line *line)
{
	for (unsigned key = 0; key < RECORD_KEYS; key++)
		if (record_after(line, record_rows[key].key) != NULL)
			return &record_rows[key];
	return NULL;
}

/* Returns the bit of what stands at most once: a seat's line, or the line.  Moves
 * `*value` behind the seat.  Returns 0 if there is no such seat. */
static unsigned
place_of(const struct record_row *row, const struct record *record,
	 const char **value)
{
	unsigned seat;

	if (!row->seat)
		return 1;
	seat = (unsigned)(unsigned char)(*value)[0] - '0';
	if (seat >= record->seats || (*value)[1] != ' ')
		return 0;
	*value += 2;
	return 1u << seat;
}

static int
check_line(const struct record *record, const struct record_row *row,
	   const struct record_line *line, unsigned *seen,
	   char expected[RECORD_FORM_BYTES])
{
	const char *value = record_after(line, row->key);
	unsigned place = place_of(row, record, &value);
	bool bare = line->text[strlen(row->key)] == '\0';

	if (place == 0)
		return expect(row, expected);
	if ((*seen & place) != 0) {
		if (row->seat)
			return expect(row, expected);
		snprintf(expected, RECORD_FORM_BYTES, "one line `%s`",
			 row->key);
		return -1;
	}
	*seen |= place;
	if (row->form == FORM_NONE
		    ? !bare
		    : bare || !has_form(row, value, record->seats))
		return expect(row, expected);
	return 0;
}

int
record_keys_check(const struct record *record, unsigned *at,
		  char expected[RECORD_FORM_BYTES])
{
	unsigned seen[RECORD_KEYS] = { 0 };
	const struct record_row *row;

	for (*at = 0; *at < record->headers; ++*at) {
		row = find_row(&record->header[*at]);
		if (row != NULL &&
		    check_line(record, row, &record->header[*at],
			       &seen[row - record_rows], expected) != 0)
			return -1;
	}
	for (*at = 0; *at < record->headers; ++*at) {
		row = find_row(&record->header[*at]);
		if (row == NULL)
			continue;
		if (row->with != NULL &&
		    record_header(record, row->with) == NULL)
			snprintf(expected, RECORD_FORM_BYTES,
				 "a line `%s`, too, where there is this one",
				 row->with);
		else if (row->without != NULL &&
			 record_header(record, row->without) != NULL)
			snprintf(expected, RECORD_FORM_BYTES,
				 "no line `%s` where there is a line `%s`",
				 row->key, row->without);
		else
			continue;
		return -1;
	}
	return 0;
}
