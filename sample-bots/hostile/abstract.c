/* abstract.c NAME - calls the abstract unix socket NAME, which is in no folder,
 * and takes one for itself.
 *
 * Bound: one line. */
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "hostile.h"

#define LINE "hostile-abstract was here\n"

static socklen_t
address(struct sockaddr_un *to, const char *name)
{
	memset(to, 0, sizeof(*to));
	to->sun_family = AF_UNIX;
	snprintf(to->sun_path + 1, sizeof(to->sun_path) - 1, "%s", name);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			   strlen(to->sun_path + 1));
}

static void
attack(char **args)
{
	struct sockaddr_un to;
	int fd;
	long got;

	for (; *args != NULL; args++) {
		fd = socket(AF_UNIX, SOCK_STREAM, 0);
		got = fd < 0 ? -1
			     : connect(fd, (struct sockaddr *)&to,
				       address(&to, *args));
		if (got == 0)
			got = send(fd, LINE, strlen(LINE), MSG_NOSIGNAL);
		hostile_call("call an abstract socket", got);
	}
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
