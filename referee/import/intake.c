/* referee/import/intake.c - see intake.h. */
#include "referee/import/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "protocol/file.h"
#include "protocol/utf8.h"
#include "referee/sandbox/sandbox.h"

int
intake_refuse(struct intake *intake, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_vset(intake->why, ERROR_INPUT, fmt, ap);
	va_end(ap);
	return error_prefix(intake->why, "%.4000s: ", intake->source);
}

/* ---- paths ------------------------------------------------------------ */

/* Checks one part of a path, `n` bytes. */
static int
check_part(struct intake *intake, const char *path, const char *part, size_t n)
{
	if (n == 0)
		return intake_refuse(intake, "%s has an empty part",
				     quoted(path).text);
	if (n == 2 && memcmp(part, "..", 2) == 0)
		return intake_refuse(intake, "%s leaves the folder",
				     quoted(path).text);
	if (n == 1 && part[0] == '.')
		return intake_refuse(intake, "%s contains the part `.`",
				     quoted(path).text);
	if (n > intake->most->part_bytes)
		return intake_refuse(
			intake, "a name in %s has more than %u bytes",
			quoted(path).text, intake->most->part_bytes);
	return 0;
}

static int
check_path(struct intake *intake, const char *path)
{
	const char *part = path, *slash;
	size_t i, n = strlen(path);
	unsigned depth = 0;

	if (path[0] == '/')
		return intake_refuse(intake, "%s is an absolute path",
				     quoted(path).text);
	if (n > intake->most->path_bytes)
		return intake_refuse(
			intake, "the path %s has more than %u bytes",
			quoted(path).text, intake->most->path_bytes);
	for (i = 0; i < n; i++)
		if ((unsigned char)path[i] < ' ' || path[i] == 0x7f)
			return intake_refuse(intake,
					     "%s contains a control character",
					     quoted(path).text);
	if (!utf8_ok(path))
		return intake_refuse(intake,
				     "the name %s is not UTF-8, or has "
				     "characters that turn text around",
				     quoted(path).text);
	do {
		slash = strchrnul(part, '/');
		if (check_part(intake, path, part, (size_t)(slash - part)) < 0)
			return -1;
		if (++depth > intake->most->depth)
			return intake_refuse(
				intake, "%s is more than %u folders deep",
				quoted(path).text, intake->most->depth - 1);
		part = slash + 1;
	} while (*slash != '\0');
	return 0;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int
count_one(struct intake *intake)
{
	return ++intake->count <= intake->most->files
		       ? 0
		       : intake_refuse(intake, "more than %u files and folders",
				       intake->most->files);
}

/* Notes an entry.  A path may stand only once. */
static int
tell(struct intake *intake, const char *path)
{
	char *copy;
	char **found;

	if (check_path(intake, path) < 0 || count_one(intake) < 0)
		return -1;
	copy = copied(path);
	found = (char **)tsearch(copy, &intake->told, compare);
	if (found == NULL)
		bug("out of memory");
	if (*found == copy)
		return 0;
	free(copy);
	return intake_refuse(intake, "%s is given twice", quoted(path).text);
}

/* ---- entries ---------------------------------------------------------- */

int
intake_fail(struct intake *intake, const char *path)
{
	const int error = errno;

	(void)intake_refuse(intake, "cannot copy %s: %s", quoted(path).text,
			    strerror(error));
	intake->why->kind = path_kind(error);
	return -1;
}

int
intake_odd(struct intake *intake, const char *path, const char *what)
{
	if (intake->left_out == NULL)
		return intake_refuse(intake, "%s %s", quoted(path).text, what);
	if (tell(intake, path) < 0)
		return -1;
	text_fmt(intake->left_out, "%s was left out: it %s\n",
		 quoted(path).text, what);
	return 0;
}

/* Makes the folders above an entry, which need no entries of their own. */
static int
make_above(struct intake *intake, const char *path)
{
	char above[BUILT_PATH_BYTES + 1];
	const char *slash = path;

	while ((slash = strchr(slash, '/')) != NULL) {
		snprintf(above, sizeof(above), "%.*s", (int)(slash - path),
			 path);
		if (mkdirat(intake->to, above, 0755) < 0) {
			if (errno != EEXIST)
				return intake_fail(intake, path);
		} else if (count_one(intake) < 0) {
			return -1;
		}
		slash++;
	}
	return 0;
}

int
intake_add_folder(struct intake *intake, const char *path)
{
	struct stat st;

	if (tell(intake, path) < 0 || make_above(intake, path) < 0)
		return -1;
	if (mkdirat(intake->to, path, 0755) == 0)
		return 0;
	if (errno == EEXIST &&
	    fstatat(intake->to, path, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode))
		return 0;
	return intake_fail(intake, path);
}

/* Opens a new file of this size for writing.  Returns a descriptor, or -1. */
int
intake_add_file(struct intake *intake, const char *path, int64_t size,
		bool executable)
{
	int fd;

	if (tell(intake, path) < 0)
		return -1;
	if (size < 0 || (uint64_t)size > intake->most->file_bytes)
		return intake_refuse(
			intake, "%s has more than %llu bytes",
			quoted(path).text,
			(unsigned long long)intake->most->file_bytes);
	if (intake->bytes + (uint64_t)size > intake->most->bytes)
		return intake_refuse(
			intake, "all files together have more than %llu bytes",
			(unsigned long long)intake->most->bytes);
	intake->bytes += (uint64_t)size;
	if (make_above(intake, path) < 0)
		return -1;
	/* No part of the path is a link, because nothing is ever put below one. */
	fd = openat(intake->to, path,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    executable ? 0755 : 0644);
	return fd < 0 ? intake_fail(intake, path) : fd;
}

/* ---- links ------------------------------------------------------------ */

/* Returns true if `..` stands behind a name.  In front it leads from folder to
 * folder, but behind a name, which may be a link, it could lead anywhere. */
static bool
turns_back(const char *target)
{
	while (strncmp(target, "../", 3) == 0)
		target += 3;
	for (; target != NULL; target = strchr(target, '/')) {
		target += *target == '/';
		if (strncmp(target, "..", 2) == 0 &&
		    (target[2] == '/' || target[2] == '\0'))
			return true;
	}
	return false;
}

/* Returns the number of folders that `path` lies in. */
static unsigned
depth_of(const char *path)
{
	unsigned depth = 0;

	while ((path = strchr(path, '/')) != NULL) {
		path++;
		depth++;
	}
	return depth;
}

static bool
stays(const char *path, const char *target)
{
	unsigned up = 0;

	if (target[0] == '/')
		return !turns_back(target) &&
		       (path_is_below(target, "/usr") ||
			path_is_below(target, SANDBOX_FOLDER));
	while (strncmp(target, "../", 3) == 0 || strcmp(target, "..") == 0) {
		up++;
		target += strlen(target) > 2 ? 3 : 2;
	}
	return up <= depth_of(path) && !turns_back(target);
}

int
intake_add_link(struct intake *intake, const char *path, const char *target)
{
	if (!stays(path, target))
		return intake_odd(intake, path,
				  "is a link out of the bot's folder");
	if (tell(intake, path) < 0)
		return -1;
	return symlinkat(target, intake->to, path) < 0
		       ? intake_fail(intake, path)
		       : 0;
}
