/* referee/remote/hello.c - handles the first line of a connection: a new bot,
 * or one that comes back.
 *
 * A wrong token is answered late, and later each time.  Meanwhile nothing is
 * read from the connection. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "referee/remote/door.h"
#include "referee/remote/remote-bot-inside.h"

/* ---- coming, and coming back ---------------------------------------- */

/* Returns the lines that it has read of the game, by its own words; -1 if it
 * does not name the game. */
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
why_not(const struct remote_bot *remote, const struct message *message)
{
	const struct remote_game *game;
	int64_t lines;

	if (remote->games > 1 && !message->multi)
		return "several of your games run: say multi=yes";
	for (game = remote->game; game != NULL; game = game->next) {
		lines = lines_read(message, game->id);
		if (lines >= 0 && (uint64_t)lines > game->lines)
			return "resume= names more lines than were sent";
	}
	return NULL;
}

/* Sends what it has missed of each game.  A game that is over is sent only if
 * it names it.  A bot without multi=yes must hear that a game is gone before the
 * next one begins. */
static void
catch_up(struct remote_bot *remote, const struct message *message)
{
	struct remote_game *game, *next;
	struct message_resume resume;
	char line[8 + ID_BYTES];
	int64_t lines;
	size_t at = 0;

	for (game = remote->game; game != NULL; game = game->next)
		remote_game_await(game);
	while (message_resume(message, &at, &resume)) {
		game = remote_game_find(remote, resume.id);
		if (game != NULL && !game->untold)
			continue;
		snprintf(line, sizeof(line), "gone %s", resume.id);
		link_line(remote->link, NULL, line, strlen(line));
	}
	for (game = remote->game; game != NULL; game = next) {
		next = game->next;
		lines = lines_read(message, game->id);
		if (!game->untold && (lines >= 0 || !game->over))
			remote_game_retell(game,
					   lines > 0 ? (uint64_t)lines : 0);
		if (game->over)
			game->until_us =
				lines < 0 ? 0 : remote_bot_patience(remote);
	}
}

/* Greets it, with a pair for each limit that differs from PROTOCOL.md. */
static void
greet(struct remote_bot *remote)
{
	const struct link_limits *limits = &remote->remotes->links.limits;
	const struct {
		const char *key;
		size_t is, said;
	} pairs[] = {
		{ "hello", limits->hello_ms, HELLO_MS },
		{ "ping", limits->ping_ms, PING_MS },
		{ "lines", limits->lines_a_second, LINES_A_SECOND },
		{ "grace", remote->remotes->limits.grace_ms, GRACE_MS },
		{ "out", limits->out_bytes, OUT_BYTES },
	};
	struct text line = { .max = LINE_REFEREE_BYTES };

	text_str(&line, "referee " PROTOCOL_NUMBER " referee-" PACKAGE_VERSION);
	for (unsigned i = 0; i < NELEM(pairs); i++)
		if (pairs[i].is != pairs[i].said)
			text_fmt(&line, " %s=%zu", pairs[i].key, pairs[i].is);
	link_line(remote->link, NULL, line.bytes, line.used);
	text_release(&line);
}

static const char *
where_from(const struct link *link)
{
	const struct visitor *visitor = link_visitor(link);

	return visitor == NULL ? "" : visitor->from;
}

static void
settle_in(struct remote_bot *remote, struct link *link,
	  const struct message *message)
{
	remote->link = link;
	remote->here = true;
	snprintf(remote->from, sizeof(remote->from), "%s", where_from(link));
	remote->why[0] = '\0';
	remote->quitting = false;
	remote->ending[0] = '\0';
	remote->entropy = message->entropy;
	remote->multi = message->multi;
	remote->games_max =
		message->multi && message->games > 0 ? message->games : 1;
	link_listen(link, &remote_bot_link_calls, remote);
	link_welcome(link);
	greet(remote);
	catch_up(remote, message);
	link_flush(link);
	remote_bot_tidy(remote);
}

/* Lets in a bot that has said who it is.  `remote` is the known bot of that
 * name, or NULL. Returns NULL, or why it may not come. */
static const char *
enter(struct remote_bots *remotes, struct remote_bot *remote, struct link *link,
      const struct message *message, const char *name)
{
	static const char took_over[] =
		REMOTE_BOT_NOT_AGAIN "another connection of yours has come";
	bool is_new = remote == NULL;
	const char *why = is_new ? NULL : why_not(remote, message);
	struct link *old;

	if (why != NULL)
		return why;
	if (is_new)
		remote = remote_bot_new(remotes, name);
	old = remote->link;
	if (old != NULL) {
		link_close(old, took_over);
		remote_bot_lose(remote, took_over);
	}
	if (remote->leaving) /* came() has dismissed it */
		return "you are dismissed";
	settle_in(remote, link, message);
	if (is_new)
		remotes->calls->came(remotes->arg, remote);
	else
		remotes->calls->back(remotes->arg, remote);
	return NULL;
}

