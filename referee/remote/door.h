/* referee/remote/door.h - accepts connections, and limits their number.
 *
 * A connection over a limit gets one line, if it can be written at once, and is
 * closed; so is one that comes when no descriptors are left.
 *
 * Strangers are an exception: if there are too many, the newcomer replaces
 * another, the oldest from the address that most of them come from, of those
 * addresses from which none has ever said who it is.  So a silent crowd, from
 * one address or from thousands, does not keep those out who have been here. */
#ifndef REFEREE_DOOR_H
#define REFEREE_DOOR_H

#include <stdbool.h>
#include <sys/queue.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/address.h"
#include "referee/base/listener.h"
#include "referee/base/loop.h"
#include "referee/base/refusal.h"

struct door;
struct tls;

struct door_limits {
	unsigned connections;  /* in all */
	unsigned each_address; /* from one address; local connections do not
			        * count: a unix socket is protected by its
			        * file's mode */
	unsigned each_second;  /* new ones in a second from one address */
	unsigned strangers;    /* connections that have not said who they are */
	unsigned accepts;      /* accepted in one pass of the loop, for each
			        * listener */
	unsigned pause_ms;     /* pause when no descriptors are left */
	bool plain_anywhere;   /* other machines may come without TLS, too */
};
extern const struct door_limits door_limits;

/* A connection that the door has let in, as long as it lasts. */
struct visitor {
	struct door *door;
	struct address *address;
	bool known; /* it has said who it is */
	char from[ADDRESS_TEXT_BYTES];
	/* Set by its owner: ends the connection of a stranger at once, with
	 * this sentence, and calls visitor_free() before it returns.  NULL: it
	 * cannot be sent away. */
	void (*send_away)(void *arg, const char *sentence);
	void *arg;
	TAILQ_ENTRY(visitor) at; /* the door's list of strangers */
};

/* Tells the door that the visitor has said who it is. */
void visitor_known(struct visitor *visitor);
/* Frees a visitor whose connection has ended. */
void visitor_free(struct visitor *visitor);

/* Takes over a connection, the non-blocking `fd`, and its visitor.  `tls` is
 * that of the listener. */
typedef void door_in(void *arg, int fd, const struct tls *tls,
		     struct visitor *visitor);

/* Makes a door without listeners.  `refused` may be NULL; it is called for each
 * connection that the door itself refuses. */
struct door *door_new(struct loop *loop, const struct door_limits *limits,
		      door_in *in, refusal_told *refused, void *arg) MUST_CHECK;
/* Closes all listeners. */
void door_close_all(struct door *door);
/* Closes all listeners and frees the door.  All visitors must have gone. */
void door_free(struct door *door);

/* Accepts connections at that listener, which the door owns from now on.
 * Without TLS (NULL) the listener must be local, unless plain_anywhere is set;
 * otherwise frees it and returns -1 and a sentence. */
int door_listen(struct door *door, struct listener *listener,
		const struct tls *tls, struct error *why) MUST_CHECK;
/* Closes and frees a listener; its connections stay. */
void door_close(struct door *door, struct listener *listener);
/* Sets the TLS of new connections at a listener. */
void door_set_tls(struct door *door, const struct listener *listener,
		  const struct tls *tls);
/* Sets the limits of connections that come from now on. */
void door_set_limits(struct door *door, const struct door_limits *limits);
/* Returns what the door knows of addresses, for other listeners.  The door owns
 * it. */
struct addresses *door_addresses(const struct door *door);
/* Returns the number of open connections. */
unsigned door_count(const struct door *door);

#endif
