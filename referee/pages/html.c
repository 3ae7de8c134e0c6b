/* referee/pages/html.c - see html.h. */
#include "referee/pages/html.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "protocol/message.h"
#include "protocol/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define MINUS "\xe2\x88\x92"	   /* U+2212 */

/* ---- text ------------------------------------------------------------- */

/* Returns what stands for this byte; NULL for the byte itself. */
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

/* Returns the length of the character at `at`, or 0 if it is none. */
static size_t
character(const char *at, size_t n)
{
	char copy[8] = { 0 };

	if ((unsigned char)*at < 0x80)
		return 1;
	memcpy(copy, at, n < 4 ? n : 4);
	return utf8_character(copy);
}

void
html_escape(struct text *to, const char *bytes, size_t n)
{
	size_t plain = 0, length, i = 0; /* `plain`: kept from here */
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

/* Returns true if the hyphen at `at` is a minus sign. */
static bool
is_minus(const char *text, const char *at)
{
	return at[1] >= '0' && at[1] <= '9' &&
	       (at == text || at[-1] == ' ' || at[-1] == '(');
}

void
html_words(struct html *html, const char *text)
{
	const char *at, *plain = text; /* `plain`: not written from here on */

	for (at = text; (at = strchr(at, '-')) != NULL; at++) {
		if (!is_minus(text, at))
			continue;
		html_escape(html->to, plain, (size_t)(at - plain));
		text_str(html->to, MINUS);
		plain = at + 1;
	}
	html_text(html, plain);
}

/* ---- elements --------------------------------------------------------- */

void
html_begin(struct html *html, const struct site *site, struct text *to,
	   const char *root)
{
	*html = (struct html){ .site = site,
			       .to = to,
			       .root = site->part == NULL ? root : "",
			       .attribute = { .max = SIZE_MAX },
			       .value = { .max = SIZE_MAX } };
}

void
html_end(struct html *html)
{
	if (html->depth > 0)
		bug("<%s> was not closed", html->open[html->depth - 1]);
	text_release(&html->attribute);
	text_release(&html->value);
}

static bool
has_end(const char *name)
{
	static const char *const empty[] = { "br", "hr", "input", "link",
					     "meta" };

	for (unsigned i = 0; i < NELEM(empty); i++)
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
	text_add(html->to, " ", 1);
	text_str(html->to, name);
	text_add(html->to, "=\"", 2);
	if (html->site->part != NULL &&
	    (strcmp(name, "id") == 0 || strcmp(name, "aria-labelledby") == 0))
		write_ids(html, value);
	else
		html_text(html, value);
	text_add(html->to, "\"", 1);
}

/* Begins a tag, whose name ends before a space, a `>` or a NUL, and returns what
 * follows the name. */
static const char *
begin_tag(struct html *html, const char *at)
{
	const size_t n = strcspn(at, " >");

	if (html->depth == HTML_DEPTH || n >= HTML_NAME_BYTES)
		bug("<%s> is too deep, or its name is too long", at);
	memcpy(html->open[html->depth], at, n);
	html->open[html->depth][n] = '\0';
	text_add(html->to, "<", 1);
	write_name(html, html->open[html->depth]);
	return at + n;
}

/* Ends a tag after its attributes. */
static void
end_tag(struct html *html)
{
	text_add(html->to, ">", 1);
	html->depth += has_end(html->open[html->depth]);
}

/* Writes the attributes after the name and ends the tag. */
static void
write_attributes(struct html *html, va_list ap)
{
	const char *attribute, *value;

	while ((attribute = va_arg(ap, const char *)) != NULL)
		if ((value = va_arg(ap, const char *)) != NULL)
			write_attribute(html, attribute, value);
	end_tag(html);
}

static void
open_element(struct html *html, const char *name, va_list ap)
{
	begin_tag(html, name);
	write_attributes(html, ap);
}

void
html_open(struct html *html, const char *name, ...)
{
	va_list ap;

	va_start(ap, name);
	open_element(html, name, ap);
	va_end(ap);
}

/* The name ends before a `>` or a NUL. */
void
html_close(struct html *html, const char *name)
{
	const size_t n = strcspn(name, ">");
	const char *open = html->depth > 0 ? html->open[--html->depth] : "";

	if (strncmp(open, name, n) != 0 || open[n] != '\0')
		bug("</%.*s> does not close <%s>", (int)n, name, open);
	text_add(html->to, "</", 2);
	write_name(html, open);
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

/* ---- formats ---------------------------------------------------------- */

/* Writes a link up to its path. */
static void
begin_link(struct html *html, const char *path)
{
	const struct html_part *part = html->site->part;
	const char *to = part == NULL ? path : part->lead(part->arg, path);

	begin_tag(html, to == NULL ? "span" : "a");
	if (to == NULL)
		return;
	text_str(html->to, " href=\"");
	text_str(html->to, html->root);
	html_text(html, to);
	text_add(html->to, "\"", 1);
}

void
html_open_link(struct html *html, const char *path, ...)
{
	va_list ap;

	begin_link(html, path);
	va_start(ap, path);
	write_attributes(html, ap);
	va_end(ap);
}

void
html_close_link(struct html *html)
{
	html_close(html, html->open[html->depth - 1]);
}

/* Appends the result of a conversion, and returns what follows it. */
static const char *
convert(struct text *to, const char *at, va_list *ap)
{
	const char *string;
	int precision = -1;
	size_t longs;

	if (*++at == '.')
		for (precision = 0; isdigit((unsigned char)*++at);)
			precision = 10 * precision + (*at - '0');
	longs = strspn(at, "l");
	at += longs;
	if (*at == 's') {
		string = va_arg(*ap, const char *);
		text_add(to, string, strnlen(string, (size_t)precision));
	} else if (*at == 'f')
		text_fmt(to, "%.*f", precision, va_arg(*ap, double));
	else if (*at == 'd')
		text_fmt(to, "%lld",
			 longs == 0   ? va_arg(*ap, int)
			 : longs == 1 ? va_arg(*ap, long)
				      : va_arg(*ap, long long));
	else if (*at == 'u')
		text_fmt(to, "%llu",
			 longs == 0   ? va_arg(*ap, unsigned)
			 : longs == 1 ? va_arg(*ap, unsigned long)
				      : va_arg(*ap, unsigned long long));
	else if (*at == '%')
		text_str(to, "%");
	else
		bug("a format has %%%s", at);
	return at + 1;
}

static bool
is_tag(const char *at)
{
	return at[1] == '/' || isalpha((unsigned char)at[1]);
}

/* Converts the text before the next `end` and returns where it stands.  A `<`
 * counts as `end` only if it begins a tag. */
static const char *
convert_all(struct text *to, const char *at, char end, va_list *ap)
{
	const char stops[] = { '%', end, '\0' };
	size_t n;

	text_clear(to);
	while (*at != '\0' && (*at != end || (end == '<' && !is_tag(at)))) {
		if (*at == '%') {
			at = convert(to, at, ap);
			continue;
		}
		/* The first byte may be a `<` that begins no tag. */
		n = 1 + strcspn(at + 1, stops);
		text_add(to, at, n);
		at += n;
	}
	if (*at == '\0' && end != '<')
		bug("a format ends within a tag");
	return at;
}

/* Opens the element whose name is at `at`, and returns what follows its tag. */
static const char *
open_tag(struct html *html, const char *at, va_list *ap)
{
	struct text *attribute = &html->attribute, *value = &html->value;

	if (strncmp(at, "a href='", 8) == 0) {
		at = convert_all(value, at + 8, '\'', ap) + 1;
		begin_link(html, text_string(value));
	} else {
		at = begin_tag(html, at);
	}
	while (*at == ' ') {
		at = convert_all(attribute, at + 1, '=', ap);
		at = convert_all(value, at + strlen("='"), '\'', ap) + 1;
		write_attribute(html, text_string(attribute),
				text_string(value));
	}
	end_tag(html);
	return at + 1;
}

/* Closes the element whose name is at `at`, and returns what follows its tag. */
static const char *
close_tag(struct html *html, const char *at)
{
	if (strncmp(at, "a>", 2) == 0)
		html_close_link(html);
	else
		html_close(html, at);
	return at + strcspn(at, ">") + 1;
}

static void
write_vfmt(struct html *html, const char *fmt, va_list *ap)
{
	while (*fmt != '\0') {
		fmt = convert_all(&html->value, fmt, '<', ap);
		html_words(html, text_string(&html->value));
		if (*fmt == '<')
			fmt = fmt[1] == '/' ? close_tag(html, fmt + 2)
					    : open_tag(html, fmt + 1, ap);
	}
}

void
html_fmt(struct html *html, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_vfmt(html, fmt, &ap);
	va_end(ap);
}

/* ---- tables and facts ------------------------------------------------- */

void
html_open_table(struct html *html, const char *class, ...)
{
	const char *title;
	va_list ap;

	HTML_OPEN(html, "table", "class", class);
	html_fmt(html, "<thead><tr>");
	va_start(ap, class);
	while ((title = va_arg(ap, const char *)) != NULL)
		HTML_LEAF(html, title, "th", "scope", "col", "class",
			  va_arg(ap, const char *));
	va_end(ap);
	html_fmt(html, "</tr></thead><tbody>");
}

void
html_close_table(struct html *html)
{
	html_fmt(html, "</tbody></table>");
}

void
html_fact(struct html *html, const char *what, const char *fmt, ...)
{
	va_list ap;

	html_fmt(html, "<div><dt>%s</dt><dd>", what);
	va_start(ap, fmt);
	write_vfmt(html, fmt, &ap);
	va_end(ap);
	html_fmt(html, "</dd></div>");
}

/* ---- names and links -------------------------------------------------- */

void
html_name(struct html *html, const char *name)
{
	HTML_LEAF(html, name, "bdi");
}

void
html_name_link(struct html *html, const char *where, const char *name)
{
	if (message_name_ok(name, strlen(name)))
		html_fmt(html, "<a href='%s/%s'><bdi>%s</bdi></a>", where, name,
			 name);
	else
		html_name(html, name);
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
