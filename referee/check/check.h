/* referee/check/check.h - puts one bot through everything that a referee may
 * show it.
 *
 * The games are played on real tables, by the real rules, over the line that
 * every bot of this machine has; only between the two sits a tap
 * (referee/check/check-tap.h).  One game at a time, unless the bot comes by TCP
 * and plays several at once. */
#ifndef REFEREE_CHECK_H
#define REFEREE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/check/check-plan.h"
#include "referee/check/check-report.h"
#include "referee/table/seat.h"

struct spawner;
struct sandbox_box;

/* Games in which something was wrong; then the check ends. */
#define CHECK_WRONG_GAMES 10
/* Games in which it said nothing at all; likewise. */
#define CHECK_SPEECHLESS_GAMES 2
/* Bytes of standard error in one game. */
#define CHECK_STDERR_BYTES 1048576
/* Processes and threads of a bot that is in no box; else the box has a limit.
 */
#define CHECK_PROCESSES 128

/* Where a bot comes to by TCP. */
struct check_listen {
	const char *host, *port;
	bool plain; /* also from other machines */
};

struct check_setup {
	const char *name;
	/* It comes by TCP, and says its name itself; NULL: it is started.
	 * Then name, argv, folder, box, entropy and memory_mib mean nothing. */
	const struct check_listen *listen;
	char *const *argv;  /* its command, NULL ends */
	const char *folder; /* its working directory; NULL: the referee's */
	const struct sandbox_box *box; /* that it plays in; NULL: none */
	bool entropy;		       /* it answers `entropy?` */
	uint64_t memory_mib;
	const struct check_plan *plan;
	unsigned repeats; /* games of each trial */
	const char *seed;
	struct seat_clock clock;
	unsigned faults;
	uint64_t limit_s; /* then it ends, wherever it is */
	bool keep_going;  /* not even after CHECK_WRONG_GAMES */
	bool reuse;	  /* its process plays game after game, of all trials */
	struct spawner *spawner;
	bool progress; /* draw a line on standard error */
};

/* How many games that makes. */
uint64_t check_games(const struct check_setup *setup);

/* Plays them.  Free the report with check_report_release(). */
void check_play(const struct check_setup *setup, struct check_report *report);

#endif
