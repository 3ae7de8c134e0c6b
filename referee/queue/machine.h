/* referee/queue/machine.h - plays the jobs of a queue on this machine.  It
 * claims them, has worker processes play them (referee/runner/workers.h), and
 * reports the results.
 *
 * Whatever happens to the connection, each claimed job is one attempt of ours,
 * which the database knows by its number.  If it does not take the result of an
 * attempt, the game was played for nothing, which does no harm.  Results are
 * kept until the database has taken them.  There are at most as many as claimed
 * jobs, so at most MACHINE_HELD_MAX. */
#ifndef REFEREE_MACHINE_H
#define REFEREE_MACHINE_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/queue/held.h"

#define MACHINE_JOBS_MAX 256 /* games at a time */
/* Claimed jobs that are not over yet.  For each that is played, as many are
 * claimed ahead as are played in MACHINE_AHEAD_MS, up to MACHINE_AHEAD_MAX. Until
 * the time of a game is known, that is one. */
#define MACHINE_HELD_MAX (2 * MACHINE_JOBS_MAX)
#define MACHINE_AHEAD_MS 500
#define MACHINE_AHEAD_MAX 8
#define MACHINE_LEASE_S 30    /* of a claim; renewed three times as often */
#define MACHINE_POLL_MS 5000  /* between two looks for work without a notice */
#define MACHINE_STOP_MS 30000 /* time for running games when it stops */
#define MACHINE_REPORT_MS 10000 /* time after that for their reports */
#define MACHINE_PAUSE_MS                                                       \
	60000 /* pause without claims after a bot had no room */

/* Plays until a signal (SIGTERM, SIGINT, SIGHUP), or until it cannot go on.
 * Returns 0, or -1 and an error, which is ERROR_ANSWER if results are lost or
 * the machine was suspended. */
int machine_run(const struct machine_setup *setup,
		struct error *why) MUST_CHECK;

#endif
