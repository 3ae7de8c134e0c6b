/* ladder/fit-ladder.c - reads games from the tables into a fit, by the numbers
 * of bots: a million games have millions of seats, and each bot's name is read
 * only once. */
#include "ladder/fit-ladder.h"

#include <stdlib.h>
#include <string.h>

#include "ladder/search.h"
#include "ladder/store-inside.h"

struct reading {
	struct fit *fit;
	struct fit *blocks; /* numbers blocks: their IDs name its bots */
	struct ladder *ladder;
	int64_t *number;  /* in the fit + 1, by number in the ladder; or 0 */
	int64_t known;	  /* length of `number` */
	int64_t serial;	  /* serial of the game whose seats are being read */
	uint32_t cluster; /* its block, or FIT_ALONE */
	unsigned seats;
	unsigned bot[SEATS_MAX];
	int place[SEATS_MAX];
};

static int
name_bot(struct reading *reading, int64_t bot, struct error *why)
{
	char name[NAME_BYTES + 1];
	int result = ladder_bot_name(reading->ladder, bot, name, why);

	if (result == 0)
		reading->number[bot] = fit_bot(reading->fit, name) + (int64_t)1;
	return result;
}

/* Makes room for the bot with this number, and adds it to the fit. */
static int
know_bot(struct reading *reading, int64_t bot, struct error *why)
{
	int64_t known = reading->known;

	if (bot < 0 || bot > INT32_MAX)
		return sql_damaged(&reading->ladder->sql, why,
				   "a bot has the number %lld", (long long)bot);
	if (bot >= known) {
		reading->known = bot + bot / 2 + 64;
		reading->number =
			memory(reading->number,
			       (size_t)reading->known * sizeof(int64_t));
		memset(reading->number + known, 0,
		       (size_t)(reading->known - known) * sizeof(int64_t));
	}
	return reading->number[bot] > 0 ? 0 : name_bot(reading, bot, why);
}

static void
finish_game(struct reading *reading)
{
	if (reading->seats >= 2)
		fit_game(reading->fit, reading->seats, reading->bot,
			 reading->place, reading->cluster);
	reading->seats = 0;
}

/* The games of a block have one deal, so they are not independent.  Those of a
 * rotation set are, and each stays a cluster of its own. */
static uint32_t
block_of(const struct reading *reading, sqlite3_stmt *stmt)
{
	char id[ID_BYTES + 1];

	if (sqlite3_column_type(stmt, 3) == SQLITE_NULL)
		return FIT_ALONE;
	sql_text(stmt, 3, id, sizeof(id));
	return fit_bot(reading->blocks, id);
}

static int
read_seat(struct reading *reading, sqlite3_stmt *stmt, struct error *why)
{
	int64_t serial = sqlite3_column_int64(stmt, 0);
	int64_t bot = sqlite3_column_int64(stmt, 1);
	int place = sqlite3_column_int(stmt, 2), result;

	if (serial != reading->serial) {
		finish_game(reading);
		reading->cluster = block_of(reading, stmt);
	}
	reading->serial = serial;
	if (reading->seats == SEATS_MAX || place < 1 || place > SEATS_MAX)
		return sql_damaged(&reading->ladder->sql, why,
				   "the seats of game %lld", (long long)serial);
	if ((result = know_bot(reading, bot, why)) < 0)
		return result;
	reading->bot[reading->seats] = (unsigned)reading->number[bot] - 1;
	reading->place[reading->seats++] = place;
	return 0;
}

/* Ties the bots that entered with an earlier version's rating to that version. */
static int
tie_versions(struct reading *reading, int64_t pool, struct error *why)
{
	struct sql *sql = &reading->ladder->sql;
	sqlite3_stmt *stmt =
		sql_bind(sql,
			 "SELECT bot, of_bot FROM heir WHERE pool = ?"
			 " AND of_bot > 0 ORDER BY bot",
			 "i", pool);
	int64_t bot, of;
	int result;

	while ((result = sql_step(sql, stmt, why)) > 0) {
		bot = sqlite3_column_int64(stmt, 0);
		of = sqlite3_column_int64(stmt, 1);
		if (bot >= 0 && bot < reading->known && of >= 0 &&
		    of < reading->known && reading->number[bot] > 0 &&
		    reading->number[of] > 0)
			fit_tie(reading->fit,
				(unsigned)reading->number[bot] - 1,
				(unsigned)reading->number[of] - 1);
	}
	return result;
}

static void
leave_unranked(void *arg, const struct ladder_standing *standing)
{
	struct fit *fit = arg;
	unsigned bot;

	if (standing->rank == 0 && fit_find(fit, standing->bot, &bot))
		fit_unrank(fit, bot);
}

int
fit_add_pool(struct fit *fit, struct ladder *ladder, int64_t pool,
	     const char *since, struct error *why)
{
	struct reading reading = { .fit = fit,
				   .blocks = fit_new(),
				   .ladder = ladder };
	sqlite3_stmt *stmt =
		sql_bind(&ladder->sql,
			 "SELECT s.serial, s.bot, s.place, b.id FROM game g"
			 " JOIN seat s USING (serial)"
			 " LEFT JOIN block b USING (serial)"
			 " WHERE g.pool = ?1 AND g.ended >= ?2"
			 " AND g.id NOT IN (SELECT id FROM voided)"
			 " ORDER BY s.serial, s.seat",
			 "is", pool, since ? since : "");
	int result;

	while ((result = sql_step(&ladder->sql, stmt, why)) > 0)
		if ((result = read_seat(&reading, stmt, why)) < 0) {
			sqlite3_reset(stmt);
			break;
		}
	if (result == 0) {
		finish_game(&reading);
		result = tie_versions(&reading, pool, why);
	}
	fit_free(reading.blocks);
	free(reading.number);
	if (result == 0)
		result = ladder_standings(ladder, pool, leave_unranked, fit,
					  why);
	return result;
}

int
ladder_knows_bot(struct ladder *ladder, const char *bot, struct error *why)
{
	int64_t number;

	return search_bot(ladder, bot, &number, why) < 0 ? -1 : number > 0;
}
