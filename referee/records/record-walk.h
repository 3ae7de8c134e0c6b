/* referee/records/record-walk.h - visits the records that a path names.
 *
 * The path is a record, PACK/MEMBER, a pack (ladder/pack.h), or a folder.  In a
 * folder it visits all *.rec files and packs by name.  If a pack is there both
 * open and closed, it reads the closed one. */
#ifndef REFEREE_RECORD_WALK_H
#define REFEREE_RECORD_WALK_H

#include <stdbool.h>

#include "ladder/pack.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

enum walk_trouble {
	WALK_UNREAD, /* something cannot be read; ERROR_ANSWER: it is damaged */
	WALK_LACKS,  /* a folder has no record, or a pack not all its serials */
	WALK_TORN,   /* an open pack, which may be in use, ends like this */
};

/* Callbacks.  A result other than 0 ends the walk. */
struct record_walk {
	/* Takes the text of a record, which is not checked yet. */
	int (*record)(void *arg, const char *path, const struct text *text);
	int (*trouble)(void *arg, enum walk_trouble trouble,
		       const struct error *why);
	void *arg;
	bool pipes; /* also wait for and read a path that names a pipe */
	struct pack_cache *cache; /* borrowed */
};

/* Returns 0, or the result that has ended the walk. */
int record_walk(const struct record_walk *walk, const char *path) MUST_CHECK;
/* Returns true for a folder, and for a name like a pack's. */
bool record_walk_is_many(const char *path) MUST_CHECK;

#endif
