/* referee/queue/player-held.c - one job: what it is, who plays it, how it
 * ends. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/player-inside.h"
#include "referee/queue/schema.h"

#define FAILURES 3 /* of this machine, in a row; then it plays no more */

_Static_assert(RESULT_BYTES <= QUEUE_RESULT_BYTES,
	       "the database does not take every result");

struct held *
held_find(const struct player *player, uint64_t number)
{
	struct held *held = player->held;

	while (held != NULL && held->number != number)
		held = held->next;
	return held;
}

void
held_free(struct held *held)
{
	LIST_CUT(held);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		if (held->bot[s] != NULL)
			bot_cache_leave(held->player->cache, held->bot[s]);
	if (held->spec != NULL) {
		sodium_memzero(held->spec->setup.deal.secret,
			       sizeof(held->spec->setup.deal.secret));
		job_free(held->spec);
	}
	text_release(&held->body);
	free(held);
}

void
held_return(struct held *held, const char *why)
{
	held->state = HELD_RETURNS;
	snprintf(held->why, sizeof(held->why), "%s", why);
	if (why[0] != '\0')
		player_log(held->player, LOG_LEVEL_WARN, "job-returned", held,
			   why);
	player_look(held->player);
}

/* ---- claimed ---------------------------------------------------------- */

#define NOT_OPEN "its secret does not open with this worker's key"

/* The secret, into the spec: NULL, or what is wrong. */
static const char *
unseal(const struct held *held, const struct pg_answer *answer, unsigned row)
{
	struct deal *deal = &held->spec->setup.deal;
	const char *hex = pg_string(answer, row, 6), *sealed;
	unsigned char commit[DEAL_COMMIT_BYTES];
	size_t n = 0;

	if (strcmp(pg_string(answer, row, 3), deal->id) != 0)
		return "its spec is that of another game";
	if (sodium_hex2bin(commit, sizeof(commit), hex, strlen(hex), NULL, &n,
			   NULL) != 0 ||
	    n != sizeof(commit))
		return "its commitment cannot be read";
	memcpy(deal->commit, commit, sizeof(commit));
	sealed = pg_bytes(answer, row, 5, &n);
	if (!seal_open(held->player->setup->key, deal, sealed, n))
		return NOT_OPEN;
	deal_commit(deal);
	if (memcmp(deal->commit, commit, sizeof(commit)) != 0)
		return "its secret does not fit its commitment";
	return NULL;
}

/* What its bots gave to an attempt before: likewise. */
static const char *
take_entropy(const struct held *held, const struct pg_answer *answer,
	     unsigned row)
{
	struct table_setup *setup = &held->spec->setup;
	const char *bytes;
	size_t n;

	if (pg_null(answer, row, 7))
		return NULL;
	bytes = pg_bytes(answer, row, 7, &n);
	setup->given = true;
	return spec_entropy_read(bytes, n, setup->game.seats,
				 &setup->given_entropy)
		       ? NULL
		       : "its entropy cannot be read";
}

static void
want_bots(struct held *held, const char *const hash[SEATS_MAX])
{
	struct player *player = held->player;
	enum sandbox_tier least;

	for (unsigned s = 0; s < held->spec->setup.game.seats; s++) {
		if (hash[s] == NULL)
			continue;
		least = held->spec->seat[s].program.box->tier;
		if (least > player->setup->tier) {
			held_return(held, "");
			player_fail(player, ERROR_INPUT,
				    "the queue has games for sandboxes of tier "
				    "%s or better, and this machine has tier "
				    "%s",
				    sandbox_tiers[least],
				    sandbox_tiers[player->setup->tier]);
			return;
		}
		held->bot[s] = bot_cache_want(player->cache, hash[s]);
	}
}

struct held *
held_claimed(struct player *player, const struct pg_answer *answer,
	     unsigned row)
{
	const int64_t job = pg_number(answer, row, 0),
		      attempt = pg_number(answer, row, 1);
	const char *hash[SEATS_MAX], *bytes, *wrong;
	struct held *held;
	size_t n;

	for (held = player->held; held != NULL; held = held->next)
		if (held->job == job && held->attempt == attempt)
			return NULL;
	held = zeroed(1, sizeof(*held));
	held->player = player;
	held->job = job;
	held->attempt = attempt;
	held->number = ++player->number;
	text_init(&held->body, RESULT_BYTES);
	LIST_PUT(player->held, held);
	bytes = pg_bytes(answer, row, 4, &n);
	held->spec = spec_read(bytes, n, hash);
	if (held->spec == NULL) {
		held_return(held, "its spec cannot be read");
		return held;
	}
	held->spec->number = held->number;
	held->spec->all_ends = false;
	wrong = unseal(held, answer, row);
	if (wrong == NULL)
		wrong = take_entropy(held, answer, row);
	if (wrong == NULL) {
		want_bots(held, hash);
	} else if (strcmp(wrong, NOT_OPEN) == 0 && player_doubts_key(player)) {
		held_return(held, ""); /* no fault of the game's */
	} else {
		held_return(held, wrong);
	}
	return held;
}

/* ---- played ----------------------------------------------------------- */

