/* search.c - see search.h. */
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "policy.h"
#include "value.h"

#define SPREAD_MIN 0.01
#define DEPTH 512      /* moves of one playout in the tree */
#define PLIES_MAX 2000 /* of a playout; then it is judged as it stands */
#define CLOCK_EVERY 8  /* playouts; the processor's is a system call */

/* Holds one playout. */
struct playout {
	struct search *search;
	struct follow *follow;
	struct game game;
	unsigned me, round;
	const struct game *root;
	const struct policy *policy;
	const struct move *given; /* what the seat does first; NULL: it
				   * chooses */
	double more[SEATS_MAX];	  /* to be expected at its end */
	uint32_t at[SEATS_MAX]; /* of each tree the node that was reached last,
				 */
	bool inside[SEATS_MAX]; /* and whether the playout is still in it */
	uint32_t path[DEPTH];
	unsigned steps;
	struct events ev; /* not wanted */
	struct legal legal;
	float weight[LEGAL_MAX];
};

static uint64_t
microseconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t
search_clock(void)
{
	return microseconds(CLOCK_MONOTONIC);
}

void
search_init(struct search *search)
{
	search->node = memory(NULL, SEARCH_NODES * sizeof(*search->node));
}

void
search_release(struct search *search)
{
	free(search->node);
}

/* ---- the tree --------------------------------------------------------- */

/* These stand in place of a seat: what all see of a seat's move (or of `quiet`); what
 * sort of cards it holds. */
enum { LABEL_SEEN = 16, LABEL_SORT = 32 };

/* Returns the tree where the answers of a seat are. */
static unsigned
tree_of(const struct playout *p, unsigned seat)
{
	return p->policy->sort ? seat : 0;
}

static bool
same_move(struct move one, struct move other)
{
	return one.verb == other.verb && one.n == other.n &&
	       one.piece[0] == other.piece[0] && one.piece[1] == other.piece[1];
}

static uint32_t
find_child(const struct search *search, uint32_t at, unsigned seat,
	   struct move move)
{
	uint32_t i;

	for (i = search->node[at].child; i; i = search->node[i].sibling)
		if (search->node[i].seat == seat &&
		    same_move(search->node[i].move, move))
			break;
	return i;
}

/* 0: there is no room left. */
static uint32_t
add_child(struct search *search, uint32_t at, unsigned seat, struct move move)
{
	uint32_t i = search->nodes;

	if (i == SEARCH_NODES)
		return 0;
	search->nodes++;
	search->node[i] = (struct search_node){
		.move = move,
		.seat = (uint8_t)seat,
		.sibling = search->node[at].child,
	};
	search->node[at].child = i;
	return i;
}

static float
total(const float *weight, unsigned n)
{
	float sum = 0;

	while (n-- > 0)
		sum += *weight++;
	return sum;
}

/* Draws an entry by the weights. */
static unsigned
draw(struct playout *p)
{
	unsigned n = p->legal.count, i;
	float at = total(p->weight, n) *
		   ((float)draws_word(p->search->draws) * 0x1p-32f);

	for (i = 0; i + 1 < n; i++) {
		at -= p->weight[i];
		if (at < 0)
			break;
	}
	return i;
}

/* Returns how promising a move is: what came of it so far, and as much more as it has
 * been tried little and the policy (its share `prior` of all weights) likes it. */
static double
promise(const struct playout *p, double mean, double visits, double offered,
	double prior)
{
	double liked = p->policy->trust;

	return mean + p->policy->explore * p->search->spread *
			      (sqrt(log(offered + 1) / visits) +
			       liked * prior / (visits + liked));
}

/* Finds the children of the entries, 0 where there is none yet; returns what came of
 * all of them so far, in the mean, or -1 if nothing. */
static double
look_at_children(struct playout *p, unsigned seat, uint32_t child[LEGAL_MAX],
		 double *visits)
{
	struct search_node *node;
	double sum = 0;
	unsigned i;

	*visits = 0;
	for (i = 0; i < p->legal.count; i++) {
		child[i] = find_child(p->search, p->at[tree_of(p, seat)], seat,
				      p->legal.move[i]);
		if (!child[i])
			continue;
		node = &p->search->node[child[i]];
		node->offered++;
		sum += node->sum;
		*visits += node->visits;
	}
	return *visits > 0 ? sum / *visits : -1;
}

