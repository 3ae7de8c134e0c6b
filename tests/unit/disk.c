/* tests/unit/disk.c - see disk.h. */
#include "tests/unit/disk.h"

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
#include <time.h>
#include <unistd.h>

#include "protocol/util.h"

#define SECTOR 512
#define NONE UINT_MAX /* the number of no file */
#define BUCKETS 4096
/* The most bytes of writes that a file keeps after disk_forget(), though it was never
 * synced: a system writes what is old to the disk unasked. */
#define WAITING_BYTES ((size_t)32 << 20)
/* A change of a file may bear a time that is so much too early. */
#define TICK_NS INT64_C(20000000)

/* ---- notes ------------------------------------------------------------ */

struct bytes {
	char *at; /* owned */
	size_t used, room;
};

enum kind { WRITE, SIZE, SYNC, NAME, UNNAME, SYNC_NAMES };

/* A change of what is in a file. */
struct change {
	enum kind kind;	   /* WRITE, SIZE or SYNC */
	size_t number;	   /* among all changes */
	size_t offset;	   /* of WRITE; of SIZE the size */
	struct bytes data; /* of WRITE */
};

/* A change of names. */
struct renaming {
	enum kind kind; /* NAME, UNNAME or SYNC_NAMES */
	size_t number;
	unsigned file; /* what the name leads to */
	char *path;    /* owned; below the folder */
};

struct file {
	ino_t inode;	    /* 0: another file has it now */
	unsigned next;	    /* in the same bucket, or NONE */
	mode_t type;	    /* S_IFDIR, S_IFREG or S_IFLNK */
	struct bytes first; /* what was in it at first; of a link its target */
	struct change *change; /* owned, in their order */
	size_t changes, room;
	size_t waiting; /* bytes of these writes */
};

/* A name that is on the disk. */
struct name {
	char *path; /* owned; below the folder */
	unsigned file;
};

struct names {
	struct name *at; /* owned; sorted by path */
	size_t count, room;
};

static struct {
	/* A sanitizer that reports a fault in here opens files. */
	pthread_mutex_t lock;
	atomic_bool watches; /* while not, calls go straight to the system */
	char dir[PATH_MAX];
	dev_t device;
	bool forgets;
	size_t changes;
	struct file *file; /* owned */
	unsigned files, room;
	unsigned bucket[BUCKETS];  /* of inodes: the latest file, or NONE */
	struct names names;	   /* those of the beginning */
	struct renaming *renaming; /* owned */
	size_t renamings, renaming_room;
	bool faulty;
	struct disk_fault fault;
	struct disk_plan *plan;
	int error; /* of the change that fails */
	/* When disk_look() was last called, by both clocks. */
	int64_t looked_ns, looked_monotonic_ns;
} disk = { .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP };

static uint32_t
drawn(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(*state >> 4) * below >> 28);
}

/* Makes room for one more in a list. */
static void *
roomy(void *list, size_t count, size_t *room, size_t bytes)
{
	if (count < *room)
		return list;
	*room = *room == 0 ? 16 : *room * 2;
	return memory(list, *room * bytes);
}

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

static void
apply(struct bytes *to, const struct change *change)
{
	if (change->kind == WRITE)
		put(to, change->offset, change->data.at, change->data.used);
	else if (change->kind == SIZE)
		resize(to, change->offset);
}

/* Takes the first `n` changes of a file into what was in it at first. */
static void
settle(struct file *file, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		apply(&file->first, &file->change[i]);
		file->waiting -= file->change[i].data.used;
		free(file->change[i].data.at);
	}
	file->changes -= n;
	memmove(file->change, file->change + n,
		file->changes * sizeof(*file->change));
}

