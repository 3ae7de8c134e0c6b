/* referee/match/blossom.c - see blossom.h.
 *
 * The words are those of Galil's survey.  A node is a vertex or a blossom: an
 * odd circle of nodes, of which all but one, the base, are matched within the
 * circle.  A node that is in no other node is a top.  In each stage trees grow
 * from all tops without a mate.  The roots and all nodes at an even distance
 * from a root are outer, the other nodes of a tree are inner, and nodes outside
 * all trees are free.  Only tight edges are used, those of slack 0.  An edge
 * between two trees makes one more pair, and the stage is over.  An edge within
 * a tree makes a blossom.  If no edge is tight any more, the duals move until
 * an edge becomes tight, or until an inner blossom has dual 0 and is opened
 * again. */
#include "referee/match/blossom.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "protocol/util.h"

#define NONE UINT16_MAX

enum label { FREE, OUTER, INNER };

/* An edge between two vertices. */
struct edge {
	uint16_t from, to;
};

struct node {
	blossom_weight dual;
	enum label label; /* set for tops */
	uint16_t in;	  /* the blossom that it is a part of, or NONE */
	uint16_t top;	  /* its top, maybe itself; NONE: not in use */
	uint16_t mate;	  /* the vertex that it is matched with, or NONE */
	uint16_t close;	  /* set for tops: the outer vertex of another top whose
			   * edge to this one has the least slack, or NONE */
	struct edge came; /* set for inner nodes: the edge from the parent */
	unsigned seen;	  /* the last search that has passed here */
	uint16_t *part;	  /* owned; set for blossoms: the parts around the
			   * circle from the base on */
	unsigned parts;
};

struct graph {
	unsigned vertices, nodes;
	const blossom_weight *weight;
	struct node *node; /* owned: the vertices, then room for blossoms */
	struct edge *link; /* owned; the edge of the least slack from each node
			    * to each other, unless one is in the other */
	uint16_t *queue;   /* owned: outer vertices to look at */
	unsigned head, tail;
	unsigned searches;
};

static struct edge *
link_of(const struct graph *g, unsigned from, unsigned to)
{
	return &g->link[(size_t)from * g->nodes + to];
}

static struct edge
turned(struct edge edge)
{
	return (struct edge){ edge.to, edge.from };
}

static blossom_weight
slack(const struct graph *g, struct edge edge)
{
	return 2 * g->weight[(size_t)edge.from * g->vertices + edge.to] -
	       g->node[edge.from].dual - g->node[edge.to].dual;
}

static bool
is_top(const struct graph *g, unsigned x)
{
	return g->node[x].top == x;
}

static unsigned
top_of(const struct graph *g, unsigned x)
{
	return g->node[x].top;
}

static void
set_top(struct graph *g, unsigned x, unsigned top)
{
	struct node *node = &g->node[x];

	node->top = (uint16_t)top;
	for (unsigned i = 0; i < node->parts; i++)
		set_top(g, node->part[i], top);
}

static void
queue_vertices(struct graph *g, unsigned x)
{
	const struct node *node = &g->node[x];

	if (x < g->vertices)
		g->queue[g->tail++] = (uint16_t)x;
	for (unsigned i = 0; i < node->parts; i++)
		queue_vertices(g, node->part[i]);
}

static void
make_outer(struct graph *g, unsigned x)
{
	g->node[x].label = OUTER;
	queue_vertices(g, x);
}

/* ---- the closest outer vertex ----------------------------------------- */

static void
consider(struct graph *g, unsigned vertex, unsigned x)
{
	struct node *node = &g->node[x];

	if (node->close == NONE ||
	    slack(g, *link_of(g, vertex, x)) <
		    slack(g, *link_of(g, node->close, x)))
		node->close = (uint16_t)vertex;
}

static void
find_close(struct graph *g, unsigned x)
{
	unsigned top;

	g->node[x].close = NONE;
	for (unsigned v = 0; v < g->vertices; v++) {
		top = top_of(g, v);
		if (top != x && g->node[top].label == OUTER)
			consider(g, v, x);
	}
}

