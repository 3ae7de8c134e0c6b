/* referee/remote/remote-bot.c - remote bots: their lines, and the loss and
 * return of a connection.
 *
 * A remote bot lives while it has a connection, a game, or a finished game that
 * may have to be sent again. remote_bot_tidy() lets the loop free it, because
 * its caller may be in the middle of something. */
#include "referee/remote/remote-bot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/remote/remote-bot-inside.h"

const struct remote_bot_limits remote_bot_limits = {
	.grace_ms = GRACE_MS,
	.story_bytes = RESUME_BYTES,
	.wrong_ms = WRONG_MS,
	.returns = RETURNS_AT_ONCE,
	.return_ms = RETURN_MS,
};

uint64_t
remote_bot_patience(const struct remote_bot *remote)
{
	return clock_us() + remote->remotes->limits.grace_ms * (uint64_t)1000;
}

void
remote_bot_tidy(struct remote_bot *remote)
{
	loop_post(remote->remotes->loop, LOOP_TELL, &remote->task);
}

/* ---- the end -------------------------------------------------------- */

static void
remote_bot_free(struct remote_bot *remote)
{
	LIST_CUT(remote);
	while (remote->game != NULL)
		remote_game_free(remote->game);
	first_ask_close(remote->first_ask);
	loop_cancel(remote->remotes->loop, &remote->task);
	timer_stop(&remote->timer);
	free(remote);
}

const char *
remote_bot_reason(const char *sentence)
{
	const size_t n = sizeof(REMOTE_BOT_NOT_AGAIN) - 1;

	return strncmp(sentence, REMOTE_BOT_NOT_AGAIN, n) == 0 ? sentence + n
							       : sentence;
}

static void
keep_reason(struct remote_bot *remote, const char *why)
{
	snprintf(remote->why, sizeof(remote->why), "%s",
		 remote_bot_reason(why));
}

/* Ends a remote bot that does not come back, and tells its games. */
static void
leave(struct remote_bot *remote, bool flooded, const char *why)
{
	struct remote_game *game;

	if (remote->leaving)
		return;
	if (why != NULL)
		keep_reason(remote, why);
	remote->leaving = true;
	remote->here = false;
	remote->link = NULL;
	for (game = remote->game; game != NULL; game = game->next)
		if (!game->over)
			bot_tell_gone(&game->bot, flooded);
	remote->remotes->calls->left(remote->remotes->arg, remote);
	remote_bot_tidy(remote);
}

void
remote_bot_dismiss(struct remote_bot *remote, const char *sentence)
{
	struct link *link = remote->link;

	leave(remote, false, sentence);
	if (link != NULL)
		link_close(link, sentence);
}

void
remote_bot_end(struct remote_bot *remote, const char *sentence)
{
	snprintf(remote->ending, sizeof(remote->ending), "%s", sentence);
	remote_bot_tidy(remote);
}

void
remote_bot_rename(struct remote_bot *remote, const char *name)
{
	snprintf(remote->name, sizeof(remote->name), "%s", name);
}

void
remote_bot_cut(struct remote_bot *remote)
{
	if (remote->link != NULL)
		link_cut(remote->link);
}

/* Handles the loss of its connection.  The games go on. */
void
remote_bot_lose(struct remote_bot *remote, const char *why)
{
	uint64_t now_us = clock_us();
	struct remote_game *game;

	remote->link = NULL;
	remote->here = false;
	keep_reason(remote, why);
	remote->until_us = remote_bot_patience(remote);
	for (game = remote->game; game != NULL; game = game->next)
		remote_game_lost(game, now_us);
	remote->remotes->calls->lost(remote->remotes->arg, remote);
	remote_bot_tidy(remote);
}

/* ---- tidying up ----------------------------------------------------- */

/* Frees finished games that are not kept any more: their time is over, they
 * cannot be sent again, or more are kept than the remote bot plays at a time. */
static void
drop_stories(struct remote_bot *remote, uint64_t now_us)
{
	struct remote_game *game, *next;
	unsigned kept = 0;

	for (game = remote->game; game != NULL; game = game->next)
		kept += game->over;
	for (game = remote->game; game != NULL; game = next) {
		next = game->next;
		/* A posted task has not reported its end yet. */
		if (!game->over || game->bot.tell_task.in != NULL)
			continue;
		if (!remote->leaving && !game->untold &&
		    now_us < game->until_us && kept <= remote->games_max)
			continue;
		remote_game_free(game);
		kept--;
	}
}

