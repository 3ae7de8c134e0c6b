/* tiocsti.c - types into the terminal from which the match was started.
 *
 * Bound: one space for each terminal it finds. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "hostile.h"

static long
type_into(int fd)
{
	return fd < 0 ? -1 : ioctl(fd, TIOCSTI, " ");
}

static void
attack(char **args)
{
	char path[40];
	long typed = 0;
	int fd;

	(void)args;
	for (fd = 0; fd < 3; fd++)
		typed += type_into(fd) == 0;
	hostile_tried("type into its own descriptors", typed > 0, errno);
	fd = open("/dev/tty", O_RDWR);
	hostile_call("type into /dev/tty", type_into(fd));
	typed = 0;
	for (int i = 0; i < 64; i++) {
		snprintf(path, sizeof(path), "/dev/pts/%d", i);
		fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
		typed += type_into(fd) == 0;
		/* One that leads a session may make the terminal its own. */
		typed += fd >= 0 && ioctl(fd, TIOCSCTTY, 1) == 0 &&
			 type_into(fd) == 0;
		if (fd >= 0)
			close(fd);
	}
	hostile_tried("type into others' terminals", typed > 0, 0);
	fd = open("/dev/console", O_RDWR | O_NOCTTY | O_NONBLOCK);
	hostile_call("open the console", fd);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
