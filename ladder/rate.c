/* ladder/rate.c - keeps the list of folders, and rates games. */
#include "ladder/store-inside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ladder/durable.h"
#include "ladder/elo.h"

#define HEIRS_MAX 10000 /* the most versions of one bot */

/* ---- folders ---------------------------------------------------------- */

int
ladder_folder(struct ladder *ladder, const char *dir, int64_t *folder,
	      struct error *why)
{
	char *path = realpath(dir, NULL);
	const char *stored;
	struct stat st;
	int result;

	if (path != NULL && stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		free(path);
		return error_set(why, ERROR_INPUT, "%s is no folder", dir);
	}
	if (path == NULL)
		return path_error(why, path_kind(errno), "keep records in",
				  dir);
	stored = place_short(&ladder->place, path);
	result = sql_do(&ladder->sql, why,
			"INSERT INTO folder (path) VALUES (?)"
			" ON CONFLICT DO NOTHING",
			"s", stored);
	if (result == 0)
		result = sql_number(&ladder->sql, why, folder,
				    "SELECT folder FROM folder WHERE path = ?",
				    "s", stored);
	free(path);
	return result;
}

/* ---- a game ----------------------------------------------------------- */

int
ladder_pool_find(struct ladder *ladder, struct ladder_pool *pool,
		 struct error *why)
{
	return sql_number(&ladder->sql, why, &pool->number,
			  "SELECT pool FROM pool WHERE game = ?"
			  " AND options = ? AND seats = ? AND arrival = ?",
			  "ssii", pool->game, pool->options,
			  (int64_t)pool->seats, (int64_t)pool->arrival);
}

static int
pool_of(struct ladder *ladder, const struct ladder_game *game, int64_t *number,
	struct error *why)
{
	struct sql *sql = &ladder->sql;
	struct ladder_pool pool = { .seats = game->seats,
				    .arrival = game->arrival };
	int result;

	memcpy(pool.game, game->game, sizeof(pool.game));
	memcpy(pool.options, game->options, sizeof(pool.options));
	result = ladder_pool_find(ladder, &pool, why);
	*number = pool.number;
	if (result < 0 || pool.number > 0)
		return result;
	result = sql_do(sql, why,
			"INSERT INTO pool (game, options, seats, arrival)"
			" VALUES (?, ?, ?, ?)",
			"ssii", pool.game, pool.options, (int64_t)pool.seats,
			(int64_t)pool.arrival);
	*number = sqlite3_last_insert_rowid(sql->db);
	return result;
}

static int
bot_of(struct ladder *ladder, const char *name, int64_t *bot, struct error *why)
{
	struct sql *sql = &ladder->sql;
	int result = search_bot(ladder, name, bot, why);

	if (result < 0 || *bot > 0)
		return result;
	result = sql_do(sql, why, "INSERT INTO bot (name) VALUES (?)", "s",
			name);
	*bot = sqlite3_last_insert_rowid(sql->db);
	return result;
}

/* Gets the bot's rating in the pool.  Returns LADDER_FOUND, or 0 if it has
 * none. */
static int
rating_in(struct ladder *ladder, int64_t pool, int64_t bot, int64_t *milli,
	  struct error *why)
{
	int result =
		sql_row(&ladder->sql, why,
			"SELECT milli FROM rating WHERE pool = ? AND bot = ?",
			"ii", pool, bot, "i", milli);

	return result > 0 ? LADDER_FOUND : result;
}

/* Replaces `*bot`, which has no rating, by the bot that its voided games name
 * as its earlier version; 0 if there is none. */
static int
voided_heir_of(struct ladder *ladder, int64_t pool, int64_t *bot,
	       struct error *why)
{
	return sql_number(&ladder->sql, why, bot,
			  "SELECT abs(of_bot) FROM heir WHERE pool = ?"
			  " AND bot = ?",
			  "ii", pool, *bot);
}

/* Gives a later version the present rating of the earlier one.  If all games of
 * the earlier one are voided, it counts as if it had never been, and the rating
 * of the one before it is taken. */
static int
inherit(struct ladder *ladder, int64_t pool, int64_t bot, const char *heir_of,
	int64_t *milli, struct error *why)
{
	unsigned steps; /* forged records may form a circle */
	int64_t before;
	int result = search_bot(ladder, heir_of, &before, why);

	for (steps = 0; steps < HEIRS_MAX; steps++) {
		if (result < 0 || before == 0 || before == bot)
			return result;
		result = rating_in(ladder, pool, before, milli, why);
		if (result != 0)
			break;
		result = voided_heir_of(ladder, pool, &before, why);
	}
	if (result != LADDER_FOUND)
		return result;
	result = sql_do(&ladder->sql, why,
			"INSERT OR REPLACE INTO heir VALUES (?, ?, ?)", "iii",
			pool, bot, before);
	return result < 0 ? result : LADDER_FOUND;
}

