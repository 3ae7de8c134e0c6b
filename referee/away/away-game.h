/* referee/away/away-game.h - a game that a bot of ours plays at a referee
 * elsewhere.
 *
 * The bot is a process of its own and thinks that the referee has started it:
 * it reads `referee`, its game, and `bye`.  Whether there is a connection is
 * not its business: what it says meanwhile waits here.
 *
 * If the process ends before its game, nobody is told: the protocol has no word
 * for it, and a connection plays on.  The seat does not answer any more, which
 * is the fault `timeout` at each further ask. */
#ifndef REFEREE_AWAY_GAME_H
#define REFEREE_AWAY_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/table/bot.h"

#define AWAY_STDERR_BYTES 1000 /* of a line; a longer one is told in parts */

#define AWAY_FAULTS_TOLD 10 /* of a game, each on a line */
#define AWAY_SAID_BYTES 256 /* of its last line, as it is shown */

struct away_game;
struct spawner;

enum away_said {
	AWAY_SAID,    /* it is on its way */
	AWAY_KEEP,    /* there is no connection: say it again later */
	AWAY_TOO_MUCH /* nobody can take it all */
};

/* All by the loop. */
struct away_game_calls {
	/* A line for the referee. */
	enum away_said (*say)(void *arg, const struct away_game *game,
			      const char *line, size_t n);
	/* Its process has ended; the game may be freed. */
	void (*ended)(void *arg, struct away_game *game,
		      const struct bot_end *end);
};

/* What is started for each game; borrowed. */
struct away_program {
	struct loop *loop;
	struct spawner *spawner;
	char *const *argv;
	bool hear; /* pass on what it writes to standard error */
	const struct away_game_calls *calls;
	void *arg;
};

struct away_game {
	struct away_game *next;		    /* for its owner */
	const struct away_program *program; /* borrowed */
	char id[ID_BYTES + 1];
	uint64_t lines;	 /* of it that were read */
	bool retired;	 /* only its end comes of it */
	bool over;	 /* nothing more comes of it */
	bool alive;	 /* there is a process; ended() comes */
	bool died;	 /* which ended before its game */
	bool missed;	 /* an ask, since then */
	struct bot *bot; /* the process, as long as it is listened to */
	uint32_t asked;	 /* the last ask */
	int seat;	 /* of the bot; -1: not told yet */
	unsigned faults; /* it was charged with so many */
	char said[AWAY_SAID_BYTES]; /* its last line, escaped */
	struct text answer;	    /* to it, or empty */
	struct text waiting;	    /* lines that have not been said */
	struct text complaint;	    /* a line of its standard error */
};

/* `greeting`: the referee's first line, which the process gets, too.  NULL and
 * errno: the machine has no room for a process. */
struct away_game *away_game_new(const struct away_program *program,
				const char *id,
				const char *greeting) MUST_CHECK;
/* Only when there is no process any more. */
void away_game_free(struct away_game *game);

/* A line of the game from the referee, without `@ID `. */
void away_game_line(struct away_game *game, const char *line, size_t n);
/* There is a connection again: says what waits, and the last answer anew, for
 * it may have been lost. */
void away_game_say(struct away_game *game);
/* The game is over for us; its process gets `bye` and `grace_ms` to leave. */
void away_game_end(struct away_game *game, unsigned grace_ms);

#endif
