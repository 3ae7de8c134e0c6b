/* referee/http/http.c - see http.h. */
#include "referee/http/http.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/util.h>
#include <inttypes.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/ascii.h"
#include "referee/base/loop.h"
#include "referee/base/serve-limits.h"
#include "referee/http/gzip.h"
#include "referee/http/http-inside.h"

#define ETAG_BYTES (2 + 2 * crypto_shorthash_BYTES)

_Static_assert(crypto_shorthash_KEYBYTES == 16, "as in http-inside.h");

const struct http_limits http_limits = {
	.connections = SERVE_PAGES,
	.each_address = SERVE_PAGES_PER_ADDRESS,
	.requests = SERVE_PAGE_REQUESTS,
	.ms = SERVE_PAGE_MS,
	.idle_ms = SERVE_PAGE_IDLE_MS,
	.linger_ms = SERVE_PAGE_LINGER_MS,
	.head_bytes = SERVE_HEAD_BYTES,
	.pause_ms = 250,
	.large = SERVE_RECORDS,
	.large_each = SERVE_RECORDS_PER_ADDRESS,
	.bodies = SERVE_BODIES,
	.bodies_each = SERVE_BODIES_PER_ADDRESS,
	.bodies_sender = SERVE_BODIES_PER_OWNER,
	.body_ms = SERVE_BODY_MS,
	.body_rate = SERVE_BODY_RATE,
	.fair_ms = SERVE_FAIR_MS,
	.fair_rate = SERVE_FAIR_RATE,
	.turn_ms = SERVE_BODY_TURN_MS,
	.watchers = SERVE_WATCHERS,
	.watchers_each = SERVE_WATCHERS_PER_ADDRESS,
	.watcher_bytes = SERVE_WATCHER_BYTES,
	.watch_ms = SERVE_WATCH_MS,
	.unread_bytes = SERVE_UNREAD_BYTES,
	.unread_bytes_each = SERVE_UNREAD_BYTES_PER_ADDRESS,
};

/* ---- what is asked ---------------------------------------------------- */

bool
http_is_put(const struct http_request *request)
{
	return strcmp(request->head.method, "PUT") == 0;
}

static bool
is_head(const struct http_request *request)
{
	return request->head.method != NULL &&
	       strcmp(request->head.method, "HEAD") == 0;
}

/* The header Allow and the sentence of each enum http_methods. */
static const struct {
	const char *allow, *sentence;
} methods[] = {
	[HTTP_READ] = { "GET, HEAD", "only GET and HEAD are allowed" },
	[HTTP_READ_PUT] = { "GET, HEAD, PUT",
			    "only GET, HEAD and PUT are allowed" },
	[HTTP_READ_CHANGE] = { "GET, HEAD, PUT",
			       "only GET, HEAD and PUT are allowed" },
};

static bool
is_allowed(const struct http_request *request, enum http_methods allowed)
{
	return strcmp(request->head.method, "GET") == 0 || is_head(request) ||
	       allowed == HTTP_NOTHING ||
	       (allowed != HTTP_READ && http_is_put(request));
}

void
http_begin(struct http_request *request)
{
	struct http *http = request->connection->http;
	const struct http_head *head = &request->head;
	enum http_methods allowed = http->allowed(http->arg, head->path);
	bool off;
	char most[80];

	off = allowed == HTTP_READ_PUT && http->limits.put_bytes == 0;
	if (off)
		allowed = HTTP_READ;
	if (!is_allowed(request, allowed)) {
		http_add_header(request, "Allow", methods[allowed].allow);
		http_refuse(request, 405,
			    off && http_is_put(request)
				    ? "uploads are off here: only GET and HEAD "
				      "are allowed"
				    : methods[allowed].sentence);
	} else if (head->length > 0 &&
		   (!http_is_put(request) || allowed != HTTP_READ_PUT)) {
		http_refuse(request, 400, "expected no body");
	} else if (http_is_put(request) && allowed == HTTP_READ_PUT &&
		   !head->has_length) {
		http_refuse(request, 411, "expected a Content-Length");
	} else if (head->length > http->limits.put_bytes) {
		snprintf(most, sizeof(most),
			 "expected an upload of at most %zu bytes",
			 http->limits.put_bytes);
		http_refuse(request, 413, most);
	} else {
		http->asked(http->arg, request, head->path);
	}
}

