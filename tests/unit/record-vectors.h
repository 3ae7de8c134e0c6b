/* tests/unit/record-vectors.h - the records in tests/vectors. */
#ifndef TESTS_RECORD_VECTORS_H
#define TESTS_RECORD_VECTORS_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/text.h"
#include "referee/records/verify.h"

#define VECTORS SOURCE_DIR "/tests/vectors"

/* Loads the whole file; `text` is cleared first. */
void vector_load(const char *path, struct text *text);

/* Calls `check` for each record with its name (without .rec) and its text. */
void vectors_each(void (*check)(const char *name, const struct text *text));

/* Returns true if a text is a record that verifies.  If it cannot be parsed,
 * the verdict has the sentence in `expected` and nothing in `found`. */
bool record_holds(const char *bytes, size_t n, bool by_rules,
		  struct verdict *verdict);

#endif
