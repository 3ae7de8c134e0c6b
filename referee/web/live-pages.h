/* referee/web/live-pages.h - pages of running games: `/live`, `/projector/LADDER`,
 * and `/games/ID` as long as the game runs. */
#ifndef REFEREE_LIVE_PAGES_H
#define REFEREE_LIVE_PAGES_H

#include "referee/web/page.h"

page_handler live_pages_all, live_pages_projectors, live_pages_projector;

/* The page of a game that is LIVE_SEEN, at line `at`; 0: the last one. */
void live_pages_game(struct pages *pages, struct http_request *request,
		     const char *id, unsigned at);

#endif
