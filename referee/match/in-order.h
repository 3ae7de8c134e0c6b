/* referee/match/in-order.h - puts the results of games into the order of their
 * numbers, which begin with 1 and have no gaps.
 *
 * Games come in units of the same number of games: single games, or the blocks
 * of a match with duplicate deals.  A unit is handed out when all its games are
 * there.  If one game of it does not count, none does. */
#ifndef REFEREE_IN_ORDER_H
#define REFEREE_IN_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/match/match-source.h"

struct in_order {
	struct match_result *result; /* owned; by number, modulo `room` */
	size_t room;		     /* 0 or a power of 2 */
	uint64_t taken;		     /* the number handed out last */
	unsigned unit;		     /* games of a unit */
};

/* Adds a result; each number may come once.  A struct that is zero except for
 * `unit` is empty and ready. */
void in_order_add(struct in_order *order, const struct match_result *result);
/* Takes the result with the next number.  Returns false if its unit is not
 * complete yet. */
bool in_order_take(struct in_order *order,
		   struct match_result *result) MUST_CHECK;
void in_order_release(struct in_order *order);

#endif
