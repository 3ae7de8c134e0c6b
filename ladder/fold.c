/* ladder/fold.c - from records to games: one, those that a kill left unrated,
 * and all of them anew.
 *
 * Records are read one after another in the order of their serials, so that
 * memory does not grow with what they say, only with how many there are. */
#include "ladder/store-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/folder.h"

/* ---- one record ------------------------------------------------------- */

static int
copy_word(const char *what, const char *from, char *to, size_t size,
	  char why[LADDER_WHY_BYTES])
{
	if (snprintf(to, size, "%s", from) >= (int)size)
		return ladder_say(LADDER_BAD, why,
				  "the %s is longer than %zu bytes", what,
				  size - 1);
	return LADDER_OK;
}

/* A decimal number of the header: 0 if there is none, or not a whole one. */
static int64_t
header_number(const struct record *record, const char *key)
{
	const char *value = record_header(record, key);
	char *end;
	long long number;

	if (value == NULL || *value < '0' || *value > '9')
		return 0;
	number = strtoll(value, &end, 10);
	return *end == '\0' ? number : 0;
}

static int
join_options(const struct record *record, char text[LADDER_OPTIONS_BYTES],
	     char why[LADDER_WHY_BYTES])
{
	size_t used = 0, room = LADDER_OPTIONS_BYTES;
	unsigned i;
	int n;

	text[0] = '\0';
	for (i = 0; i < record->options; i++) {
		n = snprintf(text + used, room - used, "%s%s=%s", i ? " " : "",
			     record->option[i].name, record->option[i].value);
		if (n < 0 || (size_t)n >= room - used)
			return ladder_say(LADDER_BAD, why,
					  "the options are longer than %d "
					  "bytes",
					  LADDER_OPTIONS_BYTES - 1);
		used += (size_t)n;
	}
	return LADDER_OK;
}

static int
copy_seats(const struct record *record, struct ladder_game *game,
	   char why[LADDER_WHY_BYTES])
{
	int place[SEATS_MAX], result;
	long points[SEATS_MAX];
	unsigned i;

	if (record_places(record, place, points, why) < 0)
		return LADDER_BAD;
	game->seats = record->seats;
	for (i = 0; i < record->seats; i++) {
		game->seat[i].place = place[i];
		game->seat[i].points = points[i];
		result = copy_word("name of a bot", record->name[i],
				   game->seat[i].bot, sizeof(game->seat[i].bot),
				   why);
		if (result < 0)
			return result;
	}
	return LADDER_OK;
}

int
ladder_game_from_record(const struct record *record, struct ladder_game *game,
			char why[LADDER_WHY_BYTES])
{
	const char *ended = record_header(record, "ended");
	const char *open = record_header(record, "open");
	int result;

	*game = (struct ladder_game){ 0 };
	game->serial = header_number(record, "serial");
	if (game->serial < 1)
		return ladder_say(LADDER_BAD, why,
				  "expected a header line `serial N`");
	game->arrival = open != NULL && strcmp(open, "arrival") == 0;
	if ((result = copy_seats(record, game, why)) < 0 ||
	    (result = copy_word("id", record->id, game->id, sizeof(game->id),
				why)) < 0 ||
	    (result = copy_word("name of the game", record->game, game->game,
				sizeof(game->game), why)) < 0 ||
	    (result = copy_word("ended", ended ? ended : "", game->ended,
				sizeof(game->ended), why)) < 0 ||
	    (result = join_options(record, game->options, why)) < 0)
		return result;
	record_hash(record, game->hash);
	return LADDER_OK;
}

/* ---- one file --------------------------------------------------------- */

/* LADDER_COUNTED: `*game` is set.  LADDER_OK: nothing to rate (of another
 * ladder or none, or aborted); `*mine`: it is one of this ladder. */
static int
game_from_file(const struct ladder *ladder, const struct folder_file *file,
	       struct ladder_game *game, bool *mine, char why[LADDER_WHY_BYTES])
{
	char sentence[LADDER_WHY_BYTES], name[LADDER_FILE_BYTES];
	struct record *record;
	const char *id;
	int result = LADDER_OK;

	*mine = false;
	if (record_read(file->path, &record, why) < 0)
		return LADDER_BAD;
	id = record_header(record, "ladder");
	*mine = id != NULL && strcmp(id, ladder->id) == 0;
	if (*mine && record->aborted == NULL) {
		result = ladder_game_from_record(record, game, sentence);
		game->folder = file->folder;
		ladder_file_name(game->serial, game->id, name);
		if (result < 0)
			/* It may begin with a line's number. */
			ladder_say(result, why, "%.300s:%s%.200s", file->path,
				   *sentence >= '0' && *sentence <= '9' ? ""
									: " ",
				   sentence);
		else if (strcmp(strrchr(file->path, '/') + 1, name) != 0)
			result = ladder_say(LADDER_BAD, why,
					    "%s: by its header the name must "
					    "be %s",
					    file->path, name);
		else
			result = LADDER_COUNTED;
	}
	record_free(record);
	return result;
}

