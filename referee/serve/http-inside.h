/* referee/serve/http-inside.h - what the files of HTTP share, and nobody else
 * includes. */
#ifndef REFEREE_HTTP_INSIDE_H
#define REFEREE_HTTP_INSIDE_H

#include <stdbool.h>

#include "referee/net/address.h"
#include "referee/serve/http.h"

#define HTTP_LISTENERS 16
#define HTTP_BODY_BYTES 1024 /* read, and refused, where nothing may be put */

struct bufferevent;
struct event;
struct evhttp;

/* A connection.  It is there until evhttp has let it go and its request, if it
 * has sent one, is answered. */
struct visit {
	struct visit *next;
	struct http *http;
	struct bufferevent *bev; /* one reference is ours */
	struct address *address; /* NULL: not known yet */
	bool counted;		 /* among those of its address */
	bool refused;		 /* was told that they are too many */
	bool large;		 /* its answer is, or what it sends */
	size_t received;
	struct evhttp_request *request; /* waits for its answer; or NULL */
	uint64_t until_us;
	/* A refusal that comes late. */
	struct event *late; /* or NULL */
	uint64_t answer_us;
	int code;
	const char *sentence;
};

struct http {
	struct http *next;
	struct http_limits limits;
	http_allowed *allowed;
	http_asked *asked;
	void *arg;
	struct addresses *addresses;
	struct evhttp *evhttp;
	struct evhttp_bound_socket *bound[HTTP_LISTENERS];
	struct event *resume, *look;
	struct visit *visits;
	unsigned count;
	size_t put_bytes; /* 0: nothing may be put */
	bool paused;	  /* no descriptors: until `resume` */
	uint64_t answered, refused;
};

/* ---- http-visit.c ----------------------------------------------------- */

/* Before the first listener. */
void visits_init(struct http *http, struct event_base *base);
/* Refuses what is to be refused late; all others were answered.  After that
 * evhttp may be freed, then visits_release(). */
void visits_end(struct http *http);
void visits_release(struct http *http);
/* A listener has come. */
void visits_listen(struct http *http, struct evhttp_bound_socket *bound);

/* The one that has sent this request, which waits for its answer from now on;
 * NULL: it may not. */
struct visit *visit_asks(struct http *http, struct evhttp_request *request);
/* Its answer leaves. */
void visit_answered(struct http *http, struct evhttp_request *request,
		    bool refused);

#endif