/* Notes a change; `data` of a write is copied. */
static void
note(enum kind kind, unsigned number, size_t offset, const void *data, size_t n)
{
	struct file *file = &disk.file[number];
	struct change *change;

	file->change = roomy(file->change, file->changes, &file->room,
			     sizeof(*file->change));
	change = &file->change[file->changes++];
	*change = (struct change){ .kind = kind,
				   .number = disk.changes++,
				   .offset = offset };
	if (kind == WRITE) {
		change->data.at = memory(NULL, n);
		change->data.used = change->data.room = n;
		memcpy(change->data.at, data, n);
		file->waiting += n;
	}
	if (disk.forgets && kind == SYNC)
		settle(file, file->changes);
	else if (disk.forgets && file->waiting > WAITING_BYTES)
		settle(file, file->changes / 2);
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

/* ---- files ------------------------------------------------------------ */

static unsigned
by_inode(ino_t inode)
{
	unsigned i = disk.bucket[inode % BUCKETS];

	while (i != NONE && disk.file[i].inode != inode)
		i = disk.file[i].next;
	return i;
}

/* Returns the number of a file that is open; NONE: it is not watched. */
static unsigned
number_of(int fd)
{
	struct stat st;

	if (syscall(SYS_fstat, fd, &st) < 0 || st.st_dev != disk.device)
		return NONE;
	return by_inode(st.st_ino);
}

static unsigned
by_path(const char *path)
{
	struct stat st;

	if (syscall(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) <
	    0)
		return NONE;
	return by_inode(st.st_ino);
}

static unsigned
add_file(const struct stat *st)
{
	const unsigned before = by_inode(st->st_ino);
	unsigned *bucket = &disk.bucket[st->st_ino % BUCKETS];
	size_t room = disk.room;

	if (before != NONE) /* the number was used before */
		disk.file[before].inode = 0;
	disk.file = roomy(disk.file, disk.files, &room, sizeof(*disk.file));
	disk.room = (unsigned)room;
	disk.file[disk.files] = (struct file){ .inode = st->st_ino,
					       .type = st->st_mode & S_IFMT,
					       .next = *bucket };
	*bucket = disk.files;
	return disk.files++;
}

static void
empty(struct file *file)
{
	for (size_t i = 0; i < file->changes; i++)
		free(file->change[i].data.at);
	free(file->change);
	free(file->first.at);
	file->change = NULL;
	file->first = (struct bytes){ NULL, 0, 0 };
	file->changes = file->room = file->waiting = 0;
}

/* ---- names ------------------------------------------------------------ */

/* Returns where a name is; if it is not there, where it would be. */
static size_t
find_name(const struct names *names, const char *path)
{
	size_t low = 0, high = names->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(names->at[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Lets a name lead to this file, or (NONE) to nothing.  Returns the file that it led to
 * before, or NONE. */
static unsigned
set_name(struct names *names, const char *path, unsigned file)
{
	const size_t i = find_name(names, path);
	unsigned before = NONE;

	if (i < names->count && strcmp(names->at[i].path, path) == 0) {
		before = names->at[i].file;
		names->at[i].file = file;
		if (file != NONE)
			return before;
		free(names->at[i].path);
		names->count--;
		memmove(&names->at[i], &names->at[i + 1],
			(names->count - i) * sizeof(*names->at));
	} else if (file != NONE) {
		names->at = roomy(names->at, names->count, &names->room,
				  sizeof(*names->at));
		memmove(&names->at[i + 1], &names->at[i],
			(names->count - i) * sizeof(*names->at));
		names->count++;
		names->at[i] = (struct name){ copied(path), file };
	}
	return before;
}

static void
forget_names(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->at[i].path);
	free(names->at);
	*names = (struct names){ NULL, 0, 0 };
}

/* Returns true if a name leads to this file, or may after a cut. */
static bool
has_name(unsigned file)
{
	size_t i;

	for (i = 0; i < disk.names.count; i++)
		if (disk.names.at[i].file == file)
			return true;
	for (i = 0; i < disk.renamings; i++)
		if (disk.renaming[i].kind == NAME &&
		    disk.renaming[i].file == file)
			return true;
	return false;
}

/* Returns true if `dir` is the folder of this path. */
static bool
is_above(const char *dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	const size_t n = slash == NULL ? 0 : (size_t)(slash - path);

	return strlen(dir) == n && strncmp(dir, path, n) == 0;
}

/* Takes the changes of names in this folder into the names of the beginning. */
static void
settle_names(const char *dir)
{
	struct renaming *renaming, *kept = disk.renaming;
	unsigned *gone = memory(NULL, 2 * disk.renamings * sizeof(*gone) + 1);
	size_t i, goes = 0;

	for (i = 0; i < disk.renamings; i++) {
		renaming = &disk.renaming[i];
		if (!is_above(dir, renaming->path)) {
			*kept++ = *renaming;
			continue;
		}
		gone[goes++] = set_name(&disk.names, renaming->path,
					renaming->kind == NAME ? renaming->file
							       : NONE);
		gone[goes++] = renaming->file;
		free(renaming->path);
	}
	disk.renamings = (size_t)(kept - disk.renaming);
	for (i = 0; i < goes; i++)
		if (gone[i] != NONE && !has_name(gone[i]))
			empty(&disk.file[gone[i]]);
	free(gone);
}

static void
note_names(enum kind kind, const char *path, unsigned file)
{
	disk.renaming = roomy(disk.renaming, disk.renamings,
			      &disk.renaming_room, sizeof(*disk.renaming));
	if (kind == SYNC_NAMES && disk.forgets) {
		disk.changes++;
		settle_names(path);
		return;
	}
	disk.renaming[disk.renamings++] =
		(struct renaming){ .kind = kind,
				   .number = disk.changes++,
				   .file = file,
				   .path = copied(path) };
}

/* ---- faults ----------------------------------------------------------- */

/* Returns true if disk_fail() lets this change fail; `name` is a removed name, or
 * empty. */
static bool
is_faulty(enum kind kind, const char *name)
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

/* Returns true if this change fails; failed() tells how. */
static bool
fails(enum kind kind, const char *name)
{
	if (disk.plan == NULL) {
		disk.error = disk.fault.error;
		return is_faulty(kind, name);
	}
	disk.error = disk.plan->next(disk.plan, disk.changes);
	if (disk.error == ENOSPC && (kind == UNNAME || kind == SIZE))
		disk.error = 0;
	return disk.error != 0;
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
	if (disk.error == DISK_END)
		disk.plan->end(disk.plan);
	if (disk.error == 0)
		raise(SIGKILL);
	errno = disk.error;
	return ended(-1);
}

/* ---- what stands there at the begin ----------------------------------- */

static void
slurp(const char *path, struct bytes *bytes)
{
	FILE *file = fopen(path, "re");
	long size;

	if (file == NULL || fseek(file, 0, SEEK_END) != 0)
		bug("cannot read %s", path);
	size = ftell(file);
	rewind(file);
	bytes->at = memory(NULL, (size_t)size + 1);
	bytes->room = (size_t)size + 1;
	bytes->used = fread(bytes->at, 1, (size_t)size, file);
	fclose(file);
}

/* Reads where a link leads. */
static void
read_target(const char *path, struct bytes *bytes)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target));

	if (n < 0)
		bug("cannot read the link %s", path);
	put(bytes, 0, target, (size_t)n);
}

