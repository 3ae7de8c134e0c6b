/* referee/queue/orders.c - see orders.h. */
#include "referee/queue/orders.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/spec.h"

/* At most this many jobs of each state are counted. */
#define LEFT_MAX 10000

struct order {
	struct order *next, **prev;
	struct orders *orders;
	struct dispatched *game;     /* NULL: the game waits no longer */
	struct text spec;	     /* owned */
	struct job *job;	     /* owned; read from the spec, so without
				  * secrets */
	const char *hash[SEATS_MAX]; /* of its bots; borrowed from `job` */
	char commitment[2 * DEAL_COMMIT_BYTES + 1];
	unsigned char sealed[SEAL_BYTES];
	bool asking; /* an answer is due, so it must stay */
	bool sent;   /* the database has it or was asked to take it */
	bool lacked; /* the owner was told that one of its bots is missing */
	/* Owned or NULL: why a bot in one of these seats cannot come, told
	 * while an answer was due. */
	char *cannot;
	unsigned blamed;
};

struct ladder_there {
	char name[NAME_BYTES + 1], class[NAME_BYTES + 1];
	uint64_t left; /* jobs left by an earlier daemon */
};

struct orders {
	const struct dispatch_place *place;
	struct pg *pg;
	struct tenure *tenure;
	const struct seal_key *key;
	void (*lacks)(void *arg);
	void *arg;
	struct order *first;
	struct order *gone;	     /* orders whose games wait no longer */
	struct ladder_there *ladder; /* owned; one for each ladder that was
				      * named */
	size_t ladders;
};

static void
order_free(struct order *order)
{
	LIST_CUT(order);
	job_free(order->job);
	text_release(&order->spec);
	free(order->cannot);
	free(order);
}

/* Lets the game of this order wait no longer. */
static void
leave(struct order *order)
{
	order->game = NULL;
	if (!order->asking) {
		order_free(order);
		return;
	}
	LIST_CUT(order);
	LIST_PUT(order->orders->gone, order);
}

static bool
is_over(const struct order *order)
{
	return order->game->result.number != 0;
}

static void
park(struct order *order, const char *why, unsigned blamed)
{
	struct dispatched *game = order->game;
	struct dispatch *dispatch = order->orders->place->dispatch;

	leave(order);
	game->blamed = blamed;
	dispatch_park(dispatch, game, why);
}

/* Returns the seats of that bot as bits. */
static unsigned
seats_of(const struct order *order, const char *hash)
{
	unsigned seats = 0;

	for (unsigned s = 0; s < order->job->setup.game.seats; s++)
		if (strcmp(order->hash[s], hash) == 0)
			seats |= 1U << s;
	return seats;
}

/* ---- ladders ------------------------------------------------------------ */

static struct ladder_there *
find_ladder(const struct orders *orders, const char *name)
{
	for (size_t i = 0; i < orders->ladders; i++)
		if (strcmp(orders->ladder[i].name, name) == 0)
			return &orders->ladder[i];
	return NULL;
}

/* Asks again, as there may be more jobs than one statement has time for. */
static void
on_classed(void *arg, const struct pg_answer *answer)
{
	struct orders *orders = arg;

	if (!tenure_is_taken(orders->tenure, answer) &&
	    answer->outcome == PG_DONE &&
	    pg_number(answer, 0, 0) == ORDERS_CLASSED)
		orders_send_classes(orders);
}

void
orders_send_classes(struct orders *orders)
{
	const char **name, **class;
	size_t n;

	if (!tenure_is_ready(orders->tenure) || orders->ladders == 0)
		return;
	name = orders_ladders(orders, &n);
	class = memory(NULL, n * sizeof(*class));
	for (size_t i = 0; i < n; i++)
		class[i] = orders->ladder[i].class;
	pg_ask(orders->pg, on_classed, orders,
	       "SELECT referee.set_classes($1, $2, $3, $4)", "iSSi",
	       tenure_term(orders->tenure)->epoch, name, n, class, n,
	       (int64_t)ORDERS_CLASSED);
	free(name);
	free(class);
}

void
orders_set_class(struct orders *orders, const char *ladder, const char *class)
{
	struct ladder_there *there = find_ladder(orders, ladder);

	if (there == NULL) {
		there = ADDED(orders->ladder, orders->ladders);
		there->left = 0;
		snprintf(there->name, sizeof(there->name), "%s", ladder);
	}
	snprintf(there->class, sizeof(there->class), "%s", class);
	orders_send_classes(orders);
}

static const char *
class_of(const struct orders *orders, const char *ladder)
{
	const struct ladder_there *there = find_ladder(orders, ladder);

	return there == NULL ? "" : there->class;
}

