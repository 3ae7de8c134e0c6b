/* referee/bench/bench-ladder.c - measures results rated in a second, on the
 * disk of TMPDIR.
 *
 * It uses a ladder of its own, which is removed at the end, with results of
 * four seats among twenty bots.  Each transaction is synced. */
#include <jansson.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/log.h"
#include "ladder/store.h"
#include "referee/base/command.h"
#include "referee/base/json-line.h"
#include "referee/records/log-packs.h"
#include "referee/base/loop.h"
#include "referee/bench/bench.h"

#define SEATS 4
#define BOTS 20

#define GROUP_MAX 100
#define TEXT_BYTES 8192 /* as much as a game of Toepen with four seats */

static void
fill(int64_t serial, struct ladder_game *game, const struct text *text,
     struct log_entry *entry)
{
	memset(game, 0, sizeof(*game));
	snprintf(game->id, sizeof(game->id), "%032llx",
		 (unsigned long long)serial);
	snprintf(game->game, sizeof(game->game), "toepen");
	snprintf(game->options, sizeof(game->options), "points=15");
	game->seats = SEATS;
	for (unsigned s = 0; s < SEATS; s++) {
		snprintf(game->seat[s].bot, sizeof(game->seat[s].bot), "bot-%u",
			 (unsigned)(serial * 7 + s * 5) % BOTS);
		game->seat[s].place = (int)s + 1;
		game->seat[s].points = 10 + (long)s;
	}
	*entry = (struct log_entry){
		.serial = serial, .id = game->id, .text = text, .game = game
	};
}

/* Returns the results in a second that become durable, `group` at a time, and
 * that the ladder follows; or -1 and a sentence. */
static double
measure(struct ladder_log *log, unsigned group, double seconds,
	struct error *why)
{
	uint64_t start = clock_us(), end = start, results = 0;
	struct ladder_game game[GROUP_MAX];
	struct log_entry entry[GROUP_MAX];
	struct text text = { .max = TEXT_BYTES };
	unsigned i, count = 0;
	int result = 0;

	while (text.used < TEXT_BYTES)
		text_str(&text, "x");
	while (result == 0 && (double)(end - start) < seconds * 1e6) {
		for (i = 0; i < group; i++) {
			fill(log->last + 1 + i, &game[i], &text, &entry[i]);
			if (i > 0)
				entry[i - 1].next = &entry[i];
		}
		result = log->ops->append(log, entry, why);
		if (result == 0)
			result = ladder_follow(log->ladder, log, entry, &count,
					       why);
		results += group;
		end = clock_us();
	}
	text_release(&text);
	return result < 0 ? -1 : (double)results * 1e6 / (double)(end - start);
}

static void
print_row(unsigned group, double rate, bool json)
{
	json_t *object;

	if (!json) {
		printf("%16u %12.0f\n", group, rate);
		return;
	}
	object = JSON_OBJECT(TEXT("bench", "ladder"), INT("transaction", group),
			     REAL("results_per_s", rate));
	print_json_line(object, 6);
}

static int
run_rows(const struct bench *bench, struct ladder_log *log)
{
	static const unsigned groups[] = { 1, 100 };
	struct error why;
	double rate;

	if (!bench->json)
		printf("ladder: results of four seats, each group "
		       "synced\n%16s %12s\n",
		       "in a group", "results/s");
	for (unsigned i = 0; i < NELEM(groups); i++) {
		rate = measure(log, groups[i], bench->seconds, &why);
		if (rate < 0)
			return complain_machine("%s", why.text);
		print_row(groups[i], rate, bench->json);
	}
	return finish_output();
}

static void
remove_all(const char *dir)
{
	const struct dirent *entry;
	DIR *folder = opendir(dir);

	while (folder != NULL && (entry = readdir(folder)) != NULL)
		(void)unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder != NULL)
		closedir(folder);
	rmdir(dir);
}

int
bench_ladder(const struct bench *bench)
{
	const char *tmp = getenv("TMPDIR");
	char dir[256], path[288];
	struct ladder *ladder;
	struct ladder_log *log = NULL;
	struct error why;
	int code;

	snprintf(dir, sizeof(dir), "%s/referee-bench-XXXXXX",
		 tmp == NULL ? "/tmp" : tmp);
	if (mkdtemp(dir) == NULL)
		return complain_machine("cannot make the folder %s: %m", dir);
	snprintf(path, sizeof(path), "%s/ladder", dir);
	if (ladder_open(path, LADDER_WRITE, &ladder, &why) == 0) {
		code = log_packs_open(ladder, dir, 0, &log, &why) < 0
			       ? complain_machine("%s", why.text)
			       : run_rows(bench, log);
		ladder_log_free(log);
		ladder_close(ladder);
	} else {
		code = complain_machine("%s", why.text);
	}
	remove_all(dir);
	return code;
}
