/* referee/ladder-rebuild.c - `referee ladder rebuild`: prove the records, fold
 * them, and tell what came out other. */
#include "referee/ladder-rebuild.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "ladder/store.h"
#include "protocol/prune.h"
#include "referee/command.h"
#include "referee/verify.h"

/* What of a rebuild came out other: `1 record is`, `2 records are`. */
struct difference {
	unsigned count;
	const char *one, *many;
};

static void
print_rebuilt(const struct ladder_rebuilt *report)
{
	const struct difference list[] = {
		{ report->added, "was not rated before",
		  "were not rated before" },
		{ report->altered, "record is not as it was",
		  "records are not as they were" },
		{ report->changed, "number comes out other",
		  "numbers come out other" },
	};
	bool any = false;
	size_t i;

	printf("%u %s rated anew", report->games,
	       report->games == 1 ? "game is" : "games are");
	if (report->added == report->games && report->games > 0) {
		puts("; none was rated before");
		return;
	}
	for (i = 0; i < NELEM(list); i++) {
		if (list[i].count == 0)
			continue;
		printf("%s %u %s", any ? "," : ":", list[i].count,
		       list[i].count == 1 ? list[i].one : list[i].many);
		any = true;
	}
	puts(any ? "" : "; nothing differs");
}

static void
json_rebuilt(const struct ladder_rebuilt *report)
{
	printf("{\"games\":%u,\"added\":%u,\"altered\":%u,\"changed\":%u}\n",
	       report->games, report->added, report->altered, report->changed);
}

/* A ladder_check. */
static int
check_record(const struct record *record, const char *path,
	     char why[LADDER_WHY_BYTES])
{
	unsigned char hash[RECORD_HASH_BYTES];
	struct verdict verdict;

	if (record_pruned(record, hash))
		return LADDER_OK; /* nothing is left that could be proven */
	verify_record(record, false, NULL, &verdict);
	if (verdict.ok)
		return LADDER_OK;
	snprintf(why, LADDER_WHY_BYTES,
		 "%.200s:%u: expected %.110s, found %.110s, nothing is rebuilt",
		 path, verdict.line, verdict.expected, verdict.found);
	return LADDER_CHANGED;
}

static int
complain(int result, const char *why)
{
	if (result == LADDER_TROUBLE)
		return complain_machine("%s", why);
	complain_usage("%s", why);
	return result == LADDER_CHANGED ? EXIT_NEGATIVE : EXIT_USAGE;
}

/* The folder that a match takes by itself, in `beside` if it is there.  Without
 * the ladder's file it must be. */
static int
find_beside(const char *ladder, char beside[LADDER_PATH_BYTES])
{
	bool is_there =
		*ladder == '\0' || access(ladder, F_OK) == 0 || errno != ENOENT;
	int n = snprintf(beside, LADDER_PATH_BYTES, "%s.records", ladder);

	if (n < LADDER_PATH_BYTES && access(beside, F_OK) == 0)
		return EXIT_DONE;
	if (!is_there)
		return complain_usage("there is neither a ladder %s nor a "
				      "folder %s to make it from",
				      ladder, beside);
	beside[0] = '\0';
	return EXIT_DONE;
}

int
ladder_rebuild_run(const char *file, const char *const folders[], bool accept,
		   bool json)
{
	char beside[LADDER_PATH_BYTES] = "", why[LADDER_WHY_BYTES];
	const char *const alone[] = { beside, NULL };
	struct ladder_rebuilding how = {
		.folders = folders,
		.check = accept ? NULL : check_record,
		.accept = accept,
	};
	struct ladder_rebuilt report;
	struct ladder *ladder;
	int result;

	if (folders[0] == NULL) {
		if (find_beside(file, beside) != EXIT_DONE)
			return EXIT_USAGE;
		how.folders = *beside ? alone : NULL;
	}
	result = ladder_open(file, LADDER_WRITE, &ladder, why);
	if (result == LADDER_OK)
		result = ladder_rebuild(ladder, &how, &report, why);
	if (result < 0) {
		ladder_discard(ladder);
		return complain(result, why);
	}
	ladder_close(ladder);
	if (json)
		json_rebuilt(&report);
	else
		print_rebuilt(&report);
	return finish_output();
}
