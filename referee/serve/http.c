/* referee/serve/http.c - see http.h.  evhttp reads and writes; http-visit.c
 * keeps count of its connections. */
#include "referee/serve/http.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/config/serve-limits.h"

struct http {
	http_allowed *allowed;
	http_asked *asked;
	refusal_told *told_refused;
	void *arg;
	struct evhttp *evhttp;
	struct visits *visits;
	size_t put_bytes; /* 0: nothing may be put */
	uint64_t answered, refused;
};

const struct http_limits http_limits = {
	.connections = SERVE_PAGES,
	.each_address = SERVE_PAGES_PER_ADDRESS,
	.ms = SERVE_PAGE_MS,
	.head_bytes = SERVE_HEAD_BYTES,
	.pause_ms = 250,
	.large = SERVE_RECORDS,
	.large_each = SERVE_RECORDS_PER_ADDRESS,
};

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

bool
http_is_put(struct evhttp_request *request)
{
	return evhttp_request_get_command(request) == EVHTTP_REQ_PUT;
}

static bool
has_body(struct evhttp_request *request)
{
	const char *length = evhttp_find_header(
		evhttp_request_get_input_headers(request), "Content-Length");

	return count_headers(request, "Transfer-Encoding") > 0 ||
	       (length != NULL && strcmp(length, "0") != 0);
}

/* What evhttp lets pass, and no well-behaved client sends. */
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
	if (has_body(request) && !http_is_put(request))
		return "expected no body";
	if (count_headers(request, "Transfer-Encoding") > 0)
		return "expected a Content-Length";
	return NULL;
}

static bool
is_printable(const char *text, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return true;
}

/* The path, decoded, for free(); or NULL. */
static char *
path_of(struct evhttp_request *request)
{
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
	const char *coded = uri == NULL ? NULL : evhttp_uri_get_path(uri);
	size_t n = 0;
	char *path;

	if (coded == NULL || coded[0] != '/')
		return NULL;
	path = evhttp_uridecode(coded, 0, &n);
	if (path == NULL)
		return NULL;
	if (is_printable(path, n))
		return path;
	free(path);
	return NULL;
}

/* What is told of each enum http_methods. */
static const struct {
	const char *allow, *sentence;
} methods[] = {
	[HTTP_READ] = { "GET, HEAD", "only GET and HEAD are allowed" },
	[HTTP_READ_PUT] = { "GET, HEAD, PUT",
			    "only GET, HEAD and PUT are allowed" },
};

static enum http_methods
allowed_at(const struct http *http, const char *path)
{
	enum http_methods allowed = http->allowed(http->arg, path);

	return allowed == HTTP_READ_PUT && http->put_bytes == 0 ? HTTP_READ
								: allowed;
}

/* True: it was refused, because its method is not allowed. */
static bool
refuse_method(struct http *http, struct evhttp_request *request,
	      const char *path)
{
	enum evhttp_cmd_type command = evhttp_request_get_command(request);
	enum http_methods allowed = allowed_at(http, path);

	if (command == EVHTTP_REQ_GET || command == EVHTTP_REQ_HEAD ||
	    allowed == HTTP_NOTHING ||
	    (command == EVHTTP_REQ_PUT && allowed == HTTP_READ_PUT))
		return false;
	http_add_header(request, "Allow", methods[allowed].allow);
	http_refuse(http, request, 405, methods[allowed].sentence);
	return true;
}

static void
on_request(struct evhttp_request *request, void *arg)
{
	struct http *http = arg;
	const char *wrong;
	char *path;

	/* After CONNECT evhttp would close no connection; to us it is one more
	 * method that does not do. */
	if (request->type == EVHTTP_REQ_CONNECT)
		request->type = EVHTTP_REQ_OPTIONS;
	if (!visits_ask(http->visits, request)) {
		http_refuse(http, request, 429,
			    "there are too many connections from your address");
		return;
	}
	path = path_of(request);
	if (path != NULL && refuse_method(http, request, path)) {
		free(path);
		return;
	}
	wrong = wrong_with(request);
	if (wrong != NULL)
		http_refuse(http, request, 400, wrong);
	else if (path == NULL)
		http_refuse(http, request, 400,
			    "expected a path of printable ASCII");
	else
		http->asked(http->arg, request, path);
	free(path);
}

