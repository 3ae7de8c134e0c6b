/* ladder/folder.h - the entries of logs that lie in folders, by serial.
 *
 * Only names are read here: ladder_file_name(), those of packs (pack.h) and in packs;
 * and of a header, which ladder the entry belongs to. */
#ifndef LADDER_FOLDER_H
#define LADDER_FOLDER_H

#include <stddef.h>
#include <stdint.h>

#include "ladder/pack.h"
#include "ladder/store.h"
#include "protocol/error.h"

struct folder_file {
	int64_t serial;
	enum entry_kind kind; /* of an entry */
	int64_t folder;
	char *path; /* owned by the list; may go through a pack */
};

/* Zeroed it is empty. */
struct folder_list {
	struct folder_file *file; /* owned */
	size_t count;
	size_t passed; /* entries up to the `after` of folder_read(), by name;
			* closed packs that end there are not read */
};

/* Adds the entries of folder number `folder` at `dir` whose serials are above
 * `after`; what is no file (a FIFO, a folder) is passed over.
 * `sweep` not NULL: removes half-written ones (NAME.rec.tmp) that do not name
 * another ladder than `sweep`, and half-written packs.  An open pack has the
 * records that stand before a torn one; a closed one that is damaged is
 * ERROR_INPUT.  A folder that is not there has no records. */
int folder_read(struct folder_list *list, const char *dir, int64_t folder,
		int64_t after, const char *sweep, struct error *why) MUST_CHECK;
/* The ladder that the entry names, cut to one byte more than an ID
 * has; "" if none. */
int folder_ladder(struct pack_cache *cache, const struct folder_file *file,
		  char id[ID_BYTES + 2], struct error *why) MUST_CHECK;
/* Whether it is gone, or a link that leads nowhere; not of one in a pack. */
bool folder_is_gone(const struct folder_file *file);
/* Whether the name is longer than `end`, and ends so. */
bool folder_ends_in(const char *name, const char *end);
/* Sorts by serial, then name, then path. */
void folder_sort(struct folder_list *list);
void folder_release(struct folder_list *list);

#endif
