/* referee/net/guest.c - guests: their lines, the loss of a connection, the
 * return.
 *
 * A guest lives while it has a connection or a game, or one that is over and
 * might still have to be told anew; guest_tidy() has that looked at by the
 * loop, as whoever calls it may be in the middle of something. */
#include "referee/net/guest.h"

#include "config.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/net/guest-inside.h"

const struct guest_limits guest_limits = {
	.grace_ms = GRACE_MS,
	.story_bytes = RESUME_BYTES,
	.wrong_ms = WRONG_MS,
	.returns = RETURNS_AT_ONCE,
	.return_ms = RETURN_MS,
};

static uint64_t
grace_us(const struct guest *guest)
{
	return guest->guests->limits.grace_ms * (uint64_t)1000;
}

void
guest_tidy(struct guest *guest)
{
	loop_post(guest->guests->loop, LOOP_TELL, &guest->task);
}

/* ---- the end -------------------------------------------------------- */

static void
guest_free(struct guest *guest)
{
	struct guest **at = &guest->guests->first;

	while (*at != guest)
		at = &(*at)->next;
	*at = guest->next;
	while (guest->remote != NULL)
		remote_free(guest->remote);
	start_close(guest->start);
	loop_cancel(guest->guests->loop, &guest->task);
	event_free(guest->timer);
	free(guest);
}

/* As people read it. */
static void
keep_reason(struct guest *guest, const char *why)
{
	size_t n = sizeof(GUEST_NOT_AGAIN) - 1;

	if (strncmp(why, GUEST_NOT_AGAIN, n) == 0)
		why += n;
	snprintf(guest->why, sizeof(guest->why), "%s", why);
}

/* It does not come back; whoever plays with it is told. */
static void
leave(struct guest *guest, bool flooded, const char *why)
{
	struct remote *remote;

	if (guest->leaving)
		return;
	if (why != NULL)
		keep_reason(guest, why);
	guest->leaving = true;
	guest->here = false;
	guest->link = NULL;
	for (remote = guest->remote; remote != NULL; remote = remote->next)
		if (!remote->over)
			bot_tell_gone(&remote->bot, flooded);
	guest->guests->calls->left(guest->guests->arg, guest);
	guest_tidy(guest);
}

void
guest_dismiss(struct guest *guest, const char *sentence)
{
	struct link *link = guest->link;

	leave(guest, false, sentence);
	if (link != NULL)
		link_close(link, sentence);
}

/* Its connection is gone; the games go on. */
static void
lose(struct guest *guest, const char *why)
{
	uint64_t now_us = clock_us();
	struct remote *remote;

	guest->link = NULL;
	guest->here = false;
	keep_reason(guest, why);
	guest->until_us = now_us + grace_us(guest);
	for (remote = guest->remote; remote != NULL; remote = remote->next)
		remote_lost(remote, now_us);
	guest->guests->calls->lost(guest->guests->arg, guest);
	guest_tidy(guest);
}

/* ---- tidying up ----------------------------------------------------- */

/* Frees what is over and is not kept any more: its time is over, it cannot be
 * told, or more are kept than the guest plays at a time. */
static void
drop_stories(struct guest *guest, uint64_t now_us)
{
	struct remote *remote, *next;
	unsigned kept = 0;

	for (remote = guest->remote; remote != NULL; remote = remote->next)
		kept += remote->over;
	for (remote = guest->remote; remote != NULL; remote = next) {
		next = remote->next;
		/* Still posted: it has not said that it ended. */
		if (!remote->over || remote->bot.tell_task.posted)
			continue;
		if (!guest->leaving && !remote->untold &&
		    now_us < remote->until_us && kept <= guest->games_max)
			continue;
		remote_free(remote);
		kept--;
	}
}

