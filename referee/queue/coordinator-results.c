/* referee/queue/coordinator-results.c - results are fetched, proved, told. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/coordinator-inside.h"
#include "referee/queue/schema.h"

void
check_free(struct check *check)
{
	LIST_CUT(check);
	if (check->job != NULL)
		job_free(check->job);
	text_release(&check->body);
	job_result_release(&check->result);
	check->coordinator->checking--;
	check->coordinator->bytes -= check->bytes;
	free(check);
}

struct check *
check_find(const struct coordinator *coordinator, int64_t job)
{
	struct check *check = coordinator->checks;

	while (check != NULL && check->which.job != job)
		check = check->next;
	return check;
}

static void
check_done(struct check *check)
{
	struct coordinator *coordinator = check->coordinator;

	check_free(check);
	if (coordinator->more)
		coordinator_fetch(coordinator);
}

void
coordinator_receipt(struct coordinator *coordinator, int64_t job)
{
	struct check *check = check_find(coordinator, job);
	struct order *order;

	if (check == NULL)
		return;
	order = order_of_game(coordinator, check->game);
	if (order != NULL)
		order_free(order);
	if (check->holds)
		figures_lag(coordinator, clock_us() - check->reported_us);
	check_done(check);
}

/* The order waits on: another worker plays the job, or it is parked. */
static void
on_settled(void *arg, const struct pg_answer *answer)
{
	struct about *about = arg;
	struct coordinator *coordinator = about->coordinator;
	struct check *check = check_find(coordinator, about->which.job);

	(void)!coordinator_is_taken(coordinator, answer);
	about_free(about);
	if (check == NULL)
		return;
	/* Told only now: whoever reads that a worker is suspended finds it so
	 * in the database.  If the answer was lost it is told as well, perhaps
	 * twice, rather than never. */
	if (answer->outcome == PG_DONE || answer->outcome == PG_UNKNOWN)
		coordinator->news->refused(coordinator->news_arg, check->worker,
					   check->game, check->why);
	/* Whatever came of it, it is looked at again if it is still new. */
	check_done(check);
}

static void
on_refused(void *arg, const struct pg_answer *answer)
{
	struct about *about = arg;

	if (answer->outcome == PG_DONE)
		about->coordinator->counts.refused++;
	on_settled(about, answer);
}

static void
refuse(struct check *check)
{
	struct coordinator *coordinator = check->coordinator;
	struct about *about = about_new(coordinator);

	about->which = check->which;
	pg_ask(coordinator->pg, on_refused, about,
	       "SELECT referee.refuse($1, $2, $3, $4, true)", "iiis",
	       coordinator->house.epoch, check->which.job, check->which.attempt,
	       check->why);
}

/* Its job cannot be read, which is no fault of the worker. */
static void
park_damaged(struct check *check)
{
	struct coordinator *coordinator = check->coordinator;
	struct about *about = about_new(coordinator);

	about->which = check->which;
	snprintf(check->why, sizeof(check->why),
		 "the job in the queue's database is damaged, or was sealed "
		 "with another key; its result is not looked at");
	pg_ask(coordinator->pg, on_settled, about,
	       "SELECT referee.park_job($1, $2, $3)", "iis",
	       coordinator->house.epoch, check->which.job, check->why);
}

/* A result may come for an order that was left, or that another daemon made. */
static void
deliver(struct check *check)
{
	struct coordinator *coordinator = check->coordinator;
	struct order *order = order_of_game(coordinator, check->game);

	if (order != NULL && order->over)
		return;
	if (order == NULL) {
		left_less(coordinator, check->ladder);
		if (coordinator->calls->adopted(coordinator->arg, check->ladder,
						check->job, &check->result,
						&check->which))
			coordinator->counts.adopted++;
		return;
	}
	order->over = true;
	coordinator->counts.results++;
	check->result.number = order->number;
	coordinator->calls->over(coordinator->arg, order->number,
				 &check->result, &check->which);
}

/* Its worker's clock may be wrong; the daemon's may be before the database's. */
static void
set_date(struct check *check)
{
	const int64_t began = (int64_t)check->job->setup.date;

	proof_date(&check->result, check->made > began ? check->made : began);
}

/* In a thread. */
static void
prove(struct worker_thread_job *job)
{
	struct check *check = (struct check *)job;

	if (!job_result_read(&check->result, check->body.bytes,
			     check->body.used))
		snprintf(check->why, sizeof(check->why),
			 "its bytes are no result");
	else if (check->result.header.used == 0)
		snprintf(check->why, sizeof(check->why),
			 "it tells of a game that did not begin");
	else
		check->holds =
			proof_holds(check->job, &check->result, check->why);
	if (check->holds)
		set_date(check);
	text_release(&check->body);
}

static void
on_proved(struct worker_thread_job *job, bool read)
{
	struct check *check = (struct check *)job;

	/* At the end no game is taken any more. */
	if (!read || !check->coordinator->begun)
		return;
	if (check->holds)
		deliver(check);
	else
		refuse(check);
}

/* What the row says of the job; false: it is damaged, or another key sealed
 * it. */
