/* referee/server.c - see server.h. */
#include "referee/server.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/roster.h"
#include "referee/bots.h"
#include "referee/control.h"
#include "referee/data-folder.h"
#include "referee/door.h"
#include "referee/guest.h"
#include "referee/hall.h"
#include "referee/loop.h"
#include "referee/tls.h"

#define FLUSH_LOG_S 10 /* lines that were held back are told so often */

_Static_assert(CONFIG_LADDERS <= 64, "a bit for each ladder");

static const char stopping[] = "the referee is stopping";
static const int signals[] = { SIGTERM, SIGINT, SIGHUP };

struct server {
	struct loop loop;
	struct logger *logger;
	const struct config *config;
	int lock; /* of the data folder */
	struct roster *roster;
	struct control *control;
	struct guests guests;
	bool guests_there; /* guests_init() was called */
	struct door *door;
	struct tls *tls[CONFIG_LISTENERS]; /* of each listener, or NULL */
	struct hall *hall[CONFIG_LADDERS];
	struct event *signal[NELEM(signals)], *stop_time, *flush;
	bool stopping;
};

/* ---- guests and halls ------------------------------------------------- */

/* What guest->owner is: the ladders that it plays, a bit for each. */
struct player {
	uint64_t sits;
};

static void
log_guest(struct server *server, const char *event, const struct guest *guest)
{
	struct log_line line;

	log_begin(&line, server->logger, LOG_LEVEL_INFO, event);
	log_str(&line, "bot", guest->name);
	log_end(&line);
}

static void
offer(struct server *server, struct guest *guest)
{
	const struct player *player = guest->owner;
	unsigned i;

	for (i = 0; i < server->config->ladders; i++)
		if (player->sits >> i & 1)
			(void)!hall_sit(server->hall[i], guest);
}

static void
rise(struct server *server, struct guest *guest)
{
	struct player *player = guest->owner;
	unsigned i;

	for (i = 0; i < server->config->ladders; i++)
		if (player->sits >> i & 1)
			hall_rise(server->hall[i], guest);
	player->sits = 0;
}

static enum guest_answer
on_authenticate(void *arg, const char *name, const char *token, size_t n,
		char why[GUEST_WHY_BYTES])
{
	struct server *server = arg;
	char reason[LADDER_WHY_BYTES];
	struct roster_bot bot;
	struct log_line line;
	bool fits;

	if (roster_check(server->roster, name, strlen(name), token, n, &fits,
			 &bot, reason) != LADDER_OK) {
		log_begin(&line, server->logger, LOG_LEVEL_ERROR,
			  "roster-fails");
		log_str(&line, "why", reason);
		log_end(&line);
		snprintf(why, GUEST_WHY_BYTES,
			 "the referee cannot look your token up now");
		return GUEST_REFUSED;
	}
	if (!fits) {
		log_begin(&line, server->logger, LOG_LEVEL_WARN, "wrong-token");
		log_str(&line, "bot", name);
		log_end(&line);
		return GUEST_WRONG;
	}
	if (server->stopping && guests_find(&server->guests, name) == NULL) {
		snprintf(why, GUEST_WHY_BYTES, "%s", stopping);
		return GUEST_REFUSED;
	}
	if (bot.state == ROSTER_ENABLED)
		return GUEST_WELCOME;
	snprintf(why, GUEST_WHY_BYTES, "%s is disabled%s%.200s", name,
		 bot.reason[0] ? ": " : "", bot.reason);
	return GUEST_REFUSED;
}

static void
on_came(void *arg, struct guest *guest)
{
	struct player *player = memory(NULL, sizeof(*player));

	memset(player, 0, sizeof(*player));
	guest->owner = player;
	log_guest(arg, "bot-came", guest);
}

/* The ladder called so, or -1. */
static int
find_ladder(const struct server *server, const char *name, size_t n)
{
	const struct config *config = server->config;
	unsigned i;

	for (i = 0; i < config->ladders; i++)
		if (strlen(config->ladder[i].name) == n &&
		    memcmp(config->ladder[i].name, name, n) == 0)
			return (int)i;
	return -1;
}

static void
on_sat(void *arg, struct guest *guest, const char *ladders, size_t n)
{
	struct player *player = guest->owner;
	struct server *server = arg;
	const char *end = ladders + n, *space;
	char sentence[GUEST_WHY_BYTES];
	uint64_t sits = 0;
	int ladder;

	for (; ladders < end; ladders = space + 1) {
		space = memchr(ladders, ' ', (size_t)(end - ladders));
		if (space == NULL)
			space = end;
		ladder =
			find_ladder(server, ladders, (size_t)(space - ladders));
		if (ladder < 0) {
			snprintf(sentence, sizeof(sentence),
				 "there is no ladder %.*s",
				 space - ladders > NAME_BYTES
					 ? NAME_BYTES
					 : (int)(space - ladders),
				 ladders);
			guest_dismiss(guest, sentence);
			return;
		}
		sits |= UINT64_C(1) << ladder;
	}
	rise(server, guest);
	player->sits = sits;
	log_guest(server, "bot-sits", guest);
	if (!server->stopping)
		offer(server, guest);
}

