/* referee/import/incoming.c - see incoming.h. */
#include "referee/import/incoming.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "protocol/file.h"
#include "referee/import/tree.h"

#define INCOMING_TRIES 16

/* ---- incoming --------------------------------------------------------- */

/* Opens and locks a folder.  Returns the descriptor, or -1 and errno:
 * EWOULDBLOCK if another process has the lock. */
static int
lock_folder(const char *path, int flags, int how)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);

	if (fd < 0 || flock(fd, how | LOCK_NB) == 0)
		return fd;
	close_quietly(fd);
	return -1;
}

/* Makes a folder of our own.  A process that sweeps may take it for an
 * abandoned one and remove it; then makes another one. */
static int
make_own(struct incoming *incoming, const char *below)
{
	for (unsigned tries = 0; tries < INCOMING_TRIES; tries++) {
		id_draw(incoming->name);
		snprintf(incoming->path, sizeof(incoming->path), "%s/%s", below,
			 incoming->name);
		snprintf(incoming->bot, sizeof(incoming->bot), "%s/bot",
			 incoming->path);
		if (mkdir(incoming->path, 0700) < 0)
			return -1;
		incoming->fd = lock_folder(incoming->path, O_NOFOLLOW, LOCK_EX);
		if (incoming->fd >= 0 && access(incoming->path, F_OK) == 0)
			return 0;
		close_quietly(incoming->fd);
		incoming->fd = -1;
	}
	errno = EAGAIN;
	return -1;
}

static unsigned
count_in(const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	unsigned count = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		count += entry->d_name[0] != '.';
	if (dir != NULL)
		closedir(dir);
	return count;
}

int
incoming_open(const char *data, struct incoming *incoming, struct error *why)
{
	char below[IMPORT_PATH_BYTES - IMPORT_NAME_BYTES - 1];

	if (snprintf(below, sizeof(below), "%s/incoming", data) >=
	    (int)sizeof(below) - 16)
		return error_set(why, ERROR_INPUT, "the path %s is too long",
				 data);
	incoming->fd = -1;
	if (folder_make(below, 0700) < 0 || make_own(incoming, below) < 0)
		return error_set(why, ERROR_MACHINE,
				 "cannot make a folder in %s: %m", below);
	/* Counts with ours included, so there are never too many, and of two
	 * that come at once at most one is refused wrongly. */
	if (count_in(below) > INCOMING_FOLDERS)
		error_set(why, ERROR_MACHINE,
			  "%d bots are being imported now, the most at a time: "
			  "wait until one is in, or end one; each is a "
			  "process with a folder in %s",
			  INCOMING_FOLDERS, below);
	else if (mkdirat(incoming->fd, "bot", 0755) < 0)
		path_error(why, ERROR_MACHINE, "make", incoming->bot);
	else
		return 0;
	incoming_close(incoming);
	return -1;
}

void
incoming_close(struct incoming *incoming)
{
	/* A sweep removes later what cannot be removed now. */
	(void)!tree_remove(AT_FDCWD, incoming->path);
	close(incoming->fd);
	incoming->fd = -1;
}

int
incoming_write(const struct incoming *incoming, const char *name,
	       const struct text *text, struct error *why)
{
	int fd = openat(incoming->fd, name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
	int result = fd < 0 ? -1 : file_write(fd, text->bytes, text->used);

	if (fd >= 0 && close(fd) == 0 && result == 0)
		return 0;
	return error_set(why, ERROR_MACHINE, "cannot write %s/%s: %m",
			 incoming->path, name);
}

static void
sweep_one(int below, const char *name)
{
	int fd = openat(below, name,
			O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	/* The folder of a running import can be opened and is locked. */
	if (fd < 0 ? errno == ENOTDIR || errno == ELOOP || errno == EACCES
		   : flock(fd, LOCK_EX | LOCK_NB) == 0)
		(void)!tree_remove(below, name);
	close_quietly(fd);
}

void
incoming_sweep(const char *data)
{
	char path[IMPORT_PATH_BYTES];
	const char *name;
	DIR *dir;

	if (snprintf(path, sizeof(path), "%s/incoming", data) >=
	    (int)sizeof(path))
		return;
	dir = opendir(path);
	while (dir != NULL && (name = tree_next(dir)) != NULL)
		sweep_one(dirfd(dir), name);
	if (dir != NULL)
		closedir(dir);
}

/* ---- bots ------------------------------------------------------------- */

void
import_path(const char *data, const char *hash, const char *below,
	    char path[IMPORT_PATH_BYTES])
{
	snprintf(path, IMPORT_PATH_BYTES, "%s/bots/%s%s%s", data, hash,
		 below[0] ? "/" : "", below);
}

/* Opens and locks the folder of a bot.  Returns -1 and errno on failure. */
static int
lock_bot(const char *data, const char *hash, int how)
{
	char path[IMPORT_PATH_BYTES];

	import_path(data, hash, "", path);
	return lock_folder(path, 0, how);
}

int
import_hold(const char *data, const char *hash, struct error *why)
{
	/* At our end the kernel closes the descriptor and frees the lock. */
	return lock_bot(data, hash, LOCK_SH) >= 0
		       ? 0
		       : error_set(why, ERROR_MACHINE,
				   "cannot open the bot's folder: %m");
}

bool
import_is_held(const char *data, const char *hash)
{
	const int fd = lock_bot(data, hash, LOCK_EX);

	close_quietly(fd);
	return fd < 0 && errno == EWOULDBLOCK;
}

void
import_drop(const char *data, const char *hash)
{
	char from[IMPORT_PATH_BYTES], to[IMPORT_PATH_BYTES];
	char name[IMPORT_NAME_BYTES + 1];

	snprintf(to, sizeof(to), "%s/incoming", data);
	if (folder_make(to, 0700) < 0)
		return;
	id_draw(name);
	import_path(data, hash, "", from);
	snprintf(to, sizeof(to), "%s/incoming/%s", data, name);
	rename(from, to);
}
