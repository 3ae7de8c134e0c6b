/* referee/serve/server-registry.c - see server-registry.h. */
#include "referee/serve/server-registry.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/base/thread.h"
#include "referee/import/incoming.h"
#include "referee/queue/bot-cache.h"
#include "referee/queue/registry.h"
#include "referee/queue/orders.h"

/* The roster and the bots have a thread each, as a bot may take minutes to
 * build. */
struct server_registry {
	struct server_registry_setup with;
	char data[CONFIG_PATH_BYTES + 1];
	struct roster *own; /* the roster of the data folder */
	struct registry *roster, *bots;
	struct thread *roster_thread, *bots_thread;
	struct timer again;
	atomic_bool stop;
	bool dirty;	 /* the database may lack the last change */
	unsigned coming; /* bots that `bots_thread` has to move */
};

/* ---- the roster ---------------------------------------------------------- */

struct keeping {
	struct thread_task task; /* first */
	struct server_registry *registry;
	struct server_reply to; /* waits for it, unless `done` is NULL */
	struct text out;	/* its answer */
	struct text image;
	unsigned char key[ROSTER_KEY_BYTES];
	char hash[ROSTER_CONTENT_BYTES + 1], name[NAME_BYTES + 1]; /* or "" */
	bool done;
	struct error why;
};

