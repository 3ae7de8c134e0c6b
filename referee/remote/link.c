/* referee/remote/link.c - lines in, lines out, and the end of a connection.
 *
 * A link that ends goes on for a while without a listener: its last lines
 * leave, the sending half is closed, and what still comes in is dropped until
 * the other side ends, too.  To close at once, with unread bytes, would reset
 * the connection and take the last lines away from the reader.
 *
 * One timer serves all times.  It is armed for the earliest, and when it fires
 * the clock decides what is due. */
#include "referee/remote/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "referee/base/rate-limit.h"
#include "referee/remote/door.h"
#include "referee/remote/stream.h"

/* The shortest rest of a link that sends too fast: a few long rests cost less
 * than many short ones. */
#define REST_US 20000

const struct link_limits link_limits = {
	.line_bytes = LINE_BOT_BYTES + LINK_PREFIX_BYTES,
	.out_bytes = OUT_BYTES,
	.hello_ms = HELLO_MS,
	.ping_ms = PING_MS,
	.pong_ms = PONG_MS,
	.lines_a_second = LINES_A_SECOND,
	.lines_at_once = LINES_AT_ONCE,
	.useless_max = CHATTER_MAX,
	.useless_ms = USELESS_MS,
	.bye_ms = BYE_MS,
};

enum link_state {
	LINK_HELLO,   /* has not said who it is */
	LINK_OPEN,    /* all lines may be sent */
	LINK_CLOSING, /* its last lines leave */
	LINK_SHUT,    /* they have left; waits for the other side to end */
};

struct link {
	struct links *links;
	struct link *next, **prev; /* in links->first */
	struct stream *stream;
	enum link_state state;
	const struct link_calls *calls; /* NULL: no listener */
	void *arg;
	struct visitor *visitor; /* owned; or NULL */
	/* in */
	struct line_reader reader;
	size_t skipped;	  /* bytes of a line that is too long */
	size_t dropped;	  /* bytes that came in when it was closing */
	const char *last; /* the link is closed with this sentence at until_us;
			   * or NULL */
	uint64_t rest_us; /* not read before this time; 0: read */
	struct rate lines, useless;
	bool tiresome; /* too many useless lines */
	/* out */
	char *out; /* owned */
	size_t used, size, allowed;
	uint64_t written;
	bool overfull;
	struct loop_task send_task;
	/* times */
	struct timer timer;
	uint64_t until_us;	/* end of hello, or of closing */
	uint64_t heard_us;	/* time of the last line */
	uint64_t ping_us;	/* 0: no ping waits for its answer */
	unsigned pings, ponged; /* numbers of the last ping and of the last
				 * answered one */
};

static uint64_t
us(unsigned ms)
{
	return ms * (uint64_t)1000;
}

static bool
is_closing(const struct link *link)
{
	return link->state >= LINK_CLOSING;
}

/* ---- time ----------------------------------------------------------- */

static uint64_t
next_due(const struct link *link)
{
	const struct link_limits *limits = &link->links->limits;
	uint64_t due_us;

	if (link->state != LINK_OPEN)
		due_us = link->until_us;
	else if (limits->ping_ms == 0)
		due_us = UINT64_MAX;
	else if (link->ping_us != 0)
		due_us = link->ping_us + us(limits->pong_ms);
	else
		due_us = link->heard_us + us(limits->ping_ms);
	if (link->rest_us != 0 && link->rest_us < due_us)
		due_us = link->rest_us;
	return due_us;
}

/* Arms the timer for the earliest time.  When it fires, the clock decides what
 * is due. */
static void
arm_timer(struct link *link)
{
	uint64_t due_us = next_due(link);

	if (due_us != UINT64_MAX)
		timer_by(&link->timer, due_us);
}

/* ---- the end -------------------------------------------------------- */

static bool write_out(struct link *link);

static void
link_destroy(struct link *link)
{
	LIST_CUT(link);
	link->links->count--;
	loop_cancel(link->links->loop, &link->send_task);
	timer_stop(&link->timer);
	stream_free(link->stream);
	line_reader_release(&link->reader);
	if (link->visitor != NULL)
		visitor_free(link->visitor);
	free(link->out);
	free(link);
}

