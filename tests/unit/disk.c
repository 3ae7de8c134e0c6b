/* tests/unit/disk.c - see disk.h. */
#include "tests/unit/disk.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "protocol/util.h"
#include "tests/unit/ladder-kit.h"

#define SECTOR 512
#define FILES 4096 /* that ever were */

/* ---- notes ------------------------------------------------------------ */

struct bytes {
	char *at; /* owned */
	size_t used, room;
};

enum kind { WRITE, SIZE, SYNC, NAME, UNNAME, SYNC_NAMES };

struct change {
	enum kind kind;
	unsigned file; /* number; of NAME, UNNAME: what the name leads to */
	char *path; /* owned; of NAME, UNNAME, SYNC_NAMES: below the folder */
	size_t offset;	   /* of WRITE; of SIZE the size */
	struct bytes data; /* of WRITE */
};

struct file {
	ino_t inode; /* 0: it is gone */
	bool folder;
	struct bytes first; /* what it was when it was found */
	char *named;	    /* owned; its path then, or NULL: it is newer */
};

static struct {
	/* A sanitizer that reports a fault in here opens files. */
	pthread_mutex_t lock;
	char dir[PATH_MAX]; /* "": none is watched */
	dev_t device;
	struct change *change;
	size_t changes, room;
	struct file file[FILES];
	unsigned files;
	size_t fails_from;
	int fails_with;
} disk = { .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP };

static struct change *
note(enum kind kind, unsigned file)
{
	struct change *change;

	if (disk.changes == disk.room) {
		disk.room = disk.room == 0 ? 1024 : disk.room * 2;
		disk.change =
			memory(disk.change, disk.room * sizeof(*disk.change));
	}
	change = &disk.change[disk.changes++];
	*change = (struct change){ .kind = kind, .file = file };
	return change;
}

/* The path below the folder; NULL: it is not there, or not of interest. */
static const char *
below(const char *path)
{
	const size_t n = strlen(disk.dir);
	const size_t end = strlen(path);

	if (n == 0 || strncmp(path, disk.dir, n) != 0 ||
	    (path[n] != '/' && path[n] != '\0') ||
	    (end > 4 && strcmp(path + end - 4, "-shm") == 0))
		return NULL;
	return path[n] == '/' ? path + n + 1 : "";
}

/* The whole path of a name; false: it is too long. */
static bool
whole(int dir, const char *name, char path[PATH_MAX])
{
	char link[64];
	ssize_t n = 0;

	if (name[0] != '/') {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
		n = readlink(dir == AT_FDCWD ? "/proc/self/cwd" : link, path,
			     PATH_MAX - 1);
		if (n < 0)
			return false;
	}
	return snprintf(path + n, (size_t)(PATH_MAX - n), "%s%s",
			n > 0 ? "/" : "", name) < PATH_MAX - n;
}

static const char *
path_of(int fd, char path[PATH_MAX])
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, PATH_MAX - 1);
	if (n < 0)
		return NULL;
	path[n] = '\0';
	return below(path);
}

/* The number of a file that is open; FILES: it is not watched. */
static unsigned
number_of(int fd)
{
	struct stat st;
	unsigned i;

	if (disk.dir[0] == '\0' || syscall(SYS_fstat, fd, &st) < 0)
		return FILES;
	for (i = disk.files; i-- > 0 && st.st_dev == disk.device;)
		if (disk.file[i].inode == st.st_ino)
			return i;
	return FILES;
}

static unsigned
add_file(ino_t inode, bool folder)
{
	unsigned i;

	for (i = 0; i < disk.files; i++) /* the number was used before */
		if (disk.file[i].inode == inode)
			disk.file[i].inode = 0;
	cr_assert_lt(disk.files, FILES);
	disk.file[disk.files] =
		(struct file){ .inode = inode, .folder = folder };
	return disk.files++;
}

static unsigned
by_path(const char *path)
{
	struct stat st;
	unsigned i;

	if (syscall(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) <
	    0)
		return FILES;
	for (i = disk.files; i-- > 0;)
		if (disk.file[i].inode == st.st_ino)
			return i;
	return FILES;
}

