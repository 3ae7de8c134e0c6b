/* referee/queue/coordinator.c - see coordinator.h: it fetches and proves
 * results, gives games to the queue, and keeps the connection. */
#include "referee/queue/coordinator.h"

#include <stdio.h>
#include <stdlib.h>

#include "protocol/clock.h"
#include "referee/base/thread.h"
#include "referee/queue/figures.h"
#include "referee/queue/orders.h"
#include "referee/queue/proof.h"
#include "referee/queue/schema.h"
#include "referee/queue/spec.h"
#include "referee/runner/cores.h"

/* A fetched result, kept until it is done with, so that it is not fetched
 * twice. */
struct fetched {
	struct thread_task waits; /* first */
	struct coordinator *coordinator;
	struct fetched *next, **prev;
	int64_t job_number, attempt;
	uint64_t reported_us; /* on our monotonic clock */
	char worker[QUEUE_WORKER_BYTES], ladder[NAME_BYTES + 1],
		game[ID_BYTES + 1];
	struct job *job;  /* owned; NULL: the row is damaged */
	struct text body; /* owned; the result as bytes */
	size_t bytes;
	int64_t made; /* by the database's clock, since 1970 */
	struct job_result result;
	bool holds;
	char why[PROOF_WHY_BYTES];
};

struct coordinator {
	struct dispatch_place place; /* first */
	const struct coordinator_calls *calls;
	void *arg;
	struct logger *logger;
	char *conninfo; /* owned */
	struct seal_key key;
	struct thread *threads; /* they prove results */
	struct pg *pg;
	struct timer poll;
	struct tenure *tenure;
	struct orders *orders;
	bool begun, fetching, more;
	struct fetched *fetched;
	size_t fetched_count,
		bytes; /* number of checks; bytes of their results */
	struct coordinator_told told;
};

static void fetch(struct coordinator *coordinator);

/* ---- results ------------------------------------------------------------ */

static void
fetched_free(struct fetched *fetched)
{
	LIST_CUT(fetched);
	if (fetched->job != NULL)
		job_free(fetched->job);
	text_release(&fetched->body);
	job_result_release(&fetched->result);
	fetched->coordinator->fetched_count--;
	fetched->coordinator->bytes -= fetched->bytes;
	free(fetched);
}

static void
fetched_done(struct fetched *fetched)
{
	struct coordinator *coordinator = fetched->coordinator;

	fetched_free(fetched);
	if (coordinator->more)
		fetch(coordinator);
}

/* A lag above all bounds counts in the last element. */
static void
count_lag(struct coordinator_told *told, uint64_t lag_us)
{
	static const double bounds[COORDINATOR_LAG_BOUNDS] =
		COORDINATOR_LAG_SECONDS;
	unsigned i = 0;

	while (i < COORDINATOR_LAG_BOUNDS && (double)lag_us / 1e6 > bounds[i])
		i++;
	told->lag[i]++;
	told->lag_us += lag_us;
}

/* ---- results that are no good ------------------------------------------- */

/* Ends a fetched that gave no result.  Its order still waits: another machine
 * plays the job, or the job is parked. */
static void
on_settled(void *arg, const struct pg_answer *answer)
{
	struct fetched *fetched = arg;
	struct coordinator *coordinator = fetched->coordinator;

	(void)!tenure_is_taken(coordinator->tenure, answer);
	/* We log this only now, so that the database shows a suspension when
	 * the log does.  If the answer was lost we log it as well, perhaps
	 * twice rather than never. */
	if (answer->outcome == PG_DONE || answer->outcome == PG_UNKNOWN)
		log_event(coordinator->logger, LOG_LEVEL_ERROR,
			  "result-refused", "worker=%s game=%s why=%s",
			  fetched->worker, fetched->game, fetched->why);
	/* If the result is still new in the database, it is fetched again. */
	fetched_done(fetched);
}

static void
on_refused(void *arg, const struct pg_answer *answer)
{
	struct fetched *fetched = arg;

	if (answer->outcome == PG_DONE)
		fetched->coordinator->told.refused++;
	on_settled(fetched, answer);
}

static void
refuse(struct fetched *fetched)
{
	struct coordinator *coordinator = fetched->coordinator;

	pg_ask(coordinator->pg, on_refused, fetched,
	       "SELECT referee.refuse($1, $2, $3, $4, true)", "iiis",
	       tenure_term(coordinator->tenure)->epoch, fetched->job_number,
	       fetched->attempt, fetched->why);
}

