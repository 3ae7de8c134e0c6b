/* tests/fuzz/views.h - the views of one line, compared with each other. */
#ifndef TESTS_FUZZ_VIEWS_H
#define TESTS_FUZZ_VIEWS_H

#include <stddef.h>
#include <stdbool.h>

/* Aborts unless all viewers or none can read the line and what they read
 * nests: where two views differ, the one that knows less has a token that ends
 * in `?`.  `n` is at most LINE_REFEREE_BYTES.  False: nobody can read it. */
bool views_nest(const char *line, size_t n, unsigned seats);

#endif
