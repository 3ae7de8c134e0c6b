/* referee/web/report-records.c - see report-records.h. */
#include "referee/web/report-records.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/folder.h"
#include "ladder/log.h"
#include "ladder/pack.h"
#include "protocol/asks.h"
#include "protocol/file.h"
#include "referee/base/serve-limits.h"
#include "referee/import/tree.h"
#include "referee/records/record-walk.h"
#include "referee/web/report-file.h"

#define DIR_BYTES 1024

struct item {
	char *path;		   /* owned */
	struct ladder_game game;   /* its serial is the copy's */
	char ladder[ID_BYTES + 1]; /* the ladder that it names; or "" */
};

struct report_records {
	char dir[DIR_BYTES], file[DIR_BYTES + 32];
	struct item *item; /* owned */
	unsigned items;
	struct pack_cache cache; /* the pack that was read last */
	/* The folders in which the records lie, each once; owned. */
	char **folder;
	unsigned folders;
	bool founded; /* one folder has the founding of their ladder */
	unsigned passed;
	int stop;
	struct error *why; /* borrowed while records are gathered */
};

const char *
report_records_ladder(const struct report_records *records)
{
	return records->file;
}

void
report_records_free(struct report_records *records)
{
	if (records == NULL)
		return;
	if (records->dir[0] != '\0')
		(void)!tree_remove(AT_FDCWD, records->dir);
	for (unsigned i = 0; i < records->items; i++)
		free(records->item[i].path);
	free(records->item);
	for (unsigned i = 0; i < records->folders; i++)
		free(records->folder[i]);
	free(records->folder);
	pack_cache_release(&records->cache);
	free(records);
}

/* ---- which ------------------------------------------------------------ */

static int
add_record(void *arg, const char *path, const struct text *text)
{
	struct report_records *records = arg;
	struct error *why = records->why;
	struct record *record;
	struct item *item, new = { 0 };
	const char *ladder;
	int result;

	if (report_go_on(records->stop, why) < 0)
		return -1;
	if (record_parse(text->used > 0 ? text->bytes : "", text->used, &record,
			 why) < 0)
		return error_prefix(why, "%.1000s:", path);
	if (record->aborted != NULL) {
		records->passed++;
		record_free(record);
		return 0;
	}
	ladder = record_header(record, "ladder");
	if (ladder != NULL &&
	    ladder_game_from_record(record, &new.game, why) < 0)
		ladder = NULL;
	result = ladder != NULL
			 ? 0
			 : ladder_game_with_serial(record, 1, &new.game, why);
	snprintf(new.ladder, sizeof(new.ladder), "%s",
		 ladder == NULL ? "" : ladder);
	record_free(record);
	if (result < 0)
		return error_prefix(why, "%.1000s: ", path);
	item = ADDED(records->item, records->items);
	*item = new;
	item->path = copied(path);
	return 0;
}

/* Refuses a file that cannot be read.  Accepts one that is missing or not
 * whole, because it may still come. */
static int
refuse_unread(void *arg, enum walk_trouble trouble, const struct error *why)
{
	struct report_records *records = arg;

	if (trouble != WALK_UNREAD)
		return 0;
	return error_set(records->why,
			 why->kind == ERROR_MACHINE ? ERROR_MACHINE
						    : ERROR_INPUT,
			 "%s", why->text);
}

static int
by_end(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	int order = strcmp(a->game.ended, b->game.ended);

	return order != 0 ? order : strcmp(a->game.id, b->game.id);
}

static int
by_block(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	int order = strcmp(a->game.block, b->game.block);

	return order != 0 ? order : by_end(left, right);
}

/* Leaves out the games of a block that has fewer games than seats. */
static void
drop_unfinished(struct report_records *records)
{
	struct item *item = records->item;
	unsigned i = 0, kept = 0, n, j;

	if (records->items == 0)
		return;
	qsort(item, records->items, sizeof(*item), by_block);
	for (; i < records->items; i += n) {
		for (n = 1;
		     i + n < records->items && item[i].game.block[0] != '\0' &&
		     strcmp(item[i + n].game.block, item[i].game.block) == 0;
		     n++)
			;
		for (j = i; j < i + n; j++)
			if (item[i].game.block[0] == '\0' ||
			    n >= item[i].game.seats)
				item[kept++] = item[j];
			else
				free(item[j].path);
	}
	records->passed += records->items - kept;
	records->items = kept;
}

static int
find_all(struct report_records *records, char *const path[], unsigned paths,
	 bool unfinished, struct error *why)
{
	/* A pipe would block us while signals are held. */
	const struct record_walk walk = { add_record, refuse_unread, records,
					  false, &records->cache };

	records->why = why;
	for (unsigned i = 0; i < paths; i++)
		if (record_walk(&walk, path[i]) < 0)
			return -1;
	if (!unfinished)
		drop_unfinished(records);
	if (records->items == 0)
		return error_set(why, ERROR_INPUT,
				 "there is no record of a game that is over "
				 "and may be shown");
	qsort(records->item, records->items, sizeof(*records->item), by_end);
	for (unsigned i = 1; i < records->items; i++)
		if (strcmp(records->item[i].game.id,
			   records->item[i - 1].game.id) == 0)
			return error_set(why, ERROR_INPUT,
					 "%.2000s and %.2000s are records of "
					 "the same game",
					 records->item[i - 1].path,
					 records->item[i].path);
	return 0;
}

