/* referee/serve/server-house.c - with a queue: the roster and the bots of this
 * daemon's data folder are in the database, too, before the owner is told that a
 * change is done. */
#include <event2/event.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/data/control.h"
#include "referee/import/incoming.h"
#include "referee/queue/bot-cache.h"
#include "referee/queue/coordinator.h"
#include "referee/queue/house.h"
#include "referee/serve/server-inside.h"

/* Each has its thread: a bot may take minutes to build. */
struct server_house {
	struct house *roster, *bots;
	struct worker_thread *roster_thread, *bots_thread;
	struct event *again;
	atomic_bool stop;
	bool dirty;	 /* the database has not heard of the last change */
	unsigned coming; /* bots that the other thread is at */
};

/* ---- the roster ---------------------------------------------------------- */

struct keeping {
	struct worker_thread_job job; /* first */
	struct server *server;
	bool told; /* a request of this number waits for it */
	uint64_t number;
	struct text out; /* its answer */
	struct text image;
	unsigned char key[ROSTER_KEY_BYTES];
	char hash[ROSTER_CONTENT_BYTES + 1], name[NAME_BYTES + 1]; /* or "" */
	bool done;
	struct error why;
};

static void
do_keep(struct worker_thread_job *job)
{
	struct keeping *keeping = (struct keeping *)job;
	struct house *house = keeping->server->house->roster;

	if (!keeping->told)
		house_look_again(house);
	/* First what the roster then names. */
	keeping->done =
		(keeping->hash[0] == '\0' ||
		 house_put_bot(house, keeping->hash, keeping->name,
			       &keeping->why) == 0) &&
		house_put(house, keeping->image.bytes, keeping->image.used,
			  keeping->key, &keeping->why) == 0;
}

static void
keeping_free(struct keeping *keeping)
{
	explicit_bzero(keeping->key, sizeof(keeping->key));
	text_release(&keeping->out);
	text_release(&keeping->image);
	free(keeping);
}

static void
on_kept(struct worker_thread_job *job, bool read)
{
	struct keeping *keeping = (struct keeping *)job;
	struct server *server = keeping->server;
	const struct text none = { 0 };
	struct error why;

	if (!read)
		error_set(&keeping->why, ERROR_MACHINE, "the daemon stops");
	if (!keeping->done)
		log_one(server->logger, LOG_LEVEL_WARN, "roster-not-copied",
			"why", keeping->why.text);
	if (!keeping->done)
		server->house->dirty = true;
	if (keeping->told && keeping->done)
		control_answer(server->control, keeping->number, &keeping->out,
			       NULL);
	if (keeping->told && !keeping->done) {
		error_set(
			&why, ERROR_MACHINE,
			"it is done on this disk, but another daemon may not "
			"know: %.600s; the database gets it as soon as it can",
			keeping->why.text);
		control_answer(server->control, keeping->number, &none, &why);
	}
	keeping_free(keeping);
}

static struct keeping *
keeping_new(struct server *server, struct error *why)
{
	struct keeping *keeping = zeroed(1, sizeof(*keeping));

	keeping->server = server;
	keeping->job.read = do_keep;
	keeping->job.done = on_kept;
	text_init(&keeping->out, CONTROL_ANSWER_BYTES);
	text_init(&keeping->image, ROSTER_IMAGE_BYTES);
	memcpy(keeping->key, roster_key(server->pages.roster),
	       ROSTER_KEY_BYTES);
	if (roster_image(server->pages.roster, &keeping->image, why) == 0)
		return keeping;
	keeping_free(keeping);
	return NULL;
}

int
server_keep_house(struct server *server, uint64_t number, const char *hash,
		  const char *name, const struct text *out, struct error *why)
{
	struct keeping *keeping;

	if (server->house == NULL)
		return 0;
	keeping = keeping_new(server, why);
	if (keeping == NULL) {
		/* The folder has it; the database must get it later. */
		server->house->dirty = true;
		return -1;
	}
	keeping->told = true;
	keeping->number = number;
	snprintf(keeping->hash, sizeof(keeping->hash), "%s", hash);
	snprintf(keeping->name, sizeof(keeping->name), "%s", name);
	if (out->used > 0)
		text_add(&keeping->out, out->bytes, out->used);
	worker_thread_ask(server->house->roster_thread, &keeping->job);
	return CONTROL_LATER;
}

int
server_check_house(const struct server *server, struct error *why)
{
	const struct coordinator *coordinator = server->pages.coordinator;

	if (server->house == NULL || coordinator_counts(coordinator)->up)
		return 0;
	return error_set(
		why, ERROR_MACHINE,
		"the queue's database cannot be reached, and must have "
		"this, too: nothing has changed; try again when it is "
		"back");
}

/* ---- bots ----------------------------------------------------------------- */

struct moving {
	struct worker_thread_job job; /* first */
	struct server *server;
	char hash[ROSTER_CONTENT_BYTES + 1], name[NAME_BYTES + 1];
	bool brought, done;
	struct error why;
};