/* Shuts the sending half: everything has left, or cannot leave any more. */
static void
shut(struct link *link)
{
	if (stream_has_ended(link->stream)) {
		link_destroy(link); /* nothing to wait for */
		return;
	}
	link->state = LINK_SHUT;
	stream_shut(link->stream);
}

void
link_close(struct link *link, const char *sentence)
{
	uint64_t now_us = clock_us();
	char line[512];
	int n;

	if (is_closing(link))
		return;
	link->calls = NULL;
	link->overfull = false;
	link_allow(link, sizeof(line) + 8);
	if (sentence != NULL && !link->links->limits.no_bye) {
		n = snprintf(line, sizeof(line), "error %.500s", sentence);
		link_line(link, NULL, line, (size_t)n);
	}
	if (!link->links->limits.no_bye)
		link_line(link, NULL, "bye", 3);
	link->state = LINK_CLOSING;
	link->rest_us = 0;
	link->last = NULL;
	link->until_us = now_us + us(link->links->limits.bye_ms);
	stream_pause(link->stream, false);
	arm_timer(link);
	link_flush(link);
}

/* Ends the link on our side. gone() is the last call, and the listener does not
 * use the link after it. */
static void
end(struct link *link, bool flooded, const char *why)
{
	const struct link_calls *calls = link->calls;
	void *arg = link->arg;

	if (flooded)
		link->used =
			0; /* half a line may have left; that does no harm */
	link_close(link, why);
	if (calls != NULL && calls->gone != NULL)
		calls->gone(link, arg, flooded, why);
}

void
link_cut(struct link *link)
{
	shutdown(stream_fd(link->stream), SHUT_RDWR);
}

void
link_close_later(struct link *link, unsigned ms, const char *sentence)
{
	uint64_t now_us = clock_us();

	link->last = sentence;
	link->until_us = now_us + us(ms);
	stream_pause(link->stream, true);
	arm_timer(link);
}

/* Ends the link for the door, which needs the place at once.  Drops what cannot
 * be written now. */
static void
send_away(void *arg, const char *sentence)
{
	struct link *link = arg;

	if (!is_closing(link))
		end(link, false, sentence);
	if (link->state == LINK_CLOSING && stream_is_open(link->stream))
		write_out(link);
	link_destroy(link);
}

/* ---- reading -------------------------------------------------------- */

void
link_useless(struct link *link)
{
	link->tiresome |= !rate_take(&link->useless, clock_us());
}

size_t
link_unended(const struct link *link, const char **line)
{
	return line_unended(&link->reader, line);
}

/* Returns true if the link is being read now. */
static bool
is_read(const struct link *link)
{
	return link->last == NULL && link->rest_us == 0;
}

/* Takes the first answer to our last ping.  All other lines go to the listener. */
static bool
take_pong(struct link *link, const char *line, size_t n)
{
	char text[16];

	if (n < 5 || memcmp(line, "pong ", 5) != 0)
		return false;
	snprintf(text, sizeof(text), "%u", link->pings);
	if (link->ponged == link->pings || n - 5 != strlen(text) ||
	    memcmp(line + 5, text, n - 5) != 0)
		return false;
	link->ponged = link->pings;
	return true;
}

static void
take_lines(struct link *link, uint64_t now_us)
{
	enum line_result result;
	char *line;
	size_t n;

	while (!is_closing(link) && is_read(link)) {
		if (!rate_take(&link->lines, now_us)) {
			link->rest_us = now_us + REST_US;
			break;
		}
		result = line_take(&link->reader, &line, &n);
		if (result == LINE_NONE) {
			rate_give_back(&link->lines);
			return;
		}
		link->skipped = 0;
		link->heard_us = now_us;
		link->ping_us = 0;
		if (result != LINE_OK || link->state != LINK_OPEN ||
		    !take_pong(link, line, n))
			link->calls->line(link, link->arg, result, line, n,
					  now_us);
		if (link->tiresome && !is_closing(link))
			end(link, false, "too many useless lines");
	}
	if (is_closing(link))
		return;
	stream_pause(link->stream, true);
	arm_timer(link);
}

/* Drops input while closing.  A peer that goes on and on has had time enough to
 * read our last lines. */
static void
drop_input(struct link *link)
{
	ssize_t n = stream_drain(link->stream);

	if (n > 0)
		link->dropped += (size_t)n;
	if ((n == STREAM_END && link->state == LINK_SHUT) ||
	    link->dropped > SKIP_BYTES)
		link_destroy(link);
}

