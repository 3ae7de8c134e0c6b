/* referee/net/guest.h - bots that play from elsewhere, by their names.
 *
 * A guest has one connection at a time, and plays games over it, each a struct
 * bot (bot_remote_new() in bot.h).  It outlives both: a connection that is lost
 * can be replaced for a while, and the games learn nothing of it but that
 * answers stay away.
 *
 * Who it is, what it plays and with whom its owner says, the daemon. */
#ifndef REFEREE_GUEST_H
#define REFEREE_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/net/address.h"
#include "referee/net/link.h"
#include "referee/net/start.h"
#include "referee/table/bot.h"
#include "referee/table/loop.h"
#include "referee/net/participant.h"

struct arrival;
struct guest;
struct remote;
struct tls;
struct visitor;

#define GUEST_WHY_BYTES 256 /* of a sentence */

/* Before a sentence that ends a connection: as it is, the bot had better not
 * come again.  Without it, it may, a little later. */
#define GUEST_NOT_AGAIN "again=no "

enum guest_answer {
	GUEST_WELCOME, /* it is who it says */
	GUEST_WRONG,   /* no such name, or another token: which, is not told */
	GUEST_REFUSED, /* it may not come; `why` says why */
};

/* By the loop.  In each of them guest_dismiss() may be called. */
struct guest_calls {
	/* Whether these `n` bytes are the token of that name. */
	enum guest_answer (*authenticate)(void *arg, const char *name,
					  const char *token, size_t n,
					  char why[GUEST_WHY_BYTES]);
	/* A guest that was not there; left() follows some time. */
	void (*came)(void *arg, struct guest *guest);
	/* `sit` with these words; `rest`; `quit`: it wants no more games, and
	 * leaves when those that run are over. */
	void (*sat)(void *arg, struct guest *guest, const char *ladders,
		    size_t n);
	void (*resting)(void *arg, struct guest *guest);
	void (*quit)(void *arg, struct guest *guest);
	/* It has lost its connection, and is to be given no new games.  back():
	 * it has another; it has not sat down yet. */
	void (*lost)(void *arg, struct guest *guest);
	void (*back)(void *arg, struct guest *guest);
	/* It is gone, after its games were told; not to be touched any more. */
	void (*left)(void *arg, struct guest *guest);
};

struct guest_limits {
	unsigned grace_ms;	     /* to come back */
	size_t story_bytes;	     /* of one game, kept for that */
	unsigned wrong_ms;	     /* for a wrong token of no known address */
	unsigned returns, return_ms; /* so many at once, one more after that */
};
extern const struct guest_limits guest_limits;

struct guest {
	/* For the owner to read. */
	char name[NAME_BYTES + 1];
	bool here;		       /* it has a connection */
	bool entropy;		       /* it answers `entropy?` */
	bool multi;		       /* several games at a time: */
	unsigned games_max;	       /* so many; else 1 */
	unsigned games;		       /* that run */
	bool quitting;		       /* `quit` was said */
	char from[ADDRESS_TEXT_BYTES]; /* where its last connection came
					* from; empty: through no door */
	char why[GUEST_WHY_BYTES];     /* why that has ended */
	void *owner;		       /* for the owner's use; NULL at first */
	/* As a scheduler sees it; came() sets what records and ladders call it.
	 */
	struct participant participant;
	/* For guest.c and bot-remote.c. */
	struct guests *guests;
	struct guest *next;
	struct link *link;     /* NULL: not here */
	struct remote *remote; /* its games in order, also those that are over
				* and can still be told anew */
	struct start *start;   /* what its first asks have on top */
	struct rate returns;   /* how often it may come back */
	struct bot_late late;  /* of its games that are over */
	bool leaving;	       /* freed when its last game lets go */
	uint64_t until_us;     /* not here: to come back */
	struct loop_task task; /* looks what is to be tidied up */
	struct event *timer;
};

struct guests {
	struct loop *loop;
	struct links links;
	struct guest_limits limits;
	const struct guest_calls *calls;
	void *arg;
	struct guest *first;
	struct arrival *arrivals; /* have not said who they are */
	struct start *starts;	  /* also of guests that are gone */
	const char *closing;	  /* guests_close() was called */
};

void guests_init(struct guests *guests, struct loop *loop,
		 const struct link_limits *link_limits,
		 const struct guest_limits *limits,
		 const struct guest_calls *calls, void *arg);
/* Closes and frees everything at once; no call comes but left().  Tables must
 * have let go of their bots. */
void guests_release(struct guests *guests);

/* A connection has come, `fd`, which is the guests' from now on, as is
 * `visitor` (door.h), which may be NULL. */
void guests_arrive(struct guests *guests, int fd, const struct tls *tls,
		   struct visitor *visitor);

/* From now on a guest without a game is dismissed with this sentence, which is
 * borrowed. */
void guests_close(struct guests *guests, const char *sentence);

/* Ends all connections that have not said who they are. */
void guests_refuse(struct guests *guests, const char *sentence);

/* What schedulers need of guests: a guest's participant has these. */
extern const struct participant_ops guest_participant_ops;
/* The guest that this is, or NULL: it is something else. */
struct guest *participant_guest(const struct participant *participant);

/* The guest of that name, or NULL. */
struct guest *guests_find(struct guests *guests, const char *name);
/* Ends its connection with `error SENTENCE` (NULL: none) and `bye`, and all its
 * games as if it had not come back.  left() has come before this returns. */
void guest_dismiss(struct guest *guest, const char *sentence);

#endif
