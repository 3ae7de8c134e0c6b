/* referee/records/log-packs.h - the log of a ladder in packs (RECORD.md, "Packs").
 *
 * A group is appended by one write and one sync, unless it goes into several
 * packs.  A pack with PACK_RECORDS entries or PACK_BYTES bytes is closed, and
 * an entry that ended PACK_SECONDS after the pack's first one goes into the
 * next pack.  A thread compresses the closed pack and removes the open one.
 * What this leaves undone after a failure, a kill or the end is finished when
 * the log is opened again; until then the pack is not pruned.  If an append
 * fails, what the group has in that pack is cut off before its serials are used
 * again: at once, or by the next append, which fails as long as the cut fails.
 * If the process ends with the cut undone, the whole entries there count,
 * though their games had failed.  Entries of the group in earlier packs are
 * durable. */
#ifndef REFEREE_LOG_PACKS_H
#define REFEREE_LOG_PACKS_H

#include "ladder/log.h"

/* Opens the log in the existing folder `dir`, which the ladder, open for
 * writing, knows from now on.  Removes half-written files, and what follows the
 * last whole entry of the last group.  If whole entries stand behind a damaged
 * one and the ladder has folded none of them, the pack is copied to
 * FIRST-.tar.damaged and cut before the damaged entry; the next entries get the
 * serials that were cut.  If the ladder has folded one of them, the pack stays
 * as it is. ladder_log_free() does not wait until all packs are compressed,
 * because on a busy machine the niced thread would delay the end of a daemon by
 * minutes.  Returns 0, or -1 and an error. */
int log_packs_open(struct ladder *ladder, const char *dir,
		   struct ladder_log **log, struct error *why) MUST_CHECK;

#endif
