/* referee/serve/seating.c - see seating.h. */
#include "referee/serve/seating.h"

#include <stdlib.h>

struct seating {
	struct loop *loop;
	const struct ladders *ladders;
	const struct remote_bots *remotes;
	const struct local_bots *locals;
	bool stopped;
	struct loop_task
		widen;	  /* offers room that the first ladders have left */
	bool widen_later; /* the schedulers run before it */
	struct timer widen_time;
};

/* Returns the share of a participant.  It is NULL if it plays nowhere, because
 * it has not said where or is leaving. */
static struct share *
share_of(struct participant *participant)
{
	struct remote_bot *remote = participant_remote_bot(participant);
	struct local_bot *local = participant_local_bot(participant);

	if (remote != NULL)
		return remote->owner;
	return local == NULL || local->leaving ? NULL : &local->share;
}

static unsigned
games_of(struct participant *participant)
{
	const struct remote_bot *remote = participant_remote_bot(participant);

	return remote != NULL ? remote->games
			      : participant_local_bot(participant)->games;
}

struct asker {
	const struct seating *seating;
	const struct participant *participant;
};

static bool
may_pair_soon(void *arg, unsigned ladder)
{
	const struct asker *asker = arg;

	return scheduler_may_pair_soon(
		asker->seating->ladders->scheduler[ladder], asker->participant);
}

static uint64_t
played_us(void *arg, unsigned ladder)
{
	const struct asker *asker = arg;

	return scheduler_bots_played_us(
		scheduler_bots(asker->seating->ladders->scheduler[ladder]),
		asker->participant);
}

static const struct share_calls share_calls = {
	.may_pair_soon = may_pair_soon,
	.played_us = played_us,
};

/* Offers the bot to one more scheduler.  Returns false if none gets it before
 * `*again_us`. */
static bool
widen(struct seating *seating, struct participant *participant,
      struct share *share, uint64_t *again_us)
{
	struct asker asker = { .seating = seating, .participant = participant };
	int scheduler =
		share_widen(share, &share_calls, &asker, clock_us(), again_us);

	if (scheduler < 0)
		return false;
	(void)!scheduler_sit(seating->ladders->scheduler[scheduler],
			     participant);
	return true;
}

/* Calls widen(), and lowers `*again_us` to its time if that is earlier. */
static bool
widen_by(struct seating *seating, struct participant *participant,
	 uint64_t *again_us)
{
	struct share *share = share_of(participant);
	uint64_t at_us;
	bool wider;

	if (share == NULL)
		return false;
	wider = widen(seating, participant, share, &at_us);
	if (at_us < *again_us)
		*again_us = at_us;
	return wider;
}

/* Offers bots to further schedulers, after the schedulers have made tables of
 * the bots offered to them. */
static void
on_widen(struct loop_task *task)
{
	struct seating *seating = ENCLOSING(task, struct seating, widen);
	uint64_t again_us = SHARE_NEVER;
	struct remote_bot *remote;
	struct local_bot *local;
	bool more = false;

	if (seating->widen_later) {
		/* Some schedulers come after us in the loop's queue. */
		seating->widen_later = false;
		loop_post(seating->loop, LOOP_SETTLE, &seating->widen);
		return;
	}
	for (remote = seating->remotes->first; remote != NULL;
	     remote = remote->next)
		more |= widen_by(seating, &remote->participant, &again_us);
	for (local = local_bots_first(seating->locals); local != NULL;
	     local = local->next)
		more |= widen_by(seating, &local->participant, &again_us);
	if (more)
		loop_post(seating->loop, LOOP_SETTLE, &seating->widen);
	if (again_us != SHARE_NEVER)
		timer_at(&seating->widen_time, again_us);
}

static void
on_widen_time(void *arg)
{
	struct seating *seating = arg;

	loop_post(seating->loop, LOOP_SETTLE, &seating->widen);
}

/* ---- bots -------------------------------------------------------------- */