/* Parks a job that cannot be read, for which its machine is not to blame. */
static void
park_damaged(struct fetched *fetched)
{
	struct coordinator *coordinator = fetched->coordinator;

	snprintf(fetched->why, sizeof(fetched->why),
		 "the job in the queue's database is damaged, or was sealed "
		 "with another key; its result is not looked at");
	pg_ask(coordinator->pg, on_settled, fetched,
	       "SELECT referee.park_job($1, $2, $3)", "iis",
	       tenure_term(coordinator->tenure)->epoch, fetched->job_number,
	       fetched->why);
}

/* ---- results that hold -------------------------------------------------- */

static void
set_which(const struct fetched *fetched, struct dispatched *game)
{
	game->queue_job = fetched->job_number;
	game->queue_attempt = fetched->attempt;
}

/* Takes a result for which no game here waits: the game has left its order, or
 * another daemon made it. */
static void
adopt(struct fetched *fetched)
{
	struct coordinator *coordinator = fetched->coordinator;
	struct dispatched *game;

	orders_came(coordinator->orders, fetched->ladder);
	game = coordinator->calls->adopted(coordinator->arg, fetched->ladder,
					   fetched->job);
	if (game == NULL)
		return;
	set_which(fetched, game);
	coordinator->told.adopted++;
	dispatch_adopt(&coordinator->place, game, &fetched->result);
}

/* Gives a proved result to its game.  The programs run on another machine, so
 * here they count as ended, and nothing that they write later comes here. */
static void
deliver(struct fetched *fetched)
{
	struct coordinator *coordinator = fetched->coordinator;
	struct dispatched *game =
		orders_find(coordinator->orders, fetched->game);

	if (game == NULL) {
		adopt(fetched);
		return;
	}
	if (game->result.number != 0)
		return; /* the game is over already */
	set_which(fetched, game);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		fetched->result.end[s].lives = false;
	fetched->result.number = game->number;
	coordinator->told.results++;
	dispatch_over(coordinator->place.dispatch, game, &fetched->result);
}

/* ---- proving ------------------------------------------------------------ */

/* Uses the database's clock, as the machine's may be wrong, but no time before
 * the game began, as our clock may be ahead. */
static void
set_date(struct fetched *fetched)
{
	const int64_t began = (int64_t)fetched->job->setup.date;

	proof_date(&fetched->result,
		   fetched->made > began ? fetched->made : began);
}

/* Runs in a thread. */
static void
prove(struct thread_task *job)
{
	struct fetched *fetched = (struct fetched *)job;

	if (!job_result_read(&fetched->result, fetched->body.bytes,
			     fetched->body.used))
		snprintf(fetched->why, sizeof(fetched->why),
			 "its bytes are no result");
	else if (fetched->result.header.used == 0)
		snprintf(fetched->why, sizeof(fetched->why),
			 "it tells of a game that did not begin");
	else
		fetched->holds = proof_holds(fetched->job, &fetched->result,
					     fetched->why);
	if (fetched->holds)
		set_date(fetched);
	text_release(&fetched->body);
}

static void
on_proved(struct thread_task *job, bool read)
{
	struct fetched *fetched = (struct fetched *)job;

	/* At shutdown no result is accepted any more. */
	if (!read || !fetched->coordinator->begun)
		return;
	if (fetched->holds)
		deliver(fetched);
	else
		refuse(fetched);
}

/* ---- fetching ----------------------------------------------------------- */

static void
begin_proof(struct coordinator *coordinator, const struct pg_answer *answer,
	    unsigned row)
{
	struct fetched *fetched = zeroed(1, sizeof(*fetched));
	const char *bytes, *hash[SEATS_MAX];
	size_t n;

	fetched->coordinator = coordinator;
	fetched->job_number = pg_number(answer, row, 0);
	fetched->attempt = pg_number(answer, row, 1);
	fetched->reported_us =
		clock_us() - (uint64_t)pg_number(answer, row, 11);
	snprintf(fetched->worker, sizeof(fetched->worker), "%s",
		 pg_string(answer, row, 2));
	snprintf(fetched->ladder, sizeof(fetched->ladder), "%s",
		 pg_string(answer, row, 3));
	snprintf(fetched->game, sizeof(fetched->game), "%s",
		 pg_string(answer, row, 4));
	bytes = pg_bytes(answer, row, 9, &n);
	text_init(&fetched->body, RESULT_BYTES);
	text_add(&fetched->body, bytes, n);
	fetched->made = pg_number(answer, row, 10);
	job_result_init(&fetched->result);
	LIST_PUT(coordinator->fetched, fetched);
	coordinator->fetched_count++;
	fetched->bytes = n;
	coordinator->bytes += n;
	if (spec_open(answer, row, 4, &coordinator->key, &fetched->job, hash) !=
	    NULL) {
		park_damaged(fetched);
		return;
	}
	fetched->waits.read = prove;
	fetched->waits.done = on_proved;
	thread_ask(coordinator->threads, &fetched->waits);
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
		begin_proof(coordinator, answer, i);
	if (rows == COORDINATOR_RESULTS || coordinator->more ||
	    coordinator->bytes - before >= COORDINATOR_RESULT_BYTES)
		fetch(coordinator);
}

