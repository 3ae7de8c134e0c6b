/* referee/away/away-link.c - dial, shake hands, read and write lines.
 *
 * A connection whose other side has silently gone is noticed by TCP itself:
 * the referee asks us with `ping`, we have no such question. */
#include "referee/away/away-link.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/line.h"
#include "protocol/text.h"
#include "referee/net/address.h"
#include "referee/net/connect.h"
#include "referee/net/link.h"
#include "referee/net/stream.h"

/* TCP's questions: the first after a third of the time, then three. */
#define SILENCE_S (AWAY_SILENCE_MS / 1000)
#define QUESTIONS 3

struct away_link {
	struct loop *loop;
	struct away_link_where where;
	const struct away_link_calls *calls;
	void *arg;
	struct connecting *connecting; /* NULL: not being dialled */
	struct stream *stream;	       /* NULL: not connected */
	bool open;
	struct line_reader reader; /* while there is a stream */
	struct text out;	   /* what has not left */
	struct loop_task send_task;
};

static void
lose(struct away_link *link, enum away_loss loss, const char *why)
{
	away_link_close(link);
	link->calls->lost(link->arg, loss, why);
}

/* ---- writing ---------------------------------------------------------- */

/* That it is broken, reading tells. */
static void
write_out(struct away_link *link)
{
	struct text *out = &link->out;
	ssize_t n;

	while (link->open && out->used > 0) {
		n = stream_write(link->stream, out->bytes, out->used);
		if (n == STREAM_BROKEN)
			n = (ssize_t)out->used;
		if (n <= 0)
			return;
		out->used -= (size_t)n;
		memmove(out->bytes, out->bytes + n, out->used);
	}
}

static void
on_send(struct loop_task *task)
{
	write_out((struct away_link *)((char *)task -
				       offsetof(struct away_link, send_task)));
}

static void
on_writable(void *arg)
{
	write_out(arg);
}

bool
away_link_line(struct away_link *link, const char *id, const char *line,
	       size_t n)
{
	struct text *out = &link->out;

	if (!link->open || out->used + LINK_PREFIX_BYTES + n + 1 > out->max)
		return false;
	if (id != NULL)
		text_fmt(out, "@%s ", id);
	text_add(out, line, n);
	text_add(out, "\n", 1);
	loop_post(link->loop, LOOP_SEND, &link->send_task);
	return true;
}

/* ---- reading ---------------------------------------------------------- */

static void
on_open(void *arg)
{
	struct away_link *link = arg;

	link->open = true;
	link->calls->open(link->arg);
}

static void
take_lines(struct away_link *link)
{
	enum line_result result;
	char *line;
	size_t n;

	while (link->stream != NULL) {
		result = line_take(&link->reader, &line, &n);
		if (result == LINE_NONE)
			return;
		if (result == LINE_OK)
			link->calls->line(link->arg, line, n);
		else
			lose(link, AWAY_CUT, "what came in was no line");
	}
}

static void
on_readable(void *arg)
{
	struct away_link *link = arg;
	struct error why;
	size_t room;
	char *to = line_space(&link->reader, &room);
	ssize_t n = stream_read(link->stream, to, room);
	const char *reason;

	if (n == STREAM_AGAIN)
		return;
	if (n > 0) {
		line_added(&link->reader, (size_t)n);
		take_lines(link);
		return;
	}
	reason = stream_why(link->stream);
	if (n == STREAM_END || *reason == '\0')
		reason = "the other side has ended it";
	if (link->open)
		error_set(&why, ERROR_INPUT, "the connection was lost: %.200s",
			  reason);
	else
		error_set(&why, ERROR_INPUT,
			  "no TLS with %.80s port %.8s: %.120s",
			  link->where.host, link->where.port, reason);
	lose(link, link->open ? AWAY_CUT : AWAY_DISTRUST, why.text);
}

/* ---- dialling --------------------------------------------------------- */

static bool
is_local(int fd)
{
	struct sockaddr_storage peer;
	socklen_t n = sizeof(peer);

	return getpeername(fd, (struct sockaddr *)&peer, &n) == 0 &&
	       address_is_local((const struct sockaddr *)&peer);
}

static void
watch_silence(int fd)
{
	const unsigned silence_ms = AWAY_SILENCE_MS;
	const int on = 1, idle_s = SILENCE_S / 3, count = QUESTIONS;
	const int each_s = (SILENCE_S - SILENCE_S / 3) / QUESTIONS;

	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof(idle_s));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &each_s, sizeof(each_s));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence_ms,
		   sizeof(silence_ms));
}

static const struct stream_calls stream_calls = {
	.open = on_open,
	.readable = on_readable,
	.writable = on_writable,
};

static void
on_connected(void *arg, int fd)
{
	struct away_link *link = arg;
	const struct away_link_where *where = &link->where;

	link->connecting = NULL;
	if (where->tls == NULL && !where->plain && !is_local(fd)) {
		close(fd);
		lose(link, AWAY_OPEN_LINE, "");
		return;
	}
	watch_silence(fd);
	link->stream = stream_new(link->loop, fd, where->tls, where->host,
				  &stream_calls, link);
	if (link->stream == NULL) {
		lose(link, AWAY_UNREACHED, "TLS cannot begin");
		return;
	}
	line_reader_init(&link->reader, LINE_REFEREE_BYTES + LINK_PREFIX_BYTES);
	if (where->tls == NULL)
		on_open(link);
}

static void
on_failed(void *arg, const char *why)
{
	struct away_link *link = arg;

	link->connecting = NULL;
	lose(link, AWAY_UNREACHED, why);
}

static const struct connect_calls connect_calls = {
	.done = on_connected,
	.failed = on_failed,
};

void
away_link_dial(struct away_link *link)
{
	if (link->connecting != NULL || link->stream != NULL)
		bug("dialling while connected");
	link->connecting =
		connect_start(link->loop, link->where.host, link->where.port,
			      &connect_calls, link);
}

/* ---- life ------------------------------------------------------------- */

void
away_link_close(struct away_link *link)
{
	if (link->connecting != NULL)
		connect_cancel(link->connecting);
	link->connecting = NULL;
	if (link->stream != NULL) {
		stream_free(link->stream);
		line_reader_release(&link->reader);
	}
	link->stream = NULL;
	link->open = false;
	text_clear(&link->out);
}

struct away_link *
away_link_new(struct loop *loop, const struct away_link_where *where,
	      const struct away_link_calls *calls, void *arg)
{
	struct away_link *link = memory(NULL, sizeof(*link));

	*link = (struct away_link){
		.loop = loop, .where = *where, .calls = calls, .arg = arg
	};
	link->send_task.run = on_send;
	text_init(&link->out, OUT_BYTES);
	return link;
}

void
away_link_free(struct away_link *link)
{
	if (link == NULL)
		return;
	away_link_close(link);
	loop_cancel(link->loop, &link->send_task);
	text_release(&link->out);
	free(link);
}
