/* referee/web/page-tournaments.h - answers with pages and JSON of tournaments whose
 * files lie in the data folder (records/tournament-file.h). */
#ifndef REFEREE_PAGE_TOURNAMENTS_H
#define REFEREE_PAGE_TOURNAMENTS_H

#include "referee/web/page.h"

/* Answers with the page or the JSON of page_path->what. */
page_handler page_tournaments;
enum {
	TOURNAMENT_ALL,
	TOURNAMENT_ONE,
	TOURNAMENT_PROJECTOR,
	TOURNAMENT_ALL_JSON,
	TOURNAMENT_ONE_JSON
};

#endif
