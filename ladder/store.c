/* ladder/store.c - opens a ladder's file, or makes one, and closes it; its
 * transactions and serials.
 *
 * Before anything is written, the application id, the version and a sound
 * structure must show that the file is a ladder.  A process that is killed
 * while it makes a ladder leaves an empty file.  That counts as not there yet,
 * if the lock's file beside it shows that it is ours. */
#include "ladder/store-inside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "ladder/durable.h"

/* "card" in ASCII: tells a ladder from other SQLite files. */
#define LADDER_APPLICATION_ID 0x63617264

/* The user_version of the files that this program reads and writes. */
#define LADDER_VERSION 14

#define BUSY_MS 5000	  /* the longest wait for another program's lock */
#define STOP_STEPS 100000 /* steps of SQLite, some milliseconds */

/* ---- open and close --------------------------------------------------- */

/* Finds out if a founding lies beside the ladder, in `dir`: returns 1, 0, or
 * -1. */
static int
can_be_made_again(const struct ladder *ladder, char dir[LADDER_PATH_BYTES],
		  struct error *why)
{
	char founding[LADDER_PATH_BYTES];

	return ladder_records_beside(ladder->place.file, dir)
		       ? founding_find(dir, "", founding, why)
		       : 0;
}

/* Fails if a ladder whose file is gone or empty could be made again, which a
 * reader cannot do. */
static int
check_lost(const struct ladder *ladder, const char *state, struct error *why)
{
	char dir[LADDER_PATH_BYTES];
	int result = can_be_made_again(ladder, dir, why);

	if (result <= 0)
		return result;
	return error_set(why, ERROR_INPUT,
			 "ladder %.100s %s, but its records are in %.100s: "
			 "`referee ladder rebuild --ladder %.100s` restores "
			 "it, or the daemon that plays on it, when it starts "
			 "again",
			 ladder->place.path, state, dir, ladder->place.path);
}

/* Adds the cure to a sentence about a file that is there and is no sound ladder. */
static int
refuse(const struct ladder *ladder, struct error *why)
{
	const struct error reason = *why;
	char dir[LADDER_PATH_BYTES];
	struct error ignored;

	if (reason.kind != ERROR_INPUT ||
	    can_be_made_again(ladder, dir, &ignored) <= 0)
		return -1;
	return error_set(why, ERROR_INPUT,
			 "%.300s; its records are in %.100s: move the file "
			 "away, with its -wal and -shm if they are there, and "
			 "`referee ladder rebuild --ladder %.100s` makes it "
			 "again",
			 reason.text, dir, ladder->place.path);
}

/* Returns 1 if the file is a ladder, 0 if it is empty. */
static int
identify(struct ladder *ladder, struct error *why)
{
	const int result = sql_identify(&ladder->sql, LADDER_APPLICATION_ID,
					LADDER_VERSION, ladder_schema,
					"it cannot be read", why);

	return result < 0 ? refuse(ladder, why) : result;
}

/* Takes over the founding in a file in `dir`, the folder of the ladder's other
 * entries. */
static int
adopt(struct ladder *ladder, const char *founding, const char *dir,
      struct error *why)
{
	int64_t folder;
	int result = founding_adopt(&ladder->sql, founding, why);

	return result < 0 ? result : ladder_folder(ladder, dir, &folder, why);
}