static void
arm_timer(struct guest *guest, uint64_t now_us)
{
	uint64_t due_us = guest->here ? UINT64_MAX : guest->until_us, wait_us;
	struct remote *remote;
	struct timeval after;

	for (remote = guest->remote; remote != NULL; remote = remote->next)
		if (remote->over && remote->until_us < due_us)
			due_us = remote->until_us;
	if (due_us == UINT64_MAX) {
		event_del(guest->timer);
		return;
	}
	wait_us = due_us > now_us ? due_us - now_us + 1 : 1;
	after.tv_sec = (time_t)(wait_us / 1000000);
	after.tv_usec = (suseconds_t)(wait_us % 1000000);
	event_add(guest->timer, &after);
}

static void
tidy(struct guest *guest)
{
	const char *closing = guest->guests->closing;
	uint64_t now_us = clock_us();

	drop_stories(guest, now_us);
	if (!guest->leaving && guest->here && guest->games == 0 &&
	    (guest->quitting || closing != NULL))
		guest_dismiss(guest, closing);
	else if (!guest->leaving && !guest->here &&
		 (guest->remote == NULL || now_us >= guest->until_us))
		leave(guest, false, NULL);
	if (!guest->leaving)
		arm_timer(guest, now_us);
	else if (guest->remote == NULL)
		guest_free(guest);
	else
		drop_stories(guest, now_us); /* the others tidy up again */
}

static void
on_task(struct loop_task *task)
{
	tidy((struct guest *)((char *)task - offsetof(struct guest, task)));
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	guest_tidy(arg);
}

/* ---- lines ---------------------------------------------------------- */

static void
game_line(struct remote *remote, enum line_result result, char *line, size_t n,
	  uint64_t now_us)
{
	struct bot *bot = &remote->bot;

	if (result == LINE_OK && n > LINE_BOT_BYTES)
		result = LINE_TOO_LONG;
	bot->bytes_in += n + 1;
	if (bot->listener != NULL)
		bot->listener->line(bot->listener_arg, result, line, n, now_us);
	else if (remote->guest->link != NULL) /* its seat was retired */
		link_useless(remote->guest->link);
}

/* A line that breaks the grammar, and nobody knows whose it is: all games of
 * the link are told. */
static void
bad_line(struct guest *guest, enum line_result result, char *line, size_t n,
	 uint64_t now_us)
{
	struct remote *remote;

	if (guest->games == 0)
		link_useless(guest->link);
	for (remote = guest->remote; remote != NULL; remote = remote->next)
		if (!remote->over)
			game_line(remote, result, line, n, now_us);
}

static void
prefixed_line(struct guest *guest, char *line, size_t n, uint64_t now_us)
{
	struct remote *remote = NULL;

	if (n > LINK_PREFIX_BYTES && line[LINK_PREFIX_BYTES - 1] == ' ')
		remote = remote_find(guest, line + 1);
	if (remote == NULL || remote->over)
		link_useless(guest->link);
	if (remote == NULL || remote->over)
		return;
	remote->bot.late.last = 0; /* it says itself whose this is */
	game_line(remote, LINE_OK, line + LINK_PREFIX_BYTES,
		  n - LINK_PREFIX_BYTES, now_us);
}

/* Without a game's ID: the only game is meant. */
static void
only_game_line(struct guest *guest, char *line, size_t n, uint64_t now_us)
{
	struct remote *remote = guest->remote;

	while (remote != NULL && remote->over)
		remote = remote->next;
	if (guest->games != 1)
		link_useless(guest->link);
	else
		game_line(remote, LINE_OK, line, n, now_us);
}

