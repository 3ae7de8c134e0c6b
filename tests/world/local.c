/* tests/world/local.c - a bot that the spawner has started. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/world/bots.h"
#include "tests/world/player.h"
#include "tests/world/stall.h"
#include "tests/world/talk.h"

/* From the exec to the first look at its input; it is less than START_MS. */
#define BEGIN_US 30000
/* From `bye` or the end of its input to its end; it is less than BYE_MS. */
#define LEAVE_US 3000
/* A sluggish bot reads for so long, and then does not.  An ask has to wait meanwhile,
 * less than WRITE_MS, and its clock begins when the bot reads it. */
#define READS_US 150000
#define HOLDS_US 150000
#define PIPE_BYTES 4096 /* the least that a pipe can hold */
#define COMPLAINTS                                                             \
	100 /* of 1000 programs write to standard error at their start */

struct local {
	struct talk talk;
	struct player *player;
	struct dice dice;
	enum nature nature;
	uint64_t number;
	int fds[3]; /* until it begins; the last one until it ends */
	int status;
	bool stopped, deaf, sluggish;
	bool holds; /* it does not read now, because it is sluggish */
	bool due;   /* it would have ended, but is stopped */
	struct timer begin, leave, hold;
	const struct local_calls *calls;
	void *arg;
};

static uint64_t started;
unsigned bots_sluggish;

/* The bytes are small, and may be lost if its reader is full. */
static void
complain(const struct local *local, const char *text)
{
	if (write(local->fds[2], text, strlen(text)) < 0)
		return;
}

static void
leave(struct local *local, int status)
{
	if (timer_runs(&local->leave))
		return;
	local->status = status;
	timer_after(&local->leave, dice_delay_us(&local->dice, LEAVE_US));
}

/* ---- what its player does --------------------------------------------- */

static void
on_say(void *arg, const char *bytes, size_t n)
{
	struct local *local = arg;

	local->talk.whole = player_says_whole(local->player);
	talk_say(&local->talk, bytes, n);
}

static void
on_bye(void *arg, bool again UNUSED)
{
	struct local *local = arg;

	if (local->nature != NATURE_SILENT || dice_often(&local->dice, 500))
		leave(local, 0);
}

static void
crash(struct local *local, const char *bytes, size_t n)
{
	static const int statuses[] = { 0, 1 << 8, 3 << 8, SIGSEGV, SIGABRT };

	talk_say(&local->talk, bytes, n);
	complain(local, "Traceback (most recent call last):\n  oh no\n");
	local->status = statuses[dice_draw(&local->dice, NELEM(statuses))];
	timer_after(&local->leave, 0);
}

static void
be_deaf(struct local *local)
{
	local->deaf = true;
	talk_deafen(&local->talk);
}

static void
on_deed(void *arg, const char *bytes, size_t n)
{
	struct local *local = arg;

	if (local->nature == NATURE_CRASHING)
		crash(local, bytes, n);
	else if (local->nature == NATURE_DEAF)
		be_deaf(local);
	else if (dice_often(&local->dice, 500))
		talk_close_in(&local->talk);
	else
		talk_close_out(&local->talk);
}

static const struct player_calls player_calls = {
	.say = on_say,
	.bye = on_bye,
	.deed = on_deed,
};

/* ---- its pipes -------------------------------------------------------- */

/* Leaves out the NULs of fill_input(). */
static void
on_heard(void *arg, const char *bytes, size_t n)
{
	struct local *local = arg;
	const char *end = bytes + n;

	for (; local->sluggish && bytes < end; bytes += n) {
		n = strnlen(bytes, (size_t)(end - bytes));
		if (n > 0)
			player_hear(local->player, bytes, n);
		else
			n = 1;
	}
	if (bytes < end)
		player_hear(local->player, bytes, n);
}

static void
on_ended(void *arg)
{
	leave(arg, 0);
}

static const struct talk_calls talk_calls = {
	.heard = on_heard,
	.ended = on_ended,
};

