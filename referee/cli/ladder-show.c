/* referee/cli/ladder-show.c - prints standings and fit, joined by the names of
 * bots. */
#include "referee/cli/ladder-show.h"

#include <inttypes.h>
#include <stdio.h>

#include "referee/base/json-line.h"
#include "referee/cli/fit-print.h"
#include "referee/cli/ladder-print.h"
#include "referee/data/ladder-json.h"
#include "referee/pages/standings.h"

struct show {
	struct ladder *ladder;
	bool json;
	unsigned pools;
	int result;
	struct error *why;
};

/* ---- as JSON ---------------------------------------------------------- */

static void
print_objects(const struct standings *standings)
{
	const struct standings_row *row = standings->row;
	json_t *json;

	for (; row < standings->row + standings->count; row++) {
		json = json_object();
		ladder_season_json(json, &standings->season);
		ladder_settings_json(json, standings->k_milli,
				     standings->start_milli);
		ladder_rating_json(json, &standings->pool, &row->standing);
		fit_rows_json(json, row->fit, row->before);
		print_json_line(json, FIT_DIGITS);
	}
}

/* ---- as a table ------------------------------------------------------- */

static void
print_line(struct table_print *table, const struct standings_row *row)
{
	const struct ladder_standing *standing = &row->standing;
	char words[FIT_WORDS_BYTES] = "";

	if (row->fit != NULL) {
		fit_row_print(table, row->fit);
	} else {
		table_print_cell(table, "-");
		table_print_cell(table, "%s", standing->bot);
		if (row->before != NULL)
			table_print_cell(table, "%.1f", row->before->rating);
		else
			table_print_cell(table, "-");
		table_print_cell(table, "-");
		table_print_cell(table, "-");
		table_print_cell(table, "%" PRId64, standing->games);
		table_print_cell(table, "-");
	}
	table_print_cell(table, "%.0f", (double)standing->rating_milli / 1000);
	if (row->fit != NULL)
		fit_open_words(row->fit, words);
	ladder_row_end(table, standing, words);
}

static void
print_lines(struct show *show, const struct standings *standings)
{
	static const struct table_column columns[] = {
		FIT_COLUMNS, { "live Elo", .spare = 2 }
	};
	struct table_print *table = table_print_new(columns, NELEM(columns));
	const struct standings_row *row = standings->row;
	const struct fit_kept *kept = standings->fit;
	bool provisional = false;
	unsigned i;

	if (show->pools++ > 0)
		putchar('\n');
	ladder_pool_print(&standings->pool);
	for (i = 0; i < standings->count; i++) {
		if (i > 0 && row[i].fit != NULL && row[i - 1].fit != NULL &&
		    row[i].standing.rank > 0 &&
		    row[i].fit->set != row[i - 1].fit->set)
			table_print_line(table, 0, FIT_APART);
		print_line(table, &row[i]);
		provisional |= row[i].standing.provisional;
	}
	table_print_end(table);
	fit_print_zero(kept->row, kept->count);
	if (provisional)
		printf("An Elo from fewer than %d games is provisional.\n",
		       LADDER_PROVISIONAL);
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
	struct standings standings;

	if (show->result == 0)
		show->result = standings_read(show->ladder, pool, true,
					      &standings, show->why);
	if (show->result < 0)
		return;
	standings_sort(&standings);
	if (show->json)
		print_objects(&standings);
	else if (standings.count > 0)
		print_lines(show, &standings);
	standings_release(&standings);
}

int
ladder_show(struct ladder *ladder, bool json, struct error *why)
{
	struct show show = { .ladder = ladder, .json = json, .why = why };
	int result = ladder_pools(ladder, show_pool, &show, why);

	if (result == 0)
		result = show.result;
	if (result == 0 && !json && show.pools == 0)
		puts("no games yet");
	return result;
}