static void
on_resting(void *arg, struct guest *guest)
{
	rise(arg, guest);
	log_guest(arg, "bot-rests", guest);
}

static void
on_quit(void *arg, struct guest *guest)
{
	rise(arg, guest);
	log_guest(arg, "bot-quits", guest);
}

static void
on_lost(void *arg, struct guest *guest)
{
	rise(arg, guest);
	log_guest(arg, "bot-lost", guest);
}

static void
on_back(void *arg, struct guest *guest)
{
	log_guest(arg, "bot-back", guest);
}

static void
on_left(void *arg, struct guest *guest)
{
	struct server *server = arg;
	unsigned i;

	for (i = 0; i < server->config->ladders; i++)
		if (server->hall[i] != NULL)
			hall_forget(server->hall[i], guest);
	log_guest(server, "bot-left", guest);
	free(guest->owner);
	guest->owner = NULL;
}

static const struct guest_calls guest_calls = {
	.authenticate = on_authenticate,
	.came = on_came,
	.sat = on_sat,
	.resting = on_resting,
	.quit = on_quit,
	.lost = on_lost,
	.back = on_back,
	.left = on_left,
};

static void
on_changed(void *arg, struct guest *guest)
{
	struct server *server = arg;

	if (!server->stopping && guest->owner != NULL)
		offer(server, guest);
}

/* ---- the end ---------------------------------------------------------- */

static void
on_empty(void *arg, struct hall *hall)
{
	struct server *server = arg;
	const struct hall_counts *counts;
	unsigned i, left = 0;

	(void)hall;
	for (i = 0; i < server->config->ladders; i++) {
		counts = hall_counts(server->hall[i]);
		left += counts->running + counts->writing;
	}
	if (left == 0)
		server->loop.stop = true;
}

static const struct hall_calls hall_calls = {
	.changed = on_changed,
	.empty = on_empty,
};

static void
abort_all(struct server *server)
{
	unsigned i;

	for (i = 0; i < server->config->ladders; i++)
		hall_abort(server->hall[i], "shutdown");
}

static void
on_stop_time(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	abort_all(arg);
}

static void
stop(struct server *server)
{
	const uint64_t ms = server->config->limits.stop_ms;
	const struct timeval grace = { .tv_sec = (time_t)(ms / 1000),
				       .tv_usec = (suseconds_t)(ms % 1000) *
						  1000 };
	struct log_line line;
	unsigned i;

	log_begin(&line, server->logger, LOG_LEVEL_INFO, "stopping");
	log_end(&line);
	server->stopping = true;
	guests_close(&server->guests, stopping);
	event_add(server->stop_time, &grace);
	for (i = 0; i < server->config->ladders; i++)
		hall_stop(server->hall[i]);
}

static void
reload(struct server *server)
{
	const struct config *config = server->config;
	const struct config_listener *listener;
	char why[TLS_WHY_BYTES];
	struct log_line line;
	unsigned i;

	for (i = 0; i < config->listeners; i++) {
		listener = &config->listener[i];
		if (server->tls[i] == NULL)
			continue;
		why[0] = '\0';
		(void)!tls_server_reload(server->tls[i], listener->certificate,
					 listener->key, why);
		log_begin(&line, server->logger,
			  why[0] ? LOG_LEVEL_ERROR : LOG_LEVEL_INFO,
			  "certificate-read");
		log_str(&line, "listener", listener->name);
		if (why[0])
			log_str(&line, "why", why);
		log_end(&line);
	}
}

static void
on_signal(evutil_socket_t number, short what, void *arg)
{
	struct server *server = arg;

	(void)what;
	if (number == SIGHUP)
		reload(server);
	else if (server->stopping)
		abort_all(server);
	else
		stop(server);
}

static void
on_flush(evutil_socket_t fd, short what, void *arg)
{
	struct server *server = arg;

	(void)fd;
	(void)what;
	log_flush(server->logger);
}

/* ---- listeners -------------------------------------------------------- */

static void
on_arrival(void *arg, int fd, const struct tls *tls, struct visitor *visitor)
{
	struct server *server = arg;

	guests_arrive(&server->guests, fd, tls, visitor);
}

