/* referee/check/check-inside.h - a check while it runs; for check*.c alone. */
#ifndef REFEREE_CHECK_INSIDE_H
#define REFEREE_CHECK_INSIDE_H

#include <event2/util.h>

#include "referee/table/bot.h"
#include "referee/check/check.h"
#include "referee/table/loop.h"

#define CHECK_SPOIL_FROM 2  /* ask from which answers are spoilt */
#define CHECK_ABORT_AFTER 4 /* answers of the bot */
#define CHECK_CUT_AFTER 2   /* likewise */

struct check_listener;
struct event;
struct runner;

/* At its last answer. */
struct check_aside {
	uint64_t at_us, cpu_us; /* 0: there was none */
};

struct check {
	const struct check_setup *setup;
	struct check_report *report;
	struct loop loop;
	struct runner *runner;
	struct event *look_event, *limit_event, *progress_event;
	struct event *signal_event[2];
	struct loop_task next_task, abort_task, cut_task;
	struct check_listener *listener; /* the bot comes by TCP; or NULL */
	struct watch watch;		 /* of its game before; likewise */
	bool followed;			 /* that is set */
	uint32_t missed; /* the last ask that may have been cut off; likewise */
	uint64_t begun_us;
	bool stopping;

	unsigned index;	 /* of the next trial */
	unsigned repeat; /* of that trial, so far */
	unsigned series; /* games of this trial's process, so far */
	const struct check_trial *trial; /* of the game that is played */
	uint64_t game;			 /* its number */
	bool playing;			 /* it is not over */
	bool stays;			 /* the bot waits for its next game */
	struct bot *own;		 /* its tap, while the process lives */
	unsigned alive;			 /* bots that have not ended */
	unsigned answers;		 /* of the bot in this game */
	unsigned faults;		 /* its own, as the tap heard of them */
	bool wrong;			 /* in this game */
	bool speechless;		 /* likewise: it has said nothing, and
					  * the game was aborted for that */
	unsigned speechless_games;
	struct check_aside aside;
	bool processes_told, orphans_told, stderr_told,
		sum_told; /* of this process */
};

/* ---- check-judge.c ---------------------------------------------------- */

/* What the bot's tap tells while it plays. */
extern const struct tap_calls check_calls;
/* A line outside of its games was wrong. */
void check_on_useless(void *check, const char *why);
/* Its standard error, as it comes. */
void check_on_complained(void *arg, const char *bytes, size_t n);
/* Looks at its processes. */
void check_on_look(evutil_socket_t fd, short what, void *check);
/* The game is over. */
void check_judge_game(struct check *check);
/* The bot's process has ended. */
void check_judge_end(struct check *check, struct bot *tap,
		     const struct bot_end *end);

/* ---- check-notes.c ---------------------------------------------------- */

/* What its box has noted. */
void check_judge_notes(struct check *check, const struct bot_end *end);

#endif
