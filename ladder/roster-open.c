/* ladder/roster-open.c - open a data folder's roster, or found it.
 *
 * A new one is made whole under another name and renamed, so that a file of the
 * right name without tables is always a damaged one: were it taken for new, the
 * names of all bots would be free again. */
#include "ladder/roster-inside.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ladder/store-inside.h"

/* lifts[v] lifts a file from version v to v + 1. */
static const char *const lifts[ROSTER_VERSION] = { roster_schema,
						   roster_entry_schema,
						   roster_owner_schema };

int
roster_trouble(const struct roster *roster, int answer,
	       char why[LADDER_WHY_BYTES])
{
	return sql_sentence("roster", roster->path, roster->db, answer, why);
}

static int
execute(struct roster *roster, const char *sql, char why[LADDER_WHY_BYTES])
{
	int answer = sqlite3_exec(roster->db, sql, NULL, NULL, NULL);

	return answer == SQLITE_OK ? LADDER_OK
				   : roster_trouble(roster, answer, why);
}

/* The first column of the first row. */
static int
ask(struct roster *roster, const char *sql, char text[64],
    char why[LADDER_WHY_BYTES])
{
	sqlite3_stmt *stmt = NULL;
	int answer = sqlite3_prepare_v2(roster->db, sql, -1, &stmt, NULL);

	text[0] = '\0';
	if (answer == SQLITE_OK)
		answer = sqlite3_step(stmt);
	if (answer == SQLITE_ROW)
		sql_text(stmt, 0, text, 64);
	sqlite3_finalize(stmt);
	return answer == SQLITE_ROW ? LADDER_OK
				    : roster_trouble(roster, answer, why);
}

static int
open_db(struct roster *roster, const char *path, char why[LADDER_WHY_BYTES])
{
	int answer = sqlite3_open_v2(
		path, &roster->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
		NULL);

	if (answer != SQLITE_OK)
		return roster_trouble(roster, answer, why);
	return execute(roster,
		       "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
		       why);
}

/* ---- founding --------------------------------------------------------- */

static int
lift_from(struct roster *roster, int version, char why[LADDER_WHY_BYTES])
{
	char sql[64];
	int v, result = LADDER_OK;

	for (v = version; v < ROSTER_VERSION && result == LADDER_OK; v++)
		result = execute(roster, lifts[v], why);
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d", ROSTER_VERSION);
	return result == LADDER_OK ? execute(roster, sql, why) : result;
}

/* Nobody's token is random and not kept: none fits. */
static int
write_first_rows(struct roster *roster, char why[LADDER_WHY_BYTES])
{
	unsigned char proof[ROSTER_HASH_BYTES], nobody[ROSTER_HASH_BYTES];
	char proof_hex[65], nobody_hex[65], sql[640];
	long long now = (long long)time(NULL);

	roster_hash(roster, 0, "", 0, proof);
	randombytes_buf(nobody, sizeof(nobody));
	sodium_bin2hex(proof_hex, sizeof(proof_hex), proof, sizeof(proof));
	sodium_bin2hex(nobody_hex, sizeof(nobody_hex), nobody, sizeof(nobody));
	snprintf(sql, sizeof(sql),
		 "INSERT INTO meta VALUES (1, %lld, x'%s');"
		 "INSERT INTO bot VALUES (0, '', %d, '', %lld, %lld, x'%s', "
		 "%lld, '');"
		 "PRAGMA application_id = %d; COMMIT",
		 now, proof_hex, ROSTER_DELETED, now, now, nobody_hex, now,
		 ROSTER_APPLICATION_ID);
	return execute(roster, sql, why);
}

static int
fill_file(struct roster *roster, const char *path, char why[LADDER_WHY_BYTES])
{
	int result, fd;

	unlink(path); /* of one who was killed here */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd == -1)
		return ladder_say(LADDER_TROUBLE, why, "cannot make %s: %s",
				  path, strerror(errno));
	close(fd);
	if ((result = open_db(roster, path, why)) < 0 ||
	    (result = execute(roster, "BEGIN IMMEDIATE", why)) < 0 ||
	    (result = lift_from(roster, 0, why)) < 0)
		return result;
	return write_first_rows(roster, why);
}

/* A log without its database would be played into the new one. */
static int
check_leftover(const struct roster *roster, char why[LADDER_WHY_BYTES])
{
	char *wal;
	int result = LADDER_OK;

	if (asprintf(&wal, "%s-wal", roster->path) < 0)
		bug("out of memory");
	if (access(wal, F_OK) == 0)
		result = ladder_say(LADDER_BAD, why,
				    "%s is missing: expected the roster that "
				    "%s belongs to",
				    roster->path, wal);
	free(wal);
	return result;
}

static int
found(struct roster *roster, char why[LADDER_WHY_BYTES])
{
	char *path;
	int result;

	if (asprintf(&path, "%s.new", roster->path) < 0)
		bug("out of memory");
	result = fill_file(roster, path, why);
	sqlite3_close(roster->db);
	roster->db = NULL;
	if (result == LADDER_OK && roster_rename_file(path, roster->path) != 0)
		result = ladder_say(LADDER_TROUBLE, why, "cannot make %s: %s",
				    roster->path, strerror(errno));
	if (result != LADDER_OK)
		unlink(path);
	free(path);
	return result;
}

/* ---- opening ---------------------------------------------------------- */