const char **
orders_ladders(const struct orders *orders, size_t *n)
{
	const char **name = memory(NULL, (orders->ladders + 1) * sizeof(*name));

	for (size_t i = 0; i < orders->ladders; i++)
		name[i] = orders->ladder[i].name;
	*n = orders->ladders;
	return name;
}

/* ---- jobs --------------------------------------------------------------- */

static void
on_added(void *arg, const struct pg_answer *answer)
{
	struct order *order = arg;
	const bool taken = tenure_is_taken(order->orders->tenure, answer);
	char *why;

	order->asking = false;
	if (order->game == NULL) {
		order_free(order);
		return;
	}
	if (taken || pg_rows(answer) > 0)
		return;
	order->sent = false; /* orders_bot() or up() sends it again */
	if (answer->outcome == PG_REFUSED) {
		park(order, answer->why, 0);
	} else if (answer->outcome == PG_DONE && order->cannot != NULL) {
		why = order->cannot;
		order->cannot = NULL;
		park(order, why, order->blamed);
		free(why);
	} else if (answer->outcome == PG_DONE && !order->lacked) {
		order->lacked = true;
		order->orders->lacks(order->orders->arg);
	}
}

/* Sends the job, which the database takes only if it has all its bots.  The
 * commit does not wait for the disk: a job that the database loses in a crash
 * is sent again afterwards. */
static void
send_order(struct order *order)
{
	struct orders *orders = order->orders;
	const struct table_setup *setup = &order->job->setup;
	const size_t seats = setup->game.seats;
	const char *name[SEATS_MAX];
	char rules[SPEC_RULES_BYTES];

	for (unsigned s = 0; s < seats; s++)
		name[s] = setup->name[s];
	spec_rules(setup->game.rules, rules);
	free(order->cannot);
	order->cannot = NULL;
	order->asking = order->sent = true;
	pg_ask(orders->pg, on_added, order,
	       "SELECT referee.add_job($1, $2, $3, $4, $5, $6, $7, $8, $9, "
	       "$10) "
	       "FROM set_config('synchronous_commit', 'off', true) "
	       "WHERE NOT EXISTS (SELECT FROM unnest($7) AS h WHERE NOT EXISTS "
	       "(SELECT FROM referee.bot WHERE hash = h))",
	       "issbbsSSss", tenure_term(orders->tenure)->epoch,
	       order->game->ladder, setup->deal.id, order->spec.bytes,
	       order->spec.used, order->sealed, sizeof(order->sealed),
	       order->commitment, order->hash, seats, name, seats,
	       class_of(orders, order->game->ladder), rules);
}

void
orders_send(struct orders *orders)
{
	struct order *order, *next;

	if (!tenure_is_ready(orders->tenure))
		return;
	for (order = orders->first; order != NULL; order = next) {
		next = order->next;
		if (!order->sent && !is_over(order))
			send_order(order);
	}
}

void
orders_play(struct orders *orders, const struct job *job,
	    struct dispatched *game)
{
	struct order *order = zeroed(1, sizeof(*order));
	const struct deal *deal = &job->setup.deal;

	order->orders = orders;
	order->game = game;
	sodium_bin2hex(order->commitment, sizeof(order->commitment),
		       deal->commit, sizeof(deal->commit));
	seal_close(orders->key, deal, order->sealed);
	text_init(&order->spec, JOB_BYTES);
	spec_write(job, &order->spec);
	order->job =
		spec_read(order->spec.bytes, order->spec.used, order->hash);
	if (order->job == NULL)
		bug("a job that cannot be read");
	LIST_PUT(orders->first, order);
	if (tenure_is_ready(orders->tenure))
		send_order(order);
}

void
orders_leave(struct orders *orders, const struct dispatched *game)
{
	struct order *order = orders->first;

	while (order != NULL && order->game != game)
		order = order->next;
	if (order != NULL)
		leave(order);
}

void
orders_again(struct orders *orders)
{
	struct order *order;

	for (order = orders->first; order != NULL; order = order->next)
		order->sent = false;
}

/* ---- jobs that are parked ----------------------------------------------- */

static struct order *
find_order(const struct orders *orders, const char *id)
{
	struct order *order = orders->first;

	while (order != NULL && strcmp(order->job->setup.deal.id, id) != 0)
		order = order->next;
	return order;
}

