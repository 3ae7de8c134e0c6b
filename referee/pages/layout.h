/* referee/pages/layout.h - what stands around the body of every page. */
#ifndef REFEREE_PAGES_LAYOUT_H
#define REFEREE_PAGES_LAYOUT_H

#include "referee/pages/html.h"

#define LAYOUT_CRUMBS 4

/* Where a page is: its ancestors, the front page first. */
struct layout_crumb {
	const char *text, *path; /* behind the root; as for html_open_link() */
};

struct layout {
	const char *title;  /* of the page, and its heading */
	const char *script; /* a module of that folder; NULL: none */
	bool table;	    /* a table stands there (table.h) */
	/* It is loaded again after so many seconds where its script, if it has
	 * one, does not run; 0: never. */
	unsigned refresh_s;
	/* Nothing stands around the page, which has this class; NULL: it has
	 * header and footer. */
	const char *bare;
	struct layout_crumb crumb[LAYOUT_CRUMBS]; /* a NULL text ends them */
};

/* Up to the beginning of the body, in `main`; of a part, in its `section`. */
void layout_begin(struct html *html, const struct layout *layout);
void layout_end(struct html *html);

#endif
