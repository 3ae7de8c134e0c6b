/* referee/serve/server-inside.h - struct server, for the files that move bots and
 * ladders about.
 *
 * A reload, a request, a bot that comes and one that leaves each change which
 * bot sits where, and need the bots, the ladders and the loop at once.  So
 * these files see them: server.c and server-*.c but server-registry.c.  Listening,
 * answering and counting have modules of their own, and so have the seats
 * (seating.h) and the queue's copies (server-registry.h).  Data that only one file
 * needs is behind a pointer. */
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
#include "referee/serve/seals.h"
#include "referee/serve/seating.h"
#include "referee/serve/server-registry.h"
#include "referee/serve/server.h"
#include "referee/web/page.h"

struct server {
	struct loop loop;
	struct logger *logger;
	struct control *control;
	struct remote_bots remotes;
	struct dispatch *dispatch;	  /* plays the games */
	struct server_registry *registry; /* NULL: there is no queue */
	struct reloads *reloads;
	struct listeners *listeners;
	struct pages pages; /* the pages and their data */
	struct metrics metrics;
	struct ladders ladders;
	struct seating *seating;
	struct notify *notify;
	struct server_own *own;	   /* of server.c */
	struct entering *entering; /* of server-local-bots.c */
	struct seals *seals;	   /* of folders of local bots */
	uint64_t marked; /* how often the marks of bots may have changed */
	bool stopping;
	struct error end; /* the reason, if it ends without a signal; or "" */
};

/* ---- server.c --------------------------------------------------------- */

extern const struct scheduler_calls server_scheduler_calls;
/* Sets the settings of HTTP in this configuration. */
void server_set_http(struct server *server, const struct config *config);

/* It is gone from all ladders. */
void server_part(struct server *server, struct participant *participant,
		 enum scheduler_parting how);

/* ---- server-remote-bots.c ------------------------------------------- */

/* The sentence that bots are told at shutdown. */
extern const char server_stopping[];
#define SERVER_NOW_LOCAL                                                       \
	REMOTE_BOT_NOT_AGAIN "this bot now runs on the referee's machine"

/* Stores both limits from this configuration. */
void server_remote_bot_limits(const struct config *config,
			      struct remote_bot_limits *remote,
			      struct link_limits *link);
void server_open_remote_bots(struct server *server);
/* Logs and counts a refusal; `arg` is the server. */
refusal_told server_refused;
/* Call it after a request (`disable NAME`, …) about a bot or an owner, which `by` has
 * made (roster_by()).  A remote bot that may not play any more is dismissed, and its
 * games count for no one; if its owner wants it so, when they are over.  A new name or
 * owner takes effect now. */
void server_look_remote_bot(struct server *server, const char *by,
			    unsigned words, char *const word[]);

/* ---- server-local-bots.c ----------------------------------------------- */

/* Opens the dispatch, which plays the schedulers' games; call it before they
 * are opened.  If `spawner` is NULL, no bot can live here.  None lives here
 * before server_open_local_bots(). */
void server_open_dispatch(struct server *server, struct spawner *spawner);
/* Opens the local bots; call it after the schedulers were opened. */
void server_open_local_bots(struct server *server);
void server_set_local_bots(struct server *server, const struct config *config);
/* Lets local bots come, leave, and sit down, as the roster or the schedulers
 * have changed. */
void server_look_local_bots(struct server *server);
/* Returns true if local bots can begin no game now; for struct scheduler_calls. */
bool server_full(void *arg);
/* Begins the request `enter` of the control socket.  Returns CONTROL_LATER, and
 * server_entered() follows; or -1 and an error. */
int server_enter(struct server *server, uint64_t number, unsigned words,
		 char *const word[], struct error *why) MUST_CHECK;
/* ---- server-queue.c ---------------------------------------------------- */

/* Waits until this daemon has its queue, if the configuration has one.  Returns
 * 0, or -1 and an error, which is "" if `*stop` became true. */
int server_open_queue(struct server *server, const atomic_bool *stop,
		      struct error *why) MUST_CHECK;
/* Tells the queue which class of machines each ladder asks for. */
void server_set_queue(struct server *server, const struct config *config);
/* Returns where and under which epoch the daemon writes to its queue; NULL if
 * there is no queue. */
const struct queue_term *server_term(const struct server *server);

/* ---- server-reload.c -------------------------------------------------- */

/* Prepares reloads.  `file` is that of the configuration, or NULL, and is
 * borrowed.  Returns -1 and sets errno if no thread can be started. */
int server_open_reload(struct server *server, const char *file) MUST_CHECK;
/* Lets the opening of ladders end soon, as it is no longer wanted. */
void server_stop_reload(struct server *server);
/* Frees the reloads; `stopping` is set. */
void server_close_reload(struct server *server);
/* Opens a scheduler that was read, and returns its place, the first free one.
 * If that fails, it closes the scheduler and returns -1 and an error. */
int server_open_scheduler(struct server *server, struct scheduler *scheduler,
			  struct error *why) MUST_CHECK;
/* Soon closes the schedulers that are closing and empty. */
void server_tidy(struct server *server);
/* Reads the configuration and the certificates again.  New ladders are opened
 * first, while games go on.  A reload that is asked for meanwhile follows. */
void server_reload(struct server *server);
/* Returns true if a configuration that waits for its ladders to be opened has
 * this ladder. */
bool server_will_have(const struct server *server, const char *ladder);

/* ---- server-request.c ------------------------------------------------- */

/* The control_run of the daemon; Logs and counts a refusal; `arg` is the
 * server. */
int server_request(void *arg, uint64_t number, unsigned words,
		   char *const word[], struct text *out, struct error *why);
/* The page_change of the daemon's pages; `arg` is the server. */
void server_change(void *arg, const char *by, unsigned words,
		   char *const word[], page_changed *done,
		   struct http_request *request);
/* Ends a request `enter` with this result, and answers it. */
void server_entered(struct server *server, uint64_t number, unsigned words,
		    char *const word[], int result, const struct text *out,
		    struct error *why);
#endif
