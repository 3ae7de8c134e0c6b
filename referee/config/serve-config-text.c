/* referee/config/serve-config-text.c - the letters of a configuration, before
 * libConfuse.
 *
 * libConfuse 3.3 takes a section that is open at the end of the file for
 * closed, and a comment too; counts the lines of comments twice; puts the
 * environment in where it finds ${…}; and parts words in ways of its own
 * (`a#b`, `a;`).  So the text is cut into tokens here first, by rules that are
 * narrower than its own, and what it gets has no comments left. */
#include "referee/config/serve-config-inside.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 8 /* braces in braces; there is no use for more than two */

struct token {
	char kind; /* 'w' word or string, else the character itself; 0 none */
	const char *at;
	size_t n;
	int line;
};

struct scan {
	char *at;
	const char *end;
	int line;
	struct token last[3]; /* the newest first */
	unsigned depth;
	struct {
		bool list;
		int line;
	} open[DEPTH_MAX];
	struct config_marks *marks;
	int wrong_line; /* where `why` is about */
	char *why;
	size_t size;
};

static int PRINTF_LIKE(3, 4)
	wrong(struct scan *scan, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(scan->why, scan->size, fmt, ap);
	va_end(ap);
	scan->wrong_line = line;
	return -1;
}

static char
peek(const struct scan *scan, size_t ahead)
{
	return scan->at + ahead < scan->end ? scan->at[ahead] : '\0';
}

static bool
is_word(char c)
{
	return c != '\0' &&
	       (isalnum((unsigned char)c) || strchr("_.:/@%-", c) != NULL) &&
	       (unsigned char)c < 0x80;
}

static bool
begins_comment(const struct scan *scan)
{
	return peek(scan, 0) == '#' ||
	       (peek(scan, 0) == '/' &&
		(peek(scan, 1) == '/' || peek(scan, 1) == '*'));
}

/* Tabs and line ends are the only control bytes; beyond ASCII only comments and
 * strings may go. */
static int
check_bytes(struct scan *scan)
{
	const char *at;
	int line = 1;

	for (at = scan->at; at < scan->end; at++) {
		if (*at == '\n')
			line++;
		else if (*at == '\r')
			return wrong(scan, line,
				     "expected lines that end in LF alone, "
				     "found a CR");
		else if (((unsigned char)*at < 0x20 && *at != '\t') ||
			 *at == 0x7f)
			return wrong(scan, line,
				     "expected text, found the byte 0x%02x",
				     (unsigned char)*at);
	}
	return 0;
}

/* ---- tokens ----------------------------------------------------------- */

static void
push(struct scan *scan, char kind, const char *at, size_t n)
{
	memmove(&scan->last[1], &scan->last[0], 2 * sizeof(scan->last[0]));
	scan->last[0].kind = kind;
	scan->last[0].at = at;
	scan->last[0].n = n;
	scan->last[0].line = scan->line;
}

static void
blank_line_comment(struct scan *scan)
{
	while (scan->at < scan->end && *scan->at != '\n')
		*scan->at++ = ' ';
}

static int
blank_comment(struct scan *scan)
{
	int line = scan->line;

	if (scan->at[0] == '#' || scan->at[1] == '/') {
		blank_line_comment(scan);
		return 0;
	}
	memset(scan->at, ' ', 2);
	for (scan->at += 2; scan->at < scan->end; scan->at++) {
		if (scan->at[0] == '*' && peek(scan, 1) == '/') {
			memset(scan->at, ' ', 2);
			scan->at += 2;
			return 0;
		}
		if (*scan->at == '\n')
			scan->line++;
		else
			*scan->at = ' ';
	}
	return wrong(scan, line,
		     "expected */ for the comment that begins here");
}

/* What follows a word or a string must part it from the next one. */
static int
check_parted(struct scan *scan)
{
	char next = peek(scan, 0);

	if (scan->at == scan->end || strchr(" \t\n={},+", next) != NULL)
		return 0;
	if (next == '"' || next == '\'' || is_word(next) || next == '#')
		return wrong(scan, scan->line,
			     "expected a blank before %c, or all of it in "
			     "quotes",
			     next);
	return 0; /* the next token is wrong by itself */
}

