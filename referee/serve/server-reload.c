/* referee/serve/server-reload.c - ladders that come and go, and another
 * configuration while games go on.
 *
 * Steps that can fail come first; if one fails, nothing has changed.  Then come
 * those that cannot fail.  In between a thread opens the ladders, which takes
 * long. */
#include <stdlib.h>
#include <string.h>

#include "referee/serve/server-inside.h"

static const char no_room[] =
	"too many, including those that have not closed yet";

struct reloads {
	struct server *server;
	const char *file;      /* of the configuration, or NULL */
	struct thread *opener; /* opens and closes ladders */
	atomic_bool stop;
	struct reload *now; /* the reload that waits for its ladders, or NULL */
	bool again;	    /* another reload was asked for meanwhile */
	struct loop_task tidy; /* closes empty ladders */
};

/* ---- a ladder comes ---------------------------------------------------- */

/* A thread closes ladders, as closing waits for the disk. */
struct closing {
	struct thread_task task; /* first: the thread gives it back */
	struct scheduler *scheduler;
};

static void
do_close(struct thread_task *task)
{
	struct closing *closing = (struct closing *)task;

	scheduler_close_files(closing->scheduler);
}

static void
on_closed(struct thread_task *task, bool read)
{
	if (!read)
		do_close(task);
	free(task);
}

static void
close_files(struct server *server, struct scheduler *scheduler)
{
	struct closing *closing = zeroed(1, sizeof(*closing));

	closing->task.read = do_close;
	closing->task.done = on_closed;
	closing->scheduler = scheduler;
	thread_ask(server->reloads->opener, &closing->task);
}

static void
drop_read(struct server *server, struct scheduler *scheduler)
{
	if (server->stopping)
		scheduler_close_files(scheduler);
	else if (scheduler != NULL)
		close_files(server, scheduler);
}

static bool
has_room(const struct server *server, unsigned schedulers)
{
	for (unsigned i = 0; i < LADDER_PLACES; i++)
		schedulers -=
			schedulers > 0 && server->ladders.scheduler[i] == NULL;
	return schedulers == 0;
}

int
server_open_scheduler(struct server *server, struct scheduler *scheduler,
		      struct error *why)
{
	const char *name = scheduler_name(scheduler);
	unsigned i = 0;

	while (i < LADDER_PLACES && server->ladders.scheduler[i] != NULL)
		i++;
	if (i == LADDER_PLACES) {
		error_set(why, ERROR_INPUT, "ladder %s: %s", name, no_room);
		drop_read(server, scheduler);
		return -1;
	}
	if (scheduler_open(scheduler, &server->loop, server->logger,
			   server->dispatch, &server_scheduler_calls, server,
			   why) < 0)
		return -1;
	server->ladders.scheduler[i] = scheduler;
	log_event(server->logger, LOG_LEVEL_INFO, "ladder-open",
		  "ladder=%s settled=%" PRId64, name,
		  (int64_t)scheduler_counts(scheduler)->settled);
	return (int)i;
}

/* ---- a ladder goes ----------------------------------------------------- */

static void
close_ladder(struct server *server, unsigned place)
{
	log_event(server->logger, LOG_LEVEL_INFO, "ladder-closed", "ladder=%s",
		  scheduler_name(server->ladders.scheduler[place]));
	scheduler_close_events(server->ladders.scheduler[place]);
	close_files(server, server->ladders.scheduler[place]);
	server->ladders.scheduler[place] = NULL;
	server->ladders.closing &= ~(UINT64_C(1) << place);
}

/* Lets a ladder end.  Its place becomes free when its games have ended. */
static void
retire(struct server *server, unsigned place)
{
	struct scheduler *scheduler = server->ladders.scheduler[place];

	seating_close(server->seating, place);
	server->ladders.closing |= UINT64_C(1) << place;
	scheduler_stop(scheduler);
}

/* Closes ladders that were taken out of the configuration and are empty now. */
static void
tidy(struct loop_task *task)
{
	struct server *server = ENCLOSING(task, struct reloads, tidy)->server;

	for (unsigned i = 0; i < LADDER_PLACES; i++) {
		if (!(server->ladders.closing >> i & 1))
			continue;
		if (scheduler_is_empty(server->ladders.scheduler[i]) &&
		    !server_will_have(
			    server,
			    scheduler_name(server->ladders.scheduler[i])))
			close_ladder(server, i);
	}
}

void
server_tidy(struct server *server)
{
	if (server->reloads != NULL)
		loop_post(&server->loop, LOOP_SETTLE, &server->reloads->tidy);
}

/* ---- another configuration --------------------------------------------- */

