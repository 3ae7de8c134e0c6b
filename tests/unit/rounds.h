/* tests/unit/rounds.h - how much a test does: the short form or the long one.
 *
 * `make check CHECK_ALL=1`, which `./bootstrap check --all` does, asks for the
 * long form of those tests that have one. */
#ifndef TESTS_ROUNDS_H
#define TESTS_ROUNDS_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool
check_is_all(void)
{
	const char *all = getenv("CHECK_ALL");

	return all && *all;
}

/* Returns the number of tries: `normal`, or in the long form `all`. */
static inline unsigned long
check_rounds(unsigned long normal, unsigned long all)
{
	return check_is_all() ? all : normal;
}

#endif
