/* referee/queue/player.c - see player.h: its loop, what is done next, and how
 * it ends. */
#include "referee/queue/player.h"

#include <event2/event.h>
#include <signal.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "referee/queue/player-inside.h"
#include "referee/queue/schema.h"

#define TICK_US 100000
#define ENLIST_US 1000000 /* between two tries to join the queue */
#define BEAT_US (PLAYER_LEASE_S * UINT64_C(1000000) / 3)

uint64_t
player_boot_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void
player_log(struct player *player, enum log_level level, const char *event,
	   const struct held *held, const char *why)
{
	struct log_line line;

	log_begin(&line, player->setup->logger, level, event);
	if (held != NULL) {
		log_num(&line, "job", held->job);
		log_num(&line, "attempt", held->attempt);
	}
	if (why != NULL)
		log_str(&line, "why", why);
	log_end(&line);
}

/* Running games may end for so long. */
static void
player_stop(struct player *player, uint64_t left_us)
{
	if (!player->stopping)
		player_log(player, LOG_LEVEL_INFO, "stopping", NULL, NULL);
	player->stopping = true;
	player->stop_us = clock_us() + left_us;
	player->give_up_us =
		player->stop_us + PLAYER_REPORT_MS * UINT64_C(1000);
	player_look(player);
}

void
player_fail(struct player *player, enum error_kind kind, const char *fmt, ...)
{
	va_list ap;

	if (player->failed)
		return;
	player->failed = true;
	va_start(ap, fmt);
	error_vset(player->why, kind, fmt, ap);
	va_end(ap);
	player_stop(player, 0);
}

void
player_look(struct player *player)
{
	loop_post(&player->loop, LOOP_SETTLE, &player->task);
}

/* ---- each job --------------------------------------------------------- */

/* Asks the database about it, unless that is in vain. */
static void
ask_about(struct held *held)
{
	if (held->asking || !player_is_ready(held->player) ||
	    player_boot_us() < held->retry_us)
		return;
	if (held->state == HELD_PLAYS && held->gave && !held->lost)
		player_ask_entropy(held);
	else if (held->state == HELD_OVER && !held->reported)
		player_ask_report(held);
	else if (held->state == HELD_RETURNS)
		player_ask_return(held);
}

static void
end_game(struct held *held)
{
	held->ending = true;
	workers_abort_one(held->player->workers, held->number, ABORT_SHUTDOWN);
}

static void
look_at(struct held *held)
{
	struct player *player = held->player;

	if (held->state == HELD_WAITS && held->lost)
		held->state = HELD_DONE;
	else if (held->state == HELD_WAITS && player->stopping)
		held_return(held, "");
	else if (held->state == HELD_PLAYS && held->lost && !held->ending)
		end_game(held);
	else if (held->state == HELD_OVER && !held->told &&
		 clock_us() >= held->until_us)
		held_tell(held, NULL);
	ask_about(held);
	if (held->state == HELD_OVER && held->reported && held->told)
		held->state = HELD_DONE;
	if (held->state == HELD_DONE && !held->asking)
		held_free(held);
}

static unsigned
count(const struct player *player, enum held_state state)
{
	const struct held *held;
	unsigned n = 0;

	for (held = player->held; held != NULL; held = held->next)
		n += held->state == state;
	return n;
}

/* The one of this state that came first, after `number`. */
static struct held *
first_after(const struct player *player, enum held_state state, uint64_t number)
{
	struct held *held, *best = NULL;

	for (held = player->held; held != NULL; held = held->next)
		if (held->state == state && held->number > number &&
		    (best == NULL || held->number < best->number))
			best = held;
	return best;
}

/* In the order in which they were claimed, as long as they are surely ours. */
static void
begin_some(struct player *player)
{
	unsigned plays = count(player, HELD_PLAYS);
	struct held *held = NULL;
	uint64_t after = 0;

	if (player->stopping || player_boot_us() >= player->leased_us)
		return;
	while (plays < player->setup->jobs &&
	       (held = first_after(player, HELD_WAITS, after)) != NULL) {
		after = held->number;
		if (!held->lost)
			held_begin(held);
		plays += held->state == HELD_PLAYS;
	}
}

