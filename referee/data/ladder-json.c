/* referee/data/ladder-json.c - see ladder-json.h. */
#include "referee/data/ladder-json.h"

#include <math.h>

#include "referee/base/json-line.h"

void
ladder_pool_of_json(json_t *json, const char *game, const char *options,
		    unsigned seats, bool arrival)
{
	JSON_ADD(json, TEXT("game", game), TEXT("options", options),
		 INT("seats", seats),
		 TEXT("open", arrival ? "arrival" : "priority"));
}

void
ladder_pool_json(json_t *json, const struct ladder_pool *pool)
{
	ladder_pool_of_json(json, pool->game, pool->options, pool->seats,
			    pool->arrival);
}

void
ladder_standing_json(const struct ladder_standing *standing, json_t *to)
{
	JSON_ADD(to, JSON("faults", json_faults(standing->faults)),
		 BOOL("provisional", standing->provisional));
	if (standing->mark != LADDER_PLAYS)
		JSON_ADD(to, TEXT("mark", ladder_mark_name(standing->mark)));
	if (standing->heir_of[0] != '\0')
		JSON_ADD(to, TEXT("heir_of", standing->heir_of));
}

void
ladder_rating_json(json_t *json, const struct ladder_pool *pool,
		   const struct ladder_standing *standing)
{
	ladder_pool_json(json, pool);
	if (standing->rank > 0)
		JSON_ADD(json, INT("rank", standing->rank));
	JSON_ADD(json, TEXT("bot", standing->bot),
		 INT("live_elo_milli", standing->rating_milli),
		 INT("games", standing->games), INT("wins", standing->wins),
		 INT("places", standing->places),
		 INT("halves", standing->halves),
		 INT("entered", standing->entered));
	ladder_standing_json(standing, json);
}

void
ladder_season_json(json_t *json, const struct ladder_season *season)
{
	if (season->name[0] != '\0')
		JSON_ADD(json, TEXT("season", season->name),
			 TEXT("after", season->after));
}

void
ladder_settings_json(json_t *json, int64_t k_milli, int64_t start_milli)
{
	JSON_ADD(json, INT("k_milli", k_milli),
		 INT("start_milli", start_milli));
}

json_t *
fit_known_json(bool is, double value)
{
	return is ? json_real(value) : json_null();
}

void
fit_row_json(json_t *json, const struct fit_row *row)
{
	JSON_ADD(json, INT("best", row->best), INT("worst", row->worst),
		 REAL("elo", row->rating),
		 JSON("from", fit_known_json(isfinite(row->low), row->low)),
		 JSON("to", fit_known_json(isfinite(row->high), row->high)),
		 BOOL("fixed", fit_is_fixed(row)), INT("set", row->set + 1));
}

void
fit_rows_json(json_t *json, const struct fit_row *row,
	      const struct fit_row *before)
{
	if (row != NULL)
		fit_row_json(json, row);
	else if (before != NULL)
		JSON_ADD(json, REAL("elo", before->rating),
			 JSON("from", json_null()), JSON("to", json_null()));
}
