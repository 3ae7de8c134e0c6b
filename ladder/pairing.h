/* ladder/pairing.h - who plays whom next, on a ladder that never stops.
 *
 * The policy, for organisers:
 *
 *   There are no rounds.  Whenever there is room for one more table, the bot
 *   that has played least takes the first seat, and opponents are found for it
 *   among those who are free at that moment.  A table begins as soon as it can;
 *   no bot waits until a slow bot has finished elsewhere, except as below.
 *
 *   Played least means: since it came, in comparison with the others.  A
 *   newcomer starts level with those who have played least, so it plays about
 *   as often as all others and not all day long; an old bot does not wait
 *   until the newcomers have as many games as it has.  Time away is not made
 *   up for, except a few games (PAIRING_LAG).  A slow bot plays fewer games
 *   than a quick one, but whenever it is free it is the first to be seated.
 *
 *   Opponents are drawn by lot from a window of near ratings, the nearer the
 *   likelier.  Ratings are those of the last fit of all games, which come to
 *   the truth with fewer games than the running ones; a bot that is not in it
 *   yet stands at the fit's mean, moved by what its running rating has gained
 *   or lost.  The window is 100 points to both sides, and twice as many, again
 *   and again, until there are a few to choose from.  Every fourth opponent is
 *   drawn for
 *   coverage instead: whatever its rating, one that the first bot has not met
 *   since it last had met all bots.  So each bot meets all others, the weakest
 *   and the strongest, time and again.  When all that it has yet to meet are
 *   playing, it waits for them now and then (at every fourth of its tables at
 *   most, and as long as its last game took): slow bots would else never be
 *   free at the same time.
 *
 *   A bot that the fit holds fixed (`random`) is like any other: it plays as
 *   often and meets all in the rounds of coverage.  More games of it would not
 *   make the distances of the others any surer.
 *
 *   A bot that others often draw, and that is so some games ahead, is passed
 *   over until it has played least itself.  Bots that have met of late are kept
 *   apart while there are others.  When only bots are free that have just
 *   played with each other and another is expected back, they wait for
 *   company as long as their last game took, but never more than ten minutes;
 *   then they play again.  When that happens several times in a row they wait
 *   twice as long, four times, at most eight times as long.  So quick bots do
 *   not fill the days with one another while the slow ones think.
 *
 *   No opponent has more than a third of a bot's last 60 games, nor the bot more
 *   than a third of the opponent's: before that happens, it waits until another
 *   one is free.  It waits only for those that have been free here in the last
 *   ten minutes and play now, here or on another ladder.  There must be enough
 *   of them: an opponent may always have twice what it would have if all were
 *   drawn alike, so with two others there is no bound.  At more than two seats
 *   it is half of the games, and it is the bot in the first seat that waits; the
 *   others are only kept apart while there are others.
 *
 *   Seats: of all ways to seat the bots of a table the one is taken that best
 *   evens out how often each of them has sat in each seat.  No bot sits twice
 *   at a table; where a ladder allows that, it happens only while there are
 *   fewer bots than seats.
 *
 *   Bots of one owner can be kept apart, because they could help each other
 *   where more than two play: then they never sit at a table together.  A bot
 *   that sits twice at a table, where a ladder allows that, does not count as
 *   meeting itself.
 *
 *   A bot that fails (crashes, does not start, is retired for its faults, …)
 *   is suspended: it gets no game for 30 seconds, the next time for a minute,
 *   then two, and so on up to an hour.  Three good games in a row take one step
 *   back.  Why, how often and how much longer can be read, and the organiser
 *   can pardon a bot.  The others go on.
 *
 * All of it is a function of the seed, the bots and the calls: the same calls
 * give the same tables on every machine.  There is no I/O here, and no clock:
 * `now_us` is a monotonic time in microseconds that the caller tells and that
 * never goes back.
 *
 * Cost: pairing_next() takes time in proportion to the bots that are in,
 * pairing_enter() now and then to their square, when it makes room; all others
 * take constant time.  Memory: a bit for each pair of
 * bots and some 600 bytes for each bot.
 *
 * Handles of bots are small numbers from 0.  A handle that is not in is the
 * caller's mistake: bug(). */