static bool
open_job(struct check *check, const struct pg_answer *answer, unsigned row)
{
	const struct coordinator *coordinator = check->coordinator;
	const char *hash[SEATS_MAX], *bytes;
	char commitment[COMMIT_BYTES];
	struct table_setup *setup;
	struct deal *deal;
	size_t n;

	bytes = pg_bytes(answer, row, 6, &n);
	check->job = spec_read(bytes, n, hash);
	if (check->job == NULL)
		return false;
	setup = &check->job->setup;
	deal = &setup->deal;
	if (sodium_hex2bin(deal->commit, sizeof(deal->commit),
			   pg_string(answer, row, 7), COMMIT_BYTES - 1, NULL,
			   &n, NULL) != 0 ||
	    n != sizeof(deal->commit))
		return false;
	bytes = pg_bytes(answer, row, 8, &n);
	if (!seal_open(&coordinator->key, deal, bytes, n))
		return false;
	deal_commit(deal);
	order_commitment(deal, commitment);
	if (strcmp(commitment, pg_string(answer, row, 7)) != 0 ||
	    strcmp(deal->id, check->game) != 0)
		return false;
	setup->given = !pg_null(answer, row, 9);
	bytes = pg_bytes(answer, row, 9, &n);
	return !setup->given || spec_entropy_read(bytes, n, setup->game.seats,
						  &setup->given_entropy);
}

static void
begin_check(struct coordinator *coordinator, const struct pg_answer *answer,
	    unsigned row)
{
	struct check *check = zeroed(1, sizeof(*check));
	const char *bytes;
	size_t n;

	check->coordinator = coordinator;
	check->which.job = pg_number(answer, row, 0);
	check->which.attempt = pg_number(answer, row, 1);
	check->reported_us = clock_us() - (uint64_t)pg_number(answer, row, 11);
	snprintf(check->worker, sizeof(check->worker), "%s",
		 pg_string(answer, row, 2));
	snprintf(check->ladder, sizeof(check->ladder), "%s",
		 pg_string(answer, row, 3));
	snprintf(check->game, sizeof(check->game), "%s",
		 pg_string(answer, row, 4));
	bytes = pg_bytes(answer, row, 5, &n);
	text_init(&check->body, RESULT_BYTES);
	text_add(&check->body, bytes, n);
	check->made = pg_number(answer, row, 10);
	job_result_init(&check->result);
	LIST_PUT(coordinator->checks, check);
	coordinator->checking++;
	check->bytes = n;
	coordinator->bytes += n;
	if (!open_job(check, answer, row)) {
		park_damaged(check);
		return;
	}
	check->waits.read = prove;
	check->waits.done = on_proved;
	worker_thread_ask(coordinator->threads, &check->waits);
}

static void
on_results(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	const size_t before = coordinator->bytes;
	unsigned i, rows = pg_rows(answer);

	coordinator->fetching = false;
	if (answer->outcome != PG_DONE)
		return;
	for (i = 0; i < rows; i++)
		begin_check(coordinator, answer, i);
	if (rows == COORDINATOR_RESULTS || coordinator->more ||
	    coordinator->bytes - before >= COORDINATOR_RESULT_BYTES)
		coordinator_fetch(coordinator);
}

/* The oldest of the ladders that are here, and no more bytes of them than are read
 * at a time.  Results of other ladders wait: they must not fill our list. */
static const char new_results[] =
	"SELECT r.job, r.attempt, r.worker, r.ladder, r.game, r.body, r.spec, "
	"r.commitment, r.sealed, r.entropy, "
	"extract(epoch FROM r.made)::bigint, "
	"greatest(0, extract(epoch FROM now() - r.made) * 1e6)::bigint "
	"FROM (SELECT o.*, sum(octet_length(o.body)) OVER (ORDER BY o.made, "
	"o.job) - octet_length(o.body) AS before FROM ("
	"SELECT r.job, r.attempt, r.worker, r.body, r.made, j.ladder, j.game, "
	"j.spec, j.commitment, j.sealed, j.entropy "
	"FROM referee.result r JOIN referee.job j ON j.job = r.job "
	"WHERE r.state = 'new' AND j.state = 'reported' "
	"AND r.job <> ALL ($1) AND j.rules = ANY ($3) AND j.ladder = ANY ($5) "
	"ORDER BY r.made, r.job LIMIT $2) AS o) AS r "
	"WHERE r.before < $4 ORDER BY r.made, r.job";

void
coordinator_fetch(struct coordinator *coordinator)
{
	int64_t *known;
	const char **ladder;
	const struct check *check;
	size_t n = 0, ladders;

	coordinator->more = true;
	if (!coordinator_is_ready(coordinator) || !coordinator->begun ||
	    coordinator->fetching ||
	    coordinator->checking >= COORDINATOR_CHECKS_MAX ||
	    coordinator->bytes >= COORDINATOR_BYTES_MAX)
		return;
	coordinator->more = false;
	coordinator->fetching = true;
	known = memory(NULL, (coordinator->checking + 1) * sizeof(*known));
	for (check = coordinator->checks; check != NULL; check = check->next)
		known[n++] = check->which.job;
	ladder = classes_ladders(coordinator, &ladders);
	pg_ask(coordinator->pg, on_results, coordinator, new_results, "IiSiS",
	       known, n, (int64_t)COORDINATOR_RESULTS, coordinator->rules,
	       coordinator->games, (int64_t)COORDINATOR_RESULT_BYTES, ladder,
	       ladders);
	free(known);
	free(ladder);
}
