/* ladder/rebuild.c - computes all ratings again from all records, and counts
 * the differences. */
#include "ladder/store-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ladder/log.h"

/* Refuses a second record of a rated game, with another serial, unless it tells
 * the same result. */
static int
check_twin(struct ladder *ladder, const struct ladder_game *game,
	   const char *path, struct error *why)
{
	char other[LADDER_PATH_BYTES];
	struct ladder_game rated;
	int result = ladder_game_find(ladder, game->id, &rated, why);

	if (result < 0 ||
	    (result = ladder_game_path(ladder, &rated, other, why)) < 0)
		return result;
	/* The hash differs, because a record tells its serial. */
	rated.serial = game->serial;
	memcpy(rated.hash, game->hash, sizeof(rated.hash));
	if (fold_is_same(&rated, game))
		return 0;
	return error_set(why, ERROR_INPUT,
			 "%.200s and %.200s are different records of game %s; "
			 "take away the wrong one",
			 other, path, game->id);
}

/* Without `voids` those stay. */
static int
forget(struct ladder *ladder, bool voids, struct error *why)
{
	int result = founding_again(ladder, why);

	if (result == 0)
		result = sql_execute(&ladder->sql,
				     "DELETE FROM seat; DELETE FROM game;"
				     " DELETE FROM block; DELETE FROM rating;"
				     " DELETE FROM heir; DELETE FROM conduct;"
				     " DELETE FROM course",
				     why);
	if (result == 0 && voids)
		result = sql_execute(&ladder->sql,
				     "DELETE FROM voided; DELETE FROM void",
				     why);
	ladder->last = 0;
	return result;
}

/* Counts what differs from before, seat by seat. */
static int
compare_game(struct ladder *ladder, struct ladder *before,
	     const struct ladder_game *game,
	     const struct ladder_rebuilding *how, const char *path,
	     struct ladder_rebuilt *report, struct error *why)
{
	struct ladder_game was;
	int result = ladder_game_find(before, game->id, &was, why);
	bool voided = false;

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
	if (!fold_is_same(&was, game)) {
		if (!how->accept)
			return error_set(why, ERROR_ANSWER,
					 "%.300s is not the record that was "
					 "rated, nothing is rebuilt; --accept "
					 "takes it",
					 path);
		report->altered++;
	}
	for (unsigned i = 0; i < game->seats; i++)
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

#define GAPS_TOLD_BYTES 160 /* bytes of a list in a sentence: `5, 7 to 9` */

struct gaps {
	int64_t passed;	     /* gaps up to this serial are known */
	int64_t last;	     /* serial of the last record, 0 before the first */
	int64_t count, news; /* all gaps, and those behind `passed` */
	bool cut;	     /* the text has no room for all of them */
	char text[GAPS_TOLD_BYTES];
};

/* Adds a gap to the text, unless it has no room for it: half a number would be
 * another number. */
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

/* Counts the gap before the entry with this serial, which is not lower than the
 * last. */
static void
gaps_pass(struct gaps *gaps, int64_t serial)
{
	int64_t first = gaps->last + 1;

	if (serial > first) {
		gaps->count += serial - first;
		if (serial > gaps->passed + 1)
			gaps->news += serial - first;
		gaps_tell(gaps, first, serial - 1);
	}
	gaps->last = serial;
}

static int
check_gaps(const struct gaps *gaps, const struct ladder_rebuilding *how,
	   struct error *why)
{
	if (gaps->count == 0 || how->gaps || (how->recall && gaps->news == 0))
		return 0;
	return error_set(
		why, ERROR_ANSWER,
		"%" PRId64 " %s missing, serial %s, nothing is rebuilt; "
		"--gaps rebuilds the ladder without",
		gaps->count, gaps->count == 1 ? "record is" : "records are",
		gaps->text);
}

/* ---- entries ---------------------------------------------------------- */

static int
check_stop(const struct ladder *ladder, const struct ladder_rebuilding *how,
	   struct error *why)
{
	if (how->stop == NULL || !atomic_load(how->stop))
		return 0;
	return error_set(why, ERROR_MACHINE,
			 "rebuilding ladder %s was stopped, nothing is rebuilt",
			 ladder->place.path);
}

/* Folds all voids before the games: those in the folders, and the new one. */
static int
fold_voids(struct ladder *ladder, struct ladder_log *folders,
	   struct log_entry *more, struct error *why)
{
	struct log_entry *voids, *entry;
	int result = log_voids(folders, &voids, why);