static void
find(const char *path)
{
	char inner[PATH_MAX];
	struct dirent *entry;
	struct stat st;
	unsigned file;
	DIR *dir;

	if (syscall(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) <
	    0)
		bug("cannot look at %s", path);
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode) &&
	    !S_ISLNK(st.st_mode))
		return;
	disk.device = st.st_dev;
	file = add_file(&st);
	set_name(&disk.names, below(path), file);
	if (S_ISREG(st.st_mode))
		slurp(path, &disk.file[file].first);
	else if (S_ISLNK(st.st_mode))
		read_target(path, &disk.file[file].first);
	if (!S_ISDIR(st.st_mode))
		return;
	dir = opendir(path);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		snprintf(inner, sizeof(inner), "%.2000s/%s", path,
			 entry->d_name);
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 && below(inner) != NULL)
			find(inner);
	}
	closedir(dir);
}

/* Returns the time of the system, not that of a program that simulates it. */
static int64_t
real_ns(clockid_t clock)
{
	struct timespec now;

	syscall(SYS_clock_gettime, clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Notes that all that has changed until now is noted when this look is over.  Returns
 * the time since which others may have changed a file. */
static int64_t
begin_look(void)
{
	const int64_t now_ns = real_ns(CLOCK_REALTIME);
	const int64_t monotonic_ns = real_ns(CLOCK_MONOTONIC);
	const int64_t since_ns =
		now_ns - (monotonic_ns - disk.looked_monotonic_ns);
	const int64_t looked_ns = disk.looked_ns;

	disk.looked_ns = now_ns;
	disk.looked_monotonic_ns = monotonic_ns;
	/* They differ if somebody has set the clock. */
	return (since_ns < looked_ns ? since_ns : looked_ns) - TICK_NS;
}

void
disk_watch(const char *dir)
{
	disk_leave();
	begin_look();
	if (realpath(dir, disk.dir) == NULL)
		bug("no folder %s", dir);
	for (unsigned i = 0; i < BUCKETS; i++)
		disk.bucket[i] = NONE;
	find(disk.dir);
	atomic_store(&disk.watches, true);
}

void
disk_leave(void)
{
	size_t i;

	pthread_mutex_lock(&disk.lock);
	atomic_store(&disk.watches, false);
	for (i = 0; i < disk.renamings; i++)
		free(disk.renaming[i].path);
	for (i = 0; i < disk.files; i++)
		empty(&disk.file[i]);
	forget_names(&disk.names);
	disk.changes = disk.renamings = 0;
	disk.files = 0;
	disk.faulty = disk.forgets = false;
	disk.plan = NULL;
	pthread_mutex_unlock(&disk.lock);
}

void
disk_forget(void)
{
	disk.forgets = true;
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

void
disk_follow(struct disk_plan *plan)
{
	pthread_mutex_lock(&disk.lock);
	disk.plan = plan;
	pthread_mutex_unlock(&disk.lock);
}

/* ---- a cut ------------------------------------------------------------ */

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

/* Returns how many changes of a file are among the first n. */
static size_t
changes_of(const struct file *file, size_t n)
{
	size_t count = file->changes;

	while (count > 0 && file->change[count - 1].number >= n)
		count--;
	return count;
}

/* Returns the last of these changes that is of this kind; `count`: none is. */
static size_t
last_of(const struct file *file, size_t count, enum kind kind)
{
	size_t i = count;

	while (i > 0 && file->change[i - 1].kind != kind)
		i--;
	return i > 0 ? i - 1 : count;
}

/* Computes the final content of a file. */
static void
content(size_t n, const struct file *file, enum disk_loss loss, uint32_t *state,
	struct bytes *bytes)
{
	const size_t count = changes_of(file, n);
	const size_t sync = last_of(file, count, SYNC);
	const size_t synced = sync < count ? sync : 0;
	const size_t last = last_of(file, count, WRITE);
	size_t i;

	*bytes = (struct bytes){ NULL, 0, 0 };
	put(bytes, 0, file->first.at, file->first.used);
	for (i = 0; i < count; i++) {
		const struct change *change = &file->change[i];

		if (i < synced || loss == DISK_NOTHING ||
		    (loss == DISK_TORN && i != last))
			apply(bytes, change);
		else if (loss == DISK_TORN)
			put(bytes, change->offset, change->data.at,
			    change->data.used / 2);
		else if (loss == DISK_DRAWN && change->kind == WRITE)
			put_some(bytes, change, state);
		else if (loss == DISK_DRAWN && change->kind == SIZE &&
			 drawn(state, 2) == 0)
			apply(bytes, change);
	}
}

/* Returns true if a change of names, of the first n changes, is synced. */
static bool
name_is_synced(size_t i, size_t n)
{
	const char *path = disk.renaming[i].path;

	for (i++; i < disk.renamings && disk.renaming[i].number < n; i++)
		if (disk.renaming[i].kind == SYNC_NAMES &&
		    is_above(disk.renaming[i].path, path))
			return true;
	return false;
}

/* Computes the names that are left.  If a name is lost, later ones are lost, too, as in
 * a journal. */
static void
find_names(size_t n, enum disk_loss loss, uint32_t *state, struct names *names)
{
	const bool whole = loss == DISK_TORN || loss == DISK_NOTHING;
	bool lost = false;
	size_t i;

	for (i = 0; i < disk.names.count; i++)
		set_name(names, disk.names.at[i].path, disk.names.at[i].file);
	for (i = 0; i < disk.renamings && disk.renaming[i].number < n; i++) {
		const struct renaming *renaming = &disk.renaming[i];

		if (renaming->kind == SYNC_NAMES)
			continue;
		if (!whole && !name_is_synced(i, n)) {
			lost |= loss == DISK_SYNCED || drawn(state, 4) == 0;
			if (lost)
				continue;
		}
		set_name(names, renaming->path,
			 renaming->kind == NAME ? renaming->file : NONE);
	}
}

/* ---- what others have changed ------------------------------------------ */

static bool
has_content(const struct file *file, const struct bytes *bytes)
{
	struct bytes noted;
	uint32_t state = 0;
	bool same;

	content(disk.changes, file, DISK_NOTHING, &state, &noted);
	same = noted.used == bytes->used &&
	       memcmp(noted.at, bytes->at, noted.used) == 0;
	free(noted.at);
	return same;
}

/* Notes what is in a file or a link, if it is not what was noted. */
static void
look_into(const char *path, unsigned file)
{
	struct bytes bytes = { NULL, 0, 0 };

	if (disk.file[file].type == S_IFLNK)
		read_target(path, &bytes);
	else
		slurp(path, &bytes);
	if (!has_content(&disk.file[file], &bytes)) {
		note(SIZE, file, 0, NULL, 0);
		note(WRITE, file, 0, bytes.at, bytes.used);
	}
	free(bytes.at);
}

/* Takes what is there out of `names`: the others are gone.  Looks into files that have
 * changed since then. */
static void
look_at(const char *path, int64_t since_ns, struct names *names)
{
	char inner[PATH_MAX];
	struct dirent *entry;
	struct stat st;
	unsigned file;
	bool is_new;
	DIR *dir;

	if (syscall(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) <
		    0 ||
	    (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode) &&
	     !S_ISLNK(st.st_mode)))
		return;
	file = by_inode(st.st_ino);
	is_new = file == NONE || disk.file[file].type != (st.st_mode & S_IFMT);
	if (is_new)
		file = add_file(&st);
	if (set_name(names, below(path), NONE) != file)
		note_names(NAME, below(path), file);
	if (!S_ISDIR(st.st_mode)) {
		if (is_new || (int64_t)st.st_ctim.tv_sec * 1000000000 +
					      st.st_ctim.tv_nsec >=
				      since_ns)
			look_into(path, file);
		return;
	}
	dir = opendir(path);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		snprintf(inner, sizeof(inner), "%.2000s/%s", path,
			 entry->d_name);
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 && below(inner) != NULL)
			look_at(inner, since_ns, names);
	}
	if (dir != NULL)
		closedir(dir);
}

