/* referee/queue/player.c - see player.h: it joins the queue, claims jobs, and
 * ends.
 *
 * Every statement may be asked again: if its answer was lost, it still takes
 * effect once. */
#include "referee/queue/player.h"

#include <event2/event.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "protocol/file.h"
#include "protocol/record.h"
#include "referee/queue/bot-cache.h"
#include "referee/queue/held.h"
#include "referee/queue/limits.h"
#include "referee/queue/pg.h"
#include "referee/queue/schema.h"
#include "referee/queue/spec.h"
#include "referee/queue/version.h"
#include "referee/runner/cores.h"

#define TICK_US 100000
#define ENLIST_US 1000000 /* between two tries to join the queue */
#define BEAT_US (PLAYER_LEASE_S * UINT64_C(1000000) / 3)
#define SPEED_US 50000 /* duration of the measurement */
#define PIECE 65536
#define PROCESSOR_BYTES (QUEUE_TEXT_BYTES + 1) /* of the processor's name */

_Static_assert(2 * PLAYER_HELD_MAX <= QUEUE_HELD_MOST,
	       "the database does not take so many jobs");
_Static_assert(SPEC_RULES_BYTES <= QUEUE_NAME_BYTES + 1,
	       "the database does not take all rules");
_Static_assert(PG_STATEMENT_MS == QUEUE_IDLE_MS, "two times for one thing");

/* Times are of held_boot_us(), but those of the end are of clock_us(). */
struct player {
	struct loop loop;
	const struct player_setup *setup;
	struct pg *pg;
	struct bot_cache *cache;
	struct held_jobs *held;
	struct loop_task task;	     /* of look_soon() */
	char instance[ID_BYTES + 1]; /* random name of this process */
	bool enlisted, enlisting, claiming, beating;
	/* A seal did not open, so the queue is asked for the print of its key
	 * again; it has answered that it is ours. */
	bool doubts_key, knows_key;
	bool unfit;	 /* the queue has another version for now */
	char waits[512]; /* why it is not enlisted, as last logged */
	uint64_t enlisted_us, claimed_us, beaten_us; /* last requests */
	unsigned wanted;    /* jobs that the claim asked
						      * for */
	bool dry;	    /* the queue had no more, until the next poll or
			     * notice */
	uint64_t leased_us; /* our jobs are ours until then */
	uint64_t pause_us;  /* no claims until then */
	bool stopping, aborted, settling;
	uint64_t stop_us; /* when to abort running games */
	uint64_t give_up_us;
	struct event *signal[LOOP_END_SIGNALS], *poll, *beat, *tick;
	size_t signals;
	struct error *why;
	bool failed; /* `why` is set */
};

static void
look_soon(void *arg)
{
	struct player *player = arg;

	loop_post(&player->loop, LOOP_SETTLE, &player->task);
}

static void
warn(const struct player *player, const char *event, const char *why)
{
	log_event(player->setup->logger, LOG_LEVEL_WARN, event, "why=%s", why);
}

/* Stops.  Running games have `left_us` to end. */
static void
stop(struct player *player, uint64_t left_us)
{
	if (!player->stopping)
		log_event(player->setup->logger, LOG_LEVEL_INFO, "stopping",
			  NULL);
	player->stopping = true;
	player->stop_us = clock_us() + left_us;
	player->give_up_us =
		player->stop_us + PLAYER_REPORT_MS * UINT64_C(1000);
	look_soon(player);
}

/* Stops because of an error, and gives the jobs back if it can. */
static void PRINTF_LIKE(3, 4)
	fail(void *arg, enum error_kind kind, const char *fmt, ...)
{
	struct player *player = arg;
	va_list ap;

	if (player->failed)
		return;
	player->failed = true;
	va_start(ap, fmt);
	error_vset(player->why, kind, fmt, ap);
	va_end(ap);
	stop(player, 0);
}

static bool
is_ready(const struct player *player)
{
	return pg_is_up(player->pg) && player->enlisted;
}

static void enlist(struct player *player);

