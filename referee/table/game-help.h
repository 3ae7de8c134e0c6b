/* referee/table/game-help.h - what commands say of games and their options. */
#ifndef REFEREE_GAME_HELP_H
#define REFEREE_GAME_HELP_H

#include <jansson.h>

#include "protocol/util.h"
#include "referee/base/suggest.h"

struct game_setup;

/* suggest(), with the names of all games offered. */
struct suggestion suggest_game(const char *name);

/* Returns the values of all options, by their names. */
json_t *json_options(const struct game_setup *setup) MUST_CHECK;

#endif
