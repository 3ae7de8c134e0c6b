/* ladder/roster.c - looks up, lists and changes the bots of a data folder.
 *
 * The hash of a token covers the bot's number, so that a row's hash is worth
 * nothing in another row. roster_check() always reads one row, that of the bot
 * or, if the name is unknown, row 0.  It always makes and compares one hash. */
#include "ladder/roster-inside.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "protocol/ascii.h"
#include "protocol/clock.h"
#include "protocol/message.h"

#define BOT                                                                    \
	"SELECT bot, name, state, reason, since, made, token, owner,"          \
	" token_used FROM bot "

/* ---- transactions ------------------------------------------------------ */

int
roster_begin(struct roster *roster, struct error *why)
{
	return sql_do(&roster->sql, why, "BEGIN IMMEDIATE", "");
}

int
roster_finish(struct roster *roster, int result, struct error *why)
{
	struct error ignored;

	if (result == 0)
		result = sql_do(&roster->sql, why, "COMMIT", "");
	if (result != 0 && !sqlite3_get_autocommit(roster->sql.db) &&
	    sql_do(&roster->sql, &ignored, "ROLLBACK", "") < 0)
		ignored.text[0] =
			'\0'; /* SQLite rolls it back when it closes */
	return result;
}

/* ---- tokens ----------------------------------------------------------- */

void
roster_hash(const struct roster *roster, const char *purpose, int64_t number,
	    const char *token, size_t n, unsigned char hash[ROSTER_HASH_BYTES])
{
	crypto_generichash_state state;
	unsigned char bytes[8];
	unsigned i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)((uint64_t)number >> (8 * i));
	crypto_generichash_init(&state, roster->key, ROSTER_KEY_BYTES,
				ROSTER_HASH_BYTES);
	/* The purpose ends with its NUL, and the number has a fixed length, so
	 * that different inputs never give the same bytes. */
	crypto_generichash_update(&state, (const unsigned char *)purpose,
				  strlen(purpose) + 1);
	crypto_generichash_update(&state, bytes, sizeof(bytes));
	crypto_generichash_update(&state, (const unsigned char *)token, n);
	crypto_generichash_final(&state, hash, ROSTER_HASH_BYTES);
	sodium_memzero(&state, sizeof(state));
}

void
roster_make_token(char token[ROSTER_TOKEN_BYTES + 1])
{
	unsigned char bytes[ROSTER_TOKEN_BYTES / 2];

	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(token, ROSTER_TOKEN_BYTES + 1, bytes, sizeof(bytes));
	sodium_memzero(bytes, sizeof(bytes));
}

