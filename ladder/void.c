/* ladder/void.c - games that must not count, as numbered files beside the
 * records.
 *
 * A void is written when all else that it changes stands in the transaction,
 * and before that ends: a cut leaves both or the file, and from the file
 * ladder_settle() does the rest. */
#include "ladder/void.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ladder/durable.h"
#include "ladder/folder.h"
#include "ladder/store-inside.h"
#include "protocol/date.h"
#include "protocol/message.h"

#define ID_LEAST 8 /* digits of an ID, as tables have them */

/* ---- reading files ---------------------------------------------------- */

static int
remember(struct ladder *ladder, int64_t number, const char *why_void,
	 struct error *why)
{
	return sql_do(&ladder->sql, why, "INSERT INTO void VALUES (?, ?)", "is",
		      number, why_void);
}

static int
remember_game(struct ladder *ladder, int64_t number, const char *id,
	      struct error *why)
{
	/* The first one that names a game has it. */
	return sql_do(&ladder->sql, why,
		      "INSERT OR IGNORE INTO voided VALUES (?, ?)", "si", id,
		      number);
}

/* A file that is read: lines one after another. */
struct reading {
	const struct folder_file *file;
	FILE *stream;
	char *line; /* owned; without its LF */
	size_t room;
	unsigned number;
};

/* False at the end, and at a line that is not whole. */
static bool
next_line(struct reading *reading)
{
	ssize_t n = getline(&reading->line, &reading->room, reading->stream);

	reading->number++;
	if (n < 1 || reading->line[n - 1] != '\n')
		return false;
	reading->line[n - 1] = '\0';
	return true;
}

/* What stands behind the word `key` in the next line; NULL: another line. */
static const char *
value_of(struct reading *reading, const char *key)
{
	size_t n = strlen(key);

	if (!next_line(reading) || strncmp(reading->line, key, n) != 0 ||
	    reading->line[n] != ' ')
		return NULL;
	return reading->line + n + 1;
}

static int
expected(const struct reading *reading, const char *what, struct error *why)
{
	return error_set(why, ERROR_INPUT,
			 "%.300s:%u: expected a line `%s`: mend this void",
			 reading->file->path, reading->number, what);
}

/* `game SERIAL ID` each, at least one. */
static int
read_games(struct ladder *ladder, struct reading *reading, struct error *why)
{
	const char *value, *id;
	unsigned games = 0;
	int result = 0;

	while (result == 0 && (value = value_of(reading, "game")) != NULL) {
		id = strchr(value, ' ');
		if (id == NULL || !message_name_ok(id + 1, strlen(id + 1)))
			return expected(reading, "game SERIAL ID", why);
		games++;
		result = remember_game(ladder, reading->file->serial, id + 1,
				       why);
	}
	if (result == 0 && (games == 0 || !feof(reading->stream)))
		return expected(reading, "game SERIAL ID", why);
	return result;
}

/* One of another ladder is passed over. */
static int
read_void(struct ladder *ladder, struct reading *reading, struct error *why)
{
	const char *value = value_of(reading, "void");
	int result;

	if (value == NULL || strcmp(value, "1") != 0)
		return expected(reading, "void 1", why);
	if ((value = value_of(reading, "ladder")) == NULL)
		return expected(reading, "ladder ID", why);
	if (strcmp(value, ladder_id(ladder)) != 0)
		return 0;
	if ((value = value_of(reading, "number")) == NULL ||
	    strtoll(value, NULL, 10) != reading->file->serial)
		return expected(reading, "number N` with that of its name, `",
				why);
	if (value_of(reading, "date") == NULL)
		return expected(reading, "date DATE", why);
	if ((value = value_of(reading, "why")) == NULL ||
	    !ladder_void_why_ok(value))
		return expected(reading, "why TEXT", why);
	result = remember(ladder, reading->file->serial, value, why);
	return result < 0 ? result : read_games(ladder, reading, why);
}

int
void_load(struct ladder *ladder, const struct folder_list *list,
	  struct error *why)
{
	struct reading reading = { 0 };
	int result = 0;
	size_t i;

	for (i = 0; i < list->voids && result == 0; i++) {
		/* The same in two folders is one. */
		if (i > 0 &&
		    list->void_file[i].serial == list->void_file[i - 1].serial)
			continue;
		reading.file = &list->void_file[i];
		reading.number = 0;
		reading.stream = fopen(reading.file->path, "re");
		if (reading.stream == NULL) {
			result = error_set(why, ERROR_MACHINE,
					   "cannot read %s: %m",
					   reading.file->path);
			break;
		}
		result = read_void(ladder, &reading, why);
		fclose(reading.stream);
	}
	free(reading.line);
	return result;
}

