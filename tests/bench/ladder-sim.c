/* tests/bench/ladder-sim.c - how many games a ladder needs until its order is
 * the true one.
 *
 *	ladder-sim [SEED]		what `check` looks at: short
 *	CHECK_ALL=1 ladder-sim		the table of all fields and manners, too
 *	ladder-sim BOTS SEATS RUNS	one field
 *	ladder-sim BOTS SEATS RUNS HOME	one where all but HOME bots sit elsewhere, too
 *
 * It plays a ladder as the daemon does, with its pairing, its running ratings
 * and its fit.  Only the games are made up: strengths are normal with 200
 * points, places are by Plackett and Luce (the model of ladder/fit.h agrees
 * with them).  For each manner of pairing the figures are the games a bot until
 * Kendall's tau between the order of the ratings and the true one is 0.9, on
 * the mean over runs: by the fit, and by the running ratings.  A run has the
 * same strengths in all manners; even so the figures of 20 runs vary by about 5
 * %.
 *
 * Manners: `near` is the daemon's policy (ladder/pairing.h), with distances by
 * the fit, as it has them, or by the running ratings; `uniform` its `random`.
 * These two are only here, to compare: `swiss`: rounds; tables are made from
 * the highest sum of scores down, and a bot that has met another one of the
 * table more often than one of the next four is put back.  `info`: the bot with
 * the fewest games gets the opponents whose duels with it are worth most,
 * p(1-p) times the uncertainty of the two.
 *
 * It also prints which share of its games a bot had against its most frequent
 * opponent (the highest of a run, and the mean over all bots), and how long a
 * ladder needs, in lengths of a game.  A bot that sits elsewhere, too, plays
 * there after each game here, for AWAY games on the mean.
 *
 * The result depends only on the seed.  Speaks TAP. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/elo.h"
#include "ladder/fit.h"
#include "ladder/pairing.h"

#define SPREAD 200 /* points */
#define GOAL 0.9   /* of tau */
/* The short form has few runs, which suffice for seven seeds of eight. */
#define SPREAD_SHORT 500
#define GOAL_SHORT 0.9
#define STEP 4	 /* games a bot between two fits */
#define STEPS 64 /* 256 games a bot */
#define K_MILLI 16000
#define START_MILLI 1500000
#define GAME_US 1000000
#define TABLES_MAX 64
#define AWAY 4
#define PUT_BACK 4 /* places that swiss looks at to avoid a meeting */

enum manner { NEAR_FIT, NEAR_RUNNING, UNIFORM, SWISS, INFO, MANNERS };

static const char *const manner_name[] = { "near, by the fit",
					   "near, by running", "uniform",
					   "swiss", "info" };

static const double one = 400 / M_LN10;
static uint64_t seed = 24;

struct sim {
	enum manner manner;
	unsigned bots, seats, tables, home;
	double spread;
	uint64_t state;
	double *x;	     /* true strengths */
	double *guess;	     /* by the last fit, in strengths */
	double *known;	     /* information about each from duels: sums of
			      * p(1-p) */
	double *score;	     /* sums of the shares of the others beaten */
	unsigned *games;     /* of each */
	unsigned *order;     /* scratch */
	int64_t *running;    /* ratings */
	unsigned short *met; /* bots x bots */
	uint64_t *back_us;   /* when it comes back; 0: it is here */
	uint64_t played, now_us;
	struct fit *fit;
	struct pairing *pairing; /* NULL: swiss, info */
	struct pairing_table going[TABLES_MAX];
	unsigned running_tables;
};

/* ---- chance ----------------------------------------------------------- */

