/* proc-peek.c - reads in /proc what others are: their arguments, environment,
 * files and maps.
 *
 * Bound: it reads a byte of each. */
#include <unistd.h>

#include "strangers.h"

static bool
reads(pid_t pid, const char *name)
{
	int fd = stranger_open(pid, name);
	char byte;
	bool got = fd >= 0 && read(fd, &byte, 1) == 1;

	if (fd >= 0)
		close(fd);
	return got;
}

static bool
arguments(pid_t pid)
{
	return reads(pid, "cmdline");
}

static bool
variables(pid_t pid)
{
	return reads(pid, "environ");
}

static bool
maps(pid_t pid)
{
	return reads(pid, "maps");
}

static bool
follows(pid_t pid, const char *name)
{
	char path[64], target[PATH_MAX];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return readlink(path, target, sizeof(target)) > 0;
}

static bool
first_file(pid_t pid)
{
	return follows(pid, "fd/0");
}

static bool
folder(pid_t pid)
{
	return follows(pid, "cwd");
}

static void
attack(char **args)
{
	(void)args;
	strangers_tell("arguments of others", arguments);
	strangers_tell("environment of others", variables);
	strangers_tell("maps of others", maps);
	strangers_tell("files of others", first_file);
	strangers_tell("folders of others", folder);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
