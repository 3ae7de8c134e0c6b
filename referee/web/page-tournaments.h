/* referee/web/page-tournaments.h - tournaments whose files lie in the data folder
 * (records/tournament-file.h), as pages. */
#ifndef REFEREE_PAGE_TOURNAMENTS_H
#define REFEREE_PAGE_TOURNAMENTS_H

#include "referee/web/page.h"

/* The page that page_path->what says. */
page_handler page_tournaments;
enum { TOURNAMENT_ALL, TOURNAMENT_ONE, TOURNAMENT_PROJECTOR };

#endif
