/* referee/match/tournament.h - decides which bots sit together at the tables of
 * a tournament.
 *
 * A tournament goes from one phase to the next.  A phase is a list of tables.
 * At each table the same bots play some sets of games (schedule.h), in which
 * every bot sits once in every seat.  The tables of a phase follow from the
 * setup and the results of the phases before it, so a phase begins when all
 * games before it are over.  Games are numbered from 1 through all phases,
 * table by table, set by set.  What game i is depends on the setup and on the
 * results of earlier phases alone, never on how many games run at a time.
 *
 * A share is the part of the other seats that a bot beat in a game; a level
 * seat counts as half.  The draw is an order of all bots, made from the seed.
 * It decides where nothing else does.
 *
 * roundrobin  One phase.  Two seats: each pair meets at `rounds` tables, in the
 *	order of the circle method (J. Schurig, Deutsche Schachzeitung 1886).
 *	More seats: tables are chosen as a match chooses its sets, until each pair
 *	has met at `rounds` tables or more.
 * gauntlet  One phase, with the hero at each table, until each other bot has met
 *	it at `rounds` tables or more.  The others are chosen as a match chooses
 *	its sets.
 * swiss  `rounds` phases.  Bots are ordered by the sum of their shares, then by
 *	Buchholz (the mean of the mean shares of the bots that they met, each as
 *	often as they met it; B. Buchholz, Ranneforths Schachkalender 1932, took
 *	the sum), then by the draw.  A round has as few pairs as possible that
 *	have met before, and these have met as seldom as possible; then points,
 *	then places lie as close as possible (swiss.h).  With two seats it is the
 *	best round of all; with more no swap of two bots makes it better.
 * knockout  At each table the best `best` bots by their shares at this table go
 *	on.  If the last of them is level with the next one, the table plays two
 *	more sets; if they are still level, the draw decides.  With as many bots as
 *	seats the table is the final, which its first bot wins.  If too few bots
 *	for a table would go on, the best of those that are out, by their mean
 *	share in the phase and then the draw, fill up the final.  The bots that go
 *	on are ordered by their place at the table (a bye comes before the first
 *	place), mean share, draw.  In this order, row by row, each sits down at one
 *	of the tables with the fewest bots: the one whose bots it has met least, of
 *	equals the first.
 * seeded knockout  The seeds take the place of the draw.  With two seats it is a
 *	bracket (records/bracket.h): the first meets the last, and so on, and the
 *	best have byes in the first phase, so that a power of two goes on.  With
 *	more seats those that are in sit down by their seeds, row by row, to and
 *	fro; the best have the byes.  So the first two seeds meet in the last phase
 *	at the earliest.
 *
 * Byes (swiss, knockout): if the bots do not fill whole tables, those with the
 * fewest byes so far have a bye.  Of equals, in a swiss the lowest have it and
 * get half of all shares; in a knockout the first have it and go on. */
#ifndef REFEREE_TOURNAMENT_H
#define REFEREE_TOURNAMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/match/match-source.h"
#include "referee/records/tournament-told.h"

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
	bool seeded; /* used by a knockout: the bots come by their seeds, the
			  * best first */
	const char *seed;
};

#define ROUNDS_MAX 1000

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
/* For tests: returns how many games are known so far. */
uint64_t tournament_known(const struct tournament *tournament);

/* Returns the setup without the seed; borrowed. */
const struct tournament_setup *
tournament_setup_of(const struct tournament *tournament);
bool tournament_is_over(const struct tournament *tournament);

/* The standing of a bot by the results told so far.  Round robins and gauntlets
 * order bots by the mean share, then by the draw.  The name is empty. */
struct told_bot tournament_row(const struct tournament *tournament,
			       unsigned bot) MUST_CHECK;

/* A table of a phase that has begun; tables come in the order of their games.
 * The second tells all but the ID of the first game, with the bots as the setup
 * has them, and returns that game's number. */
unsigned tournament_tables(const struct tournament *tournament) MUST_CHECK;
uint64_t tournament_table(const struct tournament *tournament, unsigned table,
			  struct told_table *to) MUST_CHECK;
/* Returns the phase that has begun last, from 1. */
unsigned tournament_phase_now(const struct tournament *tournament) MUST_CHECK;

#endif
