/* ladder/roster-owner.c - keeps the owners of bots: accounts, bans, the code for
 * signing up, what they do on a day; and who changed what. */
#include <inttypes.h>
#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "ladder/roster-inside.h"
#include "ladder/roster-owner.h"
#include "protocol/clock.h"
#include "protocol/message.h"

#define OWNER                                                                  \
	"SELECT owner, name, state, reason, since, made, token, token_used"    \
	" FROM owner "

/* ---- reading ---------------------------------------------------------- */

static int
check_name(const char *owner, struct error *why)
{
	if (message_name_ok(owner, strlen(owner)))
		return 0;
	return error_set(why, ERROR_INPUT,
			 "an owner's name is like a bot's: 1 to %d letters, "
			 "digits, '.', '_', '-', the first one a letter or "
			 "digit",
			 NAME_BYTES);
}

/* Reads a row of OWNER. */
static void
read_owner(sqlite3_stmt *stmt, struct roster_owner *owner)
{
	memset(owner, 0, sizeof(*owner));
	owner->number = sqlite3_column_int64(stmt, 0);
	sql_text(stmt, 1, owner->name, sizeof(owner->name));
	owner->state = (enum roster_state)sqlite3_column_int(stmt, 2);
	sql_text(stmt, 3, owner->reason, sizeof(owner->reason));
	owner->since = sqlite3_column_int64(stmt, 4);
	owner->made = sqlite3_column_int64(stmt, 5);
	owner->has_token = sqlite3_column_type(stmt, 6) != SQLITE_NULL;
	owner->token_used = sqlite3_column_int64(stmt, 7);
}

/* Reads row 0 in place of an owner that there is not, so that both take the same
 * time; its hash is random. */
int
roster_owner_check(struct roster *roster, const char *name, const char *token,
		   size_t token_bytes, bool *fits, struct roster_owner *owner,
		   struct error *why)
{
	unsigned char kept[ROSTER_HASH_BYTES] = { 0 };
	unsigned char hash[ROSTER_HASH_BYTES];
	struct roster_owner found;
	sqlite3_stmt *stmt;
	bool has_hash;
	int result;

	*fits = false;
	stmt = sql_bind(&roster->sql,
			OWNER "WHERE owner = ifnull((SELECT owner FROM owner"
			      " WHERE name = ?), 0)",
			"s", name);
	if ((result = sql_step(&roster->sql, stmt, why)) < 0)
		return result;
	if (result == 0)
		return sql_damaged(&roster->sql, why, "it has no owner 0");
	read_owner(stmt, &found);
	has_hash = sqlite3_column_bytes(stmt, 6) == ROSTER_HASH_BYTES;
	if (has_hash)
		memcpy(kept, sqlite3_column_blob(stmt, 6), sizeof(kept));
	sqlite3_reset(stmt);
	roster_hash(roster, ROSTER_OWNER_TOKEN, found.number, token,
		    token_bytes, hash);
	*fits = sodium_memcmp(kept, hash, sizeof(kept)) == 0 && has_hash &&
		found.number != 0;
	sodium_memzero(kept, sizeof(kept));
	if (*fits)
		*owner = found;
	return 0;
}

int
roster_owner_find(struct roster *roster, const char *name,
		  struct roster_owner *owner, struct error *why)
{
	sqlite3_stmt *stmt;
	int result;

	if (check_name(name, why) < 0)
		return -1;
	stmt = sql_bind(&roster->sql, OWNER "WHERE name = ? AND owner > 0", "s",
			name);
	result = sql_step(&roster->sql, stmt, why);
	if (result < 0)
		return result;
	if (result == 0)
		return error_set(why, ERROR_INPUT, "there is no owner %s",
				 name);
	read_owner(stmt, owner);
	sqlite3_reset(stmt);
	return 0;
}