/* Selects the oldest results of our ladders, up to the bytes that are read at a
 * time.  Results of other ladders stay in the database, so that they do not
 * fill our list. */
static const char new_results[] =
	"SELECT r.job, r.attempt, r.worker, r.ladder, r.game, r.spec, "
	"r.sealed, r.commitment, r.entropy, r.body, "
	"floor(extract(epoch FROM r.made))::bigint, "
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

static void
fetch(struct coordinator *coordinator)
{
	int64_t *known;
	const char **ladder, **rules;
	const struct fetched *fetched;
	size_t n = 0, ladders, ruled;

	coordinator->more = true;
	if (!tenure_is_ready(coordinator->tenure) || !coordinator->begun ||
	    coordinator->fetching ||
	    coordinator->fetched_count >= COORDINATOR_FETCHED_MAX ||
	    coordinator->bytes >= COORDINATOR_BYTES_MAX)
		return;
	coordinator->more = false;
	coordinator->fetching = true;
	known = memory(NULL, (coordinator->fetched_count + 1) * sizeof(*known));
	for (fetched = coordinator->fetched; fetched != NULL;
	     fetched = fetched->next)
		known[n++] = fetched->job_number;
	ladder = orders_ladders(coordinator->orders, &ladders);
	rules = spec_known(&ruled);
	pg_ask(coordinator->pg, on_results, coordinator, new_results, "IiSiS",
	       known, n, (int64_t)COORDINATOR_RESULTS, rules, ruled,
	       (int64_t)COORDINATOR_RESULT_BYTES, ladder, ladders);
	free(known);
	free(ladder);
	free(rules);
}

/* ---- a place of the dispatch -------------------------------------------- */

static const struct coordinator *
of_place(const struct dispatch_place *place)
{
	return (const struct coordinator *)place;
}

/* Returns true if all programs of the job are imported bots. */
static bool
takes(const struct job *job)
{
	for (unsigned s = 0; s < job->setup.game.seats; s++)
		if (job->seat[s].content == NULL)
			return false;
	return true;
}

static void
play(struct dispatch_place *place, const struct job *job,
     struct dispatched *game)
{
	orders_play(of_place(place)->orders, job, game);
}

static void
receipt(struct dispatch_place *place, const struct dispatched *game,
	const unsigned char *hash UNUSED)
{
	struct fetched *fetched = of_place(place)->fetched;

	orders_leave(of_place(place)->orders, game);
	while (fetched != NULL && fetched->job_number != game->queue_job)
		fetched = fetched->next;
	if (fetched == NULL)
		return;
	count_lag(&fetched->coordinator->told,
		  clock_us() - fetched->reported_us);
	fetched_done(fetched);
}

/* Lets the game wait no longer.  The job is played all the same, so no game of
 * the queue is lost. */
static void
leave_to_queue(struct dispatch_place *place, struct dispatched *game,
	       enum abort_word why UNUSED)
{
	if (game->result.number != 0)
		return; /* the game is over already */
	orders_leave(of_place(place)->orders, game);
	dispatch_park(place->dispatch, game, NULL);
}

static uint64_t
left(const struct dispatch_place *place, const char *ladder)
{
	return orders_left(of_place(place)->orders, ladder);
}

static void
free_place(struct dispatch_place *place)
{
	struct coordinator *coordinator =
		ENCLOSING(place, struct coordinator, place);

	coordinator->begun = false;
	thread_free(coordinator->threads);
	pg_free(coordinator->pg);
	while (coordinator->fetched != NULL)
		fetched_free(coordinator->fetched);
	orders_free(coordinator->orders);
	tenure_free(coordinator->tenure);
	timer_stop(&coordinator->poll);
	seal_key_forget(&coordinator->key);
	free(coordinator->conninfo);
	free(coordinator);
}

