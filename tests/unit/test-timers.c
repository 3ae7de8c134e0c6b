/* tests/unit/test-timers.c - the order of timers, and the loop that owns them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "referee/base/loop.h"
#include "referee/base/timers.h"

#define MANY 500
#define STEPS 200000

static char trace[64];
static uint64_t now_us;

static uint64_t
moved_us(void)
{
	return now_us;
}

struct alarm {
	struct timer timer;
	char name;
	uint64_t again_us;   /* starts itself again so much later, unless 0 */
	struct alarm *start; /* starts this one, which is due at once ... */
	struct alarm *stop;  /* ... and stops that one */
};

static void
note(char what)
{
	const size_t n = strlen(trace);

	cr_assert_lt(n, sizeof(trace) - 1);
	trace[n] = what;
	trace[n + 1] = '\0';
}

static void
on_alarm(void *arg)
{
	struct alarm *alarm = arg;

	note(alarm->name);
	if (alarm->again_us > 0)
		timer_after(&alarm->timer, alarm->again_us);
	if (alarm->start != NULL)
		timer_after(&alarm->start->timer, 0);
	if (alarm->stop != NULL)
		timer_stop(&alarm->stop->timer);
}

static void
begin(struct timers *timers, struct alarm alarm[], unsigned count)
{
	clock_us = moved_us;
	now_us = 1000;
	trace[0] = '\0';
	*timers = (struct timers){ 0 };
	for (unsigned i = 0; i < count; i++) {
		alarm[i] = (struct alarm){ .name = (char)('a' + i) };
		timer_init(&alarm[i].timer, timers, on_alarm, &alarm[i]);
	}
}

/* Moves the clock, and expects timers to fire in this order. */
static void
fires(struct timers *timers, uint64_t us, const char *names)
{
	now_us += us;
	trace[0] = '\0';
	timers_fire(timers);
	cr_expect_str_eq(trace, names, "at %u: %s, not %s", (unsigned)now_us,
			 trace, names);
}

Test(timers, fire_late_rather_than_early)
{
	struct timers timers;
	struct alarm alarm[2];

	begin(&timers, alarm, 2);
	cr_expect_eq(timers_next_us(&timers), UINT64_MAX);
	timer_after(&alarm[0].timer, 10);
	timer_at(&alarm[1].timer, 1005);
	cr_expect_eq(timers_next_us(&timers), 1005);
	fires(&timers, 4, "");
	fires(&timers, 1, "b");
	cr_expect(!timer_runs(&alarm[1].timer));
	cr_expect(timer_runs(&alarm[0].timer));
	fires(&timers, 4, "");
	fires(&timers, 1, "a");
	cr_expect_eq(timers_next_us(&timers), UINT64_MAX);
	timer_at(&alarm[0].timer, 7); /* long ago */
	fires(&timers, 0, "a");
	timers_release(&timers);
}

Test(timers, of_the_same_time_fire_in_the_order_of_their_start)
{
	struct timers timers;
	struct alarm alarm[5];

	begin(&timers, alarm, 5);
	for (unsigned i = 5; i-- > 0;)
		timer_at(&alarm[i].timer, 2000);
	timer_at(&alarm[3].timer, 2000); /* starts again, and so is the last */
	fires(&timers, 1000, "ecbad");
	timers_release(&timers);
}

Test(timers, start_again_in_their_call)
{
	struct timers timers;
	struct alarm alarm[2];

	begin(&timers, alarm, 2);
	alarm[0].again_us = 10;
	timer_after(&alarm[0].timer, 10);
	timer_after(&alarm[1].timer, 10);
	fires(&timers, 10, "ab");
	fires(&timers, 9, "");
	fires(&timers, 1, "a");
	fires(&timers, 1000, "a");
	timers_release(&timers);
}

Test(timers, due_at_once_wait_for_the_next_time_if_a_call_starts_them)
{
	struct timers timers;
	struct alarm alarm[3];

	begin(&timers, alarm, 3);
	alarm[0].start = &alarm[0]; /* for ever */
	alarm[1].start = &alarm[2];
	timer_after(&alarm[0].timer, 0);
	timer_after(&alarm[1].timer, 5);
	fires(&timers, 0, "a");
	fires(&timers, 9, "ab");
	fires(&timers, 0, "ac");
	fires(&timers, 0, "a");
	timers_release(&timers);
}

