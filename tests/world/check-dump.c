/* tests/world/check-dump.c - a ladder's file as lines that can be compared.
 *
 * Numbers that only this file has for pools, bots and folders become names. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "tests/world/check-inside.h"

#define TOLD_MOST 20 /* differences of one ladder that are told */

#define POOL                                                                   \
	"(SELECT game || ' ' || options || ' ' || seats || ' ' || arrival"     \
	" FROM pool WHERE pool.pool = x.pool)"
#define BOT "(SELECT name FROM bot WHERE bot.bot = x.bot)"

/* Each gives a key and, separated by spaces, what belongs to it.  Moves of pruned
 * records are not known, so a ladder may lack them. */
static const char *const queries[] = {
	"SELECT 'the ladder', id || ' ' || created || ' last ' || last FROM "
	"meta",
	"SELECT 'founding', text FROM founding",
	"SELECT 'setting ' || from_serial, id || ' ' || k_milli || ' ' ||"
	" start_milli FROM setting",
	"SELECT 'rating of ' || " BOT " || ' in ' || " POOL ","
	" milli || ' milli, ' || games || ' games, ' || wins || ' wins, places "
	"'"
	" || places || ', halves ' || halves || ', entered ' || entered"
	" FROM rating x",
	"SELECT 'game ' || serial, id || ' ' || " POOL " || ' ' || ended ||"
	" ' ' || lower(hex(hash)) FROM game x",
	"SELECT 'seat ' || seat || ' of game ' || serial, " BOT
	" || ' place ' || place || ' points ' || points || ' before ' ||"
	" before_milli || ' delta ' || delta_milli || ' heir of ' ||"
	" ifnull(heir_of, '') || ' faults ' || timeout || ' ' || illegal ||"
	" ' ' || protocol || ' ' || crash FROM seat x",
	"SELECT 'heir ' || " BOT " || ' in ' || " POOL
	", (of_bot > 0) || ' ' ||"
	" (SELECT name FROM bot WHERE bot.bot = abs(of_bot)) FROM heir x",
	"SELECT 'void ' || number, id || ' ' || why FROM void",
	"SELECT 'voided ' || id, number FROM voided",
	"SELECT 'conduct of ' || " BOT " || ' in ' || " POOL ", last || ' ' ||"
	" ifnull(timeout, '-') || ' ' || ifnull(illegal, '-') || ' ' ||"
	" ifnull(protocol, '-') || ' ' || ifnull(crash, '-') FROM conduct x",
	"SELECT 'season', name || ' ' || after FROM season",
	"SELECT 'entry of ' || bot || ' in ' || game || ' ' || options || ' ' "
	"||"
	" seats || ' ' || arrival, milli FROM entry",
	"SELECT 'block of game ' || serial, id FROM block",
	"SELECT 'faults of game ' || serial, faults FROM course",
	"SELECT 'moves of game ' || serial, moves FROM course WHERE moves >= 0",
};

static void
add(struct dump *dump, const unsigned char *key, const unsigned char *values)
{
	if (dump->count == dump->room) {
		dump->room = dump->room == 0 ? 256 : 2 * dump->room;
		dump->line =
			memory(dump->line, dump->room * sizeof(*dump->line));
	}
	dump->line[dump->count++] =
		formatted("%s\t%s", key == NULL ? "?" : (const char *)key,
			  values == NULL ? "?" : (const char *)values);
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int
run(sqlite3 *db, const char *query, struct dump *dump)
{
	sqlite3_stmt *stmt;
	int answer = sqlite3_prepare_v2(db, query, -1, &stmt, NULL);

	if (answer != SQLITE_OK)
		return answer;
	while ((answer = sqlite3_step(stmt)) == SQLITE_ROW)
		add(dump, sqlite3_column_text(stmt, 0),
		    sqlite3_column_text(stmt, 1));
	sqlite3_finalize(stmt);
	return answer == SQLITE_DONE ? SQLITE_OK : answer;
}

/* Returns an answer of SQLite; SQLITE_CORRUPT if the file is not sound. */
static int
check_sound(sqlite3 *db)
{
	struct dump said = { .count = 0 };
	int answer = run(db,
			 "SELECT integrity_check, '' FROM"
			 " pragma_integrity_check",
			 &said);

	if (answer == SQLITE_OK &&
	    (said.count != 1 || strcmp(said.line[0], "ok\t") != 0))
		answer = SQLITE_CORRUPT;
	dump_release(&said);
	return answer;
}

/* Opens a file that is sound.  Returns NULL and an error. */
static sqlite3 *
open_sound(const char *file, struct error *why)
{
	sqlite3 *db;
	int answer = sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE, NULL);

	if (answer == SQLITE_OK)
		answer = check_sound(db);
	if (answer == SQLITE_OK)
		return db;
	error_set(why, ERROR_INPUT, "SQLite says of its file: %s",
		  sqlite3_errstr(answer));
	sqlite3_close(db);
	return NULL;
}