/* Makes the tables in one transaction. */
static int
make_tables(struct ladder *ladder, const struct ladder_founding *how,
	    const char *founding, const char *dir, struct error *why)
{
	struct ladder_anchors anchors = { .count = 0 };
	char sql[128];
	int result;

	snprintf(sql, sizeof(sql),
		 "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 LADDER_APPLICATION_ID, LADDER_VERSION);
	if ((result = sql_use_wal(&ladder->sql, why)) < 0 ||
	    (result = sql_execute(&ladder->sql, "BEGIN IMMEDIATE", why)) < 0 ||
	    (result = sql_execute(&ladder->sql, ladder_schema, why)) < 0 ||
	    (result = sql_execute(&ladder->sql, sql, why)) < 0)
		return result; /* closing rolls it back */
	result = ladder->origin == LADDER_MADE_NEW
			 ? founding_new(&ladder->sql, how, why)
			 : adopt(ladder, founding, dir, why);
	if (result == 0 && how != NULL && how->after != NULL &&
	    (result = ladder_anchors(how->after, &anchors, why)) == 0)
		result = anchors_add(&ladder->sql, &anchors, why);
	return result < 0 ? result : sql_execute(&ladder->sql, "COMMIT", why);
}

/* Makes a new ladder.  If a founding lies beside, it makes that ladder again,
 * because its file is lost. */
static int
make(struct ladder *ladder, const struct ladder_founding *how, bool fresh,
     struct error *why)
{
	char dir[LADDER_PATH_BYTES], founding[LADDER_PATH_BYTES];
	int result = 0;

	if (ladder_records_beside(ladder->place.file, dir))
		result = founding_find(dir, "", founding, why);
	if (result < 0)
		return result;
	if (result > 0 && fresh)
		return error_set(why, ERROR_INPUT,
				 "%.100s is the folder of another ladder's "
				 "records: give a new ladder another name",
				 dir);
	ladder->origin = result == 0 ? LADDER_MADE_NEW : LADDER_MADE_AGAIN;
	if (result == 0 && !ladder->place.made && ladder->place.lock_made)
		return error_set(why, ERROR_INPUT, "%s is empty, not a ladder",
				 ladder->place.path);
	return make_tables(ladder, how, founding, dir, why);
}

static int
open_to_write(struct ladder *ladder, const struct ladder_founding *how,
	      bool fresh, struct error *why)
{
	const int there = identify(ladder, why);

	if (there < 0)
		return there;
	if (there == 0)
		return make(ladder, how, fresh, why);
	if (fresh)
		return error_set(why, ERROR_INPUT, "%s is there already",
				 ladder->place.path);
	if (sql_check_sound(&ladder->sql, why) < 0)
		return refuse(ladder, why);
	return sql_use_wal(&ladder->sql, why);
}

static int
open_to_read(struct ladder *ladder, struct error *why)
{
	int result;

	/* One snapshot serves everything that is read. */
	if ((result = sql_execute(&ladder->sql, "BEGIN", why)) < 0 ||
	    (result = identify(ladder, why)) < 0)
		return result;
	if (result > 0)
		return 0;
	if ((result = check_lost(ladder, "is empty", why)) < 0)
		return result;
	return error_set(why, ERROR_INPUT,
			 "ladder %s is empty, it has not been made yet",
			 ladder->place.path);
}

int
store_load(struct ladder *ladder, struct error *why)
{
	int result = sql_row(&ladder->sql, why,
			     "SELECT id, created, last FROM meta", "", "ssi",
			     ladder->id, sizeof(ladder->id), ladder->created,
			     sizeof(ladder->created), &ladder->last);

	if (result == 0)
		return sql_damaged(&ladder->sql, why, "it has no id");
	if (result < 0)
		return result;
	if (ladder->last < 0 || ladder->last > LADDER_SERIAL_MAX)
		return sql_damaged(&ladder->sql, why,
				   "its last serial is beyond its limits");
	ladder->committed = ladder->last;
	return season_load(&ladder->sql, &ladder->season, why);
}

static int
check_kind(const struct ladder *ladder, enum ladder_mode mode,
	   struct error *why)
{
	struct stat st;

	if (ladder->place.made && mode == LADDER_WRITE)
		return 0;
	if (stat(ladder->place.file, &st) != 0 && errno == ENOENT &&
	    check_lost(ladder, "is gone", why) < 0)
		return -1;
	if (stat(ladder->place.file, &st) != 0)
		return path_error(why, path_kind(errno), "open ladder",
				  ladder->place.path);
	if (!S_ISREG(st.st_mode))
		return error_set(why, ERROR_INPUT,
				 "%s is not a ladder: it is not a file",
				 ladder->place.path);
	return 0;
}

/* Even a reader opens the file for writing, if it may: otherwise the last one
 * to close it would leave the WAL behind. */
static int
open_file(struct ladder *ladder, enum ladder_mode mode,
	  const struct ladder_founding *how, bool fresh, struct error *why)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
	int result, answer;

	if ((result = check_kind(ladder, mode, why)) < 0 ||
	    (mode == LADDER_WRITE &&
	     (result = place_lock(&ladder->place, why)) < 0))
		return result;
	if (mode == LADDER_WRITE)
		flags |= SQLITE_OPEN_CREATE;
	answer = sql_open(ladder->place.file, flags, &ladder->sql.db);
	if (answer == SQLITE_PERM)
		return error_set(why, ERROR_INPUT,
				 "ladder %s: %s-journal beside it is not its "
				 "own, move it away",
				 ladder->place.path, ladder->place.path);
	if (answer != SQLITE_OK)
		return error_set(why, ERROR_MACHINE,
				 "cannot open ladder %s: %s",
				 ladder->place.path, sqlite3_errstr(answer));
	sqlite3_busy_timeout(ladder->sql.db, BUSY_MS);
	ladder_heed(ladder, ladder->stop);
	if (mode == LADDER_WRITE)
		return open_to_write(ladder, how, fresh, why);
	return open_to_read(ladder, why);
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

/* If `fresh` is true, the ladder must not be there yet. */
static int
open_ladder(const char *path, enum ladder_mode mode,
	    const struct ladder_founding *how, bool fresh,
	    const atomic_bool *stop, struct ladder **ladder, struct error *why)
{
	struct ladder *new = zeroed(1, sizeof(*new));
	int result = place_find(&new->place, path, why);

	*ladder = NULL;
	new->sql.what = "ladder";
	new->sql.path = new->place.path;
	new->stop = stop;
	if (result == 0)
		result = open_file(new, mode, how, fresh, why);
	if (result == 0)
		result = store_load(new, why);
	if (result == 0)
		*ladder = new;
	else
		ladder_discard(new);
	return result;
}

int
ladder_open(const char *path, enum ladder_mode mode, struct ladder **ladder,
	    struct error *why)
{
	return open_ladder(path, mode, NULL, false, NULL, ladder, why);
}

int
ladder_found(const char *path, const struct ladder_founding *how,
	     struct ladder **ladder, struct error *why)
{
	char dir[LADDER_PATH_BYTES];

	if (open_ladder(path, LADDER_WRITE, how, true, NULL, ladder, why) < 0)
		return -1;
	ladder_records_default((*ladder)->place.file, dir);
	if (folder_need(dir, why) == 0 && founding_keep(*ladder, dir, why) == 0)
		return 0;
	ladder_discard(*ladder);
	*ladder = NULL;
	return -1;
}

int
ladder_open_until(const char *path, const struct ladder_founding *how,
		  const atomic_bool *stop, struct ladder **ladder,
		  struct error *why)
{
	return open_ladder(path, LADDER_WRITE, how, false, stop, ladder, why);
}

static void
close_ladder(struct ladder *ladder, bool remove)
{
	if (ladder == NULL)
		return;
	sql_close(&ladder->sql);
	place_release(&ladder->place, remove);
	free(ladder);
}

void
ladder_close(struct ladder *ladder)
{
	close_ladder(ladder, false);
}

void
ladder_discard(struct ladder *ladder)
{
	close_ladder(ladder, true);
}

/* ---- what it is ------------------------------------------------------- */

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

enum ladder_origin
ladder_origin(const struct ladder *ladder)
{
	return ladder->origin;
}

bool
ladder_is_lost(struct ladder *ladder)
{
	int moved = 0;

	return sqlite3_file_control(ladder->sql.db, NULL,
				    SQLITE_FCNTL_HAS_MOVED,
				    &moved) == SQLITE_OK &&
	       moved != 0;
}

const struct ladder_season *
ladder_season(const struct ladder *ladder)
{
	return &ladder->season;
}

void
ladder_mark_by(struct ladder *ladder, ladder_know *know, void *arg)
{
	ladder->know = know;
	ladder->know_arg = arg;
}

#define TURNS (INT64_C(1) << 31)

/* A number above 0 is an enum ladder_mark; one below 0 tells bot and turn. */
static int64_t
number_of(struct ladder_known known)
{
	return known.mark != LADDER_PLAYS ? (int64_t)known.mark
					  : -(known.of * TURNS + known.turn);
}

struct ladder_known
store_read_mark(int64_t number)
{
	if (number >= LADDER_DISABLED && number <= LADDER_REMOVED)
		return (struct ladder_known){
			.mark = (enum ladder_mark)number
		};
	return number >= 0 ? (struct ladder_known){ .of = 0 }
			   : (struct ladder_known){ .of = -(number / TURNS),
						    .turn = -(number % TURNS) };
}

int
ladder_keep_marks(struct ladder *ladder, ladder_know *know, void *arg,
		  struct error *why)
{
	char name[NAME_BYTES + 1];
	sqlite3_stmt *stmt;
	int64_t its;
	int result = store_begin(ladder, why);

	if (result < 0)
		return result;
	stmt = sql_bind(&ladder->sql, "SELECT bot, name FROM bot", "");
	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		sql_text(stmt, 1, name, sizeof(name));
		its = number_of(know(arg, name));
		if (its == 0 ||
		    sql_do(&ladder->sql, why, "INSERT INTO mark VALUES (?, ?)",
			   "ii", (int64_t)sqlite3_column_int64(stmt, 0),
			   its) == 0)
			continue;
		sqlite3_reset(stmt);
		result = -1;
		break;
	}
	if (result == 0)
		result = store_commit(ladder, why);
	if (result < 0)
		store_take_back(ladder);
	return result;
}