Test(timers, that_a_call_stops_do_not_fire)
{
	struct timers timers;
	struct alarm alarm[4];

	begin(&timers, alarm, 4);
	alarm[0].stop = &alarm[1];
	alarm[2].stop = &alarm[2]; /* has fired already */
	alarm[3].stop = &alarm[0];
	alarm[3].again_us = 1;
	for (unsigned i = 0; i < 4; i++)
		timer_after(&alarm[i].timer, 1);
	fires(&timers, 1, "acd");
	alarm[3].stop = &alarm[3]; /* after it has started again */
	fires(&timers, 1, "d");
	fires(&timers, 1000, "");
	timers_release(&timers);
}

Test(timers, every_so_often_leave_out_what_they_miss)
{
	struct timers timers;
	struct alarm alarm[1];

	begin(&timers, alarm, 1);
	timer_every(&alarm[0].timer, 10);
	fires(&timers, 12, "a");
	fires(&timers, 7, "");
	fires(&timers, 1, "a"); /* at 1020: it does not drift */
	fires(&timers, 995, "a");
	cr_expect_eq(timers_next_us(&timers), 2025);
	fires(&timers, 9, "");
	fires(&timers, 1, "a");
	alarm[0].stop = &alarm[0];
	fires(&timers, 10, "a");
	fires(&timers, 1000, "");
	timer_after(&alarm[0].timer, 10);
	alarm[0].stop = NULL;
	fires(&timers, 10, "a");
	fires(&timers, 10, ""); /* once */
	timers_release(&timers);
}

Test(timers, that_run_no_more_when_the_loop_is_gone)
{
	struct timers timers;
	struct alarm alarm[2];

	begin(&timers, alarm, 2);
	timer_after(&alarm[0].timer, 1);
	timers_release(&timers);
	cr_expect(!timer_runs(&alarm[0].timer));
	timer_stop(&alarm[0].timer);
	timer_stop(&alarm[1].timer);
}

static struct timer *next; /* of many, by looking at all */

static void
on_one(void *arg)
{
	cr_assert_eq(arg, next);
	next = NULL;
}

static struct timer *
least(struct timer timer[MANY])
{
	struct timer *found = NULL;

	for (unsigned i = 0; i < MANY; i++)
		if (timer_runs(&timer[i]) &&
		    (found == NULL || timer[i].due_us < found->due_us ||
		     (timer[i].due_us == found->due_us &&
		      timer[i].order < found->order)))
			found = &timer[i];
	return found;
}

/* The clock goes from each timer to the next, so that one fires at a time. */
Test(timers, of_any_number_fire_in_order)
{
	static struct timer timer[MANY];
	struct timers timers = { 0 };
	uint64_t dice = 0;
	unsigned fired = 0;

	clock_us = moved_us;
	now_us = 0;
	for (unsigned i = 0; i < MANY; i++)
		timer_init(&timer[i], &timers, on_one, &timer[i]);
	for (unsigned step = 0; step < STEPS; step++) {
		dice = dice * 6364136223846793005 + 1442695040888963407;
		if (dice >> 60 < 3)
			timer_stop(&timer[(dice >> 32) % MANY]);
		else if (dice >> 60 < 14)
			timer_at(&timer[(dice >> 32) % MANY],
				 (now_us / MANY + 1 + (dice >> 40) % 10000) *
						 MANY +
					 (dice >> 32) % MANY);
		else if ((next = least(timer)) != NULL) {
			cr_assert_eq(timers_next_us(&timers), next->due_us);
			now_us = next->due_us - 1;
			timers_fire(&timers);
			cr_assert_not_null(next, "one was early");
			now_us++;
			timers_fire(&timers);
			cr_assert_null(next, "one was late");
			fired++;
		}
	}
	cr_expect_gt(fired, STEPS / 20);
	timers_release(&timers);
}