/* Returns the most promising entry of the list; where none was tried yet, one by the
 * policy's weights. */
static unsigned
select_entry(struct playout *p, unsigned seat)
{
	double all = total(p->weight, p->legal.count), visits, mean, now;
	uint32_t child[LEGAL_MAX];
	double most = -1e9;
	unsigned best = 0, i;

	mean = look_at_children(p, seat, child, &visits);
	if (mean < 0)
		return draw(p);
	for (i = 0; i < p->legal.count; i++) {
		const struct search_node *node = &p->search->node[child[i]];
		double prior = p->weight[i] / all;

		if (child[i] && node->visits > 0)
			now = promise(p, node->sum / (double)node->visits,
				      node->visits, node->offered, prior);
		else
			now = promise(p, mean, 0.5, visits, prior);
		if (now > most) {
			most = now;
			best = i;
		}
	}
	return best;
}

/* Goes down to the child of a tree; it is made if there is none.  Returns it,
 * or 0 if there is no room. */
static uint32_t
go_down(struct playout *p, unsigned tree, unsigned label, struct move move,
	bool *made)
{
	uint32_t at = p->at[tree];
	uint32_t child = find_child(p->search, at, label, move);

	*made = !child;
	if (!child)
		child = add_child(p->search, at, label, move);
	if (!child)
		p->inside[tree] = false;
	p->at[tree] = child;
	return child;
}

/* Goes down by the seat's answer: a playout leaves its tree by an answer that is
 * new. */
static void
descend(struct playout *p, unsigned seat, struct move move)
{
	unsigned tree = tree_of(p, seat);
	uint32_t child;
	bool made;

	child = go_down(p, tree, seat, move, &made);
	if (!child)
		return;
	if (made) {
		p->search->node[child].offered = 1;
		p->inside[tree] = false;
	}
	if (p->steps < DEPTH)
		p->path[p->steps++] = child;
}

/* Goes on in the own tree of each of the others by what sort of cards it holds: it
 * knows them, and they are other ones in each playout. */
static void
look_at_hand(struct playout *p, unsigned seat)
{
	bool made;

	if (p->policy->sort && seat != p->me && p->inside[seat])
		go_down(p, seat, LABEL_SORT + p->policy->sort(&p->game, seat),
			(struct move){ 0 }, &made);
}

/* Shows all seats what took effect; the seat that made it alone knows so already. */
static void
see(struct playout *p, int first, struct move move)
{
	bool alone = p->game.decision.kind == DECISION_SINGLE, made;
	unsigned seat, label = LABEL_SEEN + (unsigned)(first + 1);

	if (!p->policy->sort)
		return;
	if (first < 0)
		move = (struct move){ 0 };
	for (seat = 0; seat < p->game.setup.seats; seat++)
		if (p->inside[seat] && !(alone && (int)seat == first))
			go_down(p, seat, label, move, &made);
}

/* ---- a playout -------------------------------------------------------- */

/* Returns true if the tree chooses for this seat. */
static bool
is_chosen(const struct playout *p, unsigned seat)
{
	return p->inside[tree_of(p, seat)] &&
	       (seat == p->me || !p->policy->blunt);
}

/* Returns the move that a seat makes in the playout. */
static struct move
answer_of(struct playout *p, unsigned seat)
{
	struct move move;
	unsigned i;

	if (seat == p->me && p->given != NULL) {
		move = *p->given;
		p->given = NULL;
		descend(p, seat, move);
		return move;
	}
	game_legal(&p->game, seat, &p->legal);
	policy_narrow(&p->legal);
	if (p->legal.count == 1)
		return p->legal.move[0];
	p->policy->weigh(&p->game, &p->legal, p->weight);
	look_at_hand(p, seat);
	if (!is_chosen(p, seat))
		return p->legal.move[draw(p)];
	i = select_entry(p, seat);
	descend(p, seat, p->legal.move[i]);
	return p->legal.move[i];
}

/* Lets all answer that are asked, the one that searches first; one answer takes
 * effect. */
