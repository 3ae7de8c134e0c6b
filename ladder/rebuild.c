/* ladder/rebuild.c - all ratings again from all records, and what came out
 * other. */
#include "ladder/store-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ladder/folder.h"
#include "ladder/log.h"

/* Two records in the same name of the same game are one if they are equal. */
static int
check_twin(struct ladder *ladder, const struct ladder_game *game,
	   const char *path, struct error *why)
{
	char other[LADDER_PATH_BYTES];
	struct ladder_game rated;
	int result = ladder_game_find(ladder, game->id, &rated, why);

	if (result < 0)
		return result;
	if (memcmp(rated.hash, game->hash, sizeof(rated.hash)) == 0 &&
	    rated.serial == game->serial)
		return 0;
	if ((result = ladder_game_path(ladder, &rated, other, why)) < 0)
		return result;
	return error_set(why, ERROR_INPUT,
			 "%.200s and %.200s are different records of game %s",
			 other, path, game->id);
}

static int
forget(struct ladder *ladder, struct error *why)
{
	ladder->last = 0;
	return sql_execute(&ladder->sql,
			   "DELETE FROM seat; DELETE FROM game;"
			   " DELETE FROM block; DELETE FROM rating;"
			   " DELETE FROM heir; DELETE FROM conduct;"
			   " DELETE FROM voided; DELETE FROM void;"
			   " DELETE FROM course",
			   why);
}

/* Whether who sat where, and what came of it, is as it was rated.  Of a pruned
 * record the hash does not tell it. */
static bool
is_same(const struct ladder_game *was, const struct ladder_game *game)
{
	unsigned i;

	if (memcmp(was->hash, game->hash, sizeof(was->hash)) != 0 ||
	    was->serial != game->serial || was->seats != game->seats ||
	    was->arrival != game->arrival ||
	    strcmp(was->game, game->game) != 0 ||
	    strcmp(was->options, game->options) != 0)
		return false;
	for (i = 0; i < game->seats; i++)
		if (strcmp(was->seat[i].bot, game->seat[i].bot) != 0 ||
		    was->seat[i].place != game->seat[i].place ||
		    was->seat[i].points != game->seat[i].points)
			return false;
	return true;
}

/* Counts what is other than it was, seat by seat. */
static int
compare_game(struct ladder *ladder, struct ladder *before,
	     const struct ladder_game *game,
	     const struct ladder_rebuilding *how, const char *path,
	     struct ladder_rebuilt *report, struct error *why)
{
	struct ladder_game was;
	int result = ladder_game_find(before, game->id, &was, why);
	bool voided = false;
	unsigned i;

	if (result >= 0 && void_of(ladder, game->id, &voided, why) < 0)
		result = -1;
	if (result < 0)
		return result;
	report->games++;
	report->voided += voided;
	if (result == 0) {
		report->added++;
		return 0;
	}
	if (!is_same(&was, game)) {
		if (!how->accept)
			return error_set(why, ERROR_ANSWER,
					 "%.300s is not the record that was "
					 "rated, nothing is rebuilt; --accept "
					 "takes it",
					 path);
		report->altered++;
	}
	for (i = 0; i < game->seats; i++)
		report->changed +=
			strcmp(was.seat[i].bot, game->seat[i].bot) != 0 ||
			was.seat[i].place != game->seat[i].place ||
			was.seat[i].points != game->seat[i].points ||
			was.seat[i].before_milli !=
				game->seat[i].before_milli ||
			was.seat[i].delta_milli != game->seat[i].delta_milli;
	return 0;
}

/* ---- gaps ------------------------------------------------------------- */

#define GAPS_TOLD_BYTES 160 /* of a sentence: `5, 7 to 9` */

struct gaps {
	int64_t last; /* serial of a record, 0 before the first */
	int64_t count;
	bool cut; /* the text has no room for all of them */
	char text[GAPS_TOLD_BYTES];
};

/* A number that is cut off would be another one. */
static void
gaps_tell(struct gaps *gaps, int64_t first, int64_t last)
{
	static const char more[] = " and more";
	size_t used = strlen(gaps->text);
	char part[48];
	int n = snprintf(part, sizeof(part),
			 first == last ? "%s%" PRId64
				       : "%s%" PRId64 " to %" PRId64,
			 used > 0 ? ", " : "", first, last);

	if (gaps->cut)
		return;
	gaps->cut = used + (size_t)n + sizeof(more) > sizeof(gaps->text);
	snprintf(gaps->text + used, sizeof(gaps->text) - used, "%s",
		 gaps->cut ? more : part);
}

