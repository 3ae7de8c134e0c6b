/* referee/import/listing.h - what lies below a folder, in the order of the
 * paths' bytes. */
#ifndef REFEREE_IMPORT_LISTING_H
#define REFEREE_IMPORT_LISTING_H

#include <stddef.h>
#include <sys/types.h>

#include "protocol/error.h"
#include "protocol/util.h"

struct listed {
	char *path; /* from the folder on; owned */
	mode_t mode;
	off_t size;
};

struct listing {
	struct listed *item;
	size_t count;
};

/* All of it, links not followed; more than `max` is an error.  The caller
 * releases the listing in either case.  -1 and a sentence. */
int listing_read(const char *folder, size_t max, struct listing *listing,
		 struct error *why) MUST_CHECK;
void listing_release(struct listing *listing);

#endif
