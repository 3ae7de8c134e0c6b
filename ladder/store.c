/* ladder/store.c - open a ladder's file, or make one, and close it.
 *
 * Before anything is written the file says what it is: the application id, the
 * version, a sound structure.  One that is empty, as a process leaves it that
 * is killed while it makes a ladder, counts as not there yet.
 *
 * Writing takes the lock PATH.lock first and keeps it to the end.  The lock's
 * file stays when the ladder is closed: to remove it would let two processes
 * hold two different locks. */
#include "ladder/store-inside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BUSY_MS 5000 /* until another program's lock is a trouble */

/* migration[v] lifts a file from version v to v + 1. */
static const char *const migration[] = { ladder_schema };
#define VERSION ((int)NELEM(migration))

int
ladder_say(int result, char why[LADDER_WHY_BYTES], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, LADDER_WHY_BYTES, fmt, ap);
	va_end(ap);
	return result;
}

/* ---- the lock --------------------------------------------------------- */

static long
lock_holder(int lock)
{
	char text[24];
	ssize_t n = pread(lock, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return 0;
	text[n] = '\0';
	return strtol(text, NULL, 10);
}

static int
lock_in_use(const char *path, int lock, char why[LADDER_WHY_BYTES])
{
	return ladder_say(LADDER_TROUBLE, why,
			  "ladder %s is in use by another referee (process "
			  "%ld)",
			  path, lock_holder(lock));
}

static int
lock_take(struct ladder *ladder, char why[LADDER_WHY_BYTES])
{
	char *real = realpath(ladder->path, NULL); /* NULL: not there yet */
	char name[PATH_MAX + sizeof(".lock")], pid[24];
	int n;

	snprintf(name, sizeof(name), "%s.lock", real ? real : ladder->path);
	free(real);
	ladder->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (ladder->lock == -1)
		return ladder_say(LADDER_TROUBLE, why, "cannot open %s: %s",
				  name, strerror(errno));
	if (flock(ladder->lock, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EWOULDBLOCK)
			return lock_in_use(ladder->path, ladder->lock, why);
		return ladder_say(LADDER_TROUBLE, why, "cannot lock %s: %s",
				  name, strerror(errno));
	}
	/* For the sentence of others only: a full disk may leave it out. */
	n = snprintf(pid, sizeof(pid), "%ld\n", (long)getpid());
	if (ftruncate(ladder->lock, 0) != 0 ||
	    pwrite(ladder->lock, pid, (size_t)n, 0) != n)
		errno = 0;
	return LADDER_OK;
}

/* ---- what the file is ------------------------------------------------- */

static int
execute(struct ladder *ladder, const char *sql, char why[LADDER_WHY_BYTES])
{
	int answer = sqlite3_exec(ladder->db, sql, NULL, NULL, NULL);

	if (answer != SQLITE_OK)
		return sql_trouble(ladder->path, ladder->db, answer, why);
	return LADDER_OK;
}

/* The first column of the first row as text. */
static int
ask(struct ladder *ladder, const char *sql, char text[64],
    char why[LADDER_WHY_BYTES])
{
	sqlite3_stmt *stmt = NULL;
	int answer;

	text[0] = '\0';
	answer = sqlite3_prepare_v2(ladder->db, sql, -1, &stmt, NULL);
	if (answer == SQLITE_OK)
		answer = sqlite3_step(stmt);
	if (answer == SQLITE_ROW) {
		sql_text(stmt, 0, text, 64);
		answer = SQLITE_OK;
	}
	sqlite3_finalize(stmt);
	if (answer != SQLITE_OK)
		return sql_trouble(ladder->path, ladder->db, answer, why);
	return LADDER_OK;
}

static int
ask_number(struct ladder *ladder, const char *sql, long *number,
	   char why[LADDER_WHY_BYTES])
{
	char text[64];
	int result = ask(ladder, sql, text, why);

	*number = strtol(text, NULL, 10);
	return result;
}

/* `*version` is 0 for a file that has nothing in it yet. */
static int
identify(struct ladder *ladder, int *version, char why[LADDER_WHY_BYTES])
{
	long application, user, tables;
	int result;

	*version = 0;
	if ((result = ask_number(ladder, "PRAGMA application_id", &application,
				 why)) < 0 ||
	    (result = ask_number(ladder, "PRAGMA user_version", &user, why)) <
		    0 ||
	    (result = ask_number(ladder, "SELECT count(*) FROM sqlite_master",
				 &tables, why)) < 0)
		return result;
	if (application == 0 && user == 0 && tables == 0)
		return LADDER_OK;
	if (application != LADDER_APPLICATION_ID || user < 1)
		return ladder_say(LADDER_BAD, why,
				  "%s is not a ladder but another SQLite "
				  "database",
				  ladder->path);
	if (user > VERSION)
		return ladder_say(LADDER_BAD, why,
				  "ladder %s is of version %ld, made by a "
				  "newer referee (this one knows %d)",
				  ladder->path, user, VERSION);
	*version = (int)user;
	return LADDER_OK;
}

static int
check_sound(struct ladder *ladder, char why[LADDER_WHY_BYTES])
{
	char found[64];
	int result = ask(ladder, "PRAGMA quick_check(1)", found, why);

	if (result == LADDER_OK && strcmp(found, "ok") != 0)
		return ladder_say(LADDER_BAD, why, "ladder %s is damaged (%s)",
				  ladder->path, found);
	return result;
}

/* ---- making and lifting ----------------------------------------------- */

/* The one row of meta, the settings of a new ladder.  Within a transaction. */
static int
found_ladder(struct ladder *ladder, char why[LADDER_WHY_BYTES])
{
	unsigned char bytes[ID_BYTES / 2];
	char id[ID_BYTES + 1], sql[512], date[LADDER_DATE_BYTES];
	time_t now = time(NULL);
	struct tm tm;

	if (sodium_init() < 0)
		bug("libsodium does not start");
	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(id, sizeof(id), bytes, sizeof(bytes));
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	snprintf(sql, sizeof(sql),
		 "INSERT INTO meta VALUES (1, '%s', '%s');"
		 "INSERT INTO setting VALUES (1, %d, %d);"
		 "PRAGMA application_id = %d",
		 id, date, LADDER_K_MILLI, LADDER_START_MILLI,
		 LADDER_APPLICATION_ID);
	return execute(ladder, sql, why);
}

static int
lift_to_version(struct ladder *ladder, int version, char why[LADDER_WHY_BYTES])
{
	char sql[64];
	int result, v;

	if (version == VERSION)
		return LADDER_OK;
	result = execute(ladder, "BEGIN IMMEDIATE", why);
	for (v = version; result == LADDER_OK && v < VERSION; v++)
		result = execute(ladder, migration[v], why);
	if (result == LADDER_OK && version == 0)
		result = found_ladder(ladder, why);
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d; COMMIT", VERSION);
	if (result == LADDER_OK)
		result = execute(ladder, sql, why);
	return result; /* closing takes back what was not committed */
}

static int
open_to_write(struct ladder *ladder, char why[LADDER_WHY_BYTES])
{
	int result, version;
	char mode[64];

	if ((result = identify(ladder, &version, why)) < 0 ||
	    (version > 0 && (result = check_sound(ladder, why)) < 0) ||
	    (result = ask(ladder, "PRAGMA journal_mode = WAL", mode, why)) < 0)
		return result;
	if (strcmp(mode, "wal") != 0)
		return ladder_say(LADDER_TROUBLE, why,
				  "ladder %s: its file system cannot share "
				  "memory, which SQLite's WAL needs",
				  ladder->path);
	result = execute(ladder,
			 "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
			 why);
	if (result == LADDER_OK)
		result = lift_to_version(ladder, version, why);
	return result;
}

static int
open_to_read(struct ladder *ladder, char why[LADDER_WHY_BYTES])
{
	int result, version;

	/* One snapshot for all that is read. */
	if ((result = execute(ladder, "BEGIN", why)) < 0 ||
	    (result = identify(ladder, &version, why)) < 0)
		return result;
	if (version == 0)
		return ladder_say(LADDER_BAD, why,
				  "ladder %s is empty, it has not been made "
				  "yet",
				  ladder->path);
	return LADDER_OK;
}

/* ---- open and close --------------------------------------------------- */

static int
load(struct ladder *ladder, char why[LADDER_WHY_BYTES])
{
	sqlite3_stmt *stmt;
	int result = sql_prepare(ladder, why);

	if (result < 0)
		return result;
	stmt = sql_bind(ladder, SQL_META, "");
	if ((result = sql_step(ladder, stmt, why)) < 0)
		return result;
	if (result == 0)
		return ladder_say(LADDER_BAD, why,
				  "ladder %s is damaged (it has no id)",
				  ladder->path);
	sql_text(stmt, 0, ladder->id, sizeof(ladder->id));
	sql_text(stmt, 1, ladder->created, sizeof(ladder->created));
	sqlite3_reset(stmt);

	stmt = sql_bind(ladder, SQL_LAST_SERIAL, "");
	if ((result = sql_step(ladder, stmt, why)) < 0)
		return result;
	ladder->last_rated = sqlite3_column_int64(stmt, 0);
	sqlite3_reset(stmt);
	ladder->committed = ladder->last_rated;
	ladder->next_serial = ladder->last_rated + 1;
	return LADDER_OK;
}

static int
open_file(struct ladder *ladder, enum ladder_mode mode,
	  char why[LADDER_WHY_BYTES])
{
	int flags = mode == LADDER_WRITE
			    ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
			    : SQLITE_OPEN_READONLY;
	struct stat st;
	int result, answer;

	if (stat(ladder->path, &st) != 0) {
		if (errno != ENOENT || mode == LADDER_READ)
			return ladder_say(errno == ENOENT ? LADDER_BAD
							  : LADDER_TROUBLE,
					  why, "cannot open ladder %s: %s",
					  ladder->path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		return ladder_say(LADDER_BAD, why,
				  "%s is not a ladder: it is not a file",
				  ladder->path);
	}
	if (mode == LADDER_WRITE && (result = lock_take(ladder, why)) < 0)
		return result;
	answer = sqlite3_open_v2(ladder->path, &ladder->db,
				 flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (answer != SQLITE_OK)
		return ladder_say(LADDER_TROUBLE, why,
				  "cannot open ladder %s: %s", ladder->path,
				  sqlite3_errstr(answer));
	sqlite3_busy_timeout(ladder->db, BUSY_MS);
	if (mode == LADDER_WRITE)
		return open_to_write(ladder, why);
	return open_to_read(ladder, why);
}

int
ladder_open(const char *path, enum ladder_mode mode, struct ladder **ladder,
	    char why[LADDER_WHY_BYTES])
{
	struct ladder *new = calloc(1, sizeof(*new));
	int result;

	*ladder = NULL;
	if (new == NULL || (new->path = strdup(path)) == NULL)
		bug("out of memory");
	new->lock = -1;
	result = open_file(new, mode, why);
	if (result == LADDER_OK)
		result = load(new, why);
	if (result != LADDER_OK) {
		ladder_close(new);
		return result;
	}
	*ladder = new;
	return LADDER_OK;
}

void
ladder_close(struct ladder *ladder)
{
	if (ladder == NULL)
		return;
	sql_release(ladder);
	if (sqlite3_close(ladder->db) != SQLITE_OK)
		bug("a statement of ladder %s is left open", ladder->path);
	if (ladder->lock != -1)
		close(ladder->lock);
	free(ladder->path);
	free(ladder);
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
