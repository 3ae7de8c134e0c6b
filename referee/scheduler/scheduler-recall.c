/* referee/scheduler/scheduler-recall.c - a pairing out of a ladder's past. */
#include "referee/scheduler/scheduler-recall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/scheduler/scheduler-fit.h"

struct past {
	char bot[NAME_BYTES + 1];
	struct pairing_known known;
	uint64_t faults[FAULT_KINDS];
};

struct recall {
	struct past *past; /* owned; by name */
	size_t count;
	struct pairing *pairing;
	uint64_t games;	   /* of the pool */
	uint64_t met_from; /* games before this number are not of late */
	uint64_t number;   /* of the game that is looked at, from 0 */
};

static int
compare(const void *a, const void *b)
{
	const struct past *one = a, *other = b;

	return strcmp(one->bot, other->bot);
}

static struct past *
find(struct recall *recall, const char *bot)
{
	struct past key;

	snprintf(key.bot, sizeof(key.bot), "%s", bot);
	return bsearch(&key, recall->past, recall->count, sizeof(key), compare);
}

static void
on_standing(void *arg, const struct ladder_standing *standing)
{
	struct recall *recall = arg;
	struct past *past;

	recall->past =
		grown(recall->past, recall->count, sizeof(*recall->past));
	past = &recall->past[recall->count++];
	memset(past, 0, sizeof(*past));
	memcpy(past->bot, standing->bot, sizeof(past->bot));
	past->known.rating_milli = standing->rating_milli;
	past->known.games = (uint64_t)standing->games;
	past->known.entered = (uint64_t)standing->entered;
	memcpy(past->faults, standing->faults, sizeof(past->faults));
}

/* Seats, and how many games there are. */
static void
on_game(void *arg, const struct ladder_game *game)
{
	struct recall *recall = arg;
	struct past *past;
	unsigned s;

	if (game->void_number > 0)
		return;
	recall->games++;
	for (s = 0; s < game->seats; s++) {
		past = find(recall, game->seat[s].bot);
		if (past != NULL)
			past->known.seat[s]++;
	}
}

static void
on_late_game(void *arg, const struct ladder_game *game)
{
	struct recall *recall = arg;
	unsigned s, t;
	int a, b;

	if (game->void_number > 0 || recall->number++ < recall->met_from)
		return;
	for (s = 0; s < game->seats; s++) {
		for (t = s + 1; t < game->seats; t++) {
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

static int
read_past(struct ladder *ladder, const struct config_ladder *setup,
	  struct recall *recall, struct ladder_pool *pool, struct error *why)
{
	int result;

	scheduler_pool(setup, pool);
	result = ladder_pool_find(ladder, pool, why);
	if (result == 0 && pool->number != 0)
		result = ladder_standings(ladder, pool->number, on_standing,
					  recall, why);
	if (recall->count > 0)
		qsort(recall->past, recall->count, sizeof(*recall->past),
		      compare);
	if (result == 0 && pool->number != 0)
		result = ladder_games(ladder, NULL, pool->number, on_game,
				      recall, why);
	return result;
}

static int
enter_all(struct ladder *ladder, const struct config_ladder *setup,
	  struct ladder_pool *pool, struct recall *recall, unsigned met,
	  struct fault_counts *faults, struct error *why)
{
	struct fit_kept *kept = scheduler_fit_read(ladder, pool);
	size_t i;
	int bot;

	for (i = 0; i < recall->count; i++) {
		bot = pairing_enter(recall->pairing, recall->past[i].bot,
				    &recall->past[i].known);
		if (bot < 0)
			break; /* those at the end are not here anyway */
		fault_counts_set(faults, (unsigned)bot, recall->past[i].faults);
	}
	scheduler_fit_tell(recall->pairing, setup->start_milli, kept);
	fit_kept_free(kept);
	if (pool->number == 0)
		return 0;
	recall->met_from = recall->games > met ? recall->games - met : 0;
	return ladder_games(ladder, NULL, pool->number, on_late_game, recall,
			    why);
}

struct pairing *
scheduler_recall(struct ladder *ladder, const struct config_ladder *setup,
		 uint64_t seed, unsigned met, struct fault_counts *faults,
		 uint64_t *count, struct error *why)
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
	struct recall recall = { 0 };
	struct ladder_pool pool;
	int result;

	result = read_past(ladder, setup, &recall, &pool, why);
	if (result == 0) {
		pairing.games = recall.games;
		recall.pairing = pairing_new(&pairing);
		*count = recall.games;
		result = enter_all(ladder, setup, &pool, &recall, met, faults,
				   why);
	}
	free(recall.past);
	if (result == 0)
		return recall.pairing;
	pairing_free(recall.pairing);
	return NULL;
}
