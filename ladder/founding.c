/* ladder/founding.c - reads and writes foundings: what a ladder begins with,
 * that is its ID, K and start rating, and the ratings that bots enter a season
 * with.
 *
 * It is a text that stands in the ladder's file, and beside its records as
 * 00000000-ID.ladder, so that the ladder can be made again from that folder. */
#include "ladder/store-inside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/milli.h"
#include "protocol/file.h"
#include "protocol/message.h"

/* ---- a new one -------------------------------------------------------- */

/* A season that is being written. */
struct season {
	const struct ladder_founding *how;
	const struct ladder_pool *pool;
	int64_t start_milli;
	struct text *to;
	int result;
	struct error *why;
};

/* Moves a rating half of the way to the start rating, within the limits of
 * ratings. */
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
	struct season *season = arg;
	const struct ladder_pool *pool = season->pool;
	char rating[MILLI_TEXT_BYTES];

	milli_text(halve(season->start_milli, standing->rating_milli), rating);
	text_fmt(season->to, "enter %s %s %u %s %s%s%s\n", standing->bot,
		 rating, pool->seats, pool->arrival ? "arrival" : "priority",
		 pool->game, *pool->options ? " " : "", pool->options);
}

static void
add_pool(void *arg, const struct ladder_pool *pool)
{
	struct season *season = arg;

	season->pool = pool;
	if (season->result == 0)
		season->result =
			ladder_standings(season->how->after, pool->number,
					 add_entry, season, season->why);
}

static int
write_season(const struct ladder_founding *how, int64_t start_milli,
	     struct text *to, struct error *why)
{
	struct season season = {
		.how = how, .start_milli = start_milli, .to = to, .why = why
	};
	int result;

	text_fmt(to, "season %s %s\n", how->season, ladder_id(how->after));
	result = ladder_pools(how->after, add_pool, &season, why);
	return result == 0 ? season.result : result;
}

static int
write_founding(const struct ladder_founding *how, struct text *to,
	       struct error *why)
{
	int64_t k_milli = LADDER_K_MILLI, start_milli = LADDER_START_MILLI;
	char id[ID_BYTES + 1];

	if (how != NULL && how->after != NULL &&
	    ladder_settings(how->after, &k_milli, &start_milli, why) < 0)
		return -1;
	if (how != NULL && how->k_milli >= 0)
		k_milli = how->k_milli;
	if (how != NULL && how->start_milli >= 0)
		start_milli = how->start_milli;
	entry_write(to, ENTRY_FOUNDING, 0, NULL, id);
	entry_write_settings(to, k_milli, start_milli);
	if (how != NULL && how->after != NULL &&
	    write_season(how, start_milli, to, why) < 0)
		return -1;
	entry_write_end(to);
	return 0;
}

/* ---- into the tables -------------------------------------------------- */

/* The lines of a founding that stand before its bots. */
struct head {
	char id[ID_BYTES + 1];
	int64_t k_milli, start_milli;
	struct ladder_season season;
};

/* Reads the line `season NAME AFTER`, if it comes next. */
static int
read_season(struct entry_lines *lines, struct ladder_season *season,
	    struct error *why)
{
	struct entry_lines next = *lines;
	const char *value = entry_value(&next, "season"), *after;

	*season = (struct ladder_season){ .name = "" };
	if (value == NULL)
		return 0;
	*lines = next;
	after = strchr(value, ' ');
	if (after == NULL || after == value ||
	    (size_t)snprintf(season->name, sizeof(season->name), "%.*s",
			     (int)(after - value),
			     value) >= sizeof(season->name) ||
	    (size_t)snprintf(season->after, sizeof(season->after), "%s",
			     after + 1) >= sizeof(season->after))
		return entry_expected(lines, "season NAME ID", why);
	return 0;
}

static int
read_head(const struct text *text, struct entry_lines *lines, struct head *head,
	  struct error *why)
{
	int64_t serial;

	if (entry_begin(lines, ENTRY_FOUNDING, text, &serial, head->id, why) <
		    0 ||
	    entry_settings(lines, &head->k_milli, &head->start_milli, why) < 0)
		return -1;
	return read_season(lines, &head->season, why);
}

int
ladder_founding_season(const struct text *founding,
		       struct ladder_season *season, struct error *why)
{
	struct entry_lines lines;
	struct head head;

