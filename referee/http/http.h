/* referee/http/http.h - an HTTP server.  It decides which requests are allowed,
 * from how many clients and for how long; its owner answers them.
 *
 * For each path the owner says if GET and HEAD are allowed, and if PUT is.  Any
 * other request gets 405 and a header Allow with the allowed methods.  A
 * connection may ask again, one request after the other.
 *
 * A connection that has not sent a whole request, is silent between two, or
 * waits for its turn makes room for a newcomer: the oldest from the address with
 * the most of them.  If there is none, one whose answer is being read makes room;
 * without that the newcomer is refused.  Among watchers the oldest of the address
 * with the most makes room for an address with fewer.  Behind a trusted proxy
 * (http-forwarded.h) requests count for the address that it names.  A request
 * counts until it is answered, even if its connection has ended before. */
#ifndef REFEREE_HTTP_H
#define REFEREE_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/address.h"
#include "referee/base/networks.h"
#include "referee/base/refusal.h"

#define HTTP_LISTENERS 16
#define HTTP_SENDER_BYTES 64

struct loop;
struct http;
struct listener;
struct http_request;
struct thread;

struct http_limits {
	unsigned connections;
	unsigned each_address; /* connections from one address; local ones do
			        * not count */
	unsigned requests;     /* requests of one connection */
	unsigned ms; /* for a request to come and for its answer to leave */
	unsigned idle_ms;   /* between an answer and the next request */
	unsigned linger_ms; /* for the other side to end a connection */
	size_t head_bytes;  /* bytes of a request's head */
	size_t put_bytes;   /* bytes of a PUT; 0: no PUT is allowed */
	unsigned pause_ms;  /* pause when no descriptors are left */
	/* Large answers that are being made or sent, in all and to one address. */
	unsigned large, large_each;
	/* Bodies that are being read, in all, from one address and of one
	 * sender. */
	unsigned bodies, bodies_each, bodies_sender;
	/* A body may take body_ms and a second more for each body_rate bytes
	 * that have come.  After fair_ms a body is slow if it brings less than
	 * fair_rate bytes a second, and so is a large answer that is read more
	 * slowly than that.  Slow ones make room. */
	unsigned body_ms, body_rate, fair_ms, fair_rate;
	/* A body makes room for one of another sender whose bodies have had places
	 * for less time: by this, and that of its length at twice fair_rate. */
	unsigned turn_ms;
	/* Watchers, which do not count as connections, in all and from one
	 * address; the bytes that each has not read yet, and how often it is
	 * sent something. */
	unsigned watchers, watchers_each;
	size_t watcher_bytes;
	unsigned watch_ms;
	/* Bytes of answers that their readers have not read yet, in all and at
	 * one address. */
	size_t unread_bytes, unread_bytes_each;
};
extern const struct http_limits http_limits;

/* A client wants `path`, which begins with a slash, is decoded printable ASCII,
 * and has no query.  The owner calls http_answer() or another of the functions
 * below, now or later. */
typedef void http_asked(void *arg, struct http_request *request,
			const char *path);

/* The methods that a path allows. */
enum http_methods {
	HTTP_NOTHING,  /* no such path: the owner is asked and refuses */
	HTTP_READ,     /* GET and HEAD */
	HTTP_READ_PUT, /* and PUT with a body, if limits.put_bytes allows it */
	HTTP_READ_CHANGE, /* and PUT without a body */
};
typedef enum http_methods http_allowed(void *arg, const char *path);

/* Makes a server without listeners.  `addresses`, which counts wrong tokens, is
 * borrowed until http_free().  `refused` is called for connections that are
 * refused or have never asked, and for wrong tokens.  `asked` is only called
 * for methods that are `allowed`, or for paths that do not exist. */
struct http *http_new(struct loop *loop, const struct http_limits *limits,
		      struct addresses *addresses, http_allowed *allowed,
		      http_asked *asked, refusal_told *refused,
		      void *arg) MUST_CHECK;
