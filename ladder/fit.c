/* ladder/fit.c - takes games in and gives rows; fit-solve.c climbs,
 * fit-errors.c measures how sure the result is, fit-links.c finds which bots
 * can be compared. */
#include "ladder/fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-inside.h"

static const double points_of_one = 400 / M_LN10;

enum { OPEN_ABOVE = 1, OPEN_BELOW = 2 }; /* the ends that a bar lacks */

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
	free(fit->node);
	free(fit->offset);
	free(fit->open);
	free(fit->bend);
	free(fit->trust);
	free(fit->low);
	free(fit->high);
	free(fit->order);
	free(fit->spread);
	free(fit->row);
	free(fit->row_of);
	fit->order = NULL;
	fit->spread = NULL;
}

void
fit_free(struct fit *fit)
{
	if (fit == NULL)
		return;
	forget_solution(fit);
	for (unsigned b = 0; b < fit->bots; b++)
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

/* Returns the slot where the name stands, or would stand, by linear probing.
 * The hash has a secret key: strangers choose the names, and with a known key
 * they could make them all neighbours. */
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
	if (fit->bots < fit->names_room)
		return;
	fit->names_room = fit->names_room > 0 ? 2 * fit->names_room : 16;
	fit->slots = 2 * fit->names_room;
	fit->name = memory(fit->name, fit->names_room * sizeof(*fit->name));
	free(fit->slot);
	fit->slot = zeroed(fit->slots, sizeof(*fit->slot));
	for (unsigned b = 0; b < fit->bots; b++)
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
		memset(fit->cluster, 0xff, bytes); /* all FIT_ALONE */
	}
	fit->cluster[fit->games] = cluster;
}

