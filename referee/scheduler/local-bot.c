/* referee/scheduler/local-bot.c - see local-bot.h.
 *
 * A stay is one process in one game.  It lasts from when the game is given to
 * be played until the process has ended, which is after the game.  So the
 * bounds count what really runs. */
#include "referee/scheduler/local-bot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/config/bot-folder.h"
#include "referee/runner/complaints.h"
#include "referee/runner/job.h"

struct stay {
	struct stay *next, **prev;
	struct local_bot *local;
	uint64_t number; /* of the job; the seat in it */
	unsigned seat;
	char id[ID_BYTES + 1]; /* ID of the game */
};

struct refused {
	char name[NAME_BYTES + 1], why[LOCAL_BOT_WHY_BYTES];
};

struct local_bots {
	struct loop *loop;
	const struct local_bot_calls *calls;
	void *arg;
	struct local_bot_setup setup;
	struct local_bot *first, *changed;
	struct stay *stays;
	struct refused *refused; /* owned */
	unsigned refusals;
	unsigned games, processes;
	bool was_full, stopped, keeps_place;
	struct loop_task task; /* calls room(), idle() and open() */
};

/* ---- what runs -------------------------------------------------------- */

static bool
is_played(const struct local_bots *locals, uint64_t number)
{
	const struct stay *stay;

	for (stay = locals->stays; stay != NULL; stay = stay->next)
		if (stay->number == number)
			return true;
	return false;
}

static void
tell_changed(struct local_bots *locals)
{
	struct local_bot *local;

	while ((local = locals->changed) != NULL) {
		locals->changed = local->next_changed;
		local->changed = false;
		if (!local->leaving)
			locals->calls->room(locals->arg, local);
		else if (local->games == 0)
			locals->calls->idle(locals->arg, local);
	}
}

static void
on_task(struct loop_task *task)
{
	struct local_bots *locals = ENCLOSING(task, struct local_bots, task);
	bool was_full = locals->was_full;

	tell_changed(locals);
	locals->was_full = local_bots_full(locals);
	if (was_full && !locals->was_full)
		locals->calls->open(locals->arg);
}

static void
look_again(struct local_bots *locals)
{
	loop_post(locals->loop, LOOP_SETTLE, &locals->task);
}

static void
look_at(struct local_bot *local)
{
	struct local_bots *locals = local->locals;

	look_again(locals);
	if (local->changed)
		return;
	local->changed = true;
	local->next_changed = locals->changed;
	locals->changed = local;
}

static void
look_at_all(struct local_bots *locals)
{
	struct local_bot *local;

	for (local = locals->first; local != NULL; local = local->next)
		look_at(local);
	look_again(locals);
}

static void
stay_over(struct stay *stay)
{
	struct local_bots *locals = stay->local->locals;
	const uint64_t number = stay->number;

	LIST_CUT(stay);
	stay->local->games--;
	locals->processes--;
	look_at(stay->local);
	free(stay);
	if (!is_played(locals, number))
		locals->games--;
}

void
local_bots_ended(struct local_bots *locals, uint64_t number, unsigned seat,
		 const struct job_end *end)
{
	struct stay *stay = locals->stays;
	char how[COMPLAINT_BYTES];

	while (stay != NULL && (stay->number != number || stay->seat != seat))
		stay = stay->next;
	if (stay == NULL)
		return;
	if (end != NULL && complaints_job_sentence(end, how))
		locals->calls->ended(locals->arg, stay->local, stay->id, seat,
				     how);
	if (end != NULL && end->complaint.used > 0)
		locals->calls->wrote(locals->arg, stay->local, stay->id, seat,
				     end);
	stay_over(stay);
}

/* ---- as participants -------------------------------------------------- */

/* Only local bots have these operations, so the participant is one. */
static struct local_bot *
own(const struct participant *participant)
{
	return (struct local_bot *)((char *)(uintptr_t)participant -
				    offsetof(struct local_bot, participant));
}

static unsigned
room(const struct participant *participant)
{
	const struct local_bot *local = own(participant);
	const struct local_bots *locals = local->locals;

	if (local->leaving || local->games >= locals->setup.at_once)
		return 0;
	return locals->setup.at_once - local->games;
}

static void
fill_box(const struct local_bot *local, struct sandbox_box *box)
{
	const struct local_bot_setup *setup = &local->locals->setup;

	memset(box, 0, sizeof(*box));
	box->tier = setup->tier;
	box->limits = sandbox_limits_default;
	box->limits.memory_mib = (unsigned)local->folder->memory_mib;
	box->limits.processes = setup->processes;
	if (setup->tier > SANDBOX_NONE)
		box->folder = local->home;
}

static void
begin_stay(struct local_bot *local, const struct job *job, unsigned seat)
{
	const uint64_t number = job->number;
	struct local_bots *locals = local->locals;
	struct stay *stay = memory(NULL, sizeof(*stay));

	if (!is_played(locals, number))
		locals->games++;
	*stay = (struct stay){ .local = local, .number = number, .seat = seat };
	snprintf(stay->id, sizeof(stay->id), "%s", job->setup.deal.id);
	LIST_PUT(locals->stays, stay);
	local->games++;
	locals->processes++;
	locals->was_full |= local_bots_full(locals);
}

