/* protocol/record-word.c - the words of one line of a record. */
#include "protocol/record-word.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "protocol/message.h"

int
record_complain(struct error *why, unsigned number, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_vset(why, ERROR_INPUT, fmt, ap);
	va_end(ap);
	return error_prefix(why, "%u: ", number);
}

const char *
record_after(const struct record_line *line, const char *word)
{
	size_t n = strlen(word);

	if (line->n < n || memcmp(line->text, word, n) != 0)
		return NULL;
	if (line->text[n] == '\0')
		return line->text + n;
	return line->text[n] == ' ' ? line->text + n + 1 : NULL;
}

int
record_take_seat(const char **at, unsigned seats)
{
	unsigned seat = (unsigned)(unsigned char)(*at)[0] - '0';

	if (seat >= seats || ((*at)[1] != ' ' && (*at)[1] != '\0'))
		return -1;
	*at += (*at)[1] == ' ' ? 2 : 1;
	return (int)seat;
}

int
record_take_number(const char **at, long *number)
{
	bool minus = **at == '-';
	const char *digits = *at + minus;
	size_t n = strcspn(digits, " ");
	uint64_t value;

	if (message_number(digits, n, INT32_MAX, &value) != 0 ||
	    (minus && value == 0))
		return -1;
	*number = minus ? -(long)value : (long)value;
	*at = digits + n + (digits[n] == ' ');
	return 0;
}