/* Notes why it waits to join again, and logs a new reason once. */
static void
wait_for(struct player *player, const char *why)
{
	if (strcmp(player->waits, why) != 0)
		warn(player, "queue-waits", why);
	snprintf(player->waits, sizeof(player->waits), "%s", why);
}

/* Returns true if the database has done it.  A refusal is handled here. */
static bool
is_done(void *arg, const struct pg_answer *answer, const char *what)
{
	struct player *player = arg;
	char why[512];

	look_soon(player);
	if (answer->outcome != PG_REFUSED)
		return answer->outcome == PG_DONE;
	snprintf(why, sizeof(why), "%s: %.400s", what, answer->why);
	if (strcmp(answer->state, QUEUE_SUSPENDED) == 0) {
		fail(player, ERROR_ANSWER, "%s", answer->why);
	} else if (strcmp(answer->state, QUEUE_STRANGER) == 0) {
		player->enlisted = false;
		enlist(player);
	} else if (strcmp(answer->state, QUEUE_TWIN) == 0) {
		player->enlisted = false;
		wait_for(player, answer->why);
	} else {
		warn(player, "queue-refused", why);
	}
	return false;
}

/* ---- enlisting -------------------------------------------------------- */

static void
processor_name(char name[PROCESSOR_BYTES])
{
	char info[4096], *at;

	snprintf(name, PROCESSOR_BYTES, "unknown");
	if (file_peek(info, sizeof(info), "/proc/cpuinfo") <= 0)
		return;
	at = strstr(info, "model name");
	at = at == NULL ? NULL : strchr(at, ':');
	if (at == NULL)
		return;
	at += 1 + strspn(at + 1, " \t");
	snprintf(name, PROCESSOR_BYTES, "%.*s", (int)strcspn(at, "\n"), at);
}

/* Returns the megabytes per second that one processor hashes, as a rough
 * measure of its speed. */
