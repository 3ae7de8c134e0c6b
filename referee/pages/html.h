/* referee/pages/html.h - writes HTML: elements, attributes, text.
 *
 * All that is not a constant of ours goes through html_escape().  Elements nest
 * as they are opened; one that is closed out of order is a bug. */
#ifndef REFEREE_PAGES_HTML_H
#define REFEREE_PAGES_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/text.h"
#include "protocol/util.h"

#define HTML_DEPTH 32	      /* elements in each other */
#define HTML_NAME_BYTES 12    /* of an element, and its NUL */
#define HTML_NUMBER_BYTES 128 /* of a text made of numbers, and its NUL */

/* A page as a part of a document that has many of them: its headings are one
 * level lower, and it has no forms and nothing that changes with time. */
struct html_part {
	const char *id; /* its own IDs begin with it and a `-` */
	const char *class;
	/* Returns where a link to `path` leads, which is as for html_open_link(); the
	 * text is borrowed until the next call.  NULL: it is not in the document. */
	const char *(*lead)(void *arg, const char *path);
	void *arg;
};

/* All pages of a place have this in common.  Paths begin behind the root. */
struct site {
	const char *style, *icon;
	const char *folder; /* of what pages load; ends with a slash */
	const struct html_part *part; /* NULL: each page stands alone */
};

struct html {
	const struct site *site; /* borrowed */
	struct text *to;	 /* borrowed */
	/* From the page's path to "/", so that a proxy may put all pages below
	 * another path: "./", "../", …  A constant; in a part "". */
	const char *root;
	char open[HTML_DEPTH][HTML_NAME_BYTES];
	unsigned depth;
	bool bare; /* for layout.c: nothing stands around the page */
};

/* Appends text such that it is only text, also between double quotes: `& < > "
 * '` by name or number; what is no UTF-8, and control characters but TAB and LF,
 * as U+FFFD. */
void html_escape(struct text *to, const char *bytes, size_t n);

void html_begin(struct html *html, const struct site *site, struct text *to,
		const char *root);
/* Every element must be closed. */
void html_end(const struct html *html);

/* Opens an element with attributes: pairs of a name and a value, then NULL.
 * Without a value (NULL) the attribute is left out.  An element that has no end,
 * like `meta`, is not to be closed. */
void html_open(struct html *html, const char *name, ...)
	__attribute__((sentinel));
void html_close(struct html *html, const char *name);
#define HTML_OPEN(html, ...) html_open(html, __VA_ARGS__, (char *)NULL)
/* Opens it, writes the text, closes it. */
void html_leaf(struct html *html, const char *text, const char *name, ...)
	__attribute__((sentinel));
#define HTML_LEAF(html, text, ...)                                             \
	html_leaf(html, text, __VA_ARGS__, (char *)NULL)

/* Opens a table and its body, with a column for each pair of a title and a class, which
 * may be NULL; then NULL.  `class`: of the table, or NULL. */
void html_open_table(struct html *html, const char *class, ...)
	__attribute__((sentinel));
void html_close_table(struct html *html);
#define HTML_OPEN_TABLE(html, ...)                                             \
	html_open_table(html, __VA_ARGS__, (char *)NULL)

/* Writes a fact for a `dl`: what it is called, and its value as html_fmt() does. */
void html_fact(struct html *html, const char *what, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

void html_text(struct html *html, const char *text);
/* Likewise, with a minus sign for the hyphen of a number: before a digit, and
 * behind nothing, a space or a bracket. */
void html_words(struct html *html, const char *text);
/* Writes words, with elements among them: `<p class='soft'>` opens one, `</p>` closes
 * it, and `<a href='PATH'>` opens a link as html_open_link() does.  Conversions, also
 * in values, are `%s`, `%d`, `%u` and `%f`, with an `l` and a precision; what they
 * make is only text. */
void html_fmt(struct html *html, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A name that a stranger chose, apart from the direction of the text around. */
void html_name(struct html *html, const char *name);

/* Opens a link to `path`, with attributes as html_open() has them.  The path begins
 * behind the root, may have a query, and is escaped by its maker (html_query()).
 * In a part a link that leads nowhere is a `span`. */
void html_open_link(struct html *html, const char *path, ...)
	__attribute__((sentinel));
void html_close_link(struct html *html);
#define HTML_OPEN_LINK(html, ...)                                              \
	html_open_link(html, __VA_ARGS__, (char *)NULL)

/* To `/WHERE/NAME`; only the name, if no such page can be there. */
void html_name_link(struct html *html, const char *where, const char *name);
/* Appends a value for a path or a query: `%` and two digits instead of all but
 * letters, digits and `-._~`. */
void html_query(struct text *to, const char *value);

#endif