void
http_ask_again(struct http_request *request)
{
	const struct http *http = request->connection->http;

	request->connection->large = false;
	http_go_on(request);
	http->asked(http->arg, request, request->head.path);
}

static bool
copy_value(const char *from, char *value, size_t size)
{
	const size_t n = strlen(from);

	if (n >= size || !ascii_printable(from, n))
		return false;
	memcpy(value, from, n + 1);
	return true;
}

int
http_header(const struct http_request *request, const char *name, char *value,
	    size_t size)
{
	const char *found = NULL;
	unsigned count = http_head_field(&request->head, name, &found);

	if (count == 0)
		return 0;
	return count == 1 && copy_value(found, value, size) ? 1 : -1;
}

/* Decodes one pair of a query.  Returns 1 if it has this name, 0 if not, -1 if
 * the name or the value cannot be decoded. */
static int
read_pair(char *pair, const char *name, char *value, size_t size)
{
	char *equals = strchr(pair, '=');

	if (equals != NULL)
		*equals++ = '\0';
	if (!http_decode(pair, true) || strcmp(pair, name) != 0)
		return 0;
	return equals != NULL && http_decode(equals, true) &&
			       copy_value(equals, value, size)
		       ? 1
		       : -1;
}

int
http_query(const struct http_request *request, const char *name, char *value,
	   size_t size)
{
	char *query, *rest, *pair;
	int result = 0, one;

	if (request->head.query == NULL)
		return 0;
	query = rest = copied(request->head.query);
	while (result >= 0 && (pair = strsep(&rest, "&")) != NULL) {
		one = read_pair(pair, name, value, size);
		if (one != 0)
			result = one < 0 || result > 0 ? -1 : 1;
	}
	free(query);
	return result;
}

const char *
http_raw_query(const struct http_request *request)
{
	return request->head.query;
}

void
http_who(const struct http_request *request, char who[HTTP_SENDER_BYTES])
{
	const struct address *address = request->connection->address;

	who[0] = '\0';
	if (address != NULL && address->counted)
		sodium_bin2hex(who, HTTP_SENDER_BYTES, address->key,
			       sizeof(address->key));
}

bool
http_may_have_gone(const struct http_request *request)
{
	struct pollfd one = { .fd = request->connection->fd,
			      .events = POLLRDHUP };

	return !request->connection->large && poll(&one, 1, 0) > 0;
}

bool
http_takes_gzip(const struct http_request *request)
{
	return http_head_word(&request->head, "Accept-Encoding", "gzip");
}

/* ---- limits ----------------------------------------------------------- */

/* The bodies or answers that share a limit with a new one. */
struct crowd {
	unsigned most;
	enum { BODIES, LARGE_ANSWERS, ANSWERS } kind;
	const struct address *address; /* NULL: any */
	const char *sender;	       /* for bodies; NULL: any */
};

static bool
is_in(const struct http_connection *connection, const struct crowd *crowd)
{
	if (crowd->address != NULL && connection->address != crowd->address)
		return false;
	if (crowd->kind == LARGE_ANSWERS)
		return connection->large;
	/* Only an answer that ends frees bytes that are not read. */
	if (crowd->kind == ANSWERS)
		return connection->state == HTTP_WRITING;
	return connection->state == HTTP_BODY &&
	       (crowd->sender == NULL ||
		strcmp(connection->request->sender, crowd->sender) == 0);
}

