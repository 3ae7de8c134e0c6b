/* ladder/fit.c - games in, rows out; fit-solve.c climbs, fit-errors.c measures
 * how sure it is, fit-links.c finds who can be compared. */
#include "ladder/fit.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-inside.h"

static const double points_of_one = 400 / M_LN10;

/* Below this, of a strength, is rounding. */
#define NO_VARIANCE 1e-12

struct fit *
fit_new(void)
{
	struct fit *fit = memory(NULL, sizeof(*fit));

	*fit = (struct fit){ .start = memory(NULL, sizeof(*fit->start)) };
	fit->start[0] = 0;
	crypto_shorthash_keygen(fit->key);
	return fit;
}

static void
forget_solution(struct fit *fit)
{
	free(fit->x);
	free(fit->power);
	free(fit->gradient);
	free(fit->diagonal);
	free(fit->order);
	free(fit->clusters);
	free(fit->spread);
	free(fit->row);
	free(fit->row_of);
	fit->order = NULL;
	fit->spread = NULL;
}

void
fit_free(struct fit *fit)
{
	unsigned b;

	if (fit == NULL)
		return;
	forget_solution(fit);
	for (b = 0; b < fit->bots; b++)
		free(fit->name[b].text);
	free(fit->name);
	free(fit->slot);
	free(fit->start);
	free(fit->seat);
	free(fit->cluster);
	free(fit->tie);
	free(fit);
}

/* ---- names ------------------------------------------------------------ */

/* Where the name stands, or would stand: linear probing.  Names are strangers'
 * words: with a hash of which they know the key they could all be neighbours. */
static uint32_t *
find_slot(const struct fit *fit, const char *name)
{
	uint64_t hash;
	uint32_t *slot;

	crypto_shorthash((unsigned char *)&hash, (const unsigned char *)name,
			 strlen(name), fit->key);
	for (;; hash++) {
		slot = &fit->slot[hash % fit->slots];
		if (*slot == 0 || strcmp(fit->name[*slot - 1].text, name) == 0)
			return slot;
	}
}

bool
fit_find(const struct fit *fit, const char *name, unsigned *bot)
{
	const uint32_t *slot = fit->slots > 0 ? find_slot(fit, name) : NULL;

	if (slot == NULL || *slot == 0)
		return false;
	*bot = *slot - 1;
	return true;
}

static void
make_room_for_names(struct fit *fit)
{
	unsigned b;

	if (fit->bots < fit->names_room)
		return;
	fit->names_room = fit->names_room > 0 ? 2 * fit->names_room : 16;
	fit->slots = 2 * fit->names_room;
	fit->name = memory(fit->name, fit->names_room * sizeof(*fit->name));
	free(fit->slot);
	fit->slot = memory(NULL, fit->slots * sizeof(*fit->slot));
	memset(fit->slot, 0, fit->slots * sizeof(*fit->slot));
	for (b = 0; b < fit->bots; b++)
		*find_slot(fit, fit->name[b].text) = b + 1;
}

unsigned
fit_bot(struct fit *fit, const char *name)
{
	size_t bytes = strlen(name) + 1;
	struct fit_name *entry;
	unsigned bot;

	if (fit_find(fit, name, &bot))
		return bot;
	if (fit->bots >= UINT32_MAX >> FIT_PLACE_BITS)
		bug("a fit of too many bots");
	make_room_for_names(fit);
	entry = &fit->name[fit->bots];
	*entry = (struct fit_name){ .text = memory(NULL, bytes) };
	memcpy(entry->text, name, bytes);
	*find_slot(fit, name) = fit->bots + 1;
	return fit->bots++;
}

unsigned
fit_bots(const struct fit *fit)
{
	return fit->bots;
}

uint64_t
fit_games(const struct fit *fit)
{
	return fit->games;
}

/* ---- games ------------------------------------------------------------ */

static void
make_room_for_game(struct fit *fit, unsigned seats)
{
	size_t end = fit->start[fit->games] + seats;

	if (fit->games == fit->games_room) {
		fit->games_room += fit->games_room / 2 + 64;
		fit->start = memory(fit->start, (fit->games_room + 1) *
							sizeof(*fit->start));
		if (fit->cluster != NULL)
			fit->cluster =
				memory(fit->cluster,
				       fit->games_room * sizeof(*fit->cluster));
	}
	if (end > fit->seats_room) {
		fit->seats_room = end + end / 2 + 64;
		fit->seat =
			memory(fit->seat, fit->seats_room * sizeof(*fit->seat));
	}
}

static void
set_cluster(struct fit *fit, uint32_t cluster)
{
	size_t bytes = fit->games_room * sizeof(*fit->cluster);

	if (fit->cluster == NULL && cluster == FIT_ALONE)
		return;
	if (fit->cluster == NULL) {
		fit->cluster = memory(NULL, bytes);
		memset(fit->cluster, 0xff, bytes); /* FIT_ALONE */
	}
	fit->cluster[fit->games] = cluster;
}

