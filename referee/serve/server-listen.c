/* referee/serve/server-listen.c - the listeners of the server, those at its
 * start and those of a new configuration. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "referee/serve/server-inside.h"

void
server_door_limits(const struct config *config, struct door_limits *limits)
{
	unsigned i;

	*limits = door_limits;
	limits->connections = (unsigned)config->limits.connections;
	limits->each_address = (unsigned)config->limits.per_address;
	limits->each_second = limits->each_address;
	limits->strangers = (unsigned)config->limits.unknown;
	for (i = 0; i < config->listeners; i++)
		limits->plain_anywhere |=
			config->listener[i].plain_beyond_loopback;
}

/* The port of listener `i` of the configuration; 0 if it has none. */
static unsigned
server_port(const struct server *server, unsigned i)
{
	const struct listening *listening = &server->listening[i];

	if (i >= server->listeners)
		return 0;
	if (listening->bound != NULL)
		return http_port(listening->bound);
	return door_port(server->door, listening->number);
}

static void
log_listener(struct server *server, const char *event,
	     const struct config_listener *listener, unsigned port)
{
	static const char *const kinds[] = { "tcp", "tls", "unix", "http" };
	struct log_line line;

	log_begin(&line, server->logger, LOG_LEVEL_INFO, event);
	log_str(&line, "listener", listener->name);
	log_str(&line, "kind", kinds[listener->kind]);
	if (listener->kind == CONFIG_UNIX) {
		log_str(&line, "path", listener->path);
	} else {
		log_str(&line, "address", listener->address);
		log_num(&line, "port", port);
	}
	log_end(&line);
}

/* ---- descriptors that were given -------------------------------------- */

union any_address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_un local;
	struct sockaddr_storage most;
};

/* Whether this listens where the configuration wants it. */
static bool
is_at(int fd, const struct config_listener *listener)
{
	union any_address at = { 0 };
	socklen_t size = sizeof(at);
	struct in6_addr v6;
	struct in_addr v4;

	if (getsockname(fd, &at.any, &size) < 0)
		return false;
	if (listener->kind == CONFIG_UNIX)
		return at.any.sa_family == AF_UNIX &&
		       strcmp(at.local.sun_path, listener->path) == 0;
	if (at.any.sa_family == AF_INET)
		return ntohs(at.v4.sin_port) == listener->port &&
		       inet_pton(AF_INET, listener->address, &v4) == 1 &&
		       memcmp(&v4, &at.v4.sin_addr, sizeof(v4)) == 0;
	return at.any.sa_family == AF_INET6 &&
	       ntohs(at.v6.sin6_port) == listener->port &&
	       inet_pton(AF_INET6, listener->address, &v6) == 1 &&
	       memcmp(&v6, &at.v6.sin6_addr, sizeof(v6)) == 0;
}

/* The one for this listener, or -1. */
static int
take_given(struct server *server, const struct config_listener *listener)
{
	unsigned i;

	for (i = 0; i < server->givens; i++) {
		if (server->taken >> i & 1 ||
		    !is_at(server->given + (int)i, listener))
			continue;
		server->taken |= UINT64_C(1) << i;
		return server->given + (int)i;
	}
	return -1;
}

/* ---- opening ---------------------------------------------------------- */

static int
open_at_door(struct server *server, struct listening *listening, int given,
	     struct error *why)
{
	const struct config_listener *config = &listening->config;
	char port[8];

	listening->number = door_listeners(server->door);
	if (given >= 0)
		return door_adopt(server->door, given, listening->tls, why);
	if (config->kind == CONFIG_UNIX)
		return door_listen_unix(server->door, config->path, why);
	snprintf(port, sizeof(port), "%u", (unsigned)config->port);
	return door_listen(server->door, config->address, port, listening->tls,
			   why);
}

static int
open_one(struct server *server, struct listening *listening, struct error *why)
{
	const struct config_listener *config = &listening->config;
	int given = take_given(server, config), result = 0;

	if (config->kind != CONFIG_HTTP) {
		result = open_at_door(server, listening, given, why);
	} else {
		listening->bound =
			given >= 0 ? http_adopt(server->http, given, why)
				   : http_listen(server->http, config->address,
						 (unsigned)config->port, why);
		result = listening->bound == NULL ? -1 : 0;
	}
	return result < 0 ? error_prefix(why, "listener %s: ", config->name)
			  : 0;
}

