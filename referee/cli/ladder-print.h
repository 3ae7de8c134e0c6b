/* referee/cli/ladder-print.h - prints a ladder to standard output: tables for
 * people, JSON lines and CSV for programs.
 *
 * Tables show ratings in points with one decimal; other formats have them in
 * milli-Elo.  Tables fit into 80 columns; they have dates to the minute, and
 * the first eight digits of IDs.  Each function with an `error` returns the
 * result of reading the ladder, and its sentence. */
#ifndef REFEREE_LADDER_PRINT_H
#define REFEREE_LADDER_PRINT_H

#include <stdbool.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "referee/base/table-print.h"

/* Ends a row: prints the bot that a provisional one is heir of, its mark,
 * `more` unless it is "", and below the row its faults. */
void ladder_row_end(struct table_print *table,
		    const struct ladder_standing *standing, const char *more);

/* Prints a pool as a table's first line. */
void ladder_pool_print(const struct ladder_pool *pool);

/* Prints the season and an empty line if the ladder is a season. */
void ladder_season_print(const struct ladder *ladder);
/* Prints K and the start rating that are in force. */
int ladder_settings_print(struct ladder *ladder, struct error *why) MUST_CHECK;
/* Prints the standings of every pool by live Elo. */
int ladder_print_standings(struct ladder *ladder, bool json,
			   struct error *why) MUST_CHECK;
/* Prints the games of one bot, with its own place and rating. */
int ladder_print_history(struct ladder *ladder, const char *bot, bool json,
			 struct error *why) MUST_CHECK;
/* Prints all games. */
int ladder_print_games(struct ladder *ladder, bool json,
		       struct error *why) MUST_CHECK;

/* Prints everything: the ladder, settings, standings, games; one object a line,
 * each with its "type". */
int ladder_export_json(struct ladder *ladder, struct error *why) MUST_CHECK;
/* Prints a line of titles and a line for each seat of each game (RFC 4180, but
 * lines end in LF). */
int ladder_export_csv(struct ladder *ladder, struct error *why) MUST_CHECK;

#endif
