/* referee/pages/tournament.h - writes pages of tournaments: how the bots stand,
 * and which bots met in each phase. */
#ifndef REFEREE_PAGES_TOURNAMENT_H
#define REFEREE_PAGES_TOURNAMENT_H

#include "protocol/text.h"
#include "referee/pages/layout.h"
#include "referee/records/tournament-file.h"

#define TOURNAMENT_SHOWN 200	/* tables of a phase on a page */
#define TOURNAMENT_PHASES 40	/* the last phases on a page */
#define TOURNAMENT_FAR_BOTS 10	/* bots on a projector */
#define TOURNAMENT_FAR_TABLES 8 /* tables on a projector */
#define TOURNAMENT_FAR_ROUNDS 3 /* rounds of a bracket on a projector */
#define TOURNAMENT_REFRESH_S 10 /* seconds until a projector is loaded again */

/* Writes `/tournaments`, the list of the tournaments that can be read; `told`
 * has only these. */
void tournaments_page(const struct site *site,
		      const struct tournament_told *told, unsigned count,
		      struct text *to);
/* Writes `/tournaments/ID`, or a part of a report, which links its bots and
 * games. */
void tournament_page(const struct site *site,
		     const struct tournament_told *told, struct text *to);
/* Writes `/tournaments/ID/projector`: standings and the tables of the last
 * phase; or of a bracket the round that is played, and at the end the last
 * rounds. */
void tournament_projector(const struct site *site,
			  const struct tournament_told *told, struct text *to);

#endif
