/* referee/http/http.h - an HTTP server: which requests are allowed, from how
 * many, for how long; its owner gives the answers.
 *
 * For each path the owner says whether GET and HEAD are allowed and whether PUT
 * is; any other request gets 405 and a header Allow with the methods that are
 * allowed.  A connection may ask again, one request after the other.
 *
 * A connection that has not sent a whole request, or is silent between two,
 * makes room for a newcomer: the oldest from the address that has most of them.
 * If there is none, one whose answer is being read; then a newcomer is refused.
 * Among those who watch, the oldest of the address that has most makes room for
 * an address that has fewer.
 * Behind a trusted proxy (http-forwarded.h) requests count for the address that
 * it names.  A request counts until it is answered, even if its connection has
 * ended before.
 */
#ifndef REFEREE_HTTP_H
#define REFEREE_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/address.h"
#include "referee/base/networks.h"
#include "referee/base/refusal.h"

#define HTTP_LISTENERS 16
#define HTTP_SENDER_BYTES 64

struct event_base;
struct http;
struct listener;
struct http_request;
struct worker_thread;

struct http_limits {
	unsigned connections;
	unsigned each_address; /* from one; as at the door, not of local ones */
	unsigned requests;     /* of one connection */
	unsigned ms;	  /* for a request to come, and for its answer to go */
	unsigned idle_ms; /* between an answer and the next request */
	unsigned linger_ms; /* for the end of a connection to be heard */
	size_t head_bytes;  /* of a request */
	unsigned pause_ms;  /* without descriptors */
	/* Large answers that are made or sent, in all and to one address. */
	unsigned large, large_each;
	/* Bodies that are being read, likewise, and of one sender. */
	unsigned bodies, bodies_each, bodies_sender;
	/* A body ends after body_ms and a second for each body_rate bytes of it
	 * that have come.  It is slow after fair_ms if they are less than
	 * fair_rate a second, and so is a large answer that is read so slowly:
	 * one that is slow makes room. */
	unsigned body_ms, body_rate, fair_ms, fair_rate;
	/* Those who watch, who are not among the connections; likewise, and
	 * what each has not read yet, and how often it hears something. */
	unsigned watchers, watchers_each;
	size_t watcher_bytes;
	unsigned watch_ms;
	/* Of answers that their readers have not read yet, likewise. */
	size_t unread_bytes, unread_bytes_each;
};
extern const struct http_limits http_limits;

/* A client wants `path`, which begins with a slash, is decoded, has no query,
 * and only printable ASCII in it.  http_answer() or another of the functions
 * below follows, now or later. */
typedef void http_asked(void *arg, struct http_request *request,
			const char *path);

/* What may be done with a path. */
enum http_methods {
	HTTP_NOTHING, /* there is no such path: the owner is asked, and refuses
		       */
	HTTP_READ,    /* GET and HEAD */
	HTTP_READ_PUT,
};
typedef enum http_methods http_allowed(void *arg, const char *path);

/* `addresses`, where wrong tokens are counted, are borrowed until
 * http_free().  `refused` is told of connections that are turned away or have
 * never asked, and of wrong tokens.  `asked` is only called for what is `allowed`,
 * or for paths that there are not. */
struct http *http_new(struct event_base *base, const struct http_limits *limits,
		      struct addresses *addresses, http_allowed *allowed,
		      http_asked *asked, refusal_told *refused,
		      void *arg) MUST_CHECK;
/* What is PUT has at most so many bytes; 0: nothing may be PUT. */
void http_set_put(struct http *http, size_t bytes);
/* For those who come from now on. */
void http_set_each_address(struct http *http, unsigned each_address);
void http_set_watchers(struct http *http, unsigned watchers,
		       unsigned watchers_each);
/* Whose word is taken for where a request comes from. */
void http_set_proxies(struct http *http, const struct networks *proxies);
/* Writes a refusal as a page; `path` was asked for, `sentence` is without its
 * point. */
typedef void http_refusal_page(const char *path, int code, const char *sentence,
			       struct text *to);
/* For who accepts text/html.  NULL, as it is at first: all get a line of text. */
void http_set_refusal_page(struct http *http, http_refusal_page *page);
/* Gzips what is large, and ends before http_free().  NULL, as it is at first:
 * nothing is gzipped. */
void http_set_thread(struct http *http, struct worker_thread *thread);
/* Closes all listeners and all connections but those that wait for an answer
 * or are being sent one; these are the last. */
void http_stop(struct http *http);
/* Closes all listeners and connections; no request may wait for its answer. */
void http_free(struct http *http); /* NULL is fine */

/* Answers who comes by that listener, which it owns from now on. */
void http_listen(struct http *http, struct listener *listener);
/* Closes and frees it; who came by it is answered once more at most. */
void http_unlisten(struct http *http, struct listener *listener);

/* ---- requests --------------------------------------------------------- */

bool http_is_put(const struct http_request *request);
/* A header of a request, and a value of its query (`?name=value`): 1, and it is
 * in `value`; 0: there is none; -1: there are several, or it is none of less
 * than `size` printable ASCII. */
