/* referee/base/listener.c - see listener.h. */
#include "referee/base/listener.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/message.h"
#include "referee/base/address.h"
#include "referee/base/loop.h"

#define FIRST_GIVEN 3
#define SOCKETS 8 /* addresses of a host that are used at most */

struct listener {
	char name[160];
	unsigned port;
	bool local;
	unsigned sockets;
	int fd[SOCKETS];
	struct stat made; /* the unix socket at `name`; or zeroed */
	/* Set by listener_begin(). */
	struct listener_plan plan;
	void *arg;
	struct event *comes[SOCKETS];
	struct timer resume;
};

/* ---- opening ---------------------------------------------------------- */

static struct listener *
new_listener(const char *name)
{
	struct listener *listener = zeroed(1, sizeof(*listener));

	snprintf(listener->name, sizeof(listener->name), "%s", name);
	listener->local = true;
	return listener;
}

static void
add(struct listener *listener, int fd)
{
	union any_address at = { 0 };
	socklen_t size = sizeof(at);

	if (getsockname(fd, &at.any, &size) < 0)
		bug("a socket has no name: %s", strerror(errno));
	if (listener->sockets == 0 && at.any.sa_family != AF_UNIX)
		listener->port =
			ntohs(at.any.sa_family == AF_INET6 ? at.v6.sin6_port
							   : at.v4.sin_port);
	listener->local &= address_is_local(&at.any);
	listener->fd[listener->sockets++] = fd;
}

/* Returns 0 or an errno.  The file of a unix socket gets the mode that the socket
 * has before it is bound. */
static int
listen_at(struct listener *listener, const struct sockaddr *at, socklen_t size,
	  bool v6_only)
{
	const int one = 1,
		  fd = socket(at->sa_family,
			      SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int error;

	if (fd < 0)
		return errno;
	fchmod(fd, 0600);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (at->sa_family == AF_INET6 && v6_only)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	if (bind(fd, at, size) == 0 && listen(fd, SOMAXCONN) == 0) {
		add(listener, fd);
		return 0;
	}
	error = errno;
	close(fd);
	return error;
}

/* An address that this machine does not have is no error if another one works. */
struct listener *
listener_open(const char *host, const char *port, bool v6_only,
	      struct error *why)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
					.ai_flags =
						AI_PASSIVE | AI_NUMERICSERV };
	struct listener *listener;
	struct addrinfo *found, *at;
	int error = getaddrinfo(host, port, &hints, &found), one = 0;

	if (error != 0) {
		error_set(why, ERROR_MACHINE, "cannot listen at %.100s: %s",
			  host, gai_strerror(error));
		return NULL;
	}
	listener = new_listener(host);
	for (at = found; at != NULL && listener->sockets < SOCKETS;
	     at = at->ai_next) {
		one = listen_at(listener, at->ai_addr, at->ai_addrlen, v6_only);
		if (one != 0 && one != EAFNOSUPPORT && one != EADDRNOTAVAIL)
			error = one;
	}
	freeaddrinfo(found);
	if (listener->sockets == 0 && error == 0)
		error = one;
	if (error == 0)
		return listener;
	listener_free(listener);
	error_set(why, ERROR_MACHINE, "cannot listen at %.100s port %.10s: %s",
		  host, port, strerror(error));
	return NULL;
}

/* Returns true if what lies there is still what we made. */
static bool
is_ours(const struct listener *listener)
{
	struct stat st;

	return lstat(listener->name, &st) == 0 &&
	       st.st_dev == listener->made.st_dev &&
	       st.st_ino == listener->made.st_ino;
}

/* Removes a socket without a listener, left by a referee that was killed. */
static void
remove_dead(const union any_address *at)
{
	struct stat st;
	int fd;

	if (lstat(at->local.sun_path, &st) < 0 || !S_ISSOCK(st.st_mode))
		return;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return;
	if (connect(fd, &at->any, sizeof(at->local)) < 0 &&
	    errno == ECONNREFUSED)
		unlink(at->local.sun_path);
	close(fd);
}

