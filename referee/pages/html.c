/* referee/pages/html.c - see html.h. */
#include "referee/pages/html.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/message.h"
#include "protocol/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define MINUS "\xe2\x88\x92"	   /* U+2212 */

/* ---- text ------------------------------------------------------------- */

/* What stands for this byte; NULL: itself. */
static const char *
entity(unsigned char c)
{
	switch (c) {
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
	default:
		return (c < ' ' && c != '\t' && c != '\n') || c == 0x7f
			       ? REPLACEMENT
			       : NULL;
	}
}

/* The character at `at`: how long it is, 0 if it is none. */
static size_t
character(const char *at, size_t n)
{
	char copy[8] = { 0 };

	memcpy(copy, at, n < 4 ? n : 4);
	return (unsigned char)*at < 0x80 ? 1 : utf8_character(copy);
}

void
html_escape(struct text *to, const char *bytes, size_t n)
{
	size_t plain = 0, length, i = 0; /* from `plain` on it stays */
	const char *other;

	while (i < n) {
		length = character(bytes + i, n - i);
		other = length == 0 ? REPLACEMENT
				    : entity((unsigned char)bytes[i]);
		if (other != NULL) {
			text_add(to, bytes + plain, i - plain);
			text_str(to, other);
			length = 1;
			plain = i + 1;
		}
		i += length;
	}
	text_add(to, bytes + plain, n - plain);
}

void
html_text(struct html *html, const char *text)
{
	html_escape(html->to, text, strlen(text));
}

static bool
is_minus(const char *text, const char *at)
{
	return *at == '-' && at[1] >= '0' && at[1] <= '9' &&
	       (at == text || at[-1] == ' ' || at[-1] == '(');
}

void
html_words(struct html *html, const char *text)
{
	const char *at, *plain = text; /* from there on it is not written */

	for (at = text; *at != '\0'; at++) {
		if (!is_minus(text, at))
			continue;
		html_escape(html->to, plain, (size_t)(at - plain));
		text_str(html->to, MINUS);
		plain = at + 1;
	}
	html_text(html, plain);
}

static void
write_vfmt(struct html *html, const char *fmt, va_list ap)
{
	char text[HTML_NUMBER_BYTES];

	vsnprintf(text, sizeof(text), fmt, ap);
	html_words(html, text);
}

void
html_fmt(struct html *html, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_vfmt(html, fmt, ap);
	va_end(ap);
}

/* ---- elements --------------------------------------------------------- */

void
html_begin(struct html *html, const struct site *site, struct text *to,
	   const char *root)
{
	*html = (struct html){ .site = site,
			       .to = to,
			       .root = site->part == NULL ? root : "" };
}

void
html_end(const struct html *html)
{
	if (html->depth > 0)
		bug("<%s> was not closed", html->open[html->depth - 1]);
}

static bool
has_end(const char *name)
{
	static const char *const empty[] = { "br", "hr", "input", "link",
					     "meta" };
	unsigned i;

	for (i = 0; i < NELEM(empty); i++)
		if (strcmp(name, empty[i]) == 0)
			return false;
	return true;
}

static void
write_name(struct html *html, const char *name)
{
	if (html->site->part != NULL && name[0] == 'h' && name[1] >= '1' &&
	    name[1] <= '5')
		text_fmt(html->to, "h%c", name[1] + 1);
	else
		text_str(html->to, name);
}

/* Writes IDs with spaces between them. */
static void
write_ids(struct html *html, const char *ids)
{
	size_t n;

	for (; *ids != '\0'; ids += n + strspn(ids + n, " ")) {
		n = strcspn(ids, " ");
		html_text(html, html->site->part->id);
		text_add(html->to, "-", 1);
		html_escape(html->to, ids, n);
		text_add(html->to, " ", ids[n] == ' ');
	}
}

static void
write_attribute(struct html *html, const char *name, const char *value)
{
	text_fmt(html->to, " %s=\"", name);
	if (html->site->part != NULL &&
	    (strcmp(name, "id") == 0 || strcmp(name, "aria-labelledby") == 0))
		write_ids(html, value);
	else
		html_text(html, value);
	text_add(html->to, "\"", 1);
}