/* The record with this serial, none lower than before. */
static void
gaps_pass(struct gaps *gaps, int64_t serial)
{
	int64_t first = gaps->last + 1;

	if (serial > first) {
		gaps->count += serial - first;
		gaps_tell(gaps, first, serial - 1);
	}
	gaps->last = serial;
}

static int
check_gaps(const struct gaps *gaps, const struct ladder_rebuilding *how,
	   struct error *why)
{
	if (gaps->count == 0 || how->gaps)
		return 0;
	return error_set(
		why, ERROR_ANSWER,
		"%" PRId64 " %s missing, serial %s, nothing is rebuilt; "
		"--gaps takes what is there",
		gaps->count, gaps->count == 1 ? "record is" : "records are",
		gaps->text);
}

/* ---- records ---------------------------------------------------------- */

/* Passes a void, which take_voids() has taken. */
static int
pass_void(struct ladder *ladder, struct pack_cache *cache,
	  const struct folder_file *file, bool *mine, struct error *why)
{
	if (fold_is_mine(ladder, cache, file, mine, why) < 0)
		return -1;
	if (*mine && void_check_serial(ladder, file->serial, why) < 0)
		return fold_prefix(why, file->path);
	return 0;
}

static int
fold_files(struct ladder *ladder, struct ladder *before,
	   const struct ladder_rebuilding *how, const struct folder_list *list,
	   struct ladder_rebuilt *report, struct gaps *gaps, struct error *why)
{
	struct pack_cache cache = { 0 };
	const struct folder_file *file;
	struct ladder_game game;
	int result = 0;
	bool mine;
	size_t i;

	for (i = 0; i < list->count && result >= 0; i++) {
		file = &list->file[i];
		if (how->stop != NULL && atomic_load(how->stop)) {
			result = error_set(why, ERROR_MACHINE,
					   "rebuilding ladder %s was stopped, "
					   "nothing is rebuilt",
					   ladder->place.path);
			break;
		}
		result = file->is_void
				 ? pass_void(ladder, &cache, file, &mine, why)
				 : fold_game(ladder, &cache, file, how->check,
					     &game, &mine, why);
		if (result >= 0 && mine)
			gaps_pass(gaps, file->serial);
		if (result == 0 && mine)
			store_pass(ladder, file->serial);
		if (result != LADDER_FOUND)
			continue;
		result = store_rate(ladder, &game, why);
		if (result == 0)
			result = compare_game(ladder, before, &game, how,
					      file->path, report, why);
		else if (result == LADDER_FOUND)
			result = check_twin(ladder, &game, file->path, why);
		else
			error_prefix(why, "%.200s: ", file->path);
	}
	pack_cache_release(&cache);
	return result < 0 ? result : 0;
}

/* The next game in a log that is in use gets the serial behind its end. */
static int
check_end(const struct ladder *ladder, const struct ladder_rebuilding *how,
	  struct error *why)
{
	if (how->log == NULL || ladder->last <= how->log->last)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "the folders have game %" PRId64 " of a ladder that "
			 "is played on and ends with game %" PRId64
			 ", nothing is rebuilt; stop the daemon first",
			 ladder->last, how->log->last);
}

/* Every game that was rated must be rated again, and every void stand. */
static int
check_missing(struct ladder *ladder, struct ladder *before, struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&before->sql,
			 "SELECT serial, id, ifnull(folder, 0) FROM game"
			 " UNION ALL SELECT number, '', 0 FROM void"
			 " ORDER BY 1",
			 "");
	struct ladder_game was = { 0 }, now;
	char path[LADDER_PATH_BYTES] = "";
	int result;

	while ((result = sql_step(&before->sql, stmt, why)) > 0) {
		was.serial = sqlite3_column_int64(stmt, 0);
		sql_text(stmt, 1, was.id, sizeof(was.id));
		was.folder = sqlite3_column_int64(stmt, 2);
		if (was.id[0] == '\0')
			result = sql_row(&ladder->sql, why,
					 "SELECT 1 FROM void WHERE number = ?",
					 "i", was.serial, "");
		else
			result = ladder_game_find(ladder, was.id, &now, why);
		if (result > 0)
			continue;
		if (result == 0 && was.id[0] == '\0')
			result = error_set(why, ERROR_ANSWER,
					   "expected the void %08" PRId64
					   "-ID.void beside the records, "
					   "nothing is rebuilt; restore it, or "
					   "name its folder with --records",
					   was.serial);
		if (result == 0)
			result = ladder_game_path(before, &was, path, why);
		if (result == 0)
			result = error_set(
				why, ERROR_ANSWER,
				"%.200s: expected the record of game %" PRId64
				" there, nothing is rebuilt; restore the "
				"record, or move the ladder's file away and "
				"rebuild from the rest with --gaps",
				path[0] ? path : "(no record was kept)",
				was.serial);
		sqlite3_reset(stmt);
		break;
	}
	return result;
}

