/* referee/match/tournament.h - who sits at a table with whom in a tournament.
 *
 * A tournament goes from one phase to the next.  A phase is a list of tables: at
 * each the same bots play some sets of games (schedule.h), in which every bot
 * sits once in every seat.  The tables of a phase follow from the setup and the
 * results of the phases before it, so that a phase begins when all games before
 * it are over.  Games are numbered from 1 through all phases, table by table, set
 * by set: what game i is depends on the setup and on the results of earlier
 * phases alone, never on how many games run at a time.
 *
 * A share is the part of the other seats that a bot beat in a game, level ones as
 * half.  The draw is an order of all bots, made from the seed; it settles what
 * nothing else does.
 *
 * roundrobin  One phase.  Two seats: each pair meets at `rounds` tables, in the
 *	order of the circle method (J. Schurig, Deutsche Schachzeitung 1886).
 *	More seats: tables are chosen as a match chooses its sets, until each pair
 *	has met at `rounds` tables or more.
 * gauntlet  One phase, with the hero at each table, until each other bot has met
 *	it at `rounds` tables or more; the others are chosen likewise.
 * swiss  `rounds` phases.  Bots stand by the sum of their shares, then by
 *	Buchholz (the mean of the mean shares of the bots that they met, each as
 *	often as they met it; B. Buchholz, Ranneforths Schachkalender 1932, took
 *	the sum), then by the draw.  A round has as few pairs that have met
 *	before as can be, and who meets again has met as seldom as can be; then
 *	points, then places lie as near as can be (swiss.h): at two seats it is
 *	the best round of all, at more no change of two bots makes it better.
 * knockout  At each table the best `best` go on: by their shares at this table.
 *	If the last of them is level with the next one, the table plays two more
 *	sets; if it still is, the draw says.  With as many bots as seats it is the
 *	final, which the first one wins.  If fewer than a table would go on, the
 *	best of those who are out, by their mean share in the phase and then the
 *	draw, fill up the final.  Those who go on are ordered by their place at
 *	the table (who had a bye: first), mean share, draw; in this order, row by
 *	row, each sits down at the table that it has met least of those with the
 *	fewest bots; equal: the first one.
 *
 * Byes (swiss, knockout): of bots that fill no whole table, those have one with
 * the fewest byes so far; of equals in a swiss the lowest, for half of all
 * shares, and in a knockout the first, who go on. */
#ifndef REFEREE_TOURNAMENT_H
#define REFEREE_TOURNAMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/match/match-source.h"
#include "referee/records/tournament-file.h"

enum tournament_format {
	TOURNAMENT_ROUNDROBIN,
	TOURNAMENT_GAUNTLET,
	TOURNAMENT_SWISS,
	TOURNAMENT_KNOCKOUT,
};

/* The formats' names on the command line, by format; ends with NULL. */
extern const char *const tournament_formats[];

struct tournament_setup {
	enum tournament_format format;
	unsigned bots;	 /* number of bots: `seats` to BOTS_MAX */
	unsigned seats;	 /* seats of a table: 2 to SEATS_MAX */
	unsigned sets;	 /* sets that a table plays, from 1 */
	unsigned rounds; /* 1 to ROUNDS_MAX; not used by a knockout */
	unsigned hero;	 /* used by a gauntlet */
	unsigned best;	 /* used by a knockout: 1 to seats - 1 */
	const char *seed;
};

#define ROUNDS_MAX 1000
#define KNOCKOUT_MORE 2 /* more sets if the last place is not clear */

struct tournament;

/* Makes a tournament.  Returns NULL and ERROR_INPUT if it would have more than
 * GAMES_MAX games.  Call sodium_init() first.  The seed is borrowed for the
 * call. */
struct tournament *tournament_new(const struct tournament_setup *setup,
				  struct error *why) MUST_CHECK;
void tournament_free(struct tournament *tournament); /* NULL is allowed */

/* Returns a source that gives the tournament's games to a match.  If a game of
 * a phase does not count, the phase has no end, and the games end with its last
 * one. */
struct match_source tournament_source(struct tournament *tournament) MUST_CHECK;

/* Returns how many games the tournament has at most. */
uint64_t tournament_most(const struct tournament *tournament);
/* Returns how many games are known so far; for tests. */
uint64_t tournament_known(const struct tournament *tournament);

/* Returns the setup without the seed; borrowed. */
const struct tournament_setup *
tournament_setup_of(const struct tournament *tournament);
bool tournament_is_over(const struct tournament *tournament);

/* How a bot stands, by what was told so far.  Round robins and gauntlets stand
 * by the mean share, then by the draw.  The name is empty. */
struct told_bot tournament_row(const struct tournament *tournament,
			       unsigned bot) MUST_CHECK;

/* The tables of all phases that have begun, in the order of their games.  The
 * second tells all but the ID of the first game, with the bots as the setup has
 * them, and returns that game's number. */
unsigned tournament_tables(const struct tournament *tournament) MUST_CHECK;
uint64_t tournament_table(const struct tournament *tournament, unsigned table,
			  struct told_table *to) MUST_CHECK;
/* Returns the phase that has begun last, from 1. */
unsigned tournament_phase_now(const struct tournament *tournament) MUST_CHECK;

#endif
