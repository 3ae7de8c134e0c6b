/* referee/serve/listeners.c - see listeners.h. */
#include "referee/serve/listeners.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "protocol/clock.h"
#include "referee/remote/tls.h"

/* An open listener. */
struct listening {
	struct config_listener config;
	struct tls *tls;	   /* owned; or NULL */
	struct listener *listener; /* owned by door or http */
};

struct listeners {
	struct door *door;
	struct http *http;
	struct logger *logger;
	struct listening listening[CONFIG_LISTENERS], next[CONFIG_LISTENERS];
	unsigned count, nexts;
	struct door_limits limits, next_limits;
	int given; /* first descriptor that our starter has passed on */
	unsigned givens;
	uint64_t taken; /* bits of those that are used */
};

void
listeners_door_limits(const struct config *config, struct door_limits *limits)
{
	*limits = door_limits;
	limits->connections = (unsigned)config->limits.connections;
	limits->each_address = (unsigned)config->limits.per_address;
	limits->each_second = limits->each_address;
	limits->strangers = (unsigned)config->limits.unknown;
	for (unsigned i = 0; i < config->listeners; i++)
		limits->plain_anywhere |=
			config->listener[i].plain_beyond_loopback;
}

static void
log_listener(struct listeners *listeners, const char *event,
	     const struct config_listener *listener, unsigned port)
{
	static const char *const kinds[] = { "tcp", "tls", "unix", "http" };

	if (listener->kind == CONFIG_UNIX)
		log_event(listeners->logger, LOG_LEVEL_INFO, event,
			  "listener=%s kind=%s path=%s", listener->name,
			  kinds[listener->kind], listener->path);
	else
		log_event(listeners->logger, LOG_LEVEL_INFO, event,
			  "listener=%s kind=%s address=%s port=%u",
			  listener->name, kinds[listener->kind],
			  listener->address, port);
}

/* ---- descriptors that were given -------------------------------------- */

/* Returns true if the descriptor listens where the configuration wants it. */
static bool
is_at(int fd, const struct config_listener *listener)
{
	union any_address at = { 0 };
	socklen_t size = sizeof(at);
	struct sockaddr_storage want;

	if (getsockname(fd, &at.any, &size) < 0)
		return false;
	if (listener->kind == CONFIG_UNIX)
		return at.any.sa_family == AF_UNIX &&
		       strcmp(at.local.sun_path, listener->path) == 0;
	return networks_read(listener->address, &want) &&
	       networks_same(&at.any, (struct sockaddr *)&want) &&
	       ntohs(at.any.sa_family == AF_INET
			     ? at.v4.sin_port
			     : at.v6.sin6_port) == listener->port;
}

/* Returns the given descriptor for this listener, or -1. */
static int
take_given(struct listeners *listeners, const struct config_listener *listener)
{
	for (unsigned i = 0; i < listeners->givens; i++) {
		if (listeners->taken >> i & 1 ||
		    !is_at(listeners->given + (int)i, listener))
			continue;
		listeners->taken |= UINT64_C(1) << i;
		return listeners->given + (int)i;
	}
	return -1;
}

/* ---- opening ---------------------------------------------------------- */

static struct listener *
open_socket(struct listeners *listeners, const struct config_listener *config,
	    struct error *why)
{
	const int given = take_given(listeners, config);
	char port[8];

	if (given >= 0)
		return listener_adopt(given, why);
	if (config->kind == CONFIG_UNIX)
		return listener_open_unix(config->path, why);
	snprintf(port, sizeof(port), "%u", (unsigned)config->port);
	return listener_open(config->address, port, config->kind != CONFIG_HTTP,
			     why);
}

static int
open_one(struct listeners *listeners, struct listening *listening,
	 struct error *why)
{
	const struct config_listener *config = &listening->config;
	struct listener *listener = open_socket(listeners, config, why);
	int result = listener == NULL ? -1 : 0;