static void
arm_timer(struct remote_bot *remote)
{
	uint64_t due_us = remote->here ? UINT64_MAX : remote->until_us;
	struct remote_game *game;

	for (game = remote->game; game != NULL; game = game->next)
		if (game->over && game->until_us < due_us)
			due_us = game->until_us;
	if (due_us == UINT64_MAX)
		timer_stop(&remote->timer);
	else
		timer_at(&remote->timer, due_us);
}

static void
tidy(struct loop_task *task)
{
	struct remote_bot *remote = ENCLOSING(task, struct remote_bot, task);
	const char *closing = remote->remotes->closing;
	uint64_t now_us = clock_us();

	if (closing == NULL && remote->ending[0] != '\0')
		closing = remote->ending;
	drop_stories(remote, now_us);
	if (!remote->leaving && remote->here && remote->games == 0 &&
	    (remote->quitting || closing != NULL))
		remote_bot_dismiss(remote, closing);
	else if (!remote->leaving && !remote->here &&
		 (remote->game == NULL || now_us >= remote->until_us))
		leave(remote, false, NULL);
	if (!remote->leaving)
		arm_timer(remote);
	else if (remote->game == NULL)
		remote_bot_free(remote);
	else
		drop_stories(remote,
			     now_us); /* its other games tidy up again */
}

static void
on_timer(void *arg)
{
	remote_bot_tidy(arg);
}

/* ---- lines ---------------------------------------------------------- */

static void
useless(struct remote_bot *remote, const char *line, size_t n)
{
	const struct remote_bots *remotes = remote->remotes;

	link_useless(remote->link);
	if (remotes->calls->useless != NULL)
		remotes->calls->useless(remotes->arg, remote, line, n);
}

static void
game_line(struct remote_game *game, enum line_result result, char *line,
	  size_t n, uint64_t now_us)
{
	struct bot *bot = &game->bot;

	if (n > LINE_BOT_BYTES)
		result = LINE_TOO_LONG;
	bot->bytes_in += n + 1;
	game->gave |=
		result == LINE_OK && n > 8 && memcmp(line, "entropy ", 8) == 0;
	if (bot->listener != NULL)
		bot->listener->line(bot->listener_arg, result, line, n, now_us);
	else if (game->remote->link != NULL) /* its seat was retired */
		useless(game->remote, line, n);
}

/* Handles a line that breaks the grammar.  Its game is unknown, so all games of
 * the link are told. */
static void
bad_line(struct remote_bot *remote, enum line_result result, char *line,
	 size_t n, uint64_t now_us)
{
	struct remote_game *game;

	if (remote->games == 0)
		useless(remote, line, n);
	for (game = remote->game; game != NULL; game = game->next)
		if (!game->over)
			game_line(game, result, line, n, now_us);
}

static void
prefixed_line(struct remote_bot *remote, enum line_result result, char *line,
	      size_t n, uint64_t now_us)
{
	struct remote_game *game = NULL;

	if (n >= LINK_PREFIX_BYTES && line[LINK_PREFIX_BYTES - 1] == ' ')
		game = remote_game_find(remote, line + 1);
	if (game == NULL && result != LINE_OK)
		bad_line(remote, result, line, n, now_us);
	else if (game == NULL || game->over)
		useless(remote, line, n);
	if (game == NULL || game->over)
		return;
	game->bot.late.last = 0; /* the line names its game */
	game_line(game, result, line + LINK_PREFIX_BYTES, n - LINK_PREFIX_BYTES,
		  now_us);
}

/* Handles a line without a game's ID, which means the only game. */
static void
only_game_line(struct remote_bot *remote, char *line, size_t n, uint64_t now_us)
{
	struct remote_game *game = remote->game;

	while (game != NULL && game->over)
		game = game->next;
	if (remote->games != 1)
		useless(remote, line, n);
	else
		game_line(game, LINE_OK, line, n, now_us);
}

