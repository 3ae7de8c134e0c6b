/* referee/web/page-html.h - pages for people: asks for what referee/pages
 * needs, and answers with its HTML.  Each is the page of the path in routes.c. */
#ifndef REFEREE_PAGE_HTML_H
#define REFEREE_PAGE_HTML_H

#include "referee/pages/layout.h"
#include "referee/web/html-make.h"
#include "referee/web/page-ask.h"

page_handler page_html_front, page_html_rules, page_html_about,
	page_html_ladder, page_html_cross, page_html_games, page_html_bots;

/* What pages load, and where it is. */
const struct site *page_html_site(void);

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
void page_html_note(const struct pages *pages, struct html_wish *wish);

#endif
