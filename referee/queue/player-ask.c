/* referee/queue/player-ask.c - what a player asks the database, and what the
 * answers mean.
 *
 * Every statement may be asked again: what was asked and has no answer is done
 * once, whether it had happened or not. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "protocol/file.h"
#include "referee/queue/player-inside.h"
#include "referee/queue/schema.h"
#include "referee/queue/version.h"
#include "referee/runner/cores.h"

#define AGAIN_US 1000000 /* until what was refused is asked again */
#define REFUSALS 3	 /* of a report that is another's; then it is dropped */
#define SPEED_US 50000	 /* that are measured */
#define PIECE 65536

bool
player_is_ready(const struct player *player)
{
	return pg_is_up(player->pg) && player->enlisted;
}

/* It tries to join again, and says so once. */
static void
wait_for(struct player *player, const char *why)
{
	if (strcmp(player->waits, why) != 0)
		player_log(player, LOG_LEVEL_WARN, "queue-waits", NULL, why);
	snprintf(player->waits, sizeof(player->waits), "%s", why);
}

/* Whether it has happened; what is refused is told. */
static bool
is_done(struct player *player, const struct pg_answer *answer, const char *what)
{
	char why[512];

	player->asks--;
	player_look(player);
	if (answer->outcome != PG_REFUSED)
		return answer->outcome == PG_DONE;
	snprintf(why, sizeof(why), "%s: %.400s", what, answer->why);
	if (strcmp(answer->state, QUEUE_SUSPENDED) == 0) {
		player_fail(player, ERROR_ANSWER, "%s", answer->why);
	} else if (strcmp(answer->state, QUEUE_STRANGER) == 0) {
		player->enlisted = false;
		player_enlist(player);
	} else if (strcmp(answer->state, QUEUE_TWIN) == 0) {
		player->enlisted = false;
		wait_for(player, answer->why);
	} else {
		player_log(player, LOG_LEVEL_WARN, "queue-refused", NULL, why);
	}
	return false;
}

/* ---- enlisting -------------------------------------------------------- */

static void
processor_name(char name[128])
{
	char info[4096], *at;

	snprintf(name, 128, "unknown");
	if (file_peek("/proc/cpuinfo", info, sizeof(info)) <= 0)
		return;
	at = strstr(info, "model name");
	at = at == NULL ? NULL : strchr(at, ':');
	if (at == NULL)
		return;
	at += 1 + strspn(at + 1, " \t");
	snprintf(name, 128, "%.*s", (int)strcspn(at, "\n"), at);
}

/* Megabytes a second that one processor hashes: about how fast it is. */
static double
measure_speed(void)
{
	unsigned char *bytes = zeroed(1, PIECE), hash[32];
	const uint64_t from_us = player_boot_us();
	uint64_t us = 0;
	double pieces = 0;

	while (us < SPEED_US) {
		crypto_generichash(hash, sizeof(hash), bytes, PIECE, NULL, 0);
		pieces++;
		us = player_boot_us() - from_us;
	}
	free(bytes);
	return pieces * PIECE / (double)us;
}

static void
on_version(void *arg, const struct pg_answer *answer)
{
	struct player *player = arg;
	char why[QUEUE_FIT_BYTES];
	enum queue_fit fit;

	player->asks--;
	player_look(player);
	fit = queue_fit(answer, why);
	player->unfit = fit == QUEUE_TOO_OLD || fit == QUEUE_TOO_NEW;
	if (fit == QUEUE_TOO_OLD)
		wait_for(player, why);
	else if (fit == QUEUE_TOO_NEW)
		player_fail(player, ERROR_INPUT, "%s", why);
}

static void
refuse_enlisting(struct player *player, const struct pg_answer *answer)
{
	struct error why;

	queue_trouble(answer, QUEUE_WORKER, &why);
	if (strcmp(answer->state, QUEUE_TWIN) == 0)
		wait_for(player, answer->why);
	else if (strcmp(answer->state, QUEUE_SUSPENDED) == 0)
		player_fail(player, ERROR_ANSWER, "%s", answer->why);
	else
		player_fail(player, ERROR_INPUT, "%s", why.text);
}

