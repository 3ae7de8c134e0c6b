/* referee/queue/machine.c - see machine.h: it joins the queue, claims jobs, and
 * ends.
 *
 * Every statement may be asked again: if its answer was lost, it still takes
 * effect once. */
#include "referee/queue/machine.h"

#include <event2/event.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "protocol/clock.h"
#include "protocol/file.h"
#include "referee/queue/bot-cache.h"
#include "referee/queue/limits.h"
#include "referee/queue/schema.h"
#include "referee/queue/spec.h"
#include "referee/queue/version.h"
#include "referee/runner/cores.h"

#define TICK_US 100000
#define ENLIST_US 1000000 /* between two tries to join the queue */
#define BEAT_US (MACHINE_LEASE_S * UINT64_C(1000000) / 3)
#define SPEED_US 50000 /* duration of the measurement */
#define PIECE 65536
#define PROCESSOR_BYTES (QUEUE_TEXT_BYTES + 1) /* of the processor's name */

_Static_assert(2 * MACHINE_HELD_MAX <= QUEUE_HELD_MOST,
	       "the database does not take so many jobs");
_Static_assert(SPEC_RULES_BYTES <= QUEUE_NAME_BYTES + 1,
	       "the database does not take all rules");
_Static_assert(PG_STATEMENT_MS == QUEUE_IDLE_MS, "two times for one thing");

/* Times are of clock_boot_us(), but those of the end are of clock_us(). */
struct machine {
	struct loop loop;
	const struct machine_setup *setup;
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
	struct event *signal[LOOP_END_SIGNALS];
	struct timer poll, tick;
	size_t signals;
	struct error *why;
	bool failed; /* `why` is set */
};

static void
look_soon(void *arg)
{
	struct machine *machine = arg;

	loop_post(&machine->loop, LOOP_SETTLE, &machine->task);
}

static void
warn(const struct machine *machine, const char *event, const char *why)
{
	log_event(machine->setup->logger, LOG_LEVEL_WARN, event, "why=%s", why);
}

/* Stops.  Running games have `left_us` to end. */
static void
stop(struct machine *machine, uint64_t left_us)
{
	if (!machine->stopping)
		log_event(machine->setup->logger, LOG_LEVEL_INFO, "stopping",
			  NULL);
	machine->stopping = true;
	machine->stop_us = clock_us() + left_us;
	machine->give_up_us =
		machine->stop_us + MACHINE_REPORT_MS * UINT64_C(1000);
	look_soon(machine);
}

/* Stops because of an error, and gives the jobs back if it can. */
static void PRINTF_LIKE(3, 4)
	fail(void *arg, enum error_kind kind, const char *fmt, ...)
{
	struct machine *machine = arg;
	va_list ap;

	if (machine->failed)
		return;
	machine->failed = true;
	va_start(ap, fmt);
	error_vset(machine->why, kind, fmt, ap);
	va_end(ap);
	stop(machine, 0);
}

static bool
is_ready(const struct machine *machine)
{
	return pg_is_up(machine->pg) && machine->enlisted;
}

static void enlist(struct machine *machine);

/* Notes why it waits to join again, and logs a new reason once. */
static void
wait_for(struct machine *machine, const char *why)
{
	if (strcmp(machine->waits, why) != 0)
		warn(machine, "queue-waits", why);
	snprintf(machine->waits, sizeof(machine->waits), "%s", why);
}