	listening->listener = listener;
	if (listener != NULL && config->kind == CONFIG_HTTP)
		http_listen(listeners->http, listener);
	else if (listener != NULL)
		result = door_listen(listeners->door, listener, listening->tls,
				     why);
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

int
listeners_check_certificates(const struct config *config, struct error *why)
{
	struct listening one;

	for (unsigned i = 0; i < config->listeners; i++) {
		one.config = config->listener[i];
		if (read_certificate(&one, why) < 0)
			return -1;
		if (one.tls != NULL &&
		    tls_expires(one.tls) <= clock_seconds()) {
			tls_free(one.tls);
			return error_set(why, ERROR_INPUT,
					 "listener %s: the certificate %s has "
					 "expired",
					 one.config.name,
					 one.config.certificate);
		}
		tls_free(one.tls);
	}
	return 0;
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
has_socket(unsigned count, const struct listening all[],
	   const struct listening *one)
{
	for (unsigned i = 0; i < count; i++)
		if (all[i].listener == one->listener)
			return true;
	return false;
}

/* Returns an open listener at the same place as next[done] that none of those
 * before it in `next` has taken; or NULL. */
static const struct listening *
find_open(const struct listeners *listeners, unsigned done,
	  const struct listening next[])
{
	const struct listening *old;

	for (unsigned i = 0; i < listeners->count; i++) {
		old = &listeners->listening[i];
		if (is_same_place(&old->config, &next[done].config) &&
		    !has_socket(done, next, old) &&
		    listener_is_there(old->listener))
			return old;
	}
	return NULL;
}

static void
close_one(struct listeners *listeners, const struct listening *listening)
{
	if (listening->config.kind == CONFIG_HTTP)
		http_unlisten(listeners->http, listening->listener);
	else
		door_close(listeners->door, listening->listener);
}

void
listeners_drop(struct listeners *listeners)
{
	const struct listening *next = listeners->next;

	for (unsigned i = 0; i < listeners->nexts; i++) {
		if (!has_socket(listeners->count, listeners->listening,
				&next[i]))
			close_one(listeners, &next[i]);
		tls_free(next[i].tls);
	}
	door_set_limits(listeners->door, &listeners->limits);
}

int
listeners_prepare(struct listeners *listeners, const struct config *config,
		  struct error *why)
{
	struct listening *next = listeners->next;
	struct door_limits limits;
	const struct listening *old;
	unsigned i;

	memset(next, 0, sizeof(listeners->next));
	listeners->nexts = config->listeners;
	listeners_door_limits(config, &limits);
	door_set_limits(listeners->door, &limits);
	for (i = 0; i < config->listeners; i++) {
		next[i].config = config->listener[i];
		if (read_certificate(&next[i], why) < 0)
			break;
		old = find_open(listeners, i, next);
		if (old != NULL) {
			next[i].listener = old->listener;
		} else if (open_one(listeners, &next[i], why) < 0) {
			tls_free(next[i].tls);
			break;
		}
	}
	if (i == config->listeners) {
		listeners->next_limits = limits;
		return 0;
	}
	listeners->nexts = i; /* only these were opened and read */
	listeners_drop(listeners);
	return -1;
}

void
listeners_commit(struct listeners *listeners)
{
	const struct listening *next = listeners->next;
	const unsigned olds = listeners->count, count = listeners->nexts;
	struct listening old[CONFIG_LISTENERS];

	memcpy(old, listeners->listening, sizeof(old));
	memcpy(listeners->listening, next, sizeof(old));
	listeners->count = count;
	listeners->limits = listeners->next_limits;
	for (unsigned i = 0; i < count; i++) {
		if (!has_socket(olds, old, &next[i]))
			log_listener(listeners, "listening", &next[i].config,
				     listener_port(next[i].listener));
		else if (next[i].config.kind != CONFIG_HTTP)
			door_set_tls(listeners->door, next[i].listener,
				     next[i].tls);
	}
	for (unsigned i = 0; i < olds; i++) {
		if (!has_socket(count, next, &old[i])) {
			log_listener(listeners, "listening-no-more",
				     &old[i].config,
				     (unsigned)old[i].config.port);
			close_one(listeners, &old[i]);
		}
		tls_free(old[i].tls);
	}
}

int
listeners_check_given(const struct listeners *listeners, struct error *why)
{
	for (unsigned i = 0; i < listeners->givens; i++)
		if (i >= 64 || !(listeners->taken >> i & 1))
			return error_set(why, ERROR_INPUT,
					 "the inherited descriptor %u is not a "
					 "listener of the configuration",
					 (unsigned)listeners->given + i);
	return 0;
}

unsigned
listeners_certificates(const struct listeners *listeners,
		       struct health_certificate certificate[CONFIG_LISTENERS])
{
	const struct listening *listening = listeners->listening;
	unsigned i, count = 0;

	for (i = 0; i < listeners->count; i++)
		if (listening[i].tls != NULL)
			certificate[count++] = (struct health_certificate){
				listening[i].config.name,
				tls_expires(listening[i].tls),
			};
	return count;
}

/* ---- life ------------------------------------------------------------- */

struct listeners *
listeners_new(struct door *door, struct http *http, struct logger *logger)
{
	struct listeners *listeners = zeroed(1, sizeof(*listeners));

	listeners->door = door;
	listeners->http = http;
	listeners->logger = logger;
	listeners->givens = listener_given(&listeners->given);
	return listeners;
}

void
listeners_free(struct listeners *listeners)
{
	for (unsigned i = 0; listeners != NULL && i < listeners->count; i++)
		tls_free(listeners->listening[i].tls);
	free(listeners);
}
