/* referee/serve/server.c - see server.h. */
#include "referee/serve/server.h"

#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>

#include "ladder/roster.h"
#include "protocol/clock.h"
#include "protocol/file.h"
#include "referee/data/control.h"
#include "referee/data/data-folder.h"
#include "referee/scheduler/refit.h"
#include "referee/scheduler/who.h"
#include "referee/serve/server-inside.h"
#include "referee/web/live.h"
#include "referee/web/page-ask.h"
#include "referee/web/page-cache.h"
#include "referee/web/routes.h"
#include "referee/web/trials.h"

#define FLUSH_LOG_S 10 /* seconds between two flushes of held-back lines */

static const int signals[] = { SIGTERM, SIGINT, SIGHUP };

struct server_own {
	int lock; /* lock of the data folder */
	struct event *signal[NELEM(signals)];
	struct timer stop_time, flush;
	struct refit *refit;
};

/* ---- schedulers ------------------------------------------------------- */

static void
on_seated(void *arg, const char *ladder, struct participant *participant)
{
	const struct server *server = arg;

	seating_began(server->seating, ladder, participant);
}

static void
on_changed(void *arg, struct participant *participant)
{
	const struct server *server = arg;

	seating_offer(server->seating, participant);
}

/* ---- the end ---------------------------------------------------------- */

static void
on_empty(void *arg, struct scheduler *scheduler UNUSED)
{
	struct server *server = arg;
	unsigned i, left = 0;

	for (i = 0; i < LADDER_PLACES; i++)
		left += server->ladders.scheduler[i] != NULL &&
			!scheduler_is_empty(server->ladders.scheduler[i]);
	if (server->stopping && left == 0)
		server->loop.stop = true;
	server_tidy(server);
}

static void
on_charged(void *arg, const char *bot, const char *id, unsigned seat,
	   const char *sentence)
{
	const struct server *server = arg;
	char first[NAME_BYTES + 1];
	struct roster_bot known;

	/* An adopted game names a bot by its version. */
	who_look_up(server->pages.roster, bot, &known);
	who_first_name(server->pages.roster,
		       known.number != 0 ? known.name : bot, first);
	game_notes_say(server->pages.notes, first, id, seat, sentence);
}

static void
on_game_over(void *arg, const char *id, const struct job_result *result)
{
	const struct server *server = arg;

	live_over(server->pages.live, id, result);
}

const struct scheduler_calls server_scheduler_calls = {
	.news = { .seated = on_seated,
		  .charged = on_charged,
		  .changed = on_changed,
		  .over = on_game_over },
	.full = server_full,
	.empty = on_empty,
};

void
server_part(struct server *server, struct participant *participant,
	    enum scheduler_parting how)
{
	struct scheduler *scheduler;

	LADDERS_EACH (&server->ladders, scheduler, i)
		scheduler_part(scheduler, participant, how);
}

static void
abort_all(struct server *server)
{
	struct scheduler *scheduler;

	LADDERS_EACH (&server->ladders, scheduler, i)
		scheduler_abort(scheduler, ABORT_SHUTDOWN);
}

static void
on_stop_time(void *arg)
{
	abort_all(arg);
}

static void
stop(struct server *server)
{
	struct scheduler *scheduler;

	log_event(server->logger, LOG_LEVEL_INFO, "stopping", NULL);
	server->stopping = true;
	seating_stop(server->seating);
	server_stop_reload(server);
	remote_bots_close(&server->remotes, server_stopping);
	timer_after(&server->own->stop_time,
		    server->pages.config->limits.stop_ms * (uint64_t)1000);
	notify_stopping(server->notify);
	LADDERS_EACH (&server->ladders, scheduler, i) {
		scheduler_stop(scheduler);
		scheduler_leave(scheduler);
	}
}

static void
on_signal(evutil_socket_t number, short what UNUSED, void *arg)
{
	struct server *server = arg;

	if (number == SIGHUP && !server->stopping)
		server_reload(server);
	else if (number == SIGHUP)
		return; /* too late for a reload */
	else if (server->stopping)
		abort_all(server);
	else
		stop(server);
}

static void
on_flush(void *arg)
{
	struct server *server = arg;

	log_flush(server->logger);
}

/* ---- listeners -------------------------------------------------------- */

