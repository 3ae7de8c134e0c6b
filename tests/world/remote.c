/* tests/world/remote.c - a bot that connects, plays, and comes back. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/world/bots.h"
#include "tests/world/player.h"
#include "tests/world/talk.h"

/* Until it comes back: after a cut; after an `error`, twice as long each time; when it
 * need not come again; after it has quit. */
#define BACK_US 800000
#define AGAIN_US 1000000
#define AGAIN_MOST_US 30000000
#define NO_MORE_US 10000000
#define REST_US 5000000

/* So many of 1000 connections. */
#define CUT_CONNECTIONS 600
#define DOUBLE_CONNECTIONS 600
#define WRONG_HELLOS 100
#define LONG_ABSENCES 100
#define LONG_US 25000000 /* longer than return-time of the scenario */
#define FORGETS 300

#define CUT_BYTES 8000
#define DOUBLE_US 20000000

struct remote {
	struct remote *next;
	struct remote_setup setup; /* strings owned */
	uint64_t number;
	struct dice dice;
	struct player *player;
	struct talk talk, old; /* `old`: taken over by the newer one */
	bool connected, has_old;
	bool came; /* it was connected before */
	bool resting;
	uint64_t again_us, connections;
	struct timer connect, twice, rest, wake;
};

static struct remote *remotes;
static uint64_t begun;

static void connect_now(struct remote *remote);

/* ---- the end of a connection ------------------------------------------ */

static void
come_back_after(struct remote *remote, uint64_t usual_us)
{
	if (dice_often(&remote->dice, LONG_ABSENCES) &&
	    remote->setup.nature != NATURE_HONEST)
		usual_us += LONG_US;
	timer_after(&remote->connect,
		    1000 + dice_delay_us(&remote->dice, usual_us));
}

/* Returns how long it stays away after the referee has closed the line. */
static uint64_t
longer_each_time(struct remote *remote)
{
	const uint64_t us = remote->again_us;

	if (remote->again_us < AGAIN_MOST_US)
		remote->again_us *= 2;
	return us;
}

static void
disconnect(struct remote *remote)
{
	if (!remote->connected)
		return;
	remote->connected = false;
	timer_stop(&remote->twice);
	timer_stop(&remote->rest);
	timer_stop(&remote->wake);
	talk_release(&remote->talk);
	player_lost(remote->player);
}

static void
on_ended(void *arg)
{
	struct remote *remote = arg;

	/* One without time left has its next connection planned by `bye`. */
	disconnect(remote);
	if (!timer_runs(&remote->connect))
		come_back_after(remote, remote->setup.nature == NATURE_VANISHING
						? BACK_US
						: longer_each_time(remote));
}

static void
on_heard(void *arg, const char *bytes, size_t n)
{
	struct remote *remote = arg;

	player_hear(remote->player, bytes, n);
}

static const struct talk_calls talk_calls = {
	.heard = on_heard,
	.ended = on_ended,
};

static void
on_old_heard(void *arg UNUSED, const char *bytes UNUSED, size_t n UNUSED)
{
}

static void
on_old_ended(void *arg)
{
	struct remote *remote = arg;

	remote->has_old = false;
	talk_release(&remote->old);
}

static const struct talk_calls old_calls = {
	.heard = on_old_heard,
	.ended = on_old_ended,
};

/* ---- what its player does --------------------------------------------- */

static void
on_say(void *arg, const char *bytes, size_t n)
{
	struct remote *remote = arg;

	if (remote->connected)
		talk_say(&remote->talk, bytes, n);
}

