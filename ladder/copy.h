/* ladder/copy.h - copies a database at one moment, also while others write to
 * it.
 */
#ifndef LADDER_COPY_H
#define LADDER_COPY_H

#include "ladder/store.h"
#include "protocol/error.h"

/* Copies the SQLite file at `from` to `to`, which must not be there: a single
 * file of mode 0600, on disk, and sound (PRAGMA quick_check).  Returns 0, or -1
 * and an error; then there is no file at `to`. */
int database_copy(const char *from, const char *to,
		  struct error *why) MUST_CHECK;

#endif
