/* referee/data/data-folder.c - see data-folder.h. */
#include "referee/data/data-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/place.h"

#define PATH_BYTES 4200

/* ---- whose it is ------------------------------------------------------ */

/* The entries that are checked. */
static const char *const inside[] = {
	"ladders",	 "bots",	"incoming",   "lock",
	"control",	 "roster.db",	"roster.key", "roster.db-wal",
	"roster.db-shm", "tournaments", "trials",
};

static int
check_status(const char *path, const struct stat *st, bool reached,
	     struct error *why)
{
	if (st->st_uid != geteuid() && st->st_uid != 0)
		return error_set(
			why, ERROR_MACHINE,
			"%s belongs to user %lu, who could change it at any "
			"time: run this as user %lu, or chown it",
			path, (unsigned long)st->st_uid,
			(unsigned long)st->st_uid);
	if (!reached || (st->st_mode & 022) == 0)
		return 0;
	return error_set(
		why, ERROR_MACHINE,
		"others may write in %s (mode %04o): check what is in it, "
		"then chmod go-w %s",
		path, (unsigned)(st->st_mode & 07777), path);
}

static int
check_inside(const char *dir, const char *name, bool reached, struct error *why)
{
	char path[PATH_BYTES];
	struct stat st;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, name) >=
	    sizeof(path))
		return 0; /* nothing there can be ours */
	return stat(path, &st) != 0 ? 0 : check_status(path, &st, reached, why);
}

static int
check_ladder(const char *dir, const char *name, bool reached, struct error *why)
{
	static const char *const files[] = { "", "/ladder.db", "/records" };
	char path[PATH_BYTES];
	int result = 0;

	for (unsigned i = 0; i < NELEM(files) && result == 0; i++) {
		snprintf(path, sizeof(path), "ladders/%s%s", name, files[i]);
		result = check_inside(dir, path, reached, why);
	}
	return result;
}

int
data_folder_check(const char *dir, const char *name, struct error *why)
{
	struct stat st;
	bool reached;
	int result;

	if (stat(dir, &st) != 0)
		return 0; /* opening it will say why */
	reached = (st.st_mode & 011) != 0;
	result = check_status(dir, &st, true, why);
	for (unsigned i = 0; i < NELEM(inside) && result == 0; i++)
		result = check_inside(dir, inside[i], reached, why);
	if (name != NULL && result == 0)
		result = check_ladder(dir, name, reached, why);
	return result;
}

/* Checks the place where the folder could be made.  If we may not write there,
 * the user who starts the daemon may. */
static int
check_above(const char *dir, struct error *why)
{
	char *copy = copied(dir);
	const int result = access(dirname(copy), W_OK | X_OK);

	free(copy);
	if (result == 0 || errno == EACCES)
		return 0;
	return path_error(why, ERROR_MACHINE, "make the folder", dir);
}

int
data_folder_rehearse(const char *dir, const char *name, struct error *why)
{
	struct stat st;

	if (stat(dir, &st) != 0 && errno == ENOTDIR)
		return path_error(why, ERROR_MACHINE, "make the folder", dir);
	if (stat(dir, &st) != 0)
		return check_above(dir, why);
	if (!S_ISDIR(st.st_mode))
		return error_set(why, ERROR_MACHINE, "%s is not a folder", dir);
	return access(dir, R_OK | X_OK) != 0
		       ? 0
		       : data_folder_check(dir, name, why);
}

bool
data_folder_is_copy(const char *dir)
{
	char path[PATH_BYTES];

	return (size_t)snprintf(path, sizeof(path), "%s/" DATA_FOLDER_COPY,
				dir) < sizeof(path) &&
	       access(path, F_OK) == 0;
}

bool
data_folder_is_read(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 && (st.st_mode & 05) != 0;
}

int
data_folder_find(const char *dir, struct error *why)
{
	char path[PATH_BYTES];

	if (snprintf(path, sizeof(path), "%s/ladders", dir) <
		    (int)sizeof(path) &&
	    access(path, F_OK) == 0)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "%.4000s is not a daemon's data folder", dir);
}

/* ---- its lock --------------------------------------------------------- */

static int
take(int fd, const char *path, struct error *why)
{
	char holder[LOCK_HOLDER_BYTES];

	if (lock_take(fd, holder) == 0)
		return fd;
	if (errno != EWOULDBLOCK)
		return path_error(why, ERROR_MACHINE, "lock", path);
	error_set(why, ERROR_MACHINE, "%s is in use by another referee%s", path,
		  holder);
	return DATA_FOLDER_IN_USE;
}

int
data_folder_take(const char *dir, struct error *why)
{
	char path[PATH_BYTES];
	int fd, result;

	if ((size_t)snprintf(path, sizeof(path), "%s/ladders", dir) >=
	    sizeof(path))
		return error_set(why, ERROR_INPUT,
				 "the path of the data folder is too long");
	if (data_folder_check(dir, NULL, why) < 0 ||
	    folder_need(dir, why) < 0 || folder_need(path, why) < 0)
		return DATA_FOLDER_TROUBLE;
	snprintf(path, sizeof(path), "%s/lock", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return path_error(why, ERROR_MACHINE, "open", path);
	result = take(fd, path, why);
	if (result < 0)
		close(fd);
	return result;
}
