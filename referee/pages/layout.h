/* referee/pages/layout.h - writes the head, header and footer around the body
 * of every page. */
#ifndef REFEREE_PAGES_LAYOUT_H
#define REFEREE_PAGES_LAYOUT_H

#include "referee/pages/html.h"

#define LAYOUT_CRUMBS 4

/* The ancestors of a page, the front page first. */
struct layout_crumb {
	const char *text, *path; /* from the root, for html_open_link() */
};

struct layout {
	const char *title;  /* title of the page, and its heading */
	const char *script; /* a module of the site's folder; NULL: none */
	bool table;	    /* the page shows a game table (table.css) */
	/* The page is loaded again after this many seconds if its script does
	 * not run or it has none; 0: never. */
	unsigned refresh_s;
	/* The class of a page without header and footer; NULL: it has both. */
	const char *bare;
	struct layout_crumb crumb[LAYOUT_CRUMBS]; /* ends with a NULL text */
};

/* Writes a page up to the beginning of its body in `main`, or a part up to its
 * body in `section`. */
void layout_begin(struct html *html, const struct layout *layout);
void layout_end(struct html *html);

#endif
