/* referee/records/unfinished.c - see unfinished.h. */
#include "referee/records/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "protocol/asks.h"
#include "protocol/record.h"

#define BELOW "/" FOLDER_UNFINISHED
#define SUBFOLDER_BYTES (LADDER_PATH_BYTES + sizeof(BELOW))

/* A record in the subfolder. */
struct waiting {
	char name[LADDER_FILE_BYTES];
	char id[ID_BYTES + 1], block[ID_BYTES + 1]; /* "": of none */
	char ladder[ID_BYTES + 1], serial[24];	    /* "": of none */
	unsigned seats;
	bool played; /* to its end */
	bool linked; /* stands in the folder, too */
	bool move;
};

struct waitings {
	struct waiting *of; /* owned */
	size_t count, room;
	int dir, below; /* owned descriptors; -1: there is no subfolder */
};

static int
cannot(const char *what, const char *dir, struct error *why)
{
	return error_set(why, ERROR_MACHINE, "cannot %s %.300s" BELOW ": %s",
			 what, dir, strerror(errno));
}

/* ---- the subfolder ---------------------------------------------------- */

/* It is ours, closed to others, and still the one that its name leads to. */
static bool
is_private(int fd, const char *path)
{
	struct stat own, named;

	if (fstat(fd, &own) < 0 || lstat(path, &named) < 0)
		return false;
	if (own.st_ino != named.st_ino || own.st_uid != geteuid()) {
		errno = EPERM;
		return false;
	}
	return (own.st_mode & 077) == 0 || fchmod(fd, 0700) == 0;
}

int
unfinished_take(const char *dir, bool make, struct error *why)
{
	char path[SUBFOLDER_BYTES];
	int fd;

	why->kind = ERROR_NONE;
	snprintf(path, sizeof(path), "%s" BELOW, dir);
	if (make && folder_make(path, 0700) < 0)
		return cannot("make the folder", dir, why);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && !make)
		return -1;
	if (fd < 0)
		return cannot("open the folder", dir, why);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (make)
			error_set(why, ERROR_MACHINE,
				  "another match with --duplicate keeps its "
				  "records in %.300s; wait until it has ended",
				  dir);
	} else if (is_private(fd, path)) {
		return fd;
	} else {
		(void)cannot("use the folder", dir, why);
	}
	close(fd);
	return -1;
}

void
unfinished_leave(const char *dir, int taken)
{
	char path[SUBFOLDER_BYTES];

	if (taken < 0)
		return;
	snprintf(path, sizeof(path), "%s" BELOW, dir);
	(void)!rmdir(path);
	close(taken);
}

/* ---- its records ------------------------------------------------------ */

static void
release(struct waitings *list)
{
	free(list->of);
	if (list->dir >= 0)
		close(list->dir);
	if (list->below >= 0)
		close(list->below);
}

/* NNNNNNNN-ID.rec or ID.rec: the ID. */
static bool
read_name(const char *name, struct waiting *one)
{
	const char *dash = strchr(name, '-');
	const char *id = dash == NULL ? name : dash + 1;
	size_t n = strlen(id);

	if (n != ID_BYTES + 4 || !folder_ends_in(name, ".rec") ||
	    strlen(name) >= sizeof(one->name))
		return false;
	*one = (struct waiting){ 0 };
	snprintf(one->name, sizeof(one->name), "%.*s", LADDER_FILE_BYTES - 1,
		 name);
	memcpy(one->id, id, ID_BYTES);
	return true;
}

static int
read_names(struct waitings *list, const char *dir, struct error *why)
{
	struct waiting one;
	struct dirent *entry;
	DIR *below = fdopendir(dup(list->below));

	if (below == NULL)
		return cannot("read the folder", dir, why);
	while ((entry = readdir(below)) != NULL) {
		if (!read_name(entry->d_name, &one))
			continue;
		one.linked = faccessat(list->dir, one.name, F_OK, 0) == 0;
		if (list->count == list->room) {
			list->room = list->room == 0 ? 64 : 2 * list->room;
			list->of = memory(list->of,
					  list->room * sizeof(*list->of));
		}
		list->of[list->count++] = one;
	}
	closedir(below);
	return 0;
}

static int
open_both(struct waitings *list, const char *dir, struct error *why)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

	*list = (struct waitings){ .below = -1 };
	list->dir = open(dir, flags);
	if (list->dir >= 0)
		list->below = openat(list->dir, FOLDER_UNFINISHED,
				     flags | O_NOFOLLOW);
	if (list->below >= 0)
		return read_names(list, dir, why);
	return errno == ENOENT ? 0 : cannot("read the folder", dir, why);
}

/* What belongs to a record moves with it, before its old name goes; it may be
 * missing. */
static void
move_asks(const struct waitings *list, const struct waiting *one)
{
	char name[LADDER_FILE_BYTES + 1];

	if (asks_path(one->name, name, sizeof(name)))
		(void)!renameat(list->below, name, list->dir, name);
}

/* Moves up those that are to be. */
static int
move(struct waitings *list, const char *dir, struct error *why)
{
	struct waiting *one, *end = list->of + list->count;
	bool any = false;

	for (one = list->of; one < end; one++) {
		if (!one->move)
			continue;
		any = true;
		if (linkat(list->below, one->name, list->dir, one->name, 0) <
			    0 &&
		    errno != EEXIST)
			return cannot("move records out of", dir, why);
	}
	if (any && fsync(list->dir) < 0)
		return cannot("sync the folder above", dir, why);
	for (one = list->of; one < end; one++) {
		if (!one->move)
			continue;
		move_asks(list, one);
		if (unlinkat(list->below, one->name, 0) < 0)
			return cannot("remove records from", dir, why);
	}
	return 0;
}

