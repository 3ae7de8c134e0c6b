/* referee/serve/resident.c - see resident.h.
 *
 * A stay is one process in one game.  It lasts until the process has ended,
 * which is later than the game: so the bounds are those of what runs. */
#include "referee/serve/resident.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/config/bot-folder.h"
#include "referee/table/bot.h"
#include "referee/child/nursery.h"

_Static_assert(RESIDENT_WHY_BYTES == BOT_FOLDER_WHY_BYTES, "one sentence");

struct stay {
	struct stay *next, **prev;
	struct resident *resident;
	struct bot *bot;
	char id[ID_BYTES + 1]; /* of the game */
	sitter_lost *lost;
	void *arg;
};

struct residents {
	struct loop *loop;
	struct nursery *nursery;
	struct event *event; /* of the nursery; NULL: it is gone */
	const struct resident_calls *calls;
	void *arg;
	struct resident_setup setup;
	struct resident *first, *changed;
	struct stay *stays;
	unsigned games, processes;
	bool was_full;
	struct loop_task task; /* tells who is idle, and that there is room */
};

/* ---- what runs -------------------------------------------------------- */

static bool
is_played(const struct residents *residents, const char *id)
{
	const struct stay *stay;

	for (stay = residents->stays; stay != NULL; stay = stay->next)
		if (strcmp(stay->id, id) == 0)
			return true;
	return false;
}

static void
tell_changed(struct residents *residents)
{
	struct resident *resident;

	while ((resident = residents->changed) != NULL) {
		residents->changed = resident->next_changed;
		resident->changed = false;
		if (!resident->leaving)
			residents->calls->room(residents->arg, resident);
		else if (resident->games == 0)
			residents->calls->idle(residents->arg, resident);
	}
}

static void
on_task(struct loop_task *task)
{
	struct residents *residents =
		(struct residents *)((char *)task -
				     offsetof(struct residents, task));
	bool was_full = residents->was_full;

	tell_changed(residents);
	residents->was_full = residents_full(residents);
	if (was_full && !residents->was_full)
		residents->calls->open(residents->arg);
}

static void
look_again(struct residents *residents)
{
	loop_post(residents->loop, LOOP_SETTLE, &residents->task);
}

static void
look_at(struct resident *resident)
{
	struct residents *residents = resident->residents;

	look_again(residents);
	if (resident->changed)
		return;
	resident->changed = true;
	resident->next_changed = residents->changed;
	residents->changed = resident;
}

static void
look_at_all(struct residents *residents)
{
	struct resident *resident;

	for (resident = residents->first; resident != NULL;
	     resident = resident->next)
		look_at(resident);
	look_again(residents);
}

static void
on_ended(void *arg, struct bot *bot, const struct bot_end *end)
{
	struct stay *stay = arg;
	struct residents *residents = stay->resident->residents;

	(void)bot;
	(void)end;
	if (stay->next != NULL)
		stay->next->prev = stay->prev;
	*stay->prev = stay->next;
	stay->resident->games--;
	residents->processes--;
	if (!is_played(residents, stay->id))
		residents->games--;
	look_at(stay->resident);
	free(stay);
}

static void
on_failed(void *arg, struct bot *bot, const struct bot_end *end)
{
	struct stay *stay = arg;

	(void)bot;
	if (end->machine)
		stay->lost(stay->arg);
}

/* Keeps the end of what its games have written. */
static void
on_complained(void *arg, const char *bytes, size_t n)
{
	struct resident *resident = ((struct stay *)arg)->resident;
	size_t drop;

	if (resident->complaint == NULL)
		resident->complaint = memory(NULL, STDERR_BYTES + 1);
	if (n > STDERR_BYTES) {
		bytes += n - STDERR_BYTES;
		n = STDERR_BYTES;
	}
	drop = resident->complaint_bytes + n > STDERR_BYTES
		       ? resident->complaint_bytes + n - STDERR_BYTES
		       : 0;
	resident->complaint_bytes -= drop;
	memmove(resident->complaint, resident->complaint + drop,
		resident->complaint_bytes);
	memcpy(resident->complaint + resident->complaint_bytes, bytes, n);
	resident->complaint_bytes += n;
}