/* ---- pairs ------------------------------------------------------------ */

static void
turn_parts(uint16_t part[], unsigned from, unsigned to)
{
	for (uint16_t kept; from + 1 < to; from++) {
		kept = part[from];
		part[from] = part[--to];
		part[to] = kept;
	}
}

/* Returns the place in the blossom of the part that has the vertex.  The number
 * of edges from the base to that part is even, because the blossom is turned
 * round if need be. */
static unsigned
even_way(struct graph *g, unsigned blossom, unsigned vertex)
{
	const struct node *node = &g->node[blossom];
	unsigned x = vertex, at = 0;

	while (g->node[x].in != blossom)
		x = g->node[x].in;
	while (node->part[at] != x)
		at++;
	if (at % 2 == 0)
		return at;
	turn_parts(node->part, 1, node->parts);
	return node->parts - at;
}

/* Turns the circle so that part number `at` comes first. */
static void
make_base(const struct node *node, unsigned at)
{
	turn_parts(node->part, 0, at);
	turn_parts(node->part, at, node->parts);
	turn_parts(node->part, 0, node->parts);
}

/* Matches the edge, which begins in the node. */
static void
match(struct graph *g, unsigned x, struct edge edge)
{
	struct node *node = &g->node[x];
	struct edge within;
	unsigned at;

	node->mate = edge.to;
	if (x < g->vertices)
		return;
	at = even_way(g, x, edge.from);
	for (unsigned i = 0; i < at; i += 2) {
		within = *link_of(g, node->part[i], node->part[i + 1]);
		match(g, node->part[i], within);
		match(g, node->part[i + 1], turned(within));
	}
	match(g, node->part[at], edge);
	make_base(node, at);
}

/* Matches the edge, and swaps the matched and unmatched edges from there back
 * to the root. */
static void
match_to_root(struct graph *g, struct edge edge)
{
	unsigned x = top_of(g, edge.from), y;

	while (g->node[x].mate != NONE) {
		y = top_of(g, g->node[x].mate);
		match(g, x, edge);
		edge = g->node[y].came;
		match(g, y, turned(edge));
		x = top_of(g, edge.from);
	}
	match(g, x, edge);
}

/* ---- blossoms --------------------------------------------------------- */

/* Returns the outer top before this one in its tree; NONE for a root. */
static unsigned
before(const struct graph *g, unsigned x)
{
	if (g->node[x].mate == NONE)
		return NONE;
	return top_of(g, g->node[top_of(g, g->node[x].mate)].came.from);
}

/* Returns where the ways from both to their roots meet, or NONE. */
static unsigned
meeting(struct graph *g, unsigned x, unsigned y)
{
	unsigned other;

	for (g->searches++; x != NONE || y != NONE; x = y, y = other) {
		other = x;
		if (x == NONE)
			continue;
		if (g->node[x].seen == g->searches)
			return x;
		g->node[x].seen = g->searches;
		other = before(g, x);
	}
	return NONE;
}

/* Adds to the blossom all nodes on the way from the outer top `x` to `end`,
 * without `end`. */
static void
add_way(struct graph *g, struct node *blossom, unsigned x, unsigned end)
{
	unsigned inner;

	for (; x != end; x = before(g, x)) {
		inner = top_of(g, g->node[x].mate);
		blossom->part[blossom->parts++] = (uint16_t)x;
		blossom->part[blossom->parts++] = (uint16_t)inner;
		make_outer(g, inner);
	}
}

