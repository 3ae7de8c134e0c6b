/* tests/world/author.h - authors who upload new versions of their bots, have them play
 * in trials, and go back to earlier ones, as actors.
 *
 * The bot then lives on the daemon's machine: its program is `world-bot` with a drawn
 * nature, and its build is `world-build` with a drawn outcome, or there is none.  Some
 * uploads are no archives, have a wrong token, or end in the middle. */
#ifndef TESTS_WORLD_AUTHOR_H
#define TESTS_WORLD_AUTHOR_H

#include <stdint.h>

struct author_setup {
	uint16_t port; /* of the pages */
	uint32_t address;
	const char *name, *token;
	const char *owner;  /* or "" */
	const char *ladder; /* of its trials */
	uint64_t each_us;   /* the usual time between two uploads */
};
/* Begins an author.  The strings are copied. */
void author_begin(const struct author_setup *setup);
/* Says that the daemon was told to stop: it may close connections from now on. */
void authors_stop(void);

struct authors_counts {
	uint64_t uploads, taken, refused,
		broken_off; /* with all other requests */
};
extern struct authors_counts authors_counts;

#endif
