/* tests/fuzz/fuzz-remote-bot.c - any bytes on connections: remote bots come
 * and go as they should, and are answered in lines.
 *
 * Input: the bytes that are sent, except those below.  Several connections are
 * open at the same time; the bot `knock` with the token `secret` may come,
 * `banned` may not, others have wrong tokens.  A bot that sits down gets a
 * game, as far as it has room for one, in which each answer is followed by
 * another ask; `rest` ends it. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/remote/remote-bot.h"
#include "referee/table/bot.h"
#include "tests/fuzz/fuzz.h"

/* Bytes of the input that are commands. */
#define PASS 0x80   /* the sent bytes are read */
#define OPEN 0x81   /* opens another connection, which sends from now on */
#define CUT 0x82    /* cuts the sending connection */
#define OTHER 0x83  /* the other one sends from now on */
#define FINISH 0x84 /* all games end */

#define CLIENTS 2
#define PLAYS 4

struct client {
	int fd; /* -1: none */
	bool begun;
};

struct world {
	struct loop loop;
	struct remote_bots remotes;
	struct client client[CLIENTS];
	unsigned speaks;
	struct play {
		struct bot *bot; /* NULL: none */
		struct remote_bot *remote;
		unsigned asks;
	} play[PLAYS];
	unsigned games; /* so far */
	unsigned there; /* remote bots that are present */
};

static struct world world;

/* ---- games ------------------------------------------------------------ */

static void
tell(struct play *play, const char *line)
{
	bot_line(play->bot, line, strlen(line));
	bot_stamp(play->bot);
}

static void
end(struct play *play)
{
	struct bot *bot = play->bot;

	if (bot == NULL)
		return;
	play->bot = NULL;
	bot_line(bot, "over", 4);
	bot_flush(bot);
	bot_part(bot, 0);
}

static void
on_line(void *arg, enum line_result result, char *line, size_t n,
	uint64_t now_us)
{
	struct play *play = arg;
	char ask[64];

	(void)now_us;
	if (result == LINE_OK)
		HOLDS(strlen(line) == n && n <= LINE_BOT_BYTES);
	snprintf(ask, sizeof(ask), "ask %u 1000 play a", ++play->asks);
	if (play->asks < 20)
		tell(play, ask);
	else
		end(play);
}

static void
on_time(void *arg, uint64_t now_us)
{
	(void)arg;
	(void)now_us;
}

static void
on_gone(void *arg, bool flooded)
{
	(void)flooded;
	end(arg);
}

static const struct bot_listener listener = {
	.line = on_line, .handed = on_time, .stuck = on_time, .gone = on_gone
};

static void
begin(struct remote_bot *remote)
{
	struct play *play = world.play;
	char id[ID_BYTES + 1];

	while (play < world.play + PLAYS && play->bot != NULL)
		play++;
	if (play == world.play + PLAYS || remote->games >= remote->games_max ||
	    remote->leaving)
		return;
	snprintf(id, sizeof(id), "%032x", ++world.games);
	*play = (struct play){ .bot = remote_game_new(remote, id),
			       .remote = remote };
	bot_listen(play->bot, &listener, play);
	tell(play, "game toepen seat 0 of 2");
}

/* ---- remote bots ------------------------------------------------------ */

static enum remote_bot_answer
on_authenticate(void *arg, char name[NAME_BYTES + 1], const char *token,
		size_t n, struct error *why)
{
	(void)arg;
	HOLDS(strlen(name) > 0 && strlen(name) <= NAME_BYTES);
	if (strcmp(name, "banned") == 0) {
		error_set(why, ERROR_INPUT, "you may not come");
		return REMOTE_BOT_REFUSED;
	}
	return n == 6 && memcmp(token, "secret", 6) == 0 ? REMOTE_BOT_WELCOME
							 : REMOTE_BOT_WRONG;
}

static void
on_came(void *arg, struct remote_bot *remote)
{
	(void)arg;
	HOLDS(remote->here && remote->games == 0);
	HOLDS(remote->games_max >= 1 && remote->games_max <= GAMES_AT_ONCE);
	world.there++;
}

static void
on_sat(void *arg, struct remote_bot *remote, const char *ladders, size_t n)
{
	(void)arg;
	HOLDS(n > 0);
	if (n == 7 && memcmp(ladders, "nowhere", n) == 0)
		remote_bot_dismiss(remote, "there is no such ladder");
	else
		begin(remote);
}

static void
on_resting(void *arg, struct remote_bot *remote)
{
	unsigned i;

	(void)arg;
	for (i = 0; i < PLAYS; i++)
		if (world.play[i].remote == remote)
			end(&world.play[i]);
}

