/* referee/base/timers.h - timers by clock_us(), for the loop that owns them.
 *
 * A timer is embedded in what it belongs to.  To start one and to stop it again costs
 * little, because most are stopped before they fire. */
#ifndef REFEREE_TIMERS_H
#define REFEREE_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
	void (*call)(void *arg);
	void *arg;
	struct timers *timers;
	uint64_t due_us, order; /* the one started first fires first */
	uint64_t every_us;	/* 0: fires once */
	size_t place;		/* in the heap, from 1; 0: does not run */
};

/* A heap: a timer is due no later than the two at twice its place and the one after. */
struct timers {
	struct timer **heap; /* owned; the first is the next that is due */
	size_t count;
	uint64_t started; /* timers that were ever started */
	uint64_t now_us;  /* set while they are fired: for which time */
};

/* Stops all timers. */
void timers_release(struct timers *timers);
/* Returns when the next timer is due; UINT64_MAX: none runs. */
uint64_t timers_next_us(const struct timers *timers);
/* Fires the timers that are due, in the order of their times; those of the same time
 * fire in the order in which they were started.  A timer that a call starts meanwhile
 * waits for the next time, even if it is due; one that a call stops does not fire. */
void timers_fire(struct timers *timers);

/* Makes a timer that does not run yet.  Stop it before it is freed or made again. */
void timer_init(struct timer *timer, struct timers *timers,
		void (*call)(void *arg), void *arg);
/* These start a timer, or start it again, also in its own call.  It fires once after so
 * many microseconds, or at a time, late rather than early; at once if that has come. */
void timer_after(struct timer *timer, uint64_t us);
void timer_at(struct timer *timer, uint64_t at_us);
/* Starts a timer that fires at a time, unless it runs and fires earlier. */
void timer_by(struct timer *timer, uint64_t at_us);
/* Starts a timer that fires every `us` microseconds (at least 1); what it misses while
 * the loop is busy is left out. */
void timer_every(struct timer *timer, uint64_t us);
/* Stops a timer if it runs; it may be zeroed memory. */
void timer_stop(struct timer *timer);
/* Returns true until it fires or is stopped. */
bool timer_runs(const struct timer *timer);

#endif
