/* referee/serve/server.h - the daemon: listeners, remote bots, schedulers,
 * signals.
 *
 * Each ladder has a scheduler.  A remote bot says which ladders it plays (`sit
 * LADDER…`), and offers its room to the schedulers of all of them. */
#ifndef REFEREE_SERVER_H
#define REFEREE_SERVER_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/config/serve-config.h"

struct spawner;
struct server;

/* Takes the data folder, opens its ladders and listens.  The server owns
 * `config` from now on, even if it returns NULL; it was read from `file`, which
 * may be NULL. `file`, `spawner` and `logger` are borrowed until server_free().
 * If `spawner` is NULL, no bot can live on this machine.  Returns NULL and an
 * error if that fails; the error is "" if SIGTERM or SIGINT came before it
 * listened. */
struct server *server_new(struct config *config, const char *file,
			  struct spawner *spawner, struct logger *logger,
			  struct error *why) MUST_CHECK;
/* Runs until a signal ends it.  SIGTERM and SIGINT give running games stop-time
 * to end, then abort them; a second signal aborts them at once.  SIGHUP reads
 * the configuration and certificates again; if anything in them is wrong, that
 * is logged, and nothing changes.  Returns 0 after a signal.  Returns -1 and an
 * error if another daemon has taken the queue over, or if no program of a local
 * bot can be started any more.  Sets `*lost` to the number of games that were
 * lost because the disk failed until the end. */
int server_run(struct server *server, unsigned *lost,
	       struct error *why) MUST_CHECK;
void server_free(struct server *server); /* NULL is allowed */

/* Raises the limit of open files for all connections that may come, and for the
 * server's own files.  Call it before server_new().  Returns 0, or -1 and an
 * error if the limit cannot be raised that far. */
int server_raise_descriptors(const struct config *config,
			     struct error *why) MUST_CHECK;

#endif