static int
set_token(struct roster *roster, int64_t number,
	  char token[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	unsigned char hash[ROSTER_HASH_BYTES];

	roster_make_token(token);
	roster_hash(roster, ROSTER_BOT_TOKEN, number, token, ROSTER_TOKEN_BYTES,
		    hash);
	return sql_do(&roster->sql, why,
		      "UPDATE bot SET token = ?, token_made = ?,"
		      " token_used = NULL WHERE bot = ?",
		      "hii", hash, clock_seconds(), number);
}

/* ---- reading ---------------------------------------------------------- */

/* Reads a row of BOT. */
static void
read_bot(sqlite3_stmt *stmt, struct roster_bot *bot)
{
	memset(bot, 0, sizeof(*bot));
	bot->number = sqlite3_column_int64(stmt, 0);
	sql_text(stmt, 1, bot->name, sizeof(bot->name));
	bot->state = (enum roster_state)sqlite3_column_int(stmt, 2);
	sql_text(stmt, 3, bot->reason, sizeof(bot->reason));
	bot->since = sqlite3_column_int64(stmt, 4);
	bot->made = sqlite3_column_int64(stmt, 5);
	bot->has_token = sqlite3_column_type(stmt, 6) != SQLITE_NULL;
	sql_text(stmt, 7, bot->owner, sizeof(bot->owner));
	bot->token_used = sqlite3_column_int64(stmt, 8);
}

int
roster_check(struct roster *roster, const char *name, size_t name_bytes,
	     const char *token, size_t token_bytes, bool *fits,
	     struct roster_bot *bot, struct error *why)
{
	unsigned char kept[ROSTER_HASH_BYTES], hash[ROSTER_HASH_BYTES];
	struct roster_bot found;
	sqlite3_stmt *stmt;
	bool alive, same;
	int result;

	*fits = false;
	/* The name of row 0 is looked up like any other. */
	if (name_bytes > NAME_BYTES)
		name_bytes = 0;
	stmt = sql_bind(&roster->sql,
			BOT "WHERE bot = ifnull((SELECT bot FROM name"
			    " WHERE name = ?), 0)",
			"t", name, (int)name_bytes);
	if ((result = sql_step(&roster->sql, stmt, why)) < 0)
		return result;
	if (result == 0)
		return sql_damaged(&roster->sql, why, "it has no row 0");
	read_bot(stmt, &found);
	alive = found.number != 0 && found.state != ROSTER_DELETED &&
		sqlite3_column_bytes(stmt, 6) == ROSTER_HASH_BYTES;
	memset(kept, 0, sizeof(kept));
	if (sqlite3_column_bytes(stmt, 6) == ROSTER_HASH_BYTES)
		memcpy(kept, sqlite3_column_blob(stmt, 6), sizeof(kept));
	sqlite3_reset(stmt);
	roster_hash(roster, ROSTER_BOT_TOKEN, found.number, token, token_bytes,
		    hash);
	same = sodium_memcmp(kept, hash, sizeof(kept)) == 0;
	sodium_memzero(kept, sizeof(kept));
	*fits = same && alive;
	if (*fits)
		*bot = found;
	return 0;
}

static int
find(struct roster *roster, const char *sql, const char *name,
     struct roster_bot *bot, struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(&roster->sql, sql, "s", name);
	int result = sql_step(&roster->sql, stmt, why);

	if (result < 0)
		return result;
	if (result == 0)
		return error_set(why, ERROR_INPUT, "there is no bot %.*s",
				 NAME_BYTES, name);
	read_bot(stmt, bot);
	sqlite3_reset(stmt);
	return 0;
}

int
roster_find(struct roster *roster, const char *name, struct roster_bot *bot,
	    struct error *why)
{
	return find(roster,
		    BOT "WHERE bot = (SELECT bot FROM name WHERE name = ?)",
		    name, bot, why);
}

int
roster_find_version(struct roster *roster, const char *name,
		    struct roster_bot *bot, struct error *why)
{
	return find(roster,
		    BOT
		    "WHERE bot = (SELECT bot FROM entry WHERE stands_as = ?)",
		    name, bot, why);
}

int
roster_list(struct roster *roster,
	    void (*each)(void *arg, const struct roster_bot *bot), void *arg,
	    struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&roster->sql, BOT "WHERE bot > 0 ORDER BY name", "");
	struct roster_bot bot;
	int result;

	while ((result = sql_step(&roster->sql, stmt, why)) > 0) {
		read_bot(stmt, &bot);
		each(arg, &bot);
	}
	return result;
}

/* ---- names ------------------------------------------------------------ */

int
roster_check_name(const char *name, struct error *why)
{
	if (message_name_ok(name, strlen(name)))
		return 0;
	return error_set(why, ERROR_INPUT,
			 "a bot's name has 1 to %d letters, digits, '.', '_', "
			 "'-' and begins with a letter or digit",
			 NAME_BYTES);
}

/* Tells what is there when bot `number` (0: a new one) is to be called `name`. */
struct taken {
	int64_t owner; /* the bot that has or had the name; 0: it is free */
	int64_t entry; /* not 0: an entry has the name, but no bot */
	int64_t bots, names; /* all bots; names that this bot had */
};

static int
look_up(struct roster *roster, int64_t number, const char *name,
	struct taken *taken, struct error *why)
{
	int result = sql_row(
		&roster->sql, why,
		"SELECT owner, owner = 0 AND EXISTS (SELECT 1 FROM entry"
		" WHERE stands_as = ?1), (SELECT count(*) - 1 FROM bot),"
		" (SELECT count(*) FROM name WHERE bot = ?2) FROM (SELECT"
		" ifnull((SELECT bot FROM name WHERE name = ?1), 0)"
		" AS owner)",
		"si", name, number, "iiii", &taken->owner, &taken->entry,
		&taken->bots, &taken->names);

	return result < 0 ? result : 0;
}

static int
say_taken(const char *name, struct error *why)
{
	return error_set(why, ERROR_INPUT,
			 "the name %s is taken, or another bot once had it",
			 name);
}

/* Returns true for a name like those that roster_enter() gives to the later
 * versions of a bot. */
static bool
is_version(const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t digits = dot == NULL ? 0 : strspn(dot + 1, "0123456789");

	return digits > 0 && dot[1 + digits] == '\0' && dot[1] != '0' &&
	       strcmp(dot, ".1") != 0;
}

/* Checks that bot `number` (0: a new one) may get the name for the first time:
 * it must not look like that of another bot.  Old rosters may have such names. */
static int
check_new_name(struct roster *roster, int64_t number, const char *name,
	       struct error *why)
{
	char like[NAME_BYTES + 1];
	sqlite3_stmt *stmt;
	int result;

