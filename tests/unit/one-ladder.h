/* tests/unit/one-ladder.h - the ladder of a test that has one, in the folder of
 * ladder-kit.h. */
#ifndef TESTS_UNIT_ONE_LADDER_H
#define TESTS_UNIT_ONE_LADDER_H

#include <stdint.h>

#include "ladder/store.h"

extern struct ladder *ladder; /* NULL: it is not open */
extern int64_t folder;	      /* the number of `records` */

/* Opens it, after closing it if it is open. */
void open_ladder(void);
void close_ladder(void); /* does nothing if it is not open */
/* Closes it and removes everything; the .fini that goes with kit_begin(). */
void end_ladder(void);

#endif
