/* referee/records/ladder-rebuild.h - rates a ladder again from its records,
 * with or without some games. */
#ifndef REFEREE_LADDER_REBUILD_H
#define REFEREE_LADDER_REBUILD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define REBUILD_FOLDERS 64 /* folders that may be named */
#define REBUILD_ANSWER_BYTES 1024

/* A request.  It takes the records of the folders that the ladder knows and of
 * `folders`; without any, of ladder_records_beside() if that exists.  Unless
 * `accept`, each record must verify and be the one that was rated.  Unless
 * `gaps`, there must be a record for each serial up to the highest. */
struct rebuild {
	const char *file;
	const char *folders[REBUILD_FOLDERS + 1]; /* ends with NULL */
	unsigned count;				  /* number of folders */
	bool accept;
	bool gaps;		 /* serials may be missing */
	bool json;		 /* answer in JSON; else in sentences */
	const atomic_bool *stop; /* as in ladder_rebuilding; or NULL */
	/* If not "", the request voids games for this reason instead, as
	 * ladder_void() does: this game, or those of `bot`. */
	char void_why[LADDER_VOID_BYTES + 1];
	char game[ID_BYTES + 1];
	char bot[NAME_BYTES + 1], since[LADDER_DATE_BYTES];
};

/* Rebuilds an open ladder, or (NULL) the one in `file`, which is made if there
 * is none.  Appends the differences to `out`.  Returns 0; or -1 and an error,
 * and then nothing has changed: ERROR_ANSWER if a record is not valid. */
int rebuild_do(const struct rebuild *rebuild, struct ladder *ladder,
	       struct ladder_log *log, struct text *out,
	       struct error *why) MUST_CHECK;

#endif
