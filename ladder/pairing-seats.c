/* ladder/pairing-seats.c - who of a table sits in which seat. */
#include <string.h>

#include "ladder/pairing-inside.h"

/* Beyond this a bot's past is too uneven to weigh even more. */
#define EXCESS_MAX 64

/* How unwelcome the seat is: the square of how much more often the bot sat
 * there than where it sat least.  Squares, lest one bot bear it all. */
static uint64_t
cost(const struct pairing_bot *bot, unsigned seat, unsigned seats)
{
	uint64_t least = bot->seat[0], excess;
	unsigned i;

	for (i = 1; i < seats; i++)
		if (bot->seat[i] < least)
			least = bot->seat[i];
	excess = bot->seat[seat] - least;
	if (excess > EXCESS_MAX)
		excess = EXCESS_MAX;
	return excess * excess;
}

/* The cheapest way for the first bots of `at` to take the seats of a set, for
 * each set of seats; `last` is where the last of those bots then sits. */
static void
fill(const struct pairing *pairing, const int at[],
     unsigned char last[1 << SEATS_MAX])
{
	unsigned seats = pairing->seats, set, seat, bots;
	uint64_t total[1 << SEATS_MAX], sum;

	total[0] = 0;
	for (set = 1; set < 1u << seats; set++) {
		bots = (unsigned)__builtin_popcount(set);
		total[set] = UINT64_MAX;
		for (seat = 0; seat < seats; seat++) {
			if (!(set >> seat & 1))
				continue;
			sum = total[set ^ 1u << seat] +
			      cost(&pairing->bot[at[bots - 1]], seat, seats);
			if (sum < total[set]) {
				total[set] = sum;
				last[set] = (unsigned char)seat;
			}
		}
	}
}

void
pairing_seat(struct pairing *pairing, int at[])
{
	unsigned seats = pairing->seats, set = (1u << seats) - 1, i, other;
	unsigned char last[1 << SEATS_MAX];
	int order[SEATS_MAX], bot;

	/* Equal ways are told apart by the order of the bots: draw it. */
	for (i = seats - 1; i > 0; i--) {
		other = (unsigned)pairing_draw(pairing, i + 1);
		bot = at[i];
		at[i] = at[other];
		at[other] = bot;
	}
	memcpy(order, at, seats * sizeof(*order));
	fill(pairing, order, last);
	for (i = seats; i-- > 0; set ^= 1u << last[set])
		at[last[set]] = order[i];
}