void
fit_game(struct fit *fit, unsigned seats, const unsigned bot[],
	 const int place[], uint32_t cluster)
{
	unsigned s, t;
	size_t at;

	if (seats < 2 || seats > SEATS_MAX ||
	    fit->start[fit->games] > UINT32_MAX - SEATS_MAX)
		bug("game %zu of a fit has %u seats", fit->games, seats);
	make_room_for_game(fit, seats);
	at = fit->start[fit->games];
	for (s = 0; s < seats; s++) {
		if (bot[s] >= fit->bots || place[s] < 1 || place[s] > SEATS_MAX)
			bug("seat %u: bot %u, place %d", s, bot[s], place[s]);
		fit->seat[at + s] =
			bot[s] << FIT_PLACE_BITS | (unsigned)place[s];
		fit->name[bot[s]].games++;
		for (t = 0; t < seats; t++) {
			if (bot[t] == bot[s])
				continue;
			fit->name[bot[s]].won |= place[s] < place[t];
			fit->name[bot[s]].lost |= place[s] > place[t];
		}
	}
	set_cluster(fit, cluster);
	fit->start[++fit->games] = (uint32_t)at + seats;
}

void
fit_tie(struct fit *fit, unsigned a, unsigned b)
{
	if (a == b)
		return;
	fit->tie = grown(fit->tie, fit->ties, sizeof(*fit->tie));
	fit->tie[fit->ties++] = (struct fit_tied){ .a = a, .b = b };
}

void
fit_unrank(struct fit *fit, unsigned bot)
{
	fit->name[bot].unranked = true;
}

void
fit_anchor(struct fit *fit, unsigned bot, double rating)
{
	struct fit_name *name = &fit->name[bot];

	fit->anchors += !name->anchored;
	name->anchored = true;
	name->anchor = (rating - FIT_CENTRE) / points_of_one;
}

void
fit_duels(const struct fit *fit, double duels[], double won[])
{
	struct fit_table table;
	size_t g, s, t, a, b;
	double score;

	for (a = 0; a < (size_t)fit->bots * fit->bots; a++)
		duels[a] = won[a] = 0;
	for (g = 0; g < fit->games; g++) {
		fit_read(fit, g, &table);
		for (s = 0; s < table.seats; s++)
			for (t = 0; t < s; t++) {
				a = (size_t)table.bot[s] * fit->bots +
				    table.bot[t];
				b = (size_t)table.bot[t] * fit->bots +
				    table.bot[s];
				score = fit_score(table.place[s],
						  table.place[t]);
				duels[a]++;
				won[a] += score;
				duels[b]++;
				won[b] += 1 - score;
			}
	}
}

/* ---- comparing -------------------------------------------------------- */

/* Of a strength. */
static double
own_variance(const struct fit *fit, unsigned bot)
{
	size_t step = fit->bots > FIT_DENSE_BOTS ? 1 : fit->bots + (size_t)1;

	return fit->spread[bot * step];
}

static bool
bar_known(const struct fit *fit, unsigned bot)
{
	const struct fit_name *name = &fit->name[bot];

	return name->anchored ||
	       (fit->clusters[bot] >= FIT_CLUSTERS_MIN && name->won &&
		name->lost && own_variance(fit, bot) > NO_VARIANCE);
}

/* Of the difference of two. */
static double
variance(const struct fit *fit, unsigned a, unsigned b)
{
	const double *spread = fit->spread;
	size_t n = fit->bots;

	if (n > FIT_DENSE_BOTS)
		return spread[a] + spread[b];
	return spread[a * n + a] + spread[b * n + b] - 2 * spread[a * n + b];
}

static double
normal_tail(double z)
{
	return erfc(z * M_SQRT1_2) / 2;
}

