/* referee/ladder-rebuild.h - a ladder anew from its records. */
#ifndef REFEREE_LADDER_REBUILD_H
#define REFEREE_LADDER_REBUILD_H

#include <stdbool.h>

#include "protocol/util.h"

/* Rebuilds the ladder in `file`, or makes it, from the records in the folders
 * that it knows and in `folders`, which ends with NULL; if these are none, in
 * FILE.records, if that is there.  Each record must verify and be the one that
 * was rated, unless `accept`.  Prints what came out other, as JSON or as a
 * sentence; returns the exit code, EXIT_NEGATIVE if a record does not hold. */
int ladder_rebuild_run(const char *file, const char *const folders[],
		       bool accept, bool json) MUST_CHECK;

#endif
