/* ladder/fit-errors.c - computes how sure a fit is: the sandwich, with clusters
 * of games as its unit.
 *
 * The scores of a cluster add up to 0 over the bots that play each other, and H
 * has the vector of ones (of such a set) as an eigenvector; so the variance of
 * a bot's strength and that of its distance from the mean are the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-inside.h"

/* Orders the games by cluster, and keeps their order within one; lone games
 * come last. */
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
	at = zeroed(count + (size_t)1, sizeof(*at));
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
	uint32_t *bot; /* bots of the cluster */
	double *of;    /* score by bot; 0 for all others */
	bool *in;      /* by bot: it is in the cluster */
};

static void
add_scores(const struct fit *fit, size_t g, struct score *score)
{
	struct fit_duel duel[FIT_DUELS_MAX];
	unsigned count = fit_duels_of(fit, g, duel), i, k;
	double gain;

	for (i = 0; i < count; i++) {
		const unsigned node[] = { duel[i].a, duel[i].b };

		for (k = 0; k < 2; k++) {
			if (!score->in[node[k]])
				score->bot[score->count++] = node[k];
			score->in[node[k]] = true;
		}
		gain = duel[i].weight *
		       (duel[i].won - fit_expect(duel[i].pa, duel[i].pb));
		score->of[duel[i].a] += gain;
		score->of[duel[i].b] -= gain;
	}
}

static size_t
game_at(const struct fit *fit, size_t i)
{
	return fit->order ? fit->order[i] : i;
}

