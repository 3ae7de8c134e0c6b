/* referee/remote/remote-bot.h - bots that connect from elsewhere, by their
 * names.
 *
 * A remote bot has one connection at a time, and plays games over it, each a
 * struct bot (remote_game_new()).  It outlives both: a lost connection can be
 * replaced for a while, and the games only notice that answers stay away.
 *
 * The daemon decides who it is, what it plays and with whom. */
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

#define REMOTE_BOT_WHY_BYTES 256 /* bytes of a sentence */

/* Precedes a sentence that ends a connection: the bot should not come again
 * unchanged.  Without it the bot may come again a little later. */
#define REMOTE_BOT_NOT_AGAIN "again=no "

enum remote_bot_answer {
	REMOTE_BOT_WELCOME, /* it is who it says */
	REMOTE_BOT_WRONG,   /* unknown name or wrong token; which of them is not
			   * told */
	REMOTE_BOT_REFUSED, /* it may not come; `why` has the reason */
};

/* The loop calls these.  Each may call remote_bot_dismiss(). */
struct remote_bot_calls {
	/* Compares `n` bytes with the token of the bot that is or was called
	 * `name`, and sets `name` to its present name. */
	enum remote_bot_answer (*authenticate)(void *arg,
					       char name[NAME_BYTES + 1],
					       const char *token, size_t n,
					       struct error *why);
	/* A new remote bot has come; left() follows at some time. */
	void (*came)(void *arg, struct remote_bot *remote);
	/* It has said `sit` with these words, `rest`, or `quit`.  After `quit`
	 * it wants no more games, and leaves when the running ones are over. */
	void (*sat)(void *arg, struct remote_bot *remote, const char *ladders,
		    size_t n);
	void (*resting)(void *arg, struct remote_bot *remote);
	void (*quit)(void *arg, struct remote_bot *remote);
	/* lost(): it has lost its connection and gets no new games. back(): it
	 * has a new one but has not sat down yet. */
	void (*lost)(void *arg, struct remote_bot *remote);
	void (*back)(void *arg, struct remote_bot *remote);
	/* It is gone, after its games were told.  Do not use it any more. */
	void (*left)(void *arg, struct remote_bot *remote);
	/* A connection was refused.  May be NULL. */
	refusal_told *refused;
	/* May be NULL: it said a line that is of no use, and that no game is
	 * charged for. */
	void (*useless)(void *arg, struct remote_bot *remote, const char *line,
			size_t n);
};

struct remote_bot_limits {
	unsigned grace_ms;	     /* time to come back */
	size_t story_bytes;	     /* bytes of one game that are kept for a
				      * return */
	unsigned wrong_ms;	     /* delay after a wrong token from an
				      * unknown address */
	unsigned returns, return_ms; /* returns at once, and time until one more
				      * is allowed */
};
extern const struct remote_bot_limits remote_bot_limits;

struct remote_bot {
	/* The owner may read these. */
	char name[NAME_BYTES + 1];
	bool here;	    /* it has a connection */
	bool entropy;	    /* it answers `entropy?` */
	bool multi;	    /* it plays several games at a time */
	unsigned games_max; /* at most this many; 1 without
					    * `multi` */
	unsigned games;	    /* running games */
	bool quitting;	    /* `quit` was said */
	char ending[REMOTE_BOT_WHY_BYTES]; /* sentence of remote_bot_end(), or
					    * "" */
	char from[ADDRESS_TEXT_BYTES];	   /* address of its last connection;
					    * empty: not through a door */
	char why[REMOTE_BOT_WHY_BYTES];	   /* why that connection has ended */
	void *owner; /* for the owner's use; NULL at first */
	/* The bot for a scheduler; came() sets its name in records and ladders. */
	struct participant participant;
	/* Only for remote-bot.c and remote-game.c. */
	struct remote_bots *remotes;
	struct remote_bot *next, **prev;
	struct link *link;	     /* NULL: not here */
	struct remote_game *game;    /* its games in order, with finished ones
				      * that can still be sent again */
	struct first_ask *first_ask; /* extra time of its first asks */
	struct rate returns;	     /* limits its returns */
	struct bot_late late;	     /* late answers of its finished games */
	bool leaving;	       /* to be freed when its last game lets go */
	uint64_t until_us;     /* while not here: the end of its time to
				      * come back */
	struct loop_task task; /* tidies up */
	struct timer timer;
};

struct remote_bots {
	struct loop *loop;
	struct links links;
	struct remote_bot_limits limits;
	const struct remote_bot_calls *calls;
	void *arg;
	struct remote_bot *first;
	struct first_ask *accounts; /* includes remote bots that are gone */
	const char *closing;	    /* remote_bots_close() was called */
};

void remote_bots_init(struct remote_bots *remotes, struct loop *loop,
		      const struct link_limits *link_limits,
		      const struct remote_bot_limits *limits,
		      const struct remote_bot_calls *calls, void *arg);
/* Closes and frees everything at once; calls only left().  Tables must have let
 * go of their bots. */
void remote_bots_release(struct remote_bots *remotes);

/* Takes over a new connection `fd` and `visitor` (door.h), which may be NULL. */
void remote_bots_arrive(struct remote_bots *remotes, int fd,
			const struct tls *tls, struct visitor *visitor);

/* From now on dismisses each remote bot without a game with this sentence,
 * which is borrowed. */
void remote_bots_close(struct remote_bots *remotes, const char *sentence);

/* The operations of a remote bot's participant, for schedulers. */
extern const struct participant_ops remote_bot_participant_ops;
/* Returns the remote bot of a participant, or NULL if it is none. */
struct remote_bot *
participant_remote_bot(const struct participant *participant);

/* Returns the remote bot of that name, or NULL. */
struct remote_bot *remote_bots_find(struct remote_bots *remotes,
				    const char *name);
/* Ends its connection with `error SENTENCE` (NULL: none) and `bye`, and ends
 * its games as if it had not come back.  Calls left() before it returns. */
void remote_bot_dismiss(struct remote_bot *remote, const char *sentence);

/* Lets it begin no more games, and dismisses it with this sentence when its
 * running games are over, unless it comes back before. */
void remote_bot_end(struct remote_bot *remote, const char *sentence);
/* Changes its name and nothing else. */
void remote_bot_rename(struct remote_bot *remote, const char *name);

/* Breaks its connection without a word.  It may come back. */
void remote_bot_cut(struct remote_bot *remote);

/* Begins game `id` of a remote bot, which plays at most games_max.  The
 * returned bot frees itself after it was let go; its remote bot goes on without
 * it. */
struct bot *remote_game_new(struct remote_bot *remote,
			    const char *id) MUST_CHECK;

#endif
