/* tests/world/watcher.c - see watcher.h. */
#include "tests/world/watcher.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "protocol/clock.h"
#include "protocol/limits.h"
#include "tests/world/html-check.h"
#include "tests/world/talk.h"

#define OFFERED 32
#define OFFERED_DRAWS 400 /* of 1000 requests go to these */
#define KNOWN_DRAWS 300	  /* of 1000 requests say what they have */
#define GZIP_DRAWS 300
#define LAST_DRAWS 200 /* of 1000 requests are the last of their connection */
#define CUT_BYTES 30000
#define FOLLOW_US 20000000 /* the usual time at a stream of events */
#define ETAG_BYTES 64
#define HEAD_BYTES 16384
#define ANSWER_US                                                              \
	120000000 /* a disk may be slow, and other answers come first */

struct watcher {
	struct watcher_setup setup;
	struct dice dice;
	struct talk talk;
	bool connected, streams, known, gzip, last, offered;
	char *path; /* owned: of the request that is out; NULL: none */
	char etag[ETAG_BYTES], etag_path[512];
	uint64_t since_us, number, connections;
	struct text answer;
	struct timer next, leave, late;
};

static struct watcher_calls told;
static void *told_arg;
static uint64_t begun, offers;
static char *offered[OFFERED];
static bool stopping;
struct watchers_counts watchers_counts;
bool watchers_tell_games;

void
watchers_tell(const struct watcher_calls *calls, void *arg)
{
	told = *calls;
	told_arg = arg;
}

void
watchers_offer(const char *path)
{
	char **at = &offered[offers++ % OFFERED];

	free(*at);
	*at = copied(path);
}

static void
wrong(const struct watcher *watcher, unsigned status, const char *why)
{
	if (told.wrong != NULL)
		told.wrong(told_arg, watcher->path, status, why);
}

/* ---- connections ------------------------------------------------------ */

static void
disconnect(struct watcher *watcher)
{
	timer_stop(&watcher->leave);
	timer_stop(&watcher->late);
	if (watcher->connected)
		talk_release(&watcher->talk);
	watcher->connected = watcher->streams = false;
	text_clear(&watcher->answer);
	free(watcher->path);
	watcher->path = NULL;
	timer_after(&watcher->next,
		    dice_delay_us(&watcher->dice, watcher->setup.pause_us));
}

static void
on_leave(void *arg)
{
	disconnect(arg);
}

/* No answer has come.  We may have cut the line, or have read too little. */
static void
on_late(void *arg)
{
	const struct watcher *watcher = arg;

	if (watcher->talk.until_cut > 0 && !stopping)
		wrong(watcher, 0, "no answer");
}

void
watchers_stop(void)
{
	stopping = true;
}

/* ---- answers ---------------------------------------------------------- */

/* Returns the value of a field of the head, cut at the end of its line; NULL: there is
 * none. */
static const char *
find_field(const char *head, const char *name, char to[256])
{
	const size_t n = strlen(name);

	for (head = strstr(head, "\r\n"); head != NULL && head[2] != '\r';
	     head = strstr(head + 2, "\r\n")) {
		if (strncasecmp(head + 2, name, n) != 0 || head[2 + n] != ':')
			continue;
		head += 3 + n;
		head += strspn(head, " ");
		snprintf(to, 256, "%.*s", (int)strcspn(head, "\r"), head);
		return to;
	}
	return NULL;
}

static void
check_json(const struct watcher *watcher, const char *head, unsigned status,
	   const char *body, size_t n)
{
	char value[256];
	json_t *json;

	if (find_field(head, "Content-Encoding", value) != NULL ||
	    find_field(head, "Content-Type", value) == NULL ||
	    strncmp(value, "application/json", 16) != 0)
		return;
	json = json_loadb(body, n, 0, NULL);
	if (json == NULL)
		wrong(watcher, status, "its JSON cannot be read");
	json_decref(json);
}

/* Checks that a page is one whole document. */
static void
check_html(const struct watcher *watcher, const char *head, unsigned status,
	   const char *body, size_t n)
{
	char value[256], why[256];
	const char *said;
	size_t at;

	if (find_field(head, "Content-Encoding", value) != NULL ||
	    find_field(head, "Content-Type", value) == NULL ||
	    strncmp(value, "text/html", 9) != 0)
		return;
	said = html_wrong(body, n, &at);
	if (said == NULL)
		return;
	snprintf(why, sizeof(why), "%s, before `%.*s`", said,
		 (int)(n - at < 60 ? n - at : 60), body + at);
	wrong(watcher, status, why);
}

