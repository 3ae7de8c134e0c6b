/* referee/scheduler/refit.h - fits a daemon's ladders as their games come.
 *
 * A ladder is fitted again when 1 % new games have come, or its anchors or the
 * marks of bots have changed, but at most once a minute.  `referee ladder fit`
 * does it in a niced process, one at a time.  It reads the ladder and stores the
 * fit beside it (ladder/fit-kept.h), where /ladders/NAME and the pairing find it.
 * The loop never waits for it. */
#ifndef REFEREE_REFIT_H
#define REFEREE_REFIT_H

#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/scheduler/ladders.h"

#define REFIT_LOOK_MS 1000  /* between two looks for a fit that is due */
#define REFIT_EACH_MS 60000 /* between two fits of one ladder */
#define REFIT_NEW_PART 100  /* a fit is due when 1/100 of the games are new */
#define REFIT_NICE 10

struct refit;

/* Makes it.  All but `data` is borrowed.  `*marked` grows when marks change without a
 * game. */
struct refit *refit_new(struct loop *loop, struct logger *logger,
			const struct ladders *ladders, const char *data,
			const uint64_t *marked) MUST_CHECK;
/* Ends a running fit and frees it.  NULL is allowed. */
void refit_free(struct refit *refit);

#endif
