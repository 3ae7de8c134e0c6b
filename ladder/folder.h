/* ladder/folder.h - lists the entries of logs that lie in folders, by serial.
 *
 * It reads only the names of files (ladder_file_name()), of packs (pack.h) and
 * of their members; and from a header the ladder that the entry belongs to. */
#ifndef LADDER_FOLDER_H
#define LADDER_FOLDER_H

#include <stddef.h>
#include <stdint.h>

#include "ladder/pack.h"
#include "ladder/store.h"
#include "protocol/error.h"

struct folder_file {
	int64_t serial;
	enum entry_kind kind; /* the entry's */
	int64_t folder;
	char *path; /* owned by the list; may go through a pack */
};

/* A list of entries; empty when zeroed. */
struct folder_list {
	struct folder_file *file; /* owned */
	size_t count;
	size_t passed; /* number of entries with serials up to `after`, which
		        * are not listed; a closed pack that has only such is
		        * not read, as its name tells how many it has */
	char *damaged; /* path of an open pack that is damaged; owned, or NULL */
	int64_t lost;  /* serial of the last entry in a damaged pack; or 0 */
	/* The ladder of `lost`: a pack that only names others is passed over;
	 * borrowed, or NULL. */
	const char *id;
};

/* Adds the entries of folder number `folder` at `dir` whose serials are above
 * `after`.  Passes over anything that is not a file (a FIFO, a folder).  If
 * `sweep` is not NULL, removes half-written packs, and half-written entries
 * (ladder_log_write()) unless they name another ladder than `sweep`.  Takes from
 * an open pack all whole entries, but none behind a part that a power cut can have
 * torn (pack_next_open()).  Fails with ERROR_INPUT if a closed pack that it reads
 * is damaged.  A folder that is not there is empty. */
int folder_read(struct folder_list *list, const char *dir, int64_t folder,
		int64_t after, const char *sweep, struct error *why) MUST_CHECK;
/* Gets the ladder that the entry names, cut to one byte more than an ID has; ""
 * if it names none. */
int folder_ladder(struct pack_cache *cache, const struct folder_file *file,
		  char id[ID_BYTES + 2], struct error *why) MUST_CHECK;
/* Returns true if the file is gone, or is a link that leads nowhere; always
 * false for an entry in a pack. */
bool folder_is_gone(const struct folder_file *file);
/* Returns true if the name ends with `end` and is longer. */
bool folder_ends_in(const char *name, const char *end);
/* Sorts the list by serial, then name, then path. */
void folder_sort(struct folder_list *list);
void folder_release(struct folder_list *list);

#endif
