/* ladder/folder.c - finds records by their names. */
#include "ladder/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"

#define HALF ".tmp"
#define DAMAGED "it is damaged, restore it from a copy"

/* Takes ownership of the path, which formatted() has made. */
static void
list_add(struct folder_list *list, char *path, int64_t folder, int64_t serial,
	 enum entry_kind kind)
{
	struct folder_file *file = ADDED(list->file, list->count);

	file->serial = serial;
	file->kind = kind;
	file->folder = folder;
	file->path = path;
}

/* Reads the ladder's ID from the header of a record, even of a half-written one.
 * Returns 1 and sets `id`, cut to its size; 0 if there is none, or not a whole one;
 * or -1 and errno. */
static int
read_ladder(struct pack_cache *cache, const char *path, char id[ID_BYTES + 2])
{
	struct text text = { .max = RECORD_BYTES + 1 };
	const char *head, *line, *end;
	int told = packed_load(cache, path, &text);
	size_t n;

	head = text_string(&text);
	end = strstr(head, "\n\n");
	line = strstr(head, "\nladder ");
	if (told == 0 && line != NULL && (end == NULL || line < end)) {
		line += strlen("\nladder ");
		n = strcspn(line, " \r\n");
		snprintf(id, ID_BYTES + 2, "%.*s", (int)n, line);
		told = line[n] != '\0';
	}
	text_release(&text);
	return told;
}

bool
folder_is_gone(const struct folder_file *file)
{
	return pack_in_path(file->path) == 0 && access(file->path, F_OK) < 0 &&
	       errno == ENOENT;
}

int
folder_ladder(struct pack_cache *cache, const struct folder_file *file,
	      char id[ID_BYTES + 2], struct error *why)
{
	const int told = read_ladder(cache, file->path, id);

	if (told < 0)
		return path_error(why, packed_kind(errno), "read", file->path);
	if (told == 0)
		id[0] = '\0';
	return 0;
}

static bool
is_file(DIR *dir, const char *name)
{
	struct stat found;

	return fstatat(dirfd(dir), name, &found, 0) < 0 ||
	       S_ISREG(found.st_mode);
}

static int
next_member(const struct text *tar, const struct pack_range *range, size_t *at,
	    struct pack_member *member, bool *damaged)
{
	return range->last > 0 ? pack_next(tar, at, member)
			       : pack_next_open(tar, at, member, damaged);
}

/* Returns true if the pack names other ladders, and not this one. */
static bool
is_foreign(const struct text *tar, const char *id)
{
	static const char key[] = "\nladder ";
	char line[ID_BYTES + sizeof(key) + 1];

	snprintf(line, sizeof(line), "%s%s\n", key, id);
	return memmem(tar->bytes, tar->used, key, strlen(key)) != NULL &&
	       memmem(tar->bytes, tar->used, line, strlen(line)) == NULL;
}

/* Lists the entries in a pack; in an open pack up to a torn one, and behind a
 * damaged one. */
static int
list_pack(struct folder_list *list, const char *path, const char *name,
	  const struct pack_range *range, int64_t folder, int64_t after,
	  struct error *why)
{
	char *pack = formatted("%s/%s", path, name);
	struct pack_member member;
	struct text tar = { 0 };
	size_t at = 0;
	int64_t last = 0;
	bool damaged = false;
	int result = pack_load(pack, &tar);

	while (result == 0 && (result = next_member(&tar, range, &at, &member,
						    &damaged)) > 0) {
		result = 0;
		if (member.serial < last || member.serial < range->first ||
		    (range->last > 0 && member.serial > range->last)) {
			errno = EBADMSG;
			result = -1;
			break;
		}
		last = member.serial;
		if (member.kind == ENTRY_ASKS)
			continue;
		list->passed += member.serial <= after;
		if (member.serial > after)
			list_add(list, formatted("%s/%s", pack, member.name),
				 folder, member.serial, member.kind);
	}
	if (result < 0 && at == 0 && tar.used == 0)
		result =
			error_set(why, packed_kind(errno),
				  "cannot read the pack %.300s: %s", pack,
				  errno == EBADMSG ? DAMAGED : strerror(errno));
	else if (result < 0 && range->last > 0)
		result = error_set(why, ERROR_INPUT,
				   "cannot read the pack %.300s: " DAMAGED,
				   pack);
	else
		result = 0;
	if (damaged && !(list->id != NULL && is_foreign(&tar, list->id))) {
		last = pack_last(&tar, 0, range->first - 1);
		list->lost = last > list->lost ? last : list->lost;
	}
	text_release(&tar);
	if (damaged && list->damaged == NULL)
		list->damaged = pack;
	else
		free(pack);
	return result;
}

