/* referee/scheduler/share.h - how a bot that sits on several ladders shares its
 * games out among them.
 *
 * A ladder pairs an offered bot at once, so a bot with room for one game would
 * play on the busiest ladder and nowhere else.  Therefore its room is offered
 * on one ladder after the other: first where it has played least since it sat
 * down (of several: where it has not played for longest), then, when no table
 * there has taken it up, on the next one, too, and so on.  So it plays about as
 * many games on each.
 *
 * Where others play, or would if they did not play elsewhere, it waits a
 * little, for they may soon be free: as long as
 * its last game took, for each game that it is behind there in comparison with
 * the ladder that comes next.  That is at most SHARE_LAG times as long and
 * never more than a minute, and when it was in vain it first plays as many
 * games before it waits again: a game that hangs takes half of its time at
 * most.  No other bot waits for it: those that are there play on.
 *
 * It is a function of the calls.  There is no I/O here, and no clock.  Ladders
 * are small numbers. */
#ifndef REFEREE_SHARE_H
#define REFEREE_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"

#define SHARE_LADDERS 64 /* a bit for each */

/* Games that a bot may be behind on a ladder, and get back: when no bot is
 * there for hours, that is not made up for. */
#define SHARE_LAG 16

#define SHARE_WAIT_US_MAX UINT64_C(60000000)

#define SHARE_NEVER UINT64_MAX /* no time at all */

/* Of one bot; zeroed: it sits nowhere. */
struct share {
	uint64_t sits;
	uint64_t open;		       /* of them: where its room is offered */
	uint64_t known;		       /* where it sat when it last sat down */
	uint64_t games[SHARE_LADDERS]; /* begun since then, and games that it
					* was lent to be level with others */
	unsigned playing, room;	       /* games that run, that can begin */
	uint64_t patient;	       /* games to play before it waits */
	uint64_t since_us;	       /* it has had room, and began no game */
	uint64_t began_us, lasted_us;  /* its last game */
};

/* What is asked about a ladder. */
struct share_calls {
	/* Whether others are busy there or elsewhere, and the bot might soon be
	 * seated. */
	bool (*hopes)(void *arg, unsigned ladder);
	/* When it has last played there; 0: never. */
	uint64_t (*played_us)(void *arg, unsigned ladder);
};

/* It sits on these now, and nowhere else.  Where it sat before its games go on
 * being counted; elsewhere it begins level with where it has played least. */
void share_sit(struct share *share, uint64_t sits, uint64_t now_us);
void share_rise(struct share *share);
/* A ladder goes, and another may come in its place. */
void share_drop(struct share *share, unsigned ladder);
/* So many of its games run now, and it can begin so many more. */
void share_room(struct share *share, unsigned playing, unsigned room,
		uint64_t now_us);
/* A game has begun for it; share_room() follows. */
void share_begins(struct share *share, unsigned ladder, uint64_t now_us);

/* Offer the room on one more ladder, which is `open` from now on:
 * its number.  -1: on no other, before *again_us, or share_room() or what
 * hopes() says has changed. */
int share_widen(struct share *share, const struct share_calls *calls, void *arg,
		uint64_t now_us, uint64_t *again_us) MUST_CHECK;

#endif