static void
read_in(struct link *link)
{
	char why[256], *to;
	size_t room;
	ssize_t n;

	if (is_closing(link)) {
		drop_input(link);
		return;
	}
	to = line_space(&link->reader, &room);
	n = stream_read(link->stream, to, room);
	if (n == STREAM_AGAIN)
		return;
	if (n < 0) {
		snprintf(why, sizeof(why), "%s%.200s",
			 stream_is_open(link->stream)
				 ? "the connection was lost: "
				 : "",
			 stream_why(link->stream));
		end(link, false, why);
		return;
	}
	line_added(&link->reader, (size_t)n);
	take_lines(link, clock_us());
	if (!is_closing(link) && link->reader.skipping &&
	    (link->skipped += (size_t)n) > SKIP_BYTES)
		end(link, true, "a line without end");
}

/* ---- writing -------------------------------------------------------- */

/* Returns room for `n` more bytes, or NULL if there is none. */
static char *
room_for(struct link *link, size_t n)
{
	size_t need = link->used + n, size = link->size;

	if (link->overfull || is_closing(link))
		return NULL;
	if (need > link->links->limits.out_bytes + link->allowed) {
		/* Reported later, because the writer is in the middle of
		 * something. */
		link->overfull = true;
		link_flush(link);
		return NULL;
	}
	if (need > size) {
		for (size = size == 0 ? 1024 : size; size < need; size *= 2)
			;
		link->out = memory(link->out, size);
		link->size = size;
	}
	return link->out + link->used;
}

void
link_line(struct link *link, const char *id, const char *line, size_t n)
{
	size_t prefix = id == NULL ? 0 : LINK_PREFIX_BYTES;
	char *to = room_for(link, prefix + n + 1);

	if (to == NULL)
		return;
	if (id != NULL) {
		to[0] = '@';
		memcpy(to + 1, id, ID_BYTES);
		to[1 + ID_BYTES] = ' ';
	}
	memcpy(to + prefix, line, n);
	to[prefix + n] = '\n';
	link->used += prefix + n + 1;
}

void
link_allow(struct link *link, size_t n)
{
	link->allowed += n;
}

void
link_flush(struct link *link)
{
	loop_post(link->links->loop, LOOP_SEND, &link->send_task);
}

uint64_t
link_collected(const struct link *link)
{
	return link->written + link->used;
}

uint64_t
link_written(const struct link *link)
{
	return link->written;
}

/* Writes as much as the kernel takes.  Returns false if it will never take
 * more. */
static bool
write_out(struct link *link)
{
	const size_t piece = link->links->limits.piece_bytes;
	size_t done = 0, left;
	ssize_t n = 1;

	while (done < link->used && n > 0) {
		left = link->used - done;
		n = stream_write(link->stream, link->out + done,
				 piece > 0 && piece < left ? piece : left);
		done += n > 0 ? (size_t)n : 0;
	}
	if (n == STREAM_BROKEN) /* it cannot arrive */
		done = link->used;
	link->written += done;
	link->used -= done;
	if (link->used > 0 && done > 0)
		memmove(link->out, link->out + done, link->used);
	if (link->used == 0)
		link->allowed = 0;
	return n != STREAM_BROKEN;
}

static void
send_last(struct link *link)
{
	bool open = stream_is_open(link->stream);

	if (open && write_out(link) && link->used > 0)
		return;
	shut(link);
}

static void
send_lines(struct link *link)
{
	uint64_t now_us = clock_us();

	if (is_closing(link)) {
		if (link->state == LINK_CLOSING)
			send_last(link);
		return;
	}
	if (link->overfull) {
		end(link, true, "what was sent is not read");
		return;
	}
	if (link->used == 0)
		return;
	/* Reading tells that the other side is gone, because its earlier lines
	 * come first. */
	write_out(link);
	if (link->calls != NULL && link->calls->moved != NULL)
		link->calls->moved(link->arg, now_us);
	if (!is_closing(link) && link->used > 0 && link->calls->stuck != NULL)
		link->calls->stuck(link->arg, now_us);
}

static void
on_send(struct loop_task *task)
{
	send_lines(ENCLOSING(task, struct link, send_task));
}

