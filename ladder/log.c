/* ladder/log.c - the functions that all logs have in common: entries, files,
 * reading, copying. */
#include "ladder/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/folder.h"
#include "ladder/store-inside.h"
#include "protocol/asks.h"
#include "protocol/file.h"

/* ---- entries ------------------------------------------------------------ */

/* An entry that was read. */
struct owned {
	struct log_entry entry; /* first */
	struct ladder_game game;
	char id[ID_BYTES + 1];
	char *path; /* or NULL */
	struct text text, asks;
};

void
ladder_log_forget(struct log_entry *group)
{
	struct log_entry *next;
	struct owned *owned;

	for (; group != NULL; group = next) {
		next = group->next;
		owned = (struct owned *)group;
		text_release(&owned->text);
		text_release(&owned->asks);
		free(owned->path);
		free(owned);
	}
}

static struct owned *
owned_new(void)
{
	struct owned *owned = zeroed(1, sizeof(*owned));

	owned->entry.id = owned->id;
	text_init(&owned->text, RECORD_BYTES * 2);
	text_init(&owned->asks, ASKS_BYTES);
	return owned;
}

static int
read_record(struct owned *owned, const void *text, size_t n, struct error *why)
{
	struct record *record;
	int result;

	if (record_parse(text, n, &record, why) < 0)
		return -1;
	result = ladder_game_from_record(record, &owned->game, why);
	record_free(record);
	owned->entry.serial = owned->game.serial;
	owned->entry.game = &owned->game;
	memcpy(owned->id, owned->game.id, sizeof(owned->id));
	return result;
}

/* Reads serial and ID of an entry that is not a record. */
static int
read_lines(struct owned *owned, struct error *why)
{
	struct entry_lines lines;

	return entry_begin(&lines, owned->entry.kind, &owned->text,
			   &owned->entry.serial, owned->id, why);
}

struct log_entry *
ladder_log_entry(const char *where, const void *text, size_t n,
		 const void *asks, size_t asks_n, struct error *why)
{
	struct owned *owned = owned_new();
	int result;

	text_add(&owned->text, text, n);
	owned->entry.kind = entry_kind_of(text, n);
	owned->path = copied(where);
	owned->entry.path = owned->path;
	owned->entry.text = &owned->text;
	if (asks_n > 0) {
		text_add(&owned->asks, asks, asks_n);
		owned->entry.asks = &owned->asks;
	}
	if (owned->entry.kind == ENTRY_VOID ||
	    owned->entry.kind == ENTRY_SETTING)
		result = read_lines(owned, why);
	else
		result = read_record(owned, text, n, why);
	if (result == 0)
		return &owned->entry;
	error_prefix(why, "%.300s: ", where);
	ladder_log_forget(&owned->entry);
	return NULL;
}

/* ---- reading folders ------------------------------------------------------ */

#define LOG_CACHES 4 /* packs kept unpacked, one for each folder */

struct log_cursor {
	struct folder_list list; /* by serial */
	size_t at;
	int64_t after; /* the last serial that was given */
	int64_t asked; /* `after` of the last read(); or -1 */
	char *damaged; /* folder_list's, of the last list; owned, or NULL */
	int64_t lost;  /* that list's */
	/* Folders may have the same packs. */
	struct pack_cache cache[LOG_CACHES];
};

static void
cursor_free(struct log_cursor *cursor)
{
	if (cursor == NULL)
		return;
	folder_release(&cursor->list);
	free(cursor->damaged);
	for (unsigned i = 0; i < LOG_CACHES; i++)
		pack_cache_release(&cursor->cache[i]);
	free(cursor);
}

static struct pack_cache *
cache_of(struct log_cursor *cursor, int64_t folder)
{
	return &cursor->cache[(uint64_t)folder % LOG_CACHES];
}

/* Finds the serial of the last entry of this ladder.  Sets `*foreign` to an
 * entry of another ladder behind it, the first of these, or NULL. */
static int
look_through(const struct ladder *ladder, const struct folder_list *list,
	     int64_t *last, const char **foreign, struct error *why)
{
	struct pack_cache cache = { 0 };
	char id[ID_BYTES + 2];
	int result = 0;

	*foreign = NULL;
	for (size_t i = list->count; i-- > 0;) {
		if (folder_is_gone(&list->file[i]))
			continue;
		result = folder_ladder(&cache, &list->file[i], id, why);
		if (result < 0)
			break;
		if (strcmp(id, ladder_id(ladder)) == 0) {
			*last = list->file[i].serial;
			break;
		}
		if (id[0] != '\0')
			*foreign = list->file[i].path;
	}
	pack_cache_release(&cache);
	return result;
}