static void
on_arrival(void *arg, int fd, const struct tls *tls, struct visitor *visitor)
{
	struct server *server = arg;

	remote_bots_arrive(&server->remotes, fd, tls, visitor);
}

/* Fills in what is known at first.  The rest is added when it is made. */
static void
fill_pages(struct server *server)
{
	struct pages *pages = &server->pages;
	struct metrics *metrics = &server->metrics;

	pages->logger = server->logger;
	pages->ladders = &server->ladders;
	pages->remotes = &server->remotes;
	pages->stopping = &server->stopping;
	pages->change = server_change;
	pages->change_arg = server;
	pages->metrics = metrics_write;
	pages->healthy = metrics_healthy;
	pages->arg = metrics;
	metrics->loop = &server->loop;
	metrics->pages = pages;
	metrics->started_us = clock_us();
}

void
server_set_http(struct server *server, const struct config *config)
{
	struct http_limits limits = http_limits;

	if (config->uploads != CONFIG_UPLOADS_NO)
		limits.put_bytes = UPLOAD_BYTES;
	limits.each_address = (unsigned)config->limits.pages_per_address;
	limits.watchers = (unsigned)config->limits.watchers;
	limits.watchers_each = (unsigned)config->limits.watchers_per_address;
	http_set_limits(server->pages.http, &limits);
	http_set_proxies(server->pages.http, &config->proxies);
}

static void
view_health(void *arg, struct health_view *view)
{
	const struct server *server = arg;

	view->data = server->pages.config->data;
	view->certificates =
		listeners_certificates(server->listeners, view->certificate);
}

static int
open_listeners(struct server *server, struct error *why)
{
	const struct config *config = server->pages.config;
	struct door_limits limits;

	listeners_door_limits(config, &limits);
	server->metrics.door = door_new(&server->loop, &limits, on_arrival,
					server_refused, server);
	server->pages.http =
		http_new(&server->loop, &http_limits,
			 door_addresses(server->metrics.door), routes_allowed,
			 routes_asked, routes_refused, &server->pages);
	http_set_thread(server->pages.http, server->pages.thread);
	http_set_refusal_page(server->pages.http, routes_refusal_page);
	server_set_http(server, config);
	server->pages.live = live_new(&server->loop, &server->ladders);
	server->pages.opinions = opinion_queue_new(
		&server->loop, server->logger, server->pages.roster);
	opinion_queue_set(server->pages.opinions, config->opinions);
	server->listeners = listeners_new(server->metrics.door,
					  server->pages.http, server->logger);
	if (listeners_prepare(server->listeners, config, why) < 0)
		return -1;
	listeners_commit(server->listeners);
	server->metrics.health =
		health_new(&server->loop, server->logger, view_health, server);
	server->own->refit =
		refit_new(&server->loop, server->logger, &server->ladders,
			  config->data, &server->marked);
	return listeners_check_given(server->listeners, why);
}

/* ---- opening ---------------------------------------------------------- */

/* Set by signal handlers during the start: opening may take long, and the loop
 * does not run yet. */
static atomic_bool stop_at_start;

static atomic_bool reload_at_start;

static void
on_early_reload(int number UNUSED)
{
	atomic_store(&reload_at_start, true);
}

static void
on_early_signal(int number UNUSED)
{
	atomic_store(&stop_at_start, true);
}

static int
read_schedulers(struct server *server, struct error *why)
{
	const struct config *config = server->pages.config;
	struct scheduler *scheduler;

	for (unsigned i = 0; i < config->ladders; i++) {
		scheduler = scheduler_read(&config->ladder[i], config->data,
					   server_term(server), &stop_at_start,
					   why);
		if (scheduler == NULL ||
		    server_open_scheduler(server, scheduler, why) < 0)
			return -1;
	}
	return 0;
}

static void
on_bot_came(void *arg)
{
	struct server *server = arg;

	if (!server->stopping)
		server_look_local_bots(server);
}

/* Opens the queue, if there is one, and copies the roster from its database. */
static int
open_queue(struct server *server, struct error *why)
{
	if (server_open_queue(server, &stop_at_start, why) < 0)
		return -1;
	return server_registry_bring(
		&(struct server_registry_setup){
			.loop = &server->loop,
			.logger = server->logger,
			.config = server->pages.config,
			.coordinator = server->pages.coordinator,
			.came = on_bot_came,
			.arg = server,
		},
		&server->registry, why);
}

