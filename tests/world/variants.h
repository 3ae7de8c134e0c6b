/* tests/world/variants.h - the options of games, and games in which rare things happen.
 *
 * Only in some games do the rules that most games never need decide anything. */
#ifndef TESTS_WORLD_VARIANTS_H
#define TESTS_WORLD_VARIANTS_H

#include <stdbool.h>

#include "tests/world/scenario.h"

/* Draws the options of each ladder, from a stream of their own. */
void variants_draw(struct scenario *scenario);

/* Chooses a move of a list in a way that leads to what is rare, or returns false: then
 * the bot may choose any.  `seat` is the bot's.  `token` has room for a line of a bot.
 *
 * In half of the games, those of such an ID, bots pass attacks on and add cards in
 * Durnius.  In Daupun they stake, tell each other which cards they hold, and collect
 * the same ones, so that rounds without a winner leave a pot. */
bool variants_choose(struct dice *dice, const char *id, unsigned seat,
		     const char *list, char *token);

#endif