/* Calls `each` with the score of each cluster, by node. */
static void
each_cluster(const struct fit *fit,
	     void (*each)(void *arg, const struct score *score), void *arg)
{
	size_t n = fit->bots + (size_t)1, i, g, k;
	struct score score = {
		.bot = memory(NULL, n * sizeof(*score.bot)),
		.of = zeroed(n, sizeof(*score.of)),
		.in = zeroed(n, sizeof(*score.in)),
	};

	for (i = 0; i < fit->games; i++) {
		g = game_at(fit, i);
		add_scores(fit, g, &score);
		if (fit->order != NULL && fit->cluster[g] != FIT_ALONE &&
		    i + 1 < fit->games &&
		    fit->cluster[game_at(fit, i + 1)] == fit->cluster[g])
			continue;
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

/* ---- J* ---------------------------------------------------------------- */

/* Returns the diagonal of H, which has no virtual games.  The caller frees it. */
static double *
bends_of_games(const struct fit *fit)
{
	double *bend = memory(NULL, (fit->bots + (size_t)1) * sizeof(*bend));
	struct fit_duel duel;

	for (unsigned b = 0; b < fit->bots; b++)
		bend[b] = fit->diagonal[b];
	for (unsigned b = 0; b < fit->bots; b++)
		bend[fit->node[b]] -= fit->bend[b];
	for (unsigned i = 0; i < fit->ties; i++) {
		if (!fit_tie_duel(fit, i, &duel))
			continue;
		bend[duel.a] -= fit_bend(&duel);
		bend[duel.b] -= fit_bend(&duel);
	}
	return bend;
}

/* The number of clusters of each node, and J's diagonal. */
struct squares {
	unsigned *clusters;
	double *square;
};

static void
add_squares(void *arg, const struct score *score)
{
	struct squares *squares = arg;
	unsigned bot;

	for (unsigned k = 0; k < score->count; k++) {
		bot = score->bot[k];
		squares->clusters[bot]++;
		squares->square[bot] += score->of[bot] * score->of[bot];
	}
}

/* Sets how much of its own scores' spread counts for a node, and the ratio for
 * the rest.  A game among equals adds a quarter to H. The spread of a bot that
 * wins nearly always is as uncertain as its few losses are. */
static void
find_trust(struct fit *fit, const struct squares *squares, const double bend[])
{
	double above = 0, below = 0, games = 0, told;

	for (unsigned b = 0; b < fit->bots; b++) {
		fit->trust[b] = 0;
		if (fit_is_open(fit, b, true) || fit_is_open(fit, b, false))
			continue;
		told = fmin(squares->clusters[b], 4 * bend[b]);
		fit->trust[b] = told / (told + FIT_TRUST);
		above += squares->square[b];
		below += bend[b];
		games += squares->clusters[b];
	}
	fit->ratio = below > 0 ? above / below : 1;
	fit->ratio = (fit->ratio * games + FIT_TRUST) / (games + FIT_TRUST);
}

struct contrast {
	const double *z, *trust;
	double sum;
};

static void
add_contrast(void *arg, const struct score *score)
{
	struct contrast *contrast = arg;
	double along = 0;
	unsigned bot;

	for (unsigned k = 0; k < score->count; k++) {
		bot = score->bot[k];
		along += score->of[bot] * sqrt(contrast->trust[bot]) *
			 contrast->z[bot];
	}
	contrast->sum += along * along;
}

static double
dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

double
fit_variance(const struct fit *fit, const double z[])
{
	struct contrast contrast = { .z = z, .trust = fit->trust };
	size_t n = fit->bots, b;
	double *room = memory(NULL, (2 * n + 1) * sizeof(*room)), sum;

	each_cluster(fit, add_contrast, &contrast);
	for (b = 0; b < n; b++)
		room[b] = sqrt(1 - fit->trust[b]) * z[b];
	fit_multiply_games(fit, room, room + n);
	sum = dot(room, room + n, n);
	fit_multiply_prior(fit, z, room + n);
	sum += dot(z, room + n, n);
	free(room);
	return contrast.sum + fit->ratio * sum;
}

/* ---- the diagonal form ------------------------------------------------ */

static void
spread_diagonal(struct fit *fit, const double square[], const double bend[])
{
	double own, prior;

	for (unsigned b = 0; b < fit->bots; b++) {
		if (fit->diagonal[b] <= 0)
			continue;
		prior = fit->diagonal[b] - bend[b];
		own = fit->trust[b] * square[b] +
		      fit->ratio * ((1 - fit->trust[b]) * bend[b] + prior);
		fit->spread[b] = own / (fit->diagonal[b] * fit->diagonal[b]);
	}
}

/* ---- all pairs -------------------------------------------------------- */

static void
add_products(void *arg, const struct score *score)
{
	struct fit *fit = arg;
	size_t n = fit->bots;
	unsigned a, b;

	for (unsigned k = 0; k < score->count; k++)
		for (unsigned l = 0; l < score->count; l++) {
			a = score->bot[k];
			b = score->bot[l];
			fit->spread[a * n + b] +=
				sqrt(fit->trust[a] * fit->trust[b]) *
				score->of[a] * score->of[b];
		}
}

static void
add_bend(const struct fit_duel *duel, double *h, size_t n)
{
	double bend = fit_bend(duel);

	h[duel->a * n + duel->a] += bend;
	h[duel->b * n + duel->b] += bend;
	h[duel->a * n + duel->b] -= bend;
	h[duel->b * n + duel->a] -= bend;
}

/* Writes K. */
static void
write_k(const struct fit *fit, double *k)
{
	size_t n = fit->bots, a, b;
	double *share = zeroed(n + 1, sizeof(*share)), sum = 0;
	double *bend = zeroed(n + 1, sizeof(*bend));
	struct fit_duel duel;

	for (b = 0; b < n; b++) {
		share[fit->node[b]] += 1.0 / (double)n;
		bend[fit->node[b]] += fit->bend[b];
		sum += fit->bend[b];
	}
	for (a = 0; a < n; a++) {
		k[a * n + a] += bend[a];
		for (b = 0; b < n; b++)
			k[a * n + b] += sum * share[a] * share[b] -
					bend[a] * share[b] - share[a] * bend[b];
	}
	for (b = 0; b < fit->ties; b++)
		if (fit_tie_duel(fit, b, &duel))
			add_bend(&duel, k, n);
	free(share);
	free(bend);
}

static void
write_h(const struct fit *fit, double *h)
{
	struct fit_duel duel[FIT_DUELS_MAX];
	unsigned count;
	size_t n = fit->bots, g;

	for (g = 0; g < fit->games; g++) {
		count = fit_duels_of(fit, g, duel);
		for (unsigned i = 0; i < count; i++)
			add_bend(&duel[i], h, n);
	}
}

/* Writes Cholesky's factor into the lower half: h = LL'. */
static void
factor(double *h, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i; j++)
			h[i * n + j] =
				(h[i * n + j] - dot(h + i * n, h + j * n, j)) /
				h[j * n + j];
		h[i * n + i] = sqrt(fmax(
			h[i * n + i] - dot(h + i * n, h + i * n, i), 1e-300));
	}
}

