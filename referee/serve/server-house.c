/* referee/serve/server-house.c - see server-house.h. */
#include "referee/serve/server-house.h"

#include <event2/event.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/base/worker-thread.h"
#include "referee/import/incoming.h"
#include "referee/queue/bot-cache.h"
#include "referee/queue/house.h"
#include "referee/queue/orders.h"

/* The roster and the bots have a thread each, as a bot may take minutes to
 * build. */
struct server_house {
	struct server_house_setup with;
	char data[CONFIG_PATH_BYTES + 1];
	struct roster *own; /* the roster of the data folder */
	struct house *roster, *bots;
	struct worker_thread *roster_thread, *bots_thread;
	struct event *again;
	atomic_bool stop;
	bool dirty;	 /* the database may lack the last change */
	unsigned coming; /* bots that `bots_thread` has to move */
};

/* ---- the roster ---------------------------------------------------------- */

struct keeping {
	struct worker_thread_job job; /* first */
	struct server_house *house;
	bool told; /* the request `number` waits for it */
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
	struct house *house = keeping->house->roster;

	if (!keeping->told)
		house_look_again(house);
	/* The bot goes first, as the roster will name it. */
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
	struct server_house *house = keeping->house;
	const struct text none = { 0 };
	struct error why;

	if (!read)
		error_set(&keeping->why, ERROR_MACHINE, "the daemon stops");
	if (!keeping->done)
		log_event(house->with.logger, LOG_LEVEL_WARN,
			  "roster-not-copied", "why=%s", keeping->why.text);
	if (!keeping->done)
		house->dirty = true;
	else if (keeping->hash[0] != '\0')
		orders_bot(coordinator_orders(house->with.coordinator),
			   keeping->hash, NULL);
	if (keeping->told && keeping->done)
		control_answer(house->with.control, keeping->number,
			       &keeping->out, NULL);
	if (keeping->told && !keeping->done) {
		error_set(
			&why, ERROR_MACHINE,
			"it is done on this disk, but another daemon may not "
			"know: %.600s; the database gets it as soon as it can",
			keeping->why.text);
		control_answer(house->with.control, keeping->number, &none,
			       &why);
	}
	keeping_free(keeping);
}

static struct keeping *
keeping_new(struct server_house *house, struct error *why)
{
	struct keeping *keeping = zeroed(1, sizeof(*keeping));

	keeping->house = house;
	keeping->job.read = do_keep;
	keeping->job.done = on_kept;
	text_init(&keeping->out, CONTROL_ANSWER_BYTES);
	text_init(&keeping->image, ROSTER_IMAGE_BYTES);
	memcpy(keeping->key, roster_key(house->own), ROSTER_KEY_BYTES);
	if (roster_image(house->own, &keeping->image, why) == 0)
		return keeping;
	keeping_free(keeping);
	return NULL;
}

int
server_house_keep(struct server_house *house, uint64_t number, const char *hash,
		  const char *name, const struct text *out, struct error *why)
{
	struct keeping *keeping;

	if (house == NULL)
		return 0;
	keeping = keeping_new(house, why);
	if (keeping == NULL) {
		/* The folder has the change; the database must get it later. */
		house->dirty = true;
		return -1;
	}
	keeping->told = true;
	keeping->number = number;
	snprintf(keeping->hash, sizeof(keeping->hash), "%s", hash);
	snprintf(keeping->name, sizeof(keeping->name), "%s", name);
	if (out->used > 0)
		text_add(&keeping->out, out->bytes, out->used);
	worker_thread_ask(house->roster_thread, &keeping->job);
	return CONTROL_LATER;
}

int
server_house_check(const struct server_house *house, struct error *why)
{
	if (house == NULL || coordinator_told(house->with.coordinator)->up)
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
	struct server_house *house;
	char hash[ROSTER_CONTENT_BYTES + 1], name[NAME_BYTES + 1];
	bool brought, done;
	struct error why;
};

