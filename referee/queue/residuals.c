/* referee/queue/residuals.c - see residuals.h. */
#include "referee/queue/residuals.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096
#define LEVELS 2

/* Games of one bot on one worker. */
struct cell {
	struct cell *next; /* of the bot */
	unsigned worker;
	double games, scored, sum, squares, faults;
};

struct ladder {
	struct ladder *next; /* of the window */
	char *name;	     /* owned */
	unsigned games[RESIDUALS_WORKERS_MAX];
	bool lacks[RESIDUALS_WORKERS_MAX]; /* some of its bots */
};

struct stratum {
	struct stratum *next; /* of the bucket */
	struct ladder *ladder;
	char *key;	    /* ladder/bot; owned */
	struct cell *cells; /* owned */
};

/* When a worker has played: of the numbers that its games have in the window, the
 * sum, and that of the squares. */
struct times {
	double games, at, squares;
};

struct window {
	unsigned least; /* games of a worker on average; then it is closed */
	unsigned games, workers, strata;
	char worker[RESIDUALS_WORKERS_MAX][QUEUE_WORKER_BYTES];
	struct times times[RESIDUALS_WORKERS_MAX];
	struct ladder *ladders; /* owned */
	struct stratum *bucket[BUCKETS];
};

struct residuals {
	struct window window[LEVELS];
};

struct scores {
	double g, room; /* the games that these weigh */
	unsigned freedom;
};

/* What a window tells of one worker. */
struct sums {
	bool counts; /* it has played when the others have */
	/* Of scores; with bots that so many played that it is clear who is odd. */
	struct scores any, clear;
	double games, faults, expected, possible;
};

/* ---- chances ----------------------------------------------------------- */

/* The upper incomplete gamma function, regularised: a series near 0, Lentz's
 * continued fraction beyond. */
double
residuals_chance(double x, unsigned freedom)
{
	const double a = freedom / 2.0, z = x / 2;
	const double front = exp(a * log(z) - z - lgamma(a));
	double term, sum, b, c, d, an;

	if (freedom == 0 || x <= 0)
		return 1;
	if (z < a + 1) {
		term = sum = 1 / a;
		for (unsigned i = 1; i < 10000 && term > sum * 1e-15; i++)
			sum += term *= z / (a + i);
		return 1 - sum * front;
	}
	b = z + 1 - a;
	c = 1e300;
	d = sum = 1 / b;
	for (unsigned i = 1; i < 10000; i++) {
		an = -(double)i * (i - a);
		b += 2;
		d = 1 / (an * d + b);
		c = b + an / c;
		sum *= c * d;
		if (fabs(c * d - 1) < 1e-15)
			break;
	}
	return sum * front;
}

double
residuals_divergence(double p, double q)
{
	double sum = 0;

	if (p > 0)
		sum += p * log(p / q);
	if (p < 1)
		sum += (1 - p) * log((1 - p) / (1 - q));
	return sum;
}

/* ---- a window ----------------------------------------------------------- */

static uint64_t
hash_of(const char *text)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return hash ^ hash >> 32;
}

static void
clear(struct window *window)
{
	struct stratum *stratum;
	struct ladder *ladder;
	struct cell *cell;

	for (unsigned i = 0; i < BUCKETS; i++)
		while ((stratum = window->bucket[i]) != NULL) {
			window->bucket[i] = stratum->next;
			while ((cell = stratum->cells) != NULL) {
				stratum->cells = cell->next;
				free(cell);
			}
			free(stratum->key);
			free(stratum);
		}
	while ((ladder = window->ladders) != NULL) {
		window->ladders = ladder->next;
		free(ladder->name);
		free(ladder);
	}
	memset(window->times, 0, sizeof(window->times));
	window->games = window->workers = window->strata = 0;
}

/* RESIDUALS_WORKERS_MAX: there is no room for it. */
static unsigned
worker_of(struct window *window, const char *name)
{
	unsigned w;

	for (w = 0; w < window->workers; w++)
		if (strcmp(window->worker[w], name) == 0)
			return w;
	if (w < RESIDUALS_WORKERS_MAX) {
		window->workers++;
		snprintf(window->worker[w], sizeof(window->worker[w]), "%s",
			 name);
	}
	return w;
}

