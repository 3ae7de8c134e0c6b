/* ladder.c PATH... - reads, locks and writes the organiser's files: the ladder,
 * the records, the data folder, whatever it is told of.
 *
 * Bound: it writes not a byte into what is there; in a folder it leaves one
 * empty file, and a lock goes with the process. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>

#include "hostile.h"

static void
try_open(const char *verb, const char *path, int how)
{
	char what[120];
	int fd = open(path, how | O_NONBLOCK | O_CLOEXEC, 0600);
	int error = errno;

	snprintf(what, sizeof(what), "%s %.90s", verb, path);
	hostile_tried(what, fd >= 0, error);
	if (fd >= 0 && strcmp(verb, "lock") == 0)
		flock(fd, LOCK_EX | LOCK_NB);
	else if (fd >= 0)
		close(fd);
}

static void
try_folder(const char *path)
{
	char inside[PATH_MAX];

	snprintf(inside, sizeof(inside), "%s/hostile-ladder-was-here", path);
	try_open("create", inside, O_WRONLY | O_CREAT);
}

static void
attack(char **args)
{
	for (; *args != NULL; args++) {
		try_open("read", *args, O_RDONLY);
		try_open("lock", *args, O_RDONLY);
		try_open("write", *args, O_WRONLY);
		try_folder(*args);
	}
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