static void
do_move(struct worker_thread_job *job)
{
	struct moving *moving = (struct moving *)job;
	struct server_house *house = moving->house;

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
	struct server_house *house = moving->house;

	house->coming--;
	if (read && !moving->done && !atomic_load(&house->stop))
		log_event(house->with.logger, LOG_LEVEL_WARN, "bot-not-copied",
			  "bot=%s why=%s", moving->name, moving->why.text);
	if (read && !moving->brought && !atomic_load(&house->stop) &&
	    (moving->done || moving->why.kind == ERROR_INPUT))
		orders_bot(coordinator_orders(house->with.coordinator),
			   moving->hash,
			   moving->done ? NULL : moving->why.text);
	if (read && moving->done && moving->brought)
		house->with.came(house->with.arg);
	free(moving);
}

static void
on_entry(void *arg, const struct roster_entry *entry)
{
	struct server_house *house = arg;
	struct moving *moving;
	char path[IMPORT_PATH_BYTES];

	if (entry->state == ROSTER_DELETED)
		return;
	import_path(house->data, entry->hash, "", path);
	moving = zeroed(1, sizeof(*moving));
	moving->house = house;
	moving->job.read = do_move;
	moving->job.done = on_moved;
	moving->brought = access(path, F_OK) < 0;
	memcpy(moving->hash, entry->hash, sizeof(moving->hash));
	memcpy(moving->name, entry->name, sizeof(moving->name));
	house->coming++;
	worker_thread_ask(house->bots_thread, &moving->job);
}

/* Copies the bots that the folder lacks from the database, and those that the
 * database lacks to it. */
static void
move_bots(struct server_house *house)
{
	struct error why;

	if (house->coming == 0 &&
	    roster_entries(house->own, on_entry, house, &why) < 0)
		log_event(house->with.logger, LOG_LEVEL_ERROR, "roster-fails",
			  "why=%s", why.text);
}

static void
on_again(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct server_house *house = arg;
	struct keeping *keeping;
	struct error why;

	move_bots(house);
	if (!house->dirty || (keeping = keeping_new(house, &why)) == NULL)
		return;
	house->dirty = false;
	worker_thread_ask(house->roster_thread, &keeping->job);
}

void
server_house_look(struct server_house *house)
{
	if (house != NULL)
		house->dirty = true;
}

/* ---- life ------------------------------------------------------------------ */

static struct house *
open_house(const struct server_house *house, struct error *why)
{
	return house_new(
		tenure_house(coordinator_tenure(house->with.coordinator)),
		house->with.config, why);
}

int
server_house_bring(const struct server_house_setup *setup,
		   struct server_house **made, struct error *why)
{
	struct server_house *house;
	bool changed;

	if (setup->coordinator == NULL)
		return house_leave(setup->config->data, why);
	*made = house = zeroed(1, sizeof(*house));
	house->with = *setup;
	memcpy(house->data, setup->config->data, sizeof(house->data));
	house->roster = open_house(house, why);
	if (house->roster == NULL ||
	    house_bring(house->roster, &changed, why) < 0)
		return -1;
	if (changed)
		log_event(setup->logger, LOG_LEVEL_INFO, "roster-copied",
			  "state=%" PRId64, house_state(house->roster));
	return 0;
}

int
server_house_open(struct server_house *house, struct roster *roster,
		  struct error *why)
{
	struct keeping *keeping;
	int result;

	if (house == NULL)
		return 0;
	house->own = roster;
	keeping = keeping_new(house, why);
	if (keeping == NULL)
		return -1;
	result = house_put(house->roster, keeping->image.bytes,
			   keeping->image.used, keeping->key, why);
	keeping_free(keeping);
	if (result < 0)
		return -1;
	house->bots = open_house(house, why);
	if (house->bots == NULL)
		return -1;
	house->roster_thread = worker_thread_new(house->with.loop);
	house->bots_thread = worker_thread_new(house->with.loop);
	if (house->roster_thread == NULL || house->bots_thread == NULL)
		return error_set(why, ERROR_MACHINE,
				 "cannot make a thread: %m");
	house->again = loop_every(house->with.loop->base, BOT_AGAIN_MS * 1000,
				  on_again, house);
	return 0;
}

void
server_house_begin(struct server_house *house)
{
	if (house != NULL)
		move_bots(house);
}

void
server_house_free(struct server_house *house)
{
	if (house == NULL)
		return;
	atomic_store(&house->stop, true);
	worker_thread_free(house->roster_thread);
	worker_thread_free(house->bots_thread);
	house_free(house->roster);
	house_free(house->bots);
	loop_drop(&house->again);
	free(house);
}