	if (read_head(founding, &lines, &head, why) < 0)
		return -1;
	*season = head.season;
	return 0;
}

/* Reads a line `enter BOT RATING SEATS arrival|priority GAME OPTIONS`.  Cuts
 * the words out of the line; `*options` may be "". */
static int
read_entry(struct entry_lines *lines, char *word[5], char **options,
	   int64_t *milli, struct error *why)
{
	static const char form[] = "enter BOT RATING SEATS OPEN GAME OPTIONS";
	char *rest = lines->line + strlen("enter ");

	if (entry_value(lines, "enter") == NULL)
		return entry_expected(lines, form, why);
	for (size_t i = 0; i < 5; i++)
		word[i] = rest == NULL ? NULL : strsep(&rest, " ");
	*options = rest == NULL ? lines->line + strlen(lines->line) : rest;
	if (word[4] == NULL || strlen(word[2]) != 1 || *word[2] < '2' ||
	    *word[2] > '0' + SEATS_MAX ||
	    (strcmp(word[3], "arrival") != 0 &&
	     strcmp(word[3], "priority") != 0) ||
	    milli_read(word[1], LADDER_START_MILLI_MAX, milli) < 0)
		return entry_expected(lines, form, why);
	return 0;
}

/* Puts a founding into the tables, and sets `name` to the name of its file. */
static int
take(struct sql *sql, const struct text *text, char name[LADDER_FILE_BYTES],
     struct error *why)
{
	struct entry_lines lines;
	struct head head;
	char *word[5], *options = NULL;
	int64_t milli;
	int result = read_head(text, &lines, &head, why);

	if (result == 0)
		result = sql_execute(sql,
				     "DELETE FROM meta; DELETE FROM founding;"
				     " DELETE FROM setting;"
				     " DELETE FROM season; DELETE FROM entry",
				     why);
	if (result == 0)
		result =
			sql_do(sql, why, "INSERT INTO meta VALUES (1, ?, ?, 0)",
			       "ss", head.id, lines.date);
	if (result == 0)
		result = sql_do(sql, why, "INSERT INTO founding VALUES (1, ?)",
				"t", text->bytes, text->used);
	if (result == 0)
		result = setting_add(sql, 0, head.id, head.k_milli,
				     head.start_milli, why);
	if (result == 0 && head.season.name[0] != '\0')
		result = sql_do(sql, why, "INSERT INTO season VALUES (1, ?, ?)",
				"ss", head.season.name, head.season.after);
	while (result == 0 && lines.at < lines.end &&
	       (result = read_entry(&lines, word, &options, &milli, why)) == 0)
		result = sql_do(sql, why,
				"INSERT OR REPLACE INTO entry"
				" VALUES (?, ?, ?, ?, ?, ?)",
				"ssiisi", word[4], options,
				(int64_t)strtoll(word[2], NULL, 10),
				(int64_t)(strcmp(word[3], "arrival") == 0),
				word[0], milli);
	if (result == 0)
		ladder_file_name(ENTRY_FOUNDING, 0, head.id, name);
	return result;
}

int
founding_new(struct sql *sql, const struct ladder_founding *how,
	     struct error *why)
{
	struct text text = { .max = LADDER_FOUNDING_BYTES };
	char name[LADDER_FILE_BYTES];
	int result = write_founding(how, &text, why);

	if (result == 0 && text.full)
		result = error_set(why, ERROR_INPUT,
				   "a ladder can begin with %d bytes at most, "
				   "and this season has more bots",
				   LADDER_FOUNDING_BYTES);
	if (result == 0)
		result = take(sql, &text, name, why);
	text_release(&text);
	return result;
}

int
founding_again(struct ladder *ladder, struct error *why)
{
	struct text text = { .max = LADDER_FOUNDING_BYTES };
	char name[LADDER_FILE_BYTES];
	int result = ladder_founding_tell(ladder, &text, why);

	if (result == 0)
		result = take(&ladder->sql, &text, name, why);
	text_release(&text);
	return result;
}

