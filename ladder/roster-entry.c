/* ladder/roster-entry.c - keeps the entries of bots that live on the daemon's
 * machine.  Each version of a bot is another entry, with a name of its own in
 * records and ladders. */
#include "ladder/roster-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "protocol/clock.h"

#define ENTRY                                                                  \
	"SELECT entry.bot, name, state, number, stands_as, version, hash,"     \
	" ladders, entry.made, owner FROM entry"                               \
	" JOIN bot ON bot.bot = entry.bot "

/* The turn that puts an entry of bot ?1 in front. */
#define NEXT_TURN "(SELECT ifnull(max(turn), 0) + 1 FROM entry WHERE bot = ?1)"

/* ---- reading ---------------------------------------------------------- */

/* Reads a row of ENTRY. */
static void
read_entry(sqlite3_stmt *stmt, struct roster_entry *entry)
{
	memset(entry, 0, sizeof(*entry));
	entry->bot = sqlite3_column_int64(stmt, 0);
	sql_text(stmt, 1, entry->name, sizeof(entry->name));
	entry->state = (enum roster_state)sqlite3_column_int(stmt, 2);
	entry->number = sqlite3_column_int64(stmt, 3);
	sql_text(stmt, 4, entry->stands_as, sizeof(entry->stands_as));
	sql_text(stmt, 5, entry->version, sizeof(entry->version));
	sql_text(stmt, 6, entry->hash, sizeof(entry->hash));
	sql_text(stmt, 7, entry->ladders, sizeof(entry->ladders));
	entry->made = sqlite3_column_int64(stmt, 8);
	sql_text(stmt, 9, entry->owner, sizeof(entry->owner));
}

int
roster_entry_of(struct roster *roster, int64_t number,
		struct roster_entry *entry, struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(&roster->sql,
				      ENTRY "WHERE entry.bot = ?"
					    " ORDER BY turn DESC LIMIT 1",
				      "i", number);
	int result = sql_step(&roster->sql, stmt, why);

	if (result <= 0)
		return result;
	read_entry(stmt, entry);
	sqlite3_reset(stmt);
	return LADDER_FOUND;
}

static int
tell_all(struct roster *roster, sqlite3_stmt *stmt,
	 void (*each)(void *arg, const struct roster_entry *entry), void *arg,
	 struct error *why)
{
	struct roster_entry entry;
	int result;

	while ((result = sql_step(&roster->sql, stmt, why)) > 0) {
		read_entry(stmt, &entry);
		each(arg, &entry);
	}
	return result;
}

int
roster_entries(struct roster *roster,
	       void (*each)(void *arg, const struct roster_entry *entry),
	       void *arg, struct error *why)
{
	return tell_all(roster,
			sql_bind(&roster->sql,
				 ENTRY
				 "WHERE turn = (SELECT max(turn) FROM entry"
				 " AS last WHERE last.bot = entry.bot)"
				 " ORDER BY name",
				 ""),
			each, arg, why);
}

int
roster_entries_of(struct roster *roster, int64_t number,
		  void (*each)(void *arg, const struct roster_entry *entry),
		  void *arg, struct error *why)
{
	return tell_all(roster,
			sql_bind(&roster->sql,
				 ENTRY "WHERE entry.bot BETWEEN ? AND ?"
				       " ORDER BY entry.bot, turn DESC",
				 "ii", number,
				 number == 0 ? INT64_MAX : number),
			each, arg, why);
}

/* ---- a new one -------------------------------------------------------- */

/* Returns 1 if a bot or an entry has or had this name, else 0; or -1. */
static int
is_taken(struct roster *roster, const char *name, struct error *why)
{
	return sql_row(&roster->sql, why,
		       "SELECT 1 FROM name WHERE name = ?1 UNION ALL"
		       " SELECT 1 FROM entry WHERE stands_as = ?1",
		       "s", name, "");
}

int
roster_first_name(struct roster *roster, int64_t number,
		  char first[NAME_BYTES + 1], struct error *why)
{
	int result = sql_row(&roster->sql, why,
			     "SELECT name FROM name WHERE bot = ?"
			     " ORDER BY number LIMIT 1",
			     "i", number, "s", first, (size_t)NAME_BYTES + 1);

	return result == 0 ? sql_damaged(&roster->sql, why, "a bot has no name")
			   : result;
}

/* Sets stands_as to `FIRST`, or for a later entry to the next free one of
 * `FIRST.2` and so on. */
static int
give_name(struct roster *roster, struct roster_entry *entry, struct error *why)
{
	char first[NAME_BYTES + 1];
	int64_t n = entry->number;
	char tail[24];
	int result, length;

	result = roster_first_name(roster, entry->bot, first, why);
	if (result < 0)
		return result;
	snprintf(entry->stands_as, sizeof(entry->stands_as), "%s", first);
	if (n == 1)
		return 0;
	do {
		length = snprintf(tail, sizeof(tail), ".%" PRId64, n++);
		snprintf(entry->stands_as, sizeof(entry->stands_as), "%.*s%s",
			 NAME_BYTES - length, first, tail);
		result = is_taken(roster, entry->stands_as, why);
	} while (result > 0);
	return result;
}

