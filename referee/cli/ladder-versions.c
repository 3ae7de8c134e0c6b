/* referee/cli/ladder-versions.c - see ladder-show.h.  The records say by
 * pool which version is the heir of which (heir-of). */
#include "referee/cli/ladder-show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-kept.h"
#include "referee/base/json-line.h"
#include "referee/cli/fit-print.h"
#include "referee/cli/ladder-print.h"
#include "referee/data/ladder-json.h"

struct version {
	char bot[NAME_BYTES + 1], heir_of[NAME_BYTES + 1];
	int64_t entered, games;
	bool in; /* it is a version of the bot */
};

struct show {
	struct ladder *ladder;
	struct fit_settings settings;
	const char *bot;
	bool json;
	unsigned pools, count;
	struct version *version;
	int result;
	struct error *why;
};

static void
add_version(void *arg, const struct ladder_standing *standing)
{
	struct show *show = arg;
	struct version *version = ADDED(show->version, show->count);

	*version = (struct version){
		.entered = standing->entered,
		.games = standing->games,
		.in = strcmp(standing->bot, show->bot) == 0,
	};
	memcpy(version->bot, standing->bot, sizeof(version->bot));
	memcpy(version->heir_of, standing->heir_of, sizeof(version->heir_of));
}

static bool
are_neighbours(const struct version *a, const struct version *b)
{
	return strcmp(a->heir_of, b->bot) == 0 ||
	       strcmp(b->heir_of, a->bot) == 0;
}

static int
by_entry(const void *left, const void *right)
{
	const struct version *a = left, *b = right;

	if (a->in != b->in)
		return a->in ? -1 : 1;
	return (a->entered > b->entered) - (a->entered < b->entered);
}

/* Marks all versions that are linked with the bot by heir-of in either
 * direction, and moves them to the front.  Returns their number. */
static unsigned
find_versions(struct show *show)
{
	struct version *a, *b, *end = show->version + show->count;
	unsigned found = 0, before;

	do {
		before = found;
		found = 0;
		for (a = show->version; a < end; a++)
			for (b = show->version; a->in && b < end; b++)
				b->in |= are_neighbours(a, b);
		for (a = show->version; a < end; a++)
			found += a->in;
	} while (found != before);
	if (show->count > 0)
		qsort(show->version, show->count, sizeof(*show->version),
		      by_entry);
	return found;
}

/* ---- one pool --------------------------------------------------------- */

/* Returns P(it is better than the one before it); < 0 if it is not known. */
static double
better(const struct fit *fit, const struct version *version)
{
	struct fit_difference difference;
	unsigned bot, before;

	if (!fit_find(fit, version->bot, &bot) ||
	    !fit_find(fit, version->heir_of, &before))
		return -1;
	difference = fit_compare_exactly(fit, bot, before);
	return difference.compared ? difference.los : -1;
}

static const struct fit_row *
row_of(const struct fit *fit, const char *bot)
{
	const struct fit_row *row = fit_rows(fit);
	unsigned i;

	for (i = 0; i < fit_bots(fit); i++)
		if (strcmp(row[i].name, bot) == 0)
			return &row[i];
	return NULL;
}

static void
print_object(const struct ladder *ladder, const struct ladder_pool *pool,
	     const struct version *version, const struct fit_row *row,
	     double los)
{
	json_t *json = json_object();

	ladder_season_json(json, ladder_season(ladder));
	ladder_pool_json(json, pool);
	JSON_ADD(json, TEXT("bot", version->bot));
	if (version->heir_of[0] != '\0')
		JSON_ADD(json, TEXT("heir_of", version->heir_of));
	JSON_ADD(json, INT("games", version->games));
	fit_row_json(json, row);
	JSON_ADD(json, JSON("better", fit_known_json(los >= 0, los)));
	print_json_line(json, FIT_DIGITS);
}

static void
print_line(struct table_print *table, const struct version *version,
	   const struct fit_row *row, double los)
{
	fit_row_print(table, row);
	if (version->heir_of[0] != '\0' && los >= 0)
		table_print_cell(table, "%.1f%%", 100 * los);
	else
		table_print_cell(table, "%s",
				 version->heir_of[0] != '\0' ? "?" : "-");
	table_print_row(table, "");
}

static void
print_versions(struct show *show, const struct ladder_pool *pool,
	       struct fit *fit, unsigned count)
{
	static const struct table_column columns[] = {
		FIT_COLUMNS, { "better", .spare = 2 }
	};
	struct table_print *table = table_print_new(columns, NELEM(columns));
	const struct version *version;
	const struct fit_row *row;

	if (!show->json && show->pools++ > 0)
		putchar('\n');
	if (!show->json)
		ladder_pool_print(pool);
	for (version = show->version; count-- > 0; version++) {
		if ((row = row_of(fit, version->bot)) == NULL)
			continue;
		if (show->json)
			print_object(show->ladder, pool, version, row,
				     better(fit, version));
		else
			print_line(table, version, row, better(fit, version));
	}
	if (show->json)
		table_print_free(table);
	else
		table_print_end(table);
}

static void
show_pool(void *arg, const struct ladder_pool *pool)
{
	struct show *show = arg;
	struct fit *fit;
	unsigned count;

	if (show->result < 0)
		return;
	show->count = 0;
	show->result = ladder_standings(show->ladder, pool->number, add_version,
					show, show->why);
	if (show->result < 0 || (count = find_versions(show)) == 0)
		return;
	show->result = fit_pool(show->ladder, pool->number, &show->settings,
				NULL, &fit, show->why);
	if (show->result < 0)
		return;
	print_versions(show, pool, fit, count);
	fit_free(fit);
}

int
ladder_show_versions(struct ladder *ladder, const char *bot, bool json,
		     struct error *why)
{
	struct show show = {
		.ladder = ladder, .bot = bot, .json = json, .why = why
	};
	int result = ladder_knows_bot(ladder, bot, why);

	if (result == 0)
		return error_set(why, ERROR_INPUT,
				 "--versions: the ladder knows no bot %s",
				 quoted(bot).text);
	if (result > 0)
		result = fit_settings_of(ladder, &show.settings, why);
	if (result == 0)
		result = ladder_pools(ladder, show_pool, &show, why);
	free(show.version);
	return result < 0 ? result : show.result;
}