	for (entry = voids; entry != NULL && result >= 0; entry = entry->next)
		result = store_fold(ladder, entry, why);
	ladder_log_forget(voids);
	if (result >= 0 && more != NULL)
		result = store_fold(ladder, more, why);
	ladder->last = 0;
	return result < 0 ? -1 : 0;
}

static int
fold_group(struct ladder *ladder, struct ladder *before,
	   const struct ladder_rebuilding *how, struct log_entry *entry,
	   struct ladder_rebuilt *report, struct gaps *gaps, struct error *why)
{
	int result = 0;

	for (; entry != NULL && result >= 0; entry = entry->next) {
		gaps_pass(gaps, entry->serial);
		if (how->recall && recall_entries(ladder, before, entry->serial,
						  NULL, why) < 0)
			return -1;
		result = store_fold(ladder, entry, why);
		if (entry->game == NULL)
			continue;
		if (result == 0)
			result = compare_game(ladder, before, entry->game, how,
					      entry->path, report, why);
		else if (result == LADDER_FOUND && !how->recall)
			result = check_twin(ladder, entry->game, entry->path,
					    why);
	}
	return result < 0 ? -1 : 0;
}

/* Passes a hole at the log's end.  The pack with the damaged entry may be cut off, so
 * only the ladder as it was tells of it. */
static void
pass_end(struct ladder *ladder, const struct ladder *before,
	 const struct ladder_log *folders, struct gaps *gaps)
{
	const int64_t lost = log_lost(folders);
	const int64_t end = lost > before->last ? lost : before->last;

	if (end <= gaps->last)
		return;
	store_pass(ladder, end);
	gaps_pass(gaps, end + 1);
}

/* Folds all entries that are in the folders. */
static int
fold_all(struct ladder *ladder, struct ladder *before,
	 const struct ladder_rebuilding *how, struct ladder_rebuilt *report,
	 struct gaps *gaps, struct error *why)
{
	struct ladder_log *folders = ladder_log_memory(ladder);
	struct log_entry *group;
	int result;

	folders->here = folders->last = LADDER_SERIAL_MAX;
	folders->check = how->check;
	result = fold_voids(ladder, folders, how->more, why);
	while (result == 0) {
		result = folders->ops->read(folders, gaps->last, &group, why);
		if (result < 0 || group == NULL)
			break;
		result = check_stop(ladder, how, why);
		if (result == 0)
			result = fold_group(ladder, before, how, group, report,
					    gaps, why);
		ladder_log_forget(group);
	}
	if (result == 0 && how->recall)
		result = recall_entries(ladder, before, INT64_MAX, NULL, why);
	if (result == 0)
		pass_end(ladder, before, folders, gaps);
	ladder_log_free(folders);
	return result;
}

/* Refuses entries behind the end of a log that is in use, because its next game
 * gets that serial. */
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

static int
expected_entry(struct ladder *before, const struct ladder_game *was,
	       enum entry_kind kind, struct error *why)
{
	char path[LADDER_PATH_BYTES] = "", name[LADDER_FILE_BYTES];

