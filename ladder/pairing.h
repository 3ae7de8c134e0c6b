/* ladder/pairing.h - decides who plays whom next, on a ladder that never stops.
 *
 * The policy, for organisers:
 *
 * There are no rounds.  Whenever there is room for one more table, the bot
 * that has played least takes the first seat, and opponents are found for it
 * among those who are free at that moment.  A table begins as soon as it can;
 * no bot waits until a slow bot has finished elsewhere, except as below.
 *
 * Played least means: since it came, in comparison with the others.  A
 * newcomer starts level with those who have played least, so it plays about
 * as often as all others and not all day long; an old bot does not wait
 * until the newcomers have as many games as it has.  Time away is not made
 * up for, except a few games (PAIRING_LAG).  A slow bot plays fewer games
 * than a quick one, but whenever it is free it is the first to be seated.
 *
 * Opponents are drawn by lot from a window of near ratings, the nearer the
 * likelier.  Ratings are those of the last fit of all games, which come to
 * the truth with fewer games than the running ones; a bot that is not in it
 * yet stands at the fit's mean, moved by what its running rating has gained
 * or lost.  The window is 100 points to both sides, and twice as many, again
 * and again, until there are a few to choose from.  Every fourth opponent is
 * drawn for
 * coverage instead: whatever its rating, one that the first bot has not met
 * since it last had met all bots.  So each bot meets all others, the weakest
 * and the strongest, time and again.  When all that it has yet to meet are
 * playing, it waits for them now and then (at every fourth of its tables at
 * most, and as long as its last game took): slow bots would else never be
 * free at the same time.
 *
 * A bot that the fit holds fixed (`random`) is like any other: it plays as
 * often and meets all in the rounds of coverage.  More games of it would not
 * make the distances of the others any surer.
 *
 * A bot that others often draw, and that is so some games ahead, is passed
 * over until it has played least itself.  Bots that have met of late are kept
 * apart while there are others.  When only bots are free that have just
 * played with each other and another is expected back, they wait for
 * company as long as their last game took, but never more than ten minutes;
 * then they play again.  When that happens several times in a row they wait
 * twice as long, four times, at most eight times as long.  So quick bots do
 * not fill the days with one another while the slow ones think.
 *
 * No opponent has more than a third of a bot's last 60 games, nor the bot more
 * than a third of the opponent's: before that happens, it waits until another
 * one is free.  It waits only for those that have been free here in the last
 * ten minutes and play now, here or on another ladder.  There must be enough
 * of them: an opponent may always have twice what it would have if all were
 * drawn alike, so with two others there is no bound.  At more than two seats
 * it is half of the games, and it is the bot in the first seat that waits; the
 * others are only kept apart while there are others.
 *
 * Seats: of all ways to seat the bots of a table the one is taken that best
 * evens out how often each of them has sat in each seat.  No bot sits twice
 * at a table; where a ladder allows that, it happens only while there are
 * fewer bots than seats.
 *
 * Bots of one owner can be kept apart, because they could help each other
 * where more than two play: then they never sit at a table together.  A bot
 * that sits twice at a table, where a ladder allows that, does not count as
 * meeting itself.
 *
 * A bot that fails (crashes, does not start, is retired for its faults, …)
 * is suspended: it gets no game for 30 seconds, the next time for a minute,
 * then two, and so on up to an hour.  Three good games in a row take one step
 * back.  Why, how often and how much longer can be read, and the organiser
 * can pardon a bot.  The others go on.
 *
 * All decisions are a function of the seed, the bots and the calls: the same
 * calls give the same tables on every machine.  There is no I/O here, and no
 * clock: the caller gives `now_us`, a monotonic time in microseconds that never
 * goes back.
 *
 * Cost: pairing_next() takes time in proportion to the number of bots that have
 * entered. pairing_enter() takes time in proportion to its square now and then,
 * when it makes room.  All other functions take constant time.  Memory: a bit
 * for each pair of bots, and some 600 bytes for each bot.
 *
 * Handles of bots are small numbers from 0.  A handle that no bot has is the
 * caller's mistake: bug(). */
#ifndef LADDER_PAIRING_H
#define LADDER_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"

#define PAIRING_BOTS_MAX 16384 /* bots in one ladder */

/* In games: how far behind a bot may fall and still get all of them back, and
 * how far ahead it may get as a drawn opponent before it is passed over. */
