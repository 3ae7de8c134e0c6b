/* net-out.c PORT - calls somebody: over TCP and UDP, IPv4 and IPv6, at PORT of
 * this machine and anywhere else.
 *
 * Bound: one line to PORT here; of anywhere else it asks only for the way, and
 * no packet leaves the machine. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "hostile.h"

#define LINE "hostile-net-out was here\n"

static void
call(const char *what, int type, const struct sockaddr *to, socklen_t bytes)
{
	int fd = socket(to->sa_family, type, 0);
	long got = fd < 0 ? -1 : connect(fd, to, bytes);

	if (got == 0)
		got = send(fd, LINE, strlen(LINE), MSG_NOSIGNAL);
	hostile_call(what, got);
	if (fd >= 0)
		close(fd);
}

/* To connect a socket of UDP sends nothing. */
static void
look_outside(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	inet_pton(AF_INET, "192.0.2.1", &to.sin_addr);
	hostile_call("a way out of the machine",
		     fd < 0 ? -1
			    : connect(fd, (struct sockaddr *)&to, sizeof(to)));
	if (fd >= 0)
		close(fd);
}

static void
attack(char **args)
{
	unsigned short port =
		args[0] == NULL ? 9
				: (unsigned short)strtoul(args[0], NULL, 10);
	struct sockaddr_in four = { .sin_family = AF_INET,
				    .sin_port = htons(port),
				    .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_in6 six = { .sin6_family = AF_INET6,
				    .sin6_port = htons(port),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };

	call("TCP", SOCK_STREAM, (struct sockaddr *)&four, sizeof(four));
	call("UDP", SOCK_DGRAM, (struct sockaddr *)&four, sizeof(four));
	call("TCP over IPv6", SOCK_STREAM, (struct sockaddr *)&six,
	     sizeof(six));
	look_outside();
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
