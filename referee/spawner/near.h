/* referee/spawner/near.h - whether a bot is kept on our processor.
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

#define NEAR_QUICK_US 1000  /* from ask to answer, at most */
#define NEAR_WORK_US 250    /* of processor for a quick answer, at most */
#define NEAR_THOUGHT_US 500 /* more than usual: it has begun to think */
#define NEAR_ANSWERS 16
#define NEAR_ANSWERS_MAX 4096
#define NEAR_LOOK_MAX 256 /* answers between two looks at one that is kept */
#define NEAR_SLOW_MAX 16  /* or so many slow ones */

struct near_calls {
	/* The processor time that its processes have taken; false: they are
	 * gone. */
	bool (*used)(void *arg, uint64_t *cpu_us);
	/* Moves it to our processor, or (not `here`) to any. */
	void (*move)(void *arg, bool here);
};

struct near {
	const struct near_calls *calls;
	void *arg;
	bool kept;
	unsigned wanted;   /* quick answers until it is kept, */
	unsigned quick;	   /* so far */
	uint64_t usual_us; /* of processor for an answer, when it was kept */
	uint64_t asked_us; /* 0: it has answered */
	/* Since the last look at its processor time: answers, and after how
	 * many of them it is looked at again. */
	unsigned answers, look;
	/* The same of slow answers, while it is kept.  On a processor with many
	 * bots all answers are slow, so a look that finds no thought doubles
	 * slow_look. */
	unsigned slow, slow_look;
	/* Of the last look: when, and the processor time by then; and for how
	 * long it has been asked since. */
	uint64_t seen_us, seen_cpu_us, thought_us;
};

/* `calls` and `arg` are borrowed as long as `near` is used; nothing has to be
 * released. */
void near_init(struct near *near, const struct near_calls *calls, void *arg);
/* Its ask has been handed over. */
void near_asked(struct near *near, uint64_t now_us);
/* It has said something, perhaps the answer. */
void near_answered(struct near *near, uint64_t now_us);

#endif
