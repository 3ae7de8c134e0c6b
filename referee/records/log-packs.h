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
 * An open pack may have a part that is not whole before whole entries, or at its
 * end.  There are two cases:
 *
 *	torn	Each sector of the part was written or has only zeros.  If the
 *		disk did not keep the order of the sectors, a power cut during
 *		the last append leaves this.  The entries behind the part, and
 *		those in it, count as not appended, and are cut off.
 *	damaged	Nothing but a damaged disk, or a foreign hand, leaves this.  The
 *		log has the entries behind the part.  Those in it are missing, if
 *		they are not mere asks; at the pack's end at least one entry is.
 *		ladder_follow() fails, unless the ladder is past them.  The pack
 *		stays as it is, and the next entry begins another pack.  Only an
 *		end without a missing entry, or whose entries the ladder is past,
 *		is cut off.  Of a pack without a whole entry nothing is left then;
 *		but it stays if the ladder's ID does not stand in it.
 *
 * A part that is not just the torn end of an entry that the log lacks is copied to
 * FIRST-.tar.damaged with the whole pack before it is cut off, and log->cut tells of
 * it.
 *
 * Up to the serial `elsewhere` another log has the entries, and ladder_log_copy()
 * may bring them again; 0: there is none.  If these are all entries from the
 * damaged one on, and the ladder has folded none of them, a damaged part is cut
 * off, too.
 *
 * ladder_log_free() does not wait until all packs are compressed, because on a
 * busy machine the niced thread would delay the end of a daemon by minutes. */
int log_packs_open(struct ladder *ladder, const char *dir, int64_t elsewhere,
		   struct ladder_log **log, struct error *why) MUST_CHECK;

#endif
