/* referee/queue/held.c - see held.h. */
#include "referee/queue/held.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/clock.h"
#include "referee/queue/limits.h"
#include "referee/queue/schema.h"
#include "referee/queue/spec.h"
#include "referee/runner/workers.h"

#define FAILURES 3	 /* in a row; then this machine stops */
#define AGAIN_US 1000000 /* wait before a refused request is asked again */
#define REFUSALS 3	 /* refusals after which a report is dropped */

_Static_assert(RESULT_BYTES <= QUEUE_RESULT_BYTES,
	       "the database does not take every result");
_Static_assert(JOB_WHY_BYTES <= QUEUE_REASON_BYTES + 1 &&
		       ERROR_BYTES <= QUEUE_REASON_BYTES + 1,
	       "the database does not take every reason");
_Static_assert(SEATS_MAX *(1 + ENTROPY_BYTES) <= QUEUE_ENTROPY_BYTES,
	       "the database does not take all entropy");
_Static_assert(ROSTER_CONTENT_BYTES <= QUEUE_NAME_BYTES,
	       "the database does not take every hash");

/* A claimed job. */
struct held {
	struct held_jobs *jobs;
	struct held *next, **prev;
	enum held_state state;
	int64_t job, attempt; /* numbers of the database */
	uint64_t number;  /* number for the worker processes; it increases */
	struct job *spec; /* owned; NULL: it cannot be read */
	struct cached *bot[SEATS_MAX]; /* NULL: no program sits there */
	uint64_t began_us;
	bool asking; /* an answer is due, so it must stay */
	bool lost;   /* another machine has it by now */
	bool ending; /* so its game is being aborted */
	/* Entropy of its bots that the database has not kept yet. */
	bool gave;
	struct entropy entropy;
	/* If it is over: its bots were told the hash or dismissed, the time
	 * until which they wait, and the result as bytes. */
	bool told;
	uint64_t until_us;
	struct text body;
	unsigned refusals; /* refusals of its report */
	uint64_t retry_us; /* no request about it before this time */
	/* The reason why it is given back; "": no failure, for example because
	 * we stop. */
	char why[JOB_WHY_BYTES];
	const struct cached *unbuilt; /* a bot of this job that cannot be built
				       * here */
};

struct held_jobs {
	const struct machine_setup *setup;
	const struct held_calls *calls;
	void *arg;
	struct bot_cache *cache;
	struct workers *workers;
	struct held *first; /* the newest first */
	uint64_t number;
	uint64_t game_us;  /* moving average of a game's time */
	unsigned failures; /* failures of this machine in a row */
	bool aborted, finishing, finished;
};

static struct held *
find(const struct held_jobs *jobs, uint64_t number)
{
	struct held *held = jobs->first;

	while (held != NULL && held->number != number)
		held = held->next;
	return held;
}

static void
drop(struct held *held)
{
	LIST_CUT(held);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		if (held->bot[s] != NULL)
			bot_cache_leave(held->jobs->cache, held->bot[s]);
	if (held->spec != NULL) {
		sodium_memzero(held->spec->setup.deal.secret,
			       sizeof(held->spec->setup.deal.secret));
		job_free(held->spec);
	}
	text_release(&held->body);
	free(held);
}

static void
tell(const struct held *held, enum log_level level, const char *event,
     const char *why)
{
	log_event(held->jobs->setup->logger, level, event,
		  "job=%" PRId64 " attempt=%" PRId64 " why=%s", held->job,
		  held->attempt, why);
}

static void
changed(const struct held_jobs *jobs)
{
	jobs->calls->changed(jobs->arg);
}

/* Has the job given back.  That counts as a loss unless `why` is "". */
static void
give_back(struct held *held, const char *why)
{
	held->state = HELD_RETURNS;
	snprintf(held->why, sizeof(held->why), "%s", why);
	if (why[0] != '\0')
		tell(held, LOG_LEVEL_WARN, "job-returned", why);
	changed(held->jobs);
}

/* ---- claimed ---------------------------------------------------------- */

