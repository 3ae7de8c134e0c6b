/* referee/table/starved.h - when a bot that is late has starved: the machine had
 * no processor for it.
 *
 * A thread that is ready and waits for a processor does not compute.  The kernel
 * counts for each thread how long it ran and how long it waited.  A seat has
 * that looked at twice, and only where an answer is late: when a part of an
 * ask's time is over (bot_watch()), and at the time-out (bot_doing()).  The
 * words are about the time between.  The fault is charged all the same. */
#ifndef REFEREE_STARVED_H
#define REFEREE_STARVED_H

#include <stdbool.h>
#include <stdint.h>

/* The first look is due when this part of the ask's time is over, and not
 * earlier than this: quick answers cost no look. */
#define WATCH_PART 8
#define WATCH_MIN_US 5000
/* A bot may have more threads; only so many are looked at. */
#define WATCH_THREADS 64

/* Returns true if a bot has starved that had a processor for `had_us` of the last
 * `of_us`, all its threads together, while one of them was ready without one for
 * `waited_us`: the first is less than half of the time, the second more. */
static inline bool
has_starved(uint64_t had_us, uint64_t waited_us, uint64_t of_us)
{
	return had_us < of_us / 2 && waited_us > of_us / 2;
}

#endif
