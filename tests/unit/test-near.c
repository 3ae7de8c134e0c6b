/* tests/unit/test-near.c - which bots are kept on our processor. */
#include <criterion/criterion.h>

#include "referee/spawner/near.h"

/* The habit of a bot, which waits, is asked and answers, over and over. */
struct habit {
	uint64_t waits_us, works_aside_us; /* of processor, while it waits */
	uint64_t answers_us, works_us;	   /* of processor, while it is asked */
};

static const struct habit quick = { 10, 0, 4, 3 };

struct life {
	struct near near;
	uint64_t now_us, cpu_us;
	bool here, gone;
	unsigned moves;
};

static bool
used(void *arg, uint64_t *cpu_us)
{
	const struct life *life = arg;

	*cpu_us = life->cpu_us;
	return !life->gone;
}

static void
move(void *arg, bool here)
{
	struct life *life = arg;

	cr_assert_neq(life->here, here);
	life->here = here;
	life->moves++;
}

static const struct near_calls calls = { .used = used, .move = move };

static void
begin(struct life *life)
{
	*life = (struct life){ .now_us = 1000000, .cpu_us = 50000 };
	near_init(&life->near, &calls, life);
}

static void
live(struct life *life, const struct habit *habit, unsigned answers)
{
	while (answers-- > 0) {
		life->now_us += habit->waits_us;
		life->cpu_us += habit->works_aside_us;
		near_asked(&life->near, life->now_us);
		life->now_us += habit->answers_us;
		life->cpu_us += habit->works_us;
		near_answered(&life->near, life->now_us);
	}
}

Test(near, is_who_answers_quickly)
{
	struct life life;

	begin(&life);
	live(&life, &quick, NEAR_ANSWERS - 1);
	cr_assert_not(life.here);
	live(&life, &quick, 1);
	cr_assert(life.here);
	live(&life, &quick, 100 * NEAR_LOOK_MAX);
	cr_assert(life.here);
	cr_assert_eq(life.moves, 1);
}

Test(near, quick_answers_are_in_a_row)
{
	const struct habit slow = { 10, 0, NEAR_QUICK_US + 1, 3 };
	struct life life;

	begin(&life);
	for (unsigned i = 0; i < 8; i++) {
		live(&life, &quick, NEAR_ANSWERS - 1);
		live(&life, &slow, 1);
	}
	cr_assert_not(life.here);
	live(&life, &quick, NEAR_ANSWERS);
	cr_assert(life.here);
}

Test(near, is_nobody_who_works_for_its_answers)
{
	const struct habit most = { 10, 0, 300, NEAR_WORK_US - 1 };
	const struct habit more = { 10, 0, 300, NEAR_WORK_US };
	struct life life;

	begin(&life);
	live(&life, &most, NEAR_ANSWERS);
	cr_assert(life.here);
	begin(&life);
	live(&life, &more, 10 * NEAR_ANSWERS_MAX);
	cr_assert_eq(life.moves, 0);
	/* It must try longer each time, but not for ever. */
	live(&life, &quick, 2 * NEAR_ANSWERS_MAX);
	cr_assert(life.here);
}

Test(near, is_nobody_who_works_while_others_play)
{
	const struct habit spins = { 10, 10, 4, 4 };
	struct life life;

	begin(&life);
	live(&life, &spins, 10 * NEAR_LOOK_MAX);
	cr_assert_eq(life.moves, 0);
}

/* It shares our processor then, and has half of it. */
Test(near, is_left_by_who_begins_to_work_aside)
{
	const struct habit spins = { 30, 15, 4, 4 };
	const struct habit reads = { 30, 9, 4, 4 };
	struct life life;

	begin(&life);
	live(&life, &quick, 10 * NEAR_LOOK_MAX);
	cr_assert(life.here);
	live(&life, &spins, 2 * NEAR_LOOK_MAX);
	cr_assert_not(life.here);
	cr_assert_eq(life.moves, 2);
	/* A bot needs time to read what it is told. */
	begin(&life);
	live(&life, &reads, 10 * NEAR_LOOK_MAX);
	cr_assert(life.here);
}

Test(near, is_left_by_who_begins_to_think)
{
	const struct habit thinks = { 10, 0, 5000, 5000 };
	struct life life;

	begin(&life);
	live(&life, &quick, NEAR_ANSWERS + NEAR_ANSWERS);
	live(&life, &thinks, 1);
	cr_assert_not(life.here);
	live(&life, &quick, 2 * NEAR_ANSWERS - 1);
	cr_assert_not(life.here);
	live(&life, &quick, 1);
	cr_assert(life.here);
}

/* Others had the processor. */
Test(near, is_not_left_by_who_had_to_wait)
{
	const struct habit waits = { 10, 0, 5000, 3 };
	struct life life;

	begin(&life);
	live(&life, &quick, NEAR_ANSWERS);
	live(&life, &waits, 100);
	cr_assert(life.here);
}

Test(near, is_nobody_who_is_gone)
{
	struct life life;

	begin(&life);
	live(&life, &quick, NEAR_ANSWERS - 1);
	life.gone = true;
	live(&life, &quick, 1);
	cr_assert_not(life.here);
	/* A line that was not asked for is no answer. */
	begin(&life);
	for (unsigned i = 0; i < NEAR_ANSWERS; i++)
		near_answered(&life.near, life.now_us);
	cr_assert_not(life.here);
}

static unsigned looks;

static bool
used_and_counted(void *arg, uint64_t *cpu_us)
{
	looks++;
	return used(arg, cpu_us);
}

/* A look costs more than a turn, and with many bots on one processor every
 * answer is late. */
Test(near, waiting_for_its_processor_is_not_looked_into_each_time)
{
	static const struct near_calls counted = { .used = used_and_counted,
						   .move = move };
	const struct habit waits = { 10, 0, 5 * NEAR_QUICK_US, 3 };
	const struct habit thinks = { 10, 0, 5 * NEAR_QUICK_US,
				      5 * NEAR_QUICK_US };
	struct life life;

	begin(&life);
	near_init(&life.near, &counted, &life);
	live(&life, &quick, NEAR_ANSWERS);
	cr_assert(life.here);
	looks = 0;
	live(&life, &waits, 100 * NEAR_SLOW_MAX);
	cr_assert(life.here);
	cr_expect_leq(looks, 100 + 5);
	/* It is still found soon. */
	live(&life, &thinks, NEAR_SLOW_MAX);
	cr_expect_not(life.here);
}
