/* referee/records/ladder-rebuild.c - `referee ladder rebuild`: proves the
 * records, folds them, and reports differences. */
#include "referee/records/ladder-rebuild.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "protocol/prune.h"
#include "referee/base/json-line.h"
#include "referee/records/verify.h"

/* A kind of difference found by a rebuild: `1 record is`, `2 records are`. */
struct difference {
	int64_t count;
	const char *one, *many;
};

static void
say_rebuilt(const struct ladder_rebuilt *report, struct text *out)
{
	const struct difference list[] = {
		{ report->added, "was not rated before",
		  "were not rated before" },
		{ report->altered, "record has changed",
		  "records have changed" },
		{ report->changed, "number is different",
		  "numbers are different" },
		{ report->gaps, "record is missing", "records are missing" },
	};
	bool any = report->added == report->games && report->games > 0;

	text_fmt(out, "%u %s rated again", report->games,
		 report->games == 1 ? "game is" : "games are");
	if (report->voided > 0)
		text_fmt(out, ", %u of them as void", report->voided);
	if (any)
		text_str(out, "; none was rated before");
	for (size_t i = any ? NELEM(list) - 1 : 0; i < NELEM(list); i++) {
		if (list[i].count == 0)
			continue;
		text_fmt(out, "%s %" PRId64 " %s", any ? "," : ":",
			 list[i].count,
			 list[i].count == 1 ? list[i].one : list[i].many);
		any = true;
	}
	text_str(out, any ? "\n" : "; nothing differs\n");
}

static void
json_rebuilt(const struct ladder_rebuilt *report, struct text *out)
{
	json_text_line(JSON_OBJECT(INT("games", report->games),
				   INT("added", report->added),
				   INT("altered", report->altered),
				   INT("changed", report->changed),
				   INT("voided", report->voided),
				   INT("gaps", report->gaps)),
		       0, out);
}

/* Checks a record, as a ladder_check.  A pruned record has only its forms. */
static int
check_record(const struct record *record, const char *path, struct error *why)
{
	unsigned char hash[RECORD_HASH_BYTES];
	struct verdict verdict;

	if (record_pruned(record, hash))
		verify_pruned(record, &verdict);
	else
		verify_record(record, false, NULL, &verdict);
	if (verdict.ok)
		return 0;
	return error_set(
		why, ERROR_ANSWER,
		"%.200s:%u: expected %.110s, found %.110s, nothing is rebuilt",
		path, verdict.line, verdict.expected, verdict.found);
}

/* Writes the default folder of a ladder's records to `beside` if it exists.  It
 * must exist if the ladder's file does not. */
static int
find_beside(const char *ladder, char beside[LADDER_PATH_BYTES],
	    struct error *why)
{
	bool is_there =
		*ladder == '\0' || access(ladder, F_OK) == 0 || errno != ENOENT;

	if (ladder_records_beside(ladder, beside) || is_there)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "there is no ladder %.200s, and no folder "
			 "%.200s.records to make it from",
			 ladder, ladder);
}

static int
do_void(const struct rebuild *rebuild, struct ladder *ladder,
	struct ladder_log *log, struct text *out, struct error *why)
{
	const struct ladder_voiding how = {
		.id = rebuild->game,
		.bot = *rebuild->bot ? rebuild->bot : NULL,
		.since = rebuild->since,
		.why = rebuild->void_why,
		.stop = rebuild->stop,
	};
	struct ladder_voided voided;
	int result = ladder_void(ladder, log, &how, &voided, why);

	if (result != 0)
		return result;
	if (rebuild->json)
		json_text(JSON_OBJECT(INT("void", voided.serial),
				      INT("games", voided.games)),
			  0, out);
	else
		text_fmt(out, "void %lld: %u %s count any longer\n",
			 (long long)voided.serial, voided.games,
			 voided.games == 1 ? "game does not" : "games do not");
	if (rebuild->json)
		text_str(out, "\n");
	return 0;
}

static int
with_ladder(const struct rebuild *rebuild, const struct ladder_rebuilding *how,
	    struct ladder *ladder, struct ladder_log *log, struct text *out,
	    struct error *why)
{
	struct ladder_rebuilt report;
	int result;

	if (*rebuild->void_why)
		return do_void(rebuild, ladder, log, out, why);
	result = ladder_rebuild(ladder, how, &report, why);
	if (result == 0 && rebuild->json)
		json_rebuilt(&report, out);
	else if (result == 0)
		say_rebuilt(&report, out);
	return result;
}

/* Opens the ladder of the request.  Games can be voided only in a ladder that
 * exists. */
static int
open_file(const struct rebuild *rebuild, struct ladder **ladder,
	  struct error *why)
{
	int result = 0;

	if (*rebuild->void_why) {
		result = ladder_open(rebuild->file, LADDER_READ, ladder, why);
		ladder_close(*ladder);
		*ladder = NULL;
	}
	return result == 0
		       ? ladder_open(rebuild->file, LADDER_WRITE, ladder, why)
		       : result;
}

int
rebuild_do(const struct rebuild *rebuild, struct ladder *ladder,
	   struct ladder_log *log, struct text *out, struct error *why)
{
	char beside[LADDER_PATH_BYTES] = "";
	const char *const alone[] = { beside, NULL };
	struct ladder_rebuilding how = {
		.folders = rebuild->folders,
		.check = rebuild->accept ? NULL : check_record,
		.accept = rebuild->accept,
		.gaps = rebuild->gaps,
		.stop = rebuild->stop,
		.log = log,
	};
	struct ladder *own = NULL;
	int result = 0;

	if (rebuild->count == 0 && *rebuild->void_why == '\0') {
		result = find_beside(rebuild->file, beside, why);
		how.folders = *beside ? alone : NULL;
	}
	if (result == 0 && ladder == NULL)
		result = open_file(rebuild, &own, why);
	if (result == 0)
		result = with_ladder(rebuild, &how,
				     ladder == NULL ? own : ladder, log, out,
				     why);
	if (result < 0)
		ladder_discard(own);
	else
		ladder_close(own);
	return result;
}
