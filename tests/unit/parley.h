/* tests/unit/parley.h - a game for tests of tables.
 *
 * Each seat s is dealt its secret, 40 + s; then there are `turns` turns, all
 * of one kind:
 *
 *	single	seat (turn % seats): `stay`, `stake:4..30`
 *	open	all seats: `pass`, `bid:1..9` (class 1), `call` (class 0)
 *	held	seat (turn % seats) holds: `lead`, `bid:1..9`, `call`; the
 *		others as in `open`
 *
 * A move is one point, and more points are better.  `noise` adds this many
 * lines of 1001 bytes to each step. */
#ifndef TESTS_UNIT_PARLEY_H
#define TESTS_UNIT_PARLEY_H

#include "referee/games/game.h"

enum parley_kind { PARLEY_SINGLE, PARLEY_OPEN, PARLEY_HELD };

extern const struct game_rules game_parley;

void parley_setup(struct game_setup *setup, unsigned seats,
		  enum parley_kind kind, unsigned turns, unsigned noise);

#endif