int
unfinished_publish(const char *dir, char id[][ID_BYTES + 1], unsigned games,
		   struct error *why)
{
	struct waitings list;
	int result = open_both(&list, dir, why);

	for (size_t i = 0; i < list.count; i++)
		for (unsigned g = 0; g < games; g++)
			list.of[i].move |= strcmp(list.of[i].id, id[g]) == 0;
	if (result == 0)
		result = move(&list, dir, why);
	release(&list);
	return result;
}

/* ---- what was left ---------------------------------------------------- */

static void
copy_header(const struct record *record, const char *key, char *to, size_t size)
{
	const char *value = record_header(record, key);

	snprintf(to, size, "%.*s", value == NULL ? 0 : (int)strcspn(value, " "),
		 value == NULL ? "" : value);
}

/* One that is no record stays where it is. */
static void
read_header(const char *dir, struct waiting *one)
{
	char path[SUBFOLDER_BYTES + LADDER_FILE_BYTES];
	struct record *record;
	struct error ignored;

	snprintf(path, sizeof(path), "%s" BELOW "/%s", dir, one->name);
	if (record_read(path, &record, &ignored) < 0)
		return;
	copy_header(record, "block", one->block, sizeof(one->block));
	copy_header(record, "ladder", one->ladder, sizeof(one->ladder));
	copy_header(record, "serial", one->serial, sizeof(one->serial));
	one->seats = record->seats;
	one->played = record->aborted == NULL;
	record_free(record);
}

static int
by_block(const void *a, const void *b)
{
	return strcmp(((const struct waiting *)a)->block,
		      ((const struct waiting *)b)->block);
}

/* Whether the block of `count` records is over, or was being moved. */
static bool
is_whole(const struct waiting *first, size_t count)
{
	unsigned played = 0;

	for (size_t i = 0; i < count; i++) {
		if (first[i].linked)
			return true;
		played += first[i].played;
	}
	return played == first->seats;
}

/* Decides on the records of a block; adds lines of a void. */
static void
judge(struct waiting *first, size_t count, const struct ladder *ladder,
      bool keep, FILE *games)
{
	const bool whole = is_whole(first, count);
	size_t i;

	if (first->block[0] == '\0' || (!whole && keep))
		return;
	for (i = 0; !whole && i < count; i++)
		if (first[i].serial[0] != '\0' &&
		    (ladder == NULL ||
		     strcmp(first[i].ladder, ladder_id(ladder)) != 0))
			return;
	for (i = 0; i < count; i++) {
		first[i].move = true;
		if (!whole && first[i].serial[0] != '\0')
			fprintf(games, "game %s %s\n", first[i].serial,
				first[i].id);
	}
}

static void
judge_all(struct waitings *list, const char *dir, const struct ladder *ladder,
	  bool keep, FILE *games)
{
	size_t i, n;

	for (i = 0; i < list->count; i++)
		read_header(dir, &list->of[i]);
	if (list->count > 0)
		qsort(list->of, list->count, sizeof(*list->of), by_block);
	for (i = 0; i < list->count; i += n) {
		for (n = 1; i + n < list->count &&
			    by_block(&list->of[i], &list->of[i + n]) == 0;
		     n++)
			;
		judge(&list->of[i], n, ladder, keep, games);
	}
}

/* Whether it is a side file, and its record is not there. */
static bool
is_left_alone(const struct waitings *list, const char *name)
{
	char record[NAME_MAX + 1];

	return asks_record(name, record, sizeof(record)) &&
	       faccessat(list->below, record, F_OK, 0) < 0 && errno == ENOENT;
}

/* Half-written records of a match that was killed, and what belongs to records
 * that are gone. */
static void
remove_half(const struct waitings *list)
{
	const struct dirent *entry;
	DIR *below = list->below < 0 ? NULL : fdopendir(dup(list->below));

	if (below == NULL)
		return;
	rewinddir(below);
	while ((entry = readdir(below)) != NULL)
		if (folder_ends_in(entry->d_name, ".rec.tmp") ||
		    is_left_alone(list, entry->d_name))
			(void)unlinkat(list->below, entry->d_name, 0);
	closedir(below);
}

int
unfinished_sweep(const char *dir, struct ladder *ladder, int64_t folder,
		 bool keep, struct error *why)
{
	struct ladder_voiding how = { .why = UNFINISHED_WHY, .folder = folder };
	struct ladder_voided voided;
	struct waitings list;
	char *games = NULL;
	size_t n;
	FILE *lines = open_memstream(&games, &n);
	int result = open_both(&list, dir, why);

	if (lines == NULL)
		bug("out of memory");
	remove_half(&list);
	if (result == 0)
		judge_all(&list, dir, ladder, keep, lines);
	fclose(lines);
	how.games = games;
	if (result == 0 && games[0] != '\0')
		result = ladder_void(ladder, &how, &voided, why);
	if (result == 0)
		result = move(&list, dir, why);
	free(games);
	release(&list);
	return result;
}