static void
own_line(struct remote_bot *remote, char *line, size_t n, uint64_t now_us)
{
	struct remote_bots *remotes = remote->remotes;
	struct message message;

	message_read(line, n, &message);
	switch (message.verb) {
	case MESSAGE_SIT:
		if (remote->quitting)
			useless(remote, line, n);
		else if (remote->ending[0] == '\0')
			remotes->calls->sat(remotes->arg, remote, message.text,
					    message.n);
		break;
	case MESSAGE_REST:
		remotes->calls->resting(remotes->arg, remote);
		break;
	case MESSAGE_QUIT:
		if (!remote->quitting)
			remotes->calls->quit(remotes->arg, remote);
		remote->quitting = true;
		remote_bot_tidy(remote);
		break;
	case MESSAGE_BAD:
		bad_line(remote, LINE_OK, line, n, now_us);
		break;
	case MESSAGE_BOT:
	case MESSAGE_PONG:
		useless(remote, line, n);
		break;
	case MESSAGE_DO:
	case MESSAGE_SAY:
	case MESSAGE_ENTROPY:
	case MESSAGE_CRASHED:
		only_game_line(remote, line, n, now_us);
		break;
	}
}

static void
on_line(struct link *link UNUSED, void *arg, enum line_result result,
	char *line, size_t n, uint64_t now_us)
{
	struct remote_bot *remote = arg;

	if (result != LINE_TOO_LONG && n > LINE_BOT_BYTES && line[0] != '@')
		result = LINE_TOO_LONG;
	if (result == LINE_TOO_LONG)
		bad_line(remote, result, line, 0, now_us);
	else if (line[0] == '@')
		prefixed_line(remote, result, line, n, now_us);
	else if (result == LINE_BAD_BYTE)
		bad_line(remote, result, line, n, now_us);
	else
		own_line(remote, line, n, now_us);
}

static void
on_moved(void *arg, uint64_t now_us)
{
	struct remote_bot *remote = arg;
	struct remote_game *game;

	for (game = remote->game; game != NULL; game = game->next)
		remote_game_moved(game, now_us);
}

static void
on_stuck(void *arg, uint64_t now_us)
{
	struct remote_bot *remote = arg;
	struct remote_game *game;

	for (game = remote->game; game != NULL; game = game->next)
		remote_game_stuck(game, now_us);
}

static void
on_gone(struct link *link UNUSED, void *arg, bool flooded, const char *why)
{
	struct remote_bot *remote = arg;

	if (flooded)
		leave(remote, true, why);
	else
		remote_bot_lose(remote, why);
}

const struct link_calls remote_bot_link_calls = {
	.line = on_line,
	.moved = on_moved,
	.stuck = on_stuck,
	.gone = on_gone,
};

/* ---- all remote bots ----------------------------------------------------- */

struct remote_bot *
remote_bot_new(struct remote_bots *remotes, const char *name)
{
	struct remote_bot *remote = zeroed(1, sizeof(*remote));

	snprintf(remote->name, sizeof(remote->name), "%s", name);
	remote->remotes = remotes;
	remote->participant.ops = &remote_bot_participant_ops;
	remote->first_ask =
		first_ask_open(&remotes->accounts, remote->name, clock_us());
	rate_init(&remote->returns, remotes->limits.return_ms * (uint64_t)1000,
		  remotes->limits.returns, clock_us());
	remote->task.run = tidy;
	timer_init(&remote->timer, &remotes->loop->timers, on_timer, remote);
	LIST_PUT(remotes->first, remote);
	return remote;
}

void
remote_bots_init(struct remote_bots *remotes, struct loop *loop,
		 const struct link_limits *limits_of_links,
		 const struct remote_bot_limits *limits,
		 const struct remote_bot_calls *calls, void *arg)
{
	*remotes = (struct remote_bots){
		.loop = loop, .limits = *limits, .calls = calls, .arg = arg
	};
	links_init(&remotes->links, loop, limits_of_links);
}

void
remote_bots_release(struct remote_bots *remotes)
{
	struct remote_bot *remote;

	links_release(&remotes->links);
	while ((remote = remotes->first) != NULL) {
		remote->link = NULL;
		if (remote->games > 0)
			bug("%s still plays", remote->name);
		leave(remote, false, NULL);
		remote_bot_free(remote);
	}
	first_asks_release(&remotes->accounts);
}

void
remote_bots_close(struct remote_bots *remotes, const char *sentence)
{
	struct remote_bot *remote;

	remotes->closing = sentence;
	for (remote = remotes->first; remote != NULL; remote = remote->next)
		remote_bot_tidy(remote);
}

struct remote_bot *
remote_bots_find(struct remote_bots *remotes, const char *name)
{
	struct remote_bot *remote = remotes->first;

	while (remote != NULL &&
	       (remote->leaving || strcmp(remote->name, name) != 0))
		remote = remote->next;
	return remote;
}
