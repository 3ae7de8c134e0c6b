/* tests/unit/disk.c - see disk.h. */
#include "tests/unit/disk.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define SECTOR 512
#define FILES 4096 /* the most files over time */

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
	ino_t inode; /* 0: removed */
	bool folder;
	struct bytes first; /* its content at first */
	char *named;	    /* owned; its path then, or NULL: it is newer */
};

static struct {
	/* A sanitizer that reports a fault in here opens files. */
	pthread_mutex_t lock;
	atomic_bool watches; /* while not, calls go straight to the system */
	char dir[PATH_MAX];
	dev_t device;
	struct change *change;
	size_t changes, room;
	struct file file[FILES];
	unsigned files;
	bool faulty;
	struct disk_fault fault;
} disk = { .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP };

static void *
memory(void *old, size_t bytes)
{
	void *new = realloc(old, bytes);

	cr_assert_not_null(new);
	return new;
}

static char *
copied(const char *string)
{
	const size_t n = strlen(string) + 1;

	return memcpy(memory(NULL, n), string, n);
}

static uint32_t
drawn(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(*state >> 4) * below >> 28);
}

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

/* Returns the path below the folder; NULL: it is not there, or not of interest. */
static const char *
below(const char *path)
{
	const size_t n = strlen(disk.dir);
	const size_t end = strlen(path);

	if (strncmp(path, disk.dir, n) != 0 ||
	    (path[n] != '/' && path[n] != '\0') ||
	    (end > 4 && strcmp(path + end - 4, "-shm") == 0))
		return NULL;
	return path[n] == '/' ? path + n + 1 : "";
}

/* Writes the whole path of a name; returns false if it is too long. */
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

