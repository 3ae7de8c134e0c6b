/* referee/scheduler/scheduler-freeze.c - see scheduler-freeze.h. */
#include "referee/scheduler/scheduler-freeze.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/fit-kept.h"
#include "ladder/roster.h"
#include "protocol/date.h"

#define PREFIX "frozen-"

static void
freeze_name(int64_t freezes, char name[LADDER_FILE_BYTES])
{
	snprintf(name, LADDER_FILE_BYTES, PREFIX "%" PRId64 ".db", freezes);
}

void
scheduler_freeze_path(const char *dir, int64_t freezes,
		      char path[LADDER_PATH_BYTES])
{
	char name[LADDER_FILE_BYTES];

	freeze_name(freezes, name);
	snprintf(path, LADDER_PATH_BYTES, "%.*s/%s",
		 LADDER_PATH_BYTES - LADDER_FILE_BYTES - 2, dir, name);
}

void
scheduler_freeze_clean(const char *dir, int64_t freezes)
{
	char keep[LADDER_FILE_BYTES], path[LADDER_PATH_BYTES];
	struct dirent *entry;
	DIR *folder = opendir(dir);

	freeze_name(freezes, keep);
	while (folder != NULL && (entry = readdir(folder)) != NULL)
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 &&
		    strncmp(entry->d_name, keep, strlen(keep)) != 0 &&
		    snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) <
			    (int)sizeof(path))
			unlink(path);
	if (folder != NULL)
		closedir(folder);
}

/* ---- the copy ----------------------------------------------------------- */

struct late {
	const char *until;
	bool found;
};

static void
look_if_late(void *arg, const struct ladder_game *game)
{
	struct late *late = arg;

	late->found |= strcmp(game->ended, late->until) >= 0;
}

/* Gives the copy all games that ended before this date.  One that was `fresh`ly copied
 * loses the later ones, which are there if the daemon learned of the freeze too late.
 * Sets `*changed` if it has become another. */
static int
take_games(struct ladder *copy, struct ladder *ladder, const char *until,
	   bool fresh, bool *changed, struct error *why)
{
	const int64_t last = ladder_last(copy);
	struct late late = { .until = until };

	if ((fresh &&
	     ladder_games(copy, NULL, 0, look_if_late, &late, why) < 0) ||
	    ladder_take_until(copy, ladder, until, late.found, why) < 0)
		return -1;
	*changed = fresh || ladder_last(copy) != last;
	return 0;
}

static void
fit_path(const char *path, int64_t pool, char fit[LADDER_PATH_BYTES + 32])
{
	snprintf(fit, LADDER_PATH_BYTES + 32, "%s.fit-%" PRId64, path, pool);
}

/* Fits the pool and keeps the fit. */
static int
fit_copy(struct ladder *copy, int64_t pool, struct error *why)
{
	struct fit_settings settings;
	struct fit *fit;

	if (fit_settings_of(copy, &settings, why) < 0 ||
	    fit_pool(copy, pool, &settings, NULL, &fit, why) < 0)
		return -1;
	fit_keep(fit, copy, pool);
	fit_free(fit);
	return 0;
}

static int
take_marks(struct ladder *copy, const char *data, struct error *why)
{
	struct roster_marks *marks;
	int result = roster_marks_read(data, &marks, why);

	if (result == 0)
		result = ladder_keep_marks(copy, roster_mark_of, marks, why);
	roster_marks_free(marks);
	return result;
}

/* `data` is not NULL for a new copy. */
static int
fill_copy(struct ladder *ladder, const char *path, const char *until,
	  const char *data, struct ladder_pool *pool, struct error *why)
{
	const bool fresh = data != NULL;
	struct ladder *copy;
	bool changed;
	int result;

	if ((fresh && ladder_backup(ladder, path, why) < 0) ||
	    ladder_open(path, LADDER_WRITE, &copy, why) < 0)
		return -1;
	result = take_games(copy, ladder, until, fresh, &changed, why);
	if (result == 0 && fresh)
		result = take_marks(copy, data, why);
	if (result == 0)
		result = ladder_pool_find(copy, pool, why);
	if (result == 0 && changed && pool->number != 0)
		result = fit_copy(copy, pool->number, why);
	ladder_close(copy);
	return result;
}

/* Removes a copy that was left half made, and its log, which SQLite would take for that
 * of the next one. */
static void
remove_part(const char *part)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	char path[LADDER_PATH_BYTES + 8];

	for (size_t i = 0; i < NELEM(ends); i++) {
		snprintf(path, sizeof(path), "%s%s", part, ends[i]);
		unlink(path);
	}
}

int
scheduler_freeze_make(struct ladder *ladder, const char *data, const char *dir,
		      int64_t freezes, const struct ladder_pool *pool,
		      struct error *why)
{
	char path[LADDER_PATH_BYTES], part[LADDER_PATH_BYTES];
	char whole[LADDER_PATH_BYTES];
	char from[LADDER_PATH_BYTES + 32], to[LADDER_PATH_BYTES + 32];
	char until[DATE_BYTES];
	struct ladder_pool fitted = *pool;

	scheduler_freeze_path(dir, freezes, path);
	date_write(freezes, until);
	if (access(path, F_OK) == 0)
		return fill_copy(ladder, path, until, NULL, &fitted, why);
	snprintf(part, sizeof(part), "%.*s.tmp", LADDER_PATH_BYTES - 8, path);
	snprintf(whole, sizeof(whole), "%.*s.new", LADDER_PATH_BYTES - 8, path);
	remove_part(part);
	unlink(whole);
	/* Closing may leave a log beside the part, which a new name would lose. */
	if (fill_copy(ladder, part, until, data, &fitted, why) < 0 ||
	    database_copy(part, whole, why) < 0)
		return -1;
	remove_part(part);
	fit_path(part, fitted.number, from);
	fit_path(path, fitted.number, to);
	/* A copy of a pool without games has no fit. */
	if ((rename(from, to) < 0 && errno != ENOENT) ||
	    rename(whole, path) < 0)
		return path_error(why, ERROR_MACHINE, "make", path);
	return 0;
}
