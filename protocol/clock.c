/* protocol/clock.c - see clock.h. */
#include "protocol/clock.h"

#include <poll.h>
#include <stdbool.h>
#include <time.h>

/* The silence beyond a beat that is still charged to the bots. */
#define GAP_US 250000

/* When the running loop was last seen to run (0: none runs), and the time in
 * which it did not run although it should have. */
static uint64_t beat_us, lost_us;
static uint64_t told_us; /* what running_us() has returned last */
static _Thread_local bool alone;

static uint64_t
read_us(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static int64_t
calendar_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns a clock that stood still while the process was stopped or the machine
 * could not run it.  Otherwise a bot that had answered long ago would be
 * charged for that time. */
static uint64_t
running_us(void)
{
	uint64_t now_us = read_us(CLOCK_MONOTONIC), stood_us;

	if (alone)
		return now_us;
	if (beat_us != 0 && now_us - beat_us > CLOCK_BEAT_US + GAP_US) {
		stood_us = beat_us + CLOCK_BEAT_US - lost_us;
		/* Before we noticed, it may have told a later time. */
		if (stood_us < told_us)
			stood_us = told_us;
		lost_us = now_us - stood_us;
		beat_us = now_us;
	}
	told_us = now_us - lost_us;
	return told_us;
}

uint64_t (*clock_us)(void) = running_us;
int64_t (*clock_calendar_ms)(void) = calendar_ms;

int64_t
clock_seconds(void)
{
	return clock_calendar_ms() / 1000;
}

static uint64_t
machine_or_test_us(clockid_t clock)
{
	return clock_us == running_us ? read_us(clock) : clock_us();
}

uint64_t
clock_machine_us(void)
{
	return machine_or_test_us(CLOCK_MONOTONIC);
}

uint64_t
clock_boot_us(void)
{
	return machine_or_test_us(CLOCK_BOOTTIME);
}

void
clock_beat(void)
{
	running_us();
	beat_us = read_us(CLOCK_MONOTONIC);
}

void
clock_rest(void)
{
	beat_us = 0;
}

void
clock_alone(void)
{
	alone = true;
}

void
clock_pause(unsigned ms)
{
	const struct timespec pause = { .tv_sec = ms / 1000,
					.tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&pause, NULL);
}

int
clock_poll(struct pollfd *ready, unsigned count, int ms)
{
	return poll(ready, count, ms);
}
