/* ladder/milli.h - converts points between whole thousandths and the form that
 * people write. */
#ifndef LADDER_MILLI_H
#define LADDER_MILLI_H

#include <stdint.h>

#include "protocol/util.h"

#define MILLI_TEXT_BYTES 24 /* room for any number of milli_text(), and a NUL */

/* Writes digits, and as many of three decimals as are needed: `16`, `12.5`.
 * `milli` is at least 0. */
void milli_text(int64_t milli, char text[MILLI_TEXT_BYTES]);

/* Reads such a number.  Returns 0, or -1 if `text` is not digits with at most
 * three decimals, or is more than `max` thousandths. */
int milli_read(const char *text, int64_t max, int64_t *milli) MUST_CHECK;

#endif
