/* referee/cli/ladder-show.c - standings and fit, joined by the names of bots. */
#include "referee/cli/ladder-show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-kept.h"
#include "referee/base/json-line.h"
#include "referee/cli/fit-print.h"
#include "referee/cli/ladder-print.h"
#include "referee/data/ladder-json.h"

struct line {
	struct ladder_standing standing;
	const struct fit_row *row; /* NULL: it came after the fit */
};

struct show {
	struct ladder *ladder;
	bool json;
	unsigned pools, count;
	struct line *line;
	const struct ladder_pool *pool;
	int result;
	struct error *why;
};

static void
add_line(void *arg, const struct ladder_standing *standing)
{
	struct show *show = arg;

	show->line = grown(show->line, show->count, sizeof(*show->line));
	show->line[show->count++] = (struct line){ .standing = *standing };
}

/* Those without a rank last, and among them as among the others: as the fit has
 * them, then what it does not have. */
static int
by_fit(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if ((a->standing.rank == 0) != (b->standing.rank == 0))
		return a->standing.rank == 0 ? 1 : -1;
	if (a->row == NULL || b->row == NULL)
		return a->row != b->row
			       ? (a->row == NULL ? 1 : -1)
			       : strcmp(a->standing.bot, b->standing.bot);
	return (a->row > b->row) - (a->row < b->row);
}

static void
join(struct show *show, const struct fit_kept *kept)
{
	struct line *line;

	for (line = show->line; line < show->line + show->count; line++)
		line->row = fit_kept_find(kept, line->standing.bot);
	qsort(show->line, show->count, sizeof(*show->line), by_fit);
}

/* ---- as JSON ---------------------------------------------------------- */

static void
print_objects(const struct show *show)
{
	json_t *json;
	unsigned i;

	for (i = 0; i < show->count; i++) {
		json = json_object();
		ladder_season_json(json, ladder_season(show->ladder));
		ladder_rating_json(json, show->pool, &show->line[i].standing);
		if (show->line[i].row != NULL)
			fit_row_json(json, show->line[i].row);
		print_json_line(json, FIT_DIGITS);
	}
}

/* ---- as a table ------------------------------------------------------- */

static void
print_line(struct table_print *table, const struct line *line)
{
	const struct ladder_standing *standing = &line->standing;
	char words[FIT_WORDS_BYTES] = "";

	if (line->row != NULL) {
		fit_row_print(table, line->row);
	} else {
		table_print_cell(table, "-");
		table_print_cell(table, "%s", standing->bot);
		table_print_cell(table, "-");
		table_print_cell(table, "-");
		table_print_cell(table, "-");
		table_print_cell(table, "%" PRId64, standing->games);
		table_print_cell(table, "-");
	}
	table_print_cell(table, "%.0f", (double)standing->rating_milli / 1000);
	if (line->row != NULL)
		fit_open_words(line->row, words);
	ladder_row_end(table, standing, words);
}

static void
print_lines(struct show *show, const struct fit_kept *kept)
{
	static const struct table_column columns[] = {
		FIT_COLUMNS, { "live Elo", .spare = 2 }
	};
	struct table_print *table = table_print_new(columns, NELEM(columns));
	const struct line *line = show->line;
	unsigned i;

	if (show->pools++ > 0)
		putchar('\n');
	ladder_pool_print(show->pool);
	for (i = 0; i < show->count; i++) {
		if (i > 0 && line[i].row != NULL && line[i - 1].row != NULL &&
		    line[i].standing.rank > 0 &&
		    line[i].row->set != line[i - 1].row->set)
			table_print_line(table, 0, FIT_APART);
		print_line(table, &line[i]);
	}
	table_print_end(table);
	fit_print_zero(kept->row, kept->count);
	if (kept->since > 0)
		printf("The fit is that of %" PRId64 " games; %" PRId64
		       " came since.\n",
		       kept->games, kept->since);
}

/* ---- all pools -------------------------------------------------------- */

static void
show_pool(void *arg, const struct ladder_pool *pool)
{
	struct show *show = arg;
	struct fit_kept *kept;

	if (show->result < 0)
		return;
	show->count = 0;
	show->pool = pool;
	show->result = ladder_standings(show->ladder, pool->number, add_line,
					show, show->why);
	if (show->result < 0 || show->count == 0)
		return; /* or all games are voided */
	show->result = fit_recall(show->ladder, pool->number, &kept, show->why);
	if (show->result < 0)
		return;
	join(show, kept);
	if (show->json)
		print_objects(show);
	else
		print_lines(show, kept);
	fit_kept_free(kept);
}

int
ladder_show(struct ladder *ladder, bool json, struct error *why)
{
	struct show show = { .ladder = ladder, .json = json, .why = why };
	int result = ladder_pools(ladder, show_pool, &show, why);

	free(show.line);
	if (result == 0)
		result = show.result;
	if (result == 0 && !json && show.pools == 0)
		puts("no games yet");
	return result;
}
