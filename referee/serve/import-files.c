/* referee/serve/import-files.c - see import-files.h.
 *
 * An intake takes one entry after another, whatever they come from, and is
 * where all that is not allowed is refused. */
#include "referee/serve/import-files.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/ascii.h"
#include "referee/command.h"

#define COPY_BYTES 65536
#define HEADS_BYTES 4194304 /* of an archive beside the files in it */

struct intake {
	const char *source; /* for sentences */
	int to;		    /* the folder */
	unsigned count;
	uint64_t bytes;
	void *told; /* paths of entries so far, a tree; owned */
	char *why;
};

static int refuse(struct intake *intake, const char *fmt, ...)
	PRINTF_LIKE(2, 3) COLD;

static int
refuse(struct intake *intake, const char *fmt, ...)
{
	size_t n = (size_t)snprintf(intake->why, IMPORT_WHY_BYTES,
				    "%.4000s: ", intake->source);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(intake->why + n, IMPORT_WHY_BYTES - n, fmt, ap);
	va_end(ap);
	return -1;
}

/* ---- paths ------------------------------------------------------------ */

/* One part, `n` bytes. */
static int
check_part(struct intake *intake, const char *path, const char *part, size_t n)
{
	if (n == 0)
		return refuse(intake, "%s has an empty part",
			      quoted(path).text);
	if (n == 2 && memcmp(part, "..", 2) == 0)
		return refuse(intake, "%s leaves the folder",
			      quoted(path).text);
	if (n == 1 && part[0] == '.')
		return refuse(intake, "%s has a part that is a point",
			      quoted(path).text);
	if (n > BOT_PART_BYTES)
		return refuse(intake, "a name in %s has more than %d bytes",
			      quoted(path).text, BOT_PART_BYTES);
	return 0;
}

static int
check_path(struct intake *intake, const char *path)
{
	const char *part = path, *slash;
	size_t i, n = strlen(path);
	unsigned depth = 0;

	if (path[0] == '/')
		return refuse(intake, "%s is an absolute path",
			      quoted(path).text);
	if (n > BOT_PATH_BYTES)
		return refuse(intake, "the path %s has more than %d bytes",
			      quoted(path).text, BOT_PATH_BYTES);
	for (i = 0; i < n; i++)
		if ((unsigned char)path[i] < ' ' || path[i] == 0x7f)
			return refuse(intake,
				      "%s has a control character in it",
				      quoted(path).text);
	do {
		slash = strchrnul(part, '/');
		if (check_part(intake, path, part, (size_t)(slash - part)) < 0)
			return -1;
		if (++depth > BOT_DEPTH)
			return refuse(intake, "%s is deeper than %d folders",
				      quoted(path).text, BOT_DEPTH - 1);
		part = slash + 1;
	} while (*slash != '\0');
	return 0;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* An entry of its own, which stands once. */
static int
tell(struct intake *intake, const char *path)
{
	char *copy;
	char **found;

	if (check_path(intake, path) < 0)
		return -1;
	if (++intake->count > BOT_FILES)
		return refuse(intake, "more than %d files and folders",
			      BOT_FILES);
	copy = strdup(path);
	found = copy == NULL ? NULL
			     : (char **)tsearch(copy, &intake->told, compare);
	if (found == NULL)
		bug("out of memory");
	if (*found == copy)
		return 0;
	free(copy);
	return refuse(intake, "%s is there twice", quoted(path).text);
}

/* ---- entries ---------------------------------------------------------- */

static int
fail(struct intake *intake, const char *path)
{
	return refuse(intake, "%s cannot be copied: %s", quoted(path).text,
		      strerror(errno));
}

/* The folders above it, which need no entry of their own. */
static int
make_above(struct intake *intake, const char *path)
{
	char above[BOT_PATH_BYTES + 1];
	const char *slash = path;

	while ((slash = strchr(slash, '/')) != NULL) {
		snprintf(above, sizeof(above), "%.*s", (int)(slash - path),
			 path);
		if (mkdirat(intake->to, above, 0755) < 0) {
			if (errno != EEXIST)
				return fail(intake, path);
		} else if (++intake->count > BOT_FILES) {
			return refuse(intake, "more than %d files and folders",
				      BOT_FILES);
		}
		slash++;
	}
	return 0;
}

static int
add_folder(struct intake *intake, const char *path)
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
	return fail(intake, path);
}

/* A file of this size that is to be written, or -1. */
static int
add_file(struct intake *intake, const char *path, int64_t size, bool executable)
{
	int fd;

	if (tell(intake, path) < 0)
		return -1;
	if (size < 0 || size > BOT_FILE_BYTES)
		return refuse(intake, "%s has more than %d bytes",
			      quoted(path).text, BOT_FILE_BYTES);
	if (intake->bytes + (uint64_t)size > BOT_BYTES)
		return refuse(intake, "all files have more than %d bytes",
			      BOT_BYTES);
	intake->bytes += (uint64_t)size;
	if (make_above(intake, path) < 0)
		return -1;
	/* Nothing there is a link, so nothing is followed on the way. */
	fd = openat(intake->to, path,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    executable ? 0755 : 0644);
	return fd < 0 ? fail(intake, path) : fd;
}