static int
read_certificate(struct listening *listening, struct error *why)
{
	const struct config_listener *config = &listening->config;

	listening->tls = NULL;
	if (config->kind != CONFIG_TLS)
		return 0;
	listening->tls = tls_server_new(config->certificate, config->key, why);
	return listening->tls == NULL
		       ? error_prefix(why, "listener %s: ", config->name)
		       : 0;
}

/* ---- from one configuration to the next ------------------------------- */

static bool
is_same_place(const struct config_listener *a, const struct config_listener *b)
{
	if ((a->kind == CONFIG_HTTP) != (b->kind == CONFIG_HTTP) ||
	    (a->kind == CONFIG_UNIX) != (b->kind == CONFIG_UNIX))
		return false;
	if (a->kind == CONFIG_UNIX)
		return strcmp(a->path, b->path) == 0;
	return a->port == b->port && strcmp(a->address, b->address) == 0;
}

static bool
is_same_socket(const struct listening *a, const struct listening *b)
{
	if (a->bound != NULL || b->bound != NULL)
		return a->bound == b->bound;
	return a->number == b->number;
}

static bool
has_socket(unsigned count, const struct listening all[],
	   const struct listening *one)
{
	unsigned i;

	for (i = 0; i < count; i++)
		if (is_same_socket(&all[i], one))
			return true;
	return false;
}

/* Whether it can still be reached: the file of a unix socket may be gone. */
static bool
is_there(const struct server *server, const struct listening *listening)
{
	return listening->bound != NULL ||
	       door_is_there(server->door, listening->number);
}

/* An open one in the same place that the `done` first of `next` have not taken;
 * or NULL. */
static const struct listening *
find_open(const struct server *server, unsigned done,
	  const struct listening next[])
{
	const struct listening *old;
	unsigned i;

	for (i = 0; i < server->listeners; i++) {
		old = &server->listening[i];
		if (is_same_place(&old->config, &next[done].config) &&
		    !has_socket(done, next, old) && is_there(server, old))
			return old;
	}
	return NULL;
}

static void
close_one(struct server *server, const struct listening *listening)
{
	if (listening->bound != NULL)
		http_unlisten(server->http, listening->bound);
	else
		door_close(server->door, listening->number);
}

void
listen_drop(struct server *server, unsigned count, struct listening next[])
{
	unsigned i;

	for (i = 0; i < count; i++) {
		if (!has_socket(server->listeners, server->listening, &next[i]))
			close_one(server, &next[i]);
		tls_free(next[i].tls);
	}
}

int
listen_prepare(struct server *server, const struct config *config,
	       struct listening next[CONFIG_LISTENERS], struct error *why)
{
	const struct listening *old;
	unsigned i;

	memset(next, 0, CONFIG_LISTENERS * sizeof(*next));
	for (i = 0; i < config->listeners; i++) {
		next[i].config = config->listener[i];
		if (read_certificate(&next[i], why) < 0)
			break;
		old = find_open(server, i, next);
		if (old != NULL) {
			next[i].number = old->number;
			next[i].bound = old->bound;
		} else if (open_one(server, &next[i], why) < 0) {
			tls_free(next[i].tls);
			break;
		}
	}
	if (i == config->listeners)
		return 0;
	listen_drop(server, i, next);
	return -1;
}

void
listen_commit(struct server *server, unsigned count,
	      const struct listening next[])
{
	struct listening old[CONFIG_LISTENERS];
	const unsigned olds = server->listeners;
	unsigned i;

	memcpy(old, server->listening, sizeof(old));
	memcpy(server->listening, next, count * sizeof(*next));
	server->listeners = count;
	for (i = 0; i < count; i++) {
		if (!has_socket(olds, old, &next[i]))
			log_listener(server, "listening", &next[i].config,
				     server_port(server, i));
		else if (next[i].bound == NULL)
			door_set_tls(server->door, next[i].number, next[i].tls);
	}
	for (i = 0; i < olds; i++) {
		if (!has_socket(count, next, &old[i])) {
			log_listener(server, "listening-no-more",
				     &old[i].config,
				     (unsigned)old[i].config.port);
			close_one(server, &old[i]);
		}
		tls_free(old[i].tls);
	}
}

void
server_view_health(void *arg, struct health_view *view)
{
	const struct server *server = arg;
	const struct listening *listening;
	unsigned i;

	view->data = server->config->data;
	for (i = 0; i < server->listeners; i++) {
		listening = &server->listening[i];
		if (listening->tls == NULL)
			continue;
		view->certificate[view->certificates++] =
			(struct health_certificate){
				listening->config.name,
				tls_expires(listening->tls),
			};
	}
}
