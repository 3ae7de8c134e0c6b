/* referee/match/schedule.c - chooses the bots of each set of games and their
 * order.
 *
 * Both choices are greedy: each set takes what occurred least so far, and the
 * seed decides between equals. */
#include "referee/match/schedule.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "referee/games/draws.h"

/* A set takes the best of so many orders; up to six seats have no more orders.
 * Five bots have 24 orders, which are six families of four that are even by
 * themselves.  If all of them were looked at, a match would consist of whole
 * families.  The sets of one family give a bot much the same from its
 * neighbours, so bars computed between sets would be too narrow (house moves at
 * durnius: they covered 88 % instead of 95; with four orders 94 %). */
#define ORDERS 200
#define ORDERS_OF_FIVE 4
#define SETS_APART 2 /* the most by which the bots' numbers of sets differ */

struct schedule {
	unsigned bots, seats;
	unsigned kept; /* the first `kept` bots sit at every table */
	struct draws draws;
	uint32_t *sets; /* owned; by bot: sets so far */
	uint32_t *met;	/* owned; by bot and bot: sets together */
	/* Owned; by bot, bot and distance - 1: the sets in which the second sat
	 * so many seats after the first. */
	uint32_t *after;
	unsigned order[SEATS_MAX]; /* the bots of this set, around the table */
	unsigned rotation;	   /* games of this set so far; `seats`: a new
				    * set is next */
};

struct schedule *
schedule_new(unsigned bots, unsigned seats, const char *seed)
{
	static const unsigned char use[] = "schedule";
	struct schedule *schedule = zeroed(1, sizeof(*schedule));
	const size_t pairs = (size_t)bots * bots;
	unsigned char key[DRAWS_SEED_BYTES];

	schedule->bots = bots;
	schedule->seats = seats;
	schedule->rotation = seats;
	schedule->sets = zeroed(bots, sizeof(*schedule->sets));
	schedule->met = zeroed(pairs, sizeof(*schedule->met));
	schedule->after = zeroed(pairs * (seats - 1), sizeof(*schedule->after));
	crypto_generichash(key, sizeof(key), (const unsigned char *)seed,
			   strlen(seed), use, sizeof(use) - 1);
	draws_seed(&schedule->draws, key);
	return schedule;
}

void
schedule_free(struct schedule *schedule)
{
	if (schedule == NULL)
		return;
	free(schedule->sets);
	free(schedule->met);
	free(schedule->after);
	free(schedule);
}

void
schedule_keep(struct schedule *schedule, unsigned count)
{
	schedule->kept = count;
}

static uint32_t *
met(const struct schedule *schedule, unsigned a, unsigned b)
{
	return &schedule->met[(size_t)a * schedule->bots + b];
}

static uint32_t *
after(const struct schedule *schedule, unsigned a, unsigned b,
      unsigned distance)
{
	return &schedule->after[((size_t)a * schedule->bots + b) *
					(schedule->seats - 1) +
				distance - 1];
}

/* ---- which bots ------------------------------------------------------- */

static uint32_t
fewest_sets(const struct schedule *schedule)
{
	uint32_t least = schedule->sets[0];

	for (unsigned b = 1; b < schedule->bots; b++)
		if (schedule->sets[b] < least)
			least = schedule->sets[b];
	return least;
}

/* Returns the cost of bot `b` at the table of the first `n`; lower is better.
 * It is twice the sum of the growth of the squares of the meetings and half the
 * bot's sets. */
static uint64_t
cost_of_bot(const struct schedule *schedule, const unsigned table[], unsigned n,
	    unsigned b)
{
	uint64_t cost = schedule->sets[b];

	for (unsigned i = 0; i < n; i++)
		cost += 2 * (2 * (uint64_t)*met(schedule, table[i], b) + 1);
	return cost;
}

/* Returns true if the bot would be too far ahead.  It sits at a table only if
 * too few others are there; then all bots that are behind sit there, too. */
static bool
is_ahead(const struct schedule *schedule, uint32_t least, unsigned b)
{
	return schedule->sets[b] >= least + SETS_APART;
}

static bool
sits(const unsigned table[], unsigned n, unsigned b)
{
	for (unsigned i = 0; i < n; i++)
		if (table[i] == b)
			return true;
	return false;
}

