/* referee/base/listener.h - accepts connections at an address and a port, at a
 * unix socket, or at a descriptor that listens already. */
#ifndef REFEREE_LISTENER_H
#define REFEREE_LISTENER_H

#include <stdbool.h>
#include <sys/socket.h>

#include "protocol/error.h"
#include "protocol/util.h"

struct loop;
struct listener;

/* A listener's owner plans with this how connections come in. */
struct listener_plan {
	unsigned accepts;  /* connections accepted in one call of the loop */
	unsigned pause_ms; /* the pause when descriptors run out */
	int kernel_bytes;  /* size of each socket buffer; 0: the machine's
			    * default */
	/* Takes a connection, which does not block. */
	void (*in)(void *arg, struct listener *listener, int fd,
		   const struct sockaddr *from);
	/* No descriptor is left for a client who waits at the socket
	 * `listening`.  The owner may close another connection and accept the
	 * client; then the listener pauses.  If this is NULL, the client waits
	 * until the pause is over. */
	void (*full)(void *arg, int listening);
};

/* Listens at all addresses of a host and a port, which is 0 for any that is
 * free.  With `v6_only` no IPv4 connection comes in at an IPv6 address.
 * Returns NULL and a sentence if that fails. */
struct listener *listener_open(const char *host, const char *port, bool v6_only,
			       struct error *why) MUST_CHECK;
/* Makes a unix socket, which only our user may use; it replaces a dead one.
 * Returns NULL and a sentence if it cannot be made. */
struct listener *listener_open_unix(const char *path,
				    struct error *why) MUST_CHECK;
/* Takes over a descriptor that listens already.  Returns NULL and a sentence if it
 * does not listen; it is closed then. */
struct listener *listener_adopt(int fd, struct error *why) MUST_CHECK;
/* Returns the number of descriptors that listen already and that our starter
 * has left for us, from `*first` on (LISTEN_FDS, as systemd does it).  It
 * clears the environment: a second call returns 0. */
unsigned listener_given(int *first);
/* Closes the listener and removes the unix socket that it has made.  NULL is
 * allowed. */
void listener_free(struct listener *listener);

/* Begins to accept connections by the loop; the plan is copied. */
void listener_begin(struct listener *listener, struct loop *loop,
		    const struct listener_plan *plan, void *arg);
/* Returns the port of its first address, or 0 if it has none. */
unsigned listener_port(const struct listener *listener);
/* Returns the listener's name for messages; borrowed. */
const char *listener_name(const struct listener *listener);
/* Returns true if only this machine can connect. */
bool listener_is_local(const struct listener *listener);
/* Returns true if clients can find it.  A unix socket may have been removed or
 * replaced. */
bool listener_is_there(const struct listener *listener);

#endif
