/* referee/remote/door.c - accept, count, refuse.
 *
 * A spare descriptor is kept for the time when there are no others: it is
 * closed for a moment, so that one connection can be accepted and refused, and
 * then nothing is accepted for a while.  A listener that stays readable must
 * never make the loop spin. */
#include "referee/remote/door.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "protocol/message.h"

#define FIRST_GIVEN 3

#define DOOR_UNREAD_BYTES 32768 /* of a connection, in the kernel */

/* Of those who may have to make room, so many: with more there are others to
 * choose from, and each newcomer would cost time. */
#define STRANGERS_LOOKED_AT 256

static const char many_strangers[] = "too many have not yet said who they are";

const struct door_limits door_limits = {
	.connections = 10000,
	.each_address = 64,
	.each_second = 64,
	.strangers = 1000,
	.accepts = 64,
	.pause_ms = 250,
};

struct listener {
	struct door *door;
	struct listener *next;
	unsigned number;
	int fd;
	const struct tls *tls;
	char *path;	  /* owned; of a unix socket that we made */
	struct stat made; /* and what lay there then */
	struct event event;
};

struct door {
	struct loop *loop;
	struct door_limits limits;
	door_in *in;
	refusal_told *refused; /* or NULL */
	void *arg;
	struct listener *first;
	unsigned listeners; /* so far */
	struct addresses *addresses;
	unsigned visitors, strangers;
	struct visitor *oldest, *newest; /* of the strangers */
	int spare;			 /* or -1 */
	struct event resume;
};

/* ---- visitors ------------------------------------------------------- */

static void
add_stranger(struct door *door, struct visitor *visitor)
{
	visitor->older = door->newest;
	*(door->newest == NULL ? &door->oldest : &door->newest->newer) =
		visitor;
	door->newest = visitor;
	door->strangers++;
	visitor->address->strangers++;
}

void
visitor_known(struct visitor *visitor)
{
	struct door *door = visitor->door;

	if (visitor->known)
		return;
	visitor->known = true;
	*(visitor->older == NULL ? &door->oldest : &visitor->older->newer) =
		visitor->newer;
	*(visitor->newer == NULL ? &door->newest : &visitor->newer->older) =
		visitor->older;
	door->strangers--;
	visitor->address->strangers--;
}

/* The oldest from the address that most strangers come from; NULL: there is
 * none that can be sent away. */
static struct visitor *
most_tiresome(const struct door *door)
{
	struct visitor *visitor = door->oldest, *found = NULL;
	unsigned looked;

	for (looked = 0; visitor != NULL && looked < STRANGERS_LOOKED_AT;
	     looked++, visitor = visitor->newer)
		if (visitor->send_away != NULL &&
		    (found == NULL ||
		     visitor->address->strangers > found->address->strangers))
			found = visitor;
	return found;
}

unsigned
visitor_wrong(struct visitor *visitor, uint64_t now_us)
{
	return address_wrong(visitor->address, now_us);
}

void
visitor_free(struct visitor *visitor)
{
	struct door *door = visitor->door;

	visitor_known(visitor);
	door->visitors--;
	visitor->address->connections--;
	address_drop(door->addresses, visitor->address, clock_us());
	free(visitor);
}

/* ---- accepting ------------------------------------------------------ */

static void
refuse(const struct listener *listener, int fd, const struct sockaddr *from,
       const char *sentence)
{
	const struct door *door = listener->door;
	char line[128], text[ADDRESS_TEXT_BYTES];
	int n;

	if (door->refused != NULL) {
		address_text(from, text);
		door->refused(door->arg, REFUSAL_LIMIT, text, "", sentence);
	}
	if (listener->tls == NULL) {
		n = snprintf(line, sizeof(line), "error %s\nbye\n", sentence);
		if (send(fd, line, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL) == n)
			shutdown(fd, SHUT_WR);
	}
	close(fd);
}

