/* referee/web/tallies.h - the tallies of the ladders that are looked at, for the
 * thread alone. */
#ifndef REFEREE_TALLIES_H
#define REFEREE_TALLIES_H

#include "protocol/util.h"
#include "referee/pages/tally.h"

#define TALLIES 64 /* ladders; then the one not looked at for longest goes */

struct tallies;

struct tallies *tallies_new(void) MUST_CHECK;
/* After the page thread has ended.  NULL is fine. */
void tallies_free(struct tallies *tallies);
/* That of the ladder in this file, made if there is none; borrowed until the next
 * call. */
struct tally *tallies_of(struct tallies *tallies, const char *path);

#endif
