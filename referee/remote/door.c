/* referee/remote/door.c - counts visitors, and refuses them.
 *
 * A spare descriptor is kept for the time when there are no others: it is
 * closed for a moment, so that one connection can be accepted and refused, and
 * then nothing is accepted for a while. */
#include "referee/remote/door.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DOOR_UNREAD_BYTES 32768 /* unread bytes of a connection in the kernel */

/* The number of strangers looked at to find one that makes room: more would
 * cost time with each newcomer and find no better one. */
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

struct way_in {
	struct door *door;
	struct way_in *next, **prev;
	struct listener *listener; /* owned */
	const struct tls *tls;
};

struct door {
	struct loop *loop;
	struct door_limits limits;
	door_in *in;
	refusal_told *refused; /* or NULL */
	void *arg;
	struct way_in *first;
	struct addresses *addresses;
	unsigned visitors, strangers;
	TAILQ_HEAD(visitors, visitor)
	waiting;   /* the strangers, the oldest first */
	int spare; /* or -1 */
};

/* ---- visitors ------------------------------------------------------- */

static void
add_stranger(struct door *door, struct visitor *visitor)
{
	TAILQ_INSERT_TAIL(&door->waiting, visitor, at);
	door->strangers++;
	visitor->address->strangers++;
}

static void
cut_stranger(struct visitor *visitor)
{
	struct door *door = visitor->door;

	if (visitor->known)
		return;
	visitor->known = true;
	TAILQ_REMOVE(&door->waiting, visitor, at);
	door->strangers--;
	visitor->address->strangers--;
}

void
visitor_known(struct visitor *visitor)
{
	visitor->address->known = true;
	cut_stranger(visitor);
}

static bool
is_more_tiresome(const struct address *one, const struct address *other)
{
	return one->known == other->known ? one->strangers > other->strangers
					  : other->known;
}

/* Returns the oldest stranger from the address that most strangers come from;
 * addresses that were never known come first.  Returns NULL if none can be sent
 * away. */
static struct visitor *
most_tiresome(const struct door *door)
{
	struct visitor *visitor = TAILQ_FIRST(&door->waiting), *found = NULL;

	for (unsigned looked = 0;
	     visitor != NULL && looked < STRANGERS_LOOKED_AT;
	     looked++, visitor = TAILQ_NEXT(visitor, at))
		if (visitor->send_away != NULL &&
		    (found == NULL ||
		     is_more_tiresome(visitor->address, found->address)))
			found = visitor;
	return found;
}

void
visitor_free(struct visitor *visitor)
{
	struct door *door = visitor->door;

	cut_stranger(visitor);
	door->visitors--;
	visitor->address->connections--;
	address_drop(door->addresses, visitor->address, clock_us());
	free(visitor);
}

/* ---- accepting ------------------------------------------------------ */

static void
refuse(const struct way_in *way, int fd, const struct sockaddr *from,
       const char *sentence)
{
	const struct door *door = way->door;
	char line[128], text[ADDRESS_TEXT_BYTES];
	int n;

	if (door->refused != NULL) {
		address_text(from, text);
		door->refused(door->arg, REFUSAL_LIMIT, text, "", sentence);
	}
	if (way->tls == NULL) {
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
	/* This comes before the token is looked up and before TLS costs
	 * anything. */
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
let_in(void *arg, struct listener *listener UNUSED, int fd,
       const struct sockaddr *from)
{
	const struct way_in *way = arg;
	struct door *door = way->door;
	struct address *address = address_take(door->addresses, from);
	const char *why = too_many(door, address);
	struct visitor *visitor;
	const int unread = DOOR_UNREAD_BYTES;
	int one = 1;

	if (why == NULL && !make_room(door))
		why = many_strangers;
	if (why != NULL) {
		address_drop(door->addresses, address, clock_us());
		refuse(way, fd, from, why);
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
	/* Lines are read at a bounded rate, even after the peer has gone.
	 * Megabytes of them would keep its connection for minutes. */
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &unread, sizeof(unread));
	door->in(door->arg, fd, way->tls, visitor);
}

static void
open_spare(struct door *door)
{
	if (door->spare < 0)
		door->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void
turn_away(void *arg, int listening)
{
	const struct way_in *way = arg;
	struct door *door = way->door;
	union any_address from = { 0 };
	socklen_t size = sizeof(from);
	int fd;

	if (door->spare >= 0) {
		close(door->spare);
		door->spare = -1;
		fd = accept4(listening, &from.any, &size,
			     SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0)
			refuse(way, fd, &from.any,
			       "there are too many connections");
	}
	open_spare(door);
}

/* ---- listening ------------------------------------------------------ */

int
door_listen(struct door *door, struct listener *listener, const struct tls *tls,
	    struct error *why)
{
	const struct listener_plan plan = { .accepts = door->limits.accepts,
					    .pause_ms = door->limits.pause_ms,
					    .in = let_in,
					    .full = turn_away };
	struct way_in *way;

	if (tls == NULL && !door->limits.plain_anywhere &&
	    !listener_is_local(listener)) {
		error_set(why, ERROR_INPUT,
			  "cannot listen at %s: beyond this machine tokens "
			  "need TLS",
			  listener_name(listener));
		listener_free(listener);
		return -1;
	}
	way = memory(NULL, sizeof(*way));
	*way = (struct way_in){ .door = door,
				.listener = listener,
				.tls = tls };
	LIST_PUT(door->first, way);
	listener_begin(listener, door->loop, &plan, way);
	return 0;
}

static struct way_in *
find_way(const struct door *door, const struct listener *listener)
{
	struct way_in *way = door->first;

	while (way->listener != listener)
		way = way->next;
	return way;
}

void
door_close(struct door *door, struct listener *listener)
{
	struct way_in *way = find_way(door, listener);

	LIST_CUT(way);
	listener_free(way->listener);
	free(way);
}

void
door_set_tls(struct door *door, const struct listener *listener,
	     const struct tls *tls)
{
	find_way(door, listener)->tls = tls;
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
	TAILQ_INIT(&door->waiting);
	door->addresses = addresses_new();
	open_spare(door);
	return door;
}

void
door_close_all(struct door *door)
{
	while (door->first != NULL)
		door_close(door, door->first->listener);
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
