/* ladder/read.c - reads a ladder: pools, standings, games, a copy. */
#include "ladder/store-inside.h"

#include <string.h>

#include "ladder/pack.h"

/* ---- settings, pools, standings --------------------------------------- */

int
ladder_settings_log(struct ladder *ladder,
		    void (*each)(void *arg,
				 const struct ladder_setting *setting),
		    void *arg, struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(&ladder->sql,
				      "SELECT from_serial, k_milli, start_milli"
				      " FROM setting ORDER BY from_serial",
				      "");
	struct ladder_setting setting;
	int result;

	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		setting.from_serial = sqlite3_column_int64(stmt, 0);
		setting.k_milli = sqlite3_column_int64(stmt, 1);
		setting.start_milli = sqlite3_column_int64(stmt, 2);
		each(arg, &setting);
	}
	return result;
}

int
ladder_pools(struct ladder *ladder,
	     void (*each)(void *arg, const struct ladder_pool *pool), void *arg,
	     struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(
		&ladder->sql,
		"SELECT pool, game, options, seats, arrival FROM pool p"
		" WHERE EXISTS (SELECT 1 FROM game g"
		" WHERE g.pool = p.pool)"
		" ORDER BY game, options, seats, arrival",
		"");
	struct ladder_pool pool;
	int result;

	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		pool.number = sqlite3_column_int64(stmt, 0);
		sql_text(stmt, 1, pool.game, sizeof(pool.game));
		sql_text(stmt, 2, pool.options, sizeof(pool.options));
		pool.seats = (unsigned)sqlite3_column_int(stmt, 3);
		pool.arrival = sqlite3_column_int(stmt, 4) != 0;
		each(arg, &pool);
	}
	return result;
}

/* The names are in the order of `enum ladder_mark`. */
static const char *const marks[] = { "",	 "inactive",  "superseded",
				     "disabled", "withdrawn", "removed" };

const char *
ladder_mark_name(enum ladder_mark mark)
{
	return marks[mark];
}

/* Returns the mark of a bot whose last game ended `idle` days before the pool's
 * last one.  `kept` is the number in the table of marks, if there is one. */
static enum ladder_mark
mark_of(const struct ladder *ladder, const char *bot, int kept, bool superseded,
	double idle, int64_t days)
{
	enum ladder_mark mark = LADDER_PLAYS;

	if (ladder->mark != NULL)
		mark = ladder->mark(ladder->mark_arg, bot);
	else if (kept > LADDER_PLAYS && kept <= LADDER_BACK)
		mark = (enum ladder_mark)kept;

	if (mark != LADDER_PLAYS && mark != LADDER_BACK)
		return mark;
	if (superseded && mark != LADDER_BACK)
		return LADDER_SUPERSEDED;
	return days > 0 && (idle >= LADDER_INACTIVE_DAYS || idle >= days)
		       ? LADDER_INACTIVE
		       : LADDER_PLAYS;
}

/* Reads a row of tell_standings(), except for the rank.  Returns true if the
 * bot is ranked. */
static bool
read_standing(const struct ladder *ladder, sqlite3_stmt *stmt, int64_t days,
	      struct ladder_standing *standing)
{
	const double idle = sqlite3_column_double(stmt, 12);

	standing->rating_milli = sqlite3_column_int64(stmt, 0);
	standing->games = sqlite3_column_int64(stmt, 1);
	standing->wins = sqlite3_column_int64(stmt, 2);
	standing->places = sqlite3_column_int64(stmt, 3);
	standing->halves = sqlite3_column_int64(stmt, 4);
	standing->entered = sqlite3_column_int64(stmt, 5);
	for (unsigned i = FAULT_TIMEOUT; i < FAULT_KINDS; i++)
		standing->faults[i] =
			(uint64_t)sqlite3_column_int64(stmt, 5 + (int)i);
	sql_text(stmt, 10, standing->bot, sizeof(standing->bot));
	sql_text(stmt, 11, standing->heir_of, sizeof(standing->heir_of));
	standing->mark =
		mark_of(ladder, standing->bot, sqlite3_column_int(stmt, 14),
			sqlite3_column_int(stmt, 13) != 0, idle, days);
	standing->provisional = standing->mark == LADDER_PLAYS &&
				standing->games < LADDER_PROVISIONAL;
	return standing->mark != LADDER_DISABLED &&
	       standing->mark != LADDER_WITHDRAWN &&
	       standing->mark != LADDER_REMOVED &&
	       (days == 0 || idle < (double)days);
}

