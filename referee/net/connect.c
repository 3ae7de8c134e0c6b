/* referee/net/connect.c - look a name up, try its addresses.
 *
 * getaddrinfo(3) blocks, so a thread calls it and tells by an eventfd.  The
 * lookup belongs to both; when the loop does not want it any more the thread
 * frees it, whenever the name servers let it come to an end. */
#include "referee/net/connect.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

struct lookup {
	char *host, *port;
	struct addrinfo *found;
	int error; /* of getaddrinfo() */
	int fd;	   /* eventfd, readable when it has ended */
	atomic_uint owners;
	pthread_t thread;
	bool threaded; /* it runs, or has to be joined */
};

struct connecting {
	struct loop *loop;
	const struct connect_calls *calls;
	void *arg;
	struct lookup *lookup;
	const struct addrinfo *next; /* to be tried */
	int fd;			     /* being connected, or -1 */
	int error;		     /* of the last address, errno */
	struct event event;	     /* of the lookup, then of fd */
};

static const struct timeval patience = { .tv_sec = CONNECT_MS / 1000 };

/* ---- names ---------------------------------------------------------- */

static void
lookup_drop(struct lookup *lookup)
{
	if (atomic_fetch_sub(&lookup->owners, 1) != 1)
		return;
	if (lookup->found != NULL)
		freeaddrinfo(lookup->found);
	if (lookup->fd >= 0)
		close(lookup->fd);
	free(lookup->host);
	free(lookup->port);
	free(lookup);
}

static void
look_up(struct lookup *lookup, int flags)
{
	const struct addrinfo hints = { .ai_family = AF_UNSPEC,
					.ai_socktype = SOCK_STREAM,
					.ai_flags = AI_NUMERICSERV | flags };

	lookup->error =
		getaddrinfo(lookup->host, lookup->port, &hints, &lookup->found);
}

static void *
lookup_thread(void *arg)
{
	struct lookup *lookup = arg;

	look_up(lookup, 0);
	if (eventfd_write(lookup->fd, 1) < 0)
		bug("eventfd: %s", strerror(errno));
	lookup_drop(lookup);
	return NULL;
}

/* Signals are the loop's. */
static int
lookup_begin(struct lookup *lookup)
{
	sigset_t all, old;
	int error;

	lookup->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (lookup->fd < 0)
		return errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	atomic_fetch_add(&lookup->owners, 1);
	error = pthread_create(&lookup->thread, NULL, lookup_thread, lookup);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error != 0)
		atomic_fetch_sub(&lookup->owners, 1);
	lookup->threaded = error == 0;
	return error;
}

/* ---- addresses ------------------------------------------------------ */

static void
connecting_free(struct connecting *connecting)
{
	event_del(&connecting->event);
	if (connecting->fd >= 0)
		close(connecting->fd);
	if (connecting->lookup->threaded)
		pthread_detach(connecting->lookup->thread);
	lookup_drop(connecting->lookup);
	free(connecting);
}

static void
fail(struct connecting *connecting, const char *reason)
{
	const struct connect_calls *calls = connecting->calls;
	char why[CONNECT_WHY_BYTES];
	void *arg = connecting->arg;

	snprintf(why, sizeof(why), "cannot connect to %.100s port %.10s: %s",
		 connecting->lookup->host, connecting->lookup->port, reason);
	connecting_free(connecting);
	calls->failed(arg, why);
}

static void
succeed(struct connecting *connecting)
{
	const struct connect_calls *calls = connecting->calls;
	void *arg = connecting->arg;
	int fd = connecting->fd, one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	connecting->fd = -1;
	connecting_free(connecting);
	calls->done(arg, fd);
}

static void on_connected(evutil_socket_t fd, short what, void *arg);

static void
try_next(struct connecting *connecting)
{
	const struct addrinfo *to;
	int fd;

	while ((to = connecting->next) != NULL) {
		connecting->next = to->ai_next;
		fd = socket(to->ai_family,
			    to->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
			    to->ai_protocol);
		connecting->error = errno;
		if (fd < 0)
			continue;
		if (connect(fd, to->ai_addr, to->ai_addrlen) == 0 ||
		    errno == EINPROGRESS) {
			connecting->fd = fd;
			event_assign(&connecting->event, connecting->loop->base,
				     fd, EV_WRITE, on_connected, connecting);
			event_add(&connecting->event, &patience);
			return;
		}
		connecting->error = errno;
		close(fd);
	}
	fail(connecting, strerror(connecting->error));
}

static void
on_connected(evutil_socket_t fd, short what, void *arg)
{
	struct connecting *connecting = arg;
	int error = ETIMEDOUT;
	socklen_t n = sizeof(error);

	if ((what & EV_WRITE) &&
	    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) < 0)
		error = errno;
	if (error == 0) {
		succeed(connecting);
		return;
	}
	connecting->error = error;
	close(connecting->fd);
	connecting->fd = -1;
	try_next(connecting);
}

static void
on_looked_up(evutil_socket_t fd, short what, void *arg)
{
	struct connecting *connecting = arg;

	(void)fd;
	(void)what;
	if (connecting->lookup->threaded) /* it has nothing more to do */
		pthread_join(connecting->lookup->thread, NULL);
	connecting->lookup->threaded = false;
	if (connecting->lookup->error != 0) {
		fail(connecting, gai_strerror(connecting->lookup->error));
		return;
	}
	connecting->next = connecting->lookup->found;
	try_next(connecting);
}

struct connecting *
connect_start(struct loop *loop, const char *host, const char *port,
	      const struct connect_calls *calls, void *arg)
{
	struct connecting *connecting = memory(NULL, sizeof(*connecting));
	struct lookup *lookup = memory(NULL, sizeof(*lookup));
	int error = 0;

	*lookup = (struct lookup){ .fd = -1, .owners = 1 };
	lookup->host = strdup(host);
	lookup->port = strdup(port);
	if (lookup->host == NULL || lookup->port == NULL)
		bug("out of memory");
	*connecting = (struct connecting){ .loop = loop,
					   .calls = calls,
					   .arg = arg,
					   .lookup = lookup,
					   .fd = -1 };
	look_up(lookup, AI_NUMERICHOST);
	if (lookup->error == EAI_NONAME)
		error = lookup_begin(lookup);
	if (error != 0)
		lookup->error = EAI_AGAIN;
	event_assign(&connecting->event, loop->base, lookup->fd,
		     lookup->fd < 0 ? 0 : EV_READ, on_looked_up, connecting);
	if (lookup->fd < 0 || error != 0)
		/* Known at once, and told by the loop like all else. */
		event_active(&connecting->event, EV_TIMEOUT, 1);
	else
		event_add(&connecting->event, NULL);
	return connecting;
}

void
connect_cancel(struct connecting *connecting)
{
	connecting_free(connecting);
}
