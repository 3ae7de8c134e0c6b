/* net-listen.c PORT - waits for calls, over TCP and UDP, on all addresses.
 *
 * Bound: two sockets, which only the program that gave PORT knows. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "hostile.h"

static void
wait_for_calls(const char *what, int type, unsigned short port)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(port) };
	int fd = socket(AF_INET, type, 0), yes = 1;
	long got = fd;

	if (fd >= 0) {
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
		got = bind(fd, (struct sockaddr *)&at, sizeof(at));
	}
	if (got >= 0 && type == SOCK_STREAM)
		got = listen(fd, 1);
	hostile_call(what, got);
}

static void
attack(char **args)
{
	unsigned short port =
		args[0] == NULL ? 0
				: (unsigned short)strtoul(args[0], NULL, 10);

	wait_for_calls("listen by TCP", SOCK_STREAM, port);
	wait_for_calls("listen by UDP", SOCK_DGRAM, port);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
