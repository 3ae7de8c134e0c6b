/* referee/serve/resident.c - see resident.h.
 *
 * A stay is one process in one game.  It lasts from when the game is given to
 * be played until the process has ended, which is later than the game: so the
 * bounds are those of what runs. */
#include "referee/serve/resident.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/config/bot-folder.h"
#include "referee/runner/job.h"

_Static_assert(RESIDENT_WHY_BYTES == BOT_FOLDER_WHY_BYTES, "one sentence");

struct stay {
	struct stay *next, **prev;
	struct resident *resident;
	uint64_t number; /* of the job, and where in it */
	unsigned seat;
};

struct residents {
	struct loop *loop;
	const struct resident_calls *calls;
	void *arg;
	struct resident_setup setup;
	struct resident *first, *changed;
	struct stay *stays;
	unsigned games, processes;
	bool was_full, stopped;
	struct loop_task task; /* tells who is idle, and that there is room */
};

/* ---- what runs -------------------------------------------------------- */

static bool
is_played(const struct residents *residents, uint64_t number)
{
	const struct stay *stay;

	for (stay = residents->stays; stay != NULL; stay = stay->next)
		if (stay->number == number)
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

/* Keeps the end of what its games have written. */
static void
keep_complaint(struct resident *resident, const char *bytes, size_t n)
{
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

static void
stay_over(struct stay *stay)
{
	struct residents *residents = stay->resident->residents;
	const uint64_t number = stay->number;

	if (stay->next != NULL)
		stay->next->prev = stay->prev;
	*stay->prev = stay->next;
	stay->resident->games--;
	residents->processes--;
	look_at(stay->resident);
	free(stay);
	if (!is_played(residents, number))
		residents->games--;
}

void
residents_ended(struct residents *residents, uint64_t number, unsigned seat,
		const struct job_end *end)
{
	struct stay *stay = residents->stays;

	while (stay != NULL && (stay->number != number || stay->seat != seat))
		stay = stay->next;
	if (stay == NULL)
		return;
	if (end != NULL && end->complaint.used > 0)
		keep_complaint(stay->resident, end->complaint.bytes,
			       end->complaint.used);
	stay_over(stay);
}

/* ---- as participants -------------------------------------------------------
 */

/* These are called for residents alone. */
static struct resident *
own(const struct participant *participant)
{
	return (struct resident *)((char *)(uintptr_t)participant -
				   offsetof(struct resident, participant));
}

static unsigned
room(const struct participant *participant)
{
	const struct resident *resident = own(participant);
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

static void
begin_stay(struct resident *resident, uint64_t number, unsigned seat)
{
	struct residents *residents = resident->residents;
	struct stay *stay = memory(NULL, sizeof(*stay));

	if (!is_played(residents, number))
		residents->games++;
	*stay = (struct stay){ .next = residents->stays,
			       .prev = &residents->stays,
			       .resident = resident,
			       .number = number,
			       .seat = seat };
	if (stay->next != NULL)
		stay->next->prev = &stay->next;
	residents->stays = stay;
	resident->games++;
	residents->processes++;
	residents->was_full |= residents_full(residents);
}

static void
seat(struct participant *participant, struct job *job, unsigned s)
{
	struct resident *resident = own(participant);

	fill_box(resident, &resident->box);
	job->seat[s].program =
		(struct spawner_job){ .argv = resident->folder->run,
				      .folder = resident->home,
				      .box = &resident->box };
	job->all_ends = true;
	begin_stay(resident, job->number, s);
}

static bool
entropy(const struct participant *participant)
{
	return own(participant)->folder->entropy;
}

static const struct participant_ops resident_ops = {
	.room = room,
	.seat = seat,
	.entropy = entropy,
};

struct resident *
participant_resident(const struct participant *participant)
{
	if (participant->ops != &resident_ops)
		return NULL;
	return (struct resident *)((char *)(uintptr_t)participant -
				   offsetof(struct resident, participant));
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
	resident->participant.ops = &resident_ops;
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
	return residents->stopped || residents->games >= residents->setup.games;
}

void
residents_set(struct residents *residents, const struct resident_setup *setup)
{
	residents->setup = *setup;
	look_at_all(residents);
}

void
residents_stop(struct residents *residents)
{
	residents->stopped = true;
}

struct residents *
residents_new(struct loop *loop, const struct resident_calls *calls, void *arg)
{
	struct residents *residents = memory(NULL, sizeof(*residents));

	memset(residents, 0, sizeof(*residents));
	residents->loop = loop;
	residents->calls = calls;
	residents->arg = arg;
	residents->task.run = on_task;
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
	free(residents);
}
