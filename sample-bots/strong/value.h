/* value.h - how good the points are, when a round is over. */
#ifndef VALUE_H
#define VALUE_H

#include "referee/games/game.h"

/* Writes for each seat the share of the others that it will be placed before: as it is
 * if the game is over, else as is likely by the points and `more` points that are to be
 * expected. */
void value_seats(const struct game *game, const double more[SEATS_MAX],
		 double value[SEATS_MAX]);

#endif
