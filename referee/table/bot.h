/* referee/table/bot.h - a program that sits at a table, whatever the transport.
 *
 * The table's side collects lines for it (bot_room(), bot_line()); they leave
 * in one write when the loop flushes.  Its listener, the seat, hears what the
 * program says, and its end.  Nothing that a bot does is fatal. */
#ifndef REFEREE_BOT_H
#define REFEREE_BOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/line.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/games/game.h"
#include "referee/table/box-note.h"

struct bot;

/* Says how a bot's program came to its end, as far as is known. */
struct bot_end {
	bool started;	  /* it ran at all */
	bool machine;	  /* the machine has failed, not the program */
	const char *step; /* not started: what went wrong, "exec" or other */
	int error;	  /* not started: errno */
	int status;	  /* as wait(2) gives it; -1: not known */
	bool early;	  /* by no doing of ours, while it was in a game */
	bool flooded;	  /* it was ended for a line without end */
	bool over;	  /* it was ended for its memory, as in spawner.h */
	uint32_t left, strayed; /* processes of it that were killed, as in
				 * spawner.h */
	uint64_t cpu_us;	/* user and system time */
	uint64_t peak_kib;	/* memory */
	/* These are what its box has noted, as in spawner.h; borrowed until the
	 * callback returns. */
	const struct box_note *note;
	unsigned notes;
};

/* Holds what a bot's program has taken so far. */
struct bot_usage {
	uint64_t cpu_us;   /* user and system time */
	uint64_t peak_kib; /* the most memory that its largest process held */
};

/* Says what a bot is doing now, as far as can be seen. */
enum bot_doing {
	BOT_UNSEEN,  /* not known: it is no process of this machine */
	BOT_WAITS,   /* all of it sleeps, and it has read the last ask */
	BOT_RUNS,    /* a thread of it is on a processor, or waits for one */
	BOT_UNREAD,  /* it sleeps, and has not read the last ask */
	BOT_STOPPED, /* by SIGSTOP or the like */
	BOT_STARVED, /* starved.h: the machine had no processor for it */
};

struct bot_seen {
	enum bot_doing doing;
	/* BOT_STARVED: the bot had a processor for so much of the last `of_ms`. */
	uint32_t had_ms, of_ms;
};

#define BOT_DOING_BYTES 96 /* of a sentence about it, with its NUL */

struct bot_listener {
	/* Takes a line, or what broke instead of one; read at `now_us`. */
	void (*line)(void *arg, enum line_result result, char *line, size_t n,
		     uint64_t now_us);
	/* Called when all that was collected has been handed to the kernel, but only
	 * for what was collected since bot_stamp(). */
	void (*handed)(void *arg, uint64_t now_us);
	/* Called when the kernel would not take all of it, at `now_us`: the program
	 * does not read.  handed() follows when it has. */
	void (*stuck)(void *arg, uint64_t now_us);
	/* Called when the program has died or closed its line; or (`flooded`) it was
	 * given more than it reads, or sent a line without end.  Called once, by
	 * the loop or a transport, never out of a function below; no line comes after
	 * it. */
	void (*gone)(void *arg, bool flooded);
	/* Returns the number of the ask that is open, and what it still has, in
	 * microseconds; or that of the next one, and 0.  NULL: not known. */
	uint32_t (*awaits)(void *arg, uint64_t now_us, uint64_t *left_us);
};

/* Asks of a bot's games before this one whose answers were never read: they may
 * still come.  `last` 0: there are none. */
struct bot_late {
	uint32_t first, last;
};

struct bot_ops {
	/* Hands the collected lines over, as far as possible. */
	void (*flush)(struct bot *bot, uint64_t now_us);
	/* Lets the program go: what was collected is still handed over if it reads;
	 * then it has `grace_ms` to leave, and up to BYE_STARVED_MS more while it
	 * starves.  The bot frees itself in its own time. */
	void (*part)(struct bot *bot, unsigned grace_ms);
	/* bot_complaint(); NULL: never anything. */
	const char *(*complaint)(struct bot *bot);
	/* Returns true if the usage is known; NULL: never, it is not of this
	 * machine. */
	bool (*usage)(struct bot *bot, struct bot_usage *usage);
	/* NULL, both: bot_doing() says BOT_UNSEEN. */
	void (*watch)(struct bot *bot);
	struct bot_seen (*doing)(struct bot *bot);
	/* NULL: bot_unended() returns 0. */
	size_t (*unended)(const struct bot *bot, const char **line);
	/* Takes the processor from the bot, which has answered, until it is asked
	 * again; NULL: that cannot be. */
	void (*rest)(struct bot *bot);
	/* These do what bot_take_start() and bot_end_start() do where the time on top
	 * of a first ask is no process's own; NULL: it is. */
	uint64_t (*take_start)(struct bot *bot);
	void (*give_start)(struct bot *bot, uint64_t taken_us,
			   uint64_t used_us);
};