static void
decide(struct playout *p)
{
	const struct decision *decision = &p->game.decision;
	struct move answer[SEATS_MAX];
	unsigned i;
	int first;

	if (decision->asked >> p->me & 1)
		answer[p->me] = answer_of(p, p->me);
	for (i = 0; i < decision->count; i++)
		if (decision->seat[i] != p->me)
			answer[decision->seat[i]] =
				answer_of(p, decision->seat[i]);
	first = decision->kind == DECISION_SINGLE
			? decision->holder
			: game_first(&p->game, answer);
	see(p, first, answer[first < 0 ? decision->seat[0] : first]);
	if (first < 0)
		game_quiet(&p->game, &p->search->chance, &p->ev);
	else if (!game_play(&p->game, (unsigned)first, answer[first],
			    &p->search->chance, &p->ev))
		bug("a legal move was refused");
}

static void
note_spread(struct search *search, double value)
{
	double n = search->playouts + 1, variance;

	search->mean += value;
	search->squares += value * value;
	variance = search->squares / n - search->mean / n * search->mean / n;
	if (n >= 8)
		search->spread = fmax(SPREAD_MIN, sqrt(fmax(0, variance)));
}

static void
learn(struct playout *p)
{
	double value[SEATS_MAX];
	struct search_node *node;
	unsigned i;

	value_seats(&p->game, p->more, value);
	for (i = 0; i < p->steps; i++) {
		node = &p->search->node[p->path[i]];
		node->visits++;
		node->sum += (float)value[node->seat];
		node->squares += (float)(value[node->seat] * value[node->seat]);
	}
	note_spread(p->search, value[p->me]);
}

/* Returns true if the playout has come to its end. */
static bool
is_done(struct playout *p)
{
	long points[SEATS_MAX];

	if (game_is_over(&p->game) ||
	    game_standing(&p->game, points) != p->round)
		return true;
	return p->policy->outlook &&
	       p->policy->outlook(p->root, &p->game, p->more);
}

static void
play_out(struct playout *p)
{
	unsigned plies, seat;

	follow_deal(p->follow, &p->game);
	memset(p->more, 0, sizeof(p->more));
	p->steps = 0;
	for (seat = 0; seat < SEATS_MAX; seat++) {
		p->at[seat] = seat; /* the roots */
		p->inside[seat] = true;
	}
	for (plies = 0; plies < PLIES_MAX && !is_done(p); plies++)
		decide(p);
	learn(p);
}

/* ---- a search --------------------------------------------------------- */

static bool
goes_on(const struct search *search, struct search_limits limits)
{
	if (limits.playouts && search->playouts >= limits.playouts)
		return false;
	if (search->playouts % CLOCK_EVERY > 0)
		return true;
	if (limits.think_us &&
	    microseconds(CLOCK_PROCESS_CPUTIME_ID) - search->began_us >=
		    limits.think_us)
		return false;
	return !limits.until_us || search_clock() < limits.until_us;
}

/* Returns the child of the root with most visits, but for those of `but`; 0: there is
 * none. */
static uint32_t
most_visited(const struct search *search, unsigned root, unsigned seat,
	     const uint32_t *but, unsigned buts)
{
	uint32_t i, most = 0;
	unsigned k;

	for (i = search->node[root].child; i; i = search->node[i].sibling) {
		for (k = 0; k < buts && but[k] != i; k++)
			;
		if (k == buts && search->node[i].seat == seat &&
		    search->node[i].visits > search->node[most].visits)
			most = i;
	}
	return most;
}

static void
begin_search(struct playout *p, struct search *search, struct follow *follow,
	     struct game *root)
{
	const struct game *game = &follow->sample.game;
	long points[SEATS_MAX];

	game_copy(root, game);
	/* Node 0 is a root, and never visited. */
	memset(search->node, 0, SEATS_MAX * sizeof(*search->node));
	search->nodes = SEATS_MAX;
	search->began_us = microseconds(CLOCK_PROCESS_CPUTIME_ID);
	search->mean = search->squares = 0;
	search->spread = 0.3;
	p->search = search;
	p->follow = follow;
	p->root = root;
	p->me = (unsigned)follow->viewer;
	p->policy = policy_of(game->setup.rules);
	p->round = game_standing(game, points);
	p->given = NULL;
}

static struct playout *
new_search(struct search *search, struct follow *follow)
{
	static struct playout p; /* large; there is one thread */
	static struct game root;

	game_legal(&follow->sample.game, (unsigned)follow->viewer, &p.legal);
	policy_narrow(&p.legal);
	search->playouts = 0;
	search->draws = &follow->draws;
	chance_drawn(&search->chance, search->draws);
	begin_search(&p, search, follow, &root);
	return &p;
}