static uint64_t
draw(struct sim *sim)
{
	uint64_t z = sim->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Returns a number above 0 and below 1. */
static double
uniform(struct sim *sim)
{
	return (double)(draw(sim) >> 12) * 0x1p-52 + 0x1p-54;
}

/* ---- a game ----------------------------------------------------------- */

static void
count(struct sim *sim, const unsigned bot[], const int place[])
{
	int64_t before[SEATS_MAX] = { 0 }, delta[SEATS_MAX];
	unsigned n = sim->seats, s, t;
	double p;

	for (s = 0; s < n; s++)
		before[s] = sim->running[bot[s]];
	elo_deltas(n, before, place, K_MILLI, delta);
	for (s = 0; s < n; s++) {
		sim->running[bot[s]] += delta[s];
		sim->score[bot[s]] +=
			(double)(n - (unsigned)place[s]) / (n - 1);
		sim->games[bot[s]]++;
		for (t = 0; t < n; t++) {
			if (t == s)
				continue;
			p = 1 /
			    (1 + exp(sim->guess[bot[t]] - sim->guess[bot[s]]));
			sim->known[bot[s]] += p * (1 - p) / (n - 1);
			sim->met[bot[s] * sim->bots + bot[t]]++;
		}
	}
	fit_game(sim->fit, n, bot, place, FIT_ALONE);
	sim->played++;
}

static void
play(struct sim *sim, const unsigned bot[])
{
	double time[SEATS_MAX];
	int place[SEATS_MAX] = { 0 };
	unsigned s, t;

	for (s = 0; s < sim->seats; s++)
		time[s] = -log(uniform(sim)) / exp(sim->x[bot[s]]);
	for (s = 0; s < sim->seats; s++)
		for (t = 0, place[s] = 1; t < sim->seats; t++)
			place[s] += time[t] < time[s];
	count(sim, bot, place);
}

/* ---- as the daemon ---------------------------------------------------- */

/* Lets a bot whose game is over play here again, or elsewhere first. */
static void
go_on(struct sim *sim, unsigned bot)
{
	if (bot < sim->home)
		pairing_offer(sim->pairing, (int)bot, 1);
	else
		sim->back_us[bot] =
			sim->now_us + 1 +
			(uint64_t)(-log(uniform(sim)) * AWAY * GAME_US);
}

/* Brings those back whose time has come; returns when the next one will be. */
static uint64_t
come_back(struct sim *sim)
{
	uint64_t next_us = PAIRING_NEVER;
	unsigned b;

	for (b = sim->home; b < sim->bots; b++) {
		if (sim->back_us[b] == 0)
			continue;
		if (sim->back_us[b] <= sim->now_us) {
			sim->back_us[b] = 0;
			pairing_offer(sim->pairing, (int)b, 1);
		} else if (sim->back_us[b] < next_us) {
			next_us = sim->back_us[b];
		}
	}
	return next_us;
}

/* Ends the table that is over next, which gives its bots back. */
static void
end_table(struct sim *sim)
{
	static const enum pairing_end fine[SEATS_MAX];
	unsigned at = (unsigned)(draw(sim) % sim->running_tables), s;
	struct pairing_table table = sim->going[at];
	unsigned bot[SEATS_MAX];

	sim->going[at] = sim->going[--sim->running_tables];
	for (s = 0; s < sim->seats; s++)
		bot[s] = (unsigned)table.bot[s];
	play(sim, bot);
	sim->now_us += GAME_US / sim->tables;
	for (s = 0; s < sim->seats; s++)
		pairing_rate(sim->pairing, table.bot[s], sim->running[bot[s]]);
	pairing_ended(sim->pairing, &table, fine, true, sim->now_us);
	for (s = 0; s < sim->seats; s++)
		go_on(sim, (unsigned)table.bot[s]);
}

static void
play_daemon(struct sim *sim)
{
	uint64_t again_us = PAIRING_NEVER, back_us = come_back(sim);

	while (sim->running_tables < sim->tables &&
	       pairing_next(sim->pairing, sim->now_us,
			    &sim->going[sim->running_tables], &again_us))
		sim->running_tables++;
	if (sim->running_tables > 0)
		end_table(sim);
	else
		sim->now_us = back_us < again_us ? back_us : again_us;
}

static void
begin_daemon(struct sim *sim)
{
	struct pairing_setup setup = {
		.manner = sim->manner == UNIFORM ? PAIRING_ANY : PAIRING_NEAR,
		.seats = sim->seats,
		.seed = draw(sim),
	};
	struct pairing_known known = { .rating_milli = START_MILLI };
	char name[NAME_BYTES];
	unsigned b;

	sim->pairing = pairing_new(&setup);
	for (b = 0; b < sim->bots; b++) {
		snprintf(name, sizeof(name), "bot-%u", b);
		pairing_offer(sim->pairing,
			      pairing_enter(sim->pairing, name, &known), 1);
	}
}

/* ---- only here -------------------------------------------------------- */

static const double *by; /* what compare_keys() looks at, the most first */

static int
compare_keys(const void *left, const void *right)
{
	unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;

	if (by[a] != by[b])
		return by[a] > by[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* Returns how often the bot has met those at the table. */
static unsigned
meetings(const struct sim *sim, const unsigned table[], unsigned taken,
	 unsigned bot)
{
	unsigned i, n = 0;

	for (i = 0; i < taken; i++)
		n += sim->met[bot * sim->bots + table[i]];
	return n;
}

/* Plays a round in which every bot plays once, except the last ones that do not
 * fill a table. */
static void
play_swiss(struct sim *sim)
{
	double *key = sim->guess; /* unused by swiss otherwise */
	unsigned from, taken, i, best, moved, end;

	for (i = 0; i < sim->bots; i++) {
		sim->order[i] = i;
		key[i] = sim->score[i] - sim->games[i] / 2.0 +
			 1e-6 * uniform(sim);
	}
	by = key;
	qsort(sim->order, sim->bots, sizeof(unsigned), compare_keys);
	for (from = 0; from + sim->seats <= sim->bots; from += sim->seats) {
		for (taken = 1; taken < sim->seats; taken++) {
			best = from + taken;
			end = best + PUT_BACK < sim->bots ? best + PUT_BACK
							  : sim->bots;
			for (i = best + 1; i < end; i++)
				if (meetings(sim, sim->order + from, taken,
					     sim->order[i]) <
				    meetings(sim, sim->order + from, taken,
					     sim->order[best]))
					best = i;
			moved = sim->order[best];
			memmove(sim->order + from + taken + 1,
				sim->order + from + taken,
				(best - from - taken) * sizeof(unsigned));
			sim->order[from + taken] = moved;
		}
		play(sim, sim->order + from);
	}
}

static double
worth(const struct sim *sim, unsigned a, unsigned b)
{
	double p = 1 / (1 + exp(sim->guess[b] - sim->guess[a]));
	double prior = 0.25; /* a virtual game against an equal */

	return p * (1 - p) *
	       (1 / (sim->known[a] + prior) + 1 / (sim->known[b] + prior));
}

static void
play_info(struct sim *sim)
{
	unsigned table[SEATS_MAX], taken, b, i, lots = 0;
	double best, value;

	for (table[0] = 0, b = 1; b < sim->bots; b++)
		if (sim->games[b] < sim->games[table[0]] ||
		    (sim->games[b] == sim->games[table[0]] &&
		     draw(sim) % ++lots == 0))
			table[0] = b;
	for (taken = 1; taken < sim->seats; taken++) {
		best = -1;
		for (b = 0; b < sim->bots; b++) {
			for (i = 0; i < taken && table[i] != b; i++)
				;
			if (i < taken)
				continue;
			value = worth(sim, table[0], b) *
				(1 + 0.1 * uniform(sim));
			if (value > best) {
				best = value;
				table[taken] = b;
			}
		}
	}
	play(sim, table);
}

/* ---- one ladder ------------------------------------------------------- */

/* Returns Kendall's tau: pairs in the true order minus the others, divided by
 * all. */
static double
tau(const struct sim *sim, const double value[])
{
	int64_t right = 0, pairs = 0;
	unsigned a, b;
	double d;

	for (a = 0; a < sim->bots; a++)
		for (b = 0; b < a; b++) {
			d = (value[a] - value[b]) * (sim->x[a] - sim->x[b]);
			right += (d > 0) - (d < 0);
			pairs++;
		}
	return (double)right / (double)pairs;
}

static double
tau_running(const struct sim *sim)
{
	double *value = memory(NULL, sim->bots * sizeof(*value)), result;
	unsigned b;

	for (b = 0; b < sim->bots; b++)
		value[b] = (double)sim->running[b];
	result = tau(sim, value);
	free(value);
	return result;
}

/* Does what the daemon does when a fit is done. */
static double
refit(struct sim *sim)
{
	const struct fit_row *row;
	struct error why;
	double *value, result;
	unsigned b;

	if (fit_solve(sim->fit, true, &why) < 0) {
		printf("Bail out! %s\n", why.text);
		exit(1);
	}
	row = fit_rows(sim->fit);
	value = memory(NULL, sim->bots * sizeof(*value));
	for (b = 0; b < sim->bots; b++)
		value[row[b].bot] = (row[b].rating - FIT_CENTRE) / one;
	if (sim->manner == NEAR_FIT)
		pairing_refit(sim->pairing, 0);
	for (b = 0; b < sim->bots; b++)
		if (sim->manner == NEAR_FIT && row[b].games > 0)
			pairing_fit(sim->pairing, (int)row[b].bot,
				    llround(row[b].rating * 1000));
	result = tau(sim, value);
	if (sim->manner == INFO)
		memcpy(sim->guess, value, sim->bots * sizeof(*value));
	free(value);
	return result;
}

static void *
zeros(size_t count, size_t size)
{
	void *made = memory(NULL, count * size);

	memset(made, 0, count * size);
	return made;
}

static void
begin(struct sim *sim)
{
	char name[NAME_BYTES];
	unsigned b;

	sim->x = zeros(sim->bots, sizeof(double));
	sim->guess = zeros(sim->bots, sizeof(double));
	sim->known = zeros(sim->bots, sizeof(double));
	sim->score = zeros(sim->bots, sizeof(double));
	sim->games = zeros(sim->bots, sizeof(unsigned));
	sim->order = zeros(sim->bots, sizeof(unsigned));
	sim->running = zeros(sim->bots, sizeof(int64_t));
	sim->back_us = zeros(sim->bots, sizeof(uint64_t));
	sim->met = zeros((size_t)sim->bots * sim->bots, sizeof(*sim->met));
	sim->fit = fit_new();
	for (b = 0; b < sim->bots; b++) {
		snprintf(name, sizeof(name), "bot-%u", b);
		fit_bot(sim->fit, name);
		sim->running[b] = START_MILLI;
		sim->x[b] = sqrt(-2 * log(uniform(sim))) *
			    cos(2 * M_PI * uniform(sim)) * sim->spread / one;
	}
	sim->tables = sim->bots / sim->seats / 2;
	if (sim->tables > TABLES_MAX)
		sim->tables = TABLES_MAX;
	if (sim->manner != SWISS && sim->manner != INFO)
		begin_daemon(sim);
}

static void
finish(struct sim *sim)
{
	free(sim->x);
	free(sim->guess);
	free(sim->known);
	free(sim->score);
	free(sim->games);
	free(sim->order);
	free(sim->running);
	free(sim->met);
	free(sim->back_us);
	fit_free(sim->fit);
	pairing_free(sim->pairing);
}

struct curve {
	double fit[STEPS], running[STEPS]; /* sums of tau after each step */
	double games_us[STEPS];		   /* sums of the time then */
	double worst, mean;		   /* sums of shares at the end */
};

struct field {
	unsigned bots, seats, runs, steps;
	double spread, goal;
	unsigned home; /* bots that sit only here */
};

/* Adds to the curve the share of a bot's games that it had against the opponent that it
 * met most. */
static void
add_shares(const struct sim *sim, struct curve *curve)
{
	double worst = 0, sum = 0, share;
	unsigned a, b, most;

	for (a = 0; a < sim->bots; a++) {
		for (b = 0, most = 0; b < sim->bots; b++)
			if (sim->met[a * sim->bots + b] > most)
				most = sim->met[a * sim->bots + b];
		share = sim->games[a] == 0 ? 0 : (double)most / sim->games[a];
		worst = share > worst ? share : worst;
		sum += share;
	}
	curve->worst += worst;
	curve->mean += sum / sim->bots;
}

/* Runs one simulation.  The same number gives the same strengths in every manner. */
static void
run(enum manner manner, const struct field *field, unsigned number,
    struct curve *curve)
{
	struct sim sim = { .manner = manner,
			   .bots = field->bots,
			   .seats = field->seats,
			   .spread = field->spread,
			   .home = field->home,
			   .state = seed + number * UINT64_C(1000003) };
	unsigned i;

	begin(&sim);
	for (i = 0; i < field->steps; i++) {
		while (sim.played <
		       (uint64_t)(i + 1) * STEP * sim.bots / sim.seats) {
			if (manner == SWISS)
				play_swiss(&sim);
			else if (manner == INFO)
				play_info(&sim);
			else
				play_daemon(&sim);
		}
		curve->fit[i] += refit(&sim);
		curve->running[i] += tau_running(&sim);
		curve->games_us[i] += (double)sim.now_us;
	}
	add_shares(&sim, curve);
	finish(&sim);
}

/* Returns where the curve first passes the goal, interpolated between two
 * steps, or -1. */
static double
crossing(const struct field *field, const double sum[])
{
	double before = 0, now;
	unsigned i;

	for (i = 0; i < field->steps; i++, before = now) {
		now = sum[i] / field->runs;
		if (now >= field->goal)
			return STEP *
			       (i + (field->goal - before) / (now - before));
	}
	return -1;
}

static void
print_games(const struct field *field, double games)
{
	if (games < 0)
		printf(" >%u", STEP * field->steps);
	else
		printf(" %.1f", games);
}

/* Returns the games a bot until the fit has the goal; or -1. */
static double
measure(enum manner manner, const struct field *field)
{
	struct curve curve = { 0 };
	double games;
	unsigned r;

	for (r = 0; r < field->runs; r++)
		run(manner, field, r, &curve);
	games = crossing(field, curve.fit);
	printf("# %u bots, %u seats, %u runs, %s: by the fit", field->bots,
	       field->seats, field->runs, manner_name[manner]);
	print_games(field, games);
	printf(", by running ratings");
	print_games(field, crossing(field, curve.running));
	printf("; one opponent %.0f %% at most, %.0f %% on the mean",
	       100 * curve.worst / field->runs, 100 * curve.mean / field->runs);
	if (manner != SWISS && manner != INFO && games >= STEP)
		printf("; time %.0f",
		       curve.games_us[(unsigned)(games / STEP) - 1] /
			       field->runs / GAME_US);
	putchar('\n');
	fflush(stdout);
	return games;
}

static void
measure_all(unsigned bots, unsigned seats, unsigned runs, unsigned home)
{
	const struct field field = { bots,   seats, runs, STEPS,
				     SPREAD, GOAL,  home };
	enum manner manner;

	for (manner = 0; manner < (home < bots ? SWISS : MANNERS); manner++)
		measure(manner, &field);
}

int
main(int argc, char **argv)
{
	static const unsigned all[][4] = { { 20, 2, 200, 20 },
					   { 20, 2, 200, 2 },
					   { 200, 2, 8, 200 },
					   { 200, 4, 8, 200 },
					   { 2000, 2, 1, 2000 } };
	static const struct field small = { 100,	  4,	      16, 8,
					    SPREAD_SHORT, GOAL_SHORT, 100 };
	const char *check_all = getenv("CHECK_ALL");
	double by_fit, by_running;
	unsigned i;

	if (argc == 4 || argc == 5) {
		measure_all(
			(unsigned)strtoul(argv[1], NULL, 10),
			(unsigned)strtoul(argv[2], NULL, 10),
			(unsigned)strtoul(argv[3], NULL, 10),
			(unsigned)strtoul(argv[argc == 5 ? 4 : 1], NULL, 10));
		return 0;
	}
	if (argc == 2)
		seed = strtoull(argv[1], NULL, 10);
	if (check_all != NULL && *check_all != '\0')
		for (i = 0; i < NELEM(all); i++)
			measure_all(all[i][0], all[i][1], all[i][2], all[i][3]);
	by_fit = measure(NEAR_FIT, &small);
	by_running = measure(NEAR_RUNNING, &small);
	printf("%sok 1 - pairing by the fit needs fewer games than pairing by "
	       "running ratings\n1..1\n",
	       by_fit > 0 && (by_running < 0 || by_fit < by_running) ? ""
								     : "not ");
	return 0;
}
