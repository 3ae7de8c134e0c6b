/* shadow.c - reads what on a machine is secret.
 *
 * Bound: it reads one byte of each and writes nothing. */
#include <fcntl.h>

#include "hostile.h"

static const char *const secrets[] = {
	"/etc/shadow",
	"/etc/gshadow",
	"/etc/sudoers",
	"/etc/ssh/ssh_host_ed25519_key",
	"/root/.ssh/id_ed25519",
	"/root/.bash_history",
	"/root/.profile",
	"/var/log/syslog",
	"/var/lib/dpkg/lock",
	"/proc/kcore",
	"/proc/kmsg",
	"/dev/mem",
};

static void
attack(char **args)
{
	char byte;

	(void)args;
	for (size_t i = 0; i < sizeof(secrets) / sizeof(*secrets); i++) {
		int fd = open(secrets[i], O_RDONLY | O_NONBLOCK);

		hostile_call(secrets[i], fd < 0 ? -1 : read(fd, &byte, 1));
		if (fd >= 0)
			close(fd);
	}
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