/* True: this change fails. */
static bool
fails(void)
{
	if (disk.fails_with == 0 || disk.changes < disk.fails_from)
		return false;
	errno = disk.fails_with;
	return true;
}

/* ---- what stands there at the begin ----------------------------------- */

static void
slurp(const char *path, struct bytes *bytes)
{
	FILE *file = fopen(path, "re");
	long size;

	cr_assert_not_null(file);
	cr_assert_eq(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	rewind(file);
	bytes->at = memory(NULL, (size_t)size + 1);
	bytes->used = fread(bytes->at, 1, (size_t)size, file);
	fclose(file);
}

static void
find(const char *path)
{
	char inner[PATH_MAX];
	struct dirent *entry;
	struct stat st;
	unsigned file;
	DIR *dir;

	cr_assert_eq(stat(path, &st), 0);
	disk.device = st.st_dev;
	file = add_file(st.st_ino, S_ISDIR(st.st_mode));
	disk.file[file].named = copied(below(path));
	if (!S_ISDIR(st.st_mode)) {
		slurp(path, &disk.file[file].first);
		return;
	}
	dir = opendir(path);
	while ((entry = readdir(dir)) != NULL) {
		snprintf(inner, sizeof(inner), "%.2000s/%s", path,
			 entry->d_name);
		if (entry->d_name[0] != '.' && below(inner) != NULL)
			find(inner);
	}
	closedir(dir);
}

void
disk_watch(const char *dir)
{
	disk_leave();
	cr_assert_not_null(realpath(dir, disk.dir));
	find(disk.dir);
}

void
disk_leave(void)
{
	size_t i;

	for (i = 0; i < disk.changes; i++) {
		free(disk.change[i].path);
		free(disk.change[i].data.at);
	}
	for (i = 0; i < disk.files; i++) {
		free(disk.file[i].named);
		free(disk.file[i].first.at);
	}
	disk.changes = disk.files = 0;
	disk.dir[0] = '\0';
	disk.fails_with = 0;
}

size_t
disk_changes(void)
{
	size_t changes;

	pthread_mutex_lock(&disk.lock);
	changes = disk.changes;
	pthread_mutex_unlock(&disk.lock);
	return changes;
}

void
disk_fail(size_t n, int error)
{
	pthread_mutex_lock(&disk.lock);
	disk.fails_from = n;
	disk.fails_with = error;
	pthread_mutex_unlock(&disk.lock);
}

/* ---- a cut ------------------------------------------------------------ */

static void
put(struct bytes *to, size_t offset, const char *data, size_t n)
{
	if (to->room < offset + n + 1) {
		to->room = 2 * (offset + n + 1);
		to->at = memory(to->at, to->room);
	}
	if (to->used < offset + n) {
		memset(to->at + to->used, 0, offset + n - to->used);
		to->used = offset + n;
	}
	if (n > 0)
		memcpy(to->at + offset, data, n);
}

static void
resize(struct bytes *to, size_t size)
{
	if (to->used < size)
		put(to, size, "", 0);
	to->used = size;
}

/* A write of which a part is lost: in pieces of a sector. */
static void
put_some(struct bytes *to, const struct change *change, uint32_t *state)
{
	size_t at, n;

	for (at = 0; at < change->data.used; at += n) {
		n = SECTOR - (change->offset + at) % SECTOR;
		if (n > change->data.used - at)
			n = change->data.used - at;
		if (kit_random(state, 2) == 0)
			put(to, change->offset + at, change->data.at + at, n);
	}
}

static void
apply(struct bytes *to, const struct change *change)
{
	if (change->kind == WRITE)
		put(to, change->offset, change->data.at, change->data.used);
	else if (change->kind == SIZE)
		resize(to, change->offset);
}

/* The change before which all of the file is synced, of the first n. */
static size_t
synced_until(size_t n, unsigned file)
{
	while (n > 0 && !(disk.change[n - 1].kind == SYNC &&
			  disk.change[n - 1].file == file))
		n--;
	return n;
}

/* Makes what the file has in the end. */
static void
content(size_t n, unsigned file, enum disk_loss loss, uint32_t *state,
	struct bytes *bytes)
{
	const struct file *one = &disk.file[file];
	const size_t synced = loss == DISK_KILL ? n : synced_until(n, file);
	size_t i, last = 0;

	*bytes = (struct bytes){ NULL, 0, 0 };
	put(bytes, 0, one->first.at, one->first.used);
	for (i = 0; i < n; i++)
		if (disk.change[i].file == file && disk.change[i].kind == WRITE)
			last = i;
	for (i = 0; i < n; i++) {
		const struct change *change = &disk.change[i];

		if (change->file != file || change->kind > SIZE)
			continue;
		if (i < synced || (loss == DISK_TORN && i != last))
			apply(bytes, change);
		else if (loss == DISK_TORN)
			put(bytes, change->offset, change->data.at,
			    change->data.used / 2);
		else if (loss == DISK_DRAWN && change->kind == WRITE)
			put_some(bytes, change, state);
		else if (loss == DISK_DRAWN && kit_random(state, 2) == 0)
			apply(bytes, change);
	}
}

/* Returns true if `dir` is the folder of this path. */
static bool
is_above(const char *dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	const size_t n = slash == NULL ? 0 : (size_t)(slash - path);

	return strlen(dir) == n && strncmp(dir, path, n) == 0;
}

static bool
name_is_synced(size_t from, size_t n, const char *path)
{
	for (; from < n; from++)
		if (disk.change[from].kind == SYNC_NAMES &&
		    is_above(disk.change[from].path, path))
			return true;
	return false;
}

/* Names of one folder that come after one that is lost are lost, too: as a journal
 * has it. */
struct names {
	char *path[FILES];
	unsigned file[FILES], count;
};

static unsigned *
name_at(struct names *names, const char *path)
{
	unsigned i;

	for (i = 0; i < names->count; i++)
		if (strcmp(names->path[i], path) == 0)
			return &names->file[i];
	cr_assert_lt(names->count, FILES);
	names->path[names->count] = copied(path);
	names->file[names->count] = FILES;
	return &names->file[names->count++];
}

static void
find_names(size_t n, enum disk_loss loss, uint32_t *state, struct names *names)
{
	bool lost = false;
	unsigned f;
	size_t i;

	for (f = 0; f < disk.files; f++)
		if (disk.file[f].named != NULL)
			*name_at(names, disk.file[f].named) = f;
	for (i = 0; i < n; i++) {
		const struct change *change = &disk.change[i];

		if (change->kind != NAME && change->kind != UNNAME)
			continue;
		if (loss != DISK_KILL && loss != DISK_TORN &&
		    !name_is_synced(i, n, change->path)) {
			lost |= loss == DISK_SYNCED ||
				kit_random(state, 4) == 0;
			if (lost)
				continue;
		}
		*name_at(names, change->path) =
			change->kind == NAME ? change->file : FILES;
	}
}

void
disk_cut(size_t n, enum disk_loss loss, uint32_t *state, const char *to)
{
	static struct names names;
	char path[PATH_MAX];
	struct bytes bytes;
	FILE *file;
	unsigned i, pass;

	pthread_mutex_lock(&disk.lock);
	names.count = 0;
	find_names(n, loss, state, &names);
	for (pass = 0; pass < 2; pass++) /* folders first, as they came */
		for (i = 0; i < names.count; i++) {
			if (names.file[i] == FILES ||
			    disk.file[names.file[i]].folder != (pass == 0))
				continue;
			snprintf(path, sizeof(path), "%.2000s/%s", to,
				 names.path[i]);
			if (pass == 0) {
				cr_assert_eq(syscall(SYS_mkdirat, AT_FDCWD,
						     path, 0700),
					     0, "%s: %m", path);
				continue;
			}
			content(n, names.file[i], loss, state, &bytes);
			/* A file in a folder whose name is lost is lost. */
			file = fopen(path, "wxe");
			if (file != NULL) {
				cr_assert_eq(
					fwrite(bytes.at, 1, bytes.used, file),
					bytes.used);
				fclose(file);
			}
			free(bytes.at);
		}
	for (i = 0; i < names.count; i++)
		free(names.path[i]);
	pthread_mutex_unlock(&disk.lock);
}

/* ---- the calls -------------------------------------------------------- */

static void
note_name(enum kind kind, const char *path, unsigned file)
{
	if (below(path) != NULL && file != FILES)
		note(kind, file)->path = copied(below(path));
}

static int
open_any(int dir, const char *name, int flags, mode_t mode)
{
	char path[PATH_MAX];
	struct stat st;
	bool is_new = false, ours;
	int fd;

	pthread_mutex_lock(&disk.lock);
	ours = disk.dir[0] != '\0' && whole(dir, name, path) &&
	       below(path) != NULL;
	if (ours && (flags & O_CREAT) != 0) {
		is_new = syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0) < 0;
		if (is_new && fails()) {
			pthread_mutex_unlock(&disk.lock);
			return -1;
		}
	}
	fd = (int)syscall(SYS_openat, dir, name, flags, mode);
	if (fd >= 0 && ours && is_new) {
		syscall(SYS_fstat, fd, &st);
		note_name(NAME, path, add_file(st.st_ino, false));
	} else if (fd >= 0 && ours && (flags & O_TRUNC) != 0 &&
		   number_of(fd) != FILES) {
		note(SIZE, number_of(fd))->offset = 0;
	}
	pthread_mutex_unlock(&disk.lock);
	return fd;
}