static struct ladder *
ladder_of(struct window *window, const char *name)
{
	struct ladder *ladder = window->ladders;

	while (ladder != NULL && strcmp(ladder->name, name) != 0)
		ladder = ladder->next;
	if (ladder == NULL) {
		ladder = zeroed(1, sizeof(*ladder));
		ladder->name = copied(name);
		ladder->next = window->ladders;
		window->ladders = ladder;
	}
	return ladder;
}

/* NULL: there is no room for it. */
static struct stratum *
stratum_of(struct window *window, const char *key, const char *ladder)
{
	struct stratum **bucket = &window->bucket[hash_of(key) % BUCKETS];
	struct stratum *stratum = *bucket;

	while (stratum != NULL && strcmp(stratum->key, key) != 0)
		stratum = stratum->next;
	if (stratum != NULL || window->strata == RESIDUALS_BOTS_MAX)
		return stratum;
	stratum = zeroed(1, sizeof(*stratum));
	stratum->key = copied(key);
	stratum->ladder = ladder_of(window, ladder);
	stratum->next = *bucket;
	*bucket = stratum;
	window->strata++;
	return stratum;
}

static struct cell *
cell_of(struct stratum *stratum, unsigned worker)
{
	struct cell *cell = stratum->cells;

	while (cell != NULL && cell->worker != worker)
		cell = cell->next;
	if (cell == NULL) {
		cell = zeroed(1, sizeof(*cell));
		cell->worker = worker;
		cell->next = stratum->cells;
		stratum->cells = cell;
	}
	return cell;
}

static double
score_of(const struct residuals_game *game, unsigned seat)
{
	double score = 0;

	for (unsigned s = 0; s < game->seats; s++) {
		if (s == seat)
			continue;
		if (game->place[s] > game->place[seat])
			score += 1;
		else if (game->place[s] == game->place[seat])
			score += 0.5;
	}
	return score / (game->seats - 1);
}

static void
count(struct cell *cell, const struct residuals_game *game, unsigned seat)
{
	double score;

	cell->games++;
	cell->faults += game->aborted || game->faulted[seat];
	if (game->aborted || game->seats < 2)
		return;
	score = score_of(game, seat);
	cell->scored++;
	cell->sum += score;
	cell->squares += score * score;
}

static void
put(struct window *window, const struct residuals_game *game)
{
	const unsigned seat = (unsigned)(hash_of(game->id) % game->seats);
	const unsigned worker = worker_of(window, game->worker);
	char *key = formatted("%s/%s", game->ladder, game->bot[seat]);
	struct stratum *stratum = NULL;
	struct times *times;

	if (worker < RESIDUALS_WORKERS_MAX)
		stratum = stratum_of(window, key, game->ladder);
	free(key);
	if (stratum == NULL)
		return;
	times = &window->times[worker];
	times->games++;
	times->at += window->games;
	times->squares += (double)window->games * window->games;
	window->games++;
	stratum->ladder->games[worker]++;
	count(cell_of(stratum, worker), game, seat);
}

/* ---- what it tells ------------------------------------------------------ */

static void
add_score(const struct cell *all, const struct cell *here,
	  struct scores *scores)
{
	const double n = here->scored, m = all->scored - n;
	const double mean = all->sum / all->scored;
	const double variance = all->squares / all->scored - mean * mean;
	const double pq = mean * (1 - mean);
	double g;

	if (n < RESIDUALS_LEAST || m < RESIDUALS_LEAST)
		return;
	scores->freedom++;
	if (variance < 1e-9)
		return;
	g = n * residuals_divergence(here->sum / n, mean) +
	    m * residuals_divergence((all->sum - here->sum) / m, mean);
	/* Bartlett: what it is greater by where there are few games. */
	g /= 1 + (1 / n + 1 / m - 1 / (n + m)) * (1 / pq - 1) / 6;
	scores->g += 2 * g * pq / variance;
	scores->room += n * m / (n + m) / variance;
}

static void
add_faults(const struct cell *all, const struct cell *here, struct sums *sums)
{
	sums->games += here->games;
	if (here->games == all->games)
		return; /* it was nowhere else */
	sums->faults += here->faults;
	sums->possible += all->faults;
	sums->expected += all->faults * here->games / all->games;
}