/* How often it stands there; the last value, if it is a fine one. */
static int
take_value(const struct evkeyvalq *pairs, bool any_case, const char *name,
	   char *value, size_t size)
{
	const struct evkeyval *pair;
	int count = 0;
	size_t n;

	TAILQ_FOREACH(pair, pairs, next)
	{
		if (any_case ? evutil_ascii_strcasecmp(pair->key, name) != 0
			     : strcmp(pair->key, name) != 0)
			continue;
		n = strlen(pair->value);
		if (++count > 1 || n >= size || !is_printable(pair->value, n))
			return -1;
		memcpy(value, pair->value, n + 1);
	}
	return count;
}

int
http_header(struct evhttp_request *request, const char *name, char *value,
	    size_t size)
{
	return take_value(evhttp_request_get_input_headers(request), true, name,
			  value, size);
}

int
http_query(struct evhttp_request *request, const char *name, char *value,
	   size_t size)
{
	const char *query =
		evhttp_uri_get_query(evhttp_request_get_evhttp_uri(request));
	struct evkeyvalq pairs;
	int result;

	if (query == NULL || query[0] == '\0')
		return 0;
	if (evhttp_parse_query_str(query, &pairs) < 0)
		return -1;
	result = take_value(&pairs, false, name, value, size);
	evhttp_clear_headers(&pairs);
	return result;
}

/* ---- what is answered ------------------------------------------------- */

/* What goes with some numbers; `name` may be NULL. */
static const struct answer {
	int code;
	const char *reason, *name, *value;
} answers[] = {
	{ 200, "OK", NULL, NULL },
	{ 202, "Accepted", NULL, NULL },
	{ 400, "Bad Request", NULL, NULL },
	{ 401, "Unauthorized", "WWW-Authenticate", "Bearer" },
	{ 403, "Forbidden", NULL, NULL },
	{ 404, "Not Found", NULL, NULL },
	{ 405, "Method Not Allowed", NULL, NULL },
	{ 410, "Gone", NULL, NULL },
	{ 429, "Too Many Requests", "Retry-After", "1" },
	{ 503, "Service Unavailable", NULL, NULL },
	{ 507, "Insufficient Storage", NULL, NULL },
};

/* evhttp holds on to one that wanted to CONNECT, whatever it was told, and
 * would take another request there. */
static void
end_connect(struct evhttp_request *request, void *arg UNUSED)
{
	/* evhttp reads the end */
	shutdown(bufferevent_getfd(evhttp_connection_get_bufferevent(
			 evhttp_request_get_connection(request))),
		 SHUT_RDWR);
}

static void
reply(struct evhttp_request *request, int code, const char *type,
      const char *bytes, size_t n)
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
	const struct answer *answer = answers;
	char length[24];
	size_t i;

	while (answer->code != code)
		if (++answer == answers + NELEM(answers))
			bug("unknown HTTP status %d", code);

	for (i = 0; i < NELEM(headers); i++)
		evhttp_add_header(to, headers[i][0], headers[i][1]);
	if (answer->name != NULL)
		evhttp_add_header(to, answer->name, answer->value);
	evhttp_add_header(to, "Content-Type", type);
	snprintf(length, sizeof(length), "%zu", n);
	evhttp_add_header(to, "Content-Length", length);
	if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD)
		evbuffer_add(body, bytes, n);
	if (evhttp_request_get_command(request) == EVHTTP_REQ_CONNECT)
		evhttp_request_set_on_complete_cb(request, end_connect, NULL);
	evhttp_send_reply(request, code, answer->reason, NULL);
}

void
http_add_header(struct evhttp_request *request, const char *name,
		const char *value)
{
	evhttp_add_header(evhttp_request_get_output_headers(request), name,
			  value);
}

void
http_answer(struct http *http, struct evhttp_request *request, const char *type,
	    const char *bytes, size_t n)
{
	http->answered++;
	visits_answered(http->visits, request, false);
	reply(request, 200, type, bytes, n);
}

void
http_accept(struct http *http, struct evhttp_request *request, const char *text)
{
	http->answered++;
	visits_answered(http->visits, request, false);
	reply(request, 202, "text/plain; charset=utf-8", text, strlen(text));
}

