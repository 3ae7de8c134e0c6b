/* referee/web/page-cache.h - pages that are kept as they were sent, for those
 * who ask next.
 *
 * A page that is fresh is sent as it is.  Else the page thread makes it again,
 * and who asks meanwhile waits for the same.  A page is fresh for PAGE_REST_MS, and
 * for PAGE_KEPT_MS as long as its version, a number for all that the loop knows
 * of it, is the same: some of it goes by the date, and another process may have
 * changed a file. */
#ifndef REFEREE_PAGE_CACHE_H
#define REFEREE_PAGE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/http/http.h"

#define PAGE_REST_MS 100
#define PAGE_KEPT_MS 60000
#define PAGE_KEY_BYTES 128
#define PAGES_KEPT                                                             \
	256 /* and their bytes are as many as page_cache_new() says */

/* A page, or a place for it. */
struct page_kept {
	char key[PAGE_KEY_BYTES];
	struct http_piece *piece; /* owned; NULL: none was made yet */
	size_t n;		  /* of its bytes */
	bool gzipped;
	uint64_t version, made_us;
	uint64_t used; /* when it was asked for last, by the cache's clock */
	void *asked;   /* who has it made now; it stays then */
};

struct page_cache;

#define PAGE_VERSION_NONE UINT64_C(0xcbf29ce484222325)
/* Mixes `n` bytes into a version, which begins as PAGE_VERSION_NONE. */
uint64_t page_version(uint64_t version, const void *bytes, size_t n) MUST_CHECK;

/* Of at most so many bytes. */
struct page_cache *page_cache_new(size_t bytes) MUST_CHECK;
/* Nothing may be asked.  NULL is fine. */
void page_cache_free(struct page_cache *cache);
/* The place of this page; a new one instead of the one that was not asked for
 * longest; or NULL: all are being made. */
struct page_kept *page_cache_find(struct page_cache *cache, const char *key);
bool page_cache_fresh(const struct page_kept *kept, uint64_t version,
		      uint64_t now_us) MUST_CHECK;
/* Takes over these `n` bytes as the page: others go until there is room.  Without
 * room it is dropped. */
void page_cache_put(struct page_cache *cache, struct page_kept *kept,
		    struct http_piece *piece, size_t n);
/* What is kept there is not so any more. */
void page_cache_drop(struct page_cache *cache, struct page_kept *kept);

#endif