static void
want_bots(struct held *held, const char *const hash[SEATS_MAX])
{
	const struct held_jobs *jobs = held->jobs;
	enum sandbox_tier least, tier = jobs->setup->tier;

	for (unsigned s = 0; s < held->spec->setup.game.seats; s++) {
		if (hash[s] == NULL)
			continue;
		least = held->spec->seat[s].program.box->tier;
		if (least > tier) {
			give_back(held, "");
			jobs->calls->failed(
				jobs->arg, ERROR_INPUT,
				"the queue has games for sandboxes of tier %s "
				"or better, and this machine has tier %s",
				sandbox_tiers[least], sandbox_tiers[tier]);
			return;
		}
		held->bot[s] = bot_cache_want(jobs->cache, hash[s]);
	}
}

static bool
is_held(const struct held_jobs *jobs, int64_t job, int64_t attempt)
{
	const struct held *held = jobs->first;

	while (held != NULL && (held->job != job || held->attempt != attempt))
		held = held->next;
	return held != NULL;
}

static void
claimed(struct held_jobs *jobs, const struct pg_answer *answer, unsigned row)
{
	struct held *held = zeroed(1, sizeof(*held));
	const char *hash[SEATS_MAX], *wrong;

	held->jobs = jobs;
	held->state = HELD_WAITS;
	held->job = pg_number(answer, row, 0);
	held->attempt = pg_number(answer, row, 1);
	held->number = ++jobs->number;
	text_init(&held->body, RESULT_BYTES);
	LIST_PUT(jobs->first, held);
	wrong = spec_open(answer, row, 3, jobs->setup->key, &held->spec, hash);
	if (wrong != NULL) {
		if (strcmp(wrong, SPEC_SEALED) == 0 &&
		    jobs->calls->doubts_key(jobs->arg))
			wrong = ""; /* the game is not to blame */
		give_back(held, wrong);
		return;
	}
	held->spec->number = held->number;
	held->spec->all_ends = false;
	want_bots(held, hash);
}

void
held_claimed(struct held_jobs *jobs, const struct pg_answer *answer)
{
	for (unsigned i = 0; i < pg_rows(answer); i++)
		if (!is_held(jobs, pg_number(answer, i, 0),
			     pg_number(answer, i, 1)))
			claimed(jobs, answer, i);
}

/* ---- played ----------------------------------------------------------- */

static void
play(struct held *held)
{
	const enum sandbox_tier tier = held->jobs->setup->tier;
	struct sandbox_box box[SEATS_MAX];
	struct job job = *held->spec;
	const struct cached *bot;

	for (unsigned s = 0; s < job.setup.game.seats; s++) {
		bot = held->bot[s];
		if (bot == NULL)
			continue;
		box[s] = *job.seat[s].program.box;
		box[s].tier = tier;
		box[s].folder = tier > SANDBOX_NONE ? bot->home : NULL;
		job.seat[s].program =
			(struct spawner_task){ .argv = bot->folder->run,
					       .folder = bot->home,
					       .box = &box[s] };
	}
	held->state = HELD_PLAYS;
	held->began_us = clock_us();
	workers_play(held->jobs->workers, &job);
	sodium_memzero(&job.setup.deal.secret, sizeof(job.setup.deal.secret));
}

/* Plays the job if its bots are here. */
static void
begin(struct held *held)
{
	const struct held_jobs *jobs = held->jobs;
	char why[JOB_WHY_BYTES];
	const struct cached *bot;

	for (unsigned s = 0; s < SEATS_MAX; s++) {
		bot = held->bot[s];
		if (bot == NULL || bot->state == CACHED_READY)
			continue;
		if (bot->state == CACHED_FAILED && bot->machine) {
			jobs->calls->no_room(jobs->arg);
			give_back(held, "");
		} else if (bot->state == CACHED_FAILED) {
			snprintf(why, sizeof(why),
				 "the bot %s cannot be had here: %.400s",
				 held->spec->setup.name[s], bot->why);
			held->unbuilt = bot;
			give_back(held, why);
		}
		return;
	}
	play(held);
}

/* Returns the oldest waiting job with a higher number than `number`. */
static struct held *
first_after(const struct held_jobs *jobs, uint64_t number)
{
	struct held *held, *best = NULL;

	for (held = jobs->first; held != NULL; held = held->next)
		if (held->state == HELD_WAITS && held->number > number &&
		    (best == NULL || held->number < best->number))
			best = held;
	return best;
}

void
held_begin(struct held_jobs *jobs)
{
	unsigned plays = held_count(jobs, HELD_PLAYS);
	struct held *held;
	uint64_t after = 0;

	while (plays < jobs->setup->jobs &&
	       (held = first_after(jobs, after)) != NULL) {
		after = held->number;
		if (!held->lost)
			begin(held);
		plays += held->state == HELD_PLAYS;
	}
}