static void
seat(struct participant *participant, struct job *job, unsigned s)
{
	struct local_bot *local = own(participant);

	fill_box(local, &local->box);
	job->seat[s].program =
		(struct spawner_task){ .argv = local->folder->run,
				       .folder = local->home,
				       .box = &local->box };
	job->seat[s].content = local->hash;
	job->all_ends = true;
	begin_stay(local, job, s);
}

static bool
entropy(const struct participant *participant)
{
	return own(participant)->folder->entropy;
}

static const struct participant_ops local_bot_ops = {
	.room = room,
	.seat = seat,
	.entropy = entropy,
};

struct local_bot *
participant_local_bot(const struct participant *participant)
{
	return participant->ops == &local_bot_ops ? own(participant) : NULL;
}

/* ---- one of them ------------------------------------------------------ */

struct local_bot *
local_bot_new(struct local_bots *locals, const char *name, const char *path,
	      struct error *why)
{
	struct local_bot *local, **at;
	struct bot_folder *folder = bot_folder_read(path, why);

	if (folder == NULL)
		return NULL;
	if (!bot_folder_fits(folder, locals->setup.memory_mib, why) ||
	    !bot_folder_ready(folder, locals->setup.tier, why)) {
		bot_folder_free(folder);
		return NULL;
	}
	local = zeroed(1, sizeof(*local));
	local->participant.ops = &local_bot_ops;
	snprintf(local->name, sizeof(local->name), "%s", name);
	local->folder = folder;
	local->locals = locals;
	local->home = realpath(path, NULL);
	if (local->home == NULL)
		bug("%s exists, but is not: %s", path, strerror(errno));
	for (at = &locals->first; *at != NULL; at = &(*at)->next)
		;
	*at = local;
	return local;
}

void
local_bot_dismiss(struct local_bot *local)
{
	local->leaving = true;
	look_at(local);
}

void
local_bot_free(struct local_bot *local)
{
	struct local_bot **at = &local->locals->first;

	if (local->games > 0)
		bug("%s still plays", local->name);
	while (*at != local)
		at = &(*at)->next;
	*at = local->next;
	for (at = &local->locals->changed; local->changed;
	     at = &(*at)->next_changed) {
		if (*at != local)
			continue;
		*at = local->next_changed;
		break;
	}
	bot_folder_free((struct bot_folder *)(uintptr_t)local->folder);
	free(local->home);
	free(local);
}

/* ---- those that do not live here -------------------------------------- */

void
local_bots_refuse(struct local_bots *locals, const char *name, const char *why)
{
	struct refused *refused;

	if (name == NULL) {
		locals->refusals = 0;
		return;
	}
	refused = ADDED(locals->refused, locals->refusals);
	snprintf(refused->name, sizeof(refused->name), "%s", name);
	snprintf(refused->why, sizeof(refused->why), "%s", why);
}

const char *
local_bots_refused(const struct local_bots *locals, const char *name)
{
	for (unsigned i = 0; i < locals->refusals; i++)
		if (strcmp(locals->refused[i].name, name) == 0)
			return locals->refused[i].why;
	return NULL;
}

/* ---- all of them ------------------------------------------------------ */

struct local_bot *
local_bots_first(const struct local_bots *locals)
{
	return locals->first;
}

bool
local_bots_have_place(const struct local_bots *locals)
{
	return !locals->stopped && locals->games < locals->setup.games;
}

bool
local_bots_full(const struct local_bots *locals)
{
	return locals->keeps_place || !local_bots_have_place(locals);
}

void
local_bots_keep_place(struct local_bots *locals, bool keep)
{
	if (locals->keeps_place == keep)
		return;
	locals->keeps_place = keep;
	locals->was_full |= keep;
	look_again(locals);
}

void
local_bots_set(struct local_bots *locals, const struct local_bot_setup *setup)
{
	locals->setup = *setup;
	look_at_all(locals);
}

void
local_bots_stop(struct local_bots *locals)
{
	locals->stopped = true;
}

struct local_bots *
local_bots_new(struct loop *loop, const struct local_bot_calls *calls,
	       void *arg)
{
	struct local_bots *locals = zeroed(1, sizeof(*locals));

	locals->loop = loop;
	locals->calls = calls;
	locals->arg = arg;
	locals->task.run = on_task;
	return locals;
}

void
local_bots_free(struct local_bots *locals)
{
	if (locals == NULL)
		return;
	if (locals->processes > 0)
		bug("%u processes of local bots are running",
		    locals->processes);
	loop_cancel(locals->loop, &locals->task);
	while (locals->first != NULL)
		local_bot_free(locals->first);
	free(locals->refused);
	free(locals);
}
