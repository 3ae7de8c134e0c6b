/* tests/soak/bars.c - checks that the bars of a match cover what they promise.
 *
 *	bars MATCHES
 *
 * Plays that many matches of 100 games of every game, with from 4 seats to its
 * maximum, by the engines alone: three bots make the house move, the others any
 * legal one.  Bots of one kind are the same program, so their true score is the
 * same: the mean over all matches.  A bot that sits behind a better one more
 * often than its twins do shows in how often its bar covers that.
 *
 * Then it plays ten times as many matches of dice of known strength, for the
 * bars of scores and of differences between pairs that were fixed beforehand.
 * Speaks TAP. */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/match/schedule.h"
#include "referee/match/standings.h"
#include "referee/table/deal.h"

#define GAMES 100
#define HOUSES 3 /* the first bots; the others are random */
/* A correct bar covers at least this many standard deviations less than it
 * promises: 90 % of 300 matches. */
#define PROMISED .95
#define DEVIATIONS 4

/* ---- a game ------------------------------------------------------------ */

struct player {
	struct game game;
	struct chance chance;
	struct draws draws; /* of the random bots */
	struct events events;
	struct legal legal[SEATS_MAX];
	const unsigned *bot; /* by seat */
};

/* Picks an entry of the seat's legal list, and the integer if it is a range. */
static unsigned
pick(struct player *player, unsigned seat, int *n)
{
	struct legal *legal = &player->legal[seat];
	const struct move *move;
	unsigned entry = 0;

	game_legal(&player->game, seat, legal);
	if (player->bot[seat] >= HOUSES)
		entry = draws_below(&player->draws, legal->count);
	move = &legal->move[entry];
	*n = move->n;
	if (move->n != move->top)
		*n += (int)draws_below(&player->draws,
				       (unsigned)(move->top - move->n) + 1);
	return entry;
}

static void
decide(struct player *player)
{
	const struct decision *decision = &player->game.decision;
	struct move answer[SEATS_MAX];
	unsigned i, seat, entry[SEATS_MAX];
	int n[SEATS_MAX], mover = decision->holder;

	for (i = 0; i < decision->count; i++) {
		seat = decision->seat[i];
		entry[seat] = pick(player, seat, &n[seat]);
		answer[seat] = player->legal[seat].move[entry[seat]];
	}
	if (decision->kind != DECISION_SINGLE)
		mover = game_first(&player->game, answer);
	if (mover < 0)
		game_quiet(&player->game, &player->chance, &player->events);
	else
		game_choose(&player->game, &player->legal[mover], entry[mover],
			    n[mover], &player->chance, &player->events);
}

static void
play(struct player *player, const struct game_setup *setup, uint64_t deal,
     struct match_result *outcome)
{
	unsigned char seed[CHANCE_SEED_BYTES] = { 0 };
	struct game_score score[SEATS_MAX];
	unsigned s;

	memcpy(seed, &deal, sizeof(deal));
	chance_seed(&player->chance, seed);
	game_start(&player->game, setup, &player->chance, &player->events);
	while (!game_is_over(&player->game))
		decide(player);
	game_result(&player->game, score);
	memset(outcome->place, 0, sizeof(outcome->place));
	for (s = 0; s < setup->seats; s++)
		outcome->place[s] = score[s].place;
}

/* ---- matches ------------------------------------------------------------ */

/* Holds the score of a bot in each match, and its bars. */
struct told {
	double *score, *error; /* owned; by match */
};

static void
play_match(struct player *player, const struct game_setup *setup,
	   unsigned long number, struct told told[])
{
	unsigned seats = setup->seats, g, b;
	struct match_standing *standing;
	struct match_result result = { .counts = true };
	struct standings *standings = standings_new(seats, seats);
	struct schedule *schedule;
	char seed[64];

	snprintf(seed, sizeof(seed), "%s %u %lu", setup->rules->name, seats,
		 number);
	schedule = schedule_new(seats, seats, seed);
	player->bot = result.bot;
	for (g = 1; g <= (GAMES + seats - 1) / seats * seats; g++) {
		result.number = g;
		schedule_next(schedule, result.bot);
		play(player, setup, number << 16 | g, &result);
		standings_add(standings, &result);
	}
	standing = standings_make(standings, NULL);
	for (b = 0; b < seats; b++) {
		told[standing[b].bot].score[number] = standing[b].score;
		told[standing[b].bot].error[number] = standing[b].error;
	}
	free(standing);
	standings_free(standings);
	schedule_free(schedule);
}