#define RATING_SELECT                                                          \
	"SELECT milli, games, wins, places, halves, entered, pool, bot,"       \
	" last, timeout, illegal, protocol, crash"                             \
	" FROM rating LEFT JOIN conduct USING (pool, bot)"
#define RATING_COLUMNS 13

/* What was not counted is no other than what is. */
static bool
is_equal(sqlite3_stmt *one, sqlite3_stmt *other, int column)
{
	return sqlite3_column_type(one, column) == SQLITE_NULL ||
	       sqlite3_column_type(other, column) == SQLITE_NULL ||
	       sqlite3_column_int64(one, column) ==
		       sqlite3_column_int64(other, column);
}

/* Ratings as they are in `from`: how many of them `in` has not just so. */
static int
count_other(struct ladder *from, struct ladder *in, unsigned *other,
	    struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(&from->sql, RATING_SELECT, ""), *same;
	int result, found, column;
	bool equal;

	while ((result = sql_step(&from->sql, stmt, why)) > 0) {
		same = sql_bind(&in->sql,
				RATING_SELECT " WHERE pool = ? AND bot = ?",
				"ii", (int64_t)sqlite3_column_int64(stmt, 6),
				(int64_t)sqlite3_column_int64(stmt, 7));
		found = sql_step(&in->sql, same, why);
		equal = found > 0;
		for (column = 0; column < RATING_COLUMNS && equal; column++)
			equal = is_equal(stmt, same, column);
		sqlite3_reset(same);
		if (found < 0) {
			sqlite3_reset(stmt);
			return found;
		}
		*other += !equal;
	}
	return result;
}

/* ---- a ladder from its records alone ---------------------------------- */

/* The one ladder that all these records name; "" if they name none. */
static int
name_of(const struct folder_list *list, char id[ID_BYTES + 1],
	struct error *why)
{
	const struct folder_file *first = NULL;
	struct pack_cache cache = { 0 };
	char found[ID_BYTES + 2];
	int result = 0;
	size_t i;

	id[0] = '\0';
	for (i = 0; i < list->count && result == 0; i++) {
		result = folder_ladder(&cache, &list->file[i], found, why);
		if (result < 0)
			break;
		if (found[0] == '\0' || strlen(found) > ID_BYTES)
			continue;
		if (first == NULL) {
			first = &list->file[i];
			memcpy(id, found, ID_BYTES + 1);
		} else if (strcmp(found, id) != 0) {
			result = error_set(why, ERROR_INPUT,
					   "the records are of two ladders: "
					   "%.120s of %s, %.120s of %s; move "
					   "those of one to another folder",
					   first->path, id, list->file[i].path,
					   found);
		}
	}
	pack_cache_release(&cache);
	return result;
}

/* A ladder without games becomes the one that the records in its folders
 * name. */
static int
take_name(struct ladder *ladder, struct error *why)
{
	struct folder_list list = { 0 };
	char id[ID_BYTES + 1];
	int result = fold_list(ladder, &list, 0, false, why);

	if (result == 0)
		result = name_of(&list, id, why);
	folder_release(&list);
	if (result < 0)
		return result;
	if (id[0] == '\0' && ladder->place.made)
		return error_set(why, ERROR_INPUT,
				 "no ladder record was found to make %s from",
				 ladder->place.path);
	if (id[0] == '\0')
		return 0;
	snprintf(ladder->id, sizeof(ladder->id), "%s", id);
	return sql_do(&ladder->sql, why, "UPDATE meta SET id = ?", "s", id);
}

static int
add_folders(struct ladder *ladder, const struct ladder_rebuilding *how,
	    struct error *why)
{
	const char *const *dir;
	int64_t folder;
	int result = 0;

