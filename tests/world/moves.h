/* tests/world/moves.h - the rules of the games, known without the product.
 *
 * The invariants keep each record that they read.  After the last life check-record.py,
 * which shares no code with the product, proves them all.  One Python process does so
 * for all scenarios of a run; without Python 3 nothing is proved, and the output says
 * so. */
#ifndef TESTS_WORLD_MOVES_H
#define TESTS_WORLD_MOVES_H

#include <stdbool.h>

#include "protocol/text.h"
#include "protocol/util.h"

/* The folder of records that are kept, below the one of the scenario. */
#define MOVES_FOLDER "moves"

/* Starts the process.  Call it before the first life. */
void moves_begin(void);
/* Keeps the record with this hash if the process runs.  Returns 0, or -1 and errno. */
int moves_keep(const struct text *record, const char *hash) MUST_CHECK;
/* Proves all records that were kept in the working folder, which have rare words
 * (rare.h) or not.  Writes to the file `wrong` which lines are wrong, and returns false
 * if there are such. */
bool moves_hold(bool rare, int wrong) MUST_CHECK;
void moves_end(void);

#endif
