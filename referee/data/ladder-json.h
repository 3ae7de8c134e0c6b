/* referee/data/ladder-json.h - pools, bots and fits of a ladder as keys of JSON
 * objects, for commands and pages. */
#ifndef REFEREE_LADDER_JSON_H
#define REFEREE_LADDER_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "ladder/fit.h"
#include "ladder/store.h"
#include "protocol/util.h"

/* Adds keys of a standing: faults, whether it is provisional, mark, the bot whose heir
 * it is. */
void ladder_standing_json(const struct ladder_standing *standing, json_t *to);

/* Adds all keys of a standing, and those of its pool. */
void ladder_rating_json(json_t *json, const struct ladder_pool *pool,
			const struct ladder_standing *standing);

/* Add the keys of a pool, or of one by its parts. */
void ladder_pool_json(json_t *json, const struct ladder_pool *pool);
void ladder_pool_of_json(json_t *json, const char *game, const char *options,
			 unsigned seats, bool arrival);

/* Adds the keys of a season, if it is one. */
void ladder_season_json(json_t *json, const struct ladder_season *season);

/* Adds the present K and start rating. */
void ladder_settings_json(json_t *json, int64_t k_milli, int64_t start_milli);

/* Adds a row of a fit without its bot and games. */
#define FIT_DIGITS 8 /* significant digits of these numbers */
void fit_row_json(json_t *json, const struct fit_row *row);
/* Adds the row of a bot or, if it is NULL, the Elo of the version `before` it, whose
 * interval is not that of the bot; nothing if both are NULL. */
void fit_rows_json(json_t *json, const struct fit_row *row,
		   const struct fit_row *before);
/* Returns the number, or null if it is unknown. */
json_t *fit_known_json(bool is, double value) MUST_CHECK;

#endif
