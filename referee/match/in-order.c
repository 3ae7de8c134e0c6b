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

bool
in_order_take(struct in_order *order, struct match_result *result)
{
	if (order->room == 0 ||
	    slot(order, order->taken + 1)->number != order->taken + 1)
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
