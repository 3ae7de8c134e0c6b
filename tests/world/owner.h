/* tests/world/owner.h - owners with accounts, as actors: they withdraw bots and bring
 * them back, make bots, look at what is theirs, and try what is not.  Strangers make
 * accounts with the organiser's code, or with another one. */
#ifndef TESTS_WORLD_OWNER_H
#define TESTS_WORLD_OWNER_H

#include "tests/world/scenario.h"

/* Begins an owner of the scenario, who connects from this address; `number` is its
 * place there.  `scenario` is borrowed. */
void owner_begin(const struct scenario *scenario, unsigned number,
		 uint32_t address);
/* Says that the daemon was told to stop: it may close connections from now on. */
void owners_stop(void);

struct owners_counts {
	uint64_t requests, done, refused, broken_off;
};
extern struct owners_counts owners_counts;

#endif
