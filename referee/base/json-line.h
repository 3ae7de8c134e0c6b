/* referee/base/json-line.h - prints one JSON object a line for every `--json`. */
#ifndef REFEREE_JSON_LINE_H
#define REFEREE_JSON_LINE_H

#include <jansson.h>
#include <stdbool.h>

#include "protocol/fault.h"
#include "protocol/text.h"

/* JSON_OBJECT(TEXT("name", "alice"), INT("games", 5), JSON("faults", object)):
 * the compiler checks the kinds.  The object takes over the values of JSON().
 * A value that is NULL is our own mistake, and the program aborts; TEXT_IF()
 * and JSON_IF() leave the pair out then.  TEXT_SOME() leaves it out if the text is
 * empty, and INT_IF() unless `is`. */
struct json_pair {
	const char *key;
	json_t *value;
	bool optional;
};
#define JSON(key, value)                                                       \
	{                                                                      \
		key, value, false                                              \
	}
#define JSON_IF(key, value)                                                    \
	{                                                                      \
		key, value, true                                               \
	}
#define TEXT(key, value) JSON(key, json_any_string(value))
#define TEXT_IF(key, value) JSON_IF(key, json_any_string(value))
#define TEXT_SOME(key, value) TEXT_IF(key, *(value) ? (value) : NULL)
#define INT(key, value) JSON(key, json_integer(value))
#define INT_IF(key, is, value) JSON_IF(key, (is) ? json_integer(value) : NULL)
#define REAL(key, value) JSON(key, json_real(value))
#define BOOL(key, value) JSON(key, json_boolean(value))
#define JSON_OBJECT(...)                                                       \
	json_object_of((const struct json_pair[]){ __VA_ARGS__,                \
						   { NULL, NULL, false } })
json_t *json_object_of(const struct json_pair pair[]) MUST_CHECK;
/* Adds pairs to an object as JSON_OBJECT() does. */
#define JSON_ADD(object, ...)                                                  \
	json_add(object, (const struct json_pair[]){ __VA_ARGS__,              \
						     { NULL, NULL, false } })
void json_add(json_t *object, const struct json_pair pair[]);
/* Appends an object of such pairs to an array. */
#define JSON_PUSH(array, ...)                                                  \
	json_array_append_new(array, JSON_OBJECT(__VA_ARGS__))
/* Makes an array of json_t * and takes them over. */
#define JSON_ARRAY(...) json_array_of((json_t *const[]){ __VA_ARGS__, NULL })
json_t *json_array_of(json_t *const value[]) MUST_CHECK;

/* Prints the object in one line on standard output, and takes it over.  Real
 * numbers have at most `digits` digits (0: as many as tell them apart).
 * finish_output() reports a failed write. */
void print_json_line(json_t *object, unsigned digits);

/* Prints the object's values as a line of CSV, or its keys if `titles` is true.
 * Objects and arrays in it are left out, and null is an empty field. */
void print_csv_line(json_t *object, bool titles);
/* Adds the line of print_json_line() to a text, without its line feed. */
void json_text(json_t *object, unsigned digits, struct text *to);
/* Adds that line with its line feed. */
void json_text_line(json_t *object, unsigned digits, struct text *to);

/* Prints text as a field of CSV (RFC 4180). */
void print_csv_text(const char *text);

/* Returns a string of text that need not be UTF-8 although JSON must be (a
 * file's name, a value of a database): its bytes beyond ASCII are then written
 * `\xHH`.  Returns NULL if the text is NULL. */
json_t *json_any_string(const char *text);

/* Returns an object with the count of each fault under the fault's name. */
json_t *json_faults(const uint64_t kind[FAULT_KINDS]);

#endif
