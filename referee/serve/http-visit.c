/* referee/serve/http-visit.c - see http-visit.h.
 *
 * evhttp knows neither how many connections it has nor how long one may last,
 * and does not tell when one goes.  So we hold each of them, too, and look now
 * and then which ones it has let go.  Nor do we learn where one comes from
 * before evhttp has it; then it is the first thing that we look at. */
#include "referee/serve/http-visit.h"

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

struct visit {
	struct visit *next;
	struct visits *visits;
	struct bufferevent *bev; /* one reference is ours */
	struct address *address; /* NULL: not known yet */
	char from[ADDRESS_TEXT_BYTES];
	bool counted; /* among those of its address */
	bool refused; /* was told that they are too many */
	bool asked;   /* a whole request has come */
	bool large;   /* its answer is, or what it sends */
	size_t received;
	struct evhttp_request *request; /* waits for its answer; or NULL */
	uint64_t until_us;
	/* A refusal that comes late. */
	struct event *late; /* or NULL */
	uint64_t answer_us;
	const char *sentence;
};

struct visits {
	struct visits *next;
	struct http_limits limits;
	struct addresses *addresses;
	visits_refuse *refuse;
	refusal_told *refused;
	void *arg;
	struct evhttp_bound_socket *bound[HTTP_LISTENERS];
	struct event *resume, *look;
	struct visit *first;
	unsigned count;
	bool paused; /* no descriptors: until `resume` */
	uint64_t turned_away;
};

static struct visits *hosts; /* all there are */

static void on_input(struct evbuffer *input,
		     const struct evbuffer_cb_info *info, void *arg);

/* ---- who may come ----------------------------------------------------- */

static void
look_who_may_come(struct visits *visits)
{
	bool open =
		!visits->paused && visits->count < visits->limits.connections;
	struct evconnlistener *listener;
	unsigned i;

	for (i = 0; i < HTTP_LISTENERS; i++) {
		if (visits->bound[i] == NULL)
			continue;
		listener = evhttp_bound_socket_get_listener(visits->bound[i]);
		if (open)
			evconnlistener_enable(listener);
		else
			evconnlistener_disable(listener);
	}
}

static void
on_resume(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct visits *visits = arg;

	visits->paused = false;
	look_who_may_come(visits);
}

/* evhttp has put its own argument in the place of ours. */
static struct visits *
find_host(const struct evconnlistener *listener)
{
	struct visits *visits;
	unsigned i;

	for (visits = hosts; visits != NULL; visits = visits->next)
		for (i = 0; i < HTTP_LISTENERS; i++)
			if (visits->bound[i] != NULL &&
			    evhttp_bound_socket_get_listener(
				    visits->bound[i]) == listener)
				return visits;
	bug("a listener that is not ours");
}

/* A listener that stays readable must not make the loop spin. */
static void
on_accept_error(struct evconnlistener *listener, void *arg UNUSED)
{
	struct visits *visits = find_host(listener);

	visits->paused = true;
	look_who_may_come(visits);
	loop_after_us(visits->resume, visits->limits.pause_ms * (uint64_t)1000);
}

void
visits_listen(struct visits *visits, struct evhttp_bound_socket *bound)
{
	unsigned i;

	for (i = 0; visits->bound[i] != NULL; i++)
		if (i + 1 == HTTP_LISTENERS)
			bug("too many listeners");
	visits->bound[i] = bound;
	evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(bound),
				    on_accept_error);
	look_who_may_come(visits);
}

void
visits_unlisten(struct visits *visits, struct evhttp_bound_socket *bound)
{
	unsigned i;

	for (i = 0; i < HTTP_LISTENERS; i++)
		if (visits->bound[i] == bound)
			visits->bound[i] = NULL;
}

void
visits_set_each_address(struct visits *visits, unsigned each_address)
{
	visits->limits.each_address = each_address;
}

unsigned
visits_count(const struct visits *visits)
{
	return visits->count;
}

