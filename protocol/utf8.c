/* protocol/utf8.c - see utf8.h. */
#include "protocol/utf8.h"

/* Returns true for characters that draw nothing and move the text around them:
 * marks and embeddings of direction, ends of lines. */
static bool
turns_text(unsigned long code)
{
	return code == 0x061c || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

size_t
utf8_character(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	unsigned long code;
	size_t n;

	if (*at < 0x80)
		return 1;
	n = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
	if (*at < 0xc2 || *at > 0xf4)
		return 0;
	code = *at & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if ((n == 3 && code < 0x800) || (n == 4 && code < 0x10000) ||
	    code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ||
	    code < 0xa0 || turns_text(code))
		return 0;
	return n;
}

bool
utf8_ok(const char *text)
{
	size_t n;

	for (; *text != '\0'; text += n) {
		n = utf8_character(text);
		if (n == 0)
			return false;
	}
	return true;
}
