/* referee/serve/server-inside.h - what the files of the server share, and
 * nobody else includes. */
#ifndef REFEREE_SERVER_INSIDE_H
#define REFEREE_SERVER_INSIDE_H

#include <stdatomic.h>

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "referee/worker-thread.h"
#include "referee/serve/dispatch.h"
#include "referee/net/door.h"
#include "referee/net/remote-bot.h"
#include "referee/serve/scheduler.h"
#include "referee/serve/http.h"
#include "referee/serve/ladder-view.h"
#include "referee/table/loop.h"
#include "referee/serve/notify.h"
#include "referee/serve/game-notes.h"
#include "referee/serve/health.h"
#include "referee/serve/local-bot.h"
#include "referee/serve/server.h"
#include "referee/serve/share.h"
#include "referee/net/tls.h"
#include "referee/serve/upload.h"

#define SERVER_SCHEDULERS 64 /* a bit for each; also those that are closing */
#define SERVER_SIGNALS 3

/* A listener that is open. */
struct listening {
	struct config_listener config;
	struct tls *tls;		   /* owned; or NULL */
	unsigned number;		   /* at the door */
	struct evhttp_bound_socket *bound; /* of an http one, else NULL */
};

/* What remote bot->owner is: the ladders that it plays, by their places in
 * server->scheduler. */
struct player {
	struct share share;
};

struct server {
	struct loop loop;
	struct logger *logger;
	const char *file; /* of the configuration, or NULL */
	struct config *config;
	int lock; /* of the data folder */
	struct roster *roster;
	struct control *control;
	struct remote_bots remotes;
	bool remote_bots_there;	   /* remote_bots_init() was called */
	struct dispatch *dispatch; /* plays the games */
	struct local_bots *locals;
	struct uploads *uploads;
	struct door *door;
	struct http *http;
	struct worker_thread *thread;
	struct worker_thread *opener; /* opens and closes ladders */
	atomic_bool stop_opening;
	struct reload
		*reload;   /* that waits for ladders to be opened, or NULL */
	bool reload_again; /* another one was wanted meanwhile */
	struct ladder_view *view;
	struct listening listening[CONFIG_LISTENERS];
	unsigned listeners;
	int given; /* first of the descriptors that our starter left for us */
	unsigned givens;
	uint64_t taken; /* of them, a bit for each */
	struct scheduler *scheduler[SERVER_SCHEDULERS]; /* NULL: a free place */
	uint64_t closing; /* of them, a bit for each */
	unsigned woken; /* the first of them, when local bots had room again */
	struct loop_task tidy;	/* closes those that are empty */
	struct loop_task widen; /* offers what the first ladders left */
	bool widen_later; /* not before the schedulers have had their turn */
	struct event *signal[SERVER_SIGNALS], *stop_time, *flush, *widen_time;
	struct notify *notify;
	struct game_notes *notes;
	struct health *health;
	bool stopping;
	uint64_t started_us; /* monotonic */
	uint64_t reloads, reloads_failed;
	uint64_t workers_lost;
};

_Static_assert(SERVER_SCHEDULERS <= SHARE_LADDERS,
	       "a place for each scheduler");
_Static_assert(CONFIG_LADDERS <= SERVER_SCHEDULERS, "a place for each ladder");

/* ---- server.c --------------------------------------------------------- */

/* Takes what was read over, also if it is a failure, into the first free place,
 * which it returns; or -1 and a sentence. */
int server_open_scheduler(struct server *server,
			  struct scheduler_opening *opening,
			  struct error *why) MUST_CHECK;
/* It is not wanted; NULL is fine. */
void server_drop_opening(struct server *server,
			 struct scheduler_opening *opening);
/* Whether there are places for so many more; if not, this is the sentence. */
bool server_has_room(const struct server *server, unsigned schedulers);
extern const char server_no_room[];
/* Schedulers that are to go and are empty are closed soon. */
void server_tidy(struct server *server);
/* The place of the ladder of that name, or -1. */
int server_find_scheduler(const struct server *server, const char *name,
			  size_t n);
/* Gives the place back; nobody sits there any more. */
void server_close_scheduler(struct server *server, unsigned place);
/* Likewise when its games have ended; nobody is seated there any more. */
void server_retire_scheduler(struct server *server, unsigned place);

/* ---- server-remote-bots.c ------------------------------------------- */

/* What bots are told at the end. */
extern const char server_stopping[];

/* Both as this configuration has them. */
void server_remote_bot_limits(const struct config *config,
			      struct remote_bot_limits *remote,
			      struct link_limits *link);
void server_open_remote_bots(struct server *server);
/* Whether the bot that is called `name` now has this token; one that does not
 * fit, and what else is wrong, is in the log. */
enum server_token {
	SERVER_TOKEN_FITS, /* `*bot` is who it is; it may be disabled */
	SERVER_TOKEN_WRONG,
	SERVER_TOKEN_UNKNOWN, /* it cannot be looked up now */
};
enum server_token server_check_token(struct server *server, const char *name,
				     const char *token, size_t n,
				     struct roster_bot *bot) MUST_CHECK;