static int
take_string(struct scan *scan)
{
	const char quote = *scan->at;
	const char *begin = ++scan->at;

	for (;; scan->at++) {
		if (scan->at == scan->end || *scan->at == '\n')
			return wrong(scan, scan->line,
				     "expected %c before the line ends", quote);
		if (*scan->at == quote)
			break;
		if (*scan->at == '\t')
			return wrong(scan, scan->line,
				     "expected a string without tabs");
		if (*scan->at == '$' && peek(scan, 1) == '{')
			return wrong(scan, scan->line,
				     "expected a string without ${: nothing is "
				     "put in there");
		if (*scan->at != '\\')
			continue;
		scan->at++;
		if (peek(scan, 0) != '\\' && peek(scan, 0) != quote)
			return wrong(scan, scan->line,
				     "expected \\\\ or \\%c: no other escapes "
				     "are known",
				     quote);
	}
	push(scan, 'w', begin, (size_t)(scan->at - begin));
	scan->at++;
	return check_parted(scan);
}

static int
take_word(struct scan *scan)
{
	const char *begin = scan->at;

	while (scan->at < scan->end && is_word(*scan->at)) {
		if (scan->at > begin && begins_comment(scan))
			return wrong(scan, scan->line,
				     "expected a blank before a comment, or "
				     "quotes around a value with %.2s in it",
				     scan->at);
		scan->at++;
	}
	push(scan, 'w', begin, (size_t)(scan->at - begin));
	return check_parted(scan);
}

/* ---- braces ----------------------------------------------------------- */

static bool
token_is(const struct token *token, const char *text)
{
	return token->kind == 'w' && token->n == strlen(text) &&
	       memcmp(token->at, text, token->n) == 0;
}

/* `NAME {` or `NAME TITLE {`. */
static void
mark_section(struct scan *scan)
{
	const struct token *name = &scan->last[0];
	struct config_marks *marks = scan->marks;
	struct config_mark *mark;

	if (scan->last[1].kind == 'w' && scan->last[2].kind != '=' &&
	    (token_is(&scan->last[1], "listener") ||
	     token_is(&scan->last[1], "ladder")))
		name = &scan->last[1];
	if (name->kind != 'w')
		return; /* libConfuse says what is wrong */
	marks->mark =
		memory(marks->mark, (marks->count + 1) * sizeof(*marks->mark));
	mark = &marks->mark[marks->count++];
	snprintf(mark->name, sizeof(mark->name), "%.*s", (int)name->n,
		 name->at);
	mark->line = name->line;
}

static int
take_open(struct scan *scan)
{
	bool list = scan->last[0].kind == '=';

	if (scan->depth == DEPTH_MAX)
		return wrong(scan, scan->line,
			     "expected at most %d braces in each other",
			     DEPTH_MAX);
	if (!list && scan->depth == 0)
		mark_section(scan);
	scan->open[scan->depth].list = list;
	scan->open[scan->depth++].line = scan->line;
	push(scan, '{', scan->at++, 1);
	return 0;
}

static int
take_close(struct scan *scan)
{
	if (scan->depth == 0)
		return wrong(scan, scan->line, "unexpected }");
	scan->depth--;
	push(scan, '}', scan->at++, 1);
	return 0;
}

static int
take_other(struct scan *scan)
{
	if (*scan->at == '=' || *scan->at == ',') {
		push(scan, *scan->at, scan->at, 1);
		scan->at++;
		return 0;
	}
	if (*scan->at == '+' && peek(scan, 1) == '=') {
		push(scan, '=', scan->at, 2);
		scan->at += 2;
		return 0;
	}
	if ((unsigned char)*scan->at >= 0x80)
		return wrong(scan, scan->line,
			     "expected ASCII, or quotes around what is not");
	return wrong(scan, scan->line, "expected quotes around a value with %c",
		     *scan->at);
}

static int
take(struct scan *scan)
{
	if (*scan->at == '\n')
		scan->line++;
	if (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\n') {
		scan->at++;
		return 0;
	}
	if (begins_comment(scan))
		return blank_comment(scan);
	if (*scan->at == '"' || *scan->at == '\'')
		return take_string(scan);
	if (is_word(*scan->at))
		return take_word(scan);
	if (*scan->at == '{')
		return take_open(scan);
	if (*scan->at == '}')
		return take_close(scan);
	return take_other(scan);
}

int
config_text_check(char *text, size_t n, struct config_marks *marks, int *line,
		  char *why, size_t size)
{
	struct scan scan = {
		.at = text,
		.end = text + n,
		.line = 1,
		.marks = marks,
		.why = why,
		.size = size,
	};
	int result = check_bytes(&scan);

	while (result == 0 && scan.at < scan.end)
		result = take(&scan);
	if (result == 0 && scan.depth > 0)
		result = wrong(&scan, scan.open[scan.depth - 1].line,
			       "expected } for the %s that is opened here",
			       scan.open[scan.depth - 1].list ? "list"
							      : "section");
	*line = scan.wrong_line;
	return result;
}