static int
write_all(int fd, const char *bytes, size_t n)
{
	ssize_t done;

	while (n > 0) {
		done = write(fd, bytes, n);
		if (done < 0 && errno != EINTR)
			return -1;
		bytes += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return 0;
}

/* ---- from a folder ---------------------------------------------------- */

/* As long as it was when it was looked at, and no longer. */
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
		if (n > 0 && write_all(to, bytes, (size_t)n) < 0)
			return fail(intake, path);
		left -= n > 0 ? (uint64_t)n : 0;
	}
	if (n < 0)
		return fail(intake, path);
	if (left > 0)
		return refuse(intake, "%s became shorter while it was read",
			      quoted(path).text);
	return 0;
}

static int
copy_file(struct intake *intake, int folder, const char *name, const char *path)
{
	int from = openat(folder, name,
			  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int to = -1, result = -1;
	struct stat st;

	if (from < 0 || fstat(from, &st) < 0)
		fail(intake, path);
	else if (!S_ISREG(st.st_mode))
		refuse(intake, "%s is neither a file nor a folder",
		       quoted(path).text);
	else
		to = add_file(intake, path, st.st_size,
			      (st.st_mode & 0111) != 0);
	if (to >= 0)
		result = copy_bytes(intake, path, from, to,
				    (uint64_t)st.st_size);
	if (from >= 0)
		close(from);
	if (to >= 0 && close(to) < 0 && result == 0)
		result = fail(intake, path);
	return result;
}

static int copy_folder(struct intake *intake, int folder, const char *path);

static int
copy_one(struct intake *intake, int folder, const char *name, const char *path)
{
	struct stat st;
	int below;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return fail(intake, path);
	if (S_ISLNK(st.st_mode))
		return refuse(intake, "%s is a link", quoted(path).text);
	if (S_ISREG(st.st_mode))
		return copy_file(intake, folder, name, path);
	if (!S_ISDIR(st.st_mode))
		return refuse(intake, "%s is neither a file nor a folder",
			      quoted(path).text);
	if (add_folder(intake, path) < 0)
		return -1;
	below = openat(folder, name,
		       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (below < 0)
		return fail(intake, path);
	return copy_folder(intake, below, path);
}

/* Takes the descriptor over.  As deep as add_folder() lets it. */
static int
copy_folder(struct intake *intake, int folder, const char *path)
{
	DIR *dir = fdopendir(folder);
	char below[BOT_PATH_BYTES + NAME_MAX + 2];
	struct dirent *entry;
	int result = 0;

	if (dir == NULL)
		bug("out of memory");
	while (result == 0 && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(below, sizeof(below), "%s%s%s", path,
			 path[0] ? "/" : "", entry->d_name);
		result = copy_one(intake, folder, entry->d_name, below);
	}
	closedir(dir);
	return result;
}

/* ---- from an archive -------------------------------------------------- */

static int
fail_archive(struct intake *intake, struct archive *archive)
{
	const char *why = archive_error_string(archive);

	return refuse(intake,
		      "expected a folder, or an archive made by tar, gzipped "
		      "or not: %s",
		      quoted(why == NULL ? "it is damaged" : why).text);
}

/* Blocks come in their order, and without holes. */
static int
extract_bytes(struct intake *intake, struct archive *archive, const char *path,
	      int to, int64_t size)
{
	const void *bytes;
	int64_t at = 0;
	la_int64_t offset;
	size_t n;
	int result;

	for (;;) {
		result = archive_read_data_block(archive, &bytes, &n, &offset);
		if (result == ARCHIVE_EOF)
			break;
		if (result != ARCHIVE_OK)
			return fail_archive(intake, archive);
		if (offset != at || (int64_t)n > size - at)
			return refuse(intake, "%s has holes",
				      quoted(path).text);
		if (write_all(to, bytes, n) < 0)
			return fail(intake, path);
		at += (int64_t)n;
	}
	if (at != size)
		return refuse(intake, "%s has holes", quoted(path).text);
	return 0;
}

/* The path as it stands there, without `./` in front and a slash behind, which
 * tar writes; NULL: the folder itself, or nothing that can be read. */
static const char *
path_of(struct archive_entry *entry, char path[PATH_MAX])
{
	const char *name = archive_entry_pathname(entry);
	size_t n;

	if (name == NULL)
		return NULL;
	while (strncmp(name, "./", 2) == 0)
		name += 2;
	n = (size_t)snprintf(path, PATH_MAX, "%s", name);
	if (n >= PATH_MAX)
		n = PATH_MAX - 1;
	if (n > 1 && path[n - 1] == '/')
		path[n - 1] = '\0';
	return path;
}

static int
extract_file(struct intake *intake, struct archive *archive,
	     struct archive_entry *entry, const char *path)
{
	int64_t size = archive_entry_size(entry);
	int to, result;

	if (archive_entry_sparse_count(entry) > 0)
		return refuse(intake, "%s is a file with holes",
			      quoted(path).text);
	to = add_file(intake, path, size,
		      (archive_entry_perm(entry) & 0111) != 0);
	if (to < 0)
		return -1;
	result = extract_bytes(intake, archive, path, to, size);
	if (close(to) < 0 && result == 0)
		result = fail(intake, path);
	return result;
}

static int
extract_one(struct intake *intake, struct archive *archive,
	    struct archive_entry *entry)
{
	char buffer[PATH_MAX];
	const char *path = path_of(entry, buffer);

	if (path == NULL)
		return refuse(intake, "a name in it cannot be read");
	if (archive_entry_hardlink(entry) != NULL)
		return refuse(intake, "%s is a link", quoted(path).text);
	switch (archive_entry_filetype(entry)) {
	case AE_IFREG:
		return extract_file(intake, archive, entry, path);
	case AE_IFDIR:
		if (strcmp(path, ".") == 0 || path[0] == '\0')
			return 0; /* the folder itself */
		return add_folder(intake, path);
	case AE_IFLNK:
		return refuse(intake, "%s is a link", quoted(path).text);
	default:
		return refuse(intake, "%s is neither a file nor a folder",
			      quoted(path).text);
	}
}

static int
extract_all(struct intake *intake, struct archive *archive)
{
	struct archive_entry *entry;
	int result = ARCHIVE_OK;

	/* A file alone knows its end: what follows is not looked at. */
	for (;;) {
		result = archive_read_next_header(archive, &entry);
		if (result == ARCHIVE_EOF)
			return 0;
		if (result != ARCHIVE_OK)
			return fail_archive(intake, archive);
		if (archive_filter_bytes(archive, 0) > BOT_BYTES + HEADS_BYTES)
			return refuse(intake,
				      "it unpacks to more than %d bytes",
				      BOT_BYTES + HEADS_BYTES);
		if (extract_one(intake, archive, entry) < 0)
			return -1;
	}
}

static int
extract(struct intake *intake, int fd)
{
	struct archive *archive = archive_read_new();
	struct stat st;
	int result = -1;

	if (archive == NULL)
		bug("out of memory");
	archive_read_support_filter_gzip(archive);
	archive_read_support_format_tar(archive);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		refuse(intake, "expected a folder or an archive");
	else if (st.st_size > BOT_ARCHIVE_BYTES)
		refuse(intake, "an archive has at most %d bytes",
		       BOT_ARCHIVE_BYTES);
	else if (archive_read_open_fd(archive, fd, COPY_BYTES) != ARCHIVE_OK)
		fail_archive(intake, archive);
	else
		result = extract_all(intake, archive);
	archive_read_free(archive);
	return result;
}

/* An archive that was made of a folder, not in it. */
static int
lift_single(struct intake *intake, const char *to)
{
	char from[IMPORT_PATH_BYTES], aside[IMPORT_PATH_BYTES];
	char name[NAME_MAX + 1] = "";
	struct dirent *entry;
	DIR *dir = opendir(to);
	unsigned count = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		count++;
		snprintf(name, sizeof(name), "%s", entry->d_name);
	}
	if (dir != NULL)
		closedir(dir);
	snprintf(from, sizeof(from), "%s/%s/" BOT_FOLDER_MANIFEST, to, name);
	if (count != 1 || access(from, F_OK) < 0)
		return 0;
	snprintf(from, sizeof(from), "%s/%s", to, name);
	snprintf(aside, sizeof(aside), "%s.lifted", to);
	if (rename(from, aside) < 0 || rmdir(to) < 0 || rename(aside, to) < 0)
		return fail(intake, name);
	return 0;
}

/* ---- either ----------------------------------------------------------- */

int
import_files(const char *source, const char *to, char why[IMPORT_WHY_BYTES])
{
	struct intake intake = { .source = source, .why = why };
	struct stat st;
	int from = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK), result;

	if (from < 0 || fstat(from, &st) < 0) {
		result = refuse(&intake, "%s", strerror(errno));
		if (from >= 0)
			close(from);
		return result;
	}
	intake.to = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (intake.to < 0)
		bug("%s is there, and is not", to);
	if (S_ISDIR(st.st_mode)) {
		result = copy_folder(&intake, from, "");
	} else {
		result = extract(&intake, from);
		close(from);
		if (result == 0)
			result = lift_single(&intake, to);
	}
	close(intake.to);
	tdestroy(intake.told, free);
	return result;
}
