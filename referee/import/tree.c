/* referee/import/tree.c - see tree.h.
 *
 * Down to TREE_LEVELS each folder is emptied by a call of its own, which holds
 * its descriptor.  A deeper folder is moved into the topmost one, under a free
 * name, and emptied there.  So neither the stack nor descriptors run out, and
 * no path is ever longer than a name. */
#include "referee/import/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/file.h"

const char *
tree_next(DIR *dir)
{
	const struct dirent *entry;

	do
		entry = readdir(dir);
	while (entry != NULL && (strcmp(entry->d_name, ".") == 0 ||
				 strcmp(entry->d_name, "..") == 0));
	return entry == NULL ? NULL : entry->d_name;
}

struct removal {
	int top;	 /* the folder to remove */
	uint64_t number; /* number for the next free name */
	bool moved;	 /* something was moved up in this pass */
	int error;	 /* the last errno; 0: all went well */
};

int
tree_open_up(int at, const char *name, unsigned mode)
{
	int fd = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	char path[40];
	int result = -1;

	if (fd < 0)
		return -1;
	/* fchmod() does not work on an O_PATH descriptor. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fstat(fd, &st) == 0)
		result = S_ISLNK(st.st_mode) || (st.st_mode & mode) == mode
				 ? 0
				 : chmod(path, (st.st_mode & 0777) | mode);
	close(fd);
	return result;
}

static int
open_folder(int at, const char *name)
{
	if (tree_open_up(at, name, S_IRWXU) < 0)
		return -1;
	return openat(at, name,
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Moves a folder into the topmost one. */
static int
move_up(struct removal *removal, int at, const char *name)
{
	char to[32];

	if (tree_open_up(at, name, S_IRWXU) < 0)
		return -1;
	do
		snprintf(to, sizeof(to), "moved-%llu",
			 (unsigned long long)removal->number++);
	while (renameat2(at, name, removal->top, to, RENAME_NOREPLACE) < 0 &&
	       errno == EEXIST);
	removal->moved = true;
	return faccessat(removal->top, to, F_OK, AT_SYMLINK_NOFOLLOW);
}

static int empty(struct removal *removal, int folder, unsigned level);

static int
remove_one(struct removal *removal, int at, const char *name, unsigned level)
{
	int below;

	if (unlinkat(at, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -1;
	if (unlinkat(at, name, AT_REMOVEDIR) == 0)
		return 0;
	if (errno != ENOTEMPTY && errno != EEXIST)
		return -1;
	if (level == TREE_LEVELS)
		return move_up(removal, at, name);
	below = open_folder(at, name);
	if (below < 0 || empty(removal, below, level + 1) < 0)
		return -1;
	return unlinkat(at, name, AT_REMOVEDIR);
}

/* Empties a folder and closes its descriptor.  Returns -1 if something is left;
 * the reason is noted. */
static int
empty(struct removal *removal, int folder, unsigned level)
{
	DIR *dir = fdopendir(folder);
	const char *name;
	int result = 0;

	if (dir == NULL) {
		removal->error = errno;
		close(folder);
		return -1;
	}
	while ((name = tree_next(dir)) != NULL)
		if (remove_one(removal, folder, name, level) < 0) {
			removal->error = errno;
			result = -1;
		}
	closedir(dir);
	errno = removal->error;
	return result;
}

/* Empties the top until nothing has come up from below. */
static int
empty_top(int top)
{
	struct removal removal = { .top = top };
	int folder, result;

	do {
		removal.moved = false;
		folder = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		result = folder < 0 ? -1 : empty(&removal, folder, 1);
	} while (removal.moved);
	return result;
}

int
tree_remove(int at, const char *name)
{
	int top, result;

	if (unlinkat(at, name, 0) == 0 ||
	    unlinkat(at, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	if (errno != ENOTEMPTY && errno != EEXIST)
		return -1;
	top = open_folder(at, name);
	if (top < 0)
		return -1;
	result = empty_top(top);
	close_quietly(top);
	return result < 0 ? -1 : unlinkat(at, name, AT_REMOVEDIR);
}