int64_t
ladder_missing(const struct ladder *ladder)
{
	return ladder->missing;
}

int64_t
ladder_last(const struct ladder *ladder)
{
	return ladder->last;
}

/* ---- transactions ----------------------------------------------------- */

int
store_begin(struct ladder *ladder, struct error *why)
{
	if (ladder->place.lock == -1)
		bug("ladder %s is open for reading", ladder->place.path);
	/* A transaction may be left that could not be rolled back. */
	if (!sqlite3_get_autocommit(ladder->sql.db))
		store_take_back(ladder);
	return sql_do(&ladder->sql, why, "BEGIN IMMEDIATE", "");
}

int
store_begin_fold(struct ladder *ladder, struct error *why)
{
	/* The pragma has no effect within a transaction that is left. */
	if (!sqlite3_get_autocommit(ladder->sql.db))
		store_take_back(ladder);
	if (sql_do(&ladder->sql, why, "PRAGMA synchronous = NORMAL", "") < 0)
		return -1;
	return store_begin(ladder, why);
}

/* Syncs commits again, because anchors and the like stand in no log. */
static void
sync_again(struct ladder *ladder)
{
	struct error ignored;

	(void)!sql_do(&ladder->sql, &ignored, "PRAGMA synchronous = FULL", "");
}

void
store_take_back(struct ladder *ladder)
{
	struct error ignored;

	/* After some errors SQLite has done it already. */
	if (!sqlite3_get_autocommit(ladder->sql.db))
		(void)!sql_do(&ladder->sql, &ignored, "ROLLBACK", "");
	sync_again(ladder);
	ladder->last = ladder->committed;
}

int
store_commit(struct ladder *ladder, struct error *why)
{
	if (sql_do(&ladder->sql, why, "UPDATE meta SET last = ?", "i",
		   ladder->last) < 0 ||
	    sql_do(&ladder->sql, why, "COMMIT", "") < 0)
		return -1;
	sync_again(ladder);
	ladder->committed = ladder->last;
	return 0;
}

void
store_pass(struct ladder *ladder, int64_t serial)
{
	if (ladder->last < serial)
		ladder->last = serial;
}
