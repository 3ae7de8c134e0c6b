/* referee/remote/door.h - where connections come in, and how many may.
 *
 * A connection over a limit gets one line, if it can be written at once, and is
 * closed; so is one that comes when no descriptors are left.
 *
 * Strangers are an exception: if there are too many, the newcomer replaces
 * another, the oldest from the address that most of them come from, of those
 * addresses from which none has ever said who it is.  So neither a silent crowd
 * from one address nor one from thousands keeps those out who have been here. */
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
	unsigned each_address; /* from one address; local ones do not
				* count: a unix socket has its file's mode */
	unsigned each_second;  /* likewise, that come in a second */
	unsigned strangers;    /* that have not said who they are */
	unsigned accepts;      /* in one go of the loop, for each listener */
	unsigned pause_ms;     /* without descriptors */
	bool plain_anywhere;   /* without TLS also from other machines */
};
extern const struct door_limits door_limits;

/* A connection that the door has let in, as long as it lasts. */
struct visitor {
	struct door *door;
	struct address *address;
	bool known; /* it has said who it is */
	char from[ADDRESS_TEXT_BYTES];
	/* For its owner to set: ends the connection of a stranger at once, with
	 * this sentence; visitor_free() has been called when it returns.  NULL:
	 * it cannot be sent away. */
	void (*send_away)(void *arg, const char *sentence);
	void *arg;
	TAILQ_ENTRY(visitor) at; /* of strangers; the door's */
};

/* It has said who it is. */
void visitor_known(struct visitor *visitor);
/* Its connection has ended. */
void visitor_free(struct visitor *visitor);

/* Takes a connection, `fd`, which does not block, and its visitor.  `tls`: of
 * the listener it came to. */
typedef void door_in(void *arg, int fd, const struct tls *tls,
		     struct visitor *visitor);

/* `refused` may be NULL; it is told of those that the door turns away itself. */
struct door *door_new(struct loop *loop, const struct door_limits *limits,
		      door_in *in, refusal_told *refused, void *arg) MUST_CHECK;
/* Closes all listeners. */
void door_close_all(struct door *door);
/* Likewise.  Visitors must have gone. */
void door_free(struct door *door);

/* Lets in who comes to that listener, which the door owns from now on.  Without
 * TLS (NULL) it must be local, if not plain_anywhere; else it is freed, and -1
 * and a sentence are returned. */
int door_listen(struct door *door, struct listener *listener,
		const struct tls *tls, struct error *why) MUST_CHECK;
/* Closes and frees it; who came in by it stays. */
void door_close(struct door *door, struct listener *listener);
/* Gives this to new connections there. */
void door_set_tls(struct door *door, const struct listener *listener,
		  const struct tls *tls);
/* For those who come from now on. */
void door_set_limits(struct door *door, const struct door_limits *limits);
/* What it knows of those who come, for others who let people in; the door's. */
struct addresses *door_addresses(const struct door *door);
/* Connections let in and not ended. */
unsigned door_count(const struct door *door);

#endif
