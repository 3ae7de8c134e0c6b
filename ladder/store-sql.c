/* ladder/store-sql.c - the store's statements.
 *
 * Their texts stand together here so that what is asked of the tables can be
 * read beside schema.sql. */
#include "ladder/store-inside.h"

/* As many as GAME_COLUMNS. */
#define GAMES_COLUMNS                                                          \
	"SELECT g.serial, g.id, p.game, p.options, p.seats, p.arrival,"        \
	" g.ended, ifnull(g.folder, 0), g.hash, ifnull(v.number, 0), v.why,"   \
	" ifnull(b.id, '')"
#define GAMES_FROM                                                             \
	" FROM game g JOIN pool p USING (pool)"                                \
	" LEFT JOIN block b USING (serial)"                                    \
	" LEFT JOIN voided x ON x.id = g.id"                                   \
	" LEFT JOIN void v ON v.number = x.number "
#define GAMES_SELECT GAMES_COLUMNS GAMES_FROM
/* Of a game that is looked for: the numbers are those of ladder_search(). */
#define SEARCH_COLUMNS ", c.moves, c.faults"
#define SEARCH_WHERE                                                           \
	" AND g.ended >= ?2 AND g.ended < ?3"                                  \
	" AND max(c.moves, 0) BETWEEN ?4 AND ?5"                               \
	" AND (?8 = 0 OR g.pool = ?8)"
/* A fault of the bot's own, and another bot at the table. */
#define SEARCH_FAULT                                                           \
	" AND (?7 = 0 OR (SELECT faults FROM course"                           \
	" WHERE serial = s.serial) >> (s.seat * 4) & ?7)"
#define SEARCH_OTHER                                                           \
	" AND (?11 = 0 OR EXISTS (SELECT 1 FROM seat o"                        \
	" WHERE o.serial = s.serial AND o.bot = ?11))"
#define GAMES_OF_BOT "g.serial IN (SELECT serial FROM seat WHERE bot = ?1) "

/* In the order in which count_other() compares them. */
#define RATING_COLUMNS                                                         \
	"SELECT milli, games, wins, places, halves, entered, pool, bot,"       \
	" last, timeout, illegal, protocol, crash"
#define RATING_SELECT                                                          \
	RATING_COLUMNS " FROM rating LEFT JOIN conduct USING (pool, bot)"