static void
on_sealed(void *arg, uint64_t number, const struct entropy *entropy)
{
	struct held_jobs *jobs = arg;
	struct held *held = find(jobs, number);

	if (held == NULL)
		return;
	held->entropy = *entropy;
	held->gave = true;
	changed(jobs);
}

/* Tells its bots the hash of their record, or dismisses them if it is NULL. */
static void
tell_bots(struct held *held, const unsigned char *hash)
{
	held->told = true;
	if (hash != NULL)
		workers_receipt(held->jobs->workers, held->number, hash);
	else
		workers_leave(held->jobs->workers, held->number);
	changed(held->jobs);
}

static bool
waits_for_hash(const struct held *held)
{
	return (held->state & (HELD_OVER | HELD_REPORTED)) != 0 && !held->told;
}

/* Dismisses the bots of the oldest game if those of too many games wait for
 * `over`. */
static void
dismiss_some(struct held_jobs *jobs)
{
	unsigned waits = 0;
	struct held *held, *first = NULL;

	for (held = jobs->first; held != NULL; held = held->next)
		if (waits_for_hash(held)) {
			waits++;
			first = held; /* the list begins with the newest */
		}
	if (waits > HELD_RECEIPTS * jobs->setup->jobs)
		tell_bots(first, NULL);
}

/* ---- over ------------------------------------------------------------- */

/* Returns true if a bot could not start because its files are missing here. */
static bool
lacks_files(const struct held *held, const struct job_result *result)
{
	return result->not_started >= 0 &&
	       held->bot[result->not_started] != NULL &&
	       !bot_cache_holds(held->jobs->cache,
				held->bot[result->not_started]);
}

/* Returns true if the game has no result and its bots are not to blame.  They
 * may have waited for their cards. */
static bool
is_broken(const struct held *held, const struct job_result *result)
{
	const enum abort_word why = result->outcome.aborted;

	return result->machine || held->gave || why == ABORT_MACHINE ||
	       why == ABORT_SHUTDOWN || why == ABORT_INTERRUPTED ||
	       lacks_files(held, result);
}

static void
note_failure(struct held *held, const struct job_result *result)
{
	struct held_jobs *jobs = held->jobs;
	const struct cached *bot =
		result->not_started < 0 ? NULL : held->bot[result->not_started];

	if (bot != NULL && bot->state == CACHED_FAILED) {
		jobs->calls->no_room(jobs->arg);
		give_back(held, bot->why);
		return;
	}
	if (!result->machine && result->outcome.aborted != ABORT_MACHINE) {
		give_back(held, "");
		return;
	}
	give_back(held, result->why[0] ? result->why : "the machine failed");
	if (++jobs->failures == FAILURES)
		jobs->calls->failed(jobs->arg, ERROR_MACHINE,
				    "this machine has failed %d games in a "
				    "row: %s",
				    FAILURES, held->why);
}

/* Keeps the result until it is reported. */
static void
keep_result(struct held *held, struct job_result *result)
{
	struct held_jobs *jobs = held->jobs;
	const uint64_t us = clock_us() - held->began_us;

	jobs->failures = 0;
	jobs->game_us = (7 * jobs->game_us + us) / 8;
	result->number = (uint64_t)held->job;
	job_result_write(result, &held->body);
	held->state = HELD_OVER;
	held->until_us = clock_us() + RECEIPT_MS * UINT64_C(1000);
}

static void
on_over(void *arg, struct job_result *result)
{
	struct held_jobs *jobs = arg;
	struct held *held = find(jobs, result->number);
	const bool broken = held != NULL && is_broken(held, result);
	const bool aborted = result->outcome.aborted != ABORT_NONE;

	if (held == NULL)
		bug("a result of no job");
	if (broken)
		note_failure(held, result);
	else
		keep_result(held, result);
	/* No bot waits for the hash of a game without a result. */
	if (broken || aborted) {
		held->told = true;
		workers_receipt(jobs->workers, held->number, NULL);
	}
	job_result_release(result);
	changed(jobs);
}

static void
on_parked(void *arg, uint64_t number)
{
	const struct held_jobs *jobs = arg;
	struct held *held = find(jobs, number);

	if (held == NULL)
		bug("an unknown job is parked");
	held->told = true;
	give_back(held, held->lost || jobs->aborted
				? ""
				: "worker processes were lost with it");
}