/* Calls `open`, which may take long, with handlers for the signals that end it.
 * Returns -1 and an error that is "" if a signal came. */
static int
open_slowly(struct server *server,
	    int (*open)(struct server *server, struct error *why),
	    struct error *why)
{
	struct sigaction early = { .sa_handler = on_early_signal }, old[2];
	int result;

	sigemptyset(&early.sa_mask);
	atomic_store(&stop_at_start, false);
	sigaction(SIGTERM, &early, &old[0]);
	sigaction(SIGINT, &early, &old[1]);
	result = open(server, why);
	sigaction(SIGTERM, &old[0], NULL);
	sigaction(SIGINT, &old[1], NULL);
	if (!atomic_load(&stop_at_start))
		return result;
	log_event(server->logger, LOG_LEVEL_INFO, "stopping", NULL);
	why->text[0] = '\0';
	return -1;
}

static void
open_events(struct server *server)
{
	struct event_base *base = server->loop.base;

	loop_signals(base, server->own->signal, signals, NELEM(signals),
		     on_signal, server);
	timer_init(&server->own->stop_time, &server->loop.timers, on_stop_time,
		   server);
	timer_init(&server->own->flush, &server->loop.timers, on_flush, server);
	timer_every(&server->own->flush, FLUSH_LOG_S * 1000000);
}

/* Warns if every user may read the data folder: records are not for everybody,
 * whatever `readers` says. */
static void
warn_of_readers(struct server *server)
{
	if (!data_folder_is_read(server->pages.config->data))
		return;
	log_event(server->logger, LOG_LEVEL_WARN, "data-folder-open",
		  "data=%s why=%s", server->pages.config->data,
		  "every user of this machine may read it: chmod o-rx it");
}

/* Takes the lock of the folder.  It waits for a command that has it for a
 * moment, and for a daemon that is ending. */
static int
take_folder(struct server *server, struct error *why)
{
	const uint64_t until_us =
		clock_us() + DATA_FOLDER_WAIT_MS * UINT64_C(1000);
	const char *data = server->pages.config->data;
	bool told = false;

	while ((server->own->lock = data_folder_take(data, why)) ==
		       DATA_FOLDER_IN_USE &&
	       clock_us() < until_us) {
		if (!told)
			log_event(server->logger, LOG_LEVEL_INFO,
				  "data-folder-waits", "why=%s", why->text);
		told = true;
		clock_pause(DATA_FOLDER_TRY_MS);
	}
	return server->own->lock < 0 ? -1 : 0;
}

static int
open_all(struct server *server, const char *file, struct spawner *spawner,
	 struct error *why)
{
	struct sigaction reload = { .sa_handler = on_early_reload };

	sigemptyset(&reload.sa_mask);
	sigaction(SIGHUP, &reload, NULL); /* until open_events() */
	if (take_folder(server, why) < 0)
		return -1;
	warn_of_readers(server);
	if (loop_init(&server->loop) < 0)
		return error_set(why, ERROR_MACHINE,
				 "cannot make an event loop: %m");
	server->control = control_new(&server->loop, server->pages.config->data,
				      server_request, server, why);
	if (server->control == NULL)
		return -1;
	server_open_dispatch(server, spawner);
	if (open_slowly(server, open_queue, why) < 0 ||
	    roster_open(server->pages.config->data, &server->pages.roster,
			why) < 0)
		return -1;
	roster_limit(server->pages.roster,
		     (unsigned)server->pages.config->limits.owner_bots);
	if (server_registry_open(server->registry, server->pages.roster, why) <
	    0)
		return -1;
	server->pages.thread = thread_new(&server->loop);
	if (server->pages.thread == NULL ||
	    server_open_reload(server, file) < 0)
		return error_set(why, ERROR_MACHINE,
				 "cannot make a thread: %m");
	server->pages.cache = page_cache_new(SERVE_PAGE_CACHE_BYTES);
	server->pages.tallies = tallies_new();
	server->pages.uploads =
		uploads_new(&server->loop, server->pages.thread, server->logger,
			    server->pages.roster, server->pages.config->data);
	server->pages.trials = trials_new(&server->loop, &server->pages);
	server->notify = notify_new(&server->loop);
	server->pages.notes = game_notes_new(GAME_NOTES_BYTES);
	server->pages.refusals = refusals_new(&server->loop, server->logger);
	server_open_remote_bots(server);
	server->seating = seating_new(&server->loop, &server->ladders,
				      &server->remotes, server->pages.locals);
	open_events(server);
	if (open_slowly(server, read_schedulers, why) < 0)
		return -1;
	server_open_local_bots(server);
	if (open_listeners(server, why) < 0)
		return -1;
	if (server->pages.coordinator != NULL)
		coordinator_begin(server->pages.coordinator);
	server_registry_begin(server->registry);
	return 0;
}

