/* ladder/roster-open.c - opens a data folder's roster with its key, or founds
 * both.
 *
 * A new roster is made whole under another name and then renamed.  So a file of
 * the right name without tables is always a damaged one.  If it counted as new,
 * the names of all bots would be free again. */
#include "ladder/roster-inside.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "protocol/clock.h"

static int
open_db(struct roster *roster, const char *path, struct error *why)
{
	int answer = sql_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
			      &roster->sql.db);

	if (answer != SQLITE_OK)
		return sql_trouble(&roster->sql, answer, why);
	return sql_execute(
		&roster->sql,
		"PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", why);
}

/* ---- the key ---------------------------------------------------------- */

/* The key is whole or not there, because it is written under another name and
 * then renamed.  An organiser who has lost a roster's key has lost all tokens,
 * and must be told so.  So nothing here makes a second key for a roster that is
 * there. */

static int
complain(const struct roster *roster, const char *what, struct error *why)
{
	return error_set(why, path_kind(errno), "cannot %s %s: %m", what,
			 roster->key_path);
}

static int
make_key(struct roster *roster, struct error *why)
{
	randombytes_buf(roster->key, ROSTER_KEY_BYTES);
	if (file_replace(roster->key_path, ".new", 0600, roster->key,
			 ROSTER_KEY_BYTES) == 0)
		return 0;
	return complain(roster, "make", why);
}

static int
check_kind(const struct roster *roster, int fd, struct error *why)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return complain(roster, "look at", why);
	if (!S_ISREG(st.st_mode) || st.st_size != ROSTER_KEY_BYTES)
		return error_set(why, ERROR_INPUT,
				 "%s is not a key: expected a file of %d bytes",
				 roster->key_path, ROSTER_KEY_BYTES);
	if ((st.st_mode & 077) != 0)
		return error_set(why, ERROR_INPUT,
				 "other users may open %s: expected mode 0600, "
				 "found %04o",
				 roster->key_path, st.st_mode & 07777);
	return 0;
}

/* Reads the key.  If there is none, makes it if `may_make` is true. */
static int
read_key(struct roster *roster, bool may_make, struct error *why)
{
	int result, fd = open(roster->key_path,
			      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd == -1 && errno == ENOENT && may_make)
		return make_key(roster, why);
	if (fd == -1 && errno == ENOENT)
		return error_set(why, ERROR_INPUT,
				 "%s is missing: it is the key of %s, and "
				 "without it no token works",
				 roster->key_path, roster->path);
	if (fd == -1)
		return complain(roster, "open", why);
	result = check_kind(roster, fd, why);
	errno = EIO; /* the file is too short, unless read() sets another errno */
	if (result == 0 &&
	    read(fd, roster->key, ROSTER_KEY_BYTES) != ROSTER_KEY_BYTES)
		result = complain(roster, "read", why);
	close(fd);
	return result;
}

/* ---- founding --------------------------------------------------------- */

/* The hash of the rows 0 is random, so no token fits it. */
static int
write_first_rows(struct roster *roster, struct error *why)
{
	unsigned char proof[ROSTER_HASH_BYTES], nobody[ROSTER_HASH_BYTES];
	char proof_hex[65], nobody_hex[65], sql[1024];
	long long now = clock_seconds();

	roster_hash(roster, ROSTER_BOT_TOKEN, 0, "", 0, proof);
	randombytes_buf(nobody, sizeof(nobody));
	sodium_bin2hex(proof_hex, sizeof(proof_hex), proof, sizeof(proof));
	sodium_bin2hex(nobody_hex, sizeof(nobody_hex), nobody, sizeof(nobody));
	snprintf(sql, sizeof(sql),
		 "INSERT INTO meta VALUES (1, %lld, x'%s');"
		 "INSERT INTO bot VALUES (0, '', %d, '', %lld, %lld, x'%s', "
		 "%lld, NULL, '');"
		 "INSERT INTO owner VALUES (0, '', %d, '', %lld, %lld, x'%s', "
		 "%lld, NULL);"
		 "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
		 now, proof_hex, ROSTER_DELETED, now, now, nobody_hex, now,
		 ROSTER_DELETED, now, now, nobody_hex, now,
		 ROSTER_APPLICATION_ID, ROSTER_VERSION);
	return sql_execute(&roster->sql, sql, why);
}

static int
fill_file(struct roster *roster, const char *path, struct error *why)
{
	int result, fd;

	unlink(path); /* a process that was killed here may have left it */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd == -1)
		return path_error(why, ERROR_MACHINE, "make", path);
	close(fd);
	if ((result = open_db(roster, path, why)) < 0 ||
	    (result = sql_execute(&roster->sql, "BEGIN IMMEDIATE", why)) < 0 ||
	    (result = sql_execute(&roster->sql, roster_schema, why)) < 0)
		return result;
	return write_first_rows(roster, why);
}