/* Limits that hold from now on; who is there already stays. */
void http_set_limits(struct http *http, const struct http_limits *limits);
/* Sets the proxies that are believed about their clients' addresses. */
void http_set_proxies(struct http *http, const struct networks *proxies);
/* Writes a refusal as a page.  `path` was asked for; `sentence` has no full
 * stop. */
typedef void http_refusal_page(const char *path, int code, const char *sentence,
			       struct text *to);
/* Sets the page for clients that accept text/html.  NULL, the default: all get
 * a line of text. */
void http_set_refusal_page(struct http *http, http_refusal_page *page);
/* Sets the thread that gzips large answers.  It must end before http_free().
 * NULL, the default: nothing is gzipped. */
void http_set_thread(struct http *http, struct thread *thread);
/* Closes all listeners, and all connections but those that wait for an answer
 * or are being sent one; their present request is the last. */
void http_stop(struct http *http);
/* Closes all listeners and connections.  No request may wait for its answer. */
void http_free(struct http *http); /* may be NULL */

/* Answers clients of that listener, which the server owns from now on. */
void http_listen(struct http *http, struct listener *listener);
/* Closes and frees a listener.  Its connections get at most one more answer. */
void http_unlisten(struct http *http, struct listener *listener);

/* ---- requests --------------------------------------------------------- */

bool http_is_put(const struct http_request *request);
/* Read a header of a request, and a value of its query (`?name=value`).  Return
 * 1 and write `value`; 0 if there is none; -1 if there are several, or it is
 * not printable ASCII shorter than `size`. */
int http_header(const struct http_request *request, const char *name,
		char *value, size_t size) MUST_CHECK;
int http_query(const struct http_request *request, const char *name,
	       char *value, size_t size) MUST_CHECK;
/* Returns the query as it was sent, without its `?`, or NULL. */
const char *http_raw_query(const struct http_request *request);
/* Writes the address that a request counts for, for IPv6 its /64, in a form to
 * be compared; "" for a local one, which is not counted. */
void http_who(const struct http_request *request, char who[HTTP_SENDER_BYTES]);
/* Returns true if the client has ended its side of the connection: it may have
 * gone, or reads on.  Returns false for a large answer, because others may wait for
 * its place. */
bool http_may_have_gone(const struct http_request *request);
/* Returns true if an answer may be gzipped. */
bool http_takes_gzip(const struct http_request *request);

/* Makes room for the body of a PUT. Call it once the client has shown that it
 * may send; before that the body is not read.  The body counts for `sender`,
 * shorter than HTTP_SENDER_BYTES, who may use several addresses, and whose bodies
 * have had places for `had_us` before; for sender "" that is not known.  If too many
 * bodies are being read, ends the slowest of the slow ones (429).  If there is none,
 * ends that of the sender whose bodies have had places for longest, if that is a turn
 * (turn_ms) more than this one's.  Returns false if there is none; then the request is
 * refused.  A body of head_bytes at most that came with its head needs no room. */
bool http_expect_body(struct http_request *request, const char *sender,
		      uint64_t had_us) MUST_CHECK;
/* Then reads the body.  Calls `body` with all of it, borrowed; `body` must
 * answer.  If the connection ends before, `body` is not called.  Calls `left` when a
 * body leaves its place, before `body` or without it, with the time that it had it. */
typedef void http_body(void *arg, struct http_request *request,
		       const char *bytes, size_t n);
typedef void http_body_left(void *arg, const char *sender, uint64_t us);
void http_read_body(struct http_request *request, http_body *body,
		    http_body_left *left, void *arg);

/* ---- answers ---------------------------------------------------------- */

/* Says who may cache an answer below 300.  Answers to a request with a token,
 * and all other answers, are HTTP_NO_STORE. */
enum http_cache {
	HTTP_NO_STORE,
	HTTP_CHECK,   /* cache it, but ask if it still holds: ETag, 304 */
	HTTP_FOREVER, /* its path changes when its content does */
};

/* An answer.  It is gzipped if the request accepts that and it is worth it
 * (SERVE_GZIP_BYTES); then `type` must be a constant. */
