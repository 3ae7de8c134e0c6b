/* referee/cli/play-options.h - options that `match` and `check` have in common. */
#ifndef REFEREE_PLAY_OPTIONS_H
#define REFEREE_PLAY_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/table/seat.h"

/* Those without a letter; a command's own begin with KEY_OWN. */
enum {
	KEY_MOVE_TIME = 256,
	KEY_BANK,
	KEY_INCREMENT,
	KEY_TOTAL,
	KEY_FAULTS,
	KEY_SEED,
	KEY_SANDBOX,
	KEY_JSON,
	KEY_OWN,
};

struct play_options {
	struct seat_clock clock;
	unsigned faults;
	char seed[SEED_BYTES + 1]; /* "": not given */
	unsigned sandbox;	   /* enum sandbox_want */
	bool json;
};

/* Rows of a table, in groups of --help.  --seed and --sandbox have their own in
 * each command. */
#define PLAY_OPTIONS_CLOCK(group)                                              \
	{ "move-time",                                                         \
	  KEY_MOVE_TIME,                                                       \
	  "MS",                                                                \
	  0,                                                                   \
	  "Time for each move (default 10000)",                                \
	  group },                                                             \
		{ "bank",                                                      \
		  KEY_BANK,                                                    \
		  "MS",                                                        \
		  0,                                                           \
		  "Time for the whole game, used when a move takes longer "    \
		  "(default 0)",                                               \
		  group },                                                     \
		{ "increment",                                                 \
		  KEY_INCREMENT,                                               \
		  "MS",                                                        \
		  0,                                                           \
		  "Added to the bank after each move (default 0)",             \
		  group },                                                     \
		{ "total",                                                     \
		  KEY_TOTAL,                                                   \
		  "MS",                                                        \
		  0,                                                           \
		  "Time that a seat may use in the whole game (default: no "   \
		  "limit)",                                                    \
		  group },                                                     \
	{                                                                      \
		"faults", KEY_FAULTS, "N", 0,                                  \
			"Retire a seat at its N-th fault (default 3)", group   \
	}
#define PLAY_OPTION_JSON(group)                                                \
	{                                                                      \
		"json", KEY_JSON, NULL, 0, "Print JSON, one object a line",    \
			group                                                  \
	}

/* Of what is all zero. */
void play_options_default(struct play_options *options);
/* In a parser of argp: 0, or ARGP_ERR_UNKNOWN for other keys.  The bytes of a
 * seed are overwritten in `arg`. */
error_t play_options_parse(struct play_options *options, int key, char *arg);

/* Draws a seed of `bytes` bytes if none was given; whether it was. */
bool play_seed(struct play_options *options, size_t bytes);

/* As if the signal that ended the games had not been caught, for the shell's
 * sake; 0: there was none. */
void play_raise(int caught);

#endif
