/* ladder/sql.c - the store's statements, and SQLite's answers in sentences.
 *
 * All are prepared when a ladder is opened and live as long as it does.  Their
 * texts stand together here so that what is asked of the tables can be read
 * beside schema.sql. */
#include "ladder/store-inside.h"

#include <stdarg.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define GAMES_SELECT                                                           \
	"SELECT g.serial, g.id, p.game, p.options, p.seats, p.arrival,"        \
	" g.ended, ifnull(g.folder, 0), g.hash, ifnull(v.number, 0), v.why"    \
	" FROM game g JOIN pool p USING (pool)"                                \
	" LEFT JOIN voided x ON x.id = g.id"                                   \
	" LEFT JOIN void v ON v.number = x.number "
#define GAMES_OF_BOT "g.serial IN (SELECT serial FROM seat WHERE bot = ?1) "

/* In the order in which count_other() compares them. */
#define RATING_COLUMNS                                                         \
	"SELECT milli, games, wins, places, halves, entered, pool, bot,"       \
	" last, timeout, illegal, protocol, crash"
#define RATING_SELECT                                                          \
	RATING_COLUMNS " FROM rating LEFT JOIN conduct USING (pool, bot)"

static const char *const sql_text_of[SQL_COUNT] = {
	[SQL_BEGIN] = "BEGIN IMMEDIATE",
	[SQL_COMMIT] = "COMMIT",
	[SQL_ROLLBACK] = "ROLLBACK",
	[SQL_META] = "SELECT id, created FROM meta",
	[SQL_META_ID] = "UPDATE meta SET id = ?",
	[SQL_LAST_SERIAL] = "SELECT ifnull(max(serial), 0) FROM game",

	[SQL_SETTING_ADD] = "INSERT OR REPLACE INTO setting VALUES (?, ?, ?)",
	[SQL_SETTING_AT] = "SELECT k_milli, start_milli FROM setting"
			   " WHERE from_serial <= ?"
			   " ORDER BY from_serial DESC LIMIT 1",
	[SQL_SETTINGS] = "SELECT from_serial, k_milli, start_milli"
			 " FROM setting ORDER BY from_serial",

	[SQL_FOLDER_ADD] = "INSERT INTO folder (path) VALUES (?)"
			   " ON CONFLICT DO NOTHING",
	[SQL_FOLDER_FIND] = "SELECT folder FROM folder WHERE path = ?",
	[SQL_FOLDERS] = "SELECT folder, path FROM folder ORDER BY folder",
	[SQL_FOLDER_PATH] = "SELECT path FROM folder WHERE folder = ?",

	[SQL_POOL_ADD] = "INSERT INTO pool (game, options, seats, arrival)"
			 " VALUES (?, ?, ?, ?)",
	[SQL_POOL_FIND] = "SELECT pool FROM pool WHERE game = ?"
			  " AND options = ? AND seats = ? AND arrival = ?",
	[SQL_POOLS] = "SELECT pool, game, options, seats, arrival FROM pool p"
		      " WHERE EXISTS (SELECT 1 FROM game g"
		      " WHERE g.pool = p.pool)"
		      " ORDER BY game, options, seats, arrival",

	[SQL_BOT_ADD] = "INSERT INTO bot (name) VALUES (?)",
	[SQL_BOT_FIND] = "SELECT bot FROM bot WHERE name = ?",

	[SQL_RATING_ADD] = "INSERT INTO rating"
			   " VALUES (?, ?, ?, 0, 0, 0, 0, ?)",
	[SQL_RATING_GET] = RATING_SELECT " WHERE pool = ? AND bot = ?",
	[SQL_RATING_UPDATE] = "UPDATE rating SET milli = milli + ?,"
			      " games = games + 1, wins = wins + ?,"
			      " places = places + ?, halves = halves + ?"
			      " WHERE pool = ? AND bot = ?",
	[SQL_HEIR_ADD] = "INSERT OR REPLACE INTO heir VALUES (?, ?, ?)",
	[SQL_HEIR_NOTE] = "INSERT OR IGNORE INTO heir VALUES (?, ?, -?)",
	[SQL_HEIR_OF] = "SELECT abs(of_bot) FROM heir WHERE pool = ?"
			" AND bot = ?",
	[SQL_RATINGS] = RATING_SELECT,
	[SQL_STANDINGS] = RATING_COLUMNS
	", bot.name,"
	" (SELECT name FROM heir AS h JOIN bot AS b ON b.bot = h.of_bot"
	" WHERE h.pool = ?1 AND h.bot = rating.bot),"
	" julianday((SELECT ended FROM game WHERE serial ="
	" (SELECT max(last) FROM conduct WHERE pool = ?1))) -"
	" julianday((SELECT ended FROM game WHERE serial = last)),"
	" rating.bot IN (SELECT of_bot FROM heir WHERE pool = ?1)"
	" FROM rating JOIN bot USING (bot)"
	" LEFT JOIN conduct USING (pool, bot)"
	" WHERE pool = ?1 ORDER BY milli DESC, bot.name",
	/* In the order of enum fault. */
	[SQL_CONDUCT_ADD] = "INSERT INTO conduct VALUES (?, ?, ?, 0, 0, 0, 0)"
			    " ON CONFLICT (pool, bot)"
			    " DO UPDATE SET last = excluded.last",
	[SQL_CONDUCT_UPDATE] =
		"UPDATE conduct SET timeout = timeout + ?,"
		" illegal = illegal + ?, protocol = protocol + ?,"
		" crash = crash + ? WHERE pool = ? AND bot = ?",
	[SQL_FORGET_CONDUCT] = "DELETE FROM conduct",
	[SQL_RANKING] = "SELECT days FROM ranking",
	[SQL_RANKING_SET] = "INSERT OR REPLACE INTO ranking VALUES (1, ?)",

	[SQL_GAME_ADD] = "INSERT INTO game VALUES (?, ?, ?, ?, nullif(?, 0),"
			 " ?)",
	[SQL_GAME_FIND] = GAMES_SELECT "WHERE g.id = ?",
	[SQL_GAMES] = "SELECT serial, id, ifnull(folder, 0) FROM game"
		      " ORDER BY serial",
	[SQL_GAMES_KEPT] = "SELECT count(folder) FROM game",
	[SQL_SEAT_ADD] = "INSERT INTO seat VALUES (?, ?, ?, ?, ?, ?, ?)",
	[SQL_SEATS] = "SELECT seat, name, place, points, before_milli,"
		      " delta_milli FROM seat JOIN bot USING (bot)"
		      " WHERE serial = ?",
	[SQL_GAMES_ALL] = GAMES_SELECT "ORDER BY g.serial",
	[SQL_GAMES_LATEST] = GAMES_SELECT "WHERE g.serial < ?"
					  " ORDER BY g.serial DESC LIMIT ?",
	[SQL_GAMES_POOL] = GAMES_SELECT "WHERE pool = ? ORDER BY g.serial",
	[SQL_GAMES_BOT] =
		GAMES_SELECT "WHERE " GAMES_OF_BOT "ORDER BY g.serial",
	[SQL_GAMES_BOT_POOL] = GAMES_SELECT "WHERE " GAMES_OF_BOT
					    "AND pool = ?2 ORDER BY g.serial",

	[SQL_GAMES_LIKE] = "SELECT id FROM game"
			   " WHERE substr(id, 1, length(?1)) = ?1"
			   " ORDER BY length(id), id LIMIT 2",
	[SQL_VOID_ADD] = "INSERT INTO void VALUES (?, ?)",
	[SQL_VOID_HAS] = "SELECT 1 FROM void WHERE number = ?",
	[SQL_VOID_LAST] = "SELECT ifnull(max(number), 0) FROM void",
	[SQL_VOID_COUNT] = "SELECT count(*) FROM void",
	[SQL_VOIDS] = "SELECT number FROM void ORDER BY number",
	/* The first one that names a game has it. */
	[SQL_VOIDED_ADD] = "INSERT OR IGNORE INTO voided VALUES (?, ?)",
	[SQL_VOIDED_HAS] = "SELECT 1 FROM voided WHERE id = ?",
	[SQL_FORGET_VOIDS] = "DELETE FROM void",
	[SQL_FORGET_VOIDED] = "DELETE FROM voided",
	[SQL_FORGET_SEATS] = "DELETE FROM seat",
	[SQL_FORGET_GAMES] = "DELETE FROM game",
	[SQL_FORGET_RATINGS] = "DELETE FROM rating",
	[SQL_FORGET_HEIRS] = "DELETE FROM heir",
};