int
void_last(struct ladder *ladder, int64_t *number, struct error *why)
{
	return sql_number(&ladder->sql, why, number,
			  "SELECT ifnull(max(number), 0) FROM void", "");
}

int
void_check_missing(struct ladder *ladder, struct ladder *before,
		   struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(
		&before->sql, "SELECT number FROM void ORDER BY number", "");
	int result, found;
	int64_t number;

	while ((result = sql_step(&before->sql, stmt, why)) > 0) {
		number = sqlite3_column_int64(stmt, 0);
		found = sql_row(&ladder->sql, why,
				"SELECT 1 FROM void WHERE number = ?", "i",
				number, "");
		if (found > 0)
			continue;
		sqlite3_reset(stmt);
		return found < 0
			       ? found
			       : error_set(why, ERROR_ANSWER,
					   "expected the void %08" PRId64
					   ".void beside the records, nothing "
					   "is rebuilt; restore it, or name "
					   "its folder with --records",
					   number);
	}
	return result;
}

int
void_of(struct ladder *ladder, const char *id, bool *voided, struct error *why)
{
	int result = sql_row(&ladder->sql, why,
			     "SELECT 1 FROM voided WHERE id = ?", "s", id, "");

	*voided = result > 0;
	return result < 0 ? result : 0;
}

/* ---- which games ------------------------------------------------------ */

struct choice {
	FILE *to; /* lines of a void */
	const char *since;
	unsigned games;
	int64_t folder; /* where the first one's record is */
	struct ladder_game last;
};

static void
choose(struct choice *choice, const struct ladder_game *game)
{
	fprintf(choice->to, "game %" PRId64 " %s\n", game->serial, game->id);
	if (choice->games++ == 0)
		choice->folder = game->folder;
}

/* For ladder_games(). */
static void
choose_since(void *arg, const struct ladder_game *game)
{
	struct choice *choice = arg;

	if (game->void_number == 0 && strcmp(game->ended, choice->since) >= 0)
		choose(choice, game);
}

static int
choose_by_bot(struct ladder *ladder, const struct ladder_voiding *how,
	      struct choice *choice, struct error *why)
{
	int result;

	choice->since = how->since;
	result = ladder_games(ladder, how->bot, 0, choose_since, choice, why);
	if (result < 0 || choice->games > 0)
		return result;
	return error_set(why, ERROR_INPUT,
			 "ladder %s: since %s %s has no game that is not "
			 "voided",
			 ladder->place.path, how->since, how->bot);
}

/* By the whole ID or how it begins. */
static int
choose_by_id(struct ladder *ladder, const char *id, struct choice *choice,
	     struct error *why)
{
	char found[ID_BYTES + 1] = "";
	sqlite3_stmt *stmt = sql_bind(&ladder->sql,
				      "SELECT id FROM game"
				      " WHERE substr(id, 1, length(?1)) = ?1"
				      " ORDER BY length(id), id LIMIT 2",
				      "s", id);
	struct ladder_game *game = &choice->last;
	unsigned count = 0;
	int result;

	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		sql_text(stmt, 0, found, sizeof(found));
		count++;
		if (strcmp(found, id) == 0) { /* it comes first */
			count = 1;
			sqlite3_reset(stmt);
			break;
		}
	}
	if (result < 0)
		return result;
	if (count == 0 || (strlen(id) < ID_LEAST && strcmp(found, id) != 0))
		return error_set(why, ERROR_INPUT,
				 "ladder %s has rated no game %s",
				 ladder->place.path, id);
	if (count > 1)
		return error_set(why, ERROR_INPUT,
				 "ladder %s has several games that begin with "
				 "%s",
				 ladder->place.path, id);
	if ((result = ladder_game_find(ladder, found, game, why)) < 0)
		return result;
	if (game->void_number > 0)
		return error_set(why, ERROR_INPUT,
				 "game %s is voided already (%s)", found,
				 game->void_why);
	choose(choice, game);
	return 0;
}

/* ---- a new one -------------------------------------------------------- */

void
ladder_void_name(int64_t number, char name[LADDER_FILE_BYTES])
{
	snprintf(name, LADDER_FILE_BYTES, "%08" PRId64 FOLDER_VOID, number);
}

