/* referee/scheduler/share.c - see share.h. */
#include "referee/scheduler/share.h"

static bool
has(uint64_t ladders, unsigned ladder)
{
	return ladders >> ladder & 1;
}

/* Returns the first ladder of the set from `from` on; SHARE_LADDERS if there is
 * none. */
static unsigned
next_of(uint64_t ladders, unsigned from)
{
	while (from < SHARE_LADDERS && !has(ladders, from))
		from++;
	return from;
}

static uint64_t
least_games(const struct share *share, uint64_t ladders)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = next_of(ladders, 0); i < SHARE_LADDERS;
	     i = next_of(ladders, i + 1))
		if (share->games[i] < least)
			least = share->games[i];
	return least == UINT64_MAX ? 0 : least;
}

/* ---- what becomes of it ----------------------------------------------- */

void
share_sit(struct share *share, uint64_t sits, uint64_t now_us)
{
	uint64_t level = least_games(share, sits & share->known);

	for (unsigned i = next_of(sits & ~share->known, 0); i < SHARE_LADDERS;
	     i = next_of(sits & ~share->known, i + 1))
		share->games[i] = level;
	if (share->sits == 0)
		share->since_us = now_us;
	share->sits = share->known = sits;
	share->open = 0;
}

void
share_rise(struct share *share)
{
	share->sits = share->open = 0;
}

void
share_drop(struct share *share, unsigned ladder)
{
	const uint64_t others = ~(UINT64_C(1) << ladder);

	share->sits &= others;
	share->open &= others;
	share->known &= others;
}

void
share_room(struct share *share, unsigned playing, unsigned room,
	   uint64_t now_us)
{
	if (playing < share->playing)
		share->lasted_us = now_us - share->began_us;
	if (room > 0 && share->room == 0) {
		share->since_us = now_us;
		share->open = 0;
	}
	share->playing = playing;
	share->room = room;
}

static void
keep_within_lag(struct share *share, uint64_t most)
{
	for (unsigned i = next_of(share->sits, 0); i < SHARE_LADDERS;
	     i = next_of(share->sits, i + 1))
		if (most > SHARE_LAG && share->games[i] < most - SHARE_LAG)
			share->games[i] = most - SHARE_LAG;
}

void
share_begins(struct share *share, unsigned ladder, uint64_t now_us)
{
	if (share->games[ladder] == least_games(share, share->sits))
		share->patient = 0;
	else if (share->patient > 0)
		share->patient--;
	keep_within_lag(share, ++share->games[ladder]);
	share->began_us = share->since_us = now_us;
	share->open = 0;
}

/* ---- where it is offered ---------------------------------------------- */

/* Returns the ladder of these where it has played least; among several, the one
 * where it has not played for longest. */
static unsigned
first_of(const struct share *share, uint64_t ladders,
	 const struct share_calls *calls, void *arg)
{
	uint64_t least = least_games(share, ladders), oldest_us = UINT64_MAX;
	unsigned i, first = SHARE_LADDERS;

	for (i = next_of(ladders, 0); i < SHARE_LADDERS;
	     i = next_of(ladders, i + 1)) {
		if (share->games[i] > least)
			continue;
		if (first < SHARE_LADDERS &&
		    calls->played_us(arg, i) >= oldest_us)
			continue;
		first = i;
		oldest_us = calls->played_us(arg, i);
	}
	return first;
}

/* Returns how many games it is behind, in comparison with this ladder, on an
 * open one where it may soon be seated. */
static uint64_t
behind(const struct share *share, unsigned ladder,
       const struct share_calls *calls, void *arg)
{
	uint64_t most = 0, games;

	for (unsigned i = next_of(share->open, 0); i < SHARE_LADDERS;
	     i = next_of(share->open, i + 1)) {
		games = share->games[ladder] - share->games[i];
		if (games > most && calls->may_pair_soon(arg, i))
			most = games;
	}
	return most;
}

int
share_widen(struct share *share, const struct share_calls *calls, void *arg,
	    uint64_t now_us, uint64_t *again_us)
{
	uint64_t closed = share->sits & ~share->open, games, wait_us;
	unsigned ladder;

	*again_us = SHARE_NEVER;
	if (closed == 0 || share->room == 0)
		return -1;
	ladder = first_of(share, closed, calls, arg);
	games = share->patient > 0 ? 0 : behind(share, ladder, calls, arg);
	wait_us = games * share->lasted_us;
	if (wait_us > SHARE_WAIT_US_MAX)
		wait_us = SHARE_WAIT_US_MAX;
	if (now_us < share->since_us + wait_us) {
		*again_us = share->since_us + wait_us;
		return -1;
	}
	if (wait_us > 0)
		share->patient = games;
	share->open |= UINT64_C(1) << ladder;
	return (int)ladder;
}