/* Finds the bot of the entry, or makes it. */
static int
find_bot(struct roster *roster, struct roster_entry *entry, struct error *why)
{
	struct roster_bot bot;

	if (roster_find(roster, entry->name, &bot, why) < 0)
		return why->kind != ERROR_INPUT
			       ? -1
			       : roster_add_bot(roster, entry->name,
						&entry->bot, why);
	entry->bot = bot.number;
	entry->state = bot.state;
	if (strcmp(bot.name, entry->name) != 0)
		return error_set(why, ERROR_INPUT, "bot %s is called %s now",
				 entry->name, bot.name);
	if (bot.state == ROSTER_DELETED)
		return error_set(why, ERROR_INPUT,
				 "bot %s was removed, and its name stays "
				 "taken",
				 entry->name);
	return 0;
}

static int
write_entry(struct roster *roster, struct roster_entry *entry,
	    struct error *why)
{
	int result = give_name(roster, entry, why);

	if (result < 0)
		return result;
	entry->made = clock_seconds();
	return sql_do(
		&roster->sql, why,
		"INSERT INTO entry VALUES (?1, ?, ?, ?, ?, ?, ?, " NEXT_TURN
		")",
		"iissssi", entry->bot, entry->number, entry->stands_as,
		entry->version, entry->hash, entry->ladders, entry->made);
}

static int
enter(struct roster *roster, struct roster_entry *entry, struct error *why)
{
	struct roster_entry last = { .number = 0 };
	int64_t count = 0;
	int result = find_bot(roster, entry, why);

	if (result == 0)
		result = roster_entry_of(roster, entry->bot, &last, why);
	if (result >= 0)
		result = sql_number(&roster->sql, why, &count,
				    "SELECT count(*) FROM entry WHERE bot = ?",
				    "i", entry->bot);
	if (result < 0)
		return result;
	entry->number = count + 1;
	if (strcmp(last.hash, entry->hash) == 0) {
		*entry = last;
		return LADDER_FOUND;
	}
	if (count >= ROSTER_ENTRIES_MAX)
		return error_set(why, ERROR_INPUT,
				 "this bot has had %d versions, the most that "
				 "a bot may have",
				 ROSTER_ENTRIES_MAX);
	return write_entry(roster, entry, why);
}

int
roster_enter(struct roster *roster, struct roster_entry *entry,
	     struct error *why)
{
	int result = roster_begin(roster, why), done;

	if (result < 0)
		return result;
	result = enter(roster, entry, why);
	done = result == 0 ? roster_finish_deed(roster, 0, "enter", entry->name,
						entry->stands_as, why)
			   : roster_finish(roster, result < 0 ? -1 : 0, why);
	return done < 0 ? done : result;
}

/* ---- an earlier one again ---------------------------------------------- */

static int
find_number(struct roster *roster, const struct roster_bot *bot, int64_t number,
	    struct roster_entry *entry, struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(
		&roster->sql, ENTRY "WHERE entry.bot = ? AND number = ?", "ii",
		bot->number, number);
	int result = sql_step(&roster->sql, stmt, why);

	if (result < 0)
		return result;
	if (result == 0)
		return error_set(why, ERROR_INPUT,
				 "bot %s has no version %" PRId64, bot->name,
				 number);
	read_entry(stmt, entry);
	sqlite3_reset(stmt);
	return 0;
}

int
roster_entry_find(struct roster *roster, const char *name, int64_t number,
		  struct roster_entry *entry, struct error *why)
{
	struct roster_bot bot;
	int result = roster_find(roster, name, &bot, why);

	return result < 0 ? result
			  : find_number(roster, &bot, number, entry, why);
}

int
roster_go_back(struct roster *roster, const char *name, int64_t number,
	       struct roster_entry *entry, struct error *why)
{
	struct roster_entry last = { .number = 0 };
	struct roster_bot bot;
	int result = roster_begin_with(roster, name, &bot, why);

	if (result < 0)
		return result;
	result = find_number(roster, &bot, number, entry, why);
	if (result == 0)
		result = roster_entry_of(roster, bot.number, &last, why);
	if (result == LADDER_FOUND && last.number == number)
		return roster_finish(roster, 0, why) < 0 ? -1 : LADDER_FOUND;
	if (result >= 0)
		result = sql_do(&roster->sql, why,
				"UPDATE entry SET turn = " NEXT_TURN
				" WHERE bot = ?1 AND number = ?2",
				"ii", bot.number, number);
	return roster_finish_deed(roster, result, "back", name,
				  entry->stands_as, why);
}
