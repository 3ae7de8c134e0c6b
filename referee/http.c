/* referee/http.c - see http.h.
 *
 * evhttp reads and writes.  It knows neither how many connections it has nor
 * how long one may last, and tells nobody when one goes.  So we hold each of
 * them, too, and look now and then which ones it has let go. */
#include "referee/http.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "referee/loop.h"

#define LISTENERS_MAX 16
#define BODY_BYTES 1024 /* read, and refused */
#define LOOK_MS 100	/* between two looks */

const struct http_limits http_limits = {
	.connections = 64,
	.ms = 30000,
	.head_bytes = 16384,
	.pause_ms = 250,
};

/* A connection. */
struct visit {
	struct visit *next;
	struct bufferevent *bev; /* one reference is ours */
	uint64_t until_us;
};

struct http {
	struct http_limits limits;
	http_asked *asked;
	void *arg;
	struct evhttp *evhttp;
	struct evhttp_bound_socket *bound[LISTENERS_MAX];
	struct event *resume, *look;
	struct visit *visits;
	unsigned count;
	bool paused; /* no descriptors: until `resume` */
	uint64_t answered, refused;
};

/* ---- how many, how long ----------------------------------------------- */

static void
look_who_may_come(struct http *http)
{
	bool open = !http->paused && http->count < http->limits.connections;
	struct evconnlistener *listener;
	unsigned i;

	for (i = 0; i < LISTENERS_MAX; i++) {
		if (http->bound[i] == NULL)
			continue;
		listener = evhttp_bound_socket_get_listener(http->bound[i]);
		if (open)
			evconnlistener_enable(listener);
		else
			evconnlistener_disable(listener);
	}
}

static struct timeval
time_of(unsigned ms)
{
	return (struct timeval){ .tv_sec = ms / 1000,
				 .tv_usec = (suseconds_t)(ms % 1000) * 1000 };
}

static uint64_t
ticks_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* bufferevent_free(), which evhttp calls in the end, takes its callbacks and
 * their argument away. */
static bool
is_let_go(const struct visit *visit)
{
	void *arg;

	bufferevent_getcb(visit->bev, NULL, NULL, NULL, &arg);
	return arg == NULL;
}

static void
look(struct http *http)
{
	const struct timeval after = time_of(LOOK_MS);
	const uint64_t now_us = ticks_us();
	struct visit **at = &http->visits, *visit;

	while ((visit = *at) != NULL) {
		if (is_let_go(visit)) {
			*at = visit->next;
			bufferevent_decref(visit->bev);
			free(visit);
			http->count--;
			continue;
		}
		if (now_us >= visit->until_us) {
			/* evhttp reads the end, and lets it go. */
			shutdown(bufferevent_getfd(visit->bev), SHUT_RDWR);
		}
		at = &visit->next;
	}
	look_who_may_come(http);
	if (http->count > 0)
		event_add(http->look, &after);
}

static void
on_look(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	look(arg);
}

static struct bufferevent *
on_visit(struct event_base *base, void *arg)
{
	struct http *http = arg;
	const struct timeval after = time_of(LOOK_MS);
	struct visit *visit = memory(NULL, sizeof(*visit));

	visit->bev = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
	if (visit->bev == NULL)
		bug("out of memory");
	bufferevent_incref(visit->bev);
	visit->until_us = ticks_us() + http->limits.ms * (uint64_t)1000;
	visit->next = http->visits;
	http->visits = visit;
	if (http->count++ == 0)
		event_add(http->look, &after);
	look_who_may_come(http);
	return visit->bev;
}

static void
on_resume(evutil_socket_t fd, short what, void *arg)
{
	struct http *http = arg;

	(void)fd;
	(void)what;
	http->paused = false;
	look_who_may_come(http);
}

/* A listener that stays readable must not make the loop spin. */
static void
on_accept_error(struct evconnlistener *listener, void *arg)
{
	struct http *http = arg;
	const struct timeval pause = time_of(http->limits.pause_ms);

	(void)listener;
	http->paused = true;
	look_who_may_come(http);
	event_add(http->resume, &pause);
}

/* ---- what is asked ---------------------------------------------------- */

static unsigned
count_headers(struct evhttp_request *request, const char *name)
{
	const struct evkeyval *header;
	unsigned n = 0;

	TAILQ_FOREACH(header, evhttp_request_get_input_headers(request), next)
	n += evutil_ascii_strcasecmp(header->key, name) == 0;
	return n;
}

