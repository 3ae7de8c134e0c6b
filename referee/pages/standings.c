/* referee/pages/standings.c - see standings.h. */
#include "referee/pages/standings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
add_row(void *arg, const struct ladder_standing *standing)
{
	struct standings *all = arg;

	*ADDED(all->row, all->count) =
		(struct standings_row){ .standing = *standing };
}

/* Takes away the rank of a bot that has left since the fit.  Those of the others
 * close up with the next one; until then it is not known how far apart the first
 * two are if it was one of them. */
static void
leave_rank(struct fit_kept *kept, const struct fit_row *of)
{
	struct fit_row *row = &kept->row[of - kept->row];

	if (row->best > 0 && row < kept->row + 2)
		kept->lead = kept->lead_low = 0;
	row->best = row->worst = 0;
}

/* Finds the fit of the latest fitted version before this one; `most` ends a circle in a
 * damaged ladder. */
static const struct fit_row *
fit_before(const struct standings *standings, const struct standings_row *row)
{
	unsigned most = standings->count;

	while (row != NULL && row->fit == NULL && most-- > 0)
		row = row->standing.heir_of[0] == '\0'
			      ? NULL
			      : standings_find(standings,
					       row->standing.heir_of);
	return row == NULL ? NULL : row->fit;
}

static int
add_fit(struct ladder *ladder, bool fit, struct standings *standings,
	struct error *why)
{
	struct standings_row *row = standings->row;

	if (!fit)
		standings->fit = fit_recall_any(ladder, standings->pool.number);
	else if (fit_recall(ladder, standings->pool.number, &standings->fit,
			    why) < 0)
		return -1;
	for (;
	     standings->fit != NULL && row < standings->row + standings->count;
	     row++) {
		row->fit = fit_kept_find(standings->fit, row->standing.bot);
		if (row->fit != NULL && row->standing.rank == 0)
			leave_rank(standings->fit, row->fit);
	}
	for (row = standings->row;
	     standings->fit != NULL && row < standings->row + standings->count;
	     row++) {
		row->before =
			row->fit == NULL ? fit_before(standings, row) : NULL;
		row->standing.provisional |=
			row->standing.mark == LADDER_PLAYS &&
			standings_games(standings, row) < LADDER_PROVISIONAL;
	}
	return 0;
}

int
standings_read(struct ladder *ladder, const struct ladder_pool *pool, bool fit,
	       struct standings *standings, struct error *why)
{
	int result;

	*standings = (struct standings){ .pool = *pool,
					 .season = *ladder_season(ladder) };
	result = ladder_settings(ladder, &standings->k_milli,
				 &standings->start_milli, why);
	if (result == 0)
		result = ladder_pool_find(ladder, &standings->pool, why);
	if (result == 0 && standings->pool.number != 0)
		result = ladder_standings(ladder, standings->pool.number,
					  add_row, standings, why);
	if (result == 0 && standings->count > 0)
		result = add_fit(ladder, fit, standings, why);
	if (result < 0)
		standings_release(standings);
	return result;
}

void
standings_release(struct standings *standings)
{
	free(standings->row);
	fit_kept_free(standings->fit);
	*standings = (struct standings){ .count = 0 };
}

/* Compares two rows: bots without a rank come last.  Among both kinds the order
 * is that of the fit, and then come bots that the fit does not have. */
static int
by_fit(const void *left, const void *right)
{
	const struct standings_row *a = left, *b = right;

	if ((a->standing.rank == 0) != (b->standing.rank == 0))
		return a->standing.rank == 0 ? 1 : -1;
	if (a->fit == NULL || b->fit == NULL)
		return a->fit != b->fit
			       ? (a->fit == NULL ? 1 : -1)
			       : strcmp(a->standing.bot, b->standing.bot);
	return (a->fit > b->fit) - (a->fit < b->fit);
}

void
standings_sort(struct standings *standings)
{
	if (standings->count > 0) /* else all games are voided */
		qsort(standings->row, standings->count, sizeof(*standings->row),
		      by_fit);
}

const struct standings_row *
standings_find(const struct standings *standings, const char *bot)
{
	for (unsigned i = 0; i < standings->count; i++)
		if (strcmp(standings->row[i].standing.bot, bot) == 0)
			return &standings->row[i];
	return NULL;
}

struct standings_elo
standings_elo(const struct standings_row *row)
{
	const struct fit_row *fit = row->fit;
	struct standings_elo elo;

	if (fit == NULL)
		return (struct standings_elo){
			row->before != NULL
				? row->before->rating
				: (double)row->standing.rating_milli / 1000,
			NAN, NAN, "not known yet"
		};
	elo = (struct standings_elo){ fit->rating, fit->low, fit->high, "" };
	fit_open_words(fit, elo.words);
	if (fit_is_fixed(fit))
		snprintf(elo.words, sizeof(elo.words), "fixed");
	else if (elo.words[0] == '\0')
		snprintf(elo.words, sizeof(elo.words), "%.0f to %.0f", elo.from,
			 elo.to);
	return elo;
}

/* Returns true if the fit lacks games that the ladder has.  Then games and
 * score come from the fit, too, so that all facts about a bot's strength are of
 * one moment. */
static bool
is_behind(const struct standings *standings, const struct standings_row *row)
{
	return standings->fit != NULL && standings->fit->since > 0 &&
	       row->fit != NULL;
}

int64_t
standings_games(const struct standings *standings,
		const struct standings_row *row)
{
	return is_behind(standings, row) ? (int64_t)row->fit->games
					 : row->standing.games;
}

double
standings_score(const struct standings *standings,
		const struct standings_row *row)
{
	const double others =
		(double)row->standing.games * (standings->pool.seats - 1);

	if (is_behind(standings, row))
		return row->fit->score > 0 ? row->fit->score : 0;
	return others > 0 ? (double)row->standing.halves / (2 * others) : 0;
}

int64_t
standings_missing(const struct fit_kept *fit)
{
	const double wide = fit->lead - fit->lead_low;
	double missing;
	char digits[32];

	if (!(wide > 0))
		return -1;
	if (fit->lead_low > 0)
		return 0;
	missing = (double)fit->games *
		  (wide * wide / (fit->lead * fit->lead) - 1);
	if (!(missing <= STANDINGS_MISSING_MAX))
		return STANDINGS_MISSING_MAX + 1;
	snprintf(digits, sizeof(digits), "%.1e", fmax(1, ceil(missing)));
	return (int64_t)strtod(digits, NULL);
}

uint64_t
standings_faults(const struct standings_row *row)
{
	uint64_t sum = 0;

	for (unsigned i = FAULT_TIMEOUT; i < FAULT_KINDS; i++)
		sum += row->standing.faults[i];
	return sum;
}