static void
do_move(struct worker_thread_job *job)
{
	struct moving *moving = (struct moving *)job;
	struct server_house *house = moving->server->house;

	moving->done =
		(moving->brought
			 ? house_bring_bot(house->bots, moving->hash,
					   &house->stop, &moving->why)
			 : house_put_bot(house->bots, moving->hash,
					 moving->name, &moving->why)) == 0;
}

static void
on_moved(struct worker_thread_job *job, bool read)
{
	struct moving *moving = (struct moving *)job;
	struct server *server = moving->server;
	struct log_line line;

	server->house->coming--;
	if (read && !moving->done && !atomic_load(&server->house->stop)) {
		log_begin(&line, server->logger, LOG_LEVEL_WARN,
			  "bot-not-copied");
		log_str(&line, "bot", moving->name);
		log_str(&line, "why", moving->why.text);
		log_end(&line);
	}
	if (read && moving->done && moving->brought && !server->stopping)
		server_look_local_bots(server);
	free(moving);
}

static void
on_entry(void *arg, const struct roster_entry *entry)
{
	struct server *server = arg;
	struct moving *moving;
	char path[IMPORT_PATH_BYTES];

	if (entry->state == ROSTER_DELETED)
		return;
	import_path(server->config->data, entry->hash, "", path);
	moving = zeroed(1, sizeof(*moving));
	moving->server = server;
	moving->job.read = do_move;
	moving->job.done = on_moved;
	moving->brought = access(path, F_OK) < 0;
	memcpy(moving->hash, entry->hash, sizeof(moving->hash));
	memcpy(moving->name, entry->name, sizeof(moving->name));
	server->house->coming++;
	worker_thread_ask(server->house->bots_thread, &moving->job);
}

/* Those that the folder lacks come, and those that the database lacks go
 * there. */
static void
move_bots(struct server *server)
{
	struct error why;

	if (server->house->coming == 0 &&
	    roster_entries(server->pages.roster, on_entry, server, &why) < 0)
		log_one(server->logger, LOG_LEVEL_ERROR, "roster-fails", "why",
			why.text);
}

static void
on_again(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct server *server = arg;
	struct keeping *keeping;
	struct error why;

	move_bots(server);
	if (!server->house->dirty ||
	    (keeping = keeping_new(server, &why)) == NULL)
		return;
	server->house->dirty = false;
	worker_thread_ask(server->house->roster_thread, &keeping->job);
}

void
server_look_at_house(struct server *server)
{
	if (server->house != NULL)
		server->house->dirty = true;
}

/* ---- life ------------------------------------------------------------------ */

static struct house *
open_house(const struct server *server, struct error *why)
{
	const struct config *config = server->config;
	const struct house_setup setup = {
		.house = server_house(server),
		.key = config->queue_key,
		.data = config->data,
		.want = config->sandbox,
		.minimum = config->sandbox_minimum,
	};

	return house_new(&setup, why);
}

int
server_bring_house(struct server *server, struct error *why)
{
	struct log_line line;
	bool changed;

	if (!config_has_queue(server->config))
		return house_leave(server->config->data, why);
	server->house = zeroed(1, sizeof(*server->house));
	server->house->roster = open_house(server, why);
	if (server->house->roster == NULL ||
	    house_bring(server->house->roster, &changed, why) < 0)
		return -1;
	if (!changed)
		return 0;
	log_begin(&line, server->logger, LOG_LEVEL_INFO, "roster-copied");
	log_num(&line, "state", house_state(server->house->roster));
	log_end(&line);
	return 0;
}

int
server_open_house(struct server *server, struct error *why)
{
	struct server_house *house = server->house;
	struct keeping *keeping;
	int result;

	if (house == NULL)
		return 0;
	keeping = keeping_new(server, why);
	if (keeping == NULL)
		return -1;
	result = house_put(house->roster, keeping->image.bytes,
			   keeping->image.used, keeping->key, why);
	keeping_free(keeping);
	if (result < 0)
		return -1;
	house->bots = open_house(server, why);
	if (house->bots == NULL)
		return -1;
	house->roster_thread = worker_thread_new(&server->loop);
	house->bots_thread = worker_thread_new(&server->loop);
	if (house->roster_thread == NULL || house->bots_thread == NULL)
		return error_set(why, ERROR_MACHINE,
				 "cannot make a thread: %m");
	house->again = loop_every(server->loop.base, BOT_AGAIN_MS * 1000,
				  on_again, server);
	return 0;
}

void
server_begin_house(struct server *server)
{
	if (server->house != NULL)
		move_bots(server);
}

void
server_close_house(struct server *server)
{
	struct server_house *house = server->house;

	if (house == NULL)
		return;
	atomic_store(&house->stop, true);
	worker_thread_free(house->roster_thread);
	worker_thread_free(house->bots_thread);
	house_free(house->roster);
	house_free(house->bots);
	if (house->again != NULL)
		event_free(house->again);
	free(house);
	server->house = NULL;
}
