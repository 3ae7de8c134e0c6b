/* referee/queue/player.h - plays the jobs of a queue on this machine: claims
 * them, has the workers play them (referee/runner/workers.h), reports.
 *
 * Whatever happens to the connection, a job is one attempt of ours, which the
 * database knows by its number: what it does not take is played for nothing and
 * harms nothing.  Results are kept until the database has taken them; there are
 * never more than the jobs that were claimed, PLAYER_HELD_MAX at most. */
#ifndef REFEREE_PLAYER_H
#define REFEREE_PLAYER_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/queue/held.h"

#define PLAYER_JOBS_MAX 256 /* games at a time */
/* Claimed jobs that are not over yet.  For each that is played, as many are
 * fetched ahead as are played in PLAYER_AHEAD_MS, up to PLAYER_AHEAD_MAX; one
 * until it is known how long that takes. */
#define PLAYER_HELD_MAX (2 * PLAYER_JOBS_MAX)
#define PLAYER_AHEAD_MS 500
#define PLAYER_AHEAD_MAX 8
#define PLAYER_LEASE_S 30      /* of a claim; told again three times as often */
#define PLAYER_POLL_MS 5000    /* between two looks for work without a notice */
#define PLAYER_STOP_MS 30000   /* for running games, when it is to stop */
#define PLAYER_REPORT_MS 10000 /* after that, for their reports */
#define PLAYER_PAUSE_MS 60000  /* without claims, where a bot has no room */

/* Until a signal (SIGTERM, SIGINT, SIGHUP), or until it cannot go on.  0, or -1 and an
 * error: ERROR_ANSWER: results are lost, or it was suspended. */
int player_run(const struct player_setup *setup, struct error *why) MUST_CHECK;

#endif