void
fit_game(struct fit *fit, unsigned seats, const unsigned bot[],
	 const int place[], uint32_t cluster)
{
	struct fit_name *name;
	bool alone;
	size_t at;

	if (seats < 2 || seats > SEATS_MAX ||
	    fit->start[fit->games] > UINT32_MAX - SEATS_MAX)
		bug("game %zu of a fit has %u seats", fit->games, seats);
	make_room_for_game(fit, seats);
	at = fit->start[fit->games];
	for (unsigned s = 0; s < seats; s++) {
		if (bot[s] >= fit->bots || place[s] < 1 || place[s] > SEATS_MAX)
			bug("seat %u: bot %u, place %d", s, bot[s], place[s]);
		fit->seat[at + s] =
			bot[s] << FIT_PLACE_BITS | (unsigned)place[s];
		name = &fit->name[bot[s]];
		name->games++;
		alone = true;
		for (unsigned t = 0; t < seats; t++)
			alone &= bot[t] == bot[s];
		if (alone)
			continue;
		name->met++;
		name->virtual += (seats + 1) / (3.0 * (seats - 1));
		for (unsigned t = 0; t < seats; t++) {
			if (bot[t] == bot[s])
				continue;
			name->duels++;
			name->halves +=
				(place[s] <= place[t]) + (place[s] < place[t]);
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
	*ADDED(fit->tie, fit->ties) = (struct fit_tied){ .a = a, .b = b };
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
	size_t a, b;
	double score;

	for (a = 0; a < (size_t)fit->bots * fit->bots; a++)
		duels[a] = won[a] = 0;
	for (size_t g = 0; g < fit->games; g++) {
		fit_read(fit, g, &table);
		for (size_t s = 0; s < table.seats; s++)
			for (size_t t = 0; t < s; t++) {
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

bool
fit_is_open(const struct fit *fit, unsigned node, bool above)
{
	return (fit->open[node] & (above ? OPEN_ABOVE : OPEN_BELOW)) != 0;
}

/* Finds the nodes that won all their duels, or lost them all. */
static void
find_open(struct fit *fit)
{
	struct fit_duel duel[FIT_DUELS_MAX], *d;
	unsigned count;

	memset(fit->open, OPEN_ABOVE | OPEN_BELOW, fit->bots);
	for (size_t g = 0; g < fit->games; g++) {
		count = fit_duels_of(fit, g, duel);
		for (d = duel; d < duel + count; d++) {
			if (d->won > 0) {
				fit->open[d->a] &= (unsigned char)~OPEN_BELOW;
				fit->open[d->b] &= (unsigned char)~OPEN_ABOVE;
			}
			if (d->won < 1) {
				fit->open[d->a] &= (unsigned char)~OPEN_ABOVE;
				fit->open[d->b] &= (unsigned char)~OPEN_BELOW;
			}
		}
	}
}

double
fit_own_variance(const struct fit *fit, unsigned node)
{
	size_t step = fit->bots > FIT_DENSE_BOTS ? 1 : fit->bots + (size_t)1;

	return fmax(fit->spread[node * step], 0);
}

static double
correlation(const struct fit *fit, unsigned a, unsigned b)
{
	double square = fit_own_variance(fit, a) * fit_own_variance(fit, b);

	if (fit->bots > FIT_DENSE_BOTS || square <= 0)
		return 0;
	return fit->spread[(size_t)a * fit->bots + b] / sqrt(square);
}

/* Returns how far a bar reaches at another z than FIT_Z, where its arm is
 * `arm`.  Near 0 the arm grows with the standard deviation. */
static double
reach(double arm, double sd, double z)
{
	double bent, part = z / FIT_Z;

	if (z == FIT_Z || sd <= 0 || isinf(arm))
		return arm;
	bent = arm / (FIT_Z * sd);
	return z * sd *
	       (bent > 1 ? 1 + (bent - 1) * part
			 : 1 / (1 + (1 / bent - 1) * part));
}

/* Returns how far the bar of a node reaches at z, upwards or downwards. */
static double
arm_at(const struct fit *fit, unsigned node, bool up, double z)
{
	return reach(up ? fit->high[node] : fit->low[node],
		     sqrt(fit_own_variance(fit, node)), z);
}

/* Two nodes to be compared.  If exact variances are known, the bars are this
 * many times as wide. */
struct couple {
	unsigned a, b;
	double wide_a, wide_b, correlation;
};

static struct couple
couple_of(const struct fit *fit, unsigned a, unsigned b)
{
	struct couple couple = {
		.a = fit->node[a], .b = fit->node[b], .wide_a = 1, .wide_b = 1
	};

	couple.correlation = correlation(fit, couple.a, couple.b);
	return couple;
}

/* Returns the arm of a difference from the arms of both that reach that way (G.
 * Y. Zou and A. Donner, Statistics in Medicine 27 (2008) 1693-1702). */
static double
join_arms(double one, double other, double correlation)
{
	if (isinf(one) || isinf(other))
		return INFINITY;
	return sqrt(fmax(
		one * one + other * other - 2 * correlation * one * other, 0));
}

/* Returns the arm of a - b at z: the upper one if `up` is true, else the lower. */
static double
arm_of(const struct fit *fit, const struct couple *couple, bool up, double z)
{
	if (couple->a == couple->b)
		return 0;
	return join_arms(arm_at(fit, couple->a, up, z * couple->wide_a),
			 arm_at(fit, couple->b, !up, z * couple->wide_b),
			 couple->correlation);
}

static double
normal_tail(double z)
{
	return erfc(z * M_SQRT1_2) / 2;
}

/* Returns the z above which `tail` of the normal distribution lies. */
static double
normal_above(double tail)
{
	double low = 0, high = 40, middle;

	for (unsigned i = 0; i < 64; i++) {
		middle = (low + high) / 2;
		if (normal_tail(middle) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Returns the likelihood that a is better than b, from the z at which the bar
 * of their difference ends at 0. */
static double
find_los(const struct fit *fit, const struct couple *couple, double apart)
{
	double low = 0, high = 40, middle;

	if (isinf(arm_of(fit, couple, apart < 0, FIT_Z)))
		return -1;
	for (unsigned i = 0; i < 64; i++) {
		middle = (low + high) / 2;
		if (arm_of(fit, couple, apart < 0, middle) < fabs(apart))
			low = middle;
		else
			high = middle;
	}
	return normal_tail(apart > 0 ? -high : high);
}

static unsigned
set_of(const struct fit *fit, unsigned bot)
{
	return fit->row[fit->row_of[bot]].set;
}

static struct fit_difference
compare(const struct fit *fit, unsigned a, unsigned b,
	const struct couple *couple)
{
	double apart = fit->x[a] - fit->x[b];
	bool compared = set_of(fit, a) == set_of(fit, b);

	return (struct fit_difference){
		.points = apart * points_of_one,
		.low = (apart - arm_of(fit, couple, false, FIT_Z)) *
		       points_of_one,
		.high = (apart + arm_of(fit, couple, true, FIT_Z)) *
			points_of_one,
		.los = compared ? find_los(fit, couple, apart) : -1,
		.compared = compared,
	};
}

struct fit_difference
fit_compare(const struct fit *fit, unsigned a, unsigned b)
{
	struct couple couple = couple_of(fit, a, b);

	return compare(fit, a, b, &couple);
}

/* Sets z so that z'J*z is the variance of a node's distance from the mean of its
 * set. */
static void
point_at(const struct fit *fit, unsigned node, double z[])
{
	size_t n = fit->bots, size = 0, b;
	double *contrast = zeroed(n, sizeof(*contrast));

	for (b = 0; b < n; b++)
		size += set_of(fit, (unsigned)b) == set_of(fit, node);
	contrast[node] = 1;
	for (b = 0; b < n; b++)
		if (set_of(fit, (unsigned)b) == set_of(fit, node))
			contrast[fit->node[b]] -= 1 / (double)size;
	fit_divide(fit, contrast, z);
	free(contrast);
}

struct fit_difference
fit_compare_exactly(const struct fit *fit, unsigned a, unsigned b)
{
	struct couple couple = couple_of(fit, a, b);
	double *z, one, other, apart;
	size_t n = fit->bots, i;

	if (n <= FIT_DENSE_BOTS || couple.a == couple.b ||
	    fit_own_variance(fit, couple.a) <= 0 ||
	    fit_own_variance(fit, couple.b) <= 0)
		return fit_compare(fit, a, b);
	z = memory(NULL, 2 * n * sizeof(*z));
	point_at(fit, couple.a, z);
	point_at(fit, couple.b, z + n);
	one = fit_variance(fit, z);
	other = fit_variance(fit, z + n);
	for (i = 0; i < n; i++)
		z[i] -= z[n + i];
	apart = fit_variance(fit, z);
	free(z);
	couple.wide_a = sqrt(one / fit_own_variance(fit, couple.a));
	couple.wide_b = sqrt(other / fit_own_variance(fit, couple.b));
	couple.correlation = (one + other - apart) / (2 * sqrt(one * other));
	return compare(fit, a, b, &couple);
}

/* ---- rows ------------------------------------------------------------- */

static void
begin_rows(struct fit *fit)
{
	for (unsigned b = 0; b < fit->bots; b++)
		fit->row[b] = (struct fit_row){
			.name = fit->name[b].text,
			.bot = b,
			.games = fit->name[b].games,
			.score = fit->name[b].duels > 0
					 ? fit->name[b].halves /
						   (2.0 * fit->name[b].duels)
					 : -1,
			.best = !fit->name[b].unranked,
		};
}

static int
compare_rows(const void *left, const void *right)
{
	const struct fit_row *a = left, *b = right;

	if (a->set != b->set)
		return a->set < b->set ? -1 : 1;
	if (a->best != b->best) /* so far 1 if ranked, 0 if not */
		return a->best > b->best ? -1 : 1;
	if (a->rating != b->rating)
		return a->rating > b->rating ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Counts for rows `from` to `to` which bots are surely better than which, at z. */
static void
count_better(struct fit *fit, unsigned from, unsigned to, double z)
{
	size_t n = fit->bots, i, j;
	unsigned a, b;
	double *down = memory(NULL, 2 * n * sizeof(*down)), *up = down + n;
	struct fit_row *row = fit->row;
	double apart;

	for (i = from; i < to; i++) {
		down[i] = arm_at(fit, fit->node[row[i].bot], false, z);
		up[i] = arm_at(fit, fit->node[row[i].bot], true, z);
	}
	for (i = from; i < to; i++)
		for (j = i + 1; j < to; j++) {
			a = fit->node[row[i].bot];
			b = fit->node[row[j].bot];
			apart = fit->x[row[i].bot] - fit->x[row[j].bot];
			if (apart <=
			    (a == b ? 0
				    : join_arms(down[i], up[j],
						correlation(fit, a, b))))
				continue;
			row[i].worst--;
			row[j].best++;
		}
	free(down);
}

/* Ranks the rows `from` to `to`: in order, those of a set that are ranked, or
 * those that are not. */
static void
rank_set(struct fit *fit, unsigned from, unsigned to)
{
	unsigned count = to - from, i;
	struct fit_row *row = fit->row;

	if (row[from].best == 0)
		to = from;
	for (i = from; i < to; i++)
		row[i].worst = count;
	if (to > from + 1)
		count_better(fit, from, to, normal_above(0.05 / (count - 1)));
}

/* Sets the ends of a bot's bar: about the mean of all, or about the anchors if
 * its set has some. */
static void
set_bar(const struct fit *fit, struct fit_row *row, unsigned anchor)
{
	unsigned node = fit->node[row->bot];
	double low = fit->low[node], high = fit->high[node];
	struct couple couple;

	if (anchor < fit->bots && fit->row[anchor].set == row->set) {
		couple = couple_of(fit, node, anchor);
		low = arm_of(fit, &couple, false, FIT_Z);
		high = arm_of(fit, &couple, true, FIT_Z);
	}
	row->low = row->rating - low * points_of_one;
	row->high = row->rating + high * points_of_one;
}

static void
finish_rows(struct fit *fit)
{
	struct fit_row *row;
	unsigned b, from, to, anchor = fit->bots;
	double shift;

	for (b = fit->bots; b-- > 0;)
		if (fit->name[b].anchored)
			anchor = b;
	shift = anchor < fit->bots ? fit->name[anchor].anchor - fit->x[anchor]
				   : -fit->mean;
	for (b = 0; b < fit->bots; b++) {
		row = &fit->row[b];
		row->rating = FIT_CENTRE + (fit->x[b] + shift) * points_of_one;
		set_bar(fit, row, anchor);
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

/* Sets the node of each bot; the anchors become one node. */
static void
find_nodes(struct fit *fit)
{
	unsigned b, first = fit->bots;

	for (b = 0; b < fit->bots; b++) {
		fit->node[b] = b;
		fit->offset[b] = 0;
		if (!fit->name[b].anchored)
			continue;
		if (first == fit->bots)
			first = b;
		fit->node[b] = first;
		fit->offset[b] = fit->name[b].anchor - fit->name[first].anchor;
	}
}

int
fit_solve(struct fit *fit, bool prior, struct error *why)
{
	double **array[] = { &fit->offset, &fit->x,	   &fit->power,
			     &fit->bend,   &fit->gradient, &fit->diagonal,
			     &fit->trust,  &fit->low,	   &fit->high };
	size_t n = fit->bots > 0 ? fit->bots : 1, i;

	forget_solution(fit);
	fit->node = memory(NULL, n * sizeof(*fit->node));
	for (i = 0; i < NELEM(array); i++)
		*array[i] = memory(NULL, n * sizeof(double));
	fit->open = memory(NULL, n);
	fit->row = memory(NULL, n * sizeof(*fit->row));
	fit->row_of = memory(NULL, n * sizeof(*fit->row_of));
	fit->prior = prior;
	find_nodes(fit);
	begin_rows(fit);
	if (fit_link(fit, prior, why) < 0 || fit_climb(fit, why) < 0)
		return -1;
	find_open(fit);
	fit_spread(fit);
	fit_find_arms(fit);
	finish_rows(fit);
	return 0;
}

/* The bar of a bot that won all has no upper end.  Other bars lack an end if
 * the anchor's lacks it. */
void
fit_open_words(const struct fit_row *row, char words[FIT_WORDS_BYTES])
{
	const bool above = isinf(row->high), below = isinf(row->low);
	const bool won = above && row->score == 1;
	const bool lost = below && row->score == 0;
	char games[64] = "";

	if (won || lost)
		snprintf(games, sizeof(games),
			 row->games == 1 ? "%s its only game: "
					 : "%s all %" PRIu64 " games: ",
			 won ? "won" : "lost", row->games);
	if (above && below)
		snprintf(words, FIT_WORDS_BYTES, "no game says where it is");
	else if (above)
		snprintf(words, FIT_WORDS_BYTES, "%sat least %.0f", games,
			 row->low);
	else if (below)
		snprintf(words, FIT_WORDS_BYTES, "%sat most %.0f", games,
			 row->high);
	else
		words[0] = '\0';
}
