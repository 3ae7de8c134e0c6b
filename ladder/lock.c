/* ladder/lock.c - one writer at a time: the file beside the ladder's.
 *
 * It stays when the ladder is closed, as the sign that the ladder's file, even
 * an empty one, is ours.  Only who made both and failed takes it away again. */
#include "ladder/store-inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static long
holder_of(int lock)
{
	char text[24];
	ssize_t n = pread(lock, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return 0;
	text[n] = '\0';
	return strtol(text, NULL, 10);
}

/* For the sentence of others only: a full disk may leave it out. */
static void
write_holder(int lock)
{
	char pid[24];
	int n = snprintf(pid, sizeof(pid), "%ld\n", (long)getpid());

	if (ftruncate(lock, 0) != 0 || pwrite(lock, pid, (size_t)n, 0) != n)
		errno = 0;
}

static int
open_lock(struct ladder *ladder)
{
	int fd = open(ladder->lock_file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
		      0644);

	ladder->lock_made = fd != -1;
	if (fd == -1 && errno == EEXIST)
		fd = open(ladder->lock_file, O_RDWR | O_CREAT | O_CLOEXEC,
			  0644);
	return fd;
}

/* Whether this is still the file of that name: its maker may have taken it
 * away between our opening and our locking it. */
static bool
is_there(const struct ladder *ladder)
{
	struct stat named, open;

	return stat(ladder->lock_file, &named) == 0 &&
	       fstat(ladder->lock, &open) == 0 && named.st_ino == open.st_ino &&
	       named.st_dev == open.st_dev;
}

int
lock_take(struct ladder *ladder, struct error *why)
{
	ladder->lock_file = formatted("%s.lock", ladder->file);
	for (;;) {
		ladder->lock = open_lock(ladder);
		if (ladder->lock == -1)
			return error_set(why, place_kind(errno),
					 "cannot open %s.lock: %m",
					 ladder->path);
		if (flock(ladder->lock, LOCK_EX | LOCK_NB) != 0)
			break;
		if (is_there(ladder)) {
			write_holder(ladder->lock);
			return 0;
		}
		close(ladder->lock);
	}
	ladder->lock_made = false;
	if (errno != EWOULDBLOCK)
		return error_set(why, ERROR_MACHINE, "cannot lock %s.lock: %m",
				 ladder->path);
	return error_set(why, ERROR_MACHINE,
			 "ladder %s is in use by another referee (process "
			 "%ld)",
			 ladder->path, holder_of(ladder->lock));
}

void
lock_give_back(struct ladder *ladder, bool remove)
{
	if (ladder->lock == -1)
		return;
	if (remove && ladder->lock_made)
		unlink(ladder->lock_file);
	close(ladder->lock);
	ladder->lock = -1;
}
