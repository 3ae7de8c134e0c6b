/* referee/http/http-connection.c - connections over HTTP: which may come and
 * stay, and how their bytes move.
 *
 * A connection is freed in four places only: where its answer is sent, where it
 * is read, where its time is over, and where it makes room for another. */
#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/base/listener.h"
#include "referee/base/loop.h"
#include "referee/base/serve-limits.h"
#include "referee/http/http-forwarded.h"
#include "referee/http/http-inside.h"

#define ACCEPTS 64	  /* accepted in one pass of the loop */
#define DRAIN_BYTES 65536 /* dropped in one pass */
/* A piece in a queue takes about this much besides its bytes. */
#define PIECE_BYTES 128

static const char many_here[] =
	"there are too many connections from your address";

/* ---- life ------------------------------------------------------------- */

/* Returns true for a connection without a whole request, or whose request waits for
 * its turn.  Those make room first. */
static bool
is_unfinished(const struct http_connection *connection)
{
	return connection->state == HTTP_READING ||
	       connection->state == HTTP_WAITING ||
	       connection->state == HTTP_LINGERING;
}

static void
count(struct http_connection *connection, int by)
{
	if (connection->address == NULL)
		return;
	if (connection->state == HTTP_WATCHING)
		connection->address->watchers += (unsigned)by;
	else
		connection->address->visits += (unsigned)by;
	if (is_unfinished(connection))
		connection->address->unfinished += (unsigned)by;
}

static void
leave_address(struct http_connection *connection)
{
	count(connection, -1);
	if (connection->address != NULL)
		address_drop(connection->http->addresses, connection->address,
			     clock_us());
	connection->address = NULL;
}

/* Tells how long a body had its place, which it leaves now. */
static void
leave_place(const struct http_connection *connection)
{
	const struct http_request *request = connection->request;

	if (connection->state == HTTP_BODY)
		request->left(request->arg, request->sender,
			      clock_us() - request->since_us);
}

static void
set_state(struct http_connection *connection, enum http_state state)
{
	struct http *http = connection->http;

	leave_place(connection);
	count(connection, -1);
	connection->state = state;
	count(connection, 1);
	TAILQ_REMOVE(&http->connections, connection, at);
	TAILQ_INSERT_TAIL(&http->connections, connection, at);
}

void
http_let_wait(struct http_request *request, http_away *away, void *arg)
{
	request->away = away;
	request->away_arg = arg;
	set_state(request->connection, HTTP_WAITING);
}

void
http_go_on(struct http_request *request)
{
	set_state(request->connection, HTTP_ASKED);
}

void
http_take_back(struct http_request *request)
{
	http_go_on(request);
	request->away(request->away_arg, request);
}

void
http_wait_ms(struct http_connection *connection, unsigned ms)
{
	timer_after(&connection->timer, ms * UINT64_C(1000));
}

static void
free_request(struct http_connection *connection)
{
	struct http_request *request = connection->request;

	connection->request = NULL;
	if (request == NULL)
		return;
	text_release(&request->added);
	free(request->bytes);
	free(request->put);
	free(request);
}

void
http_close(struct http_connection *connection)
{
	struct http *http = connection->http;

	leave_place(connection);
	leave_address(connection);
	free_request(connection);
	event_del(&connection->read);
	event_del(&connection->write);
	timer_stop(&connection->timer);
	timer_stop(&connection->again);
	evbuffer_free(connection->in);
	evbuffer_free(connection->out);
	close(connection->fd);
	TAILQ_REMOVE(&http->connections, connection, at);
	if (connection->state == HTTP_WATCHING)
		http->counts.watchers--;
	else
		http->counts.connections--;
	if (connection->watch != NULL)
		connection->watch->gone(connection->watch_arg);
	free(connection);
}

static void
tell_refused(const struct http_connection *connection, enum refusal kind,
	     const char *why)
{
	connection->http->refused(connection->http->arg, kind, connection->from,
				  "", why);
}

/* ---- who may come ----------------------------------------------------- */

/* Refuses a connection before it has a struct.  Its input is read first,
 * because closing with unread bytes would lose the answer. */
