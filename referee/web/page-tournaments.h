/* referee/web/page-tournaments.h - answers with pages of tournaments whose
 * files lie in the data folder (records/tournament-file.h). */
#ifndef REFEREE_PAGE_TOURNAMENTS_H
#define REFEREE_PAGE_TOURNAMENTS_H

#include "referee/web/page.h"

/* Answers with the page of page_path->what. */
page_handler page_tournaments;
enum { TOURNAMENT_ALL, TOURNAMENT_ONE, TOURNAMENT_PROJECTOR };

#endif
