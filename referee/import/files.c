/* referee/import/files.c - see files.h. */
#include "referee/import/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/base/serve-limits.h"
#include "referee/config/bot-folder.h"
#include "referee/import/intake.h"
#include "referee/import/tree.h"

#define COPY_BYTES 65536

/* ---- files ------------------------------------------------------------ */

/* Copies a file, which must still be as long as when it was looked at. */
static int
copy_bytes(struct intake *intake, const char *path, int from, int to,
	   uint64_t size)
{
	char bytes[COPY_BYTES];
	uint64_t left = size;
	ssize_t n = 1;

	while (left > 0 && n > 0) {
		n = read(from, bytes,
			 left < sizeof(bytes) ? left : sizeof(bytes));
		if (n > 0 && file_write(to, bytes, (size_t)n) < 0)
			return intake_fail(intake, path);
		left -= n > 0 ? (uint64_t)n : 0;
	}
	if (n < 0)
		return intake_fail(intake, path);
	if (left > 0)
		return intake_refuse(intake,
				     "%s became shorter while it was read",
				     quoted(path).text);
	return 0;
}

static bool
is_built(const struct intake *intake)
{
	return intake->left_out != NULL;
}

static int
copy_file(struct intake *intake, int folder, const char *name, const char *path)
{
	int from, to = -1, result = -1;
	struct stat st;

	/* A build may have removed our rights. */
	if (is_built(intake) && tree_open_up(folder, name, S_IRUSR) < 0)
		return intake_fail(intake, path);
	from = openat(folder, name,
		      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (from < 0 || fstat(from, &st) < 0)
		intake_fail(intake, path);
	else if (!S_ISREG(st.st_mode))
		intake_refuse(intake, "%s is neither a file nor a folder",
			      quoted(path).text);
	else
		to = intake_add_file(intake, path, st.st_size,
				     (st.st_mode & 0111) != 0);
	if (to >= 0)
		result = copy_bytes(intake, path, from, to,
				    (uint64_t)st.st_size);
	close_quietly(from);
	if (to >= 0 && close(to) < 0 && result == 0)
		result = intake_fail(intake, path);
	return result;
}

static int
copy_link(struct intake *intake, int folder, const char *name, const char *path)
{
	char target[PATH_MAX];
	ssize_t n;

	if (!is_built(intake))
		return intake_odd(intake, path, "is a link");
	n = readlinkat(folder, name, target, sizeof(target) - 1);
	if (n < 0)
		return intake_fail(intake, path);
	target[n] = '\0';
	return intake_add_link(intake, path, target);
}

static int copy_folder(struct intake *intake, int folder, const char *path);

static int
copy_below(struct intake *intake, int folder, const char *name,
	   const char *path)
{
	int below;

	if (intake_add_folder(intake, path) < 0)
		return -1;
	if (is_built(intake) && tree_open_up(folder, name, S_IRWXU) < 0)
		return intake_fail(intake, path);
	below = openat(folder, name,
		       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (below < 0)
		return intake_fail(intake, path);
	return copy_folder(intake, below, path);
}

static int
copy_one(struct intake *intake, int folder, const char *name, const char *path)
{
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return intake_fail(intake, path);
	switch (st.st_mode & S_IFMT) {
	case S_IFLNK:
		return copy_link(intake, folder, name, path);
	case S_IFREG:
		return copy_file(intake, folder, name, path);
	case S_IFDIR:
		if (intake->aside != NULL &&
		    st.st_dev == intake->aside->st_dev &&
		    st.st_ino == intake->aside->st_ino) {
			intake->without = true;
			return 0;
		}
		return copy_below(intake, folder, name, path);
	default:
		return intake_odd(intake, path,
				  "is neither a file nor a folder");
	}
}

/* Copies a folder and closes its descriptor. intake_add_folder() limits the
 * depth. */
static int
copy_folder(struct intake *intake, int folder, const char *path)
{
	DIR *dir = fdopendir(folder);
	char below[BUILT_PATH_BYTES + NAME_MAX + 2];
	const char *name;
	int result = 0;

	if (dir == NULL)
		bug("out of memory");
	while (result == 0 && (name = tree_next(dir)) != NULL) {
		snprintf(below, sizeof(below), "%s%s%s", path,
			 path[0] ? "/" : "", name);
		result = copy_one(intake, folder, name, below);
	}
	closedir(dir);
	return result;
}

/* Lifts the single folder of an archive that was made from outside it. */
static int
lift_single(struct intake *intake, const char *to)
{
	char from[IMPORT_PATH_BYTES], aside[IMPORT_PATH_BYTES];
	char name[NAME_MAX + 1] = "";
	const char *found;
	DIR *dir = opendir(to);
	unsigned count = 0;

	while (dir != NULL && (found = tree_next(dir)) != NULL) {
		count++;
		snprintf(name, sizeof(name), "%s", found);
	}
	if (dir != NULL)
		closedir(dir);
	snprintf(from, sizeof(from), "%s/%s/" BOT_FOLDER_MANIFEST, to, name);
	if (count != 1 || access(from, F_OK) < 0)
		return 0;
	snprintf(from, sizeof(from), "%s/%s", to, name);
	snprintf(aside, sizeof(aside), "%s.lifted", to);
	if (rename(from, aside) < 0 || rmdir(to) < 0 || rename(aside, to) < 0)
		return intake_fail(intake, name);
	return 0;
}

/* ---- either ----------------------------------------------------------- */

static const struct intake_most sent = {
	.files = BOT_FILES,
	.file_bytes = BOT_FILE_BYTES,
	.bytes = BOT_BYTES,
	.path_bytes = BOT_PATH_BYTES,
	.part_bytes = BOT_PART_BYTES,
	.depth = BOT_DEPTH,
};

static const struct intake_most built = {
	.files = BUILT_FILES,
	.file_bytes = BUILT_FILE_BYTES,
	.bytes = BUILT_BYTES,
	.path_bytes = BUILT_PATH_BYTES,
	.part_bytes = BUILT_PART_BYTES,
	.depth = BUILT_DEPTH,
};

static void
begin(struct intake *intake, const char *to)
{
	intake->to = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (intake->to < 0)
		bug("%s exists, but is not", to);
}

static void
end(struct intake *intake)
{
	close(intake->to);
	tdestroy(intake->told, free);
}

static int
take(const char *source, int64_t archive_bytes, const struct stat *aside,
     const char *to, bool *without, struct error *why)
{
	struct intake intake = { .source = source,
				 .most = &sent,
				 .archive_bytes = archive_bytes,
				 .aside = aside,
				 .why = why };
	struct stat st;
	int from = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK), result;

	if (from < 0 || fstat(from, &st) < 0) {
		result = intake_refuse(&intake, "%s", strerror(errno));
		close_quietly(from);
		return result;
	}
	begin(&intake, to);
	if (S_ISDIR(st.st_mode)) {
		result = copy_folder(&intake, from, "");
	} else {
		result = intake_archive(&intake, from);
		close(from);
		if (result == 0)
			result = lift_single(&intake, to);
	}
	end(&intake);
	*without = intake.without;
	return result;
}

int
import_files(const char *source, const char *data, const char *to,
	     bool *without, struct error *why)
{
	struct stat st;

	return take(source, BOT_ARCHIVE_BYTES,
		    stat(data, &st) == 0 ? &st : NULL, to, without, why);
}

int
import_unpack(const char *source, const char *to, struct error *why)
{
	bool without;

	/* A folder has no limit of an archive's bytes. */
	return take(source, BOT_PACK_BYTES, NULL, to, &without, why);
}

int
import_built(int from, const char *to, struct text *left_out, struct error *why)
{
	struct intake intake = { .source = "what its build left",
				 .most = &built,
				 .left_out = left_out,
				 .why = why };
	int folder = -1, result;

	/* The build may have closed the top folder, too; and the copy needs a
	 * reading position of its own. */
	if (fchmod(from, S_IRWXU) == 0)
		folder = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return intake_fail(&intake, ".");
	begin(&intake, to);
	result = copy_folder(&intake, folder, "");
	end(&intake);
	return result;
}

/* ---- the disk --------------------------------------------------------- */

/* Returns true if there is room for so many imports, and the reserve. */
static bool
has_room(const char *data, unsigned imports)
{
	/* The old and the new files exist at the same time. */
	const uint64_t bytes = UPLOAD_RESERVE_BYTES +
			       imports * ((uint64_t)BOT_BYTES + BUILT_BYTES);
	const uint64_t files =
		UPLOAD_RESERVE_FILES + imports * (BOT_FILES + BUILT_FILES);
	struct statvfs fs;

	/* If the file system gives no answer, there is room; some do not count
	 * files. */
	return statvfs(data, &fs) < 0 ||
	       ((uint64_t)fs.f_bavail * fs.f_frsize >= bytes &&
		(fs.f_files == 0 || fs.f_favail >= files));
}

_Static_assert((UPLOAD_RESERVE_BYTES + BOT_BYTES + BUILT_BYTES) >> 20 == 1088 &&
		       UPLOAD_RESERVE_FILES + BOT_FILES + BUILT_FILES == 32000,
	       "IMPORT_NO_ROOM says so");

bool
import_has_room(const char *data)
{
	return has_room(data, 1);
}

bool
import_has_much_room(const char *data)
{
	return has_room(data, 2);
}
