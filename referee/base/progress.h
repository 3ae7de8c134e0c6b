/* referee/base/progress.h - draws the progress line of long work on standard
 * error.
 *
 * The caller draws only when standard error is a terminal. */
#ifndef REFEREE_PROGRESS_H
#define REFEREE_PROGRESS_H

#include <stdint.h>

#define PROGRESS_BYTES 160
#define PROGRESS_US 200000 /* microseconds between two draws */

/* Draws `done` of `all` games after `us` microseconds, with the rate and the
 * time left once there is a rate, and then `more` unless it is empty.  `all` is
 * 0 if it is not known.  The line is narrower than the terminal. */
void progress_draw(uint64_t done, uint64_t all, uint64_t us, const char *more);
void progress_erase(void);

/* Writes the line for a terminal of `columns`, which is at least 1. */
void progress_write(char to[PROGRESS_BYTES], uint64_t done, uint64_t all,
		    uint64_t us, const char *more, unsigned columns);

#endif
