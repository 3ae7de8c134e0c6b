/* referee/serve/server-inside.h - struct server, for the files that move bots and
 * ladders about.
 *
 * A reload, a request, a bot that comes and one that goes each change what sits
 * where, and need the bots, the ladders and the loop at once; so these six files
 * see them: server.c and server-*.c but server-house.c.  What only listens,
 * answers or counts has a module of its own, and so have seats (seating.h) and the
 * queue's copies (server-house.h).  What a file alone needs is behind a pointer. */
#ifndef REFEREE_SERVER_INSIDE_H
#define REFEREE_SERVER_INSIDE_H

#include <stdatomic.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "referee/base/loop.h"
#include "referee/remote/remote-bot.h"
#include "referee/runner/dispatch.h"
#include "referee/scheduler/ladders.h"
#include "referee/scheduler/scheduler.h"
#include "referee/serve/listeners.h"
#include "referee/serve/metrics.h"
#include "referee/serve/notify.h"
#include "referee/serve/seating.h"
#include "referee/serve/server-house.h"
#include "referee/serve/server.h"
#include "referee/web/page.h"

struct server {
	struct loop loop;
	struct logger *logger;
	struct control *control;
	struct remote_bots remotes;
	struct dispatch *dispatch;  /* plays the games */
	struct server_house *house; /* NULL: there is no queue */
	struct reloads *reloads;
	struct listeners *listeners;
	struct pages pages; /* and what is made for them */
	struct metrics metrics;
	struct ladders ladders;
	struct seating *seating;
	struct notify *notify;
	struct server_own *own;			/* server.c's */
	char entered[ROSTER_CONTENT_BYTES + 1]; /* the hash of the bot that was
						 * imported last */
	bool stopping;
	struct error end; /* not "": why it ends, and not by a signal */
};

/* ---- server.c --------------------------------------------------------- */

extern const struct scheduler_calls server_scheduler_calls;
/* What this configuration says of HTTP. */
void server_set_http(struct server *server, const struct config *config);

/* ---- server-remote-bots.c ------------------------------------------- */

/* What bots are told at the end. */
extern const char server_stopping[];
#define SERVER_NOW_LOCAL                                                       \
	REMOTE_BOT_NOT_AGAIN "this bot now runs on the referee's machine"

/* Both as this configuration has them. */
void server_remote_bot_limits(const struct config *config,
			      struct remote_bot_limits *remote,
			      struct link_limits *link);
void server_open_remote_bots(struct server *server);
/* `arg` is the server. */
refusal_told server_refused;
/* A request (`disable NAME`, …) was done: a bot that may not come any more is
 * dismissed, and its games count for no one; one that has another name or owner
 * has it from now on. */
void server_look_remote_bot(struct server *server, unsigned words,
			    char *const word[]);

/* ---- server-local-bots.c ----------------------------------------------- */

/* What plays the schedulers' games, and before them.  `spawner` NULL: no bot
 * can live here, and none does until server_open_local_bots(). */
void server_open_dispatch(struct server *server, struct spawner *spawner);
/* After the schedulers were opened. */
void server_open_local_bots(struct server *server);
void server_set_local_bots(struct server *server, const struct config *config);
/* The roster or the schedulers have changed: local bots come, go, and sit down
 * as they now say. */
void server_look_local_bots(struct server *server);
/* For struct scheduler_calls: whether local bots can begin no game now. */
bool server_full(void *arg);
/* Requests of the control socket (control_run). */
int server_enter(struct server *server, unsigned words, char *const word[],
		 struct text *out, struct error *why);
/* ---- server-queue.c ---------------------------------------------------- */

/* If the configuration has a queue, this daemon has it from now on.  -1 and a
 * sentence, which is "" if *stop became true. */
int server_open_queue(struct server *server, const atomic_bool *stop,
		      struct error *why) MUST_CHECK;
/* Tells the queue what its ladders ask of the machines. */
void server_set_queue(struct server *server, const struct config *config);
/* NULL: there is no queue. */
const struct queue_house *server_house(const struct server *server);

/* ---- server-reload.c -------------------------------------------------- */

/* `file` is of the configuration, or NULL, and borrowed.  -1 and errno: there is no
 * thread. */
int server_open_reload(struct server *server, const char *file) MUST_CHECK;
/* Drops what is being opened: it is not wanted any more. */
void server_stop_reload(struct server *server);
/* `stopping` is set. */
void server_close_reload(struct server *server);
/* Opens what was read in the first free place, which it returns; or -1 and an error: it
 * is closed. */
int server_open_scheduler(struct server *server, struct scheduler *scheduler,
			  struct error *why) MUST_CHECK;
/* Closes soon the schedulers that are closing and are empty. */
void server_tidy(struct server *server);
/* Reads the configuration and the certificates again.  New ladders are opened
 * first, beside the games; a reload that is wanted meanwhile follows
 * then. */
void server_reload(struct server *server);
/* Whether the configuration that waits for its ladders has this one. */
bool server_will_have(const struct server *server, const char *ladder);

/* ---- server-request.c ------------------------------------------------- */

/* A control_run; `arg` is the server. */
int server_request(void *arg, uint64_t number, unsigned words,
		   char *const word[], struct text *out, struct error *why);
#endif