/* Checks that open ladders can take the settings of the new configuration. */
static int
check_ladders(const struct server *server, const struct config *config,
	      struct error *why)
{
	const struct config_ladder *ladder;
	int place;

	for (unsigned i = 0; i < config->ladders; i++) {
		ladder = &config->ladder[i];
		place = ladders_find(&server->ladders, ladder->name);
		if (place < 0 ||
		    scheduler_can_set(server->ladders.scheduler[place], ladder))
			continue;
		return error_set(why, ERROR_INPUT,
				 "ladder %s: game, seats, options, open, "
				 "same-bot-twice, k and start-rating cannot "
				 "change while the ladder is open",
				 ladder->name);
	}
	return 0;
}

static bool
has_ladder(const struct config *config, const char *name)
{
	for (unsigned i = 0; i < config->ladders; i++)
		if (strcmp(config->ladder[i].name, name) == 0)
			return true;
	return false;
}

/* A ladder that is to be opened. */
struct opening {
	struct thread_task task; /* first: the thread gives it back */
	struct reload *reload;
	const struct config_ladder *ladder; /* of the configuration */
	struct scheduler *read; /* owned; NULL: not yet, or it failed */
	struct error why;
};

struct reload {
	struct server *server;
	struct config *config; /* owned */
	struct opening opening[CONFIG_LADDERS];
	unsigned openings, left; /* number of ladders; not read yet */
};

/* Lists the ladders that must be opened. */
static void
list_openings(struct reload *reload)
{
	const struct config *config = reload->config;
	struct opening *opening;
	const char *name;

	for (unsigned i = 0; i < config->ladders; i++) {
		name = config->ladder[i].name;
		if (ladders_find(&reload->server->ladders, name) >= 0)
			continue;
		opening = &reload->opening[reload->openings++];
		opening->reload = reload;
		opening->ladder = &config->ladder[i];
	}
}

/* Makes the checks and steps that can fail and do not take long. */
static int
prepare(struct reload *reload, struct error *why)
{
	struct server *server = reload->server;
	const struct config *config = reload->config;
	enum sandbox_tier tier;

	if (strcmp(config->data, server->pages.config->data) != 0)
		return error_set(why, ERROR_INPUT,
				 "data cannot change while the referee runs");
	if (strcmp(config->queue, server->pages.config->queue) != 0 ||
	    strcmp(config->queue_key, server->pages.config->queue_key) != 0 ||
	    config->standby != server->pages.config->standby)
		return error_set(why, ERROR_INPUT,
				 "queue, queue-key and standby cannot change "
				 "while the referee runs");
	if (config_tier(config, &tier, why) < 0)
		return -1;
	if (check_ladders(server, config, why) < 0)
		return -1;
	list_openings(reload);
	if (!has_room(server, reload->openings))
		return error_set(why, ERROR_INPUT, "ladder %s: %s",
				 reload->opening[0].ladder->name, no_room);
	if (server_raise_descriptors(config, why) < 0)
		return -1;
	return listeners_prepare(server->listeners, config, why);
}

/* Opens the schedulers and sets a bit of `opened` for each.  If one fails, the
 * caller closes the others. */
static int
open_ladders(struct reload *reload, uint64_t *opened, struct error *why)
{
	struct scheduler *read;
	int place;

	for (unsigned i = 0; i < reload->openings; i++) {
		read = reload->opening[i].read;
		reload->opening[i].read = NULL;
		*why = reload->opening[i].why;
		if (read == NULL)
			return -1;
		place = server_open_scheduler(reload->server, read, why);
		if (place < 0)
			return -1;
		*opened |= UINT64_C(1) << place;
	}
	return 0;
}

static void
set_ladders(struct server *server, const struct config *config)
{
	struct scheduler *scheduler;
	const struct config_ladder *ladder;
	int place;

	LADDERS_EACH (&server->ladders, scheduler, i)
		if (!has_ladder(config, scheduler_name(scheduler)))
			retire(server, i);
	for (unsigned i = 0; i < config->ladders; i++) {
		ladder = &config->ladder[i];
		place = ladders_find(&server->ladders, ladder->name);
		server->ladders.closing &= ~(UINT64_C(1) << place);
		scheduler_set(server->ladders.scheduler[place], ladder);
	}
}

static void
commit(struct server *server, struct config *config)
{
	listeners_commit(server->listeners);
	set_ladders(server, config);
	server_set_queue(server, config);
	server_set_local_bots(server, config);
	server_remote_bot_limits(config, &server->remotes.limits,
				 &server->remotes.links.limits);
	server_set_http(server, config);
	roster_limit(server->pages.roster, (unsigned)config->limits.owner_bots);
	log_set_level(server->logger, config->log_level);
	config_free(server->pages.config);
	server->pages.config = config;
	opinion_queue_set(server->pages.opinions, config->opinions);
	server->pages.changes++;
	health_look(server->metrics.health);
	server_look_local_bots(server);
}