/* Returns the true score of the bots `from` to `to` - 1. */
static double
find_truth(const struct told told[], unsigned from, unsigned to,
	   unsigned long matches)
{
	double sum = 0;

	for (unsigned b = from; b < to; b++)
		for (unsigned long m = 0; m < matches; m++)
			sum += told[b].score[m];
	return sum / (double)matches / (to - from);
}

static double
find_share(const struct told *told, double truth, unsigned long matches)
{
	unsigned long covered = 0;

	for (unsigned long m = 0; m < matches; m++)
		covered += fabs(told->score[m] - truth) <= told->error[m];
	return (double)covered / (double)matches;
}

/* Measures the share of bars of each bot that cover its true score, least and most. */
static void
measure(const struct told told[], unsigned bots, unsigned long matches,
	double *least, double *most)
{
	const double truth[2] = { find_truth(told, 0, HOUSES, matches),
				  find_truth(told, HOUSES, bots, matches) };
	double share;

	*least = 1;
	*most = 0;
	for (unsigned b = 0; b < bots; b++) {
		share = find_share(&told[b], truth[b >= HOUSES], matches);
		*least = fmin(*least, share);
		*most = fmax(*most, share);
	}
	printf("# scores: house %.3f, random %.3f\n", truth[0], truth[1]);
}

static bool
try_line_up(struct player *player, const struct game_setup *setup,
	    unsigned long matches, unsigned number)
{
	const double floor =
		PROMISED -
		DEVIATIONS * sqrt(PROMISED * (1 - PROMISED) / (double)matches);
	struct told told[SEATS_MAX];
	double least, most;
	unsigned b;

	for (b = 0; b < setup->seats; b++) {
		told[b].score = calloc(matches, sizeof(double));
		told[b].error = calloc(matches, sizeof(double));
		if (told[b].score == NULL || told[b].error == NULL)
			bug("out of memory");
	}
	for (unsigned long m = 0; m < matches; m++)
		play_match(player, setup, m, told);
	measure(told, setup->seats, matches, &least, &most);
	for (b = 0; b < setup->seats; b++) {
		free(told[b].score);
		free(told[b].error);
	}
	printf("%sok %u - %s, %u seats: each bar covers in %.1f to %.1f %% of "
	       "%lu matches\n",
	       least >= floor ? "" : "not ", number, setup->rules->name,
	       setup->seats, 100 * least, 100 * most, matches);
	fflush(stdout);
	return least >= floor;
}

/* ---- dice -------------------------------------------------------------- */

/* Strengths are spread evenly between -spread and spread. */
static const struct field {
	unsigned bots, seats, sets; /* of all together */
	double spread;
} fields[] = {
	{ 2, 2, 30, .5 },  { 3, 3, 15, 1 },    { 4, 4, 20, 1.2 },
	{ 7, 7, 20, 1.2 }, { 6, 2, 60, 1 },    { 12, 2, 132, 1.2 },
	{ 8, 4, 40, 1.2 }, { 20, 8, 50, 1.2 }, { 5, 2, 40, 1 },
};
#define DICE_MAX 20 /* bots of a field */
/* In many matches 93 to 97 % of the truths are within the bars; in few matches
 * chance matters more. */
#define MANY 3000
#define TRUTHS (2 * DICE_MAX) /* scores, then differences to the next */

/* Holds what was found in a match: scores or differences, and their bars. */
struct found {
	double value[TRUTHS], error[TRUTHS];
};

static double
gumbel(struct draws *draws)
{
	return -log(-log(((double)draws_word(draws) + .5) / 4294967296));
}

/* Rolls an outcome from strength, seat, the bot on the seat before, a mood for
 * the set, and chance.  Now and then the first bot is level with the second. */
static void
roll(struct draws *draws, const struct field *field, const unsigned bot[],
     const double mood[], struct match_result *outcome)
{
	double value[SEATS_MAX];
	unsigned s, t;

	memset(outcome->place, 0, sizeof(outcome->place));
	for (s = 0; s < field->seats; s++) {
		t = (s + field->seats - 1) % field->seats;
		value[s] =
			field->spread * (2. * bot[s] / (field->bots - 1) - 1) +
			(s == 0 ? .3 : 0) - .2 * bot[t] / field->bots +
			mood[bot[s]] + gumbel(draws);
	}
	if (draws_below(draws, 10) == 0)
		value[0] = value[1];
	for (s = 0; s < field->seats; s++)
		for (outcome->place[s] = 1, t = 0; t < field->seats; t++)
			outcome->place[s] += value[t] > value[s];
}