int
sql_prepare(struct ladder *ladder, char why[LADDER_WHY_BYTES])
{
	unsigned i;
	int answer;

	for (i = 0; i < SQL_COUNT; i++) {
		if (sql_text_of[i] == NULL)
			bug("statement %u has no text", i);
		answer = sqlite3_prepare_v3(ladder->db, sql_text_of[i], -1,
					    SQLITE_PREPARE_PERSISTENT,
					    &ladder->stmt[i], NULL);
		if (answer != SQLITE_OK)
			return sql_trouble(ladder->path, ladder->db, answer,
					   why);
	}
	return LADDER_OK;
}

void
sql_release(struct ladder *ladder)
{
	unsigned i;

	for (i = 0; i < SQL_COUNT; i++)
		sqlite3_finalize(ladder->stmt[i]);
}

sqlite3_stmt *
sql_bind(struct ladder *ladder, enum ladder_sql which, const char *types, ...)
{
	sqlite3_stmt *stmt = ladder->stmt[which];
	int i, answer = SQLITE_OK;
	va_list ap;

	if (sqlite3_stmt_busy(stmt))
		bug("statement %d is used while it is in use", (int)which);
	va_start(ap, types);
	for (i = 1; types[i - 1] != '\0' && answer == SQLITE_OK; i++) {
		switch (types[i - 1]) {
		case 'i':
			answer = sqlite3_bind_int64(stmt, i,
						    va_arg(ap, int64_t));
			break;
		case 's':
			answer = sqlite3_bind_text(stmt, i,
						   va_arg(ap, const char *), -1,
						   SQLITE_STATIC);
			break;
		case 'h':
			answer = sqlite3_bind_blob(
				stmt, i, va_arg(ap, const void *),
				RECORD_HASH_BYTES, SQLITE_STATIC);
			break;
		default:
			bug("a parameter of type %c", types[i - 1]);
		}
	}
	va_end(ap);
	if (answer != SQLITE_OK || i - 1 != sqlite3_bind_parameter_count(stmt))
		bug("statement %d: %s", (int)which, sqlite3_errmsg(ladder->db));
	return stmt;
}