/* ---- the ladder ------------------------------------------------------- */

/* Adds the folder in which a record lies, in a pack or not. */
static void
add_folder(struct report_records *records, const char *path)
{
	const size_t n = pack_in_path(path);
	char *file = formatted("%.*s", (int)(n > 0 ? n : strlen(path)), path);
	const char *dir = dirname(file);
	unsigned i = 0;

	while (i < records->folders && strcmp(records->folder[i], dir) != 0)
		i++;
	if (i == records->folders)
		*ADDED(records->folder, records->folders) = copied(dir);
	free(file);
}

static int
write_text(const struct text *text, const char *to, struct error *why)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int result = 0;

	if (fd < 0 || file_write(fd, text->bytes, text->used) < 0)
		result = error_set(why, ERROR_MACHINE,
				   "cannot write %.4000s: %m", to);
	close_quietly(fd);
	return result;
}

/* Copies an entry.  It may be in two folders, but must be equal in both. */
static int
copy_once(struct report_records *records, const char *from, const char *to,
	  size_t most, struct error *why)
{
	struct text text = { .max = most }, there = { .max = most };
	int result = 0;

	if (packed_load(&records->cache, from, &text) < 0 || text.full)
		result = error_set(
			why, text.full ? ERROR_INPUT : packed_kind(errno),
			"cannot read %.4000s: %s", from,
			text.full ? "it is too long" : file_trouble());
	else if (file_load_regular(to, &there) < 0)
		result = write_text(&text, to, why);
	else if (there.used != text.used ||
		 memcmp(there.bytes, text.bytes, text.used) != 0)
		result = error_set(why, ERROR_INPUT,
				   "%.2000s is in another of these folders, "
				   "too, and differs there; take away the "
				   "wrong one",
				   from);
	text_release(&there);
	text_release(&text);
	return result;
}

/* Copies the times of the record's asks if they were kept.  A file that cannot
 * be a side file is ignored, because a record means the same without it. */
static int
copy_asks(struct report_records *records, const char *record, const char *copy,
	  struct error *why)
{
	char from[LADDER_PATH_BYTES], to[DIR_BYTES + 160];
	struct text text = { .max = ASKS_BYTES };
	int result = 0;

	if (asks_path(record, from, sizeof(from)) &&
	    asks_path(copy, to, sizeof(to)) &&
	    packed_load_regular(&records->cache, from, &text) == 0 &&
	    !text.full)
		result = write_text(&text, to, why);
	text_release(&text);
	return result;
}

/* Copies the records to the place where the ladder finds them. */
static int
copy_all(struct report_records *records, const char *dir, struct error *why)
{
	char name[LADDER_FILE_BYTES], path[DIR_BYTES + 128];
	struct item *item = records->item;
	int result = 0;

	for (unsigned i = 0; i < records->items && result == 0; i++, item++) {
		if (!records->founded)
			item->game.serial = i + 1;
		ladder_file_name(ENTRY_GAME, item->game.serial, item->game.id,
				 name);
		snprintf(path, sizeof(path), "%s/%s", dir, name);
		if (report_go_on(records->stop, why) < 0)
			return -1;
		result = copy_once(records, item->path, path,
				   SERVE_RECORD_BYTES, why);
		if (result == 0)
			result = copy_asks(records, item->path, path, why);
		if (result < 0)
			return error_prefix(why, "%.1000s: ", item->path);
	}
	return result;
}

/* ---- one whose founding is there -------------------------------------- */

/* Returns the ladder that all records name, or NULL. */
static const char *
common_ladder(const struct report_records *records)
{
	for (unsigned i = 1; i < records->items; i++)
		if (strcmp(records->item[i].ladder, records->item[0].ladder) !=
		    0)
			return NULL;
	return records->item[0].ladder[0] == '\0' ? NULL
						  : records->item[0].ladder;
}

/* Copies what the log has beside records in a folder. */
static int
copy_others(struct report_records *records, const char *from, const char *dir,
	    struct error *why)
{
	struct folder_list list = { 0 };
	char *to;
	int result = folder_read(&list, from, 0, 0, NULL, why);

	for (size_t i = 0; i < list.count && result == 0; i++) {
		result = report_go_on(records->stop, why);
		if (result < 0 || list.file[i].kind == ENTRY_GAME)
			continue;
		to = formatted("%s%s", dir, strrchr(list.file[i].path, '/'));
		result = copy_once(records, list.file[i].path, to,
				   SERVE_RECORD_BYTES, why);
		free(to);
	}
	folder_release(&list);
	return result;
}