static int
identify(struct roster *roster, int *version, char why[LADDER_WHY_BYTES])
{
	char application[64], user[64], sound[64];
	long number;
	int result;

	if ((result = ask(roster, "PRAGMA application_id", application, why)) <
		    0 ||
	    (result = ask(roster, "PRAGMA user_version", user, why)) < 0)
		return result;
	number = strtol(user, NULL, 10);
	if (strtol(application, NULL, 10) != ROSTER_APPLICATION_ID ||
	    number < 1)
		return ladder_say(LADDER_BAD, why, "%s is not a roster but %s",
				  roster->path,
				  strcmp(application, "0") == 0 &&
						  strcmp(user, "0") == 0
					  ? "empty"
					  : "another SQLite database");
	if (number > ROSTER_VERSION)
		return ladder_say(LADDER_BAD, why,
				  "roster %s is of version %ld, made by a "
				  "newer referee (this one knows %d)",
				  roster->path, number, ROSTER_VERSION);
	*version = (int)number;
	if ((result = ask(roster, "PRAGMA quick_check(1)", sound, why)) < 0)
		return result;
	if (strcmp(sound, "ok") != 0)
		return ladder_say(LADDER_BAD, why, "roster %s is damaged (%s)",
				  roster->path, sound);
	return LADDER_OK;
}

static int
lift(struct roster *roster, int version, char why[LADDER_WHY_BYTES])
{
	int result;

	if (version == ROSTER_VERSION)
		return LADDER_OK;
	if ((result = execute(roster, "BEGIN IMMEDIATE", why)) < 0 ||
	    (result = lift_from(roster, version, why)) < 0)
		return result; /* closing takes it back */
	return execute(roster, "COMMIT", why);
}

static int
prepare(struct roster *roster, char why[LADDER_WHY_BYTES])
{
	unsigned i;
	int answer;

	for (i = 0; i < ROSTER_SQL_COUNT; i++) {
		answer = sqlite3_prepare_v3(roster->db, roster_sql_text[i], -1,
					    SQLITE_PREPARE_PERSISTENT,
					    &roster->stmt[i], NULL);
		if (answer != SQLITE_OK)
			return roster_trouble(roster, answer, why);
	}
	return LADDER_OK;
}

/* Whether this is the key that the roster was founded with. */
static int
check_key(struct roster *roster, char why[LADDER_WHY_BYTES])
{
	sqlite3_stmt *stmt = roster->stmt[ROSTER_PROOF];
	unsigned char proof[ROSTER_HASH_BYTES];
	int answer = sqlite3_step(stmt), result = LADDER_OK;

	roster_hash(roster, 0, "", 0, proof);
	if (answer == SQLITE_DONE ||
	    (answer == SQLITE_ROW &&
	     sqlite3_column_bytes(stmt, 0) != ROSTER_HASH_BYTES))
		result = ladder_say(LADDER_BAD, why,
				    "roster %s is damaged (it has no proof)",
				    roster->path);
	else if (answer != SQLITE_ROW)
		result = roster_trouble(roster, answer, why);
	else if (sodium_memcmp(sqlite3_column_blob(stmt, 0), proof,
			       sizeof(proof)) != 0)
		result = ladder_say(LADDER_BAD, why, "%s is not the key of %s",
				    roster->key_path, roster->path);
	sqlite3_reset(stmt);
	return result;
}

static int
use_wal(struct roster *roster, char why[LADDER_WHY_BYTES])
{
	char mode[64];
	int result = ask(roster, "PRAGMA journal_mode = WAL", mode, why);

	if (result == LADDER_OK && strcmp(mode, "wal") != 0)
		return ladder_say(LADDER_TROUBLE, why,
				  "roster %s: its file system cannot share "
				  "memory, which SQLite's WAL needs",
				  roster->path);
	return result;
}

static int
open_both(struct roster *roster, char why[LADDER_WHY_BYTES])
{
	struct stat st;
	int result, version = 0;
	bool there = lstat(roster->path, &st) == 0;

	if (!there && errno != ENOENT)
		return ladder_say(place_result(errno), why,
				  "cannot look at %s: %s", roster->path,
				  strerror(errno));
	if (there && !S_ISREG(st.st_mode))
		return ladder_say(LADDER_BAD, why,
				  "%s is not a roster: it is not a file",
				  roster->path);
	/* Who is killed while he founds leaves a key without a roster. */
	if ((!there && (result = check_leftover(roster, why)) < 0) ||
	    (result = roster_key_read(roster, !there, why)) < 0 ||
	    (!there && (result = found(roster, why)) < 0) ||
	    (result = open_db(roster, roster->path, why)) < 0 ||
	    (result = identify(roster, &version, why)) < 0 ||
	    (result = use_wal(roster, why)) < 0 ||
	    (result = lift(roster, version, why)) < 0 ||
	    (result = prepare(roster, why)) < 0)
		return result;
	return check_key(roster, why);
}

int
roster_open(const char *dir, struct roster **roster, char why[LADDER_WHY_BYTES])
{
	struct roster *new = memory(NULL, sizeof(*new));
	int result;

	*roster = NULL;
	memset(new, 0, sizeof(*new));
	if (sodium_init() < 0)
		bug("libsodium does not start");
	new->owner_bots = ROSTER_OWNER_BOTS;
	new->key = sodium_malloc(ROSTER_KEY_BYTES);
	if (new->key == NULL ||
	    asprintf(&new->path, "%s/" ROSTER_DB, dir) < 0 ||
	    asprintf(&new->key_path, "%s/" ROSTER_KEY, dir) < 0)
		bug("out of memory");
	result = open_both(new, why);
	if (result == LADDER_OK)
		*roster = new;
	else
		roster_close(new);
	return result;
}

void
roster_close(struct roster *roster)
{
	unsigned i;

	if (roster == NULL)
		return;
	for (i = 0; i < ROSTER_SQL_COUNT; i++)
		sqlite3_finalize(roster->stmt[i]);
	if (sqlite3_close(roster->db) != SQLITE_OK)
		bug("a statement of roster %s is left open", roster->path);
	sodium_free(roster->key);
	free(roster->key_path);
	free(roster->path);
	free(roster);
}
