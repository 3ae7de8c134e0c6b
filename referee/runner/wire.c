/* referee/runner/wire.c - see wire.h. */
#include "referee/runner/wire.h"

#include <endian.h>
#include <string.h>

void
wire_put(struct text *to, uint64_t value)
{
	value = htole64(value);
	text_add(to, &value, sizeof(value));
}

void
wire_put_bytes(struct text *to, const void *bytes, size_t n)
{
	wire_put(to, n);
	if (n > 0)
		text_add(to, bytes, n);
}

void
wire_put_string(struct text *to, const char *string)
{
	if (string == NULL)
		string = "";
	wire_put_bytes(to, string, strlen(string));
	text_add(to, "", 1);
}

/* Takes `n` bytes in place.  Returns NULL if there are fewer. */
static char *
take(struct wire *from, uint64_t n)
{
	char *at = from->at;

	if (from->bad || n > from->left) {
		from->bad = true;
		return NULL;
	}
	from->at += n;
	from->left -= n;
	return at;
}

uint64_t
wire_take(struct wire *from)
{
	uint64_t value = 0;
	const char *bytes = take(from, sizeof(value));

	if (bytes != NULL)
		memcpy(&value, bytes, sizeof(value));
	return le64toh(value);
}

uint64_t
wire_take_max(struct wire *from, uint64_t max)
{
	uint64_t value = wire_take(from);

	from->bad |= value > max;
	return from->bad ? 0 : value;
}

size_t
wire_take_bytes(struct wire *from, char **bytes)
{
	uint64_t n = wire_take(from);

	*bytes = take(from, n);
	return *bytes == NULL ? 0 : (size_t)n;
}

char *
wire_take_string(struct wire *from)
{
	static char nothing[] = "";
	char *string;
	size_t n = wire_take_bytes(from, &string);
	const char *end = take(from, 1);

	if (end == NULL || *end != '\0' || memchr(string, '\0', n) != NULL) {
		from->bad = true;
		return nothing;
	}
	return string;
}

void
wire_take_into(struct wire *from, char *to, size_t bytes)
{
	const char *string = wire_take_string(from);
	size_t n = strlen(string);

	memset(to, 0, bytes);
	if (n < bytes)
		memcpy(to, string, n);
	else
		from->bad = true;
}

uint64_t
wire_code(struct wire *wire, uint64_t value, uint64_t max)
{
	if (wire->to == NULL)
		return wire_take_max(wire, max);
	wire_put(wire->to, value);
	return value;
}
