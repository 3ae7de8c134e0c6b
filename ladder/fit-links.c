/* ladder/fit-links.c - which bots can be compared at all.
 *
 * An arrow goes from each bot to those that it scored against.  Bots that no
 * chain of arrows of any direction connects are of different sets.  Strengths
 * have a best distance only among bots that reach each other along arrows: a
 * group (L. R. Ford, American Mathematical Monthly 64 (1957) 28-33).  Groups
 * are found by R. E. Tarjan, SIAM Journal on Computing 1 (1972) 146-160.
 * Anchored bots are as one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-inside.h"

#define NAMED 3 /* of a group, in a sentence */

/* Arrows that are kept before groups are looked for: so many, and for each bot
 * so many more. */
#define ARROWS 1024
#define ARROWS_A_BOT 16

struct arrow {
	uint32_t from, to;
};

struct links {
	unsigned nodes;
	unsigned *node; /* of each bot */
	unsigned bots;
	struct arrow *arrow; /* as they came, `arrows` of them */
	size_t arrows, room;
	size_t *start; /* of each node's arrows in `to`, and the end */
	uint32_t *to;
	unsigned *group; /* of each node; what it points to has a smaller
			  * number, or the same */
	unsigned groups;
	unsigned *order; /* nodes by group */
	unsigned *set;	 /* of each node: the first one of its set */
};

/* ---- groups ----------------------------------------------------------- */

/* By where they come from, into `start` and `to`. */
static void
sort_arrows(struct links *links)
{
	size_t n = links->nodes, i;

	links->start = memory(links->start, (n + 1) * sizeof(*links->start));
	links->to = memory(links->to, (links->arrows + 1) * sizeof(*links->to));
	memset(links->start, 0, (n + 1) * sizeof(*links->start));
	for (i = 0; i < links->arrows; i++)
		links->start[links->arrow[i].from + 1]++;
	for (i = 0; i < n; i++)
		links->start[i + 1] += links->start[i];
	for (i = 0; i < links->arrows; i++)
		links->to[links->start[links->arrow[i].from]++] =
			links->arrow[i].to;
	/* Each start has moved to its end. */
	memmove(links->start + 1, links->start, n * sizeof(*links->start));
	links->start[0] = 0;
}

struct tarjan {
	unsigned *number, *low; /* of each node, from 1; 0: not seen */
	size_t *next;		/* its next arrow */
	unsigned *path, depth, *open, opened, count;
};

static void
enter(struct tarjan *tarjan, const struct links *links, unsigned node)
{
	tarjan->number[node] = tarjan->low[node] = ++tarjan->count;
	tarjan->next[node] = links->start[node];
	tarjan->path[tarjan->depth++] = node;
	tarjan->open[tarjan->opened++] = node;
}

static void
leave(struct tarjan *tarjan, struct links *links, unsigned node, unsigned *at)
{
	unsigned one, above;

	tarjan->depth--;
	if (tarjan->depth > 0) {
		above = tarjan->path[tarjan->depth - 1];
		if (tarjan->low[node] < tarjan->low[above])
			tarjan->low[above] = tarjan->low[node];
	}
	if (tarjan->low[node] != tarjan->number[node])
		return;
	do {
		one = tarjan->open[--tarjan->opened];
		links->group[one] = links->groups;
		links->order[(*at)++] = one;
	} while (one != node);
	links->groups++;
}

static void
find_from(struct tarjan *tarjan, struct links *links, unsigned root,
	  unsigned *at)
{
	unsigned node, to;

	enter(tarjan, links, root);
	while (tarjan->depth > 0) {
		node = tarjan->path[tarjan->depth - 1];
		if (tarjan->next[node] == links->start[node + 1]) {
			leave(tarjan, links, node, at);
			continue;
		}
		to = links->to[tarjan->next[node]++];
		if (tarjan->number[to] == 0)
			enter(tarjan, links, to);
		else if (links->group[to] == UINT32_MAX &&
			 tarjan->number[to] < tarjan->low[node])
			tarjan->low[node] = tarjan->number[to];
	}
}

