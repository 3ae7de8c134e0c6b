/* ladder/setting.c - keeps K and start rating: those that a ladder begins with,
 * and the entries of the log that change them. */
#include "ladder/store-inside.h"

#include <inttypes.h>

#include "ladder/log.h"
#include "ladder/milli.h"

int
entry_settings(struct entry_lines *lines, int64_t *k_milli,
	       int64_t *start_milli, struct error *why)
{
	const char *value = entry_value(lines, "rating-k");

	if (value == NULL || milli_read(value, LADDER_K_MILLI_MAX, k_milli) < 0)
		return entry_expected(lines, "rating-k K", why);
	value = entry_value(lines, "rating-start");
	if (value == NULL ||
	    milli_read(value, LADDER_START_MILLI_MAX, start_milli) < 0)
		return entry_expected(lines, "rating-start RATING", why);
	return 0;
}

void
entry_write_settings(struct text *to, int64_t k_milli, int64_t start_milli)
{
	char k[MILLI_TEXT_BYTES], start[MILLI_TEXT_BYTES];

	milli_text(k_milli, k);
	milli_text(start_milli, start);
	text_fmt(to, "rating-k %s\nrating-start %s\n", k, start);
}

int
setting_add(struct sql *sql, int64_t serial, const char *id, int64_t k_milli,
	    int64_t start_milli, struct error *why)
{
	return sql_do(sql, why, "INSERT INTO setting VALUES (?, ?, ?, ?)",
		      "isii", serial, id, k_milli, start_milli);
}

int
setting_take(struct ladder *ladder, int64_t serial, const struct text *text,
	     struct error *why)
{
	struct entry_lines lines;
	char id[ID_BYTES + 1];
	int64_t told, k_milli, start_milli;
	int result = entry_begin(&lines, ENTRY_SETTING, text, &told, id, why);

	if (result == 0)
		result = entry_settings(&lines, &k_milli, &start_milli, why);
	if (result == 0)
		result = entry_end(&lines, why);
	if (result == 0 && ladder != NULL)
		result = entry_check(ladder, serial, told, id, why);
	return result != 0 || ladder == NULL
		       ? result
		       : setting_add(&ladder->sql, serial, id, k_milli,
				     start_milli, why);
}

int
ladder_settings(struct ladder *ladder, int64_t *k_milli, int64_t *start_milli,
		struct error *why)
{
	int result = sql_row(&ladder->sql, why,
			     "SELECT k_milli, start_milli FROM setting"
			     " ORDER BY from_serial DESC LIMIT 1",
			     "", "ii", k_milli, start_milli);

	if (result == 0)
		return sql_damaged(&ladder->sql, why, "it has no K");
	if (result > 0 &&
	    (*k_milli < 0 || *k_milli > LADDER_K_MILLI_MAX ||
	     *start_milli < 0 || *start_milli > LADDER_START_MILLI_MAX))
		return sql_damaged(
			&ladder->sql, why,
			"its K or start rating is beyond its limits");
	return result < 0 ? result : 0;
}

int
ladder_set(struct ladder *ladder, struct ladder_log *log, int64_t k_milli,
	   int64_t start_milli, struct error *why)
{
	char id[ID_BYTES + 1];
	struct text text = { .max = SIZE_MAX };
	struct log_entry entry = {
		.kind = ENTRY_SETTING, .id = id, .text = &text, .path = id
	};
	unsigned count = 0;
	int result;

	if (k_milli < 0 || k_milli > LADDER_K_MILLI_MAX)
		return error_set(why, ERROR_INPUT, "K must be from 0 to %d",
				 LADDER_K_MILLI_MAX / 1000);
	if (start_milli < 0 || start_milli > LADDER_START_MILLI_MAX)
		return error_set(why, ERROR_INPUT,
				 "the start rating must be from 0 to %d",
				 LADDER_START_MILLI_MAX / 1000);
	if (ladder_follow(ladder, log, NULL, &count, why) < 0)
		return -1;
	entry.serial = log->last + 1;
	entry_write(&text, ENTRY_SETTING, entry.serial, ladder_id(ladder), id);
	entry_write_settings(&text, k_milli, start_milli);
	entry_write_end(&text);
	result = log->ops->append(log, &entry, why);
	if (result < 0 && log->unsure)
		error_prefix(why, "it is not known whether they are set: ");
	if (result == 0)
		result = ladder_follow(ladder, log, &entry, &count, why);
	text_release(&text);
	return result;
}

int
ladder_rank_for(struct ladder *ladder, int64_t days, struct error *why)
{
	if (days < 0 || days > LADDER_RANKED_DAYS_MAX)
		return error_set(why, ERROR_INPUT,
				 "bots can be ranked for 0 to %d days",
				 LADDER_RANKED_DAYS_MAX);
	return sql_do(&ladder->sql, why,
		      "INSERT OR REPLACE INTO ranking VALUES (1, ?)", "i",
		      days);
}
