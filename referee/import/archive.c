/* referee/import/archive.c - reads archives by libarchive.
 *
 * The library is loaded when the first archive comes.  It brings a dozen others
 * (XML, Unicode, every compression), and loading them takes as long as loading
 * all our others.  The program is started for each worker and hardly ever
 * unpacks anything. */
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "protocol/file.h"
#include "protocol/utf8.h"
#include "referee/import/intake.h"

#define READ_BYTES 65536
#define HEADS_BYTES 4194304 /* bytes of an archive besides its files */

/* ---- the library ------------------------------------------------------ */

#define LIBRARY "libarchive.so.13" /* the ABI of <archive.h> since version 3 */

#define FUNCTIONS(F)                                                           \
	F(archive_error_string)                                                \
	F(archive_read_data_block)                                             \
	F(archive_entry_pathname)                                              \
	F(archive_entry_size)                                                  \
	F(archive_entry_sparse_count)                                          \
	F(archive_entry_perm)                                                  \
	F(archive_entry_hardlink)                                              \
	F(archive_entry_filetype)                                              \
	F(archive_read_next_header)                                            \
	F(archive_filter_bytes)                                                \
	F(archive_read_new)                                                    \
	F(archive_read_support_filter_gzip)                                    \
	F(archive_read_support_format_tar)                                     \
	F(archive_read_open_fd)                                                \
	F(archive_read_free)

static struct {
#define MEMBER(name) __typeof__(name) *name;
	FUNCTIONS(MEMBER)
#undef MEMBER
	char why[256]; /* why it cannot be used; "": it can */
} library;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

static void
load(void)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	bool all = handle != NULL;

	/* POSIX lets the result of dlsym() be a function. */
#define FIND(name)                                                             \
	if (all && (*(void **)&library.name = dlsym(handle, #name)) == NULL)   \
		all = false;
	FUNCTIONS(FIND)
#undef FIND
	if (!all)
		snprintf(library.why, sizeof(library.why), "%s", dlerror());
}

/* ---- out of it -------------------------------------------------------- */

static int
fail_archive(struct intake *intake, struct archive *archive)
{
	const char *why = library.archive_error_string(archive);

	return intake_refuse(
		intake,
		"expected a folder or a tar archive, gzipped or not: "
		"%s",
		quoted(why == NULL ? "it is damaged" : why).text);
}

/* Extracts a file.  Its blocks must come in order and without holes. */
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
		result = library.archive_read_data_block(archive, &bytes, &n,
							 &offset);
		if (result == ARCHIVE_EOF)
			break;
		if (result != ARCHIVE_OK)
			return fail_archive(intake, archive);
		if (offset != at || (int64_t)n > size - at)
			return intake_refuse(intake, "%s has holes",
					     quoted(path).text);
		if (file_write(to, bytes, n) < 0)
			return intake_fail(intake, path);
		at += (int64_t)n;
	}
	if (at != size)
		return intake_refuse(intake, "%s has holes", quoted(path).text);
	return 0;
}

/* Returns the entry's path without tar's leading `./` and trailing slash; NULL
 * if it is the folder itself or cannot be read. */
static const char *
path_of(struct archive_entry *entry, char path[PATH_MAX])
{
	const char *name = library.archive_entry_pathname(entry);
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
	int64_t size = library.archive_entry_size(entry);
	int to, result;

	if (library.archive_entry_sparse_count(entry) > 0)
		return intake_refuse(intake, "%s is a sparse file",
				     quoted(path).text);
	to = intake_add_file(intake, path, size,
			     (library.archive_entry_perm(entry) & 0111) != 0);
	if (to < 0)
		return -1;
	result = extract_bytes(intake, archive, path, to, size);
	if (close(to) < 0 && result == 0)
		result = intake_fail(intake, path);
	return result;
}

static int
extract_one(struct intake *intake, struct archive *archive,
	    struct archive_entry *entry)
{
	char buffer[PATH_MAX];
	const char *path = path_of(entry, buffer);

	if (path == NULL)
		return intake_refuse(intake,
				     "a name in the archive is not readable");
	if (library.archive_entry_hardlink(entry) != NULL)
		return intake_odd(intake, path, "is a link");
	switch (library.archive_entry_filetype(entry)) {
	case AE_IFREG:
		return extract_file(intake, archive, entry, path);
	case AE_IFDIR:
		if (strcmp(path, ".") == 0 || path[0] == '\0')
			return 0; /* the folder itself */
		return intake_add_folder(intake, path);
	case AE_IFLNK:
		return intake_odd(intake, path, "is a link");
	default:
		return intake_odd(intake, path,
				  "is neither a file nor a folder");
	}
}

/* Handles a warning of the library, for example about a name in a wrong
 * encoding. */
static int
warn(struct intake *intake, struct archive *archive,
     struct archive_entry *entry)
{
	const char *name = library.archive_entry_pathname(entry);

	if (name != NULL && utf8_ok(name))
		return fail_archive(intake, archive);
	return intake_refuse(intake,
			     "the name %s is not UTF-8, or has "
			     "characters that turn text around",
			     quoted(name == NULL ? "of a file" : name).text);
}

static int
extract_all(struct intake *intake, struct archive *archive)
{
	struct archive_entry *entry;
	int result = ARCHIVE_OK;

	/* The archive says where it ends.  Bytes after that are ignored. */
	for (;;) {
		result = library.archive_read_next_header(archive, &entry);
		if (result == ARCHIVE_EOF)
			return 0;
		if (result == ARCHIVE_WARN)
			return warn(intake, archive, entry);
		if (result != ARCHIVE_OK)
			return fail_archive(intake, archive);
		if (library.archive_filter_bytes(archive, 0) >
		    BOT_BYTES + HEADS_BYTES)
			return intake_refuse(
				intake,
				"the archive unpacks to more than %d bytes",
				BOT_BYTES + HEADS_BYTES);
		if (extract_one(intake, archive, entry) < 0)
			return -1;
	}
}

static int
extract(struct intake *intake, int fd)
{
	struct archive *archive = library.archive_read_new();
	int result = -1;

	if (archive == NULL)
		bug("out of memory");
	library.archive_read_support_filter_gzip(archive);
	library.archive_read_support_format_tar(archive);
	if (library.archive_read_open_fd(archive, fd, READ_BYTES) != ARCHIVE_OK)
		fail_archive(intake, archive);
	else
		result = extract_all(intake, archive);
	library.archive_read_free(archive);
	return result;
}

int
intake_archive(struct intake *intake, int fd)
{
	struct stat st;
	/* The library converts names in an archive from UTF-8 to the locale.
	 * Bots have UTF-8, whatever our locale is. */
	locale_t names = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	locale_t before = names != (locale_t)0 ? uselocale(names) : names;
	int result;

	pthread_once(&loaded, load);
	if (library.why[0] != '\0')
		result = error_set(intake->why, ERROR_MACHINE,
				   "archives cannot be unpacked: %s",
				   library.why);
	else if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		result = intake_refuse(intake,
				       "expected a folder or an archive");
	else if (st.st_size > intake->archive_bytes)
		result = intake_refuse(intake,
				       "an archive has at most %lld bytes",
				       (long long)intake->archive_bytes);
	else
		result = extract(intake, fd);
	if (names != (locale_t)0) {
		uselocale(before);
		freelocale(names);
	}
	return result;
}