int
roster_owners(struct roster *roster,
	      void (*each)(void *arg, const struct roster_owner *owner),
	      void *arg, struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(
		&roster->sql, OWNER "WHERE owner > 0 ORDER BY name", "");
	struct roster_owner owner;
	int result;

	while ((result = sql_step(&roster->sql, stmt, why)) > 0) {
		read_owner(stmt, &owner);
		each(arg, &owner);
	}
	return result;
}

int
roster_owner_bots(struct roster *roster, const char *owner,
		  void (*each)(void *arg, const char *bot), void *arg,
		  struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&roster->sql,
			 "SELECT name FROM bot WHERE owner = ? AND owner <> ''"
			 " AND state <> 2 ORDER BY name",
			 "s", owner);
	char name[NAME_BYTES + 1];
	int result;

	while ((result = sql_step(&roster->sql, stmt, why)) > 0) {
		sql_text(stmt, 0, name, sizeof(name));
		each(arg, name);
	}
	return result;
}

/* ---- owners of bots --------------------------------------------------- */

void
roster_limit(struct roster *roster, unsigned owner_bots)
{
	roster->owner_bots = owner_bots;
}

int
roster_check_banned(struct roster *roster, const char *owner, struct error *why)
{
	struct roster_owner known;
	int result = roster_owner_find(roster, owner, &known, why);

	if (result < 0)
		return why->kind == ERROR_INPUT ? 0 : -1;
	if (known.state == ROSTER_BANNED)
		return error_set(why, ERROR_INPUT, "owner %s is banned", owner);
	return 0;
}

int
roster_check_owner(struct roster *roster, int64_t number, const char *owner,
		   struct error *why)
{
	int64_t others;
	int result;

	if (owner[0] == '\0')
		return 0;
	if (check_name(owner, why) < 0 ||
	    roster_check_banned(roster, owner, why) < 0)
		return -1;
	result = sql_number(
		&roster->sql, why, &others,
		"SELECT count(*) FROM bot WHERE owner = ? AND bot <> ?"
		" AND state <> 2",
		"si", owner, number);
	if (result == 0 && others >= roster->owner_bots)
		return error_set(why, ERROR_INPUT,
				 "%s has %" PRId64
				 " bots, the most that are allowed: remove "
				 "one, or raise bots-per-owner in the "
				 "configuration of the running daemon",
				 owner, others);
	return result;
}

int
roster_set_owner(struct roster *roster, const char *name, const char *owner,
		 struct error *why)
{
	struct roster_bot bot;
	int result = roster_begin_with(roster, name, &bot, why);

	if (result < 0)
		return result;
	result = roster_check_owner(roster, bot.number, owner, why);
	if (result == 0)
		result = sql_do(&roster->sql, why,
				"UPDATE bot SET owner = ? WHERE bot = ?", "si",
				owner, bot.number);
	return roster_finish_deed(roster, result, "owner", name, owner, why);
}

/* ---- accounts --------------------------------------------------------- */

/* Adds an owner, within a transaction. */
static int
make(struct roster *roster, const char *name, struct error *why)
{
	int64_t owners;
	int result = sql_number(&roster->sql, why, &owners,
				"SELECT count(*) - 1 FROM owner", "");

	if (result == 0 && owners >= ROSTER_OWNERS)
		return error_set(why, ERROR_INPUT,
				 "roster %s has %d owners, the most that it "
				 "can hold",
				 roster->path, ROSTER_OWNERS);
	if (result == 0)
		result = sql_do(&roster->sql, why,
				"INSERT INTO owner (name, state, reason, since,"
				" made) VALUES (?, ?, '', ?, ?)",
				"siii", name, (int64_t)ROSTER_ENABLED,
				clock_seconds(), clock_seconds());
	return result;
}

/* Finds the owner, or makes one within a transaction. */
static int
find_or_make(struct roster *roster, const char *name,
	     struct roster_owner *owner, struct error *why)
{
	int result;

	if (check_name(name, why) < 0)
		return -1;
	result = roster_owner_find(roster, name, owner, why);
	if (result == 0 || why->kind != ERROR_INPUT)
		return result;
	result = make(roster, name, why);
	return result == 0 ? roster_owner_find(roster, name, owner, why)
			   : result;
}

