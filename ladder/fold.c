/* ladder/fold.c - reads games from records, for folding.
 *
 * Records are read one after another in the order of their serials, so that
 * memory does not grow with what they say, only with how many there are. */
#include "ladder/store-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/folder.h"
#include "protocol/message.h"
#include "protocol/prune.h"

/* ---- one record ------------------------------------------------------- */

static int
copy_word(const char *what, const char *from, char *to, size_t size,
	  struct error *why)
{
	if (snprintf(to, size, "%s", from) >= (int)size)
		return error_set(why, ERROR_INPUT,
				 "the %s is longer than %zu bytes", what,
				 size - 1);
	return 0;
}

static int
join_options(const struct record *record, char text[LADDER_OPTIONS_BYTES],
	     struct error *why)
{
	size_t used = 0, room = LADDER_OPTIONS_BYTES;
	int n;

	text[0] = '\0';
	for (unsigned i = 0; i < record->options; i++) {
		n = snprintf(text + used, room - used, "%s%s=%s", i ? " " : "",
			     record->option[i].name, record->option[i].value);
		if (n < 0 || (size_t)n >= room - used)
			return error_set(why, ERROR_INPUT,
					 "the options are longer than %d "
					 "bytes",
					 LADDER_OPTIONS_BYTES - 1);
		used += (size_t)n;
	}
	return 0;
}

static int
copy_seats(const struct record *record, struct ladder_game *game,
	   struct error *why)
{
	int place[SEATS_MAX], result;
	const struct record_line *line;
	long points[SEATS_MAX];
	enum fault fault;
	unsigned seat;

	if (record_places(record, place, points, why) < 0)
		return -1;
	game->seats = record->seats;
	for (unsigned i = 0; i < record->bodies; i++) {
		line = &record->body[i];
		if (fault_line(line->text, line->n, &seat, &fault))
			game->seat[seat].faults[fault]++;
		game->moves += record_moves(line->text, line->n);
	}
	for (unsigned i = 0; i < record->seats; i++) {
		game->seat[i].place = place[i];
		game->seat[i].points = points[i];
		result = copy_word("name of a bot", record->name[i],
				   game->seat[i].bot, sizeof(game->seat[i].bot),
				   why);
		if (result < 0)
			return result;
	}
	return 0;
}

/* Reads the header lines `heir-of SEAT NAME`, one at most for each seat. */
static int
copy_heirs(const struct record *record, struct ladder_game *game,
	   struct error *why)
{
	static const char key[] = "heir-of ";
	const char *text;
	unsigned seat;
	int result = 0;

	for (unsigned i = 0; i < record->headers && result == 0; i++) {
		text = record->header[i].text;
		if (strncmp(text, key, strlen(key)) != 0)
			continue;
		text += strlen(key);
		seat = (unsigned)(text[0] - '0');
		if (seat >= record->seats || text[1] != ' ' ||
		    !message_name_ok(text + 2, strlen(text + 2)))
			return error_set(why, ERROR_INPUT,
					 "expected a header line `heir-of "
					 "SEAT NAME`");
		result = copy_word("name of a bot", text + 2,
				   game->seat[seat].heir_of,
				   sizeof(game->seat[seat].heir_of), why);
	}
	return result;
}

/* Reads the header line `block ID K`. */
static int
copy_block(const struct record *record, struct ladder_game *game,
	   struct error *why)
{
	const char *block = record_header(record, "block");

	if (block == NULL)
		return 0;
	if (strcspn(block, " ") != ID_BYTES)
		return error_set(why, ERROR_INPUT,
				 "expected a header line `block ID K`");
	memcpy(game->block, block, ID_BYTES);
	return 0;
}

int
ladder_game_from_record(const struct record *record, struct ladder_game *game,
			struct error *why)
{
	const char *value = record_header(record, "serial");
	char *end = NULL;
	int64_t serial = 0;

	if (value != NULL && *value >= '0' && *value <= '9')
		serial = strtoll(value, &end, 10);
	if (serial < 1 || *end != '\0')
		return error_set(why, ERROR_INPUT,
				 "expected a header line `serial N`");
	return ladder_game_with_serial(record, serial, game, why);
}

int
ladder_game_with_serial(const struct record *record, int64_t serial,
			struct ladder_game *game, struct error *why)
{
	const char *ended = record_header(record, "ended");
	const char *open = record_header(record, "open");
	int result;

	*game = (struct ladder_game){ .serial = serial };
	game->arrival = open != NULL && strcmp(open, "arrival") == 0;
	if ((result = copy_seats(record, game, why)) < 0 ||
	    (result = copy_word("id", record->id, game->id, sizeof(game->id),
				why)) < 0 ||
	    (result = copy_word("name of the game", record->game, game->game,
				sizeof(game->game), why)) < 0 ||
	    (result = copy_block(record, game, why)) < 0 ||
	    (result = copy_word("ended", ended ? ended : "", game->ended,
				sizeof(game->ended), why)) < 0 ||
	    (result = join_options(record, game->options, why)) < 0 ||
	    (result = copy_heirs(record, game, why)) < 0)
		return result;
	/* A pruned record still is the record of the game that was rated. */
	if (record_pruned(record, game->hash))
		game->moves = -1;
	else
		record_hash(record, game->hash);
	return 0;
}

bool
fold_is_same(const struct ladder_game *was, const struct ladder_game *game)
{
	if (memcmp(was->hash, game->hash, sizeof(was->hash)) != 0 ||
	    was->serial != game->serial || was->seats != game->seats ||
	    was->arrival != game->arrival ||
	    strcmp(was->game, game->game) != 0 ||
	    strcmp(was->options, game->options) != 0)
		return false;
	for (unsigned i = 0; i < game->seats; i++)
		if (strcmp(was->seat[i].bot, game->seat[i].bot) != 0 ||
		    was->seat[i].place != game->seat[i].place ||
		    was->seat[i].points != game->seat[i].points)
			return false;
	return true;
}

