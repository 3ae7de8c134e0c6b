/* referee/check/check-inside.h - a running check; only for check*.c. */
#ifndef REFEREE_CHECK_INSIDE_H
#define REFEREE_CHECK_INSIDE_H

#include <event2/util.h>

#include "referee/base/loop.h"
#include "referee/check/check.h"
#include "referee/table/bot.h"

#define CHECK_SPOIL_FROM 2  /* answers are spoilt from this ask on */
#define CHECK_ABORT_AFTER 4 /* answers of the bot until the game is aborted */
#define CHECK_CUT_AFTER 2   /* answers of the bot until its connection is cut */
#define CHECK_AWAY_S 5	    /* time for a bot that has played to come back */

struct check_listener;
struct event;
struct runner;

/* The processor time at its last answer, and the time for which the loop's clock had
 * stood still. */
struct check_aside {
	uint64_t at_us, cpu_us, stood_us; /* 0: no answer yet */
};

/* A game and its bot: a program, which may outlive the game, or the game's part
 * of a connection. */
struct check_game {
	struct check *check;
	struct check_trial trial;
	uint64_t number;
	unsigned series; /* games of this trial's process so far */
	bool playing;	 /* the game is not over */
	bool stays;	 /* the bot waits for its next game */
	struct bot *own; /* its tap, while the process lives */
	unsigned alive;	 /* bots that have not ended */
	unsigned answers;
	uint32_t missed;   /* the last ask that may have been lost with the
			    * connection; or 0 */
	unsigned timeouts; /* time-outs found */
	bool wrong;
	bool speechless; /* the bot has said nothing, so the game was aborted */
	struct loop_task abort_task;
	struct check_aside aside;
	bool processes_told, orphans_told, stderr_told,
		sum_told; /* the sum was told for this process */
};

struct check {
	const struct check_setup *setup;
	struct check_report *report;
	struct loop loop;
	struct runner *runner;
	struct timer look_timer, limit_timer, progress_timer;
	struct event *signal_event[LOOP_END_SIGNALS];
	size_t signals;
	struct loop_task next_task, cut_task;
	uint64_t begun_us;
	bool stopping;

	unsigned index;	 /* index of the next trial */
	unsigned repeat; /* games of that trial so far */
	uint64_t begun;	 /* games begun */
	unsigned speechless_games;
	/* The running games: one, unless the bot plays several at once. */
	struct check_game game[GAMES_AT_ONCE];

	struct check_listener *listener; /* the bot comes by TCP; or NULL */
	struct watch watch; /* the watch of its last game, if it plays one at a
			     * time */
	bool followed;	    /* `watch` is set */
	bool cut;	    /* we have cut its connection, and it has not come
			     * back */
	bool loss_told;	    /* its loss of the connection was told, and it has
			     * not come back */
};

/* ---- check.c ---------------------------------------------------------- */

/* Begins a game if one can begin. */
void check_wake(struct check *check);
/* Returns the game that has begun last; its number is 0 if there is none. */
struct check_game *check_last_game(struct check *check);

/* ---- check-remote.c: a bot that comes by TCP -------------------------- */

/* Listens, if the setup wants it.  Returns 0; or -1, and the report says why. */
int check_remote_open(struct check *check);
/* Returns how many games the bot plays at once: 1 to GAMES_AT_ONCE. */
unsigned check_remote_games(const struct check *check);
/* Returns true if the bot is there for the next game.  When `idle`, it gets
 * some time to come.  Sets `stopping` if it wants no more games. */
bool check_remote_is_there(struct check *check, bool idle);
/* Seats the bot, which must be there, in a game that begins. */
struct bot *check_remote_seat(struct check_game *game,
			      const char *id) MUST_CHECK;
/* Notes that its seat in a game has ended. */
void check_remote_ended(struct check_game *game);
/* Returns true if the bot is known to send entropy. */
bool check_remote_entropy(const struct check *check);
/* Returns why it has lost its connection, as part of a sentence; NULL if it has
 * one or does not come by TCP. */
const char *check_remote_lost(const struct check *check);
/* Dismisses the bot and waits at most BYE_MS until it has read that.  Its games
 * must be over. */
void check_remote_close(struct check *check);

/* ---- check-judge.c ---------------------------------------------------- */

/* Reports a problem in a game, as a sentence without a full stop. */
void check_found(struct check_game *game, enum check_kind kind, const char *fmt,
		 ...) PRINTF_LIKE(3, 4);
/* The calls of the bot's tap while it plays; their argument is the game. */
extern const struct tap_calls check_calls;
/* Reports a wrong line outside of its games. */
void check_on_useless(void *check, const char *why);
/* Takes its standard error as it comes. */
void check_on_complained(void *game, const char *bytes, size_t n);
/* Looks at the bot's processes. */
void check_on_look(void *check);
/* Judges a game that is over. */
void check_judge_game(struct check_game *game);
/* Judges the end of the bot's process. */
void check_judge_end(struct check_game *game, struct bot *tap,
		     const struct bot_end *end);

/* ---- check-notes.c ---------------------------------------------------- */

/* Reports the notes of its box. */
void check_judge_notes(struct check_game *game, const struct bot_end *end);

#endif
