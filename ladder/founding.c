/* ladder/founding.c - what a ladder began with, as text: no record tells it. */
#include "ladder/store-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 7 /* of a line at most */

/* ---- to text ---------------------------------------------------------- */

void
founding_tell_setting(struct text *to, int64_t k_milli, int64_t start_milli)
{
	text_fmt(to, "setting\t%" PRId64 "\t%" PRId64 "\n", k_milli,
		 start_milli);
}

void
founding_tell_season(struct text *to, const char *name, const char *after)
{
	text_fmt(to, "season\t%s\t%s\n", name, after);
}

void
founding_tell_entry(struct text *to, const struct ladder_pool *pool,
		    const char *bot, int64_t milli)
{
	text_fmt(to, "entry\t%s\t%u\t%d\t%s\t%" PRId64 "\t%s\n", pool->game,
		 pool->seats, pool->arrival, bot, milli, pool->options);
}

static void
tell_entry(void *arg, const struct ladder_entry *entry)
{
	founding_tell_entry(arg, &entry->pool, entry->bot, entry->rating_milli);
}

int
ladder_founding_tell(struct ladder *ladder, struct text *to, struct error *why)
{
	const struct ladder_season *season = ladder_season(ladder);
	int64_t k_milli, start_milli;
	int result = sql_row(&ladder->sql, why,
			     "SELECT k_milli, start_milli FROM setting WHERE "
			     "from_serial = 1",
			     "", "ii", &k_milli, &start_milli);

	if (result < 0)
		return result;
	text_fmt(to, "ladder\t%s\ncreated\t%s\n", ladder_id(ladder),
		 ladder_created(ladder));
	if (result > 0)
		founding_tell_setting(to, k_milli, start_milli);
	if (season->name[0] == '\0')
		return 0;
	founding_tell_season(to, season->name, season->after);
	return ladder_entries(ladder, tell_entry, to, why);
}

/* ---- and back --------------------------------------------------------- */

bool
ladder_is_empty(const char *path)
{
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;
	bool empty;

	empty = sql_open(path, SQLITE_OPEN_READWRITE, &db) == SQLITE_OK &&
		sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_master", -1, &stmt,
				   NULL) == SQLITE_OK &&
		sqlite3_step(stmt) == SQLITE_DONE;
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return empty;
}

static int
take_ladder(struct sql *sql, char *const field[], struct error *why)
{
	return sql_do(sql, why, "UPDATE meta SET id = ?", "s", field[1]);
}

static int
take_created(struct sql *sql, char *const field[], struct error *why)
{
	return sql_do(sql, why, "UPDATE meta SET created = ?", "s", field[1]);
}

static int
take_setting(struct sql *sql, char *const field[], struct error *why)
{
	return sql_do(sql, why,
		      "INSERT OR REPLACE INTO setting VALUES (1, ?, ?)", "ii",
		      (int64_t)strtoll(field[1], NULL, 10),
		      (int64_t)strtoll(field[2], NULL, 10));
}

static int
take_season(struct sql *sql, char *const field[], struct error *why)
{
	return sql_do(sql, why, "INSERT INTO season VALUES (1, ?, ?)", "ss",
		      field[1], field[2]);
}

static int
take_entry(struct sql *sql, char *const field[], struct error *why)
{
	return sql_do(sql, why, "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)",
		      "ssiisi", field[1], field[6],
		      (int64_t)strtoll(field[2], NULL, 10),
		      (int64_t)strtoll(field[3], NULL, 10), field[4],
		      (int64_t)strtoll(field[5], NULL, 10));
}

static const struct {
	const char *word;
	unsigned fields; /* with the word */
	int (*take)(struct sql *sql, char *const field[], struct error *why);
} kinds[] = {
	{ "ladder", 2, take_ladder },	{ "created", 2, take_created },
	{ "setting", 3, take_setting }, { "season", 3, take_season },
	{ "entry", 7, take_entry },
};

static int
take_line(struct sql *sql, char *line, struct error *why)
{
	char *field[FIELDS] = { NULL }, *at = line;
	unsigned fields = 0;
	size_t i;

	while (fields < FIELDS && at != NULL)
		field[fields++] = strsep(&at, "\t");
	for (i = 0; i < NELEM(kinds); i++)
		if (fields == kinds[i].fields && at == NULL &&
		    strcmp(field[0], kinds[i].word) == 0)
			return kinds[i].take(sql, field, why);
	return error_set(why, ERROR_INPUT,
			 "ladder %s cannot begin with what a newer referee "
			 "has written of it (%.40s)",
			 sql->path, line);
}

int
founding_take(struct sql *sql, const char *text, struct error *why)
{
	char *copy = copied(text), *at = copy, *line;
	int result = 0;

	while (result == 0 && (line = strsep(&at, "\n")) != NULL)
		if (*line != '\0')
			result = take_line(sql, line, why);
	free(copy);
	return result == 0 ? sql_execute(sql, "COMMIT", why) : result;
}