/* Refuses a folder of another ladder: if that ladder's file is lost, a second
 * ladder beside its records would begin with serial 1 again. */
static int
refuse(const struct ladder *ladder, const char *foreign, struct error *why)
{
	return error_set(why, ERROR_INPUT,
			 "ladder %.100s has no games, but %.160s belongs to "
			 "another ladder: give a new ladder another folder; if "
			 "the other ladder's file is lost, `referee ladder "
			 "rebuild --ladder FILE --records FOLDER` restores it",
			 ladder->place.path, foreign);
}

int
log_find_end(struct ladder *ladder, bool sweep, int64_t *last,
	     struct error *why)
{
	struct folder_list list = { 0 };
	const char *foreign;
	int result = fold_list(ladder, &list, ladder->last, sweep, why);

	*last = ladder->last;
	if (result == 0)
		result = look_through(ladder, &list, last, &foreign, why);
	if (result == 0 && *last == 0 && foreign != NULL)
		result = refuse(ladder, foreign, why);
	if (list.lost > *last)
		*last = list.lost;
	if (result == 0)
		result = fold_look_for_missing(ladder, &list, why);
	folder_release(&list);
	return result;
}

int
ladder_log_look(struct ladder_log *log, const char *dir, struct error *why)
{
	struct ladder *ladder = log->ladder;
	int result = log_find_end(ladder, true, &log->here, why);

	if (result == 0)
		result = founding_keep(ladder, dir, why);
	if (result == 0 && log->here >= LADDER_SERIAL_MAX)
		result = error_set(why, ERROR_INPUT,
				   "ladder %.300s has the last entry that a "
				   "ladder can have",
				   ladder->place.path);
	log->last = log->here;
	return result;
}

static int
load_lines(struct log_cursor *cursor, const struct folder_file *file,
	   struct owned *owned, struct error *why)
{
	if (packed_load(cache_of(cursor, file->folder), file->path,
			&owned->text) < 0)
		return path_error(why, packed_kind(errno), "read", file->path);
	owned->entry.text = &owned->text;
	if (read_lines(owned, why) < 0)
		return fold_prefix(why, file->path);
	owned->entry.serial = file->serial; /* the serial in its name counts */
	return 0;
}

/* Reads an entry.  Sets `*entry` to NULL if it belongs to another ladder. */
static int
read_file(struct ladder_log *log, const struct folder_file *file,
	  struct log_entry **entry, struct error *why)
{
	struct log_cursor *cursor = log->cursor;
	struct owned *owned = owned_new();
	char ladder[ID_BYTES + 2];
	bool mine = false;
	int result;

	owned->path = copied(file->path);
	owned->entry.path = owned->path;
	owned->entry.serial = file->serial;
	owned->entry.folder = file->folder;
	owned->entry.kind = file->kind;
	if (file->kind != ENTRY_GAME) {
		result = folder_ladder(cache_of(cursor, file->folder), file,
				       ladder, why);
		mine = result == 0 &&
		       strcmp(ladder, ladder_id(log->ladder)) == 0;
		if (mine)
			result = load_lines(cursor, file, owned, why);
	} else {
		result = fold_game(log->ladder, cache_of(cursor, file->folder),
				   file, log->check, &owned->game, &mine, why);
		if (result == LADDER_FOUND)
			owned->entry.game = &owned->game;
		memcpy(owned->id, owned->game.id, sizeof(owned->id));
	}
	*entry = &owned->entry;
	if (result >= 0 && mine)
		return 0;
	ladder_log_forget(*entry);
	*entry = NULL;
	return result < 0 ? -1 : 0;
}

static int
begin_reading(struct ladder_log *log, int64_t after, struct error *why)
{
	struct log_cursor *cursor = log->cursor;
	int result;

	if (cursor == NULL) {
		cursor = log->cursor = zeroed(1, sizeof(*cursor));
		cursor->asked = -1;
	}
	if (cursor->after == after && cursor->at < cursor->list.count)
		return 0;
	folder_release(&cursor->list);
	free(cursor->damaged);
	cursor->at = 0;
	cursor->after = after;
	result = fold_list(log->ladder, &cursor->list, after, false, why);
	cursor->damaged = cursor->list.damaged;
	cursor->lost = cursor->list.lost;
	cursor->list.damaged = NULL;
	return result;
}

