/* ladder/follow.c - the ladder is a fold over its log: the one way in which it
 * comes to know an entry.
 *
 * A group is one transaction, which needs no sync of its own: what a power cut takes
 * from the ladder's file is folded again. */
#include "ladder/log.h"

#include <inttypes.h>

#include "ladder/store-inside.h"

/* LADDER_AGAIN: games are folded that it takes out. */
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

int
follow_is_missing(const struct ladder *ladder, int64_t serial,
		  struct error *why)
{
	return error_set(why, ERROR_INPUT,
			 "ladder %.200s: entry %" PRId64
			 " of its log is not found; restore it, or take what "
			 "is there by `referee ladder rebuild --gaps`",
			 ladder->place.path, serial);
}

static int
fold_entries(struct ladder *ladder, struct log_entry *group, unsigned *count,
	     struct error *why)
{
	struct log_entry *entry;
	int result = 0;

	for (entry = group; entry != NULL && result == 0; entry = entry->next) {
		if (entry->serial > ladder->last + 1)
			return follow_is_missing(ladder, ladder->last + 1, why);
		result = store_fold(ladder, entry, why);
		*count += result == 0 && entry->game != NULL;
		entry->twin = result == LADDER_FOUND;
		if (entry->twin)
			result = 0;
	}
	return result;
}

/* Gives the games of a known group what came of them, if that was read in its
 * place. */
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
		for (unsigned s = 0; s < known->game->seats; s++) {
			known->game->seat[s].before_milli =
				rated.seat[s].before_milli;
			known->game->seat[s].delta_milli =
				rated.seat[s].delta_milli;
		}
	}
	return 0;
}

static int
fold_group(struct ladder *ladder, struct ladder_log *log,
	   struct log_entry *group, unsigned *count, struct error *why)
{
	const struct ladder_rebuilding again = { .known_gaps = true,
						 .recall = true,
						 .log = log,
						 .stop = ladder->stop };
	struct ladder_rebuilt report;
	unsigned rated = 0;
	int result = store_begin_fold(ladder, why);

	if (result == 0)
		result = fold_entries(ladder, group, &rated, why);
	if (result == 0)
		result = store_commit(ladder, why);
	if (result == 0) {
		*count += rated;
		return 0;
	}
	store_take_back(ladder);
	if (result < 0)
		return -1;
	result = ladder_rebuild(ladder, &again, &report, why);
	*count += result == 0 ? report.added : 0;
	return result < 0 ? result : tell(ladder, group, why);
}

/* Returns true if all of it lies here: other entries may have its serials. */
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
	int result;

	if (log->ops->bring != NULL && (log->unsure || log->here < log->last) &&
	    log->ops->bring(log, why) < 0)
		return -1;
	direct = known != NULL && known->serial == ladder->last + 1 &&
		 lies_here(log, known);
	if (direct && fold_group(ladder, log, known, count, why) < 0)
		return -1;
	for (; ladder->last < log->here; groups++) {
		if (groups == LADDER_FOLLOW_GROUPS)
			return LADDER_MORE;
		if (log->ops->read(log, ladder->last, &group, why) < 0)
			return -1;
		if (group == NULL)
			return follow_is_missing(ladder, ladder->last + 1, why);
		result = fold_group(ladder, log, group, count, why);
		ladder_log_forget(group);
		if (result < 0)
			return -1;
	}
	if (log->here < log->last)
		return LADDER_MORE;
	return direct ? 0 : tell(ladder, known, why);
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
