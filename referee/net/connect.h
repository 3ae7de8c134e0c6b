/* referee/net/connect.h - a TCP connection to a host by its name.
 *
 * Nothing here waits: names are looked up by a thread of their own.  All
 * addresses of the host are tried, one after the other. */
#ifndef REFEREE_CONNECT_H
#define REFEREE_CONNECT_H

#include "protocol/util.h"
#include "referee/table/loop.h"

#define CONNECT_MS 10000 /* for each address */

struct connecting;

/* One of them, once, by the loop; it is over then. */
struct connect_calls {
	/* A connected socket that does not block; the caller's. */
	void (*done)(void *arg, int fd);
	void (*failed)(void *arg, const char *why);
};

/* `port`: a number.  Copies both. */
struct connecting *connect_start(struct loop *loop, const char *host,
				 const char *port,
				 const struct connect_calls *calls,
				 void *arg) MUST_CHECK;
/* Neither call comes any more.  Only before one has come. */
void connect_cancel(struct connecting *connecting);

#endif