/* Refuses a log without its database, because SQLite would apply it to the new
 * one. */
static int
check_leftover(const struct roster *roster, struct error *why)
{
	char *wal = formatted("%s-wal", roster->path);
	int result = 0;

	if (access(wal, F_OK) == 0)
		result = error_set(why, ERROR_INPUT,
				   "%s is missing: expected the roster that "
				   "%s belongs to",
				   roster->path, wal);
	free(wal);
	return result;
}

static int
found(struct roster *roster, struct error *why)
{
	char *path = formatted("%s.new", roster->path);
	int result;

	result = fill_file(roster, path, why);
	sqlite3_close(roster->sql.db);
	roster->sql.db = NULL;
	if (result == 0 && rename_durably(path, roster->path) != 0)
		result = path_error(why, ERROR_MACHINE, "make", roster->path);
	if (result != 0)
		unlink(path);
	free(path);
	return result;
}

/* ---- opening ---------------------------------------------------------- */

static int
identify(struct roster *roster, struct error *why)
{
	int result =
		sql_identify(&roster->sql, ROSTER_APPLICATION_ID,
			     ROSTER_VERSION, roster_schema,
			     "only a referee of that version can open it", why);

	if (result < 0)
		return result;
	if (result == 0)
		return error_set(why, ERROR_INPUT, "%s is empty, not a roster",
				 roster->path);
	return sql_check_sound(&roster->sql, why);
}

/* Checks that this is the key that the roster was founded with. */
static int
check_key(struct roster *roster, struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&roster->sql, "SELECT proof FROM meta", "");
	int row = sql_step(&roster->sql, stmt, why), result = 0;
	unsigned char proof[ROSTER_HASH_BYTES];

	if (row < 0)
		return row;
	roster_hash(roster, ROSTER_BOT_TOKEN, 0, "", 0, proof);
	if (row == 0 || sqlite3_column_bytes(stmt, 0) != ROSTER_HASH_BYTES)
		result = sql_damaged(&roster->sql, why, "it has no proof");
	else if (sodium_memcmp(sqlite3_column_blob(stmt, 0), proof,
			       sizeof(proof)) != 0)
		result = error_set(why, ERROR_INPUT, "%s is not the key of %s",
				   roster->key_path, roster->path);
	sqlite3_reset(stmt);
	return result;
}

static int
open_both(struct roster *roster, struct error *why)
{
	struct stat st;
	int result;
	bool there = lstat(roster->path, &st) == 0;

	if (!there && errno != ENOENT)
		return path_error(why, path_kind(errno), "look at",
				  roster->path);
	if (there && !S_ISREG(st.st_mode))
		return error_set(why, ERROR_INPUT,
				 "%s is not a roster: it is not a file",
				 roster->path);
	/* A process that is killed while it founds a roster leaves a key
	 * without one. */
	if ((!there && (result = check_leftover(roster, why)) < 0) ||
	    (result = read_key(roster, !there, why)) < 0 ||
	    (!there && (result = found(roster, why)) < 0) ||
	    (result = open_db(roster, roster->path, why)) < 0 ||
	    (result = identify(roster, why)) < 0 ||
	    (result = sql_use_wal(&roster->sql, why)) < 0)
		return result;
	return check_key(roster, why);
}

int
roster_open(const char *dir, struct roster **roster, struct error *why)
{
	struct roster *new = zeroed(1, sizeof(*new));
	int result;

	*roster = NULL;
	new->owner_bots = ROSTER_OWNER_BOTS;
	roster_by(new, ROSTER_ORGANISER);
	new->key = sodium_malloc(ROSTER_KEY_BYTES);
	if (new->key == NULL)
		bug("out of memory");
	new->dir = copied(dir);
	new->path = formatted("%s/" ROSTER_DB, dir);
	new->key_path = formatted("%s/" ROSTER_KEY, dir);
	new->sql.what = "roster";
	new->sql.path = new->path;
	result = open_both(new, why);
	if (result == 0)
		*roster = new;
	else
		roster_close(new);
	return result;
}

void
roster_by(struct roster *roster, const char *who)
{
	snprintf(roster->by, sizeof(roster->by), "%s", who);
}

const char *
roster_folder(const struct roster *roster)
{
	return roster->dir;
}

void
roster_close(struct roster *roster)
{
	if (roster == NULL)
		return;
	sql_close(&roster->sql);
	sodium_free(roster->key);
	free(roster->key_path);
	free(roster->path);
	free(roster->dir);
	free(roster);
}
