/* ladder/follow.c - folds the log into the ladder.  No other code but a rebuild does.
 *
 * A group is one transaction, which needs no sync of its own: what the ladder's
 * file loses in a power cut is folded again. */
#include "ladder/log.h"

#include <unistd.h>

#include "ladder/store-inside.h"

/* Folds a void.  Returns LADDER_AGAIN if games are folded that it takes out. */
static int
fold_void(struct ladder *ladder, const struct log_entry *entry,
	  struct error *why)
{
	int result = void_take(ladder, entry->serial, entry->text, why);

	if (result != 0)
		return result;
	result = sql_row(&ladder->sql, why,
			 "SELECT 1 FROM voided x JOIN game USING (id)"
			 " WHERE x.number = ?",
			 "i", entry->serial, "");
	return result > 0 ? LADDER_AGAIN : result;
}

int
store_fold(struct ladder *ladder, struct log_entry *entry, struct error *why)
{
	int result = 0;

	if (entry->kind == ENTRY_VOID)
		result = fold_void(ladder, entry, why);
	else if (entry->kind == ENTRY_SETTING)
		result = setting_take(ladder, entry->serial, entry->text, why);
	if (entry->game != NULL) {
		entry->game->serial = entry->serial;
		entry->game->folder = entry->folder;
		result = store_rate(ladder, entry->game, why);
	}
	if (result < 0)
		return fold_prefix(why, entry->path);
	store_pass(ladder, entry->serial);
	return result;
}

static int
fold_entries(struct ladder *ladder, const struct ladder_log *log,
	     struct log_entry *group, unsigned *count, struct error *why)
{
	struct log_entry *entry;
	int result = 0;

	for (entry = group; entry != NULL && result == 0; entry = entry->next) {
		if (entry->serial > ladder->last + 1)
			return log_is_missing(log, ladder->last + 1, why);
		result = store_fold(ladder, entry, why);
		*count += result == 0 && entry->game != NULL;
		entry->twin = result == LADDER_FOUND;
		if (entry->twin)
			result = 0;
	}
	return result;
}

/* Copies the results to the games of a known group, if its entries were read
 * again instead of being folded directly. */
static int
tell(struct ladder *ladder, struct log_entry *known, struct error *why)
{
	struct ladder_game rated;
	int result;

	for (; known != NULL; known = known->next) {
		if (known->game == NULL || !known->durable)
			continue;
		result = ladder_game_find(ladder, known->id, &rated, why);
		if (result < 0)
			return -1;
		if (result == 0)
			continue;
		known->twin = rated.serial != known->serial;
		rate_tell(&rated, known->game);
	}
	return 0;
}

/* Returns LADDER_MORE, and folds nothing, if the whole ladder must be folded again,
 * but not all of the log is here. */
static int
fold_group(struct ladder *ladder, struct ladder_log *log,
	   struct log_entry *group, unsigned *count, struct error *why)
{
	const struct ladder_rebuilding again = { .recall = true,
						 .log = log,
						 .stop = ladder->stop };
	struct ladder_rebuilt report;
	unsigned rated = 0;
	int result = store_begin_fold(ladder, why);

	if (result == 0)
		result = fold_entries(ladder, log, group, &rated, why);
	if (result == 0)
		result = store_commit(ladder, why);
	if (result == 0) {
		*count += rated;
		return 0;
	}
	store_take_back(ladder);
	if (result < 0)
		return -1;
	/* Entries that are still to come may be voids, too. */
	if (log->here < log->last)
		return LADDER_MORE;
	result = ladder_rebuild(ladder, &again, &report, why);
	*count += result == 0 ? report.added : 0;
	return result < 0 ? result : tell(ladder, group, why);
}

/* Returns true if the whole group lies here; else other entries may have its
 * serials. */
static bool
lies_here(const struct ladder_log *log, const struct log_entry *group)
{
	while (group->next != NULL)
		group = group->next;
	return group->durable && group->serial <= log->here;
}

int
ladder_follow_some(struct ladder *ladder, struct ladder_log *log,
		   struct log_entry *known, unsigned *count, struct error *why)
{
	unsigned groups = 0;
	struct log_entry *group;
	bool direct;
	int result = 0;