#ifndef LADDER_PAIRING_H
#define LADDER_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"

#define PAIRING_BOTS_MAX 16384 /* in one ladder */

/* Games: how far behind a bot may come and still get all of them back, and how
 * far ahead it may be drawn as an opponent until it is passed over. */
#define PAIRING_LAG 8
#define PAIRING_AHEAD 4

/* Opponents. */
#define PAIRING_WINDOW_MILLI 100000 /* rating points to each side, at first */
#define PAIRING_WINDOW_BOTS                                                    \
	4		      /* for each empty seat, else the window widens   \
			       */
#define PAIRING_COVER_EVERY 4 /* one opponent of so many is for coverage */
#define PAIRING_RECENT 8      /* opponents remembered as met of late */

/* So many last opponents are remembered as often as they met, and so often one of
 * them may be among these: in a third of the games at two seats, in half of them
 * at more. */
#define PAIRING_LAST 60
#define PAIRING_LAST_MOST(seats)                                               \
	((seats) == 2 ? PAIRING_LAST / 3 : PAIRING_LAST / 2 / ((seats)-1))

/* How long bots that have just met wait for others: as long as their last game
 * took, doubled for each table in a row that was much the same up to so many
 * times, but at most so long. */
#define PAIRING_PATIENCE_STEPS 3
#define PAIRING_PATIENCE_US_MAX UINT64_C(600000000)

/* Suspension. */
/* The first pause; each next one is twice as long. */
#define PAIRING_PAUSE_US UINT64_C(30000000)
#define PAIRING_PAUSE_US_MAX UINT64_C(3600000000)
#define PAIRING_PARDON_GAMES 3 /* good ones in a row: one step back */

#define PAIRING_SUSPENSION_BYTES 160 /* a sentence and its NUL */

#define PAIRING_NEVER UINT64_MAX /* no time at all */

struct pairing;

/* How opponents are found; zero is what the policy above says. */
enum pairing_manner {
	PAIRING_NEAR,	/* near in rating, every fourth for coverage */
	PAIRING_ANY,	/* likewise, but all ratings are equally near */
	PAIRING_ROUNDS, /* everybody in turn: all for coverage */
};

struct pairing_setup {
	enum pairing_manner manner;
	unsigned seats; /* 2 to SEATS_MAX */
	bool same_bot;	/* a bot may sit twice at a table */
	bool apart;	/* bots of one owner sit at no table together */
	uint64_t seed;
	uint64_t games; /* of the ladder so far, or its last serial */
};

/* What a bot brings along; zeroed: nothing, but for rating and `entered`. */
struct pairing_known {
	int64_t rating_milli;
	uint64_t games;	  /* that it has played, counted by seats */
	uint64_t entered; /* games of the ladder (see setup) when it came */
	uint64_t seat[SEATS_MAX]; /* how often it sat there */
};

/* How a game ended for a seat. */
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

/* What pairing_enter() may return in place of a handle. */
#define PAIRING_FULL (-1)  /* PAIRING_BOTS_MAX are in */
#define PAIRING_THERE (-2) /* one of that name is in */

/* ---- bots come and go ------------------------------------------------- */

struct pairing *pairing_new(const struct pairing_setup *setup) MUST_CHECK;
void pairing_free(struct pairing *pairing); /* NULL is fine */

/* A bot comes to the ladder, for good; its handle, which is the next one.  It
 * offers no games yet.  While it is away it offers none either: so a suspension
 * goes on. */
int pairing_enter(struct pairing *pairing, const char *name,
		  const struct pairing_known *known) MUST_CHECK;

/* The handle, or -1. */
int pairing_find(const struct pairing *pairing, const char *name);