	ladder_file_name(kind, was->serial, was->id, name);
	if (kind != ENTRY_GAME)
		return error_set(why, ERROR_ANSWER,
				 "expected the %s %s beside the records, "
				 "nothing is changed; restore it, or name its "
				 "folder with --records",
				 kind == ENTRY_VOID ? "void" : "setting", name);
	if (ladder_game_path(before, was, path, why) < 0)
		return -1;
	return error_set(why, ERROR_ANSWER,
			 "%.200s: expected the record of game %" PRId64
			 " there, nothing is changed; restore it, or name its "
			 "folder with --records (the ladder plays on without "
			 "it)",
			 path[0] ? path : "(no record was kept)", was->serial);
}

/* Checks that every entry that was folded is folded again. */
static int
check_missing(struct ladder *ladder, struct ladder *before, struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(
		&before->sql,
		"SELECT serial, id, ifnull(folder, 0), ?1 FROM game UNION ALL"
		" SELECT number, id, 0, ?2 FROM void UNION ALL"
		" SELECT from_serial, id, 0, ?3 FROM setting"
		" WHERE from_serial > 0 ORDER BY 1",
		"iii", (int64_t)ENTRY_GAME, (int64_t)ENTRY_VOID,
		(int64_t)ENTRY_SETTING);
	struct ladder_game was = { 0 };
	enum entry_kind kind;
	int result;

	while ((result = sql_step(&before->sql, stmt, why)) > 0) {
		was.serial = sqlite3_column_int64(stmt, 0);
		sql_text(stmt, 1, was.id, sizeof(was.id));
		was.folder = sqlite3_column_int64(stmt, 2);
		kind = (enum entry_kind)sqlite3_column_int64(stmt, 3);
		result = sql_row(&ladder->sql, why,
				 "SELECT 1 FROM game WHERE id = ?1 UNION ALL"
				 " SELECT 1 FROM void WHERE id = ?1 UNION ALL"
				 " SELECT 1 FROM setting WHERE id = ?1",
				 "s", was.id, "");
		if (result > 0)
			continue;
		if (result == 0)
			result = expected_entry(before, &was, kind, why);
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

/* Compares a column.  A value that was not counted, NULL, is equal to every
 * other. */
static bool
is_equal(sqlite3_stmt *one, sqlite3_stmt *other, int column)
{
	return sqlite3_column_type(one, column) == SQLITE_NULL ||
	       sqlite3_column_type(other, column) == SQLITE_NULL ||
	       sqlite3_column_int64(one, column) ==
		       sqlite3_column_int64(other, column);
}

/* Counts the ratings in `from` that `in` lacks, or that differ there. */
static int
count_other(struct ladder *from, struct ladder *in, unsigned *other,
	    struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(&from->sql, RATING_SELECT, ""), *same;
	int result, found;
	bool equal;

	while ((result = sql_step(&from->sql, stmt, why)) > 0) {
		same = sql_bind(&in->sql,
				RATING_SELECT " WHERE pool = ? AND bot = ?",
				"ii", (int64_t)sqlite3_column_int64(stmt, 6),
				(int64_t)sqlite3_column_int64(stmt, 7));
		found = sql_step(&in->sql, same, why);
		equal = found > 0;
		for (int column = 0; column < RATING_COLUMNS && equal; column++)
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

/* ---- a ladder from its folders alone ---------------------------------- */

/* Makes a ladder without games the one whose founding lies in the first folder
 * that has one.  `taken` is the path of that founding, "" before. */
static int
take_founding(struct ladder *ladder, const char *dir,
	      char taken[LADDER_PATH_BYTES], struct error *why)
{
	char path[LADDER_PATH_BYTES], own[LADDER_FILE_BYTES];
	int result = founding_find(dir, ladder->id, path, why);

	if (result <= 0)
		return result;
	ladder_file_name(ENTRY_FOUNDING, 0, ladder->id, own);
	if (taken[0] != '\0' && strcmp(strrchr(path, '/') + 1, own) != 0)
		return error_set(why, ERROR_INPUT,
				 "the folders are of two ladders: %.300s is "
				 "not of %s; name those of one ladder",
				 path, ladder->id);
	if (taken[0] != '\0')
		return founding_check(ladder, dir, taken, why) < 0 ? -1 : 0;
	memcpy(taken, path, sizeof(path));
	ladder->origin = LADDER_MADE_AGAIN;
	result = founding_adopt(&ladder->sql, path, why);
	return result < 0 ? result : store_load(ladder, why);
}

static int
add_folders(struct ladder *ladder, const struct ladder_rebuilding *how,
	    struct error *why)
{
	const char *const *dir;
	char taken[LADDER_PATH_BYTES] = "";
	int64_t folder, last;
	int result = 0;

	for (dir = how->folders; dir && *dir && result == 0; dir++) {
		if (ladder->last == 0 && how->log == NULL)
			result = take_founding(ladder, *dir, taken, why);
		else if ((result = founding_own(ladder, *dir, why)) == 0)
			result = founding_check(ladder, *dir, NULL, why);
		if (result >= 0)
			result = ladder_folder(ladder, *dir, &folder, why);
	}
	if (result != 0 || ladder->last != 0 || taken[0] != '\0' ||
	    how->folders == NULL || how->log != NULL)
		return result;
	/* An old file may be empty, but not beside another ladder's entries. */
	if (ladder->origin != LADDER_MADE_NEW)
		return log_find_end(ladder, false, &last, why);
	return error_set(why, ERROR_INPUT,
			 "no founding of a ladder (%s) was found to make %s "
			 "from",
			 "00000000-ID.ladder", ladder->place.path);
}

/* ---- the whole -------------------------------------------------------- */

/* Appends to the log first, because everything else can be made from it again. */
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
	   const struct ladder_rebuilding *how, struct ladder_rebuilt *report,
	   struct error *why)
{
	unsigned gone = 0, other = 0;
	struct gaps gaps = { .passed = before->last };
	int result;

	if ((result = store_begin_fold(ladder, why)) < 0 ||
	    (result = add_folders(ladder, how, why)) < 0 ||
	    (result = forget(ladder, !how->recall, why)) < 0 ||
	    (result = fold_all(ladder, before, how, report, &gaps, why)) < 0 ||
	    (result = check_end(ladder, how, why)) < 0 ||
	    (result = check_missing(ladder, before, why)) < 0 ||
	    (result = check_gaps(&gaps, how, why)) < 0 ||
	    (result = count_other(ladder, before, &other, why)) < 0 ||
	    (result = count_other(before, ladder, &gone, why)) < 0)
		return result;
	report->changed += other > gone ? other : gone;
	report->gaps = gaps.count;
	return how->more == NULL
		       ? store_commit(ladder, why)
		       : append_and_commit(ladder, how->log, how->more, why);
}

int
ladder_rebuild(struct ladder *ladder, const struct ladder_rebuilding *how,
	       struct ladder_rebuilt *report, struct error *why)
{
	struct ladder *before;
	int result;

	*report = (struct ladder_rebuilt){ 0 };
	/* A second connection to the file sees it as it was, while this one
	 * folds. */
	result = ladder_open(ladder->place.file, LADDER_READ, &before, why);
	if (result < 0)
		return result;
	result = fold_again(ladder, before, how, report, why);
	if (result < 0) {
		store_take_back(ladder);
		memcpy(ladder->id, before->id, sizeof(ladder->id));
		memcpy(ladder->created, before->created,
		       sizeof(ladder->created));
		ladder->season = before->season;
	}
	ladder_close(before);
	return result;
}

int
ladder_take_until(struct ladder *copy, struct ladder *ladder, const char *until,
		  bool again, struct error *why)
{
	int result = store_begin_fold(copy, why);

	if (result == 0 && again)
		result = forget(copy, false, why);
	if (result == 0)
		result = recall_entries(copy, ladder, INT64_MAX, until, why);
	if (result == 0)
		result = store_commit(copy, why);
	if (result < 0)
		store_take_back(copy);
	return result;
}
