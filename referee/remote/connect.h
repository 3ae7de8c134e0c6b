/* referee/remote/connect.h - makes a TCP connection to a host by its name.
 *
 * Nothing here blocks: a thread looks the name up.  All addresses of the host
 * are tried, one after the other. */
#ifndef REFEREE_CONNECT_H
#define REFEREE_CONNECT_H

#include "protocol/util.h"
#include "referee/base/loop.h"

#define CONNECT_MS 10000 /* for each address */

struct connecting;

/* The loop calls it once, at the end.  `fd` is a connected, non-blocking socket
 * that the caller owns; or -1, and `why` is the reason. */
typedef void connect_done(void *arg, int fd, const char *why);

struct connecting *connect_start(struct loop *loop, const char *host,
				 const char *port, connect_done *done,
				 void *arg) MUST_CHECK;
/* Cancels the call.  Use it only before the call has come. */
void connect_cancel(struct connecting *connecting);

#endif