void
http_refuse(struct http *http, struct evhttp_request *request, int code,
	    const char *sentence)
{
	char text[ERROR_BYTES + 8];
	int n;

	http->refused++;
	visits_answered(http->visits, request, true);
	n = snprintf(text, sizeof(text), "%d: %s\n", code, sentence);
	reply(request, code, "text/plain; charset=utf-8", text,
	      (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

bool
http_expect_large(struct http *http, struct evhttp_request *request)
{
	return visits_expect_large(http->visits, request);
}

void
http_refuse_wrong(struct http *http, struct evhttp_request *request,
		  const char *bot, const char *sentence)
{
	visits_refuse_wrong(http->visits, request, bot, sentence);
}

static void
on_refuse(void *arg, struct evhttp_request *request, const char *sentence)
{
	http_refuse(arg, request, 401, sentence);
}

static void
on_refused(void *arg, enum refusal kind, const char *from, const char *bot,
	   const char *why)
{
	const struct http *http = arg;

	http->told_refused(http->arg, kind, from, bot, why);
}

/* ---- listening -------------------------------------------------------- */

struct evhttp_bound_socket *
http_listen(struct http *http, const char *address, unsigned port,
	    struct error *why)
{
	struct evhttp_bound_socket *bound = evhttp_bind_socket_with_handle(
		http->evhttp, address, (uint16_t)port);

	if (bound != NULL) {
		visits_listen(http->visits, bound);
		return bound;
	}
	error_set(why, ERROR_MACHINE, "cannot listen at %.100s port %u: %m",
		  address, port);
	return NULL;
}

struct evhttp_bound_socket *
http_adopt(struct http *http, int fd, struct error *why)
{
	struct evhttp_bound_socket *bound = NULL;
	socklen_t size = sizeof(int);
	int listens = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 &&
	    listens && evutil_make_socket_nonblocking(fd) == 0)
		bound = evhttp_accept_socket_with_handle(http->evhttp, fd);
	if (bound != NULL) {
		visits_listen(http->visits, bound);
		return bound;
	}
	error_set(why, ERROR_INPUT, "descriptor %d is not a listening socket",
		  fd);
	close(fd);
	return NULL;
}

void
http_unlisten(struct http *http, struct evhttp_bound_socket *bound)
{
	visits_unlisten(http->visits, bound);
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
	 struct addresses *addresses, http_allowed *allowed, http_asked *asked,
	 refusal_told *refused, void *arg)
{
	struct http *http = zeroed(1, sizeof(*http));

	http->allowed = allowed;
	http->asked = asked;
	http->told_refused = refused;
	http->arg = arg;
	http->evhttp = evhttp_new(base);
	if (http->evhttp == NULL)
		bug("out of memory");
	evhttp_set_max_headers_size(http->evhttp,
				    (ev_ssize_t)limits->head_bytes);
	evhttp_set_max_body_size(http->evhttp, HTTP_BODY_BYTES);
	/* Those that are not allowed are told by us that they are not. */
	evhttp_set_allowed_methods(
		http->evhttp, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD |
				      EVHTTP_REQ_POST | EVHTTP_REQ_PUT |
				      EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
				      EVHTTP_REQ_TRACE | EVHTTP_REQ_CONNECT |
				      EVHTTP_REQ_PATCH);
	http->visits = visits_new(base, http->evhttp, limits, addresses,
				  on_refuse, on_refused, http);
	evhttp_set_gencb(http->evhttp, on_request, http);
	return http;
}

void
http_free(struct http *http)
{
	if (http == NULL)
		return;
	visits_end(http->visits);
	evhttp_free(http->evhttp);
	visits_free(http->visits);
	free(http);
}

void
http_set_put(struct http *http, size_t bytes)
{
	http->put_bytes = bytes;
	evhttp_set_max_body_size(
		http->evhttp,
		(ev_ssize_t)(bytes > 0 ? bytes : HTTP_BODY_BYTES));
}

void
http_set_each_address(struct http *http, unsigned each_address)
{
	visits_set_each_address(http->visits, each_address);
}

unsigned
http_count(const struct http *http)
{
	return visits_count(http->visits);
}

uint64_t
http_answered(const struct http *http)
{
	return http->answered;
}

uint64_t
http_refused(const struct http *http)
{
	return http->refused + visits_refused(http->visits);
}
