/* referee/cli/fit-print.c - prints fits as text, JSON and CSV. */
#include "referee/cli/fit-print.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/base/command.h"
#include "referee/base/json-line.h"
#include "referee/cli/ladder-print.h"
#include "referee/data/ladder-json.h"

#define FIT_TEXT_BYTES 32

static void
print_end(struct table_print *table, double end)
{
	if (isfinite(end))
		table_print_cell(table, "%.1f", end);
	else
		table_print_cell(table, "-");
}

static json_t *
begin_object(const struct ladder_pool *pool)
{
	json_t *json = json_object();

	if (pool != NULL)
		ladder_pool_json(json, pool);
	return json;
}

/* ---- the table -------------------------------------------------------- */

void
fit_row_print(struct table_print *table, const struct fit_row *row)
{
	if (row->best == 0)
		table_print_cell(table, "-");
	else if (row->best == row->worst)
		table_print_cell(table, "%u", row->best);
	else
		table_print_cell(table, "%u-%u", row->best, row->worst);
	table_print_cell(table, "%s", row->name);
	table_print_cell(table, "%.1f", row->rating);
	if (fit_is_fixed(row)) {
		table_print_cell(table, "fixed");
		table_print_cell(table, "fixed");
	} else {
		print_end(table, row->low);
		print_end(table, row->high);
	}
	table_print_cell(table, "%" PRIu64, row->games);
	if (row->score < 0)
		table_print_cell(table, "-");
	else
		table_print_cell(table, "%.1f%%", 100 * row->score);
}

/* Says what a range of ranks means, by the first row that has one. */
static void
print_ranks(const struct fit_row row[], unsigned count)
{
	unsigned r = 0, bots = 0;

	while (r < count && row[r].best == row[r].worst)
		r++;
	if (r == count)
		return;
	for (unsigned i = 0; i < count; i++)
		bots += row[i].set == row[r].set && row[i].best > 0;
	printf("Rank %u-%u of %u: %s surely better, %u surely worse, all pairs "
	       "considered.\n",
	       row[r].best, row[r].worst, bots,
	       counted(row[r].best - 1, "bot").text, bots - row[r].worst);
}

void
fit_print_zero(const struct fit_row row[], unsigned count)
{
	struct text text = { .max = SIZE_MAX };

	fit_tell_zero(row, count, &text);
	print_escaped(stdout, text_string(&text));
	puts("\nIn 95 of 100 cases the true Elo is between from and to.");
	print_ranks(row, count);
	text_release(&text);
}

static void
print_table(const struct fit *fit, const struct ladder_pool *pool)
{
	static const struct table_column columns[] = { FIT_COLUMNS };
	const struct fit_row *row = fit_rows(fit);
	struct table_print *table = table_print_new(columns, NELEM(columns));
	char words[FIT_WORDS_BYTES];

	if (pool != NULL)
		ladder_pool_print(pool);
	for (unsigned i = 0; i < fit_bots(fit); i++) {
		if (i > 0 && row[i].set != row[i - 1].set)
			table_print_line(table, 0, FIT_APART);
		fit_row_print(table, &row[i]);
		fit_open_words(&row[i], words);
		table_print_row(table, words);
	}
	table_print_end(table);
	fit_print_zero(row, fit_bots(fit));
}

static void
print_json(const struct fit_row *row, const struct ladder_pool *pool)
{
	json_t *json = begin_object(pool);

	JSON_ADD(json, JSON("bot", json_any_string(row->name)),
		 INT("games", row->games));
	fit_row_json(json, row);
	print_json_line(json, FIT_DIGITS);
}

/* Prints the pool's columns of a CSV line; they are empty without a pool. */
static void
print_pool_fields(const struct ladder_pool *pool)
{
	if (pool == NULL)
		fputs(",,,,", stdout);
	else
		printf("%s,%s,%u,%s,", pool->game, pool->options, pool->seats,
		       pool->arrival ? "arrival" : "priority");
}

static void
print_number(bool is, double value, const char *after)
{
	if (is)
		printf("%.*g", FIT_DIGITS, value);
	fputs(after, stdout);
}

static void
print_csv(const struct fit_row *row, const struct ladder_pool *pool)
{
	print_pool_fields(pool);
	printf("%u,%u,%s,", row->best, row->worst, row->name);
	print_number(true, row->rating, ",");
	print_number(isfinite(row->low), row->low, ",");
	print_number(isfinite(row->high), row->high, ",");
	printf("%s,%" PRIu64 ",", fit_is_fixed(row) ? "yes" : "no", row->games);
	print_number(row->score >= 0, row->score, ",");
	printf("%u\n", row->set + 1);
}

void
fit_print_columns(void)
{
	puts("game,options,seats,open,best,worst,bot,elo,from,to,fixed,games,"
	     "score,set");
}

void
fit_print(const struct fit *fit, const struct ladder_pool *pool,
	  enum fit_format format)
{
	const struct fit_row *row = fit_rows(fit);

	if (format == FIT_TEXT)
		print_table(fit, pool);
	for (unsigned i = 0; format != FIT_TEXT && i < fit_bots(fit); i++)
		if (format == FIT_JSON)
			print_json(&row[i], pool);
		else
			print_csv(&row[i], pool);
}

/* ---- pairs ------------------------------------------------------------ */