bool
ladder_void_why_ok(const char *text)
{
	size_t n = 0;

	for (; text[n] != '\0'; n++)
		if (text[n] < ' ' || text[n] > '~' || n == LADDER_VOID_BYTES)
			return false;
	return n > 0;
}

bool
ladder_date_ok(const char *text)
{
	char whole[LADDER_DATE_BYTES];

	return snprintf(whole, sizeof(whole), "%s%s", text,
			strchr(text, 'T') == NULL ? "T00:00:00Z" : "") <
		       (int)sizeof(whole) &&
	       date_read(whole) >= 0;
}

int
void_write(struct ladder *ladder, struct void_new *new, struct error *why)
{
	char path[LADDER_PATH_BYTES + 64], date[LADDER_DATE_BYTES];
	char name[LADDER_FILE_BYTES], dir[LADDER_PATH_BYTES], *text;
	int result = read_folder(ladder, new->folder, dir, why);

	if (result < 0)
		return result;
	if (result == 0)
		return error_set(why, ERROR_INPUT,
				 "ladder %s keeps no record of these games, so "
				 "none can be voided",
				 ladder->place.path);
	ladder_void_name(new->number, name);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	date_write((int64_t)time(NULL), date);
	text = formatted(
		"void 1\nladder %s\nnumber %" PRId64 "\ndate %s\nwhy %s\n%s",
		ladder_id(ladder), new->number, date, new->why, new->games);
	result = ladder->keep_void == NULL
			 ? 0
			 : ladder->keep_void(ladder->keep_void_arg, new->number,
					     text, strlen(text), why);
	if (result == 0 && file_make(path, 0, text, strlen(text)) < 0)
		result = error_set(why, ERROR_MACHINE,
				   "cannot write %.300s: %m", path);
	free(text);
	return result;
}

int
void_enter(struct ladder *ladder, const struct folder_list *list,
	   struct void_new *new, struct error *why)
{
	const char *line, *end;
	char id[ID_BYTES + 1];
	int result;

	new->number =
		list->voids > 0 ? list->void_file[list->voids - 1].serial : 0;
	if (new->number < new->known)
		new->number = new->known;
	new->number++;
	result = remember(ladder, new->number, new->why, why);
	for (line = new->games; *line != '\0' && result == 0; line = end + 1) {
		end = strchr(line, '\n');
		line = strchr(strchr(line, ' ') + 1, ' ') + 1;
		snprintf(id, sizeof(id), "%.*s", (int)(end - line), line);
		result = remember_game(ladder, new->number, id, why);
	}
	return result;
}

static int
check_order(const struct ladder_voiding *how, struct error *why)
{
	if (!ladder_void_why_ok(how->why))
		return error_set(why, ERROR_INPUT,
				 "a reason has 1 to %d printable characters",
				 LADDER_VOID_BYTES);
	if (how->bot != NULL && !ladder_date_ok(how->since))
		return error_set(why, ERROR_INPUT,
				 "a date is like 2026-11-22 or "
				 "2026-11-22T10:00:00Z, not %s",
				 quoted(how->since).text);
	return 0;
}

int
ladder_void(struct ladder *ladder, const struct ladder_voiding *how,
	    struct ladder_voided *report, struct error *why)
{
	const struct ladder_rebuilding rebuilding = { .gaps = true,
						      .stop = how->stop };
	struct ladder_rebuilt rebuilt;
	struct choice choice = { 0 };
	struct void_new new = { .why = how->why };
	char *games = NULL;
	unsigned count;
	size_t n;
	int result = check_order(how, why);

	*report = (struct ladder_voided){ 0 };
	if (result == 0) /* what waits may be what is meant */
		result = ladder_settle(ladder, &count, why);
	if (result < 0)
		return result;
	choice.to = open_memstream(&games, &n);
	if (choice.to == NULL)
		bug("out of memory");
	if (how->games != NULL) {
		fputs(how->games, choice.to);
		choice.folder = how->folder;
	} else {
		result = how->bot != NULL
				 ? choose_by_bot(ladder, how, &choice, why)
				 : choose_by_id(ladder, how->id, &choice, why);
	}
	fclose(choice.to);
	if (result == 0)
		result = void_last(ladder, &new.known, why);
	if (result == 0) {
		new.games = games;
		new.folder = choice.folder;
		result = rebuild_with(ladder, &rebuilding, &new, &rebuilt, why);
	}
	report->number = new.number;
	report->games = choice.games;
	free(games);
	return result;
}
