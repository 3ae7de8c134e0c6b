/* referee/records/log-packs.h - the log of a ladder in packs (RECORD.md, "Packs"). */
#ifndef REFEREE_LOG_PACKS_H
#define REFEREE_LOG_PACKS_H

#include "ladder/log.h"

/* Opens the log in the folder `dir`, which exists and which the ladder, open for
 * writing, knows from now on.  The part of the last group that is not whole is
 * removed, as are half-written files.  0, or -1 and an error. */
int log_packs_open(struct ladder *ladder, const char *dir,
		   struct ladder_log **log, struct error *why) MUST_CHECK;

#endif