/* The bot that is called `name` now, zeroed if that cannot be told. */
void server_look_up(struct server *server, const char *name,
		    struct roster_bot *bot);
/* Whose it is has changed. */
void server_change_owner(struct server *server, const char *name);
/* What the bot that is called `name` now was called first. */
void server_first_name(struct server *server, const char *name,
		       char first[NAME_BYTES + 1]);
/* What records and ladders call it. */
void server_stands_as(struct server *server, const char *name,
		      char first[NAME_BYTES + 1]);
/* A request (`disable NAME`, …) was done: who may not come any more has to
 * go. */
void server_dismiss(struct server *server, unsigned words, char *const word[]);

/* ---- server-local-bots.c ----------------------------------------------- */

/* What plays the schedulers' games, and before them.  `spawner` NULL: no bot
 * can live here. */
void server_open_dispatch(struct server *server, struct spawner *spawner);
/* After the schedulers were opened. */
void server_open_local_bots(struct server *server,
			    const struct spawner *spawner);
void server_set_local_bots(struct server *server, const struct config *config);
/* The roster or the schedulers have changed: who is to live here does, and sits
 * where it is to sit. */
void server_look_local_bots(struct server *server);
/* For struct scheduler_calls: whether local bots can begin no game now. */
bool server_full(void *arg);
/* A scheduler's game with this local bot has begun or ended. */
void server_local_bot_changed(struct server *server,
			      struct participant *participant);
/* Whether the bot that is or was called so lives here; its last entry. */
bool server_is_local_bot(struct server *server, const char *name,
			 struct roster_entry *entry);
/* What was left in incoming goes, in the worker thread's thread. */
void server_sweep(struct server *server);
/* Requests of the control socket (control_run). */
int server_enter(struct server *server, unsigned words, char *const word[],
		 struct text *out, struct error *why);
void server_tell_stderr(struct server *server, unsigned words,
			char *const word[], struct text *out);
/* ---- server-share.c --------------------------------------------------- */

void server_open_shares(struct server *server);
void server_close_shares(struct server *server);
/* The remote bot sits in these schedulers from now on, and in no other. */
void server_sit(struct server *server, struct remote_bot *remote,
		uint64_t schedulers);
/* In none. */
void server_rise(struct server *server, struct remote_bot *remote);
/* What the remote bot has room for, or that it has none, to the schedulers
 * where it sits. */
void server_offer(struct server *server, struct remote_bot *remote);
/* For struct scheduler_calls: a game begins there for this one. */
void server_seated(void *arg, struct scheduler *scheduler,
		   struct participant *participant);

/* ---- server-listen.c -------------------------------------------------- */

void server_door_limits(const struct config *config,
			struct door_limits *limits);
/* What this configuration wants, into `next`: listeners that are open already
 * at the same place, the others opened.  -1 and a sentence: nothing has
 * changed. */
int listen_prepare(struct server *server, const struct config *config,
		   struct listening next[CONFIG_LISTENERS],
		   struct error *why) MUST_CHECK;
/* They take the place of the listeners that are open, and of these those that
 * are not among them are closed. */
void listen_commit(struct server *server, unsigned count,
		   const struct listening next[]);
/* For health_new(); `arg` is the server. */
void server_view_health(void *arg, struct health_view *view);
/* They do not: what was opened for them is closed. */
void listen_drop(struct server *server, unsigned count,
		 struct listening next[]);

/* ---- server-reload.c -------------------------------------------------- */

/* Reads the configuration and the certificates anew.  Where ladders come they
 * are opened first, beside the games; a reload that is wanted meanwhile follows
 * then. */
void server_reload(struct server *server);
/* Whether the configuration that waits for its ladders has this one. */
bool server_will_have(const struct server *server, const char *ladder);

/* ---- server-request.c ------------------------------------------------- */

/* A control_run; `arg` is the server. */
int server_request(void *arg, uint64_t number, unsigned words,
		   char *const word[], struct text *out, struct error *why);
/* ---- server-records.c ------------------------------------------------- */

/* They answer `/ladders/NAME/games` and `/records/ID`. */
void server_answer_games(struct server *server, struct evhttp_request *request,
			 const char *name);
void server_answer_record(struct server *server, struct evhttp_request *request,
			  const char *id);

/* Who asks, by his token: his name, or "" if he does not say.  False: it is not
 * his, and was answered. */
bool server_ask_who(struct server *server, struct evhttp_request *request,
		    char name[NAME_BYTES + 1]) MUST_CHECK;

/* ---- server-uploads.c ------------------------------------------------- */

/* They answer `PUT /bots/NAME` and `GET /bots/NAME/log`. */
void server_put_bot(struct server *server, struct evhttp_request *request,
		    const char *name);
void server_answer_log(struct server *server, struct evhttp_request *request,
		       const char *name);

/* ---- server-http.c, metrics.c ----------------------------------------- */

/* For http_new(); `arg` is the server. */
enum http_methods server_allowed(void *arg, const char *path);
void server_asked(void *arg, struct evhttp_request *request, const char *path);
/* In the text format of Prometheus. */
void metrics_write(const struct server *server, struct text *out);

#endif