static void
on_lost(void *arg, const char *sentence)
{
	const struct held_jobs *jobs = arg;

	log_event(jobs->setup->logger, LOG_LEVEL_WARN, "worker-lost", "why=%s",
		  sentence);
}

static void
on_failed(void *arg, const char *sentence)
{
	const struct held_jobs *jobs = arg;

	jobs->calls->failed(jobs->arg, ERROR_MACHINE, "%s", sentence);
}

static void
on_finished(void *arg)
{
	struct held_jobs *jobs = arg;

	jobs->finished = true;
	changed(jobs);
}

static const struct workers_calls workers_calls = {
	.sealed = on_sealed,
	.over = on_over,
	.parked = on_parked,
	.lost = on_lost,
	.failed = on_failed,
	.finished = on_finished,
};

/* ---- the database ----------------------------------------------------- */

/* Returns true if the database has done it.  If not, it is not asked again for
 * AGAIN_US. */
static bool
is_done(struct held *held, const struct pg_answer *answer, const char *what)
{
	held->asking = false;
	if (answer->outcome == PG_REFUSED)
		held->retry_us = clock_boot_us() + AGAIN_US;
	return held->jobs->calls->is_done(held->jobs->arg, answer, what);
}

/* The entropy in the database counts.  If it is not that of our bots, it comes
 * from an earlier attempt, and the game is played with that. */
static void
on_entropy(void *arg, const struct pg_answer *answer)
{
	struct held *held = arg;
	struct workers *workers = held->jobs->workers;
	struct entropy kept;
	const char *bytes;
	size_t n;

	if (!is_done(held, answer, "give_entropy") || held->state != HELD_PLAYS)
		return;
	held->gave = false;
	if (pg_null(answer, 0, 0)) {
		held->lost = true;
		return;
	}
	bytes = pg_bytes(answer, 0, 0, &n);
	if (spec_entropy_read(bytes, n, held->spec->setup.game.seats, &kept) &&
	    memcmp(&kept, &held->entropy, sizeof(kept)) == 0)
		workers_deal(workers, held->number);
	else
		workers_abort_one(workers, held->number, ABORT_SHUTDOWN);
}

static void
ask_entropy(struct held *held, struct pg *pg)
{
	struct text bytes = { .max = SEATS_MAX * (1 + ENTROPY_BYTES) };

	spec_entropy_write(&held->entropy, held->spec->setup.game.seats,
			   &bytes);
	pg_ask(pg, on_entropy, held,
	       "SELECT referee.give_entropy($1, $2, $3, $4)", "siib",
	       held->jobs->setup->name, held->job, held->attempt, bytes.bytes,
	       bytes.used);
	text_release(&bytes);
}

static void
on_reported(void *arg, const struct pg_answer *answer)
{
	struct held *held = arg;

	if (is_done(held, answer, "report"))
		tell(held, LOG_LEVEL_DEBUG, "job-reported",
		     pg_string(answer, 0, 0));
	else if (strcmp(answer->state, QUEUE_STRANGER) == 0 &&
		 ++held->refusals == REFUSALS)
		tell(held, LOG_LEVEL_WARN, "job-dropped", answer->why);
	else
		return;
	held->state = HELD_REPORTED;
	text_release(&held->body);
}

static void
on_returned(void *arg, const struct pg_answer *answer)
{
	struct held *held = arg;

	if (is_done(held, answer, "give_back"))
		held->state = HELD_DONE;
}

static void
ask_return(struct held *held, struct pg *pg)
{
	const char *name = held->jobs->setup->name;

	if (held->unbuilt != NULL) {
		pg_ask(pg, on_returned, held,
		       "SELECT referee.give_back_unbuilt($1, $2, $3, $4, $5)",
		       "siiss", name, held->job, held->attempt,
		       held->unbuilt->hash, held->unbuilt->why);
		return;
	}
	pg_ask(pg, on_returned, held,
	       "SELECT referee.give_back($1, $2, $3, $4)", "sIIs", name,
	       &held->job, (size_t)1, &held->attempt, (size_t)1,
	       held->why[0] == '\0' ? NULL : held->why);
}

