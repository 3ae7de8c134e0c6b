/* referee/scheduler/scheduler-fit.h - where a ladder's bots stand by the fit that is
 * kept beside it: the pairing looks for opponents there. */
#ifndef REFEREE_SCHEDULER_FIT_H
#define REFEREE_SCHEDULER_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/fit-kept.h"
#include "ladder/pairing.h"
#include "ladder/store.h"
#include "protocol/util.h"
#include "referee/records/writer.h"

/* The fit of this pool, whatever its age; NULL: there is none.  `*pool` is as of
 * scheduler_pool() and gets its number.  In any thread. */
struct fit_kept *scheduler_fit_read(struct ladder *ladder,
				    struct ladder_pool *pool) MUST_CHECK;
/* Tells the pairing where its bots stand by it; NULL tells nothing.  How many
 * of them are in it.  Bots enter the ladder with `start_milli`. */
unsigned scheduler_fit_tell(struct pairing *pairing, int64_t start_milli,
			    const struct fit_kept *kept);

struct scheduler_fit;

/* It was read, and is borrowed; NULL: there is none. */
typedef void scheduler_fitted(void *arg, const struct fit_kept *kept);

/* Reads it in the thread of the writer, which is borrowed. */
struct scheduler_fit *scheduler_fit_new(struct writer *writer,
					scheduler_fitted *fitted, void *arg);
/* After the writer was freed; NULL is fine. */
void scheduler_fit_free(struct scheduler_fit *fit);
/* fitted() follows; nothing happens if it is due already. */
void scheduler_fit_ask(struct scheduler_fit *fit,
		       const struct ladder_pool *pool);
/* Whether fitted() is due. */
bool scheduler_fit_is_asked(const struct scheduler_fit *fit);

#endif
