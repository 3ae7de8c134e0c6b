/* referee/config/config-keys.c - the types of options in memory and in a file. */
#include "referee/config/config-keys.h"

#include <inttypes.h>
#include <string.h>

#include "ladder/milli.h"
#include "protocol/date.h"
#include "protocol/message.h"

static void *
field_of(const struct config_key *key, const void *section)
{
	return (char *)(uintptr_t)section + key->offset;
}

static void
preset(const struct config_key *key, void *field)
{
	switch (key->type) {
	case KEY_NUMBER:
		*(uint64_t *)field = key->preset;
		break;
	case KEY_FLAG:
		*(bool *)field = key->preset != 0;
		break;
	case KEY_WORD:
		*(unsigned *)field = (unsigned)key->preset;
		break;
	case KEY_MILLI:
		*(int64_t *)field = CONFIG_UNSET;
		break;
	case KEY_DATE:
		*(int64_t *)field = 0;
		break;
	case KEY_TEXT:
		snprintf(field, key->max + 1, "%s",
			 key->text == NULL ? "" : key->text);
		break;
	case KEY_OTHER:
	case KEY_LIST:
		break;
	}
}

void
config_presets(const struct config_key *keys, void *to)
{
	for (; keys->name != NULL; keys++)
		preset(keys, field_of(keys, to));
}

/* ---- reading ---------------------------------------------------------- */

/* Sets the error `NAME: expected WHAT, not VALUE` and returns -1. */
static int
unlike(const struct config_section *section, const char *name,
       const struct config_value *value, const char *what)
{
	return config_wrong(section, value->line, "%s: expected %s, not %s",
			    name, what, quoted(value->text).text);
}

static int
read_word(const struct config_section *section, const struct config_key *key,
	  const struct config_value *value, unsigned *word)
{
	char words[128] = "";
	size_t used = 0;

	for (unsigned i = 0; key->words[i] != NULL; i++) {
		if (strcmp(key->words[i], value->text) == 0) {
			*word = i;
			return 0;
		}
		used += (size_t)snprintf(words + used, sizeof(words) - used,
					 "%s%s",
					 i == 0			     ? ""
					 : key->words[i + 1] == NULL ? " or "
								     : ", ",
					 key->words[i]);
		if (used >= sizeof(words))
			bug("the words of %s are too long", key->name);
	}
	return unlike(section, key->name, value, words);
}

static int
read_flag(const struct config_section *section, const struct config_key *key,
	  const struct config_value *value, bool *flag)
{
	*flag = strcmp(value->text, "yes") == 0;
	if (*flag || strcmp(value->text, "no") == 0)
		return 0;
	return unlike(section, key->name, value, "yes or no");
}

static int
read_number(const struct config_section *section, const char *name,
	    const struct config_value *value, uint64_t min, uint64_t max,
	    uint64_t *number)
{
	char what[80];

	if (message_number(value->text, strlen(value->text), max, number) ==
		    0 &&
	    *number >= min)
		return 0;
	snprintf(what, sizeof(what), "an integer from %" PRIu64 " to %" PRIu64,
		 min, max);
	return unlike(section, name, value, what);
}

static int
read_milli(const struct config_section *section, const struct config_key *key,
	   const struct config_value *value, int64_t *milli)
{
	char max[MILLI_TEXT_BYTES], what[128];

	if (milli_read(value->text, (int64_t)key->max, milli) == 0)
		return 0;
	milli_text((int64_t)key->max, max);
	snprintf(what, sizeof(what),
		 "a number from 0 to %s with at most three decimals", max);
	return unlike(section, key->name, value, what);
}

/* Reads a date, or a day, which stands for its first second. */
static int
read_date(const struct config_section *section, const struct config_key *key,
	  const struct config_value *value, int64_t *seconds)
{
	char whole[DATE_BYTES];
	const int n =
		snprintf(whole, sizeof(whole), "%s%s", value->text,
			 strchr(value->text, 'T') == NULL ? "T00:00:00Z" : "");

	if (n < (int)sizeof(whole) && (*seconds = date_read(whole)) > 0)
		return 0;
	return unlike(section, key->name, value,
		      "a date in UTC like 2026-12-01T18:00:00Z or 2026-12-01");
}

static int
read_text(const struct config_section *section, const struct config_key *key,
	  const struct config_value *value, char *to)
{
	size_t n = strlen(value->text);

	if (n == 0 || n > key->max)
		return config_wrong(section, value->line,
				    "%s: expected 1 to %" PRIu64
				    " bytes, not %zu",
				    key->name, key->max, n);
	memcpy(to, value->text, n + 1);
	return 0;
}

static int
read_value(const struct config_section *section, const struct config_key *key,
	   const struct config_value *value, void *field)
{
	switch (key->type) {
	case KEY_NUMBER:
		return read_number(section, key->name, value, key->min,
				   key->max, field);
	case KEY_FLAG:
		return read_flag(section, key, value, field);
	case KEY_WORD:
		return read_word(section, key, value, field);
	case KEY_MILLI:
		return read_milli(section, key, value, field);
	case KEY_DATE:
		return read_date(section, key, value, field);
	case KEY_TEXT:
		return read_text(section, key, value, field);
	case KEY_OTHER:
	case KEY_LIST:
		break;
	}
	return 0;
}

int
config_read_number(const struct config_section *section, const char *name,
		   uint64_t min, uint64_t max, uint64_t *number)
{
	const struct config_value *value = config_option(section, name)->first;

	return value == NULL
		       ? 0
		       : read_number(section, name, value, min, max, number);
}

int
config_read_keys(const struct config_section *section, void *to)
{
	const struct config_option *option = section->option;
	const struct config_key *key;

	for (key = section->keys; key->name != NULL; key++, option++)
		if (option->first != NULL &&
		    read_value(section, key, option->first, field_of(key, to)) <
			    0)
			return -1;
	return 0;
}

/* ---- printing --------------------------------------------------------- */

static void
print_text(const char *text, FILE *out)
{
	putc('"', out);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', out);
		putc(*text, out);
	}
	putc('"', out);
}

bool
config_is_unset(const struct config_key *key, const void *from)
{
	const void *field = field_of(key, from);

	return (key->type == KEY_MILLI &&
		*(const int64_t *)field == CONFIG_UNSET) ||
	       (key->type == KEY_DATE && *(const int64_t *)field == 0);
}

void
config_print_value(const struct config_key *key, const void *from, FILE *out)
{
	const void *field = field_of(key, from);
	char milli[MILLI_TEXT_BYTES], date[DATE_BYTES];

	switch (key->type) {
	case KEY_NUMBER:
		fprintf(out, "%" PRIu64, *(const uint64_t *)field);
		break;
	case KEY_FLAG:
		fputs(*(const bool *)field ? "yes" : "no", out);
		break;
	case KEY_WORD:
		fputs(key->words[*(const unsigned *)field], out);
		break;
	case KEY_MILLI:
		milli_text(config_is_unset(key, from) ? (int64_t)key->preset
						      : *(const int64_t *)field,
			   milli);
		fputs(milli, out);
		break;
	case KEY_DATE:
		date_write(config_is_unset(key, from) ? (int64_t)key->preset
						      : *(const int64_t *)field,
			   date);
		fputs(date, out);
		break;
	case KEY_TEXT:
		print_text(field, out);
		break;
	case KEY_OTHER:
	case KEY_LIST:
		bug("option %s is printed", key->name);
	}
}