static bool
has_body(struct evhttp_request *request)
{
	const char *length = evhttp_find_header(
		evhttp_request_get_input_headers(request), "Content-Length");

	return count_headers(request, "Transfer-Encoding") > 0 ||
	       (length != NULL && strcmp(length, "0") != 0);
}

/* What evhttp lets pass and nobody who means well sends. */
static const char *
wrong_with(struct evhttp_request *request)
{
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
	unsigned hosts = count_headers(request, "Host");

	if (uri == NULL || evhttp_uri_get_scheme(uri) != NULL ||
	    evhttp_uri_get_host(uri) != NULL)
		return "expected a path, from the first slash on";
	if (hosts > 1 ||
	    (hosts == 0 && request->major == 1 && request->minor >= 1))
		return "expected one Host";
	if (count_headers(request, "Content-Length") > 1)
		return "expected one Content-Length at most";
	if (has_body(request))
		return "expected no body";
	return NULL;
}

/* The path, decoded, for free(); or NULL. */
static char *
path_of(struct evhttp_request *request)
{
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
	const char *coded = evhttp_uri_get_path(uri);
	size_t n = 0, i;
	char *path;

	if (coded == NULL || coded[0] != '/')
		return NULL;
	path = evhttp_uridecode(coded, 0, &n);
	if (path == NULL)
		return NULL;
	for (i = 0; i < n; i++) {
		if (path[i] < ' ' || path[i] > '~') {
			free(path);
			return NULL;
		}
	}
	return path;
}

static void
on_request(struct evhttp_request *request, void *arg)
{
	enum evhttp_cmd_type command = evhttp_request_get_command(request);
	struct http *http = arg;
	const char *wrong;
	char *path;

	if (command != EVHTTP_REQ_GET && command != EVHTTP_REQ_HEAD) {
		http_refuse(http, request, 405, "only GET and HEAD do here");
		return;
	}
	wrong = wrong_with(request);
	path = wrong == NULL ? path_of(request) : NULL;
	if (wrong != NULL)
		http_refuse(http, request, 400, wrong);
	else if (path == NULL)
		http_refuse(http, request, 400,
			    "expected a path of printable ASCII");
	else
		http->asked(http->arg, request, path);
	free(path);
}

/* ---- what is answered ------------------------------------------------- */

static void
reply(struct evhttp_request *request, int code, const char *reason,
      const char *type, const char *bytes, size_t n)
{
	static const char *const headers[][2] = {
		{ "Cache-Control", "no-store" },
		{ "Connection", "close" },
		{ "Content-Security-Policy",
		  "default-src 'none'; frame-ancestors 'none'" },
		{ "Referrer-Policy", "no-referrer" },
		{ "X-Content-Type-Options", "nosniff" },
		{ "X-Frame-Options", "DENY" },
	};
	struct evkeyvalq *to = evhttp_request_get_output_headers(request);
	struct evbuffer *body = evhttp_request_get_output_buffer(request);
	char length[24];
	size_t i;

	for (i = 0; i < NELEM(headers); i++)
		evhttp_add_header(to, headers[i][0], headers[i][1]);
	if (code == 405)
		evhttp_add_header(to, "Allow", "GET, HEAD");
	evhttp_add_header(to, "Content-Type", type);
	snprintf(length, sizeof(length), "%zu", n);
	evhttp_add_header(to, "Content-Length", length);
	if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD)
		evbuffer_add(body, bytes, n);
	evhttp_send_reply(request, code, reason, NULL);
}

void
http_answer(struct http *http, struct evhttp_request *request, const char *type,
	    const char *bytes, size_t n)
{
	http->answered++;
	reply(request, 200, "OK", type, bytes, n);
}

void
http_refuse(struct http *http, struct evhttp_request *request, int code,
	    const char *sentence)
{
	const char *reason = "Bad Request";
	char text[HTTP_WHY_BYTES + 16];
	int n;

	if (code == 404)
		reason = "Not Found";
	else if (code == 405)
		reason = "Method Not Allowed";
	else if (code >= 500)
		reason = "Service Unavailable";
	http->refused++;
	n = snprintf(text, sizeof(text), "%d: %.*s\n", code, HTTP_WHY_BYTES,
		     sentence);
	reply(request, code, reason, "text/plain; charset=utf-8", text,
	      (size_t)n);
}

