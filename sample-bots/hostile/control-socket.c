/* control-socket.c PATH... - calls the daemon by its control socket, and what
 * else listens in folders: the system's bus, a container engine, the journal.
 *
 * Bound: it connects and says one line that means nothing. */
#include <sys/socket.h>
#include <sys/un.h>

#include "hostile.h"

#define LINE "hostile-control-socket was here\n"

static const char *const known[] = {
	"/run/dbus/system_bus_socket",
	"/run/systemd/private",
	"/run/systemd/notify",
	"/run/systemd/journal/dev-log",
	"/dev/log",
	"/var/run/docker.sock",
	"/run/containerd/containerd.sock",
};

static void
call(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), error;
	bool got;

	snprintf(to.sun_path, sizeof(to.sun_path), "%s", path);
	got = fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0;
	/* One that wants datagrams was reached as well. */
	error = errno;
	got = got || error == EPROTOTYPE;
	if (got)
		send(fd, LINE, strlen(LINE), MSG_NOSIGNAL);
	hostile_tried(path, got, error);
}

static void
attack(char **args)
{
	while (*args != NULL)
		call(*args++);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		call(known[i]);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
