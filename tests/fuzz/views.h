/* tests/fuzz/views.h - compares the views of one line with each other. */
#ifndef TESTS_FUZZ_VIEWS_H
#define TESTS_FUZZ_VIEWS_H

#include <stddef.h>
#include <stdbool.h>

/* Aborts unless all viewers or none can read the line and their views nest: if
 * two views differ, the one that knows less has a token that ends in `?`.  `n`
 * is at most LINE_REFEREE_BYTES. Returns false if no viewer can read it. */
bool views_nest(const char *line, size_t n, unsigned seats);

#endif
