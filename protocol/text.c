/* protocol/text.c - a string that grows up to a limit.
 *
 * Its memory doubles, and has one byte more than `max` in the end, for the NUL
 * of text_string(). */
#include "protocol/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/utf8.h"

#define FIRST_BYTES 128

void
text_init(struct text *text, size_t max)
{
	*text = (struct text){ .max = max };
}

void
text_release(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ .max = text->max };
}

void
text_clear(struct text *text)
{
	text->used = 0;
	text->full = false;
}

/* Makes room for `n` more bytes and a NUL; false if they pass the limit. */
static bool
text_room(struct text *text, size_t n)
{
	size_t need, size;

	if (text->full || n > text->max - text->used) {
		text->full = true;
		return false;
	}
	need = text->used + n + 1;
	if (need <= text->size)
		return true;
	size = text->size > 0 ? 2 * text->size : FIRST_BYTES;
	if (size - 1 > text->max)
		size = text->max + 1;
	if (size < need)
		size = need;
	text->bytes = memory(text->bytes, size);
	text->size = size;
	return true;
}

void
text_add(struct text *text, const void *bytes, size_t n)
{
	if (n == 0 || !text_room(text, n))
		return;
	memcpy(text->bytes + text->used, bytes, n);
	text->used += n;
}

void
text_str(struct text *text, const char *string)
{
	text_add(text, string, strlen(string));
}

void
text_fmt(struct text *text, const char *fmt, ...)
{
	va_list ap;
	int n = 0;

	do {
		if (!text_room(text, (size_t)n))
			return;
		va_start(ap, fmt);
		n = vsnprintf(text->bytes + text->used, text->size - text->used,
			      fmt, ap);
		va_end(ap);
		if (n < 0)
			bug("cannot write the format %s", fmt);
	} while ((size_t)n >= text->size - text->used);
	text->used += (size_t)n;
}

const char *
text_string(struct text *text)
{
	if (text->used + 1 > text->size) {
		text->bytes = memory(text->bytes, text->used + 1);
		text->size = text->used + 1;
	}
	text->bytes[text->used] = '\0';
	return text->bytes;
}

size_t
text_shown(const char *bytes, size_t n, char to[TEXT_SHOWN_BYTES])
{
	const unsigned char first = (unsigned char)*bytes;
	size_t length;

	memset(to, 0, TEXT_SHOWN_BYTES);
	memcpy(to, bytes, n < 4 ? n : 4);
	length = first < 0x80 ? first == '\t' || (first >= ' ' && first < 0x7f)
			      : utf8_character(to);
	to[length] = '\0';
	if (length == 0)
		snprintf(to, TEXT_SHOWN_BYTES, "\\x%02x", first);
	return length > 0 ? length : 1;
}

void
text_escape(char *to, size_t size, const char *bytes, size_t n)
{
	char shown[TEXT_SHOWN_BYTES];
	size_t used = 0, i = 0;

	while (i < n) {
		if (used + sizeof("\\x00...") > size) {
			snprintf(to + used, size - used, "...");
			return;
		}
		i += text_shown(bytes + i, n - i, shown);
		used += (size_t)snprintf(to + used, size - used, "%s", shown);
	}
	to[used] = '\0';
}

void
text_add_escaped(struct text *text, const char *bytes, size_t n, bool lines)
{
	char shown[TEXT_SHOWN_BYTES];
	size_t i = 0;

	while (i < n) {
		if (lines && bytes[i] == '\n') {
			text_add(text, bytes + i++, 1);
			continue;
		}
		i += text_shown(bytes + i, n - i, shown);
		text_str(text, shown);
	}
}
