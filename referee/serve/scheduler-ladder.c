/* referee/serve/scheduler-ladder.c - see scheduler-ladder.h. */
#include "referee/serve/scheduler-ladder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "referee/records/writer.h"
#include "referee/serve/scheduler-recall.h"

/* The paths below `dir` must fit, too. */
#define BELOW_BYTES 16

/* A game that ran when the last daemon was cut off. */
struct scheduler_lost {
	struct scheduler_lost *next;
	char id[ID_BYTES + 1];
	unsigned seats;
	char bot[SEATS_MAX][NAME_BYTES + 1];
};

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

	if (strcmp(entry->pool.game, pool->game) != 0 ||
	    strcmp(entry->pool.options, pool->options) != 0 ||
	    entry->pool.seats != pool->seats ||
	    entry->pool.arrival != pool->arrival)
		return;
	if ((opened->entries & (opened->entries - 1)) == 0)
		opened->entry =
			memory(opened->entry, 2 * (opened->entries + 1) *
						      sizeof(*opened->entry));
	opened->entry[opened->entries++] = *entry;
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

/* Not for nothing: each call is a line in the ladder's log of settings. */
static int
hold_settings(struct ladder *ladder, const struct config_ladder *setup,
	      struct error *why)
{
	int64_t k_milli, start_milli;
	int result = ladder_settings(ladder, &k_milli, &start_milli, why);

	if (result != 0 ||
	    (k_milli == setup->k_milli && start_milli == setup->start_milli))
		return result;
	return ladder_set(ladder, setup->k_milli, setup->start_milli, why);
}

/* ---- with a queue ------------------------------------------------------- */

/* Such a file is there while a lost ladder is made again. */
#define RESTORING "restoring"

/* It is not here, but the database has games of it.  `marker` is there from now
 * on, so that one that is cut off begins again. */
static int
find_lost(const struct scheduler_ladder *opened, const char *path,
	  const char *marker, char id[ID_BYTES + 1], struct error *why)
{
	id[0] = '\0';
	if (access(path, F_OK) == 0 && access(marker, F_OK) < 0)
		return 0;
	if (verdicts_find(opened->verdicts, id, why) < 0)
		return -1;
	if (id[0] == '\0' || access(marker, F_OK) == 0 ||
	    file_make(marker, "", 0) == 0)
		return 0;
	return error_set(why, ERROR_MACHINE, "cannot write %s: %m", marker);
}

static int
restore(const char *path, struct scheduler_ladder *opened, const char *id,
	struct error *why)
{
	const char *const folders[] = { opened->records, NULL };
	const struct ladder_rebuilding how = { .folders = folders };
	struct ladder_rebuilt report;
	unsigned count;

	if (verdicts_restore(opened->verdicts, id, opened->records, &count,
			     why) < 0)
		return -1;
	if (count == 0) /* it had no games */
		return 0;
	if (ladder_open_again(path, LADDER_WRITE, &opened->ladder, why) != 0 ||
	    ladder_rebuild(opened->ladder, &how, &report, why) != 0)
		return -1;
	opened->settled = report.games;
	return 0;
}

/* A ladder that is lost here is made from what the database has. */
static int
restore_lost(const char *path, struct scheduler_ladder *opened,
	     struct error *why)
{
	char marker[LADDER_PATH_BYTES + 16], id[ID_BYTES + 1];
	int result;

	snprintf(marker, sizeof(marker), "%.*s" RESTORING,
		 (int)(strrchr(path, '/') + 1 - path), path);
	result = find_lost(opened, path, marker, id, why);
	if (result == 0 && id[0] != '\0')
		result = restore(path, opened, id, why);
	if (result != 0) {
		ladder_close(opened->ladder);
		opened->ladder = NULL;
		return -1;
	}
	(void)!unlink(marker);
	return 0;
}

/* What the database has, and this ladder has not. */
static int
follow(struct scheduler_ladder *opened, struct error *why)
{
	struct writer *writer;
	unsigned count = 0;
	int result;

	if (verdicts_bind(opened->verdicts, opened->ladder, why) != 0)
		return -1;
	writer = writer_new(opened->records, opened->ladder, opened->folder);
	if (writer == NULL)
		return error_set(why, ERROR_MACHINE, "cannot write to %s: %m",
				 opened->records);
	writer_set_log(writer, verdicts_log(opened->verdicts));
	result = writer_pack(writer, why);
	if (result == 0)
		result = writer_catch_up(writer, &count, why);
	writer_free(writer);
	opened->settled += count;
	return result;
}

/* ---- opening ----------------------------------------------------------- */

static int
open_ladder(const char *path, const struct config_ladder *setup,
	    const atomic_bool *stop, struct scheduler_ladder *opened,
	    struct error *why)
{
	unsigned settled = 0;

	struct entries entries = { .opened = opened };
	struct error reason;
	int result;