static int
take_pack(struct folder_list *list, DIR *dir, const char *path,
	  const char *name, const struct pack_range *range, int64_t folder,
	  int64_t after, struct error *why)
{
	if (!is_file(dir, name))
		return 0;
	if (range->last == 0 || range->last > after)
		return list_pack(list, path, name, range, folder, after, why);
	list->passed += (size_t)(range->last - range->first) + 1;
	return 0;
}

/* Returns true for names like FIRST-LAST.tar.gz.tmp. */
static bool
is_half_pack(const char *name, size_t n)
{
	char whole[PACK_NAME_BYTES];
	struct pack_range range;

	if (n <= strlen(HALF) || n - strlen(HALF) >= sizeof(whole) ||
	    strcmp(name + n - strlen(HALF), HALF) != 0)
		return false;
	snprintf(whole, sizeof(whole), "%.*s", (int)(n - strlen(HALF)), name);
	return pack_is_name(whole, &range);
}

/* Returns true for a half-written entry (NAME.rec.tmp and the like) or pack.
 * Returns false for a link, and for anything that is not a file. */
static bool
is_half(DIR *dir, const char *name)
{
	const size_t n = strlen(name), half = strlen(HALF);
	enum entry_kind kind;
	struct stat found;

	return n > half && strcmp(name + n - half, HALF) == 0 &&
	       (is_half_pack(name, n) ||
		ladder_file_serial(name, n - half, &kind) > 0) &&
	       fstatat(dirfd(dir), name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(found.st_mode);
}

/* Leaves a half-written record alone that belongs to another ladder, whose referee
 * may be writing it, or that cannot be read. */
static int
sweep_half(DIR *dir, const char *path, const char *name, const char *id,
	   struct error *why)
{
	char *file = formatted("%s/%s", path, name), found[ID_BYTES + 2];
	const int told = !is_half(dir, name) ? -1
			 : is_half_pack(name, strlen(name))
				 ? 0
				 : read_ladder(NULL, file, found);
	int result = 0;

	if ((told == 0 || (told > 0 && strcmp(found, id) == 0)) &&
	    unlink(file) < 0 && errno != ENOENT)
		result = path_error(why, ERROR_MACHINE, "remove", file);
	free(file);
	return result;
}

static int
take_entry(struct folder_list *list, DIR *dir, const char *path,
	   const char *name, int64_t folder, int64_t after, const char *sweep,
	   struct error *why)
{
	const size_t n = strlen(name);
	enum entry_kind kind;
	const int64_t serial = ladder_file_serial(name, n, &kind);
	const bool is_entry = serial > 0 && kind != ENTRY_ASKS;
	struct pack_range range;

	if (pack_is_name(name, &range))
		return take_pack(list, dir, path, name, &range, folder, after,
				 why);
	list->passed += is_entry && serial <= after;
	if (is_entry && serial > after && is_file(dir, name))
		list_add(list, formatted("%s/%s", path, name), folder, serial,
			 kind);
	return sweep == NULL ? 0 : sweep_half(dir, path, name, sweep, why);
}

int
folder_read(struct folder_list *list, const char *path, int64_t folder,
	    int64_t after, const char *sweep, struct error *why)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int result = 0;

	if (dir == NULL) {
		if (errno == ENOENT)
			return 0;
		return path_error(why, path_kind(errno), "read", path);
	}
	while (result == 0 && (errno = 0, entry = readdir(dir)) != NULL)
		result = take_entry(list, dir, path, entry->d_name, folder,
				    after, sweep, why);
	if (result == 0 && errno != 0)
		result = path_error(why, ERROR_MACHINE, "read", path);
	closedir(dir);
	return result;
}

static int
compare(const void *one, const void *other)
{
	const struct folder_file *a = one, *b = other;
	int order;

	if (a->serial != b->serial)
		return a->serial < b->serial ? -1 : 1;
	order = strcmp(strrchr(a->path, '/'), strrchr(b->path, '/'));
	return order != 0 ? order : strcmp(a->path, b->path);
}

void
folder_sort(struct folder_list *list)
{
	if (list->count > 0)
		qsort(list->file, list->count, sizeof(*list->file), compare);
}

void
folder_release(struct folder_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->file[i].path);
	free(list->file);
	free(list->damaged);
	*list = (struct folder_list){ 0 };
}

bool
folder_ends_in(const char *name, const char *end)
{
	size_t n = strlen(name), length = strlen(end);

	return n > length && strcmp(name + n - length, end) == 0;
}