int
founding_adopt(struct sql *sql, const char *path, struct error *why)
{
	struct text text = { .max = LADDER_FOUNDING_BYTES };
	char name[LADDER_FILE_BYTES];
	int result = 0;

	if (file_load_regular(path, &text) < 0)
		result = error_set(why, path_kind(errno),
				   "cannot read %.300s: %s", path,
				   file_trouble());
	else if (text.full)
		result = error_set(why, ERROR_INPUT,
				   "%.300s has more than %d bytes", path,
				   LADDER_FOUNDING_BYTES);
	else if (take(sql, &text, name, why) < 0)
		result = fold_prefix(why, path);
	else if (strcmp(strrchr(path, '/') + 1, name) != 0)
		result = error_set(why, ERROR_INPUT,
				   "%.300s: by its text the name must be %s",
				   path, name);
	text_release(&text);
	return result;
}

/* ---- what a season begins with ---------------------------------------- */

int
season_load(struct sql *sql, struct ladder_season *season, struct error *why)
{
	int result = sql_row(sql, why, "SELECT name, after FROM season", "",
			     "ss", season->name, sizeof(season->name),
			     season->after, sizeof(season->after));

	return result < 0 ? result : 0;
}

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

int
season_entry(struct ladder *ladder, const struct ladder_game *game,
	     const char *bot, int64_t *milli, struct error *why)
{
	if (ladder_season(ladder)->name[0] == '\0')
		return 0;
	return sql_row(&ladder->sql, why,
		       "SELECT milli FROM entry WHERE game = ?"
		       " AND options = ? AND seats = ? AND arrival = ?"
		       " AND bot = ?",
		       "ssiis", game->game, game->options, (int64_t)game->seats,
		       (int64_t)game->arrival, bot, "i", milli);
}

/* ---- beside the records ----------------------------------------------- */

/* A daemon's ladder lies in a folder of its own. */
void
ladder_records_default(const char *file, char dir[LADDER_PATH_BYTES])
{
	static const char daemons[] = "ladder.db";
	const char *slash = strrchr(file, '/');
	const char *name = slash == NULL ? file : slash + 1;

	if (strcmp(name, daemons) == 0)
		snprintf(dir, LADDER_PATH_BYTES, "%.*srecords",
			 (int)(name - file), file);
	else
		snprintf(dir, LADDER_PATH_BYTES, "%s.records", file);
}

bool
ladder_records_beside(const char *file, char dir[LADDER_PATH_BYTES])
{
	bool made, is_there;
	char *real = place_real(file, &made);

	if (real != NULL)
		file = real;
	is_there = snprintf(dir, LADDER_PATH_BYTES, "%s.records", file) <
			   LADDER_PATH_BYTES &&
		   access(dir, F_OK) == 0;
	if (!is_there) {
		ladder_records_default(file, dir);
		is_there = access(dir, F_OK) == 0;
	}
	if (!is_there)
		dir[0] = '\0';
	free(real);
	return is_there;
}

int
founding_find(const char *dir, const char *own, char path[LADDER_PATH_BYTES],
	      struct error *why)
{
	DIR *folder = opendir(dir);
	char name[LADDER_FILE_BYTES];
	struct dirent *entry;
	enum entry_kind kind;
	int result = 0;

	if (folder == NULL)
		return errno == ENOENT
			       ? 0
			       : path_error(why, path_kind(errno), "read", dir);
	ladder_file_name(ENTRY_FOUNDING, 0, own, name);
	while ((entry = readdir(folder)) != NULL) {
		(void)ladder_file_serial(entry->d_name, strlen(entry->d_name),
					 &kind);
		if (kind != ENTRY_FOUNDING)
			continue;
		if (result > 0)
			result = error_set(why, ERROR_INPUT,
					   "%.300s and %.80s are of two "
					   "ladders; move the records of "
					   "one to another folder",
					   path, entry->d_name);
		snprintf(path, LADDER_PATH_BYTES, "%.*s/%.*s",
			 LADDER_PATH_BYTES - LADDER_FILE_BYTES - 2, dir,
			 LADDER_FILE_BYTES, entry->d_name);
		if (result == 0 || strcmp(entry->d_name, name) == 0)
			result = 1;
		if (strcmp(entry->d_name, name) == 0)
			break;
	}
	closedir(folder);
	return result;
}

/* Compares the founding with the file at `path`.  Returns 1 if the file has its
 * text, 0 if there is no file. */
static int
look_at(const struct text *founding, const char *path, const char *first,
	struct error *why)
{
	struct text there = { .max = LADDER_FOUNDING_BYTES };
	int result;