struct bot {
	const struct bot_ops *ops;
	struct loop *loop;
	struct loop_task ask_task;  /* both flush; the one as LOOP_ASK, */
	struct loop_task tell_task; /* the other as LOOP_TELL */
	const struct bot_listener *listener; /* NULL: no listener any more */
	void *listener_arg;
	char *out;		      /* owned; lines that have not left */
	size_t used, size;	      /* of out */
	uint64_t bytes_in, bytes_out; /* so far, for measurements */
	/* Bytes on its standard error in this game, as far as they were read,
	 * and the first of them that bot_complaint() still has. */
	uint64_t wrote, wrote_from;
	bool greeted;	      /* it has had its `referee` line */
	bool stays;	      /* its connection outlives the game: no
				       * `bye` is said in it */
	bool asked;	      /* its process has been asked before */
	bool started;	      /* an ask has ended, and not by a void */
	uint64_t starting_us; /* what voided asks have taken until then */
	struct bot_late late; /* of its games before */
	bool stamp;	      /* handed() or stuck() is waited for */
	bool rests;	      /* ponder=off: has no processor while it
				       * is not asked */
	bool gone;	      /* gone() was told */
	bool overfull;	      /* OUT_BYTES were exceeded; gone() follows
				       * at the end of the pass */
	/* Told before gone() if the program could not be started, or has ended
	 * without a word, or (end->machine) was lost without its own fault: the
	 * owner can call the game off before anything is charged.  Called only
	 * while there is a listener; may be NULL. */
	void (*failed)(void *arg, struct bot *bot, const struct bot_end *end);
	/* Told what it writes to standard error, as it comes; may be NULL. */
	void (*complained)(void *arg, const char *bytes, size_t n);
	/* Told once when it has ended and is about to free itself.  All three
	 * get ended_arg. */
	void (*ended)(void *arg, struct bot *bot, const struct bot_end *end);
	void *ended_arg;
};

/* Transports call these. */
void bot_init(struct bot *bot, const struct bot_ops *ops, struct loop *loop);
void bot_release(struct bot *bot);
void bot_tell_gone(struct bot *bot, bool flooded);

/* The seat calls these. */
void bot_listen(struct bot *bot, const struct bot_listener *listener,
		void *arg);
/* Returns room for `n` more bytes, or NULL if the bot is gone or OUT_BYTES are
 * exceeded.  bot_added() says how many were used. */
char *bot_room(struct bot *bot, size_t n);
static inline void
bot_added(struct bot *bot, size_t n)
{
	bot->used += n;
}
/* Collects a whole line, `n` bytes without its LF. */
void bot_line(struct bot *bot, const char *line, size_t n);
/* Hands over at the end of the pass what was collected. */
void bot_flush(struct bot *bot);
/* Hands over what was collected, after an ask, as soon as the tables are settled; the
 * listener hears of handed() or stuck(). */
void bot_stamp(struct bot *bot);
/* Returns what it left on standard error, the last STDERR_BYTES; or NULL. */
static inline const char *
bot_complaint(struct bot *bot)
{
	return bot->ops->complaint == NULL ? NULL : bot->ops->complaint(bot);
}
/* It has answered, or is not awaited any more: it rests, if it is to; else it
 * stands back behind those who are asked. */
static inline void
bot_rest(struct bot *bot)
{
	if (bot->ops->rest != NULL)
		bot->ops->rest(bot);
}
/* Begins the clock of an ask of a bot that has not `started`: returns what the ask
 * has on top, in microseconds.  bot_end_start() follows, with what of it the ask has
 * used. */
uint64_t bot_take_start(struct bot *bot);
void bot_end_start(struct bot *bot, uint64_t taken_us, uint64_t used_us);
/* Writes what the bot has taken so far; returns false if that is not known. */
bool bot_usage(struct bot *bot, struct bot_usage *usage) MUST_CHECK;
/* Watches the bot from now on, whose ask has been open for a while, so that it is known
 * whether it starves. */
void bot_watch(struct bot *bot);
struct bot_seen bot_doing(struct bot *bot) MUST_CHECK;
/* Returns how many bytes it has said of a line without its end, `*line` points at
 * them, borrowed until it is heard again; or 0. */
size_t bot_unended(const struct bot *bot, const char **line) MUST_CHECK;
/* Writes why nothing came of its ask, behind a sentence that says so: "; it was
 * waiting, …", or "".  `spoken`: its output has come before. */
void bot_doing_words(const struct bot_seen *seen, bool spoken,
		     char to[BOT_DOING_BYTES]);
/* Removes the listener; the program may leave.  Do not use the bot after
 * this. */
void bot_part(struct bot *bot, unsigned grace_ms);

/* ---- bot-builtin.c ---------------------------------------------------- */

/* Plays in the referee itself.  "random" answers with any of
 * the tokens, "house" with the first.  `chance` is what random draws from. */
bool bot_builtin_is(const char *name);
struct bot *bot_builtin_new(struct loop *loop, const char *name,
			    const struct chance *chance) MUST_CHECK;

#endif