	if (message_builtin(name) != NULL)
		return error_set(why, ERROR_INPUT,
				 "the name %s is reserved for the referee's "
				 "own bot %s",
				 name, message_builtin(name));
	if (strcasecmp(name, ROSTER_TRIAL) == 0)
		return error_set(why, ERROR_INPUT,
				 "the name %s is reserved: a version in a "
				 "trial is called so",
				 name);
	if (is_version(name))
		return error_set(why, ERROR_INPUT,
				 "the name %s is reserved: versions of a bot "
				 "are called NAME.2, NAME.3, ...",
				 name);
	stmt = sql_bind(&roster->sql,
			"SELECT name FROM name WHERE bot <> ?2"
			" AND name = ?1 COLLATE NOCASE"
			" UNION ALL SELECT stands_as FROM entry"
			" WHERE bot <> ?2 AND stands_as = ?1 COLLATE NOCASE",
			"si", name, number);
	if ((result = sql_step(&roster->sql, stmt, why)) <= 0)
		return result;
	sql_text(stmt, 0, like, sizeof(like));
	sqlite3_reset(stmt);
	return error_set(why, ERROR_INPUT,
			 "the name %s is taken, but for capitals: another bot "
			 "is or was called %s",
			 name, like);
}

static int
add_name(struct roster *roster, int64_t number, const char *name,
	 struct error *why)
{
	return sql_do(&roster->sql, why,
		      "INSERT INTO name VALUES (?1, ?2, ?3, (SELECT"
		      " count(*) + 1 FROM name WHERE bot = ?2))",
		      "sii", name, number, clock_seconds());
}

/* ---- changes ---------------------------------------------------------- */

int
roster_begin_with(struct roster *roster, const char *name,
		  struct roster_bot *bot, struct error *why)
{
	int result = roster_begin(roster, why);

	if (result < 0)
		return result;
	result = roster_find(roster, name, bot, why);
	if (result == 0 && strcmp(bot->name, name) != 0)
		result = error_set(why, ERROR_INPUT, "bot %s is called %s now",
				   name, bot->name);
	if (result == 0 && bot->state == ROSTER_DELETED)
		result = error_set(why, ERROR_INPUT, "bot %s is removed", name);
	return result == 0 ? result : roster_finish(roster, result, why);
}

int
roster_add_bot(struct roster *roster, const char *name, int64_t *number,
	       struct error *why)
{
	struct taken taken;
	int result;

	if ((result = roster_check_name(name, why)) < 0 ||
	    (result = look_up(roster, 0, name, &taken, why)) < 0)
		return result;
	if (taken.owner != 0 || taken.entry != 0)
		return say_taken(name, why);
	if (check_new_name(roster, 0, name, why) < 0)
		return -1;
	if (taken.bots >= ROSTER_BOTS)
		return error_set(
			why, ERROR_INPUT,
			"roster %s has %d bots, the most that it can hold",
			roster->path, ROSTER_BOTS);
	result = sql_do(&roster->sql, why,
			"INSERT INTO bot (name, state, reason, since, made)"
			" VALUES (?, ?, '', ?, ?)",
			"siii", name, (int64_t)ROSTER_ENABLED, clock_seconds(),
			clock_seconds());
	*number = sqlite3_last_insert_rowid(roster->sql.db);
	if (result == 0)
		result = add_name(roster, *number, name, why);
	return result;
}

