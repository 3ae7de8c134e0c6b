/* protocol/clock.c - see clock.h. */
#include "protocol/clock.h"

#include <poll.h>
#include <stdbool.h>
#include <time.h>

/* The silence beyond a beat that is still charged to the bots. */
#define GAP_US 250000

/* When the running loop was last seen to run (0: none runs), the time in which it
 * did not run although it should have, and the time that was told last. */
static uint64_t beat_us, lost_us, told_us;
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

/* Tells the time for a time of the machine.  It stands still while the process is
 * stopped or the machine cannot run it.  Otherwise a bot that had answered long ago
 * would be charged for that time.  It does not go back to where it should have stood:
 * before a silence was long enough, a later time may have been told. */
static uint64_t
tell(uint64_t now_us)
{
	if (beat_us != 0 && now_us - beat_us > CLOCK_BEAT_US + GAP_US)
		now_us = beat_us + CLOCK_BEAT_US;
	if (now_us - lost_us > told_us)
		told_us = now_us - lost_us;
	return told_us;
}

static uint64_t
running_us(void)
{
	const uint64_t now_us = read_us(CLOCK_MONOTONIC);

	return alone ? now_us : tell(now_us);
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

/* Lets the clock go on from where it stands. */
void
clock_beat(void)
{
	const uint64_t now_us = read_us(CLOCK_MONOTONIC);

	lost_us = now_us - tell(now_us);
	beat_us = now_us;
}

void
clock_rest(void)
{
	clock_beat();
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
