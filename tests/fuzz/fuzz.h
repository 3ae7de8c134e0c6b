/* tests/fuzz/fuzz.h - functions that all fuzz targets share.
 *
 * A target is one file with LLVMFuzzerTestOneInput().  It is linked with
 * libFuzzer (fuzz-NAME), or with replay.c, which runs it on the files of a
 * folder (replay-NAME).  A target checks its input by its own rules and aborts
 * if one does not hold. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"

/* Tries one input of `n` bytes; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define HOLDS(condition)                                                       \
	do {                                                                   \
		if (!(condition))                                              \
			bug("does not hold: %s", #condition);                  \
	} while (0)

/* Returns a copy of exactly this size on the heap, so that AddressSanitizer
 * finds reads beyond it.  The caller frees it. */
void *fuzz_copy(const void *bytes, size_t n) MUST_CHECK;

/* Holds what is left of an input that is text. */
struct fuzz_text {
	const char *at;
	size_t n;
};

/* Cuts off the part before the first `end`, and `end` itself; the last piece
 * needs none.  Returns false if nothing is left. */
bool fuzz_take(struct fuzz_text *text, char end, struct fuzz_text *piece);

#endif
