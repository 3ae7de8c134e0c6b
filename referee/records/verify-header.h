/* referee/records/verify-header.h - the first part of a record's proof: its
 * header. */
#ifndef REFEREE_VERIFY_HEADER_H
#define REFEREE_VERIFY_HEADER_H

#include <stdbool.h>

#include "protocol/record.h"
#include "referee/games/game.h"
#include "referee/records/verdict.h"
#include "referee/table/deal.h"

struct verify_header {
	struct game_setup setup;
	bool arrival;	  /* `open arrival` */
	unsigned faults;  /* a seat is retired at this fault; 0: unknown */
	bool sealed;	  /* its secret was read and fits its commitment */
	struct deal deal; /* if sealed */
	struct entropy entropy; /* if sealed */
};

/* Reads and checks the header's lines about the game.  Returns 0; or -1, and
 * the verdict says what differs.  With `by_rules` it ignores the seal. */
int verify_header_read(struct verify_header *header,
		       const struct record *record, bool by_rules,
		       struct verdict *verdict) MUST_CHECK;

/* Checks the part of the header that a pruned record has, too: the forms of the
 * lines, the game and, if it was played by our rules, its options.  Returns as
 * verify_header_read(). */
int verify_header_forms(struct verify_header *header,
			const struct record *record,
			struct verdict *verdict) MUST_CHECK;

#endif
