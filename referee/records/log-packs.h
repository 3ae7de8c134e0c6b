/* referee/records/log-packs.h - the log of a ladder in packs (RECORD.md, "Packs").
 *
 * A group is appended by one write and one sync, unless it goes into several
 * packs.  A pack with PACK_RECORDS entries or PACK_BYTES bytes is closed.  So is
 * one whose first entry is PACK_SECONDS or more older than the next entry, where
 * the time of a game is that of its end.  A thread compresses the pack into a new
 * file, and then removes the open pack's file.  What this leaves undone after a
 * failure, a kill or the end is finished when the log is opened again; until then
 * `keep-days` does not cut down the records in the pack.
 *
 * If an append to a pack fails, the part of the group in this pack is cut off
 * again, at once or before the next append; until the cut succeeds, every append
 * fails.  The part of the group in earlier packs is durable and stays.  If the
 * process ends before the cut is made, whole entries that should have been cut
 * count, though their games were reported as failed. */
#ifndef REFEREE_LOG_PACKS_H
#define REFEREE_LOG_PACKS_H

#include "ladder/log.h"

/* Opens the log in the existing folder `dir`, which the ladder, open for
 * writing, knows from now on.  Removes half-written files, and the torn end that
 * a kill or a power cut has left in the last open pack.  Returns 0, or -1 and an
 * error.
 *
 * A damaged disk may leave whole entries behind a damaged one in an open pack.
 * If the ladder has folded the damaged entry or a later one, the pack stays as it
 * is, and the next entry begins a new pack; its serial follows the ladder's last.
 * Else the pack is copied to FIRST-.tar.damaged and cut before the damaged entry.
 * In both cases the log opens.  Of the damaged entry and those behind it, the ones
 * that the ladder has not folded are lost; the next entries get their serials.
 *
 * ladder_log_free() does not wait until all packs are compressed, because on a
 * busy machine the niced thread would delay the end of a daemon by minutes. */
int log_packs_open(struct ladder *ladder, const char *dir,
		   struct ladder_log **log, struct error *why) MUST_CHECK;

#endif
