/* referee/spawner/spawner-pause.c - see spawner-pause.h. */
#include "referee/spawner/spawner-pause.h"

#include <signal.h>

#include "referee/sandbox/process-look.h"
#include "referee/spawner/spawner-watch.h"

static bool
is_stopped(pid_t pid)
{
	return pid > 0 && proc_state(pid) == 'T';
}

/* Stops all bots.  A bot that rests (ponder=off) or was stopped by somebody
 * else is left alone. */
static void
stop_all(struct pause *pause, struct bots *bots)
{
	struct spawned *bot;

	pause->owner_too = !is_stopped(pause->owner);
	if (pause->owner_too)
		kill(pause->owner, SIGSTOP);
	for (size_t i = 0; i < bots->count; i++) {
		bot = &bots->bot[i];
		bot->paused = !is_stopped(bot->pid);
		if (bot->paused)
			kill(-bot->pid, SIGSTOP);
	}
}

/* Lets all go on.  Deadlines move by the time that they were stopped. */
static void
go_on(struct pause *pause, struct bots *bots)
{
	const uint64_t stood_ms = now_ms() - pause->since_ms;
	struct spawned *bot;

	for (size_t i = 0; i < bots->count; i++) {
		bot = &bots->bot[i];
		if (bot->until_ms != 0)
			bot->until_ms += stood_ms;
		if (bot->paused)
			kill(-bot->pid, SIGCONT);
		bot->paused = false;
	}
	if (bots->due_ms != 0)
		bots->due_ms += stood_ms;
	if (pause->owner_too)
		kill(pause->owner, SIGCONT);
	pause->owner_too = false;
}

bool
spawner_pause(struct pause *pause, struct bots *bots)
{
	const uint64_t now = now_ms();
	bool stopped;

	if ((bots->count == 0 && !pause->on) || now < pause->look_ms)
		return pause->on;
	pause->look_ms = now + SPAWNER_PAUSE_MS;
	stopped = is_stopped(pause->above) ||
		  (!pause->owner_too && is_stopped(pause->owner));
	if (stopped == pause->on)
		return stopped;
	if (stopped) {
		pause->since_ms = now;
		stop_all(pause, bots);
	} else {
		go_on(pause, bots);
	}
	pause->on = stopped;
	return stopped;
}

int
spawner_pause_patience(const struct pause *pause, const struct bots *bots)
{
	int ms = pause->on ? SPAWNER_PAUSE_MS : spawner_patience(bots);

	if (bots->count > 0 && (ms < 0 || ms > SPAWNER_PAUSE_MS))
		ms = SPAWNER_PAUSE_MS;
	return ms;
}
