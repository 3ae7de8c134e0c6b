/* protocol/clock.h - the clocks, and waiting.
 *
 * Nothing else in the product looks at a clock or waits: tests/lint/check-clock.py.
 * Timers are those of referee/base/timers.h. */
#ifndef PROTOCOL_CLOCK_H
#define PROTOCOL_CLOCK_H

#include <stdint.h>

struct pollfd;

/* Returns microseconds of the monotonic clock, less the time in which the running loop
 * could not run (the process was stopped, the machine asleep or swamped).  Bots are
 * charged by this clock.  A test may set its own. */
extern uint64_t (*clock_us)(void);

/* Returns milliseconds since 1970 by the calendar, which people may set.  A test may
 * set its own. */
extern int64_t (*clock_calendar_ms)(void);
/* Returns seconds since 1970 by the calendar. */
int64_t clock_seconds(void);

/* These return microseconds of the machine's monotonic clock, which other processes
 * have too, and of the one that also counts while the machine sleeps.  If a test has
 * set its own clock_us(), both are that one. */
uint64_t clock_machine_us(void);
uint64_t clock_boot_us(void);

/* The running loop calls this every CLOCK_BEAT_US.  If it is silent for longer, and for
 * more than a moment, clock_us() stands until the next call, at the time for which that
 * was due or at a later one that it told.  The loop's thread must not wait by it. */
#define CLOCK_BEAT_US 50000
void clock_beat(void);
/* Says that no loop runs. */
void clock_rest(void);
/* Says that this thread has no loop: clock_us() is the machine's clock here, and does
 * not stand still with that of the loop. */
void clock_alone(void);

/* These wait outside of the loop: in a command, a thread, a process of its own. */
void clock_pause(unsigned ms);
/* Does what poll(2) does. */
int clock_poll(struct pollfd *ready, unsigned count, int ms);

#endif
