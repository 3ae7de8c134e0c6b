/* referee/progress.h - the progress line of long work, on standard error.
 *
 * The caller draws only when standard error is a terminal. */
#ifndef REFEREE_PROGRESS_H
#define REFEREE_PROGRESS_H

#include <stdint.h>

/* `done` of `all` games after `us` microseconds: rate and time left. */
void progress_draw(uint64_t done, uint64_t all, uint64_t us);
void progress_erase(void);

#endif
