/* referee/queue/coordinator.c - see coordinator.h.
 *
 * An order is a job that a game here waits for, from coordinator_play() on.  A
 * check is a result that was fetched, until the log has it: it keeps the result
 * from being fetched twice. */
#include "referee/queue/coordinator.h"

#include <event2/event.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/roster.h"
#include "referee/import/pack.h"
#include "referee/queue/pg.h"
#include "referee/queue/proof.h"
#include "referee/queue/schema.h"
#include "referee/queue/seal.h"
#include "referee/queue/spec.h"
#include "referee/worker-thread.h"

#define COMMIT_BYTES (2 * DEAL_COMMIT_BYTES + 1) /* in hex, and a NUL */
#define WORKER_BYTES 65
#define HOLDER_BYTES 96

struct order {
	struct order *next, **prev;
	uint64_t number;
	char ladder[NAME_BYTES + 1], game[ID_BYTES + 1];
	char rules[SPEC_RULES_BYTES], commitment[COMMIT_BYTES];
	unsigned char sealed[SEAL_BYTES];
	struct text spec; /* owned */
	unsigned seats;
	char hash[SEATS_MAX][ROSTER_CONTENT_BYTES + 1];
	char name[SEATS_MAX][NAME_BYTES + 1];
	bool asked; /* it was sent to the database */
	bool over;  /* its result was told */
};

struct check {
	struct worker_thread_job waits; /* first */
	struct coordinator *coordinator;
	struct check *next, **prev;
	struct coordinator_result which;
	char worker[WORKER_BYTES], ladder[NAME_BYTES + 1], game[ID_BYTES + 1];
	struct job *job;  /* owned; NULL: the row is damaged */
	struct text body; /* owned */
	struct job_result result;
	bool holds;
	char why[PROOF_WHY_BYTES];
};

/* A bot on its way into the database. */
struct bot_there {
	struct worker_thread_job waits; /* first */
	struct coordinator *coordinator;
	struct bot_there *next;
	char hash[ROSTER_CONTENT_BYTES + 1], name[NAME_BYTES + 1];
	bool busy, there;
	struct text pack;
	bool packed;
	struct error why;
};

/* What an answer of the database is about. */
struct about {
	struct coordinator *coordinator;
	uint64_t number;
	struct coordinator_result which;
	struct bot_there *bot;
};

struct coordinator {
	struct loop *loop;
	struct worker_thread *thread; /* proves results, packs bots */
	char *conninfo, *data;	      /* owned */
	const struct coordinator_calls *calls;
	void *arg;
	struct seal_key key;
	struct pg *pg;
	struct event *poll, *again;
	struct queue_house house;
	enum coordinator_state state;
	char why[512];
	bool begun, fetching, more, taken;
	struct order *orders;
	struct check *checks;
	unsigned checking;
	struct bot_there *bots; /* never freed before the end */
	struct coordinator_counts counts;
};

/* ---- the house --------------------------------------------------------- */

static void
set_why(struct coordinator *coordinator, enum coordinator_state state,
	const char *why)
{
	if (coordinator->state == COORDINATOR_FAILED)
		return;
	coordinator->state = state;
	snprintf(coordinator->why, sizeof(coordinator->why), "%s", why);
}

/* Whether the answer is no because of another daemon; that is told once. */
static bool
is_taken(struct coordinator *coordinator, const struct pg_answer *answer)
{
	if (answer->outcome != PG_REFUSED ||
	    strcmp(answer->state, QUEUE_EPOCH) != 0)
		return false;
	if (!coordinator->taken)
		coordinator->calls->taken(coordinator->arg, answer->why);
	coordinator->taken = true;
	return true;
}

static void send_all(struct coordinator *coordinator);
static void fetch(struct coordinator *coordinator);
static void ask_house(struct coordinator *coordinator);