static const char *
too_many(const struct door *door, struct address *address)
{
	if (door->visitors >= door->limits.connections)
		return "there are too many connections";
	if (address->counted &&
	    address->connections >= door->limits.each_address)
		return "there are too many connections from your address";
	/* Before its token is looked up, or TLS costs anything. */
	if (!address_may_come(address, door->limits.each_second, clock_us()))
		return "too many connections come from your address";
	return NULL;
}

static bool
make_room(struct door *door)
{
	struct visitor *visitor;

	if (door->strangers < door->limits.strangers)
		return true;
	visitor = most_tiresome(door);
	if (visitor == NULL)
		return false;
	visitor->send_away(visitor->arg, many_strangers);
	return true;
}

static void
let_in(struct listener *listener, int fd, const struct sockaddr *from)
{
	struct door *door = listener->door;
	struct address *address = address_take(door->addresses, from);
	const char *why = too_many(door, address);
	struct visitor *visitor;
	const int unread = DOOR_UNREAD_BYTES;
	int one = 1;

	if (why == NULL && !make_room(door))
		why = many_strangers;
	if (why != NULL) {
		address_drop(door->addresses, address, clock_us());
		refuse(listener, fd, from, why);
		return;
	}
	visitor = memory(NULL, sizeof(*visitor));
	*visitor = (struct visitor){ .door = door, .address = address };
	address_text(from, visitor->from);
	address->connections++;
	door->visitors++;
	add_stranger(door, visitor);
	if (from->sa_family != AF_UNIX)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	/* Lines are read at a bounded rate, and also those of a peer that has
	 * gone: megabytes of them would keep its connection for minutes. */
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &unread, sizeof(unread));
	door->in(door->arg, fd, listener->tls, visitor);
}

static void
open_spare(struct door *door)
{
	if (door->spare < 0)
		door->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void
pause_accepting(struct door *door)
{
	struct listener *listener;

	for (listener = door->first; listener != NULL;
	     listener = listener->next)
		event_del(&listener->event);
	loop_after_us(&door->resume, door->limits.pause_ms * (uint64_t)1000);
}

static void
on_resume(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct door *door = arg;
	struct listener *listener;

	open_spare(door);
	for (listener = door->first; listener != NULL;
	     listener = listener->next)
		event_add(&listener->event, NULL);
}

static void
no_descriptors(struct listener *listener)
{
	struct door *door = listener->door;
	union any_address from = { 0 };
	socklen_t size = sizeof(from);
	int fd;

	if (door->spare >= 0) {
		close(door->spare);
		door->spare = -1;
		fd = accept4(listener->fd, &from.any, &size,
			     SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0)
			refuse(listener, fd, &from.any,
			       "there are too many connections");
		open_spare(door);
	}
	pause_accepting(door);
}

static void
on_connection(evutil_socket_t listening, short what UNUSED, void *arg)
{
	struct listener *listener = arg;
	union any_address from;
	socklen_t size;
	unsigned i;
	int fd;

	for (i = 0; i < listener->door->limits.accepts; i++) {
		size = sizeof(from);
		memset(&from, 0, sizeof(from));
		fd = accept4(listening, &from.any, &size,
			     SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			let_in(listener, fd, &from.any);
			continue;
		}
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		    errno == ENOMEM) {
			no_descriptors(listener);
			return;
		}
		if (errno == EAGAIN)
			return;
		/* That connection has died already; others may live. */
	}
}

/* ---- listening ------------------------------------------------------ */

static struct listener *
add_listener(struct door *door, int fd, const struct tls *tls, const char *path)
{
	struct listener *listener = memory(NULL, sizeof(*listener)), **at;

	*listener = (struct listener){
		.door = door, .number = door->listeners++, .fd = fd, .tls = tls
	};
	if (path != NULL && (listener->path = strdup(path)) == NULL)
		bug("out of memory");
	for (at = &door->first; *at != NULL; at = &(*at)->next)
		;
	*at = listener;
	event_assign(&listener->event, door->loop->base, fd,
		     EV_READ | EV_PERSIST, on_connection, listener);
	event_add(&listener->event, NULL);
	return listener;
}

static bool
may_be_plain(const struct door *door, const struct sockaddr *at)
{
	return door->limits.plain_anywhere || address_is_local(at);
}

