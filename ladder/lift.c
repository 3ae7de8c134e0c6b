/* ladder/lift.c - make a ladder's tables, and lift those of older files. */
#include "ladder/store-inside.h"

#include <sodium.h>
#include <stdio.h>
#include <time.h>

#include "protocol/date.h"

/* From 1 to 2: a ladder moves together with the folders below its own. */
static const char shorten_folders[] =
	"UPDATE folder SET path = CASE path WHEN ?1 THEN '.'"
	" ELSE substr(path, length(?1) + 2) END"
	" WHERE path = ?1 OR substr(path, 1, length(?1) + 1) = ?1 || '/'";

/* From 2 to 3: bots that have entered with the rating of an earlier version of
 * theirs; or, with of_bot less than 0, whose voided games name that one. */
#define HEIRS                                                                  \
	"TABLE heir (pool INTEGER NOT NULL, bot INTEGER NOT NULL,"             \
	" of_bot INTEGER NOT NULL," /* the earlier version */                  \
	" PRIMARY KEY (pool, bot)) WITHOUT ROWID"

/* From 3 to 4: games that must not count, by their IDs; and the files that say
 * so. */
#define VOIDS "TABLE void (number INTEGER PRIMARY KEY, why TEXT NOT NULL);"
#define VOIDED                                                                 \
	"TABLE voided (id TEXT PRIMARY KEY, number INTEGER NOT NULL)"          \
	" WITHOUT ROWID"

static const char add_voids[] = "CREATE " VOIDS "CREATE " VOIDED;
const char lift_voids_temporary[] = "CREATE TEMP " VOIDS "CREATE TEMP " VOIDED;

/* From 4 to 5: what bots were charged with in a pool, NULL where that was not
 * counted, and their last games there; and how long they are ranked. */
#define CONDUCT                                                                \
	"TABLE conduct (pool INTEGER NOT NULL, bot INTEGER NOT NULL,"          \
	" last INTEGER NOT NULL," /* serial */                                 \
	" timeout INTEGER, illegal INTEGER, protocol INTEGER, crash INTEGER,"  \
	" PRIMARY KEY (pool, bot)) WITHOUT ROWID;"
#define RANKING                                                                \
	"TABLE ranking (only INTEGER PRIMARY KEY CHECK (only = 1),"            \
	" days INTEGER NOT NULL)"

static const char add_conduct[] =
	"CREATE " CONDUCT "CREATE " RANKING ";"
	"INSERT INTO conduct SELECT g.pool, s.bot, max(g.serial),"
	" NULL, NULL, NULL, NULL FROM game g JOIN seat s USING (serial)"
	" JOIN rating r ON r.pool = g.pool AND r.bot = s.bot"
	" WHERE g.id NOT IN (SELECT id FROM voided) GROUP BY g.pool, s.bot";
const char lift_conduct_temporary[] =
	"CREATE TEMP " CONDUCT "CREATE TEMP " RANKING;

/* From 5 to 6: the season that it is, and the ratings that bots enter it with. */
#define SEASON                                                                 \
	"TABLE season (only INTEGER PRIMARY KEY CHECK (only = 1),"             \
	" name TEXT NOT NULL,"                                                 \
	" after TEXT NOT NULL);" /* the ID of the ladder before it */
#define ENTRY                                                                  \
	"TABLE entry (game TEXT NOT NULL, options TEXT NOT NULL,"              \
	" seats INTEGER NOT NULL, arrival INTEGER NOT NULL,"                   \
	" bot TEXT NOT NULL, milli INTEGER NOT NULL,"                          \
	" PRIMARY KEY (game, options, seats, arrival, bot)) WITHOUT ROWID"

static const char add_season[] = "CREATE " SEASON "CREATE " ENTRY;
const char lift_season_temporary[] = "CREATE TEMP " SEASON "CREATE TEMP " ENTRY;

/* From 6 to 7: which games have one deal. */
#define BLOCKS "TABLE block (serial INTEGER PRIMARY KEY, id TEXT NOT NULL)"

static const char add_blocks[] = "CREATE " BLOCKS;
const char lift_blocks_temporary[] = "CREATE TEMP " BLOCKS;

/* From 7 to 8: how many moves a game had, and which seats were charged with what
 * (search.c).  Older games have no row until the ladder is rebuilt. */
#define COURSES                                                                \
	"TABLE course (serial INTEGER PRIMARY KEY, moves INTEGER NOT NULL,"    \
	" faults INTEGER NOT NULL)"

static const char add_courses[] = "CREATE " COURSES;
const char lift_courses_temporary[] = "CREATE TEMP " COURSES;

static const char add_heirs[] = "CREATE " HEIRS;
const char lift_heirs_temporary[] = "CREATE TEMP " HEIRS;

/* lifts[v] lifts a file from version v to v + 1.  `?1`, where it occurs, is the
 * folder of the ladder's file. */
static const char *const lifts[LADDER_VERSION] = {
	ladder_schema, shorten_folders, add_heirs,  add_voids,
	add_conduct,   add_season,	add_blocks, add_courses
};

/* The one row of meta, the settings of a new ladder. */
static int
found_ladder(struct ladder *ladder, struct error *why)
{
	unsigned char bytes[ID_BYTES / 2];
	char id[ID_BYTES + 1], sql[512], date[LADDER_DATE_BYTES];

	if (sodium_init() < 0)
		bug("libsodium does not start");
	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(id, sizeof(id), bytes, sizeof(bytes));
	date_write((int64_t)time(NULL), date);
	snprintf(sql, sizeof(sql),
		 "INSERT INTO meta VALUES (1, '%s', '%s');"
		 "INSERT INTO setting VALUES (1, %d, %d);"
		 "PRAGMA application_id = %d",
		 id, date, LADDER_K_MILLI, LADDER_START_MILLI,
		 LADDER_APPLICATION_ID);
	return sql_execute(&ladder->sql, sql, why);
}

/* All statements of a lift. */
static int
lift(struct ladder *ladder, const char *sql, struct error *why)
{
	sqlite3_stmt *stmt;
	int answer = SQLITE_DONE;

	while (answer == SQLITE_DONE && *sql != '\0') {
		answer = sqlite3_prepare_v2(ladder->sql.db, sql, -1, &stmt,
					    &sql);
		if (answer == SQLITE_OK && stmt == NULL) /* a comment */
			break;
		if (answer == SQLITE_OK &&
		    sqlite3_bind_parameter_count(stmt) == 1)
			answer = sqlite3_bind_text(stmt, 1, ladder->file,
						   (int)ladder->dir_bytes,
						   SQLITE_STATIC);
		if (answer == SQLITE_OK)
			answer = sqlite3_step(stmt);
		sqlite3_finalize(stmt);
	}
	if (answer != SQLITE_DONE && answer != SQLITE_OK)
		return sql_trouble(&ladder->sql, answer, why);
	return 0;
}

int
lift_to_version(struct ladder *ladder, int version, struct error *why)
{
	char sql[64];
	int result, v;

	if (version == LADDER_VERSION)
		return 0;
	result = sql_execute(&ladder->sql, "BEGIN IMMEDIATE", why);
	for (v = version; result == 0 && v < LADDER_VERSION; v++)
		result = lift(ladder, lifts[v], why);
	if (result == 0 && version == 0)
		result = found_ladder(ladder, why);
	/* season_found() commits what it adds together with this. */
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d%s", LADDER_VERSION,
		 ladder->founding == NULL ? "; COMMIT" : "");
	if (result == 0)
		result = sql_execute(&ladder->sql, sql, why);
	return result; /* closing takes back what was not committed */
}