	if (file_load_regular(path, &there) < 0)
		result = errno == ENOENT ? 0
					 : error_set(why, path_kind(errno),
						     "cannot read %.300s: %s",
						     path, file_trouble());
	else if (!there.full && there.used == founding->used &&
		 memcmp(there.bytes, founding->bytes, there.used) == 0)
		result = 1;
	else if (first != NULL)
		result =
			error_set(why, ERROR_INPUT,
				  "%.220s and %.220s differ, but are the "
				  "founding of one ladder; take away the wrong "
				  "one",
				  first, path);
	else
		result = error_set(why, ERROR_INPUT,
				   "%.300s is not what the ladder began with: "
				   "remove it, and it is written again",
				   path);
	text_release(&there);
	return result;
}

int
ladder_founding_keep(const struct text *founding, const char *dir,
		     struct error *why)
{
	struct entry_lines lines;
	char name[LADDER_FILE_BYTES], *path;
	struct head head;
	int result;

	if (read_head(founding, &lines, &head, why) < 0)
		return -1;
	ladder_file_name(ENTRY_FOUNDING, 0, head.id, name);
	path = formatted("%s/%s", dir, name);
	result = look_at(founding, path, NULL, why);
	if (result == 0 &&
	    file_make(path, 0644, founding->bytes, founding->used) < 0 &&
	    errno != EEXIST)
		result = path_error(why, ERROR_MACHINE, "write", path);
	free(path);
	return result < 0 ? -1 : 0;
}

int
ladder_founding_tell(struct ladder *ladder, struct text *to, struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&ladder->sql, "SELECT text FROM founding", "");
	int result = sql_step(&ladder->sql, stmt, why);

	if (result <= 0)
		return result;
	text_add(to, sqlite3_column_text(stmt, 0),
		 (size_t)sqlite3_column_bytes(stmt, 0));
	sqlite3_reset(stmt);
	return 0;
}

int
founding_own(struct ladder *ladder, const char *dir, struct error *why)
{
	char beside[LADDER_PATH_BYTES], founding[LADDER_PATH_BYTES];
	struct stat one, other;
	int result;

	if (!ladder_records_beside(ladder->place.path, beside) ||
	    (dir != NULL &&
	     (stat(beside, &one) < 0 || stat(dir, &other) < 0 ||
	      one.st_dev != other.st_dev || one.st_ino != other.st_ino)))
		return 0;
	result = founding_check(ladder, beside, NULL, why);
	if (result != 0)
		return result < 0 ? -1 : 0;
	result = founding_find(beside, ladder->id, founding, why);
	if (result <= 0)
		return result;
	return error_set(why, ERROR_INPUT,
			 "the records of ladder %.160s belong to the ladder of "
			 "%.160s: put the right file back; if it is lost, move "
			 "this one away, and the next start makes it again",
			 ladder->place.path, founding);
}

int
founding_keep(struct ladder *ladder, const char *dir, struct error *why)
{
	struct text founding = { .max = LADDER_FOUNDING_BYTES };
	int result = founding_own(ladder, dir, why);

	if (result == 0)
		result = ladder_founding_tell(ladder, &founding, why);
	if (result == 0)
		result = ladder_founding_keep(&founding, dir, why);
	text_release(&founding);
	return result;
}

int
founding_check(struct ladder *ladder, const char *dir, const char *first,
	       struct error *why)
{
	struct text founding = { .max = LADDER_FOUNDING_BYTES };
	char name[LADDER_FILE_BYTES], *path;
	int result = ladder_founding_tell(ladder, &founding, why);

	ladder_file_name(ENTRY_FOUNDING, 0, ladder->id, name);
	path = formatted("%s/%s", dir, name);
	if (result == 0)
		result = look_at(&founding, path, first, why);
	free(path);
	text_release(&founding);
	return result;
}

bool
ladder_is_empty(const char *path)
{
	struct sql sql = { .what = "ladder", .path = path };
	struct error ignored;
	int64_t tables;
	bool empty;

	empty = sql_open(path, SQLITE_OPEN_READWRITE, &sql.db) == SQLITE_OK &&
		sql_number(&sql, &ignored, &tables,
			   "SELECT count(*) FROM sqlite_master", "") == 0 &&
		tables == 0;
	sql_close(&sql);
	return empty;
}
