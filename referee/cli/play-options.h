/* referee/cli/play-options.h - the options that `match` and `check` have in
 * common. */
#ifndef REFEREE_PLAY_OPTIONS_H
#define REFEREE_PLAY_OPTIONS_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "referee/cli/arguments.h"
#include "referee/table/seat.h"

struct play_options {
	struct seat_clock clock;
	unsigned faults;
	char seed[SEED_BYTES + 1]; /* "": not given */
	unsigned sandbox;	   /* enum sandbox_want */
	bool json;
};

/* Rows of an options table, in a group of --help, for a struct `type` with
 * `struct play_options play`.  Each command has its own rows for --seed and
 * --sandbox. */
/* clang-format off */
#define PLAY_OPTIONS_CLOCK(type, number)                                       \
	{ "move-time", 0, "MS", "Time for each move (default 10000)",          \
	  STORE_MS(type, play.clock.time_us, 1, TIME_MS_MAX),                  \
	  .group = number },                                                   \
	{ "bank", 0, "MS",                                                     \
	  "Time for the whole game, used when a move takes longer "            \
	  "(default 0)",                                                       \
	  STORE_MS(type, play.clock.bank_us, 0, TIME_MS_MAX),                  \
	  .group = number },                                                   \
	{ "increment", 0, "MS", "Added to the bank after each move (default 0)", \
	  STORE_MS(type, play.clock.increment_us, 0, TIME_MS_MAX),             \
	  .group = number },                                                   \
	{ "total", 0, "MS",                                                    \
	  "Time that a seat may use in the whole game (default: no limit)",    \
	  STORE_MS(type, play.clock.total_us, 1, TOTAL_MS_MAX),                \
	  .group = number },                                                   \
	{ "faults", 0, "N", "Retire a seat at its N-th fault (default 3)",     \
	  STORE_NUMBER(type, play.faults, 1, FAULTS_MAX), .group = number }
#define PLAY_OPTION_JSON(type, number)                                         \
	{ "json", 0, NULL, "Print JSON, one object a line",                    \
	  STORE_FLAG(type, play.json), .group = number }
/* clang-format on */

/* Sets the defaults in a struct that is all zero. */
void play_options_default(struct play_options *options);
/* Takes --seed into a field like `seed` above, and overwrites the bytes of `arg`. */
argument_taker play_take_seed;

/* Draws a seed of `bytes` bytes if none was given.  Returns true if one was
 * given. */
bool play_seed(struct play_options *options, size_t bytes);

/* Ends the process by the signal `caught` that ended the games, so that the
 * shell sees it.  Does nothing if it is 0. */
void play_raise(int caught);

#endif
