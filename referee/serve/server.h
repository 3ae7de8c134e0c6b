/* referee/serve/server.h - the daemon: listeners, remote bots, schedulers,
 * signals.
 *
 * A remote bot says which ladders it plays (`sit LADDER…`); each ladder is a
 * scheduler. A remote bot offers its room in all schedulers where it sits. */
#ifndef REFEREE_SERVER_H
#define REFEREE_SERVER_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/config/serve-config.h"

struct spawner;
struct server;

/* Takes the data folder, opens its ladders and listens.  `config`, which was
 * read from `file` (or NULL), is the server's from now on, also at NULL;
 * `file`, `spawner` (or NULL: no bot can live on this machine) and `logger` are
 * borrowed until server_free().  NULL and a sentence, or "" if SIGTERM or
 * SIGINT came before it listened. */
struct server *server_new(struct config *config, const char *file,
			  struct spawner *spawner, struct logger *logger,
			  struct error *why) MUST_CHECK;
/* Until a signal has ended it: SIGTERM and SIGINT let running games end for
 * stop-time, then abort them; a second one aborts them at once.  SIGHUP reads
 * the configuration and certificates again: if anything in them is wrong, that
 * is a line in the log, and nothing changes.  Or until another daemon has taken
 * the queue over, or no program of a local bot can be started any more: -1 and a
 * sentence.  `*lost` games were lost, as the disk failed
 * to the last. */
int server_run(struct server *server, unsigned *lost,
	       struct error *why) MUST_CHECK;
void server_free(struct server *server); /* NULL is fine */

/* This process may open as many files as connections may come, and more beside
 * them; before server_new().  -1 and a sentence: it may not. */
int server_raise_descriptors(const struct config *config,
			     struct error *why) MUST_CHECK;

#endif