	for (dir = how->folders; dir && *dir && result == 0; dir++)
		result = ladder_folder(ladder, *dir, &folder, why);
	if (result == 0 && how->folders && ladder->last == 0 &&
	    how->log == NULL)
		result = take_name(ladder, why);
	return result;
}

/* ---- the whole -------------------------------------------------------- */

/* Those in the folders, and the new one: they come before all games. */
static int
take_voids(struct ladder *ladder, const struct folder_list *list,
	   const struct log_entry *more, struct error *why)
{
	struct pack_cache cache = { 0 };
	struct text text = { .max = RECORD_BYTES };
	int result = 0;
	bool mine;

	for (size_t i = 0; i < list->count && result >= 0; i++) {
		if (!list->file[i].is_void)
			continue;
		text_clear(&text);
		result = fold_is_mine(ladder, &cache, &list->file[i], &mine,
				      why);
		if (result < 0 || !mine)
			continue;
		if (packed_load(&cache, list->file[i].path, &text) < 0)
			result = error_set(why, ERROR_MACHINE,
					   "cannot read %.300s: %m",
					   list->file[i].path);
		else if (void_take(ladder, list->file[i].serial, &text, why) <
			 0)
			result = fold_prefix(why, list->file[i].path);
	}
	if (result >= 0 && more != NULL)
		result = void_take(ladder, more->serial, more->text, why);
	text_release(&text);
	pack_cache_release(&cache);
	return result < 0 ? -1 : 0;
}

/* The log first: from it alone the rest can be had again. */
static int
append_and_commit(struct ladder *ladder, struct ladder_log *log,
		  struct log_entry *more, struct error *why)
{
	if (log->ops->append(log, more, why) < 0)
		return -1;
	store_pass(ladder, more->serial);
	if (log->here >= more->serial && store_commit(ladder, why) == 0)
		return 0;
	store_take_back(ladder);
	if (log->here < more->serial)
		error_set(why, ERROR_MACHINE, "it is not on disk here yet");
	return error_prefix(why,
			    "the games are voided, but ladder %s is behind: ",
			    ladder->place.path);
}

static int
fold_again(struct ladder *ladder, struct ladder *before,
	   const struct ladder_rebuilding *how, struct ladder_log *log,
	   struct log_entry *more, struct folder_list *list,
	   struct ladder_rebuilt *report, struct error *why)
{
	unsigned gone = 0, other = 0;
	struct gaps gaps = { 0 };
	int result;

	if ((result = store_begin_fold(ladder, why)) < 0 ||
	    (result = add_folders(ladder, how, why)) < 0 ||
	    (result = fold_list(ladder, list, 0, true, why)) < 0 ||
	    (result = forget(ladder, why)) < 0 ||
	    (result = take_voids(ladder, list, more, why)) < 0 ||
	    (result = fold_files(ladder, before, how, list, report, &gaps,
				 why)) < 0 ||
	    (result = check_end(ladder, how, why)) < 0 ||
	    (result = check_missing(ladder, before, why)) < 0 ||
	    (result = check_gaps(&gaps, how, why)) < 0 ||
	    (result = count_other(ladder, before, &other, why)) < 0 ||
	    (result = count_other(before, ladder, &gone, why)) < 0)
		return result;
	report->changed += other > gone ? other : gone;
	report->gaps = gaps.count;
	return more == NULL ? store_commit(ladder, why)
			    : append_and_commit(ladder, log, more, why);
}

int
ladder_rebuild(struct ladder *ladder, const struct ladder_rebuilding *how,
	       struct ladder_rebuilt *report, struct error *why)
{
	return rebuild_with(ladder, how, NULL, NULL, report, why);
}

int
rebuild_with(struct ladder *ladder, const struct ladder_rebuilding *how,
	     struct ladder_log *log, struct log_entry *more,
	     struct ladder_rebuilt *report, struct error *why)
{
	struct folder_list list = { 0 };
	struct ladder *before;
	int result;

	*report = (struct ladder_rebuilt){ 0 };
	/* A second look at the file sees it as it was, while this one folds. */
	result = ladder_open_again(ladder->place.file, LADDER_READ, &before,
				   why);
	if (result < 0)
		return result;
	result = fold_again(ladder, before, how, log, more, &list, report, why);
	if (result < 0) {
		store_take_back(ladder);
		memcpy(ladder->id, before->id, sizeof(ladder->id));
	}
	folder_release(&list);
	ladder_close(before);
	return result;
}