static void
own_line(struct guest *guest, char *line, size_t n, uint64_t now_us)
{
	struct guests *guests = guest->guests;
	struct message message;

	message_read(line, n, &message);
	switch (message.verb) {
	case MESSAGE_SIT:
		if (guest->quitting)
			link_useless(guest->link);
		else
			guests->calls->sat(guests->arg, guest, message.text,
					   message.n);
		break;
	case MESSAGE_REST:
		guests->calls->resting(guests->arg, guest);
		break;
	case MESSAGE_QUIT:
		if (!guest->quitting)
			guests->calls->quit(guests->arg, guest);
		guest->quitting = true;
		guest_tidy(guest);
		break;
	case MESSAGE_BAD:
		bad_line(guest, LINE_OK, line, n, now_us);
		break;
	case MESSAGE_BOT:
	case MESSAGE_PONG:
		link_useless(guest->link);
		break;
	case MESSAGE_DO:
	case MESSAGE_SAY:
	case MESSAGE_ENTROPY:
		only_game_line(guest, line, n, now_us);
		break;
	}
}

static void
on_line(void *arg, enum line_result result, char *line, size_t n,
	uint64_t now_us)
{
	struct guest *guest = arg;

	if (result == LINE_OK && n > LINE_BOT_BYTES && line[0] != '@')
		result = LINE_TOO_LONG;
	if (result != LINE_OK)
		bad_line(guest, result, line, 0, now_us);
	else if (line[0] == '@')
		prefixed_line(guest, line, n, now_us);
	else
		own_line(guest, line, n, now_us);
}

static void
on_moved(void *arg, uint64_t now_us)
{
	struct guest *guest = arg;
	struct remote *remote;

	for (remote = guest->remote; remote != NULL; remote = remote->next)
		remote_moved(remote, now_us);
}

static void
on_stuck(void *arg, uint64_t now_us)
{
	struct guest *guest = arg;
	struct remote *remote;

	for (remote = guest->remote; remote != NULL; remote = remote->next)
		remote_stuck(remote, now_us);
}

static void
on_gone(void *arg, bool flooded, const char *why)
{
	struct guest *guest = arg;

	if (flooded)
		leave(guest, true, why);
	else
		lose(guest, why);
}

static const struct link_calls link_calls = {
	.line = on_line,
	.moved = on_moved,
	.stuck = on_stuck,
	.gone = on_gone,
};

/* ---- coming, and coming back ---------------------------------------- */

/* What it has read of the game as it says; -1: it does not name it. */
static int64_t
lines_read(const struct message *message, const char *id)
{
	struct message_resume resume;
	size_t at = 0;

	while (message_resume(message, &at, &resume))
		if (memcmp(resume.id, id, ID_BYTES) == 0)
			return (int64_t)resume.lines;
	return -1;
}

static const char *
why_not(const struct guest *guest, const struct message *message)
{
	const struct remote *remote;
	int64_t lines;

	if (guest->games > 1 && !message->multi)
		return "several of your games run: say multi=yes";
	for (remote = guest->remote; remote != NULL; remote = remote->next) {
		lines = lines_read(message, remote->id);
		if (lines >= 0 && (uint64_t)lines > remote->lines)
			return "resume= names more lines than were sent";
	}
	return NULL;
}

static struct guest *
guest_new(struct guests *guests, const struct message *message)
{
	struct guest *guest = memory(NULL, sizeof(*guest));

	memset(guest, 0, sizeof(*guest));
	memcpy(guest->name, message->text, message->n);
	guest->guests = guests;
	guest->participant.ops = &guest_participant_ops;
	guest->start = start_open(&guests->starts, guest->name, clock_us());
	rate_init(&guest->returns, guests->limits.return_ms * (uint64_t)1000,
		  guests->limits.returns, clock_us());
	guest->task.run = on_task;
	guest->timer = event_new(guests->loop->base, -1, 0, on_timer, guest);
	if (guest->timer == NULL)
		bug("out of memory");
	guest->next = guests->first;
	guests->first = guest;
	return guest;
}

