/* referee/import/listing.h - lists what lies below a folder, in the order of
 * the paths' bytes. */
#ifndef REFEREE_IMPORT_LISTING_H
#define REFEREE_IMPORT_LISTING_H

#include <stddef.h>
#include <sys/types.h>

#include "protocol/error.h"
#include "protocol/util.h"

struct listed {
	char *path; /* relative to the folder; owned */
	mode_t mode;
	off_t size;
};

struct listing {
	struct listed *item;
	size_t count;
};

/* Lists all entries without following links; more than `max` is an error.
 * Returns 0, or -1 and a sentence.  The caller releases the listing in either
 * case. */
int listing_read(const char *folder, size_t max, struct listing *listing,
		 struct error *why) MUST_CHECK;
void listing_release(struct listing *listing);

#endif