static const struct dispatch_ops queue_ops = {
	.elsewhere = true,
	.takes = takes,
	.play = play,
	.receipt = receipt,
	.abort = leave_to_queue,
	.left = left,
	.free = free_place,
};

/* ---- how the queue does ------------------------------------------------- */

/* The answers below are kept, so that no page or metric waits for the database. */
static void
on_parked(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	struct coordinator_told *told = &coordinator->told;
	const unsigned rows = pg_rows(answer);

	if (answer->outcome != PG_DONE)
		return;
	told->jobs = rows < QUEUE_LISTED ? rows : QUEUE_LISTED;
	for (unsigned i = 0; i < told->jobs; i++)
		parked_read(answer, i, &told->job[i]);
}

static void
on_figures(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	struct coordinator_told *told = &coordinator->told;

	if (pg_rows(answer) == 0)
		return;
	figures_read(answer, &told->figures);
	told->known = true;
	if (told->figures.parked == 0) {
		told->jobs = 0;
		return;
	}
	pg_ask(coordinator->pg, on_parked, coordinator, PARKED_SQL,
	       PARKED_TYPES, (int64_t)0, (int64_t)QUEUE_LISTED);
}

static void
on_followers(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	struct coordinator_told *told = &coordinator->told;

	if (pg_rows(answer) == 0)
		return;
	told->followers = pg_number(answer, 0, 0);
	told->behind = pg_number(answer, 0, 1);
	told->behind_s = pg_real(answer, 0, 2);
}

static void
count_followers(struct coordinator *coordinator)
{
	pg_ask(coordinator->pg, on_followers, coordinator,
	       "SELECT count(*), coalesce(max(f.behind), 0)::int8, "
	       "coalesce(max(f.behind_s), 0)::float8 "
	       "FROM referee.follower f, referee.house h "
	       "WHERE f.follower IS DISTINCT FROM h.holder "
	       "AND f.seen > now() - $1 * interval '1 s'",
	       "i", (int64_t)QUEUE_SEEN_S);
}

static void
set_up(struct coordinator *coordinator, bool up)
{
	struct coordinator_told *told = &coordinator->told;

	if (up)
		told->connects++;
	if (up != told->up || told->since == 0)
		told->since = clock_seconds();
	told->up = up;
}

/* ---- workers that are to blame ------------------------------------------ */

static void
on_suspended(void *arg, const struct pg_answer *answer)
{
	const struct coordinator *coordinator = arg;

	for (unsigned i = 0; i < pg_rows(answer); i++)
		log_event(coordinator->logger, LOG_LEVEL_ERROR,
			  "queue-suspended", "worker=%s why=%s",
			  pg_string(answer, i, 0), pg_string(answer, i, 1));
}

/* Ends stalled sessions.  One that we may not end is logged at the first look. */
static void
on_stalled(void *arg, const struct pg_answer *answer)
{
	const struct coordinator *coordinator = arg;

	for (unsigned i = 0; i < pg_rows(answer); i++) {
		const int64_t seconds = pg_number(answer, i, 1);
		const bool ended = pg_number(answer, i, 2) != 0;

		if (ended ||
		    seconds < QUEUE_STALLED_S + COORDINATOR_POLL_MS / 1000)
			log_event(coordinator->logger, LOG_LEVEL_ERROR,
				  "queue-stalled",
				  "session=%s seconds=%" PRId64 " why=%s",
				  pg_string(answer, i, 0), seconds,
				  ended ? "its transaction was left open: it "
					  "was ended"
					: "its transaction was left open, and "
					  "this role may not end it; a "
					  "superuser has to run: " QUEUE_GRANT);
	}
}

/* Stalled machines come first, as all others wait for them. */
static void
look_at_workers(struct coordinator *coordinator)
{
	pg_ask(coordinator->pg, on_stalled, coordinator,
	       "SELECT session, seconds, ended FROM referee.end_stalled($1)",
	       "i", (int64_t)QUEUE_STALLED_S);
	pg_ask(coordinator->pg, on_suspended, coordinator,
	       "SELECT worker, why FROM referee.tell_suspended()", "");
}

/* ---- what is asked again and again -------------------------------------- */

/* Counts the jobs left by an earlier daemon, which must be known before games
 * begin.  Jobs whose results are here already do not count. */
