/* referee/match/swiss.c - see swiss.h. */
#include "referee/match/swiss.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/util.h"
#include "referee/match/blossom.h"

struct round {
	unsigned seats, bots;
	const struct swiss *swiss;
	blossom_weight *cost; /* owned; the cost of each pair */
	unsigned *place;      /* borrowed; the tables, seat by seat */
};

/* Returns the cost of a pair.  Its parts have so many bits that no sum over a
 * round reaches the next part. */
static blossom_weight
cost_of(const struct swiss *swiss, unsigned a, unsigned b)
{
	const uint64_t x = swiss->points[a], y = swiss->points[b];
	const unsigned met = swiss->met(swiss->arg, a, b);
	blossom_weight cost = met > 0;

	cost = (cost << 28) + met;
	cost = (cost << 52) + (x > y ? x - y : y - x);
	return (cost << 28) + (a > b ? a - b : b - a);
}

static void
find_costs(struct round *round)
{
	const unsigned n = round->bots;

	round->cost = memory(NULL, (size_t)n * n * sizeof(*round->cost));
	for (unsigned a = 0; a < n; a++)
		for (unsigned b = 0; b < n; b++)
			round->cost[(size_t)a * n + b] =
				a == b ? 0 : cost_of(round->swiss, a, b);
}

/* ---- two seats -------------------------------------------------------- */

static void
seat_pairs(struct round *round)
{
	unsigned *mate = memory(NULL, round->bots * sizeof(*mate)), n = 0;

	blossom_match(round->bots, round->cost, mate);
	for (unsigned i = 0; i < round->bots; i++) {
		if (mate[i] < i)
			continue;
		round->place[n++] = i;
		round->place[n++] = mate[i];
	}
	free(mate);
}

/* ---- more seats ------------------------------------------------------- */

/* Returns how often the bot has met the first `n` of the table. */
static unsigned
count_met(const struct swiss *swiss, const unsigned table[], unsigned n,
	  unsigned bot)
{
	unsigned met = 0;

	for (unsigned i = 0; i < n; i++)
		met += swiss->met(swiss->arg, table[i], bot);
	return met;
}

static void
seat_from_top(struct round *round)
{
	unsigned *left = memory(NULL, round->bots * sizeof(*left));
	unsigned n = round->bots, *table = round->place, i, at, s;

	for (i = 0; i < n; i++)
		left[i] = i;
	for (; n > 0; table += round->seats)
		for (s = 0; s < round->seats; s++, n--) {
			for (at = 0, i = 1;
			     s > 0 && i < n && i < 2 * round->seats; i++)
				if (count_met(round->swiss, table, s, left[i]) <
				    count_met(round->swiss, table, s, left[at]))
					at = i;
			table[s] = left[at];
			memmove(&left[at], &left[at + 1],
				(n - 1 - at) * sizeof(*left));
		}
	free(left);
}

/* Returns what `bot` would cost at the table in place of the bot at this seat. */
static blossom_weight
cost_at(const struct round *round, unsigned seat, unsigned bot)
{
	const unsigned from = seat - seat % round->seats;
	blossom_weight sum = 0;

	for (unsigned i = from; i < from + round->seats; i++)
		if (i != seat)
			sum += round->cost[(size_t)bot * round->bots +
					   round->place[i]];
	return sum;
}

/* Swaps the bots of two seats at different tables if that makes the round
 * cheaper.  Returns true if it did. */
static bool
change_places(struct round *round, unsigned i, unsigned j)
{
	const unsigned a = round->place[i], b = round->place[j];

	if (cost_at(round, i, b) + cost_at(round, j, a) >=
	    cost_at(round, i, a) + cost_at(round, j, b))
		return false;
	round->place[i] = b;
	round->place[j] = a;
	return true;
}

static bool
improve(struct round *round)
{
	bool better = false;
	unsigned j;

	for (unsigned i = 0; i < round->bots; i++)
		for (j = i - i % round->seats + round->seats; j < round->bots;
		     j++)
			better |= change_places(round, i, j);
	return better;
}

static void
seat_groups(struct round *round)
{
	const size_t size = round->seats * sizeof(*round->place);
	const unsigned tables = round->bots / round->seats;

	seat_from_top(round);
	while (improve(round))
		continue;
	for (unsigned i = 0; i < tables; i++)
		qsort(&round->place[(size_t)i * round->seats], round->seats,
		      sizeof(*round->place), by_unsigned);
	/* Sort the tables by their first bots. */
	qsort(round->place, tables, size, by_unsigned);
}

void
swiss_seat(const struct swiss *swiss, unsigned place[])
{
	struct round round = { .seats = swiss->seats,
			       .bots = swiss->bots,
			       .swiss = swiss,
			       .place = place };

	if (swiss->bots % swiss->seats != 0)
		bug("%u bots cannot fill tables of %u", swiss->bots,
		    swiss->seats);
	find_costs(&round);
	if (round.seats == 2)
		seat_pairs(&round);
	else
		seat_groups(&round);
	free(round.cost);
}