static void
play(struct held *held)
{
	const enum sandbox_tier tier = held->player->setup->tier;
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
			(struct spawner_job){ .argv = bot->folder->run,
					      .folder = bot->home,
					      .box = &box[s] };
	}
	held->state = HELD_PLAYS;
	held->began_us = clock_us();
	workers_play(held->player->workers, &job);
	sodium_memzero(&job.setup.deal.secret, sizeof(job.setup.deal.secret));
}

/* Another worker may have more room. */
static void
pause_claims(struct player *player)
{
	player->pause_us = player_boot_us() + PLAYER_PAUSE_MS * UINT64_C(1000);
}

void
held_begin(struct held *held)
{
	char why[JOB_WHY_BYTES];
	const struct cached *bot;

	for (unsigned s = 0; s < SEATS_MAX; s++) {
		bot = held->bot[s];
		if (bot == NULL || bot->state == CACHED_READY)
			continue;
		if (bot->state == CACHED_FAILED && bot->machine) {
			pause_claims(held->player);
			held_return(held, "");
		} else if (bot->state == CACHED_FAILED) {
			snprintf(why, sizeof(why),
				 "the bot %s cannot be had here: %.400s",
				 held->spec->setup.name[s], bot->why);
			held->unbuilt = bot;
			held_return(held, why);
		}
		return;
	}
	play(held);
}

static void
on_sealed(void *arg, uint64_t number, const struct entropy *entropy)
{
	struct player *player = arg;
	struct held *held = held_find(player, number);

	if (held == NULL)
		return;
	held->entropy = *entropy;
	held->gave = true;
	player_look(player);
}

void
held_tell(struct held *held, const unsigned char *hash)
{
	held->told = true;
	if (hash != NULL)
		workers_receipt(held->player->workers, held->number, hash);
	else
		workers_leave(held->player->workers, held->number);
	player_look(held->player);
}

/* ---- over ------------------------------------------------------------- */

/* Whether a bot could not start because its files have gone from here. */
static bool
lacks_files(const struct held *held, const struct job_result *result)
{
	return result->not_started >= 0 &&
	       held->bot[result->not_started] != NULL &&
	       !bot_cache_holds(held->player->cache,
				held->bot[result->not_started]);
}

/* Whether it has no result through no doing of its bots; they may have waited
 * for their cards. */
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
	struct player *player = held->player;
	const struct cached *bot =
		result->not_started < 0 ? NULL : held->bot[result->not_started];
	char why[JOB_WHY_BYTES];

	if (bot != NULL && bot->state == CACHED_FAILED) {
		pause_claims(player);
		held_return(held, bot->why);
		return;
	}
	if (!result->machine && result->outcome.aborted != ABORT_MACHINE) {
		held_return(held, "");
		return;
	}
	snprintf(why, sizeof(why), "%s",
		 result->why[0] ? result->why : "the machine failed");
	held_return(held, why);
	if (++player->failures == FAILURES)
		player_fail(player, ERROR_MACHINE,
			    "this machine has failed %d games in a row: %s",
			    FAILURES, why);
}

/* It ends when its bots have gone, and waits for nothing else. */
static void
keep_result(struct held *held, struct job_result *result)
{
	struct player *player = held->player;
	const uint64_t us = clock_us() - held->began_us;

	player->failures = 0;
	player->game_us = (7 * player->game_us + us) / 8;
	result->number = (uint64_t)held->job;
	job_result_write(result, &held->body);
	held->state = HELD_OVER;
	held->until_us = clock_us() + RECEIPT_MS * UINT64_C(1000);
}

static void
on_over(void *arg, struct job_result *result)
{
	struct player *player = arg;
	struct held *held = held_find(player, result->number);
	const bool broken = held != NULL && is_broken(held, result);
	const bool aborted = result->outcome.aborted != ABORT_NONE;

	if (held == NULL)
		bug("a result of no job");
	if (broken)
		note_failure(held, result);
	else
		keep_result(held, result);
	/* What has no result is no one's to wait for. */
	if (broken || aborted) {
		held->told = true;
		workers_receipt(player->workers, held->number, NULL);
	}
	job_result_release(result);
	player_look(player);
}

static void
on_ended(void *arg UNUSED, uint64_t number UNUSED, unsigned seat UNUSED,
	 uint32_t bot UNUSED, const struct job_end *end UNUSED)
{
}

static void
on_parked(void *arg, uint64_t number)
{
	struct player *player = arg;
	struct held *held = held_find(player, number);

	if (held == NULL)
		bug("an unknown job is parked");
	held->told = true;
	held_return(held, held->lost || player->aborted
				  ? ""
				  : "worker processes were lost with it");
}

static void
on_lost(void *arg, const char *sentence)
{
	player_log(arg, LOG_LEVEL_WARN, "worker-lost", NULL, sentence);
}

static void
on_failed(void *arg, const char *why)
{
	player_fail(arg, ERROR_MACHINE, "%s", why);
}

static void
on_finished(void *arg)
{
	struct player *player = arg;

	player->finished = true;
	player_look(player);
}

const struct workers_calls held_calls = {
	.sealed = on_sealed,
	.over = on_over,
	.ended = on_ended,
	.parked = on_parked,
	.lost = on_lost,
	.failed = on_failed,
	.finished = on_finished,
};