int
log_is_missing(const struct ladder_log *log, int64_t serial, struct error *why)
{
	const char *ladder = log->ladder->place.path;

	if (log->cursor != NULL && log->cursor->damaged != NULL)
		return error_set(
			why, ERROR_INPUT,
			"ladder %.160s: entry %" PRId64
			" of its log is not found, and the pack "
			"%.160s is damaged; restore it from a copy, or "
			"take what is there by `referee ladder rebuild "
			"--gaps`",
			ladder, serial, log->cursor->damaged);
	return error_set(why, ERROR_INPUT,
			 "ladder %.200s: entry %" PRId64
			 " of its log is missing; restore it, or go on without "
			 "it by `referee ladder rebuild --gaps`",
			 ladder, serial);
}

int64_t
log_lost(const struct ladder_log *log)
{
	return log->cursor != NULL ? log->cursor->lost : 0;
}

static bool
is_same(const struct log_entry *one, const struct log_entry *other)
{
	if (one->kind != ENTRY_GAME)
		return one->text->used == other->text->used &&
		       memcmp(one->text->bytes, other->text->bytes,
			      one->text->used) == 0;
	if (one->game == NULL || other->game == NULL)
		return one->game == other->game;
	return fold_is_same(one->game, other->game);
}

/* Passes over files with the name of the entry that was read, which must be the
 * same: an entry may lie in two folders, or in a pack that is just being
 * closed. */
static int
pass_twins(struct ladder_log *log, const struct log_entry *entry,
	   struct error *why)
{
	const struct folder_list *list = &log->cursor->list;
	const char *name = strrchr(entry->path, '/');
	struct log_entry *twin;
	size_t i;
	bool same;

	for (i = log->cursor->at + 1; i < list->count; i++) {
		if (strcmp(strrchr(list->file[i].path, '/'), name) != 0)
			break;
		if (read_file(log, &list->file[i], &twin, why) < 0)
			return -1;
		same = twin == NULL || is_same(entry, twin);
		ladder_log_forget(twin);
		if (!same)
			return error_set(
				why, ERROR_INPUT,
				"%.220s and %.220s differ, but are one "
				"entry by their names; take away the "
				"wrong one",
				entry->path, list->file[i].path);
	}
	log->cursor->at = i - 1;
	return 0;
}

int
log_voids(struct ladder_log *log, struct log_entry **group, struct error *why)
{
	struct log_entry **end = group;
	int result = begin_reading(log, 0, why);
	const struct folder_list *list = &log->cursor->list;

	*group = NULL;
	for (size_t i = 0; i < list->count && result == 0; i++) {
		if (list->file[i].kind != ENTRY_VOID)
			continue;
		result = read_file(log, &list->file[i], end, why);
		if (*end != NULL)
			end = &(*end)->next;
	}
	return result;
}

/* Reads the log's next entry into `*entry`.  Sets it to NULL if there is none,
 * or if an entry is missing behind `last`, unless `last` is 0. */
static int
read_next(struct ladder_log *log, int64_t last, struct log_entry **entry,
	  struct error *why)
{
	struct log_cursor *cursor = log->cursor;
	const struct folder_file *file;

	*entry = NULL;
	/* An entry behind log->here is not durable. */
	while (*entry == NULL && cursor->at < cursor->list.count) {
		file = &cursor->list.file[cursor->at];
		if (file->serial > log->here)
			return 0;
		if (read_file(log, file, entry, why) < 0)
			return -1;
		if (*entry != NULL && last > 0 && file->serial > last + 1) {
			ladder_log_forget(*entry);
			*entry = NULL;
			return 0;
		}
		if (*entry != NULL && pass_twins(log, *entry, why) < 0) {
			ladder_log_forget(*entry);
			*entry = NULL;
			return -1;
		}
		cursor->after = file->serial;
		cursor->at++;
	}
	return 0;
}

int
ladder_log_read(struct ladder_log *log, int64_t after, struct log_entry **group,
		struct error *why)
{
	struct log_entry **end = group;
	struct log_cursor *cursor;
	unsigned count = 0;
	int64_t last = 0;
	int result;

	*group = NULL;
	/* An entry that was missing may be there by now. */
	if (log->cursor != NULL && log->cursor->asked == after)
		log->cursor->at = log->cursor->list.count;
	result = begin_reading(log, after, why);
	cursor = log->cursor;
	cursor->asked = after;
	while (result == 0 && count < LADDER_LOG_ENTRIES) {
		result = read_next(log, last, end, why);
		if (result < 0 || *end == NULL)
			break;
		last = (*end)->serial;
		end = &(*end)->next;
		count++;
	}
	/* If an entry cannot be read, those before it are given first. */
	if (result < 0 && *group != NULL)
		return 0;
	if (result < 0 || cursor->at == cursor->list.count) {
		folder_release(&cursor->list);
		cursor->at = 0;
	}
	return result;
}

