/* referee/remote/remote-game.c - a struct bot for one game of a remote bot.
 *
 * Its lines leave through the remote bot's link, with `@ID ` in front if the
 * remote bot plays several games.  It keeps them, too: a remote bot that has
 * lost its connection and comes back is sent this story of the game.  While it
 * is not there the story goes on, and asks count as handed over. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/remote/remote-bot-inside.h"

#define ENTROPY_ASKED "entropy?\n"
#define ENTROPY_OVER "entropy-over\n"

/* ---- lines out ------------------------------------------------------ */

static void
send_lines(struct remote_game *game, const char *line, size_t n)
{
	const char *id = game->remote->multi ? game->id : NULL;
	const char *end = line + n, *lf;

	for (; line < end; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		link_line(game->remote->link, id, line, (size_t)(lf - line));
	}
	link_flush(game->remote->link);
}

static void
keep(struct remote_game *game, const char *lines, size_t n)
{
	const char *at = lines, *end = lines + n;

	for (; at < end; at = (char *)memchr(at, '\n', (size_t)(end - at)) + 1)
		game->lines++;
	if (game->untold)
		return;
	text_add(&game->story, lines, n);
	if (!game->story.full)
		return;
	text_release(&game->story);
	game->untold = true;
}

/* Moves collected lines to the link and into the story. */
static void
tell(struct remote_game *game)
{
	struct bot *bot = &game->bot;
	size_t n = bot->used;

	if (n == 0)
		return;
	keep(game, bot->out, n);
	bot->bytes_out += n;
	bot->used = 0;
	if (game->remote->link != NULL)
		send_lines(game, bot->out, n);
}

static void
handed(struct remote_game *game, uint64_t now_us)
{
	struct bot *bot = &game->bot;

	game->marked = false;
	bot->stamp = false;
	if (bot->listener != NULL)
		bot->listener->handed(bot->listener_arg, now_us);
}

/* Runs once, after the bot was let go. */
static void
end(struct remote_game *game)
{
	const struct bot_end how = { .started = true, .status = -1 };
	struct bot *bot = &game->bot;

	if (bot->ended != NULL)
		bot->ended(bot->ended_arg, bot, &how);
	bot->ended = NULL;
	remote_bot_tidy(game->remote);
}

static void
remote_game_flush(struct bot *bot, uint64_t now_us)
{
	struct remote_game *game = (struct remote_game *)bot;
	struct remote_bot *remote = game->remote;

	if (game->over) {
		end(game);
		return;
	}
	tell(game);
	if (remote->link == NULL) {
		if (bot->stamp)
			handed(game, now_us);
		if (game->untold)
			bot_tell_gone(bot, false);
	} else if (bot->stamp) {
		/* The link writes in this pass and then calls
		 * remote_game_moved(). */
		game->marked = true;
		game->mark = link_collected(remote->link);
		link_flush(remote->link);
	}
}

static void
remote_game_part(struct bot *bot, unsigned grace_ms)
{
	struct remote_game *game = (struct remote_game *)bot;
	struct remote_bot *remote = game->remote;

	(void)grace_ms; /* the connection stays */
	tell(game);
	remote->late = bot->late;
	remote->games--;
	game->over = true;
	game->marked = false;
	game->until_us = remote_bot_patience(remote);
	loop_post(bot->loop, LOOP_TELL, &bot->tell_task);
}

/* We cannot see if a program was started for this game, so all games of a name
 * share an account. */
static uint64_t
remote_game_take_start(struct bot *bot)
{
	return first_ask_take(((struct remote_game *)bot)->remote->first_ask,
			      clock_us());
}

static void
remote_game_give_start(struct bot *bot, uint64_t taken_us, uint64_t used_us)
{
	first_ask_give(((struct remote_game *)bot)->remote->first_ask, taken_us,
		       used_us, clock_us());
}

static size_t
remote_game_unended(const struct bot *bot, const char **line)
{
	const struct remote_game *game = (const struct remote_game *)bot;
	const struct link *link = game->remote->link;
	size_t n = link == NULL ? 0 : link_unended(link, line);

	if (n == 0 || (*line)[0] != '@')
		return game->remote->games == 1 ? n : 0;
	if (n <= LINK_PREFIX_BYTES ||
	    memcmp(*line + 1, game->id, ID_BYTES) != 0)
		return 0;
	*line += LINK_PREFIX_BYTES;
	return n - LINK_PREFIX_BYTES;
}

static const struct bot_ops remote_game_ops = {
	.unended = remote_game_unended,
	.flush = remote_game_flush,
	.part = remote_game_part,
	.take_start = remote_game_take_start,
	.give_start = remote_game_give_start,
};

/* ---- for the remote bot -------------------------------------------------- */

struct remote_game *
remote_game_find(struct remote_bot *remote, const char *id)
{
	struct remote_game *game = remote->game;

	while (game != NULL && memcmp(game->id, id, ID_BYTES) != 0)
		game = game->next;
	return game;
}

void
remote_game_free(struct remote_game *game)
{
	LIST_CUT(game);
	if (game->bot.ended != NULL)
		end(game);
	text_release(&game->story);
	bot_release(&game->bot);
	free(game);
}

