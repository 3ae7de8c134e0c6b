/* ladder/anchor.c - reads the fixed ratings of bots from text, and keeps them
 * in the ladder's file. */
#include "ladder/store-inside.h"

#include <string.h>

#include "ladder/milli.h"

/* ---- one by one ------------------------------------------------------- */

int
ladder_anchor_add(struct ladder_anchors *anchors, const char *text,
		  struct error *why)
{
	const char *sign = strrchr(text, '=');
	struct ladder_anchor new = { .milli = 0 }, *at = anchors->at;
	const struct ladder_anchor *end = at + anchors->count;

	if (sign == NULL || sign == text || sign - text > NAME_BYTES ||
	    milli_read(sign + 1, LADDER_START_MILLI_MAX, &new.milli) < 0)
		return error_set(why, ERROR_INPUT,
				 "must be a bot's name and its rating, 0 to "
				 "%d, as random=1000, not %s",
				 LADDER_START_MILLI_MAX / 1000,
				 quoted(text).text);
	if (anchors->count == LADDER_ANCHORS_MAX)
		return error_set(why, ERROR_INPUT,
				 "may be given %d times at most",
				 LADDER_ANCHORS_MAX);
	memcpy(new.bot, text, (size_t)(sign - text));
	while (at < end && strcmp(at->bot, new.bot) < 0)
		at++;
	if (at < end && strcmp(at->bot, new.bot) == 0)
		return error_set(why, ERROR_INPUT, "is given twice for %s",
				 quoted(new.bot).text);
	memmove(at + 1, at, (size_t)(end - at) * sizeof(*at));
	*at = new;
	anchors->count++;
	return 0;
}

bool
ladder_anchors_same(const struct ladder_anchors *a,
		    const struct ladder_anchors *b)
{
	for (unsigned i = 0; i < a->count && i < b->count; i++)
		if (strcmp(a->at[i].bot, b->at[i].bot) != 0 ||
		    a->at[i].milli != b->at[i].milli)
			return false;
	return a->count == b->count;
}

/* ---- on disk ---------------------------------------------------------- */

int
anchors_add(struct sql *sql, const struct ladder_anchors *anchors,
	    struct error *why)
{
	int result = 0;

	for (unsigned i = 0; result == 0 && i < anchors->count; i++)
		result = sql_do(sql, why, "INSERT INTO anchor VALUES (?, ?)",
				"si", anchors->at[i].bot, anchors->at[i].milli);
	return result;
}

int
ladder_set_anchors(struct ladder *ladder, const struct ladder_anchors *anchors,
		   struct error *why)
{
	struct ladder_anchors now;
	int result = ladder_anchors(ladder, &now, why);

	if (result < 0 || ladder_anchors_same(&now, anchors))
		return result;
	if ((result = store_begin(ladder, why)) < 0)
		return result;
	result = sql_do(&ladder->sql, why, "DELETE FROM anchor", "");
	if (result == 0)
		result = anchors_add(&ladder->sql, anchors, why);
	if (result == 0)
		result = store_commit(ladder, why);
	if (result < 0)
		store_take_back(ladder);
	return result;
}

int
ladder_anchors(struct ladder *ladder, struct ladder_anchors *anchors,
	       struct error *why)
{
	sqlite3_stmt *stmt = sql_bind(
		&ladder->sql, "SELECT bot, milli FROM anchor ORDER BY bot", "");
	struct ladder_anchor *at;
	int result;

	memset(anchors, 0, sizeof(*anchors));
	while ((result = sql_step(&ladder->sql, stmt, why)) > 0) {
		if (anchors->count == LADDER_ANCHORS_MAX) {
			sqlite3_reset(stmt);
			return sql_damaged(&ladder->sql, why,
					   "it has more than %d anchors",
					   LADDER_ANCHORS_MAX);
		}
		at = &anchors->at[anchors->count++];
		sql_text(stmt, 0, at->bot, sizeof(at->bot));
		at->milli = sqlite3_column_int64(stmt, 1);
	}
	return result;
}
