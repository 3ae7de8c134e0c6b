/* tests/world/html-check.c - see html-check.h.
 *
 * It shares nothing with the writer of the pages. */
#include "tests/world/html-check.h"

#include <stdbool.h>
#include <string.h>

#include "protocol/util.h"

#define DEPTH 64
#define NAME 24

struct page {
	const char *begin, *at, *end;
	char open[DEPTH][NAME];
	unsigned depth;
	const char *wrong;
};

static bool
fail(struct page *page, const char *why)
{
	page->wrong = why;
	return false;
}

static bool
begins(const struct page *page, const char *word)
{
	const size_t n = strlen(word);

	return (size_t)(page->end - page->at) >= n &&
	       memcmp(page->at, word, n) == 0;
}

/* Goes behind the next `word`. */
static bool
skip_behind(struct page *page, const char *word)
{
	const char *found = memmem(page->at, (size_t)(page->end - page->at),
				   word, strlen(word));

	if (found == NULL)
		return fail(page, "something does not end");
	page->at = found + strlen(word);
	return true;
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

static bool
is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '-' || c == ':' || c == '_';
}

static bool
take_name(struct page *page, char name[NAME])
{
	size_t n = 0;

	while (page->at < page->end && is_name(*page->at) && n < NAME - 1)
		name[n++] = *page->at++;
	name[n] = '\0';
	return n > 0 || fail(page, "a name is missing");
}

/* Takes a byte of a text or of a value. */
static bool
take_byte(struct page *page)
{
	const char *at = page->at++;

	if (*at == '<' || *at == '>')
		return fail(page, "a bracket is not escaped");
	if (*at == '\0')
		return fail(page, "a NUL");
	if (*at != '&')
		return true;
	while (page->at < page->end && (is_name(*page->at) || *page->at == '#'))
		page->at++;
	if (page->at == page->end || *page->at != ';' || page->at == at + 1)
		return fail(page, "an ampersand is not escaped");
	page->at++;
	return true;
}

static bool
take_value(struct page *page)
{
	const char quote = page->at < page->end ? *page->at : '\0';

	if (quote != '"' && quote != '\'')
		return fail(page, "a value without quotes");
	for (page->at++; page->at < page->end && *page->at != quote;)
		if (!take_byte(page))
			return false;
	if (page->at == page->end)
		return fail(page, "a value does not end");
	page->at++;
	if (page->at == page->end ||
	    (!is_space(*page->at) && *page->at != '>' && *page->at != '/'))
		return fail(page, "something follows the quote of a value");
	return true;
}

static bool
take_attributes(struct page *page)
{
	char name[NAME];

	for (;;) {
		while (page->at < page->end && is_space(*page->at))
			page->at++;
		if (page->at == page->end)
			return fail(page, "a tag does not end");
		if (*page->at == '>' || *page->at == '/')
			return true;
		if (!take_name(page, name))
			return false;
		if (page->at == page->end || *page->at != '=')
			continue;
		page->at++;
		if (!take_value(page))
			return false;
	}
}

static bool
is_void(const char *name)
{
	static const char *const names[] = { "meta", "link", "input", "img",
					     "br",   "hr",   "col",   "wbr" };

	for (size_t i = 0; i < NELEM(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool
take_end_tag(struct page *page)
{
	char name[NAME];

	page->at += 2;
	if (!take_name(page, name))
		return false;
	if (page->depth == 0 || strcmp(page->open[page->depth - 1], name) != 0)
		return fail(page, "an element is closed out of order");
	page->depth--;
	if (page->at == page->end || *page->at++ != '>')
		return fail(page, "an end tag does not end");
	return true;
}

static bool
take_tag(struct page *page)
{
	char name[NAME];
	bool closed;

	page->at++;
	if (!take_name(page, name) || !take_attributes(page))
		return false;
	closed = *page->at == '/';
	page->at += closed;
	if (page->at == page->end || *page->at++ != '>')
		return fail(page, "a tag does not end");
	if (closed || is_void(name))
		return true;
	if (page->depth == DEPTH)
		return fail(page, "too many elements are open");
	memcpy(page->open[page->depth++], name, NAME);
	/* The content of these is no HTML. */
	if (strcmp(name, "script") == 0 || strcmp(name, "style") == 0) {
		page->depth--;
		return skip_behind(page,
				   name[1] == 'c' ? "</script>" : "</style>");
	}
	return true;
}

static bool
take_next(struct page *page)
{
	if (begins(page, "<!--"))
		return skip_behind(page, "-->");
	if (begins(page, "<!"))
		return skip_behind(page, ">");
	if (begins(page, "</"))
		return take_end_tag(page);
	return *page->at == '<' ? take_tag(page) : take_byte(page);
}

const char *
html_wrong(const char *bytes, size_t n, size_t *at)
{
	struct page page = { .begin = bytes, .at = bytes, .end = bytes + n };

	while (page.at < page.end && take_next(&page))
		;
	*at = (size_t)(page.at - bytes);
	if (page.wrong == NULL && page.depth > 0)
		page.wrong = "an element is not closed";
	return page.wrong;
}
