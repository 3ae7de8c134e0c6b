/* ladder/store.c - open a ladder's file, or make one, and close it.
 *
 * Before anything is written the file says what it is: the application id, the
 * version, a sound structure.  One that is empty, as a process leaves it that
 * is killed while it makes a ladder, counts as not there yet, if the lock's
 * file beside it tells that it is ours. */
#include "ladder/store-inside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "protocol/date.h"

#define BUSY_MS 5000	  /* until another program's lock is a trouble */
#define STOP_STEPS 100000 /* of SQLite, some milliseconds */

/* ---- open and close --------------------------------------------------- */

/* 1: it is a ladder; 0: it is empty. */
static int
identify(struct ladder *ladder, struct error *why)
{
	return sql_identify(&ladder->sql, LADDER_APPLICATION_ID, LADDER_VERSION,
			    "move it away, with its -wal and -shm if they are "
			    "there, and `referee ladder rebuild` makes it "
			    "again from its records",
			    why);
}

/* The tables, and the settings of a new ladder, in one transaction, which
 * season_found() commits if it adds to it. */
static int
make_tables(struct ladder *ladder, struct error *why)
{
	unsigned char bytes[ID_BYTES / 2];
	char id[ID_BYTES + 1], sql[512], date[LADDER_DATE_BYTES];
	int result;

	if ((result = sql_execute(&ladder->sql, "BEGIN IMMEDIATE", why)) < 0 ||
	    (result = sql_execute(&ladder->sql, ladder_schema, why)) < 0)
		return result; /* closing takes it back */
	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(id, sizeof(id), bytes, sizeof(bytes));
	date_write((int64_t)time(NULL), date);
	snprintf(sql, sizeof(sql),
		 "INSERT INTO meta VALUES (1, '%s', '%s');"
		 "INSERT INTO setting VALUES (1, %d, %d);"
		 "PRAGMA application_id = %d; PRAGMA user_version = %d%s",
		 id, date, LADDER_K_MILLI, LADDER_START_MILLI,
		 LADDER_APPLICATION_ID, LADDER_VERSION,
		 ladder->founding == NULL ? "; COMMIT" : "");
	return sql_execute(&ladder->sql, sql, why);
}

static int
open_to_write(struct ladder *ladder, struct error *why)
{
	int result, there = identify(ladder, why);
	char dir[LADDER_PATH_BYTES];

	if (there < 0)
		return there;
	if (there == 0 &&
	    (result = lost_check(ladder, ladder->made ? "is gone" : "is empty",
				 why)) < 0)
		return result;
	if (there > 0 && ladder->founding != NULL)
		return error_set(why, ERROR_INPUT, "%s is there already",
				 ladder->path);
	if (there == 0 && !ladder->made && ladder->lock_made &&
	    !(ladder->again && ladder_records_beside(ladder->file, dir)))
		return error_set(why, ERROR_INPUT, "%s is empty, not a ladder",
				 ladder->path);
	if ((there > 0 && (result = sql_check_sound(&ladder->sql, why)) < 0) ||
	    (result = sql_use_wal(&ladder->sql, why)) < 0)
		return result;
	return there > 0 ? 0 : make_tables(ladder, why);
}

static int
open_to_read(struct ladder *ladder, struct error *why)
{
	int result;

	/* One snapshot for all that is read. */
	if ((result = sql_execute(&ladder->sql, "BEGIN", why)) < 0 ||
	    (result = identify(ladder, why)) < 0)
		return result;
	if (result > 0)
		return 0;
	if ((result = lost_check(ladder, "is empty", why)) < 0)
		return result;
	return error_set(why, ERROR_INPUT,
			 "ladder %s is empty, it has not been made yet",
			 ladder->path);
}

static int
load(struct ladder *ladder, struct error *why)
{
	sqlite3_stmt *stmt;
	int result = sql_prepare(&ladder->sql, ladder_sql_text, SQL_COUNT, why);

	if (result < 0)
		return result;
	stmt = sql_bind(&ladder->sql, SQL_META, "");
	if ((result = sql_step(&ladder->sql, stmt, why)) < 0)
		return result;
	if (result == 0)
		return error_set(why, ERROR_INPUT,
				 "ladder %s is damaged (it has no id)",
				 ladder->path);
	sql_text(stmt, 0, ladder->id, sizeof(ladder->id));
	sql_text(stmt, 1, ladder->created, sizeof(ladder->created));
	sqlite3_reset(stmt);

	if (sql_number(&ladder->sql, why, &ladder->last_rated, SQL_LAST_SERIAL,
		       "") < 0)
		return -1;
	ladder->committed = ladder->last_rated;
	ladder->next_serial = ladder->last_rated + 1;
	if ((result = season_load(ladder, why)) < 0)
		return result;
	return ladder->last_rated > 0 ? 0
				      : lost_check(ladder, "has no games", why);
}

static int
check_kind(const struct ladder *ladder, enum ladder_mode mode,
	   struct error *why)
{
	struct stat st;

