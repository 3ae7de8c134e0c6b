/* tests/world/arrivals.c - see arrivals.h. */
#include "tests/world/arrivals.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "protocol/clock.h"
#include "protocol/limits.h"
#include "tests/world/world.h"

#define MOMENT_US 250000
#define GAMES 64 /* that are remembered */
/* Chance lets the same of two win so often in turn once in a million lives. */
#define AGAIN_MOST 20

struct arrivals {
	char id[ID_BYTES + 1];
	uint64_t moment;
	unsigned seats; /* a set: those that have answered at this moment */
	/* Set to the winner of each set of seats, plus one; 0: none yet. */
	unsigned char winner[1 << SEATS_MAX];
};

static struct arrivals games[GAMES];
static unsigned used;
/* Count how often the winner among the same seats of a game was the same one as before,
 * and how often another one. */
static unsigned again, other;

static struct arrivals *
game_of(const char *id)
{
	struct arrivals *game = games;

	while (game < games + GAMES && strcmp(game->id, id) != 0)
		game++;
	if (game < games + GAMES)
		return game;
	game = &games[used++ % GAMES];
	memset(game, 0, sizeof(*game));
	snprintf(game->id, sizeof(game->id), "%s", id);
	return game;
}

uint64_t
arrivals_moment(uint64_t us)
{
	return (us / MOMENT_US + 1) * MOMENT_US;
}

void
arrivals_answer(const char *id, unsigned seat)
{
	struct arrivals *game = game_of(id);
	const uint64_t moment = clock_us() / MOMENT_US;

	if (game->moment != moment)
		game->seats = 0;
	game->moment = moment;
	game->seats |= 1u << seat;
}

void
arrivals_move(const char *id, unsigned seat)
{
	struct arrivals *game = game_of(id);
	const unsigned seats = game->seats;
	unsigned char *winner = &game->winner[seats];

	game->seats = 0;
	if ((seats & (seats - 1)) == 0 || (seats >> seat & 1) == 0)
		return;
	again += *winner == seat + 1;
	other += *winner != 0 && *winner != seat + 1;
	*winner = (unsigned char)(seat + 1);
	if (other == 0 && again == AGAIN_MOST)
		world_broken("%u times the answer of the same seat counted "
			     "among some that came at one moment, as in %s",
			     again, id);
}
