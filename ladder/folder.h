/* ladder/folder.h - the records that lie in folders, by serial, and the voids,
 * by number.
 *
 * Only names are read here: NNNNNNNN-ID.rec, NNNNNNNN.void; and of a header,
 * which ladder the record belongs to. */
#ifndef LADDER_FOLDER_H
#define LADDER_FOLDER_H

#include <stddef.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"

#define FOLDER_VOID ".void"
/* In a folder with records, those of blocks that are not over. */
#define FOLDER_UNFINISHED "unfinished"

struct folder_file {
	int64_t serial; /* or a void's number */
	int64_t folder;
	char *path; /* owned by the list */
};

/* Zeroed it is empty. */
struct folder_list {
	struct folder_file *file; /* owned */
	size_t count;
	struct folder_file *void_file; /* likewise, all voids; owned */
	size_t voids;
	size_t passed; /* names of records up to the `after` of folder_read() */
};

/* Adds the voids and the records of folder number `folder` at `dir`, and in
 * FOLDER_UNFINISHED there, whose serials are above `after`; what is no file (a
 * FIFO, a folder) is passed over.
 * `sweep` not NULL: removes half-written ones (NAME.rec.tmp) that do not name
 * another ladder than `sweep`.  A folder that is not there has no records. */
int folder_read(struct folder_list *list, const char *dir, int64_t folder,
		int64_t after, const char *sweep, struct error *why) MUST_CHECK;
/* The ladder that the record's header names, cut to one byte more than an ID
 * has; "" if none. */
int folder_ladder(const struct folder_file *file, char id[ID_BYTES + 2],
		  struct error *why) MUST_CHECK;
/* The serial in a record's name of `n` bytes, or 0 if it is no such name. */
int64_t folder_serial(const char *name, size_t n);
/* Whether the name is longer than `end`, and ends so. */
bool folder_ends_in(const char *name, const char *end);
/* By serial, then path. */
void folder_sort(struct folder_list *list);
void folder_release(struct folder_list *list);

#endif