int
ladder_log_load(struct ladder_log *log, struct log_entry *entry,
		struct error *why)
{
	struct owned *owned = (struct owned *)entry;
	struct pack_cache *cache;
	char asks[LADDER_PATH_BYTES];

	if (entry->text != NULL)
		return 0;
	cache = cache_of(log->cursor, entry->folder);
	if (packed_load(cache, entry->path, &owned->text) < 0)
		return path_error(why, packed_kind(errno), "read", entry->path);
	entry->text = &owned->text;
	if (asks_path(entry->path, asks, sizeof(asks)) &&
	    packed_load_regular(cache, asks, &owned->asks) == 0)
		entry->asks = &owned->asks;
	return 0;
}

/* ---- copying --------------------------------------------------------------- */

/* Loads entries that follow `last` without a hole, up to LADDER_LOG_BYTES; sets
 * `*rest` to the entries behind them. */
static int
load_group(struct ladder_log *from, int64_t last, struct log_entry *entry,
	   struct log_entry **rest, struct error *why)
{
	size_t bytes = 0;

	*rest = NULL;
	for (; entry != NULL && *rest == NULL; entry = entry->next) {
		if (entry->serial != ++last)
			return error_set(why, ERROR_INPUT,
					 "entry %" PRId64 " is missing before "
					 "%.300s",
					 last, entry->path);
		if (ladder_log_load(from, entry, why) < 0)
			return -1;
		bytes += entry->text->used;
		if (bytes < LADDER_LOG_BYTES)
			continue;
		*rest = entry->next;
		entry->next = NULL;
	}
	return 0;
}

int
ladder_log_copy_some(struct ladder_log *from, struct ladder_log *to,
		     struct error *why)
{
	struct log_entry *group, *rest;
	int result;

	if (to->last >= from->last)
		return 0;
	if (from->ops->read(from, to->last, &group, why) < 0)
		return -1;
	if (group == NULL)
		return error_set(why, ERROR_INPUT,
				 "entry %" PRId64 " is missing", to->last + 1);
	result = load_group(from, to->last, group, &rest, why);
	if (result == 0)
		result = to->ops->append(to, group, why);
	ladder_log_forget(group);
	ladder_log_forget(rest);
	return result;
}

int
ladder_log_copy(struct ladder_log *from, struct ladder_log *to,
		struct error *why)
{
	int result = 0;

	while (result == 0 && to->last < from->last)
		result = ladder_log_copy_some(from, to, why);
	return result;
}

/* ---- a file ---------------------------------------------------------------- */

/* Bots learn a game's ID and can work out its record's name, so the temporary
 * name cannot be guessed and does not have the ID in it. ladder_log_look()
 * recognises it as the name of a half-written record. */
static void
temporary_name(char name[LADDER_FILE_BYTES + 4])
{
	char hex[ID_BYTES + 1];
	size_t n;

	id_draw(hex);
	ladder_file_name(ENTRY_GAME, 1, hex, name);
	n = strlen(name);
	memcpy(name + n, ".tmp", sizeof(".tmp"));
}

int
ladder_log_write(int dir, const char *name, const struct text *text)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW |
			  O_NONBLOCK;
	char temporary[LADDER_FILE_BYTES + 4];
	int fd, error, result;

	temporary_name(temporary);
	fd = openat(dir, temporary, flags, 0644);
	if (fd < 0)
		return -1;
	result = file_write(fd, text->bytes, text->used) < 0 ? -1
							     : fdatasync(fd);
	error = errno;
	if (close(fd) < 0 && result == 0) {
		error = errno;
		result = -1;
	}
	errno = error;
	if (result == 0 && rename_new(dir, temporary, name) == 0)
		return 0;
	error = errno;
	unlinkat(dir, temporary, 0);
	errno = error;
	return -1;
}

/* A file that already has this name belongs to a record that is gone. */
void
ladder_log_write_asks(int dir, const char *record, const struct text *asks)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	char name[LADDER_FILE_BYTES + 1];
	int fd;

	if (asks == NULL || asks->used == 0 ||
	    !asks_path(record, name, sizeof(name)))
		return;
	fd = openat(dir, name, flags, 0644);
	if (fd < 0 && errno == EEXIST && unlinkat(dir, name, 0) == 0)
		fd = openat(dir, name, flags, 0644);
	if (fd < 0)
		return;
	if (file_write(fd, asks->bytes, asks->used) < 0)
		(void)unlinkat(dir, name, 0);
	close(fd);
}

/* ---- any log ---------------------------------------------------------------- */

void
ladder_log_free(struct ladder_log *log)
{
	if (log == NULL)
		return;
	cursor_free(log->cursor);
	free(log->cut.copy);
	log->ops->free(log);
}