/* ---- as sitters ------------------------------------------------------- */

/* These are called for residents alone. */
static struct resident *
own(const struct sitter *sitter)
{
	return (struct resident *)((char *)(uintptr_t)sitter -
				   offsetof(struct resident, sitter));
}

static unsigned
room(const struct sitter *sitter)
{
	const struct resident *resident = own(sitter);
	const struct residents *residents = resident->residents;

	if (resident->leaving || resident->games >= residents->setup.at_once)
		return 0;
	return residents->setup.at_once - resident->games;
}

static void
fill_box(const struct resident *resident, struct sandbox_box *box)
{
	const struct resident_setup *setup = &resident->residents->setup;

	memset(box, 0, sizeof(*box));
	box->tier = setup->tier;
	box->limits = sandbox_limits_default;
	box->limits.memory_mib = (unsigned)resident->folder->memory_mib;
	box->limits.processes = setup->processes;
	if (setup->tier > SANDBOX_NONE)
		box->folder = resident->home;
}

static struct bot *
start(const struct resident *resident)
{
	struct residents *residents = resident->residents;
	struct sandbox_box box;
	const struct nursery_job job = {
		.argv = resident->folder->run,
		.folder = resident->home,
		.box = &box,
	};

	if (residents->event == NULL) {
		errno = EPIPE;
		return NULL;
	}
	fill_box(resident, &box);
	return bot_child_start(residents->loop, residents->nursery, &job);
}

static struct bot *
begin(struct sitter *sitter, const char *id, sitter_lost *lost, void *arg)
{
	struct resident *resident = own(sitter);
	struct residents *residents = resident->residents;
	struct bot *bot = start(resident);
	struct stay *stay;

	if (bot == NULL)
		return NULL;
	if (!is_played(residents, id))
		residents->games++;
	stay = memory(NULL, sizeof(*stay));
	*stay = (struct stay){ .next = residents->stays,
			       .prev = &residents->stays,
			       .resident = resident,
			       .bot = bot,
			       .lost = lost,
			       .arg = arg };
	snprintf(stay->id, sizeof(stay->id), "%s", id);
	if (stay->next != NULL)
		stay->next->prev = &stay->next;
	residents->stays = stay;
	resident->games++;
	residents->processes++;
	residents->was_full |= residents_full(residents);
	bot->failed = on_failed;
	bot->complained = on_complained;
	bot->ended = on_ended;
	bot->ended_arg = stay;
	return bot;
}

static bool
entropy(const struct sitter *sitter)
{
	return own(sitter)->folder->entropy;
}

static const struct sitter_ops resident_ops = {
	.room = room,
	.begin = begin,
	.entropy = entropy,
};

struct resident *
sitter_resident(const struct sitter *sitter)
{
	if (sitter->ops != &resident_ops)
		return NULL;
	return (struct resident *)((char *)(uintptr_t)sitter -
				   offsetof(struct resident, sitter));
}

/* ---- one of them ------------------------------------------------------ */

static bool
may_live(const struct residents *residents, const struct bot_folder *folder,
	 char why[RESIDENT_WHY_BYTES])
{
	if (folder->memory_mib > residents->setup.memory_mib) {
		snprintf(why, RESIDENT_WHY_BYTES,
			 "%s asks for %u MiB of memory, and this daemon gives "
			 "%u",
			 folder->name, (unsigned)folder->memory_mib,
			 residents->setup.memory_mib);
		return false;
	}
	return bot_folder_ready(folder, residents->setup.tier, why);
}