/* Offers the bot's room.  `fresh` is true if the schedulers do not know the bot
 * yet, or know another owner. */
static void
offer(struct seating *seating, struct participant *participant,
      struct share *share, bool fresh)
{
	struct scheduler *scheduler;
	uint64_t again_us;

	share_room(share, games_of(participant),
		   participant->ops->room(participant), clock_us());
	for (unsigned i = 0; i < LADDER_PLACES; i++) {
		if (!(share->sits >> i & 1))
			continue;
		scheduler = seating->ladders->scheduler[i];
		if (fresh || share->open >> i & 1)
			(void)!scheduler_sit(scheduler, participant);
		if (!(share->open >> i & 1))
			scheduler_hold(scheduler, participant);
	}
	if (share->open == 0)
		(void)!widen(seating, participant, share, &again_us);
	seating->widen_later = true;
	loop_post(seating->loop, LOOP_SETTLE, &seating->widen);
}

void
seating_offer_again(struct seating *seating, struct participant *participant)
{
	struct share *share = share_of(participant);

	if (share != NULL && share->sits != 0 && !seating->stopped)
		offer(seating, participant, share, true);
}

void
seating_offer(struct seating *seating, struct participant *participant)
{
	struct share *share = share_of(participant);

	/* Many processes of a local bot may end without a change of its room. */
	if (share != NULL && !seating->stopped &&
	    (participant_remote_bot(participant) != NULL ||
	     share->room != participant->ops->room(participant)))
		offer(seating, participant, share, false);
}

void
seating_rise(struct seating *seating, struct participant *participant)
{
	struct share *share = share_of(participant);

	if (share == NULL)
		return;
	for (unsigned i = 0; i < LADDER_PLACES; i++)
		if (share->sits >> i & 1)
			scheduler_rise(seating->ladders->scheduler[i],
				       participant);
	share_rise(share);
}

void
seating_sit(struct seating *seating, struct participant *participant,
	    uint64_t ladders)
{
	seating_rise(seating, participant);
	share_sit(share_of(participant), ladders, clock_us());
	seating_offer_again(seating, participant);
}

void
seating_began(struct seating *seating, const char *ladder,
	      struct participant *participant)
{
	struct share *share = share_of(participant);
	int place;

	if (share == NULL)
		return;
	place = ladders_find(seating->ladders, ladder);
	if (place >= 0)
		share_begins(share, (unsigned)place, clock_us());
}

/* ---- all of them ------------------------------------------------------- */

void
seating_close(struct seating *seating, unsigned place)
{
	struct scheduler *scheduler = seating->ladders->scheduler[place];
	struct remote_bot *remote;
	struct local_bot *local;

	for (remote = seating->remotes->first; remote != NULL;
	     remote = remote->next) {
		if (remote->owner == NULL)
			continue;
		scheduler_rise(scheduler, &remote->participant);
		share_drop(remote->owner, place);
	}
	for (local = local_bots_first(seating->locals); local != NULL;
	     local = local->next) {
		scheduler_rise(scheduler, &local->participant);
		share_drop(&local->share, place);
	}
}

void
seating_stop(struct seating *seating)
{
	if (seating != NULL)
		seating->stopped = true;
}

struct seating *
seating_new(struct loop *loop, const struct ladders *ladders,
	    const struct remote_bots *remotes, const struct local_bots *locals)
{
	struct seating *seating = zeroed(1, sizeof(*seating));

	seating->loop = loop;
	seating->ladders = ladders;
	seating->remotes = remotes;
	seating->locals = locals;
	seating->widen.run = on_widen;
	timer_init(&seating->widen_time, &loop->timers, on_widen_time, seating);
	return seating;
}

void
seating_free(struct seating *seating)
{
	if (seating == NULL)
		return;
	loop_cancel(seating->loop, &seating->widen);
	timer_stop(&seating->widen_time);
	free(seating);
}