/* The median of the workers' values, by their games. */
static double
middle(const struct window *window, const double value[])
{
	double below, up_to;
	unsigned w, v;

	for (w = 0; w < window->workers; w++) {
		below = up_to = 0;
		for (v = 0; v < window->workers; v++) {
			below += value[v] < value[w] ? window->times[v].games
						     : 0;
			up_to += value[v] <= value[w] ? window->times[v].games
						      : 0;
		}
		if (2 * below <= window->games && 2 * up_to >= window->games)
			break;
	}
	return value[w];
}

/* Who counts, and how many these are. */
static unsigned
choose_workers(const struct window *window, struct sums sums[])
{
	double at[RESIDUALS_WORKERS_MAX], squares[RESIDUALS_WORKERS_MAX];
	const double end = window->games;
	const struct times *times;
	double mean, square;
	unsigned n = 0;

	for (unsigned w = 0; w < window->workers; w++) {
		times = &window->times[w];
		at[w] = times->at / times->games / end;
		squares[w] = times->squares / times->games / (end * end);
	}
	mean = middle(window, at);
	square = middle(window, squares);
	for (unsigned w = 0; w < window->workers; w++) {
		sums[w].counts = fabs(at[w] - mean) < RESIDUALS_TIMES &&
				 fabs(squares[w] - square) < RESIDUALS_TIMES;
		n += sums[w].counts;
	}
	return n;
}

/* Workers that cannot have the bot: they play fewer of its games than their share
 * of the ladder, by far more than by chance. */
static void
find_lacks(const struct stratum *stratum, unsigned workers)
{
	struct ladder *ladder = stratum->ladder;
	double here[RESIDUALS_WORKERS_MAX] = { 0 };
	double games = 0, all = 0, expected, fewer;
	const struct cell *cell;

	for (cell = stratum->cells; cell != NULL; cell = cell->next) {
		here[cell->worker] = cell->games;
		games += cell->games;
	}
	for (unsigned w = 0; w < workers; w++)
		all += ladder->games[w];
	for (unsigned w = 0; w < workers; w++) {
		expected = games * ladder->games[w] / all;
		fewer = expected - here[w]; /* Chernoff, for Poisson's law */
		if (here[w] > 0)
			fewer -= here[w] * log(expected / here[w]);
		if (here[w] < expected && exp(-fewer) < RESIDUALS_LACKS)
			ladder->lacks[w] = true;
	}
}

static void
add_to(struct cell *all, const struct cell *cell)
{
	all->games += cell->games;
	all->scored += cell->scored;
	all->sum += cell->sum;
	all->squares += cell->squares;
	all->faults += cell->faults;
}

/* Of one bot. */
static void
add_bot(const struct stratum *stratum, struct sums sums[])
{
	const bool *lacks = stratum->ladder->lacks;
	struct cell all = { 0 }, scored = { 0 };
	const struct cell *cell;
	unsigned workers = 0;

	for (cell = stratum->cells; cell != NULL; cell = cell->next) {
		if (!sums[cell->worker].counts)
			continue;
		add_to(&all, cell);
		if (lacks[cell->worker])
			continue;
		add_to(&scored, cell);
		workers += cell->scored >= RESIDUALS_LEAST;
	}
	for (cell = stratum->cells; cell != NULL; cell = cell->next) {
		if (!sums[cell->worker].counts)
			continue;
		add_faults(&all, cell, &sums[cell->worker]);
		if (lacks[cell->worker])
			continue;
		add_score(&scored, cell, &sums[cell->worker].any);
		if (workers >= RESIDUALS_WORKERS)
			add_score(&scored, cell, &sums[cell->worker].clear);
	}
}

static enum residuals_level
level_of(double p, bool matters)
{
	if (p < RESIDUALS_SUSPEND && matters)
		return RESIDUALS_OUT;
	return p < RESIDUALS_WARN ? RESIDUALS_ODD : RESIDUALS_FINE;
}

/* Keeps the finding with the least chance, of those that are told: whether it is
 * this one, whose `why` is the caller's to write. */
