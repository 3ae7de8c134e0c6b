/* referee/cli/ladder-fit.h - `referee ladder fit`: what it is asked for, and the
 * doing. */
#ifndef REFEREE_LADDER_FIT_H
#define REFEREE_LADDER_FIT_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "ladder/fit-kept.h"

struct fit_request {
	const char *results; /* a CSV file instead of a ladder, or NULL */
	int64_t pool;	     /* or 0: all */
	struct fit_settings settings;
	const char *since;
	const char *versus, *other; /* two names; or NULL */
	bool cross, json, csv;
};

#define LADDER_FIT_REQUEST                                                     \
	{                                                                      \
		.settings.prior = FIT_PRIOR                                    \
	}

enum {
	KEY_FIT_RESULTS = 512,
	KEY_FIT_POOL,
	KEY_FIT_ANCHOR,
	KEY_FIT_PRIOR,
	KEY_FIT_VERSUS,
	KEY_FIT_CROSS,
	KEY_FIT_CSV,
};

/* Sets what a fit without options uses for the ladder in this file. */
void fit_defaults_of(struct fit_settings *settings, const char *file);

/* One of its options, in an argp parser; ARGP_ERR_UNKNOWN for others. */
error_t fit_parse(int key, const char *arg, struct fit_request *request);

/* The exit code; `file` is the ladder. */
int ladder_fit(const struct fit_request *request, const char *file) MUST_CHECK;

#endif