static int
open_listener(struct server *server, unsigned i, char why[SERVER_WHY_BYTES])
{
	const struct config_listener *listener = &server->config->listener[i];
	char reason[DOOR_WHY_BYTES], tls_why[TLS_WHY_BYTES], port[8];
	int result;

	if (listener->kind == CONFIG_HTTP)
		return 0;
	if (listener->kind == CONFIG_TLS) {
		server->tls[i] = tls_server_new(listener->certificate,
						listener->key, tls_why);
		if (server->tls[i] == NULL) {
			snprintf(why, SERVER_WHY_BYTES, "listener %s: %s",
				 listener->name, tls_why);
			return -1;
		}
	}
	snprintf(port, sizeof(port), "%u", (unsigned)listener->port);
	if (listener->kind == CONFIG_UNIX)
		result = door_listen_unix(server->door, listener->path, reason);
	else
		result = door_listen(server->door, listener->address, port,
				     server->tls[i], reason);
	if (result < 0)
		snprintf(why, SERVER_WHY_BYTES, "listener %s: %s",
			 listener->name, reason);
	return result;
}

static void
log_listener(struct server *server, unsigned i)
{
	const struct config_listener *listener = &server->config->listener[i];
	static const char *const kinds[] = { "tcp", "tls", "unix", "http" };
	struct log_line line;

	if (listener->kind == CONFIG_HTTP)
		return;
	log_begin(&line, server->logger, LOG_LEVEL_INFO, "listening");
	log_str(&line, "listener", listener->name);
	log_str(&line, "kind", kinds[listener->kind]);
	if (listener->kind == CONFIG_UNIX) {
		log_str(&line, "path", listener->path);
	} else {
		log_str(&line, "address", listener->address);
		log_num(&line, "port", server_port(server, i));
	}
	log_end(&line);
}

unsigned
server_port(const struct server *server, unsigned i)
{
	unsigned before = 0, k;

	for (k = 0; k < i; k++)
		before += server->config->listener[k].kind != CONFIG_HTTP;
	return door_port(server->door, before);
}

static int
open_door(struct server *server, char why[SERVER_WHY_BYTES])
{
	const struct config *config = server->config;
	struct door_limits limits = door_limits;
	unsigned i;

	limits.connections = (unsigned)config->limits.connections;
	limits.each_address = (unsigned)config->limits.per_address;
	limits.strangers = (unsigned)config->limits.unknown;
	for (i = 0; i < config->listeners; i++)
		limits.plain_anywhere |=
			config->listener[i].plain_beyond_loopback;
	server->door = door_new(&server->loop, &limits, on_arrival, server);
	for (i = 0; i < config->listeners; i++)
		if (open_listener(server, i, why) < 0)
			return -1;
	for (i = 0; i < config->listeners; i++)
		log_listener(server, i);
	return 0;
}

/* ---- requests --------------------------------------------------------- */

/* Who may not come any more has to go. */
static void
dismiss_who_may_not_stay(struct server *server, unsigned words,
			 char *const word[])
{
	struct guest *guest =
		words > 1 ? guests_find(&server->guests, word[1]) : NULL;

	if (guest == NULL)
		return;
	if (strcmp(word[0], "disable") == 0)
		guest_dismiss(guest, "you were disabled");
	else if (strcmp(word[0], "enable") != 0)
		guest_dismiss(guest, "your name or token is another now");
}

static int
on_request(void *arg, unsigned words, char *const word[], struct text *out,
	   char why[LADDER_WHY_BYTES])
{
	struct server *server = arg;
	struct log_line line;
	int code;

	code = bots_do(server->roster, words, word, out, why);
	log_begin(&line, server->logger, LOG_LEVEL_INFO, "request");
	log_str(&line, "what", word[0]);
	if (words > 1)
		log_str(&line, "bot", word[1]);
	log_num(&line, "code", code);
	log_end(&line);
	if (code == 0)
		dismiss_who_may_not_stay(server, words, word);
	return code;
}

/* ---- opening ---------------------------------------------------------- */

static void
open_guests(struct server *server)
{
	const struct config_limits *from = &server->config->limits;
	struct guest_limits guest = guest_limits;
	struct link_limits link = link_limits;

	link.out_bytes = from->queue_bytes;
	link.hello_ms = (unsigned)from->hello_ms;
	link.ping_ms = (unsigned)from->keep_alive_ms;
	link.lines_a_second = (unsigned)from->lines_second;
	guest.grace_ms = (unsigned)from->return_ms;
	guests_init(&server->guests, &server->loop, &link, &guest, &guest_calls,
		    server);
	server->guests_there = true;
}