static void
on_ready(void *arg, bool writable)
{
	if (writable)
		send_lines(arg);
	else
		read_in(arg);
}

/* ---- time is over --------------------------------------------------- */

static void
send_ping(struct link *link, uint64_t now_us)
{
	char line[24];
	int n = snprintf(line, sizeof(line), "ping %u", ++link->pings);

	link->ping_us = now_us;
	link_line(link, NULL, line, (size_t)n);
	link_flush(link);
}

static void
read_on(struct link *link, uint64_t now_us)
{
	link->rest_us = 0;
	if (link->last != NULL)
		return;
	/* Otherwise it would stay until all its lines were read at our pace. */
	if (stream_is_reset(link->stream)) {
		end(link, false, "the connection was lost: it was reset");
		return;
	}
	/* Lines that we did not read are no silence of the peer. */
	link->heard_us = now_us;
	stream_pause(link->stream, false);
	take_lines(link, now_us);
}

static void
keep_alive(struct link *link, uint64_t now_us)
{
	const struct link_limits *limits = &link->links->limits;

	if (limits->ping_ms == 0)
		return;
	if (link->ping_us != 0) {
		if (now_us >= link->ping_us + us(limits->pong_ms))
			end(link, false, "no answer to a ping");
	} else if (now_us >= link->heard_us + us(limits->ping_ms)) {
		send_ping(link, now_us);
	}
}

static void
on_timer(void *arg)
{
	struct link *link = arg;
	uint64_t now_us = clock_us();

	if (link->rest_us != 0 && now_us >= link->rest_us)
		read_on(link, now_us);
	if (link->state == LINK_OPEN)
		keep_alive(link, now_us);
	else if (now_us < link->until_us)
		;
	else if (link->state == LINK_HELLO)
		end(link, false,
		    link->last != NULL ? link->last
				       : "no bot line came in time");
	else {
		link_destroy(link);
		return;
	}
	arm_timer(link);
}

/* ---- life ----------------------------------------------------------- */

void
links_init(struct links *links, struct loop *loop,
	   const struct link_limits *limits)
{
	*links = (struct links){ .loop = loop, .limits = *limits };
}

void
links_refuse(struct links *links, const char *sentence)
{
	struct link *link;

	for (link = links->first; link != NULL; link = link->next)
		if (link->state == LINK_HELLO)
			link_close(link, sentence);
}

void
links_release(struct links *links)
{
	while (links->first != NULL)
		link_destroy(links->first);
}

struct link *
link_new(struct links *links, int fd, const struct tls *tls, const char *host,
	 struct visitor *visitor)
{
	uint64_t now_us = clock_us();
	struct link *link = memory(NULL, sizeof(*link));

	*link = (struct link){ .links = links, .state = LINK_HELLO };
	link->stream = stream_new(links->loop, fd, tls, host, on_ready, link);
	if (link->stream == NULL) {
		if (visitor != NULL)
			visitor_free(visitor);
		free(link);
		return NULL;
	}
	link->visitor = visitor;
	if (visitor != NULL) {
		visitor->send_away = send_away;
		visitor->arg = link;
	}
	line_reader_init(&link->reader, links->limits.line_bytes);
	link->send_task.run = on_send;
	rate_init(&link->lines, 1000000 / links->limits.lines_a_second,
		  links->limits.lines_at_once, now_us);
	rate_init(&link->useless, us(links->limits.useless_ms),
		  links->limits.useless_max, now_us);
	link->heard_us = now_us;
	link->until_us = now_us + us(links->limits.hello_ms);
	timer_init(&link->timer, &links->loop->timers, on_timer, link);
	LIST_PUT(links->first, link);
	links->count++;
	arm_timer(link);
	return link;
}

void
link_listen(struct link *link, const struct link_calls *calls, void *arg)
{
	link->calls = calls;
	link->arg = arg;
}

void
link_welcome(struct link *link)
{
	uint64_t now_us = clock_us();

	link->state = LINK_OPEN;
	link->heard_us = now_us;
	if (link->visitor != NULL)
		visitor_known(link->visitor);
	arm_timer(link);
}

struct visitor *
link_visitor(const struct link *link)
{
	return link->visitor;
}

bool
link_is_open(const struct link *link)
{
	return stream_is_open(link->stream);
}