/* All records with a serial above `after`, sorted. */
static int
list_records(struct ladder *ladder, struct folder_list *list, int64_t after,
	     char why[LADDER_WHY_BYTES])
{
	sqlite3_stmt *stmt = sql_bind(ladder, SQL_FOLDERS, "");
	char path[LADDER_PATH_BYTES];
	int result;

	while ((result = sql_step(ladder, stmt, why)) > 0) {
		sql_text(stmt, 1, path, sizeof(path));
		result = folder_read(list, path, sqlite3_column_int64(stmt, 0),
				     after, ladder->id, why);
		if (result < 0) {
			sqlite3_reset(stmt);
			return result;
		}
	}
	folder_sort(list);
	return result;
}

/* ---- settle ----------------------------------------------------------- */

static int
rate_files(struct ladder *ladder, const struct folder_list *list,
	   unsigned *count, char why[LADDER_WHY_BYTES])
{
	struct ladder_game game;
	int64_t top = ladder->next_serial;
	bool mine;
	size_t i;
	int result;

	for (i = 0; i < list->count; i++) {
		result = game_from_file(ladder, &list->file[i], &game, &mine,
					why);
		if (result < 0)
			return result;
		/* An aborted game's serial is taken all the same. */
		if (mine && list->file[i].serial >= top)
			top = list->file[i].serial + 1;
		if (result != LADDER_COUNTED)
			continue;
		result = ladder_rate(ladder, &game, why);
		if (result < 0)
			return result;
		*count += result == LADDER_OK;
	}
	ladder->next_serial = top;
	return LADDER_OK;
}

int
ladder_settle(struct ladder *ladder, unsigned *count,
	      char why[LADDER_WHY_BYTES])
{
	struct folder_list list = { 0 };
	int result;

	*count = 0;
	result = list_records(ladder, &list, ladder->last_rated, why);
	if (result == LADDER_OK && list.count > 0) {
		result = rate_begin(ladder, why);
		if (result == LADDER_OK)
			result = rate_files(ladder, &list, count, why);
		if (result == LADDER_OK)
			result = ladder_commit(ladder, why);
		if (result < 0)
			rate_take_back(ladder);
	}
	folder_release(&list);
	if (result < 0)
		*count = 0;
	else
		ladder->behind = false;
	return result;
}

/* ---- rebuild ---------------------------------------------------------- */

/* Two records in the same name of the same game are one if they are equal. */
static int
check_twin(struct ladder *ladder, const struct ladder_game *game,
	   const char *path, char why[LADDER_WHY_BYTES])
{
	char other[LADDER_PATH_BYTES];
	struct ladder_game rated;
	int result = read_game(ladder, game->id, &rated, why);

	if (result < 0)
		return result;
	if (memcmp(rated.hash, game->hash, sizeof(rated.hash)) == 0 &&
	    rated.serial == game->serial)
		return LADDER_OK;
	if ((result = ladder_game_path(ladder, &rated, other, why)) < 0)
		return result;
	return ladder_say(LADDER_BAD, why,
			  "%.200s and %.200s are different records of game %s",
			  other, path, game->id);
}

static int
forget(struct ladder *ladder, char why[LADDER_WHY_BYTES])
{
	static const enum ladder_sql steps[] = { SQL_FORGET_SEATS,
						 SQL_FORGET_GAMES,
						 SQL_FORGET_RATINGS };
	unsigned i;
	int result = LADDER_OK;

	for (i = 0; i < NELEM(steps) && result == LADDER_OK; i++)
		result = sql_run(ladder, sql_bind(ladder, steps[i], ""), why);
	ladder->last_rated = 0;
	return result;
}

/* Counts what is other than it was, seat by seat. */
static int
compare_game(struct ladder *before, const struct ladder_game *game,
	     struct ladder_rebuilt *report, char why[LADDER_WHY_BYTES])
{
	struct ladder_game was;
	int result = read_game(before, game->id, &was, why);
	unsigned i;

	if (result < 0)
		return result;
	report->games++;
	if (result == LADDER_OK) {
		report->added++;
		return LADDER_OK;
	}
	report->altered += memcmp(was.hash, game->hash, sizeof(was.hash)) != 0;
	for (i = 0; i < game->seats; i++)
		report->changed +=
			strcmp(was.seat[i].bot, game->seat[i].bot) != 0 ||
			was.seat[i].place != game->seat[i].place ||
			was.seat[i].points != game->seat[i].points ||
			was.seat[i].before_milli !=
				game->seat[i].before_milli ||
			was.seat[i].delta_milli != game->seat[i].delta_milli;
	return LADDER_OK;
}

