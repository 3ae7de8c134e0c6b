/* referee/web/page-html.h - answers with pages for people: gathers what
 * referee/pages needs and sends its HTML. routes.c has the path of each page. */
#ifndef REFEREE_PAGE_HTML_H
#define REFEREE_PAGE_HTML_H

#include "referee/web/html-make.h"
#include "referee/web/page-ask.h"

page_handler page_html_front, page_html_rules, page_html_about,
	page_html_ladder, page_html_cross, page_html_games, page_html_bots,
	page_html_sign_up, page_html_owner;

/* Returns the files that pages load, and where they are. */
const struct site *page_html_site(void);

/* A page whose text html_make() writes. */
struct html_ask {
	struct page_ask ask; /* first */
	struct html_wish wish;
	const struct site *site;
};

/* Makes an ask with what the loop knows about ladders and bots.  The caller
 * adds to the wish and sends it (page-ask.h). */
struct html_ask *html_ask_new(struct pages *pages, struct http_request *request,
			      enum html_page page) MUST_CHECK;
void page_html_note(struct pages *pages, struct html_wish *wish);

/* ---- running games ---------------------------------------------------- */

/* Answer `/live`, `/projector` and `/projector/LADDER`. */
page_handler page_live_all, page_live_projectors, page_live_projector;

/* Answers with the page of a game that is LIVE_SEEN, at line `at`; 0: the last
 * line. */
void page_live_game(struct pages *pages, struct http_request *request,
		    const char *id, unsigned at);

/* ---- tournaments ------------------------------------------------------ */

/* Answers with the page or the JSON of page_path->what, of tournaments whose files
 * lie in the data folder (records/tournament-file.h). */
page_handler page_tournaments;
enum {
	TOURNAMENT_ALL,
	TOURNAMENT_ONE,
	TOURNAMENT_PROJECTOR,
	TOURNAMENT_ALL_JSON,
	TOURNAMENT_ONE_JSON
};

#endif
