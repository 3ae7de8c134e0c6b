/* referee/check/check-inside.h - a check while it runs; for check*.c alone. */
#ifndef REFEREE_CHECK_INSIDE_H
#define REFEREE_CHECK_INSIDE_H

#include <event2/util.h>

#include "referee/base/loop.h"
#include "referee/check/check.h"
#include "referee/table/bot.h"

#define CHECK_SPOIL_FROM 2  /* ask from which answers are spoilt */
#define CHECK_ABORT_AFTER 4 /* answers of the bot */
#define CHECK_CUT_AFTER 2   /* likewise */
#define CHECK_AWAY_S 5 /* for a bot that has played to come back, at most */

struct check_listener;
struct event;
struct runner;

/* At its last answer. */
struct check_aside {
	uint64_t at_us, cpu_us; /* 0: there was none */
};

/* A game, and the bot in it: a program, which may outlive it, or the part of a
 * connection that is this game's. */
struct check_game {
	struct check *check;
	struct check_trial trial;
	uint64_t number;
	unsigned series; /* games of this trial's process, so far */
	bool playing;	 /* it is not over */
	bool stays;	 /* the bot waits for its next game */
	struct bot *own; /* its tap, while the process lives */
	unsigned alive;	 /* bots that have not ended */
	unsigned answers;
	uint32_t missed;   /* the last ask that may have been cut off; or 0 */
	unsigned timeouts; /* that were found */
	bool wrong;
	bool speechless; /* it has said nothing, and the game was aborted for
			  * that */
	struct loop_task abort_task;
	struct check_aside aside;
	bool processes_told, orphans_told, stderr_told,
		sum_told; /* of this process */
};

struct check {
	const struct check_setup *setup;
	struct check_report *report;
	struct loop loop;
	struct runner *runner;
	struct event *look_event, *limit_event, *progress_event;
	struct event *signal_event[LOOP_END_SIGNALS];
	size_t signals;
	struct loop_task next_task, cut_task;
	uint64_t begun_us;
	bool stopping;

	unsigned index;	 /* of the next trial */
	unsigned repeat; /* of that trial, so far */
	uint64_t begun;	 /* games */
	unsigned speechless_games;
	/* Those that are played, one unless the bot plays several at once. */
	struct check_game game[GAMES_AT_ONCE];

	struct check_listener *listener; /* the bot comes by TCP; or NULL */
	struct watch watch; /* of its last game, if it plays one at a time */
	bool followed;	    /* that is set */
	bool cut;	    /* we have, and it has not come back */
	bool loss_told;	    /* that its connection is lost; likewise */
};

/* ---- check.c ---------------------------------------------------------- */

/* Looks whether a game can begin. */
void check_wake(struct check *check);
/* The game that has begun last; its number is 0 if none has. */
struct check_game *check_last_game(struct check *check);

/* ---- check-remote.c: a bot that comes by TCP -------------------------- */

/* Listens, if that is wanted.  -1: the report says why not. */
int check_remote_open(struct check *check);
/* How many games it plays at once: 1 to GAMES_AT_ONCE. */
unsigned check_remote_games(const struct check *check);
/* Whether it is there for the next game; when `idle`, it has a while until
 * then.  Sets `stopping` if it wants no more. */
bool check_remote_is_there(struct check *check, bool idle);
/* Seats it in a game that begins; it must be there. */
struct bot *check_remote_seat(struct check_game *game,
			      const char *id) MUST_CHECK;
/* Its seat in a game has ended. */
void check_remote_ended(struct check_game *game);
/* Returns true if it is known to send some. */
bool check_remote_entropy(const struct check *check);
/* Why it has lost its connection, as part of a sentence; NULL: it has one, or
 * does not come by TCP. */
const char *check_remote_lost(const struct check *check);
/* Dismisses the bot, and waits BYE_MS at most until it has read that.  Its
 * games must be over. */
void check_remote_close(struct check *check);

/* ---- check-judge.c ---------------------------------------------------- */

/* Reports what is wrong in a game, as a sentence without its point. */
void check_found(struct check_game *game, enum check_kind kind, const char *fmt,
		 ...) PRINTF_LIKE(3, 4);
/* What the bot's tap tells while it plays, with its game. */
extern const struct tap_calls check_calls;
/* A line outside of its games was wrong. */
void check_on_useless(void *check, const char *why);
/* Its standard error, as it comes. */
void check_on_complained(void *game, const char *bytes, size_t n);
/* Looks at its processes. */
void check_on_look(evutil_socket_t fd, short what, void *check);
/* The game is over. */
void check_judge_game(struct check_game *game);
/* The bot's process has ended. */
void check_judge_end(struct check_game *game, struct bot *tap,
		     const struct bot_end *end);

/* ---- check-notes.c ---------------------------------------------------- */

/* What its box has noted. */
void check_judge_notes(struct check_game *game, const struct bot_end *end);

#endif
