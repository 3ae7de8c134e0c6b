/* referee/bench/bench-ladder.c - results rated a second, on the disk of TMPDIR.
 *
 * A ladder of its own, which is removed; results of four seats among twenty
 * bots, each transaction synced. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/store.h"
#include "referee/base/command.h"
#include "referee/base/json-line.h"
#include "referee/base/loop.h"
#include "referee/bench/bench.h"

#define SEATS 4
#define BOTS 20

static void
fill(struct ladder *ladder, struct ladder_game *game)
{
	unsigned s;

	memset(game, 0, sizeof(*game));
	game->serial = ladder_next_serial(ladder);
	snprintf(game->id, sizeof(game->id), "%032llx",
		 (unsigned long long)game->serial);
	snprintf(game->game, sizeof(game->game), "toepen");
	snprintf(game->options, sizeof(game->options), "points=15");
	game->seats = SEATS;
	for (s = 0; s < SEATS; s++) {
		snprintf(game->seat[s].bot, sizeof(game->seat[s].bot), "bot-%u",
			 (unsigned)(game->serial * 7 + s * 5) % BOTS);
		game->seat[s].place = (int)s + 1;
		game->seat[s].points = 10 + (long)s;
	}
}

/* Results a second with `group` of them in a transaction; or -1 and why. */
static double
measure(struct ladder *ladder, unsigned group, double seconds,
	struct error *why)
{
	uint64_t start = clock_us(), end = start, results = 0;
	struct ladder_game game;
	unsigned i;

	while ((double)(end - start) < seconds * 1e6) {
		if (ladder_begin(ladder, why) != 0)
			return -1;
		for (i = 0; i < group; i++) {
			fill(ladder, &game);
			if (ladder_rate(ladder, &game, why) != 0)
				return -1;
		}
		if (ladder_commit(ladder, why) != 0)
			return -1;
		results += group;
		end = clock_us();
	}
	return (double)results * 1e6 / (double)(end - start);
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
run_rows(const struct bench *bench, struct ladder *ladder)
{
	static const unsigned groups[] = { 1, 100 };
	struct error why;
	double rate;
	unsigned i;

	if (!bench->json)
		printf("ladder: results of four seats, each transaction "
		       "synced\n%16s %12s\n",
		       "in a transaction", "results/s");
	for (i = 0; i < NELEM(groups); i++) {
		rate = measure(ladder, groups[i], bench->seconds, &why);
		if (rate < 0)
			return complain_machine("%s", why.text);
		print_row(groups[i], rate, bench->json);
	}
	return finish_output();
}

int
bench_ladder(const struct bench *bench)
{
	static const char *const tails[] = { "", "-wal", "-shm", ".lock" };
	const char *tmp = getenv("TMPDIR");
	char dir[256], path[288], file[320];
	struct error why;
	struct ladder *ladder;
	unsigned i;
	int code;

	snprintf(dir, sizeof(dir), "%s/referee-bench-XXXXXX",
		 tmp == NULL ? "/tmp" : tmp);
	if (mkdtemp(dir) == NULL)
		return complain_machine("cannot make the folder %s: %m", dir);
	snprintf(path, sizeof(path), "%s/ladder", dir);
	if (ladder_open(path, LADDER_WRITE, &ladder, &why) == 0) {
		code = run_rows(bench, ladder);
		ladder_close(ladder);
	} else {
		code = complain_machine("%s", why.text);
	}
	for (i = 0; i < NELEM(tails); i++) {
		snprintf(file, sizeof(file), "%s%s", path, tails[i]);
		unlink(file);
	}
	rmdir(dir);
	return code;
}
