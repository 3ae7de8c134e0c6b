/* referee/web/page-cache.h - keeps pages as they were sent, for the next
 * clients.
 *
 * A page that is fresh is sent as it is.  Else a thread makes it again, and
 * clients that ask meanwhile wait for the same page.  A page is fresh for
 * PAGE_REST_MS, and for PAGE_KEPT_MS while its version, a number for all that
 * the loop knows about it, stays the same.  It does not stay fresh longer
 * because some of it depends on the date, and another process may have changed
 * a file. */
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
#define PAGES_KEPT 256 /* page_cache_new() sets the limit of their bytes */

/* A page, or a place for one. */
struct page_kept {
	char key[PAGE_KEY_BYTES];
	struct http_piece *piece; /* owned; NULL: none made yet */
	size_t n;		  /* bytes of the page */
	bool gzipped;
	uint64_t version, made_us;
	uint64_t used; /* the cache's clock when it was last asked for */
	void *asked;   /* the ask that has it made now; the place stays then */
};

struct page_cache;

#define PAGE_VERSION_NONE UINT64_C(0xcbf29ce484222325)
/* Mixes `n` bytes into a version, which begins as PAGE_VERSION_NONE. */
uint64_t page_version(uint64_t version, const void *bytes, size_t n) MUST_CHECK;

/* Makes a cache of at most `bytes` bytes. */
struct page_cache *page_cache_new(size_t bytes) MUST_CHECK;
/* Call it when no page is being made.  NULL is allowed. */
void page_cache_free(struct page_cache *cache);
/* Returns the place of this page, or an empty one; if all are taken, the page
 * that has not been asked for longest is dropped.  Returns NULL if all are
 * being made. */
struct page_kept *page_cache_find(struct page_cache *cache, const char *key);
bool page_cache_fresh(const struct page_kept *kept, uint64_t version,
		      uint64_t now_us) MUST_CHECK;
/* Takes over these `n` bytes as the page.  Drops other pages until there is
 * room; if there is none, drops the new page. */
void page_cache_put(struct page_cache *cache, struct page_kept *kept,
		    struct http_piece *piece, size_t n);
/* Drops what is kept at the place, which is out of date. */
void page_cache_drop(struct page_cache *cache, struct page_kept *kept);

#endif
