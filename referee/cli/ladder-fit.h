/* referee/cli/ladder-fit.h - reads the arguments of `referee ladder fit` and
 * runs it. */
#ifndef REFEREE_LADDER_FIT_H
#define REFEREE_LADDER_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/fit-kept.h"
#include "referee/cli/arguments.h"

struct fit_request {
	const char *results; /* a CSV file instead of a ladder, or NULL */
	int64_t pool;	     /* its number; 0: all pools */
	struct fit_settings settings;
	const char *since;
	const char *versus, *other; /* two names; or NULL */
	bool cross, json, csv;
};

#define LADDER_FIT_REQUEST                                                     \
	{                                                                      \
		.settings = FIT_DEFAULTS                                       \
	}

/* Take --pool, --anchor and --prior into such a request. */
argument_taker fit_take_pool, fit_take_anchor, fit_take_prior;

/* Prints the fit that was asked for; `file` is the ladder.  Returns the exit
 * code. */
int ladder_fit(const struct fit_request *request, const char *file) MUST_CHECK;

#endif