static void
on_said(void *arg, struct remote_bot *remote)
{
	(void)arg;
	HOLDS(remote->games <= GAMES_AT_ONCE);
}

static void
on_left(void *arg, struct remote_bot *remote)
{
	(void)arg;
	(void)remote;
	HOLDS(world.there > 0);
	world.there--;
}

static const struct remote_bot_calls calls = { .authenticate = on_authenticate,
					       .came = on_came,
					       .sat = on_sat,
					       .resting = on_resting,
					       .quit = on_said,
					       .lost = on_said,
					       .back = on_said,
					       .left = on_left };

/* ---- connections ------------------------------------------------------ */

/* Checks that only lines come, and that the first is `referee 1 …`, with the
 * one limit that differs from the page's, or `error …`. */
static void
hear(struct client *client)
{
	static const char hello[] =
		"referee 1 referee-" PACKAGE_VERSION " grace=1\n";
	char heard[4096];
	ssize_t n, i;

	while ((n = recv(client->fd, heard, sizeof(heard), MSG_DONTWAIT)) > 0) {
		for (i = 0; i < n; i++)
			HOLDS(heard[i] == '\n' ||
			      (heard[i] >= ' ' && heard[i] <= '~'));
		if (!client->begun && n >= (ssize_t)sizeof(hello) - 1)
			HOLDS(memcmp(heard, hello, sizeof(hello) - 1) == 0 ||
			      memcmp(heard, "error ", 6) == 0);
		client->begun = true;
	}
}

static void
do_nothing(struct loop_task *task)
{
	(void)task;
}

static void
pass(void)
{
	/* The loop does not wait for events when it has a task to do. */
	static struct loop_task task = { .run = do_nothing };
	unsigned i;

	loop_post(&world.loop, LOOP_SETTLE, &task);
	loop_pass(&world.loop);
	for (i = 0; i < CLIENTS; i++)
		if (world.client[i].fd >= 0)
			hear(&world.client[i]);
}

static void
cut(struct client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
}

static void
open_one(void)
{
	struct client *client;
	int fd[2];

	world.speaks = (world.speaks + 1) % CLIENTS;
	client = &world.client[world.speaks];
	cut(client);
	HOLDS(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
			 fd) == 0);
	*client = (struct client){ .fd = fd[0] };
	remote_bots_arrive(&world.remotes, fd[1], NULL, NULL);
}

static void
say(const uint8_t *bytes, size_t n)
{
	const struct client *client = &world.client[world.speaks];

	if (n > 0 && client->fd >= 0) /* it may have been thrown out */
		(void)!send(client->fd, bytes, n, MSG_NOSIGNAL);
}

static void
do_byte(uint8_t byte)
{
	unsigned i;

	switch (byte) {
	case OPEN:
		open_one();
		break;
	case CUT:
		cut(&world.client[world.speaks]);
		break;
	case OTHER:
		world.speaks = (world.speaks + 1) % CLIENTS;
		break;
	case FINISH:
		for (i = 0; i < PLAYS; i++)
			end(&world.play[i]);
		break;
	default:
		break;
	}
	pass();
}

static uint64_t now_us;

/* Returns the time; each call takes a while, so that timers are due soon. */
static uint64_t
a_clock(void)
{
	return now_us += 100;
}

static void
world_open(void)
{
	struct remote_bot_limits limits = remote_bot_limits;

	memset(&world, 0, sizeof(world));
	world.client[0].fd = world.client[1].fd = -1;
	limits.wrong_ms = 0;
	limits.grace_ms = 1;
	limits.story_bytes = 300;
	clock_us = a_clock;
	now_us = 1;
	HOLDS(loop_init(&world.loop) == 0);
	remote_bots_init(&world.remotes, &world.loop, &link_limits, &limits,
			 &calls, &world);
	open_one();
}

static void
world_close(void)
{
	unsigned i;

	for (i = 0; i < CLIENTS; i++)
		cut(&world.client[i]);
	pass();
	for (i = 0; i < PLAYS; i++)
		end(&world.play[i]);
	pass();
	remote_bots_release(&world.remotes);
	HOLDS(world.there == 0);
	loop_release(&world.loop);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	size_t i, said = 0;

	world_open();
	for (i = 0; i < n; i++) {
		if (data[i] < PASS || data[i] > FINISH)
			continue;
		say(data + said, i - said);
		said = i + 1;
		do_byte(data[i]);
	}
	say(data + said, n - said);
	for (i = 0; i < 4; i++)
		pass();
	world_close();
	return 0;
}
