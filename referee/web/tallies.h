/* referee/web/tallies.h - the tallies of the ladders that are looked at, for the
 * thread alone. */
#ifndef REFEREE_TALLIES_H
#define REFEREE_TALLIES_H

#include "protocol/util.h"
#include "referee/pages/tally.h"

#define TALLIES 64 /* ladders; beyond that the least used is dropped */

struct tallies;

struct tallies *tallies_new(void) MUST_CHECK;
/* Call it after the thread has ended.  NULL is allowed. */
void tallies_free(struct tallies *tallies);
/* Returns the tally of the ladder in this file and makes it if there is none;
 * borrowed until the next call. */
struct tally *tallies_of(struct tallies *tallies, const char *path);

#endif
