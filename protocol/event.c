/* protocol/event.c - the rarer half of event.h. */
#include "protocol/event.h"

#include <stdio.h>

void
event_number_slow(struct events *ev, long number)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%ld", number);

	event_space(ev);
	event_bytes(ev, digits, (size_t)n);
}