/* Returns the number of a file that is open; FILES: it is not watched. */
static unsigned
number_of(int fd)
{
	struct stat st;
	unsigned i;

	if (syscall(SYS_fstat, fd, &st) < 0)
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

/* Returns true if this change fails; `name` is a removed name, or empty. */
static bool
fails(enum kind kind, const char *name)
{
	const struct disk_fault *fault = &disk.fault;
	const char *slash = strrchr(name, '/');
	const char *last = slash == NULL ? name : slash + 1;

	if (!disk.faulty || disk.changes < fault->from)
		return false;
	if (fault->folders && kind != SYNC_NAMES &&
	    (kind != UNNAME || fault->keeps == NULL ||
	     strncmp(last, fault->keeps, strlen(fault->keeps)) != 0))
		return false;
	if (fault->error == ENOSPC && (kind == UNNAME || kind == SIZE))
		return false;
	disk.faulty = !fault->once;
	return true;
}

static int
ended(int result)
{
	pthread_mutex_unlock(&disk.lock);
	return result;
}

/* Ends a call that fails. */
static int
failed(void)
{
	if (disk.fault.error == 0)
		raise(SIGKILL);
	errno = disk.fault.error;
	return ended(-1);
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
	atomic_store(&disk.watches, true);
}

void
disk_leave(void)
{
	size_t i;

	pthread_mutex_lock(&disk.lock);
	atomic_store(&disk.watches, false);
	for (i = 0; i < disk.changes; i++) {
		free(disk.change[i].path);
		free(disk.change[i].data.at);
	}
	for (i = 0; i < disk.files; i++) {
		free(disk.file[i].named);
		free(disk.file[i].first.at);
	}
	disk.changes = disk.files = 0;
	disk.faulty = false;
	pthread_mutex_unlock(&disk.lock);
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
disk_fail(const struct disk_fault *fault)
{
	pthread_mutex_lock(&disk.lock);
	disk.faulty = fault != NULL;
	if (fault != NULL)
		disk.fault = *fault;
	pthread_mutex_unlock(&disk.lock);
}

void
disk_fail_folders(const char *dir, const char *keeps)
{
	disk_watch(dir);
	disk_fail(&(struct disk_fault){
		.error = EIO, .folders = true, .keeps = keeps });
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

/* Applies a write of which some sectors are lost. */
static void
put_some(struct bytes *to, const struct change *change, uint32_t *state)
{
	size_t at, n;

	for (at = 0; at < change->data.used; at += n) {
		n = SECTOR - (change->offset + at) % SECTOR;
		if (n > change->data.used - at)
			n = change->data.used - at;
		if (drawn(state, 2) == 0)
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

/* Returns the change before which all of the file is synced, of the first n. */
static size_t
synced_until(size_t n, unsigned file)
{
	while (n > 0 && !(disk.change[n - 1].kind == SYNC &&
			  disk.change[n - 1].file == file))
		n--;
	return n;
}

/* Computes the final content of a file. */
static void
content(size_t n, unsigned file, enum disk_loss loss, uint32_t *state,
	struct bytes *bytes)
{
	const struct file *one = &disk.file[file];
	const size_t synced = synced_until(n, file);
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
		else if (loss == DISK_DRAWN && drawn(state, 2) == 0)
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

/* If a name is lost, later names of the same folder are lost, too, as in a
 * journal. */
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
		if (loss != DISK_TORN && !name_is_synced(i, n, change->path)) {
			lost |= loss == DISK_SYNCED || drawn(state, 4) == 0;
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

/* Locks and returns true if a folder is watched. */
static bool
begins(void)
{
	if (!atomic_load(&disk.watches))
		return false;
	pthread_mutex_lock(&disk.lock);
	if (atomic_load(&disk.watches))
		return true;
	pthread_mutex_unlock(&disk.lock);
	return false;
}

/* Locks and returns true if `path` is watched. */
static bool
is_ours(int dir, const char *name, char path[PATH_MAX])
{
	if (!begins())
		return false;
	if (whole(dir, name, path) && below(path) != NULL)
		return true;
	pthread_mutex_unlock(&disk.lock);
	return false;
}

/* Locks and returns true if the descriptor is a watched file. */
static bool
is_file(int fd, unsigned *file)
{
	if (!begins())
		return false;
	*file = number_of(fd);
	if (*file != FILES)
		return true;
	pthread_mutex_unlock(&disk.lock);
	return false;
}

static int
open_any(int dir, const char *name, int flags, mode_t mode)
{
	char path[PATH_MAX];
	struct stat st;
	bool is_new;
	int fd;

	if (!is_ours(dir, name, path))
		return (int)syscall(SYS_openat, dir, name, flags, mode);
	is_new = (flags & O_CREAT) != 0 &&
		 syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0) < 0;
	if (is_new && fails(NAME, ""))
		return failed();
	fd = (int)syscall(SYS_openat, dir, name, flags, mode);
	if (fd >= 0 && is_new) {
		syscall(SYS_fstat, fd, &st);
		note_name(NAME, path, add_file(st.st_ino, false));
	} else if (fd >= 0 && (flags & O_TRUNC) != 0 &&
		   number_of(fd) != FILES) {
		note(SIZE, number_of(fd))->offset = 0;
	}
	return ended(fd);
}

static mode_t
mode_of(int flags, va_list ap)
{
	const bool makes =
		(flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;

	return makes ? va_arg(ap, mode_t) : 0;
}

int
open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = mode_of(flags, ap);
	va_end(ap);
	return open_any(AT_FDCWD, path, flags, mode);
}

int
openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = mode_of(flags, ap);
	va_end(ap);
	return open_any(dir, path, flags, mode);
}

static ssize_t
really_write(int fd, const void *data, size_t n, off_t offset, bool at)
{
	return at ? syscall(SYS_pwrite64, fd, data, n, offset)
		  : syscall(SYS_write, fd, data, n);
}

/* A failing write writes half of its bytes. */
static ssize_t
write_any(int fd, const void *data, size_t n, off_t offset, bool at)
{
	struct change *change;
	unsigned file;
	ssize_t done;
	bool bad;

	if (!is_file(fd, &file))
		return really_write(fd, data, n, offset, at);
	bad = fails(WRITE, "");
	if (!at)
		offset = (off_t)syscall(
			SYS_lseek, fd, 0,
			(syscall(SYS_fcntl, fd, F_GETFL) & O_APPEND) != 0
				? SEEK_END
				: SEEK_CUR);
	done = really_write(fd, data, bad ? n / 2 : n, offset, at);
	if (done > 0) {
		change = note(WRITE, file);
		change->offset = (size_t)offset;
		put(&change->data, 0, data, (size_t)done);
	}
	if (bad)
		return failed();
	pthread_mutex_unlock(&disk.lock);
	return done;
}

ssize_t
write(int fd, const void *data, size_t n)
{
	return write_any(fd, data, n, 0, false);
}

ssize_t
pwrite(int fd, const void *data, size_t n, off_t offset)
{
	return write_any(fd, data, n, offset, true);
}

int
ftruncate(int fd, off_t size)
{
	unsigned file;
	int result;

	if (!is_file(fd, &file))
		return (int)syscall(SYS_ftruncate, fd, size);
	if (fails(SIZE, ""))
		return failed();
	result = (int)syscall(SYS_ftruncate, fd, size);
	if (result == 0)
		note(SIZE, file)->offset = (size_t)size;
	return ended(result);
}

static int
sync_any(int fd, long call)
{
	char path[PATH_MAX];
	const char *name;
	enum kind kind;
	unsigned file;

	if (!is_file(fd, &file))
		return (int)syscall(call, fd);
	kind = disk.file[file].folder ? SYNC_NAMES : SYNC;
	if (fails(kind, ""))
		return failed();
	name = kind == SYNC ? NULL : path_of(fd, path);
	if (kind == SYNC)
		note(SYNC, file);
	else if (name != NULL)
		note(SYNC_NAMES, file)->path = copied(name);
	return ended(0); /* no real disk needs to wait */
}

int
fsync(int fd)
{
	return sync_any(fd, SYS_fsync);
}

int
fdatasync(int fd)
{
	return sync_any(fd, SYS_fdatasync);
}

/* Both names are ours, or none is. */
static int
rename_any(int from_dir, const char *from, int to_dir, const char *to,
	   unsigned flags)
{
	char source[PATH_MAX], target[PATH_MAX];
	unsigned file;
	int result;

	if (!is_ours(from_dir, from, source))
		return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to,
				    flags);
	if (fails(NAME, ""))
		return failed();
	file = by_path(source);
	result = (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
	if (result == 0 && whole(to_dir, to, target)) {
		note_name(NAME, target, file);
		note_name(UNNAME, source, file);
	}
	return ended(result);
}

int
rename(const char *from, const char *to)
{
	return rename_any(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int
renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	return rename_any(from_dir, from, to_dir, to, 0);
}

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
	unsigned file;
	int result;

	if (!is_ours(dir, name, path))
		return (int)syscall(SYS_unlinkat, dir, name, flags);
	if (fails(UNNAME, path))
		return failed();
	file = by_path(path);
	result = (int)syscall(SYS_unlinkat, dir, name, flags);
	if (result == 0)
		note_name(UNNAME, path, file);
	return ended(result);
}

int
unlink(const char *name)
{
	return unlink_any(AT_FDCWD, name, 0);
}

int
unlinkat(int dir, const char *name, int flags)
{
	return unlink_any(dir, name, flags);
}

int
mkdir(const char *name, mode_t mode)
{
	char path[PATH_MAX];
	struct stat st;
	int result;

	if (!is_ours(AT_FDCWD, name, path))
		return (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);
	if (syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0) < 0 &&
	    fails(NAME, ""))
		return failed();
	result = (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);
	if (result == 0) {
		syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0);
		note_name(NAME, path, add_file(st.st_ino, true));
	}
	return ended(result);
}

/* SQLite calls these names, though off_t has 64 bits anyway. */
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int dir, const char *path, int flags, ...)
	__attribute__((alias("openat")));
ssize_t pwrite64(int fd, const void *data, size_t n, off_t offset)
	__attribute__((alias("pwrite")));
int ftruncate64(int fd, off_t size) __attribute__((alias("ftruncate")));