/* Copies the founding, if it is there, and with it the settings and voids. */
static int
copy_founding(struct report_records *records, const char *dir,
	      struct error *why)
{
	const char *ladder = common_ladder(records);
	char name[LADDER_FILE_BYTES], *from, *to;
	int result = 0;
	unsigned i;

	if (ladder == NULL)
		return 0;
	for (i = 0; i < records->items; i++)
		add_folder(records, records->item[i].path);
	ladder_file_name(ENTRY_FOUNDING, 0, ladder, name);
	to = formatted("%s/%s", dir, name);
	for (i = 0; i < records->folders && result == 0; i++) {
		from = formatted("%s/%s", records->folder[i], name);
		if (access(from, F_OK) == 0) {
			records->founded = true;
			result = copy_once(records, from, to,
					   LADDER_FOUNDING_BYTES, why);
		}
		free(from);
	}
	free(to);
	for (i = 0; i < records->folders && records->founded && result == 0;
	     i++)
		result = copy_others(records, records->folder[i], dir, why);
	return result;
}

/* Rates the games as their ladder did, under their serials; other games may be
 * missing. */
static int
fold_all(struct ladder *ladder, struct error *why)
{
	const struct ladder_rebuilding how = { .gaps = true };
	struct ladder_rebuilt report;

	return ladder_rebuild(ladder, &how, &report, why);
}

/* ---- one of these records alone --------------------------------------- */

static int
rate_all(struct report_records *records, struct ladder *ladder, const char *dir,
	 struct error *why)
{
	struct log_entry *entry = zeroed(records->items + 1, sizeof(*entry));
	struct ladder_log *log = ladder_log_memory(ladder);
	unsigned count = 0, i;
	int64_t folder;
	int result = ladder_folder(ladder, dir, &folder, why);

	for (i = 0; i < records->items; i++) {
		entry[i].serial = i + 1;
		entry[i].folder = folder;
		entry[i].id = records->item[i].game.id;
		entry[i].game = &records->item[i].game;
		if (i > 0)
			entry[i - 1].next = &entry[i];
	}
	if (result == 0 && records->items > 0)
		result = log->ops->append(log, entry, why);
	if (result == 0 && records->items > 0)
		result = ladder_follow(ladder, log, entry, &count, why);
	ladder_log_free(log);
	free(entry);
	return result;
}

/* ---- either ----------------------------------------------------------- */

static int
make_folders(struct report_records *records, char dir[DIR_BYTES + 16],
	     struct error *why)
{
	const char *tmp = getenv("TMPDIR");

	if (tmp == NULL || strlen(tmp) > DIR_BYTES - 32)
		tmp = "/tmp";
	snprintf(records->dir, sizeof(records->dir), "%s/referee-report-XXXXXX",
		 tmp);
	if (mkdtemp(records->dir) == NULL) {
		error_set(why, ERROR_MACHINE, "cannot make a folder in %s: %s",
			  tmp, strerror(errno));
		records->dir[0] = '\0';
		return -1;
	}
	snprintf(records->file, sizeof(records->file), "%s/ladder.db",
		 records->dir);
	snprintf(dir, DIR_BYTES + 16, "%s/records", records->dir);
	if (mkdir(dir, 0700) < 0)
		return error_set(why, ERROR_MACHINE, "cannot make %s: %s", dir,
				 strerror(errno));
	return 0;
}

static int
make_ladder(struct report_records *records, const struct ladder_founding *how,
	    struct error *why)
{
	char dir[DIR_BYTES + 16];
	struct ladder *ladder;
	int result;

	if (make_folders(records, dir, why) < 0 ||
	    copy_founding(records, dir, why) < 0)
		return -1;
	if (records->founded && (how->k_milli >= 0 || how->start_milli >= 0))
		return error_set(why, ERROR_INPUT,
				 "K and the start rating are those of the "
				 "ladder of these records: its founding lies "
				 "beside them");
	/* This opens the ladder of the founding that lies beside the file, if
	 * there is one. */
	if (copy_all(records, dir, why) < 0 ||
	    ladder_open_until(records->file, how, NULL, &ladder, why) < 0)
		return -1;
	result = records->founded ? fold_all(ladder, why)
				  : rate_all(records, ladder, dir, why);
	ladder_close(ladder);
	return result;
}

struct report_records *
report_records_new(char *const path[], unsigned paths,
		   const struct ladder_founding *how, bool unfinished,
		   unsigned *passed, int stop, struct error *why)
{
	struct report_records *records = zeroed(1, sizeof(*records));

	records->stop = stop;
	if (find_all(records, path, paths, unfinished, why) == 0 &&
	    make_ladder(records, how, why) == 0) {
		*passed = records->passed;
		return records;
	}
	report_records_free(records);
	return NULL;
}

bool
report_records_founded(const struct report_records *records)
{
	return records->founded;
}
