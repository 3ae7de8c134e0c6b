/* referee/remote/connect.c - looks a name up and tries its addresses.
 *
 * getaddrinfo(3) blocks, so a thread calls it.  If the loop does not want the
 * answer any more, the thread is left to finish by itself. */
#include "protocol/error.h"
#include "referee/remote/connect.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/base/thread.h"

struct lookup {
	struct thread_task task;
	char *host, *port;
	struct addrinfo *found;
	int error; /* of getaddrinfo() */
	struct connecting *connecting;
};

struct connecting {
	struct loop *loop;
	connect_done *done;
	void *arg;
	struct lookup *lookup;
	struct thread *thread;	     /* NULL: not needed */
	bool looked_up;		     /* the thread has finished */
	const struct addrinfo *next; /* the next address to try */
	int fd;			     /* being connected, or -1 */
	int error;		     /* errno of the last address */
	struct event event;	     /* of fd, if that is open */
	struct timer timer;	     /* of the finished lookup, then of fd */
};

/* ---- names ---------------------------------------------------------- */

static void
lookup_drop(struct thread_task *task)
{
	struct lookup *lookup = (struct lookup *)task;

	if (lookup->found != NULL)
		freeaddrinfo(lookup->found);
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

static void
lookup_read(struct thread_task *task)
{
	look_up((struct lookup *)task, 0);
}

/* A timer continues, because the thread cannot be freed inside its
 * call. */
static void
lookup_done(struct thread_task *task, bool read UNUSED)
{
	struct connecting *connecting = ((struct lookup *)task)->connecting;

	connecting->looked_up = true;
	timer_after(&connecting->timer, 0);
}

/* ---- addresses ------------------------------------------------------ */

/* Ends an attempt, if there is one. */
static void
give_up(struct connecting *connecting)
{
	timer_stop(&connecting->timer);
	if (connecting->fd < 0)
		return;
	event_del(&connecting->event);
	close(connecting->fd);
	connecting->fd = -1;
}

static void
connecting_free(struct connecting *connecting)
{
	give_up(connecting);
	if (connecting->thread != NULL && !connecting->looked_up) {
		thread_leave(connecting->thread, lookup_drop);
	} else {
		thread_free(connecting->thread);
		lookup_drop(&connecting->lookup->task);
	}
	free(connecting);
}

static void
finish(struct connecting *connecting, int fd, const char *why)
{
	connect_done *done = connecting->done;
	void *arg = connecting->arg;

	connecting_free(connecting);
	done(arg, fd, why);
}

static void
fail(struct connecting *connecting, const char *reason)
{
	struct error why;

	error_set(&why, ERROR_MACHINE,
		  "cannot connect to %.100s port %.10s: %s",
		  connecting->lookup->host, connecting->lookup->port, reason);
	finish(connecting, -1, why.text);
}

static void
succeed(struct connecting *connecting)
{
	int fd = connecting->fd, one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	event_del(&connecting->event);
	connecting->fd = -1;
	finish(connecting, fd, NULL);
}

static void on_connected(evutil_socket_t fd, short what, void *arg);
static void on_late(void *arg);

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
			event_add(&connecting->event, NULL);
			timer_init(&connecting->timer,
				   &connecting->loop->timers, on_late,
				   connecting);
			timer_after(&connecting->timer,
				    CONNECT_MS * UINT64_C(1000));
			return;
		}
		connecting->error = errno;
		close(fd);
	}
	fail(connecting, strerror(connecting->error));
}

static void
on_connected(evutil_socket_t fd, short what UNUSED, void *arg)
{
	struct connecting *connecting = arg;
	int error;
	socklen_t n = sizeof(error);

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) < 0)
		error = errno;
	if (error == 0) {
		succeed(connecting);
		return;
	}
	connecting->error = error;
	give_up(connecting);
	try_next(connecting);
}

static void
on_late(void *arg)
{
	struct connecting *connecting = arg;

	connecting->error = ETIMEDOUT;
	give_up(connecting);
	try_next(connecting);
}

static void
on_looked_up(void *arg)
{
	struct connecting *connecting = arg;

	if (connecting->lookup->error != 0) {
		fail(connecting, gai_strerror(connecting->lookup->error));
		return;
	}
	connecting->next = connecting->lookup->found;
	try_next(connecting);
}

struct connecting *
connect_start(struct loop *loop, const char *host, const char *port,
	      connect_done *done, void *arg)
{
	struct connecting *connecting = memory(NULL, sizeof(*connecting));
	struct lookup *lookup = memory(NULL, sizeof(*lookup));

	*lookup = (struct lookup){ .task = { .read = lookup_read,
					     .done = lookup_done },
				   .host = copied(host),
				   .port = copied(port),
				   .connecting = connecting };
	*connecting = (struct connecting){ .loop = loop,
					   .done = done,
					   .arg = arg,
					   .lookup = lookup,
					   .fd = -1 };
	timer_init(&connecting->timer, &loop->timers, on_looked_up, connecting);
	look_up(lookup, AI_NUMERICHOST);
	if (lookup->error == EAI_NONAME) {
		lookup->error = EAI_AGAIN;
		connecting->thread = thread_new(loop);
	}
	if (connecting->thread != NULL)
		thread_ask(connecting->thread, &lookup->task);
	else
		/* The result is known at once, but the loop reports it like all
		 * others. */
		timer_after(&connecting->timer, 0);
	return connecting;
}

void
connect_cancel(struct connecting *connecting)
{
	connecting_free(connecting);
}
