/* referee/match/in-order.c - see in-order.h. */
#include "referee/match/in-order.h"

#include <stdlib.h>

static struct match_result *
slot(const struct in_order *order, uint64_t number)
{
	return &order->result[number & (order->room - 1)];
}

/* A slot without a result has number 0. */
static void
grow(struct in_order *order)
{
	const struct in_order old = *order;

	order->room = old.room == 0 ? 64 : old.room * 2;
	order->result = zeroed(order->room, sizeof(*order->result));
	for (size_t i = 0; i < old.room; i++)
		if (old.result[i].number != 0)
			*slot(order, old.result[i].number) = old.result[i];
	free(old.result);
}

void
in_order_add(struct in_order *order, const struct match_result *result)
{
	while (result->number - order->taken >= order->room)
		grow(order);
	*slot(order, result->number) = *result;
}

/* Returns how many games of the number's unit are there.  Sets `*counts` to how
 * many of them count. */
static unsigned
count_unit(const struct in_order *order, uint64_t number, unsigned *counts)
{
	const uint64_t first = number - (number - 1) % order->unit;
	unsigned there = 0;

	*counts = 0;
	for (uint64_t i = first; i < first + order->unit; i++) {
		if (i - order->taken - 1 >= order->room ||
		    slot(order, i)->number != i)
			continue;
		there++;
		*counts += slot(order, i)->counts;
	}
	return there;
}

/* Returns true if the next unit is complete.  If some game of it does not
 * count, none of its games counts. */
static bool
open_unit(struct in_order *order)
{
	unsigned counts;

	if (count_unit(order, order->taken + 1, &counts) < order->unit)
		return false;
	for (unsigned i = 1; i <= order->unit && counts < order->unit; i++)
		slot(order, order->taken + i)->counts = false;
	return true;
}

bool
in_order_take(struct in_order *order, struct match_result *result)
{
	if (order->taken % order->unit == 0 && !open_unit(order))
		return false;
	*result = *slot(order, ++order->taken);
	slot(order, order->taken)->number = 0;
	return true;
}

void
in_order_release(struct in_order *order)
{
	free(order->result);
}
