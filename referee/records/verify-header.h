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
	unsigned faults;  /* a seat is retired at this one; 0: not known */
	bool sealed;	  /* its secret was read, and fits its commitment */
	struct deal deal; /* if sealed */
	struct entropy entropy; /* if sealed */
};

/* Reads and checks what the header says about the game: 0, or -1 and the
 * verdict tells what differs.  `by_rules`: the seal is left out of it. */
int verify_header_read(struct verify_header *header,
		       const struct record *record, bool by_rules,
		       struct verdict *verdict) MUST_CHECK;

/* Likewise what stands there also when a record is pruned: the forms of the
 * lines, the game and, if it was played by our rules, its options. */
int verify_header_forms(struct verify_header *header,
			const struct record *record,
			struct verdict *verdict) MUST_CHECK;

#endif