/* Lists the bots that are ranked, or with `ranked` false the others. */
static int
tell_standings(struct ladder *ladder, int64_t pool, int64_t days, bool ranked,
	       void (*each)(void *arg, const struct ladder_standing *standing),
	       void *arg, struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(
		&ladder->sql,
		"SELECT milli, games, wins, places, halves, entered,"
		" timeout, illegal, protocol, crash, bot.name,"
		" (SELECT name FROM heir AS h JOIN bot AS b ON b.bot = h.of_bot"
		" WHERE h.pool = ?1 AND h.bot = rating.bot),"
		" julianday((SELECT ended FROM game WHERE serial ="
		" (SELECT max(last) FROM conduct WHERE pool = ?1))) -"
		" julianday((SELECT ended FROM game WHERE serial = last)),"
		" rating.bot IN (SELECT of_bot FROM heir WHERE pool = ?1),"
		" (SELECT mark FROM mark WHERE mark.bot = rating.bot)"
		" FROM rating JOIN bot USING (bot)"
		" LEFT JOIN conduct USING (pool, bot)"
		" WHERE pool = ?1 ORDER BY milli DESC, bot.name",
		"i", pool);
	struct ladder_standing standing = { 0 };
	int64_t milli = 0;
	unsigned n = 0;
	int result;

	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		if (read_standing(ladder, stmt, days, &standing) != ranked)
			continue;
		n++;
		if (ranked && (n == 1 || milli != standing.rating_milli))
			standing.rank = n;
		milli = standing.rating_milli;
		each(arg, &standing);
	}
	return result;
}

int
ladder_standings(struct ladder *ladder, int64_t pool,
		 void (*each)(void *arg,
			      const struct ladder_standing *standing),
		 void *arg, struct error *why)
{
	int64_t days;
	int result = sql_number(&ladder->sql, why, &days,
				"SELECT days FROM ranking", "");

	if (result == 0)
		result = tell_standings(ladder, pool, days, true, each, arg,
					why);
	if (result == 0)
		result = tell_standings(ladder, pool, days, false, each, arg,
					why);
	return result;
}

/* ---- games ------------------------------------------------------------ */

static int
read_seats(struct ladder *ladder, struct ladder_game *game, struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&ladder->sql,
			 "SELECT seat, name, place, points, before_milli,"
			 " delta_milli, heir_of, timeout, illegal, protocol,"
			 " crash FROM seat JOIN bot USING (bot)"
			 " WHERE serial = ?",
			 "i", game->serial);
	struct ladder_seat *seat;
	sqlite3_int64 number;
	int result;

	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		number = sqlite3_column_int64(stmt, 0);
		if (number < 0 || number >= SEATS_MAX)
			continue;
		seat = &game->seat[number];
		sql_text(stmt, 1, seat->bot, sizeof(seat->bot));
		seat->place = sqlite3_column_int(stmt, 2);
		seat->points = (long)sqlite3_column_int64(stmt, 3);
		seat->before_milli = sqlite3_column_int64(stmt, 4);
		seat->delta_milli = sqlite3_column_int64(stmt, 5);
		sql_text(stmt, 6, seat->heir_of, sizeof(seat->heir_of));
		for (int i = FAULT_TIMEOUT; i < FAULT_KINDS; i++)
			seat->faults[i] =
				(unsigned)sqlite3_column_int64(stmt, 6 + i);
	}
	return result;
}

int
read_game(struct ladder *ladder, sqlite3_stmt *stmt, struct ladder_game *game,
	  struct error *why)
{
	const void *hash;

	*game = (struct ladder_game){ 0 };
	game->serial = sqlite3_column_int64(stmt, 0);
	sql_text(stmt, 1, game->id, sizeof(game->id));
	sql_text(stmt, 2, game->game, sizeof(game->game));
	sql_text(stmt, 3, game->options, sizeof(game->options));
	game->seats = (unsigned)sqlite3_column_int(stmt, 4);
	game->arrival = sqlite3_column_int(stmt, 5) != 0;
	sql_text(stmt, 6, game->ended, sizeof(game->ended));
	game->folder = sqlite3_column_int64(stmt, 7);
	hash = sqlite3_column_blob(stmt, 8);
	if (hash != NULL && sqlite3_column_bytes(stmt, 8) == RECORD_HASH_BYTES)
		memcpy(game->hash, hash, RECORD_HASH_BYTES);
	game->void_number = sqlite3_column_int64(stmt, 9);
	if (game->void_number > 0)
		sql_text(stmt, 10, game->void_why, sizeof(game->void_why));
	sql_text(stmt, 11, game->block, sizeof(game->block));
	/* Checked here, so that callers that loop over the seats may trust
	 * their number. */
	if (game->seats < 2 || game->seats > SEATS_MAX)
		return sql_damaged(&ladder->sql, why, "game %s has %u seats",
				   game->id, game->seats);
	return read_seats(ladder, game, why);
}