int
sql_step(struct ladder *ladder, sqlite3_stmt *stmt, char why[LADDER_WHY_BYTES])
{
	int answer = sqlite3_step(stmt), result = 0;

	if (answer == SQLITE_ROW)
		return 1;
	if (answer != SQLITE_DONE)
		result = sql_trouble(ladder->path, ladder->db, answer, why);
	sqlite3_reset(stmt);
	return result;
}

int
sql_run(struct ladder *ladder, sqlite3_stmt *stmt, char why[LADDER_WHY_BYTES])
{
	int result = sql_step(ladder, stmt, why);

	if (result > 0)
		bug("%s gives a row", sqlite3_sql(stmt));
	return result;
}

int
sql_execute(struct ladder *ladder, const char *sql, char why[LADDER_WHY_BYTES])
{
	int answer = sqlite3_exec(ladder->db, sql, NULL, NULL, NULL);

	if (answer != SQLITE_OK)
		return sql_trouble(ladder->path, ladder->db, answer, why);
	return LADDER_OK;
}

void
sql_text(sqlite3_stmt *stmt, int column, char *text, size_t size)
{
	const unsigned char *value = sqlite3_column_text(stmt, column);

	snprintf(text, size, "%s", value == NULL ? "" : (const char *)value);
}

int
sql_trouble(const char *path, sqlite3 *db, int answer,
	    char why[LADDER_WHY_BYTES])
{
	return sql_sentence("ladder", path, db, answer, why);
}

/* Whether a limit of the size of files (`ulimit -f`) can be the reason. */
static bool
may_not_grow(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       limit.rlim_cur != RLIM_INFINITY;
}

int
sql_sentence(const char *what, const char *path, sqlite3 *db, int answer,
	     char why[LADDER_WHY_BYTES])
{
	const char *says = db ? sqlite3_errmsg(db) : sqlite3_errstr(answer);
	int error;

	switch (answer & 0xff) {
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
		/* Two files stand beside it while it is read, too. */
		return ladder_say(LADDER_TROUBLE, why,
				  "%s %s: it can only be opened by a user who "
				  "may write in its folder (%s)",
				  what, path, says);
	case SQLITE_FULL:
		return ladder_say(LADDER_TROUBLE, why,
				  "%s %s: the disk is full", what, path);
	case SQLITE_IOERR:
		/* SQLite asks for the system's reason late: it may be gone. */
		error = db ? sqlite3_system_errno(db) : 0;
		return ladder_say(LADDER_TROUBLE, why,
				  "%s %s: the disk does not take or give "
				  "what it should (%s)",
				  what, path,
				  error		   ? strerror(error)
				  : may_not_grow() ? strerror(EFBIG)
						   : says);
	case SQLITE_NOTADB:
		return ladder_say(LADDER_BAD, why,
				  "%s is not a %s, nor any database", path,
				  what);
	case SQLITE_CORRUPT:
		return ladder_say(LADDER_BAD, why, "%s %s is damaged (%s)",
				  what, path, says);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return ladder_say(LADDER_TROUBLE, why,
				  "%s %s is in use by another program", what,
				  path);
	default:
		return ladder_say(LADDER_TROUBLE, why, "%s %s: %s", what, path,
				  says);
	}
}