/* Returns true if it has had its time and is slower than `*rate` bytes a
 * second; then sets `*rate` to its own rate.  An answer that is still being
 * made is not slow. */
static bool
is_slower(const struct http_connection *connection, uint64_t now_us,
	  uint64_t *rate)
{
	uint64_t bytes, us, found;

	if (connection->state == HTTP_BODY) {
		bytes = connection->request->used;
		us = now_us - connection->request->since_us;
	} else if (connection->state == HTTP_WRITING) {
		bytes = connection->sending -
			evbuffer_get_length(connection->out);
		us = now_us - connection->sending_since_us;
	} else
		return false;
	if (us < connection->http->limits.fair_ms * UINT64_C(1000))
		return false;
	found = bytes * UINT64_C(1000000) / (us + 1);
	if (found >= *rate)
		return false;
	*rate = found;
	return true;
}

/* Returns the slowest connection that is slow if the crowd is full, or NULL.
 * Sets `*is_full`. */
static struct http_connection *
slowest(const struct http *http, const struct crowd *crowd, bool *is_full)
{
	const uint64_t now_us = clock_us();
	uint64_t rate = http->limits.fair_rate;
	struct http_connection *connection, *found = NULL;
	unsigned count = 0;

	TAILQ_FOREACH(connection, &http->connections, at)
	{
		if (!is_in(connection, crowd))
			continue;
		count++;
		if (is_slower(connection, now_us, &rate))
			found = connection;
	}
	*is_full = count >= crowd->most;
	return *is_full ? found : NULL;
}

/* Returns the turn of a body: turn_ms, and the time that its length takes at twice the
 * fair rate.  (At the fair rate itself no turn would end: a body that is not slow has
 * come by then.) */
static uint64_t
turn_us(const struct http_request *request)
{
	const struct http_limits *limits = &request->connection->http->limits;

	return limits->turn_ms * UINT64_C(1000) +
	       request->head.length * UINT64_C(500000) / limits->fair_rate;
}

/* Returns the body of the sender whose bodies have had places for longest, of those
 * that have had a turn more than `had_us`; else NULL.  All bodies of a sender count:
 * one that breaks off and begins again would have no turn that ends. */
static struct http_request *
greediest(const struct http *http, uint64_t had_us)
{
	const uint64_t now_us = clock_us();
	struct http_connection *connection;
	struct http_request *request, *found = NULL;
	uint64_t us, most = 0;

	TAILQ_FOREACH(connection, &http->connections, at)
	{
		if (connection->state != HTTP_BODY)
			continue;
		request = connection->request;
		us = request->had_us + now_us - request->since_us;
		if (us < had_us + turn_us(request) || us <= most)
			continue;
		found = request;
		most = us;
	}
	return found;
}

/* Ends a slow connection of each full crowd.  Returns false if a full crowd has
 * no slow one. */
static bool
make_room(struct http *http, const struct crowd *crowd, size_t crowds)
{
	struct http_connection *slow;
	bool is_full;

	for (size_t i = 0; i < crowds; i++) {
		if (crowd[i].address != NULL && !crowd[i].address->counted)
			continue;
		slow = slowest(http, &crowd[i], &is_full);
		if (slow == NULL && is_full)
			return false;
		if (slow != NULL && crowd[i].kind != BODIES)
			http_close(slow);
		else if (slow != NULL)
			http_refuse(slow->request, 429,
				    "the upload was too slow, and others "
				    "wait; try again later");
	}
	return true;
}

static unsigned
large_at(const struct http *http, const struct address *address)
{
	const struct http_connection *connection;
	unsigned count = 0;

	TAILQ_FOREACH(connection, &http->connections, at)
	count += connection->large && connection->address == address;
	return count;
}

/* Ends a large answer of the address with most, if that keeps at least as many as
 * this one's: the oldest that waits, else the oldest that is read.  Returns false if
 * there is none. */
