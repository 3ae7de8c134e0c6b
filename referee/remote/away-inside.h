/* referee/remote/away-inside.h - shared by away.c, the connection, and
 * away-game.c, its games. */
#ifndef REFEREE_AWAY_INSIDE_H
#define REFEREE_AWAY_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/text.h"
#include "referee/base/loop.h"
#include "referee/remote/away.h"
#include "referee/remote/link.h"
#include "referee/table/bot.h"

#define AWAY_GREETING_BYTES 256 /* of `referee 1 NAME` */
#define AWAY_TROUBLE_BYTES 600
#define AWAY_STDERR_BYTES                                                      \
	1000 /* bytes of a line of standard error; a longer
			        * one is printed in parts */

#define AWAY_FAULTS_TOLD 10 /* faults of a game that are printed */
#define AWAY_SAID_BYTES 256 /* bytes of its last line as printed */

/* A game that our bot plays there.  For each game the bot is a process of its
 * own, which reads `referee`, its game, and `bye`, as if the referee had
 * started it.  Its lines wait here while there is no connection.
 *
 * If the process ends before its game, the referee is told `crashed`, which is
 * the fault of that name at this and each further ask. */
struct away_game {
	struct away_game *next, **prev;
	struct away *away;
	char id[ID_BYTES + 1];
	uint64_t lines;	 /* lines of it that were read */
	bool over;	 /* the game is over */
	bool alive;	 /* its process runs */
	bool died;	 /* its process ended before the game */
	bool missed;	 /* an ask has come since then */
	struct bot *bot; /* the process, while we listen to it */
	uint32_t asked;	 /* the last ask */
	uint32_t awaits; /* asks before this one are over */
	uint32_t kept;	 /* the last ask that the process was not told */
	int seat;	 /* the bot's; -1: not known yet */
	unsigned faults; /* faults charged so far */
	char said[AWAY_SAID_BYTES]; /* its last line, escaped */
	struct text answer;	    /* the answer to the last ask, or empty */
	struct text waiting;	    /* lines that have not been sent */
	struct text complaint;	    /* a line of its standard error so far */
};

enum away_state {
	AWAY_WAITING, /* until the next attempt */
	AWAY_DIALING,
	AWAY_HELLO, /* connected; has said who it is */
	AWAY_IN,
	AWAY_DONE, /* waits until all processes have left */
};

struct away {
	const struct away_setup *setup;
	struct loop loop;
	struct connecting *connecting; /* NULL: not being dialled */
	struct links links;
	struct link *link; /* NULL: not connected */
	struct timer timer;
	struct event *spawner_event, *signal_event[2];
	enum away_state state;
	struct away_game *game; /* in order; with games that are over while
				 * their process runs */
	/* The asks that count in the games that the referee is about to send. */
	struct away_awaits {
		char id[ID_BYTES + 1];
		uint32_t ask;
	} awaits[GAMES_AT_ONCE];
	unsigned awaited;
	char greeting[AWAY_GREETING_BYTES];
	char told[AWAY_TROUBLE_BYTES]; /* the last trouble that was printed */
	unsigned wait_ms;
	unsigned grace_ms;	 /* our games wait there this long for us */
	bool proved;		 /* a connection has begun well */
	uint64_t in_us, lost_us; /* when the last connection began and ended */
	unsigned deaths;
	bool quitting;
	int code, caught;
};

/* ---- away.c ----------------------------------------------------------- */

/* Ends as soon as all processes have left. */
void away_finish(struct away *away, int code, unsigned grace_ms);
/* Sends a line, of the game `id` unless it is NULL. Returns false if the line
 * was dropped because there is no connection or OUT_BYTES wait already. */
bool away_say(struct away *away, const char *id, const char *line, size_t n);
/* Ends when the running games are over. */
void away_quit(struct away *away, int code);

/* ---- away-game.c ------------------------------------------------------ */

/* Returns the number of games that are not over. */
unsigned away_running(const struct away *away);
/* Frees the games that are over and left nothing behind. */
void away_tidy(struct away *away);
/* Handles `@ID ` and a line of that game. */
void away_on_game_line(struct away *away, const char *line, size_t n);
/* Handles `awaits ID K MS`; `rest` is the part behind `awaits `. */
void away_on_awaits(struct away *away, const char *rest, size_t n);
/* Handles `gone ID`: the referee does not know that game any more. */
void away_on_gone(struct away *away, const char *id, size_t n);
/* Sends after a return what waits, and repeats the last answer, which may have
 * been lost. */
void away_game_say(struct away_game *game);
/* Ends the game for us.  Its process gets `bye` and `grace_ms` to leave. */
void away_game_end(struct away_game *game, unsigned grace_ms);

#endif
