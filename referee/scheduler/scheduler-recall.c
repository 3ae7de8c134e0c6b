/* referee/scheduler/scheduler-recall.c - makes a pairing of a ladder's past. */
#include "referee/scheduler/scheduler-recall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/scheduler/scheduler-fit.h"

#define RECALLED 2000 /* games of before: who has just met whom */

struct recall {
	const struct scheduler_standings *standings; /* sorted by name */
	uint64_t (*seat)[SEATS_MAX]; /* owned; games of each bot by seat */
	struct pairing *pairing;
	uint64_t met_from; /* games before this number are not recent */
	uint64_t number;   /* number of the game being read, from 0 */
};

/* ---- standings --------------------------------------------------------- */

static int
by_name(const void *a, const void *b)
{
	const struct ladder_standing *one = a, *other = b;

	return strcmp(one->bot, other->bot);
}

static void
on_standing(void *arg, const struct ladder_standing *standing)
{
	struct scheduler_standings *standings = arg;

	*ADDED(standings->of, standings->count) = *standing;
}

int
scheduler_standings_read(struct ladder *ladder, struct ladder_pool *pool,
			 struct scheduler_standings *standings,
			 struct error *why)
{
	int result = ladder_pool_find(ladder, pool, why);

	if (result == 0 && pool->number != 0)
		result = ladder_standings(ladder, pool->number, on_standing,
					  standings, why);
	if (standings->count > 0)
		qsort(standings->of, standings->count, sizeof(*standings->of),
		      by_name);
	return result;
}

uint64_t
scheduler_standings_seats(const struct scheduler_standings *standings)
{
	uint64_t seats = 0;

	for (size_t i = 0; i < standings->count; i++)
		seats += (uint64_t)standings->of[i].games;
	return seats;
}

/* ---- games ------------------------------------------------------------- */

static void
on_game(void *arg, const struct ladder_game *game)
{
	struct recall *recall = arg;
	const struct ladder_standing *found;
	struct ladder_standing key;

	if (game->void_number > 0)
		return;
	for (unsigned s = 0; s < game->seats; s++) {
		memcpy(key.bot, game->seat[s].bot, sizeof(key.bot));
		found = bsearch(&key, recall->standings->of,
				recall->standings->count, sizeof(key), by_name);
		if (found != NULL)
			recall->seat[found - recall->standings->of][s]++;
	}
}

static void
on_late_game(void *arg, const struct ladder_game *game)
{
	struct recall *recall = arg;
	int a, b;

	if (game->void_number > 0 || recall->number++ < recall->met_from)
		return;
	for (unsigned s = 0; s < game->seats; s++) {
		for (unsigned t = s + 1; t < game->seats; t++) {
			a = pairing_find(recall->pairing, game->seat[s].bot);
			b = pairing_find(recall->pairing, game->seat[t].bot);
			if (a >= 0 && b >= 0 && a != b)
				pairing_met(recall->pairing, a, b);
		}
	}
}

bool
scheduler_apart(const struct config_ladder *setup)
{
	return setup->setup.seats > 2 && !setup->same_owner;
}

void
scheduler_pool(const struct config_ladder *setup, struct ladder_pool *pool)
{
	memset(pool, 0, sizeof(*pool));
	snprintf(pool->game, sizeof(pool->game), "%s",
		 setup->setup.rules->name);
	game_setup_text(&setup->setup, false, pool->options,
			sizeof(pool->options));
	pool->seats = setup->setup.seats;
	pool->arrival = setup->arrival;
}

/* ---- all of it --------------------------------------------------------- */

static void
enter_all(struct recall *recall)
{
	const struct ladder_standing *standing;
	struct pairing_known known;

	for (size_t i = 0; i < recall->standings->count; i++) {
		standing = &recall->standings->of[i];
		known = (struct pairing_known){
			.rating_milli = standing->rating_milli,
			.games = (uint64_t)standing->games,
			.entered = (uint64_t)standing->entered,
		};
		memcpy(known.seat, recall->seat[i], sizeof(known.seat));
		if (pairing_enter(recall->pairing, standing->bot, &known) < 0)
			break; /* the rest is not here anyway */
	}
}

struct pairing *
scheduler_recall(struct ladder *ladder, const struct config_ladder *setup,
		 uint64_t seed, struct scheduler_standings *standings,
		 struct error *why)
{
	static const enum pairing_manner manners[] = {
		[CONFIG_RANDOM] = PAIRING_ANY,
		[CONFIG_RATING] = PAIRING_NEAR,
		[CONFIG_ROUNDS] = PAIRING_ROUNDS,
	};
	struct pairing_setup pairing = { .manner = manners[setup->pairing],
					 .seats = setup->setup.seats,
					 .same_bot = setup->same_bot_twice,
					 .apart = scheduler_apart(setup),
					 .seed = seed };
	struct recall recall = { .standings = standings };
	struct ladder_pool pool;
	struct fit_kept *kept;
	int result;

	scheduler_pool(setup, &pool);
	result = scheduler_standings_read(ladder, &pool, standings, why);
	recall.seat = zeroed(standings->count + 1, sizeof(*recall.seat));
	if (result == 0 && pool.number != 0)
		result = ladder_games(ladder, NULL, pool.number, on_game,
				      &recall, why);
	if (result == 0) {
		pairing.games =
			scheduler_standings_seats(standings) / pairing.seats;
		recall.met_from =
			pairing.games > RECALLED ? pairing.games - RECALLED : 0;
		recall.pairing = pairing_new(&pairing);
		enter_all(&recall);
		kept = scheduler_fit_read(ladder, &pool);
		scheduler_fit_tell(recall.pairing, setup->start_milli, kept);
		fit_kept_free(kept);
	}
	if (result == 0 && pool.number != 0)
		result = ladder_games(ladder, NULL, pool.number, on_late_game,
				      &recall, why);
	free(recall.seat);
	if (result == 0)
		return recall.pairing;
	pairing_free(recall.pairing);
	return NULL;
}