/* Writes what stands behind the name. */
static void
write_attributes(struct html *html, const char *name, va_list ap)
{
	const char *attribute, *value;

	while ((attribute = va_arg(ap, const char *)) != NULL)
		if ((value = va_arg(ap, const char *)) != NULL)
			write_attribute(html, attribute, value);
	text_add(html->to, ">", 1);
	if (!has_end(name))
		return;
	if (html->depth == HTML_DEPTH)
		bug("<%s> is too deep", name);
	html->open[html->depth++] = name;
}

static void
open_element(struct html *html, const char *name, va_list ap)
{
	text_add(html->to, "<", 1);
	write_name(html, name);
	write_attributes(html, name, ap);
}

void
html_open(struct html *html, const char *name, ...)
{
	va_list ap;

	va_start(ap, name);
	open_element(html, name, ap);
	va_end(ap);
}

void
html_close(struct html *html, const char *name)
{
	if (html->depth == 0 || strcmp(html->open[html->depth - 1], name) != 0)
		bug("</%s> does not close what is open", name);
	html->depth--;
	text_add(html->to, "</", 2);
	write_name(html, name);
	text_add(html->to, ">", 1);
}

void
html_leaf(struct html *html, const char *text, const char *name, ...)
{
	va_list ap;

	va_start(ap, name);
	open_element(html, name, ap);
	va_end(ap);
	html_text(html, text);
	html_close(html, name);
}

/* ---- tables and facts ------------------------------------------------- */

void
html_open_table(struct html *html, const char *class, ...)
{
	const char *title;
	va_list ap;

	HTML_OPEN(html, "table", "class", class);
	HTML_OPEN(html, "thead");
	HTML_OPEN(html, "tr");
	va_start(ap, class);
	while ((title = va_arg(ap, const char *)) != NULL)
		HTML_LEAF(html, title, "th", "scope", "col", "class",
			  va_arg(ap, const char *));
	va_end(ap);
	html_close(html, "tr");
	html_close(html, "thead");
	HTML_OPEN(html, "tbody");
}

void
html_close_table(struct html *html)
{
	html_close(html, "tbody");
	html_close(html, "table");
}

void
html_cell(struct html *html, const char *class, const char *fmt, ...)
{
	va_list ap;

	HTML_OPEN(html, "td", "class", class);
	va_start(ap, fmt);
	write_vfmt(html, fmt, ap);
	va_end(ap);
	html_close(html, "td");
}

void
html_fact(struct html *html, const char *what, const char *fmt, ...)
{
	va_list ap;

	HTML_OPEN(html, "div");
	HTML_LEAF(html, what, "dt");
	HTML_OPEN(html, "dd");
	va_start(ap, fmt);
	write_vfmt(html, fmt, ap);
	va_end(ap);
	html_close(html, "dd");
	html_close(html, "div");
}

/* ---- names and links -------------------------------------------------- */

void
html_name(struct html *html, const char *name)
{
	HTML_LEAF(html, name, "bdi");
}

void
html_open_link(struct html *html, const char *path, ...)
{
	const struct html_part *part = html->site->part;
	const char *to = part == NULL ? path : part->lead(part->arg, path);
	va_list ap;

	text_str(html->to, to != NULL ? "<a href=\"" : "<span");
	if (to != NULL) {
		text_str(html->to, html->root);
		html_text(html, to);
		text_add(html->to, "\"", 1);
	}
	va_start(ap, path);
	write_attributes(html, to != NULL ? "a" : "span", ap);
	va_end(ap);
}

void
html_close_link(struct html *html)
{
	html_close(html, html->open[html->depth - 1]);
}

void
html_link(struct html *html, const char *text, const char *path_fmt, ...)
{
	char path[HTML_PATH_BYTES];
	va_list ap;

	va_start(ap, path_fmt);
	vsnprintf(path, sizeof(path), path_fmt, ap);
	va_end(ap);
	HTML_OPEN_LINK(html, path);
	html_text(html, text);
	html_close_link(html);
}

void
html_name_link(struct html *html, const char *where, const char *name)
{
	char path[HTML_NUMBER_BYTES];

	if (!message_name_ok(name, strlen(name))) {
		html_name(html, name);
		return;
	}
	snprintf(path, sizeof(path), "%s/%s", where, name);
	HTML_OPEN_LINK(html, path);
	html_name(html, name);
	html_close_link(html);
}

void
html_query(struct text *to, const char *value)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz0123456789-._~";
	size_t n;

	while (*value != '\0') {
		n = strspn(value, plain);
		text_add(to, value, n);
		value += n;
		if (*value != '\0')
			text_fmt(to, "%%%02X", (unsigned char)*value++);
	}
}
