/* referee/data/ladder-json.c - see ladder-json.h. */
#include "referee/data/ladder-json.h"

#include <math.h>

#include "protocol/util.h"
#include "referee/base/json-line.h"

void
ladder_pool_of_json(json_t *json, const char *game, const char *options,
		    unsigned seats, bool arrival)
{
	json_object_set_new(json, "game", json_string(game));
	json_object_set_new(json, "options", json_string(options));
	json_object_set_new(json, "seats", json_integer(seats));
	json_object_set_new(json, "open",
			    json_string(arrival ? "arrival" : "priority"));
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
	json_object_set_new(to, "faults", json_faults(standing->faults));
	if (standing->mark != LADDER_PLAYS)
		json_object_set_new(
			to, "mark",
			json_string(ladder_mark_name(standing->mark)));
	if (standing->heir_of[0] == '\0')
		return;
	json_object_set_new(to, "heir_of", json_string(standing->heir_of));
	json_object_set_new(to, "provisional",
			    json_boolean(standing->provisional));
}

void
ladder_rating_json(json_t *json, const struct ladder_pool *pool,
		   const struct ladder_standing *standing)
{
	ladder_pool_json(json, pool);
	if (standing->rank > 0)
		json_object_set_new(json, "rank", json_integer(standing->rank));
	json_object_set_new(json, "bot", json_string(standing->bot));
	json_object_set_new(json, "live_elo_milli",
			    json_integer(standing->rating_milli));
	json_object_set_new(json, "games", json_integer(standing->games));
	json_object_set_new(json, "wins", json_integer(standing->wins));
	json_object_set_new(json, "places", json_integer(standing->places));
	json_object_set_new(json, "halves", json_integer(standing->halves));
	json_object_set_new(json, "entered", json_integer(standing->entered));
	ladder_standing_json(standing, json);
}

void
ladder_season_json(json_t *json, const struct ladder_season *season)
{
	if (season->name[0] == '\0')
		return;
	json_object_set_new(json, "season", json_string(season->name));
	json_object_set_new(json, "after", json_string(season->after));
}

json_t *
fit_known_json(bool is, double value)
{
	return is ? json_real(value) : json_null();
}

void
fit_row_json(json_t *json, const struct fit_row *row)
{
	json_object_set_new(json, "best", json_integer(row->best));
	json_object_set_new(json, "worst", json_integer(row->worst));
	json_object_set_new(json, "elo", json_real(row->rating));
	json_object_set_new(json, "from",
			    fit_known_json(isfinite(row->low), row->low));
	json_object_set_new(json, "to",
			    fit_known_json(isfinite(row->high), row->high));
	json_object_set_new(json, "fixed", json_boolean(fit_is_fixed(row)));
	json_object_set_new(json, "set", json_integer(row->set + 1));
}
