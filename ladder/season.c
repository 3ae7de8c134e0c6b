/* ladder/season.c - ladders are made here: empty ones, and seasons, which know
 * with what rating each bot of another ladder enters. */
#include "ladder/store-inside.h"

#include <stdio.h>
#include <string.h>

#include "protocol/message.h"

struct founding {
	const struct ladder_founding *how;
	const struct ladder_pool *pool;
	int64_t start_milli;
	struct text text; /* as founding.c has it */
	int result;
	struct error *why;
};

/* Half of the way to the start rating, and no further than ratings go. */
static int64_t
halve(int64_t start_milli, int64_t milli)
{
	milli = start_milli + (milli - start_milli) / 2;
	if (milli < 0)
		return 0;
	return milli < LADDER_START_MILLI_MAX ? milli : LADDER_START_MILLI_MAX;
}

static void
add_entry(void *arg, const struct ladder_standing *standing)
{
	struct founding *founding = arg;

	founding_tell_entry(
		&founding->text, founding->pool, standing->bot,
		halve(founding->start_milli, standing->rating_milli));
}

static void
add_pool(void *arg, const struct ladder_pool *pool)
{
	struct founding *founding = arg;

	founding->pool = pool;
	if (founding->result == 0)
		founding->result =
			ladder_standings(founding->how->after, pool->number,
					 add_entry, founding, founding->why);
}

static int
add_season(struct founding *founding)
{
	const struct ladder_founding *how = founding->how;
	int result;

	founding_tell_season(&founding->text, how->season,
			     ladder_id(how->after));
	result = ladder_pools(how->after, add_pool, founding, founding->why);
	return result == 0 ? founding->result : result;
}

int
season_found(struct sql *sql, const struct ladder_founding *how,
	     struct error *why)
{
	struct founding founding = { .how = how, .why = why };
	int64_t k = LADDER_K_MILLI, start = LADDER_START_MILLI;
	struct ladder_anchors anchors = { .count = 0 };
	int result = 0;

	if (how->after != NULL)
		result = ladder_settings(how->after, &k, &start, why);
	if (result == 0 && how->after != NULL)
		result = ladder_anchors(how->after, &anchors, why);
	if (how->k_milli >= 0)
		k = how->k_milli;
	if (how->start_milli >= 0)
		start = how->start_milli;
	founding.start_milli = start;
	text_init(&founding.text, SIZE_MAX);
	founding_tell_setting(&founding.text, k, start);
	if (result == 0)
		result = anchors_add(sql, &anchors, why);
	if (result == 0 && how->after != NULL)
		result = add_season(&founding);
	if (result == 0)
		result = founding_take(sql, text_string(&founding.text), why);
	text_release(&founding.text);
	return result;
}

int
season_load(struct sql *sql, struct ladder_season *season, struct error *why)
{
	int result = sql_row(sql, why, "SELECT name, after FROM season", "",
			     "ss", season->name, sizeof(season->name),
			     season->after, sizeof(season->after));

	return result < 0 ? result : 0;
}

bool
ladder_season_ok(const char *name)
{
	return message_name_ok(name, strlen(name));
}

/* ---- reading ---------------------------------------------------------- */

int
ladder_entries(struct ladder *ladder,
	       void (*each)(void *arg, const struct ladder_entry *entry),
	       void *arg, struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&ladder->sql,
			 "SELECT game, options, seats, arrival, bot, milli"
			 " FROM entry"
			 " ORDER BY game, options, seats, arrival, bot",
			 "");
	struct ladder_entry entry = { 0 };
	int result;

	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		sql_text(stmt, 0, entry.pool.game, sizeof(entry.pool.game));
		sql_text(stmt, 1, entry.pool.options,
			 sizeof(entry.pool.options));
		entry.pool.seats = (unsigned)sqlite3_column_int64(stmt, 2);
		entry.pool.arrival = sqlite3_column_int64(stmt, 3) != 0;
		sql_text(stmt, 4, entry.bot, sizeof(entry.bot));
		entry.rating_milli = sqlite3_column_int64(stmt, 5);
		each(arg, &entry);
	}
	return result;
}

int
ladder_season_is_apart(struct ladder *ladder, const struct ladder_pool *pool,
		       struct error *why)
{
	return sql_row(&ladder->sql, why,
		       "SELECT 1 FROM entry WHERE NOT EXISTS"
		       " (SELECT 1 FROM entry WHERE game = ? AND options = ?"
		       " AND seats = ? AND arrival = ?) LIMIT 1",
		       "ssii", pool->game, pool->options, (int64_t)pool->seats,
		       (int64_t)pool->arrival, "");
}

/* Returns 1 if the bot enters with a rating. */
static int
find_entry(struct ladder *ladder, const struct ladder_game *game,
	   const char *bot, struct ladder_seat *seat, struct error *why)
{
	int result = sql_row(&ladder->sql, why,
			     "SELECT milli FROM entry WHERE game = ?"
			     " AND options = ? AND seats = ? AND arrival = ?"
			     " AND bot = ?",
			     "ssiis", game->game, game->options,
			     (int64_t)game->seats, (int64_t)game->arrival, bot,
			     "i", &seat->enter_milli);

	seat->enters = result > 0;
	return result;
}

/* Returns 1 if the bot has a rating here. */
static int
is_rated(struct ladder *ladder, const struct ladder_game *game, const char *bot,
	 struct error *why)
{
	return sql_row(&ladder->sql, why,
		       "SELECT 1 FROM rating JOIN pool USING (pool)"
		       " JOIN bot USING (bot) WHERE game = ?"
		       " AND options = ? AND seats = ? AND arrival = ?"
		       " AND name = ?",
		       "ssiis", game->game, game->options, (int64_t)game->seats,
		       (int64_t)game->arrival, bot, "");
}

int
ladder_enter(struct ladder *ladder, struct ladder_game *game, struct error *why)
{
	struct ladder_seat *seat;
	int result;

	if (ladder_season(ladder)->name[0] == '\0')
		return 0;
	for (seat = game->seat; seat < game->seat + game->seats; seat++) {
		result = find_entry(ladder, game, seat->bot, seat, why);
		/* As its heir it enters with that one's rating of this
		 * season, if there is one. */
		if (result == 0 && seat->heir_of[0] != '\0')
			result = is_rated(ladder, game, seat->heir_of, why);
		if (result == 0 && seat->heir_of[0] != '\0')
			result = find_entry(ladder, game, seat->heir_of, seat,
					    why);
		if (result < 0)
			return result;
	}
	return 0;
}