static int
open_halls(struct server *server, char why[SERVER_WHY_BYTES])
{
	const struct config *config = server->config;
	char reason[HALL_WHY_BYTES];
	struct log_line line;
	unsigned i;

	for (i = 0; i < config->ladders; i++) {
		server->hall[i] = hall_open(&server->loop, server->logger,
					    &config->ladder[i], config->data,
					    &hall_calls, server, reason);
		if (server->hall[i] == NULL) {
			snprintf(why, SERVER_WHY_BYTES, "ladder %s: %s",
				 config->ladder[i].name, reason);
			return -1;
		}
		log_begin(&line, server->logger, LOG_LEVEL_INFO, "ladder-open");
		log_str(&line, "ladder", config->ladder[i].name);
		log_num(&line, "settled",
			(int64_t)hall_counts(server->hall[i])->settled);
		log_num(&line, "lost",
			(int64_t)hall_counts(server->hall[i])->lost);
		log_end(&line);
	}
	return 0;
}

static void
open_events(struct server *server)
{
	const struct timeval often = { .tv_sec = FLUSH_LOG_S };
	struct event_base *base = server->loop.base;
	unsigned i;

	for (i = 0; i < NELEM(signals); i++) {
		server->signal[i] =
			evsignal_new(base, signals[i], on_signal, server);
		if (server->signal[i] == NULL)
			bug("out of memory");
		event_add(server->signal[i], NULL);
	}
	server->stop_time = evtimer_new(base, on_stop_time, server);
	server->flush = event_new(base, -1, EV_PERSIST, on_flush, server);
	if (server->stop_time == NULL || server->flush == NULL)
		bug("out of memory");
	event_add(server->flush, &often);
}

static int
open_all(struct server *server, char why[SERVER_WHY_BYTES])
{
	char reason[LADDER_WHY_BYTES], folder[DATA_FOLDER_WHY_BYTES];
	char control[CONTROL_WHY_BYTES];

	server->lock = data_folder_take(server->config->data, folder);
	if (server->lock < 0) {
		snprintf(why, SERVER_WHY_BYTES, "%s", folder);
		return -1;
	}
	if (loop_init(&server->loop) < 0) {
		snprintf(why, SERVER_WHY_BYTES, "cannot make an event loop: %s",
			 strerror(errno));
		return -1;
	}
	if (roster_open(server->config->data, &server->roster, reason) !=
	    LADDER_OK) {
		snprintf(why, SERVER_WHY_BYTES, "%s", reason);
		return -1;
	}
	server->control = control_new(&server->loop, server->config->data,
				      on_request, server, control);
	if (server->control == NULL) {
		snprintf(why, SERVER_WHY_BYTES, "%s", control);
		return -1;
	}
	open_guests(server);
	open_events(server);
	if (open_halls(server, why) < 0)
		return -1;
	return open_door(server, why);
}

struct server *
server_new(const struct config *config, struct logger *logger,
	   char why[SERVER_WHY_BYTES])
{
	struct server *server = memory(NULL, sizeof(*server));

	memset(server, 0, sizeof(*server));
	server->config = config;
	server->logger = logger;
	server->lock = -1;
	if (open_all(server, why) == 0)
		return server;
	server_free(server);
	return NULL;
}

/* Until all have heard the last of it, or have had their time to. */
static void
say_goodbye(struct server *server)
{
	door_close(server->door);
	guests_refuse(&server->guests, stopping);
	while (server->guests.links.count > 0)
		loop_pass(&server->loop);
}

unsigned
server_run(struct server *server)
{
	unsigned i, lost = 0;

	loop_run(&server->loop);
	say_goodbye(server);
	for (i = 0; i < server->config->ladders; i++)
		lost += (unsigned)hall_counts(server->hall[i])->given_up;
	return lost;
}

void
server_free(struct server *server)
{
	unsigned i;

	if (server == NULL)
		return;
	control_free(server->control);
	if (server->guests_there)
		guests_release(&server->guests);
	for (i = 0; i < server->config->ladders; i++)
		if (server->hall[i] != NULL)
			hall_close(server->hall[i]);
	if (server->door != NULL)
		door_free(server->door);
	for (i = 0; i < CONFIG_LISTENERS; i++)
		tls_free(server->tls[i]);
	for (i = 0; i < NELEM(signals); i++)
		if (server->signal[i] != NULL)
			event_free(server->signal[i]);
	if (server->stop_time != NULL)
		event_free(server->stop_time);
	if (server->flush != NULL)
		event_free(server->flush);
	roster_close(server->roster);
	if (server->loop.base != NULL)
		loop_release(&server->loop);
	if (server->lock >= 0)
		close(server->lock);
	free(server);
}