static void
on_key(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;

	if (answer->outcome == PG_REFUSED)
		set_why(coordinator, COORDINATOR_FAILED, answer->why);
	else if (answer->outcome == PG_DONE && pg_rows(answer) == 0)
		set_why(coordinator, COORDINATOR_FAILED,
			"jobs in the queue's database are sealed with another "
			"key: queue-key must name the file with that one");
	else if (answer->outcome == PG_DONE)
		coordinator->state = COORDINATOR_READY;
	if (coordinator->state != COORDINATOR_READY)
		return;
	send_all(coordinator);
	fetch(coordinator);
}

/* Another key is fine once no job is left that this one does not open. */
static void
check_key(struct coordinator *coordinator)
{
	pg_ask(coordinator->pg, on_key, coordinator,
	       "UPDATE referee.house SET key_print = $1 WHERE key_print IS "
	       "NULL OR key_print = $1 OR NOT EXISTS (SELECT FROM referee.job "
	       "WHERE state IN ('waiting', 'claimed', 'reported', 'parked')) "
	       "RETURNING epoch",
	       "s", coordinator->key.print);
}

static void
on_taken(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;

	if (answer->outcome == PG_REFUSED)
		set_why(coordinator, COORDINATOR_FAILED, answer->why);
	if (answer->outcome != PG_DONE)
		return;
	if (pg_null(answer, 0, 0)) {
		set_why(coordinator, COORDINATOR_HELD,
			"another referee has the queue: stop it, or let "
			"this one wait with standby = yes");
		loop_after_us(coordinator->again, COORDINATOR_AGAIN_MS * 1000);
		return;
	}
	coordinator->house.epoch = pg_number(answer, 0, 0);
	check_key(coordinator);
}

/* Without the lock it goes on, as long as no other has taken it. */
static void
on_kept(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;

	if (is_taken(coordinator, answer))
		return;
	if (coordinator->state != COORDINATOR_READY)
		check_key(coordinator);
	if (answer->outcome == PG_DONE && pg_number(answer, 0, 0) == 0)
		loop_after_us(coordinator->again, COORDINATOR_AGAIN_MS * 1000);
}

static void
ask_house(struct coordinator *coordinator)
{
	char holder[HOLDER_BYTES], host[64] = "";

	if (coordinator->house.epoch != 0) {
		pg_ask(coordinator->pg, on_kept, coordinator,
		       "SELECT referee.keep_house($1)", "i",
		       coordinator->house.epoch);
		return;
	}
	gethostname(host, sizeof(host) - 1);
	snprintf(holder, sizeof(holder), "%s process %ld", host,
		 (long)getpid());
	pg_ask(coordinator->pg, on_taken, coordinator,
	       "SELECT referee.take_house($1)", "s", holder);
}

static void
on_again(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct coordinator *coordinator = arg;

	if (pg_is_up(coordinator->pg))
		ask_house(coordinator);
}

static bool
is_ready(const struct coordinator *coordinator)
{
	return coordinator->state == COORDINATOR_READY && !coordinator->taken &&
	       pg_is_up(coordinator->pg);
}

/* ---- bots --------------------------------------------------------------- */

static struct about *
about_new(struct coordinator *coordinator)
{
	struct about *about = zeroed(1, sizeof(*about));

	about->coordinator = coordinator;
	return about;
}

static struct bot_there *
find_bot(const struct coordinator *coordinator, const char *hash)
{
	struct bot_there *bot = coordinator->bots;

	while (bot != NULL && strcmp(bot->hash, hash) != 0)
		bot = bot->next;
	return bot;
}

static void park_bots_orders(struct coordinator *coordinator,
			     const struct bot_there *bot, const char *why);

/* A connection that is lost is up() again some time, which asks again. */
static void
on_bot_added(void *arg, const struct pg_answer *answer)
{
	struct bot_there *bot = arg;

	bot->busy = false;
	text_release(&bot->pack);
	if (answer->outcome == PG_REFUSED)
		park_bots_orders(bot->coordinator, bot, answer->why);
	if (answer->outcome != PG_DONE)
		return;
	bot->there = true;
	send_all(bot->coordinator);
}

static void
pack_bot(struct worker_thread_job *job)
{
	struct bot_there *bot = (struct bot_there *)job;

	bot->packed = import_pack(bot->coordinator->data, bot->hash, &bot->pack,
				  &bot->why) == 0;
}

