/* referee/pages/layout.h - what stands around the body of every page. */
#ifndef REFEREE_PAGES_LAYOUT_H
#define REFEREE_PAGES_LAYOUT_H

#include "referee/pages/html.h"

#define LAYOUT_CRUMBS 4

/* Where a page is: its ancestors, the front page first. */
struct layout_crumb {
	const char *text, *path; /* behind the root; as for html_link() */
};

/* Paths behind the root. */
struct site {
	const char *style, *icon;
};

struct layout {
	const struct site *site;
	const char *title; /* of the page, and its heading */
	struct layout_crumb crumb[LAYOUT_CRUMBS]; /* a NULL text ends them */
};

/* Up to the beginning of the body, in `main`. */
void layout_begin(struct html *html, const struct layout *layout);
void layout_end(struct html *html);

#endif
