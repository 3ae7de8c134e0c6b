/* referee/spawner/near.c - see near.h. */
#include "referee/spawner/near.h"

/* Reading alone may have taken the time of fewer answers. */
#define ASIDE_ANSWERS 8

void
near_init(struct near *near, const struct near_calls *calls, void *arg)
{
	*near = (struct near){ .calls = calls,
			       .arg = arg,
			       .wanted = NEAR_ANSWERS };
}

/* Reads the processor time since the last look.  Returns false if the bot is
 * gone. */
static bool
look(struct near *near, uint64_t now_us, uint64_t *cpu_us)
{
	const uint64_t before_us = near->seen_cpu_us;

	if (!near->calls->used(near->arg, &near->seen_cpu_us))
		return false;
	*cpu_us = near->seen_cpu_us - before_us;
	near->seen_us = now_us;
	return true;
}

static void
begin_window(struct near *near)
{
	near->answers = near->slow = 0;
	near->thought_us = 0;
}

static void
let_go(struct near *near)
{
	if (near->wanted < NEAR_ANSWERS_MAX)
		near->wanted *= 2;
	near->quick = 0;
	if (near->kept)
		near->calls->move(near->arg, false);
	near->kept = false;
}

/* Returns true if the bot works while it is not asked.  On our processor it
 * gets half of that time; reading what it is told takes less than a third. */
static bool
works_aside(const struct near *near, uint64_t window_us, uint64_t cpu_us)
{
	if (near->answers < ASIDE_ANSWERS || window_us < near->thought_us)
		return false;
	return cpu_us > near->thought_us + (window_us - near->thought_us) / 3;
}

static void
judge_far(struct near *near, uint64_t now_us)
{
	const uint64_t window_us = now_us - near->seen_us;
	uint64_t cpu_us = 0;

	near->quick++;
	if (near->quick != near->wanted / 2 && near->quick < near->wanted)
		return;
	if (!look(near, now_us, &cpu_us)) {
		let_go(near);
		return;
	}
	if (near->quick >= near->wanted) {
		near->usual_us = cpu_us / near->answers + 1;
		if (near->usual_us > NEAR_WORK_US ||
		    works_aside(near, window_us, cpu_us)) {
			let_go(near);
			return;
		}
		near->calls->move(near->arg, true);
		near->kept = true;
		near->look = NEAR_ANSWERS;
		near->slow_look = 1;
	}
	begin_window(near);
}

/* Decides about a bot that is kept.  A bot that only waited for its processor
 * has not thought. */
static void
judge_kept(struct near *near, uint64_t now_us)
{
	const uint64_t window_us = now_us - near->seen_us;
	uint64_t cpu_us = 0;

	if (!look(near, now_us, &cpu_us) ||
	    cpu_us > NEAR_THOUGHT_US + 2 * near->usual_us * near->answers ||
	    works_aside(near, window_us, cpu_us)) {
		let_go(near);
		return;
	}
	if (near->answers >= near->look && near->look < NEAR_LOOK_MAX)
		near->look *= 2;
	if (near->slow > 0 && near->slow_look < NEAR_SLOW_MAX)
		near->slow_look *= 2;
	begin_window(near);
}

void
near_asked(struct near *near, uint64_t now_us)
{
	near->asked_us = now_us;
}

void
near_answered(struct near *near, uint64_t now_us)
{
	uint64_t took_us;

	if (near->asked_us == 0)
		return;
	took_us = now_us - near->asked_us;
	near->asked_us = 0;
	near->thought_us += took_us;
	near->answers++;
	if (near->kept) {
		near->slow += took_us > NEAR_QUICK_US;
		if (near->slow >= near->slow_look ||
		    near->answers >= near->look)
			judge_kept(near, now_us);
	} else if (took_us > NEAR_QUICK_US) {
		near->quick = 0;
	} else {
		judge_far(near, now_us);
	}
}