static void
on_packed(struct worker_thread_job *job, bool read)
{
	struct bot_there *bot = (struct bot_there *)job;

	bot->busy = false;
	if (!read)
		return;
	if (!bot->packed) {
		park_bots_orders(bot->coordinator, bot, bot->why.text);
		return;
	}
	bot->busy = true;
	pg_ask(bot->coordinator->pg, on_bot_added, bot,
	       "INSERT INTO referee.bot (hash, name, archive) "
	       "VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING",
	       "ssb", bot->hash, bot->name, bot->pack.bytes, bot->pack.used);
}

static void
on_bot_looked(void *arg, const struct pg_answer *answer)
{
	struct bot_there *bot = arg;

	bot->busy = false;
	if (answer->outcome == PG_REFUSED)
		park_bots_orders(bot->coordinator, bot, answer->why);
	if (answer->outcome != PG_DONE)
		return;
	if (pg_rows(answer) > 0) {
		bot->there = true;
		send_all(bot->coordinator);
		return;
	}
	bot->busy = true;
	text_release(&bot->pack);
	text_init(&bot->pack, BOT_PACK_BYTES);
	bot->waits.read = pack_bot;
	bot->waits.done = on_packed;
	worker_thread_ask(bot->coordinator->thread, &bot->waits);
}

/* Whether the bot is in the database; else it comes there. */
static bool
bot_is_there(struct coordinator *coordinator, const char *hash,
	     const char *name)
{
	struct bot_there *bot = find_bot(coordinator, hash);

	if (bot == NULL) {
		bot = zeroed(1, sizeof(*bot));
		bot->coordinator = coordinator;
		snprintf(bot->hash, sizeof(bot->hash), "%s", hash);
		snprintf(bot->name, sizeof(bot->name), "%s", name);
		bot->next = coordinator->bots;
		coordinator->bots = bot;
	}
	if (bot->there || bot->busy)
		return bot->there;
	bot->busy = true;
	pg_ask(coordinator->pg, on_bot_looked, bot,
	       "SELECT 1 FROM referee.bot WHERE hash = $1", "s", hash);
	return false;
}

/* ---- orders ------------------------------------------------------------- */

static struct order *
find_order(const struct coordinator *coordinator, uint64_t number)
{
	struct order *order = coordinator->orders;

	while (order != NULL && order->number != number)
		order = order->next;
	return order;
}

static struct order *
find_game(const struct coordinator *coordinator, const char *game)
{
	struct order *order = coordinator->orders;

	while (order != NULL && strcmp(order->game, game) != 0)
		order = order->next;
	return order;
}

static void
order_free(struct order *order)
{
	LIST_CUT(order);
	text_release(&order->spec);
	free(order);
}

static void
park(struct coordinator *coordinator, struct order *order, const char *why)
{
	const uint64_t number = order->number;

	order_free(order);
	coordinator->calls->parked(coordinator->arg, number, why);
}

static void
park_bots_orders(struct coordinator *coordinator, const struct bot_there *bot,
		 const char *why)
{
	struct order *order, *next;
	unsigned s;

	for (order = coordinator->orders; order != NULL; order = next) {
		next = order->next;
		for (s = 0; s < order->seats && !order->asked; s++)
			if (strcmp(order->hash[s], bot->hash) == 0)
				break;
		if (s < order->seats && !order->asked)
			park(coordinator, order, why);
	}
}

static void
on_added(void *arg, const struct pg_answer *answer)
{
	struct about *about = arg;
	struct coordinator *coordinator = about->coordinator;
	struct order *order = find_order(coordinator, about->number);

	free(about);
	if (is_taken(coordinator, answer) || order == NULL ||
	    answer->outcome == PG_DONE)
		return;
	order->asked = false; /* up() sends it again */
	if (answer->outcome == PG_REFUSED)
		park(coordinator, order, answer->why);
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
	       "SELECT referee.add_job($1, $2, $3, $4, $5, $6, $7, $8, '', $9) "
	       "FROM set_config('synchronous_commit', 'off', true)",
	       "issbbsSSs", coordinator->house.epoch, order->ladder,
	       order->game, order->spec.bytes, order->spec.used, order->sealed,
	       sizeof(order->sealed), order->commitment, hash,
	       (size_t)order->seats, name, (size_t)order->seats, order->rules);
}