static void
count_left(void *arg)
{
	struct coordinator *coordinator = arg;
	const struct fetched *fetched;
	const char **own = NULL;
	size_t n = 0;

	for (fetched = coordinator->fetched; fetched != NULL;
	     fetched = fetched->next) {
		*ADDED(own, n) = fetched->game;
	}
	orders_count_left(coordinator->orders, own, n);
}

static void
on_poll(void *arg)
{
	struct coordinator *coordinator = arg;

	if (!tenure_is_ready(coordinator->tenure))
		return;
	look_at_workers(coordinator);
	pg_ask(coordinator->pg, NULL, NULL, "SELECT referee.expire($1)", "i",
	       (int64_t)1000);
	pg_ask(coordinator->pg, on_figures, coordinator, FIGURES_SQL,
	       FIGURES_TYPES, FIGURES_VALUES);
	orders_ask_parked(coordinator->orders);
	count_left(coordinator);
	count_followers(coordinator);
	pg_ask(coordinator->pg, NULL, NULL, "SELECT referee.park_unbuilt()",
	       "");
	orders_send(coordinator->orders);
	fetch(coordinator);
}

/* ---- the connection, and the queue -------------------------------------- */

static void
on_begun(void *arg)
{
	struct coordinator *coordinator = arg;

	orders_send_classes(coordinator->orders);
	orders_send(coordinator->orders);
	fetch(coordinator);
}

static void
on_up(void *arg)
{
	struct coordinator *coordinator = arg;

	set_up(coordinator, true);
	log_event(coordinator->logger, LOG_LEVEL_INFO, "queue-up", NULL);
	orders_again(coordinator->orders);
	coordinator->calls->up(coordinator->arg);
	tenure_up(coordinator->tenure);
	count_followers(coordinator);
	coordinator->fetching = false;
	on_begun(coordinator);
}

static void
on_down(void *arg, const char *why)
{
	struct coordinator *coordinator = arg;

	set_up(coordinator, false);
	tenure_down(coordinator->tenure, why);
	log_event(coordinator->logger, LOG_LEVEL_WARN, "queue-down", "why=%s",
		  why);
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

static void
on_taken(void *arg, const char *why)
{
	const struct coordinator *coordinator = arg;

	coordinator->calls->taken(coordinator->arg, why);
}

static const struct tenure_calls tenure_calls = {
	.has = count_left,
	.begun = on_begun,
	.taken = on_taken,
};

/* ---- life --------------------------------------------------------------- */

const struct tenure *
coordinator_tenure(const struct coordinator *coordinator)
{
	return coordinator->tenure;
}

struct orders *
coordinator_orders(const struct coordinator *coordinator)
{
	return coordinator->orders;
}

void
coordinator_begin(struct coordinator *coordinator)
{
	coordinator->begun = true;
	fetch(coordinator);
}

const struct coordinator_told *
coordinator_told(const struct coordinator *coordinator)
{
	return &coordinator->told;
}

struct coordinator *
coordinator_new(const struct coordinator_setup *setup, struct error *why)
{
	static const char *const listen[] = { QUEUE_RESULTS, NULL };
	struct coordinator *coordinator = zeroed(1, sizeof(*coordinator));

	coordinator->place.ops = &queue_ops;
	coordinator->calls = setup->calls;
	coordinator->arg = setup->arg;
	coordinator->logger = setup->logger;
	coordinator->conninfo = copied(setup->conninfo);
	coordinator->threads = thread_pool(setup->loop, cores_usable());
	if (coordinator->threads == NULL)
		error_set(why, ERROR_MACHINE, "cannot make a thread: %m");
	else if (seal_key_load(setup->key, &coordinator->key, why) == 0)
		coordinator->pg =
			pg_new(setup->loop, setup->conninfo, "referee serve",
			       listen, &pg_calls, coordinator, why);
	if (coordinator->pg == NULL) {
		free_place(&coordinator->place);
		return NULL;
	}
	coordinator->tenure =
		tenure_new(setup->loop, coordinator->pg, coordinator->conninfo,
			   coordinator->key.print, setup->standby,
			   &tenure_calls, coordinator);
	coordinator->orders = orders_new(&coordinator->place, coordinator->pg,
					 coordinator->tenure, &coordinator->key,
					 setup->calls->lacks, setup->arg);
	timer_init(&coordinator->poll, &setup->loop->timers, on_poll,
		   coordinator);
	timer_every(&coordinator->poll, COORDINATOR_POLL_MS * 1000);
	dispatch_add(setup->dispatch, &coordinator->place);
	return coordinator;
}
