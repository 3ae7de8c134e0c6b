/* tests/unit/test-residuals.c - simulated workers, with fixed seeds.
 *
 * doc/MANY-MACHINES.md has what longer runs came to (RESIDUALS_GAMES=20000000
 * tests/unit/test-queue in a build without
 * sanitizers). */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/residuals.h"

#define WORKERS 4
#define BOTS 20

static uint64_t state;

static double
uniform(void)
{
	uint64_t x;

	state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
	x = state;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((x ^ x >> 31) >> 11) / (double)(UINT64_C(1) << 53);
}

/* What is odd about worker 0. */
struct odd {
	double slow;   /* Elo that every other bot loses there */
	double faults; /* a game of which a bot loses time there, */
	double usual;  /* and elsewhere */
};

static double
strength(unsigned bot, unsigned worker, const struct odd *odd)
{
	return 40.0 * bot - (worker == 0 && bot % 2 != 0 ? odd->slow : 0);
}

/* Plays a game; bots meet those that are near in rating. */
static void
play(struct residuals *residuals, unsigned seats, const struct odd *odd,
     struct residuals_found *found)
{
	static const char *const worker[WORKERS] = { "w0", "w1", "w2", "w3" };
	static char bot[BOTS][8], id[33];
	static uint64_t number;
	struct residuals_game game = { .ladder = "l", .id = id };
	const unsigned w = (unsigned)(uniform() * WORKERS);
	const unsigned first = (unsigned)(uniform() * (BOTS - seats));
	double key[SEATS_MAX];
	unsigned b, s, o;

	snprintf(id, sizeof(id), "%016llx", (unsigned long long)number++);
	game.worker = worker[w];
	game.seats = seats;
	for (s = 0; s < seats; s++) {
		b = first + s;
		snprintf(bot[b], sizeof(bot[b]), "b%u", b);
		game.bot[s] = bot[b];
		/* Plackett and Luce: who is first in a race */
		key[s] = -log(uniform() + 1e-300) /
			 pow(10, strength(b, w, odd) / 400);
		game.faulted[s] =
			uniform() < (w == 0 ? odd->faults : odd->usual);
	}
	for (s = 0; s < seats; s++)
		for (game.place[s] = 1, o = 0; o < seats; o++)
			game.place[s] += key[o] < key[s];
	residuals_add(residuals, &game, found);
}

/* Plays until worker 0 is suspended, `most` games at most: how many it was.
 * Counts others that were. */
static unsigned
until_out(unsigned seats, const struct odd *odd, unsigned most, unsigned *wrong)
{
	struct residuals *residuals = residuals_new();
	struct residuals_found found;
	unsigned n = 0;

	for (; n < most; n++) {
		play(residuals, seats, odd, &found);
		if (found.level != RESIDUALS_OUT)
			continue;
		if (strcmp(found.worker, "w0") == 0)
			break;
		++*wrong;
	}
	residuals_free(residuals);
	return n;
}

/* From tables, and where a tail is far. */
Test(residuals, chances)
{
	static const struct {
		double x;
		unsigned freedom;
		double chance;
	} cases[] = {
		{ 0, 3, 1 },
		{ 3.841458820694124, 1, 0.05 },
		{ 18.307038053275146, 10, 0.05 },
		{ 124.34211340400407, 100, 0.05 },
		{ 77.92946516501727, 100, 0.95 },
		{ 37.32489311, 1, 1e-9 },
		{ 41.44653167389282, 2, 1e-9 },
	};

	for (unsigned i = 0; i < NELEM(cases); i++)
		cr_expect_float_eq(
			residuals_chance(cases[i].x, cases[i].freedom) /
				cases[i].chance,
			1, 1e-6, "%g of %u: %g", cases[i].x, cases[i].freedom,
			residuals_chance(cases[i].x, cases[i].freedom));
	cr_expect_eq(residuals_chance(9, 0), 1);
}

/* Neither for scores nor for the faults that all have. */
Test(residuals, a_sound_worker_is_left_alone)
{
	static const struct odd sound = { .faults = 0.02, .usual = 0.02 };
	const char *more = getenv("RESIDUALS_GAMES");
	const double most = more == NULL ? 200000 : strtod(more, NULL);
	struct residuals_found found;
	struct residuals *residuals;
	unsigned least = 0;
	double p = 1;

	state = 1;
	for (unsigned seats = 2; seats <= 4; seats += 2) {
		residuals = residuals_new();
		for (double n = 0; n < most; n++) {
			play(residuals, seats, &sound, &found);
			if (found.level == RESIDUALS_FINE)
				continue;
			least++;
			p = fmin(p, found.p);
		}
		residuals_free(residuals);
	}
	cr_expect_eq(least, 0, "%u found, with %g at least", least, p);
}

Test(residuals, an_odd_worker_is_found)
{
	static const struct {
		unsigned seats;
		struct odd odd;
		unsigned most; /* games of all workers */
	} cases[] = {
		{ 2, { .slow = 400 }, 4000 },
		{ 4, { .slow = 400 }, 4000 },
		{ 2, { .slow = 100 }, 80000 },
		{ 2, { .faults = 0.1 }, 1000 },
		{ 2, { .faults = 0.15, .usual = 0.02 }, 2000 },
		{ 2, { .faults = 0.02 }, 16000 },
	};
	unsigned n, wrong = 0;

	state = 2;
	for (unsigned i = 0; i < NELEM(cases); i++) {
		n = until_out(cases[i].seats, &cases[i].odd, cases[i].most + 1,
			      &wrong);
		cr_log_info("case %u: %u games", i, n);
		cr_expect_leq(n, cases[i].most, "case %u", i);
	}
	cr_expect_eq(wrong, 0, "another was suspended");
}

