/* referee/cli/match-arguments.h - reads the command line of `referee match`. */
#ifndef REFEREE_MATCH_ARGUMENTS_H
#define REFEREE_MATCH_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "referee/cli/arguments.h"
#include "referee/cli/play-options.h"
#include "referee/match/contest.h"
#include "referee/match/match-bots.h"

struct match_arguments {
	const char *game;
	const char *option[OPTIONS_MAX]; /* NAME=VALUE */
	unsigned options;
	struct match_bots bots; /* owned */
	struct contest contest;
	struct play_options play;
	unsigned first_of_folder; /* the first bot of bots_folder */
	uint64_t seats, games, jobs, processes; /* 0: not given */
	const char *records; /* set by --resume, too; or NULL */
	const char *resume, *ladder, *stderr_dir; /* or NULL */
	const char *data; /* data folder of bots that are named; or NULL */
	const char *bots_folder; /* each subfolder is a bot; or NULL */
	char *copies; /* owned: temporary copies of these bots; or NULL */
	bool arrival, as_ladder, asks, brief_sandbox, exact, no_pondering,
		no_pin;
	bool reuse, duplicate;
	bool of_ladder; /* GAME, options, seats and bots are those of a ladder */
	bool tables; /* a tournament: --games is for each table, and by default
		      * a table has as few seats as the game allows */
};

/* The options of `match`; a command may have more. */
extern const struct argument match_options[];
/* Reads a command line whose word is a game.  Stores the options and defaults
 * in a struct that begins with `to`, which is all zero.  `doc` is the text of
 * --help.  Does not return if something is wrong. */
void match_arguments_parse(const char *doc, const struct argument *options,
			   int argc, char **argv, struct match_arguments *to);

#endif
