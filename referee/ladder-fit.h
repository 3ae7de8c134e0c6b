/* referee/ladder-fit.h - `referee ladder fit`: what it is asked for, and the
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

#define OPTION_ANCHOR                                                          \
	{                                                                      \
		"anchor", KEY_FIT_ANCHOR, "NAME=R", 0,                         \
			"This bot's rating is R; may be given several times",  \
			0                                                      \
	}

/* These, of its own options; the others are the ladder's. */
#define OPTIONS_FIT                                                            \
	{ "pool",                                                              \
	  KEY_FIT_POOL,                                                        \
	  "NUMBER",                                                            \
	  0,                                                                   \
	  "Only this pool, as `ladder games` numbers them (default: all)",     \
	  0 },                                                                 \
		OPTION_ANCHOR,                                                 \
		{ "prior",                                                     \
		  KEY_FIT_PRIOR,                                               \
		  "SD",                                                        \
		  0,                                                           \
		  "How far from the middle bots are thought to be before any " \
		  "game, one standard deviation in points; 0: no such "        \
		  "thought (default: 350)",                                    \
		  0 },                                                         \
		{ "versus",                                                    \
		  KEY_FIT_VERSUS,                                              \
		  "BOT",                                                       \
		  0,                                                           \
		  "Only the difference between this bot and the one named "    \
		  "behind, with its exact bar",                                \
		  0 },                                                         \
		{ "cross",                                                     \
		  KEY_FIT_CROSS,                                               \
		  NULL,                                                        \
		  0,                                                           \
		  "Also every bot against every other, 500 bots at most",      \
		  0 },                                                         \
		{ "csv", KEY_FIT_CSV, NULL, 0, "Print CSV", 0 },               \
	{                                                                      \
		"results", KEY_FIT_RESULTS, "FILE", 0,                         \
			"Instead of a ladder's, games from anywhere: a CSV "   \
			"file of game,block,bot,place",                        \
			0                                                      \
	}

/* In a daemon's ladder this bot is fixed unless something else is said. */
#define FIT_DAEMON_ANCHOR "random"
#define FIT_DAEMON_RATING 1000

/* What is fitted without options: a daemon's ladder, or another. */
void fit_defaults(struct fit_settings *settings, bool daemon);
void fit_defaults_of(struct fit_settings *settings, const char *file);

/* One of its options, in an argp parser; ARGP_ERR_UNKNOWN for others. */
error_t fit_parse(int key, const char *arg, struct fit_request *request);

/* The exit code; `file` is the ladder. */
int ladder_fit(const struct fit_request *request, const char *file) MUST_CHECK;

#endif
