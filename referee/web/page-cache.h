/* referee/web/page-cache.h - pages that are kept as they were sent, for those
 * who ask next.
 *
 * A page that is fresh is sent without a look.  Else the worker thread looks
 * whether what it was made of has changed since, and makes it again only then;
 * who asks meanwhile waits for the same.  A page is fresh for PAGE_FRESH_MS, and
 * for PAGE_REST_MS if the loop knows that something has changed; it is made again
 * after PAGE_KEPT_MS in any case, for some of it goes by the date. */
#ifndef REFEREE_PAGE_CACHE_H
#define REFEREE_PAGE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/http/http.h"

#define PAGE_FRESH_MS 1000
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
	/* Of what it was made: as the loop knows it, and the files (0: they
	 * were just being written). */
	uint64_t version, stamp;
	uint64_t made_us, looked_us;
	uint64_t used; /* when it was asked for last, by the cache's clock */
	void *asked;   /* who has it made or looked at now; it stays then */
};

struct page_cache;

/* Of at most so many bytes. */
struct page_cache *page_cache_new(size_t bytes) MUST_CHECK;
/* Nothing may be asked.  NULL is fine. */
void page_cache_free(struct page_cache *cache);
/* The place of this page; a new one instead of the one that was not asked for
 * longest; or NULL: all are being made. */
struct page_kept *page_cache_find(struct page_cache *cache, const char *key);
bool page_cache_fresh(const struct page_kept *kept, uint64_t version,
		      uint64_t now_us) MUST_CHECK;
/* Whether it may be sent again if its files have this stamp. */
bool page_cache_holds(const struct page_kept *kept, uint64_t stamp,
		      uint64_t now_us) MUST_CHECK;
/* Takes over these `n` bytes as the page: others go until there is room.  Without
 * room it is dropped. */
void page_cache_put(struct page_cache *cache, struct page_kept *kept,
		    struct http_piece *piece, size_t n);
/* What is kept there is not so any more. */
void page_cache_drop(struct page_cache *cache, struct page_kept *kept);
/* For tests: of all pages. */
size_t page_cache_bytes(const struct page_cache *cache);

#endif
