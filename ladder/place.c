/* ladder/place.c - see place.h.
 *
 * SQLite gets the file's path from the root on, because it does not take some
 * names, such as the empty one and ":memory:", for files.
 *
 * The lock's file stays when the ladder is closed, as the sign that the
 * ladder's file, even an empty one, is ours.  Only a process that made both and
 * failed removes it again. */
#include "ladder/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "protocol/file.h"

/* Returns the path of a file that is not there yet; NULL and errno on an error. */
static char *
path_to_be(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char *given, *folder, *whole = NULL;

	if (*name == '\0') {
		errno = ENOENT;
		return NULL;
	}
	given = slash ? formatted("%.*s", (int)(name - path), path)
		      : copied(".");
	folder = realpath(given, NULL);
	free(given);
	if (folder != NULL)
		whole = formatted("%s/%s",
				  strcmp(folder, "/") == 0 ? "" : folder, name);
	free(folder);
	return whole;
}

char *
place_real(const char *path, bool *made)
{
	char *file = realpath(path, NULL);

	*made = file == NULL && errno == ENOENT;
	return *made ? path_to_be(path) : file;
}

int
place_find(struct place *place, const char *path, struct error *why)
{
	place->path = copied(path);
	place->lock = -1;
	if (*path == '\0')
		return error_set(why, ERROR_INPUT,
				 "a ladder's file must have a name");
	place->file = place_real(path, &place->made);
	if (place->file == NULL)
		return path_error(why, path_kind(errno), "open ladder", path);
	place->dir_bytes = (size_t)(strrchr(place->file, '/') - place->file);
	return 0;
}

const char *
place_short(const struct place *place, const char *path)
{
	size_t n = place->dir_bytes;

	if (strncmp(path, place->file, n) != 0)
		return path;
	if (path[n] == '\0')
		return ".";
	return path[n] == '/' && path[n + 1] != '\0' ? path + n + 1 : path;
}

void
place_long(const struct place *place, const char *stored, char *path,
	   size_t size)
{
	int n = (int)place->dir_bytes;

	if (*stored == '/')
		snprintf(path, size, "%s", stored);
	else if (strcmp(stored, ".") == 0)
		snprintf(path, size, "%.*s", n, place->file);
	else
		snprintf(path, size, "%.*s/%s", n, place->file, stored);
}

/* ---- the lock --------------------------------------------------------- */

/* Only the sentences of other processes need the number, so a full disk may
 * leave it out. */
int
lock_take(int fd, char holder[LOCK_HOLDER_BYTES])
{
	char pid[24] = "";
	int n;

	holder[0] = '\0';
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		n = snprintf(pid, sizeof(pid), "%ld\n", (long)getpid());
		if (ftruncate(fd, 0) != 0 || pwrite(fd, pid, (size_t)n, 0) != n)
			errno = 0;
		return 0;
	}
	if (errno == EWOULDBLOCK && pread(fd, pid, sizeof(pid) - 1, 0) < 0)
		errno = EWOULDBLOCK;
	pid[strspn(pid, "0123456789")] = '\0';
	if (pid[0] != '\0')
		snprintf(holder, LOCK_HOLDER_BYTES, " (process %s)", pid);
	return -1;
}

/* Refuses a link, because the file is written to: a link that came with a
 * foreign ladder may lead to any file. */
static int
open_lock(struct place *place)
{
	const int flags =
		O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	struct stat st;
	int fd = open(place->lock_file, flags | O_EXCL, 0644);

	place->lock_made = fd != -1;
	if (fd == -1 && errno == EEXIST)
		fd = open(place->lock_file, flags, 0644);
	if (fd == -1 ||
	    (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink <= 1))
		return fd;
	close(fd);
	errno = ELOOP;
	return -1;
}

/* Returns true if this is still the file of that name: the process that made it
 * may have removed it between our opening and our locking it. */
static bool
is_there(const struct place *place, int fd)
{
	struct stat named, open;

	return stat(place->lock_file, &named) == 0 && fstat(fd, &open) == 0 &&
	       named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

/* Takes a second lock that place_is_locked() can ask for: flock() has no way to
 * ask without taking a lock. */
static void
mark_locked(int fd)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fcntl(fd, F_OFD_SETLK, &whole) != 0)
		errno = 0; /* then a reader may say that no process writes */
}

bool
place_is_locked(const struct place *place)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char *file = formatted("%s.lock", place->file);
	const int fd =
		open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool locked = false;

	free(file);
	if (fd == -1)
		return false;
	if (fcntl(fd, F_OFD_GETLK, &whole) == 0)
		locked = whole.l_type != F_UNLCK;
	close(fd);
	return locked;
}

int
place_lock(struct place *place, struct error *why)
{
	int fd;
	char holder[LOCK_HOLDER_BYTES];

	place->lock_file = formatted("%s.lock", place->file);
	for (;;) {
		fd = open_lock(place);
		if (fd == -1 && errno == ELOOP)
			return error_set(why, ERROR_INPUT,
					 "%s.lock is a link, and would be "
					 "written to: move it away",
					 place->path);
		if (fd == -1)
			return error_set(why, path_kind(errno),
					 "cannot open %s.lock: %m",
					 place->path);
		if (lock_take(fd, holder) < 0)
			break;
		if (is_there(place, fd)) {
			mark_locked(fd);
			place->lock = fd;
			return 0;
		}
		close(fd);
	}
	close_quietly(fd);
	if (errno != EWOULDBLOCK)
		return error_set(why, ERROR_MACHINE, "cannot lock %s.lock: %m",
				 place->path);
	return error_set(why, ERROR_MACHINE,
			 "ladder %s is in use by another referee%s",
			 place->path, holder);
}

void
place_release(struct place *place, bool remove)
{
	/* Without the lock the files are not ours to remove. */
	remove = remove && place->lock != -1;
	/* If the ladder's file stays, the lock's must still say that it is ours. */
	if (remove && place->made)
		remove = unlink(place->file) == 0 || errno == ENOENT;
	if (remove && place->lock_made)
		unlink(place->lock_file);
	close_quietly(place->lock);
	free(place->lock_file);
	free(place->file);
	free(place->path);
}
