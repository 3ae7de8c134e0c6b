/* referee/pages/markdown.c - see markdown.h. */
#include "referee/pages/markdown.h"

#include <ctype.h>
#include <string.h>

struct reader {
	struct html *html;
	const char *at, *end; /* the rest of the text */
	unsigned headings;
};

/* A line without its LF. */
struct line {
	const char *text;
	size_t n;
};

/* ---- within a line ---------------------------------------------------- */

static void write_words(struct html *html, const char *text, size_t n);

/* Returns the end of a span that begins with `mark` at `text`, or NULL if there
 * is none. */
static const char *
span_end(const char *text, size_t n, const char *mark)
{
	const size_t m = strlen(mark);
	const char *end;

	if (n <= 2 * m || strncmp(text, mark, m) != 0 ||
	    isspace((unsigned char)text[m]))
		return NULL;
	end = memmem(text + m + 1, n - m - 1, mark, m);
	return end;
}

/* Writes a span of words or of code.  Returns how many bytes it takes; 0 if it
 * is none. */
static size_t
write_span(struct html *html, const char *text, size_t n, const char *mark,
	   const char *element)
{
	const char *end = span_end(text, n, mark);
	const size_t m = strlen(mark);

	if (end == NULL)
		return 0;
	HTML_OPEN(html, element);
	if (*mark == '`')
		html_escape(html->to, text + m, (size_t)(end - text) - m);
	else
		write_words(html, text + m, (size_t)(end - text) - m);
	html_close(html, element);
	return (size_t)(end - text) + m;
}

static size_t
write_link(struct html *html, const char *text, size_t n)
{
	const char *close = memmem(text, n, "](", 2), *end;
	char path[256];
	size_t length;

	if (*text != '[' || close == NULL)
		return 0;
	end = memchr(close, ')', n - (size_t)(close - text));
	length = end == NULL ? sizeof(path) : (size_t)(end - close - 2);
	if (length >= sizeof(path))
		return 0;
	memcpy(path, close + 2, length);
	path[length] = '\0';
	if (path[0] == '#' || strncmp(path, "https://", 8) == 0) {
		HTML_OPEN(html, "a", "href", path);
		write_words(html, text + 1, (size_t)(close - text) - 1);
		html_close(html, "a");
	} else {
		write_words(html, text + 1, (size_t)(close - text) - 1);
	}
	return (size_t)(end - text) + 1;
}

/* Writes what begins with a mark.  Returns how many bytes it takes; 0 if the
 * mark means nothing here. */
static size_t
write_marked(struct html *html, const char *text, size_t n)
{
	size_t taken;

	switch (*text) {
	case '\\':
		html_escape(html->to, text + 1, n > 1);
		return n > 1 ? 2 : 0;
	case '[':
		return write_link(html, text, n);
	case '`':
		return write_span(html, text, n, "`", "code");
	default:
		taken = write_span(html, text, n, "**", "strong");
		return taken > 0 ? taken : write_span(html, text, n, "*", "em");
	}
}

static void
write_words(struct html *html, const char *text, size_t n)
{
	size_t i = 0, plain = 0, marked; /* bytes from `plain` on are not
					  * written */

	while (i < n) {
		if (strchr("`*[\\", text[i]) == NULL) {
			i++;
			continue;
		}
		html_escape(html->to, text + plain, i - plain);
		plain = i;
		marked = write_marked(html, text + i, n - i);
		plain += marked;
		i += marked > 0 ? marked : 1;
	}
	html_escape(html->to, text + plain, n - plain);
}

/* ---- lines ------------------------------------------------------------ */

static bool
peek(const struct reader *reader, struct line *line)
{
	const char *lf;

	*line = (struct line){ reader->end, 0 };
	if (reader->at >= reader->end)
		return false;
	lf = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
	line->text = reader->at;
	line->n = (size_t)((lf != NULL ? lf : reader->end) - reader->at);
	return true;
}

static void
pass(struct reader *reader, const struct line *line)
{
	reader->at = line->text + line->n;
	if (reader->at < reader->end)
		reader->at++;
}

static bool
begins(const struct line *line, const char *with)
{
	const size_t n = strlen(with);

	return line->n >= n && strncmp(line->text, with, n) == 0;
}

/* Returns the level of a heading, 1 to 4, else 0. */
static size_t
heading_level(const struct line *line)
{
	size_t level = 0;

	while (level < line->n && line->text[level] == '#')
		level++;
	return level <= 4 && level + 1 < line->n && line->text[level] == ' '
		       ? level
		       : 0;
}

/* Returns how many bytes the mark of a list's entry has; 0 if it is none. */
static size_t
entry_mark(const struct line *line, bool *ordered)
{
	size_t digits = 0;

	*ordered = false;
	if (begins(line, "- ") || begins(line, "* "))
		return 2;
	while (digits < line->n && isdigit((unsigned char)line->text[digits]))
		digits++;
	*ordered = true;
	return digits > 0 && digits + 1 < line->n &&
			       line->text[digits] == '.' &&
			       line->text[digits + 1] == ' '
		       ? digits + 2
		       : 0;
}

/* Returns true if a paragraph, or an entry of a list, ends before this line.  A
 * paragraph may have a line that begins with a number and a point: only a list
 * from 1 ends it (CommonMark 0.31, 5.3). */
