/* referee/scheduler/fault-counts.c - see fault-counts.h. */
#include "referee/scheduler/fault-counts.h"

#include <stdlib.h>
#include <string.h>

void
fault_counts_release(struct fault_counts *counts)
{
	free(counts->of);
	*counts = (struct fault_counts){ NULL, 0 };
}

static uint64_t *
at(struct fault_counts *counts, unsigned bot)
{
	unsigned bots = counts->bots;

	if (bot >= bots) {
		counts->bots = 2 * bot + 16;
		counts->of =
			memory(counts->of, counts->bots * sizeof(*counts->of));
		memset(counts->of + bots, 0,
		       (counts->bots - bots) * sizeof(*counts->of));
	}
	return counts->of[bot];
}

void
fault_counts_set(struct fault_counts *counts, unsigned bot,
		 const uint64_t kind[FAULT_KINDS])
{
	memcpy(at(counts, bot), kind, sizeof(*counts->of));
}

void
fault_counts_add(struct fault_counts *counts, unsigned bot,
		 const unsigned kind[FAULT_KINDS])
{
	uint64_t *to = at(counts, bot);
	enum fault fault;

	for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
		to[fault] += kind[fault];
}

const uint64_t *
fault_counts_of(const struct fault_counts *counts, unsigned bot)
{
	static const uint64_t none[FAULT_KINDS];

	return bot < counts->bots ? counts->of[bot] : none;
}

void
fault_counts_forget(struct fault_counts *counts)
{
	if (counts->bots > 0)
		memset(counts->of, 0, counts->bots * sizeof(*counts->of));
}