static void
send_all(struct coordinator *coordinator)
{
	struct order *order, *next;

	if (!is_ready(coordinator))
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

static void
hex_commitment(const struct deal *deal, char hex[COMMIT_BYTES])
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
	hex_commitment(&setup->deal, order->commitment);
	seal_close(&coordinator->key, &setup->deal, order->sealed);
	for (s = 0; s < order->seats; s++) {
		hash[s] = job->seat[s].content;
		snprintf(order->hash[s], sizeof(order->hash[s]), "%s", hash[s]);
		memcpy(order->name[s], setup->name[s], sizeof(order->name[s]));
	}
	text_init(&order->spec, JOB_BYTES);
	spec_write(job, hash, &order->spec);
	LIST_PUT(coordinator->orders, order);
	if (is_ready(coordinator))
		send_order(coordinator, order);
}

void
coordinator_leave(struct coordinator *coordinator, uint64_t number)
{
	struct order *order = find_order(coordinator, number);

	if (order != NULL)
		order_free(order);
}

/* ---- results ------------------------------------------------------------ */

static void
check_free(struct check *check)
{
	LIST_CUT(check);
	if (check->job != NULL)
		job_free(check->job);
	text_release(&check->body);
	job_result_release(&check->result);
	check->coordinator->checking--;
	free(check);
}

void
coordinator_receipt(struct coordinator *coordinator, int64_t job)
{
	struct check *check = coordinator->checks;
	struct order *order;

	while (check != NULL && check->which.job != job)
		check = check->next;
	if (check == NULL)
		return;
	order = find_game(coordinator, check->game);
	if (order != NULL)
		order_free(order);
	check_free(check);
	if (coordinator->more)
		fetch(coordinator);
}

static void
on_refused(void *arg, const struct pg_answer *answer)
{
	struct about *about = arg;
	struct coordinator *coordinator = about->coordinator;

	(void)!is_taken(coordinator, answer);
	/* Whatever came of it, it is looked at again if it is still new. */
	coordinator_receipt(coordinator, about->which.job);
	free(about);
}

static void
refuse(struct check *check)
{
	struct coordinator *coordinator = check->coordinator;
	struct about *about = about_new(coordinator);

	about->which = check->which;
	coordinator->counts.refused++;
	coordinator->calls->refused(coordinator->arg, check->worker,
				    check->game, check->why);
	pg_ask(coordinator->pg, on_refused, about,
	       "SELECT referee.refuse($1, $2, $3, $4, true)", "iiis",
	       coordinator->house.epoch, check->which.job, check->which.attempt,
	       check->why);
}

