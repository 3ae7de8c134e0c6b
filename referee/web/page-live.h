/* referee/web/page-live.h - answers with pages of running games: `/live`,
 * `/projector/LADDER`, and `/games/ID` while the game runs. */
#ifndef REFEREE_PAGE_LIVE_H
#define REFEREE_PAGE_LIVE_H

#include "referee/web/page.h"

page_handler page_live_all, page_live_projectors, page_live_projector;

/* Answers with the page of a game that is LIVE_SEEN, at line `at`; 0: the last
 * line. */
void page_live_game(struct pages *pages, struct http_request *request,
		    const char *id, unsigned at);

#endif
