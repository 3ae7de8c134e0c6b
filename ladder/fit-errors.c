/* ladder/fit-errors.c - how sure a fit is: the sandwich, clusters of games as
 * its unit.
 *
 * The scores of a cluster add up to 0 over the bots that play each other, and H
 * has the vector of ones (of such a set) as an eigenvector; so the variance of
 * a bot's strength and that of its distance from the mean are the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-inside.h"

/* Games by cluster, those of one in their order; lone ones behind. */
static void
sort_games(struct fit *fit)
{
	uint32_t count = 0, g, *at, sum = 0, next;

	if (fit->cluster == NULL)
		return;
	for (g = 0; g < fit->games; g++)
		if (fit->cluster[g] != FIT_ALONE && fit->cluster[g] >= count)
			count = fit->cluster[g] + 1;
	fit->order = memory(NULL, fit->games * sizeof(*fit->order));
	at = memory(NULL, (count + (size_t)1) * sizeof(*at));
	memset(at, 0, (count + (size_t)1) * sizeof(*at));
	for (g = 0; g < fit->games; g++)
		at[fit->cluster[g] < count ? fit->cluster[g] : count]++;
	for (g = 0; g <= count; g++) {
		next = sum + at[g];
		at[g] = sum;
		sum = next;
	}
	for (g = 0; g < fit->games; g++)
		fit->order[at[fit->cluster[g] < count ? fit->cluster[g]
						      : count]++] = g;
	free(at);
}

/* ---- the score of a cluster ------------------------------------------- */

struct score {
	unsigned count;
	uint32_t *bot; /* who is in it */
	double *of;    /* by bot; 0 of all others */
	bool *in;      /* by bot */
};

static void
add_scores(const struct fit *fit, size_t g, struct score *score)
{
	struct fit_table table;
	const unsigned *bot = table.bot;
	unsigned n, s, t;
	double gain;

	fit_read(fit, g, &table);
	n = table.seats;
	for (s = 0; s < n; s++) {
		if (!score->in[bot[s]])
			score->bot[score->count++] = bot[s];
		score->in[bot[s]] = true;
	}
	for (s = 0; s < n; s++)
		for (t = s + 1; t < n; t++) {
			if (bot[s] == bot[t])
				continue;
			gain = (fit_score(table.place[s], table.place[t]) -
				fit_expect(fit->power[bot[s]],
					   fit->power[bot[t]])) /
			       (n - 1);
			score->of[bot[s]] += gain;
			score->of[bot[t]] -= gain;
		}
}

static size_t
game_at(const struct fit *fit, size_t i)
{
	return fit->order ? fit->order[i] : i;
}

/* Calls `each` with the score of each cluster; an anchored bot's is 0. */
static void
each_cluster(const struct fit *fit,
	     void (*each)(void *arg, const struct score *score), void *arg)
{
	size_t n = fit->bots + (size_t)1, i, g, k;
	struct score score = {
		.bot = memory(NULL, n * sizeof(*score.bot)),
		.of = memory(NULL, n * sizeof(*score.of)),
		.in = memory(NULL, n * sizeof(*score.in)),
	};

	memset(score.of, 0, n * sizeof(*score.of));
	memset(score.in, 0, n * sizeof(*score.in));
	for (i = 0; i < fit->games; i++) {
		g = game_at(fit, i);
		add_scores(fit, g, &score);
		if (fit->order != NULL && fit->cluster[g] != FIT_ALONE &&
		    i + 1 < fit->games &&
		    fit->cluster[game_at(fit, i + 1)] == fit->cluster[g])
			continue;
		for (k = 0; k < score.count; k++)
			if (fit->name[score.bot[k]].anchored)
				score.of[score.bot[k]] = 0;
		each(arg, &score);
		for (k = 0; k < score.count; k++) {
			score.of[score.bot[k]] = 0;
			score.in[score.bot[k]] = false;
		}
		score.count = 0;
	}
	free(score.bot);
	free(score.of);
	free(score.in);
}

struct contrast {
	const double *z;
	double sum;
};

static void
add_contrast(void *arg, const struct score *score)
{
	struct contrast *contrast = arg;
	double along = 0;
	unsigned k;

	for (k = 0; k < score->count; k++)
		along += score->of[score->bot[k]] * contrast->z[score->bot[k]];
	contrast->sum += along * along;
}

double
fit_variance(const struct fit *fit, const double z[])
{
	struct contrast contrast = { .z = z };

	each_cluster(fit, add_contrast, &contrast);
	return contrast.sum;
}

/* ---- the diagonal form ------------------------------------------------ */

static void
add_squares(void *arg, const struct score *score)
{
	struct fit *fit = arg;
	unsigned k;

	for (k = 0; k < score->count; k++) {
		fit->clusters[score->bot[k]]++;
		fit->spread[score->bot[k]] +=
			score->of[score->bot[k]] * score->of[score->bot[k]];
	}
}