/* Sets the rating that a bot enters a pool with.  In a season that is its own
 * from the season before; else the one that its earlier version has here; else
 * the one that its earlier version had in the season before. */
static int
entering(struct ladder *ladder, const struct ladder_game *game,
	 const struct ladder_seat *seat, int64_t pool, int64_t bot,
	 int64_t *milli, struct error *why)
{
	int result = season_entry(ladder, game, seat->bot, milli, why);

	if (result == 0 && seat->heir_of[0] != '\0')
		result = inherit(ladder, pool, bot, seat->heir_of, milli, why);
	if (result == 0 && seat->heir_of[0] != '\0')
		result = season_entry(ladder, game, seat->heir_of, milli, why);
	return result < 0 ? result : 0;
}

/* Notes the bot's earlier version, for its own later versions. */
static int
note_heir(struct ladder *ladder, int64_t pool, int64_t bot, const char *heir_of,
	  struct error *why)
{
	int64_t before;
	int result = bot_of(ladder, heir_of, &before, why);

	if (result < 0 || before == bot)
		return result;
	return sql_do(&ladder->sql, why,
		      "INSERT OR IGNORE INTO heir VALUES (?, ?, -?)", "iii",
		      pool, bot, before);
}

/* The rating before the game; a bot new to the pool enters it, but with a voided game,
 * which changes nothing. */
static int
rating_of(struct ladder *ladder, int64_t pool, int64_t bot,
	  const struct ladder_seat *seat, const struct ladder_game *game,
	  bool voided, int64_t start_milli, int64_t *milli, struct error *why)
{
	int result = rating_in(ladder, pool, bot, milli, why);

	if (result != 0)
		return result < 0 ? result : 0;
	*milli = start_milli;
	if (voided) {
		result = season_entry(ladder, game, seat->bot, milli, why);
		if (result < 0 || seat->heir_of[0] == '\0')
			return result < 0 ? result : 0;
		return note_heir(ladder, pool, bot, seat->heir_of, why);
	}
	result = entering(ladder, game, seat, pool, bot, milli, why);
	if (result < 0)
		return result;
	return sql_do(&ladder->sql, why,
		      "INSERT INTO rating"
		      " VALUES (?, ?, ?, 0, 0, 0, 0, ?)",
		      "iiii", pool, bot, *milli, game->serial);
}

/* Returns 2 for each seat behind this one plus 1 for each tie. */
static int64_t
halves_of(const struct ladder_game *game, unsigned seat)
{
	int64_t halves = -1; /* leaves out the tie with itself */

	for (unsigned i = 0; i < game->seats; i++)
		halves += (game->seat[i].place > game->seat[seat].place) +
			  (game->seat[i].place >= game->seat[seat].place);
	return halves;
}

static int
write_conduct(struct ladder *ladder, int64_t serial,
	      const struct ladder_seat *seat, int64_t pool, int64_t bot,
	      struct error *why)
{
	const unsigned *faults = seat->faults;

	_Static_assert(FAULT_KINDS == 5, "each kind has a column");
	return sql_do(
		&ladder->sql, why,
		"INSERT INTO conduct VALUES (?, ?, ?, ?, ?, ?, ?)"
		" ON CONFLICT (pool, bot) DO UPDATE"
		" SET last = excluded.last,"
		" timeout = timeout + excluded.timeout,"
		" illegal = illegal + excluded.illegal,"
		" protocol = protocol + excluded.protocol,"
		" crash = crash + excluded.crash",
		"iiiiiii", pool, bot, serial, (int64_t)faults[FAULT_TIMEOUT],
		(int64_t)faults[FAULT_ILLEGAL], (int64_t)faults[FAULT_PROTOCOL],
		(int64_t)faults[FAULT_CRASH]);
}

static int
write_seat(struct ladder *ladder, const struct ladder_game *game, unsigned i,
	   int64_t pool, int64_t bot, bool voided, struct error *why)
{
	const struct ladder_seat *seat = &game->seat[i];
	int result;

	result = sql_do(&ladder->sql, why,
			"INSERT INTO seat VALUES"
			" (?, ?, ?, ?, ?, ?, ?, nullif(?, ''), ?, ?, ?, ?)",
			"iiiiiiisiiii", game->serial, (int64_t)i, bot,
			(int64_t)seat->place, (int64_t)seat->points,
			seat->before_milli, seat->delta_milli, seat->heir_of,
			(int64_t)seat->faults[FAULT_TIMEOUT],
			(int64_t)seat->faults[FAULT_ILLEGAL],
			(int64_t)seat->faults[FAULT_PROTOCOL],
			(int64_t)seat->faults[FAULT_CRASH]);
	if (result < 0 || voided)
		return result;
	result =
		sql_do(&ladder->sql, why,
		       "UPDATE rating SET milli = milli + ?,"
		       " games = games + 1, wins = wins + ?,"
		       " places = places + ?, halves = halves + ?"
		       " WHERE pool = ? AND bot = ?",
		       "iiiiii", seat->delta_milli, (int64_t)(seat->place == 1),
		       (int64_t)seat->place, halves_of(game, i), pool, bot);
	return result < 0 ? result
			  : write_conduct(ladder, game->serial, seat, pool, bot,
					  why);
}