/* ---- listening -------------------------------------------------------- */

static struct evhttp_bound_socket *
keep(struct http *http, struct evhttp_bound_socket *bound)
{
	struct evconnlistener *listener =
		evhttp_bound_socket_get_listener(bound);
	unsigned i;

	for (i = 0; http->bound[i] != NULL; i++)
		if (i + 1 == LISTENERS_MAX)
			bug("too many listeners");
	http->bound[i] = bound;
	evconnlistener_set_error_cb(listener, on_accept_error);
	look_who_may_come(http);
	return bound;
}

struct evhttp_bound_socket *
http_listen(struct http *http, const char *address, unsigned port,
	    char why[HTTP_WHY_BYTES])
{
	struct evhttp_bound_socket *bound = evhttp_bind_socket_with_handle(
		http->evhttp, address, (uint16_t)port);

	if (bound != NULL)
		return keep(http, bound);
	snprintf(why, HTTP_WHY_BYTES, "cannot listen at %.100s port %u: %s",
		 address, port, strerror(errno));
	return NULL;
}

struct evhttp_bound_socket *
http_adopt(struct http *http, int fd, char why[HTTP_WHY_BYTES])
{
	struct evhttp_bound_socket *bound = NULL;

	if (evutil_make_socket_nonblocking(fd) == 0)
		bound = evhttp_accept_socket_with_handle(http->evhttp, fd);
	if (bound != NULL)
		return keep(http, bound);
	snprintf(why, HTTP_WHY_BYTES, "descriptor %d is no socket that listens",
		 fd);
	close(fd);
	return NULL;
}

void
http_unlisten(struct http *http, struct evhttp_bound_socket *bound)
{
	unsigned i;

	for (i = 0; i < LISTENERS_MAX; i++)
		if (http->bound[i] == bound)
			http->bound[i] = NULL;
	evhttp_del_accept_socket(http->evhttp, bound);
}

unsigned
http_port(struct evhttp_bound_socket *bound)
{
	struct sockaddr_storage at = { 0 };
	socklen_t size = sizeof(at);

	if (getsockname(evhttp_bound_socket_get_fd(bound),
			(struct sockaddr *)&at, &size) < 0)
		return 0;
	if (at.ss_family == AF_INET6)
		return ntohs(((struct sockaddr_in6 *)&at)->sin6_port);
	return ntohs(((struct sockaddr_in *)&at)->sin_port);
}

/* ---- life ------------------------------------------------------------- */

struct http *
http_new(struct event_base *base, const struct http_limits *limits,
	 http_asked *asked, void *arg)
{
	struct http *http = memory(NULL, sizeof(*http));

	memset(http, 0, sizeof(*http));
	http->limits = *limits;
	http->asked = asked;
	http->arg = arg;
	http->evhttp = evhttp_new(base);
	http->resume = evtimer_new(base, on_resume, http);
	http->look = evtimer_new(base, on_look, http);
	if (http->evhttp == NULL || http->resume == NULL || http->look == NULL)
		bug("out of memory");
	evhttp_set_max_headers_size(http->evhttp,
				    (ev_ssize_t)limits->head_bytes);
	evhttp_set_max_body_size(http->evhttp, BODY_BYTES);
	/* Those that are not allowed are told by us that they are not. */
	evhttp_set_allowed_methods(
		http->evhttp, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD |
				      EVHTTP_REQ_POST | EVHTTP_REQ_PUT |
				      EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
				      EVHTTP_REQ_TRACE | EVHTTP_REQ_CONNECT |
				      EVHTTP_REQ_PATCH);
	evhttp_set_bevcb(http->evhttp, on_visit, http);
	evhttp_set_gencb(http->evhttp, on_request, http);
	return http;
}

void
http_free(struct http *http)
{
	struct visit *visit;

	if (http == NULL)
		return;
	evhttp_free(http->evhttp);
	while ((visit = http->visits) != NULL) {
		http->visits = visit->next;
		bufferevent_decref(visit->bev);
		free(visit);
	}
	event_free(http->resume);
	event_free(http->look);
	free(http);
}

unsigned
http_count(const struct http *http)
{
	return http->count;
}

uint64_t
http_answered(const struct http *http)
{
	return http->answered;
}

uint64_t
http_refused(const struct http *http)
{
	return http->refused;
}
