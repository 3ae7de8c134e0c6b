/* referee/web/report-records.c - see report-records.h. */
#include "referee/web/report-records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/log.h"
#include "ladder/pack.h"
#include "protocol/asks.h"
#include "protocol/file.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "referee/base/serve-limits.h"
#include "referee/import/tree.h"
#include "referee/records/record-walk.h"
#include "referee/web/report-file.h"

#define DIR_BYTES 1024

struct item {
	char *path;		 /* owned */
	struct ladder_game game; /* its serial is that of the copy */
};

struct report_records {
	char dir[DIR_BYTES], file[DIR_BYTES + 32];
	struct item *item; /* owned */
	unsigned items;
	struct pack_cache cache; /* of what was read last */
	unsigned passed;
	int stop;
	struct error *why; /* borrowed, while they are gathered */
};

const char *
report_records_ladder(const struct report_records *records)
{
	return records->file;
}

void
report_records_free(struct report_records *records)
{
	unsigned i;

	if (records == NULL)
		return;
	if (records->dir[0] != '\0')
		(void)!tree_remove(AT_FDCWD, records->dir);
	for (i = 0; i < records->items; i++)
		free(records->item[i].path);
	free(records->item);
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
	struct ladder_game game;
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
	result = ladder_game_with_serial(record, 1, &game, why);
	record_free(record);
	if (result < 0)
		return error_prefix(why, "%.1000s: ", path);
	records->item =
		grown(records->item, records->items, sizeof(*records->item));
	records->item[records->items++] = (struct item){ copied(path), game };
	return 0;
}

/* Lets pass what is not there or not whole, for it may come yet. */
static int
refuse_unread(void *arg, enum walk_trouble trouble, const struct error *why)
{
	struct report_records *records = arg;

	if (trouble != WALK_UNREAD)
		return 0;
	return error_set(records->why, ERROR_INPUT, "%s", why->text);
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

/* Leaves out what is of a block that has not as many games as seats. */
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
	/* A pipe would be waited for, with signals held. */
	const struct record_walk walk = { add_record, refuse_unread, records,
					  false, &records->cache };
	unsigned i;

	records->why = why;
	for (i = 0; i < paths; i++)
		if (record_walk(&walk, path[i]) < 0)
			return -1;
	if (!unfinished)
		drop_unfinished(records);
	if (records->items == 0)
		return error_set(why, ERROR_INPUT,
				 "there is no record of a game that is over "
				 "and may be shown");
	qsort(records->item, records->items, sizeof(*records->item), by_end);
	for (i = 1; i < records->items; i++)
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

static int
write_text(const struct text *text, const char *to, struct error *why)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int result = 0;

	if (fd < 0 || file_write(fd, text->bytes, text->used) < 0)
		result = error_set(why, ERROR_MACHINE,
				   "cannot write %.4000s: %m", to);
	if (fd >= 0)
		close(fd);
	return result;
}

static int
copy_record(struct report_records *records, const char *from, const char *to,
	    struct error *why)
{
	struct text text;
	int result;

	text_init(&text, SERVE_RECORD_BYTES);
	if (packed_load(&records->cache, from, &text) < 0 || text.full)
		result = error_set(
			why, ERROR_INPUT, "cannot read %.4000s: %s", from,
			text.full ? "it is too long" : strerror(errno));
	else
		result = write_text(&text, to, why);
	text_release(&text);
	return result;
}

/* The times of its asks, if they were kept.  What cannot be a side file is none:
 * a record means the same without it. */
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

/* Copies the records to where the ladder finds them. */
static int
copy_all(struct report_records *records, struct ladder *ladder, const char *dir,
	 struct log_entry *entry, struct error *why)
{
	char name[LADDER_FILE_BYTES], path[DIR_BYTES + 128];
	struct ladder_game *game;
	int64_t folder;
	unsigned i;

	if (ladder_folder(ladder, dir, &folder, why) < 0)
		return -1;
	for (i = 0; i < records->items; i++) {
		game = &records->item[i].game;
		entry[i].serial = i + 1;
		entry[i].folder = folder;
		entry[i].id = game->id;
		entry[i].game = game;
		if (i > 0)
			entry[i - 1].next = &entry[i];
		ladder_file_name(ENTRY_GAME, entry[i].serial, game->id, name);
		snprintf(path, sizeof(path), "%s/%s", dir, name);
		if (report_go_on(records->stop, why) < 0)
			return -1;
		if (copy_record(records, records->item[i].path, path, why) <
			    0 ||
		    copy_asks(records, records->item[i].path, path, why) < 0)
			return error_prefix(why,
					    "%.1000s: ", records->item[i].path);
	}
	return 0;
}

static int
rate_all(struct report_records *records, struct ladder *ladder, const char *dir,
	 struct error *why)
{
	struct log_entry *entry = zeroed(records->items + 1, sizeof(*entry));
	struct ladder_log *log = ladder_log_memory(ladder);
	unsigned count = 0;
	int result = copy_all(records, ladder, dir, entry, why);

	if (result == 0 && records->items > 0)
		result = log->ops->append(log, entry, why);
	if (result == 0 && records->items > 0)
		result = ladder_follow(ladder, log, entry, &count, why);
	ladder_log_free(log);
	free(entry);
	return result;
}

static int
make_ladder(struct report_records *records, struct error *why)
{
	const char *tmp = getenv("TMPDIR");
	char dir[DIR_BYTES + 16];
	struct ladder *ladder;
	int result;

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
	snprintf(dir, sizeof(dir), "%s/records", records->dir);
	if (mkdir(dir, 0700) < 0)
		return error_set(why, ERROR_MACHINE, "cannot make %s: %s", dir,
				 strerror(errno));
	if (ladder_open(records->file, LADDER_WRITE, &ladder, why) < 0)
		return -1;
	result = rate_all(records, ladder, dir, why);
	ladder_close(ladder);
	return result;
}

struct report_records *
report_records_new(char *const path[], unsigned paths, bool unfinished,
		   unsigned *passed, int stop, struct error *why)
{
	struct report_records *records = zeroed(1, sizeof(*records));

	records->stop = stop;
	if (find_all(records, path, paths, unfinished, why) == 0 &&
	    make_ladder(records, why) == 0) {
		*passed = records->passed;
		return records;
	}
	report_records_free(records);
	return NULL;
}