/* ---- the loop that owns them ------------------------------------------- */

struct world {
	struct loop loop;
	int fd[2];
	struct event *reads;
	struct alarm alarm;
};

static void
on_byte(int fd, short what, void *arg)
{
	char byte;

	(void)what;
	(void)arg;
	cr_assert_eq(read(fd, &byte, 1), 1);
	note('!');
}

static void
begin_world(struct world *world)
{
	clock_us = moved_us;
	now_us = 1000;
	trace[0] = '\0';
	memset(world, 0, sizeof(*world));
	cr_assert_eq(loop_init(&world->loop), 0);
	cr_assert_eq(pipe(world->fd), 0);
	world->reads =
		loop_reads(world->loop.base, world->fd[0], on_byte, NULL);
	world->alarm.name = 'a';
	timer_init(&world->alarm.timer, &world->loop.timers, on_alarm,
		   &world->alarm);
}

static void
end_world(struct world *world)
{
	loop_drop(&world->reads);
	close(world->fd[0]);
	close(world->fd[1]);
	loop_release(&world->loop);
}

Test(timers, due_at_once_do_not_starve_descriptors)
{
	struct world world;

	begin_world(&world);
	world.alarm.start = &world.alarm;
	timer_after(&world.alarm.timer, 0);
	loop_pass(&world.loop);
	loop_pass(&world.loop);
	cr_expect_str_eq(trace, "aa");
	cr_assert_eq(write(world.fd[1], "xy", 2), 2);
	loop_pass(&world.loop);
	loop_pass(&world.loop);
	cr_expect_str_eq(trace, "aa!a!a");
	end_world(&world);
}

Test(timers, fire_when_a_test_moves_the_clock)
{
	struct world world;

	begin_world(&world);
	timer_after(&world.alarm.timer, UINT64_C(86400000000));
	cr_assert_eq(write(world.fd[1], "xy", 2), 2);
	loop_pass(&world.loop); /* may wait: there is something to read */
	cr_expect_str_eq(trace, "!");
	now_us += UINT64_C(86400000000) - 1;
	loop_pass(&world.loop);
	cr_expect_str_eq(trace, "!!");
	now_us++;
	loop_pass(&world.loop); /* waits for nothing */
	cr_expect_str_eq(trace, "!!a");
	end_world(&world);
}

Test(timers, fire_by_a_clock_that_has_jumped_back)
{
	struct world world;

	begin_world(&world);
	now_us = UINT64_C(3600000000);
	loop_pass(&world.loop);
	now_us = 5000;
	timer_after(&world.alarm.timer, 10);
	now_us += 10;
	loop_pass(&world.loop);
	cr_expect_str_eq(trace, "a");
	end_world(&world);
}

/* Without a timer that a test moves, the loop waits by the machine's clock. */
Test(timers, fire_in_a_loop_that_waits)
{
	uint64_t (*const machine_us)(void) = clock_us;
	struct world world;
	uint64_t until_us;

	begin_world(&world);
	clock_us = machine_us;
	timer_after(&world.alarm.timer, UINT64_C(3600000000));
	timer_stop(&world.alarm.timer);
	until_us = clock_us() + 3000;
	timer_at(&world.alarm.timer, until_us);
	while (trace[0] == '\0')
		loop_pass(&world.loop);
	cr_expect_geq(clock_us(), until_us);
	end_world(&world);
}

/* ---- the clocks -------------------------------------------------------- */

static int64_t
second_day_ms(void)
{
	return 86400999;
}

Test(clock, a_test_sets_all_of_them)
{
	const uint64_t machine_us = clock_machine_us(),
		       boot_us = clock_boot_us();

	cr_expect_leq(machine_us, clock_machine_us());
	cr_expect_leq(boot_us, clock_boot_us());
	cr_expect_gt(clock_seconds(), 1700000000);
	clock_us = moved_us;
	clock_calendar_ms = second_day_ms;
	now_us = 7;
	cr_expect_eq(clock_machine_us(), 7);
	cr_expect_eq(clock_boot_us(), 7);
	cr_expect_eq(clock_seconds(), 86400);
}