static void
play_dice(struct draws *draws, const struct field *field, unsigned long number,
	  struct found *found)
{
	const unsigned bots = field->bots, all = field->sets * field->seats;
	struct standings *standings = standings_new(bots, field->seats);
	struct match_standing *standing;
	double mood[DICE_MAX] = { 0 };
	struct match_result result = { .counts = true };
	struct schedule *schedule;
	unsigned g, b;
	char seed[64];

	snprintf(seed, sizeof(seed), "dice %u %lu", bots, number);
	schedule = schedule_new(bots, field->seats, seed);
	for (g = 1; g <= all; g++) {
		for (b = 0; b < bots && g % field->seats == 1; b++)
			mood[b] = .2 * gumbel(draws);
		result.number = g;
		schedule_next(schedule, result.bot);
		roll(draws, field, result.bot, mood, &result);
		standings_add(standings, &result);
	}
	standing = standings_make(standings, NULL);
	for (b = 0; b < bots; b++) {
		found->value[standing[b].bot] = standing[b].score;
		found->error[standing[b].bot] = standing[b].error;
	}
	for (b = 0; b + 1 < bots; b++) {
		found->value[bots + b] = found->value[b] - found->value[b + 1];
		found->error[bots + b] = standings_error(standings, b, b + 1);
	}
	free(standing);
	standings_free(standings);
	schedule_free(schedule);
}

/* Returns the mean share of covered truths of the numbers `from` to `to` - 1. */
static double
find_mean(const struct found found[], unsigned long matches, unsigned from,
	  unsigned to)
{
	unsigned long covered = 0, m;
	double truth;

	for (unsigned i = from; i < to; i++) {
		for (truth = 0, m = 0; m < matches; m++)
			truth += found[m].value[i] / (double)matches;
		for (m = 0; m < matches; m++)
			covered += fabs(found[m].value[i] - truth) <=
				   found[m].error[i];
	}
	return (double)covered / (double)matches / (to - from);
}

static bool
try_dice(struct draws *draws, const struct field *field, unsigned long matches,
	 unsigned number)
{
	struct found *found = calloc(matches, sizeof(*found));
	const double spread = sqrt(PROMISED * (1 - PROMISED) / (double)matches);
	const double slack = .02 + (matches < MANY ? 4 * spread : 0);
	double scores, pairs;
	bool good;

	if (found == NULL)
		bug("out of memory");
	for (unsigned long m = 0; m < matches; m++)
		play_dice(draws, field, m, &found[m]);
	scores = find_mean(found, matches, 0, field->bots);
	pairs = find_mean(found, matches, field->bots, 2 * field->bots - 1);
	good = fabs(scores - PROMISED) <= slack &&
	       fabs(pairs - PROMISED) <= slack;
	printf("%sok %u - dice, %u bots, %u seats, %u sets: bars of scores "
	       "cover %.1f %%, of differences %.1f %% of %lu matches\n",
	       good ? "" : "not ", number, field->bots, field->seats,
	       field->sets, 100 * scores, 100 * pairs, matches);
	fflush(stdout);
	free(found);
	return good;
}

int
main(int argc, char **argv)
{
	struct player *player = calloc(1, sizeof(*player));
	const unsigned long matches =
		argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned char key[DRAWS_SEED_BYTES] = { 0 };
	const struct game_rules *const *rules;
	struct game_setup setup;
	unsigned number = 0, seats;
	bool good = true;

	if (matches == 0 || player == NULL || sodium_init() < 0) {
		fputs("usage: bars MATCHES\n", stderr);
		return 2;
	}
	/* Always the same: among hundreds of bars some miss the floor by chance. */
	draws_seed(&player->draws, key);
	for (rules = games; *rules != NULL; rules++) {
		for (seats = 4; seats <= (*rules)->max_seats; seats++) {
			game_setup_init(&setup, *rules, seats);
			good &= try_line_up(player, &setup, matches, ++number);
		}
	}
	for (size_t i = 0; i < NELEM(fields); i++)
		good &= try_dice(&player->draws, &fields[i], 10 * matches,
				 ++number);
	printf("1..%u\n", number);
	free(player);
	return good ? 0 : 1;
}
