/* referee/away/away-inside.h - what the files of away.h share, and nobody else
 * includes. */
#ifndef REFEREE_AWAY_INSIDE_H
#define REFEREE_AWAY_INSIDE_H

#include "referee/away/away-game.h"
#include "referee/away/away.h"
#include "referee/net/link.h"
#include "referee/table/loop.h"

#define AWAY_GREETING_BYTES 256 /* of `referee 1 NAME` */
#define AWAY_TROUBLE_BYTES 600

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
	struct away_program program;
	struct connecting *connecting; /* NULL: not being dialled */
	struct links links;
	struct link *link; /* NULL: not connected */
	struct event *timer, *spawner_event, *signal_event[2];
	enum away_state state;
	struct away_game *game; /* also those that are over, as long as there
				 * is a process */
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

/* ---- away-games.c ----------------------------------------------------- */

extern const struct away_game_calls away_game_calls; /* `arg` is the away */

/* Games that are not over. */
unsigned away_running(const struct away *away);
/* Frees the games that are over and left nothing behind. */
void away_tidy(struct away *away);
/* `@ID ` and a line of that game. */
void away_on_game_line(struct away *away, const char *line, size_t n);
/* The game is not known there any more. */
void away_on_gone(struct away *away, const char *id, size_t n);

#endif