/* A result may come for an order that was left, or that another daemon made. */
static void
deliver(struct check *check)
{
	struct coordinator *coordinator = check->coordinator;
	struct order *order = find_game(coordinator, check->game);

	if (order != NULL && order->over)
		return;
	if (order == NULL) {
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

/* In the thread. */
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
	text_release(&check->body);
}

static void
on_proved(struct worker_thread_job *job, bool read)
{
	struct check *check = (struct check *)job;

	if (!read)
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
	hex_commitment(deal, commitment);
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
	snprintf(check->worker, sizeof(check->worker), "%s",
		 pg_string(answer, row, 2));
	snprintf(check->ladder, sizeof(check->ladder), "%s",
		 pg_string(answer, row, 3));
	snprintf(check->game, sizeof(check->game), "%s",
		 pg_string(answer, row, 4));
	bytes = pg_bytes(answer, row, 5, &n);
	text_init(&check->body, RESULT_BYTES);
	text_add(&check->body, bytes, n);
	job_result_init(&check->result);
	LIST_PUT(coordinator->checks, check);
	coordinator->checking++;
	if (!open_job(check, answer, row)) {
		coordinator->calls->refused(
			coordinator->arg, check->worker, check->game,
			"the job in the queue's database is damaged, or was "
			"sealed with another key; its result is not looked at");
		return;
	}
	check->waits.read = prove;
	check->waits.done = on_proved;
	worker_thread_ask(coordinator->thread, &check->waits);
}

static void
on_results(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	unsigned i, rows = pg_rows(answer);

	coordinator->fetching = false;
	if (answer->outcome != PG_DONE)
		return;
	for (i = 0; i < rows; i++)
		begin_check(coordinator, answer, i);
	if (rows == COORDINATOR_RESULTS || coordinator->more)
		fetch(coordinator);
}

/* Results that are not looked at yet, the oldest first. */
static void
fetch(struct coordinator *coordinator)
{
	int64_t *known;
	const struct check *check;
	size_t n = 0;

	coordinator->more = true;
	if (!is_ready(coordinator) || !coordinator->begun ||
	    coordinator->fetching ||
	    coordinator->checking >= COORDINATOR_CHECKS_MAX)
		return;
	coordinator->more = false;
	coordinator->fetching = true;
	known = memory(NULL, (coordinator->checking + 1) * sizeof(*known));
	for (check = coordinator->checks; check != NULL; check = check->next)
		known[n++] = check->which.job;
	pg_ask(coordinator->pg, on_results, coordinator,
	       "SELECT r.job, r.attempt, r.worker, j.ladder, j.game, r.body, "
	       "j.spec, j.commitment, j.sealed, j.entropy "
	       "FROM referee.result r JOIN referee.job j ON j.job = r.job "
	       "WHERE r.state = 'new' AND j.state = 'reported' "
	       "AND r.job <> ALL ($1) ORDER BY r.made LIMIT $2",
	       "Ii", known, n, (int64_t)COORDINATOR_RESULTS);
	free(known);
}

/* ---- what is asked again and again --------------------------------------- */

/* Orders that the database has parked, or an operator. */
static void
on_parked(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	struct order *order;

	for (unsigned i = 0; i < pg_rows(answer); i++) {
		order = find_game(coordinator, pg_string(answer, i, 0));
		if (order != NULL && !order->over)
			park(coordinator, order, pg_string(answer, i, 1));
	}
}

static void
ask_parked(struct coordinator *coordinator)
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
	       "SELECT game, coalesce(why, 'parked') FROM referee.job "
	       "WHERE game = ANY ($1) AND state IN ('parked', 'void')",
	       "S", game, n);
	free(game);
}

static void
on_counted(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	struct coordinator_counts *counts = &coordinator->counts;

	if (pg_rows(answer) == 0)
		return;
	counts->waiting = pg_number(answer, 0, 0);
	counts->claimed = pg_number(answer, 0, 1);
	counts->parked = pg_number(answer, 0, 2);
	counts->reported = pg_number(answer, 0, 3);
	counts->workers = pg_number(answer, 0, 4);
	counts->oldest_s = pg_number(answer, 0, 5);
	if (counts->parked > 0)
		ask_parked(coordinator);
}

static void
count_all(struct coordinator *coordinator)
{
	pg_ask(coordinator->pg, on_counted, coordinator,
	       "SELECT "
	       "(SELECT count(*) FROM referee.job WHERE state = 'waiting'), "
	       "(SELECT count(*) FROM referee.job WHERE state = 'claimed'), "
	       "(SELECT count(*) FROM referee.job WHERE state = 'parked'), "
	       "(SELECT count(*) FROM referee.result WHERE state = 'new'), "
	       "(SELECT count(*) FROM referee.worker WHERE NOT suspended "
	       "AND seen > now() - $1 * interval '1 s'), "
	       "(SELECT coalesce(extract(epoch FROM now() - min(made)), 0)"
	       "::bigint FROM referee.job WHERE state = 'waiting')",
	       "i", (int64_t)COORDINATOR_SEEN_S);
}

