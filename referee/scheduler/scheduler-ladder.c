/* referee/scheduler/scheduler-ladder.c - see scheduler-ladder.h. */
#include "referee/scheduler/scheduler-ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/milli.h"
#include "referee/config/config-parse.h"
#include "referee/records/log-packs.h"
#include "referee/scheduler/scheduler-recall.h"

/* Room for the paths below `dir`. */
#define BELOW_BYTES 16

/* ---- seasons ----------------------------------------------------------- */

struct entries {
	struct scheduler_ladder *opened;
	struct ladder_pool pool;
};

static void
on_entry(void *arg, const struct ladder_entry *entry)
{
	const struct ladder_pool *pool = &((struct entries *)arg)->pool;
	struct scheduler_ladder *opened = ((struct entries *)arg)->opened;

	opened->apart = opened->entries == 0;
	if (strcmp(entry->pool.game, pool->game) != 0 ||
	    strcmp(entry->pool.options, pool->options) != 0 ||
	    entry->pool.seats != pool->seats ||
	    entry->pool.arrival != pool->arrival)
		return;
	opened->apart = false;
	*ADDED(opened->entry, opened->entries) = *entry;
}

static int
by_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct ladder_entry *)entry)->bot);
}

bool
scheduler_ladder_enters(const struct scheduler_ladder *opened, const char *bot,
			int64_t *rating_milli)
{
	const struct ladder_entry *entry = NULL;

	if (opened->entries > 0)
		entry = bsearch(bot, opened->entry, opened->entries,
				sizeof(*entry), by_name);
	if (entry == NULL)
		return false;
	*rating_milli = entry->rating_milli;
	return true;
}

/* ---- the ladder --------------------------------------------------------- */

/* Appends the settings of the configuration to the log if they have changed. */
static int
hold_settings(struct scheduler_ladder *opened,
	      const struct config_ladder *setup, struct error *why)
{
	int64_t k_milli, start_milli, new_k, new_start;
	int result =
		ladder_settings(opened->ladder, &k_milli, &start_milli, why);

	if (result != 0)
		return result;
	new_k = setup->k_milli == CONFIG_UNSET ? k_milli : setup->k_milli;
	new_start = setup->start_milli == CONFIG_UNSET ? start_milli
						       : setup->start_milli;
	if (new_k == k_milli && new_start == start_milli)
		return 0;
	opened->set = true;
	return ladder_set(opened->ladder, opened->log, new_k, new_start, why);
}

/* ---- with a queue ------------------------------------------------------- */

/* Renames `path` to a free name, which no ladder can have. */
static int
set_aside(const char *path, struct error *why)
{
	char to[LADDER_PATH_BYTES + 32];
	unsigned n = 0;

	do
		snprintf(to, sizeof(to), "%s.before.%u", path, ++n);
	while (access(to, F_OK) == 0);
	if (rename_durably(path, to) == 0)
		return 0;
	return path_error(why, ERROR_MACHINE, "move", path);
}

/* Sets the folder aside if it has the ladder before the season that the
 * database has now. */
static int
leave_season(const char *path, const struct scheduler_ladder *opened,
	     const struct text *founding, struct error *why)
{
	char dir[LADDER_PATH_BYTES];
	struct ladder_season season;
	struct ladder *ladder;
	bool is_before;

	if (founding->used == 0)
		return 0;
	if (ladder_founding_season(founding, &season, why) < 0)
		return -1;
	if (season.name[0] == '\0')
		return 0;
	if (ladder_open(path, LADDER_READ, &ladder, why) != 0)
		return -1;
	is_before = strcmp(ladder_id(ladder), season.after) == 0;
	ladder_close(ladder);
	if (!is_before)
		return 0;
	snprintf(dir, sizeof(dir), "%.*s", (int)(strrchr(path, '/') - path),
		 path);
	if (set_aside(dir, why) < 0 || folder_need(dir, why) < 0 ||
	    folder_need(opened->records, why) < 0)
		return -1;
	return 0;
}

/* Sets aside the records of a lost ladder, as they may be incomplete. */
static int
leave_records(const struct scheduler_ladder *opened, struct error *why)
{
	if (rmdir(opened->records) < 0 && set_aside(opened->records, why) < 0)
		return -1;
	return folder_need(opened->records, why);
}

/* Prepares a ladder that is lost here to begin again as the database knows it.
 * Sets `*known` to true if the database knows it. */
static int
found_lost(const char *path, struct scheduler_ladder *opened, bool *known,
	   struct error *why)
{
	const bool is_there = access(path, F_OK) == 0 && !ladder_is_empty(path);
	struct text founding = { .max = LADDER_FOUNDING_BYTES };
	int result = verdicts_founding(opened->verdicts, &founding, why);

	if (result == 0 && is_there)
		result = leave_season(path, opened, &founding, why);
	if (result == 0 && founding.used > 0 &&
	    (!is_there || access(path, F_OK) < 0)) {
		result = leave_records(opened, why);
		if (result == 0)
			result = ladder_founding_keep(&founding,
						      opened->records, why);
	}
	*known = founding.used > 0;
	text_release(&founding);
	return result;
}

/* Opens the log that the ladder follows.  If that fails, a new file of the ladder goes
 * again: it would be taken for one that was lost. */