static int
listen_at(struct door *door, const struct addrinfo *at, const struct tls *tls)
{
	int one = 1, error,
	    fd = socket(at->ai_family,
			at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
			at->ai_protocol);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (at->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	if (bind(fd, at->ai_addr, at->ai_addrlen) < 0 ||
	    listen(fd, SOMAXCONN) < 0) {
		error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	add_listener(door, fd, tls, NULL);
	return 0;
}

int
door_listen(struct door *door, const char *host, const char *port,
	    const struct tls *tls, struct error *why)
{
	const struct addrinfo hints = { .ai_family = AF_UNSPEC,
					.ai_socktype = SOCK_STREAM,
					.ai_flags =
						AI_PASSIVE | AI_NUMERICSERV };
	const char *name = host == NULL ? "all addresses" : host;
	struct addrinfo *found, *at;
	int error = getaddrinfo(host, port, &hints, &found), listening = 0;

	if (error != 0) {
		error_set(why, ERROR_MACHINE, "cannot listen at %.100s: %s",
			  name, gai_strerror(error));
		return -1;
	}
	for (at = found; at != NULL; at = at->ai_next)
		if (tls == NULL && !may_be_plain(door, at->ai_addr)) {
			error_set(
				why, ERROR_INPUT,
				"cannot listen at %.100s: beyond this machine "
				"tokens need TLS",
				name);
			freeaddrinfo(found);
			return -1;
		}
	error = 0;
	for (at = found; at != NULL; at = at->ai_next) {
		if (listen_at(door, at, tls) == 0)
			listening++;
		else if (errno != EAFNOSUPPORT && errno != EADDRNOTAVAIL)
			error = errno;
		else if (at->ai_next == NULL && listening == 0)
			error = errno;
	}
	freeaddrinfo(found);
	if (error == 0)
		return 0;
	error_set(why, ERROR_MACHINE, "cannot listen at %.100s port %.10s: %s",
		  name, port, strerror(error));
	return -1;
}

/* Whether what lies there is still what we made. */
static bool
is_ours(const struct listener *listener)
{
	struct stat st;

	return lstat(listener->path, &st) == 0 &&
	       st.st_dev == listener->made.st_dev &&
	       st.st_ino == listener->made.st_ino;
}

/* A socket without a listener, left by a referee that was killed. */
static void
remove_dead(const struct sockaddr_un *at)
{
	struct stat st;
	int fd;

	if (lstat(at->sun_path, &st) < 0 || !S_ISSOCK(st.st_mode))
		return;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return;
	if (connect(fd, (const struct sockaddr *)at, sizeof(*at)) < 0 &&
	    errno == ECONNREFUSED)
		unlink(at->sun_path);
	close(fd);
}

int
door_listen_unix(struct door *door, const char *path, struct error *why)
{
	union any_address at = { .local.sun_family = AF_UNIX };
	struct stat made;
	mode_t mask;
	int fd = -1, error = ENAMETOOLONG, result;

	if (strlen(path) >= sizeof(at.local.sun_path))
		goto failed;
	memcpy(at.local.sun_path, path, strlen(path) + 1);
	remove_dead(&at.local);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	error = errno;
	if (fd < 0)
		goto failed;
	mask = umask(0177);
	result = bind(fd, &at.any, sizeof(at.local));
	error = errno;
	umask(mask);
	if (result < 0)
		goto failed;
	if (listen(fd, SOMAXCONN) < 0 || lstat(path, &made) < 0) {
		error = errno;
		unlink(path);
		goto failed;
	}
	add_listener(door, fd, NULL, path)->made = made;
	return 0;
failed:
	if (fd >= 0)
		close(fd);
	error_set(why, ERROR_MACHINE, "cannot listen at %.150s: %s", path,
		  strerror(error));
	return -1;
}

/* ---- descriptors that were given ------------------------------------ */

int
door_adopt(struct door *door, int fd, const struct tls *tls, struct error *why)
{
	union any_address at = { 0 };
	socklen_t size = sizeof(at), n = sizeof(int);
	int listens = 0, flags = fcntl(fd, F_GETFL);

	if (flags < 0 ||
	    getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &n) < 0 ||
	    !listens || getsockname(fd, &at.any, &size) < 0) {
		error_set(why, ERROR_INPUT,
			  "descriptor %d is no socket that listens", fd);
	} else if (tls == NULL && !may_be_plain(door, &at.any)) {
		error_set(why, ERROR_INPUT,
			  "descriptor %d is open to other machines, and there "
			  "tokens need TLS",
			  fd);
	} else {
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
		add_listener(door, fd, tls, NULL);
		return 0;
	}
	if (flags >= 0)
		close(fd);
	return -1;
}

unsigned
door_given(int *first)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	uint64_t number, count = 0;
	int fd;

	*first = FIRST_GIVEN;
	if (pid == NULL || fds == NULL ||
	    message_number(pid, strlen(pid), INT32_MAX, &number) < 0 ||
	    number != (uint64_t)getpid() ||
	    message_number(fds, strlen(fds), 1000, &count) < 0)
		count = 0;
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	for (fd = FIRST_GIVEN; fd < FIRST_GIVEN + (int)count; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return (unsigned)count;
}

/* ---- life ----------------------------------------------------------- */

struct door *
door_new(struct loop *loop, const struct door_limits *limits, door_in *in,
	 refusal_told *refused, void *arg)
{
	struct door *door = memory(NULL, sizeof(*door));

	*door = (struct door){ .loop = loop,
			       .limits = *limits,
			       .in = in,
			       .refused = refused,
			       .arg = arg,
			       .spare = -1 };
	door->addresses = addresses_new();
	open_spare(door);
	event_assign(&door->resume, loop->base, -1, 0, on_resume, door);
	return door;
}

void
door_close_all(struct door *door)
{
	while (door->first != NULL)
		door_close(door, door->first->number);
	event_del(&door->resume);
}

void
door_free(struct door *door)
{
	if (door == NULL)
		return;
	if (door->visitors > 0)
		bug("%u visitors are still there", door->visitors);
	door_close_all(door);
	if (door->spare >= 0)
		close(door->spare);
	addresses_free(door->addresses);
	free(door);
}

/* Where the pointer to number `i` stands; it may be NULL. */
static struct listener **
place_of(struct door *door, unsigned i)
{
	struct listener **at = &door->first;

	while (*at != NULL && (*at)->number != i)
		at = &(*at)->next;
	return at;
}

unsigned
door_listeners(const struct door *door)
{
	return door->listeners;
}

unsigned
door_port(const struct door *door, unsigned i)
{
	const struct listener *listener = door->first;
	union any_address at = { 0 };
	socklen_t size = sizeof(at);

	while (listener != NULL && listener->number != i)
		listener = listener->next;
	if (listener == NULL || getsockname(listener->fd, &at.any, &size) < 0)
		return 0;
	if (at.any.sa_family == AF_INET6)
		return ntohs(at.v6.sin6_port);
	return at.any.sa_family == AF_INET ? ntohs(at.v4.sin_port) : 0;
}

void
door_close(struct door *door, unsigned i)
{
	struct listener **at = place_of(door, i), *listener = *at;

	if (listener == NULL)
		return;
	*at = listener->next;
	event_del(&listener->event);
	close(listener->fd);
	if (listener->path != NULL && is_ours(listener))
		unlink(listener->path);
	free(listener->path);
	free(listener);
}

bool
door_is_there(struct door *door, unsigned i)
{
	const struct listener *listener = *place_of(door, i);

	return listener != NULL &&
	       (listener->path == NULL || is_ours(listener));
}

void
door_set_tls(struct door *door, unsigned i, const struct tls *tls)
{
	struct listener *listener = *place_of(door, i);

	if (listener != NULL)
		listener->tls = tls;
}

void
door_set_limits(struct door *door, const struct door_limits *limits)
{
	door->limits = *limits;
}

unsigned
door_count(const struct door *door)
{
	return door->visitors;
}

struct addresses *
door_addresses(const struct door *door)
{
	return door->addresses;
}
