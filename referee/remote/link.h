/* referee/remote/link.h - exchanges lines with a program elsewhere.
 *
 * The listener gets incoming lines at a bounded rate.  Outgoing lines are
 * collected and leave in one write when the loop flushes.  A link that ends
 * says why if it can, closes itself, and frees itself later. */
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

/* Bytes of `@ID `, which precedes a line of a game. */
#define LINK_PREFIX_BYTES (1 + ID_BYTES + 1)

/* Limits for the other side. link_limits has the values of PROTOCOL.md. */
struct link_limits {
	size_t line_bytes;	 /* bytes of an incoming line */
	size_t out_bytes;	 /* bytes that wait because it does not read */
	unsigned hello_ms;	 /* until link_welcome() */
	unsigned ping_ms;	 /* silence until a `ping`; 0: no pings */
	unsigned pong_ms;	 /* silence after it until the end */
	unsigned lines_a_second; /* lines read in a second */
	unsigned lines_at_once;
	unsigned useless_max; /* useless lines */
	unsigned useless_ms;  /* one useless line is forgiven after this time */
	unsigned bye_ms;      /* time to read our last lines */
	size_t piece_bytes;   /* bytes of one write, to test a reader; 0: all */
	bool no_bye;	      /* send no `error` and no `bye` at the end */
};
extern const struct link_limits link_limits;

/* The links of a process. */
struct links {
	struct loop *loop;
	struct link_limits limits;
	struct link *first; /* includes closing links */
	unsigned count;
};

/* The loop calls these.  Each may call link_close().  All but line() may be
 * NULL. */
struct link_calls {
	/* Takes a line of up to line_bytes, or what broke instead, read at
	 * `now_us`.  Answers to pings do not come here. */
	void (*line)(struct link *link, void *arg, enum line_result result,
		     char *line, size_t n, uint64_t now_us);
	/* The kernel took bytes at `now_us`; see link_written(). */
	void (*moved)(void *arg, uint64_t now_us);
	/* The kernel did not take all bytes at `now_us`. */
	void (*stuck)(void *arg, uint64_t now_us);
	/* The link has ended; `why` is a sentence.  `flooded`: the peer did not
	 * read, or sent a line without end.  During the call the link may be
	 * asked who it is; it must not be used after it. */
	void (*gone)(struct link *link, void *arg, bool flooded,
		     const char *why);
};

void links_init(struct links *links, struct loop *loop,
		const struct link_limits *limits);
/* Closes and frees all links at once, without a call. */
void links_release(struct links *links);
/* Closes all links that have not been welcomed. */
void links_refuse(struct links *links, const char *sentence);

/* Makes a link of `fd`, a connected, non-blocking socket.  Takes over `fd` and
 * `visitor` (door.h), which may be NULL. `tls` NULL: plain.  `host`: see
 * tls_connection().  Returns NULL if there is no memory for TLS; then both have
 * been closed. */
struct link *link_new(struct links *links, int fd, const struct tls *tls,
		      const char *host, struct visitor *visitor) MUST_CHECK;
/* Sets the listener.  Call it for the first time before the loop runs. */
void link_listen(struct link *link, const struct link_calls *calls, void *arg);
/* Call this when the other side has said who it is: hello_ms ends, pings begin. */
void link_welcome(struct link *link);
/* Returns the visitor that link_new() got. */
struct visitor *link_visitor(const struct link *link);
/* Returns true if the link is plain or its TLS handshake is done. gone() may
 * ask, too. */
bool link_is_open(const struct link *link);

/* Collects a whole line, `n` bytes without its LF, of the game `id` unless it
 * is NULL. If more than out_bytes wait, drops the line, and gone() follows. */
void link_line(struct link *link, const char *id, const char *line, size_t n);
/* Allows `n` more bytes than out_bytes to wait, until all have left. */
void link_allow(struct link *link, size_t n);
/* Lets the collected lines leave in this pass of the loop. */
void link_flush(struct link *link);
/* Return the bytes collected so far, and the bytes handed to the kernel so far. */
uint64_t link_collected(const struct link *link);
uint64_t link_written(const struct link *link);

/* Returns the part of a line that has been read without its end, as
 * line_unended() does. */
size_t link_unended(const struct link *link, const char **line) MUST_CHECK;
/* Counts the last line as useless.  After too many of them gone() follows. */
void link_useless(struct link *link);
/* Breaks the connection without a word, as networks do; gone() follows. */
void link_cut(struct link *link);
/* Sends `error SENTENCE`, unless it is NULL, and `bye`, and ends the link.  No
 * call follows.  Do not use the link after this. */
void link_close(struct link *link, const char *sentence);
/* Closes a link that is not welcomed after `ms`.  Nothing is read meanwhile.
 * The sentence is borrowed until then; gone() gets it. */
void link_close_later(struct link *link, unsigned ms, const char *sentence);

#endif
