/* tests/world/stall.c - see stall.h. */
#include "tests/world/stall.h"

#include <inttypes.h>

#include "protocol/clock.h"
#include "tests/world/kernel.h"

#define STALLING_LIVES 400 /* of 1000 */
#define APART_US 12000000
#define LEAST_US 400000 /* a daemon charges less than that to the bots */
#define MOST_US 90000000

/* The daemon's beat is off but for the last one before the machine stands still. */
void __real_clock_beat(void);

static struct {
	struct dice dice;
	struct timer beat, stall;
	bool comes;
} stall;

static void
on_stall(void *arg UNUSED)
{
	const uint64_t us =
		LEAST_US + dice_draw(&stall.dice, dice_often(&stall.dice, 500)
							  ? 4000000
							  : MOST_US);

	world_trace("the machine stands still for %" PRIu64 " ms", us / 1000);
	kernel_stand_still(us);
	clock_rest(); /* the daemon sees that it has not run */
	timer_after(&stall.beat, dice_delay_us(&stall.dice, APART_US));
}

static void
on_beat(void *arg UNUSED)
{
	__real_clock_beat();
	timer_after(&stall.stall, CLOCK_BEAT_US);
}

void
stall_begin(unsigned life)
{
	stall.dice = dice_of("stall", life);
	timer_init(&stall.beat, &world_timers, on_beat, NULL);
	timer_init(&stall.stall, &world_timers, on_stall, NULL);
	stall.comes = dice_often(&stall.dice, STALLING_LIVES);
	if (stall.comes)
		timer_after(&stall.beat, dice_delay_us(&stall.dice, APART_US));
}

bool
stall_comes(void)
{
	return stall.comes;
}
