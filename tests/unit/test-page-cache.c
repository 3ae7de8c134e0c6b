/* tests/unit/test-page-cache.c - pages that are kept for the next requests. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "referee/web/page-cache.h"

#define MS UINT64_C(1000)

static void
put(struct page_cache *cache, const char *key, size_t n)
{
	static const char bytes[1000];

	page_cache_put(cache, page_cache_find(cache, key),
		       http_piece_new(bytes, n), n);
}

static bool
has(struct page_cache *cache, const char *key)
{
	return page_cache_find(cache, key)->piece != NULL;
}

Test(page_cache, the_bytes_of_all_pages_are_bounded)
{
	struct page_cache *cache = page_cache_new(1000);

	put(cache, "a", 400);
	put(cache, "b", 400);
	cr_expect(has(cache, "a"), "b is now the older one");
	put(cache, "c", 200);
	cr_expect(has(cache, "b") && has(cache, "a") && has(cache, "c"),
		  "at the limit");
	put(cache, "d", 1);
	cr_expect(!has(cache, "b"), "not asked for longest");
	cr_expect(has(cache, "a") && has(cache, "c") && has(cache, "d"));
	put(cache, "a", 100); /* in place of the old one: 301 are left */
	put(cache, "e", 699);
	cr_expect(has(cache, "c") && has(cache, "d") && has(cache, "a") &&
		  has(cache, "e"));
	put(cache, "f", 1000);
	cr_expect(has(cache, "f") && !has(cache, "c") && !has(cache, "d") &&
		  !has(cache, "a") && !has(cache, "e"));
	page_cache_free(cache);
	page_cache_free(NULL);
}

Test(page_cache, a_page_that_is_too_large_is_not_kept)
{
	struct page_cache *cache = page_cache_new(999);

	put(cache, "a", 1000);
	cr_expect(!has(cache, "a"));
	put(cache, "a", 999);
	cr_expect(has(cache, "a"));
	page_cache_free(cache);
}

Test(page_cache, the_places_are_bounded)
{
	struct page_cache *cache = page_cache_new(100000);
	struct page_kept *kept[PAGES_KEPT], *more;
	char key[16];
	unsigned i;

	for (i = 0; i < PAGES_KEPT; i++) {
		snprintf(key, sizeof(key), "%u", i);
		kept[i] = page_cache_find(cache, key);
		kept[i]->asked = cache;
	}
	cr_expect_null(page_cache_find(cache, "more"), "all are being made");
	cr_expect_eq(page_cache_find(cache, "7"), kept[7]);
	kept[7]->asked = NULL;
	put(cache, "7", 100);
	more = page_cache_find(cache, "more");
	cr_expect_eq(more, kept[7]);
	cr_expect_null(more->piece, "it has nothing of the other page");
	for (i = 0; i < PAGES_KEPT; i++)
		kept[i]->asked = NULL;
	page_cache_free(cache);
}

Test(page_cache, what_is_being_made_keeps_its_place)
{
	struct page_cache *cache = page_cache_new(100);
	struct page_kept *kept;

	put(cache, "a", 60);
	kept = page_cache_find(cache, "a");
	kept->asked = cache;
	put(cache, "b", 60);
	cr_expect_not_null(kept->piece, "it may be sent once more");
	cr_expect(!has(cache, "b"));
	kept->asked = NULL;
	page_cache_free(cache);
}

Test(page_cache, how_long_a_page_is_fresh)
{
	struct page_cache *cache = page_cache_new(100);
	struct page_kept *kept = page_cache_find(cache, "a");

	cr_expect(!page_cache_fresh(kept, 0, 1), "there is none");
	put(cache, "a", 1);
	kept->version = 5;
	kept->made_us = 1;
	cr_expect(page_cache_fresh(kept, 5, PAGE_KEPT_MS * MS));
	cr_expect(!page_cache_fresh(kept, 5, PAGE_KEPT_MS * MS + 1));
	cr_expect(page_cache_fresh(kept, 6, PAGE_REST_MS * MS));
	cr_expect(!page_cache_fresh(kept, 6, PAGE_REST_MS * MS + 1));
	page_cache_free(cache);
}

Test(page_cache, a_version_is_of_all_bytes)
{
	const uint64_t none = PAGE_VERSION_NONE;

	cr_expect_eq(page_version(none, "ab", 2),
		     page_version(page_version(none, "a", 1), "b", 1));
	cr_expect_neq(page_version(none, "ab", 2), page_version(none, "ba", 2));
	cr_expect_neq(page_version(none, "ab", 2), page_version(none, "ab", 3));
}
