/* referee/serve/http-visit.c - the connections of HTTP: how many, how long,
 * from where.
 *
 * evhttp knows neither how many connections it has nor how long one may last,
 * and tells nobody when one goes.  So we hold each of them, too, and look now
 * and then which ones it has let go.  Nor do we learn where one comes from
 * before evhttp has it; then it is the first thing that we look at. */
#include "referee/serve/http-inside.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "referee/table/loop.h"

#define LOOK_MS 100 /* between two looks */

static struct http *hosts; /* all there are */

static void on_input(struct evbuffer *input,
		     const struct evbuffer_cb_info *info, void *arg);

static struct timeval
time_of(unsigned ms)
{
	return (struct timeval){ .tv_sec = ms / 1000,
				 .tv_usec = (suseconds_t)(ms % 1000) * 1000 };
}

/* ---- who may come ----------------------------------------------------- */

static void
look_who_may_come(struct http *http)
{
	bool open = !http->paused && http->count < http->limits.connections;
	struct evconnlistener *listener;
	unsigned i;

	for (i = 0; i < HTTP_LISTENERS; i++) {
		if (http->bound[i] == NULL)
			continue;
		listener = evhttp_bound_socket_get_listener(http->bound[i]);
		if (open)
			evconnlistener_enable(listener);
		else
			evconnlistener_disable(listener);
	}
}

static void
on_resume(evutil_socket_t fd, short what, void *arg)
{
	struct http *http = arg;

	(void)fd;
	(void)what;
	http->paused = false;
	look_who_may_come(http);
}

/* evhttp has put an argument of its own where ours would have to be. */
static struct http *
find_host(const struct evconnlistener *listener)
{
	struct http *http;
	unsigned i;

	for (http = hosts; http != NULL; http = http->next)
		for (i = 0; i < HTTP_LISTENERS; i++)
			if (http->bound[i] != NULL &&
			    evhttp_bound_socket_get_listener(http->bound[i]) ==
				    listener)
				return http;
	bug("a listener of nobody");
}

/* A listener that stays readable must not make the loop spin. */
static void
on_accept_error(struct evconnlistener *listener, void *arg)
{
	struct http *http = find_host(listener);
	const struct timeval pause = time_of(http->limits.pause_ms);

	(void)arg;
	http->paused = true;
	look_who_may_come(http);
	event_add(http->resume, &pause);
}

void
visits_listen(struct http *http, struct evhttp_bound_socket *bound)
{
	evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(bound),
				    on_accept_error);
	look_who_may_come(http);
}

/* ---- who goes --------------------------------------------------------- */

/* bufferevent_free(), which evhttp calls in the end, takes its callbacks and
 * their argument away. */
static bool
is_let_go(const struct visit *visit)
{
	void *arg;

	bufferevent_getcb(visit->bev, NULL, NULL, NULL, &arg);
	return arg == NULL;
}

static void
visit_free(struct visit *visit)
{
	struct http *http = visit->http;

	if (visit->address != NULL) {
		visit->address->visits -= visit->counted;
		address_drop(http->addresses, visit->address, clock_us());
	}
	if (visit->late != NULL)
		event_free(visit->late);
	evbuffer_remove_cb(bufferevent_get_input(visit->bev), on_input, visit);
	bufferevent_decref(visit->bev);
	free(visit);
	http->count--;
}

static void
forget_those_gone(struct http *http)
{
	struct visit **at = &http->visits, *visit;

	while ((visit = *at) != NULL) {
		if (visit->request == NULL && is_let_go(visit)) {
			*at = visit->next;
			visit_free(visit);
		} else {
			at = &visit->next;
		}
	}
}

/* ---- from where ------------------------------------------------------- */

