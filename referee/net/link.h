/* referee/net/link.h - a connection with a program elsewhere, as lines.
 *
 * Lines that come in are told to whoever listens, at a bounded rate; lines that
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
#include "referee/table/loop.h"

struct link;
struct tls;

/* In front of a line of a game: `@ID `. */
#define LINK_PREFIX_BYTES (1 + ID_BYTES + 1)

/* What a program elsewhere may do; link_limits says what PROTOCOL.md does. */
struct link_limits {
	size_t out_bytes;	 /* collected and not read by it */
	unsigned hello_ms;	 /* until link_welcome() */
	unsigned ping_ms;	 /* without a line, until a `ping` */
	unsigned pong_ms;	 /* without a line after it */
	unsigned lines_a_second; /* that are read */
	unsigned lines_at_once;
	unsigned useless_max; /* useless lines */
	unsigned useless_ms;  /* after which one is forgiven */
	unsigned bye_ms;      /* to take its last lines */
};
extern const struct link_limits link_limits;

/* All links of a daemon. */
struct links {
	struct loop *loop;
	struct link_limits limits;
	struct link *first; /* also those that are closing */
	unsigned count;
};

/* All by the loop.  Each of them may call link_close(). */
struct link_calls {
	/* A line of up to LINE_BOT_BYTES + LINK_PREFIX_BYTES, or what broke
	 * instead of one; read at `now_us`. */
	void (*line)(void *arg, enum line_result result, char *line, size_t n,
		     uint64_t now_us);
	/* Something was handed to the kernel at `now_us`; see
	 * link_written(). */
	void (*moved)(void *arg, uint64_t now_us);
	/* The kernel would not take all of it, at `now_us`. */
	void (*stuck)(void *arg, uint64_t now_us);
	/* The link has ended, `why` is a sentence.  `flooded`: it was given
	 * more than it reads, or sent a line without end.  The link is not to
	 * be touched any more. */
	void (*gone)(void *arg, bool flooded, const char *why);
};

void links_init(struct links *links, struct loop *loop,
		const struct link_limits *limits);
/* Closes and frees all links at once; nobody is told but by `ended`. */
void links_release(struct links *links);

/* `fd`, a connected socket, is the link's from now on; it never blocks.  `tls`
 * NULL: plain.  `ended`, which may be NULL, gets ended_arg when the link has
 * been freed.  NULL: no memory for TLS; then the socket is closed, and `ended`
 * is not called. */
struct link *link_new(struct links *links, int fd, const struct tls *tls,
		      void (*ended)(void *arg), void *ended_arg) MUST_CHECK;
/* Who hears of it from now on; the first time before the loop runs. */
void link_listen(struct link *link, const struct link_calls *calls, void *arg);
/* It has said who it is: hello_ms is over, keep-alive begins. */
void link_welcome(struct link *link);
/* While it is held, nothing is read of it: nothing more is told. */
void link_hold(struct link *link, bool held);

/* Room for `n` more bytes, or NULL if out_bytes are exceeded; gone() follows
 * then.  link_added() says how many were used. */
char *link_room(struct link *link, size_t n);
void link_added(struct link *link, size_t n);
/* A whole line, `n` bytes without its LF. */
void link_line(struct link *link, const char *line, size_t n);
/* So many more bytes than out_bytes may wait, until all has left. */
void link_allow(struct link *link, size_t n);
/* What was collected leaves in this pass. */
void link_flush(struct link *link);
/* Bytes that were collected, and that were handed to the kernel, so far. */
uint64_t link_collected(const struct link *link);
uint64_t link_written(const struct link *link);

/* What it said was of no use; after too many such lines gone() follows. */
void link_useless(struct link *link);
/* Says `error SENTENCE` unless NULL, and `bye`, and ends.  Nobody is told; the
 * link is not to be touched any more. */
void link_close(struct link *link, const char *sentence);
/* The same at once: what cannot be written now is not, and `ended` has been
 * called when this returns.  gone() has come before. */
void link_drop(struct link *link, const char *sentence);

#endif
