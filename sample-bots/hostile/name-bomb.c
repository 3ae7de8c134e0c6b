/* name-bomb.c - fills folders with files that are empty: a limit of bytes does
 * not count them, but each of them takes memory of the kernel's.
 *
 * Bound: 50000 names a folder (50 MB of the kernel's, or so), 300 seconds; it
 * takes them away again. */
#include <fcntl.h>
#include <sys/stat.h>

#include "hostile.h"

#define NAMES 50000
#define SECONDS 300

static void
fill(const char *above)
{
	char own[100], what[100], name[20];
	long count = 0;
	int fd = -1, error;

	snprintf(own, sizeof(own), "%.40s/hostile-name-bomb", above);
	snprintf(what, sizeof(what), "names in %.40s", above);
	if (mkdir(own, 0700) < 0 || (fd = open(own, O_RDONLY)) < 0) {
		hostile_counted(what, 0, NAMES, errno);
		return;
	}
	for (errno = 0; count < NAMES; count++) {
		snprintf(name, sizeof(name), "%ld", count);
		if (mknodat(fd, name, S_IFREG | 0600, 0) < 0)
			break;
	}
	error = errno;
	for (long i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%ld", i);
		unlinkat(fd, name, 0);
	}
	rmdir(own);
	hostile_counted(what, count, NAMES, error);
}

static void
attack(char **args)
{
	(void)args;
	fill("/tmp");
	fill("/dev/shm");
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(SECONDS, attack, argv);
}