static bool
is_block(const struct line *line, bool in_list)
{
	bool ordered;

	return line->n == 0 || heading_level(line) > 0 || begins(line, "|") ||
	       begins(line, "```") || begins(line, "<!--") ||
	       (entry_mark(line, &ordered) > 0 &&
		(in_list || !ordered || begins(line, "1. ")));
}

/* Returns the lines up to the next block, with the LFs between them. */
static struct line
gather(struct reader *reader, bool in_list)
{
	struct line line, all;

	(void)peek(reader, &all);
	pass(reader, &all);
	while (peek(reader, &line) && !is_block(&line, in_list)) {
		all.n = (size_t)(line.text + line.n - all.text);
		pass(reader, &line);
	}
	return all;
}

/* ---- blocks ----------------------------------------------------------- */

static void
write_heading(struct reader *reader, const struct line *line)
{
	static const char *const element[] = { "h1", "h2", "h3", "h4" };
	size_t level = heading_level(line), i;
	struct text id = { .max = 256 };
	char c;

	pass(reader, line);
	if (reader->headings++ == 0)
		return;
	for (i = level + 1; i < line->n; i++) {
		c = (char)tolower((unsigned char)line->text[i]);
		if (c == ' ' || c == '-' || isalnum((unsigned char)c))
			text_fmt(&id, "%c", c == ' ' ? '-' : c);
	}
	HTML_OPEN(reader->html, element[level - 1], "id", text_string(&id));
	write_words(reader->html, line->text + level + 1, line->n - level - 1);
	html_close(reader->html, element[level - 1]);
	text_release(&id);
}

static void
write_fence(struct reader *reader, struct line line)
{
	HTML_OPEN(reader->html, "pre", "tabindex", "0");
	pass(reader, &line);
	while (peek(reader, &line) && !begins(&line, "```")) {
		html_escape(reader->html->to, line.text, line.n);
		text_str(reader->html->to, "\n");
		pass(reader, &line);
	}
	if (reader->at < reader->end)
		pass(reader, &line);
	html_close(reader->html, "pre");
}

static void
write_list(struct reader *reader)
{
	struct line line, entry;
	bool first, ordered;
	const char *element;
	size_t mark;

	(void)peek(reader, &line);
	(void)entry_mark(&line, &first);
	element = first ? "ol" : "ul";
	HTML_OPEN(reader->html, element);
	while (peek(reader, &line) &&
	       (mark = entry_mark(&line, &ordered)) > 0 && ordered == first) {
		entry = gather(reader, true);
		HTML_OPEN(reader->html, "li");
		write_words(reader->html, entry.text + mark, entry.n - mark);
		html_close(reader->html, "li");
	}
	html_close(reader->html, element);
}

/* Writes a row.  Cells end at bars that have no backslash before them. */
static void
write_row(struct html *html, const struct line *line, bool head)
{
	const char *at = line->text + 1, *end = line->text + line->n, *bar;
	bool first = true;

	HTML_OPEN(html, "tr");
	while (at < end) {
		bar = at;
		while (bar < end && (*bar != '|' || bar[-1] == '\\'))
			bar++;
		if (bar == end)
			break;
		while (at < bar && *at == ' ')
			at++;
		HTML_OPEN(html, head || first ? "th" : "td", "scope",
			  head	  ? "col"
			  : first ? "row"
				  : NULL);
		write_words(html, at,
			    (size_t)(bar - at) - (bar > at && bar[-1] == ' '));
		html_close(html, head || first ? "th" : "td");
		first = false;
		at = bar + 1;
	}
	html_close(html, "tr");
}

static void
write_table(struct reader *reader)
{
	struct html *html = reader->html;
	struct line line;

	html_fmt(html, "<div class='scroll' tabindex='0' role='region' "
		       "aria-label='Table'><table><thead>");
	(void)peek(reader, &line);
	write_row(html, &line, true);
	html_close(html, "thead");
	pass(reader, &line);
	if (peek(reader, &line) && begins(&line, "| ---"))
		pass(reader, &line);
	HTML_OPEN(html, "tbody");
	while (peek(reader, &line) && begins(&line, "|")) {
		write_row(html, &line, false);
		pass(reader, &line);
	}
	html_fmt(html, "</tbody></table></div>");
}

static void
write_paragraph(struct reader *reader)
{
	struct line all = gather(reader, false);

	HTML_OPEN(reader->html, "p");
	write_words(reader->html, all.text, all.n);
	html_close(reader->html, "p");
}

void
markdown_write(struct html *html, const char *text, size_t n)
{
	struct reader reader = { html, text, text + n, 0 };
	struct line line;
	bool ordered;

	while (peek(&reader, &line)) {
		if (line.n == 0 || begins(&line, "<!--"))
			pass(&reader, &line);
		else if (heading_level(&line) > 0)
			write_heading(&reader, &line);
		else if (begins(&line, "```"))
			write_fence(&reader, line);
		else if (begins(&line, "|"))
			write_table(&reader);
		else if (entry_mark(&line, &ordered) > 0)
			write_list(&reader);
		else
			write_paragraph(&reader);
	}
}