static void say_line(struct remote *remote, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void
say_line(struct remote *remote, const char *fmt, ...)
{
	va_list args;
	char *line;

	va_start(args, fmt);
	line = vformatted(fmt, args);
	va_end(args);
	on_say(remote, line, strlen(line));
	free(line);
}

static void
on_greeted(void *arg)
{
	struct remote *remote = arg;

	remote->again_us = AGAIN_US;
	say_line(remote, "sit %s\n", remote->setup.ladders);
}

static void
on_bye(void *arg, bool again)
{
	struct remote *remote = arg;

	if (!again)
		come_back_after(remote, NO_MORE_US);
}

static void
on_wake(void *arg)
{
	struct remote *remote = arg;

	talk_listen(&remote->talk);
}

static void
on_deed(void *arg, const char *bytes, size_t n)
{
	struct remote *remote = arg;

	switch (remote->setup.nature) {
	case NATURE_CRASHING:
		on_say(remote, bytes, n);
		talk_cut_after(&remote->talk, 0);
		return;
	case NATURE_DEAF:
		talk_deafen(&remote->talk);
		timer_after(&remote->wake,
			    dice_delay_us(&remote->dice, 10000000));
		return;
	default:
		if (dice_often(&remote->dice, 500))
			talk_close_in(&remote->talk);
		else
			talk_close_out(&remote->talk);
		/* It will be thrown out, or hear nothing more, and goes. */
		timer_after(&remote->wake,
			    dice_delay_us(&remote->dice, 10000000));
	}
}

/* Rests or quits for a while. */
static void
on_idle(void *arg)
{
	struct remote *remote = arg;

	if (remote->resting ||
	    !dice_often(&remote->dice, remote->setup.stay_away))
		return;
	if (dice_often(&remote->dice, 500)) {
		remote->resting = true;
		say_line(remote, "rest\n");
		timer_after(&remote->rest,
			    dice_delay_us(&remote->dice, REST_US));
	} else {
		say_line(remote, "quit\n");
		come_back_after(remote, REST_US);
	}
}

static void
on_rest_over(void *arg)
{
	struct remote *remote = arg;

	remote->resting = false;
	say_line(remote, "sit %s\n", remote->setup.ladders);
}

static const struct player_calls player_calls = {
	.say = on_say,
	.greeted = on_greeted,
	.bye = on_bye,
	.deed = on_deed,
	.idle = on_idle,
};

/* ---- connections ------------------------------------------------------ */

static void
say_hello(struct remote *remote)
{
	const struct remote_setup *setup = &remote->setup;
	struct text resume = { .max = SIZE_MAX }, line = { .max = SIZE_MAX };

	player_resume(remote->player,
		      setup->nature == NATURE_CRASHING ||
			      (setup->nature != NATURE_HONEST &&
			       dice_often(&remote->dice, FORGETS)),
		      &resume);
	text_fmt(&line, "bot 1 %s token=%s", setup->name, setup->token);
	if (setup->entropy)
		text_str(&line, " entropy=yes");
	if (setup->multi)
		text_fmt(&line, " multi=yes games=%u", setup->games);
	if (resume.used > 0)
		text_fmt(&line, " resume=%s", text_string(&resume));
	if (setup->nature == NATURE_GARBLED &&
	    dice_often(&remote->dice, WRONG_HELLOS))
		text_str(&line, " games=99 token=x\n\n\n");
	text_str(&line, "\n");
	on_say(remote, line.bytes, line.used);
	text_release(&line);
	text_release(&resume);
}

/* The connection that is there goes on, without us, until the referee ends it. */
static void
leave_behind(struct remote *remote)
{
	if (remote->has_old)
		on_old_ended(remote);
	talk_deafen(&remote->talk);
	talk_init(&remote->old, remote->talk.in, remote->talk.out,
		  dice_of("old-talk", remote->number), &old_calls, remote);
	remote->has_old = true;
	remote->talk.in = remote->talk.out = -1;
	disconnect(remote);
}

static void
on_twice(void *arg)
{
	struct remote *remote = arg;

	leave_behind(remote);
	connect_now(remote);
}

static void
draw_fate(struct remote *remote)
{
	const enum nature nature = remote->setup.nature;
	uint64_t bytes;

	if (nature == NATURE_VANISHING &&
	    dice_often(&remote->dice, CUT_CONNECTIONS)) {
		/* Often it is cut before it has read the ask that waits. */
		bytes = CUT_BYTES >> dice_draw(&remote->dice, 6);
		talk_cut_after(&remote->talk,
			       1 + (size_t)dice_draw(&remote->dice, bytes));
		bots_counts.cuts++;
	} else if (nature == NATURE_DOUBLED &&
		   dice_often(&remote->dice, DOUBLE_CONNECTIONS)) {
		timer_after(&remote->twice,
			    dice_draw(&remote->dice, DOUBLE_US));
	}
}

static void
connect_now(struct remote *remote)
{
	const struct remote_setup *setup = &remote->setup;
	const int fd = world_connect(setup->port, setup->address);

	if (fd < 0) {
		come_back_after(remote, longer_each_time(remote));
		return;
	}
	bots_counts.connections++;
	bots_counts.returns += remote->came;
	remote->came = remote->connected = true;
	remote->resting = false;
	talk_init(&remote->talk, fd, fd,
		  dice_of("remote-talk",
			  remote->number << 32 | ++remote->connections),
		  &talk_calls, remote);
	player_connected(remote->player);
	draw_fate(remote);
	say_hello(remote);
}

static void
on_connect(void *arg)
{
	struct remote *remote = arg;

	if (!remote->connected)
		connect_now(remote);
}

static void
on_wake_or_leave(void *arg)
{
	struct remote *remote = arg;

	if (remote->setup.nature == NATURE_DEAF)
		on_wake(remote);
	else
		talk_cut_after(&remote->talk, 0);
}

/* ---- life ------------------------------------------------------------- */

void
remote_begin(const struct remote_setup *setup)
{
	struct remote *remote = zeroed(1, sizeof(*remote)), **at = &remotes;
	struct player_setup player = {
		.about = { .nature = setup->nature,
			   .number = UINT64_C(1) << 32 | ++begun },
		.remote = true,
		.multi = setup->multi,
		.entropy = setup->entropy,
		.think_us = bots_think_us,
	};

	snprintf(player.about.name, sizeof(player.about.name), "%s",
		 setup->name);
	remote->number = begun;
	remote->setup = *setup;
	remote->setup.name = copied(setup->name);
	remote->setup.token = copied(setup->token);
	remote->setup.ladders = copied(setup->ladders);
	remote->dice = dice_of("remote", begun);
	remote->again_us = AGAIN_US;
	remote->player = player_new(&player, &player_calls, remote);
	player_lost(remote->player);
	timer_init(&remote->connect, &world_timers, on_connect, remote);
	timer_init(&remote->twice, &world_timers, on_twice, remote);
	timer_init(&remote->rest, &world_timers, on_rest_over, remote);
	timer_init(&remote->wake, &world_timers, on_wake_or_leave, remote);
	timer_after(&remote->connect,
		    dice_delay_us(&remote->dice, setup->begin_us));
	while (*at != NULL)
		at = &(*at)->next;
	*at = remote;
}
