/* referee/scheduler/fault-counts.h - the faults of a ladder's bots, by their
 * handles in its pairing. */
#ifndef REFEREE_FAULT_COUNTS_H
#define REFEREE_FAULT_COUNTS_H

#include <stdint.h>

#include "protocol/fault.h"

/* Zeroed: none. */
struct fault_counts {
	uint64_t (*of)[FAULT_KINDS]; /* owned */
	unsigned bots;		     /* room in it */
};

void fault_counts_release(struct fault_counts *counts);
void fault_counts_set(struct fault_counts *counts, unsigned bot,
		      const uint64_t kind[FAULT_KINDS]);
void fault_counts_add(struct fault_counts *counts, unsigned bot,
		      const unsigned kind[FAULT_KINDS]);
/* Borrowed until the next change. */
const uint64_t *fault_counts_of(const struct fault_counts *counts,
				unsigned bot);
/* Of all bots. */
void fault_counts_forget(struct fault_counts *counts);

#endif
