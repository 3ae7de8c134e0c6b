/* tests/fuzz/fuzz.h - what all fuzz targets share.
 *
 * A target is one file with LLVMFuzzerTestOneInput().  It is linked with
 * libFuzzer (fuzz-NAME), or with replay.c, which runs it on the files of a
 * folder (replay-NAME).  A target checks what it is given by rules of its own
 * and aborts where one does not hold. */
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

/* Returns a copy of exactly this size on the heap, so that AddressSanitizer sees who
 * looks beyond it; freed by the caller. */
void *fuzz_copy(const void *bytes, size_t n) MUST_CHECK;

/* Holds what is left of an input that is text. */
struct fuzz_text {
	const char *at;
	size_t n;
};

/* Cuts off what stands before the first `end`, which goes, too; the last
 * piece needs none.  False: nothing is left. */
bool fuzz_take(struct fuzz_text *text, char end, struct fuzz_text *piece);

#endif