/* Returns true if the database has done it.  A refusal is handled here. */
static bool
is_done(void *arg, const struct pg_answer *answer, const char *what)
{
	struct machine *machine = arg;
	char why[512];

	look_soon(machine);
	if (answer->outcome != PG_REFUSED)
		return answer->outcome == PG_DONE;
	snprintf(why, sizeof(why), "%s: %.400s", what, answer->why);
	if (strcmp(answer->state, QUEUE_SUSPENDED) == 0) {
		fail(machine, ERROR_ANSWER, "%s", answer->why);
	} else if (strcmp(answer->state, QUEUE_STRANGER) == 0) {
		machine->enlisted = false;
		enlist(machine);
	} else if (strcmp(answer->state, QUEUE_TWIN) == 0) {
		machine->enlisted = false;
		wait_for(machine, answer->why);
	} else {
		warn(machine, "queue-refused", why);
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
	const uint64_t from_us = clock_boot_us();
	uint64_t us = 0;
	double pieces = 0;

	while (us < SPEED_US) {
		crypto_generichash(hash, sizeof(hash), bytes, PIECE, NULL, 0);
		pieces++;
		us = clock_boot_us() - from_us;
	}
	free(bytes);
	return pieces * PIECE / (double)us;
}

static void
on_version(void *arg, const struct pg_answer *answer)
{
	struct machine *machine = arg;
	char why[QUEUE_FIT_BYTES];
	enum queue_fit fit;

	look_soon(machine);
	fit = queue_fit(answer, why);
	machine->unfit = fit == QUEUE_TOO_OLD || fit == QUEUE_TOO_NEW;
	if (fit == QUEUE_TOO_OLD)
		wait_for(machine, why);
	else if (fit == QUEUE_TOO_NEW)
		fail(machine, ERROR_INPUT, "%s", why);
}

static void
refuse_enlisting(struct machine *machine, const struct pg_answer *answer)
{
	struct error why;

	queue_trouble(answer, QUEUE_WORKER, &why);
	if (strcmp(answer->state, QUEUE_TWIN) == 0)
		wait_for(machine, answer->why);
	else if (strcmp(answer->state, QUEUE_SUSPENDED) == 0)
		fail(machine, ERROR_ANSWER, "%s", answer->why);
	else
		fail(machine, ERROR_INPUT, "%s", why.text);
}

static void
on_enlisted(void *arg, const struct pg_answer *answer)
{
	struct machine *machine = arg;
	const struct machine_setup *setup = machine->setup;

	machine->enlisting = false;
	look_soon(machine);
	if (machine->unfit)
		return;
	if (answer->outcome == PG_REFUSED)
		refuse_enlisting(machine, answer);
	if (answer->outcome != PG_DONE)
		return;
	if (pg_null(answer, 0, 1)) {
		wait_for(machine, "no daemon has used this queue yet");
	} else if (strcmp(pg_string(answer, 0, 1), setup->key->print) != 0) {
		fail(machine, ERROR_INPUT,
		     "the key is not that of this queue: copy the file "
		     "that its daemon has");
	} else {
		machine->enlisted = true;
		machine->knows_key = machine->doubts_key;
		machine->waits[0] = '\0';
		machine->dry = false;
		log_event(setup->logger, LOG_LEVEL_INFO, "queue-joined", NULL);
	}
}

static void
enlist(struct machine *machine)
{
	const struct machine_setup *setup = machine->setup;
	char processor[PROCESSOR_BYTES];

	if (machine->enlisting || machine->failed)
		return;
	processor_name(processor);
	machine->enlisting = true;
	machine->enlisted_us = clock_boot_us();
	pg_ask(machine->pg, on_version, machine, QUEUE_VERSION_ASK, "");
	pg_ask(machine->pg, on_enlisted, machine,
	       "SELECT * FROM referee.enlist($1, $2, $3, $4, $5, $6, $7)",
	       "sssssif", setup->name, machine->instance, setup->class,
	       PACKAGE_VERSION, processor, (int64_t)cores_usable(),
	       measure_speed());
}

static bool
doubts_key(void *arg)
{
	struct machine *machine = arg;

	if (!machine->doubts_key) {
		machine->doubts_key = true;
		enlist(machine);
	}
	return !machine->knows_key;
}

/* ---- claiming --------------------------------------------------------- */

/* Extends our lease.  It counts from the time of the request, not of the
 * answer. */
static void
extend(struct machine *machine, uint64_t asked_us)
{
	machine->leased_us = asked_us + MACHINE_LEASE_S * UINT64_C(1000000);
}

static void
on_claimed(void *arg, const struct pg_answer *answer)
{
	struct machine *machine = arg;

	machine->claiming = false;
	machine->dry = true; /* until the next poll */
	if (!is_done(machine, answer, "claim"))
		return;
	machine->dry = pg_rows(answer) < machine->wanted;
	if (held_count(machine->held, HELD_ANY) == 0)
		extend(machine, machine->claimed_us);
	held_claimed(machine->held, answer);
}

/* Claims `n` jobs.  Jobs that we got in an answer that was lost come again. */
static void
claim(struct machine *machine, unsigned n)
{
	int64_t job[2 * MACHINE_HELD_MAX], attempt[2 * MACHINE_HELD_MAX];
	const size_t ours =
		held_ours(machine->held, HELD_ANY, job, attempt, NELEM(job));
	size_t known;
	const char **rules = spec_known(&known);

	machine->claiming = true;
	machine->claimed_us = clock_boot_us();
	machine->wanted = n;
	pg_ask(machine->pg, on_claimed, machine,
	       "SELECT * FROM referee.claim($1, $2, $3, $4, $5, $6)", "sisSiI",
	       machine->setup->name, (int64_t)n, machine->setup->class, rules,
	       known, (int64_t)MACHINE_LEASE_S, job, ours);
	free(rules);
}

static void
on_beaten(void *arg, const struct pg_answer *answer)
{
	struct machine *machine = arg;

	machine->beating = false;
	if (!is_done(machine, answer, "beat"))
		return;
	extend(machine, machine->beaten_us);
	for (unsigned i = 0; i < pg_rows(answer); i++)
		held_lost(machine->held, pg_number(answer, i, 0));
}

static void
beat(struct machine *machine)
{
	int64_t job[MACHINE_HELD_MAX], attempt[MACHINE_HELD_MAX];
	size_t n;

	if (machine->beating)
		return;
	n = held_ours(machine->held, HELD_WAITS | HELD_PLAYS, job, attempt,
		      NELEM(job));
	machine->beating = true;
	machine->beaten_us = clock_boot_us();
	pg_ask(machine->pg, on_beaten, machine,
	       "SELECT * FROM referee.beat($1, $2, $3, $4)", "sIIi",
	       machine->setup->name, job, n, attempt, n,
	       (int64_t)MACHINE_LEASE_S);
}

/* Returns how many jobs are claimed ahead for each that is played. */
static unsigned
ahead(const struct machine *machine)
{
	const uint64_t game_us = held_game_us(machine->held);
	uint64_t fit = 1;

	if (game_us > 0)
		fit = MACHINE_AHEAD_MS * UINT64_C(1000) / game_us;
	return fit > MACHINE_AHEAD_MAX ? MACHINE_AHEAD_MAX : (unsigned)fit;
}

/* Claims at least half of the jobs ahead at a time, as a claim costs the
 * database as much for one job as for several. */
static void
claim_some(struct machine *machine)
{
	const unsigned jobs = machine->setup->jobs;
	const unsigned more = jobs * ahead(machine);
	const unsigned most =
		jobs + more < MACHINE_HELD_MAX ? jobs + more : MACHINE_HELD_MAX;
	const unsigned step = most == jobs ? 1 : (most - jobs + 1) / 2;
	unsigned have;

	if (machine->stopping || machine->claiming || machine->dry ||
	    !is_ready(machine) || clock_boot_us() < machine->pause_us)
		return;
	/* Results that the database does not take must not pile up. */
	have = held_count(machine->held, HELD_WAITS | HELD_PLAYS);
	if (have + step > most ||
	    have + held_count(machine->held, HELD_OVER | HELD_REPORTED) >=
		    MACHINE_HELD_MAX)
		return;
	claim(machine, most - have);
}

/* ---- the end ---------------------------------------------------------- */

static void
give_up(struct machine *machine)
{
	const unsigned lost = held_count(machine->held, HELD_OVER);

	if (lost > 0)
		fail(machine, ERROR_ANSWER,
		     "%s could not be reported, and will be played "
		     "again: the database does not answer",
		     counted(lost, "game").text);
	machine->loop.stop = true;
}

static void
look_whether_to_end(struct machine *machine)
{
	if (!machine->stopping)
		return;
	if (clock_us() >= machine->stop_us && !machine->aborted) {
		machine->aborted = true;
		held_abort(machine->held);
	}
	if (held_count(machine->held, HELD_PLAYS) == 0 && !machine->settling) {
		machine->settling = true;
		machine->give_up_us =
			clock_us() + MACHINE_REPORT_MS * UINT64_C(1000);
	}
	if (held_is_finished(machine->held) &&
	    held_count(machine->held, HELD_ANY) == 0 && !machine->claiming)
		machine->loop.stop = true;
	else if (clock_us() >= machine->give_up_us)
		give_up(machine);
}

static void
on_task(struct loop_task *task)
{
	struct machine *machine = ENCLOSING(task, struct machine, task);

	held_look(machine->held, is_ready(machine) ? machine->pg : NULL,
		  machine->stopping);
	/* Games begin only as long as the jobs are surely ours. */
	if (!machine->stopping && clock_boot_us() < machine->leased_us)
		held_begin(machine->held);
	claim_some(machine);
	look_whether_to_end(machine);
}

/* ---- what happens ----------------------------------------------------- */

static void
on_up(void *arg)
{
	struct machine *machine = arg;

	machine->enlisting = false;
	machine->enlisted = false;
	enlist(machine);
	beat(machine);
	bot_cache_again(machine->cache);
}

static void
on_down(void *arg, const char *why)
{
	struct machine *machine = arg;

	machine->enlisted = false;
	warn(machine, "queue-down", why);
}

/* Takes a notice "JOB HASH". */
static void
take_verdict(struct machine *machine, const char *payload)
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
	held_told(machine->held, job, hash);
}