static void
on_enlisted(void *arg, const struct pg_answer *answer)
{
	struct player *player = arg;
	const struct player_setup *setup = player->setup;

	player->asks--;
	player->enlisting = false;
	player_look(player);
	if (player->unfit)
		return;
	if (answer->outcome == PG_REFUSED)
		refuse_enlisting(player, answer);
	if (answer->outcome != PG_DONE)
		return;
	if (pg_null(answer, 0, 1)) {
		wait_for(player, "no daemon has used this queue yet");
	} else if (strcmp(pg_string(answer, 0, 1), setup->key->print) != 0) {
		player_fail(player, ERROR_INPUT,
			    "the key is not that of this queue: copy the file "
			    "that its daemon has");
	} else {
		player->enlisted = true;
		player->knows_key = player->doubts_key;
		player->waits[0] = '\0';
		player->dry = false;
		player_log(player, LOG_LEVEL_INFO, "queue-joined", NULL, NULL);
	}
}

void
player_enlist(struct player *player)
{
	const struct player_setup *setup = player->setup;
	char processor[128];

	if (player->enlisting || player->failed)
		return;
	processor_name(processor);
	player->enlisting = true;
	player->enlisted_us = player_boot_us();
	player->asks += 2;
	pg_ask(player->pg, on_version, player, QUEUE_VERSION_ASK, "");
	pg_ask(player->pg, on_enlisted, player,
	       "SELECT * FROM referee.enlist($1, $2, $3, $4, $5, $6, $7)",
	       "sssssif", setup->name, player->instance, setup->class,
	       PACKAGE_VERSION, processor, (int64_t)cores_usable(),
	       measure_speed());
}

bool
player_doubts_key(struct player *player)
{
	if (!player->doubts_key) {
		player->doubts_key = true;
		player_enlist(player);
	}
	return !player->knows_key;
}

/* ---- claiming --------------------------------------------------------- */

/* What an answer says holds from when it was asked. */
static void
extend(struct player *player, uint64_t asked_us)
{
	player->leased_us = asked_us + PLAYER_LEASE_S * UINT64_C(1000000);
}

static void
on_claimed(void *arg, const struct pg_answer *answer)
{
	struct player *player = arg;
	unsigned rows = 0;

	player->claiming = false;
	if (is_done(player, answer, "claim")) {
		rows = pg_rows(answer);
		player->dry = rows < player->wanted;
		if (player->held == NULL)
			extend(player, player->claimed_us);
		for (unsigned i = 0; i < rows; i++)
			(void)held_claimed(player, answer, i);
	} else {
		player->dry = true; /* until the next poll */
	}
}

/* What the database gave us and we have not heard of comes again. */
void
player_claim(struct player *player, unsigned n)
{
	int64_t known[2 * PLAYER_HELD_MAX];
	const struct held *held;
	size_t knows = 0;

	for (held = player->held; held != NULL && knows < NELEM(known);
	     held = held->next)
		if (!held->lost)
			known[knows++] = held->job;
	player->claiming = true;
	player->claimed_us = player_boot_us();
	player->wanted = n;
	player->asks++;
	pg_ask(player->pg, on_claimed, player,
	       "SELECT * FROM referee.claim($1, $2, $3, $4, $5, $6)", "sisSiI",
	       player->setup->name, (int64_t)n, player->setup->class,
	       player->rules, player->games, (int64_t)PLAYER_LEASE_S, known,
	       knows);
}

static void
on_beat(void *arg, const struct pg_answer *answer)
{
	struct player *player = arg;
	struct held *held;

	player->beating = false;
	if (is_done(player, answer, "beat")) {
		extend(player, player->beaten_us);
		for (unsigned i = 0; i < pg_rows(answer); i++)
			for (held = player->held; held != NULL;
			     held = held->next)
				held->lost |=
					held->job == pg_number(answer, i, 0);
	}
}

void
player_beat(struct player *player)
{
	int64_t *jobs, *attempts;
	const struct held *held;
	size_t n = 0;

	if (player->beating)
		return;
	jobs = memory(NULL, PLAYER_HELD_MAX * sizeof(*jobs));
	attempts = memory(NULL, PLAYER_HELD_MAX * sizeof(*jobs));
	for (held = player->held; held != NULL && n < PLAYER_HELD_MAX;
	     held = held->next) {
		if (held->lost ||
		    (held->state != HELD_WAITS && held->state != HELD_PLAYS))
			continue;
		jobs[n] = held->job;
		attempts[n++] = held->attempt;
	}
	player->beating = true;
	player->beaten_us = player_boot_us();
	player->asks++;
	pg_ask(player->pg, on_beat, player,
	       "SELECT * FROM referee.beat($1, $2, $3, $4)", "sIIi",
	       player->setup->name, jobs, n, attempts, n,
	       (int64_t)PLAYER_LEASE_S);
	free(jobs);
	free(attempts);
}

/* ---- of one job ------------------------------------------------------- */

