/* referee/serve/data-folder.c - see data-folder.h. */
#include "referee/serve/data-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "ladder/durable.h"

static int
make(const char *dir, char why[DATA_FOLDER_WHY_BYTES])
{
	if (folder_make(dir, 0700) == 0)
		return 0;
	snprintf(why, DATA_FOLDER_WHY_BYTES, "cannot make the folder %s: %s",
		 dir, strerror(errno));
	return -1;
}

/* Its process is told for people; the lock itself needs no number. */
static int
take(int fd, const char *path, char why[DATA_FOLDER_WHY_BYTES])
{
	char pid[24] = "";
	ssize_t n;

	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		n = snprintf(pid, sizeof(pid), "%ld\n", (long)getpid());
		if (ftruncate(fd, 0) != 0 || pwrite(fd, pid, (size_t)n, 0) != n)
			errno = 0; /* a full disk may leave it out */
		return fd;
	}
	if (errno != EWOULDBLOCK) {
		snprintf(why, DATA_FOLDER_WHY_BYTES, "cannot lock %s: %s", path,
			 strerror(errno));
		return DATA_FOLDER_TROUBLE;
	}
	n = pread(fd, pid, sizeof(pid) - 1, 0);
	pid[n > 0 ? n : 0] = '\0';
	snprintf(why, DATA_FOLDER_WHY_BYTES,
		 "%s is held by another referee (process %.*s)", path,
		 (int)strcspn(pid, "\n"), pid);
	return DATA_FOLDER_IN_USE;
}

int
data_folder_take(const char *dir, char why[DATA_FOLDER_WHY_BYTES])
{
	char path[4200];
	int fd, result;

	if ((size_t)snprintf(path, sizeof(path), "%s/ladders", dir) >=
	    sizeof(path)) {
		snprintf(why, DATA_FOLDER_WHY_BYTES,
			 "the path of the data folder is too long");
		return DATA_FOLDER_TROUBLE;
	}
	if (make(dir, why) < 0 || make(path, why) < 0)
		return DATA_FOLDER_TROUBLE;
	snprintf(path, sizeof(path), "%s/lock", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0) {
		snprintf(why, DATA_FOLDER_WHY_BYTES, "cannot open %s: %s", path,
			 strerror(errno));
		return DATA_FOLDER_TROUBLE;
	}
	result = take(fd, path, why);
	if (result < 0)
		close(fd);
	return result;
}
