/* referee/remote/away-inside.h - what away.c, the connection, and away-game.c, its
 * games, share. */
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
#define AWAY_STDERR_BYTES 1000 /* of a line; a longer one is told in parts */

#define AWAY_FAULTS_TOLD 10 /* of a game, each on a line */
#define AWAY_SAID_BYTES 256 /* of its last line, as it is shown */

/* A game that our bot plays there.  The bot is a process of its own and thinks
 * that the referee has started it: it reads `referee`, its game, and `bye`.
 * What it says while there is no connection waits here.
 *
 * A process that ends before its game ends is reported as `crashed`, which is the
 * fault of that name at this and each further ask. */
struct away_game {
	struct away_game *next, **prev;
	struct away *away;
	char id[ID_BYTES + 1];
	uint64_t lines;	 /* of it that were read */
	bool over;	 /* nothing more comes of it */
	bool alive;	 /* there is a process */
	bool died;	 /* which ended before its game */
	bool missed;	 /* an ask, since then */
	struct bot *bot; /* the process, as long as it is listened to */
	uint32_t asked;	 /* the last ask */
	uint32_t awaits; /* asks before this one are over */
	uint32_t kept;	 /* the last of those that the process was not told */
	int seat;	 /* of the bot; -1: not told yet */
	unsigned faults; /* it was charged with so many */
	char said[AWAY_SAID_BYTES]; /* its last line, escaped */
	struct text answer;	    /* to it, or empty */
	struct text waiting;	    /* lines that have not been said */
	struct text complaint;	    /* a line of its standard error */
};

enum away_state {
	AWAY_WAITING, /* until the next attempt */
	AWAY_DIALING,
	AWAY_HELLO, /* has said who it is */
	AWAY_IN,
	AWAY_DONE, /* waits for processes that leave */
};

struct away {
	const struct away_setup *setup;
	struct loop loop;
	struct connecting *connecting; /* NULL: not being dialled */
	struct links links;
	struct link *link; /* NULL: not connected */
	struct event *timer, *spawner_event, *signal_event[2];
	enum away_state state;
	struct away_game *game; /* in order; also those that are over, as long
				 * as there is a process */
	/* Which ask counts in the games that the referee is about to tell. */
	struct away_awaits {
		char id[ID_BYTES + 1];
		uint32_t ask;
	} awaits[GAMES_AT_ONCE];
	unsigned awaited;
	char greeting[AWAY_GREETING_BYTES];
	char told[AWAY_TROUBLE_BYTES]; /* the last trouble */
	unsigned wait_ms;
	unsigned grace_ms;	 /* that our games wait there for us */
	bool proved;		 /* a connection has begun well */
	uint64_t in_us, lost_us; /* when the last one began, and ended */
	unsigned deaths;
	bool quitting;
	int code, caught;
};

/* ---- away.c ----------------------------------------------------------- */

/* The end, as soon as all processes have left. */
void away_finish(struct away *away, int code, unsigned grace_ms);
/* Says a line, of the game `id` unless NULL.  False: it was dropped, there is no
 * connection or OUT_BYTES wait already. */
bool away_say(struct away *away, const char *id, const char *line, size_t n);
/* Ends when the games that run are over. */
void away_quit(struct away *away, int code);

/* ---- away-game.c ------------------------------------------------------ */

/* Games that are not over. */
unsigned away_running(const struct away *away);
/* Frees the games that are over and left nothing behind. */
void away_tidy(struct away *away);
/* `@ID ` and a line of that game. */
void away_on_game_line(struct away *away, const char *line, size_t n);
/* `awaits `, and behind it ID K MS: what the referee waits for. */
void away_on_awaits(struct away *away, const char *rest, size_t n);
/* That game is not known there any more. */
void away_on_gone(struct away *away, const char *id, size_t n);
/* There is a connection again: says what waits, and the last answer again, for
 * it may have been lost. */
void away_game_say(struct away_game *game);
/* The game is over for us; its process gets `bye` and `grace_ms` to leave. */
void away_game_end(struct away_game *game, unsigned grace_ms);

#endif
