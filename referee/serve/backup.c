/* referee/serve/backup.c - see backup.h. */
#include "referee/serve/backup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/folder.h"
#include "ladder/pack.h"
#include "ladder/roster.h"
#include "ladder/store.h"
#include "protocol/file.h"
#include "referee/data/data-folder.h"
#include "referee/import/tree.h"
#include "referee/serve/checker.h"

#define MARK "backup" /* the file that only a whole copy has */
#define MARK_TEXT "referee backup 1\n"
#define CHECKER "check-record" /* the folder of checker_files */
#define COPY_BYTES 65536
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* A copy in progress. */
struct copy {
	const char *from;
	char *to; /* where the copy is made; owned */
	struct backup_report *report;
	struct error *why;
};

static int
cannot(struct copy *copy, const char *what, const char *path)
{
	return error_set(copy->why, ERROR_MACHINE, "cannot %s %.4000s: %m",
			 what, path);
}

/* ---- databases -------------------------------------------------------- */

static int
copy_database(struct copy *copy, const char *name)
{
	char from[PATH_MAX], to[PATH_MAX];
	struct stat st;

	if (snprintf(from, sizeof(from), "%s/%s", copy->from, name) >=
		    (int)sizeof(from) ||
	    snprintf(to, sizeof(to), "%s/%s", copy->to, name) >=
		    (int)sizeof(to))
		return error_set(copy->why, ERROR_INPUT,
				 "the path of %s is too long", name);
	/* An empty database is just being made. */
	if (lstat(from, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
		return 0;
	if (database_copy(from, to, copy->why) < 0)
		return -1;
	copy->report->databases++;
	return 0;
}

static int
copy_ladder(struct copy *copy, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/ladders/%s", copy->to, name);
	if (mkdir(path, 0777) < 0)
		return cannot(copy, "make", path);
	snprintf(path, sizeof(path), "ladders/%s/ladder.db", name);
	return copy_database(copy, path);
}

static int
copy_databases(struct copy *copy)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir;
	int result;

	snprintf(path, sizeof(path), "%s/ladders", copy->to);
	if (mkdir(path, 0700) < 0)
		return cannot(copy, "make", path);
	snprintf(path, sizeof(path), "%s/ladders", copy->from);
	dir = opendir(path);
	if (dir == NULL)
		return cannot(copy, "read", path);
	result = copy_database(copy, ROSTER_DB);
	while (result == 0 && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			result = copy_ladder(copy, entry->d_name);
	closedir(dir);
	return result;
}

/* ---- the rest --------------------------------------------------------- */

/* A folder that is being copied. */
struct place {
	int from, to;	  /* descriptors */
	const char *path; /* below the data folder; "": the data folder */
	unsigned depth;
	/* Set for a folder with records.  `record` is the highest serial below
	 * which nothing is missing.  Later records are left out, because they
	 * may be seen without those before them. */
	bool records;
	int64_t record;
	bool packs; /* only closed packs are copied */
};

static bool
is_below_bots(const char *path)
{
	return strcmp(path, "bots") == 0 || strncmp(path, "bots/", 5) == 0;
}

static bool
is_left_out(const struct place *place, const char *name)
{
	static const char *const at_top[] = { "lock",	  "control",
					      "incoming", "trials",
					      MARK,	  DATA_FOLDER_COPY,
					      CHECKER };
	static const char *const ends[] = { ".tmp", ".prune", ".new" };

	for (size_t i = 0; place->depth == 0 && i < NELEM(at_top); i++)
		if (strcmp(name, at_top[i]) == 0)
			return true;
	if (is_below_bots(place->path))
		return false;
	/* The databases are left out with their logs and locks, and the daemon
	 * makes the copy of a freeze again. */
	if (strncmp(name, place->depth == 0 ? ROSTER_DB : "ladder.db", 9) ==
		    0 ||
	    (place->depth > 0 && strncmp(name, "frozen-", 7) == 0))
		return true;
	for (size_t i = 0; i < NELEM(ends); i++)
		if (folder_ends_in(name, ends[i]))
			return true;
	if (place->packs && !pack_is_closed(name))
		return true;
	if (!place->records || name[0] < '0' || name[0] > '9')
		return false;
	return strtoll(name, NULL, 10) > place->record &&
	       strchr(name, '-') != NULL;
}

/* Opens a folder to read it from its beginning.  Returns NULL and sets errno if
 * that fails. */
static DIR *
list(int folder)
{
	int fd = openat(folder, ".", FOLDER_FLAGS);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (dir == NULL && fd >= 0)
		close(fd);
	return dir;
}

/* Returns the last serial of the closed packs, whose contents need not be read. */
static int64_t
last_closed(const struct place *place)
{
	DIR *dir = list(place->from);
	struct pack_range range;
	struct dirent *entry;
	int64_t last = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (pack_is_name(entry->d_name, &range) && range.last > last)
			last = range.last;
	if (dir != NULL)
		closedir(dir);
	return last;
}

/* Finds the highest serial without a gap below it: all records below were there
 * before it. */
static int
look_at_records(struct copy *copy, struct place *place)
{
	struct folder_list list = { 0 };
	char path[PATH_MAX];
	int result;

	if (snprintf(path, sizeof(path), "%s/%s", copy->from, place->path) >=
	    (int)sizeof(path))
		return error_set(copy->why, ERROR_INPUT,
				 "the path of %.4000s is too long",
				 place->path);
	place->record = last_closed(place);
	result = folder_read(&list, path, 0, place->record, NULL, copy->why);
	for (size_t i = 0; i < list.count; i++)
		if (list.file[i].serial > place->record)
			place->record = list.file[i].serial;
	folder_release(&list);
	place->records = true;
	return result < 0 ? -1 : 0;
}

static int
copy_bytes(int from, int to)
{
	char bytes[COPY_BYTES];
	ssize_t n;

	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		if (file_write(to, bytes, (size_t)n) < 0)
			return -1;
	return n < 0 ? -1 : 0;
}

/* Returns true if the copy already has this pack, open or closed.  Either form
 * has all that the copy must have, and both together would be one too many.  As
 * few packs are open, the folder is searched only for those; for a closed one
 * two names are enough. */
static bool
has_pack(const struct place *place, const char *name)
{
	char open_name[PACK_NAME_BYTES];
	struct pack_range range, other;
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	if (!place->records || !pack_is_name(name, &range))
		return false;
	pack_name((struct pack_range){ .first = range.first }, open_name);
	if (faccessat(place->to, open_name, F_OK, 0) == 0)
		return true;
	if (range.last > 0)
		return faccessat(place->to, name, F_OK, 0) == 0;
	dir = list(place->to);
	while (dir != NULL && !found && (entry = readdir(dir)) != NULL)
		found = pack_is_name(entry->d_name, &other) &&
			other.first == range.first;
	if (dir != NULL)
		closedir(dir);
	return found;
}

/* Copies a file.  A file that is gone by now did not have to be copied. */
static int
copy_file(struct copy *copy, const struct place *place, const char *name)
{
	int from = openat(place->from, name,
			  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	int to, result = 0;

	if (from < 0)
		return errno == ENOENT ? 0 : cannot(copy, "read", name);
	to = openat(place->to, name,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (to < 0 || fstat(from, &st) < 0 || copy_bytes(from, to) < 0 ||
	    fchmod(to, st.st_mode & 0777) < 0)
		result = cannot(copy, "copy", name);
	if (to >= 0 && close(to) < 0 && result == 0)
		result = cannot(copy, "write", name);
	close(from);
	copy->report->files++;
	return result;
}

static int
copy_link(struct copy *copy, const struct place *place, const char *name)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(place->from, name, target, sizeof(target) - 1);

	if (n < 0)
		return errno == ENOENT ? 0 : cannot(copy, "read", name);
	target[n] = '\0';
	if (symlinkat(target, place->to, name) < 0)
		return cannot(copy, "copy", name);
	copy->report->files++;
	return 0;
}

static int copy_folder(struct copy *copy, const struct place *above,
		       const char *name, mode_t mode);

static int
copy_entry(struct copy *copy, const struct place *place, const char *name)
{
	struct stat st;

	if (is_left_out(place, name) || has_pack(place, name))
		return 0;
	if (fstatat(place->from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : cannot(copy, "look at", name);
	if (S_ISDIR(st.st_mode))
		return copy_folder(copy, place, name, st.st_mode & 0777);
	if (S_ISLNK(st.st_mode))
		return copy_link(copy, place, name);
	return S_ISREG(st.st_mode) ? copy_file(copy, place, name) : 0;
}

static int
copy_entries(struct copy *copy, const struct place *place)
{
	DIR *dir = list(place->from);
	const char *name;
	int result = 0;

	if (dir == NULL)
		return cannot(copy, "read", place->path);
	while (result == 0 && (errno = 0, name = tree_next(dir)) != NULL)
		result = copy_entry(copy, place, name);
	if (result == 0 && errno != 0)
		result = cannot(copy, "read", place->path);
	closedir(dir);
	return result;
}

/* Returns true if the ladder was made after the databases were copied.  It is
 * left out. */
static bool
is_new_ladder(const struct place *above, const char *name)
{
	struct stat st;

	return strcmp(above->path, "ladders") == 0 &&
	       fstatat(above->to, name, &st, AT_SYMLINK_NOFOLLOW) < 0;
}

static bool
has_records(const struct place *above, const char *name)
{
	return strncmp(above->path, "ladders/", 8) == 0 && above->depth == 2 &&
	       strcmp(name, "records") == 0;
}

static int
copy_folder(struct copy *copy, const struct place *above, const char *name,
	    mode_t mode)
{
	const int flags = FOLDER_FLAGS | O_NOFOLLOW;
	char path[PATH_MAX];
	struct place place = { .path = path, .depth = above->depth + 1 };
	int result = 0;

	if (is_new_ladder(above, name))
		return 0;
	if (snprintf(path, sizeof(path), "%s%s%s", above->path,
		     *above->path ? "/" : "", name) >= (int)sizeof(path) ||
	    place.depth > BACKUP_DEPTH)
		return error_set(copy->why, ERROR_MACHINE,
				 "cannot copy %.4000s: too many nested folders",
				 path);
	place.from = openat(above->from, name, flags);
	if (place.from < 0)
		return errno == ENOENT ? 0 : cannot(copy, "read", path);
	if (mkdirat(above->to, name, 0700) < 0 && errno != EEXIST)
		result = cannot(copy, "make", path);
	place.to = openat(above->to, name, flags);
	if (result == 0 && place.to < 0)
		result = cannot(copy, "make", path);
	if (result == 0 && has_records(above, name))
		result = look_at_records(copy, &place);
	if (result == 0)
		result = copy_entries(copy, &place);
	/* If an open pack is closed while its folder is read, we may see
	 * neither its old nor its new name.  The second pass finds the new
	 * name. */
	place.packs = place.records;
	if (result == 0 && place.packs)
		result = copy_entries(copy, &place);
	if (result == 0 && fchmod(place.to, mode) < 0)
		result = cannot(copy, "make", path);
	close(place.from);
	close_quietly(place.to);
	return result;
}

/* Puts the program that proves the records beside them: it still runs when nothing
 * else of ours does. */
static int
add_checker(struct copy *copy)
{
	const struct checker_file *file;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/" CHECKER, copy->to);
	if (mkdir(path, 0700) < 0)
		return cannot(copy, "make", path);
	for (file = checker_files; file->name != NULL; file++) {
		snprintf(path, sizeof(path), "%s/" CHECKER "/%s", copy->to,
			 file->name);
		if (file_make(path, 0, file->bytes, file->n) < 0)
			return cannot(copy, "write", path);
	}
	return 0;
}

static int
copy_rest(struct copy *copy, const struct place *place, const char *mark)
{
	char path[PATH_MAX];
	int result = copy_entries(copy, place);

	if (result == 0 && mark != NULL)
		result = add_checker(copy);
	snprintf(path, sizeof(path), "%s/" MARK, copy->to);
	if (result == 0 && mark != NULL &&
	    file_make(path, 0, mark, strlen(mark)) < 0)
		result = cannot(copy, "write", path);
	/* All files are synced at once: a sync for each would take hours. */
	if (result == 0 && syncfs(place->to) < 0)
		result = cannot(copy, "sync", copy->to);
	return result;
}

static int
copy_folders(struct copy *copy, const char *mark)
{
	struct place place = { .path = "" };
	int result = 0;

	place.from = open(copy->from, FOLDER_FLAGS);
	place.to = open(copy->to, FOLDER_FLAGS);
	if (place.from < 0 || place.to < 0)
		result = cannot(copy, "open", copy->from);
	/* The note which state the roster is a copy of comes before the roster,
	 * so that it never names a newer state than that of the roster. */
	if (result == 0)
		result = copy_file(copy, &place, DATA_FOLDER_COPY);
	if (result == 0)
		result = copy_databases(copy);
	if (result == 0)
		result = copy_rest(copy, &place, mark);
	close_quietly(place.from);
	close_quietly(place.to);
	return result;
}

/* ---- where it goes ---------------------------------------------------- */

/* Checks that `to` is new or an empty folder, so that nothing is lost there. */
static int
check_target(struct copy *copy, const char *to)
{
	struct stat about;
	DIR *dir = NULL;
	bool empty;

	/* A folder cannot be moved through a link: it would replace the link or
	 * fail. */
	if (lstat(to, &about) == 0 && S_ISLNK(about.st_mode))
		return error_set(
			copy->why, ERROR_INPUT,
			"%.4000s is a link; name the folder it points to", to);
	dir = opendir(to);
	if (dir == NULL && errno == ENOENT)
		return 0;
	if (dir == NULL)
		return error_set(copy->why, path_kind(errno),
				 "%.4000s is not an empty folder: %m", to);
	empty = tree_next(dir) == NULL;
	closedir(dir);
	if (empty)
		return 0;
	return error_set(copy->why, ERROR_INPUT,
			 "%.4000s is not empty; name a new folder", to);
}

/* Checks that the copy is not inside the copied folder, as it would have no
 * end. */
static int
check_apart(struct copy *copy)
{
	char *from = realpath(copy->from, NULL), *to = realpath(copy->to, NULL);
	size_t n = from == NULL ? 0 : strlen(from);
	int result = 0;

	if (from == NULL || to == NULL)
		result = cannot(copy, "find", copy->from);
	else if (strncmp(from, to, n) == 0 && to[n] == '/')
		result = error_set(copy->why, ERROR_INPUT,
				   "the copy would be inside %.4000s; name a "
				   "folder elsewhere",
				   copy->from);
	free(from);
	free(to);
	return result;
}

static int
move_in(struct copy *copy, const char *to)
{
	if (rename(copy->to, to) < 0 && errno == EBUSY)
		return error_set(
			copy->why, ERROR_INPUT,
			"%.4000s is a mount point; name a folder on that disk",
			to);
	if (access(copy->to, F_OK) == 0 || folder_sync_above(to) < 0)
		return cannot(copy, "make", to);
	return 0;
}

static bool
has(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s/%s", dir, name) <
		       (int)sizeof(path) &&
	       access(path, F_OK) == 0;
}

/* Checks that the copied roster can be opened, before it is moved to its place.
 * The message names the original, as the folder of the copy will be gone. */
static int
check_roster(const struct copy *copy)
{
	struct roster *roster;
	struct error why;

	if (!has(copy->to, ROSTER_DB))
		return 0;
	if (roster_open(copy->to, &roster, &why) < 0)
		return error_set(copy->why, why.kind,
				 "cannot restore %.1000s: %s", copy->from,
				 why.text);
	roster_close(roster);
	return 0;
}

static int
copy_all(const char *from, const char *to, const char *mark,
	 struct backup_report *report, struct error *why)
{
	struct copy copy = { .from = from, .report = report, .why = why };
	char *place = copied(to);
	size_t n = strlen(to);
	int result;

	while (n > 1 && place[n - 1] == '/')
		place[--n] = '\0';
	*report = (struct backup_report){ 0 };
	result = check_target(&copy, place);
	copy.to = formatted("%s.XXXXXX", place);
	if (result == 0 && mkdtemp(copy.to) == NULL) {
		result = error_set(why, path_kind(errno),
				   "cannot make a folder beside %.4000s: %s",
				   place, strerror(errno));
	} else if (result == 0) {
		result = check_apart(&copy);
		if (result == 0)
			result = copy_folders(&copy, mark);
		if (result == 0 && mark == NULL)
			result = check_roster(&copy);
		if (result == 0)
			result = move_in(&copy, place);
		if (result != 0)
			(void)!tree_remove(AT_FDCWD, copy.to);
	}
	free(copy.to);
	free(place);
	return result;
}

int
backup_make(const char *data, const char *to, struct backup_report *report,
	    struct error *why)
{
	if (data_folder_find(data, why) < 0)
		return -1;
	return copy_all(data, to, MARK_TEXT, report, why);
}

int
backup_restore(const char *from, const char *data, struct backup_report *report,
	       struct error *why)
{
	if (has(from, MARK))
		return copy_all(from, data, NULL, report, why);
	return error_set(
		why, ERROR_INPUT,
		"%.4000s is not a complete backup: it has no file `" MARK "`",
		from);
}
