/* protocol/prune.h - what remains of a pruned record.
 *
 * A pruned record has the whole header, then the line `pruned HASH` (the hash
 * that the record had), and in its body the `fault` lines and one `result` line
 * for each seat, with the place as a ladder counts it.  It cannot be verified
 * any more, but a ladder can still be rebuilt from it. */
#ifndef PROTOCOL_PRUNE_H
#define PROTOCOL_PRUNE_H

#include <stdbool.h>

#include "protocol/error.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"

/* Appends the pruned record: 0, or -1 and a sentence, and nothing is appended,
 * if it has no result or was pruned before. */
int record_prune(const struct record *record, struct text *to,
		 struct error *why) MUST_CHECK;

/* Returns true if the record was pruned, and then sets `hash` to the hash of the whole
 * record. */
bool record_pruned(const struct record *record,
		   unsigned char hash[RECORD_HASH_BYTES]);

#endif
