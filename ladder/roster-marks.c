/* ladder/roster-marks.c - reads which bots of a data folder no longer play, and which
 * versions a bot has. */
#include "ladder/roster-inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lists the bots by name.  A bot's name in ladders is its first name, or the
 * names of its entries. */
static const char marked[] =
	"SELECT name.name, state, 0, 0 FROM bot JOIN name USING (bot)"
	" WHERE state > 0 AND number = 1"
	" UNION SELECT stands_as, state, 0, 0 FROM entry JOIN bot USING (bot)"
	" WHERE state > 0"
	" UNION SELECT stands_as, 0, entry.bot, turn"
	" FROM entry JOIN bot USING (bot) WHERE state = 0"
	" AND EXISTS (SELECT 1 FROM entry AS other"
	" WHERE other.bot = entry.bot AND other.number > 1)"
	" ORDER BY 1";

struct roster_mark {
	char bot[NAME_BYTES + 1];
	struct ladder_known known;
};

struct roster_marks {
	struct roster_mark *mark; /* owned; by name */
	size_t count;
};

static enum ladder_mark
read_mark(int state)
{
	switch (state) {
	case ROSTER_ENABLED:
		return LADDER_PLAYS;
	case ROSTER_WITHDRAWN:
		return LADDER_WITHDRAWN;
	case ROSTER_DELETED:
		return LADDER_REMOVED;
	default:
		return LADDER_DISABLED;
	}
}

static void
add(struct roster_marks *marks, sqlite3_stmt *stmt)
{
	struct roster_mark *mark = ADDED(marks->mark, marks->count);

	sql_text(stmt, 0, mark->bot, sizeof(mark->bot));
	mark->known = (struct ladder_known){
		.mark = read_mark(sqlite3_column_int(stmt, 1)),
		.of = sqlite3_column_int64(stmt, 2),
		.turn = sqlite3_column_int64(stmt, 3),
	};
}

static int
read_all(struct sql *sql, struct roster_marks *marks, struct error *why)
{
	struct error ignored;
	sqlite3_stmt *stmt;
	int64_t version;
	int result;

	if (sql_number(sql, &ignored, &version, "PRAGMA user_version", "") <
		    0 ||
	    version != ROSTER_VERSION)
		return 0; /* it lacks the tables that are read here */
	if (sql_check_schema(sql, roster_schema, why) < 0)
		return -1;
	stmt = sql_bind(sql, marked, "");
	while ((result = sql_step(sql, stmt, why)) > 0)
		add(marks, stmt);
	return result;
}

int
roster_marks_read(const char *dir, struct roster_marks **marks,
		  struct error *why)
{
	char path[LADDER_PATH_BYTES + sizeof(ROSTER_DB)];
	struct sql sql = { .what = "roster", .path = path };
	int answer, result;

	*marks = zeroed(1, sizeof(**marks));
	snprintf(path, sizeof(path), "%s/%s", dir, ROSTER_DB);
	if (access(path, F_OK) < 0)
		return 0;
	answer = sql_open(path, SQLITE_OPEN_READONLY, &sql.db);
	result = answer == SQLITE_OK ? read_all(&sql, *marks, why)
				     : sql_trouble(&sql, answer, why);
	sql_close(&sql);
	return result;
}

void
roster_marks_free(struct roster_marks *marks)
{
	if (marks == NULL)
		return;
	free(marks->mark);
	free(marks);
}

static int
compare(const void *name, const void *mark)
{
	return strcmp(name, ((const struct roster_mark *)mark)->bot);
}

static struct ladder_known
find(const struct roster_marks *marks, const char *bot)
{
	const struct roster_mark *mark =
		marks->count == 0 ? NULL
				  : bsearch(bot, marks->mark, marks->count,
					    sizeof(*mark), compare);

	return mark == NULL ? (struct ladder_known){ .of = 0 } : mark->known;
}

struct ladder_known
roster_mark_of(void *marks, const char *bot)
{
	return find(marks, bot);
}

const char *
roster_plays(const struct roster_marks *marks, const char *bot)
{
	struct ladder_known known = { .of = 0 };
	const struct roster_mark *mark;

	if (marks == NULL)
		return bot;
	known = find(marks, bot);
	for (mark = marks->mark; mark < marks->mark + marks->count; mark++)
		if (known.of != 0 && mark->known.of == known.of &&
		    mark->known.turn > known.turn) {
			known = mark->known;
			bot = mark->bot;
		}
	return bot;
}
