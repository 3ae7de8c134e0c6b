/* referee/http/http-listen.c - where visitors come in over HTTP. */
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/base/loop.h"
#include "referee/base/serve-limits.h"
#include "referee/http/http-inside.h"

#define ACCEPTS 64 /* in one go of the loop */

/* ---- coming in -------------------------------------------------------- */

static void
on_resume(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct http *http = arg;
	unsigned i;

	for (i = 0; i < HTTP_LISTENERS; i++)
		if (http->listener[i] != NULL)
			event_add(&http->listener[i]->event, NULL);
}

/* A listener that stays readable must not make the loop spin. */
static void
pause_listening(struct http *http)
{
	unsigned i;

	for (i = 0; i < HTTP_LISTENERS; i++)
		if (http->listener[i] != NULL)
			event_del(&http->listener[i]->event);
	loop_after_us(&http->resume, http->limits.pause_ms * (uint64_t)1000);
}

static void
on_visitor(evutil_socket_t listening, short what UNUSED, void *arg)
{
	struct http_listener *listener = arg;
	union any_address from;
	socklen_t size;
	unsigned i;
	int fd;

	for (i = 0; i < ACCEPTS; i++) {
		size = sizeof(from);
		from.any.sa_family = AF_UNSPEC;
		fd = accept4(listening, &from.any, &size,
			     SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			http_let_in(listener, fd, &from.any);
			continue;
		}
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		    errno == ENOMEM)
			pause_listening(listener->http);
		else if (errno != EAGAIN)
			continue; /* it has died already; others may live */
		return;
	}
}

/* ---- listening -------------------------------------------------------- */

static struct http_listener *
add(struct http *http, int fd)
{
	struct http_listener *listener = zeroed(1, sizeof(*listener));
	const int bytes = SERVE_KERNEL_BYTES;
	unsigned i;

	for (i = 0; http->listener[i] != NULL; i++)
		if (i + 1 == HTTP_LISTENERS)
			bug("too many listeners");
	http->listener[i] = listener;
	listener->http = http;
	listener->fd = fd;
	/* Those who come in by it have the same. */
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	event_assign(&listener->event, http->base, fd, EV_READ | EV_PERSIST,
		     on_visitor, listener);
	event_add(&listener->event, NULL);
	return listener;
}

/* A socket that listens there, or -1 and errno. */
static int
listen_at(const struct addrinfo *at)
{
	int one = 1, error,
	    fd = socket(at->ai_family,
			SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, at->ai_addr, at->ai_addrlen) == 0 &&
	    listen(fd, SOMAXCONN) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

struct http_listener *
http_listen(struct http *http, const char *address, unsigned port,
	    struct error *why)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
					.ai_flags = AI_NUMERICHOST |
						    AI_NUMERICSERV };
	struct addrinfo *found;
	char digits[8];
	int fd;

	snprintf(digits, sizeof(digits), "%u", port);
	if (getaddrinfo(address, digits, &hints, &found) != 0) {
		error_set(why, ERROR_INPUT,
			  "cannot listen at %.100s: it is no address in digits",
			  address);
		return NULL;
	}
	fd = listen_at(found);
	freeaddrinfo(found);
	if (fd >= 0)
		return add(http, fd);
	error_set(why, ERROR_MACHINE, "cannot listen at %.100s port %u: %m",
		  address, port);
	return NULL;
}

struct http_listener *
http_adopt(struct http *http, int fd, struct error *why)
{
	socklen_t size = sizeof(int);
	int listens = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 &&
	    listens && evutil_make_socket_nonblocking(fd) == 0)
		return add(http, fd);
	error_set(why, ERROR_INPUT, "descriptor %d is not a listening socket",
		  fd);
	close(fd);
	return NULL;
}

/* Those who wait for nothing go, the others once they are answered. */
static void
see_off(struct http_listener *listener)
{
	struct http_connection *connection, *next;

	for (connection = TAILQ_FIRST(&listener->http->connections);
	     connection != NULL; connection = next) {
		next = TAILQ_NEXT(connection, at);
		if (connection->listener != listener)
			continue;
		connection->listener = NULL;
		connection->closes = true;
		if (connection->state == HTTP_READING &&
		    connection->requests > 0 && connection->scanned == 0)
			http_close(connection);
	}
}

void
http_unlisten(struct http *http, struct http_listener *listener)
{
	unsigned i;

	for (i = 0; http->listener[i] != listener; i++)
		if (i + 1 == HTTP_LISTENERS)
			bug("a listener that is not ours");
	http->listener[i] = NULL;
	see_off(listener);
	event_del(&listener->event);
	close(listener->fd);
	free(listener);
}

unsigned
http_port(const struct http_listener *listener)
{
	union any_address at = { 0 };
	socklen_t size = sizeof(at);

	if (getsockname(listener->fd, &at.any, &size) < 0)
		return 0;
	return ntohs(at.any.sa_family == AF_INET6 ? at.v6.sin6_port
						  : at.v4.sin_port);
}

void
http_listen_begin(struct http *http)
{
	event_assign(&http->resume, http->base, -1, 0, on_resume, http);
}

void
http_unlisten_all(struct http *http)
{
	unsigned i;

	for (i = 0; i < HTTP_LISTENERS; i++)
		if (http->listener[i] != NULL)
			http_unlisten(http, http->listener[i]);
	event_del(&http->resume);
}