static int
open_log(struct scheduler_ladder *opened, struct error *why)
{
	int result;

	if (opened->verdicts == NULL)
		result = log_packs_open(opened->ladder, opened->records, 0,
					&opened->log, why);
	else
		result = verdicts_bind(opened->verdicts, opened->ladder,
				       opened->records, &opened->settled, why);
	if (result < 0 && ladder_origin(opened->ladder) == LADDER_MADE_NEW) {
		ladder_log_free(opened->log);
		opened->log = NULL;
		ladder_discard(opened->ladder);
		opened->ladder = NULL;
	}
	return result;
}

/* ---- opening ----------------------------------------------------------- */

static int
open_file(const char *path, const struct config_ladder *setup,
	  const atomic_bool *stop, bool waits, struct scheduler_ladder *opened,
	  struct error *why)
{
	const struct ladder_founding how = { .k_milli = setup->k_milli,
					     .start_milli =
						     setup->start_milli };
	bool known = false;

	if (opened->verdicts != NULL &&
	    found_lost(path, opened, &known, why) < 0)
		return -1;
	/* The daemon that has the queue will make the ladder. */
	if (waits && !known &&
	    (access(path, F_OK) < 0 || ladder_is_empty(path)))
		return 0;
	return ladder_open_until(path, &how, stop, &opened->ladder, why);
}

static int
open_ladder(const char *path, const struct config_ladder *setup,
	    const atomic_bool *stop, bool waits,
	    struct scheduler_ladder *opened, struct error *why)
{
	struct entries entries = { .opened = opened };

	if (open_file(path, setup, stop, waits, opened, why) != 0)
		return -1;
	if (opened->ladder == NULL)
		return 0;
	if (open_log(opened, why) != 0 ||
	    ladder_follow(opened->ladder, opened->log, NULL, &opened->settled,
			  why) != 0)
		return -1;
	if (waits)
		return 0;
	scheduler_pool(setup, &entries.pool);
	if (hold_settings(opened, setup, why) != 0 ||
	    ladder_rank_for(opened->ladder, (int64_t)setup->ranked_days, why) !=
		    0 ||
	    ladder_set_anchors(opened->ladder, &setup->anchors, why) != 0 ||
	    ladder_entries(opened->ladder, on_entry, &entries, why) != 0)
		return -1;
	return 0;
}

/* ---- what it has found ------------------------------------------------- */

void
scheduler_ladder_tell(const struct scheduler_ladder *opened,
		      const struct config_ladder *setup, struct logger *logger)
{
	const struct ladder_log_cut *cut = &opened->log->cut;
	char k[MILLI_TEXT_BYTES], start[MILLI_TEXT_BYTES];

	if (ladder_origin(opened->ladder) == LADDER_MADE_NEW)
		log_event(logger, LOG_LEVEL_INFO, "ladder-new", "ladder=%s",
			  setup->name);
	if (ladder_origin(opened->ladder) == LADDER_MADE_AGAIN)
		log_event(logger, LOG_LEVEL_WARN, "ladder-made-again",
			  "ladder=%s games=%u why=%s", setup->name,
			  opened->settled,
			  "its file was lost; `referee ladder rebuild` "
			  "verifies its records");
	milli_text(setup->k_milli, k);
	milli_text(setup->start_milli, start);
	if (opened->set)
		log_event(logger, LOG_LEVEL_INFO, "ladder-setting",
			  "ladder=%s serial=%" PRId64 " k=%s start=%s",
			  setup->name, ladder_last(opened->ladder), k, start);
	if (ladder_missing(opened->ladder) > 0)
		log_event(logger, LOG_LEVEL_WARN, "records-missing",
			  "ladder=%s count=%" PRId64 " why=%s", setup->name,
			  ladder_missing(opened->ladder),
			  "`referee ladder rebuild` tells which");
	if (cut->copy != NULL)
		log_event(logger, LOG_LEVEL_WARN, "pack-cut",
			  "ladder=%s copy=%s bytes=%" PRId64
			  " entries=%u why=%s",
			  setup->name, cut->copy, cut->bytes, cut->entries,
			  "the open pack was not whole; the copy has what was "
			  "cut off");
	if (opened->apart)
		log_event(logger, LOG_LEVEL_WARN, "season-apart",
			  "ladder=%s season=%s why=%s", setup->name,
			  ladder_season(opened->ladder)->name,
			  SCHEDULER_LADDER_APART);
}

/* ---- all of it -------------------------------------------------------- */

int
scheduler_ladder_open(const char *dir, const struct config_ladder *setup,
		      const struct queue_term *term, const atomic_bool *stop,
		      struct scheduler_ladder *opened, struct error *why)
{
	char path[LADDER_PATH_BYTES];
	const bool waits = term != NULL && term->epoch == 0;

	memset(opened, 0, sizeof(*opened));
	if (strlen(dir) + BELOW_BYTES > sizeof(path))
		return error_set(why, ERROR_INPUT, "the path %s is too long",
				 dir);
	snprintf(opened->records, sizeof(opened->records), "%s/records", dir);
	if (folder_need(dir, why) < 0 || folder_need(opened->records, why) < 0)
		return -1;
	if (term != NULL) {
		opened->verdicts = verdicts_new(term, setup->name, why);
		if (opened->verdicts == NULL)
			return -1;
		opened->log = verdicts_log(opened->verdicts);
	}
	snprintf(path, sizeof(path), "%s/ladder.db", dir);
	return open_ladder(path, setup, stop, waits, opened, why);
}

void
scheduler_ladder_close(struct scheduler_ladder *opened)
{
	ladder_log_free(opened->log);
	ladder_close(opened->ladder);
	free(opened->entry);
	*opened = (struct scheduler_ladder){ 0 };
}