struct http_answer {
	int code;
	const char *type;
	const void *bytes;
	size_t n;
	bool constant; /* the bytes live as long as the program and are not
		        * copied */
	bool gzipped;  /* the bytes are gzipped already */
	/* The piece that holds the bytes, or NULL. */
	struct http_piece *piece;
};

/* Has the owner asked for the path again, because what it knew then holds no more.
 * The request must not be answered yet. */
void http_ask_again(struct http_request *request);
/* Says that the request waits for its turn, until http_go_on(), http_ask_again() or
 * its answer.  Meanwhile it may make room for others; then `away` is called, and the
 * owner must forget it. */
typedef void http_away(void *arg, struct http_request *request);
void http_let_wait(struct http_request *request, http_away *away, void *arg);
void http_go_on(struct http_request *request);
/* Call it before making a large answer.  If too many are under way, ends one that is
 * read slowly; if there is none, one that waits, else one that is being read, of the
 * address with most, if that keeps at least as many as this one's.  Returns false if
 * there is none: then refuse the request. */
bool http_expect_large(struct http_request *request) MUST_CHECK;
/* Call it before work that takes much processor time.  Returns false if the
 * address has asked `an_hour` times in the last hour: then refuse the request. */
bool http_may_ask(struct http_request *request, unsigned an_hour) MUST_CHECK;
/* Sets who may cache the answer.  The default is HTTP_NO_STORE. */
void http_set_cache(struct http_request *request, enum http_cache cache);
/* Both add a header to the answer, which follows. */
void http_retry_after(struct http_request *request, int64_t seconds);
void http_add_header(struct http_request *request, const char *name,
		     const char *value);
void http_answer(struct http_request *request,
		 const struct http_answer *answer);
/* Answers 200 with these bytes, by reference. */
struct http_piece;
void http_answer_piece(struct http_request *request, const char *type,
		       struct http_piece *piece, bool gzipped);
/* Refuses a request with a status of 400 or more and a sentence without a full
 * stop; with a page if the request accepts text/html and a page is set.  Returns
 * false. */
bool http_refuse(struct http_request *request, int code, const char *sentence);
/* Refuses a wrong token with 401, counts it, and answers the later the more often the
 * address has failed.  `who` is as for refusal_told; `sentence` is a constant. */
void http_refuse_wrong(struct http_request *request, const char *who,
		       const char *sentence);

/* Keeps bytes that are sent to many. */
struct http_piece *http_piece_new(const char *bytes, size_t n) MUST_CHECK;
void http_piece_drop(struct http_piece *piece); /* may be NULL */

/* ---- streams of events ------------------------------------------------ */

struct http_connection;
struct http_watch {
	/* All that was put has left.  The loop or http_watch_flush() calls it. */
	void (*drained)(void *arg);
	/* The watcher is gone: it has left, has read nothing for watch_ms
	 * though bytes wait, or the server ends. */
	void (*gone)(void *arg);
};

/* Answers with a stream of events.  Returns NULL if the request has been
 * answered: it was refused because too many watch, or it was a HEAD. */
struct http_connection *http_watch(struct http_request *request,
				   const struct http_watch *watch,
				   void *arg) MUST_CHECK;
/* Returns how many bytes may be put now. */
size_t http_watch_room(const struct http_connection *connection);
/* Adds a piece by reference; http_watch_flush() sends it.  Returns false if
 * there is no room. */
bool http_watch_put(struct http_connection *connection,
		    struct http_piece *piece) MUST_CHECK;
/* Sends what it can.  May call drained() or gone(). */
void http_watch_flush(struct http_connection *connection);

/* ---- counts ----------------------------------------------------------- */

struct http_counts {
	unsigned connections; /* open connections without watchers */
	unsigned watchers;    /* open watchers */
	/* Requests that got a status below 400, and all others. */
	uint64_t answered, refused;
};
/* Returns the borrowed counts, which go on changing. */
const struct http_counts *http_counts(const struct http *http);

#endif