static mode_t
mode_of(int flags, va_list ap)
{
	return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(ap, mode_t) : 0;
}

#define OPEN(name)                                                             \
	int name(const char *path, int flags, ...);                            \
	int name(const char *path, int flags, ...)                             \
	{                                                                      \
		va_list ap;                                                    \
		mode_t mode;                                                   \
		va_start(ap, flags);                                           \
		mode = mode_of(flags, ap);                                     \
		va_end(ap);                                                    \
		return open_any(AT_FDCWD, path, flags, mode);                  \
	}
#define OPENAT(name)                                                           \
	int name(int dir, const char *path, int flags, ...);                   \
	int name(int dir, const char *path, int flags, ...)                    \
	{                                                                      \
		va_list ap;                                                    \
		mode_t mode;                                                   \
		va_start(ap, flags);                                           \
		mode = mode_of(flags, ap);                                     \
		va_end(ap);                                                    \
		return open_any(dir, path, flags, mode);                       \
	}
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

static ssize_t
write_any(int fd, const void *data, size_t n, off_t offset, bool at)
{
	struct change *change;
	unsigned file;
	ssize_t done;

	pthread_mutex_lock(&disk.lock);
	file = number_of(fd);
	if (file != FILES && fails()) {
		pthread_mutex_unlock(&disk.lock);
		return -1;
	}
	if (file != FILES && !at &&
	    (syscall(SYS_fcntl, fd, F_GETFL) & O_APPEND) != 0)
		offset = (off_t)syscall(SYS_lseek, fd, 0, SEEK_END);
	else if (file != FILES && !at)
		offset = (off_t)syscall(SYS_lseek, fd, 0, SEEK_CUR);
	done = at ? syscall(SYS_pwrite64, fd, data, n, offset)
		  : syscall(SYS_write, fd, data, n);
	if (file != FILES && done > 0) {
		change = note(WRITE, file);
		change->offset = (size_t)offset;
		put(&change->data, 0, data, (size_t)done);
	}
	pthread_mutex_unlock(&disk.lock);
	return done;
}