static void
find_links(struct graph *g, unsigned blossom)
{
	const struct node *node = &g->node[blossom];
	unsigned best, part;

	for (unsigned x = 0; x < g->nodes; x++) {
		if (top_of(g, x) == NONE || top_of(g, x) == blossom)
			continue;
		best = node->part[0];
		for (unsigned i = 1; i < node->parts; i++) {
			part = node->part[i];
			if (slack(g, *link_of(g, part, x)) <
			    slack(g, *link_of(g, best, x)))
				best = part;
		}
		*link_of(g, blossom, x) = *link_of(g, best, x);
		*link_of(g, x, blossom) = turned(*link_of(g, best, x));
	}
}

static void
close_blossom(struct graph *g, unsigned base, unsigned x, unsigned y)
{
	unsigned blossom = g->vertices;
	struct node *node;

	while (top_of(g, blossom) != NONE)
		blossom++;
	node = &g->node[blossom];
	node->dual = 0;
	node->label = OUTER;
	node->mate = g->node[base].mate;
	node->part[0] = (uint16_t)base;
	node->parts = 1;
	add_way(g, node, x, base);
	turn_parts(node->part, 1, node->parts);
	add_way(g, node, y, base);
	for (unsigned i = 0; i < node->parts; i++)
		g->node[node->part[i]].in = (uint16_t)blossom;
	set_top(g, blossom, blossom);
	find_links(g, blossom);
	find_close(g, blossom);
}

/* Opens an inner blossom.  Afterwards its parts lie on a way through the tree,
 * or are free. */
static void
open_blossom(struct graph *g, unsigned blossom)
{
	struct node *node = &g->node[blossom], *part;
	const unsigned at = even_way(g, blossom, node->came.to);

	for (unsigned i = 0; i < node->parts; i++) {
		part = &g->node[node->part[i]];
		part->in = NONE;
		part->label = FREE;
		set_top(g, node->part[i], node->part[i]);
	}
	for (unsigned i = 0; i <= at; i += 2) {
		part = &g->node[node->part[i]];
		part->label = INNER;
		part->came =
			i == at ? node->came
				: *link_of(g, node->part[i + 1], node->part[i]);
	}
	for (unsigned i = 1; i < at; i += 2)
		make_outer(g, node->part[i]);
	for (unsigned i = 0; i < node->parts; i++)
		find_close(g, node->part[i]);
	node->top = NONE;
	node->parts = 0;
}

/* ---- a stage ---------------------------------------------------------- */

/* Uses a tight edge that begins in an outer top.  Returns true if that made one
 * more pair. */
static bool
use_edge(struct graph *g, struct edge edge)
{
	const unsigned x = top_of(g, edge.from), y = top_of(g, edge.to);
	struct node *node = &g->node[y];
	unsigned base;

	if (x == y || node->label == INNER)
		return false;
	if (node->label == FREE) {
		node->label = INNER;
		node->came = edge;
		make_outer(g, top_of(g, node->mate));
		return false;
	}
	base = meeting(g, x, y);
	if (base != NONE) {
		close_blossom(g, base, x, y);
		return false;
	}
	match_to_root(g, edge);
	match_to_root(g, turned(edge));
	return true;
}

static bool
look_at(struct graph *g, unsigned vertex)
{
	struct edge edge = { .from = (uint16_t)vertex };

	for (unsigned v = 0; v < g->vertices; v++) {
		edge.to = (uint16_t)v;
		if (top_of(g, v) == top_of(g, vertex))
			continue;
		if (slack(g, edge) > 0)
			consider(g, vertex, top_of(g, v));
		else if (use_edge(g, edge))
			return true;
	}
	return false;
}

/* Sets how far the duals may move for this top.  Returns false if there is no
 * limit. */
static bool
find_bound(const struct graph *g, unsigned x, blossom_weight *bound)
{
	const struct node *node = &g->node[x];

	if (node->label == INNER) {
		*bound = node->dual / 2;
		return x >= g->vertices;
	}
	if (node->close == NONE)
		return false;
	*bound = slack(g, *link_of(g, node->close, x));
	if (node->label == OUTER)
		*bound /= 2;
	return true;
}