static bool
take_from_most(const struct http_connection *mine)
{
	struct http *http = mine->http;
	struct http_connection *connection, *found = NULL;
	unsigned most = 2 * large_at(http, mine->address) + 3, here;
	bool waits;

	TAILQ_FOREACH(connection, &http->connections, at)
	{
		waits = connection->state == HTTP_WAITING;
		if (!connection->large || !connection->address->counted ||
		    (!waits && connection->state != HTTP_WRITING))
			continue;
		here = 2 * large_at(http, connection->address) + waits;
		if (here <= most)
			continue;
		most = here;
		found = connection;
	}
	if (found == NULL)
		return false;
	if (found->state == HTTP_WRITING) {
		http_close(found);
		return true;
	}
	http_take_back(found->request);
	http_refuse(
		found->request, 429,
		"too much is asked for from your address, and others wait; try "
		"again later");
	return true;
}

bool
http_expect_large(struct http_request *request)
{
	struct http_connection *mine = request->connection;
	const struct http_limits *limits = &mine->http->limits;
	const struct crowd own = { limits->large_each, LARGE_ANSWERS,
				   mine->address, NULL },
			   all = { limits->large, LARGE_ANSWERS, NULL, NULL };

	mine->large = make_room(mine->http, &own, 1) &&
		      (make_room(mine->http, &all, 1) || take_from_most(mine));
	return mine->large;
}

/* Ends a body for one of a sender whose bodies have had less time.  Returns false if
 * there is none. */
static bool
take_turn(struct http *http, const char *sender, uint64_t had_us)
{
	struct http_request *greedy =
		sender[0] == '\0' ? NULL : greediest(http, had_us);

	if (greedy == NULL)
		return false;
	http_refuse(greedy, 429,
		    "the upload took long, and others wait whose uploads took "
		    "less time today; try again later");
	return true;
}

/* Returns true if a body has come already.  The kernel may have the rest of a short
 * one: a head is read a part at a time. */
static bool
is_here(struct http_connection *connection, size_t length)
{
	struct evbuffer *in = connection->in;
	size_t here;

	while ((here = evbuffer_get_length(in)) < length &&
	       length <= connection->http->limits.head_bytes &&
	       evbuffer_read(in, connection->fd, (int)(length - here)) > 0)
		;
	return here >= length;
}

bool
http_expect_body(struct http_request *request, const char *sender,
		 uint64_t had_us)
{
	struct http_connection *mine = request->connection;
	struct http *http = mine->http;
	const struct http_limits *limits = &http->limits;
	const struct crowd own[] = {
		{ limits->bodies_sender, BODIES, NULL, sender },
		{ limits->bodies_each, BODIES, mine->address, NULL },
	};
	const struct crowd all = { limits->bodies, BODIES, NULL, NULL };

	if (is_here(mine, request->head.length))
		return true;
	if (!make_room(http, own, NELEM(own)) ||
	    (!make_room(http, &all, 1) && !take_turn(http, sender, had_us)))
		return http_refuse(
			request, 429,
			"too much data is being uploaded now; try again "
			"later");
	snprintf(request->sender, sizeof(request->sender), "%s", sender);
	request->had_us = had_us;
	return true;
}

bool
http_may_ask(struct http_request *request, unsigned an_hour)
{
	struct address *address = request->connection->address;

	return address == NULL || address_may_ask(address, an_hour, clock_us());
}

void
http_read_body(struct http_request *request, http_body *body,
	       http_body_left *left, void *arg)
{
	request->body = body;
	request->left = left;
	request->arg = arg;
	request->since_us = clock_us();
	http_take_body(request);
}

/* ---- what waits ------------------------------------------------------- */

/* Returns how many bytes the clients at `address` (NULL: all) have not read
 * yet. */