const char *const ladder_sql_text[SQL_COUNT] = {
	[SQL_BEGIN] = "BEGIN IMMEDIATE",
	[SQL_COMMIT] = "COMMIT",
	[SQL_ROLLBACK] = "ROLLBACK",
	[SQL_META] = "SELECT id, created FROM meta",
	[SQL_META_CREATED] = "UPDATE meta SET created = ?",
	[SQL_META_ID] = "UPDATE meta SET id = ?",
	[SQL_LAST_SERIAL] = "SELECT ifnull(max(serial), 0) FROM game",

	[SQL_SEASON] = "SELECT name, after FROM season",
	[SQL_SEASON_ADD] = "INSERT INTO season VALUES (1, ?, ?)",
	[SQL_ENTRY_ADD] = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)",
	[SQL_ENTRY_GET] = "SELECT milli FROM entry WHERE game = ?"
			  " AND options = ? AND seats = ? AND arrival = ?"
			  " AND bot = ?",
	[SQL_ENTRIES] = "SELECT game, options, seats, arrival, bot, milli"
			" FROM entry"
			" ORDER BY game, options, seats, arrival, bot",
	[SQL_RATED_NAME] = "SELECT 1 FROM rating JOIN pool USING (pool)"
			   " JOIN bot USING (bot) WHERE game = ?"
			   " AND options = ? AND seats = ? AND arrival = ?"
			   " AND name = ?",

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
	[SQL_BOT_NAME] = "SELECT name FROM bot WHERE bot = ?",
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
	[SQL_HEIRS] = "SELECT bot, of_bot FROM heir WHERE pool = ?"
		      " AND of_bot > 0 ORDER BY bot",
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
	[SQL_ANCHORS] = "SELECT bot, milli FROM anchor ORDER BY bot",
	[SQL_ANCHOR_ADD] = "INSERT INTO anchor VALUES (?, ?)",
	[SQL_FORGET_ANCHORS] = "DELETE FROM anchor",
	[SQL_RANKING] = "SELECT days FROM ranking",
	[SQL_RANKING_SET] = "INSERT OR REPLACE INTO ranking VALUES (1, ?)",

	[SQL_GAME_ADD] = "INSERT INTO game VALUES (?, ?, ?, ?, nullif(?, 0),"
			 " ?)",
	[SQL_BLOCK_ADD] = "INSERT INTO block VALUES (?, ?)",
	[SQL_COURSE_ADD] = "INSERT INTO course VALUES (?, ?, ?)",
	[SQL_GAME_FIND] = GAMES_SELECT "WHERE g.id = ?",
	[SQL_GAMES] = "SELECT serial, id, ifnull(folder, 0) FROM game"
		      " ORDER BY serial",
	[SQL_GAMES_KEPT] = "SELECT count(folder) FROM game",
	[SQL_SEAT_ADD] = "INSERT INTO seat VALUES (?, ?, ?, ?, ?, ?, ?)",
	[SQL_SEATS] = "SELECT seat, name, place, points, before_milli,"
		      " delta_milli FROM seat JOIN bot USING (bot)"
		      " WHERE serial = ?",
	[SQL_SEATS_POOL] = "SELECT s.serial, s.bot, s.place, b.id FROM game g"
			   " JOIN seat s USING (serial)"
			   " LEFT JOIN block b USING (serial)"
			   " WHERE g.pool = ?1 AND g.ended >= ?2"
			   " AND g.id NOT IN (SELECT id FROM voided)"
			   " ORDER BY s.serial, s.seat",
	[SQL_ROWS] = "SELECT g.serial, s.bot, s.place,"
		     " s.before_milli + s.delta_milli, g.ended"
		     " FROM game g JOIN seat s USING (serial)"
		     " WHERE g.pool = ?1 AND g.serial > ?2"
		     " AND g.id NOT IN (SELECT id FROM voided)"
		     " ORDER BY s.serial, s.seat",
	[SQL_POOL_STATE] = "SELECT sum(games), sum(milli % 1000003 * bot)"
			   " FROM rating WHERE pool = ?",
	[SQL_GAMES_ALL] = GAMES_SELECT "ORDER BY g.serial",
	[SQL_GAMES_LATEST] = GAMES_SELECT "WHERE g.serial < ?"
					  " ORDER BY g.serial DESC LIMIT ?",
	[SQL_SEARCH] = GAMES_COLUMNS SEARCH_COLUMNS GAMES_FROM
	"JOIN course c USING (serial) WHERE g.serial < ?1" SEARCH_WHERE
	" AND (?7 = 0 OR c.faults & ?7) ORDER BY g.serial DESC"
	" LIMIT ?6",
	[SQL_SEARCH_BOT] = GAMES_COLUMNS SEARCH_COLUMNS GAMES_FROM
	"JOIN course c USING (serial) WHERE g.serial IN"
	" (SELECT serial FROM seat s WHERE s.bot = ?9 AND s.serial < ?1"
	" AND (?10 = 0 OR s.place = ?10)" SEARCH_FAULT SEARCH_OTHER
	")" SEARCH_WHERE " ORDER BY g.serial DESC LIMIT ?6",
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
	[SQL_FORGET_BLOCKS] = "DELETE FROM block",
	[SQL_FORGET_COURSES] = "DELETE FROM course",
	[SQL_FORGET_RATINGS] = "DELETE FROM rating",
	[SQL_FORGET_HEIRS] = "DELETE FROM heir",
};
