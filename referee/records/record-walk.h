/* referee/records/record-walk.h - the records that a path names.
 *
 * The path is that of a record, PACK/MEMBER, a pack (ladder/pack.h), or a folder: of
 * that, all *.rec files and packs, by name.  Of a pack that lies there open and
 * closed, the closed one is read. */
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
	WALK_TORN,   /* an open pack, to which may just be written, ends so */
};

/* Each function may end the walk: it returns what is not 0. */
struct record_walk {
	/* Takes the text of a record, of which nothing is known yet. */
	int (*record)(void *arg, const char *path, const struct text *text);
	int (*trouble)(void *arg, enum walk_trouble trouble,
		       const struct error *why);
	void *arg;
	bool pipes; /* a path that names one is read, too, and waited for */
	struct pack_cache *cache; /* borrowed */
};

/* Returns 0, or what has ended it. */
int record_walk(const struct record_walk *walk, const char *path) MUST_CHECK;
/* Returns true for a folder, and for what is called like a pack. */
bool record_walk_is_many(const char *path) MUST_CHECK;

#endif
