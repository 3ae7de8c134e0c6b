/* referee/records/log-packs.h - the log of a ladder in packs (RECORD.md, "Packs").
 *
 * What is appended at once is one write and one sync, unless it goes into several
 * packs.  A pack that has PACK_RECORDS entries or PACK_BYTES bytes is closed, and what
 * ended PACK_SECONDS after the end of the first entry of a pack goes into the next
 * one: a thread of its own compresses the closed one, and removes the open one.  What
 * fails there, or what a kill or the end leaves of it, is finished when the log is
 * opened again; until then the pack is not pruned.  Of the pack in which an append
 * fails nothing of that group counts: it is cut off at once or by the next append,
 * which fails until it can; if the process ends before that, whole entries count.
 * What the group has in packs before that one is durable. */
#ifndef REFEREE_LOG_PACKS_H
#define REFEREE_LOG_PACKS_H

#include "ladder/log.h"

/* Opens the log in the folder `dir`, which exists and which the ladder, open for
 * writing, knows from now on.  The part of the last group that is not whole is
 * removed, as are half-written files; if whole entries stand behind a damaged one, the
 * pack is copied to FIRST-.tar.damaged before it is cut, and their serials go to the
 * next entries.  It is not cut if the ladder has folded one of them: then it stays as
 * it is.  ladder_log_free() does not wait for packs that are not compressed yet: a
 * thread that is niced would keep the end of a daemon for minutes on a busy machine.
 * 0, or -1 and an error. */
int log_packs_open(struct ladder *ladder, const char *dir,
		   struct ladder_log **log, struct error *why) MUST_CHECK;

#endif
