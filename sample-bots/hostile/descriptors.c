/* descriptors.c - holds as many open files as it can, in itself and on the way
 * between two sockets.
 *
 * Bound: 20000 in itself, 5000 under way, 300 seconds. */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "hostile.h"

#define HELD 20000
#define SENT 5000
#define SECONDS 300

static void
send_away(void)
{
	int ends[2], null = open("/dev/null", O_RDONLY);
	_Alignas(8) char control[CMSG_SPACE(sizeof(int))] = "";
	struct iovec part = { .iov_base = control, .iov_len = 1 };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	long count = 0;

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &null, sizeof(null));
	errno = 0;
	while (count < SENT) {
		if (count % 100 == 0 &&
		    socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends))
			break;
		if (sendmsg(ends[0], &message, 0) >= 0)
			count++;
		else if (errno != EAGAIN)
			break;
		else if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0,
				    ends))
			break;
	}
	hostile_counted("descriptors under way", count, SENT, errno);
}

static void
hold(void)
{
	struct rlimit limit;
	long count = 0;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	errno = 0;
	while (count < HELD && dup(STDIN_FILENO) >= 0)
		count++;
	hostile_counted("descriptors", count, HELD, errno);
}

static void
attack(char **args)
{
	(void)args;
	send_away();
	hold();
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(SECONDS, attack, argv);
}