/* Returns the best next bot for the table of the first `n`. */
static unsigned
choose_bot(struct schedule *schedule, const unsigned table[], unsigned n)
{
	const uint32_t least = fewest_sets(schedule);
	uint64_t cost, lowest = UINT64_MAX;
	unsigned best = 0, equals = 0;

	for (unsigned b = 0; b < schedule->bots; b++) {
		if (sits(table, n, b))
			continue;
		cost = n == 0 ? schedule->sets[b]
			      : cost_of_bot(schedule, table, n, b);
		if (is_ahead(schedule, least, b))
			cost += (uint64_t)1 << 62;
		if (cost > lowest)
			continue;
		equals = cost < lowest ? 1 : equals + 1;
		lowest = cost;
		if (draws_below(&schedule->draws, equals) == 0)
			best = b;
	}
	return best;
}

void
schedule_meet(struct schedule *schedule, const unsigned table[])
{
	for (unsigned n = 0; n < schedule->seats; n++) {
		for (unsigned i = 0; i < n; i++) {
			++*met(schedule, table[n], table[i]);
			++*met(schedule, table[i], table[n]);
		}
		schedule->sets[table[n]]++;
	}
}

unsigned
schedule_met(const struct schedule *schedule, unsigned a, unsigned b)
{
	return *met(schedule, a, b);
}

void
schedule_choose(struct schedule *schedule, int hero, unsigned table[SEATS_MAX])
{
	unsigned n = 0;

	if (hero >= 0)
		table[n++] = (unsigned)hero;
	for (; n < schedule->seats; n++)
		table[n] =
			n < schedule->kept ? n : choose_bot(schedule, table, n);
}

/* ---- in which order --------------------------------------------------- */

/* Returns by how much the squares of the counters grow with this order.
 * Neighbours count twice, because the bot next to a bot matters most. */
static uint64_t
cost_of_order(const struct schedule *schedule, const unsigned order[])
{
	const unsigned seats = schedule->seats;
	uint64_t cost = 0, grows;

	for (unsigned i = 0; i < seats; i++) {
		for (unsigned d = 1; d < seats; d++) {
			grows = 2 * (uint64_t)*after(schedule, order[i],
						     order[(i + d) % seats],
						     d) +
				1;
			cost += d == 1 || d == seats - 1 ? 2 * grows : grows;
		}
	}
	return cost;
}

/* Shuffles all of `n` bots but the first `stay`. */
static void
shuffle(struct schedule *schedule, unsigned order[], unsigned stay, unsigned n)
{
	unsigned j, bot;

	for (unsigned i = n - 1; i > stay; i--) {
		j = stay + draws_below(&schedule->draws, i + 1 - stay);
		bot = order[i];
		order[i] = order[j];
		order[j] = bot;
	}
}

void
schedule_draw(struct schedule *schedule, unsigned order[])
{
	for (unsigned b = 0; b < schedule->bots; b++)
		order[b] = b;
	shuffle(schedule, order, 0, schedule->bots);
}

/* The first bot stays where it is: only the circle counts. */
void
schedule_sit(struct schedule *schedule, const unsigned table[])
{
	const unsigned seats = schedule->seats;
	unsigned order[SEATS_MAX], i, d;
	const unsigned orders = seats == 2   ? 1
				: seats == 5 ? ORDERS_OF_FIVE
					     : ORDERS;
	uint64_t cost, lowest = UINT64_MAX;

	memcpy(order, table, seats * sizeof(*order));
	for (i = 0; i < orders; i++) {
		shuffle(schedule, order, 1, seats);
		cost = cost_of_order(schedule, order);
		if (cost >= lowest)
			continue;
		lowest = cost;
		memcpy(schedule->order, order, seats * sizeof(*order));
	}
	for (i = 0; i < seats; i++)
		for (d = 1; d < seats; d++)
			++*after(schedule, schedule->order[i],
				 schedule->order[(i + d) % seats], d);
	schedule->rotation = 0;
}

/* ---- games ------------------------------------------------------------ */

void
schedule_next(struct schedule *schedule, unsigned bot[SEATS_MAX])
{
	unsigned i, seats = schedule->seats, table[SEATS_MAX] = { 0 };

	if (schedule->rotation == seats) {
		schedule_choose(schedule, -1, table);
		schedule_meet(schedule, table);
		schedule_sit(schedule, table);
	}
	for (i = 0; i < seats; i++)
		bot[(i + schedule->rotation) % seats] = schedule->order[i];
	schedule->rotation++;
}

static enum match_next
next(void *arg, uint64_t number UNUSED, struct match_game *game)
{
	schedule_next(arg, game->bot);
	return MATCH_GAME;
}

struct match_source
schedule_source(struct schedule *schedule)
{
	return (struct match_source){ .next = next, .arg = schedule };
}
