/* referee/pages/html.h - writes HTML: elements, attributes, text.
 *
 * Everything that is not a constant of ours goes through html_escape().
 * Elements nest as they are opened; one that is closed out of order is a bug. */
#ifndef REFEREE_PAGES_HTML_H
#define REFEREE_PAGES_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/text.h"
#include "protocol/util.h"

#define HTML_DEPTH 32	      /* nested elements */
#define HTML_NAME_BYTES 12    /* bytes of an element's name with its NUL */
#define HTML_NUMBER_BYTES 128 /* bytes of a text made of numbers with its NUL */

/* A page as one part of a document of many parts: its headings are one level
 * lower, and it has no forms and nothing that changes with time. */
struct html_part {
	const char *id; /* prefix of its IDs, followed by a `-` */
	const char *class;
	/* Returns the target of a link to `path`, which has the form for
	 * html_open_link(), or NULL if the document does not have it.  The text
	 * is borrowed until the next call. */
	const char *(*lead)(void *arg, const char *path);
	void *arg;
};

/* Shared by all pages of a site.  Paths are relative to the root. */
struct site {
	const char *style, *icon;
	const char *folder;	      /* path of files; ends with a slash */
	const struct html_part *part; /* NULL: each page stands alone */
};

struct html {
	const struct site *site; /* borrowed */
	struct text *to;	 /* borrowed */
	/* The way from the page's path to "/": "./", "../", … A proxy may thus
	 * put all pages below another path.  It is a constant; in a part it is
	 * "". */
	const char *root;
	char open[HTML_DEPTH][HTML_NAME_BYTES];
	unsigned depth;
	bool bare; /* for layout.c: nothing stands around the page */
	/* html_fmt() makes the parts of a format here, until html_end(). */
	struct text attribute, value;
};

/* Appends bytes so that they are only text, also between double quotes: `& < >
 * " '` become names or numbers; bytes that are not UTF-8, and control
 * characters except TAB and LF, become U+FFFD. */
void html_escape(struct text *to, const char *bytes, size_t n);

void html_begin(struct html *html, const struct site *site, struct text *to,
		const char *root);
/* Call it when every element is closed; else it is a bug. */
void html_end(struct html *html);

/* Opens an element with attributes: pairs of a name and a value, then NULL. An
 * attribute with a NULL value is left out.  Do not close an element that has no
 * end, like `meta`. */
void html_open(struct html *html, const char *name, ...)
	__attribute__((sentinel));
void html_close(struct html *html, const char *name);
#define HTML_OPEN(html, ...) html_open(html, __VA_ARGS__, (char *)NULL)
/* Opens an element, writes the text, and closes it. */
void html_leaf(struct html *html, const char *text, const char *name, ...)
	__attribute__((sentinel));
#define HTML_LEAF(html, text, ...)                                             \
	html_leaf(html, text, __VA_ARGS__, (char *)NULL)

/* Opens a table and its body, with a column for each pair of a title and a
 * class, which may be NULL; then NULL. `class` is the table's, or NULL. */
void html_open_table(struct html *html, const char *class, ...)
	__attribute__((sentinel));
void html_close_table(struct html *html);
#define HTML_OPEN_TABLE(html, ...)                                             \
	html_open_table(html, __VA_ARGS__, (char *)NULL)

/* Writes a fact for a `dl`: its name, and its value formatted as html_fmt()
 * does. */
void html_fact(struct html *html, const char *what, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

void html_text(struct html *html, const char *text);
/* Writes text, with a minus sign for the hyphen of a number: it stands before a
 * digit, and at the start or after a space or a bracket. */
void html_words(struct html *html, const char *text);
/* Writes words, with elements among them: `<p class='soft'>` opens one, `</p>`
 * closes it, and `<a href='PATH'>` opens a link as html_open_link() does.
 * Conversions, also in values, are `%s`, `%d`, `%u` and `%f`, with an `l` and a
 * precision; they only make text. */
void html_fmt(struct html *html, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Writes a name that a stranger chose, isolated from the direction of the text
 * around it. */
void html_name(struct html *html, const char *name);

/* Opens a link to `path`, with attributes as html_open() has them.  The path is
 * relative to the root and may have a query; the caller has escaped it
 * (html_query()).  In a part a link that leads nowhere is a `span`. */
void html_open_link(struct html *html, const char *path, ...)
	__attribute__((sentinel));
void html_close_link(struct html *html);
#define HTML_OPEN_LINK(html, ...)                                              \
	html_open_link(html, __VA_ARGS__, (char *)NULL)

/* Writes a link to `/WHERE/NAME`, or only the name if there can be no such
 * page. */
void html_name_link(struct html *html, const char *where, const char *name);
/* Appends a value for a path or a query: every byte except letters, digits and
 * `-._~` becomes `%` and two digits. */
void html_query(struct text *to, const char *value);

#endif