int http_header(const struct http_request *request, const char *name,
		char *value, size_t size) MUST_CHECK;
int http_query(const struct http_request *request, const char *name,
	       char *value, size_t size) MUST_CHECK;
/* The query as it was sent, without its `?`; or NULL. */
const char *http_raw_query(const struct http_request *request);
/* The address that a request counts for, of IPv6 its /64, in some form; "": a
 * local one, for which nothing is counted. */
void http_who(const struct http_request *request, char who[HTTP_SENDER_BYTES]);
/* Whether an answer may be gzipped. */
bool http_takes_gzip(const struct http_request *request);

/* Makes room for the body of a PUT, which is not read before: who sends it has
 * shown that he may.  It counts for `sender`, less than HTTP_SENDER_BYTES, who
 * may be behind several addresses.  If too many bodies are being read, the
 * slowest one of them that is slow ends (429).  False: there is none, and the
 * request is refused. */
bool http_expect_body(struct http_request *request,
		      const char *sender) MUST_CHECK;
/* Then reads it, at once.  `body` is called with all of it, borrowed, and
 * answers; or the connection ends before. */
typedef void http_body(void *arg, struct http_request *request,
		       const char *bytes, size_t n);
void http_read_body(struct http_request *request, http_body *body, void *arg);

/* ---- answers ---------------------------------------------------------- */

/* Who may keep an answer of less than 300.  What a request with the headers of a
 * token gets is HTTP_NO_STORE in any case, and so is every other answer. */
enum http_cache {
	HTTP_NO_STORE,
	HTTP_CHECK,   /* keep it, but ask whether it still holds: ETag, 304 */
	HTTP_FOREVER, /* its path changes when it does */
};

/* Gzipped, if the request takes that and it is worth it (SERVE_GZIP_BYTES);
 * `type` is then a constant. */
struct http_answer {
	int code;
	const char *type;
	const void *bytes;
	size_t n;
	bool constant; /* the bytes stay as long as the program: not copied */
	bool gzipped;  /* the bytes are */
	/* They lie in this; NULL: they do not. */
	struct http_piece *piece;
};

/* Before a large answer is made: false if too many are on their way, and it is
 * to be refused. */
bool http_expect_large(struct http_request *request) MUST_CHECK;
/* Before work is begun for it that takes much of a processor: false if its
 * address has asked for so much in the last hour, then refuse it. */
bool http_may_ask(struct http_request *request, unsigned an_hour) MUST_CHECK;
/* HTTP_NO_STORE unless this is called. */
void http_set_cache(struct http_request *request, enum http_cache cache);
/* Goes with the answer, which follows. */
void http_add_header(struct http_request *request, const char *name,
		     const char *value);
void http_answer(struct http_request *request,
		 const struct http_answer *answer);
/* 200 and these bytes, by reference. */
struct http_piece;
void http_answer_piece(struct http_request *request, const char *type,
		       struct http_piece *piece, bool gzipped);
/* A number of 400 or more and a sentence, without its point; a page if the
 * request accepts text/html, and there are any. */
void http_refuse(struct http_request *request, int code, const char *sentence);
/* 401, for a wrong token of that bot: as late as the address deserves, and
 * counted.  `sentence` is a constant. */
void http_refuse_wrong(struct http_request *request, const char *bot,
		       const char *sentence);

/* Bytes that many get, kept for all of them. */
struct http_piece *http_piece_new(const char *bytes, size_t n) MUST_CHECK;
void http_piece_drop(struct http_piece *piece); /* NULL is fine */

/* ---- streams of events ------------------------------------------------ */

struct http_connection;
struct http_watch {
	/* All that was put has left.  By the loop, or out of
	 * http_watch_flush(). */
	void (*drained)(void *arg);
	/* It is not there any more: it has left, or has read nothing of what
	 * waits for it in watch_ms, or the server ends. */
	void (*gone)(void *arg);
};

/* Answers with a stream of events.  NULL: the request was refused, as too many
 * watch, or was a HEAD, and is answered. */
struct http_connection *http_watch(struct http_request *request,
				   const struct http_watch *watch,
				   void *arg) MUST_CHECK;
/* How many bytes may be put now. */
size_t http_watch_room(const struct http_connection *connection);
/* To be sent with http_watch_flush(), by reference.  False: there is no room
 * for it. */
bool http_watch_put(struct http_connection *connection,
		    struct http_piece *piece) MUST_CHECK;
/* Sends what it can; drained() or gone() may be called. */
void http_watch_flush(struct http_connection *connection);

/* ---- counts ----------------------------------------------------------- */

struct http_counts {
	unsigned connections; /* that are open, without */
	unsigned watchers;    /* these */
	/* Requests that got less than 400, and anything else. */
	uint64_t answered, refused;
};
/* Borrowed; they change as time goes on. */
const struct http_counts *http_counts(const struct http *http);

#endif
