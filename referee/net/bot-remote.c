/* referee/net/bot-remote.c - one game of a guest, as a bot.
 *
 * Its lines leave through the guest's link, with `@ID ` in front if the guest
 * plays several games.  They are kept, too: the story of the game is what a
 * guest is told that has lost its connection and comes back.  While it is not
 * there the story goes on, and asks count as handed over. */
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "referee/table/bot.h"
#include "referee/net/guest-inside.h"

/* ---- lines out ------------------------------------------------------ */

/* Copies the lines, each with the prefix in front. */
static void
send_prefixed(struct link *link, const char *id, const char *line,
	      const char *end)
{
	const char *lf;
	size_t n;
	char *to;

	for (; line < end; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		n = (size_t)(lf - line) + 1;
		to = link_room(link, LINK_PREFIX_BYTES + n);
		if (to == NULL)
			return;
		to[0] = '@';
		memcpy(to + 1, id, ID_BYTES);
		to[1 + ID_BYTES] = ' ';
		memcpy(to + LINK_PREFIX_BYTES, line, n);
		link_added(link, LINK_PREFIX_BYTES + n);
	}
}

static void
send_lines(struct remote *remote, const char *lines, size_t n)
{
	struct link *link = remote->guest->link;
	char *to;

	if (remote->guest->multi) {
		send_prefixed(link, remote->id, lines, lines + n);
	} else if ((to = link_room(link, n)) != NULL) {
		memcpy(to, lines, n);
		link_added(link, n);
	}
	link_flush(link);
}

static void
keep(struct remote *remote, const char *lines, size_t n)
{
	const char *at = lines, *end = lines + n;

	for (; at < end; at = (char *)memchr(at, '\n', (size_t)(end - at)) + 1)
		remote->lines++;
	if (remote->untold)
		return;
	text_add(&remote->story, lines, n);
	if (!remote->story.full)
		return;
	text_release(&remote->story);
	remote->untold = true;
}

/* What was collected goes to the link and into the story. */
static void
tell(struct remote *remote)
{
	struct bot *bot = &remote->bot;
	size_t n = bot->used;

	if (n == 0)
		return;
	keep(remote, bot->out, n);
	bot->bytes_out += n;
	bot->used = 0;
	if (remote->guest->link != NULL)
		send_lines(remote, bot->out, n);
}

static void
handed(struct remote *remote, uint64_t now_us)
{
	struct bot *bot = &remote->bot;

	remote->marked = false;
	bot->stamp = false;
	if (bot->listener != NULL)
		bot->listener->handed(bot->listener_arg, now_us);
}

/* Once, after it was let go. */
static void
end(struct remote *remote)
{
	const struct bot_end how = { .started = true, .status = -1 };
	struct bot *bot = &remote->bot;

	if (bot->ended != NULL)
		bot->ended(bot->ended_arg, bot, &how);
	bot->ended = NULL;
	guest_tidy(remote->guest);
}

static void
remote_flush(struct bot *bot, uint64_t now_us)
{
	struct remote *remote = (struct remote *)bot;
	struct guest *guest = remote->guest;

	if (remote->over) {
		end(remote);
		return;
	}
	tell(remote);
	if (guest->link == NULL) {
		if (bot->stamp)
			handed(remote, now_us);
		if (remote->untold)
			bot_tell_gone(bot, false);
	} else if (bot->stamp) {
		/* The link writes in this pass, then remote_moved(). */
		remote->marked = true;
		remote->mark = link_collected(guest->link);
		link_flush(guest->link);
	}
}

static void
remote_part(struct bot *bot, unsigned grace_ms)
{
	struct remote *remote = (struct remote *)bot;
	struct guest *guest = remote->guest;

	(void)grace_ms; /* the connection stays */
	tell(remote);
	guest->late = bot->late;
	guest->games--;
	remote->over = true;
	remote->marked = false;
	remote->until_us =
		clock_us() + guest->guests->limits.grace_ms * (uint64_t)1000;
	loop_post(bot->loop, LOOP_TELL, &bot->tell_task);
}

static const char *
remote_complaint(struct bot *bot)
{
	(void)bot;
	return NULL;
}

/* Whether a program was started for this game nobody here can see: slow ones
 * share an account. */
static uint64_t
remote_take_start(struct bot *bot)
{
	return start_take(((struct remote *)bot)->guest->start, clock_us());
}

static void
remote_give_start(struct bot *bot, uint64_t taken_us, uint64_t used_us)
{
	start_give(((struct remote *)bot)->guest->start, taken_us, used_us,
		   clock_us());
}

static const struct bot_ops remote_ops = {
	.flush = remote_flush,
	.part = remote_part,
	.complaint = remote_complaint,
	.take_start = remote_take_start,
	.give_start = remote_give_start,
};

/* ---- for the guest -------------------------------------------------- */

struct remote *
remote_find(struct guest *guest, const char *id)
{
	struct remote *remote = guest->remote;

	while (remote != NULL && memcmp(remote->id, id, ID_BYTES) != 0)
		remote = remote->next;
	return remote;
}

void
remote_free(struct remote *remote)
{
	struct remote **at = &remote->guest->remote;

	while (*at != remote)
		at = &(*at)->next;
	*at = remote->next;
	if (remote->bot.ended != NULL)
		end(remote);
	text_release(&remote->story);
	bot_release(&remote->bot);
	free(remote);
}

void
remote_retell(struct remote *remote, uint64_t lines)
{
	const char *at = remote->story.bytes, *end;
	uint64_t left = remote->lines - lines;

	if (left == 0)
		return;
	end = at + remote->story.used;
	for (; lines > 0; lines--)
		at = (char *)memchr(at, '\n', (size_t)(end - at)) + 1;
	/* Nobody can have read that yet: it does not count as unread. */
	link_allow(remote->guest->link,
		   (size_t)(end - at) + left * LINK_PREFIX_BYTES);
	send_lines(remote, at, (size_t)(end - at));
}

void
remote_lost(struct remote *remote, uint64_t now_us)
{
	if (remote->over)
		return;
	if (remote->marked)
		handed(remote, now_us);
	if (remote->untold)
		bot_tell_gone(&remote->bot, false);
}

void
remote_moved(struct remote *remote, uint64_t now_us)
{
	if (remote->marked && link_written(remote->guest->link) >= remote->mark)
		handed(remote, now_us);
}

void
remote_stuck(struct remote *remote, uint64_t now_us)
{
	if (remote->marked && remote->bot.listener != NULL)
		remote->bot.listener->stuck(remote->bot.listener_arg, now_us);
}

struct bot *
bot_remote_new(struct guest *guest, const char *id)
{
	struct remote *remote = memory(NULL, sizeof(*remote)), **at;

	if (guest->leaving || guest->games >= guest->games_max)
		bug("a game too many for %s", guest->name);
	if (!message_id_ok(id, strlen(id)) || remote_find(guest, id) != NULL)
		bug("no game for a guest: %s", id);
	memset(remote, 0, sizeof(*remote));
	bot_init(&remote->bot, &remote_ops, guest->guests->loop);
	remote->bot.greeted = true; /* by the guest */
	remote->bot.stays = true;
	if (!guest->multi) /* else each line says whose it is */
		remote->bot.late = guest->late;
	remote->guest = guest;
	memcpy(remote->id, id, ID_BYTES);
	text_init(&remote->story, guest->guests->limits.story_bytes);
	for (at = &guest->remote; *at != NULL; at = &(*at)->next)
		;
	*at = remote;
	guest->games++;
	return &remote->bot;
}
