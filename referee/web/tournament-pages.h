/* referee/web/tournament-pages.h - tournaments whose files lie in the data folder
 * (records/tournament-file.h), as pages. */
#ifndef REFEREE_TOURNAMENT_PAGES_H
#define REFEREE_TOURNAMENT_PAGES_H

#include "referee/web/page.h"

/* The page that page_path->what says. */
page_handler tournament_pages;
enum { TOURNAMENT_ALL, TOURNAMENT_ONE, TOURNAMENT_PROJECTOR };

#endif