/* Undoes a reload. */
static void
drop(struct reload *reload, uint64_t opened)
{
	struct server *server = reload->server;

	for (unsigned i = 0; i < LADDER_PLACES; i++)
		if (opened >> i & 1)
			close_ladder(server, i);
	for (unsigned i = 0; i < reload->openings; i++)
		drop_read(server, reload->opening[i].read);
	listeners_drop(server->listeners);
	config_free(reload->config);
}

/* Logs and counts the outcome.  The new configuration was taken if `why` is
 * NULL. */
static void
tell(struct server *server, const char *why)
{
	if (why == NULL) {
		server->metrics.reloads++;
		log_event(server->logger, LOG_LEVEL_INFO, "configuration-read",
			  NULL);
	} else {
		server->metrics.reloads_failed++;
		log_event(server->logger, LOG_LEVEL_ERROR,
			  "configuration-refused", "why=%s", why);
	}
	notify_ready(server->notify);
}

/* Ends a reload whose ladders are read, or which the end of the daemon has cut
 * short. */
static void
finish(struct reload *reload)
{
	struct server *server = reload->server;
	struct error why;
	uint64_t opened = 0;

	server->reloads->now = NULL;
	if (server->stopping) {
		drop(reload, 0);
	} else if (open_ladders(reload, &opened, &why) < 0) {
		drop(reload, opened);
		tell(server, why.text);
	} else {
		commit(server, reload->config);
		tell(server, NULL);
	}
	free(reload);
	server_tidy(server); /* the reload may have kept some ladders open */
	if (server->reloads->again && !server->stopping) {
		server->reloads->again = false;
		server_reload(server);
	}
}

/* ---- opening, beside the games ---------------------------------------- */

static void
read_ladder(struct thread_task *task)
{
	struct opening *opening = (struct opening *)task;
	const struct reload *reload = opening->reload;

	opening->read =
		scheduler_read(opening->ladder, reload->config->data,
			       server_term(reload->server),
			       &reload->server->reloads->stop, &opening->why);
}

static void
on_read(struct thread_task *task, bool read UNUSED)
{
	struct reload *reload = ((struct opening *)task)->reload;

	if (--reload->left == 0)
		finish(reload);
}

static void
begin_opening(struct reload *reload)
{
	struct server *server = reload->server;
	struct opening *opening;

	server->reloads->now = reload;
	reload->left = reload->openings;
	for (unsigned i = 0; i < reload->openings; i++) {
		opening = &reload->opening[i];
		opening->task.read = read_ladder;
		opening->task.done = on_read;
		log_event(server->logger, LOG_LEVEL_INFO, "ladder-opening",
			  "ladder=%s", opening->ladder->name);
		thread_ask(server->reloads->opener, &opening->task);
	}
}

bool
server_will_have(const struct server *server, const char *ladder)
{
	const struct reload *reload = server->reloads->now;

	return reload != NULL && has_ladder(reload->config, ladder);
}

void
server_reload(struct server *server)
{
	struct reload *reload;
	struct error why;

	if (server->reloads->now != NULL) {
		server->reloads->again = true;
		return;
	}
	notify_reloading(server->notify);
	reload = zeroed(1, sizeof(*reload));
	reload->server = server;
	if (config_read(server->reloads->file, &reload->config, &why) < 0) {
		tell(server, why.text);
		free(reload);
	} else if (prepare(reload, &why) < 0) {
		tell(server, why.text);
		config_free(reload->config);
		free(reload);
	} else if (reload->openings > 0) {
		begin_opening(reload);
	} else {
		finish(reload);
	}
}

/* ---- life ------------------------------------------------------------- */

int
server_open_reload(struct server *server, const char *file)
{
	struct reloads *reloads = zeroed(1, sizeof(*reloads));

	server->reloads = reloads;
	reloads->server = server;
	reloads->file = file;
	reloads->tidy.run = tidy;
	reloads->opener = thread_new(&server->loop);
	return reloads->opener == NULL ? -1 : 0;
}

void
server_stop_reload(struct server *server)
{
	atomic_store(&server->reloads->stop, true);
}

void
server_close_reload(struct server *server)
{
	if (server->reloads == NULL)
		return;
	server_stop_reload(server);
	thread_free(server->reloads->opener);
	loop_cancel(&server->loop, &server->reloads->tidy);
	free(server->reloads);
	server->reloads = NULL;
}