ssize_t write(int fd, const void *data, size_t n);
ssize_t
write(int fd, const void *data, size_t n)
{
	return write_any(fd, data, n, 0, false);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t offset);
ssize_t
pwrite(int fd, const void *data, size_t n, off_t offset)
{
	return write_any(fd, data, n, offset, true);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off_t offset);
ssize_t
pwrite64(int fd, const void *data, size_t n, off_t offset)
{
	return write_any(fd, data, n, offset, true);
}

static int
size_any(int fd, off_t size)
{
	unsigned file;
	int result;

	pthread_mutex_lock(&disk.lock);
	file = number_of(fd);
	result = (int)syscall(SYS_ftruncate, fd, size);
	if (file != FILES && result == 0)
		note(SIZE, file)->offset = (size_t)size;
	pthread_mutex_unlock(&disk.lock);
	return result;
}

int ftruncate(int fd, off_t size);
int
ftruncate(int fd, off_t size)
{
	return size_any(fd, size);
}

int ftruncate64(int fd, off_t size);
int
ftruncate64(int fd, off_t size)
{
	return size_any(fd, size);
}

static int
sync_any(int fd)
{
	char path[PATH_MAX];
	const char *name;
	unsigned file;

	pthread_mutex_lock(&disk.lock);
	file = number_of(fd);
	if (file != FILES && fails()) {
		pthread_mutex_unlock(&disk.lock);
		return -1;
	}
	name = path_of(fd, path);
	if (file != FILES && disk.file[file].folder && name != NULL)
		note(SYNC_NAMES, file)->path = copied(name);
	else if (file != FILES)
		note(SYNC, file);
	pthread_mutex_unlock(&disk.lock);
	return 0; /* no real disk needs to wait */
}