void
disk_look(void)
{
	struct names names = { NULL, 0, 0 };
	uint32_t state = 0;

	pthread_mutex_lock(&disk.lock);
	find_names(disk.changes, DISK_NOTHING, &state, &names);
	look_at(disk.dir, begin_look(), &names);
	for (size_t i = 0; i < names.count; i++)
		note_names(UNNAME, names.at[i].path, names.at[i].file);
	forget_names(&names);
	pthread_mutex_unlock(&disk.lock);
}

void
disk_let_go(void)
{
	atomic_store(&disk.watches, false);
}

/* ---- the folder after a cut --------------------------------------------- */

/* Returns the mode that the file of this name has now. */
static mode_t
mode_now(const char *name, mode_t else_mode)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%.2000s/%.2000s", disk.dir, name);
	return syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0) < 0
		       ? else_mode
		       : st.st_mode & 07777;
}

static void
make_file(const char *path, const struct bytes *bytes, mode_t mode)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path,
			      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	size_t done = 0;
	ssize_t n = 1;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return; /* the name of its folder is lost */
	for (; fd >= 0 && done < bytes->used && n > 0; done += (size_t)n)
		n = syscall(SYS_write, fd, bytes->at + done,
			    bytes->used - done);
	if (fd < 0 || n <= 0 || fchmod(fd, mode) < 0)
		bug("cannot make %s", path);
	close(fd);
}