/* They have met in a game before this struct was; oldest first. */
void pairing_met(struct pairing *pairing, int a, int b);

/* The bot can begin `free` more games now; 0: none.  pairing_next() takes one
 * away for each seat that it gives the bot.  Nothing else changes the number:
 * call this again when a game of the bot has ended. */
void pairing_offer(struct pairing *pairing, int bot, unsigned free);

/* It offers no games and is not expected back soon; until it offers some. */
void pairing_leave(struct pairing *pairing, int bot);

/* A remote bot cannot have two seats at a table, whatever the ladder allows: over one
 * connection a game has one seat.  All others share room for games with bots of other
 * ladders.  While they are held, they are offered no games, whatever pairing_offer()
 * said.  So one call tells that the shared room is full. */
void pairing_remote(struct pairing *pairing, int bot, bool remote);
void pairing_hold(struct pairing *pairing, bool held);

/* Who answers for it, from the next table on: "" (as for those that have just
 * entered) is no owner, and keeps no bots apart. */
void pairing_own(struct pairing *pairing, int bot, const char *owner);

/* Whether they are kept apart, from the next table on. */
void pairing_set_apart(struct pairing *pairing, bool apart);

/* Whether the bots that sits() is true of can never fill a table, even if all
 * of them have room, because owners are kept apart.  Sets `*bots`, how many
 * they are, and `*apart`, how many of them could sit at one table. */
bool pairing_blocked(struct pairing *pairing,
		     bool (*sits)(const void *arg, int bot), const void *arg,
		     unsigned *bots, unsigned *apart);

void pairing_rate(struct pairing *pairing, int bot, int64_t rating_milli);

/* A new fit (fit.h) has come; pairing_fit() then gives it bot by bot.  A bot that
 * it has not given yet stands at its running rating plus `shift_milli`, which is
 * the mean of the fit less the rating that bots enter with. */
void pairing_refit(struct pairing *pairing, int64_t shift_milli);
/* The bot stands here, whatever its running rating. */
void pairing_fit(struct pairing *pairing, int bot, int64_t fit_milli);

/* The ladder was rebuilt.  Sets the games of all bots to 0 and their ratings to
 * `rating_milli`; pairing_recount() and pairing_rate() then give the new ones,
 * bot by bot.  Who is next, who has met whom and who sat where stay as they
 * were. */
void pairing_forget_games(struct pairing *pairing, int64_t rating_milli);
void pairing_recount(struct pairing *pairing, int bot, uint64_t games);

/* ---- tables ----------------------------------------------------------- */

/* True: a table to begin now.  Else none can be made now; `*again_us` is when
 * to ask again although nothing else has happened (a pause ends, or bots have
 * waited long enough for company), or PAIRING_NEVER. */
bool pairing_next(struct pairing *pairing, uint64_t now_us,
		  struct pairing_table *table, uint64_t *again_us) MUST_CHECK;

/* A table of pairing_next() is done, by seat; once for each.  `played`: the
 * game counts; else the bots' games and seats are as if it had not been. */
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
	int64_t fit_milli; /* what distances are taken from, fitted or not */
	uint64_t games;	   /* finished and going on */
	uint64_t entered;
	uint64_t seat[SEATS_MAX];
	unsigned free, playing;
	uint64_t ended_us; /* its last game here; 0: there was none */
	struct pairing_suspension suspension;
};

void pairing_view(const struct pairing *pairing, int bot,
		  struct pairing_bot_view *view);

/* A sentence for the bot's author: whether it is suspended, why and for how
 * much longer.  True if it is suspended. */
bool pairing_suspension_tell(const struct pairing *pairing, int bot,
			     uint64_t now_us,
			     char text[PAIRING_SUSPENSION_BYTES]);

/* Ends a pause and forgets the failures behind it: the bot was mended. */
void pairing_pardon(struct pairing *pairing, int bot);

#endif
