/* referee/spawner/spawner-watch.c - watches deadlines, and looks over /proc
 * once for all bots. */
#include "referee/spawner/spawner-watch.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "referee/sandbox/process-memory.h"
#include "referee/spawner/spawner-box.h"

uint64_t
now_ms(void)
{
	return clock_machine_us() / 1000;
}

/* ---- boxes that do not end ----------------------------------------------- */

static void
end_overdue(struct bots *bots)
{
	uint64_t now = now_ms();
	struct spawned *bot;

	if (bots->due_ms == 0 || now < bots->due_ms)
		return;
	bots->due_ms = 0;
	for (size_t i = 0; i < bots->count; i++) {
		bot = &bots->bot[i];
		if (bot->until_ms != 0 && now >= bot->until_ms) {
			kill(-bot->pid, SIGKILL);
			bot->until_ms = 0;
		} else if (bot->until_ms != 0) {
			bots_end_by(bots, bot, bot->until_ms);
		}
	}
}

/* ---- memory of those in no box ------------------------------------------- */

static struct boxed *
find_walled(const struct bots *bots, pid_t session)
{
	const struct spawned *bot = bots_find(bots, session);

	return bot != NULL && bot->direct ? bot->boxed : NULL;
}

/* Adds up the memory of each bot's processes in `seen`.  Returns true if
 * all could be looked at. */
static bool
look(const struct bots *bots, bool fair)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	struct boxed *boxed;
	bool can = proc != NULL;
	pid_t session;

	while (can && (entry = readdir(proc)) != NULL) {
		/* Names that are no numbers become 0: ourselves, not a bot. */
		session = getsid((pid_t)strtol(entry->d_name, NULL, 10));
		boxed = session <= 0 ? NULL : find_walled(bots, session);
		if (boxed != NULL)
			can = process_memory(entry->d_name, fair, &boxed->seen);
	}
	if (proc != NULL)
		closedir(proc);
	return can;
}

/* Looks at all bots.  Returns true if one has more than it may. */
static bool
look_at_all(const struct bots *bots, bool fair)
{
	bool can, any = false;
	struct boxed *boxed;

	for (size_t i = 0; i < bots->count; i++)
		if (bots->bot[i].boxed != NULL)
			bots->bot[i].boxed->seen = (struct memory_sum){ 0 };
	can = look(bots, fair);
	for (size_t i = 0; i < bots->count; i++) {
		boxed = find_walled(bots, bots->bot[i].pid);
		if (boxed == NULL)
			continue;
		if (!can)
			boxed->seen.kib = boxed->most_kib + 1;
		else if ((fair || boxed->seen.kib <= boxed->most_kib) &&
			 boxed->seen.kib > boxed->peak_kib)
			boxed->peak_kib = boxed->seen.kib;
		any |= boxed->seen.kib > boxed->most_kib;
	}
	return any;
}

/* Ends the bots that had too much in two looks. */
static void
look_after(struct bots *bots)
{
	bool any, over;
	struct boxed *boxed;

	any = look_at_all(bots, false) && look_at_all(bots, true);
	bots->look_ms = now_ms() + (any ? SPAWNER_AGAIN_MS : SPAWNER_WATCH_MS);
	for (size_t i = 0; i < bots->count; i++) {
		boxed = find_walled(bots, bots->bot[i].pid);
		if (boxed == NULL)
			continue;
		over = any && boxed->seen.kib > boxed->most_kib;
		if (over && boxed->over) {
			boxed->ended_for_it = true;
			kill(-bots->bot[i].pid, SIGKILL);
		}
		boxed->over = over;
	}
}

/* ---- both ------------------------------------------------------------- */

void
spawner_watch(struct bots *bots)
{
	end_overdue(bots);
	if (bots->walled > 0 && now_ms() >= bots->look_ms)
		look_after(bots);
}

int
spawner_patience(const struct bots *bots)
{
	uint64_t now = now_ms(), due = bots->due_ms;

	if (bots->walled > 0 && (due == 0 || bots->look_ms < due))
		due = bots->look_ms;
	if (due == 0 && bots->walled == 0)
		return -1;
	return due <= now ? 0 : (int)(due - now);
}