/* Likewise, and it is asked no more for now. */
static bool
is_done_for(struct held *held, const struct pg_answer *answer, const char *what)
{
	held->asking = false;
	if (answer->outcome == PG_REFUSED)
		held->retry_us = player_boot_us() + AGAIN_US;
	return is_done(held->player, answer, what);
}

/* What is kept is what counts.  If that is not what its bots have given, an
 * attempt before this one has given it: then it is played from that. */
static void
on_entropy(void *arg, const struct pg_answer *answer)
{
	struct held *held = arg;
	struct player *player = held->player;
	struct entropy kept;
	const char *bytes;
	size_t n;

	if (!is_done_for(held, answer, "give_entropy") ||
	    held->state != HELD_PLAYS)
		return;
	held->gave = false;
	if (pg_null(answer, 0, 0)) {
		held->lost = true;
		return;
	}
	bytes = pg_bytes(answer, 0, 0, &n);
	if (spec_entropy_read(bytes, n, held->spec->setup.game.seats, &kept) &&
	    memcmp(&kept, &held->entropy, sizeof(kept)) == 0)
		workers_deal(player->workers, held->number);
	else
		workers_abort_one(player->workers, held->number,
				  ABORT_SHUTDOWN);
}

void
player_ask_entropy(struct held *held)
{
	struct player *player = held->player;
	struct text bytes;

	text_init(&bytes, SEATS_MAX * (1 + ENTROPY_BYTES));
	spec_entropy_write(&held->entropy, held->spec->setup.game.seats,
			   &bytes);
	held->asking = true;
	player->asks++;
	pg_ask(player->pg, on_entropy, held,
	       "SELECT referee.give_entropy($1, $2, $3, $4)", "siib",
	       player->setup->name, held->job, held->attempt, bytes.bytes,
	       bytes.used);
	text_release(&bytes);
}

static void
on_reported(void *arg, const struct pg_answer *answer)
{
	struct held *held = arg;
	struct player *player = held->player;

	if (is_done_for(held, answer, "report"))
		player_log(player, LOG_LEVEL_DEBUG, "job-reported", held,
			   pg_string(answer, 0, 0));
	else if (strcmp(answer->state, QUEUE_STRANGER) == 0 &&
		 ++held->refusals == REFUSALS)
		player_log(player, LOG_LEVEL_WARN, "job-dropped", held,
			   answer->why);
	else
		return;
	held->reported = true;
	text_release(&held->body);
}

void
player_ask_report(struct held *held)
{
	struct player *player = held->player;

	held->asking = true;
	player->asks++;
	pg_ask(player->pg, on_reported, held,
	       "SELECT referee.report($1, $2, $3, $4)", "siib",
	       player->setup->name, held->job, held->attempt, held->body.bytes,
	       held->body.used);
}

static void
on_returned(void *arg, const struct pg_answer *answer)
{
	struct held *held = arg;

	if (is_done_for(held, answer, "give_back"))
		held->state = HELD_DONE;
}

void
player_ask_return(struct held *held)
{
	struct player *player = held->player;

	held->asking = true;
	player->asks++;
	if (held->unbuilt != NULL) {
		pg_ask(player->pg, on_returned, held,
		       "SELECT referee.give_back_unbuilt($1, $2, $3, $4, $5)",
		       "siiss", player->setup->name, held->job, held->attempt,
		       held->unbuilt->hash, held->unbuilt->why);
		return;
	}
	pg_ask(player->pg, on_returned, held,
	       "SELECT referee.give_back($1, $2, $3, $4)", "sIIs",
	       player->setup->name, &held->job, (size_t)1, &held->attempt,
	       (size_t)1, held->why[0] == '\0' ? NULL : held->why);
}

/* ---- bots ------------------------------------------------------------- */

static void
on_piece(void *arg, const struct pg_answer *answer)
{
	struct player *player = arg;
	const char *bytes;
	size_t n;

	if (!is_done(player, answer, "fetch_bot")) {
		bot_cache_unfetched(player->cache, answer->outcome == PG_REFUSED
							   ? answer->why
							   : NULL);
	} else if (pg_rows(answer) == 0) {
		bot_cache_unfetched(player->cache,
				    "the queue does not have it");
	} else {
		bytes = pg_bytes(answer, 0, 1, &n);
		bot_cache_piece(player->cache,
				(uint64_t)pg_number(answer, 0, 0), bytes, n);
	}
}

void
player_fetch(void *arg, const char *hash, uint64_t at)
{
	struct player *player = arg;

	player->asks++;
	pg_ask(player->pg, on_piece, player,
	       "SELECT * FROM referee.fetch_bot($1, $2, $3)", "sii", hash,
	       (int64_t)at, (int64_t)BOT_PIECE_BYTES);
}
