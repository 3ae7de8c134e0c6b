/* ladder/rehearse.c - how a ladder's file and its log lie to each other, for who only
 * reads. */
#include "ladder/log.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "ladder/store-inside.h"

int
ladder_log_end(struct ladder *ladder, int64_t *end, struct error *why)
{
	struct ladder *again;

	*end = ladder->last;
	if (place_is_locked(&ladder->place))
		return 0;
	if (log_find_end(ladder, false, end, why) < 0)
		return -1;
	if (*end == ladder->last)
		return 0;
	/* Who was writing when this one was opened may have ended since. */
	if (ladder_open(ladder->place.file, LADDER_READ, &again, why) < 0)
		return -1;
	if (again->last >= *end)
		*end = ladder->last;
	ladder_close(again);
	return 0;
}

/* ---- what a writer would find ------------------------------------------- */

/* Reads all entries behind the last one. */
static int
read_log(struct ladder *ladder, int64_t *end, struct error *why)
{
	struct ladder_log *log = ladder_log_memory(ladder);
	struct log_entry *group, *entry;
	int64_t last = ladder->last;
	int result;

	log->here = log->last = LADDER_SERIAL_MAX;
	do {
		result = log->ops->read(log, last, &group, why);
		entry = result == 0 ? group : NULL;
		for (; entry != NULL && entry->serial == last + 1;
		     entry = entry->next)
			last++;
		if (entry != NULL && entry->serial > last)
			result = follow_is_missing(ladder, last + 1, why);
		else if (entry != NULL)
			result = error_set(why, ERROR_INPUT,
					   "%.300s: another entry has its "
					   "serial",
					   entry->path);
		if (result == 0 && group == NULL)
			break;
		if (group != NULL)
			ladder_log_forget(group);
	} while (result == 0);
	ladder_log_free(log);
	*end = last;
	return result;
}

static int
look(struct ladder *ladder, const char *dir, int64_t *end, struct error *why)
{
	if (founding_check(ladder, dir, NULL, why) < 0 ||
	    log_find_end(ladder, false, end, why) < 0)
		return -1;
	return read_log(ladder, end, why);
}

/* Makes in memory what a writer would make at `path`. */
static int
make_lost(struct ladder *ladder, const char *path, const char *dir, bool *lost,
	  struct error *why)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
			  SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
	char founding[LADDER_PATH_BYTES];
	int64_t folder;
	int result = place_find(&ladder->place, path, why);

	ladder->sql.what = "ladder";
	ladder->sql.path = ladder->place.path;
	if (result == 0 &&
	    sql_open(":memory:", flags, &ladder->sql.db) != SQLITE_OK)
		result = error_set(why, ERROR_MACHINE,
				   "cannot open a database in memory");
	if (result == 0)
		result = sql_execute(&ladder->sql, ladder_schema, why);
	if (result == 0)
		result = founding_find(dir, "", founding, why);
	if (result < 0)
		return -1;
	*lost = result > 0;
	result = *lost ? founding_adopt(&ladder->sql, founding, why)
		       : founding_new(&ladder->sql, NULL, why);
	if (result == 0)
		result = ladder_folder(ladder, dir, &folder, why);
	return result < 0 ? -1 : store_load(ladder, why);
}

int
ladder_rehearse(const char *path, struct ladder_rehearsed *found,
		struct error *why)
{
	const bool is_there = access(path, F_OK) == 0 && !ladder_is_empty(path);
	char dir[LADDER_PATH_BYTES];
	struct ladder *ladder = NULL;
	int result;

	*found = (struct ladder_rehearsed){ .lost = false };
	if (!is_there && !ladder_records_beside(path, dir))
		return 0;
	if (is_there) {
		result = ladder_open(path, LADDER_READ, &ladder, why);
		if (result == 0)
			(void)!ladder_records_beside(ladder->place.file, dir);
	} else {
		ladder = zeroed(1, sizeof(*ladder));
		result = make_lost(ladder, path, dir, &found->lost, why);
	}
	if (result == 0)
		found->last = found->end = ladder->last;
	if (result == 0 && !place_is_locked(&ladder->place))
		result = look(ladder, dir, &found->end, why);
	ladder_close(ladder);
	return result;
}
