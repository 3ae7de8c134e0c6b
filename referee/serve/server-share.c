/* referee/serve/server-share.c - what each bot has room for, shared out among
 * the schedulers where it sits (share.h). */
#include <event2/event.h>
#include <string.h>

#include "referee/serve/server-inside.h"

/* NULL: it plays nowhere, for it has not said where or goes. */
static struct share *
share_of(struct participant *participant)
{
	struct remote_bot *remote = participant_remote_bot(participant);
	struct local_bot *local = participant_local_bot(participant);
	struct player *player;

	if (remote != NULL) {
		player = remote->owner;
		return player == NULL ? NULL : &player->share;
	}
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
	const struct server *server;
	const struct participant *participant;
};

static bool
hopes(void *arg, unsigned ladder)
{
	const struct asker *asker = arg;

	return scheduler_hopes(asker->server->ladders.scheduler[ladder],
			       asker->participant);
}

static uint64_t
played_us(void *arg, unsigned ladder)
{
	const struct asker *asker = arg;

	return scheduler_bots_played_us(
		scheduler_bots(asker->server->ladders.scheduler[ladder]),
		asker->participant);
}

static const struct share_calls share_calls = {
	.hopes = hopes,
	.played_us = played_us,
};

/* To one more scheduler; false: to none before *again_us. */
static bool
widen(struct server *server, struct participant *participant,
      struct share *share, uint64_t *again_us)
{
	struct asker asker = { .server = server, .participant = participant };
	int scheduler =
		share_widen(share, &share_calls, &asker, clock_us(), again_us);

	if (scheduler < 0)
		return false;
	(void)!scheduler_sit(server->ladders.scheduler[scheduler], participant);
	return true;
}

static void
wake(struct server *server)
{
	server->widen_later = true;
	loop_post(&server->loop, LOOP_SETTLE, &server->widen);
}

/* Likewise; *again_us is made earlier. */
static bool
widen_by(struct server *server, struct participant *participant,
	 uint64_t *again_us)
{
	struct share *share = share_of(participant);
	uint64_t at_us;
	bool wider;

	if (share == NULL)
		return false;
	wider = widen(server, participant, share, &at_us);
	if (at_us < *again_us)
		*again_us = at_us;
	return wider;
}

/* The schedulers have made their tables of those that were offered to them. */
static void
on_widen(struct loop_task *task)
{
	struct server *server = ENCLOSING(task, struct server, widen);
	uint64_t again_us = SHARE_NEVER;
	struct remote_bot *remote;
	struct local_bot *local;
	bool more = false;

	if (server->widen_later) {
		/* Some of them are behind us in the queue. */
		server->widen_later = false;
		loop_post(&server->loop, LOOP_SETTLE, &server->widen);
		return;
	}
	for (remote = server->remotes.first; remote != NULL;
	     remote = remote->next)
		more |= widen_by(server, &remote->participant, &again_us);
	for (local = local_bots_first(server->pages.locals); local != NULL;
	     local = local_bot_next(local))
		more |= widen_by(server, &local->participant, &again_us);
	if (more)
		loop_post(&server->loop, LOOP_SETTLE, &server->widen);
	if (again_us != SHARE_NEVER)
		loop_at_us(server->widen_time, again_us);
}

static void
on_widen_time(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct server *server = arg;

	loop_post(&server->loop, LOOP_SETTLE, &server->widen);
}

/* ---- called by the rest of the server --------------------------------- */

void
server_open_shares(struct server *server)
{
	server->widen.run = on_widen;
	server->widen_time =
		loop_timer(server->loop.base, on_widen_time, server);
}

void
server_close_shares(struct server *server)
{
	if (server->widen_time == NULL)
		return;
	loop_cancel(&server->loop, &server->widen);
	event_free(server->widen_time);
}

/* `fresh`: the schedulers do not know it yet, or as another's. */
static void
offer(struct server *server, struct participant *participant,
      struct share *share, bool fresh)
{
	struct scheduler *scheduler;
	uint64_t again_us;
	unsigned i;

	share_room(share, games_of(participant),
		   participant->ops->room(participant), clock_us());
	for (i = 0; i < LADDER_PLACES; i++) {
		if (!(share->sits >> i & 1))
			continue;
		scheduler = server->ladders.scheduler[i];
		if (fresh || share->open >> i & 1)
			(void)!scheduler_sit(scheduler, participant);
		if (!(share->open >> i & 1))
			scheduler_hold(scheduler, participant);
	}
	if (share->open == 0)
		(void)!widen(server, participant, share, &again_us);
	wake(server);
}

void
server_offer_again(struct server *server, struct participant *participant)
{
	struct share *share = share_of(participant);

	if (share != NULL && share->sits != 0)
		offer(server, participant, share, true);
}

void
server_offer(struct server *server, struct participant *participant)
{
	struct share *share = share_of(participant);

	/* Many processes of a local bot may end without a change. */
	if (share != NULL &&
	    (participant_remote_bot(participant) != NULL ||
	     share->room != participant->ops->room(participant)))
		offer(server, participant, share, false);
}

void
server_rise(struct server *server, struct participant *participant)
{
	struct share *share = share_of(participant);
	unsigned i;

	if (share == NULL)
		return;
	for (i = 0; i < LADDER_PLACES; i++)
		if (share->sits >> i & 1)
			scheduler_rise(server->ladders.scheduler[i],
				       participant);
	share_rise(share);
}

void
server_sit(struct server *server, struct participant *participant,
	   uint64_t schedulers)
{
	server_rise(server, participant);
	share_sit(share_of(participant), schedulers, clock_us());
	if (!server->stopping)
		server_offer_again(server, participant);
}

void
server_seated(void *arg, const char *ladder, struct participant *participant)
{
	struct share *share = share_of(participant);
	struct server *server = arg;
	int place;

	if (share == NULL)
		return;
	place = ladders_find(&server->ladders, ladder, strlen(ladder));
	if (place >= 0)
		share_begins(share, (unsigned)place, clock_us());
}
