/* referee/serve/server-share.c - what each remote bot has room for, shared out
 * among the schedulers where it sits (share.h). */
#include <event2/event.h>
#include <string.h>

#include "referee/serve/server-inside.h"

struct asker {
	const struct server *server;
	struct remote_bot *remote;
};

static bool
hopes(void *arg, unsigned ladder)
{
	const struct asker *asker = arg;

	return scheduler_hopes(asker->server->ladders.scheduler[ladder],
			       &asker->remote->participant);
}

static uint64_t
played_us(void *arg, unsigned ladder)
{
	const struct asker *asker = arg;

	return scheduler_played_us(asker->server->ladders.scheduler[ladder],
				   &asker->remote->participant);
}

static const struct share_calls share_calls = {
	.hopes = hopes,
	.played_us = played_us,
};

/* To one more scheduler; false: to none before *again_us. */
static bool
widen(struct server *server, struct remote_bot *remote, uint64_t *again_us)
{
	struct asker asker = { .server = server, .remote = remote };
	struct player *player = remote->owner;
	int scheduler = share_widen(&player->share, &share_calls, &asker,
				    clock_us(), again_us);

	if (scheduler < 0)
		return false;
	(void)!scheduler_sit(server->ladders.scheduler[scheduler],
			     &remote->participant);
	return true;
}

static void
wake(struct server *server)
{
	server->widen_later = true;
	loop_post(&server->loop, LOOP_SETTLE, &server->widen);
}

/* The schedulers have made their tables of those that were offered to them. */
static void
on_widen(struct loop_task *task)
{
	struct server *server = ENCLOSING(task, struct server, widen);
	uint64_t again_us = SHARE_NEVER, at_us;
	struct remote_bot *remote;
	bool more = false;

	if (server->widen_later) {
		/* Some of them are behind us in the queue. */
		server->widen_later = false;
		loop_post(&server->loop, LOOP_SETTLE, &server->widen);
		return;
	}
	for (remote = server->remotes.first; remote != NULL;
	     remote = remote->next) {
		if (remote->owner == NULL)
			continue;
		more |= widen(server, remote, &at_us);
		if (at_us < again_us)
			again_us = at_us;
	}
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

void
server_offer(struct server *server, struct remote_bot *remote)
{
	struct player *player = remote->owner;
	struct share *share = &player->share;
	unsigned room = 0, i;
	uint64_t again_us;

	if (remote->here && !remote->quitting &&
	    remote->games < remote->games_max)
		room = remote->games_max - remote->games;
	share_room(share, remote->games, room, clock_us());
	for (i = 0; i < LADDER_PLACES; i++) {
		if (!(share->sits >> i & 1))
			continue;
		if (scheduler_sit(server->ladders.scheduler[i],
				  &remote->participant) &&
		    !(share->open >> i & 1))
			scheduler_hold(server->ladders.scheduler[i],
				       &remote->participant);
	}
	if (share->open == 0)
		(void)!widen(server, remote, &again_us);
	wake(server);
}

void
server_rise(struct server *server, struct remote_bot *remote)
{
	struct player *player = remote->owner;
	unsigned i;

	for (i = 0; i < LADDER_PLACES; i++)
		if (player->share.sits >> i & 1)
			scheduler_rise(server->ladders.scheduler[i],
				       &remote->participant);
	share_rise(&player->share);
}

void
server_sit(struct server *server, struct remote_bot *remote,
	   uint64_t schedulers)
{
	struct player *player = remote->owner;

	server_rise(server, remote);
	share_sit(&player->share, schedulers, clock_us());
	if (!server->stopping)
		server_offer(server, remote);
}

void
server_seated(void *arg, struct scheduler *scheduler,
	      struct participant *participant)
{
	struct remote_bot *remote = participant_remote_bot(participant);
	struct server *server = arg;
	struct player *player;
	int place;

	if (remote == NULL || remote->owner == NULL)
		return;
	player = remote->owner;
	place = ladders_find(&server->ladders, scheduler_name(scheduler),
			     strlen(scheduler_name(scheduler)));
	if (place >= 0)
		share_begins(&player->share, (unsigned)place, clock_us());
}
