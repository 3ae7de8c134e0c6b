/* tests/world/net.c - the network: TCP over IPv4, of which the bytes go through
 * sockets of this machine that need no network.
 *
 * A socket of AF_INET is one of AF_UNIX underneath, because those hand bytes over at
 * once and in order.  Each tells the addresses that it would have. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/world/kernel.h"

#define FDS_MOST 65536
#define FIRST_PORT 20000 /* the first that is given to those who ask for none */
#define WAITING_MOST 4096

struct end {
	uint32_t address; /* in the order of the host */
	uint16_t port;
};

/* A descriptor stands for this, until a socket is made with the same. */
static struct inet {
	bool is;
	struct end own, peer;
} inet[FDS_MOST];

/* Connections that were made and not accepted yet, by the port that listens. */
static struct waiting {
	uint16_t port;
	struct end from;
} waiting[WAITING_MOST];
static unsigned waits;

static uint16_t last_port = FIRST_PORT;

static struct inet *
inet_of(int fd)
{
	return fd >= 0 && fd < FDS_MOST && inet[fd].is ? &inet[fd] : NULL;
}

static void
note(int fd, const struct inet *noted)
{
	if (fd >= FDS_MOST)
		world_broken("descriptor %d is too high", fd);
	if (fd >= 0)
		inet[fd] = *noted;
}

static socklen_t
unix_address(struct sockaddr_un *at, uint16_t port)
{
	memset(at, 0, sizeof(*at));
	at->sun_family = AF_UNIX;
	/* An abstract name, which goes with the process. */
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			   (size_t)snprintf(
				   at->sun_path + 1, sizeof(at->sun_path) - 1,
				   "world-%ld-%u", (long)getpid(), port));
}

static int
tell(const struct end *end, struct sockaddr *to, socklen_t *bytes)
{
	const struct sockaddr_in at = { .sin_family = AF_INET,
					.sin_port = htons(end->port),
					.sin_addr.s_addr =
						htonl(end->address) };

	memcpy(to, &at, *bytes < sizeof(at) ? *bytes : sizeof(at));
	*bytes = sizeof(at);
	return 0;
}

int
socket(int domain, int type, int protocol)
{
	const bool is = kernel_runs() && domain == AF_INET;
	int fd;

	if (kernel_runs() && domain == AF_INET6) {
		errno = EAFNOSUPPORT;
		return -1;
	}
	fd = (int)syscall(SYS_socket, is ? AF_UNIX : domain, type,
			  is ? 0 : protocol);
	note(fd, &(struct inet){ .is = is });
	return fd;
}

int
bind(int fd, const struct sockaddr *at, socklen_t bytes)
{
	struct inet *own = inet_of(fd);
	struct sockaddr_un name;

	if (own == NULL)
		return (int)syscall(SYS_bind, fd, at, bytes);
	own->own.address = ntohl(((const struct sockaddr_in *)(const void *)at)
					 ->sin_addr.s_addr);
	own->own.port =
		ntohs(((const struct sockaddr_in *)(const void *)at)->sin_port);
	if (own->own.port == 0)
		own->own.port = ++last_port;
	bytes = unix_address(&name, own->own.port);
	return (int)syscall(SYS_bind, fd, &name, bytes);
}

int
getsockname(int fd, struct sockaddr *restrict at, socklen_t *restrict bytes)
{
	const struct inet *own = inet_of(fd);

	return own == NULL ? (int)syscall(SYS_getsockname, fd, at, bytes)
			   : tell(&own->own, at, bytes);
}

int
getpeername(int fd, struct sockaddr *restrict at, socklen_t *restrict bytes)
{
	const struct inet *own = inet_of(fd);

	return own == NULL ? (int)syscall(SYS_getpeername, fd, at, bytes)
			   : tell(&own->peer, at, bytes);
}

/* Takes out the address of the one who connected to this port first. */
static struct end
first_waiting(uint16_t port)
{
	struct end from;
	unsigned i = 0;

	while (i < waits && waiting[i].port != port)
		i++;
	if (i == waits)
		world_broken("port %u: a connection that nobody made", port);
	from = waiting[i].from;
	memmove(waiting + i, waiting + i + 1,
		(waits - i - 1) * sizeof(*waiting));
	waits--;
	return from;
}

int
accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict bytes,
	int flags)
{
	const struct inet *own = inet_of(fd);
	struct inet new = { .is = true };
	int got;

	if (own == NULL)
		return (int)syscall(SYS_accept4, fd, from, bytes, flags);
	got = (int)syscall(SYS_accept4, fd, NULL, NULL, flags);
	if (got < 0)
		return got;
	new.own = own->own;
	new.peer = first_waiting(own->own.port);
	note(got, &new);
	if (from != NULL)
		tell(&new.peer, from, bytes);
	return got;
}

int
accept(int fd, struct sockaddr *restrict from, socklen_t *restrict bytes)
{
	return accept4(fd, from, bytes, 0);
}

int
setsockopt(int fd, int level, int option, const void *value, socklen_t bytes)
{
	if (inet_of(fd) != NULL && level != SOL_SOCKET)
		return 0;
	return (int)syscall(SYS_setsockopt, fd, level, option, value, bytes);
}

int
world_connect(uint16_t port, uint32_t address)
{
	struct inet new = { .is = true,
			    .own = { address, ++last_port },
			    .peer = { INADDR_LOOPBACK, port } };
	struct sockaddr_un name;
	const socklen_t bytes = unix_address(&name, port);
	int error, fd = (int)syscall(SYS_socket, AF_UNIX,
				     SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
				     0);

	if (fd < 0)
		return -1;
	if (syscall(SYS_connect, fd, &name, bytes) < 0) {
		error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	note(fd, &new);
	if (waits == WAITING_MOST)
		world_broken("%u connections wait to be accepted", waits);
	waiting[waits++] = (struct waiting){ port, new.own };
	return fd;
}
