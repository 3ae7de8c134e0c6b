/* referee/scheduler/refit.h - the fits of a daemon's ladders, as their games come.
 *
 * A ladder is fitted again at most once a minute, and when 1 % new games have
 * come or its anchors have changed: by `referee ladder fit` as a process of its
 * own, niced, one at a time.  It reads the ladder and leaves the fit beside it
 * (ladder/fit-kept.h), where /ladders/NAME and the pairing find it.  The loop
 * never waits for it. */
#ifndef REFEREE_REFIT_H
#define REFEREE_REFIT_H

#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/scheduler/ladders.h"

#define REFIT_LOOK_MS 1000  /* for one that is due, or has ended */
#define REFIT_EACH_MS 60000 /* between two fits of one ladder */
#define REFIT_NEW_PART 100  /* 1/100 of the games are new */
#define REFIT_NICE 10

struct refit;

/* All are borrowed. */
struct refit *refit_new(struct loop *loop, struct logger *logger,
			const struct ladders *ladders,
			const char *data) MUST_CHECK;
/* Ends one that runs; NULL is fine. */
void refit_free(struct refit *refit);

#endif