/* Two bots of FEW meet, where each is 150 Elo better than the one before; the
 * first one never on worker 0, until game `until`. */
#define FEW 4

static enum residuals_level
play_few(unsigned until, unsigned games, char who[8])
{
	static const char *const worker[] = { "w0", "w1", "w2" };
	static const char *const bot[FEW] = { "b0", "b1", "b2", "b3" };
	struct residuals *residuals = residuals_new();
	struct residuals_game game = { .ladder = "l", .seats = 2 };
	enum residuals_level worst = RESIDUALS_FINE;
	struct residuals_found found;
	unsigned a, b, w;
	char id[33];

	for (unsigned n = 0; n < games && worst == RESIDUALS_FINE; n++) {
		a = (unsigned)(uniform() * FEW);
		b = (a + 1 + (unsigned)(uniform() * (FEW - 1))) % FEW;
		w = (unsigned)(uniform() * NELEM(worker));
		if (n < until && (a == 0 || b == 0))
			w = 1 + w % 2;
		snprintf(id, sizeof(id), "%016x", n);
		game.id = id;
		game.worker = worker[w];
		game.bot[0] = bot[a];
		game.bot[1] = bot[b];
		game.place[0] =
			uniform() < 1 / (1 +
					 pow(10, 150.0 * ((double)b - a) / 400))
				? 1
				: 2;
		game.place[1] = 3 - game.place[0];
		residuals_add(residuals, &game, &found);
		worst = found.level;
	}
	snprintf(who, 8, "%.7s", worst == RESIDUALS_FINE ? "" : found.worker);
	residuals_free(residuals);
	return worst;
}

/* The others have other opponents there. */
Test(residuals, a_worker_that_cannot_have_a_bot_is_left_alone)
{
	static const unsigned until[] = { 2000, 4000, 8000, 10000, 30000 };
	char who[8];

	for (unsigned i = 0; i < NELEM(until); i++)
		for (state = 30; state < 34; state++)
			cr_expect_eq(play_few(until[i], 24000, who),
				     RESIDUALS_FINE, "case %u: %s", i, who);
}

/* A third worker has another ladder, so either of the two may be odd. */
Test(residuals, of_two_workers_with_a_ladder_none_is_suspended)
{
	static const char *const worker[] = { "w0", "w1", "w2" };
	struct residuals *residuals = residuals_new();
	struct residuals_game game = { .seats = 2, .bot = { "a", "b" } };
	struct residuals_found found;
	unsigned level[3] = { 0 };
	unsigned w;
	char id[33];

	state = 40;
	for (unsigned n = 0; n < 30000; n++) {
		w = (unsigned)(uniform() * NELEM(worker));
		snprintf(id, sizeof(id), "%016x", n);
		game.id = id;
		game.ladder = w < 2 ? "deep" : "l";
		game.worker = worker[w];
		game.place[0] = uniform() < (w == 0 ? 0.8 : 0.5) ? 1 : 2;
		game.place[1] = 3 - game.place[0];
		residuals_add(residuals, &game, &found);
		level[found.level]++;
	}
	residuals_free(residuals);
	cr_expect_gt(level[RESIDUALS_ODD], 0);
	cr_expect_eq(level[RESIDUALS_OUT], 0);
}

/* From what game on, and up to which, worker 3 is away. */
struct away {
	unsigned from, to;
};

/* The better of two bots is better still from its game 6000 on; on worker 0 it
 * is `slow` worse. */
static enum residuals_level
play_two(const struct away *away, double slow, unsigned games, char who[8])
{
	static const char *const worker[WORKERS] = { "w0", "w1", "w2", "w3" };
	struct residuals *residuals = residuals_new();
	struct residuals_game game = { .ladder = "l",
				       .seats = 2,
				       .bot = { "a", "b" } };
	enum residuals_level worst = RESIDUALS_FINE;
	struct residuals_found found;
	char id[33];
	unsigned w;

	for (unsigned n = 0; n < games && worst == RESIDUALS_FINE; n++) {
		w = (unsigned)(uniform() * (n >= away->from && n < away->to
						    ? WORKERS - 1
						    : WORKERS));
		snprintf(id, sizeof(id), "%016x", n);
		game.id = id;
		game.worker = worker[w];
		game.place[0] =
			uniform() < (n < 6000 ? 0.6 : 0.9) - (w == 0 ? slow : 0)
				? 1
				: 2;
		game.place[1] = 3 - game.place[0];
		game.faulted[0] = n >= 6000 && uniform() < 0.3;
		residuals_add(residuals, &game, &found);
		worst = found.level;
	}
	snprintf(who, 8, "%.7s", worst == RESIDUALS_FINE ? "" : found.worker);
	residuals_free(residuals);
	return worst;
}

/* Then each worker has other games, for which neither it nor the others are to
 * blame. */
Test(residuals, a_worker_may_come_and_go_while_bots_change)
{
	static const struct away away[] = {
		{ 0, 1000 },	 { 0, 4000 },	 { 0, 6000 },	 { 0, 7000 },
		{ 6000, 17000 }, { 5000, 7000 }, { 3000, 9000 },
	};
	char who[8];

	for (unsigned i = 0; i < NELEM(away); i++)
		for (state = 10; state < 20; state++)
			cr_expect_eq(play_two(&away[i], 0, 20000, who),
				     RESIDUALS_FINE, "case %u: %s", i, who);
}

Test(residuals, one_that_stays_is_found_meanwhile)
{
	static const struct away away = { 0, 6000 };
	char who[8];

	state = 20;
	cr_expect_neq(play_two(&away, 0.1, 20000, who), RESIDUALS_FINE);
	cr_expect_str_eq(who, "w0");
}
