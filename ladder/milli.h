/* ladder/milli.h - points as people write them, and in whole thousandths. */
#ifndef LADDER_MILLI_H
#define LADDER_MILLI_H

#include <stdint.h>

#include "protocol/util.h"

#define MILLI_TEXT_BYTES 24 /* any number of milli_text(), and a NUL */

/* Digits, and as many of three decimals as are needed: `16`, `12.5`.  `milli`
 * is at least 0. */
void milli_text(int64_t milli, char text[MILLI_TEXT_BYTES]);

/* The other way: 0, or -1 if `text` is not digits with at most three decimals,
 * or is more than `max` thousandths. */
int milli_read(const char *text, int64_t max, int64_t *milli) MUST_CHECK;

#endif