static void
run_search(struct playout *p, struct search_limits limits)
{
	do {
		play_out(p);
		p->search->playouts++;
	} while (goes_on(p->search, limits));
}

static struct search_value
value_of(const struct search_node *node)
{
	double n = node->visits, mean = node->sum / n;
	double variance = fmax(0, node->squares / n - mean * mean);

	return (struct search_value){
		.move = node->move,
		.value = mean,
		/* A move that has come out alike each time may still do
		 * otherwise. */
		.error = fmax(sqrt(variance / n), 1 / (2 * n)),
		.visits = node->visits,
	};
}

/* Returns true if the playouts cannot tell this move from the best one. */
static bool
is_level(const struct playout *p, const struct search_value *best,
	 struct move move)
{
	uint32_t child = find_child(p->search, tree_of(p, p->me), p->me, move);
	struct search_value value;

	if (!child || p->search->node[child].visits == 0)
		return true;
	value = value_of(&p->search->node[child]);
	return best->value - value.value <=
	       SEARCH_LEVEL * hypot(best->error, value.error);
}

/* Returns in place of the best move another one that is level with it and spares
 * cards. */
static struct move
spare(struct playout *p, const struct search_node *most)
{
	const struct search_value best = value_of(most);
	struct move move = best.move;
	unsigned i;

	if (p->policy->spares == NULL)
		return move;
	game_legal(p->root, p->me, &p->legal);
	policy_narrow(&p->legal);
	for (i = 0; i < p->legal.count; i++)
		if (p->policy->spares(p->root, &p->legal.move[i], &move) &&
		    is_level(p, &best, p->legal.move[i]))
			move = p->legal.move[i];
	return move;
}

struct move
search_move(struct search *search, struct follow *follow,
	    struct search_limits limits)
{
	struct playout *p = new_search(search, follow);
	struct move move = p->legal.move[0];
	uint32_t most;

	if (p->legal.count == 1)
		return move;
	run_search(p, limits);
	most = most_visited(search, tree_of(p, p->me), p->me, NULL, 0);
	return most ? spare(p, &search->node[most]) : move;
}

/* ---- what moves are worth --------------------------------------------- */

/* Plays a move of the seat out until it has its part. */
static void
try_move(struct playout *p, uint32_t child, unsigned playouts)
{
	const struct search_node *node = &p->search->node[child];
	const struct move move = node->move;

	while (node->visits < playouts / SEARCH_PART + 1) {
		p->given = &move;
		play_out(p);
		p->search->playouts++;
	}
}

static void
sort_values(struct search_value *value, unsigned n)
{
	struct search_value kept;
	unsigned i, k;

	for (i = 1; i < n; i++)
		for (k = i; k > 0 && value[k].value > value[k - 1].value; k--) {
			kept = value[k];
			value[k] = value[k - 1];
			value[k - 1] = kept;
		}
}

/* `made` as a child of the root.  There is room, or it was tried before. */
static uint32_t
child_of(struct playout *p, const struct move *made)
{
	unsigned root = tree_of(p, p->me);
	uint32_t child = find_child(p->search, root, p->me, *made);

	return child ? child : add_child(p->search, root, p->me, *made);
}

unsigned
search_values(struct search *search, struct follow *follow, unsigned playouts,
	      const struct move *made, struct search_value best[SEARCH_TOP],
	      struct search_value *of_made)
{
	const struct search_limits limits = { .playouts = playouts };
	struct playout *p = new_search(search, follow);
	uint32_t child[SEARCH_TOP], mine = 0;
	unsigned n, i;

	if (made != NULL)
		mine = child_of(p, made);
	run_search(p, limits);
	for (n = 0; n < SEARCH_TOP; n++) {
		child[n] = most_visited(search, tree_of(p, p->me), p->me, child,
					n);
		if (!child[n])
			break;
	}
	if (mine)
		try_move(p, mine, playouts);
	for (i = 0; i < n; i++) {
		try_move(p, child[i], playouts);
		best[i] = value_of(&search->node[child[i]]);
	}
	if (mine)
		*of_made = value_of(&search->node[mine]);
	sort_values(best, n);
	return n;
}
