/* referee/serve/html.c - see html.h. */
#include "referee/serve/html.h"

#include <string.h>

#include "protocol/utf8.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* NULL: the character stands for itself. */
static const char *
stands_for(const char *at, size_t n)
{
	if (n == 0)
		return replacement;
	switch (*at) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '\n':
		return NULL;
	default:
		return (unsigned char)*at < ' ' || *at == 0x7f ? replacement
							       : NULL;
	}
}

void
html_text(struct text *to, const char *string)
{
	const char *instead;
	size_t n;

	for (; *string != '\0'; string += n) {
		n = utf8_character(string);
		instead = stands_for(string, n);
		if (n == 0)
			n = 1;
		if (instead != NULL)
			text_str(to, instead);
		else
			text_add(to, string, n);
	}
}
