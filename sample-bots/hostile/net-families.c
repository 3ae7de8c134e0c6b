/* net-families.c - a socket of every family and type that a kernel may know,
 * from netlink and raw packets to virtual machines.
 *
 * Bound: each is closed at once, and none is bound or connected.  A socket of
 * the family `unix` reaches no one by itself; abstract.c and control-socket.c
 * see about that. */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <sys/socket.h>

#include "hostile.h"

static const struct family {
	const char *name;
	int family, type, protocol;
} families[] = {
	{ "inet stream", AF_INET, SOCK_STREAM, 0 },
	{ "inet datagram", AF_INET, SOCK_DGRAM, 0 },
	{ "inet raw", AF_INET, SOCK_RAW, 1 },
	{ "inet6 stream", AF_INET6, SOCK_STREAM, 0 },
	{ "inet6 raw", AF_INET6, SOCK_RAW, 58 },
	{ "netlink route", AF_NETLINK, SOCK_RAW, 0 },
	{ "netlink sock_diag", AF_NETLINK, SOCK_RAW, 4 },
	{ "netlink audit", AF_NETLINK, SOCK_RAW, 9 },
	{ "netlink uevent", AF_NETLINK, SOCK_RAW, 15 },
	{ "packet", AF_PACKET, SOCK_RAW, ETH_P_ALL },
	{ "vsock", AF_VSOCK, SOCK_STREAM, 0 },
	{ "alg", AF_ALG, SOCK_SEQPACKET, 0 },
	{ "bluetooth", AF_BLUETOOTH, SOCK_RAW, 1 },
	{ "can", AF_CAN, SOCK_RAW, 1 },
	{ "tipc", AF_TIPC, SOCK_SEQPACKET, 0 },
	{ "rds", AF_RDS, SOCK_SEQPACKET, 0 },
	{ "smc", 43, SOCK_STREAM, 0 },
	{ "xdp", 44, SOCK_RAW, 0 },
	{ "key", AF_KEY, SOCK_RAW, 2 },
};

static void
attack(char **args)
{
	long others = 0;

	(void)args;
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		int fd = socket(families[i].family, families[i].type,
				families[i].protocol);

		hostile_call(families[i].name, fd);
		if (fd >= 0)
			close(fd);
	}
	for (int family = 2; family < 64; family++)
		for (int type = 1; type <= 5; type++) {
			int fd = socket(family, type, 0);

			others += fd >= 0;
			if (fd >= 0)
				close(fd);
		}
	hostile_tried("any other family", others > 0, 0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