static void
on_notice(void *arg, const char *channel, const char *payload)
{
	struct machine *machine = arg;

	if (strcmp(channel, QUEUE_VERDICTS) == 0)
		take_verdict(machine, payload);
	else if (strcmp(channel, QUEUE_JOBS) == 0)
		machine->dry = false;
	look_soon(machine);
}

static const struct pg_calls pg_calls = {
	.up = on_up,
	.down = on_down,
	.notice = on_notice,
};

static void
on_changed(void *arg, const struct cached *bot)
{
	struct machine *machine = arg;

	if (bot->state == CACHED_READY)
		log_event(machine->setup->logger, LOG_LEVEL_INFO, "bot-built",
			  "hash=%s bot=%s", bot->hash, bot->folder->name);
	else
		log_event(machine->setup->logger, LOG_LEVEL_WARN,
			  "bot-not-built", "hash=%s why=%s", bot->hash,
			  bot->why);
	look_soon(machine);
}

static void
on_piece(void *arg, const struct pg_answer *answer)
{
	struct machine *machine = arg;
	const char *bytes;
	size_t n;

	if (!is_done(machine, answer, "fetch_bot")) {
		bot_cache_unfetched(machine->cache,
				    answer->outcome == PG_REFUSED ? answer->why
								  : NULL);
	} else if (pg_rows(answer) == 0) {
		bot_cache_unfetched(machine->cache,
				    "the queue does not have it");
	} else {
		bytes = pg_bytes(answer, 0, 1, &n);
		bot_cache_piece(machine->cache,
				(uint64_t)pg_number(answer, 0, 0), bytes, n);
	}
}

