/* tests/unit/settings.h - all settings of a game, by number.
 *
 * They are all numbers of seats with all combinations of option values, except
 * that an integer that counts games or rounds is only 1 to 3, because further
 * ones repeat the same. */
#ifndef TESTS_SETTINGS_H
#define TESTS_SETTINGS_H

#include <stdbool.h>

#include "referee/games/game.h"

#define SETTINGS_TEXT 256

/* Returns the number of settings, counted from 0; some are not valid. */
unsigned long settings_count(const struct game_rules *rules);

/* Makes the setting of a number; returns false if the rules do not allow it. */
bool settings_nth(const struct game_rules *rules, unsigned long n,
		  struct game_setup *setup);

/* Writes the options as "NAME=VALUE NAME=VALUE". */
void settings_text(const struct game_setup *setup, char to[SETTINGS_TEXT]);

/* Counts how often each value of each option has come up. */
struct settings_seen {
	unsigned seats[SEATS_MAX + 1];
	unsigned value[OPTIONS_MAX][128];
};

void settings_see(struct settings_seen *seen, const struct game_setup *setup);

/* Returns the smallest count of all values and numbers of seats. */
unsigned settings_least(const struct settings_seen *seen,
			const struct game_rules *rules);

#endif