static size_t
unread(const struct http *http, const struct address *address)
{
	const struct http_connection *connection;
	size_t sum = 0;

	TAILQ_FOREACH(connection, &http->connections, at)
	if (connection->state !=
		    HTTP_WATCHING && /* watchers have a limit of their own */
	    (address == NULL || connection->address == address))
		sum += evbuffer_get_length(connection->out) +
		       connection->packing;
	return sum;
}

/* Returns true if `n` more bytes may wait.  Slow readers make room.  A single
 * one is always allowed. */
static bool
may_wait_at(struct http *http, const struct address *address, size_t most,
	    size_t n)
{
	const struct crowd crowd = { 0, ANSWERS, address, NULL };
	struct http_connection *slow;
	size_t before;
	bool is_full;

	while ((before = unread(http, address)) > 0 && before + n > most) {
		slow = slowest(http, &crowd, &is_full);
		if (slow == NULL)
			return false;
		http_close(slow);
	}
	return true;
}

static bool
may_wait(const struct http_connection *mine, size_t n)
{
	const struct http_limits *limits = &mine->http->limits;

	return (!mine->address->counted ||
		may_wait_at(mine->http, mine->address,
			    limits->unread_bytes_each, n)) &&
	       may_wait_at(mine->http, NULL, limits->unread_bytes, n);
}

/* ---- what is answered ------------------------------------------------- */

/* Names and texts of some status codes; `name` may be NULL. */
static const struct status {
	int code;
	const char *reason, *name, *value;
} statuses[] = {
	{ 200, "OK", NULL, NULL },
	{ 201, "Created", NULL, NULL },
	{ 202, "Accepted", NULL, NULL },
	{ 303, "See Other", NULL, NULL },
	{ 304, "Not Modified", NULL, NULL },
	{ 308, "Permanent Redirect", NULL, NULL },
	{ 400, "Bad Request", NULL, NULL },
	{ 401, "Unauthorized", "WWW-Authenticate", "Bearer" },
	{ 403, "Forbidden", NULL, NULL },
	{ 404, "Not Found", NULL, NULL },
	{ 405, "Method Not Allowed", NULL, NULL },
	{ 408, "Request Timeout", NULL, NULL },
	{ 409, "Conflict", NULL, NULL },
	{ 410, "Gone", NULL, NULL },
	{ 411, "Length Required", NULL, NULL },
	{ 413, "Content Too Large", NULL, NULL },
	{ 417, "Expectation Failed", NULL, NULL },
	{ 429, "Too Many Requests", "Retry-After", SERVE_RETRY_S },
	{ 431, "Request Header Fields Too Large", NULL, NULL },
	{ 503, "Service Unavailable", "Retry-After", SERVE_RETRY_S },
	{ 505, "HTTP Version Not Supported", NULL, NULL },
	{ 507, "Insufficient Storage", NULL, NULL },
};

static const struct status *
status_of(int code)
{
	const struct status *status = statuses;

	while (status->code != code)
		if (++status == statuses + NELEM(statuses))
			bug("unknown HTTP status %d", code);
	return status;
}

static const char *const caches[] = {
	[HTTP_NO_STORE] = "private, no-store",
	[HTTP_CHECK] = "no-cache",
	[HTTP_FOREVER] = "public, max-age=31536000, immutable",
};

static const char plain[] = "text/plain; charset=utf-8";

/* The content policies of pages, which load their own files, and of all other
 * answers. */
#define PAGE_POLICY                                                            \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src "    \
	"'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "    \
	"frame-ancestors 'none'"
#define BARE_POLICY "default-src 'none'; frame-ancestors 'none'"

/* Writes the first lines of an answer, up to those of its body.  A 304 repeats
 * the policy of its type, because it replaces the cached one.  A header of
 * `added` goes before that of the status. */
