/* referee/http/http-listen.c - where visitors come in over HTTP. */
#include "referee/base/listener.h"
#include "referee/base/serve-limits.h"
#include "referee/http/http-inside.h"

#define ACCEPTS 64 /* in one go of the loop */

void
http_listen(struct http *http, struct listener *listener)
{
	const struct listener_plan plan = { .accepts = ACCEPTS,
					    .pause_ms = http->limits.pause_ms,
					    .kernel_bytes = SERVE_KERNEL_BYTES,
					    .in = http_let_in };
	unsigned i;

	for (i = 0; http->listener[i] != NULL; i++)
		if (i + 1 == HTTP_LISTENERS)
			bug("too many listeners");
	http->listener[i] = listener;
	listener_begin(listener, http->base, &plan, http);
}

/* Those who wait for nothing go, the others once they are answered. */
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