static void
move_duals(struct graph *g)
{
	blossom_weight least = -1, bound;
	enum label label;

	for (unsigned x = 0; x < g->nodes; x++)
		if (is_top(g, x) && find_bound(g, x, &bound) &&
		    (least < 0 || bound < least))
			least = bound;
	if (least < 0)
		bug("no pairs in a whole graph");
	for (unsigned x = 0; x < g->nodes; x++) {
		if (x >= g->vertices && !is_top(g, x))
			continue;
		label = g->node[top_of(g, x)].label;
		bound = x < g->vertices ? least : 2 * least;
		if (label == OUTER)
			g->node[x].dual += bound;
		else if (label == INNER)
			g->node[x].dual -= bound;
	}
}

/* Uses the edges that have become tight, and opens inner blossoms of dual 0.
 * Returns true if an edge made one more pair. */
static bool
use_tight(struct graph *g)
{
	const struct node *node;
	struct edge edge;

	for (unsigned x = 0; x < g->nodes; x++) {
		node = &g->node[x];
		if (!is_top(g, x) || node->label == INNER ||
		    node->close == NONE)
			continue;
		edge = *link_of(g, node->close, x);
		if (slack(g, edge) == 0 && use_edge(g, edge))
			return true;
	}
	for (unsigned x = g->vertices; x < g->nodes; x++)
		if (is_top(g, x) && g->node[x].label == INNER &&
		    g->node[x].dual == 0)
			open_blossom(g, x);
	return false;
}

/* Makes one more pair. */
static void
stage(struct graph *g)
{
	g->head = g->tail = 0;
	for (unsigned x = 0; x < g->nodes; x++) {
		g->node[x].label = FREE;
		g->node[x].close = NONE;
	}
	for (unsigned x = 0; x < g->nodes; x++)
		if (is_top(g, x) && g->node[x].mate == NONE)
			make_outer(g, x);
	for (;;) {
		while (g->head < g->tail)
			if (look_at(g, g->queue[g->head++]))
				return;
		move_duals(g);
		if (use_tight(g))
			return;
	}
}

/* ---- all of it -------------------------------------------------------- */

/* All duals begin with the same value, so they stay whole numbers. */
static void
begin(struct graph *g)
{
	const size_t all = (size_t)g->vertices * g->vertices;
	blossom_weight least = g->weight[1];

	for (size_t i = 0; i < all; i++)
		if (i / g->vertices != i % g->vertices && g->weight[i] < least)
			least = g->weight[i];
	for (unsigned x = 0; x < g->nodes; x++) {
		g->node[x] = (struct node){
			.dual = least, .in = NONE, .top = NONE, .mate = NONE
		};
		if (x < g->vertices)
			g->node[x].top = (uint16_t)x;
		else
			g->node[x].part =
				memory(NULL, g->vertices * sizeof(uint16_t));
	}
	for (unsigned x = 0; x < g->vertices; x++)
		for (unsigned y = 0; y < g->vertices; y++)
			*link_of(g, x, y) =
				(struct edge){ (uint16_t)x, (uint16_t)y };
}

void
blossom_match(unsigned points, const blossom_weight weight[], unsigned mate[])
{
	const unsigned nodes = points + points / 2;
	struct graph g = { .vertices = points,
			   .nodes = nodes,
			   .weight = weight };

	if (points % 2 != 0 || points > BLOSSOM_POINTS_MAX)
		bug("pairs of %u points", points);
	if (points == 0)
		return;
	g.node = memory(NULL, nodes * sizeof(*g.node));
	g.link = memory(NULL, (size_t)nodes * nodes * sizeof(*g.link));
	g.queue = memory(NULL, points * sizeof(*g.queue));
	begin(&g);
	for (unsigned i = 0; i < points / 2; i++)
		stage(&g);
	for (unsigned v = 0; v < points; v++)
		mate[v] = g.node[v].mate;
	for (unsigned x = points; x < nodes; x++)
		free(g.node[x].part);
	free(g.node);
	free(g.link);
	free(g.queue);
}