/* Bots of too many games wait for `over`. */
static void
dismiss_some(struct player *player)
{
	unsigned waits = 0;
	struct held *held, *first = NULL;

	for (held = player->held; held != NULL; held = held->next)
		if (held->state == HELD_OVER && !held->told) {
			waits++;
			first = held; /* the last one is first in the list */
		}
	if (waits > PLAYER_RECEIPTS * player->setup->jobs)
		held_tell(first, NULL);
}

/* How many are fetched ahead for each that is played. */
static unsigned
ahead(const struct player *player)
{
	uint64_t fit = 1;

	if (player->game_us > 0)
		fit = PLAYER_AHEAD_MS * UINT64_C(1000) / player->game_us;
	return fit > PLAYER_AHEAD_MAX ? PLAYER_AHEAD_MAX : (unsigned)fit;
}

/* Half of what is ahead at a time: a claim costs the database as much for one
 * job as for some. */
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
	    !player_is_ready(player) || player_boot_us() < player->pause_us)
		return;
	/* Results that the database does not take must not pile up. */
	have = count(player, HELD_WAITS) + count(player, HELD_PLAYS);
	if (have + step > most ||
	    have + count(player, HELD_OVER) >= PLAYER_HELD_MAX)
		return;
	player_claim(player, most - have);
}

/* ---- the end ---------------------------------------------------------- */

static void
give_up(struct player *player)
{
	const struct held *held;
	unsigned lost = 0;

	for (held = player->held; held != NULL; held = held->next)
		lost += held->state == HELD_OVER && !held->reported;
	if (lost > 0)
		player_fail(player, ERROR_ANSWER,
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
		workers_abort(player->workers, ABORT_SHUTDOWN);
	}
	if (count(player, HELD_PLAYS) == 0 && !player->settling) {
		player->settling = true;
		player->give_up_us =
			clock_us() + PLAYER_REPORT_MS * UINT64_C(1000);
	}
	if (player->held == NULL && !player->finishing) {
		player->finishing = true;
		workers_finish(player->workers);
	}
	if (player->finished && player->asks == 0)
		player->loop.stop = true;
	else if (clock_us() >= player->give_up_us)
		give_up(player);
}

static void
on_task(struct loop_task *task)
{
	struct player *player = ENCLOSING(task, struct player, task);
	struct held *held, *next;

	for (held = player->held; held != NULL; held = next) {
		next = held->next;
		look_at(held);
	}
	begin_some(player);
	dismiss_some(player);
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
	player_enlist(player);
	player_beat(player);
	bot_cache_again(player->cache);
}

static void
on_down(void *arg, const char *why)
{
	struct player *player = arg;

	player->enlisted = false;
	player_log(player, LOG_LEVEL_WARN, "queue-down", NULL, why);
}

/* "JOB HASH" */
static void
take_verdict(struct player *player, const char *payload)
{
	unsigned char hash[RECORD_HASH_BYTES];
	struct held *held;
	char *end;
	const int64_t job = strtoll(payload, &end, 10);
	size_t n = 0;

	if (*end != ' ' ||
	    sodium_hex2bin(hash, sizeof(hash), end + 1, strlen(end + 1), NULL,
			   &n, NULL) != 0 ||
	    n != sizeof(hash))
		return;
	for (held = player->held; held != NULL; held = held->next)
		if (held->job == job && held->state == HELD_OVER && !held->told)
			held_tell(held, hash);
}

static void
on_notice(void *arg, const char *channel, const char *payload)
{
	struct player *player = arg;

	if (strcmp(channel, QUEUE_VERDICTS) == 0)
		take_verdict(player, payload);
	else if (strcmp(channel, QUEUE_JOBS) == 0)
		player->dry = false;
	player_look(player);
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
	struct log_line line;

	log_begin(&line, player->setup->logger,
		  bot->state == CACHED_READY ? LOG_LEVEL_INFO : LOG_LEVEL_WARN,
		  bot->state == CACHED_READY ? "bot-built" : "bot-not-built");
	log_str(&line, "hash", bot->hash);
	if (bot->state == CACHED_READY)
		log_str(&line, "bot", bot->folder->name);
	else
		log_str(&line, "why", bot->why);
	log_end(&line);
	player_look(player);
}

