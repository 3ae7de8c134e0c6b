/* ladder/pairing-seats.c - chooses the seats of a table's bots. */
#include <string.h>

#include "ladder/pairing-inside.h"

/* A bot's past weighs no more beyond this, however uneven it is. */
#define EXCESS_MAX 64

/* Returns the cost of a seat: the square of how much more often the bot sat
 * there than where it sat least.  Squares keep one bot from bearing all of it. */
static uint64_t
cost(const struct pairing_bot *bot, unsigned seat, unsigned seats)
{
	uint64_t least = bot->seat[0], excess;

	for (unsigned i = 1; i < seats; i++)
		if (bot->seat[i] < least)
			least = bot->seat[i];
	excess = bot->seat[seat] - least;
	if (excess > EXCESS_MAX)
		excess = EXCESS_MAX;
	return excess * excess;
}

/* Finds for each set of seats the cheapest way for the first bots of `at` to
 * take them.  Sets `last` to the seat of the last of those bots. */
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

	/* The order of the bots decides between equal ways, so it is drawn. */
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