void
remote_game_await(struct remote_game *game)
{
	const struct bot_listener *listener = game->bot.listener;
	char line[ID_BYTES + 64];
	uint64_t left_us;
	int n;

	if (game->over || game->untold || listener == NULL ||
	    listener->awaits == NULL)
		return;
	game->awaits =
		listener->awaits(game->bot.listener_arg, clock_us(), &left_us);
	/* 0 would mean that the ask is still to come. */
	game->left_ms = left_us > 0 && left_us < 1000 ? 1 : left_us / 1000;
	n = snprintf(line, sizeof(line), "awaits %s %" PRIu32 " %" PRIu64,
		     game->id, game->awaits, game->left_ms);
	link_line(game->remote->link, NULL, line, (size_t)n);
}

/* Finds the ask that counts in these lines.  Returns the place of its time, or
 * NULL. */
static const char *
find_awaited(const struct remote_game *game, const char *at, const char *end)
{
	char word[32];
	const size_t n = (size_t)snprintf(word, sizeof(word),
					  "ask %" PRIu32 " ", game->awaits);

	for (; at < end; at = (char *)memchr(at, '\n', (size_t)(end - at)) + 1)
		if ((size_t)(end - at) > n && memcmp(at, word, n) == 0)
			return at + n;
	return NULL;
}

/* Sends the ask with the time that is left. */
static void
send_awaited(struct remote_game *game, const char *at, const char *ms,
	     const char *end)
{
	const char *rest = ms + strcspn(ms, " ");
	struct text text = { .max = SIZE_MAX };

	text_add(&text, at, (size_t)(ms - at));
	text_fmt(&text, "%" PRIu64, game->left_ms);
	text_add(&text, rest, (size_t)(end - rest));
	send_lines(game, text.bytes, text.used);
	text_release(&text);
}

/* If these lines ask for entropy that was given or whose time is over, sends
 * them up to there with another line in its place: a restarted bot would give
 * other entropy, which does not count.  Returns the rest. */
static const char *
skip_entropy(struct remote_game *game, const char *from, const char *end)
{
	const size_t n = sizeof(ENTROPY_ASKED) - 1;
	const char *at = from;

	for (; at < end; at = (char *)memchr(at, '\n', (size_t)(end - at)) + 1)
		if ((size_t)(end - at) >= n &&
		    memcmp(at, ENTROPY_ASKED, n) == 0)
			break;
	/* The deal waits for the entropy: there are no later lines. */
	if (at == end || (at + n == end && !game->gave))
		return from;
	send_lines(game, from, (size_t)(at - from));
	send_lines(game, ENTROPY_OVER, sizeof(ENTROPY_OVER) - 1);
	return at + n;
}

void
remote_game_retell(struct remote_game *game, uint64_t lines)
{
	const char *at = game->story.bytes, *end, *ms;
	uint64_t left = game->lines - lines;

	if (left == 0)
		return;
	end = at + game->story.used;
	for (; lines > 0; lines--)
		at = (char *)memchr(at, '\n', (size_t)(end - at)) + 1;
	/* The bot cannot have read this yet, so it does not count as unread. */
	link_allow(game->remote->link, (size_t)(end - at) +
					       sizeof(ENTROPY_OVER) +
					       left * LINK_PREFIX_BYTES);
	at = skip_entropy(game, at, end);
	ms = game->left_ms == 0 ? NULL : find_awaited(game, at, end);
	if (ms == NULL)
		send_lines(game, at, (size_t)(end - at));
	else
		send_awaited(game, at, ms, end);
}

void
remote_game_lost(struct remote_game *game, uint64_t now_us)
{
	if (game->over)
		return;
	if (game->marked)
		handed(game, now_us);
	if (game->untold)
		bot_tell_gone(&game->bot, false);
}

void
remote_game_moved(struct remote_game *game, uint64_t now_us)
{
	if (game->marked && link_written(game->remote->link) >= game->mark)
		handed(game, now_us);
}

void
remote_game_stuck(struct remote_game *game, uint64_t now_us)
{
	if (game->marked && game->bot.listener != NULL)
		game->bot.listener->stuck(game->bot.listener_arg, now_us);
}

struct bot *
remote_game_new(struct remote_bot *remote, const char *id)
{
	struct remote_game *game = memory(NULL, sizeof(*game)), **at;

	if (remote->leaving || remote->games >= remote->games_max)
		bug("a game too many for %s", remote->name);
	if (!message_id_ok(id, strlen(id)) ||
	    remote_game_find(remote, id) != NULL)
		bug("no game for a remote bot: %s", id);
	memset(game, 0, sizeof(*game));
	bot_init(&game->bot, &remote_game_ops, remote->remotes->loop);
	game->bot.greeted = true; /* the remote bot has greeted it */
	game->bot.stays = true;
	if (!remote->multi) /* with `multi` each line names its game */
		game->bot.late = remote->late;
	game->remote = remote;
	memcpy(game->id, id, ID_BYTES);
	text_init(&game->story, remote->remotes->limits.story_bytes);
	for (at = &remote->game; *at != NULL; at = &(*at)->next)
		;
	LIST_PUT(*at, game);
	remote->games++;
	return &game->bot;
}