static int
fold_files(struct ladder *ladder, struct ladder *before,
	   const struct folder_list *list, struct ladder_rebuilt *report,
	   char why[LADDER_WHY_BYTES])
{
	const struct folder_file *file;
	struct ladder_game game;
	char sentence[LADDER_WHY_BYTES];
	int result = LADDER_OK;
	bool mine;
	size_t i;

	for (i = 0; i < list->count && result >= 0; i++) {
		file = &list->file[i];
		result = game_from_file(ladder, file, &game, &mine, why);
		if (result != LADDER_COUNTED)
			continue;
		result = ladder_rate(ladder, &game, sentence);
		if (result == LADDER_OK)
			result = compare_game(before, &game, report, why);
		else if (result == LADDER_COUNTED)
			result = check_twin(ladder, &game, file->path, why);
		else
			ladder_say(result, why, "%.200s: %.300s", file->path,
				   sentence);
	}
	return result < 0 ? result : LADDER_OK;
}

/* Every game that was rated must be rated again. */
static int
check_missing(struct ladder *ladder, struct ladder *before,
	      char why[LADDER_WHY_BYTES])
{
	sqlite3_stmt *stmt = sql_bind(before, SQL_GAMES, "");
	struct ladder_game was = { 0 };
	char path[LADDER_PATH_BYTES];
	int result;

	while ((result = sql_step(before, stmt, why)) > 0) {
		was.serial = sqlite3_column_int64(stmt, 0);
		sql_text(stmt, 1, was.id, sizeof(was.id));
		was.folder = sqlite3_column_int64(stmt, 2);
		result = ladder_has_game(ladder, was.id, why);
		if (result == LADDER_COUNTED)
			continue;
		if (result == LADDER_OK)
			result = ladder_game_path(before, &was, path, why);
		if (result == LADDER_OK)
			result = ladder_say(
				LADDER_BAD, why,
				"%s: expected the record of game %" PRId64
				" there, nothing is rebuilt",
				path[0] ? path : "(no record was kept)",
				was.serial);
		sqlite3_reset(stmt);
		break;
	}
	return result;
}

/* Ratings as they are in `from`: how many of them `in` has not just so. */
static int
count_other(struct ladder *from, struct ladder *in, unsigned *other,
	    char why[LADDER_WHY_BYTES])
{
	sqlite3_stmt *stmt = sql_bind(from, SQL_RATINGS, ""), *same;
	int result, found, column;
	bool equal;

	while ((result = sql_step(from, stmt, why)) > 0) {
		same = sql_bind(in, SQL_RATING_GET, "ii",
				(int64_t)sqlite3_column_int64(stmt, 6),
				(int64_t)sqlite3_column_int64(stmt, 7));
		found = sql_step(in, same, why);
		equal = found > 0;
		for (column = 0; column < 6 && equal; column++)
			equal = sqlite3_column_int64(stmt, column) ==
				sqlite3_column_int64(same, column);
		sqlite3_reset(same);
		if (found < 0) {
			sqlite3_reset(stmt);
			return found;
		}
		*other += !equal;
	}
	return result;
}

static int
fold_anew(struct ladder *ladder, struct ladder *before,
	  const struct folder_list *list, struct ladder_rebuilt *report,
	  char why[LADDER_WHY_BYTES])
{
	unsigned gone = 0, other = 0;
	int result;

	if ((result = rate_begin(ladder, why)) < 0 ||
	    (result = forget(ladder, why)) < 0 ||
	    (result = fold_files(ladder, before, list, report, why)) < 0 ||
	    (result = check_missing(ladder, before, why)) < 0 ||
	    (result = count_other(ladder, before, &other, why)) < 0 ||
	    (result = count_other(before, ladder, &gone, why)) < 0)
		return result;
	report->changed += other > gone ? other : gone;
	return ladder_commit(ladder, why);
}

int
ladder_rebuild(struct ladder *ladder, struct ladder_rebuilt *report,
	       char why[LADDER_WHY_BYTES])
{
	struct folder_list list = { 0 };
	struct ladder *before;
	int result;

	*report = (struct ladder_rebuilt){ 0 };
	/* A second look at the file sees it as it was, while this one folds. */
	result = ladder_open(ladder->path, LADDER_READ, &before, why);
	if (result < 0)
		return result;
	result = list_records(ladder, &list, 0, why);
	if (result == LADDER_OK)
		result = fold_anew(ladder, before, &list, report, why);
	if (result < 0)
		rate_take_back(ladder);
	else
		ladder->behind = false;
	folder_release(&list);
	ladder_close(before);
	return result;
}
