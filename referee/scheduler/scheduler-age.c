/* referee/scheduler/scheduler-age.c - see scheduler-age.h. */
#include "referee/scheduler/scheduler-age.h"

#include <string.h>

#include "protocol/date.h"

#define PAGE 1000 /* games read at a time */

struct walk {
	struct scheduler_age *age;
	int64_t old_s;
	int64_t later; /* end of the game read before, a later one; -1: unknown */
	int64_t serial; /* of the game read last */
};

/* Takes one game; the latest come first. */
static void
on_game(void *arg, const struct ladder_game *game)
{
	struct walk *walk = arg;
	struct scheduler_age *age = walk->age;
	int64_t ended = date_read(game->ended), gap = 0;

	walk->serial = game->serial;
	if (age->serial != 0)
		return;
	if (ended >= 0 && walk->later > ended)
		gap = walk->later - ended;
	age->span_s += gap < SCHEDULER_AGE_GAP_S ? gap : SCHEDULER_AGE_GAP_S;
	if (age->span_s >= walk->old_s) {
		age->serial = game->serial;
		return;
	}
	age->games++;
	if (ended < 0)
		return;
	walk->later = ended;
	if (ended < age->before)
		age->before = ended;
}

static int
walk_back(struct ladder *ladder, struct walk *walk, struct error *why)
{
	int64_t before;
	int result;

	do {
		before = walk->serial;
		result =
			ladder_latest(ladder, before, PAGE, on_game, walk, why);
	} while (result == 0 && walk->age->serial == 0 &&
		 walk->serial < before);
	return result;
}

int
scheduler_age_read(const char *path, int64_t old_s, struct scheduler_age *age,
		   struct error *why)
{
	struct walk walk = { age, old_s, -1, INT64_MAX };
	struct ladder *ladder;
	int result = ladder_open(path, LADDER_READ, &ladder, why);

	memset(age, 0, sizeof(*age));
	age->before = INT64_MAX;
	if (result == 0)
		result = walk_back(ladder, &walk, why);
	if (age->serial == 0)
		age->before = INT64_MIN;
	ladder_close(ladder);
	return result;
}