static int
write_game(struct ladder *ladder, struct ladder_game *game, struct error *why)
{
	int64_t k, start, pool, bot[SEATS_MAX];
	int64_t before[SEATS_MAX], delta[SEATS_MAX] = { 0 };
	int place[SEATS_MAX], result;
	bool voided;

	if ((result = void_of(ladder, game->id, &voided, why)) < 0 ||
	    (result = ladder_settings(ladder, &k, &start, why)) < 0 ||
	    (result = pool_of(ladder, game, &pool, why)) < 0)
		return result;
	for (unsigned i = 0; i < game->seats; i++) {
		place[i] = game->seat[i].place;
		result = bot_of(ladder, game->seat[i].bot, &bot[i], why);
		if (result == 0)
			result =
				rating_of(ladder, pool, bot[i], &game->seat[i],
					  game, voided, start, &before[i], why);
		if (result < 0)
			return result;
	}
	if (!voided)
		elo_deltas(game->seats, before, place, k, delta);
	result = sql_do(&ladder->sql, why,
			"INSERT INTO game VALUES (?, ?, ?, ?, nullif(?, 0),"
			" ?)",
			"isisih", game->serial, game->id, pool, game->ended,
			game->folder, game->hash);
	if (result == 0 && game->block[0] != '\0')
		result = sql_do(&ladder->sql, why,
				"INSERT INTO block VALUES (?, ?)", "is",
				game->serial, game->block);
	if (result == 0)
		result = sql_do(&ladder->sql, why,
				"INSERT INTO course VALUES (?, ?, ?)", "iii",
				game->serial, game->moves, search_faults(game));
	for (unsigned i = 0; i < game->seats && result == 0; i++) {
		game->seat[i].before_milli = before[i];
		game->seat[i].delta_milli = delta[i];
		result = write_seat(ladder, game, i, pool, bot[i], voided, why);
	}
	return result;
}

/* Refuses a game that cannot be rated, wherever it comes from. */
static int
check_game(const struct ladder *ladder, const struct ladder_game *game,
	   struct error *why)
{
	unsigned i, seats = game->seats;

	if (game->id[0] == '\0' || game->game[0] == '\0' || game->serial < 1)
		return error_set(why, ERROR_INPUT,
				 "ladder %s: a game without id, name or "
				 "serial",
				 ladder->place.path);
	if (seats < 2 || seats > SEATS_MAX)
		return error_set(why, ERROR_INPUT,
				 "ladder %s: game %s has %u seats, expected 2 "
				 "to %d",
				 ladder->place.path, game->id, seats,
				 SEATS_MAX);
	for (i = 0; i < seats; i++)
		if (game->seat[i].bot[0] == '\0' || game->seat[i].place < 1 ||
		    game->seat[i].place > (int)seats)
			return error_set(why, ERROR_INPUT,
					 "ladder %s: game %s: seat %u needs a "
					 "bot and a place from 1 to %u",
					 ladder->place.path, game->id, i,
					 seats);
	if (game->serial <= ladder->last)
		return error_set(why, ERROR_INPUT,
				 "ladder %s: game %s has serial %" PRId64
				 ", but %" PRId64 " is rated already; take "
				 "away the record that does not belong here",
				 ladder->place.path, game->id, game->serial,
				 ladder->last);
	return 0;
}

void
rate_tell(const struct ladder_game *rated, struct ladder_game *game)
{
	for (unsigned i = 0; i < game->seats; i++) {
		game->seat[i].before_milli = rated->seat[i].before_milli;
		game->seat[i].delta_milli = rated->seat[i].delta_milli;
	}
}

int
store_rate(struct ladder *ladder, struct ladder_game *game, struct error *why)
{
	struct ladder_game rated;
	int result = ladder_game_find(ladder, game->id, &rated, why);

	if (result < 0)
		return -1;
	if (result == LADDER_FOUND) {
		rate_tell(&rated, game);
		return result;
	}
	if (check_game(ladder, game, why) < 0 ||
	    write_game(ladder, game, why) < 0)
		return -1;
	store_pass(ladder, game->serial);
	return 0;
}
