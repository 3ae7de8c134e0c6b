/* referee/http/http-inside.h - shared by http.c, which knows requests and
 * answers, and http-connection.c, which accepts connections and moves their
 * bytes. */
#ifndef REFEREE_HTTP_INSIDE_H
#define REFEREE_HTTP_INSIDE_H

#include <event2/event_struct.h>
#include <sys/queue.h>

#include "protocol/text.h"
#include "referee/base/thread.h"
#include "referee/http/http-head.h"
#include "referee/http/http.h"

struct evbuffer;

enum http_state {
	HTTP_READING,	/* reads a head, or nothing yet */
	HTTP_ASKED,	/* the owner has the request */
	HTTP_WAITING,	/* the owner has it, and lets it wait */
	HTTP_BODY,	/* the owner has the request, and its body is read */
	HTTP_WRITING,	/* the answer is written */
	HTTP_WATCHING,	/* it is sent events */
	HTTP_LINGERING, /* waits until the other side has ended */
};

struct http_piece {
	unsigned users;
	size_t n;
	char bytes[];
};

struct http_request {
	struct http_connection *connection;
	char *bytes; /* the head; owned */
	struct http_head head;
	struct text added;	   /* extra headers of the answer */
	struct http_answer answer; /* the answer while it is gzipped */
	enum http_cache cache;
	/* The body of a PUT. */
	http_body *body;
	http_body_left *left;
	void *arg;
	char *put; /* owned */
	size_t used;
	char sender[HTTP_SENDER_BYTES]; /* the sender that it counts for */
	uint64_t had_us;   /* how long that one's bodies had places before */
	uint64_t since_us; /* time since its body is read */
	http_away *away;   /* while it waits */
	void *away_arg;
	/* The sentence of a delayed refusal; NULL: none. */
	const char *late;
};

struct http_connection {
	TAILQ_ENTRY(http_connection) at;
	struct http *http;
	const struct listener *listener; /* NULL: the listener is gone */
	int fd;
	enum http_state state;
	struct event read, write;
	struct timer timer;
	struct timer again; /* more than one request has come */
	struct evbuffer *in, *out;
	size_t scanned; /* bytes of `in` that http_head_find() has looked at */
	struct address *address; /* the address that it counts for; NULL: none
				  * now */
	char from[ADDRESS_TEXT_BYTES]; /* the same address as text */
	struct http_request *request;  /* owned; exists from its head to its
				        * answer */
	unsigned requests;	       /* requests so far */
	bool proxied;	/* each request counts for an address of its own */
	bool paused;	/* the event `read` is off */
	bool ended;	/* nothing more comes in */
	bool closes;	/* close after this answer */
	bool large;	/* its answer is large */
	size_t packing; /* bytes of its answer that are gzipped now */
	size_t sending; /* bytes of its answer when it was ready */
	uint64_t sending_since_us;
	/* A watcher's calls, and about how many bytes it has not been sent yet. */
	const struct http_watch *watch;
	void *watch_arg;
	size_t queued;
};

TAILQ_HEAD(http_connections, http_connection);

struct http {
	struct loop *loop;
	struct http_limits limits;
	struct addresses *addresses;
	struct networks proxies;
	http_allowed *allowed;
	http_asked *asked;
	refusal_told *refused;
	http_refusal_page *refusal_page; /* or NULL */
	void *arg;
	struct thread *thread;	  /* or NULL */
	unsigned char secret[16]; /* key of ETags */
	struct listener *listener[HTTP_LISTENERS];
	struct http_connections connections; /* by the time of their last
					      * change, the oldest first */
	bool stopping;
	struct http_counts counts;
};

/* ---- http.c ----------------------------------------------------------- */

/* Answers a request, now or later.  The connection may be freed after that. */
void http_begin(struct http_request *request);
/* Writes to `out` the head of an answer without a length, after which the
 * connection ends.  Returns true if that was all, because it was a HEAD. */
bool http_answer_head(struct http_request *request,
		      const char *type) MUST_CHECK;
/* Writes a refusal as bytes, for clients without a connection struct. */
size_t http_refusal(char *to, size_t size, int code, const char *sentence);

/* ---- http-connection.c ------------------------------------------------ */

/* Sends `out` as the answer.  Frees the request, and perhaps the connection. */
void http_send(struct http_connection *connection);
/* Begins to read the body of a PUT. */
void http_take_body(struct http_request *request);
/* Delays the refusal of http_refuse_wrong() by `us`. */
void http_wait_ms(struct http_connection *connection, unsigned ms);
void http_close(struct http_connection *connection);
/* Takes a request that waits back from its owner; the caller answers it. */
void http_take_back(struct http_request *request);

/* Appends a piece by reference. */
void http_piece_add(struct http_piece *piece, struct evbuffer *to);

#endif
