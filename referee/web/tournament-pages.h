/* referee/web/tournament-pages.h - tournaments whose files lie in the data folder
 * (records/tournament-file.h), as pages. */
#ifndef REFEREE_TOURNAMENT_PAGES_H
#define REFEREE_TOURNAMENT_PAGES_H

#include "referee/web/page.h"

page_handler tournament_pages_all, tournament_pages_one,
	tournament_pages_projector;

#endif