/* The z that so much of the normal distribution lies above. */
static double
normal_above(double tail)
{
	double low = 0, high = 40, middle;
	unsigned i;

	for (i = 0; i < 64; i++) {
		middle = (low + high) / 2;
		if (normal_tail(middle) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* By the variance of the difference. */
static struct fit_difference
differ(const struct fit *fit, unsigned a, unsigned b, double square)
{
	struct fit_difference result = {
		.points = (fit->x[a] - fit->x[b]) * points_of_one,
		.sd = -1,
		.los = -1,
		.compared = fit->row[fit->row_of[a]].set ==
			    fit->row[fit->row_of[b]].set,
	};

	if (!bar_known(fit, a) || !bar_known(fit, b))
		return result;
	result.sd = sqrt(fmax(square, 0)) * points_of_one;
	if (result.sd > 0)
		result.los = normal_tail(-result.points / result.sd);
	return result;
}

struct fit_difference
fit_compare(const struct fit *fit, unsigned a, unsigned b)
{
	return differ(fit, a, b, variance(fit, a, b));
}

struct fit_difference
fit_compare_exactly(struct fit *fit, unsigned a, unsigned b)
{
	double *contrast, square;

	if (fit->bots <= FIT_DENSE_BOTS)
		return fit_compare(fit, a, b);
	contrast = memory(NULL, 2 * fit->bots * sizeof(*contrast));
	memset(contrast, 0, 2 * fit->bots * sizeof(*contrast));
	contrast[a] += 1;
	contrast[b] -= 1;
	fit_divide(fit, contrast, contrast + fit->bots);
	square = fit_variance(fit, contrast + fit->bots);
	free(contrast);
	return differ(fit, a, b, square);
}

/* ---- rows ------------------------------------------------------------- */

static void
begin_rows(struct fit *fit)
{
	unsigned b;

	for (b = 0; b < fit->bots; b++)
		fit->row[b] = (struct fit_row){
			.name = fit->name[b].text,
			.bot = b,
			.games = fit->name[b].games,
			.anchored = fit->name[b].anchored,
			.best = !fit->name[b].unranked,
		};
}

static int
compare_rows(const void *left, const void *right)
{
	const struct fit_row *a = left, *b = right;

	if (a->set != b->set)
		return a->set < b->set ? -1 : 1;
	if (a->best != b->best) /* not counted yet: ranked, or not */
		return a->best > b->best ? -1 : 1;
	if (a->rating != b->rating)
		return a->rating > b->rating ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Rows `from` to `to` are those of a set that are ranked, or are not, in
 * order. */
static void
rank_set(struct fit *fit, unsigned from, unsigned to)
{
	unsigned count = to - from, i, j;
	struct fit_row *row = fit->row;
	double z = count > 1 ? normal_above(0.05 / (count - 1)) : 0, apart;

	if (row[from].best == 0)
		to = from;
	for (i = from; i < to; i++)
		row[i].worst = count;
	for (i = from; i < to; i++)
		for (j = i + 1; j < to; j++) {
			if (row[i].sd < 0 || row[j].sd < 0)
				continue;
			apart = fit->x[row[i].bot] - fit->x[row[j].bot];
			if (apart * apart <=
			    z * z * variance(fit, row[i].bot, row[j].bot))
				continue;
			row[i].worst--;
			row[j].best++;
		}
	for (i = from; i < to; i++)
		row[i].los = i + 1 == to ? -1
					 : fit_compare(fit, row[i].bot,
						       row[i + 1].bot)
						   .los;
}

static void
finish_rows(struct fit *fit)
{
	struct fit_row *row;
	unsigned b, from, to;

	for (b = 0; b < fit->bots; b++) {
		row = &fit->row[b];
		row->rating = FIT_CENTRE + fit->x[b] * points_of_one;
		row->los = -1;
		row->sd = bar_known(fit, b)
				  ? sqrt(fmax(own_variance(fit, b), 0)) *
					    points_of_one
				  : -1;
	}
	qsort(fit->row, fit->bots, sizeof(*fit->row), compare_rows);
	for (b = 0; b < fit->bots; b++)
		fit->row_of[fit->row[b].bot] = b;
	for (from = 0; from < fit->bots; from = to) {
		for (to = from + 1; to < fit->bots; to++)
			if (fit->row[to].set != fit->row[from].set ||
			    (fit->row[to].best == 0) !=
				    (fit->row[from].best == 0))
				break;
		rank_set(fit, from, to);
	}
}

const struct fit_row *
fit_rows(const struct fit *fit)
{
	return fit->row;
}

static void
set_prior(struct fit *fit, double prior_sd)
{
	double sum = 0;
	unsigned b;

	for (b = 0; b < fit->bots; b++)
		if (fit->name[b].anchored)
			sum += fit->name[b].anchor;
	fit->middle = fit->anchors > 0 ? sum / fit->anchors : 0;
	fit->tau = prior_sd > 0 ? pow(points_of_one / prior_sd, 2) : 0;
	fit->pull = prior_sd > 0 ? pow(points_of_one / FIT_TIE, 2) : 0;
}

int
fit_solve(struct fit *fit, double prior_sd, struct error *why)
{
	size_t n = fit->bots > 0 ? fit->bots : 1;

	forget_solution(fit);
	fit->x = memory(NULL, n * sizeof(double));
	fit->power = memory(NULL, n * sizeof(double));
	fit->gradient = memory(NULL, n * sizeof(double));
	fit->diagonal = memory(NULL, n * sizeof(double));
	fit->clusters = memory(NULL, n * sizeof(*fit->clusters));
	fit->row = memory(NULL, n * sizeof(*fit->row));
	fit->row_of = memory(NULL, n * sizeof(*fit->row_of));
	set_prior(fit, prior_sd);
	begin_rows(fit);
	if (fit_link(fit, prior_sd > 0, why) < 0 || fit_climb(fit, why) < 0)
		return -1;
	fit_spread(fit);
	finish_rows(fit);
	return 0;
}