static const struct bot_cache_calls cache_calls = {
	.fetch = player_fetch,
	.changed = on_changed,
};

static void
on_poll(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct player *player = arg;

	player->dry = false;
	log_flush(player->setup->logger);
	player_look(player);
}

static void
on_beat(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct player *player = arg;

	if (player_is_ready(player))
		player_beat(player);
}

static void
on_tick(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct player *player = arg;

	if (player_is_ready(player))
		bot_cache_again(player->cache);
	else if (pg_is_up(player->pg) &&
		 player_boot_us() - player->enlisted_us >= ENLIST_US)
		player_enlist(player);
	player_look(player);
}

/* The second one does not wait for games. */
static void
on_signal(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct player *player = arg;

	player_stop(player,
		    player->stopping ? 0 : PLAYER_STOP_MS * UINT64_C(1000));
}

/* ---- life ------------------------------------------------------------- */

static void
set_events(struct player *player)
{
	/* SIGHUP: its terminal has gone; nohup(1) ignores that. */
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	struct event_base *base = player->loop.base;
	struct sigaction hang_up;

	sigaction(SIGHUP, NULL, &hang_up);
	loop_signals(base, player->signal, signals,
		     NELEM(signals) - (hang_up.sa_handler == SIG_IGN),
		     on_signal, player);
	player->poll = loop_every(base, PLAYER_POLL_MS * UINT64_C(1000),
				  on_poll, player);
	player->beat = loop_every(base, BEAT_US, on_beat, player);
	player->tick = loop_every(base, TICK_US, on_tick, player);
}

/* The workers come first: they are started before the first thread. */
static int
open_all(struct player *player)
{
	static const char *const listen[] = { QUEUE_JOBS, QUEUE_VERDICTS,
					      NULL };
	const struct player_setup *setup = player->setup;
	const unsigned count = workers_count();
	const struct workers_setup workers = {
		.count = count < setup->jobs ? count : setup->jobs,
		.jobs = setup->jobs,
		.pin = true,
	};
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
	player->workers = workers_new(&player->loop, &workers, &held_calls,
				      player, player->why);
	if (player->workers == NULL)
		return -1;
	player->pg = pg_new(&player->loop, setup->conninfo, setup->name, listen,
			    &pg_calls, player, player->why);
	return player->pg == NULL ? -1 : 0;
}

static void
close_all(struct player *player)
{
	pg_free(player->pg);
	while (player->held != NULL)
		held_free(player->held);
	if (player->workers != NULL)
		workers_free(player->workers);
	bot_cache_free(player->cache);
	loop_cancel(&player->loop, &player->task);
}

int
player_run(const struct player_setup *setup, struct error *why)
{
	struct player *player = zeroed(1, sizeof(*player));
	unsigned char bytes[16];
	int result;

	player->setup = setup;
	player->why = why;
	player->task.run = on_task;
	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(player->instance, sizeof(player->instance), bytes,
		       sizeof(bytes));
	if (loop_init(&player->loop) < 0) {
		free(player);
		return error_set(why, ERROR_MACHINE,
				 "cannot make an event loop: %m");
	}
	player->rules = spec_known(&player->games);
	set_events(player);
	result = open_all(player);
	if (result == 0)
		loop_run(&player->loop);
	if (player->failed)
		result = -1;
	close_all(player);
	for (size_t i = 0; i < NELEM(player->signal); i++)
		if (player->signal[i] != NULL)
			event_free(player->signal[i]);
	event_free(player->poll);
	event_free(player->beat);
	event_free(player->tick);
	loop_release(&player->loop);
	free((void *)player->rules);
	free(player);
	return result;
}