/* Makes one file, link or folder. */
static void
make(size_t n, const struct name *name, enum disk_loss loss, uint32_t *state,
     const char *to)
{
	const struct file *file = &disk.file[name->file];
	char path[PATH_MAX];
	struct bytes bytes;

	snprintf(path, sizeof(path), "%.2000s/%.2000s", to, name->path);
	if (file->type == S_IFDIR) {
		if (syscall(SYS_mkdirat, AT_FDCWD, path,
			    mode_now(name->path, 0700)) < 0 &&
		    errno != ENOENT)
			bug("cannot make the folder %s", path);
		return;
	}
	content(n, file, loss, state, &bytes);
	if (file->type == S_IFLNK) {
		bytes.at[bytes.used] = '\0';
		(void)!syscall(SYS_symlinkat, bytes.at, AT_FDCWD, path);
	} else {
		make_file(path, &bytes, mode_now(name->path, 0600));
	}
	free(bytes.at);
}

void
disk_cut(size_t n, enum disk_loss loss, uint32_t *state, const char *to)
{
	struct names names = { NULL, 0, 0 };

	pthread_mutex_lock(&disk.lock);
	find_names(n, loss, state, &names);
	/* They are sorted: a folder comes before what is in it. */
	for (size_t i = 0; i < names.count; i++)
		make(n, &names.at[i], loss, state, to);
	forget_names(&names);
	pthread_mutex_unlock(&disk.lock);
}