	result = opened->verdicts == NULL ? 0
					  : restore_lost(path, opened, &reason);
	if (result == 0 && opened->ladder == NULL)
		result = ladder_open_until(path, LADDER_WRITE, stop,
					   &opened->ladder, &reason);
	if (result == 0)
		result = ladder_folder(opened->ladder, opened->records,
				       &opened->folder, &reason);
	/* Its records have settings of their own, which would outlive those
	 * that are new now. */
	if (result == 0)
		result = ladder_settle(opened->ladder, &settled, &reason);
	opened->settled += settled;
	if (result == 0 && opened->verdicts != NULL)
		result = follow(opened, &reason);
	if (result == 0)
		result = hold_settings(opened->ladder, setup, &reason);
	if (result == 0)
		result = ladder_rank_for(opened->ladder,
					 (int64_t)setup->ranked_days, &reason);
	scheduler_pool(setup, &entries.pool);
	if (result == 0)
		result = ladder_entries(opened->ladder, on_entry, &entries,
					&reason);
	if (result == 0)
		return 0;
	return error_set(why, ERROR_INPUT, "%s", reason.text);
}

/* ---- records that are gone --------------------------------------------- */

static void
tell_missing(const struct config_ladder *setup, struct logger *logger,
	     const struct scheduler_ladder *opened)
{
	struct log_line line;

	if (ladder_missing(opened->ladder) == 0)
		return;
	log_begin(&line, logger, LOG_LEVEL_WARN, "records-missing");
	log_str(&line, "ladder", setup->name);
	log_num(&line, "count", ladder_missing(opened->ladder));
	log_str(&line, "why", "`referee ladder rebuild` tells which");
	log_end(&line);
}

/* ---- games that ran --------------------------------------------------- */

/* Whether it is rated, or has the record of an aborted game. */
static bool
is_safe(const struct scheduler_ladder *opened, const char *id)
{
	char path[LADDER_PATH_BYTES + ID_BYTES + 8];
	struct error why;

	snprintf(path, sizeof(path), "%s/%s.rec", opened->records, id);
	return access(path, F_OK) == 0 ||
	       ladder_has_game(opened->ladder, id, &why) == LADDER_FOUND;
}

static void
on_ran(void *arg, const char *id, const char *const bot[], unsigned seats)
{
	struct scheduler_ladder *opened = arg;
	struct scheduler_lost *lost, **end = &opened->first_lost;
	unsigned s;

	if (is_safe(opened, id))
		return;
	opened->lost++;
	lost = memory(NULL, sizeof(*lost));
	lost->next = NULL;
	while (*end != NULL)
		end = &(*end)->next;
	*end = lost;
	snprintf(lost->id, sizeof(lost->id), "%s", id);
	lost->seats = seats;
	for (s = 0; s < seats; s++)
		snprintf(lost->bot[s], sizeof(lost->bot[s]), "%s", bot[s]);
}

static void
tell_lost(const struct scheduler_lost *lost, const struct config_ladder *setup,
	  struct logger *logger)
{
	struct log_line line;
	char key[16];
	unsigned s;

	log_begin(&line, logger, LOG_LEVEL_WARN, "game-lost");
	log_str(&line, "ladder", setup->name);
	log_str(&line, "game", lost->id);
	for (s = 0; s < lost->seats; s++) {
		snprintf(key, sizeof(key), "bot%u", s);
		log_str(&line, key, lost->bot[s]);
	}
	log_end(&line);
}

static void
forget_lost(struct scheduler_ladder *opened)
{
	struct scheduler_lost *next;

	for (; opened->first_lost != NULL; opened->first_lost = next) {
		next = opened->first_lost->next;
		free(opened->first_lost);
	}
}

void
scheduler_ladder_tell(struct scheduler_ladder *opened,
		      const struct config_ladder *setup, struct logger *logger)
{
	const struct scheduler_lost *lost;

	for (lost = opened->first_lost; lost != NULL; lost = lost->next)
		tell_lost(lost, setup, logger);
	forget_lost(opened);
	tell_missing(setup, logger, opened);
	if (opened->running != NULL)
		return;
	/* Without it the daemon does its work. */
	log_ladder(logger, LOG_LEVEL_WARN, "running-fails", setup->name,
		   strerror(opened->running_error));
}

/* ---- all of it -------------------------------------------------------- */

int
scheduler_ladder_open(const char *dir, const struct config_ladder *setup,
		      const struct queue_house *house, const atomic_bool *stop,
		      struct scheduler_ladder *opened, struct error *why)
{
	char path[LADDER_PATH_BYTES];

	memset(opened, 0, sizeof(*opened));
	if (strlen(dir) + BELOW_BYTES > sizeof(path))
		return error_set(why, ERROR_INPUT, "the path %s is too long",
				 dir);
	snprintf(opened->records, sizeof(opened->records), "%s/records", dir);
	if (folder_need(dir, why) < 0 || folder_need(opened->records, why) < 0)
		return -1;
	if (house != NULL) {
		opened->verdicts = verdicts_new(house, setup->name, why);
		if (opened->verdicts == NULL)
			return -1;
	}
	snprintf(path, sizeof(path), "%s/ladder.db", dir);
	if (open_ladder(path, setup, stop, opened, why) < 0)
		return -1;
	snprintf(path, sizeof(path), "%s/running", dir);
	opened->running =
		running_open(path, (unsigned)setup->at_once, on_ran, opened);
	opened->running_error = errno;
	return 0;
}

void
scheduler_ladder_close(struct scheduler_ladder *opened)
{
	forget_lost(opened);
	running_close(opened->running);
	ladder_close(opened->ladder);
	verdicts_free(opened->verdicts);
	free(opened->entry);
	opened->verdicts = NULL;
	opened->running = NULL;
	opened->ladder = NULL;
	opened->entry = NULL;
	opened->entries = 0;
}
