/* referee/web/page-cache.c - see page-cache.h. */
#include "referee/web/page-cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct page_cache {
	size_t most, bytes;
	uint64_t clock;
	unsigned count;
	struct page_kept *kept[PAGES_KEPT];
};

struct page_cache *
page_cache_new(size_t bytes)
{
	struct page_cache *cache = zeroed(1, sizeof(*cache));

	cache->most = bytes;
	return cache;
}

void
page_cache_drop(struct page_cache *cache, struct page_kept *kept)
{
	http_piece_drop(kept->piece);
	kept->piece = NULL;
	cache->bytes -= kept->n;
	kept->n = 0;
}

void
page_cache_free(struct page_cache *cache)
{
	for (unsigned i = 0; cache != NULL && i < cache->count; i++) {
		if (cache->kept[i]->asked != NULL)
			bug("a page is being made");
		page_cache_drop(cache, cache->kept[i]);
		free(cache->kept[i]);
	}
	free(cache);
}

/* Returns the page that has not been asked for longest and is not being made;
 * with `full` only pages that have bytes count.  Returns NULL if there is none. */
static struct page_kept *
find_oldest(const struct page_cache *cache, bool full)
{
	struct page_kept *oldest = NULL, *kept;

	for (unsigned i = 0; i < cache->count; i++) {
		kept = cache->kept[i];
		if (kept->asked == NULL && (!full || kept->n > 0) &&
		    (oldest == NULL || kept->used < oldest->used))
			oldest = kept;
	}
	return oldest;
}

struct page_kept *
page_cache_find(struct page_cache *cache, const char *key)
{
	struct page_kept *kept = NULL;

	for (unsigned i = 0; i < cache->count && kept == NULL; i++)
		if (strcmp(cache->kept[i]->key, key) == 0)
			kept = cache->kept[i];
	if (kept == NULL && cache->count < PAGES_KEPT) {
		kept = cache->kept[cache->count++] = zeroed(1, sizeof(*kept));
	} else if (kept == NULL) {
		kept = find_oldest(cache, false);
		if (kept == NULL)
			return NULL;
		page_cache_drop(cache, kept);
	}
	snprintf(kept->key, sizeof(kept->key), "%s", key);
	kept->used = ++cache->clock;
	return kept;
}

/* The hash is FNV-1a. */
uint64_t
page_version(uint64_t version, const void *bytes, size_t n)
{
	const unsigned char *at = bytes, *const end = at + n;

	while (at < end)
		version = (version ^ *at++) * UINT64_C(0x100000001b3);
	return version;
}

bool
page_cache_fresh(const struct page_kept *kept, uint64_t version,
		 uint64_t now_us)
{
	const uint64_t ms =
		kept->version == version ? PAGE_KEPT_MS : PAGE_REST_MS;

	return kept->piece != NULL &&
	       now_us - kept->made_us < ms * UINT64_C(1000);
}

void
page_cache_put(struct page_cache *cache, struct page_kept *kept,
	       struct http_piece *piece, size_t n)
{
	struct page_kept *oldest;

	page_cache_drop(cache, kept);
	while (cache->bytes + n > cache->most &&
	       (oldest = find_oldest(cache, true)) != NULL)
		page_cache_drop(cache, oldest);
	if (cache->bytes + n > cache->most) {
		http_piece_drop(piece);
		return;
	}
	kept->piece = piece;
	kept->n = n;
	cache->bytes += n;
}