static void
write_head(struct text *to, int code, const char *type, bool keeps,
	   const char *added)
{
	const struct status *status = status_of(code);
	const bool page = strncmp(type, "text/html", 9) == 0;
	char date[64];

	evutil_date_rfc1123(date, sizeof(date), NULL); /* the present time */
	text_fmt(to,
		 "HTTP/1.1 %d %s\r\n"
		 "Date: %s\r\n"
		 "Connection: %s\r\n"
		 "Content-Security-Policy: %s\r\n"
		 "Referrer-Policy: no-referrer\r\n"
		 "X-Content-Type-Options: nosniff\r\n"
		 "X-Frame-Options: DENY\r\n",
		 code, status->reason, date, keeps ? "keep-alive" : "close",
		 page ? PAGE_POLICY : BARE_POLICY);
	if (status->name != NULL && strstr(added, status->name) == NULL)
		text_fmt(to, "%s: %s\r\n", status->name, status->value);
	text_str(to, added);
	if (code != 304)
		text_fmt(to, "Content-Type: %s\r\n", type);
}

size_t
http_refusal(char *to, size_t size, int code, const char *sentence)
{
	struct text head = { .max = SIZE_MAX };
	int n;

	write_head(&head, code, plain, false, "");
	n = snprintf(to, size,
		     "%sCache-Control: %s\r\nContent-Length: %zu\r\n\r\n"
		     "%d: %s\n",
		     text_string(&head), caches[HTTP_NO_STORE],
		     strlen("429: \n") + strlen(sentence), code, sentence);
	text_release(&head);
	if (n < 0 || (size_t)n >= size)
		bug("a refusal that is too long");
	return (size_t)n;
}

/* Returns who may cache an answer.  An answer to a token is for its holder
 * alone. */
static enum http_cache
cache_of(const struct http_request *request, const struct http_answer *answer)
{
	static const char *const private[] = { "Authorization", "X-Bot",
					       "X-Owner", "X-Code" };
	const char *value;

	for (size_t i = 0; i < NELEM(private); i++)
		if (http_head_field(&request->head, private[i], &value) > 0)
			return HTTP_NO_STORE;
	return answer->code >= 300 ? HTTP_NO_STORE : request->cache;
}

static void
make_etag(const struct http *http, const struct http_answer *answer,
	  char etag[ETAG_BYTES + 1])
{
	unsigned char hash[crypto_shorthash_BYTES];
	char hex[2 * sizeof(hash) + 1];

	crypto_shorthash(hash, answer->bytes, answer->n, http->secret);
	sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	snprintf(etag, ETAG_BYTES + 1, "\"%s\"", hex);
}

/* Returns true if the client has the answer already. */
static bool
is_known(const struct http_request *request, const char *etag)
{
	const char *value = "";

	return http_head_field(&request->head, "If-None-Match", &value) == 1 &&
	       (strcmp(value, "*") == 0 || strstr(value, etag) != NULL);
}

static void
write_body(struct http_connection *connection, const struct http_answer *answer)
{
	if (answer->piece != NULL)
		http_piece_add(answer->piece, connection->out);
	else if (answer->constant)
		evbuffer_add_reference(connection->out, answer->bytes,
				       answer->n, NULL, NULL);
	else
		evbuffer_add(connection->out, answer->bytes, answer->n);
}

static void
write_all(struct http_request *request, const struct http_answer *answer)
{
	struct http_connection *connection = request->connection;
	const enum http_cache cache = cache_of(request, answer);
	char etag[ETAG_BYTES + 1] = "";
	struct text head = { .max = SIZE_MAX };
	bool known;

	if (cache == HTTP_CHECK)
		make_etag(connection->http, answer, etag);
	known = etag[0] != '\0' && is_known(request, etag);
	write_head(&head, known ? 304 : answer->code, answer->type,
		   !connection->closes, text_string(&request->added));
	text_fmt(&head, "Cache-Control: %s\r\nVary: %s\r\n", caches[cache],
		 answer->constant
			 ? "Accept-Encoding"
			 : "Accept-Encoding, Authorization, X-Bot, X-Owner");
	if (etag[0] != '\0')
		text_fmt(&head, "ETag: %s\r\n", etag);
	if (answer->gzipped)
		text_str(&head, "Content-Encoding: gzip\r\n");
	if (!known)
		text_fmt(&head, "Content-Length: %zu\r\n", answer->n);
	text_str(&head, "\r\n");
	evbuffer_add(connection->out, head.bytes, head.used);
	text_release(&head);
	if (!known && !is_head(request))
		write_body(connection, answer);
}