/* Fills its input, so that the daemon's next line does not fit.  It does so with NULs,
 * which no line has. */
static void
fill_input(const struct local *local)
{
	static const char nothing[PIPE_BYTES];
	char path[32];
	size_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", local->talk.in);
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		world_broken("cannot fill the input of a bot: %m");
	for (n = sizeof(nothing); n > 0; n /= 2)
		while (write(fd, nothing, n) > 0)
			;
	close(fd);
}

static void
on_hold(void *arg)
{
	struct local *local = arg;

	if (local->holds && !local->stopped)
		talk_listen(&local->talk);
	local->holds = !local->holds && !local->stopped && !local->deaf &&
		       local->talk.in >= 0 && player_waits(local->player);
	if (local->holds) {
		fill_input(local);
		talk_deafen(&local->talk);
	}
	timer_after(&local->hold, local->holds ? HOLDS_US : READS_US);
}

static void
begin_sluggish(struct local *local)
{
	fcntl(local->talk.in, F_SETPIPE_SZ, PIPE_BYTES);
	timer_init(&local->hold, &world_timers, on_hold, local);
	timer_after(&local->hold, READS_US);
}

/* ---- life ------------------------------------------------------------- */

static void
local_free(struct local *local)
{
	timer_stop(&local->begin);
	timer_stop(&local->leave);
	timer_stop(&local->hold);
	talk_release(&local->talk);
	player_free(local->player);
	for (unsigned i = 0; i < NELEM(local->fds); i++)
		if (local->fds[i] >= 0)
			close(local->fds[i]);
	free(local);
}

static void
on_begin(void *arg)
{
	struct local *local = arg;

	talk_init(&local->talk, local->fds[0], local->fds[1],
		  dice_of("local-talk", local->number), &talk_calls, local);
	local->fds[0] = local->fds[1] = -1;
	if (local->sluggish)
		begin_sluggish(local);
	if (dice_often(&local->dice, COMPLAINTS))
		complain(local, "ready\n");
}

static void
on_leave(void *arg)
{
	struct local *local = arg;
	const struct local_calls *calls = local->calls;
	const int status = local->status;

	if (local->stopped) {
		local->due = true;
		return;
	}
	arg = local->arg;
	local_free(local);
	calls->exited(arg, status);
}

struct local *
local_begin(enum nature nature, const int fds[3],
	    const struct local_calls *calls, void *arg)
{
	struct local *local = zeroed(1, sizeof(*local));
	struct dice sluggish = dice_of("sluggish", ++started);
	struct player_setup setup = {
		.about = { .nature = nature, .number = started },
		.sluggish = nature == NATURE_HONEST && !stall_comes() &&
			    dice_often(&sluggish, bots_sluggish),
		.think_us = bots_think_us,
	};

	local->nature = nature;
	local->sluggish = setup.sluggish;
	local->number = started;
	local->dice = dice_of("local", started);
	local->calls = calls;
	local->arg = arg;
	memcpy(local->fds, fds, sizeof(local->fds));
	fcntl(fds[2], F_SETFL, fcntl(fds[2], F_GETFL) | O_NONBLOCK);
	local->talk.in = local->talk.out = -1;
	local->player = player_new(&setup, &player_calls, local);
	timer_init(&local->leave, &world_timers, on_leave, local);
	timer_init(&local->begin, &world_timers, on_begin, local);
	timer_after(&local->begin, dice_delay_us(&local->dice, BEGIN_US));
	return local;
}

void
local_stop(struct local *local, bool stopped)
{
	if (local->stopped == stopped)
		return;
	world_trace("local bot %" PRIu64 " %s", local->number,
		    stopped ? "is stopped" : "goes on");
	local->stopped = stopped;
	talk_hold(&local->talk, stopped);
	player_stopped(local->player, stopped);
	if (!stopped && local->deaf)
		talk_deafen(&local->talk);
	if (!stopped && local->due)
		timer_after(&local->leave, 0);
}

void
local_kill(struct local *local)
{
	local_free(local);
}
