/* referee/base/timers.c - a heap of timers. */
#include "referee/base/timers.h"

#include <stdlib.h>

#include "protocol/clock.h"
#include "protocol/util.h"

static bool
is_before(const struct timer *a, const struct timer *b)
{
	return a->due_us != b->due_us ? a->due_us < b->due_us
				      : a->order < b->order;
}

static struct timer **
at(const struct timers *timers, size_t place)
{
	return &timers->heap[place - 1];
}

static void
put(struct timers *timers, struct timer *timer, size_t place)
{
	*at(timers, place) = timer;
	timer->place = place;
}

/* Puts a timer at a free place or above it. */
static void
rise(struct timers *timers, struct timer *timer, size_t place)
{
	while (place > 1 && is_before(timer, *at(timers, place / 2))) {
		put(timers, *at(timers, place / 2), place);
		place /= 2;
	}
	put(timers, timer, place);
}

/* Puts a timer at a free place or below it. */
static void
sink(struct timers *timers, struct timer *timer, size_t place)
{
	size_t child;

	while ((child = 2 * place) <= timers->count) {
		if (child < timers->count &&
		    is_before(*at(timers, child + 1), *at(timers, child)))
			child++;
		if (is_before(timer, *at(timers, child)))
			break;
		put(timers, *at(timers, child), place);
		place = child;
	}
	put(timers, timer, place);
}

void
timers_release(struct timers *timers)
{
	for (size_t i = 0; i < timers->count; i++)
		timers->heap[i]->place = 0;
	free(timers->heap);
	*timers = (struct timers){ 0 };
}

uint64_t
timers_next_us(const struct timers *timers)
{
	return timers->count == 0 ? UINT64_MAX : timers->heap[0]->due_us;
}

/* Starts a timer.  One that is late counts as due now, so that it does not come before
 * those that are being fired. */
static void
start(struct timer *timer, uint64_t due_us)
{
	struct timers *timers = timer->timers;

	timer_stop(timer);
	timer->due_us = due_us > timers->now_us ? due_us : timers->now_us;
	timer->order = timers->started++;
	timers->heap =
		grown(timers->heap, timers->count++, sizeof(struct timer *));
	rise(timers, timer, timers->count);
}

static void
start_again(struct timer *timer)
{
	const uint64_t next_us = timer->due_us + timer->every_us,
		       now_us = timer->timers->now_us;

	start(timer, next_us > now_us ? next_us : now_us + timer->every_us);
}

void
timers_fire(struct timers *timers)
{
	const uint64_t now_us = clock_us(), end = timers->started;
	struct timer *timer;

	timers->now_us = now_us;
	while (timers_next_us(timers) <= now_us &&
	       timers->heap[0]->order < end) {
		timer = timers->heap[0];
		timer_stop(timer);
		if (timer->every_us != 0)
			start_again(timer);
		timer->call(timer->arg);
	}
	timers->now_us = 0;
}

void
timer_init(struct timer *timer, struct timers *timers, void (*call)(void *arg),
	   void *arg)
{
	*timer = (struct timer){ .call = call, .arg = arg, .timers = timers };
}

void
timer_at(struct timer *timer, uint64_t at_us)
{
	timer->every_us = 0;
	start(timer, at_us);
}

void
timer_after(struct timer *timer, uint64_t us)
{
	timer_at(timer, clock_us() + us);
}

void
timer_by(struct timer *timer, uint64_t at_us)
{
	if (!timer_runs(timer) || at_us < timer->due_us)
		timer_at(timer, at_us);
}

void
timer_every(struct timer *timer, uint64_t us)
{
	timer->every_us = us;
	start(timer, clock_us() + us);
}

void
timer_stop(struct timer *timer)
{
	struct timers *timers = timer->timers;
	const size_t place = timer->place;
	struct timer *last;

	if (place == 0)
		return;
	timer->place = 0;
	last = *at(timers, timers->count--);
	if (last == timer)
		return;
	if (place > 1 && is_before(last, *at(timers, place / 2)))
		rise(timers, last, place);
	else
		sink(timers, last, place);
}

bool
timer_runs(const struct timer *timer)
{
	return timer->place != 0;
}