uint64_t
visits_refused(const struct visits *visits)
{
	return visits->turned_away;
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
	struct visits *visits = visit->visits;

	if (visit->address != NULL) {
		visit->address->visits -= visit->counted;
		address_drop(visits->addresses, visit->address, clock_us());
	}
	if (visit->late != NULL)
		event_free(visit->late);
	evbuffer_remove_cb(bufferevent_get_input(visit->bev), on_input, visit);
	bufferevent_decref(visit->bev);
	free(visit);
	visits->count--;
}

static void
forget_those_gone(struct visits *visits)
{
	struct visit **at = &visits->first, *visit;

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

static void
tell_refused(const struct visit *visit, enum refusal kind, const char *bot,
	     const char *why)
{
	visit->visits->refused(visit->visits->arg, kind, visit->from, bot, why);
}

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
	visit->visits->turned_away++;
	tell_refused(visit, REFUSAL_LIMIT, "", sentence);
	(void)!send(fd, text, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
	shutdown(fd, SHUT_RDWR);
}

static void
find_address(struct visit *visit)
{
	struct visits *visits = visit->visits;
	struct sockaddr_storage from = { .ss_family = AF_UNSPEC };
	socklen_t size = sizeof(from);

	/* One that has gone meanwhile comes from nowhere. */
	if (getpeername(bufferevent_getfd(visit->bev), (struct sockaddr *)&from,
			&size) < 0)
		from.ss_family = AF_UNSPEC;
	else
		address_text((struct sockaddr *)&from, visit->from);
	visit->address =
		address_take(visits->addresses, (struct sockaddr *)&from);
	if (visit->address->counted &&
	    visit->address->visits >= visits->limits.each_address) {
		turn_away(visit, "there are too many connections from your "
				 "address");
		return;
	}
	visit->address->visits++;
	visit->counted = true;
}

/* The oldest first: it was there before the others. */
static void
find_addresses(struct visits *visits)
{
	struct visit *visit, *oldest;

	do {
		oldest = NULL;
		for (visit = visits->first; visit != NULL; visit = visit->next)
			if (visit->address == NULL)
				oldest = visit;
		if (oldest != NULL)
			find_address(oldest);
	} while (oldest != NULL);
}

/* ---- looking ---------------------------------------------------------- */

static void
end_late(struct visit *visit)
{
	if (!visit->asked && !visit->refused) {
		visit->refused = true;
		tell_refused(visit, REFUSAL_HELLO, "",
			     "no request came in time");
	}
	/* evhttp reads the end */
	shutdown(bufferevent_getfd(visit->bev), SHUT_RDWR);
}

static void
look(struct visits *visits)
{
	const uint64_t now_us = clock_us();
	struct visit *visit;

	forget_those_gone(visits);
	find_addresses(visits);
	for (visit = visits->first; visit != NULL; visit = visit->next)
		if (now_us >= visit->until_us)
			end_late(visit);
	look_who_may_come(visits);
	if (visits->count > 0)
		loop_after_us(visits->look, LOOK_MS * 1000);
}

static void
on_look(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	look(arg);
}

/* ---- much at a time --------------------------------------------------- */

static bool
become_large(struct visit *mine)
{
	const struct visits *visits = mine->visits;
	const struct visit *visit;
	unsigned all = 0, here = 0;

	for (visit = visits->first; visit != NULL; visit = visit->next) {
		all += visit->large;
		here += visit->large && visit->address == mine->address;
	}
	if (all >= visits->limits.large ||
	    (mine->address->counted && here >= visits->limits.large_each))
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
		    HTTP_BODY_BYTES + visit->visits->limits.head_bytes) {
		if (visit->address == NULL)
			find_address(visit);
		if (!visit->refused && !become_large(visit))
			turn_away(visit, "too much data is being uploaded now; "
					 "try again later");
	}
	if (visit->refused && info->n_added > 0)
		evbuffer_drain(input, evbuffer_get_length(input));
}

