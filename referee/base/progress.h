/* referee/base/progress.h - the progress line of long work, on standard error.
 *
 * The caller draws only when standard error is a terminal. */
#ifndef REFEREE_PROGRESS_H
#define REFEREE_PROGRESS_H

#include <stdint.h>

#define PROGRESS_BYTES 160
#define PROGRESS_US 200000 /* between two draws */

/* `done` of `all` games after `us` microseconds: rate and time left, once there
 * is a rate.  `all` 0: it is not known.  Behind it `more`, unless it is empty.
 * Never as wide as the terminal. */
void progress_draw(uint64_t done, uint64_t all, uint64_t us, const char *more);
void progress_erase(void);

/* The line for a terminal of so many columns, at least 1. */
void progress_write(char to[PROGRESS_BYTES], uint64_t done, uint64_t all,
		    uint64_t us, const char *more, unsigned columns);

#endif