struct resident *
resident_new(struct residents *residents, const char *name, const char *path,
	     char why[RESIDENT_WHY_BYTES])
{
	struct resident *resident, **at;
	struct bot_folder *folder = bot_folder_read(path, why);

	if (folder == NULL)
		return NULL;
	if (!may_live(residents, folder, why)) {
		bot_folder_free(folder);
		return NULL;
	}
	resident = memory(NULL, sizeof(*resident));
	memset(resident, 0, sizeof(*resident));
	resident->sitter.ops = &resident_ops;
	snprintf(resident->name, sizeof(resident->name), "%s", name);
	resident->folder = folder;
	resident->residents = residents;
	resident->home = realpath(path, NULL);
	if (resident->home == NULL)
		bug("%s is there, and is not: %s", path, strerror(errno));
	for (at = &residents->first; *at != NULL; at = &(*at)->next)
		;
	*at = resident;
	return resident;
}

void
resident_dismiss(struct resident *resident)
{
	resident->leaving = true;
	look_at(resident);
}

void
resident_free(struct resident *resident)
{
	struct resident **at = &resident->residents->first;

	if (resident->games > 0)
		bug("%s still plays", resident->name);
	while (*at != resident)
		at = &(*at)->next;
	*at = resident->next;
	for (at = &resident->residents->changed; resident->changed;
	     at = &(*at)->next_changed) {
		if (*at != resident)
			continue;
		*at = resident->next_changed;
		break;
	}
	bot_folder_free((struct bot_folder *)(uintptr_t)resident->folder);
	free(resident->home);
	free(resident->complaint);
	free(resident);
}

/* ---- all of them ------------------------------------------------------ */

struct resident *
residents_first(const struct residents *residents)
{
	return residents->first;
}

struct resident *
resident_next(const struct resident *resident)
{
	return resident->next;
}

struct resident *
residents_find(const struct residents *residents, const char *name)
{
	struct resident *resident = residents->first;

	while (resident != NULL &&
	       (resident->leaving || strcmp(resident->name, name) != 0))
		resident = resident->next;
	return resident;
}

bool
residents_full(const struct residents *residents)
{
	return residents->event == NULL ||
	       residents->games >= residents->setup.games;
}

unsigned
residents_games(const struct residents *residents)
{
	return residents->games;
}

unsigned
residents_processes(const struct residents *residents)
{
	return residents->processes;
}

void
residents_set(struct residents *residents, const struct resident_setup *setup)
{
	residents->setup = *setup;
	look_at_all(residents);
}

/* Its children have had their last callback: their games are off. */
static void
on_nursery(evutil_socket_t fd, short what, void *arg)
{
	struct residents *residents = arg;

	(void)fd;
	(void)what;
	if (nursery_dispatch(residents->nursery) == 0)
		return;
	event_free(residents->event);
	residents->event = NULL;
	residents->calls->lost(residents->arg);
	look_again(residents);
}

struct residents *
residents_new(struct loop *loop, struct nursery *nursery,
	      const struct resident_calls *calls, void *arg)
{
	struct residents *residents = memory(NULL, sizeof(*residents));

	memset(residents, 0, sizeof(*residents));
	residents->loop = loop;
	residents->nursery = nursery;
	residents->calls = calls;
	residents->arg = arg;
	residents->task.run = on_task;
	if (nursery == NULL)
		return residents;
	residents->event =
		event_new(loop->base, nursery_fd(nursery), EV_READ | EV_PERSIST,
			  on_nursery, residents);
	if (residents->event == NULL)
		bug("out of memory");
	event_add(residents->event, NULL);
	return residents;
}

void
residents_free(struct residents *residents)
{
	if (residents == NULL)
		return;
	if (residents->processes > 0)
		bug("%u processes of residents run", residents->processes);
	loop_cancel(residents->loop, &residents->task);
	while (residents->first != NULL)
		resident_free(residents->first);
	if (residents->event != NULL)
		event_free(residents->event);
	free(residents);
}