static void
turn_away(struct http *http, int fd, const char *from, int code,
	  const char *sentence)
{
	char text[1024];
	size_t n = http_refusal(text, sizeof(text), code, sentence);

	http->counts.refused++;
	http->refused(http->arg, REFUSAL_LIMIT, from, "", sentence);
	(void)!send(fd, text, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	shutdown(fd, SHUT_WR);
	while (recv(fd, text, sizeof(text), MSG_DONTWAIT) ==
	       (ssize_t)sizeof(text))
		;
}

/* Returns true if its request has not come yet, or not completely. */
static bool
is_waited_for(const struct http_connection *connection)
{
	return connection->state == HTTP_READING &&
	       (connection->requests == 0 || connection->scanned > 0);
}

/* Returns how readily a connection is sent away; 0: never. */
static unsigned
rank_of(const struct http_connection *connection)
{
	if (is_unfinished(connection))
		return 2;
	return connection->state == HTTP_WRITING ||
	       (connection->state == HTTP_ASKED &&
		connection->request->late != NULL);
}

/* Returns true if an address loses less by this one than by one that has a whole
 * request. */
static bool
is_better(const struct http_connection *connection,
	  const struct http_connection *found)
{
	return found->state == HTTP_WAITING &&
	       connection->state != HTTP_WAITING &&
	       connection->address == found->address;
}

/* Returns the connection to send away, of this address or of all (NULL): the
 * oldest without a whole request, else the oldest, from the address with the most
 * unfinished ones.  Returns NULL if none can go. */
static struct http_connection *
most_tiresome(const struct http *http, const struct address *address)
{
	struct http_connection *connection, *found = NULL;
	unsigned rank = 0, here = 0, rank_here, unfinished;

	TAILQ_FOREACH(connection, &http->connections, at)
	{
		if (address != NULL && connection->address != address)
			continue;
		rank_here = rank_of(connection);
		unfinished = connection->address == NULL
				     ? 0
				     : connection->address->unfinished;
		if (rank_here < rank || rank_here == 0 ||
		    (rank_here == rank && unfinished <= here &&
		     !is_better(connection, found)))
			continue;
		found = connection;
		rank = rank_here;
		here = unfinished;
	}
	return found;
}

/* Sends a connection away.  It gets an answer only if it waits for one: between
 * two requests it would take it for the answer to the next. */
static void
send_away(struct http_connection *connection, int code, const char *sentence)
{
	const bool waits = connection->state == HTTP_WAITING;

	if (waits)
		http_take_back(connection->request);
	if (waits || is_waited_for(connection))
		turn_away(connection->http, connection->fd, connection->from,
			  code, sentence);
	http_close(connection);
}

/* Makes room for a newcomer.  Returns NULL, or why there is none, and sets
 * `*code`. */
static const char *
make_room(struct http *http, const struct address *address, bool proxied,
	  int *code)
{
	struct http_connection *connection;

	*code = 429;
	if (!proxied && address->counted &&
	    address->visits >= http->limits.each_address) {
		connection = most_tiresome(http, address);
		if (connection == NULL)
			return many_here;
		send_away(connection, *code, many_here);
	}
	*code = 503;
	if (http->counts.connections >= http->limits.connections) {
		connection = most_tiresome(http, NULL);
		if (connection == NULL)
			return "there are too many connections";
		send_away(connection, *code, "there are too many connections");
	}
	return NULL;
}

static void on_readable(evutil_socket_t fd, short what, void *arg);
static void on_writable(evutil_socket_t fd, short what, void *arg);
static void on_again(void *arg);
static void on_time(void *arg);

static void
add(struct http *http, const struct listener *listener, int fd,
    struct address *address, const char from[ADDRESS_TEXT_BYTES], bool proxied)
{
	struct http_connection *connection = zeroed(1, sizeof(*connection));

	connection->http = http;
	connection->listener = listener;
	connection->fd = fd;
	connection->address = address;
	memcpy(connection->from, from, sizeof(connection->from));
	connection->proxied = proxied;
	connection->in = evbuffer_new();
	connection->out = evbuffer_new();
	if (connection->in == NULL || connection->out == NULL)
		bug("out of memory");
	event_assign(&connection->read, http->loop->base, fd,
		     EV_READ | EV_PERSIST, on_readable, connection);
	event_assign(&connection->write, http->loop->base, fd, EV_WRITE,
		     on_writable, connection);
	timer_init(&connection->timer, &http->loop->timers, on_time,
		   connection);
	timer_init(&connection->again, &http->loop->timers, on_again,
		   connection);
	event_add(&connection->read, NULL);
	TAILQ_INSERT_TAIL(&http->connections, connection, at);
	http->counts.connections++;
	count(connection, 1);
	http_wait_ms(connection, http->limits.ms);
}

static void
let_in(void *arg, struct listener *listener, int fd,
       const struct sockaddr *from)
{
	struct http *http = arg;
	const bool proxied = networks_have(&http->proxies, from);
	struct address *address = address_take(http->addresses, from);
	char text[ADDRESS_TEXT_BYTES] = "";
	const int one = 1;
	const char *why;
	int code;

	address_text(from, text);
	why = make_room(http, address, proxied, &code);
	if (why != NULL) {
		address_drop(http->addresses, address, clock_us());
		turn_away(http, fd, text, code, why);
		close(fd);
		return;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	add(http, listener, fd, address, text, proxied);
}

void
http_listen(struct http *http, struct listener *listener)
{
	const struct listener_plan plan = { .accepts = ACCEPTS,
					    .pause_ms = http->limits.pause_ms,
					    .kernel_bytes = SERVE_KERNEL_BYTES,
					    .in = let_in };
	unsigned i;

	for (i = 0; http->listener[i] != NULL; i++)
		if (i + 1 == HTTP_LISTENERS)
			bug("too many listeners");
	http->listener[i] = listener;
	listener_begin(listener, http->loop, &plan, http);
}

/* Closes connections that wait for nothing, and the others once they are
 * answered. */
static void
see_off(struct http *http, const struct listener *listener)
{
	struct http_connection *connection, *next;

	for (connection = TAILQ_FIRST(&http->connections); connection != NULL;
	     connection = next) {
		next = TAILQ_NEXT(connection, at);
		if (connection->listener != listener)
			continue;
		connection->listener = NULL;
		connection->closes = true;
		if (connection->state == HTTP_READING &&
		    connection->requests > 0 && connection->scanned == 0)
			http_close(connection);
	}
}

void
http_unlisten(struct http *http, struct listener *listener)
{
	unsigned i;

	for (i = 0; http->listener[i] != listener; i++)
		if (i + 1 == HTTP_LISTENERS)
			bug("a listener that is not ours");
	http->listener[i] = NULL;
	see_off(http, listener);
	listener_free(listener);
}

/* ---- on whose behalf -------------------------------------------------- */

static bool
come_from(struct http_connection *connection, const struct sockaddr *from)
{
	struct http *http = connection->http;

	leave_address(connection);
	connection->address = address_take(http->addresses, from);
	address_text(from, connection->from);
	count(connection, 1);
	return !connection->address->counted ||
	       connection->address->visits <= http->limits.each_address;
}

/* Counts the request of a proxy for the address that the proxy names.  Between
 * two requests the connection counts for the proxy, which has no limit of its
 * own.  Returns NULL, or why it is refused. */
static const char *
come_by_proxy(struct http_connection *connection, int *code)
{
	struct sockaddr_storage from = { .ss_family = AF_UNSPEC };
	socklen_t size = sizeof(from);

	*code = 400;
	/* A connection that has gone meanwhile has no address. */
	if (getpeername(connection->fd, (struct sockaddr *)&from, &size) < 0)
		from.ss_family = AF_UNSPEC;
	if (connection->request != NULL &&
	    !http_forwarded(&connection->http->proxies,
			    &connection->request->head, &from))
		return "expected the same client in X-Forwarded-For and "
		       "Forwarded";
	*code = 429;
	return come_from(connection, (struct sockaddr *)&from) ||
			       connection->request == NULL
		       ? NULL
		       : many_here;
}

/* ---- reading ---------------------------------------------------------- */

static void
read_again(struct http_connection *connection)
{
	if (connection->paused && !connection->ended)
		event_add(&connection->read, NULL);
	connection->paused = false;
}

/* Begins a request whose head is the first `n` bytes of the input, or refuses
 * it. */
static void
begin(struct http_connection *connection, size_t n, int code, const char *wrong)
{
	struct http_request *request = zeroed(1, sizeof(*request));

	request->connection = connection;
	request->bytes = memory(NULL, n + 1);
	text_init(&request->added, SIZE_MAX);
	evbuffer_remove(connection->in, request->bytes, n);
	request->bytes[n] = '\0';
	connection->request = request;
	connection->requests++;
	connection->scanned = 0;
	set_state(connection, HTTP_ASKED);
	timer_stop(&connection->timer);
	if (code == 0)
		code = http_head_read(request->bytes, n, &request->head,
				      &wrong);
	/* Nothing is known about the bytes that follow. */
	if (code != 0)
		connection->closes = true;
	else if (connection->proxied &&
		 (wrong = come_by_proxy(connection, &code)) == NULL)
		code = 0;
	if (wrong == many_here)
		tell_refused(connection, REFUSAL_LIMIT, wrong);
	if (code != 0)
		http_refuse(request, code, wrong);
	else
		http_begin(request);
}

/* Looks if the input is a request, or may become one. */
static void
look(struct http_connection *connection)
{
	const size_t n = evbuffer_get_length(connection->in),
		     most = connection->http->limits.head_bytes;
	const char *bytes, *wrong = NULL;
	bool first = connection->scanned == 0 && connection->requests > 0;
	ptrdiff_t end;

	if (n > 0) {
		bytes = (const char *)evbuffer_pullup(connection->in, -1);
		end = http_head_find(bytes, n, &connection->scanned, &wrong);
		if (end != 0)
			begin(connection, end > 0 ? (size_t)end : 0,
			      end > 0 ? 0 : 400, wrong);
		else if (n >= most)
			begin(connection, 0, 431,
			      "expected a shorter request, without its body");
		if (end != 0 || n >= most)
			return;
	}
	if (connection->ended)
		http_close(connection);
	else if (n > 0 && first)
		http_wait_ms(connection, connection->http->limits.ms);
}

/* Returns 1 if something came or may come; 0 at the end; -1 if the connection
 * is broken. */
static int
result_of(ssize_t n)
{
	if (n > 0)
		return 1;
	if (n == 0)
		return 0;
	return errno == EAGAIN || errno == EINTR ? 1 : -1;
}

static void
read_head(struct http_connection *connection)
{
	const size_t most = connection->http->limits.head_bytes,
		     n = evbuffer_get_length(connection->in);
	int result = 1;

	if (n < most && !connection->ended)
		result = result_of(evbuffer_read(connection->in, connection->fd,
						 (int)(most - n)));
	if (result < 0) {
		http_close(connection);
		return;
	}
	if (result == 0) {
		connection->ended = true;
		event_del(&connection->read);
	}
	look(connection);
}

static void
has_body(struct http_request *request)
{
	struct http_connection *connection = request->connection;

	set_state(connection, HTTP_ASKED);
	timer_stop(&connection->timer);
	request->body(request->arg, request, request->put, request->used);
}

/* Returns when the time of a body ends.  When the timer fires, it compares with
 * this. */
static uint64_t
body_until_us(const struct http_request *request)
{
	const struct http_limits *limits = &request->connection->http->limits;

	return request->since_us + limits->body_ms * UINT64_C(1000) +
	       request->used * UINT64_C(1000000) / limits->body_rate;
}

static void
read_body(struct http_connection *connection)
{
	struct http_request *request = connection->request;
	const size_t left = request->head.length - request->used;
	ssize_t n = recv(connection->fd, request->put + request->used, left, 0);

	if (result_of(n) <= 0) {
		http_close(connection);
		return;
	}
	if (n > 0)
		request->used += (size_t)n;
	if (request->used == request->head.length)
		has_body(request);
	else
		timer_at(&connection->timer, body_until_us(request));
}

void
http_take_body(struct http_request *request)
{
	static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
	struct http_connection *connection = request->connection;
	const size_t length = request->head.length,
		     here = evbuffer_get_length(connection->in);

	if (connection->ended && here < length) {
		http_close(connection);
		return;
	}
	request->put = memory(NULL, length + 1);
	request->used = here < length ? here : length;
	evbuffer_remove(connection->in, request->put, request->used);
	if (request->used == length) {
		has_body(request);
		return;
	}
	/* Nothing else waits to be written, so the kernel has room. */
	if (request->head.expects && here == 0)
		(void)!send(connection->fd, go_on, sizeof(go_on) - 1,
			    MSG_DONTWAIT | MSG_NOSIGNAL);
	set_state(connection, HTTP_BODY);
	timer_at(&connection->timer, body_until_us(request));
	read_again(connection);
}

static void
drop_input(struct http_connection *connection)
{
	static char dropped[DRAIN_BYTES];

	if (result_of(recv(connection->fd, dropped, sizeof(dropped), 0)) <= 0)
		http_close(connection);
}

static void
on_again(void *arg)
{
	struct http_connection *connection = arg;

	switch (connection->state) {
	case HTTP_READING:
		read_head(connection);
		break;
	case HTTP_BODY:
		read_body(connection);
		break;
	case HTTP_LINGERING:
		drop_input(connection);
		break;
	case HTTP_WATCHING: /* a watcher has nothing to say: it leaves */
		http_close(connection);
		break;
	case HTTP_ASKED:
	case HTTP_WAITING:
	case HTTP_WRITING:
		event_del(&connection->read);
		connection->paused = true;
		break;
	}
}

static void
on_readable(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	on_again(arg);
}

/* ---- pieces ----------------------------------------------------------- */

struct http_piece *
http_piece_new(const char *bytes, size_t n)
{
	struct http_piece *piece = memory(NULL, sizeof(*piece) + n);

	piece->users = 1;
	piece->n = n;
	memcpy(piece->bytes, bytes, n);
	return piece;
}

void
http_piece_drop(struct http_piece *piece)
{
	if (piece != NULL && --piece->users == 0)
		free(piece);
}

static void
on_sent(const void *bytes UNUSED, size_t n UNUSED, void *arg)
{
	http_piece_drop(arg);
}

void
http_piece_add(struct http_piece *piece, struct evbuffer *to)
{
	piece->users++;
	if (evbuffer_add_reference(to, piece->bytes, piece->n, on_sent, piece) <
	    0)
		bug("out of memory");
}

/* ---- writing ---------------------------------------------------------- */

/* Waits for the other side to end.  It may still be sending, and closing a
 * socket with unread bytes would lose the answer. */
static void
linger(struct http_connection *connection)
{
	if (connection->ended || connection->http->stopping) {
		http_close(connection);
		return;
	}
	shutdown(connection->fd, SHUT_WR);
	evbuffer_drain(connection->in, evbuffer_get_length(connection->in));
	set_state(connection, HTTP_LINGERING);
	http_wait_ms(connection, connection->http->limits.linger_ms);
	read_again(connection);
}

static void
finish(struct http_connection *connection)
{
	int code;

	connection->large = false;
	if (connection->closes) {
		linger(connection);
		return;
	}
	set_state(connection, HTTP_READING);
	if (connection->proxied)
		(void)!come_by_proxy(connection, &code);
	http_wait_ms(connection, connection->http->limits.idle_ms);
	read_again(connection);
	/* Goes on in the next pass of the loop, so that others get their turn. */
	if (connection->ended || evbuffer_get_length(connection->in) > 0)
		timer_after(&connection->again, 0);
}

/* Writes as much as it can.  Returns false if the connection was broken and is
 * freed. */
static bool
write_some(struct http_connection *connection)
{
	if (evbuffer_get_length(connection->out) > 0 &&
	    evbuffer_write(connection->out, connection->fd) < 0 &&
	    errno != EAGAIN && errno != EINTR) {
		http_close(connection);
		return false;
	}
	if (evbuffer_get_length(connection->out) > 0)
		event_add(&connection->write, NULL);
	return true;
}

static void
flush(struct http_connection *connection)
{
	if (write_some(connection) && evbuffer_get_length(connection->out) == 0)
		finish(connection);
}

static void
on_writable(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct http_connection *connection = arg;

	if (connection->state == HTTP_WATCHING)
		http_watch_flush(connection);
	else
		flush(connection);
}

void
http_send(struct http_connection *connection)
{
	set_state(connection, HTTP_WRITING);
	free_request(connection);
	connection->sending = evbuffer_get_length(connection->out);
	connection->sending_since_us = clock_us();
	http_wait_ms(connection, connection->http->stopping
					 ? connection->http->limits.linger_ms
					 : connection->http->limits.ms);
	flush(connection);
}

/* ---- who watches ------------------------------------------------------ */

/* Returns the oldest watcher of the address with the most, if that address
 * keeps at least as many as this one's; or NULL. */
static struct http_connection *
watcher_to_go(const struct http_connection *mine)
{
	struct http_connection *connection, *found = NULL;
	unsigned most = mine->address->watchers + 1;

	TAILQ_FOREACH(connection, &mine->http->connections, at)
	{
		if (connection->state != HTTP_WATCHING ||
		    !connection->address->counted ||
		    connection->address->watchers <= most)
			continue;
		most = connection->address->watchers;
		found = connection;
	}
	return found;
}

static const char *
too_many(const struct http_connection *mine)
{
	const struct http *http = mine->http;
	struct http_connection *other;

	if (mine->address->counted &&
	    mine->address->watchers >= http->limits.watchers_each)
		return "too many watch from your address";
	if (http->counts.watchers < http->limits.watchers)
		return NULL;
	other = watcher_to_go(mine);
	if (other == NULL)
		return "too many watch now; try again later";
	http_close(other);
	return NULL;
}

static void
become_watcher(struct http_connection *connection)
{
	struct http *http = connection->http;

	free_request(connection);
	set_state(connection, HTTP_WATCHING);
	http->counts.connections--;
	http->counts.watchers++;
	http_wait_ms(connection, http->limits.watch_ms);
	read_again(connection);
}

struct http_connection *
http_watch(struct http_request *request, const struct http_watch *watch,
	   void *arg)
{
	struct http_connection *connection = request->connection;
	const char *why = too_many(connection);

	if (why != NULL) {
		http_refuse(request, 429, why);
		return NULL;
	}
	http_add_header(request, "X-Accel-Buffering", "no");
	if (http_answer_head(request, "text/event-stream"))
		return NULL;
	connection->watch = watch;
	connection->watch_arg = arg;
	become_watcher(connection);
	return connection;
}

size_t
http_watch_room(const struct http_connection *connection)
{
	const size_t most = connection->http->limits.watcher_bytes;

	return connection->queued < most ? most - connection->queued : 0;
}

bool
http_watch_put(struct http_connection *connection, struct http_piece *piece)
{
	if (piece->n + PIECE_BYTES > http_watch_room(connection))
		return false;
	connection->queued += piece->n + PIECE_BYTES;
	http_piece_add(piece, connection->out);
	return true;
}

void
http_watch_flush(struct http_connection *connection)
{
	const size_t before = evbuffer_get_length(connection->out);

	if (before == 0)
		return;
	if (!write_some(connection))
		return;
	if (evbuffer_get_length(connection->out) < before)
		http_wait_ms(connection, connection->http->limits.watch_ms);
	if (evbuffer_get_length(connection->out) > 0)
		return;
	connection->queued = 0;
	connection->watch->drained(connection->watch_arg);
}

/* Handles a watcher that has read nothing, or was sent nothing, for its time. */
static void
watch_late(struct http_connection *connection)
{
	static const char silence[] = ":\n\n";

	if (evbuffer_get_length(connection->out) > 0) {
		http_close(connection);
		return;
	}
	evbuffer_add(connection->out, silence, sizeof(silence) - 1);
	http_watch_flush(connection);
}

/* ---- time ------------------------------------------------------------- */

static void
end_late(struct http_connection *connection)
{
	if (is_waited_for(connection))
		tell_refused(connection, REFUSAL_HELLO,
			     "no request came in time");
	if (connection->state == HTTP_BODY)
		http_refuse(connection->request, 408,
			    "expected the body in time");
	else if (connection->scanned > 0)
		begin(connection, 0, 408, "expected the request in time");
	else
		http_close(connection);
}

static void
on_time(void *arg)
{
	struct http_connection *connection = arg;
	const struct http_request *request = connection->request;

	if (connection->state == HTTP_WATCHING)
		watch_late(connection);
	else if (request != NULL && request->late != NULL)
		http_refuse(connection->request, 401, request->late);
	else
		end_late(connection);
}
