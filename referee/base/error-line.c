/* referee/base/error-line.c - see error-line.h. */
#include "referee/base/error-line.h"

#include <ctype.h>
#include <string.h>

struct line {
	const char *at;
	size_t n;
};

/* Goes to the line above; returns false if there is none. */
static bool
go_up(const char *text, struct line *line)
{
	const char *end = line->at - 1; /* its line feed */

	if (line->at == text)
		return false;
	line->at = end;
	while (line->at > text && line->at[-1] != '\n')
		line->at--;
	line->n = (size_t)(end - line->at);
	return true;
}

static bool
is_blank(const struct line *line)
{
	for (size_t i = 0; i < line->n; i++)
		if (line->at[i] != ' ' && line->at[i] != '\t' &&
		    line->at[i] != '\r')
			return false;
	return true;
}

static bool
begins(const struct line *line, const char *const start[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (line->n >= strlen(start[i]) &&
		    memcmp(line->at, start[i], strlen(start[i])) == 0)
			return true;
	return false;
}

static bool
ends(const struct line *line, const char *end)
{
	size_t n = strlen(end);

	return line->n >= n && memcmp(line->at + line->n - n, end, n) == 0;
}

/* Returns true for a frame as Go writes it:
 * `main.f(0x60?, {0xc00003a758?, 0x3, 0x3})`. */
static bool
is_call(const struct line *line)
{
	const char *open = memchr(line->at, '(', line->n);

	return open != NULL && line->at[line->n - 1] == ')' &&
	       memchr(line->at, '.', (size_t)(open - line->at)) != NULL &&
	       memchr(line->at, ' ', (size_t)(open - line->at)) == NULL;
}

/* Returns true for a line that stands below an error and does not name it. */
static bool
is_trace(const struct line *line)
{
	static const char *const start[] = {
		"\t",
		"  ",
		"at ",
		"from ",
		"}",
		"- /",
		"Require stack:",
		"Node.js v",
		"(Use `node",
		"note: ",
		"stack backtrace:",
		"stack traceback:",
		"goroutine ",
		"created by ",
		"[signal ",
		"exit status ",
	};

	return begins(line, start, NELEM(start)) || ends(line, "==ABORTING") ||
	       (line->n > 0 && is_call(line));
}

/* Returns true for a class such as in `ValueError: no card`, `(NoMethodError)`
 * or `AssertionError [ERR_ASSERTION]:`. */
static bool
has_class(const struct line *line, const char *word)
{
	const char *end = line->at + line->n, *at = line->at;

	while ((at = memmem(at, (size_t)(end - at), word, strlen(word))) !=
	       NULL) {
		at += strlen(word);
		if (at == end || *at == ':' || *at == ')' ||
		    (end - at > 1 && memcmp(at, " [", 2) == 0))
			return true;
	}
	return false;
}

static bool
names_error(const struct line *line)
{
	static const char *const start[] = {
		"panic: ",   "fatal error: ", "Exception in thread ",
		"Caused by", "Unhandled ",
	};
	static const char *const within[] = { " panicked at ", "==ERROR: " };

	if (is_trace(line))
		return false;
	for (size_t i = 0; i < NELEM(within); i++)
		if (memmem(line->at, line->n, within[i], strlen(within[i])) !=
		    NULL)
			return true;
	return begins(line, start, NELEM(start)) || has_class(line, "Error") ||
	       has_class(line, "Exception");
}

/* Looks from `line`, which has a trace below it, upwards for a line that names
 * the error.  Returns `line` itself if there is none. */
static struct line
look_up(const char *text, struct line line)
{
	const struct line last = line;
	unsigned seen = 0;

	do {
		if (names_error(&line))
			return line;
		seen += !is_blank(&line) && !is_trace(&line);
	} while (seen <= ERROR_LINE_LOOK && go_up(text, &line));
	return last;
}

static struct error_line
found(const struct line *line, const char *end)
{
	struct error_line to = { .at = line->at, .n = line->n };
	struct line next = *line;
	const char *lf;

	if (to.n == 0 || to.at[to.n - 1] != ':')
		return to;
	do {
		next.at += next.n;
		if (next.at == end)
			return to;
		next.at++;
		lf = memchr(next.at, '\n', (size_t)(end - next.at));
		next.n = (size_t)((lf == NULL ? end : lf) - next.at);
	} while (is_blank(&next));
	if (is_trace(&next))
		return to;
	to.more = next.at;
	to.more_n = next.n;
	return to;
}

struct error_line
error_line_find(const char *text, size_t n)
{
	const char *end = text + n;
	struct line line, last = { .at = NULL };
	bool trace = false;

	while (n > 0 && text[n - 1] == '\n')
		n--;
	if (n == 0)
		return (struct error_line){ .at = NULL };
	line = (struct line){ text + n + 1, 0 };
	while (go_up(text, &line)) {
		if (is_blank(&line))
			continue;
		if (last.at == NULL)
			last = line;
		if (is_trace(&line)) {
			trace = true;
			continue;
		}
		last = trace ? look_up(text, line) : line;
		break;
	}
	return last.at == NULL ? (struct error_line){ .at = NULL }
			       : found(&last, end);
}

void
error_line_quote(const char *text, size_t n, char *to, size_t size)
{
	struct error_line line = error_line_find(text, n);
	struct text all = { .max = 2 * n + 1 };

	text_add(&all, line.at, line.n);
	if (line.more != NULL)
		text_add(&all, " ", 1);
	text_add(&all, line.more, line.more_n);
	while (all.used > 0 && isspace((unsigned char)all.bytes[all.used - 1]))
		all.used--;
	text_escape(to, size, all.bytes, all.used);
	text_release(&all);
}

/* ---- excerpts --------------------------------------------------------- */

/* Return where the first lines end, and where the last ones begin. */
static size_t
first_lines(const char *text, size_t n)
{
	size_t at = 0, lines = 0;

	while (at < n && at < EXCERPT_PART_BYTES)
		if (text[at++] == '\n' && ++lines == EXCERPT_FIRST_LINES)
			break;
	return at;
}

static size_t
last_lines(const char *text, size_t n)
{
	size_t at = n, lines = 0;

	for (; at > 0 && n - at < EXCERPT_PART_BYTES; at--)
		if (text[at - 1] == '\n' && ++lines == EXCERPT_LAST_LINES)
			break;
	return at;
}

/* Leaves out the bytes from `*done` to `from` and keeps those up to `to`. */
static void
keep(const char *text, size_t *done, size_t from, size_t to, struct text *kept)
{
	size_t lines = 1, i;

	for (i = *done; i < from; i++)
		lines += text[i] == '\n' && i + 1 < from;
	if (from > *done)
		text_fmt(kept, "%s[%zu line%s]\n",
			 *done > 0 && text[*done - 1] != '\n' ? "\n" : "",
			 lines, lines == 1 ? "" : "s");
	if (from < *done)
		from = *done;
	if (to <= from)
		return;
	text_add(kept, text + from, to - from);
	*done = to;
}

void
error_excerpt(const char *text, size_t n, struct text *to)
{
	struct error_line error;
	size_t done = 0, from, length;

	while (n > 0 && text[n - 1] == '\n')
		n--;
	error = error_line_find(text, n);
	if (error.at == NULL)
		return;
	keep(text, &done, 0, first_lines(text, n), to);
	from = (size_t)(error.at - text);
	length = error.n < n - from ? error.n + 1 : error.n;
	if (error.more != NULL)
		length = (size_t)(error.more - error.at) + error.more_n + 1;
	if (from + length > n)
		length = n - from;
	if (from > done && from < last_lines(text, n) &&
	    length < EXCERPT_PART_BYTES)
		keep(text, &done, from, from + length, to);
	keep(text, &done, last_lines(text, n), n, to);
}