static void
on_poll(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct coordinator *coordinator = arg;

	if (!is_ready(coordinator))
		return;
	pg_ask(coordinator->pg, NULL, NULL, "SELECT referee.expire($1)", "i",
	       (int64_t)1000);
	count_all(coordinator);
	send_all(coordinator);
	fetch(coordinator);
}

/* ---- the connection ------------------------------------------------------ */

static void
on_up(void *arg)
{
	struct coordinator *coordinator = arg;
	struct order *order;

	coordinator->counts.up = true;
	coordinator->fetching = false;
	for (order = coordinator->orders; order != NULL; order = order->next)
		order->asked = false;
	coordinator->calls->up(coordinator->arg);
	ask_house(coordinator);
	send_all(coordinator);
	fetch(coordinator);
}

static void
on_down(void *arg, const char *why)
{
	struct coordinator *coordinator = arg;

	coordinator->counts.up = false;
	if (coordinator->state == COORDINATOR_HELD ||
	    coordinator->state == COORDINATOR_WAITS)
		set_why(coordinator, COORDINATOR_WAITS, why);
	coordinator->calls->down(coordinator->arg, why);
}

static void
on_notice(void *arg, const char *channel UNUSED, const char *payload UNUSED)
{
	fetch(arg);
}

static const struct pg_calls pg_calls = {
	.up = on_up,
	.down = on_down,
	.notice = on_notice,
};

/* ---- life ---------------------------------------------------------------- */

enum coordinator_state
coordinator_state(const struct coordinator *coordinator, const char **why)
{
	*why = coordinator->why;
	return coordinator->state;
}

const struct queue_house *
coordinator_house(const struct coordinator *coordinator)
{
	return &coordinator->house;
}

const struct coordinator_counts *
coordinator_counts(const struct coordinator *coordinator)
{
	return &coordinator->counts;
}

void
coordinator_begin(struct coordinator *coordinator)
{
	coordinator->begun = true;
	fetch(coordinator);
}

struct coordinator *
coordinator_new(const struct coordinator_setup *setup,
		const struct coordinator_calls *calls, void *arg,
		struct error *why)
{
	static const char *const listen[] = { "referee_result", NULL };
	struct coordinator *coordinator = zeroed(1, sizeof(*coordinator));

	coordinator->loop = setup->loop;
	coordinator->conninfo = copied(setup->conninfo);
	coordinator->data = copied(setup->data);
	coordinator->house.conninfo = coordinator->conninfo;
	coordinator->calls = calls;
	coordinator->arg = arg;
	set_why(coordinator, COORDINATOR_WAITS, "no answer yet");
	coordinator->thread = worker_thread_new(setup->loop);
	if (coordinator->thread == NULL)
		error_set(why, ERROR_MACHINE, "cannot make a thread: %m");
	else if (seal_key_load(setup->key, &coordinator->key, why) == 0)
		coordinator->pg =
			pg_new(setup->loop, setup->conninfo, "referee serve",
			       listen, &pg_calls, coordinator, why);
	if (coordinator->pg == NULL) {
		coordinator_free(coordinator);
		return NULL;
	}
	coordinator->poll =
		loop_every(setup->loop->base, COORDINATOR_POLL_MS * 1000,
			   on_poll, coordinator);
	coordinator->again =
		loop_timer(setup->loop->base, on_again, coordinator);
	return coordinator;
}

void
coordinator_free(struct coordinator *coordinator)
{
	struct bot_there *bot;

	if (coordinator == NULL)
		return;
	worker_thread_free(coordinator->thread);
	pg_free(coordinator->pg);
	while (coordinator->orders != NULL)
		order_free(coordinator->orders);
	while (coordinator->checks != NULL)
		check_free(coordinator->checks);
	while ((bot = coordinator->bots) != NULL) {
		coordinator->bots = bot->next;
		text_release(&bot->pack);
		free(bot);
	}
	if (coordinator->poll != NULL)
		event_free(coordinator->poll);
	if (coordinator->again != NULL)
		event_free(coordinator->again);
	seal_key_forget(&coordinator->key);
	free(coordinator->conninfo);
	free(coordinator->data);
	free(coordinator);
}
