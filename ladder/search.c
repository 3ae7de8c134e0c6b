/* ladder/search.c - see search.h. */
#include "ladder/search.h"

#include "ladder/store-inside.h"

int
ladder_rows(struct ladder *ladder, int64_t pool, int64_t after,
	    void (*each)(void *arg, const struct ladder_row *row), void *arg,
	    struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(&ladder->sql,
				      "SELECT g.serial, s.bot, s.place,"
				      " s.before_milli + s.delta_milli, g.ended"
				      " FROM game g JOIN seat s USING (serial)"
				      " WHERE g.pool = ?1 AND g.serial > ?2"
				      " AND g.id NOT IN (SELECT id FROM voided)"
				      " ORDER BY s.serial, s.seat",
				      "ii", pool, after);
	struct ladder_row row;
	int result;

	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		row.serial = sqlite3_column_int64(stmt, 0);
		row.bot = sqlite3_column_int64(stmt, 1);
		row.place = sqlite3_column_int(stmt, 2);
		row.rating_milli = sqlite3_column_int64(stmt, 3);
		sql_text(stmt, 4, row.ended, sizeof(row.ended));
		each(arg, &row);
	}
	return result;
}

int
ladder_bot_name(struct ladder *ladder, int64_t bot, char name[NAME_BYTES + 1],
		struct error *why)
{
	int result =
		sql_row(&ladder->sql, why, "SELECT name FROM bot WHERE bot = ?",
			"i", bot, "s", name, (size_t)NAME_BYTES + 1);

	if (result == 0)
		return sql_damaged(&ladder->sql, why, "there is no bot %lld",
				   (long long)bot);
	return result < 0 ? -1 : 0;
}

int
ladder_pool_seats(struct ladder *ladder, int64_t pool, int64_t *seats,
		  struct error *why)
{
	return sql_number(&ladder->sql, why, seats,
			  "SELECT sum(games) FROM rating WHERE pool = ?", "i",
			  pool);
}

/* ---- looking for games ------------------------------------------------ */

#define COURSE_BITS 4 /* bits of a seat: one for each fault but FAULT_NONE */
_Static_assert(FAULT_KINDS - 1 <= COURSE_BITS && COURSE_BITS * SEATS_MAX <= 32,
	       "the faults of all seats are one number");

int64_t
search_faults(const struct ladder_game *game)
{
	int64_t faults = 0;

	for (unsigned seat = 0; seat < game->seats; seat++)
		for (unsigned kind = FAULT_TIMEOUT; kind < FAULT_KINDS; kind++)
			if (game->seat[seat].faults[kind] > 0)
				faults |= INT64_C(1)
					  << (seat * COURSE_BITS + kind - 1);
	return faults;
}

static struct ladder_course
course_of(sqlite3_stmt *stmt, int column)
{
	const int64_t faults = sqlite3_column_int64(stmt, column + 1);
	struct ladder_course course = { sqlite3_column_int64(stmt, column),
					{ { false } } };

	for (unsigned seat = 0; seat < SEATS_MAX; seat++)
		for (unsigned kind = FAULT_TIMEOUT; kind < FAULT_KINDS; kind++)
			course.fault[seat][kind] =
				faults >> (seat * COURSE_BITS + kind - 1) & 1;
	return course;
}

/* Returns the bits of a seat to search for; 0: any. */
static int64_t
fault_bits(enum fault fault)
{
	if (fault == FAULT_NONE)
		return 0;
	return fault == FAULT_KINDS ? (1 << COURSE_BITS) - 1 : 1 << (fault - 1);
}

/* Returns these bits for every seat. */
static int64_t
all_bits(int64_t bits)
{
	int64_t all = 0;

	for (unsigned seat = 0; seat < SEATS_MAX; seat++)
		all |= bits << (seat * COURSE_BITS);
	return all;
}

int
search_bot(struct ladder *ladder, const char *name, int64_t *bot,
	   struct error *why)
{
	return sql_number(&ladder->sql, why, bot,
			  "SELECT bot FROM bot WHERE name = ?", "s", name);
}

int
search_bot_known(struct ladder *ladder, const char *name, int64_t *bot,
		 struct error *why)
{
	int result = search_bot(ladder, name, bot, why);

	if (result == 0 && *bot == 0)
		return error_set(why, ERROR_INPUT, "ladder %s has no bot %.*s",
				 ladder->place.path, NAME_BYTES, name);
	return result;
}

/* ladder_search() binds the parameters, in the order of its list. */
#define SEARCH                                                                 \
	GAMES_COLUMNS ", c.moves, c.faults" GAMES_FROM                         \
		      "JOIN course c USING (serial) WHERE "
#define SEARCH_WHERE                                                           \
	" AND g.ended >= ?2 AND g.ended < ?3"                                  \
	" AND max(c.moves, 0) BETWEEN ?4 AND ?5"                               \
	" AND (?8 = 0 OR g.pool = ?8)"
#define SEARCH_ORDER " ORDER BY g.serial DESC LIMIT ?6"

static const char search_all[] =
	SEARCH "g.serial < ?1" SEARCH_WHERE
	       " AND (?7 = 0 OR c.faults & ?7)" SEARCH_ORDER;

/* This searches for a fault of the bot's own, and for another bot at the table. */
static const char search_of_bot[] =
	SEARCH "g.serial IN"
	       " (SELECT serial FROM seat s WHERE s.bot = ?9 AND s.serial < ?1"
	       " AND (?10 = 0 OR s.place = ?10)"
	       " AND (?7 = 0 OR (SELECT faults FROM course"
	       " WHERE serial = s.serial) >> (s.seat * 4) & ?7)"
	       " AND (?11 = 0 OR EXISTS (SELECT 1 FROM seat o"
	       " WHERE o.serial = s.serial AND o.bot = ?11)))" SEARCH_WHERE
		       SEARCH_ORDER;

int
ladder_search(struct ladder *ladder, const struct ladder_wanted *wanted,
	      void (*each)(void *arg, const struct ladder_game *game,
			   const struct ladder_course *course),
	      void *arg, struct error *why)
{
	const int64_t bits = fault_bits(wanted->fault);
	int64_t bot = 0, other = 0;
	struct ladder_course course;
	struct ladder_game game;
	sqlite3_stmt *stmt;
	int result = 0;

	if (wanted->bot != NULL)
		result = search_bot_known(ladder, wanted->bot, &bot, why);
	if (result == 0 && wanted->other != NULL)
		result = search_bot_known(ladder, wanted->other, &other, why);
	if (result < 0)
		return result;
	stmt = sql_bind(&ladder->sql, bot ? search_of_bot : search_all,
			bot ? "issiiiiiiii" : "issiiiii",
			wanted->before ? wanted->before : INT64_MAX,
			wanted->since ? wanted->since : "",
			wanted->until ? wanted->until : "~", wanted->moves_min,
			wanted->moves_max ? wanted->moves_max : INT64_MAX,
			(int64_t)wanted->count, bot ? bits : all_bits(bits),
			wanted->pool, bot, (int64_t)wanted->place, other);
	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		if ((result = read_game(ladder, stmt, &game, why)) < 0) {
			sqlite3_reset(stmt);
			break;
		}
		course = course_of(stmt, GAME_COLUMNS);
		each(arg, &game, &course);
	}
	return result;
}
