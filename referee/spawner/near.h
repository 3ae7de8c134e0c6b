/* referee/spawner/near.h - decides if a bot is kept on our processor.
 *
 * Waking it there costs a tenth of what it costs elsewhere; but the time that
 * it uses there is lost to us and to the others.  So it is decided by processor
 * time: a bot is kept after NEAR_ANSWERS quick answers in a row which took
 * little of it, and is let go when it takes much more for its answers than it
 * used to, or works while it is not asked.  Each time it is let go it needs
 * twice as many answers to be kept again. */
#ifndef REFEREE_NEAR_H
#define REFEREE_NEAR_H

#include <stdbool.h>
#include <stdint.h>

#define NEAR_QUICK_US 1000 /* from ask to answer, at most */
#define NEAR_WORK_US 250   /* processor time for a quick answer, at most */
#define NEAR_THOUGHT_US                                                        \
	500 /* this much more than usual: it has begun to think */
#define NEAR_ANSWERS 16
#define NEAR_ANSWERS_MAX 4096
#define NEAR_LOOK_MAX 256 /* answers between two looks at a bot that is kept */
#define NEAR_SLOW_MAX 16  /* slow answers between two looks */

struct near_calls {
	/* Tells the processor time of its processes so far.  Returns false if
	 * they are gone. */
	bool (*used)(void *arg, uint64_t *cpu_us);
	/* Moves it to our processor, or (`here` false) to any. */
	void (*move)(void *arg, bool here);
};

struct near {
	const struct near_calls *calls;
	void *arg;
	bool kept;
	unsigned wanted;   /* quick answers needed until it is kept */
	unsigned quick;	   /* quick answers so far */
	uint64_t usual_us; /* processor time for an answer when it was kept */
	uint64_t asked_us; /* 0: it has answered */
	/* Answers since the last look at its processor time, and their number
	 * at which it is looked at again. */
	unsigned answers, look;
	/* Slow answers, while it is kept, and their number at which it is
	 * looked at.  On a processor with many bots all answers are slow, so a
	 * look that finds no thought doubles slow_look. */
	unsigned slow, slow_look;
	/* Time of the last look, the processor time by then, and how long it
	 * has been asked since. */
	uint64_t seen_us, seen_cpu_us, thought_us;
};

/* `calls` and `arg` are borrowed as long as `near` is used; nothing has to be
 * released. */
void near_init(struct near *near, const struct near_calls *calls, void *arg);
/* Call this when its ask has been handed over. */
void near_asked(struct near *near, uint64_t now_us);
/* Call this when it has said something, perhaps the answer. */
void near_answered(struct near *near, uint64_t now_us);

#endif