bool
http_answer_head(struct http_request *request, const char *type)
{
	struct http_connection *connection = request->connection;
	struct text head = { .max = SIZE_MAX };

	connection->http->counts.answered++;
	connection->closes = true;
	write_head(&head, 200, type, false, text_string(&request->added));
	text_fmt(&head, "Cache-Control: %s\r\n", caches[HTTP_NO_STORE]);
	text_str(&head, "\r\n");
	evbuffer_add(connection->out, head.bytes, head.used);
	text_release(&head);
	if (!is_head(request))
		return false;
	http_send(connection);
	return true;
}

/* Returns true if the connection ends after this request. */
static bool
is_last(const struct http_request *request)
{
	const struct http_connection *connection = request->connection;

	return connection->closes || !request->head.keeps ||
	       request->used < request->head.length ||
	       connection->requests >= connection->http->limits.requests ||
	       connection->http->stopping;
}

static void
reply(struct http_request *request, const struct http_answer *answer)
{
	struct http_connection *connection = request->connection;

	connection->closes = is_last(request);
	if (answer->code < 400)
		connection->http->counts.answered++;
	else
		connection->http->counts.refused++;
	write_all(request, answer);
	http_send(connection);
}

void
http_set_cache(struct http_request *request, enum http_cache cache)
{
	request->cache = cache;
}

void
http_add_header(struct http_request *request, const char *name,
		const char *value)
{
	text_fmt(&request->added, "%s: %s\r\n", name, value);
}

void
http_retry_after(struct http_request *request, int64_t seconds)
{
	text_fmt(&request->added, "Retry-After: %" PRId64 "\r\n", seconds);
}

/* Returns true if gzip is worth it: a few bytes fit into one packet anyway.
 * Answers to a bot's token are gzipped, too: no other client can cause such a
 * request, so the length gives nothing away. */
static bool
is_worth_packing(const struct http_request *request,
		 const struct http_answer *answer)
{
	return request->connection->http->thread != NULL &&
	       answer->code == 200 && !answer->gzipped && !answer->constant &&
	       answer->piece == NULL && answer->n >= SERVE_GZIP_BYTES &&
	       http_takes_gzip(request);
}

static void
on_packed(void *arg, const void *bytes, size_t n, bool gzipped)
{
	struct http_request *request = arg;
	struct http_answer answer = request->answer;

	answer.bytes = bytes;
	answer.n = n;
	answer.gzipped = gzipped;
	request->connection->packing = 0;
	reply(request, &answer);
}

/* Gzips an answer, a large one in the thread. */
static void
pack(struct http_request *request, const struct http_answer *answer)
{
	struct http_connection *connection = request->connection;

	http_go_on(request);
	request->answer = *answer;
	connection->packing = answer->n;
	gzip_give(answer->n > SERVE_GZIP_NOW_BYTES ? connection->http->thread
						   : NULL,
		  answer->bytes, answer->n, on_packed, request);
}

void
http_answer(struct http_request *request, const struct http_answer *answer)
{
	if (!may_wait(request->connection, answer->n))
		http_refuse(request, 503,
			    "too many answers are not read yet; try again "
			    "later");
	else if (is_worth_packing(request, answer))
		pack(request, answer);
	else
		reply(request, answer);
}