/* Asks the database for the next step of the job, unless that is useless now. */
static void
ask_about(struct held *held, struct pg *pg)
{
	if (pg == NULL || held->asking || clock_boot_us() < held->retry_us)
		return;
	held->asking = true;
	if (held->state == HELD_PLAYS && held->gave && !held->lost)
		ask_entropy(held, pg);
	else if (held->state == HELD_OVER)
		pg_ask(pg, on_reported, held,
		       "SELECT referee.report($1, $2, $3, $4)", "siib",
		       held->jobs->setup->name, held->job, held->attempt,
		       held->body.bytes, held->body.used);
	else if (held->state == HELD_RETURNS)
		ask_return(held, pg);
	else
		held->asking = false;
}

/* ---- all of them ------------------------------------------------------ */

static void
look_at(struct held *held, struct pg *pg, bool stopping)
{
	if (held->state == HELD_WAITS && held->lost) {
		held->state = HELD_DONE;
	} else if (held->state == HELD_WAITS && stopping) {
		give_back(held, "");
	} else if (held->state == HELD_PLAYS && held->lost && !held->ending) {
		held->ending = true;
		workers_abort_one(held->jobs->workers, held->number,
				  ABORT_SHUTDOWN);
	} else if (waits_for_hash(held) && clock_us() >= held->until_us) {
		tell_bots(held, NULL);
	}
	ask_about(held, pg);
	if (held->state == HELD_REPORTED && held->told)
		held->state = HELD_DONE;
	if (held->state == HELD_DONE && !held->asking)
		drop(held);
}

void
held_look(struct held_jobs *jobs, struct pg *pg, bool stopping)
{
	struct held *held, *next;

	for (held = jobs->first; held != NULL; held = next) {
		next = held->next;
		look_at(held, pg, stopping);
	}
	dismiss_some(jobs);
	if (!stopping || jobs->first != NULL || jobs->finishing)
		return;
	jobs->finishing = true;
	workers_finish(jobs->workers);
}

void
held_lost(struct held_jobs *jobs, int64_t job)
{
	struct held *held;

	for (held = jobs->first; held != NULL; held = held->next)
		held->lost |= held->job == job;
}

void
held_told(struct held_jobs *jobs, int64_t job, const unsigned char *hash)
{
	struct held *held;

	for (held = jobs->first; held != NULL; held = held->next)
		if (held->job == job && waits_for_hash(held))
			tell_bots(held, hash);
}

unsigned
held_count(const struct held_jobs *jobs, unsigned states)
{
	const struct held *held;
	unsigned n = 0;

	for (held = jobs->first; held != NULL; held = held->next)
		n += (held->state & states) != 0;
	return n;
}

size_t
held_ours(const struct held_jobs *jobs, unsigned states, int64_t job[],
	  int64_t attempt[], size_t max)
{
	const struct held *held;
	size_t n = 0;

	for (held = jobs->first; held != NULL && n < max; held = held->next) {
		if (held->lost || (held->state & states) == 0)
			continue;
		job[n] = held->job;
		attempt[n++] = held->attempt;
	}
	return n;
}

uint64_t
held_game_us(const struct held_jobs *jobs)
{
	return jobs->game_us;
}

/* ---- life ------------------------------------------------------------- */

void
held_abort(struct held_jobs *jobs)
{
	jobs->aborted = true;
	workers_abort(jobs->workers, ABORT_SHUTDOWN);
}

bool
held_is_finished(const struct held_jobs *jobs)
{
	return jobs->finished;
}

struct held_jobs *
held_new(struct loop *loop, const struct machine_setup *setup,
	 struct bot_cache *cache, const struct held_calls *calls, void *arg,
	 struct error *why)
{
	const unsigned count = workers_count();
	const struct workers_setup workers = {
		.count = count < setup->jobs ? count : setup->jobs,
		.jobs = setup->jobs,
		.pin = true,
	};
	struct held_jobs *jobs = zeroed(1, sizeof(*jobs));

	jobs->setup = setup;
	jobs->cache = cache;
	jobs->calls = calls;
	jobs->arg = arg;
	jobs->workers = workers_new(loop, &workers, &workers_calls, jobs, why);
	if (jobs->workers != NULL)
		return jobs;
	free(jobs);
	return NULL;
}

void
held_free(struct held_jobs *jobs)
{
	if (jobs == NULL)
		return;
	while (jobs->first != NULL)
		drop(jobs->first);
	workers_free(jobs->workers);
	free(jobs);
}