	if (ladder->made && mode == LADDER_WRITE)
		return 0;
	if (stat(ladder->file, &st) != 0 && errno == ENOENT &&
	    lost_check(ladder, "is gone", why) < 0)
		return -1;
	if (stat(ladder->file, &st) != 0)
		return error_set(why, place_kind(errno),
				 "cannot open ladder %s: %s", ladder->path,
				 strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(why, ERROR_INPUT,
				 "%s is not a ladder: it is not a file",
				 ladder->path);
	return 0;
}

/* A reader, too, opens for writing, if it may: otherwise the last one to close
 * the file would leave the WAL behind. */
static int
open_file(struct ladder *ladder, enum ladder_mode mode, struct error *why)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
	int result, answer;

	if ((result = place_find(ladder, why)) < 0 ||
	    (result = check_kind(ladder, mode, why)) < 0 ||
	    (mode == LADDER_WRITE && (result = lock_take(ladder, why)) < 0))
		return result;
	if (mode == LADDER_WRITE)
		flags |= SQLITE_OPEN_CREATE;
	answer = sqlite3_open_v2(ladder->file, &ladder->sql.db, flags, NULL);
	if (answer != SQLITE_OK)
		return error_set(why, ERROR_MACHINE,
				 "cannot open ladder %s: %s", ladder->path,
				 sqlite3_errstr(answer));
	sqlite3_busy_timeout(ladder->sql.db, BUSY_MS);
	ladder_heed(ladder, ladder->stop);
	if (mode == LADDER_WRITE)
		return open_to_write(ladder, why);
	return open_to_read(ladder, why);
}

static void
release(struct ladder *ladder)
{
	free(ladder->lock_file);
	free(ladder->file);
	free(ladder->path);
	free(ladder);
}

static int
is_stopped(void *stop)
{
	return atomic_load((const atomic_bool *)stop);
}

void
ladder_heed(struct ladder *ladder, const atomic_bool *stop)
{
	ladder->stop = stop;
	sqlite3_progress_handler(ladder->sql.db, stop == NULL ? 0 : STOP_STEPS,
				 stop == NULL ? NULL : is_stopped,
				 (void *)(uintptr_t)stop);
}

static int
open_ladder(const char *path, enum ladder_mode mode, bool again,
	    const struct ladder_founding *founding, const char *text,
	    const atomic_bool *stop, struct ladder **ladder, struct error *why)
{
	struct ladder *new = calloc(1, sizeof(*new));
	int result;

	*ladder = NULL;
	if (new == NULL || (new->path = strdup(path)) == NULL)
		bug("out of memory");
	new->sql.what = "ladder";
	new->sql.path = new->path;
	new->lock = -1;
	new->again = again;
	new->founding = founding;
	new->stop = stop;
	result = open_file(new, mode, why);
	if (result == 0)
		result = load(new, why);
	if (result == 0 && text != NULL)
		result = founding_take(new, text, why);
	else if (result == 0 && founding != NULL)
		result = season_found(new, founding, why);
	new->founding = NULL;
	if (result != 0) {
		ladder_discard(new);
		return result;
	}
	*ladder = new;
	return 0;
}

int
ladder_open(const char *path, enum ladder_mode mode, struct ladder **ladder,
	    struct error *why)
{
	return open_ladder(path, mode, false, NULL, NULL, NULL, ladder, why);
}

int
ladder_found(const char *path, const struct ladder_founding *how,
	     struct ladder **ladder, struct error *why)
{
	return open_ladder(path, LADDER_WRITE, false, how, NULL, NULL, ladder,
			   why);
}

int
ladder_found_again(const char *path, const char *text, struct ladder **ladder,
		   struct error *why)
{
	const struct ladder_founding founding = { 0 };

	return open_ladder(path, LADDER_WRITE, true, &founding, text, NULL,
			   ladder, why);
}

int
ladder_open_again(const char *path, enum ladder_mode mode,
		  struct ladder **ladder, struct error *why)
{
	return open_ladder(path, mode, true, NULL, NULL, NULL, ladder, why);
}

int
ladder_open_until(const char *path, enum ladder_mode mode,
		  const atomic_bool *stop, struct ladder **ladder,
		  struct error *why)
{
	return open_ladder(path, mode, false, NULL, NULL, stop, ladder, why);
}

void
ladder_close(struct ladder *ladder)
{
	if (ladder == NULL)
		return;
	sql_close(&ladder->sql);
	lock_give_back(ladder, false);
	release(ladder);
}

void
ladder_discard(struct ladder *ladder)
{
	if (ladder == NULL)
		return;
	sql_close(&ladder->sql);
	/* Without the lock it is not ours to remove. */
	if (ladder->made && ladder->lock != -1)
		unlink(ladder->file);
	lock_give_back(ladder, true);
	release(ladder);
}

const char *
ladder_id(const struct ladder *ladder)
{
	return ladder->id;
}

const char *
ladder_created(const struct ladder *ladder)
{
	return ladder->created;
}
