/* ladder/roster-deed.c - counts what owners do on a day, and writes down who
 * changed what. */
#include <stdio.h>

#include "ladder/roster-inside.h"
#include "protocol/clock.h"

/* ---- on a day --------------------------------------------------------- */

int
roster_count(struct roster *roster, enum roster_kind kind, const char *who,
	     int64_t day, int64_t *count, struct error *why)
{
	return sql_number(&roster->sql, why, count,
			  "SELECT ifnull((SELECT count FROM tally WHERE"
			  " kind = ? AND who = ? AND day = ?), 0)",
			  "isi", (int64_t)kind, who, day);
}

int
roster_add_count(struct roster *roster, enum roster_kind kind, const char *who,
		 int64_t day, int64_t more, struct error *why)
{
	int result = roster_begin(roster, why);

	if (result < 0)
		return result;
	result = sql_do(&roster->sql, why, "DELETE FROM tally WHERE day < ?",
			"i", day);
	if (result == 0)
		result = sql_do(&roster->sql, why,
				"INSERT INTO tally VALUES (?1, ?2, ?3, ?4)"
				" ON CONFLICT DO UPDATE SET count = count + ?4",
				"isii", (int64_t)kind, who, day, more);
	return roster_finish(roster, result, why);
}

/* ---- deeds ------------------------------------------------------------ */

void
roster_by(struct roster *roster, const char *who)
{
	snprintf(roster->by, sizeof(roster->by), "%s", who);
}

int
roster_write_deed(struct roster *roster, const char *what, const char *name,
		  const char *note, struct error *why)
{
	int result =
		sql_do(&roster->sql, why,
		       "INSERT INTO deed (at, who, what, name, note)"
		       " VALUES (?, ?, ?, ?, ?)",
		       "issss", clock_seconds(), roster->by, what, name, note);

	if (result < 0)
		return result;
	return sql_do(&roster->sql, why, "DELETE FROM deed WHERE number <= ?",
		      "i",
		      (int64_t)sqlite3_last_insert_rowid(roster->sql.db) -
			      ROSTER_DEEDS);
}

int
roster_finish_deed(struct roster *roster, int result, const char *what,
		   const char *name, const char *note, struct error *why)
{
	if (result == 0)
		result = roster_write_deed(roster, what, name, note, why);
	return roster_finish(roster, result, why);
}

int
roster_deeds(struct roster *roster, int64_t most,
	     void (*each)(void *arg, const struct roster_deed *deed), void *arg,
	     struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&roster->sql,
			 "SELECT number, at, who, what, name, note FROM deed"
			 " ORDER BY number DESC LIMIT ?",
			 "i", most);
	struct roster_deed deed;
	int result;

	while ((result = sql_step(&roster->sql, stmt, why)) > 0) {
		deed.number = sqlite3_column_int64(stmt, 0);
		deed.at = sqlite3_column_int64(stmt, 1);
		sql_text(stmt, 2, deed.who, sizeof(deed.who));
		sql_text(stmt, 3, deed.what, sizeof(deed.what));
		sql_text(stmt, 4, deed.name, sizeof(deed.name));
		sql_text(stmt, 5, deed.note, sizeof(deed.note));
		each(arg, &deed);
	}
	return result;
}
