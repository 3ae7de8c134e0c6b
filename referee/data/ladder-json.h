/* referee/data/ladder-json.h - what a ladder says of pools, bots and fits, as keys of
 * JSON objects: of commands and of pages. */
#ifndef REFEREE_LADDER_JSON_H
#define REFEREE_LADDER_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "ladder/fit.h"
#include "ladder/store.h"
#include "protocol/util.h"

/* Adds the keys of a standing that may be missing: faults, mark, whose heir it
 * is. */
void ladder_standing_json(const struct ladder_standing *standing, json_t *to);

/* Adds all keys of a standing, and those of its pool. */
void ladder_rating_json(json_t *json, const struct ladder_pool *pool,
			const struct ladder_standing *standing);

/* Adds what a pool is, or one by its parts. */
void ladder_pool_json(json_t *json, const struct ladder_pool *pool);
void ladder_pool_of_json(json_t *json, const char *game, const char *options,
			 unsigned seats, bool arrival);

/* Adds which season it is, if it is one. */
void ladder_season_json(json_t *json, const struct ladder_season *season);

/* Adds K and the start rating that are in force. */
void ladder_settings_json(json_t *json, int64_t k_milli, int64_t start_milli);

/* Adds a row of a fit, but its bot and games. */
#define FIT_DIGITS 8 /* of such numbers */
void fit_row_json(json_t *json, const struct fit_row *row);
/* The number, or null if it is not known. */
json_t *fit_known_json(bool is, double value) MUST_CHECK;

#endif
