/* referee/remote/away.h - lets a bot of this machine play at a referee
 * elsewhere.
 *
 * It keeps one connection to that referee, with `multi=yes`, and starts a
 * process for each game.  It makes a lost connection again, and the games go
 * on: it tells the referee how many lines of each game were read, and then
 * sends what the processes have said meanwhile.  It ends if the referee does
 * not want it to come again (`error again=no`). */
#ifndef REFEREE_AWAY_H
#define REFEREE_AWAY_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/util.h"

/* Milliseconds until the next attempt to connect.  The time doubles with each
 * attempt up to the maximum, and starts again once there was something to play.
 * Each wait is shortened by a random part, at most by half.  The maximum is
 * well below GRACE_MS. */
#define AWAY_WAIT_MS 500
#define AWAY_WAIT_MS_MAX 10000

/* Time to be let in: a referee takes up to WRONG_MS_MAX to refuse. */
#define AWAY_HELLO_MS (WRONG_MS_MAX + 15000)

/* Milliseconds in which the other side may acknowledge nothing and answer no
 * keep-alive probe of TCP. */
#define AWAY_SILENCE_MS 45000

/* A connection that lasted this long has begun well. */
#define AWAY_PROVED_MS 5000

/* Games in a row in which the bot's process had ended and did not answer. */
#define AWAY_DEATHS_MAX 3

#define AWAY_LADDERS_MAX 16

struct spawner;
struct tls;

struct away_setup { /* all borrowed */
	const char *host, *port;
	const struct tls *tls; /* NULL: plain; */
	bool plain;	       /* plain connections may leave this machine */
	const char *name, *token;
	const char *ladder[AWAY_LADDERS_MAX];
	unsigned ladders;
	unsigned jobs; /* games at a time */
	bool entropy;  /* the bot answers `entropy?`; else we do */
	bool hear;     /* pass on the bot's standard error */
	char *const *argv;
	struct spawner *spawner;
};

/* Plays until it is told to leave.  Prints a line to standard output for each
 * game that is over, and for the entropy that it gave.  Returns the exit code,
 * and prints a sentence if it is not EXIT_DONE. Sets `*caught` to the second
 * signal, or 0. */
int away_run(const struct away_setup *setup, int *caught) MUST_CHECK;

#endif
