/* referee/scheduler/share.h - shares the games of a bot out among the ladders
 * that it sits on.
 *
 * A ladder pairs an offered bot at once, so a bot with room for one game would
 * play on the busiest ladder and nowhere else.  Therefore its room is offered
 * on one ladder after the other.  The first is the one where it has played
 * least since it sat down; among several, the one where it has not played for
 * longest.  If no table there takes the offer, the room is offered on the next
 * ladder as well, and so on.  So it plays about as many games on each.
 *
 * On a ladder where others play, or would play if they were not busy elsewhere,
 * it waits a little, because they may soon be free.  It waits the time of its
 * last game for each game that it is behind there in comparison with the next
 * ladder.  That is at most SHARE_LAG times that time, and never more than a
 * minute.  If it has waited in vain, it plays as many games before it waits
 * again, so a game that hangs takes at most half of its time.  No other bot
 * waits for it: the others on the ladder play on.
 *
 * The result depends only on the calls: there is no I/O here, and no clock.
 * Ladders are small numbers. */
#ifndef REFEREE_SHARE_H
#define REFEREE_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"

#define SHARE_LADDERS 64 /* a bit for each */

/* The most games that a bot may be behind on a ladder and catch up later: hours
 * without opponents are not made up for. */
#define SHARE_LAG 16

#define SHARE_WAIT_US_MAX UINT64_C(60000000)

#define SHARE_NEVER UINT64_MAX /* no time */

/* The shares of one bot; zeroed: it sits nowhere. */
struct share {
	uint64_t sits;
	uint64_t open;	/* the ladders where its room is offered */
	uint64_t known; /* the ladders where it last sat down */
	uint64_t games[SHARE_LADDERS]; /* games begun since then, plus games
				        * added to be level with others */
	unsigned playing, room;	       /* running games; games that can begin */
	uint64_t patient;	       /* games to play before it waits */
	uint64_t since_us;	       /* since then it has room and began no
				        * game */
	uint64_t began_us, lasted_us;  /* begin and duration of its last game */
};

/* Questions about a ladder. */
struct share_calls {
	/* Returns true if others are busy there or elsewhere, so that the bot
	 * might soon be seated. */
	bool (*may_pair_soon)(void *arg, unsigned ladder);
	/* Returns when it has last played there; 0: never. */
	uint64_t (*played_us)(void *arg, unsigned ladder);
};

/* Lets it sit on these ladders and nowhere else.  Its games on ladders where it
 * sat before still count.  On the others it begins level with the ladder where
 * it has played least. */
void share_sit(struct share *share, uint64_t sits, uint64_t now_us);
void share_rise(struct share *share);
/* Forgets a ladder; another one may get its number. */
void share_drop(struct share *share, unsigned ladder);
/* Notes that `playing` of its games run now, and that it can begin `room` more. */
void share_room(struct share *share, unsigned playing, unsigned room,
		uint64_t now_us);
/* Notes that a game has begun for it.  Call share_room() next. */
void share_begins(struct share *share, unsigned ladder, uint64_t now_us);

/* Returns the number of one more ladder to offer the room on, which is `open`
 * from now on.  Returns -1 if there is none now: try again at `*again_us`, or
 * when the answers of may_pair_soon() or the room have changed. */
int share_widen(struct share *share, const struct share_calls *calls, void *arg,
		uint64_t now_us, uint64_t *again_us) MUST_CHECK;

#endif