static void
spread_diagonal(struct fit *fit)
{
	unsigned b;

	each_cluster(fit, add_squares, fit);
	for (b = 0; b < fit->bots; b++)
		if (fit->diagonal[b] > 0)
			fit->spread[b] /= fit->diagonal[b] * fit->diagonal[b];
}

/* ---- all pairs -------------------------------------------------------- */

static void
add_products(void *arg, const struct score *score)
{
	struct fit *fit = arg;
	size_t n = fit->bots;
	unsigned k, l;

	for (k = 0; k < score->count; k++) {
		fit->clusters[score->bot[k]]++;
		for (l = 0; l < score->count; l++)
			fit->spread[score->bot[k] * n + score->bot[l]] +=
				score->of[score->bot[k]] *
				score->of[score->bot[l]];
	}
}

static void
add_bends(const struct fit *fit, size_t g, double *h)
{
	struct fit_table table;
	const unsigned *bot = table.bot;
	unsigned n, s, t;
	size_t bots = fit->bots;
	double p, bend;

	fit_read(fit, g, &table);
	n = table.seats;
	for (s = 0; s < n; s++)
		for (t = 0; t < n; t++) {
			if (bot[s] == bot[t])
				continue;
			p = fit_expect(fit->power[bot[s]], fit->power[bot[t]]);
			bend = p * (1 - p) / (n - 1);
			h[bot[s] * bots + bot[t]] -= bend;
			h[bot[s] * bots + bot[s]] += bend;
		}
}

/* H, with 11'/N where nothing is anchored, and 1 for what is. */
static double *
write_h(const struct fit *fit)
{
	const struct fit_tied *tie;
	size_t n = fit->bots, a, b, g;
	double *h = memory(NULL, (n * n + 1) * sizeof(*h));

	for (a = 0; a < n * n; a++)
		h[a] = ((fit->anchors > 0 ? 0 : 1) - fit->tau) / (double)n;
	for (g = 0; g < fit->games; g++)
		add_bends(fit, g, h);
	for (tie = fit->tie; tie < fit->tie + fit->ties; tie++) {
		h[tie->a * n + tie->a] += fit->pull;
		h[tie->b * n + tie->b] += fit->pull;
		h[tie->a * n + tie->b] -= fit->pull;
		h[tie->b * n + tie->a] -= fit->pull;
	}
	for (a = 0; a < n; a++)
		h[a * n + a] += fit->tau;
	for (a = 0; a < n; a++)
		for (b = 0; b < n; b++)
			if (fit->name[a].anchored || fit->name[b].anchored)
				h[a * n + b] = a == b;
	return h;
}

static double
dot(const double *a, const double *b, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Cholesky's factor in the lower half: h = LL'. */
static void
factor(double *h, size_t n)
{
	size_t i, j;

	for (i = 0; i < n; i++) {
		for (j = 0; j < i; j++)
			h[i * n + j] =
				(h[i * n + j] - dot(h + i * n, h + j * n, j)) /
				h[j * n + j];
		h[i * n + i] = sqrt(fmax(
			h[i * n + i] - dot(h + i * n, h + i * n, i), 1e-300));
	}
}

/* LL' z = row, in its place. */
static void
divide_row(const double *l, double *row, size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i++)
		row[i] = (row[i] - dot(l + i * n, row, i)) / l[i * n + i];
	for (i = n; i-- > 0;) {
		row[i] /= l[i * n + i];
		for (k = 0; k < i; k++)
			row[k] -= l[i * n + k] * row[i];
	}
}

static void
transpose(double *square, size_t n)
{
	size_t i, j;
	double kept;

	for (i = 0; i < n; i++)
		for (j = 0; j < i; j++) {
			kept = square[i * n + j];
			square[i * n + j] = square[j * n + i];
			square[j * n + i] = kept;
		}
}

/* H^-1 J H^-1. */
static void
spread_pairs(struct fit *fit)
{
	size_t n = fit->bots, a;
	double *h = write_h(fit);

	each_cluster(fit, add_products, fit);
	factor(h, n);
	for (a = 0; a < n; a++)
		divide_row(h, fit->spread + a * n, n);
	transpose(fit->spread, n);
	for (a = 0; a < n; a++)
		divide_row(h, fit->spread + a * n, n);
	free(h);
}

void
fit_spread(struct fit *fit)
{
	size_t n = fit->bots;
	size_t room = n > FIT_DENSE_BOTS ? n : n * n + 1;

	fit->spread = memory(NULL, room * sizeof(*fit->spread));
	memset(fit->spread, 0, room * sizeof(*fit->spread));
	memset(fit->clusters, 0, n * sizeof(*fit->clusters));
	sort_games(fit);
	if (n > FIT_DENSE_BOTS)
		spread_diagonal(fit);
	else
		spread_pairs(fit);
}
