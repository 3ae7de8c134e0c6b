/* disk-fill.c - writes wherever it can, as much as it can.
 *
 * Bound: 128 MiB a folder, 300 seconds.  The large files have lost their names
 * before they grow, so they go with the process; a small one with a name stays
 * in each folder, for all who look. */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "hostile.h"

#define MIB 128
#define SECONDS 300

static char block[1 << 20];

static int
open_new(const char *folder, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
}

static void
leave_name(const char *folder)
{
	int fd = open_new(folder, "hostile-disk-fill-was-here");

	if (fd >= 0)
		close(fd);
}

/* Returns how many MiB go into one file; `errno` says why no more. */
static long
fill_one(const char *folder, long most)
{
	char path[PATH_MAX];
	long count = 0;
	int fd = open_new(folder, "hostile-large");

	snprintf(path, sizeof(path), "%s/hostile-large", folder);
	if (fd >= 0)
		unlink(path);
	while (fd >= 0 && count < most &&
	       write(fd, block, sizeof(block)) == sizeof(block))
		count++;
	return count;
}

/* If there is a bound to one file, there come more of them. */
static void
fill(const char *folder)
{
	char what[80];
	long count = 0, more;

	if (folder == NULL)
		return;
	leave_name(folder);
	snprintf(what, sizeof(what), "MiB in %.60s", folder);
	do {
		errno = 0;
		more = fill_one(folder, MIB - count);
		count += more;
	} while (more > 0 && count < MIB);
	hostile_counted(what, count, MIB, errno);
}

/* The folders of the command line beside those that everybody knows. */
static void
attack(char **args)
{
	signal(SIGXFSZ, SIG_IGN);
	fill(".");
	fill("/");
	fill("/tmp");
	fill("/var/tmp");
	fill("/dev/shm");
	fill("/dev");
	fill("/run");
	fill(getenv("HOME"));
	while (*args != NULL)
		fill(*args++);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(SECONDS, attack, argv);
}