/* Tells the trace the standings of a ladder, for check-standings.c. */
static void
tell_standings(const struct watcher *watcher, const char *head, unsigned status,
	       const char *body, size_t n)
{
	static const char path[] = "/api/1/ladders/";
	const char *name = watcher->path + sizeof(path) - 1;
	struct text text = { .max = SIZE_MAX };
	json_t *json, *row;
	char value[256];
	size_t i;

	if (strncmp(watcher->path, path, sizeof(path) - 1) != 0 ||
	    strchr(name, '/') != NULL || status != 200 ||
	    find_field(head, "Content-Encoding", value) != NULL)
		return;
	json = json_loadb(body, n, 0, NULL);
	json_array_foreach(json_object_get(json, "standings"), i, row) text_fmt(
		&text, " %s %lld %lld",
		json_string_value(json_object_get(row, "bot")),
		(long long)json_integer_value(json_object_get(row, "games")),
		(long long)json_integer_value(json_object_get(row, "wins")));
	world_trace("told standings of %s at %" PRId64 " %s:%s", name,
		    clock_seconds(),
		    json_is_true(json_object_get(json, "frozen")) ? "frozen"
								  : "live",
		    text_string(&text));
	text_release(&text);
	json_decref(json);
}

static size_t
count_hex(const char *at, const char *end)
{
	size_t n = 0;

	while (at + n < end && ((at[n] >= '0' && at[n] <= '9') ||
				(at[n] >= 'a' && at[n] <= 'f')))
		n++;
	return n;
}

/* Tells the trace which IDs of games an answer has, for check-terms.c. */
static void
tell_games(const struct watcher *watcher, const char *head, unsigned status,
	   const char *body, size_t n)
{
	struct text text = { .max = SIZE_MAX };
	const char *end = body + n;
	char value[256];
	size_t digits;

	if (!watchers_tell_games || status != 200 ||
	    find_field(head, "Content-Encoding", value) != NULL)
		return;
	for (; body < end; body += digits == 0 ? 1 : digits) {
		digits = count_hex(body, end);
		if (digits == ID_BYTES)
			text_fmt(&text, " %.*s", ID_BYTES, body);
	}
	world_trace("told games of %s at %" PRId64 ":%s", watcher->path,
		    clock_seconds(), text_string(&text));
	text_release(&text);
}

static bool
is_expected(const struct watcher *watcher, unsigned status)
{
	return status == 200 || status == 304 ||
	       (status == 404 &&
		(watcher->offered || watcher->setup.may_lack(watcher->path))) ||
	       status == 503 || status == 429 || status == 403 ||
	       (status >= 301 && status <= 308);
}

/* The answer is complete. */
static void
on_answer(struct watcher *watcher, const char *head, unsigned status,
	  const char *body, size_t n)
{
	const uint64_t us = clock_us() - watcher->since_us;
	char value[256];

	watchers_counts.answers++;
	watchers_counts.status[status / 100 % 6]++;
	if (us > watchers_counts.longest_us)
		watchers_counts.longest_us = us;
	if (!is_expected(watcher, status) || (status == 304 && !watcher->known))
		wrong(watcher, status, "its status");
	timer_stop(&watcher->late);
	check_json(watcher, head, status, body, n);
	check_html(watcher, head, status, body, n);
	tell_standings(watcher, head, status, body, n);
	tell_games(watcher, head, status, body, n);
	watcher->etag[0] = '\0';
	if (find_field(head, "ETag", value) != NULL) {
		snprintf(watcher->etag, sizeof(watcher->etag), "%.63s", value);
		snprintf(watcher->etag_path, sizeof(watcher->etag_path), "%s",
			 watcher->path);
	}
	if (watcher->last || find_field(head, "Connection", value) == NULL ||
	    strcmp(value, "close") == 0) {
		disconnect(watcher);
		return;
	}
	free(watcher->path);
	watcher->path = NULL;
	text_clear(&watcher->answer);
	timer_after(&watcher->next,
		    dice_delay_us(&watcher->dice, watcher->setup.pause_us));
}

/* Takes an answer if it is complete. */
static void
take_answer(struct watcher *watcher)
{
	const char *whole = text_string(&watcher->answer);
	const char *end = strstr(whole, "\r\n\r\n");
	unsigned status = 0;
	char *head, value[256];
	size_t n, length = 0;

	if (end == NULL) {
		if (watcher->answer.used > HEAD_BYTES)
			wrong(watcher, 0, "a head without an end");
		return;
	}
	n = watcher->answer.used - (size_t)(end + 4 - whole);
	head = formatted("%.*s", (int)(end + 4 - whole), whole);
	if (sscanf(head, "HTTP/1.1 %u ", &status) != 1)
		wrong(watcher, 0, "its first line");
	if (find_field(head, "Content-Type", value) != NULL &&
	    strcmp(value, "text/event-stream") == 0) {
		watcher->streams = true;
		timer_stop(&watcher->late);
		watchers_counts.answers++;
		watchers_counts.status[2]++;
		timer_after(&watcher->leave,
			    dice_delay_us(&watcher->dice, FOLLOW_US));
	} else {
		if (find_field(head, "Content-Length", value) != NULL)
			length = strtoul(value, NULL, 10);
		else if (status != 304)
			wrong(watcher, status, "no length");
		if (n > length)
			wrong(watcher, status, "more bytes than its length");
		if (n >= length)
			on_answer(watcher, head, status, end + 4, length);
	}
	free(head);
}