/* Of each game what it has missed.  What is over is told only if it asks. */
static void
catch_up(struct guest *guest, const struct message *message)
{
	struct remote *remote, *next;
	struct message_resume resume;
	char line[8 + ID_BYTES];
	int64_t lines;
	size_t at = 0;

	for (remote = guest->remote; remote != NULL; remote = next) {
		next = remote->next;
		lines = lines_read(message, remote->id);
		if (!remote->untold && (lines >= 0 || !remote->over))
			remote_retell(remote, lines > 0 ? (uint64_t)lines : 0);
		if (remote->over)
			remote->until_us =
				lines < 0 ? 0 : clock_us() + grace_us(guest);
	}
	while (message_resume(message, &at, &resume)) {
		remote = remote_find(guest, resume.id);
		if (remote != NULL && !remote->untold)
			continue;
		snprintf(line, sizeof(line), "gone %s", resume.id);
		link_line(guest->link, line, strlen(line));
	}
}

static void
settle_in(struct guest *guest, struct link *link, const char *from,
	  const struct message *message)
{
	static const char hello[] = "referee 1 referee-" PACKAGE_VERSION;

	guest->link = link;
	guest->here = true;
	snprintf(guest->from, sizeof(guest->from), "%s", from);
	guest->why[0] = '\0';
	guest->quitting = false;
	guest->entropy = message->entropy;
	guest->multi = message->multi;
	guest->games_max =
		message->multi && message->games > 0 ? message->games : 1;
	link_listen(link, &link_calls, guest);
	link_welcome(link);
	link_line(link, hello, sizeof(hello) - 1);
	catch_up(guest, message);
	link_flush(link);
	guest_tidy(guest);
}

/* What it has missed may be megabytes, and who plays waits while they are
 * sent. */
bool
guest_may_enter(struct guests *guests, const char *name)
{
	struct guest *guest = guests_find(guests, name);

	return guest == NULL || rate_take(&guest->returns, clock_us());
}

const char *
guest_enter(struct guests *guests, struct link *link, const char *from,
	    const struct message *message)
{
	static const char took_over[] =
		GUEST_NOT_AGAIN "another connection of yours has come";
	char name[NAME_BYTES + 1];
	struct guest *guest;
	const char *why;
	struct link *old;
	bool is_new;

	snprintf(name, sizeof(name), "%.*s", (int)message->n, message->text);
	guest = guests_find(guests, name);
	why = guest == NULL ? NULL : why_not(guest, message);
	if (why != NULL)
		return why;
	is_new = guest == NULL;
	if (is_new)
		guest = guest_new(guests, message);
	old = guest->link;
	if (old != NULL) {
		link_close(old, took_over);
		lose(guest, took_over);
	}
	if (guest->leaving) /* the owner did not like it */
		return "you are dismissed";
	settle_in(guest, link, from, message);
	if (is_new)
		guests->calls->came(guests->arg, guest);
	else
		guests->calls->back(guests->arg, guest);
	return NULL;
}

/* ---- all guests ----------------------------------------------------- */

void
guests_init(struct guests *guests, struct loop *loop,
	    const struct link_limits *limits_of_links,
	    const struct guest_limits *limits, const struct guest_calls *calls,
	    void *arg)
{
	*guests = (struct guests){
		.loop = loop, .limits = *limits, .calls = calls, .arg = arg
	};
	links_init(&guests->links, loop, limits_of_links);
}

void
guests_release(struct guests *guests)
{
	struct guest *guest;

	arrivals_release(guests);
	links_release(&guests->links);
	while ((guest = guests->first) != NULL) {
		guest->link = NULL;
		if (guest->games > 0)
			bug("%s still plays", guest->name);
		leave(guest, false, NULL);
		guest_free(guest);
	}
	starts_release(&guests->starts);
}

void
guests_close(struct guests *guests, const char *sentence)
{
	struct guest *guest;

	guests->closing = sentence;
	for (guest = guests->first; guest != NULL; guest = guest->next)
		guest_tidy(guest);
}

struct guest *
guests_find(struct guests *guests, const char *name)
{
	struct guest *guest = guests->first;

	while (guest != NULL &&
	       (guest->leaving || strcmp(guest->name, name) != 0))
		guest = guest->next;
	return guest;
}