/* ---- the calls -------------------------------------------------------- */

static void
note_name(enum kind kind, const char *path, unsigned file)
{
	if (below(path) != NULL && file != NONE)
		note_names(kind, below(path), file);
}

/* Notes the name of a file that was made. */
static void
note_new(const char *path)
{
	struct stat st;

	if (syscall(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) ==
	    0)
		note_name(NAME, path, add_file(&st));
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
	if (*file != NONE)
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
	if (fd >= 0 && is_new)
		note_new(path);
	else if (fd >= 0 && (flags & O_TRUNC) != 0 && number_of(fd) != NONE)
		note(SIZE, number_of(fd), 0, NULL, 0);
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
	if (done > 0)
		note(WRITE, file, (size_t)offset, data, (size_t)done);
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
		note(SIZE, file, (size_t)size, NULL, 0);
	return ended(result);
}

/* Lets the plan wait before a sync. */
static void
wait_for_sync(int fd)
{
	struct disk_plan *plan;

	pthread_mutex_lock(&disk.lock);
	plan = disk.plan;
	pthread_mutex_unlock(&disk.lock);
	if (plan != NULL && plan->sync != NULL)
		plan->sync(plan, fd);
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
	pthread_mutex_unlock(&disk.lock);
	wait_for_sync(fd);
	if (!is_file(fd, &file))
		return (int)syscall(call, fd);
	kind = disk.file[file].type == S_IFDIR ? SYNC_NAMES : SYNC;
	if (fails(kind, ""))
		return failed();
	name = kind == SYNC ? NULL : path_of(fd, path);
	if (kind == SYNC)
		note(SYNC, file, 0, NULL, 0);
	else if (name != NULL)
		note_names(SYNC_NAMES, name, file);
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

/* A file that was outside of the folder comes in as one that was never synced. */
static unsigned
bring_in(const char *path)
{
	struct bytes bytes = { NULL, 0, 0 };
	struct stat st;
	unsigned file;

	if (syscall(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) <
	    0)
		return NONE;
	if (!S_ISREG(st.st_mode))
		bug("%s comes into the folder that is watched", path);
	file = add_file(&st);
	slurp(path, &bytes);
	note(WRITE, file, 0, bytes.at, bytes.used);
	free(bytes.at);
	return file;
}

static int
rename_any(int from_dir, const char *from, int to_dir, const char *to,
	   unsigned flags)
{
	char source[PATH_MAX], target[PATH_MAX];
	unsigned file;
	bool twin;
	int result;

	if (!is_ours(to_dir, to, target) && !is_ours(from_dir, from, source))
		return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to,
				    flags);
	if (fails(NAME, ""))
		return failed();
	if (!whole(from_dir, from, source) || !whole(to_dir, to, target))
		bug("a path is too long");
	file = below(source) == NULL && below(target) != NULL ? bring_in(source)
							      : by_path(source);
	/* A name that takes the place of another one of the same file does nothing. */
	twin = file != NONE && by_path(target) == file;
	result = (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
	if (result == 0 && !twin) {
		note_name(NAME, target, file);
		note_name(UNNAME, source, file);
		/* The names below a folder move with it. */
		if (file != NONE && disk.file[file].type == S_IFDIR)
			disk_look();
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
rmdir(const char *name)
{
	return unlink_any(AT_FDCWD, name, AT_REMOVEDIR);
}

/* Notes a sync of every folder in which names have changed. */
static void
sync_all_names(void)
{
	char folder[PATH_MAX];
	const char *slash;
	size_t i = 0, before = disk.renamings;

	while (i < before && i < disk.renamings) {
		slash = strrchr(disk.renaming[i].path, '/');
		snprintf(folder, sizeof(folder), "%.*s",
			 slash == NULL ? 0
				       : (int)(slash - disk.renaming[i].path),
			 disk.renaming[i].path);
		if (disk.renaming[i].kind == SYNC_NAMES) {
			i++;
			continue;
		}
		note_names(SYNC_NAMES, folder, NONE);
		i = disk.forgets ? 0 : i + 1;
	}
}

/* A call that names a new file. */
struct making {
	int dir;
	const char *name;
	mode_t mode;	    /* of a folder */
	const char *target; /* of a link */
	int old_dir;	    /* of another name of `old` */
	const char *old;
};

static int
really_make(const struct making *making)
{
	if (making->old != NULL)
		return (int)syscall(SYS_linkat, making->old_dir, making->old,
				    making->dir, making->name, 0);
	if (making->target != NULL)
		return (int)syscall(SYS_symlinkat, making->target, making->dir,
				    making->name);
	return (int)syscall(SYS_mkdirat, making->dir, making->name,
			    making->mode);
}

static int
make_any(const struct making *making)
{
	char path[PATH_MAX];
	struct stat st;
	int result;

	if (!is_ours(making->dir, making->name, path))
		return really_make(making);
	if (syscall(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) <
		    0 &&
	    fails(NAME, ""))
		return failed();
	result = really_make(making);
	if (result == 0 && making->old != NULL && by_path(path) != NONE)
		note_name(NAME, path, by_path(path));
	else if (result == 0)
		note_new(path);
	if (result == 0 && making->target != NULL && by_path(path) != NONE)
		put(&disk.file[by_path(path)].first, 0, making->target,
		    strlen(making->target));
	return ended(result);
}

int
mkdirat(int dir, const char *name, mode_t mode)
{
	return make_any(
		&(struct making){ .dir = dir, .name = name, .mode = mode });
}

int
mkdir(const char *name, mode_t mode)
{
	return mkdirat(AT_FDCWD, name, mode);
}

int
symlinkat(const char *target, int dir, const char *name)
{
	return make_any(
		&(struct making){ .dir = dir, .name = name, .target = target });
}

int
symlink(const char *target, const char *name)
{
	return symlinkat(target, AT_FDCWD, name);
}

int
linkat(int old_dir, const char *old, int dir, const char *name,
       int flags UNUSED)
{
	return make_any(&(struct making){
		.dir = dir, .name = name, .old_dir = old_dir, .old = old });
}

int
link(const char *old, const char *name)
{
	return linkat(AT_FDCWD, old, AT_FDCWD, name, 0);
}

/* Syncs all that is in the folder. */
int
syncfs(int fd)
{
	unsigned file;
	size_t i;

	if (!is_file(fd, &file))
		return (int)syscall(SYS_syncfs, fd);
	if (fails(SYNC, ""))
		return failed();
	for (i = 0; i < disk.files; i++)
		if (disk.file[i].changes > 0)
			note(SYNC, (unsigned)i, 0, NULL, 0);
	sync_all_names();
	return ended(0);
}

/* SQLite calls these names, though off_t has 64 bits anyway. */
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int dir, const char *path, int flags, ...)
	__attribute__((alias("openat")));
ssize_t pwrite64(int fd, const void *data, size_t n, off_t offset)
	__attribute__((alias("pwrite")));
int ftruncate64(int fd, off_t size) __attribute__((alias("ftruncate")));
