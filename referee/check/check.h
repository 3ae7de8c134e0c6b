/* referee/check/check.h - shows one bot everything that a referee may do.
 *
 * The games are played on real tables, by the real rules, over the line of any
 * local bot.  A tap sits between the two (referee/check/check-tap.h).  One game
 * at a time, unless the bot comes by TCP and plays several at once. */
#ifndef REFEREE_CHECK_H
#define REFEREE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "referee/check/check-plan.h"
#include "referee/check/check-report.h"
#include "referee/table/seat.h"

struct spawner;
struct sandbox_box;

/* The check ends after this many games with a mistake. */
#define CHECK_WRONG_GAMES 10
/* The check ends after this many games in which the bot said nothing at all. */
#define CHECK_SPEECHLESS_GAMES 2
/* Bytes of standard error in one game that are allowed. */
#define CHECK_STDERR_BYTES 1048576
/* Processes and threads of a bot without a box. */
#define CHECK_PROCESSES 128

/* The address for a bot that comes by TCP. */
struct check_listen {
	const char *host, *port;
	bool plain; /* other machines may come without TLS */
};

struct check_setup {
	const char *name;
	/* The bot comes by TCP and says its name; then name, argv, folder, box,
	 * entropy, memory_mib and processes are ignored.  NULL: we start the bot. */
	const struct check_listen *listen;
	char *const *argv;  /* its command; ends with NULL */
	const char *folder; /* its working directory; NULL: the referee's */
	const struct sandbox_box *box; /* its box; NULL: none */
	bool entropy;		       /* it answers `entropy?` */
	uint64_t memory_mib,
		processes; /* what it may have; its box has room for more */
	const struct check_plan *plan;
	unsigned repeats; /* games of each trial */
	const char *seed;
	struct seat_clock clock;
	unsigned faults;
	uint64_t limit_s; /* the check ends after this time, wherever it is */
	bool keep_going;  /* do not end after CHECK_WRONG_GAMES */
	bool reuse;	  /* one process plays the games of all trials */
	struct spawner *spawner;
	bool progress; /* draw a line on standard error */
};

/* Returns the number of games of a setup. */
uint64_t check_games(const struct check_setup *setup);

/* Runs a check.  The caller frees the report by check_report_release(). */
void check_play(const struct check_setup *setup, struct check_report *report);

#endif
