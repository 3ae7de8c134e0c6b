/* referee/records/ladder-rebuild.h - rates a ladder again from its records, or without
 * games that must not count. */
#ifndef REFEREE_LADDER_REBUILD_H
#define REFEREE_LADDER_REBUILD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define REBUILD_FOLDERS 64 /* that may be named */
#define REBUILD_ANSWER_BYTES 1024

/* From the records in the folders that the ladder knows and in `folders`; if
 * these are none, in that of ladder_records_beside(), if it is there.  Each
 * record must verify and be the one that was rated, unless `accept`; and unless
 * `gaps` there must be one for each serial up to the highest. */
struct rebuild {
	const char *file;
	const char *folders[REBUILD_FOLDERS + 1]; /* ends with NULL */
	unsigned count;				  /* of them */
	bool accept;
	bool gaps;		 /* serials may be missing */
	bool json;		 /* the answer; else it is a sentence */
	const atomic_bool *stop; /* or NULL: as in ladder_rebuilding */
	/* Not "": instead of all that games are voided, for this reason, as
	 * ladder_void() does it: this one, or those of `bot`. */
	char void_why[LADDER_VOID_BYTES + 1];
	char game[ID_BYTES + 1];
	char bot[NAME_BYTES + 1], since[LADDER_DATE_BYTES];
};

/* Rebuilds a ladder that is open, or (NULL) that in `file`, which is made if
 * there is none.  Appends to `out` what came out other.  0, or -1 and
 * an error, and nothing has changed: ERROR_ANSWER if a record does not hold. */
int rebuild_do(const struct rebuild *rebuild, struct ladder *ladder,
	       struct ladder_log *log, struct text *out,
	       struct error *why) MUST_CHECK;

#endif
