/* ladder/roster-owner.c - keeps the owners of bots, and counts their uploads. */
#include <inttypes.h>

#include "ladder/roster-inside.h"

void
roster_limit(struct roster *roster, unsigned owner_bots)
{
	roster->owner_bots = owner_bots;
}

/* Checks that the owner may have bot `number`, which is 0 for a new bot. */
static int
check_owner(struct roster *roster, int64_t number, const char *owner,
	    struct error *why)
{
	int64_t others;
	int result;

	if (owner[0] == '\0')
		return 0;
	if (roster_check_name(owner, why) < 0)
		return error_set(why, ERROR_INPUT,
				 "an owner's name is like a bot's: 1 to %d "
				 "letters, digits, '.', '_', '-', the first "
				 "one a letter or digit",
				 NAME_BYTES);
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
roster_may_own(struct roster *roster, const char *name, const char *owner,
	       struct error *why)
{
	struct roster_bot bot = { .number = 0 };

	if (roster_find(roster, name, &bot, why) < 0 &&
	    why->kind != ERROR_INPUT)
		return -1;
	return check_owner(roster, bot.number, owner, why);
}

int
roster_set_owner(struct roster *roster, const char *name, const char *owner,
		 struct error *why)
{
	struct roster_bot bot;
	int result = roster_begin_with(roster, name, &bot, why);

	if (result < 0)
		return result;
	result = check_owner(roster, bot.number, owner, why);
	if (result == 0)
		result = sql_do(&roster->sql, why,
				"UPDATE bot SET owner = ? WHERE bot = ?", "si",
				owner, bot.number);
	return roster_finish(roster, result, why);
}

/* ---- uploads ---------------------------------------------------------- */

int
roster_uploads(struct roster *roster, const char *owner, int64_t day,
	       int64_t *count, struct error *why)
{
	return sql_number(&roster->sql, why, count,
			  "SELECT ifnull((SELECT count FROM upload WHERE"
			  " owner = ? AND day = ?), 0)",
			  "si", owner, day);
}

int
roster_add_upload(struct roster *roster, const char *owner, int64_t day,
		  struct error *why)
{
	int result = roster_begin(roster, why);

	if (result < 0)
		return result;
	result = sql_do(&roster->sql, why, "DELETE FROM upload WHERE day < ?",
			"i", day);
	if (result == 0)
		result = sql_do(&roster->sql, why,
				"INSERT INTO upload VALUES (?, ?, 1)"
				" ON CONFLICT DO UPDATE SET count = count + 1",
				"si", owner, day);
	return roster_finish(roster, result, why);
}
