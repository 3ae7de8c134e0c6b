/* referee/http/http-watch.c - streams of events: connections that are answered
 * bit by bit, as long as they stay. */
#include <event2/buffer.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "referee/base/loop.h"
#include "referee/http/http-inside.h"

/* What a piece in a queue takes beside its bytes, about. */
#define PIECE_BYTES 128

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

/* ---- who watches ------------------------------------------------------ */

static const char *
too_many(const struct http_connection *mine)
{
	const struct http *http = mine->http;

	if (http->watchers >= http->limits.watchers)
		return "too many watch now; try again later";
	if (mine->address->counted &&
	    mine->address->watchers >= http->limits.watchers_each)
		return "too many watch from your address";
	return NULL;
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
	http_become_watcher(connection);
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

/* Whether it is still there. */
void
http_watch_flush(struct http_connection *connection)
{
	const size_t before = evbuffer_get_length(connection->out);

	if (before == 0)
		return;
	if (!http_write(connection))
		return;
	if (evbuffer_get_length(connection->out) < before)
		http_wait_us(connection, connection->http->limits.watch_ms *
						 (uint64_t)1000);
	if (evbuffer_get_length(connection->out) > 0)
		return;
	connection->queued = 0;
	connection->watch->drained(connection->watch_arg);
}

/* Nothing was read of it, or nothing was said, for so long. */
void
http_watch_late(struct http_connection *connection)
{
	static const char silence[] = ":\n\n";

	if (evbuffer_get_length(connection->out) > 0) {
		http_close(connection);
		return;
	}
	evbuffer_add(connection->out, silence, sizeof(silence) - 1);
	http_watch_flush(connection);
}