struct server *
server_new(struct config *config, const char *file, struct spawner *spawner,
	   struct logger *logger, struct error *why)
{
	struct server *server = zeroed(1, sizeof(*server));

	server->pages.config = config;
	server->logger = logger;
	server->own = zeroed(1, sizeof(*server->own));
	server->own->lock = -1;
	fill_pages(server);
	if (open_all(server, file, spawner, why) == 0)
		return server;
	server_free(server);
	return NULL;
}

/* Waits until all connections have been told of the end, or have had their time
 * for that. */
static void
say_goodbye(struct server *server)
{
	door_close_all(server->metrics.door);
	http_stop(server->pages.http);
	page_ask_close(&server->pages);
	links_refuse(&server->remotes.links, server_stopping);
	dispatch_finish(server->dispatch);
	while (server->remotes.links.count > 0 ||
	       http_counts(server->pages.http)->connections > 0 ||
	       !dispatch_is_finished(server->dispatch))
		loop_pass(&server->loop);
}

int
server_run(struct server *server, unsigned *lost, struct error *why)
{
	struct scheduler *scheduler;

	*lost = 0;
	notify_ready(server->notify);
	if (atomic_exchange(&reload_at_start, false))
		server_reload(server);
	loop_run(&server->loop);
	say_goodbye(server);
	LADDERS_EACH (&server->ladders, scheduler, i)
		*lost += (unsigned)scheduler_counts(scheduler)->given_up;
	if (server->end.text[0] == '\0')
		return 0;
	*why = server->end;
	return -1;
}

void
server_free(struct server *server)
{
	struct scheduler *scheduler;

	if (server == NULL)
		return;
	server_registry_free(server->registry);
	server->registry = NULL;
	control_free(server->control);
	server->control = NULL;
	server->stopping = true;
	seating_stop(server->seating);
	server_close_reload(server); /* drops the ladders being opened */
	trials_free(server->pages.trials);
	server->pages.trials = NULL;
	uploads_free(server->pages.uploads);
	seals_free(server->seals);
	live_stop(server->pages.live); /* it may give the next one tasks */
	thread_free(
		server->pages.thread); /* before the modules that it answers */
	page_cache_free(server->pages.cache);
	page_html_forget(&server->pages);
	tallies_free(server->pages.tallies);
	http_free(server->pages.http);
	live_free(server->pages.live);
	server->pages.live = NULL;
	if (server->remotes.loop != NULL)
		remote_bots_release(&server->remotes);
	local_bots_free(server->pages.locals);
	dispatch_free(server->dispatch);
	LADDERS_EACH (&server->ladders, scheduler, i)
		scheduler_close(scheduler);
	listeners_free(server->listeners);
	if (server->metrics.door != NULL)
		door_free(server->metrics.door);
	for (unsigned i = 0; i < NELEM(signals); i++)
		loop_drop(&server->own->signal[i]);
	timer_stop(&server->own->stop_time);
	timer_stop(&server->own->flush);
	seating_free(server->seating);
	refusals_free(server->pages.refusals);
	health_free(server->metrics.health);
	refit_free(server->own->refit);
	opinion_queue_free(server->pages.opinions);
	notify_free(server->notify);
	game_notes_free(server->pages.notes);
	roster_close(server->pages.roster);
	if (server->loop.base != NULL)
		loop_release(&server->loop);
	close_quietly(server->own->lock);
	config_free(server->pages.config);
	free(server->own);
	free(server);
}
