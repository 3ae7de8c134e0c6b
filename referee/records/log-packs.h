/* referee/records/log-packs.h - the log of a ladder in packs (RECORD.md, "Packs").
 *
 * A group is appended by one write and one sync, unless it goes into several
 * packs.  A pack with PACK_RECORDS entries or PACK_BYTES bytes is closed, and
 * an entry that ended PACK_SECONDS after the pack's first one goes into the
 * next pack.  A thread compresses the closed pack and removes the open one.
 * What this leaves undone after a failure, a kill or the end is finished when
 * the log is opened again; until then the pack is not pruned.  If an append to
 * a pack fails, the part of the group in this pack is cut off again, at once or
 * before the next append; until the cut succeeds, every append fails.  The part
 * of the group in earlier packs is durable and stays.  If the process ends
 * before the cut is made, whole entries that should have been cut count, though
 * their games were reported as failed. */
#ifndef REFEREE_LOG_PACKS_H
#define REFEREE_LOG_PACKS_H

#include "ladder/log.h"

/* Opens the log in the existing folder `dir`, which the ladder, open for
 * writing, knows from now on.  Removes half-written files, and what follows the
 * last whole entry of the last group.  If whole entries stand behind a damaged
 * one and the ladder has folded neither, the pack is copied to
 * FIRST-.tar.damaged and cut before the damaged entry.  If the ladder has
 * folded one of them, the pack stays as it is, the log opens, and the next
 * entry begins a new pack after the ladder's last serial.  In both cases
 * entries behind the damage that the ladder has not folded are not read any
 * more, and their serials are used again. ladder_log_free() does not wait until
 * all packs are compressed, because on a busy machine the niced thread would
 * delay the end of a daemon by minutes.  Returns 0, or -1 and an error. */
int log_packs_open(struct ladder *ladder, const char *dir,
		   struct ladder_log **log, struct error *why) MUST_CHECK;

#endif