	if (log->ops->bring != NULL && (log->unsure || log->here < log->last) &&
	    log->ops->bring(log, why) < 0)
		return -1;
	direct = known != NULL && known->serial == ladder->last + 1 &&
		 lies_here(log, known);
	if (direct)
		result = fold_group(ladder, log, known, count, why);
	for (; result == 0 && ladder->last < log->here; groups++) {
		if (groups == LADDER_FOLLOW_GROUPS)
			return LADDER_MORE;
		if (log->ops->read(log, ladder->last, &group, why) < 0)
			return -1;
		if (group == NULL)
			return log_is_missing(log, ladder->last + 1, why);
		result = fold_group(ladder, log, group, count, why);
		ladder_log_forget(group);
	}
	if (result == 0 && log->here < log->last)
		return LADDER_MORE;
	return result != 0 || direct ? result : tell(ladder, known, why);
}

int
ladder_follow(struct ladder *ladder, struct ladder_log *log,
	      struct log_entry *known, unsigned *count, struct error *why)
{
	int result;

	do {
		result = ladder_follow_some(ladder, log, known, count, why);
	} while (result == LADDER_MORE);
	return result;
}

/* ---- for who only reads ------------------------------------------------- */

int
ladder_log_end(struct ladder *ladder, int64_t *end, struct error *why)
{
	struct ladder *again;

	*end = ladder->last;
	if (founding_own(ladder, NULL, why) < 0)
		return -1;
	if (place_is_locked(&ladder->place))
		return 0;
	if (log_find_end(ladder, false, end, why) < 0)
		return -1;
	if (*end == ladder->last)
		return 0;
	/* A process that wrote when the ladder was opened may have ended since. */
	if (ladder_open(ladder->place.file, LADDER_READ, &again, why) < 0)
		return -1;
	if (again->last >= *end)
		*end = ladder->last;
	ladder_close(again);
	return 0;
}

/* ---- what a writer would find ------------------------------------------- */

/* Reads an entry that is not a record, to check it. */
static int
read_entry(const struct log_entry *entry, struct error *why)
{
	int result = 0;

	if (entry->kind == ENTRY_SETTING)
		result = setting_take(NULL, entry->serial, entry->text, why);
	else if (entry->kind == ENTRY_VOID)
		result = void_take(NULL, entry->serial, entry->text, why);
	return result < 0 ? error_prefix(why, "%.300s:", entry->path) : 0;
}

/* Reads all entries from the ladder's last one to the log's end, to check them. */
static int
read_log(struct ladder *ladder, int64_t end, struct error *why)
{
	struct ladder_log *log = ladder_log_memory(ladder);
	struct log_entry *group, *entry;
	int64_t last = ladder->last;
	int result = 0;

	log->here = log->last = LADDER_SERIAL_MAX;
	while (result == 0) {
		result = log->ops->read(log, last, &group, why);
		if (result < 0 || group == NULL)
			break;
		for (entry = group; entry != NULL && result == 0;
		     entry = entry->next) {
			if (entry->serial > ++last)
				result = log_is_missing(log, last, why);
			else if (entry->serial < last)
				result = error_set(why, ERROR_INPUT,
						   "%.300s: another entry has "
						   "its serial",
						   entry->path);
			else
				result = read_entry(entry, why);
		}
		ladder_log_forget(group);
	}
	if (result == 0 && last < end)
		result = log_is_missing(log, last + 1, why);
	ladder_log_free(log);
	return result;
}

static int
look(struct ladder *ladder, int64_t *end, struct error *why)
{
	if (founding_own(ladder, NULL, why) < 0 ||
	    log_find_end(ladder, false, end, why) < 0)
		return -1;
	return read_log(ladder, *end, why);
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
	} else {
		ladder = zeroed(1, sizeof(*ladder));
		result = make_lost(ladder, path, dir, &found->lost, why);
	}
	if (result == 0)
		found->last = found->end = ladder->last;
	if (result == 0 && !place_is_locked(&ladder->place))
		result = look(ladder, &found->end, why);
	ladder_close(ladder);
	return result;
}