#define PAIRING_LAG 8
#define PAIRING_AHEAD 4

/* Limits for drawing opponents. */
#define PAIRING_WINDOW_MILLI 100000 /* rating points to each side, at first */
#define PAIRING_WINDOW_BOTS                                                    \
	4		      /* for each empty seat, else the window widens   \
			       */
#define PAIRING_COVER_EVERY 4 /* one of this many opponents is for coverage */
#define PAIRING_RECENT 8      /* opponents remembered as met of late */

/* The number of last opponents that are remembered, once for each time that
 * they met; and how often one bot may be among them: in a third of the games at
 * two seats, in half of them at more. */
#define PAIRING_LAST 60
#define PAIRING_LAST_MOST(seats)                                               \
	((seats) == 2 ? PAIRING_LAST / 3 : PAIRING_LAST / 2 / ((seats)-1))

/* Bots that have just met wait for others as long as their last game took.  The
 * wait is doubled for each table in a row that was much the same, up to this
 * many times and up to this maximum. */
#define PAIRING_PATIENCE_STEPS 3
#define PAIRING_PATIENCE_US_MAX UINT64_C(600000000)

/* Limits of suspension. */
/* The first pause; each next one is twice as long. */
#define PAIRING_PAUSE_US UINT64_C(30000000)
#define PAIRING_PAUSE_US_MAX UINT64_C(3600000000)
#define PAIRING_PARDON_GAMES 3 /* good games in a row that take one step back */

#define PAIRING_SUSPENSION_BYTES 160 /* a sentence and its NUL */

#define PAIRING_NEVER UINT64_MAX /* a time that never comes */

struct pairing;

/* The ways to find opponents; zero is the policy above. */
enum pairing_manner {
	PAIRING_NEAR, /* near in rating, every fourth for coverage */
	PAIRING_ANY,  /* like PAIRING_NEAR, but all ratings are equally near */
	PAIRING_ROUNDS, /* everybody in turn: all opponents are for coverage */
};

struct pairing_setup {
	enum pairing_manner manner;
	unsigned seats; /* 2 to SEATS_MAX */
	bool same_bot;	/* a bot may sit twice at a table */
	bool apart;	/* bots of one owner sit at no table together */
	uint64_t seed;
	uint64_t games; /* games of the ladder so far, or its last serial */
};

/* The past that a bot brings along.  A bot without one has zeros, except for
 * its rating and `entered`. */
struct pairing_known {
	int64_t rating_milli;
	uint64_t games;	  /* games that it has played, counted by seats */
	uint64_t entered; /* games of the ladder (see setup) when it came */
	uint64_t seat[SEATS_MAX]; /* how often it sat in each seat */
};

/* The ways in which a game ends for a seat. */
enum pairing_end {
	PAIRING_FINE,
	PAIRING_NOT_STARTED, /* its program did not start, or did not answer */
	PAIRING_SILENT,	     /* its program ended before its first word */
	PAIRING_CRASHED,     /* its program ended, or its connection */
	PAIRING_RETIRED,     /* other faults, too many of them */
};

struct pairing_table {
	int bot[SEATS_MAX]; /* handles by seat */
	uint64_t started_us;
};

/* The values that pairing_enter() may return in place of a handle. */
#define PAIRING_FULL (-1)  /* PAIRING_BOTS_MAX are there */
#define PAIRING_THERE (-2) /* a bot has that name */

/* ---- bots come and go ------------------------------------------------- */

struct pairing *pairing_new(const struct pairing_setup *setup) MUST_CHECK;
void pairing_free(struct pairing *pairing); /* NULL is fine */

/* Adds a bot to the ladder for good, and returns its handle, the next number.
 * The bot offers no games yet.  A bot that goes away stays on the ladder and
 * offers none, so that a suspension goes on. */
int pairing_enter(struct pairing *pairing, const char *name,
		  const struct pairing_known *known) MUST_CHECK;

/* Returns the bot's handle, or -1. */
int pairing_find(const struct pairing *pairing, const char *name);

/* Tells of a game in which the two met before this struct was made; tell the
 * oldest first. */
void pairing_met(struct pairing *pairing, int a, int b);

/* Says that the bot can begin `free` more games now, which may be 0.
 * pairing_next() takes one away for each seat that it gives the bot.  Nothing
 * else changes the number: call this again when a game of the bot has ended. */
