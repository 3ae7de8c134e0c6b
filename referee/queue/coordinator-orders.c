/* referee/queue/coordinator-orders.c - jobs that games here wait for. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/coordinator-inside.h"

static struct order *
find_order(const struct coordinator *coordinator, uint64_t number)
{
	struct order *order = coordinator->orders;

	while (order != NULL && order->number != number)
		order = order->next;
	return order;
}

struct order *
order_of_game(const struct coordinator *coordinator, const char *game)
{
	struct order *order = coordinator->orders;

	while (order != NULL && strcmp(order->game, game) != 0)
		order = order->next;
	return order;
}

void
order_free(struct order *order)
{
	LIST_CUT(order);
	text_release(&order->spec);
	free(order);
}

static void
park(struct coordinator *coordinator, struct order *order, const char *why,
     unsigned blamed)
{
	const uint64_t number = order->number;

	order_free(order);
	coordinator->calls->parked(coordinator->arg, number, why, blamed);
}

/* The seats where that bot sits. */
static unsigned
seats_of(const struct order *order, const char *hash)
{
	unsigned s, seats = 0;

	for (s = 0; s < order->seats; s++)
		if (strcmp(order->hash[s], hash) == 0)
			seats |= 1U << s;
	return seats;
}

void
orders_park(struct coordinator *coordinator, const struct bot_there *bot,
	    const char *why, bool blamed)
{
	struct order *order, *next;
	unsigned seats;

	for (order = coordinator->orders; order != NULL; order = next) {
		next = order->next;
		seats = seats_of(order, bot->hash);
		if (seats != 0 && !order->asked)
			park(coordinator, order, why, blamed ? seats : 0);
	}
}

static void
on_added(void *arg, const struct pg_answer *answer)
{
	struct about *about = arg;
	struct coordinator *coordinator = about->coordinator;
	struct order *order = find_order(coordinator, about->number);

	about_free(about);
	if (coordinator_is_taken(coordinator, answer) || order == NULL ||
	    answer->outcome == PG_DONE)
		return;
	order->asked = false; /* up() sends it again */
	if (answer->outcome == PG_REFUSED)
		park(coordinator, order, answer->why, 0);
}

/* A job that the database loses in a crash, as it need not wait for its disk,
 * is sent again after it. */
static void
send_order(struct coordinator *coordinator, struct order *order)
{
	const char *hash[SEATS_MAX], *name[SEATS_MAX];
	bool there = true;
	struct about *about;
	unsigned s;

	for (s = 0; s < order->seats; s++) {
		hash[s] = order->hash[s];
		name[s] = order->name[s];
		there &= bot_is_there(coordinator, hash[s], name[s]);
	}
	if (!there)
		return;
	about = about_new(coordinator);
	about->number = order->number;
	order->asked = true;
	pg_ask(coordinator->pg, on_added, about,
	       "SELECT referee.add_job($1, $2, $3, $4, $5, $6, $7, $8, $9, "
	       "$10) "
	       "FROM set_config('synchronous_commit', 'off', true)",
	       "issbbsSSss", coordinator->house.epoch, order->ladder,
	       order->game, order->spec.bytes, order->spec.used, order->sealed,
	       sizeof(order->sealed), order->commitment, hash,
	       (size_t)order->seats, name, (size_t)order->seats,
	       class_of(coordinator, order->ladder), order->rules);
}

void
coordinator_send(struct coordinator *coordinator)
{
	struct order *order, *next;

	if (!coordinator_is_ready(coordinator))
		return;
	for (order = coordinator->orders; order != NULL; order = next) {
		next = order->next;
		if (!order->asked && !order->over)
			send_order(coordinator, order);
	}
}

bool
coordinator_can_play(const struct job *job)
{
	for (unsigned s = 0; s < job->setup.game.seats; s++)
		if (job->seat[s].content == NULL)
			return false;
	return true;
}

void
order_commitment(const struct deal *deal, char hex[COMMIT_BYTES])
{
	sodium_bin2hex(hex, COMMIT_BYTES, deal->commit, sizeof(deal->commit));
}

void
coordinator_play(struct coordinator *coordinator, const struct job *job,
		 const char *ladder)
{
	const struct table_setup *setup = &job->setup;
	struct order *order = zeroed(1, sizeof(*order));
	const char *hash[SEATS_MAX] = { NULL };
	unsigned s;

	order->number = job->number;
	order->seats = setup->game.seats;
	snprintf(order->ladder, sizeof(order->ladder), "%s", ladder);
	memcpy(order->game, setup->deal.id, sizeof(order->game));
	spec_rules(setup->game.rules, order->rules);
	order_commitment(&setup->deal, order->commitment);
	seal_close(&coordinator->key, &setup->deal, order->sealed);
	for (s = 0; s < order->seats; s++) {
		hash[s] = job->seat[s].content;
		snprintf(order->hash[s], sizeof(order->hash[s]), "%s", hash[s]);
		memcpy(order->name[s], setup->name[s], sizeof(order->name[s]));
	}
	text_init(&order->spec, JOB_BYTES);
	spec_write(job, hash, &order->spec);
	LIST_PUT(coordinator->orders, order);
	if (coordinator_is_ready(coordinator))
		send_order(coordinator, order);
}

void
coordinator_leave(struct coordinator *coordinator, uint64_t number)
{
	struct order *order = find_order(coordinator, number);

	if (order != NULL)
		order_free(order);
}

void
orders_again(struct coordinator *coordinator)
{
	struct order *order;

	for (order = coordinator->orders; order != NULL; order = order->next)
		order->asked = false;
}

/* Orders that the database has parked, or that an operator has parked or voided. */
static void
on_parked(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	struct order *order;

	for (unsigned i = 0; i < pg_rows(answer); i++) {
		order = order_of_game(coordinator, pg_string(answer, i, 0));
		if (order != NULL && !order->over)
			park(coordinator, order, pg_string(answer, i, 1),
			     seats_of(order, pg_string(answer, i, 2)));
	}
}

void
orders_ask_parked(struct coordinator *coordinator)
{
	const struct order *order;
	const char **game;
	size_t n = 0;

	for (order = coordinator->orders; order != NULL; order = order->next)
		n++;
	if (n == 0)
		return;
	game = memory(NULL, n * sizeof(*game));
	n = 0;
	for (order = coordinator->orders; order != NULL; order = order->next)
		game[n++] = order->game;
	pg_ask(coordinator->pg, on_parked, coordinator,
	       "SELECT game, coalesce(why, 'parked'), blamed FROM referee.job "
	       "WHERE game = ANY ($1) AND state IN ('parked', 'void')",
	       "S", game, n);
	free(game);
}