struct listener *
listener_open_unix(const char *path, struct error *why)
{
	union any_address at = { .local.sun_family = AF_UNIX };
	struct listener *listener = new_listener(path);
	int error = ENAMETOOLONG;

	if (strlen(path) < sizeof(at.local.sun_path)) {
		memcpy(at.local.sun_path, path, strlen(path) + 1);
		remove_dead(&at);
		error = listen_at(listener, &at.any, sizeof(at.local), false);
	}
	if (error == 0 && lstat(path, &listener->made) < 0)
		error = errno;
	if (error == 0)
		return listener;
	listener_free(listener);
	error_set(why, ERROR_MACHINE, "cannot listen at %.150s: %s", path,
		  strerror(error));
	return NULL;
}

struct listener *
listener_adopt(int fd, struct error *why)
{
	socklen_t n = sizeof(int);
	int listens = 0, flags = fcntl(fd, F_GETFL);
	struct listener *listener;
	char name[32];

	snprintf(name, sizeof(name), "descriptor %d", fd);
	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &n) < 0 ||
	    !listens) {
		error_set(why, ERROR_INPUT, "%s is no socket that listens",
			  name);
		if (flags >= 0)
			close(fd);
		return NULL;
	}
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	listener = new_listener(name);
	add(listener, fd);
	return listener;
}

unsigned
listener_given(int *first)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	uint64_t number, count = 0;

	*first = FIRST_GIVEN;
	if (pid == NULL || fds == NULL ||
	    message_number(pid, strlen(pid), INT32_MAX, &number) < 0 ||
	    number != (uint64_t)getpid() ||
	    message_number(fds, strlen(fds), 1000, &count) < 0)
		count = 0;
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	for (int fd = FIRST_GIVEN; fd < FIRST_GIVEN + (int)count; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return (unsigned)count;
}

void
listener_free(struct listener *listener)
{
	if (listener == NULL)
		return;
	for (unsigned i = 0; i < listener->sockets; i++) {
		loop_drop(&listener->comes[i]);
		close(listener->fd[i]);
	}
	timer_stop(&listener->resume);
	if (listener->made.st_ino != 0 && is_ours(listener))
		unlink(listener->name);
	free(listener);
}

/* ---- coming in -------------------------------------------------------- */

static void
on_resume(void *arg)
{
	struct listener *listener = arg;

	for (unsigned i = 0; i < listener->sockets; i++)
		event_add(listener->comes[i], NULL);
}

/* A socket that stays readable must not make the loop spin. */
static void
pause_listening(struct listener *listener)
{
	for (unsigned i = 0; i < listener->sockets; i++)
		event_del(listener->comes[i]);
	timer_after(&listener->resume,
		    listener->plan.pause_ms * UINT64_C(1000));
}

static void
on_connection(evutil_socket_t listening, short what UNUSED, void *arg)
{
	struct listener *listener = arg;
	union any_address from;
	socklen_t size;
	int fd;

	for (unsigned i = 0; i < listener->plan.accepts; i++) {
		size = sizeof(from);
		memset(&from, 0, sizeof(from));
		fd = accept4(listening, &from.any, &size,
			     SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			listener->plan.in(listener->arg, listener, fd,
					  &from.any);
			continue;
		}
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		    errno == ENOMEM) {
			if (listener->plan.full != NULL)
				listener->plan.full(listener->arg, listening);
			pause_listening(listener);
			return;
		}
		if (errno == EAGAIN)
			return;
		/* This connection has died already; others may live. */
	}
}

void
listener_begin(struct listener *listener, struct loop *loop,
	       const struct listener_plan *plan, void *arg)
{
	const int bytes = plan->kernel_bytes;

	listener->plan = *plan;
	listener->arg = arg;
	timer_init(&listener->resume, &loop->timers, on_resume, listener);
	for (unsigned i = 0; i < listener->sockets; i++) {
		if (bytes > 0) {
			/* Accepted connections inherit the size. */
			setsockopt(listener->fd[i], SOL_SOCKET, SO_SNDBUF,
				   &bytes, sizeof(bytes));
			setsockopt(listener->fd[i], SOL_SOCKET, SO_RCVBUF,
				   &bytes, sizeof(bytes));
		}
		listener->comes[i] = loop_reads(loop->base, listener->fd[i],
						on_connection, listener);
	}
}

/* ---- what it is ------------------------------------------------------- */

unsigned
listener_port(const struct listener *listener)
{
	return listener->port;
}

const char *
listener_name(const struct listener *listener)
{
	return listener->name;
}

bool
listener_is_local(const struct listener *listener)
{
	return listener->local;
}

bool
listener_is_there(const struct listener *listener)
{
	return listener->made.st_ino == 0 || is_ours(listener);
}