void pairing_offer(struct pairing *pairing, int bot, unsigned free);

/* Says that the bot offers no games and is not expected back soon.  This holds
 * until it offers some. */
void pairing_leave(struct pairing *pairing, int bot);

/* A remote bot cannot have two seats at a table, whatever the ladder allows:
 * over one connection a game has one seat.  All others share room for games
 * with bots of other ladders.  While they are held, they are offered no games,
 * whatever pairing_offer() said.  So one call says that the shared room is
 * full. */
void pairing_remote(struct pairing *pairing, int bot, bool remote);
void pairing_hold(struct pairing *pairing, bool held);

/* Sets the bot's owner, from the next table on. "" is no owner, and keeps no
 * bots apart; a bot that has just entered has no owner. */
void pairing_own(struct pairing *pairing, int bot, const char *owner);

/* Sets whether bots of one owner are kept apart, from the next table on. */
void pairing_set_apart(struct pairing *pairing, bool apart);

/* Returns true if the bots for which sits() is true can never fill a table,
 * even if all of them have room, because owners are kept apart.  Sets `*bots`
 * to their number, and `*apart` to how many of them could sit at one table. */
bool pairing_blocked(struct pairing *pairing,
		     bool (*sits)(const void *arg, int bot), const void *arg,
		     unsigned *bots, unsigned *apart);

void pairing_rate(struct pairing *pairing, int bot, int64_t rating_milli);

/* Begins a new fit (fit.h), which pairing_fit() then gives bot by bot.  A bot
 * that it has not given yet stands at its running rating plus `shift_milli`,
 * which is the mean of the fit less the rating that bots enter with. */
void pairing_refit(struct pairing *pairing, int64_t shift_milli);
/* Sets where the bot stands, whatever its running rating. */
void pairing_fit(struct pairing *pairing, int bot, int64_t fit_milli);

/* Call it when the ladder was rebuilt.  Sets the games of all bots to 0 and
 * their ratings to `rating_milli`; pairing_recount() and pairing_rate() then
 * give the new ones, bot by bot.  It does not change who is next, who has met
 * whom and who sat where. */
void pairing_forget_games(struct pairing *pairing, int64_t rating_milli);
void pairing_recount(struct pairing *pairing, int bot, uint64_t games);

/* ---- tables ----------------------------------------------------------- */

/* Makes a table to begin now, and returns true.  Returns false if none can be
 * made now; then `*again_us` is when to ask again even if nothing else has
 * happened (a pause ends, or bots have waited long enough for company), or
 * PAIRING_NEVER. */
bool pairing_next(struct pairing *pairing, uint64_t now_us,
		  struct pairing_table *table, uint64_t *again_us) MUST_CHECK;

/* Tells how a table of pairing_next() has ended, by seat.  Call it once for
 * each table.  If `played` is true, the game counts; else the bots' games and
 * seats become as if it had not been. */
void pairing_ended(struct pairing *pairing, const struct pairing_table *table,
		   const enum pairing_end end[], bool played, uint64_t now_us);

/* ---- for people ------------------------------------------------------- */

struct pairing_suspension {
	enum pairing_end reason; /* of the last failure; PAIRING_FINE: none */
	unsigned steps;		 /* failures not made good; counted up to the
				  * longest pause */
	uint64_t failed;	 /* all failures since it entered */
	uint64_t until_us;	 /* end of the last pause; 0: there was none */
};

struct pairing_bot_view {
	const char *name; /* borrowed until it leaves or another enters */
	int64_t rating_milli;
	bool fitted;
	int64_t fit_milli; /* where distances are measured from, fitted or not */
	uint64_t games;	   /* finished games and running ones */
	uint64_t entered;
	uint64_t seat[SEATS_MAX];
	unsigned free, playing;
	uint64_t ended_us; /* its last game here; 0: there was none */
	struct pairing_suspension suspension;
};

void pairing_view(const struct pairing *pairing, int bot,
		  struct pairing_bot_view *view);

/* Writes a sentence for the bot's author: whether it is suspended, why and for
 * how much longer.  Returns true if it is suspended. */
bool pairing_suspension_tell(const struct pairing *pairing, int bot,
			     uint64_t now_us,
			     char text[PAIRING_SUSPENSION_BYTES]);

/* Ends a pause and forgets the failures behind it, because the bot was mended. */
void pairing_pardon(struct pairing *pairing, int bot);

#endif
