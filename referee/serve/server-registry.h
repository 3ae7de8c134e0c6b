/* referee/serve/server-registry.h - copies the roster and the bots of this
 * daemon's data folder to the queue's database before the owner is told that a
 * change is done.
 *
 * All functions take NULL, which means that there is no queue and nothing to
 * do. */
#ifndef REFEREE_SERVER_REGISTRY_H
#define REFEREE_SERVER_REGISTRY_H

#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/config/serve-config.h"
#include "referee/data/control.h"
#include "referee/queue/coordinator.h"

struct server_registry;

/* Where the answer of a request goes.  `why` is NULL after success. */
typedef void server_done(void *arg, uint64_t number, const struct text *out,
			 const struct error *why);
struct server_reply {
	server_done *done;
	void *arg;
	uint64_t number;
};

/* All fields are borrowed, `config` until server_registry_open() returns. */
struct server_registry_setup {
	struct loop *loop;
	struct logger *logger;
	const struct config *config;
	struct coordinator *coordinator; /* NULL: there is no queue */
	/* The loop calls it when a bot that the roster names has come here. */
	void (*came)(void *arg);
	void *arg;
};

/* Call it before the roster is opened.  It makes the folder's roster that of
 * the database.  `*registry` is NULL without a queue.  Returns 0, or -1 and an
 * error; `*registry` is to be freed in both cases. */
int server_registry_bring(const struct server_registry_setup *setup,
			  struct server_registry **registry,
			  struct error *why) MUST_CHECK;
/* Call it after the roster was opened.  It sends the database what that lacks.
 * The roster is borrowed.  Returns 0, or -1 and an error. */
int server_registry_open(struct server_registry *registry,
			 struct roster *roster, struct error *why) MUST_CHECK;
void server_registry_free(struct server_registry *registry);
/* Begins to copy bots from and to the database: each minute, and at once when a
 * job waits for one.  Call it after the bots that are here were looked at. */
void server_registry_begin(struct server_registry *registry);
/* Lets the roster be copied again, as the database was away and may have lost
 * something. */
void server_registry_look(struct server_registry *registry);
/* Call it before the roster is changed.  Returns 0, or -1 and an error if the
 * database cannot be told of the change now. */
int server_registry_check(const struct server_registry *registry,
			  struct error *why) MUST_CHECK;
/* Call it after the roster was changed.  Returns 0 without a queue.  Returns
 * CONTROL_LATER if `to` will be answered with `out` once the database has the
 * roster, and the bot of this hash unless that is "".  Returns -1 and an error
 * if it fails. */
int server_registry_keep(struct server_registry *registry,
			 const struct server_reply *to, const char *hash,
			 const char *name, const struct text *out,
			 struct error *why) MUST_CHECK;

#endif
