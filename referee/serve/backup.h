/* referee/serve/backup.h - copies a data folder, even while a daemon writes to
 * it, and restores one.
 *
 * It copies the databases first, then the rest, so every game that a ladder
 * knows has its record in the copy.  Games that end meanwhile are in the copy
 * as records only, without a gap, and the next start rates them.  A copy is
 * made beside its place, under the same name with a dot and six letters behind
 * it.  It is synced and moved to its place when it is whole.  A copy also has the
 * folder `check-record` with check-record.py, which is not restored. */
#ifndef REFEREE_BACKUP_H
#define REFEREE_BACKUP_H

#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"

#define BACKUP_DEPTH 256 /* nested folders */

struct backup_report {
	unsigned databases;
	uint64_t files; /* other files */
};

/* Both return 0, or -1 and an error; then `to` is unchanged.  `to` must not
 * exist or must be an empty folder; afterwards it is a folder of mode 0700.
 * Locks, sockets, FIFOs, devices, half-written files and unfinished imports of
 * bots are left out.  Links are copied, not followed. */
int backup_make(const char *data, const char *to, struct backup_report *report,
		struct error *why) MUST_CHECK;
int backup_restore(const char *from, const char *data,
		   struct backup_report *report, struct error *why) MUST_CHECK;

#endif
