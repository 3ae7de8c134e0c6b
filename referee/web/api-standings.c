/* referee/web/api-standings.c - see api-standings.h. */
#include "referee/web/api-standings.h"

#include <inttypes.h>
#include <jansson.h>

#include "referee/base/json-line.h"
#include "referee/data/ladder-json.h"
#include "referee/data/owner.h"
#include "referee/pages/standings.h"

static json_t *
row_object(const struct standings *standings, const struct standings_row *row)
{
	const struct ladder_standing *standing = &row->standing;
	const bool ranked = standing->rank > 0 &&
			    (standings->fit == NULL || row->fit != NULL);
	json_t *one = JSON_OBJECT(
		INT_IF("rank", ranked, standing->rank),
		TEXT("bot", standing->bot),
		INT("live_elo_milli", standing->rating_milli),
		INT("games", standing->games), INT("wins", standing->wins),
		REAL("mean_place",
		     (double)standing->places / (double)standing->games),
		REAL("score", standings_score(standings, row)));

	ladder_standing_json(standing, one);
	fit_rows_json(one, row->fit, row->before);
	return one;
}

/* Writes how many games the fit covers, how many came since, and how many are missing
 * until the first two bots are apart. */
static void
write_fit(struct text *to, const struct fit_kept *fit)
{
	const int64_t missing = standings_missing(fit);

	text_str(to, ",\"fit\":");
	json_text(JSON_OBJECT(INT("games", fit->games),
			      INT("since", fit->since),
			      INT_IF("games_missing", missing >= 0, missing)),
		  7, to);
}

int
api_standings_read(const char *path, const struct ladder_pool *pool,
		   struct text *to, struct error *why)
{
	struct standings standings = { .count = 0 };
	json_t *all = json_array();
	struct roster_marks *marks;
	struct ladder *ladder;
	int result = owner_open_ladder(path, &ladder, &marks, why);

	if (result == 0)
		result = standings_read(ladder, pool, false, &standings, why);
	for (unsigned i = 0; i < standings.count; i++)
		json_array_append_new(
			all, row_object(&standings, &standings.row[i]));
	ladder_close(ladder);
	roster_marks_free(marks);
	if (result == 0)
		json_text(all, 7, to);
	else
		json_decref(all);
	if (result == 0)
		text_fmt(to,
			 ",\"k_milli\":%" PRId64 ",\"start_milli\":%" PRId64,
			 standings.k_milli, standings.start_milli);
	if (result == 0 && standings.fit != NULL)
		write_fit(to, standings.fit);
	standings_release(&standings);
	return result;
}
