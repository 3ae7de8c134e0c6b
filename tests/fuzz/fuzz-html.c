/* tests/fuzz/fuzz-html.c - any text is escaped.
 *
 * Input: any bytes.  Written as text they have no characters that HTML
 * interprets, and only UTF-8; written as Markdown their elements nest. */
#include <stdlib.h>
#include <string.h>

#include "protocol/text.h"
#include "protocol/utf8.h"
#include "referee/pages/html.h"
#include "referee/pages/markdown.h"
#include "tests/fuzz/fuzz.h"

#define OUT_BYTES (1 << 24)

/* Returns true if one of the entities that html_escape() makes begins at this `&`. */
static bool
is_entity(const char *at)
{
	static const char *const entities[] = { "&amp;", "&lt;", "&gt;",
						"&quot;", "&#39;" };
	unsigned i;

	for (i = 0; i < NELEM(entities); i++)
		if (strncmp(at, entities[i], strlen(entities[i])) == 0)
			return true;
	return false;
}

static void
escape(const char *bytes, size_t n)
{
	struct text text;
	const char *at;

	text_init(&text, OUT_BYTES);
	html_escape(&text, bytes, n);
	HOLDS(!text.full);
	HOLDS(text.used >= n || n == 0);
	at = text_string(&text);
	HOLDS(strlen(at) == text.used);
	HOLDS(utf8_ok(at));
	HOLDS(strpbrk(at, "<>\"'") == NULL);
	for (; (at = strchr(at, '&')) != NULL; at++)
		HOLDS(is_entity(at));
	text_release(&text);
}

/* html_close() calls bug() if elements do not nest. */
static void
mark_up(const char *bytes, size_t n)
{
	const struct site site = { 0 };
	struct text text;
	struct html html;

	text_init(&text, OUT_BYTES);
	html_begin(&html, &site, &text, "./");
	markdown_write(&html, bytes, n);
	html_end(&html);
	HOLDS(strstr(text_string(&text), "<script") == NULL);
	HOLDS(strstr(text_string(&text), "=\"javascript:") == NULL);
	text_release(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size);

	escape(copy, size);
	mark_up(copy, size);
	free(copy);
	return 0;
}
