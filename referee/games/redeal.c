/* referee/games/redeal.c - pieces into places, each where it may lie.
 *
 * Pieces with fewer places are laid first.  If the sets of places nest, the
 * choice among the free places of a set never changes in how many ways the
 * rest can be laid, so each deal is equally likely.  Otherwise a piece may
 * find all its places taken: then it starts again, and at last moves others out
 * of the way; and pairs that may change places do so, many times, which evens
 * out what the order of laying has favoured. */
#include "referee/games/redeal.h"

#define TRIES 16
#define SWAPS 16 /* tried for each piece */
#define NOBODY 0xff

static unsigned
places_count(place_set set)
{
	return cards_count((card_set)set) + cards_count((card_set)(set >> 64));
}

/* Returns the k-th place of a set of more than k. */
static unsigned
place_nth(place_set set, unsigned k)
{
	unsigned low = cards_count((card_set)set);

	if (k < low)
		return card_nth((card_set)set, k);
	return 64 + card_nth((card_set)(set >> 64), k - low);
}

static bool
may_lie(const struct redeal *redeal, unsigned i, unsigned place)
{
	return redeal->where[i] >> place & 1;
}

/* Sorts the pieces by their number of places, rising, else as they were put in. */
static void
sort(const struct redeal *redeal, uint8_t order[PLACES_MAX])
{
	uint8_t from[PLACES_MAX + 1] = { 0 }, width[PLACES_MAX];

	for (unsigned i = 0; i < redeal->count; i++) {
		width[i] = (uint8_t)places_count(redeal->where[i]);
		from[width[i]]++;
	}
	for (unsigned i = 1; i <= PLACES_MAX; i++)
		from[i] = (uint8_t)(from[i] + from[i - 1]);
	for (unsigned i = redeal->count; i-- > 0;)
		order[--from[width[i]]] = (uint8_t)i;
}

/* Returns true if of any two sets one holds the other or they share nothing.  In rising
 * order each set is to hold or miss all of every one before. */
static bool
sets_nest(const struct redeal *redeal, const uint8_t order[PLACES_MAX])
{
	place_set different[PLACES_MAX], where, shared;
	unsigned n = 0, i, k;

	for (i = 0; i < redeal->count; i++) {
		where = redeal->where[order[i]];
		if (n > 0 && where == different[n - 1])
			continue;
		for (k = 0; k < n; k++) {
			shared = where & different[k];
			if (shared && shared != different[k])
				return false;
		}
		different[n++] = where;
	}
	return true;
}

static bool
lay_in_order(struct redeal *redeal, const uint8_t order[PLACES_MAX],
	     struct draws *draws)
{
	place_set open = redeal->open, where;
	unsigned n;

	for (unsigned i = 0; i < redeal->count; i++) {
		where = redeal->where[order[i]] & open;
		n = places_count(where);
		if (n == 0)
			return false;
		redeal->place[order[i]] =
			(uint8_t)place_nth(where, draws_below(draws, n));
		open ^= (place_set)1 << redeal->place[order[i]];
	}
	return true;
}

/* Finds a place for piece `i`, where necessary by moving others: one step of
 * the usual search for a matching (H. W. Kuhn, 1955).  `tried`: the places
 * that were looked at for this piece. */
static bool
make_room(struct redeal *redeal, unsigned i, uint8_t who[PLACES_MAX],
	  place_set *tried)
{
	for (unsigned place = 0; place < PLACES_MAX; place++) {
		if (!may_lie(redeal, i, place) || *tried >> place & 1)
			continue;
		*tried |= (place_set)1 << place;
		if (who[place] != NOBODY &&
		    !make_room(redeal, who[place], who, tried))
			continue;
		who[place] = (uint8_t)i;
		redeal->place[i] = (uint8_t)place;
		return true;
	}
	return false;
}

bool
redeal_possible(struct redeal *redeal)
{
	uint8_t who[PLACES_MAX];
	place_set tried;

	memset(who, NOBODY, sizeof(who));
	for (unsigned i = 0; i < redeal->count; i++) {
		tried = 0;
		if (!make_room(redeal, i, who, &tried))
			return false;
	}
	return true;
}

/* Walks among the deals from any one to another as easily as back, so none is favoured
 * in the end. */
static void
swap_pairs(struct redeal *redeal, struct draws *draws)
{
	unsigned tries = SWAPS * redeal->count, a, b;
	uint8_t place;

	while (tries-- > 0) {
		a = draws_below(draws, redeal->count);
		b = draws_below(draws, redeal->count);
		if (!may_lie(redeal, a, redeal->place[b]) ||
		    !may_lie(redeal, b, redeal->place[a]))
			continue;
		place = redeal->place[a];
		redeal->place[a] = redeal->place[b];
		redeal->place[b] = place;
	}
}

static bool
lay(struct redeal *redeal, struct draws *draws)
{
	uint8_t order[PLACES_MAX];
	unsigned tries;

	sort(redeal, order);
	if (sets_nest(redeal, order))
		return lay_in_order(redeal, order, draws);
	for (tries = 0; tries < TRIES; tries++)
		if (lay_in_order(redeal, order, draws))
			break;
	if (tries == TRIES && !redeal_possible(redeal))
		return false;
	swap_pairs(redeal, draws);
	return true;
}

bool
redeal(struct redeal *redeal, struct draws *draws, uint8_t dealt[PLACES_MAX])
{
	if (redeal->count != places_count(redeal->open))
		bug("%u pieces for %u places", redeal->count,
		    places_count(redeal->open));
	if (!lay(redeal, draws))
		return false;
	for (unsigned i = 0; i < redeal->count; i++)
		dealt[redeal->place[i]] = redeal->piece[i];
	return true;
}