int
dump_sound(const char *file, struct error *why)
{
	sqlite3 *db = open_sound(file, why);

	sqlite3_close(db);
	return db != NULL ? 0 : -1;
}

int
dump_ladder(const char *file, struct dump *dump, struct error *why)
{
	sqlite3 *db = open_sound(file, why);
	int answer = SQLITE_OK;

	*dump = (struct dump){ .count = 0 };
	if (db == NULL)
		return -1;
	for (size_t i = 0; i < NELEM(queries) && answer == SQLITE_OK; i++)
		answer = run(db, queries[i], dump);
	if (answer != SQLITE_OK)
		error_set(why, ERROR_INPUT, "SQLite says of its file: %s",
			  sqlite3_errmsg(db));
	sqlite3_close(db);
	if (dump->count > 0)
		qsort(dump->line, dump->count, sizeof(*dump->line), by_text);
	return answer == SQLITE_OK ? 0 : -1;
}

void
dump_release(struct dump *dump)
{
	for (size_t i = 0; i < dump->count; i++)
		free(dump->line[i]);
	free(dump->line);
	*dump = (struct dump){ .count = 0 };
}

/* ---- comparing ---------------------------------------------------------- */

/* Compares the keys; a dump that is at its end comes last. */
static int
compare_keys(const struct dump *a, size_t i, const struct dump *b, size_t j)
{
	size_t n, m;
	int order;

	if (i == a->count || j == b->count)
		return (i == a->count) - (j == b->count);
	n = strcspn(a->line[i], "\t");
	m = strcspn(b->line[j], "\t");
	order = memcmp(a->line[i], b->line[j], n < m ? n : m);
	return order != 0 ? order : (n > m) - (n < m);
}

static bool
may_lack(const char *line)
{
	return strncmp(line, "moves ", 6) == 0;
}

void
dump_compare(struct check *check, const char *ladder, const char *one,
	     const struct dump *first, const char *other,
	     const struct dump *second)
{
	size_t i = 0, j = 0;
	unsigned told = 0;

	while ((i < first->count || j < second->count) && told < TOLD_MOST) {
		const char *x = i < first->count ? first->line[i] : "";
		const char *y = j < second->count ? second->line[j] : "";
		const int order = compare_keys(first, i, second, j);

		i += order <= 0;
		j += order >= 0;
		if (order == 0 && strcmp(x, y) == 0)
			continue;
		if (order != 0 && may_lack(order < 0 ? x : y))
			continue;
		told++;
		if (order == 0)
			check_wrong(check,
				    "ladder %s, %.*s: expected `%s` by %s, "
				    "found `%s` by %s",
				    ladder, (int)strcspn(x, "\t"), x,
				    strchr(y, '\t') + 1, other,
				    strchr(x, '\t') + 1, one);
		else
			check_wrong(check,
				    "ladder %s, %.*s: found `%s` by %s, and "
				    "nothing by %s",
				    ladder,
				    (int)strcspn(order < 0 ? x : y, "\t"),
				    order < 0 ? x : y,
				    strchr(order < 0 ? x : y, '\t') + 1,
				    order < 0 ? one : other,
				    order < 0 ? other : one);
	}
}
