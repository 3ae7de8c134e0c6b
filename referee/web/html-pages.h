/* referee/web/html-pages.h - pages for people: asks for what referee/pages
 * needs, and answers with its HTML.  Each is the page of the path in routes.c. */
#ifndef REFEREE_HTML_PAGES_H
#define REFEREE_HTML_PAGES_H

#include "referee/pages/layout.h"
#include "referee/web/html-make.h"
#include "referee/web/page-ask.h"

page_handler html_pages_front, html_pages_rules, html_pages_about,
	html_pages_ladder, html_pages_cross, html_pages_games, html_pages_bots;

/* What pages load, and where it is. */
const struct site *html_pages_site(void);

/* A page of which html_make() writes the text. */
struct html_ask {
	struct page_ask ask; /* first */
	struct html_wish wish;
	const struct site *site;
};

/* Notes what the loop knows of ladders and bots; then more is added to the wish,
 * and it is sent (page-ask.h). */
struct html_ask *html_ask_new(struct pages *pages, struct http_request *request,
			      enum html_page page) MUST_CHECK;
void html_pages_note(const struct pages *pages, struct html_wish *wish);

#endif
