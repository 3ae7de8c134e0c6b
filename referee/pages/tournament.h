/* referee/pages/tournament.h - tournaments: how the bots stand, and who met whom in
 * each phase. */
#ifndef REFEREE_PAGES_TOURNAMENT_H
#define REFEREE_PAGES_TOURNAMENT_H

#include "protocol/text.h"
#include "referee/pages/layout.h"
#include "referee/records/tournament-file.h"

#define TOURNAMENT_SHOWN 200	/* tables of a phase, on a page */
#define TOURNAMENT_PHASES 40	/* the last ones, on a page */
#define TOURNAMENT_FAR_BOTS 10	/* on a projector */
#define TOURNAMENT_FAR_TABLES 8 /* likewise */
#define TOURNAMENT_REFRESH_S 10 /* of a projector */

/* `/tournaments`: those that can be read, which are all that are told of. */
void tournaments_page(const struct site *site,
		      const struct tournament_told *told, unsigned count,
		      struct text *to);
/* `/tournaments/ID`; or a part of a report, which links its bots and games. */
void tournament_page(const struct site *site,
		     const struct tournament_told *told, struct text *to);
/* `/tournaments/ID/projector`: standings and the tables of the last phase. */
void tournament_projector(const struct site *site,
			  const struct tournament_told *told, struct text *to);

#endif
