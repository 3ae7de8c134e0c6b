/* referee/runner/channel.c - a bufferevent and its messages. */
#include "referee/runner/channel.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "referee/runner/wire.h"

#define HEAD_BYTES 24

struct channel {
	struct bufferevent *stream;
	const struct channel_calls *calls;
	void *arg;
	bool gone;
};

static void
say_gone(struct channel *channel, bool garbled)
{
	if (channel->gone)
		return;
	channel->gone = true;
	bufferevent_disable(channel->stream, EV_READ | EV_WRITE);
	channel->calls->gone(channel->arg, garbled);
}

/* Takes one message.  Returns false if none is complete. */
static bool
take(struct channel *channel, struct evbuffer *in)
{
	const size_t there = evbuffer_get_length(in);
	struct wire head;
	uint64_t n, kind;

	if (there < HEAD_BYTES || channel->gone)
		return false;
	head = (struct wire){ .at = (char *)evbuffer_pullup(in, HEAD_BYTES),
			      .left = HEAD_BYTES };
	n = wire_take_max(&head, CHANNEL_BYTES);
	head.bad |= wire_take(&head) != CHANNEL_VERSION;
	kind = wire_take_max(&head, CHANNEL_KINDS - 1);
	if (head.bad) {
		say_gone(channel, true);
		return false;
	}
	if (there < HEAD_BYTES + n)
		return false;
	evbuffer_drain(in, HEAD_BYTES);
	channel->calls->message(channel->arg, (enum channel_kind)kind,
				(char *)evbuffer_pullup(in, (ssize_t)n),
				(size_t)n);
	evbuffer_drain(in, n);
	return true;
}

static void
on_readable(struct bufferevent *stream, void *arg)
{
	struct channel *channel = arg;

	while (take(channel, bufferevent_get_input(stream)))
		;
}

static void
on_event(struct bufferevent *stream UNUSED, short what, void *arg)
{
	if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))
		say_gone(arg, false);
}

struct channel *
channel_new(struct loop *loop, int fd, const struct channel_calls *calls,
	    void *arg)
{
	struct channel *channel = memory(NULL, sizeof(*channel));

	*channel = (struct channel){ .calls = calls, .arg = arg };
	evutil_make_socket_nonblocking(fd);
	channel->stream =
		bufferevent_socket_new(loop->base, fd, BEV_OPT_CLOSE_ON_FREE);
	if (channel->stream == NULL)
		bug("out of memory");
	bufferevent_setcb(channel->stream, on_readable, NULL, on_event,
			  channel);
	bufferevent_enable(channel->stream, EV_READ | EV_WRITE);
	return channel;
}

/* Shuts the socket down now: a later pass of the loop, if there is one, closes
 * the descriptor, and the other side must not wait for that. */
void
channel_free(struct channel *channel)
{
	shutdown(bufferevent_getfd(channel->stream), SHUT_RDWR);
	bufferevent_free(channel->stream);
	free(channel);
}

void
channel_send(struct channel *channel, enum channel_kind kind,
	     const struct text *what)
{
	struct text head = { .max = HEAD_BYTES };

	if (what->full)
		bug("a message of more than %zu bytes", what->max);
	wire_put(&head, what->used);
	wire_put(&head, CHANNEL_VERSION);
	wire_put(&head, kind);
	if (bufferevent_write(channel->stream, head.bytes, head.used) < 0 ||
	    (what->used > 0 &&
	     bufferevent_write(channel->stream, what->bytes, what->used) < 0))
		bug("out of memory");
	text_release(&head);
}

bool
channel_has_sent(const struct channel *channel)
{
	return evbuffer_get_length(bufferevent_get_output(channel->stream)) ==
	       0;
}