/* Prints a pair of bots; `duels` < 0: they were not counted. */
static void
print_pair(const char *a, const char *b, const struct ladder_pool *pool,
	   struct fit_difference difference, double duels, double won)
{
	const bool is = difference.compared;
	json_t *json = begin_object(pool);

	JSON_ADD(json, JSON("bot", json_any_string(a)),
		 JSON("versus", json_any_string(b)),
		 JSON("difference", fit_known_json(is, difference.points)),
		 JSON("from", fit_known_json(is && isfinite(difference.low),
					     difference.low)),
		 JSON("to", fit_known_json(is && isfinite(difference.high),
					   difference.high)),
		 JSON("los", fit_known_json(is && difference.los >= 0,
					    difference.los)));
	if (duels >= 0)
		JSON_ADD(json, INT("duels", (json_int_t)duels),
			 REAL("won", won));
	print_json_line(json, FIT_DIGITS);
}

typedef void print_cell(struct fit_difference difference);

static void
print_los_cell(struct fit_difference difference)
{
	if (!difference.compared || difference.los < 0)
		printf("   -");
	else
		printf(" %3.0f", 100 * difference.los);
}

#define POINTS_WIDTH 12

/* Writes "+12", or "?" where the interval has no end. */
static void
end_text(double end, char text[FIT_TEXT_BYTES])
{
	if (isfinite(end))
		snprintf(text, FIT_TEXT_BYTES, "%+.0f", shown(end, 1));
	else
		snprintf(text, FIT_TEXT_BYTES, "?");
}

static void
print_points_cell(struct fit_difference difference)
{
	char cell[2 * FIT_TEXT_BYTES], text[FIT_TEXT_BYTES];

	if (!difference.compared) {
		printf(" %*s", POINTS_WIDTH, "-");
		return;
	}
	end_text(difference.low, text);
	snprintf(cell, sizeof(cell), "%s..", text);
	end_text(difference.high, text);
	snprintf(cell + strlen(cell), sizeof(cell) - strlen(cell), "%s", text);
	printf(" %*s", POINTS_WIDTH, cell);
}

static int
width_of(const struct fit *fit)
{
	const struct fit_row *row = fit_rows(fit);
	int width = (int)strlen("bot"), n;

	for (unsigned i = 0; i < fit_bots(fit); i++)
		if ((n = (int)strlen(row[i].name)) > width)
			width = n;
	return width;
}

static void
print_cross_table(const struct fit *fit, const char *title, int column,
		  print_cell *print)
{
	const struct fit_row *row = fit_rows(fit);
	unsigned n = fit_bots(fit), i, j;
	int width = width_of(fit);

	printf("\n%s\n%4s  %-*s", title, "", width, "bot");
	for (j = 0; j < n; j++)
		printf(" %*u", column, j + 1);
	putchar('\n');
	for (i = 0; i < n; i++) {
		printf("%4u  ", i + 1);
		print_escaped(stdout, row[i].name);
		printf("%*s", width - (int)strlen(row[i].name), "");
		for (j = 0; j < n; j++)
			if (i == j)
				printf(" %*s", column, "");
			else
				print(fit_compare(fit, row[i].bot, row[j].bot));
		putchar('\n');
	}
}

void
fit_print_cross(const struct fit *fit, const struct ladder_pool *pool,
		enum fit_format format)
{
	const struct fit_row *row = fit_rows(fit);
	size_t n = fit_bots(fit), i, j, at;
	double *duels, *won;

	if (format == FIT_TEXT) {
		print_cross_table(fit,
				  "How surely, in per cent, the row is better "
				  "than the column:",
				  3, print_los_cell);
		print_cross_table(fit,
				  "By how many points, from where to where in "
				  "95 of 100 cases:",
				  POINTS_WIDTH, print_points_cell);
		return;
	}
	duels = memory(NULL, (2 * n * n + 1) * sizeof(*duels));
	won = duels + n * n;
	fit_duels(fit, duels, won);
	for (i = 0; i < n; i++)
		for (j = i + 1; j < n; j++) {
			at = row[i].bot * n + row[j].bot;
			print_pair(row[i].name, row[j].name, pool,
				   fit_compare(fit, row[i].bot, row[j].bot),
				   duels[at], won[at]);
		}
	free(duels);
}

static const char *
name_of(const struct fit *fit, unsigned bot)
{
	const struct fit_row *row = fit_rows(fit);

	while (row->bot != bot)
		row++;
	return row->name;
}

void
fit_print_versus(const struct fit *fit, const struct ladder_pool *pool,
		 unsigned a, unsigned b, enum fit_format format)
{
	struct fit_difference difference = fit_compare_exactly(fit, a, b);
	char from[FIT_TEXT_BYTES], to[FIT_TEXT_BYTES];

	if (format != FIT_TEXT) {
		print_pair(name_of(fit, a), name_of(fit, b), pool, difference,
			   -1, 0);
		return;
	}
	if (pool != NULL)
		ladder_pool_print(pool);
	print_escaped(stdout, name_of(fit, a));
	fputs(" against ", stdout);
	print_escaped(stdout, name_of(fit, b));
	if (!difference.compared) {
		puts(": no chain of games connects them");
		return;
	}
	end_text(difference.low, from);
	end_text(difference.high, to);
	printf(": %+.1f points (%s to %s), LOS ", shown(difference.points, .1),
	       from, to);
	if (difference.los < 0)
		puts("-");
	else
		printf("%.1f%%\n", 100 * difference.los);
}
