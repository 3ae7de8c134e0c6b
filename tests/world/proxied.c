/* tests/world/proxied.c - see proxied.h. */
#include "tests/world/proxied.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/world/talk.h"

#define PROXIED_LIVES 500 /* of 1000 */
#define MOST 16		  /* connections */
#define OVER 4		  /* more than the limit */
#define PAUSE_US 15000000
#define STAY_US 4000000

struct visit {
	struct talk talk;
	struct text head;
	bool connected, watches;
};

static struct {
	uint16_t port;
	uint32_t proxy;
	const char *ladder;
	unsigned limit, round;
	struct dice dice;
	struct visit visit[MOST];
	struct timer come, leave;
} proxied;

static void
count(void)
{
	unsigned watching = 0;

	for (unsigned i = 0; i < MOST; i++)
		watching += proxied.visit[i].watches;
	if (watching > proxied.limit)
		world_broken("%u connections of one client behind a proxy "
			     "watch, and %u may",
			     watching, proxied.limit);
}

static void
on_heard(void *arg, const char *bytes, size_t n)
{
	struct visit *visit = arg;

	if (visit->watches)
		return;
	text_add(&visit->head, bytes, n);
	if (strstr(text_string(&visit->head), "\r\n\r\n") == NULL)
		return;
	visit->watches = strncmp(visit->head.bytes, "HTTP/1.1 200 ", 13) == 0;
	count();
}

static void
end(struct visit *visit)
{
	if (visit->connected)
		talk_release(&visit->talk);
	text_release(&visit->head);
	visit->connected = visit->watches = false;
}

static void
on_ended(void *arg)
{
	end(arg);
}

static const struct talk_calls talk_calls = {
	.heard = on_heard,
	.ended = on_ended,
};

static void
ask(struct visit *visit, unsigned number)
{
	const bool other = dice_often(&proxied.dice, 300);
	char *request;

	/* The proxy adds the client that it sees behind what the client has sent. */
	request = formatted(
		"GET /api/1/events?topic=ladder:%s HTTP/1.1\r\n"
		"Host: localhost\r\n%s10.%u.%u.1%s10.9.8.7\r\n\r\n",
		proxied.ladder, other ? "Forwarded: for=" : "X-Forwarded-For: ",
		proxied.round % 256, number, other ? ", for=" : ", ");
	talk_say(&visit->talk, request, strlen(request));
	free(request);
}

static void
on_come(void *arg UNUSED)
{
	struct visit *visit;
	unsigned i;
	int fd;

	proxied.round++;
	for (i = 0; i < proxied.limit + OVER && i < MOST; i++) {
		fd = world_connect(proxied.port, proxied.proxy);
		if (fd < 0)
			break;
		visit = &proxied.visit[i];
		visit->connected = true;
		text_init(&visit->head, SIZE_MAX);
		talk_init(&visit->talk, fd, fd,
			  dice_of("proxied-talk", proxied.round * MOST + i),
			  &talk_calls, visit);
		ask(visit, i);
	}
	timer_after(&proxied.leave, dice_delay_us(&proxied.dice, STAY_US));
}

static void
on_leave(void *arg UNUSED)
{
	for (unsigned i = 0; i < MOST; i++)
		end(&proxied.visit[i]);
	timer_after(&proxied.come, dice_delay_us(&proxied.dice, PAUSE_US));
}

void
proxied_begin(uint16_t port, uint32_t proxy, const char *ladder, unsigned limit)
{
	proxied.port = port;
	proxied.proxy = proxy;
	proxied.ladder = ladder;
	proxied.limit = limit;
	proxied.dice = dice_of("proxied", 0);
	timer_init(&proxied.come, &world_timers, on_come, NULL);
	timer_init(&proxied.leave, &world_timers, on_leave, NULL);
	if (dice_often(&proxied.dice, PROXIED_LIVES))
		timer_after(&proxied.come,
			    dice_delay_us(&proxied.dice, PAUSE_US / 3));
}
