/* tests/world/html-check.h - reads a page as strictly as its writer promises. */
#ifndef TESTS_WORLD_HTML_CHECK_H
#define TESTS_WORLD_HTML_CHECK_H

#include <stddef.h>

/* Returns NULL if these bytes are a whole page: elements nest, each value of an
 * attribute stands between quotes and is followed by a space or the tag's end, and `<`,
 * `>` and `&` are escaped in texts and values.  Else it returns what is wrong, and sets
 * `*at` to the place. */
const char *html_wrong(const char *bytes, size_t n, size_t *at);

#endif