static void
do_keep(struct thread_task *task)
{
	struct keeping *keeping = (struct keeping *)task;
	struct registry *registry = keeping->registry->roster;

	if (keeping->to.done == NULL)
		registry_look_again(registry);
	/* The bot goes first, as the roster will name it. */
	keeping->done = (keeping->hash[0] == '\0' ||
			 registry_put_bot(registry, keeping->hash,
					  keeping->name, &keeping->why) == 0) &&
			registry_put(registry, keeping->image.bytes,
				     keeping->image.used, keeping->key,
				     &keeping->why) == 0;
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
on_kept(struct thread_task *task, bool read)
{
	struct keeping *keeping = (struct keeping *)task;
	struct server_registry *registry = keeping->registry;
	const struct text none = { 0 };
	struct error why;

	if (!read)
		error_set(&keeping->why, ERROR_MACHINE, "the daemon stops");
	if (!keeping->done)
		log_event(registry->with.logger, LOG_LEVEL_WARN,
			  "roster-not-copied", "why=%s", keeping->why.text);
	if (!keeping->done)
		registry->dirty = true;
	else if (keeping->hash[0] != '\0')
		orders_bot(coordinator_orders(registry->with.coordinator),
			   keeping->hash, NULL);
	if (keeping->to.done != NULL && keeping->done)
		keeping->to.done(keeping->to.arg, keeping->to.number,
				 &keeping->out, NULL);
	if (keeping->to.done != NULL && !keeping->done) {
		error_set(&why, ERROR_MACHINE,
			  "it is done on this disk, but another daemon may not "
			  "know; the database gets it as soon as it can");
		keeping->to.done(keeping->to.arg, keeping->to.number, &none,
				 &why);
	}
	keeping_free(keeping);
}

static struct keeping *
keeping_new(struct server_registry *registry, struct error *why)
{
	struct keeping *keeping = zeroed(1, sizeof(*keeping));

	keeping->registry = registry;
	keeping->task.read = do_keep;
	keeping->task.done = on_kept;
	text_init(&keeping->out, CONTROL_ANSWER_BYTES);
	text_init(&keeping->image, ROSTER_IMAGE_BYTES);
	memcpy(keeping->key, roster_key(registry->own), ROSTER_KEY_BYTES);
	if (roster_image(registry->own, &keeping->image, why) == 0)
		return keeping;
	keeping_free(keeping);
	return NULL;
}

int
server_registry_keep(struct server_registry *registry,
		     const struct server_reply *to, const char *hash,
		     const char *name, const struct text *out,
		     struct error *why)
{
	struct keeping *keeping;

	if (registry == NULL)
		return 0;
	keeping = keeping_new(registry, why);
	if (keeping == NULL) {
		/* The folder has the change; the database must get it later. */
		registry->dirty = true;
		return -1;
	}
	keeping->to = *to;
	snprintf(keeping->hash, sizeof(keeping->hash), "%s", hash);
	snprintf(keeping->name, sizeof(keeping->name), "%s", name);
	if (out->used > 0)
		text_add(&keeping->out, out->bytes, out->used);
	thread_ask(registry->roster_thread, &keeping->task);
	return CONTROL_LATER;
}

int
server_registry_check(const struct server_registry *registry, struct error *why)
{
	if (registry == NULL ||
	    coordinator_told(registry->with.coordinator)->up)
		return 0;
	return error_set(
		why, ERROR_MACHINE,
		"the queue's database cannot be reached, and must have "
		"this, too: nothing has changed; try again when it is "
		"back");
}

/* ---- bots ----------------------------------------------------------------- */

struct moving {
	struct thread_task task; /* first */
	struct server_registry *registry;
	char hash[ROSTER_CONTENT_BYTES + 1], name[NAME_BYTES + 1];
	bool brought, done;
	struct error why;
};

static void
do_move(struct thread_task *task)
{
	struct moving *moving = (struct moving *)task;
	struct server_registry *registry = moving->registry;

	moving->done =
		(moving->brought
			 ? registry_bring_bot(registry->bots, moving->hash,
					      &registry->stop, &moving->why)
			 : registry_put_bot(registry->bots, moving->hash,
					    moving->name, &moving->why)) == 0;
}

static void
on_moved(struct thread_task *task, bool read)
{
	struct moving *moving = (struct moving *)task;
	struct server_registry *registry = moving->registry;

	registry->coming--;
	if (read && !moving->done && !atomic_load(&registry->stop))
		log_event(registry->with.logger, LOG_LEVEL_WARN,
			  "bot-not-copied", "bot=%s why=%s", moving->name,
			  moving->why.text);
	if (read && !moving->brought && !atomic_load(&registry->stop) &&
	    (moving->done || moving->why.kind == ERROR_INPUT))
		orders_bot(coordinator_orders(registry->with.coordinator),
			   moving->hash,
			   moving->done ? NULL : moving->why.text);
	if (read && moving->done && moving->brought)
		registry->with.came(registry->with.arg);
	free(moving);
}

static void
on_entry(void *arg, const struct roster_entry *entry)
{
	struct server_registry *registry = arg;
	struct moving *moving;
	char path[IMPORT_PATH_BYTES];

	if (entry->state == ROSTER_DELETED)
		return;
	import_path(registry->data, entry->hash, "", path);
	moving = zeroed(1, sizeof(*moving));
	moving->registry = registry;
	moving->task.read = do_move;
	moving->task.done = on_moved;
	moving->brought = access(path, F_OK) < 0;
	memcpy(moving->hash, entry->hash, sizeof(moving->hash));
	memcpy(moving->name, entry->name, sizeof(moving->name));
	registry->coming++;
	thread_ask(registry->bots_thread, &moving->task);
}

/* Copies the bots that the folder lacks from the database, and those that the
 * database lacks to it. */
static void
move_bots(struct server_registry *registry)
{
	struct error why;

	if (registry->coming == 0 &&
	    roster_entries(registry->own, on_entry, registry, &why) < 0)
		log_event(registry->with.logger, LOG_LEVEL_ERROR,
			  "roster-fails", "why=%s", why.text);
}

static void
on_again(void *arg)
{
	struct server_registry *registry = arg;
	struct keeping *keeping;
	struct error why;

	move_bots(registry);
	if (!registry->dirty || (keeping = keeping_new(registry, &why)) == NULL)
		return;
	registry->dirty = false;
	thread_ask(registry->roster_thread, &keeping->task);
}

void
server_registry_look(struct server_registry *registry)
{
	if (registry != NULL)
		registry->dirty = true;
}

/* ---- life ------------------------------------------------------------------ */

static struct registry *
open_registry(const struct server_registry *registry, struct error *why)
{
	return registry_new(
		tenure_term(coordinator_tenure(registry->with.coordinator)),
		registry->with.config, why);
}

int
server_registry_bring(const struct server_registry_setup *setup,
		      struct server_registry **made, struct error *why)
{
	struct server_registry *registry;
	bool changed;

	if (setup->coordinator == NULL)
		return registry_leave(setup->config->data, why);
	*made = registry = zeroed(1, sizeof(*registry));
	registry->with = *setup;
	memcpy(registry->data, setup->config->data, sizeof(registry->data));
	registry->roster = open_registry(registry, why);
	if (registry->roster == NULL ||
	    registry_bring(registry->roster, &changed, why) < 0)
		return -1;
	if (changed)
		log_event(setup->logger, LOG_LEVEL_INFO, "roster-copied",
			  "state=%" PRId64, registry_state(registry->roster));
	return 0;
}

int
server_registry_open(struct server_registry *registry, struct roster *roster,
		     struct error *why)
{
	struct keeping *keeping;
	int result;

	if (registry == NULL)
		return 0;
	registry->own = roster;
	keeping = keeping_new(registry, why);
	if (keeping == NULL)
		return -1;
	result = registry_put(registry->roster, keeping->image.bytes,
			      keeping->image.used, keeping->key, why);
	keeping_free(keeping);
	if (result < 0)
		return -1;
	registry->bots = open_registry(registry, why);
	if (registry->bots == NULL)
		return -1;
	registry->roster_thread = thread_new(registry->with.loop);
	registry->bots_thread = thread_new(registry->with.loop);
	if (registry->roster_thread == NULL || registry->bots_thread == NULL)
		return error_set(why, ERROR_MACHINE,
				 "cannot make a thread: %m");
	timer_init(&registry->again, &registry->with.loop->timers, on_again,
		   registry);
	timer_every(&registry->again, BOT_AGAIN_MS * 1000);
	return 0;
}

void
server_registry_begin(struct server_registry *registry)
{
	if (registry != NULL)
		move_bots(registry);
}

void
server_registry_free(struct server_registry *registry)
{
	if (registry == NULL)
		return;
	atomic_store(&registry->stop, true);
	thread_free(registry->roster_thread);
	thread_free(registry->bots_thread);
	registry_free(registry->roster);
	registry_free(registry->bots);
	timer_stop(&registry->again);
	free(registry);
}