static void
find_groups(struct links *links)
{
	size_t n = links->nodes + (size_t)1;
	unsigned *room = memory(NULL, 4 * n * sizeof(*room));
	struct tarjan tarjan = {
		.number = room,
		.low = room + n,
		.path = room + 2 * n,
		.open = room + 3 * n,
		.next = memory(NULL, n * sizeof(*tarjan.next)),
	};
	unsigned node, at = 0;

	sort_arrows(links);
	memset(room, 0, n * sizeof(*room));
	links->groups = 0;
	links->group = memory(links->group, n * sizeof(*links->group));
	links->order = memory(links->order, n * sizeof(*links->order));
	memset(links->group, 0xff, n * sizeof(*links->group));
	for (node = 0; node < links->nodes; node++)
		if (tarjan.number[node] == 0)
			find_from(&tarjan, links, node, &at);
	free(room);
	free(tarjan.next);
}

/* ---- arrows ----------------------------------------------------------- */

/* Makes one node of each group, whose own arrows nobody needs any more: all
 * arrows of many games need not be there at a time. */
static void
make_room(struct links *links)
{
	struct arrow *arrow;
	size_t i, kept = 0;
	unsigned b;

	find_groups(links);
	for (b = 0; b < links->bots; b++)
		links->node[b] = links->group[links->node[b]];
	for (i = 0; i < links->arrows; i++) {
		arrow = &links->arrow[i];
		arrow->from = links->group[arrow->from];
		arrow->to = links->group[arrow->to];
		if (arrow->from != arrow->to)
			links->arrow[kept++] = *arrow;
	}
	links->arrows = kept;
	links->nodes = links->groups;
	if (kept > links->room / 2) {
		links->room *= 2;
		links->arrow = memory(links->arrow,
				      links->room * sizeof(*links->arrow));
	}
}

static void
add_arrow(struct links *links, unsigned from, unsigned to)
{
	if (links->arrows == links->room)
		make_room(links);
	from = links->node[from];
	to = links->node[to];
	if (from != to)
		links->arrow[links->arrows++] = (struct arrow){ from, to };
}

/* The arrows of game g that suffice to know who reaches whom: from place to
 * place, around those of one place. */
static void
add_game(const struct fit *fit, size_t g, struct links *links)
{
	struct fit_table table;
	const unsigned char *place = table.place;
	unsigned n, s, t, next, level;

	fit_read(fit, g, &table);
	n = table.seats;
	for (s = 0; s < n; s++) {
		next = level = n;
		for (t = 0; t < n; t++) {
			if (place[t] > place[s] &&
			    (next == n || place[t] < place[next]))
				next = t;
			/* The next one around, counted from s. */
			if (t != s && place[t] == place[s] &&
			    (level == n ||
			     (t + n - s) % n < (level + n - s) % n))
				level = t;
		}
		if (next < n)
			add_arrow(links, table.bot[s], table.bot[next]);
		if (level < n)
			add_arrow(links, table.bot[s], table.bot[level]);
	}
}

static void
find_arrows(const struct fit *fit, struct links *links)
{
	size_t g;

	links->bots = fit->bots;
	links->room = ARROWS + ARROWS_A_BOT * (size_t)fit->bots;
	links->arrow = memory(NULL, links->room * sizeof(*links->arrow));
	for (g = 0; g < fit->games; g++)
		add_game(fit, g, links);
}

/* ---- sets ------------------------------------------------------------- */

static unsigned
first_of(unsigned *set, unsigned node)
{
	while (set[node] != node)
		node = set[node] = set[set[node]];
	return node;
}

