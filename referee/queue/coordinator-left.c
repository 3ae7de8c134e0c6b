/* referee/queue/coordinator-left.c - jobs that an earlier daemon has left: they
 * are played, so there is less room for others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/coordinator-inside.h"

/* That are counted at most, of each state. */
#define LEFT_MAX 10000

struct left {
	struct left *next;
	char ladder[NAME_BYTES + 1];
	uint64_t jobs;
};

void
left_free(struct coordinator *coordinator)
{
	struct left *left;

	while ((left = coordinator->left) != NULL) {
		coordinator->left = left->next;
		free(left);
	}
}

static struct left *
find(const struct coordinator *coordinator, const char *ladder)
{
	struct left *left = coordinator->left;

	while (left != NULL && strcmp(left->ladder, ladder) != 0)
		left = left->next;
	return left;
}

void
left_less(struct coordinator *coordinator, const char *ladder)
{
	struct left *left = find(coordinator, ladder);

	if (left != NULL && left->jobs > 0)
		left->jobs--;
}

uint64_t
coordinator_left(const struct coordinator *coordinator, const char *ladder)
{
	const struct left *left = find(coordinator, ladder);

	return left == NULL ? 0 : left->jobs;
}

static void
on_left(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	struct left *left;

	if (answer->outcome != PG_DONE) {
		left_known(coordinator, false);
		return;
	}
	left_free(coordinator);
	for (unsigned i = 0; i < pg_rows(answer); i++) {
		left = zeroed(1, sizeof(*left));
		snprintf(left->ladder, sizeof(left->ladder), "%s",
			 pg_string(answer, i, 0));
		left->jobs = (uint64_t)pg_number(answer, i, 1);
		left->next = coordinator->left;
		coordinator->left = left;
	}
	left_known(coordinator, true);
}

/* Those that this daemon has ordered, or whose results it has, are its own. */
void
left_ask(struct coordinator *coordinator)
{
	const struct order *order;
	const struct check *check;
	const char **game;
	size_t n = 0;

	for (order = coordinator->orders; order != NULL; order = order->next)
		n++;
	game = memory(NULL, (n + coordinator->checking + 1) * sizeof(*game));
	n = 0;
	for (order = coordinator->orders; order != NULL; order = order->next)
		game[n++] = order->game;
	for (check = coordinator->checks; check != NULL; check = check->next)
		game[n++] = check->game;
	pg_ask(coordinator->pg, on_left, coordinator,
	       "SELECT ladder, count(*) FROM ("
	       "(SELECT ladder, game FROM referee.job WHERE state = 'waiting' "
	       "AND rules = ANY ($1) LIMIT $3) UNION ALL "
	       "(SELECT ladder, game FROM referee.job WHERE state = 'claimed' "
	       "AND rules = ANY ($1) LIMIT $3) UNION ALL "
	       "(SELECT j.ladder, j.game FROM referee.result r "
	       "JOIN referee.job j ON j.job = r.job WHERE r.state = 'new' "
	       "AND j.state = 'reported' AND j.rules = ANY ($1) LIMIT $3)"
	       ") o WHERE game <> ALL ($2) GROUP BY ladder",
	       "SSi", coordinator->rules, coordinator->games, game, n,
	       (int64_t)LEFT_MAX);
	free((void *)game);
}