/* ---- the first line ------------------------------------------------- */

static const char first_line[] =
	"the first line is: bot " PROTOCOL_NUMBER " NAME token=SECRET";

static void
tell_refused(const struct remote_bots *remotes, const struct link *link,
	     enum refusal kind, const char *name, const char *sentence)
{
	if (remotes->calls->refused != NULL)
		remotes->calls->refused(remotes->arg, kind, where_from(link),
					name, remote_bot_reason(sentence));
}

/* Refuses a connection.  `name` is that of a known bot, or empty. */
static void
refuse(const struct remote_bots *remotes, struct link *link, const char *name,
       const char *sentence)
{
	tell_refused(remotes, link,
		     name[0] == '\0' ? REFUSAL_HELLO : REFUSAL_BOT, name,
		     sentence);
	link_close(link, sentence);
}

/* Refuses a connection whose words would be no better the next time. */
static void
refuse_for_good(const struct remote_bots *remotes, struct link *link,
		const char *name, const char *sentence)
{
	char line[sizeof(REMOTE_BOT_NOT_AGAIN) + REMOTE_BOT_WHY_BYTES];

	snprintf(line, sizeof(line), REMOTE_BOT_NOT_AGAIN "%s", sentence);
	refuse(remotes, link, name, line);
}

/* Calls of a refused link: nothing is read from it any more, and it has been
 * told why. */
static const struct link_calls refused_calls;

static void
wrong_token(struct remote_bots *remotes, struct link *link, const char *name,
	    uint64_t now_us)
{
	static const char wrong[] =
		REMOTE_BOT_NOT_AGAIN "unknown bot name or wrong token";
	struct visitor *visitor = link_visitor(link);

	tell_refused(remotes, link, REFUSAL_TOKEN, name, wrong);
	link_listen(link, &refused_calls, remotes);
	link_close_later(link,
			 visitor == NULL
				 ? remotes->limits.wrong_ms
				 : address_wrong(visitor->address, now_us),
			 wrong);
}

/* A return may cost megabytes of missed lines, and the other players wait while
 * they are sent.  So the number of returns is limited. */
static void
welcome(struct remote_bots *remotes, struct link *link,
	const struct message *message, const char *name)
{
	struct remote_bot *remote = remote_bots_find(remotes, name);
	const char *why;

	if (remote != NULL && !rate_take(&remote->returns, clock_us())) {
		refuse(remotes, link, name, "you come back too often");
		return;
	}
	why = enter(remotes, remote, link, message, name);
	if (why != NULL)
		refuse_for_good(remotes, link, name, why);
}

static void
on_line(struct link *link, void *arg, enum line_result result, char *line,
	size_t n, uint64_t now_us)
{
	struct remote_bots *remotes = arg;
	char name[NAME_BYTES + 1];
	struct error why = { 0 };
	struct message message;

	if (result != LINE_OK || n > LINE_BOT_BYTES) {
		refuse_for_good(remotes, link, "", first_line);
		return;
	}
	message_read(line, n, &message);
	if (message.verb != MESSAGE_BOT || message.token == NULL) {
		refuse_for_good(remotes, link, "",
				message.why != NULL && n > 4 &&
						memcmp(line, "bot ", 4) == 0
					? message.why
					: first_line);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)message.n, message.text);
	switch (remotes->calls->authenticate(remotes->arg, name, message.token,
					     message.token_bytes, &why)) {
	case REMOTE_BOT_WELCOME:
		welcome(remotes, link, &message, name);
		break;
	case REMOTE_BOT_WRONG:
		wrong_token(remotes, link, name, now_us);
		break;
	case REMOTE_BOT_REFUSED:
		refuse(remotes, link, name, why.text);
		break;
	}
}

static void
on_gone(struct link *link, void *arg, bool flooded UNUSED, const char *why)
{
	tell_refused(arg, link, REFUSAL_HELLO, "", why);
}

static const struct link_calls calls = { .line = on_line, .gone = on_gone };

void
remote_bots_arrive(struct remote_bots *remotes, int fd, const struct tls *tls,
		   struct visitor *visitor)
{
	struct link *link = link_new(&remotes->links, fd, tls, NULL, visitor);

	if (link != NULL)
		link_listen(link, &calls, remotes);
}
