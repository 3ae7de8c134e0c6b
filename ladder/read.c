/* ladder/read.c - reads a ladder: pools, standings, games, a copy. */
#include "ladder/store-inside.h"

#include <stdio.h>
#include <stdlib.h>
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

struct row {
	struct ladder_standing standing;
	int64_t of, turn; /* as in struct ladder_known */
	double idle;	  /* days from its last game to the pool's last one */
};

struct rows {
	struct row *row; /* owned */
	size_t count;
};

static void
read_row(const struct ladder *ladder, sqlite3_stmt *stmt, struct row *row)
{
	struct ladder_standing *standing = &row->standing;
	struct ladder_known known;

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
	row->idle = sqlite3_column_double(stmt, 12);
	sql_text(stmt, 13, standing->superseded_by,
		 sizeof(standing->superseded_by));
	known = ladder->know != NULL
			? ladder->know(ladder->know_arg, standing->bot)
			: store_read_mark(sqlite3_column_int64(stmt, 14));
	standing->mark = known.mark;
	row->of = known.of;
	row->turn = known.turn;
}

/* Reads the bots of a pool by rating.  The last heir of each is found from the end:
 * `line` begins with those who have no heir. */
static int
read_rows(struct ladder *ladder, int64_t pool, struct rows *rows,
	  struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(
		&ladder->sql,
		"WITH RECURSIVE line(bot, last) AS ("
		"SELECT bot, bot FROM rating WHERE pool = ?1 AND bot NOT IN"
		" (SELECT of_bot FROM heir WHERE pool = ?1)"
		" UNION SELECT of_bot, last FROM line JOIN heir"
		" ON heir.pool = ?1 AND heir.bot = line.bot WHERE of_bot > 0)"
		" SELECT milli, games, wins, places, halves, entered,"
		" timeout, illegal, protocol, crash, bot.name,"
		" (SELECT name FROM heir AS h JOIN bot AS b ON b.bot = h.of_bot"
		" WHERE h.pool = ?1 AND h.bot = rating.bot),"
		" julianday((SELECT ended FROM game WHERE serial ="
		" (SELECT max(last) FROM conduct WHERE pool = ?1))) -"
		" julianday((SELECT ended FROM game WHERE serial ="
		" conduct.last)),"
		" (SELECT name FROM bot AS b WHERE b.bot = later.last"
		" AND b.bot <> rating.bot),"
		" (SELECT mark FROM mark WHERE mark.bot = rating.bot)"
		" FROM rating JOIN bot USING (bot)"
		" LEFT JOIN conduct USING (pool, bot)"
		" LEFT JOIN (SELECT bot, max(last) AS last FROM line"
		" GROUP BY bot) AS later USING (bot)"
		" WHERE pool = ?1 ORDER BY milli DESC, bot.name",
		"i", pool);
	int result;

	while ((result = sql_step(&ladder->sql, stmt, why)) > 0)
		read_row(ladder, stmt, ADDED(rows->row, rows->count));
	return result;
}

static int
by_turn(const void *left, const void *right)
{
	const struct row *a = *(const struct row *const *)left,
			 *b = *(const struct row *const *)right;

	return a->of != b->of ? (a->of > b->of) - (a->of < b->of)
			      : (a->turn > b->turn) - (a->turn < b->turn);
}

/* Says of each version that the roster knows which one stands for the bot. */
static void
supersede(struct rows *rows)
{
	struct row **version = zeroed(rows->count + 1, sizeof(*version));
	const struct row *last = NULL;
	size_t i, count = 0;

	for (i = 0; i < rows->count; i++)
		if (rows->row[i].of != 0)
			version[count++] = &rows->row[i];
	qsort(version, count, sizeof(struct row *), by_turn);
	for (i = count; i-- > 0;) {
		if (last == NULL || last->of != version[i]->of)
			last = version[i];
		snprintf(version[i]->standing.superseded_by, NAME_BYTES + 1,
			 "%s", last == version[i] ? "" : last->standing.bot);
	}
	free(version);
}

/* Sets the mark, unless the roster has one.  Returns true if the bot is ranked. */
static bool
judge(struct row *row, int64_t days)
{
	struct ladder_standing *standing = &row->standing;

	if (standing->mark != LADDER_PLAYS)
		standing->superseded_by[0] = '\0';
	else if (standing->superseded_by[0] != '\0')
		standing->mark = LADDER_SUPERSEDED;
	else if (days > 0 && (row->idle >= LADDER_INACTIVE_DAYS ||
			      row->idle >= (double)days))
		standing->mark = LADDER_INACTIVE;
	standing->provisional = standing->mark == LADDER_PLAYS &&
				standing->games < LADDER_PROVISIONAL;
	return standing->mark < LADDER_SUPERSEDED &&
	       (days == 0 || row->idle < (double)days);
}

static void
rank(struct rows *rows, int64_t days)
{
	const struct ladder_standing *before = NULL;
	struct row *row = rows->row;
	unsigned n = 0;

	for (; row < rows->row + rows->count; row++) {
		if (!judge(row, days))
			continue;
		n++;
		row->standing.rank =
			before != NULL && before->rating_milli ==
						  row->standing.rating_milli
				? before->rank
				: n;
		before = &row->standing;
	}
}

int
ladder_standings(struct ladder *ladder, int64_t pool,
		 void (*each)(void *arg,
			      const struct ladder_standing *standing),
		 void *arg, struct error *why)
{
	struct rows rows = { NULL, 0 };
	int64_t days;
	int result = sql_number(&ladder->sql, why, &days,
				"SELECT days FROM ranking", "");

	if (result == 0)
		result = read_rows(ladder, pool, &rows, why);
	if (result == 0 && rows.count > 0) {
		supersede(&rows);
		rank(&rows, days);
		for (size_t i = 0; i < 2 * rows.count; i++)
			if ((rows.row[i % rows.count].standing.rank > 0) ==
			    (i < rows.count))
				each(arg, &rows.row[i % rows.count].standing);
	}
	free(rows.row);
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
