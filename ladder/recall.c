/* ladder/recall.c - what a ladder knows of entries that lie in no folder any more.
 *
 * Its file has all that a fold takes from them.  So a void needs no record of other
 * games; but who wants proof reads the folders alone (ladder_rebuild()). */
#include "ladder/store-inside.h"

#include <string.h>

/* ---- voids ------------------------------------------------------------ */

/* The games that no void before it names. */
static int
recall_games_of(struct ladder *ladder, struct ladder *before, int64_t number,
		struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&before->sql, "SELECT id FROM voided WHERE number = ?",
			 "i", number);
	char id[ID_BYTES + 1];
	int result;

	while ((result = sql_step(&before->sql, stmt, why)) > 0) {
		sql_text(stmt, 0, id, sizeof(id));
		result = sql_do(&ladder->sql, why,
				"INSERT OR REPLACE INTO voided VALUES (?, ?)",
				"si", id, number);
		if (result < 0) {
			sqlite3_reset(stmt);
			break;
		}
	}
	return result;
}

int
recall_voids(struct ladder *ladder, struct ladder *before, struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(
		&before->sql,
		"SELECT number, id, why FROM void ORDER BY number", "");
	char id[ID_BYTES + 1], reason[LADDER_VOID_BYTES + 1];
	int64_t number;
	int result;

	while ((result = sql_step(&before->sql, stmt, why)) > 0) {
		number = sqlite3_column_int64(stmt, 0);
		sql_text(stmt, 1, id, sizeof(id));
		sql_text(stmt, 2, reason, sizeof(reason));
		result =
			sql_row(&ladder->sql, why,
				"SELECT 1 FROM void WHERE id = ?", "s", id, "");
		if (result > 0)
			continue;
		if (result == 0)
			result = sql_do(&ladder->sql, why,
					"INSERT INTO void VALUES (?, ?, ?)",
					"iss", number, id, reason);
		if (result == 0)
			result = recall_games_of(ladder, before, number, why);
		if (result < 0) {
			sqlite3_reset(stmt);
			break;
		}
	}
	return result;
}

/* ---- games and settings ----------------------------------------------- */

/* What ladder_game_find() leaves out. */
static int
recall_rest(struct ladder *before, struct ladder_game *game, struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(
		&before->sql,
		"SELECT seat, heir_of, timeout, illegal, protocol, crash"
		" FROM seat WHERE serial = ?",
		"i", game->serial);
	struct ladder_seat *seat;
	int64_t number;
	int result, i;

	while ((result = sql_step(&before->sql, stmt, why)) > 0) {
		number = sqlite3_column_int64(stmt, 0);
		if (number < 0 || number >= SEATS_MAX)
			continue;
		seat = &game->seat[number];
		sql_text(stmt, 1, seat->heir_of, sizeof(seat->heir_of));
		for (i = FAULT_TIMEOUT; i < FAULT_KINDS; i++)
			seat->faults[i] =
				(unsigned)sqlite3_column_int64(stmt, 1 + i);
	}
	return result < 0 ? result
			  : sql_number(&before->sql, why, &game->moves,
				       "SELECT moves FROM course"
				       " WHERE serial = ?",
				       "i", game->serial);
}

static int
recall_game(struct ladder *ladder, struct ladder *before, const char *id,
	    struct error *why)
{
	struct ladder_game game;
	int result = ladder_game_find(before, id, &game, why);

	if (result > 0)
		result = recall_rest(before, &game, why);
	return result < 0 ? result : store_rate(ladder, &game, why);
}

static int
recall_setting(struct ladder *ladder, struct ladder *before, int64_t serial,
	       const char *id, struct error *why)
{
	int64_t k_milli, start_milli;

	if (sql_row(&before->sql, why,
		    "SELECT k_milli, start_milli FROM setting"
		    " WHERE from_serial = ?",
		    "i", serial, "ii", &k_milli, &start_milli) < 0 ||
	    setting_add(&ladder->sql, serial, id, k_milli, start_milli, why) <
		    0)
		return -1;
	store_pass(ladder, serial);
	return 0;
}

int
recall_entries(struct ladder *ladder, struct ladder *before, int64_t below,
	       struct error *why)
{
	char id[ID_BYTES + 1];
	int64_t serial, is_game;
	int result;

	while ((result = sql_row(
			&before->sql, why,
			"SELECT serial, id, 1 FROM game"
			" WHERE serial > ?1 AND serial < ?2"
			" UNION ALL SELECT from_serial, id, 0 FROM setting"
			" WHERE from_serial > ?1 AND from_serial < ?2"
			" ORDER BY 1 LIMIT 1",
			"ii", ladder->last, below, "isi", &serial, id,
			sizeof(id), &is_game)) > 0) {
		result = is_game ? recall_game(ladder, before, id, why)
				 : recall_setting(ladder, before, serial, id,
						  why);
		/* Its ID may be folded under a serial before. */
		if (result > 0)
			store_pass(ladder, serial);
		if (result < 0)
			break;
	}
	return result;
}
