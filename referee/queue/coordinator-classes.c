/* referee/queue/coordinator-classes.c - which machines play a ladder's games. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/coordinator-inside.h"

static struct classed *
find_class(const struct coordinator *coordinator, const char *ladder)
{
	struct classed *classed = coordinator->classes;

	while (classed != NULL && strcmp(classed->ladder, ladder) != 0)
		classed = classed->next;
	return classed;
}

const char *
class_of(const struct coordinator *coordinator, const char *ladder)
{
	const struct classed *classed = find_class(coordinator, ladder);

	return classed == NULL ? "" : classed->class;
}

const char **
classes_ladders(const struct coordinator *coordinator, size_t *count)
{
	const struct classed *classed;
	const char **ladder = NULL;

	*count = 0;
	for (classed = coordinator->classes; classed != NULL;
	     classed = classed->next) {
		ladder = grown(ladder, *count, sizeof(*ladder));
		ladder[(*count)++] = classed->ladder;
	}
	return ladder;
}

/* There may be more jobs than one statement has time for. */
static void
on_classed(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;

	if (!coordinator_is_taken(coordinator, answer) &&
	    answer->outcome == PG_DONE &&
	    pg_number(answer, 0, 0) == COORDINATOR_CLASSED)
		classes_send(coordinator);
}

void
classes_send(struct coordinator *coordinator)
{
	const char **ladder, **class;
	size_t n;

	if (!coordinator_is_ready(coordinator) || coordinator->classes == NULL)
		return;
	ladder = classes_ladders(coordinator, &n);
	class = memory(NULL, n * sizeof(*class));
	for (size_t i = 0; i < n; i++)
		class[i] = class_of(coordinator, ladder[i]);
	pg_ask(coordinator->pg, on_classed, coordinator,
	       "SELECT referee.set_classes($1, $2, $3, $4)", "iSSi",
	       coordinator->house.epoch, ladder, n, class, n,
	       (int64_t)COORDINATOR_CLASSED);
	free(ladder);
	free(class);
}

void
coordinator_set_class(struct coordinator *coordinator, const char *ladder,
		      const char *class)
{
	struct classed *classed = find_class(coordinator, ladder);

	if (classed == NULL) {
		classed = zeroed(1, sizeof(*classed));
		snprintf(classed->ladder, sizeof(classed->ladder), "%s",
			 ladder);
		classed->next = coordinator->classes;
		coordinator->classes = classed;
	}
	snprintf(classed->class, sizeof(classed->class), "%s", class);
	classes_send(coordinator);
}

void
classes_free(struct coordinator *coordinator)
{
	struct classed *classed;

	while ((classed = coordinator->classes) != NULL) {
		coordinator->classes = classed->next;
		free(classed);
	}
}
