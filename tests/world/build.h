/* tests/world/build.h - the build of an upload. */
#ifndef TESTS_WORLD_BUILD_H
#define TESTS_WORLD_BUILD_H

#include "protocol/util.h"

/* Does in this folder what the outcome says, and writes of it to `out`:
 *
 *	ok	makes a file
 *	fail	makes none, and ends with status 2
 *	full	writes much
 *	lie	changes bot.conf
 *
 * Returns the status of waitpid(2). */
int build_run(const char *outcome, const char *folder, int out) MUST_CHECK;

#endif