static void
fetch(void *arg, const char *hash, uint64_t at)
{
	struct machine *machine = arg;

	pg_ask(machine->pg, on_piece, machine,
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
	struct machine *machine = arg;

	machine->pause_us = clock_boot_us() + MACHINE_PAUSE_MS * UINT64_C(1000);
}

static const struct held_calls held_calls = {
	.changed = look_soon,
	.is_done = is_done,
	.doubts_key = doubts_key,
	.no_room = on_no_room,
	.failed = fail,
};

static void
on_poll(void *arg)
{
	struct machine *machine = arg;

	machine->dry = false;
	log_flush(machine->setup->logger);
	look_soon(machine);
}

static void
on_tick(void *arg)
{
	struct machine *machine = arg;

	if (is_ready(machine)) {
		bot_cache_again(machine->cache);
		/* The lease goes on while we are stopped, and timers do not. */
		if (clock_boot_us() - machine->beaten_us >= BEAT_US)
			beat(machine);
	} else if (pg_is_up(machine->pg) &&
		   clock_boot_us() - machine->enlisted_us >= ENLIST_US) {
		enlist(machine);
	}
	look_soon(machine);
}

/* The second signal does not wait for games. */
static void
on_signal(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct machine *machine = arg;

	stop(machine, machine->stopping ? 0 : MACHINE_STOP_MS * UINT64_C(1000));
}

/* ---- life ------------------------------------------------------------- */

static void
set_events(struct machine *machine)
{
	machine->signals = loop_end_signals(machine->loop.base, machine->signal,
					    on_signal, machine);
	timer_init(&machine->poll, &machine->loop.timers, on_poll, machine);
	timer_every(&machine->poll, MACHINE_POLL_MS * UINT64_C(1000));
	timer_init(&machine->tick, &machine->loop.timers, on_tick, machine);
	timer_every(&machine->tick, TICK_US);
}

/* The worker processes come first: they must be started before the first
 * thread. */
static int
open_all(struct machine *machine)
{
	static const char *const listen[] = { QUEUE_JOBS, QUEUE_VERDICTS,
					      NULL };
	const struct machine_setup *setup = machine->setup;
	const struct bot_cache_setup cache = {
		.data = setup->data,
		.want = setup->want,
		.minimum = setup->minimum,
		.tier = setup->tier,
		.bytes = BOT_CACHE_BYTES,
	};

	machine->cache = bot_cache_new(&machine->loop, &cache, &cache_calls,
				       machine, machine->why);
	if (machine->cache == NULL)
		return -1;
	machine->held = held_new(&machine->loop, setup, machine->cache,
				 &held_calls, machine, machine->why);
	if (machine->held == NULL)
		return -1;
	machine->pg = pg_new(&machine->loop, setup->conninfo, setup->name,
			     listen, &pg_calls, machine, machine->why);
	return machine->pg == NULL ? -1 : 0;
}

static void
close_all(struct machine *machine)
{
	pg_free(machine->pg);
	held_free(machine->held);
	bot_cache_free(machine->cache);
	loop_cancel(&machine->loop, &machine->task);
}

int
machine_run(const struct machine_setup *setup, struct error *why)
{
	struct machine *machine = zeroed(1, sizeof(*machine));
	int result;

	machine->setup = setup;
	machine->why = why;
	machine->task.run = on_task;
	id_draw(machine->instance);
	if (loop_init(&machine->loop) < 0) {
		free(machine);
		return error_set(why, ERROR_MACHINE,
				 "cannot make an event loop: %m");
	}
	set_events(machine);
	result = open_all(machine);
	if (result == 0)
		loop_run(&machine->loop);
	if (machine->failed)
		result = -1;
	close_all(machine);
	for (size_t i = 0; i < machine->signals; i++)
		event_free(machine->signal[i]);
	timer_stop(&machine->poll);
	timer_stop(&machine->tick);
	loop_release(&machine->loop);
	free(machine);
	return result;
}