static struct bufferevent *
on_visit(struct event_base *base, void *arg)
{
	struct visits *visits = arg;
	struct visit *visit = zeroed(1, sizeof(*visit));

	visit->visits = visits;
	visit->bev = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
	if (visit->bev == NULL)
		bug("out of memory");
	bufferevent_incref(visit->bev);
	if (evbuffer_add_cb(bufferevent_get_input(visit->bev), on_input,
			    visit) == NULL)
		bug("out of memory");
	visit->until_us = clock_us() + visits->limits.ms * (uint64_t)1000;
	visit->next = visits->first;
	visits->first = visit;
	visits->count++;
	/* In this pass, before it is read from. */
	event_active(visits->look, EV_TIMEOUT, 0);
	look_who_may_come(visits);
	return visit->bev;
}

/* ---- requests --------------------------------------------------------- */

static struct visit *
find_visit(const struct visits *visits, const struct evhttp_request *request)
{
	struct visit *visit = visits->first;

	while (visit != NULL && visit->request != request)
		visit = visit->next;
	return visit;
}

bool
visits_ask(struct visits *visits, struct evhttp_request *request)
{
	const struct bufferevent *bev = evhttp_connection_get_bufferevent(
		evhttp_request_get_connection(request));
	struct visit *visit = visits->first;

	while (visit != NULL && visit->bev != bev)
		visit = visit->next;
	if (visit == NULL)
		bug("a request without a connection");
	if (visit->address == NULL)
		find_address(visit);
	visit->request = request;
	visit->asked = true;
	return !visit->refused;
}

void
visits_answered(struct visits *visits, struct evhttp_request *request,
		bool refused)
{
	struct visit *visit = find_visit(visits, request);

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
visits_expect_large(struct visits *visits, struct evhttp_request *request)
{
	struct visit *mine = find_visit(visits, request);

	if (mine == NULL)
		bug("a request is answered twice");
	forget_those_gone(visits);
	return become_large(mine);
}

static void
refuse_late(struct visit *visit)
{
	visit->visits->refuse(visit->visits->arg, visit->request,
			      visit->sentence);
}

/* Timers go by a clock that may be a little ahead. */
static void
on_late(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct visit *visit = arg;
	const uint64_t now_us = clock_us();

	if (now_us < visit->answer_us)
		loop_at_us(visit->late, visit->answer_us);
	else
		refuse_late(visit);
}

void
visits_refuse_wrong(struct visits *visits, struct evhttp_request *request,
		    const char *bot, const char *sentence)
{
	struct visit *visit = find_visit(visits, request);
	const uint64_t now_us = clock_us();
	uint64_t us;

	if (visit == NULL)
		bug("a request is answered twice");
	us = address_wrong(visit->address, now_us) * (uint64_t)1000;
	visit->until_us += us;
	visit->answer_us = now_us + us;
	visit->sentence = sentence;
	tell_refused(visit, REFUSAL_TOKEN, bot, sentence);
	visit->late =
		loop_timer(bufferevent_get_base(visit->bev), on_late, visit);
	loop_at_us(visit->late, visit->answer_us);
}

/* ---- life ------------------------------------------------------------- */

struct visits *
visits_new(struct event_base *base, struct evhttp *evhttp,
	   const struct http_limits *limits, struct addresses *addresses,
	   visits_refuse *refuse, refusal_told *refused, void *arg)
{
	struct visits *visits = memory(NULL, sizeof(*visits));

	*visits = (struct visits){ .next = hosts,
				   .limits = *limits,
				   .addresses = addresses,
				   .refuse = refuse,
				   .refused = refused,
				   .arg = arg };
	visits->resume = loop_timer(base, on_resume, visits);
	visits->look = loop_timer(base, on_look, visits);
	evhttp_set_bevcb(evhttp, on_visit, visits);
	hosts = visits;
	return visits;
}

void
visits_end(struct visits *visits)
{
	struct visit *visit;

	for (visit = visits->first; visit != NULL; visit = visit->next)
		if (visit->late != NULL)
			refuse_late(visit);
}

void
visits_free(struct visits *visits)
{
	struct visits **at = &hosts;
	struct visit *visit;

	while (*at != visits)
		at = &(*at)->next;
	*at = visits->next;
	while ((visit = visits->first) != NULL) {
		visits->first = visit->next;
		visit_free(visit);
	}
	event_free(visits->resume);
	event_free(visits->look);
	free(visits);
}
