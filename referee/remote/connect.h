/* referee/remote/connect.h - a TCP connection to a host by its name.
 *
 * Nothing here waits: names are looked up by a thread of their own.  All
 * addresses of the host are tried, one after the other. */
#ifndef REFEREE_CONNECT_H
#define REFEREE_CONNECT_H

#include "protocol/util.h"
#include "referee/base/loop.h"

#define CONNECT_MS 10000 /* for each address */

struct connecting;

/* Once, by the loop; it is over then.  A connected socket that does not block,
 * the caller's; or -1, and why. */
typedef void connect_done(void *arg, int fd, const char *why);

struct connecting *connect_start(struct loop *loop, const char *host,
				 const char *port, connect_done *done,
				 void *arg) MUST_CHECK;
/* The call does not come any more.  Only before it has come. */
void connect_cancel(struct connecting *connecting);

#endif