int fsync(int fd);
int
fsync(int fd)
{
	return sync_any(fd);
}

int fdatasync(int fd);
int
fdatasync(int fd)
{
	return sync_any(fd);
}

static int
rename_any(int from_dir, const char *from, int to_dir, const char *to,
	   unsigned flags)
{
	char source[PATH_MAX], target[PATH_MAX];
	unsigned file = FILES;
	int result;

	pthread_mutex_lock(&disk.lock);
	if (disk.dir[0] != '\0' && whole(from_dir, from, source) &&
	    whole(to_dir, to, target))
		file = by_path(source);
	result = (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
	if (result == 0 && file != FILES) {
		note_name(NAME, target, file);
		note_name(UNNAME, source, file);
	}
	pthread_mutex_unlock(&disk.lock);
	return result;
}

int rename(const char *from, const char *to);
int
rename(const char *from, const char *to)
{
	return rename_any(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to);
int
renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	return rename_any(from_dir, from, to_dir, to, 0);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to,
	      unsigned flags);
int
renameat2(int from_dir, const char *from, int to_dir, const char *to,
	  unsigned flags)
{
	return rename_any(from_dir, from, to_dir, to, flags);
}

static int
unlink_any(int dir, const char *name, int flags)
{
	char path[PATH_MAX];
	unsigned file = FILES;
	int result;

	pthread_mutex_lock(&disk.lock);
	if (disk.dir[0] != '\0' && whole(dir, name, path))
		file = by_path(path);
	result = (int)syscall(SYS_unlinkat, dir, name, flags);
	if (result == 0)
		note_name(UNNAME, file == FILES ? "" : path, file);
	pthread_mutex_unlock(&disk.lock);
	return result;
}

int unlink(const char *name);
int
unlink(const char *name)
{
	return unlink_any(AT_FDCWD, name, 0);
}

int unlinkat(int dir, const char *name, int flags);
int
unlinkat(int dir, const char *name, int flags)
{
	return unlink_any(dir, name, flags);
}

int mkdir(const char *name, mode_t mode);
int
mkdir(const char *name, mode_t mode)
{
	char path[PATH_MAX];
	struct stat st;
	int result;

	pthread_mutex_lock(&disk.lock);
	result = (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);
	if (result == 0 && disk.dir[0] != '\0' && whole(AT_FDCWD, name, path) &&
	    below(path) != NULL) {
		syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0);
		note_name(NAME, path, add_file(st.st_ino, true));
	}
	pthread_mutex_unlock(&disk.lock);
	return result;
}
