/* referee/web/owner-view.h - shows owners over HTTP what they have: bots, games
 * and records.  Only the owner's token opens them. */
#ifndef REFEREE_OWNER_VIEW_H
#define REFEREE_OWNER_VIEW_H

#include "referee/web/page.h"

/* `what` of the row in routes.c, for owner_view_games. */
enum { OWNER_GAMES, OWNER_RECORDS };

page_handler owner_view, owner_view_games;

#endif