void
orders_bot(struct orders *orders, const char *hash, const char *why)
{
	struct order *order, *next;
	unsigned seats;

	for (order = orders->first; why != NULL && order != NULL;
	     order = next) {
		next = order->next;
		seats = seats_of(order, hash);
		if (seats == 0 || is_over(order))
			continue;
		if (!order->sent) {
			park(order, why, seats);
		} else if (order->asking) {
			free(order->cannot);
			order->cannot = copied(why);
			order->blamed = seats;
		}
	}
	orders_send(orders);
}

struct dispatched *
orders_find(const struct orders *orders, const char *id)
{
	const struct order *order = find_order(orders, id);

	return order == NULL ? NULL : order->game;
}

/* Parks the games whose jobs the database or an operator has parked, or an
 * operator has voided. */
static void
on_parked(void *arg, const struct pg_answer *answer)
{
	const struct orders *orders = arg;
	struct order *order;

	for (unsigned i = 0; i < pg_rows(answer); i++) {
		order = find_order(orders, pg_string(answer, i, 0));
		if (order != NULL && !is_over(order))
			park(order, pg_string(answer, i, 1),
			     seats_of(order, pg_string(answer, i, 2)));
	}
}

/* Adds the IDs of all games to a list of `*n`, which grown() makes. */
static const char **
add_games(const struct orders *orders, const char **list, size_t *n)
{
	const struct order *order;

	for (order = orders->first; order != NULL; order = order->next) {
		*ADDED(list, *n) = order->job->setup.deal.id;
	}
	return list;
}

void
orders_ask_parked(struct orders *orders)
{
	size_t n = 0;
	const char **game = add_games(orders, NULL, &n);

	if (n > 0)
		pg_ask(orders->pg, on_parked, orders,
		       "SELECT game, coalesce(why, 'parked'), blamed "
		       "FROM referee.job WHERE game = ANY ($1) "
		       "AND state IN ('parked', 'void')",
		       "S", game, n);
	free(game);
}

/* ---- what an earlier daemon has left ------------------------------------ */

static void
on_counted(void *arg, const struct pg_answer *answer)
{
	struct orders *orders = arg;
	struct ladder_there *there;

	if (answer->outcome != PG_DONE)
		return;
	for (size_t i = 0; i < orders->ladders; i++)
		orders->ladder[i].left = 0;
	for (unsigned i = 0; i < pg_rows(answer); i++) {
		there = find_ladder(orders, pg_string(answer, i, 0));
		if (there != NULL)
			there->left = (uint64_t)pg_number(answer, i, 1);
	}
	tenure_begin(orders->tenure);
}

void
orders_count_left(struct orders *orders, const char **own, size_t n)
{
	size_t known;
	const char **rules = spec_known(&known);

	own = add_games(orders, own, &n);
	pg_ask(orders->pg, on_counted, orders,
	       "SELECT ladder, count(*) FROM ("
	       "(SELECT ladder, game FROM referee.job WHERE state = 'waiting' "
	       "AND rules = ANY ($1) LIMIT $3) UNION ALL "
	       "(SELECT ladder, game FROM referee.job WHERE state = 'claimed' "
	       "AND rules = ANY ($1) LIMIT $3) UNION ALL "
	       "(SELECT j.ladder, j.game FROM referee.result r "
	       "JOIN referee.job j ON j.job = r.job WHERE r.state = 'new' "
	       "AND j.state = 'reported' AND j.rules = ANY ($1) LIMIT $3)"
	       ") o WHERE game <> ALL ($2) GROUP BY ladder",
	       "SSi", rules, known, own, n, (int64_t)LEFT_MAX);
	free(rules);
	free(own);
}

uint64_t
orders_left(const struct orders *orders, const char *ladder)
{
	const struct ladder_there *there = find_ladder(orders, ladder);

	return there == NULL ? 0 : there->left;
}

void
orders_came(struct orders *orders, const char *ladder)
{
	struct ladder_there *there = find_ladder(orders, ladder);

	if (there != NULL && there->left > 0)
		there->left--;
}

/* ---- life --------------------------------------------------------------- */

struct orders *
orders_new(const struct dispatch_place *place, struct pg *pg,
	   struct tenure *tenure, const struct seal_key *key,
	   void (*lacks)(void *arg), void *arg)
{
	struct orders *orders = zeroed(1, sizeof(*orders));

	orders->place = place;
	orders->pg = pg;
	orders->tenure = tenure;
	orders->key = key;
	orders->lacks = lacks;
	orders->arg = arg;
	return orders;
}

void
orders_free(struct orders *orders)
{
	if (orders == NULL)
		return;
	while (orders->first != NULL)
		order_free(orders->first);
	while (orders->gone != NULL)
		order_free(orders->gone);
	free(orders->ladder);
	free(orders);
}
