/* referee/import/listing.c - see listing.h. */
#include "referee/import/listing.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int
by_path(const void *a, const void *b)
{
	const struct listed *one = a, *other = b;

	return strcmp(one->path, other->path);
}

static void
keep(struct listing *listing, const char *path, const struct stat *st)
{
	struct listed *item = ADDED(listing->item, listing->count);

	item->path = copied(path);
	item->mode = st->st_mode;
	item->size = st->st_size;
}

void
listing_release(struct listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		free(listing->item[i].path);
	free(listing->item);
}

int
listing_read(const char *folder, size_t max, struct listing *listing,
	     struct error *why)
{
	char *const paths[] = { (char *)(uintptr_t)folder, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *at;
	int result = 0;

	if (fts == NULL)
		bug("out of memory");
	while (result == 0 && (at = fts_read(fts)) != NULL) {
		if (at->fts_info == FTS_DP ||
		    (at->fts_level == 0 && at->fts_info == FTS_D))
			continue;
		if (at->fts_info == FTS_DNR || at->fts_info == FTS_ERR ||
		    at->fts_info == FTS_NS) {
			error_set(why, ERROR_MACHINE, "cannot look at %s: %s",
				  at->fts_path, strerror(at->fts_errno));
			result = -1;
		} else if (listing->count == max) {
			error_set(why, ERROR_INPUT,
				  "more than %zu files and folders", max);
			result = -1;
		} else {
			keep(listing, at->fts_path + strlen(folder) + 1,
			     at->fts_statp);
		}
	}
	fts_close(fts);
	if (listing->count > 0)
		qsort(listing->item, listing->count, sizeof(*listing->item),
		      by_path);
	return result;
}