/* Solves LL' z = row, and writes z in place of row. */
static void
divide_row(const double *l, double *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		row[i] = (row[i] - dot(l + i * n, row, i)) / l[i * n + i];
	for (size_t i = n; i-- > 0;) {
		row[i] /= l[i * n + i];
		for (size_t k = 0; k < i; k++)
			row[k] -= l[i * n + k] * row[i];
	}
}

/* Divides each row, subtracts the mean over each set of bots, and transposes. */
static void
divide_rows(const struct fit *fit, const double *l)
{
	size_t n = fit->bots, i, j;
	double *spread = fit->spread, kept;
	double *mean = memory(NULL, (n + 1) * sizeof(*mean));
	unsigned *size = zeroed(n + 1, sizeof(*size));

	for (j = 0; j < n; j++)
		size[fit->row[j].set]++;
	for (i = 0; i < n; i++) {
		divide_row(l, spread + i * n, n);
		memset(mean, 0, n * sizeof(*mean));
		for (j = 0; j < n; j++)
			mean[fit->row[j].set] += spread[i * n + fit->node[j]] /
						 size[fit->row[j].set];
		for (j = 0; j < n; j++)
			spread[i * n + j] -= mean[fit->row[j].set];
	}
	for (i = 0; i < n; i++)
		for (j = 0; j < i; j++) {
			kept = spread[i * n + j];
			spread[i * n + j] = spread[j * n + i];
			spread[j * n + i] = kept;
		}
	free(mean);
	free(size);
}

/* Computes J* and H + K from J, H and K. Adds terms that fix the mean, and
 * terms for bots that are no node. */
static void
mix(struct fit *fit, double *h, const double *k)
{
	size_t n = fit->bots, a, b, at;

	for (a = 0; a < n; a++)
		for (b = 0; b < n; b++) {
			at = a * n + b;
			fit->spread[at] +=
				fit->ratio * (sqrt((1 - fit->trust[a]) *
						   (1 - fit->trust[b])) *
						      h[at] +
					      k[at]);
			h[at] += k[at];
		}
	for (a = 0; a < n; a++)
		for (b = 0; b < n; b++)
			h[fit->node[a] * n + fit->node[b]] += 1 / (double)n;
	for (a = 0; a < n; a++)
		if (fit->node[a] != a)
			h[a * n + a] = 1;
}

/* Computes (H + K)^-1 J* (H + K)^-1, about the mean of each set. */
static void
spread_pairs(struct fit *fit)
{
	size_t n = fit->bots;
	double *h = zeroed(n * n + 1, sizeof(*h));
	double *k = zeroed(n * n + 1, sizeof(*k));

	write_h(fit, h);
	write_k(fit, k);
	each_cluster(fit, add_products, fit);
	mix(fit, h, k);
	factor(h, n);
	divide_rows(fit, h);
	divide_rows(fit, h);
	free(h);
	free(k);
}

void
fit_spread(struct fit *fit)
{
	size_t n = fit->bots;
	double *bend = bends_of_games(fit);
	struct squares squares = {
		.clusters = zeroed(n + 1, sizeof(*squares.clusters)),
		.square = zeroed(n + 1, sizeof(*squares.square)),
	};

	fit->spread = zeroed(n > FIT_DENSE_BOTS ? n : n * n + 1,
			     sizeof(*fit->spread));
	sort_games(fit);
	each_cluster(fit, add_squares, &squares);
	find_trust(fit, &squares, bend);
	if (n > FIT_DENSE_BOTS)
		spread_diagonal(fit, squares.square, bend);
	else
		spread_pairs(fit);
	free(squares.clusters);
	free(squares.square);
	free(bend);
}