static void
find_sets(struct links *links)
{
	unsigned node, a, b;
	size_t i;

	links->set =
		memory(NULL, (links->nodes + (size_t)1) * sizeof(*links->set));
	for (node = 0; node < links->nodes; node++)
		links->set[node] = node;
	for (node = 0; node < links->nodes; node++)
		for (i = links->start[node]; i < links->start[node + 1]; i++) {
			a = first_of(links->set, node);
			b = first_of(links->set, links->to[i]);
			links->set[a < b ? b : a] = a < b ? a : b;
		}
	for (node = 0; node < links->nodes; node++)
		links->set[node] = first_of(links->set, node);
}

struct size {
	unsigned set, first, bots; /* first: its first bot */
};

static int
compare_sizes(const void *left, const void *right)
{
	const struct size *a = left, *b = right;

	if (a->bots != b->bots)
		return a->bots > b->bots ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

/* From 0, the largest first, into the rows. */
static void
number_sets(struct fit *fit, const struct links *links)
{
	size_t n = links->nodes + (size_t)1;
	struct size *size = memory(NULL, n * sizeof(*size));
	unsigned *number = memory(NULL, n * sizeof(*number)), b, i;

	for (i = 0; i < links->nodes; i++)
		size[i] = (struct size){ .set = i };
	for (b = fit->bots; b-- > 0;) {
		i = links->set[links->node[b]];
		size[i].first = b;
		size[i].bots++;
	}
	qsort(size, links->nodes, sizeof(*size), compare_sizes);
	for (i = 0; i < links->nodes; i++)
		number[size[i].set] = i;
	for (b = 0; b < fit->bots; b++)
		fit->row[b].set = number[links->set[links->node[b]]];
	free(size);
	free(number);
}

/* ---- marks ------------------------------------------------------------ */

/* What is known of a group. */
struct group {
	unsigned bots;
	bool scores, scored; /* against another group, by another */
	bool up, down;	     /* reached from the middle of its set (the
			      * anchors' group, or the largest), reaches it */
};

/* The largest group of each set, by the set's first node; UINT32_MAX: two are
 * as large. */
static unsigned *
find_largest(const struct links *links, const struct group *group)
{
	unsigned *largest =
		memory(NULL, (links->nodes + (size_t)1) * sizeof(*largest));
	unsigned *most =
		memory(NULL, (links->nodes + (size_t)1) * sizeof(*most));
	unsigned i, node, set, g;

	memset(largest, 0xff, links->nodes * sizeof(*largest));
	memset(most, 0, links->nodes * sizeof(*most));
	for (i = 0; i < links->nodes; i++) {
		node = links->order[i];
		g = links->group[node];
		set = links->set[node];
		if (i > 0 && links->group[links->order[i - 1]] == g)
			continue;
		if (group[g].bots == most[set])
			largest[set] = UINT32_MAX;
		if (group[g].bots <= most[set])
			continue;
		most[set] = group[g].bots;
		largest[set] = g;
	}
	free(most);
	return largest;
}

/* Along the arrows: groups have smaller numbers there. */
static void
reach(const struct links *links, struct group *group)
{
	unsigned i, g, h;
	size_t k;

	for (i = 0; i < links->nodes; i++) {
		g = links->group[links->order[i]];
		for (k = links->start[links->order[i]];
		     k < links->start[links->order[i] + 1]; k++) {
			h = links->group[links->to[k]];
			group[g].down |= group[h].down;
			group[g].scores |= g != h;
			group[h].scored |= g != h;
		}
	}
	for (i = links->nodes; i-- > 0;) {
		g = links->group[links->order[i]];
		for (k = links->start[links->order[i]];
		     k < links->start[links->order[i] + 1]; k++)
			group[links->group[links->to[k]]].up |= group[g].up;
	}
}

static enum fit_mark
mark_of(const struct group *group)
{
	if (group->up && group->down)
		return FIT_SOUND;
	if (group->up || group->down)
		return group->up ? FIT_BELOW : FIT_ABOVE;
	if (group->scores != group->scored)
		return group->scores ? FIT_ABOVE : FIT_BELOW;
	return FIT_NOWHERE;
}

static struct group *
judge_groups(const struct fit *fit, const struct links *links)
{
	struct group *group =
		memory(NULL, (links->groups + (size_t)1) * sizeof(*group));
	unsigned *largest, b;

	memset(group, 0, (links->groups + (size_t)1) * sizeof(*group));
	for (b = 0; b < fit->bots; b++)
		group[links->group[links->node[b]]].bots++;
	largest = find_largest(links, group);
	/* Where a set has anchors, ratings are distances from them. */
	for (b = 0; b < fit->bots; b++)
		if (fit->name[b].anchored)
			largest[links->set[links->node[b]]] =
				links->group[links->node[b]];
	for (b = 0; b < links->nodes; b++)
		if (largest[b] != UINT32_MAX)
			group[largest[b]].up = group[largest[b]].down = true;
	free(largest);
	reach(links, group);
	return group;
}

/* ---- without a prior -------------------------------------------------- */

/* The names of bots in, or not in, a group or a set. */
static void
name_some(const struct fit *fit, const unsigned number[], const unsigned node[],
	  unsigned wanted, bool in, char text[], size_t size)
{
	unsigned b, n = 0;
	size_t used = 0;

	text[0] = '\0';
	for (b = 0; b < fit->bots; b++) {
		if ((number[node[b]] == wanted) != in)
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
refuse(const struct fit *fit, const struct links *links, struct error *why)
{
	char some[1024], others[1024];
	unsigned b, first = links->set[links->order[0]], last;
	size_t lone = 0;

	for (b = 0; b < links->nodes; b++)
		if (links->set[b] != first)
			break;
	if (b < links->nodes) {
		name_some(fit, links->set, links->node, first, true, some,
			  sizeof(some));
		name_some(fit, links->set, links->node, first, false, others,
			  sizeof(others));
		return error_set(why, ERROR_INPUT,
				 "without a prior no chain of games connects "
				 "%s with %s; leave --prior 0 out",
				 some, others);
	}
	/* Group 0 scored against no other; against the last one none did. */
	last = links->groups - 1;
	for (b = 0; b < fit->bots; b++)
		lone += links->group[links->node[b]] == 0;
	b = 2 * lone > fit->bots ? last : 0;
	name_some(fit, links->group, links->node, b, true, some, sizeof(some));
	name_some(fit, links->group, links->node, b, false, others,
		  sizeof(others));
	return error_set(why, ERROR_INPUT,
			 "%s never scored against %s, so without a prior there "
			 "is no best distance; leave --prior 0 out",
			 b == 0 ? some : others, b == 0 ? others : some);
}

static void
find_nodes(const struct fit *fit, struct links *links)
{
	unsigned b, anchor = UINT32_MAX;

	links->node =
		memory(NULL, (fit->bots + (size_t)1) * sizeof(*links->node));
	for (b = 0; b < fit->bots; b++) {
		if (fit->name[b].anchored && anchor != UINT32_MAX) {
			links->node[b] = anchor;
			continue;
		}
		if (fit->name[b].anchored)
			anchor = links->nodes;
		links->node[b] = links->nodes++;
	}
}

int
fit_link(struct fit *fit, bool prior, struct error *why)
{
	struct links links = { 0 };
	struct group *group;
	unsigned b;
	int result = 0;

	find_nodes(fit, &links);
	find_arrows(fit, &links);
	find_groups(&links);
	find_sets(&links);
	number_sets(fit, &links);
	group = judge_groups(fit, &links);
	for (b = 0; b < fit->bots; b++)
		fit->row[b].mark =
			fit->name[b].anchored
				? FIT_SOUND
				: mark_of(&group[links.group[links.node[b]]]);
	if (!prior && links.groups > 1)
		result = refuse(fit, &links, why);
	free(group);
	free(links.node);
	free(links.arrow);
	free(links.start);
	free(links.to);
	free(links.group);
	free(links.order);
	free(links.set);
	return result;
}
