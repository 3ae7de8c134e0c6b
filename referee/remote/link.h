/* referee/remote/link.h - a connection with a program elsewhere, as lines.
 *
 * The listener is told lines that come in, at a bounded rate; lines that
 * go out are collected and leave in one write when the loop flushes.  A link
 * that ends closes itself, says why if it can, and is freed in its own time. */
#ifndef REFEREE_LINK_H
#define REFEREE_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/line.h"
#include "protocol/util.h"
#include "referee/base/loop.h"

struct link;
struct tls;
struct visitor;

/* In front of a line of a game: `@ID `. */
#define LINK_PREFIX_BYTES (1 + ID_BYTES + 1)

/* What the other side may do; link_limits says what PROTOCOL.md does. */
struct link_limits {
	size_t line_bytes;	 /* of a line that comes in */
	size_t out_bytes;	 /* collected and not read by it */
	unsigned hello_ms;	 /* until link_welcome() */
	unsigned ping_ms;	 /* without a line, until a `ping`; 0: none */
	unsigned pong_ms;	 /* without a line after it */
	unsigned lines_a_second; /* that are read */
	unsigned lines_at_once;
	unsigned useless_max; /* useless lines */
	unsigned useless_ms;  /* after which one is forgiven */
	unsigned bye_ms;      /* to take its last lines */
	size_t piece_bytes;   /* of one write, to try a reader; 0: all */
	bool no_bye;	      /* it is not told why and that the link ends */
};
extern const struct link_limits link_limits;

/* The links of a process. */
struct links {
	struct loop *loop;
	struct link_limits limits;
	struct link *first; /* also those that are closing */
	unsigned count;
};

/* All by the loop.  Each of them may call link_close(), and but for line() each
 * may be NULL. */
struct link_calls {
	/* A line of up to line_bytes, or what broke instead of one; read at
	 * `now_us`.  No pong that answers a ping. */
	void (*line)(struct link *link, void *arg, enum line_result result,
		     char *line, size_t n, uint64_t now_us);
	/* Something was handed to the kernel at `now_us`; see
	 * link_written(). */
	void (*moved)(void *arg, uint64_t now_us);
	/* The kernel would not take all of it, at `now_us`. */
	void (*stuck)(void *arg, uint64_t now_us);
	/* The link has ended, `why` is a sentence.  `flooded`: it was given
	 * more than it reads, or sent a line without end.  The link may still be
	 * asked who it is, and not be used after this. */
	void (*gone)(struct link *link, void *arg, bool flooded,
		     const char *why);
};

void links_init(struct links *links, struct loop *loop,
		const struct link_limits *limits);
/* Closes and frees all links at once; no call comes. */
void links_release(struct links *links);
/* Closes all that have not been welcomed. */
void links_refuse(struct links *links, const char *sentence);

/* `fd`, a connected socket that does not block, is the link's from now on, and
 * so is `visitor` (door.h), which may be NULL.  `tls` NULL: plain.  `host`: see
 * tls_connection().  NULL: no memory for TLS; both have been closed. */
struct link *link_new(struct links *links, int fd, const struct tls *tls,
		      const char *host, struct visitor *visitor) MUST_CHECK;
/* Sets the listener; the first time before the loop runs. */
void link_listen(struct link *link, const struct link_calls *calls, void *arg);
/* The other side has said who it is: hello_ms is over, keep-alive begins. */
void link_welcome(struct link *link);
/* As link_new() got it. */
struct visitor *link_visitor(const struct link *link);
/* It is plain, or hands have been shaken; gone() may ask, too. */
bool link_is_open(const struct link *link);

/* A whole line, `n` bytes without its LF; of the game `id` unless NULL.
 * If more than out_bytes wait, the line is dropped, and gone() follows. */
void link_line(struct link *link, const char *id, const char *line, size_t n);
/* So many more bytes than out_bytes may wait, until all has left. */
void link_allow(struct link *link, size_t n);
/* What was collected leaves in this pass. */
void link_flush(struct link *link);
/* Bytes that were collected, and that were handed to the kernel, so far. */
uint64_t link_collected(const struct link *link);
uint64_t link_written(const struct link *link);

/* Returns, as line_unended() does, what has been read of a line without its end. */
size_t link_unended(const struct link *link, const char **line) MUST_CHECK;
/* The last line was useless; after too many of them gone() follows. */
void link_useless(struct link *link);
/* The connection breaks without a word, as networks do; gone() follows. */
void link_cut(struct link *link);
/* Says `error SENTENCE` unless NULL, and `bye`, and ends.  No call comes any
 * more.  Do not use the link after this. */
void link_close(struct link *link, const char *sentence);
/* The same after `ms`, of a link that is not welcomed; nothing is read
 * meanwhile.  The sentence is borrowed until then; gone() tells it. */
void link_close_later(struct link *link, unsigned ms, const char *sentence);

#endif