/* Told at once if it can be, and gone; evhttp reads the end. */
static void
turn_away(struct visit *visit, const char *sentence)
{
	evutil_socket_t fd = bufferevent_getfd(visit->bev);
	char text[512];
	int n = snprintf(text, sizeof(text),
			 "HTTP/1.1 429 Too Many Requests\r\n"
			 "Connection: close\r\n"
			 "Cache-Control: no-store\r\n"
			 "Retry-After: 1\r\n"
			 "Content-Type: text/plain; charset=utf-8\r\n"
			 "Content-Length: %zu\r\n"
			 "\r\n"
			 "429: %s\n",
			 strlen("429: \n") + strlen(sentence), sentence);

	visit->refused = true;
	visit->http->refused++;
	(void)!send(fd, text, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
	shutdown(fd, SHUT_RDWR);
}

static void
find_address(struct visit *visit)
{
	struct http *http = visit->http;
	struct sockaddr_storage from = { .ss_family = AF_UNSPEC };
	socklen_t size = sizeof(from);

	/* One that has gone meanwhile comes from nowhere. */
	if (getpeername(bufferevent_getfd(visit->bev), (struct sockaddr *)&from,
			&size) < 0)
		from.ss_family = AF_UNSPEC;
	visit->address =
		address_take(http->addresses, (struct sockaddr *)&from);
	if (visit->address->counted &&
	    visit->address->visits >= http->limits.each_address) {
		turn_away(visit, "there are too many connections from your "
				 "address");
		return;
	}
	visit->address->visits++;
	visit->counted = true;
}

/* The oldest first: it was there before the others. */
static void
find_addresses(struct http *http)
{
	struct visit *visit, *oldest;

	do {
		oldest = NULL;
		for (visit = http->visits; visit != NULL; visit = visit->next)
			if (visit->address == NULL)
				oldest = visit;
		if (oldest != NULL)
			find_address(oldest);
	} while (oldest != NULL);
}

/* ---- looking ---------------------------------------------------------- */

static void
look(struct http *http)
{
	const struct timeval after = time_of(LOOK_MS);
	const uint64_t now_us = clock_us();
	struct visit *visit;

	forget_those_gone(http);
	find_addresses(http);
	for (visit = http->visits; visit != NULL; visit = visit->next)
		if (now_us >= visit->until_us) /* evhttp reads the end */
			shutdown(bufferevent_getfd(visit->bev), SHUT_RDWR);
	look_who_may_come(http);
	if (http->count > 0)
		event_add(http->look, &after);
}

static void
on_look(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	look(arg);
}

/* ---- much at a time --------------------------------------------------- */

static bool
become_large(struct visit *mine)
{
	const struct http *http = mine->http;
	const struct visit *visit;
	unsigned all = 0, here = 0;

	for (visit = http->visits; visit != NULL; visit = visit->next) {
		all += visit->large;
		here += visit->large && visit->address == mine->address;
	}
	if (all >= http->limits.large ||
	    (mine->address->counted && here >= http->limits.large_each))
		return false;
	mine->large = true;
	return true;
}

/* evhttp tells us of a request when all of it is here, and a token is looked at
 * then: so what is on its way is bounded before. */
static void
on_input(struct evbuffer *input, const struct evbuffer_cb_info *info, void *arg)
{
	struct visit *visit = arg;

	visit->received += info->n_added;
	if (!visit->refused && !visit->large && info->n_added > 0 &&
	    visit->received >
		    HTTP_BODY_BYTES + visit->http->limits.head_bytes) {
		if (visit->address == NULL)
			find_address(visit);
		if (!visit->refused && !become_large(visit))
			turn_away(visit, "too much is being sent in just now");
	}
	if (visit->refused && info->n_added > 0)
		evbuffer_drain(input, evbuffer_get_length(input));
}

static struct bufferevent *
on_visit(struct event_base *base, void *arg)
{
	struct http *http = arg;
	struct visit *visit = memory(NULL, sizeof(*visit));

	memset(visit, 0, sizeof(*visit));
	visit->http = http;
	visit->bev = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
	if (visit->bev == NULL)
		bug("out of memory");
	bufferevent_incref(visit->bev);
	if (evbuffer_add_cb(bufferevent_get_input(visit->bev), on_input,
			    visit) == NULL)
		bug("out of memory");
	visit->until_us = clock_us() + http->limits.ms * (uint64_t)1000;
	visit->next = http->visits;
	http->visits = visit;
	http->count++;
	/* In this pass, before it is read from. */
	event_active(http->look, EV_TIMEOUT, 0);
	look_who_may_come(http);
	return visit->bev;
}

/* ---- requests --------------------------------------------------------- */

static struct visit *
find_visit(const struct http *http, const struct evhttp_request *request)
{
	struct visit *visit = http->visits;

	while (visit != NULL && visit->request != request)
		visit = visit->next;
	return visit;
}

struct visit *
visit_asks(struct http *http, struct evhttp_request *request)
{
	const struct bufferevent *bev = evhttp_connection_get_bufferevent(
		evhttp_request_get_connection(request));
	struct visit *visit = http->visits;

	while (visit != NULL && visit->bev != bev)
		visit = visit->next;
	if (visit == NULL)
		bug("a request of no connection");
	if (visit->address == NULL)
		find_address(visit);
	visit->request = request;
	return visit->refused ? NULL : visit;
}

void
visit_answered(struct http *http, struct evhttp_request *request, bool refused)
{
	struct visit *visit = find_visit(http, request);

	if (visit == NULL)
		bug("a request is answered twice");
	visit->request = NULL;
	if (visit->late != NULL)
		event_free(visit->late);
	visit->late = NULL;
	if (refused)
		visit->large = false;
}

bool
http_expect_large(struct http *http, struct evhttp_request *request)
{
	struct visit *mine = find_visit(http, request);

	if (mine == NULL)
		bug("a request is answered twice");
	forget_those_gone(http);
	return become_large(mine);
}

static void wait_to_refuse(struct visit *visit, uint64_t now_us);

static void
refuse_late(struct visit *visit)
{
	http_refuse(visit->http, visit->request, visit->code, visit->sentence);
}

/* Timers go by a clock that may be a little ahead. */
static void
on_late(evutil_socket_t fd, short what, void *arg)
{
	struct visit *visit = arg;
	const uint64_t now_us = clock_us();

	(void)fd;
	(void)what;
	if (now_us < visit->answer_us)
		wait_to_refuse(visit, now_us);
	else
		refuse_late(visit);
}

static void
wait_to_refuse(struct visit *visit, uint64_t now_us)
{
	const uint64_t us = visit->answer_us - now_us;
	const struct timeval after = {
		.tv_sec = (time_t)(us / 1000000),
		.tv_usec = (suseconds_t)(us % 1000000),
	};

	event_add(visit->late, &after);
}

void
http_refuse_wrong(struct http *http, struct evhttp_request *request, int code,
		  const char *sentence)
{
	struct visit *visit = find_visit(http, request);
	const uint64_t now_us = clock_us();
	uint64_t us;

	if (visit == NULL)
		bug("a request is answered twice");
	us = address_wrong(visit->address, now_us) * (uint64_t)1000;
	visit->until_us += us;
	visit->answer_us = now_us + us;
	visit->code = code;
	visit->sentence = sentence;
	visit->late =
		evtimer_new(bufferevent_get_base(visit->bev), on_late, visit);
	if (visit->late == NULL)
		bug("out of memory");
	wait_to_refuse(visit, now_us);
}

/* ---- life ------------------------------------------------------------- */

void
visits_init(struct http *http, struct event_base *base)
{
	http->resume = evtimer_new(base, on_resume, http);
	http->look = evtimer_new(base, on_look, http);
	if (http->resume == NULL || http->look == NULL)
		bug("out of memory");
	evhttp_set_bevcb(http->evhttp, on_visit, http);
	http->next = hosts;
	hosts = http;
}

void
visits_end(struct http *http)
{
	struct visit *visit;

	for (visit = http->visits; visit != NULL; visit = visit->next)
		if (visit->late != NULL)
			refuse_late(visit);
}

void
visits_release(struct http *http)
{
	struct http **at = &hosts;
	struct visit *visit;

	while (*at != http)
		at = &(*at)->next;
	*at = http->next;
	while ((visit = http->visits) != NULL) {
		http->visits = visit->next;
		visit_free(visit);
	}
	event_free(http->resume);
	event_free(http->look);
}