void
http_answer_piece(struct http_request *request, const char *type,
		  struct http_piece *piece, bool gzipped)
{
	http_answer(request, &(struct http_answer){ .code = 200,
						    .type = type,
						    .bytes = piece->bytes,
						    .n = piece->n,
						    .gzipped = gzipped,
						    .piece = piece });
}

/* Writes a refusal, as a page for clients that accept pages, and returns its
 * type.  A head that could not be read has no path. */
static const char *
write_refusal(const struct http_request *request, int code,
	      const char *sentence, struct text *to)
{
	const struct http *http = request->connection->http;

	if (http->refusal_page == NULL || request->head.path == NULL ||
	    !http_head_word(&request->head, "Accept", "text/html")) {
		text_fmt(to, "%d: %s\n", code, sentence);
		return plain;
	}
	http->refusal_page(request->head.path, code, sentence, to);
	return "text/html; charset=utf-8";
}

bool
http_refuse(struct http_request *request, int code, const char *sentence)
{
	struct http_answer answer = { .code = code };
	struct text text = { .max = SIZE_MAX };

	answer.type = write_refusal(request, code, sentence, &text);
	answer.bytes = text.bytes;
	answer.n = text.used;
	request->connection->large = false;
	reply(request, &answer);
	text_release(&text);
	return false;
}

void
http_refuse_wrong(struct http_request *request, const char *who,
		  const char *sentence)
{
	struct http_connection *connection = request->connection;
	const unsigned ms = address_wrong(connection->address, clock_us());

	request->late = sentence;
	connection->http->refused(connection->http->arg, REFUSAL_TOKEN,
				  connection->from, who, sentence);
	http_wait_ms(connection, ms);
}

/* ---- life ------------------------------------------------------------- */

struct http *
http_new(struct loop *loop, const struct http_limits *limits,
	 struct addresses *addresses, http_allowed *allowed, http_asked *asked,
	 refusal_told *refused, void *arg)
{
	struct http *http = zeroed(1, sizeof(*http));

	http->loop = loop;
	http->limits = *limits;
	http->addresses = addresses;
	http->allowed = allowed;
	http->asked = asked;
	http->refused = refused;
	http->arg = arg;
	randombytes_buf(http->secret, sizeof(http->secret));
	TAILQ_INIT(&http->connections);
	return http;
}

void
http_stop(struct http *http)
{
	struct http_connection *connection, *next;

	http->stopping = true;
	for (unsigned i = 0; i < HTTP_LISTENERS; i++)
		if (http->listener[i] != NULL)
			http_unlisten(http, http->listener[i]);
	for (connection = TAILQ_FIRST(&http->connections); connection != NULL;
	     connection = next) {
		next = TAILQ_NEXT(connection, at);
		if (connection->state == HTTP_WRITING)
			http_wait_ms(connection, http->limits.linger_ms);
		else if (connection->state != HTTP_ASKED &&
			 connection->state != HTTP_WAITING)
			http_close(connection);
		else if (connection->request->late != NULL)
			http_refuse(connection->request, 401,
				    connection->request->late);
	}
}

void
http_free(struct http *http)
{
	struct http_connection *connection;

	if (http == NULL)
		return;
	http_stop(http);
	while ((connection = TAILQ_FIRST(&http->connections)) != NULL) {
		if (connection->state == HTTP_ASKED ||
		    connection->state == HTTP_WAITING)
			bug("a request waits for its answer");
		http_close(connection);
	}
	free(http);
}

void
http_set_limits(struct http *http, const struct http_limits *limits)
{
	http->limits = *limits;
}

void
http_set_proxies(struct http *http, const struct networks *proxies)
{
	http->proxies = *proxies;
}

void
http_set_refusal_page(struct http *http, http_refusal_page *page)
{
	http->refusal_page = page;
}

void
http_set_thread(struct http *http, struct thread *thread)
{
	http->thread = thread;
}

const struct http_counts *
http_counts(const struct http *http)
{
	return &http->counts;
}
