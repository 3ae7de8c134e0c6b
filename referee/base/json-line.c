/* referee/base/json-line.c - see json-line.h. */
#include "referee/base/json-line.h"

#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "protocol/utf8.h"

void
json_add(json_t *object, const struct json_pair pair[])
{
	for (; pair->key != NULL; pair++) {
		if (pair->value == NULL && pair->optional)
			continue;
		if (json_object_set_new(object, pair->key, pair->value) != 0)
			bug("cannot make JSON of %s", pair->key);
	}
}

json_t *
json_object_of(const struct json_pair pair[])
{
	json_t *object = json_object();

	json_add(object, pair);
	return object;
}

json_t *
json_array_of(json_t *const value[])
{
	json_t *array = json_array();

	for (; *value != NULL; value++)
		if (json_array_append_new(array, *value) != 0)
			bug("cannot make a JSON array");
	return array;
}

void
print_json_line(json_t *object, unsigned digits)
{
	if (json_dumpf(object, stdout,
		       JSON_COMPACT | JSON_REAL_PRECISION(digits)) != 0 &&
	    !ferror(stdout))
		bug("cannot write a JSON object");
	putchar('\n');
	json_decref(object);
}

void
print_csv_text(const char *text)
{
	if (text[strcspn(text, ",\"\r\n")] == '\0') {
		fputs(text, stdout);
		return;
	}
	putchar('"');
	for (; *text != '\0'; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

static void
print_csv_value(const json_t *value)
{
	if (json_is_string(value))
		print_csv_text(json_string_value(value));
	else if (json_is_integer(value))
		printf("%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		printf("%.10g", json_real_value(value));
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "yes" : "no", stdout);
}

void
print_csv_line(json_t *object, bool titles)
{
	bool first = true;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		if (json_is_object(value) || json_is_array(value))
			continue;
		if (!first)
			putchar(',');
		first = false;
		if (titles)
			fputs(key, stdout);
		else
			print_csv_value(value);
	}
	putchar('\n');
}

void
json_text(json_t *object, unsigned digits, struct text *to)
{
	char *line;

	line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(digits));
	if (line == NULL)
		bug("cannot make a JSON object");
	text_str(to, line);
	free(line);
	json_decref(object);
}

void
json_text_line(json_t *object, unsigned digits, struct text *to)
{
	json_text(object, digits, to);
	text_str(to, "\n");
}

json_t *
json_faults(const uint64_t kind[FAULT_KINDS])
{
	json_t *object = json_object();
	enum fault fault;

	for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
		json_object_set_new(object, fault_name(fault),
				    json_integer((json_int_t)kind[fault]));
	return object;
}

json_t *
json_any_string(const char *text)
{
	json_t *string = json_string(text);
	struct text escaped = { .max = SIZE_MAX };
	size_t n;

	if (string != NULL || text == NULL)
		return string;
	for (; *text != '\0'; text += n > 0 ? n : 1) {
		n = utf8_character(text);
		if (n > 0)
			text_add(&escaped, text, n);
		else
			text_add_escaped(&escaped, text, 1, false);
	}
	string = json_string(text_string(&escaped));
	text_release(&escaped);
	return string;
}