static double
measure_speed(void)
{
	unsigned char *bytes = zeroed(1, PIECE), hash[32];
	const uint64_t from_us = held_boot_us();
	uint64_t us = 0;
	double pieces = 0;

	while (us < SPEED_US) {
		crypto_generichash(hash, sizeof(hash), bytes, PIECE, NULL, 0);
		pieces++;
		us = held_boot_us() - from_us;
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

	look_soon(player);
	fit = queue_fit(answer, why);
	player->unfit = fit == QUEUE_TOO_OLD || fit == QUEUE_TOO_NEW;
	if (fit == QUEUE_TOO_OLD)
		wait_for(player, why);
	else if (fit == QUEUE_TOO_NEW)
		fail(player, ERROR_INPUT, "%s", why);
}

static void
refuse_enlisting(struct player *player, const struct pg_answer *answer)
{
	struct error why;

	queue_trouble(answer, QUEUE_WORKER, &why);
	if (strcmp(answer->state, QUEUE_TWIN) == 0)
		wait_for(player, answer->why);
	else if (strcmp(answer->state, QUEUE_SUSPENDED) == 0)
		fail(player, ERROR_ANSWER, "%s", answer->why);
	else
		fail(player, ERROR_INPUT, "%s", why.text);
}

static void
on_enlisted(void *arg, const struct pg_answer *answer)
{
	struct player *player = arg;
	const struct player_setup *setup = player->setup;

	player->enlisting = false;
	look_soon(player);
	if (player->unfit)
		return;
	if (answer->outcome == PG_REFUSED)
		refuse_enlisting(player, answer);
	if (answer->outcome != PG_DONE)
		return;
	if (pg_null(answer, 0, 1)) {
		wait_for(player, "no daemon has used this queue yet");
	} else if (strcmp(pg_string(answer, 0, 1), setup->key->print) != 0) {
		fail(player, ERROR_INPUT,
		     "the key is not that of this queue: copy the file "
		     "that its daemon has");
	} else {
		player->enlisted = true;
		player->knows_key = player->doubts_key;
		player->waits[0] = '\0';
		player->dry = false;
		log_event(setup->logger, LOG_LEVEL_INFO, "queue-joined", NULL);
	}
}

static void
enlist(struct player *player)
{
	const struct player_setup *setup = player->setup;
	char processor[PROCESSOR_BYTES];

	if (player->enlisting || player->failed)
		return;
	processor_name(processor);
	player->enlisting = true;
	player->enlisted_us = held_boot_us();
	pg_ask(player->pg, on_version, player, QUEUE_VERSION_ASK, "");
	pg_ask(player->pg, on_enlisted, player,
	       "SELECT * FROM referee.enlist($1, $2, $3, $4, $5, $6, $7)",
	       "sssssif", setup->name, player->instance, setup->class,
	       PACKAGE_VERSION, processor, (int64_t)cores_usable(),
	       measure_speed());
}

static bool
doubts_key(void *arg)
{
	struct player *player = arg;

	if (!player->doubts_key) {
		player->doubts_key = true;
		enlist(player);
	}
	return !player->knows_key;
}

/* ---- claiming --------------------------------------------------------- */

/* Extends our lease.  It counts from the time of the request, not of the
 * answer. */
static void
extend(struct player *player, uint64_t asked_us)
{
	player->leased_us = asked_us + PLAYER_LEASE_S * UINT64_C(1000000);
}

static void
on_claimed(void *arg, const struct pg_answer *answer)
{
	struct player *player = arg;

	player->claiming = false;
	player->dry = true; /* until the next poll */
	if (!is_done(player, answer, "claim"))
		return;
	player->dry = pg_rows(answer) < player->wanted;
	if (held_count(player->held, HELD_ANY) == 0)
		extend(player, player->claimed_us);
	held_claimed(player->held, answer);
}

/* Claims `n` jobs.  Jobs that we got in an answer that was lost come again. */
static void
claim(struct player *player, unsigned n)
{
	int64_t job[2 * PLAYER_HELD_MAX], attempt[2 * PLAYER_HELD_MAX];
	const size_t ours =
		held_ours(player->held, HELD_ANY, job, attempt, NELEM(job));
	size_t known;
	const char **rules = spec_known(&known);

	player->claiming = true;
	player->claimed_us = held_boot_us();
	player->wanted = n;
	pg_ask(player->pg, on_claimed, player,
	       "SELECT * FROM referee.claim($1, $2, $3, $4, $5, $6)", "sisSiI",
	       player->setup->name, (int64_t)n, player->setup->class, rules,
	       known, (int64_t)PLAYER_LEASE_S, job, ours);
	free(rules);
}

static void
on_beaten(void *arg, const struct pg_answer *answer)
{
	struct player *player = arg;

	player->beating = false;
	if (!is_done(player, answer, "beat"))
		return;
	extend(player, player->beaten_us);
	for (unsigned i = 0; i < pg_rows(answer); i++)
		held_lost(player->held, pg_number(answer, i, 0));
}

static void
beat(struct player *player)
{
	int64_t job[PLAYER_HELD_MAX], attempt[PLAYER_HELD_MAX];
	size_t n;

	if (player->beating)
		return;
	n = held_ours(player->held, HELD_WAITS | HELD_PLAYS, job, attempt,
		      NELEM(job));
	player->beating = true;
	player->beaten_us = held_boot_us();
	pg_ask(player->pg, on_beaten, player,
	       "SELECT * FROM referee.beat($1, $2, $3, $4)", "sIIi",
	       player->setup->name, job, n, attempt, n,
	       (int64_t)PLAYER_LEASE_S);
}

/* Returns how many jobs are claimed ahead for each that is played. */
static unsigned
ahead(const struct player *player)
{
	const uint64_t game_us = held_game_us(player->held);
	uint64_t fit = 1;

	if (game_us > 0)
		fit = PLAYER_AHEAD_MS * UINT64_C(1000) / game_us;
	return fit > PLAYER_AHEAD_MAX ? PLAYER_AHEAD_MAX : (unsigned)fit;
}

/* Claims at least half of the jobs ahead at a time, as a claim costs the
 * database as much for one job as for several. */
static void
claim_some(struct player *player)
{
	const unsigned jobs = player->setup->jobs;
	const unsigned more = jobs * ahead(player);
	const unsigned most =
		jobs + more < PLAYER_HELD_MAX ? jobs + more : PLAYER_HELD_MAX;
	const unsigned step = most == jobs ? 1 : (most - jobs + 1) / 2;
	unsigned have;

	if (player->stopping || player->claiming || player->dry ||
	    !is_ready(player) || held_boot_us() < player->pause_us)
		return;
	/* Results that the database does not take must not pile up. */
	have = held_count(player->held, HELD_WAITS | HELD_PLAYS);
	if (have + step > most ||
	    have + held_count(player->held, HELD_OVER | HELD_REPORTED) >=
		    PLAYER_HELD_MAX)
		return;
	claim(player, most - have);
}

/* ---- the end ---------------------------------------------------------- */

static void
give_up(struct player *player)
{
	const unsigned lost = held_count(player->held, HELD_OVER);

	if (lost > 0)
		fail(player, ERROR_ANSWER,
		     "%s could not be reported, and will be played "
		     "again: the database does not answer",
		     counted(lost, "game").text);
	player->loop.stop = true;
}

static void
look_whether_to_end(struct player *player)
{
	if (!player->stopping)
		return;
	if (clock_us() >= player->stop_us && !player->aborted) {
		player->aborted = true;
		held_abort(player->held);
	}
	if (held_count(player->held, HELD_PLAYS) == 0 && !player->settling) {
		player->settling = true;
		player->give_up_us =
			clock_us() + PLAYER_REPORT_MS * UINT64_C(1000);
	}
	if (held_is_finished(player->held) &&
	    held_count(player->held, HELD_ANY) == 0 && !player->claiming)
		player->loop.stop = true;
	else if (clock_us() >= player->give_up_us)
		give_up(player);
}

static void
on_task(struct loop_task *task)
{
	struct player *player = ENCLOSING(task, struct player, task);

	held_look(player->held, is_ready(player) ? player->pg : NULL,
		  player->stopping);
	/* Games begin only as long as the jobs are surely ours. */
	if (!player->stopping && held_boot_us() < player->leased_us)
		held_begin(player->held);
	claim_some(player);
	look_whether_to_end(player);
}

/* ---- what happens ----------------------------------------------------- */

static void
on_up(void *arg)
{
	struct player *player = arg;

	player->enlisting = false;
	player->enlisted = false;
	enlist(player);
	beat(player);
	bot_cache_again(player->cache);
}

static void
on_down(void *arg, const char *why)
{
	struct player *player = arg;

	player->enlisted = false;
	warn(player, "queue-down", why);
}

/* Takes a notice "JOB HASH". */
static void
take_verdict(struct player *player, const char *payload)
{
	unsigned char hash[RECORD_HASH_BYTES];
	char *end;
	const int64_t job = strtoll(payload, &end, 10);
	size_t n = 0;

	if (*end != ' ' ||
	    sodium_hex2bin(hash, sizeof(hash), end + 1, strlen(end + 1), NULL,
			   &n, NULL) != 0 ||
	    n != sizeof(hash))
		return;
	held_told(player->held, job, hash);
}

static void
on_notice(void *arg, const char *channel, const char *payload)
{
	struct player *player = arg;

	if (strcmp(channel, QUEUE_VERDICTS) == 0)
		take_verdict(player, payload);
	else if (strcmp(channel, QUEUE_JOBS) == 0)
		player->dry = false;
	look_soon(player);
}

static const struct pg_calls pg_calls = {
	.up = on_up,
	.down = on_down,
	.notice = on_notice,
};

static void
on_changed(void *arg, const struct cached *bot)
{
	struct player *player = arg;

	if (bot->state == CACHED_READY)
		log_event(player->setup->logger, LOG_LEVEL_INFO, "bot-built",
			  "hash=%s bot=%s", bot->hash, bot->folder->name);
	else
		log_event(player->setup->logger, LOG_LEVEL_WARN,
			  "bot-not-built", "hash=%s why=%s", bot->hash,
			  bot->why);
	look_soon(player);
}

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

static void
fetch(void *arg, const char *hash, uint64_t at)
{
	struct player *player = arg;

	pg_ask(player->pg, on_piece, player,
	       "SELECT * FROM referee.fetch_bot($1, $2, $3)", "sii", hash,
	       (int64_t)at, (int64_t)BOT_PIECE_BYTES);
}

static const struct bot_cache_calls cache_calls = {
	.fetch = fetch,
	.changed = on_changed,
};

static void
on_no_room(void *arg)
{
	struct player *player = arg;

	player->pause_us = held_boot_us() + PLAYER_PAUSE_MS * UINT64_C(1000);
}

static const struct held_calls held_calls = {
	.changed = look_soon,
	.is_done = is_done,
	.doubts_key = doubts_key,
	.no_room = on_no_room,
	.failed = fail,
};

static void
on_poll(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct player *player = arg;

	player->dry = false;
	log_flush(player->setup->logger);
	look_soon(player);
}

static void
on_beat(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct player *player = arg;

	if (is_ready(player))
		beat(player);
}

static void
on_tick(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct player *player = arg;

	if (is_ready(player))
		bot_cache_again(player->cache);
	else if (pg_is_up(player->pg) &&
		 held_boot_us() - player->enlisted_us >= ENLIST_US)
		enlist(player);
	look_soon(player);
}

/* The second signal does not wait for games. */
static void
on_signal(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct player *player = arg;

	stop(player, player->stopping ? 0 : PLAYER_STOP_MS * UINT64_C(1000));
}

/* ---- life ------------------------------------------------------------- */

static void
set_events(struct player *player)
{
	struct event_base *base = player->loop.base;

	player->signals =
		loop_end_signals(base, player->signal, on_signal, player);
	player->poll = loop_every(base, PLAYER_POLL_MS * UINT64_C(1000),
				  on_poll, player);
	player->beat = loop_every(base, BEAT_US, on_beat, player);
	player->tick = loop_every(base, TICK_US, on_tick, player);
}

/* The worker processes come first: they must be started before the first
 * thread. */
static int
open_all(struct player *player)
{
	static const char *const listen[] = { QUEUE_JOBS, QUEUE_VERDICTS,
					      NULL };
	const struct player_setup *setup = player->setup;
	const struct bot_cache_setup cache = {
		.data = setup->data,
		.want = setup->want,
		.minimum = setup->minimum,
		.tier = setup->tier,
		.bytes = BOT_CACHE_BYTES,
	};

	player->cache = bot_cache_new(&player->loop, &cache, &cache_calls,
				      player, player->why);
	if (player->cache == NULL)
		return -1;
	player->held = held_new(&player->loop, setup, player->cache,
				&held_calls, player, player->why);
	if (player->held == NULL)
		return -1;
	player->pg = pg_new(&player->loop, setup->conninfo, setup->name, listen,
			    &pg_calls, player, player->why);
	return player->pg == NULL ? -1 : 0;
}

static void
close_all(struct player *player)
{
	pg_free(player->pg);
	held_free(player->held);
	bot_cache_free(player->cache);
	loop_cancel(&player->loop, &player->task);
}

int
player_run(const struct player_setup *setup, struct error *why)
{
	struct player *player = zeroed(1, sizeof(*player));
	int result;

	player->setup = setup;
	player->why = why;
	player->task.run = on_task;
	id_draw(player->instance);
	if (loop_init(&player->loop) < 0) {
		free(player);
		return error_set(why, ERROR_MACHINE,
				 "cannot make an event loop: %m");
	}
	set_events(player);
	result = open_all(player);
	if (result == 0)
		loop_run(&player->loop);
	if (player->failed)
		result = -1;
	close_all(player);
	for (size_t i = 0; i < player->signals; i++)
		event_free(player->signal[i]);
	event_free(player->poll);
	event_free(player->beat);
	event_free(player->tick);
	loop_release(&player->loop);
	free(player);
	return result;
}