static int
set_token(struct roster *roster, const struct roster_owner *owner,
	  char token[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	unsigned char hash[ROSTER_HASH_BYTES];

	if (owner->state == ROSTER_BANNED)
		return error_set(why, ERROR_INPUT, "owner %s is banned",
				 owner->name);
	roster_make_token(token);
	roster_hash(roster, ROSTER_OWNER_TOKEN, owner->number, token,
		    ROSTER_TOKEN_BYTES, hash);
	return sql_do(&roster->sql, why,
		      "UPDATE owner SET token = ?, token_made = ?,"
		      " token_used = NULL WHERE owner = ?",
		      "hii", hash, clock_seconds(), owner->number);
}

int
roster_owner_token(struct roster *roster, const char *name,
		   char token[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	struct roster_owner owner;
	int result = roster_begin(roster, why);

	token[0] = '\0';
	if (result < 0)
		return result;
	result = find_or_make(roster, name, &owner, why);
	if (result == 0)
		result = set_token(roster, &owner, token, why);
	return roster_finish_token(roster, result, "owner-token", name, token,
				   why);
}

int
roster_owner_came(struct roster *roster, int64_t number, int64_t day,
		  struct error *why)
{
	return sql_do(&roster->sql, why,
		      "UPDATE owner SET token_used = ? WHERE owner = ?", "ii",
		      day, number);
}

/* ---- signing up ------------------------------------------------------- */

int
roster_new_code(struct roster *roster, unsigned accounts, int64_t until,
		char code[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	unsigned char hash[ROSTER_HASH_BYTES];
	int result = roster_begin(roster, why);

	code[0] = '\0';
	if (result < 0)
		return result;
	roster_make_token(code);
	sodium_memzero(&code[ROSTER_CODE_BYTES],
		       ROSTER_TOKEN_BYTES - ROSTER_CODE_BYTES);
	roster_hash(roster, ROSTER_CODE, 0, code, ROSTER_CODE_BYTES, hash);
	result = sql_do(&roster->sql, why,
			"INSERT OR REPLACE INTO code VALUES (1, ?, ?, ?)",
			"hii", hash, until, (int64_t)accounts);
	return roster_finish_token(roster, result, "code", "", code, why);
}

int
roster_drop_code(struct roster *roster, struct error *why)
{
	int result = roster_begin(roster, why);

	if (result < 0)
		return result;
	result = sql_do(&roster->sql, why, "DELETE FROM code", "");
	return roster_finish_deed(roster, result, "code-off", "", "", why);
}

int
roster_code_fits(struct roster *roster, const char *code, struct error *why)
{
	unsigned char hash[ROSTER_HASH_BYTES], kept[ROSTER_HASH_BYTES] = { 0 };
	sqlite3_stmt *stmt = sql_bind(
		&roster->sql, "SELECT hash, until, accounts FROM code", "");
	int result = sql_step(&roster->sql, stmt, why);
	int64_t until = 0, accounts = 0;
	bool there = false;

	if (result < 0)
		return result;
	if (result == 1 && sqlite3_column_bytes(stmt, 0) == ROSTER_HASH_BYTES) {
		memcpy(kept, sqlite3_column_blob(stmt, 0), sizeof(kept));
		until = sqlite3_column_int64(stmt, 1);
		accounts = sqlite3_column_int64(stmt, 2);
		there = true;
	}
	sqlite3_reset(stmt);
	roster_hash(roster, ROSTER_CODE, 0, code, strlen(code), hash);
	return sodium_memcmp(kept, hash, sizeof(kept)) == 0 && there &&
	       accounts > 0 && until > clock_seconds();
}

/* Checks the code, and takes one from the accounts that it may still make. */
static int
use_code(struct roster *roster, const char *code, struct error *why)
{
	int result = roster_code_fits(roster, code, why);

	if (result == 0)
		return error_set(why, ERROR_INPUT, "%s", ROSTER_NO_CODE);
	if (result < 0)
		return result;
	return sql_do(&roster->sql, why,
		      "UPDATE code SET accounts = accounts - 1", "");
}

/* Checks that no owner has this name, capitals aside: neither one with an
 * account nor one whom the organiser has named.  Nor may a stranger pass for
 * the organiser, or for a bot of the referee's. */
static int
check_free(struct roster *roster, const char *name, struct error *why)
{
	static const char *const reserved[] = { ROSTER_ORGANISER, ROSTER_TRIAL,
						"local" };
	bool is_reserved = message_builtin(name) != NULL;
	int result;

	for (size_t i = 0; i < NELEM(reserved); i++)
		is_reserved |= strcasecmp(name, reserved[i]) == 0;
	if (is_reserved)
		return error_set(why, ERROR_INPUT, "the name %s is reserved",
				 name);
	result = sql_row(
		&roster->sql, why,
		"SELECT 1 FROM owner WHERE name = ?1 COLLATE NOCASE UNION ALL"
		" SELECT 1 FROM bot WHERE owner = ?1 COLLATE NOCASE",
		"s", name, "");

	if (result <= 0)
		return result;
	return error_set(why, ERROR_INPUT, "the name %s is taken", name);
}

int
roster_sign_up(struct roster *roster, const char *code, const char *name,
	       char token[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	struct roster_owner owner;
	int result;

	token[0] = '\0';
	if ((result = check_name(name, why)) < 0 ||
	    (result = roster_begin(roster, why)) < 0)
		return result;
	if ((result = use_code(roster, code, why)) == 0 &&
	    (result = check_free(roster, name, why)) == 0 &&
	    (result = find_or_make(roster, name, &owner, why)) == 0)
		result = set_token(roster, &owner, token, why);
	return roster_finish_token(roster, result, "sign-up", name, token, why);
}

/* ---- bans ------------------------------------------------------------- */

static int
set_bots(struct roster *roster, const char *owner, enum roster_state from,
	 enum roster_state to, struct error *why)
{
	return sql_do(&roster->sql, why,
		      "UPDATE bot SET state = ?, since = ?"
		      " WHERE owner = ? AND state = ?",
		      "iisi", (int64_t)to, clock_seconds(), owner,
		      (int64_t)from);
}

/* Fails with ERROR_INPUT if there is no such owner, not even as a word beside a
 * bot. */
static int
check_known(struct roster *roster, const char *name, struct error *why)
{
	struct roster_owner owner;
	struct error ignored;
	int result = roster_owner_find(roster, name, &owner, why);

	if (result == 0 || why->kind != ERROR_INPUT)
		return result;
	result = sql_row(&roster->sql, &ignored,
			 "SELECT 1 FROM bot WHERE owner = ?1 AND owner <> ''",
			 "s", name, "");
	return result > 0 ? 0 : -1;
}

/* Sets the owner's state within a transaction. */
static int
set_state(struct roster *roster, const char *name, enum roster_state state,
	  const char *reason, struct error *why)
{
	struct roster_owner owner;
	int result = find_or_make(roster, name, &owner, why);

	if (result < 0)
		return result;
	return sql_do(&roster->sql, why,
		      "UPDATE owner SET state = ?, reason = ?, since = ?"
		      " WHERE owner = ?",
		      "isii", (int64_t)state, reason, clock_seconds(),
		      owner.number);
}

int
roster_ban(struct roster *roster, const char *name, const char *reason,
	   struct error *why)
{
	int result;

	if ((result = roster_check_reason(reason, why)) < 0 ||
	    (result = roster_begin(roster, why)) < 0)
		return result;
	result = check_known(roster, name, why);
	if (result == 0)
		result = set_state(roster, name, ROSTER_BANNED, reason, why);
	if (result == 0)
		result = set_bots(roster, name, ROSTER_ENABLED, ROSTER_BANNED,
				  why);
	return roster_finish_deed(roster, result, "ban", name, reason, why);
}

int
roster_unban(struct roster *roster, const char *name, struct error *why)
{
	struct roster_owner owner;
	int result = roster_begin(roster, why);

	if (result < 0)
		return result;
	result = roster_owner_find(roster, name, &owner, why);
	if (result == 0)
		result = set_state(roster, name, ROSTER_ENABLED, "", why);
	if (result == 0)
		result = set_bots(roster, name, ROSTER_BANNED, ROSTER_ENABLED,
				  why);
	return roster_finish_deed(roster, result, "unban", name, "", why);
}

/* ---- on a day --------------------------------------------------------- */

int64_t
roster_today(void)
{
	return clock_seconds() / ROSTER_DAY_S;
}

void
roster_write_day(int64_t day, char text[DATE_BYTES])
{
	text[0] = '\0';
	if (day == 0)
		return;
	date_write(day * ROSTER_DAY_S, text);
	text[strcspn(text, "T")] = '\0';
}

int
roster_count(struct roster *roster, enum roster_kind kind, const char *who,
	     int64_t day, int64_t *count, struct error *why)
{
	return sql_number(&roster->sql, why, count,
			  "SELECT ifnull((SELECT count FROM tally WHERE"
			  " kind = ? AND who = ? AND day = ?), 0)",
			  "isi", (int64_t)kind, who, day);
}

int
roster_add_count(struct roster *roster, enum roster_kind kind, const char *who,
		 int64_t day, int64_t more, struct error *why)
{
	int result = roster_begin(roster, why);

	if (result < 0)
		return result;
	/* A calendar that is set back by less than a day finds its counts. */
	result = sql_do(&roster->sql, why,
			"DELETE FROM tally WHERE day < ? - 1", "i", day);
	if (result == 0)
		result = sql_do(&roster->sql, why,
				"INSERT INTO tally"
				" VALUES (?1, ?2, ?3, max(0, ?4)) ON CONFLICT"
				" DO UPDATE SET count = max(0, count + ?4)",
				"isii", (int64_t)kind, who, day, more);
	return roster_finish(roster, result, why);
}

/* ---- deeds ------------------------------------------------------------ */

int
roster_write_deed(struct roster *roster, const char *what, const char *name,
		  const char *note, struct error *why)
{
	int result =
		sql_do(&roster->sql, why,
		       "INSERT INTO deed (at, who, what, name, note)"
		       " VALUES (?, ?, ?, ?, ?)",
		       "issss", clock_seconds(), roster->by, what, name, note);

	if (result < 0)
		return result;
	return sql_do(&roster->sql, why, "DELETE FROM deed WHERE number <= ?",
		      "i",
		      (int64_t)sqlite3_last_insert_rowid(roster->sql.db) -
			      ROSTER_DEEDS);
}

int
roster_finish_deed(struct roster *roster, int result, const char *what,
		   const char *name, const char *note, struct error *why)
{
	if (result == 0)
		result = roster_write_deed(roster, what, name, note, why);
	return roster_finish(roster, result, why);
}

int
roster_deeds(struct roster *roster, int64_t most,
	     void (*each)(void *arg, const struct roster_deed *deed), void *arg,
	     struct error *why)
{
	sqlite3_stmt *stmt =
		sql_bind(&roster->sql,
			 "SELECT number, at, who, what, name, note FROM deed"
			 " ORDER BY number DESC LIMIT ?",
			 "i", most);
	struct roster_deed deed;
	int result;

	while ((result = sql_step(&roster->sql, stmt, why)) > 0) {
		deed.number = sqlite3_column_int64(stmt, 0);
		deed.at = sqlite3_column_int64(stmt, 1);
		sql_text(stmt, 2, deed.who, sizeof(deed.who));
		sql_text(stmt, 3, deed.what, sizeof(deed.what));
		sql_text(stmt, 4, deed.name, sizeof(deed.name));
		sql_text(stmt, 5, deed.note, sizeof(deed.note));
		each(arg, &deed);
	}
	return result;
}
