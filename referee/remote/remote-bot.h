/* referee/remote/remote-bot.h - bots that play from elsewhere, by their names.
 *
 * A remote bot has one connection at a time, and plays games over it, each a
 * struct bot (remote_game_new()).  It outlives both: a connection that
 * is lost can be replaced for a while, and the games learn nothing of it but
 * that answers stay away.
 *
 * Who it is, what it plays and with whom its owner says, the daemon. */
#ifndef REFEREE_REMOTE_BOT_H
#define REFEREE_REMOTE_BOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/base/address.h"
#include "referee/base/loop.h"
#include "referee/base/refusal.h"
#include "referee/remote/first-ask.h"
#include "referee/remote/link.h"
#include "referee/runner/participant.h"
#include "referee/table/bot.h"

struct remote_bot;
struct remote_game;
struct tls;
struct visitor;

#define REMOTE_BOT_WHY_BYTES 256 /* of a sentence */

/* Before a sentence that ends a connection: as it is, the bot had better not
 * come again.  Without it, it may, a little later. */
#define REMOTE_BOT_NOT_AGAIN "again=no "

enum remote_bot_answer {
	REMOTE_BOT_WELCOME, /* it is who it says */
	REMOTE_BOT_WRONG, /* no such name, or another token: which, is not told
			   */
	REMOTE_BOT_REFUSED, /* it may not come; `why` says why */
};

/* By the loop.  In each of them remote_bot_dismiss() may be called. */
struct remote_bot_calls {
	/* Returns whether these `n` bytes are the token of the bot that is or was
	 * called `name`, which becomes what it is called now. */
	enum remote_bot_answer (*authenticate)(void *arg,
					       char name[NAME_BYTES + 1],
					       const char *token, size_t n,
					       struct error *why);
	/* A remote bot that was not there; left() follows some time. */
	void (*came)(void *arg, struct remote_bot *remote);
	/* `sit` with these words; `rest`; `quit`: it wants no more games, and
	 * leaves when those that run are over. */
	void (*sat)(void *arg, struct remote_bot *remote, const char *ladders,
		    size_t n);
	void (*resting)(void *arg, struct remote_bot *remote);
	void (*quit)(void *arg, struct remote_bot *remote);
	/* It has lost its connection, and gets no new games.  back():
	 * it has another; it has not sat down yet. */
	void (*lost)(void *arg, struct remote_bot *remote);
	void (*back)(void *arg, struct remote_bot *remote);
	/* It is gone, after its games were told; not to be touched any more. */
	void (*left)(void *arg, struct remote_bot *remote);
	/* May be NULL: a connection has got no further. */
	refusal_told *refused;
	/* May be NULL: it said a line that is of no use, and that no game is
	 * charged for. */
	void (*useless)(void *arg, struct remote_bot *remote, const char *line,
			size_t n);
};

struct remote_bot_limits {
	unsigned grace_ms;	     /* to come back */
	size_t story_bytes;	     /* of one game, kept for that */
	unsigned wrong_ms;	     /* for a wrong token of no known address */
	unsigned returns, return_ms; /* so many at once, one more after that */
};
extern const struct remote_bot_limits remote_bot_limits;

struct remote_bot {
	/* For the owner to read. */
	char name[NAME_BYTES + 1];
	bool here;			   /* it has a connection */
	bool entropy;			   /* it answers `entropy?` */
	bool multi;			   /* several games at a time: */
	unsigned games_max;		   /* so many; else 1 */
	unsigned games;			   /* that run */
	bool quitting;			   /* `quit` was said */
	char ending[REMOTE_BOT_WHY_BYTES]; /* by remote_bot_end(), or "" */
	char from[ADDRESS_TEXT_BYTES];	   /* where its last connection came
					 * from; empty: through no door */
	char why[REMOTE_BOT_WHY_BYTES];	   /* why that has ended */
	void *owner; /* for the owner's use; NULL at first */
	/* As a scheduler sees it; came() sets what records and ladders call it.
	 */
	struct participant participant;
	/* For remote-bot.c and remote-game.c. */
	struct remote_bots *remotes;
	struct remote_bot *next, **prev;
	struct link *link;	     /* NULL: not here */
	struct remote_game *game;    /* its games in order, also those that are
				   * over and can still be told again */
	struct first_ask *first_ask; /* what its first asks have on top */
	struct rate returns;	     /* how often it may come back */
	struct bot_late late;	     /* of its games that are over */
	bool leaving;		     /* freed when its last game lets go */
	uint64_t until_us;	     /* not here: to come back */
	struct loop_task task;	     /* tidies up */
	struct event *timer;
};

struct remote_bots {
	struct loop *loop;
	struct links links;
	struct remote_bot_limits limits;
	const struct remote_bot_calls *calls;
	void *arg;
	struct remote_bot *first;
	struct first_ask *accounts; /* also of remote bots that are gone */
	const char *closing;	    /* remote_bots_close() was called */
};

void remote_bots_init(struct remote_bots *remotes, struct loop *loop,
		      const struct link_limits *link_limits,
		      const struct remote_bot_limits *limits,
		      const struct remote_bot_calls *calls, void *arg);
/* Closes and frees everything at once; no call comes but left().  Tables must
 * have let go of their bots. */
void remote_bots_release(struct remote_bots *remotes);

/* A connection has come, `fd`, which is the remote bots' from now on, as is
 * `visitor` (door.h), which may be NULL. */
void remote_bots_arrive(struct remote_bots *remotes, int fd,
			const struct tls *tls, struct visitor *visitor);

/* From now on a remote bot without a game is dismissed with this sentence,
 * which is borrowed. */
void remote_bots_close(struct remote_bots *remotes, const char *sentence);

/* What schedulers need of remote bots: a remote bot's participant has these. */
extern const struct participant_ops remote_bot_participant_ops;
/* The remote bot that this is, or NULL: it is something else. */
struct remote_bot *
participant_remote_bot(const struct participant *participant);

/* The remote bot of that name, or NULL. */
struct remote_bot *remote_bots_find(struct remote_bots *remotes,
				    const char *name);
/* Ends its connection with `error SENTENCE` (NULL: none) and `bye`, and all its
 * games as if it had not come back.  left() has come before this returns. */
void remote_bot_dismiss(struct remote_bot *remote, const char *sentence);

/* Begins no more games, and is dismissed with this sentence when those that run
 * are over, unless it comes back before. */
void remote_bot_end(struct remote_bot *remote, const char *sentence);
/* Is called so from now on; all else stays. */
void remote_bot_rename(struct remote_bot *remote, const char *name);

/* Its connection breaks without a word; it may come back. */
void remote_bot_cut(struct remote_bot *remote);

/* Game `id` of a remote bot, which plays no more than games_max.
 * The bot is freed when it was let go; its remote bot goes on without it. */
struct bot *remote_game_new(struct remote_bot *remote,
			    const char *id) MUST_CHECK;

#endif