int
ladder_game_find(struct ladder *ladder, const char *id,
		 struct ladder_game *game, struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&ladder->sql, GAMES_SELECT "WHERE g.id = ?", "s", id);
	int result = sql_step(&ladder->sql, stmt, why);

	if (result <= 0)
		return result;
	result = read_game(ladder, stmt, game, why);
	sqlite3_reset(stmt);
	return result < 0 ? result : LADDER_FOUND;
}

#define OF_BOT                                                                 \
	GAMES_SELECT                                                           \
	"WHERE g.serial IN (SELECT serial FROM seat WHERE bot = ?1) "

/* Returns the statement that finds the games; NULL if the bot is unknown, or on
 * an error. */
static int
games_wanted(struct ladder *ladder, const char *bot, int64_t pool,
	     sqlite3_stmt **stmt, struct error *why)
{
	struct sql *sql = &ladder->sql;
	int64_t number = 0;

	if (bot != NULL && search_bot_known(ladder, bot, &number, why) < 0)
		return -1;
	if (bot != NULL && pool != 0)
		*stmt = sql_bind(sql, OF_BOT "AND pool = ?2 ORDER BY g.serial",
				 "ii", number, pool);
	else if (bot != NULL)
		*stmt = sql_bind(sql, OF_BOT "ORDER BY g.serial", "i", number);
	else if (pool != 0)
		*stmt = sql_bind(
			sql, GAMES_SELECT "WHERE pool = ? ORDER BY g.serial",
			"i", pool);
	else
		*stmt = sql_bind(sql, GAMES_SELECT "ORDER BY g.serial", "");
	return 0;
}

static int
tell_games(struct ladder *ladder, sqlite3_stmt *stmt,
	   void (*each)(void *arg, const struct ladder_game *game), void *arg,
	   struct error *why)
{
	struct ladder_game game;
	int result;

	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		if ((result = read_game(ladder, stmt, &game, why)) < 0) {
			sqlite3_reset(stmt);
			break;
		}
		each(arg, &game);
	}
	return result;
}

int
ladder_games(struct ladder *ladder, const char *bot, int64_t pool,
	     void (*each)(void *arg, const struct ladder_game *game), void *arg,
	     struct error *why)
{
	sqlite3_stmt *stmt = NULL;
	int result = games_wanted(ladder, bot, pool, &stmt, why);

	return result < 0 ? result : tell_games(ladder, stmt, each, arg, why);
}

int
ladder_latest(struct ladder *ladder, int64_t before, unsigned count,
	      void (*each)(void *arg, const struct ladder_game *game),
	      void *arg, struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&ladder->sql,
			 GAMES_SELECT "WHERE g.serial < ?"
				      " ORDER BY g.serial DESC LIMIT ?",
			 "ii", before, (int64_t)count);

	return tell_games(ladder, stmt, each, arg, why);
}

int
read_folder(struct ladder *ladder, int64_t folder, char dir[LADDER_PATH_BYTES],
	    struct error *why)
{
	char stored[LADDER_PATH_BYTES];
	int result = sql_row(&ladder->sql, why,
			     "SELECT path FROM folder WHERE folder = ?", "i",
			     folder, "p", stored, sizeof(stored));

	if (result > 0)
		place_long(&ladder->place, stored, dir, LADDER_PATH_BYTES);
	return result;
}

int
ladder_game_path(struct ladder *ladder, const struct ladder_game *game,
		 char path[LADDER_PATH_BYTES], struct error *why)
{
	char name[LADDER_FILE_BYTES], dir[LADDER_PATH_BYTES];
	int result = read_folder(ladder, game->folder, dir, why);

	path[0] = '\0';
	if (result <= 0)
		return result;
	ladder_file_name(ENTRY_GAME, game->serial, game->id, name);
	(void)packed_find(dir, name, path);
	return 0;
}

/* ---- a copy ----------------------------------------------------------- */

int
ladder_backup(struct ladder *ladder, const char *path, struct error *why)
{
	return database_copy(ladder->place.file, path, why);
}
