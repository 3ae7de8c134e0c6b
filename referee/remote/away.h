/* referee/remote/away.h - a bot of this machine, away at a referee elsewhere.
 *
 * Keeps one connection to that referee, with `multi=yes`, and starts a process
 * for each game.  A connection that is lost is made again, and
 * the games go on: the referee is told how many lines of each were read, and
 * what the processes say meanwhile is said then.  It is the end if the referee
 * does not want it to come again (`error again=no`). */
#ifndef REFEREE_AWAY_H
#define REFEREE_AWAY_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/util.h"

/* Until the next attempt to connect, in milliseconds: twice as long after each
 * one up to the maximum, from the beginning again once there was something to
 * play; each a random part shorter, by a half at most.  The maximum is well
 * below GRACE_MS. */
#define AWAY_WAIT_MS 500
#define AWAY_WAIT_MS_MAX 10000

/* To be let in: a referee takes up to WRONG_MS_MAX to say no. */
#define AWAY_HELLO_MS (WRONG_MS_MAX + 15000)

/* That the other side may leave what we send unacknowledged, or be silent to
 * TCP's own questions, in milliseconds. */
#define AWAY_SILENCE_MS 45000

/* A connection that has stood so long has begun well. */
#define AWAY_PROVED_MS 5000

/* Games in a row in which the bot's process had ended and did not answer. */
#define AWAY_DEATHS_MAX 3

#define AWAY_LADDERS_MAX 16

struct spawner;
struct tls;

struct away_setup { /* all borrowed */
	const char *host, *port;
	const struct tls *tls; /* NULL: plain; */
	bool plain;	       /* which may go beyond this machine */
	const char *name, *token;
	const char *ladder[AWAY_LADDERS_MAX];
	unsigned ladders;
	unsigned jobs; /* games at a time */
	bool entropy;  /* the bot answers `entropy?`; else this does */
	bool hear;     /* pass on its standard error */
	char *const *argv;
	struct spawner *spawner;
};

/* Plays until it is told to leave, and prints a line to standard output for
 * each game that is over, and for the entropy that it gave.  Returns the exit
 * code, after a sentence if it is not EXIT_DONE.  `*caught`: the second signal,
 * or 0. */
int away_run(const struct away_setup *setup, int *caught) MUST_CHECK;

#endif