static void
on_heard(void *arg, const char *bytes, size_t n)
{
	struct watcher *watcher = arg;

	if (watcher->streams) {
		watchers_counts.events += n > 0;
		return;
	}
	if (watcher->path == NULL) {
		watcher->path = copied("-");
		wrong(watcher, 0, "bytes without a request");
		disconnect(watcher);
		return;
	}
	text_add(&watcher->answer, bytes, n);
	take_answer(watcher);
}

static void
on_ended(void *arg)
{
	struct watcher *watcher = arg;

	/* An answer that has begun comes to its end, unless we go.  A daemon that stops
	 * may close a connection before. */
	if (watcher->path != NULL && !watcher->streams &&
	    watcher->talk.until_cut > 0 &&
	    (watcher->answer.used > 0 || !stopping))
		wrong(watcher, 0,
		      watcher->answer.used > 0
			      ? "an answer that is not complete"
			      : "its connection is closed without an answer");
	disconnect(watcher);
}

static const struct talk_calls talk_calls = {
	.heard = on_heard,
	.ended = on_ended,
};

/* ---- requests --------------------------------------------------------- */

static bool
connect_now(struct watcher *watcher)
{
	const int fd =
		world_connect(watcher->setup.port, watcher->setup.address);

	if (fd < 0)
		return false;
	watcher->connected = true;
	watchers_counts.connections++;
	talk_init(&watcher->talk, fd, fd,
		  dice_of("watcher-talk",
			  watcher->number << 32 | ++watcher->connections),
		  &talk_calls, watcher);
	if (dice_often(&watcher->dice, watcher->setup.impatient))
		talk_cut_after(
			&watcher->talk,
			1 + (size_t)dice_draw(&watcher->dice, CUT_BYTES));
	return true;
}

static const char *
draw_path(struct watcher *watcher)
{
	const uint64_t known = offers < OFFERED ? offers : OFFERED;
	uint64_t n = 0;

	watcher->offered =
		known > 0 && dice_often(&watcher->dice, OFFERED_DRAWS);
	if (watcher->offered)
		return offered[dice_draw(&watcher->dice, known)];
	while (watcher->setup.paths[n] != NULL)
		n++;
	return watcher->setup.paths[dice_draw(&watcher->dice, n)];
}

static void
say_request(struct watcher *watcher)
{
	struct text text = { .max = SIZE_MAX };

	watcher->path = copied(draw_path(watcher));
	watcher->known = watcher->etag[0] != '\0' &&
			 strcmp(watcher->path, watcher->etag_path) == 0 &&
			 dice_often(&watcher->dice, KNOWN_DRAWS);
	watcher->gzip = dice_often(&watcher->dice, GZIP_DRAWS);
	watcher->last = dice_often(&watcher->dice, LAST_DRAWS);
	watcher->since_us = clock_us();
	timer_after(&watcher->late, ANSWER_US);
	text_fmt(&text, "GET %s HTTP/1.1\r\nHost: localhost\r\n",
		 watcher->path);
	if (watcher->known)
		text_fmt(&text, "If-None-Match: %s\r\n", watcher->etag);
	if (watcher->gzip)
		text_str(&text, "Accept-Encoding: gzip\r\n");
	text_fmt(&text, "%s\r\n", watcher->last ? "Connection: close\r\n" : "");
	talk_say(&watcher->talk, text.bytes, text.used);
	text_release(&text);
	watchers_counts.requests++;
}

static void
on_next(void *arg)
{
	struct watcher *watcher = arg;

	if (!watcher->connected && !connect_now(watcher)) {
		timer_after(&watcher->next,
			    dice_delay_us(&watcher->dice, 1000000));
		return;
	}
	say_request(watcher);
}

void
watcher_begin(const struct watcher_setup *setup)
{
	struct watcher *watcher = zeroed(1, sizeof(*watcher));

	watcher->setup = *setup;
	watcher->number = ++begun;
	watcher->dice = dice_of("watcher", watcher->number);
	watcher->answer.max = SIZE_MAX;
	timer_init(&watcher->next, &world_timers, on_next, watcher);
	timer_init(&watcher->leave, &world_timers, on_leave, watcher);
	timer_init(&watcher->late, &world_timers, on_late, watcher);
	timer_after(&watcher->next,
		    dice_delay_us(&watcher->dice, setup->pause_us));
}
