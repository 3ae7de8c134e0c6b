/* referee/serve/server-queue.c - the daemon's queue, by which other machines
 * play games. */
#include <signal.h>

#include "referee/queue/coordinator.h"
#include "referee/queue/orders.h"
#include "referee/serve/server-inside.h"
#include "referee/serve/standby.h"

/* The time that a database may need to start, or to notice that another daemon
 * is gone. */
#define QUEUE_WAIT_MS 30000
#define QUEUE_LOOK_MS 200

/* ---- what it tells ------------------------------------------------------ */

static struct dispatched *
on_adopted(void *arg, const char *ladder, const struct job *job)
{
	const struct server *server = arg;
	struct dispatched *game = NULL;
	int place = ladders_find(&server->ladders, ladder);

	if (place >= 0)
		game = scheduler_adopt(server->ladders.scheduler[place], job);
	log_event(server->logger,
		  game != NULL ? LOG_LEVEL_INFO : LOG_LEVEL_WARN,
		  game != NULL ? "game-adopted" : "game-not-adopted",
		  "ladder=%s game=%s", ladder, job->setup.deal.id);
	return game;
}

static void
on_up(void *arg)
{
	const struct server *server = arg;

	server_registry_look(server->registry);
}

static void
on_lacks(void *arg)
{
	const struct server *server = arg;

	server_registry_begin(server->registry);
}

/* Whatever is written from now on is refused: it ends at once. */
static void
on_taken(void *arg, const char *why)
{
	struct server *server = arg;

	error_set(&server->end, ERROR_MACHINE, "queue: %s", why);
	log_event(server->logger, LOG_LEVEL_ERROR, "queue-taken", "why=%s",
		  why);
	raise(SIGTERM);
	raise(SIGTERM);
}

static const struct coordinator_calls calls = {
	.adopted = on_adopted,
	.up = on_up,
	.lacks = on_lacks,
	.taken = on_taken,
};

/* ---- opening ------------------------------------------------------------ */

static void
on_look(void *arg UNUSED)
{
}

void
server_set_queue(struct server *server, const struct config *config)
{
	struct coordinator *coordinator = server->pages.coordinator;

	if (coordinator == NULL)
		return;
	for (unsigned i = 0; i < config->ladders; i++)
		orders_set_class(coordinator_orders(coordinator),
				 config->ladder[i].name,
				 config_class(&config->ladder[i]));
}

/* Follows the daemon that has the queue, if `standby` is set. */
static int
begin_to_wait(struct server *server, const char *sentence,
	      struct standby **standby, struct error *why)
{
	log_event(server->logger, LOG_LEVEL_INFO, "queue-waits", "why=%s",
		  sentence);
	if (!server->pages.config->standby || *standby != NULL)
		return 0;
	*standby = standby_new(&server->loop, server->logger,
			       server->pages.config, why);
	return *standby == NULL ? error_prefix(why, "queue: ") : 0;
}

static int
wait_for_queue(struct server *server, const atomic_bool *stop,
	       struct standby **standby, struct error *why)
{
	const struct coordinator *coordinator = server->pages.coordinator;
	const uint64_t until_us = clock_us() + QUEUE_WAIT_MS * UINT64_C(1000);
	enum tenure_state state, told = TENURE_READY;
	const char *sentence;

	for (;;) {
		state = tenure_state(coordinator_tenure(coordinator),
				     &sentence);
		if (state == TENURE_READY)
			return 0;
		if (atomic_load(stop)) {
			why->text[0] = '\0';
			return -1;
		}
		if (state == TENURE_FAILED ||
		    (!server->pages.config->standby && clock_us() > until_us))
			return error_set(why, ERROR_MACHINE, "queue: %s",
					 sentence);
		if (state != told && state == TENURE_HELD &&
		    begin_to_wait(server, sentence, standby, why) < 0)
			return -1;
		told = state;
		loop_pass(&server->loop);
	}
}

int
server_open_queue(struct server *server, const atomic_bool *stop,
		  struct error *why)
{
	const struct coordinator_setup setup = {
		.loop = &server->loop,
		.logger = server->logger,
		.dispatch = server->dispatch,
		.conninfo = server->pages.config->queue,
		.key = server->pages.config->queue_key,
		.standby = server->pages.config->standby,
		.calls = &calls,
		.arg = server,
	};
	struct standby *standby = NULL;
	struct timer look;
	int result;

	if (!config_has_queue(server->pages.config))
		return 0;
	server->pages.coordinator = coordinator_new(&setup, why);
	if (server->pages.coordinator == NULL)
		return error_prefix(why, "queue: ");
	server_set_queue(server, server->pages.config);
	timer_init(&look, &server->loop.timers, on_look, server);
	timer_every(&look, QUEUE_LOOK_MS * 1000);
	result = wait_for_queue(server, stop, &standby, why);
	standby_free(standby);
	timer_stop(&look);
	return result;
}

const struct queue_term *
server_term(const struct server *server)
{
	const struct coordinator *coordinator = server->pages.coordinator;

	return coordinator == NULL
		       ? NULL
		       : tenure_term(coordinator_tenure(coordinator));
}
