/* tests/world/worker-start.c - workers (referee/runner/worker-start.h) as processes of
 * the simulated machine. */
#include "referee/runner/worker-start.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "referee/runner/worker.h"
#include "tests/world/world.h"

struct order {
	int fd;
	unsigned jobs;
};

static int
play(void *arg)
{
	const struct order order = *(struct order *)arg;

	free(arg);
	return worker_play(order.fd, order.jobs, -1);
}

int
worker_start(unsigned jobs, int core UNUSED, int *fd, pid_t *pid)
{
	struct order *order;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return errno;
	order = zeroed(1, sizeof(*order));
	*order = (struct order){ .fd = pair[1], .jobs = jobs };
	*fd = pair[0];
	*pid = world_process(play, order, "worker");
	return 0;
}