/* ---- one file --------------------------------------------------------- */

int
fold_prefix(struct error *why, const char *path)
{
	return error_prefix(why, "%.300s:%s", path,
			    *why->text >= '0' && *why->text <= '9' ? "" : " ");
}

/* Handles an unreadable file.  Returns 0 if it is gone or names another ladder
 * or none, else -1. */
static int
unreadable(const struct ladder *ladder, struct pack_cache *cache,
	   const struct folder_file *file, ladder_check *check,
	   struct error *why)
{
	char id[ID_BYTES + 2];
	struct error ignored;

	if (folder_is_gone(file))
		return 0;
	why->kind = check != NULL ? ERROR_ANSWER : ERROR_INPUT;
	if (folder_ladder(cache, file, id, &ignored) < 0)
		why->kind = ERROR_MACHINE;
	else if (strcmp(id, ladder_id(ladder)) != 0)
		return 0;
	return -1;
}

int
fold_game(const struct ladder *ladder, struct pack_cache *cache,
	  const struct folder_file *file, ladder_check *check,
	  struct ladder_game *game, bool *mine, struct error *why)
{
	char name[LADDER_FILE_BYTES];
	struct record *record;
	const char *id;
	int result = 0;

	*mine = false;
	if (packed_record(cache, file->path, &record, why) < 0)
		return unreadable(ladder, cache, file, check, why);
	id = record_header(record, "ladder");
	*mine = id != NULL && strcmp(id, ladder_id(ladder)) == 0;
	if (*mine && check != NULL && record->aborted == NULL)
		result = check(record, file->path, why);
	if (*mine && record->aborted == NULL && result == 0) {
		result = ladder_game_from_record(record, game, why);
		game->folder = file->folder;
		ladder_file_name(ENTRY_GAME, game->serial, game->id, name);
		if (result < 0)
			fold_prefix(why, file->path);
		else if (strcmp(strrchr(file->path, '/') + 1, name) != 0)
			result = error_set(why, ERROR_INPUT,
					   "%s: by its header the name must "
					   "be %s",
					   file->path, name);
		else
			result = LADDER_FOUND;
	}
	record_free(record);
	return result;
}

int
fold_list(struct ladder *ladder, struct folder_list *list, int64_t after,
	  bool sweep, struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&ladder->sql,
			 "SELECT folder, path FROM folder ORDER BY folder", "");
	char stored[LADDER_PATH_BYTES], path[LADDER_PATH_BYTES];
	int result, ours;

	list->id = ladder_id(ladder);
	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		sql_path(stmt, 1, stored, sizeof(stored));
		place_long(&ladder->place, stored, path, LADDER_PATH_BYTES);
		ours = sweep ? founding_check(ladder, path, NULL, why) : 0;
		result = ours < 0
				 ? -1
				 : folder_read(
					   list, path,
					   sqlite3_column_int64(stmt, 0), after,
					   ours > 0 ? ladder_id(ladder) : NULL,
					   why);
		if (result < 0) {
			sqlite3_reset(stmt);
			return result;
		}
	}
	folder_sort(list);
	return result;
}

/* ---- what a list tells ------------------------------------------------ */

int
fold_look_for_missing(struct ladder *ladder, const struct folder_list *list,
		      struct error *why)
{
	int64_t known;
	int result = sql_number(&ladder->sql, why, &known,
				"SELECT (SELECT count(folder) FROM game) +"
				" (SELECT count(*) FROM void) +"
				" (SELECT count(*) FROM setting"
				" WHERE from_serial > 0)",
				"");

	ladder->missing = known > (int64_t)list->passed
				  ? known - (int64_t)list->passed
				  : 0;
	return result;
}

/* ---- what lies in no folder any more ------------------------------------ */

/* The ladder's file has all that a fold takes from an entry.  So a void needs
 * no record of other games.  A proof must read the folders alone. */

static int
recall_game(struct ladder *ladder, struct ladder *before, const char *id,
	    struct error *why)
{
	struct ladder_game game;
	int result = ladder_game_find(before, id, &game, why);

	if (result == 0)
		result = sql_damaged(&before->sql, why, "game %s has no pool",
				     id);
	else if (result > 0)
		result = sql_number(&before->sql, why, &game.moves,
				    "SELECT moves FROM course WHERE serial = ?",
				    "i", game.serial);
	return result < 0 ? result : store_rate(ladder, &game, why);
}

int
recall_entries(struct ladder *ladder, struct ladder *before, int64_t below,
	       const char *until, struct error *why)
{
	char id[ID_BYTES + 1];
	int64_t serial, k_milli, start_milli; /* K of a game: -1 */
	int result;

	while ((result = sql_row(&before->sql, why,
				 "SELECT serial, id, -1, 0 FROM game"
				 " WHERE serial > ?1 AND serial < ?2"
				 " AND (?3 IS NULL OR ended < ?3)"
				 " UNION ALL SELECT from_serial, id, k_milli, "
				 "start_milli"
				 " FROM setting"
				 " WHERE from_serial > ?1 AND from_serial < ?2"
				 " ORDER BY 1 LIMIT 1",
				 "iis", ladder->last, below, until, "isii",
				 &serial, id, sizeof(id), &k_milli,
				 &start_milli)) > 0) {
		result = k_milli < 0 ? recall_game(ladder, before, id, why)
				     : setting_add(&ladder->sql, serial, id,
						   k_milli, start_milli, why);
		if (result < 0)
			break;
		/* A game may have come before under another serial. */
		store_pass(ladder, serial);
	}
	return result;
}
