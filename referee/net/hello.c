/* referee/net/hello.c - connections that have not said who they are.
 *
 * Their first line decides.  A wrong token is answered late, by a timer and
 * later each time, and nothing is read of the connection meanwhile. */
#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/net/door.h"
#include "referee/net/remote-bot-inside.h"

struct arrival {
	struct remote_bots *remotes;
	struct arrival *next, **from;
	struct link *link;
	struct visitor *visitor; /* or NULL; the link's */
	struct event timer;	 /* of the answer to a wrong token */
	uint64_t answer_us;
};

static void
arrival_free(struct arrival *arrival)
{
	*arrival->from = arrival->next;
	if (arrival->next != NULL)
		arrival->next->from = arrival->from;
	event_del(&arrival->timer);
	free(arrival);
}

static void
refuse(struct arrival *arrival, const char *sentence)
{
	link_close(arrival->link, sentence);
	arrival_free(arrival);
}

/* What it has said would be no better the next time. */
static void
refuse_for_good(struct arrival *arrival, const char *sentence)
{
	char line[sizeof(REMOTE_BOT_NOT_AGAIN) + REMOTE_BOT_WHY_BYTES];

	snprintf(line, sizeof(line), REMOTE_BOT_NOT_AGAIN "%s", sentence);
	refuse(arrival, line);
}

static void
wait_for_answer(struct arrival *arrival, uint64_t now_us)
{
	uint64_t wait_us = arrival->answer_us - now_us + 1;
	struct timeval after = {
		.tv_sec = (time_t)(wait_us / 1000000),
		.tv_usec = (suseconds_t)(wait_us % 1000000),
	};

	event_add(&arrival->timer, &after);
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct arrival *arrival = arg;
	uint64_t now_us = clock_us();

	(void)fd;
	(void)what;
	if (now_us < arrival->answer_us)
		wait_for_answer(arrival, now_us);
	else
		refuse_for_good(arrival, "unknown bot name or wrong token");
}

static void
wrong_token(struct arrival *arrival, uint64_t now_us)
{
	unsigned ms = arrival->visitor == NULL
			      ? arrival->remotes->limits.wrong_ms
			      : visitor_wrong(arrival->visitor, now_us);

	link_hold(arrival->link, true);
	arrival->answer_us = now_us + ms * (uint64_t)1000;
	wait_for_answer(arrival, now_us);
}

static void
enter(struct arrival *arrival, const struct message *message)
{
	struct visitor *visitor = arrival->visitor;
	const char *why =
		remote_bot_enter(arrival->remotes, arrival->link,
				 visitor == NULL ? "" : visitor->from, message);

	if (why != NULL) {
		refuse_for_good(arrival, why);
		return;
	}
	arrival_free(arrival);
	if (visitor != NULL)
		visitor_known(visitor);
}

static void
on_line(void *arg, enum line_result result, char *line, size_t n,
	uint64_t now_us)
{
	struct arrival *arrival = arg;
	struct remote_bots *remotes = arrival->remotes;
	char name[NAME_BYTES + 1];
	struct error why = { 0 };
	struct message message;

	if (result != LINE_OK || n > LINE_BOT_BYTES) {
		refuse_for_good(arrival,
				"the first line is: bot 1 NAME token=SECRET");
		return;
	}
	message_read(line, n, &message);
	if (message.verb != MESSAGE_BOT || message.token == NULL) {
		refuse_for_good(arrival,
				message.why != NULL && n > 4 &&
						memcmp(line, "bot ", 4) == 0
					? message.why
					: "the first line is: bot 1 NAME "
					  "token=SECRET");
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)message.n, message.text);
	switch (remotes->calls->authenticate(remotes->arg, name, message.token,
					     message.token_bytes, &why)) {
	case REMOTE_BOT_WELCOME:
		if (!remote_bot_may_enter(remotes, name)) {
			refuse(arrival, "you come back too often");
			break;
		}
		enter(arrival, &message);
		break;
	case REMOTE_BOT_WRONG:
		wrong_token(arrival, now_us);
		break;
	case REMOTE_BOT_REFUSED:
		refuse(arrival, why.text);
		break;
	}
}

static void
on_gone(void *arg, bool flooded, const char *why)
{
	(void)flooded;
	(void)why;
	arrival_free(arg);
}

static const struct link_calls calls = { .line = on_line, .gone = on_gone };

static void
send_away(void *arg, const char *sentence)
{
	link_drop(arg, sentence);
}

static void
on_ended(void *arg)
{
	if (arg != NULL)
		visitor_free(arg);
}

void
remote_bots_arrive(struct remote_bots *remotes, int fd, const struct tls *tls,
		   struct visitor *visitor)
{
	struct arrival *arrival = memory(NULL, sizeof(*arrival));
	struct link *link =
		link_new(&remotes->links, fd, tls, on_ended, visitor);

	if (link == NULL) {
		on_ended(visitor);
		free(arrival);
		return;
	}
	*arrival = (struct arrival){ .remotes = remotes,
				     .link = link,
				     .visitor = visitor };
	event_assign(&arrival->timer, remotes->loop->base, -1, 0, on_timer,
		     arrival);
	arrival->next = remotes->arrivals;
	arrival->from = &remotes->arrivals;
	if (arrival->next != NULL)
		arrival->next->from = &arrival->next;
	remotes->arrivals = arrival;
	link_listen(link, &calls, arrival);
	if (visitor != NULL) {
		visitor->send_away = send_away;
		visitor->arg = link;
	}
}

void
remote_bots_refuse(struct remote_bots *remotes, const char *sentence)
{
	while (remotes->arrivals != NULL)
		refuse(remotes->arrivals, sentence);
}

void
arrivals_release(struct remote_bots *remotes)
{
	while (remotes->arrivals != NULL)
		arrival_free(remotes->arrivals);
}