static int
add(struct roster *roster, const char *name, const char *owner,
    char token[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	int64_t number;
	int result = roster_check_owner(roster, 0, owner, why);

	if (result == 0)
		result = roster_add_bot(roster, name, &number, why);
	if (result == 0)
		result = sql_do(&roster->sql, why,
				"UPDATE bot SET owner = ? WHERE bot = ?", "si",
				owner, number);
	if (result == 0)
		result = set_token(roster, number, token, why);
	return result;
}

int
roster_finish_token(struct roster *roster, int result, const char *what,
		    const char *name, char token[ROSTER_TOKEN_BYTES + 1],
		    struct error *why)
{
	result = roster_finish_deed(roster, result, what, name, "", why);
	if (result != 0)
		sodium_memzero(token, ROSTER_TOKEN_BYTES + 1);
	return result;
}

int
roster_add(struct roster *roster, const char *name, const char *owner,
	   char token[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	int result;

	token[0] = '\0';
	if ((result = roster_check_name(name, why)) < 0 ||
	    (result = roster_begin(roster, why)) < 0)
		return result;
	result = add(roster, name, owner, token, why);
	return roster_finish_token(roster, result, "add", name, token, why);
}

int
roster_new_token(struct roster *roster, const char *name,
		 char token[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	struct roster_bot bot;
	int result = roster_begin_with(roster, name, &bot, why);

	token[0] = '\0';
	if (result < 0)
		return result;
	result = set_token(roster, bot.number, token, why);
	return roster_finish_token(roster, result, "token", name, token, why);
}

static int
drop_token(struct roster *roster, int64_t number, struct error *why)
{
	return sql_do(&roster->sql, why,
		      "UPDATE bot SET token = NULL, token_made = NULL,"
		      " token_used = NULL WHERE bot = ?",
		      "i", number);
}

int
roster_revoke(struct roster *roster, const char *name, struct error *why)
{
	struct roster_bot bot;
	int result = roster_begin_with(roster, name, &bot, why);

	if (result < 0)
		return result;
	result = drop_token(roster, bot.number, why);
	return roster_finish_deed(roster, result, "revoke", name, "", why);
}

static int
set_state(struct roster *roster, int64_t number, enum roster_state state,
	  const char *reason, struct error *why)
{
	return sql_do(&roster->sql, why,
		      "UPDATE bot SET state = ?, reason = ?, since = ?"
		      " WHERE bot = ?",
		      "isii", (int64_t)state, reason, clock_seconds(), number);
}

static int
change_state(struct roster *roster, const char *name, enum roster_state state,
	     const char *what, const char *reason, struct error *why)
{
	struct roster_bot bot;
	int result = roster_begin_with(roster, name, &bot, why);

	if (result < 0)
		return result;
	if (state == ROSTER_ENABLED)
		result = roster_check_banned(roster, bot.owner, why);
	if (result == 0)
		result = set_state(roster, bot.number, state, reason, why);
	return roster_finish_deed(roster, result, what, name, reason, why);
}

int
roster_enable(struct roster *roster, const char *name, struct error *why)
{
	return change_state(roster, name, ROSTER_ENABLED, "enable", "", why);
}

int
roster_check_reason(const char *reason, struct error *why)
{
	size_t n = strlen(reason);

	if (n <= ROSTER_REASON_BYTES && ascii_printable(reason, n))
		return 0;
	return error_set(why, ERROR_INPUT,
			 "a reason has at most %d bytes of printable ASCII",
			 ROSTER_REASON_BYTES);
}

const char *
roster_state_word(enum roster_state state)
{
	static const char *const words[] = { "enabled", "disabled", "removed",
					     "withdrawn", "banned" };

	return words[state];
}

int
roster_disable(struct roster *roster, const char *name, const char *reason,
	       struct error *why)
{
	if (roster_check_reason(reason, why) < 0)
		return -1;
	return change_state(roster, name, ROSTER_DISABLED, "disable", reason,
			    why);
}

int
roster_withdraw(struct roster *roster, const char *name, struct error *why)
{
	return change_state(roster, name, ROSTER_WITHDRAWN, "withdraw", "",
			    why);
}

int
roster_delete(struct roster *roster, const char *name, struct error *why)
{
	struct roster_bot bot;
	int result = roster_begin_with(roster, name, &bot, why);

	if (result < 0)
		return result;
	result = drop_token(roster, bot.number, why);
	if (result == 0)
		result = set_state(roster, bot.number, ROSTER_DELETED, "", why);
	return roster_finish_deed(roster, result, "remove", name, "", why);
}

static int
rename_bot(struct roster *roster, int64_t number, const char *to,
	   struct error *why)
{
	struct taken taken;
	int result = look_up(roster, number, to, &taken, why);

	if (result < 0)
		return result;
	if ((taken.owner != 0 && taken.owner != number) || taken.entry != 0)
		return say_taken(to, why);
	if (taken.owner == 0 && taken.names >= ROSTER_NAMES)
		return error_set(why, ERROR_INPUT,
				 "this bot has had %d names, the most that a "
				 "bot may have",
				 ROSTER_NAMES);
	if (taken.owner == 0)
		result = check_new_name(roster, number, to, why);
	if (taken.owner == 0 && result == 0)
		result = add_name(roster, number, to, why);
	if (result == 0)
		result = sql_do(&roster->sql, why,
				"UPDATE bot SET name = ? WHERE bot = ?", "si",
				to, number);
	return result;
}

int
roster_rename(struct roster *roster, const char *name, const char *to,
	      struct error *why)
{
	struct roster_bot bot;
	int result;

	if ((result = roster_check_name(to, why)) < 0 ||
	    (result = roster_begin_with(roster, name, &bot, why)) < 0)
		return result;
	result = rename_bot(roster, bot.number, to, why);
	return roster_finish_deed(roster, result, "rename", name, to, why);
}

int
roster_bot_came(struct roster *roster, int64_t number, int64_t day,
		struct error *why)
{
	return sql_do(&roster->sql, why,
		      "UPDATE bot SET token_used = ? WHERE bot = ?", "ii", day,
		      number);
}