static bool
keep_worse(struct residuals_found *found, enum residuals_level level, double p,
	   const char *worker)
{
	if (level == RESIDUALS_FINE ||
	    (found->level != RESIDUALS_FINE && p >= found->p))
		return false;
	found->level = level;
	found->p = p;
	snprintf(found->worker, sizeof(found->worker), "%s", worker);
	return true;
}

static double
shift_of(const struct scores *scores)
{
	const double rest = scores->g - scores->freedom;

	return rest > 0 ? sqrt(rest / scores->room) : 0;
}

static void
judge_score(const struct window *window, unsigned w, unsigned workers,
	    const struct sums *sums, struct residuals_found *found)
{
	const double least =
		residuals_chance(sums->clear.g, sums->clear.freedom) *
		(2 * workers);
	const bool clear = least < RESIDUALS_SUSPEND &&
			   shift_of(&sums->clear) >= RESIDUALS_SHIFT;
	const struct scores *scores = clear ? &sums->clear : &sums->any;
	const double p =
		residuals_chance(scores->g, scores->freedom) * (2 * workers);
	const enum residuals_level level = level_of(p, clear);

	if (!keep_worse(found, level, p, window->worker[w]))
		return;
	snprintf(found->why, sizeof(found->why),
		 "bots score otherwise on it than on other workers: %.3f a "
		 "game, in %.0f games with %u bots; by chance with p %.1e",
		 shift_of(scores), sums->games, scores->freedom, p);
}

static void
judge_faults(const struct window *window, unsigned w, unsigned workers,
	     const struct sums *sums, struct residuals_found *found)
{
	const double more = sums->faults - sums->expected;
	enum residuals_level level;
	double p;

	if (more <= 0)
		return;
	p = exp(-sums->possible *
		residuals_divergence(sums->faults / sums->possible,
				     sums->expected / sums->possible)) *
	    (2 * workers);
	level = level_of(p, more >= RESIDUALS_FAULTS * sums->games);
	if (!keep_worse(found, level, p, window->worker[w]))
		return;
	snprintf(found->why, sizeof(found->why),
		 "bots lose time or crash on it in %.0f of %.0f games, where "
		 "%.1f were expected by other workers; by chance with p %.1e",
		 sums->faults, sums->games, sums->expected, p);
}

static void
look(const struct window *window, struct residuals_found *found)
{
	struct sums *sums = zeroed(RESIDUALS_WORKERS_MAX, sizeof(*sums));
	const unsigned workers = choose_workers(window, sums);
	const struct stratum *stratum;

	for (unsigned i = 0; i < BUCKETS; i++)
		for (stratum = window->bucket[i]; stratum != NULL;
		     stratum = stratum->next)
			find_lacks(stratum, window->workers);
	for (unsigned i = 0; i < BUCKETS; i++)
		for (stratum = window->bucket[i]; stratum != NULL;
		     stratum = stratum->next)
			add_bot(stratum, sums);
	for (unsigned w = 0; w < window->workers; w++) {
		judge_score(window, w, workers, &sums[w], found);
		judge_faults(window, w, workers, &sums[w], found);
	}
	free(sums);
}

/* ---- life ---------------------------------------------------------------- */

struct residuals *
residuals_new(void)
{
	static const unsigned least[LEVELS] = { RESIDUALS_SHORT,
						RESIDUALS_LONG };
	struct residuals *residuals = zeroed(1, sizeof(*residuals));

	for (unsigned i = 0; i < LEVELS; i++)
		residuals->window[i].least = least[i];
	return residuals;
}

void
residuals_free(struct residuals *residuals)
{
	if (residuals == NULL)
		return;
	for (unsigned i = 0; i < LEVELS; i++)
		clear(&residuals->window[i]);
	free(residuals);
}

void
residuals_add(struct residuals *residuals, const struct residuals_game *game,
	      struct residuals_found *found)
{
	struct window *window;
	unsigned i;

	*found = (struct residuals_found){ .level = RESIDUALS_FINE, .p = 1 };
	for (i = 0; i < LEVELS; i++) {
		window = &residuals->window[i];
		put(window, game);
		if (window->games < window->least * window->workers)
			continue;
		if (window->workers > 1)
			look(window, found);
		clear(window);
	}
	for (i = 0; i < LEVELS && found->level == RESIDUALS_OUT; i++)
		clear(&residuals->window[i]);
}
