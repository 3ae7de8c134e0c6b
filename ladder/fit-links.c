/* ladder/fit-links.c - finds which bots can be compared at all.
 *
 * Bots that no chain of games connects are of different sets.  Without a prior
 * strengths have a best distance only if each bot reaches each other along
 * arrows, from a bot to those that it scored against (L. R. Ford, American
 * Mathematical Monthly 64 (1957) 28-33).  Anchors are one node. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-inside.h"

#define NAMED 3 /* bots of a group that a sentence names */

/* ---- sets ------------------------------------------------------------- */

static unsigned
first_of(unsigned *set, unsigned node)
{
	while (set[node] != node)
		node = set[node] = set[set[node]];
	return node;
}

/* Returns the first node of each bot's set.  The caller frees it. */
static unsigned *
find_sets(const struct fit *fit)
{
	unsigned *set = memory(NULL, (fit->bots + (size_t)1) * sizeof(*set));
	struct fit_table table;
	unsigned one, other;

	for (unsigned b = 0; b < fit->bots; b++)
		set[b] = fit->node[b];
	for (size_t g = 0; g < fit->games; g++) {
		fit_read(fit, g, &table);
		for (unsigned s = 1; s < table.seats; s++) {
			one = first_of(set, table.bot[0]);
			other = first_of(set, table.bot[s]);
			set[one < other ? other : one] =
				one < other ? one : other;
		}
	}
	for (unsigned b = 0; b < fit->bots; b++)
		set[b] = first_of(set, b);
	return set;
}

struct size {
	unsigned first, bots;
};

static int
compare_sizes(const void *left, const void *right)
{
	const struct size *a = left, *b = right;

	if (a->bots != b->bots)
		return a->bots > b->bots ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

/* Numbers the sets from 0, the largest first, and writes the numbers into the
 * rows. */
static void
number_sets(struct fit *fit, const unsigned set[])
{
	size_t n = fit->bots + (size_t)1;
	struct size *size = memory(NULL, n * sizeof(*size));
	unsigned *number = memory(NULL, n * sizeof(*number)), b;

	for (b = 0; b < fit->bots; b++)
		size[b] = (struct size){ .first = b };
	for (b = 0; b < fit->bots; b++)
		size[set[b]].bots++;
	qsort(size, fit->bots, sizeof(*size), compare_sizes);
	for (b = 0; b < fit->bots; b++)
		number[size[b].first] = b;
	for (b = 0; b < fit->bots; b++)
		fit->row[b].set = number[set[b]];
	free(size);
	free(number);
}

/* ---- without a prior -------------------------------------------------- */

/* Marks what a marked seat of game g reaches in one step: along the arrows, or
 * against them.  Returns true if that is more than before. */
static bool
reach_in_game(const struct fit *fit, size_t g, bool along, bool reached[])
{
	struct fit_table table;
	bool more = false;

	fit_read(fit, g, &table);
	for (unsigned s = 0; s < table.seats; s++)
		for (unsigned t = 0; t < table.seats; t++) {
			if (!reached[fit->node[table.bot[s]]] ||
			    reached[fit->node[table.bot[t]]] ||
			    (along ? table.place[t] < table.place[s]
				   : table.place[t] > table.place[s]))
				continue;
			reached[fit->node[table.bot[t]]] = true;
			more = true;
		}
	return more;
}

/* Marks what the first bot reaches, or what reaches it; returns true if that is
 * every bot. */
static bool
reach_all(const struct fit *fit, bool along, bool reached[])
{
	bool more = true, all = true;
	size_t g;

	memset(reached, 0, fit->bots * sizeof(*reached));
	reached[fit->node[0]] = true;
	while (more)
		for (more = false, g = 0; g < fit->games; g++)
			more |= reach_in_game(fit, g, along, reached);
	for (unsigned b = 0; b < fit->bots; b++)
		all &= reached[fit->node[b]];
	return all;
}

/* Writes the names of some bots that are marked, or with `are` false are not. */
static void
name_some(const struct fit *fit, const bool marked[], bool are, char text[],
	  size_t size)
{
	unsigned b, n = 0;
	size_t used = 0;

	text[0] = '\0';
	for (b = 0; b < fit->bots; b++) {
		if (marked[fit->node[b]] != are)
			continue;
		if (n < NAMED)
			used += (size_t)snprintf(text + used, size - used,
						 "%s%.200s", n > 0 ? ", " : "",
						 fit->name[b].text);
		n++;
	}
	if (n > NAMED)
		snprintf(text + used, size - used, " and %u more", n - NAMED);
}

static int
refuse_unless_linked(const struct fit *fit, const unsigned set[],
		     struct error *why)
{
	bool *marked = zeroed(fit->bots + (size_t)1, sizeof(*marked)), one_set;
	char some[1024], others[1024];
	bool along = false, linked;
	unsigned b;

	for (one_set = true, b = 0; b < fit->bots; b++) {
		marked[b] = set[b] == set[0];
		one_set &= marked[b];
	}
	linked = one_set && reach_all(fit, false, marked);
	if (linked) {
		along = true;
		linked = reach_all(fit, true, marked);
	}
	name_some(fit, marked, true, some, sizeof(some));
	name_some(fit, marked, false, others, sizeof(others));
	free(marked);
	if (linked)
		return 0;
	if (!one_set)
		return error_set(why, ERROR_INPUT,
				 "without a prior no chain of games connects "
				 "%s with %s; leave --prior 0 out",
				 some, others);
	return error_set(why, ERROR_INPUT,
			 "%s never scored against %s, so without a prior there "
			 "is no best distance; leave --prior 0 out",
			 along ? some : others, along ? others : some);
}

int
fit_link(struct fit *fit, bool prior, struct error *why)
{
	unsigned *set = find_sets(fit);
	int result = 0;

	number_sets(fit, set);
	if (!prior && fit->bots > 0)
		result = refuse_unless_linked(fit, set, why);
	free(set);
	return result;
}
