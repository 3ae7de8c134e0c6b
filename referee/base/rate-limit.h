/* referee/base/rate-limit.h - limits how often something may happen: a number
 * of times at once, and once more after each `each_us`. */
#ifndef REFEREE_RATE_LIMIT_H
#define REFEREE_RATE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct rate {
	uint64_t each_us;
	uint64_t most_us;   /* each_us times the number that may come at once */
	uint64_t credit_us; /* each_us times the number that may come now */
	uint64_t since_us;  /* the time up to which credit was added */
};

static inline void
rate_init(struct rate *rate, uint64_t each_us, unsigned at_once,
	  uint64_t now_us)
{
	rate->each_us = each_us;
	rate->most_us = rate->credit_us = each_us * at_once;
	rate->since_us = now_us;
}

/* Takes one from the credit.  Returns false if none is left now. */
static inline bool
rate_take(struct rate *rate, uint64_t now_us)
{
	if (now_us > rate->since_us) {
		rate->credit_us += now_us - rate->since_us;
		rate->since_us = now_us;
	}
	if (rate->credit_us > rate->most_us)
		rate->credit_us = rate->most_us;
	if (rate->credit_us < rate->each_us)
		return false;
	rate->credit_us -= rate->each_us;
	return true;
}

/* Returns true if the credit is full again, as at the start. */
static inline bool
rate_is_full(const struct rate *rate, uint64_t now_us)
{
	uint64_t us = now_us > rate->since_us ? now_us - rate->since_us : 0;

	return rate->credit_us >= rate->most_us ||
	       us >= rate->most_us - rate->credit_us;
}

/* Gives back what rate_take() took, because it was not used. */
static inline void
rate_give_back(struct rate *rate)
{
	rate->credit_us += rate->each_us;
}

#endif
