/* ladder/void.c - voids games that must not count. */
#include "ladder/store-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ladder/log.h"
#include "protocol/date.h"
#include "protocol/message.h"

#define ID_LEAST 8 /* bytes of an ID, as tables show them */

/* ---- the text --------------------------------------------------------- */

/* Reads lines `game SERIAL ID`, at least one. */
static int
take_games(struct ladder *ladder, int64_t serial, struct entry_lines *lines,
	   struct error *why)
{
	const char *value, *id;
	int result;

	do {
		value = entry_value(lines, "game");
		id = value == NULL ? NULL : strchr(value, ' ');
		if (id == NULL || !message_name_ok(id + 1, strlen(id + 1)))
			return entry_expected(lines, "game SERIAL ID", why);
		/* The first void that names a game counts. */
		result = ladder == NULL ? 0
					: sql_do(&ladder->sql, why,
						 "INSERT OR IGNORE INTO voided "
						 "VALUES (?, ?)",
						 "si", id + 1, serial);
	} while (result == 0 && lines->at < lines->end);
	return result;
}

int
void_take(struct ladder *ladder, int64_t serial, const struct text *text,
	  struct error *why)
{
	struct entry_lines lines;
	char id[ID_BYTES + 1];
	const char *reason;
	int64_t told;
	int result = entry_begin(&lines, ENTRY_VOID, text, &told, id, why);

	if (result < 0)
		return result;
	reason = entry_value(&lines, "why");
	if (reason == NULL || !ladder_void_why_ok(reason))
		return entry_expected(&lines, "why TEXT", why);
	result =
		ladder == NULL ? 0 : entry_check(ladder, serial, told, id, why);
	if (result == 0 && ladder != NULL)
		result = sql_do(&ladder->sql, why,
				"INSERT INTO void VALUES (?, ?, ?)", "iss",
				serial, id, reason);
	return result != 0 ? result : take_games(ladder, serial, &lines, why);
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
	struct text to; /* takes the lines of a void */
	const char *since;
	unsigned games;
	struct ladder_game last;
};

static void
choose(struct choice *choice, const struct ladder_game *game)
{
	text_fmt(&choice->to, "game %" PRId64 " %s\n", game->serial, game->id);
	choice->games++;
}

/* Gets each game from ladder_games(). */
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

/* Chooses a game by its whole ID or by the beginning of it. */
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
		if (strcmp(found, id) == 0) { /* an exact match comes first */
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

/* Opens a log in the last folder that the ladder came to know and that has its
 * founding.  The ladder's file alone may name foreign folders. */
static int
open_log(struct ladder *ladder, struct ladder_log **log, struct error *why)
{
	char dir[LADDER_PATH_BYTES] = "";
	int64_t folder = INT64_MAX;
	int found = founding_own(ladder, NULL, why);

	while (found == 0) {
		if (sql_number(&ladder->sql, why, &folder,
			       "SELECT ifnull(max(folder), 0) FROM folder"
			       " WHERE folder < ?",
			       "i", folder) < 0)
			return -1;
		if (folder == 0)
			break;
		if (read_folder(ladder, folder, dir, why) < 0)
			return -1;
		found = founding_check(ladder, dir, NULL, why);
	}
	if (found > 0)
		return ladder_log_files(ladder, dir, log, why);
	if (found < 0)
		return -1;
	if (dir[0] != '\0')
		return error_set(why, ERROR_INPUT,
				 "no folder of ladder %.300s has its founding, "
				 "so a void is written nowhere; restore "
				 "00000000-%s.ladder beside the records",
				 ladder->place.path, ladder->id);
	return error_set(why, ERROR_INPUT,
			 "ladder %s keeps no records, so no game can be voided",
			 ladder->place.path);
}

static int
append_void(struct ladder *ladder, struct ladder_log *log,
	    const struct ladder_voiding *how, const struct text *games,
	    struct error *why)
{
	char id[ID_BYTES + 1];
	struct text text = { .max = SIZE_MAX };
	struct log_entry entry = { .serial = log->last + 1,
				   .id = id,
				   .text = &text,
				   .path = id,
				   .kind = ENTRY_VOID };
	const struct ladder_rebuilding again = {
		.recall = true, .log = log, .more = &entry, .stop = how->stop
	};
	struct ladder_rebuilt rebuilt;
	int result;

	entry_write(&text, ENTRY_VOID, entry.serial, ladder_id(ladder), id);
	text_fmt(&text, "why %s\n", how->why);
	text_add(&text, games->bytes, games->used);
	entry_write_end(&text);
	result = ladder_rebuild(ladder, &again, &rebuilt, why);
	if (result < 0 && !entry.durable)
		error_prefix(why, log->unsure ? "it is not known whether the "
						"games are voided: "
					      : "nothing is voided: ");
	text_release(&text);
	return result;
}

static int
void_in(struct ladder *ladder, struct ladder_log *log,
	const struct ladder_voiding *how, struct ladder_voided *report,
	struct error *why)
{
	struct choice choice = { .to = { .max = SIZE_MAX } };
	unsigned count = 0;
	int result;

	/* The game may still wait to be folded. */
	if (ladder_follow(ladder, log, NULL, &count, why) < 0)
		return -1;
	result = how->bot != NULL ? choose_by_bot(ladder, how, &choice, why)
				  : choose_by_id(ladder, how->id, &choice, why);
	report->serial = log->last + 1;
	report->games = choice.games;
	if (result == 0)
		result = append_void(ladder, log, how, &choice.to, why);
	text_release(&choice.to);
	return result;
}

int
ladder_void(struct ladder *ladder, struct ladder_log *log,
	    const struct ladder_voiding *how, struct ladder_voided *report,
	    struct error *why)
{
	struct ladder_log *own = NULL;
	int result = check_order(how, why);

	*report = (struct ladder_voided){ 0 };
	if (result == 0 && log == NULL)
		result = open_log(ladder, &own, why);
	if (result == 0)
		result = void_in(ladder, log != NULL ? log : own, how, report,
				 why);
	ladder_log_free(own);
	return result;
}
