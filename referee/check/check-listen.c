/* referee/check/check-listen.c - a bot that comes by TCP: who it is, whether it
 * is there. */
#include "referee/check/check-listen.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"
#include "protocol/text.h"
#include "referee/base/command.h"
#include "referee/remote/door.h"
#include "referee/remote/remote-bot.h"

#define WORD_BYTES 512 /* of a sentence about it */

struct check_listener {
	const struct check_listen_calls *calls;
	void *arg;
	struct loop *loop;
	struct door *door;
	struct remote_bots remotes;
	struct remote_bot *bot; /* NULL: is not known, or has left */
	char name[NAME_BYTES + 1], token[BOT_TOKEN_BYTES + 1];
	bool sits, quit;
	char (*id)[ID_BYTES]; /* owned; of all its games */
	unsigned games;
	struct event *absent;
	uint64_t absent_s;
	char where[256];
	char word
		[WORD_BYTES]; /* of who was sent away, or of it before it sat */
	char lost[WORD_BYTES];
};

/* ---- who it is -------------------------------------------------------- */

static enum remote_bot_answer
on_authenticate(void *arg, const char *name, const char *token, size_t n,
		struct error *why)
{
	struct check_listener *listener = arg;

	if (n > BOT_TOKEN_BYTES)
		return REMOTE_BOT_WRONG;
	if (listener->name[0] == '\0') {
		snprintf(listener->name, sizeof(listener->name), "%s", name);
		memcpy(listener->token, token, n);
	}
	if (strcmp(name, listener->name) == 0 && strlen(listener->token) == n &&
	    memcmp(token, listener->token, n) == 0)
		return REMOTE_BOT_WELCOME;
	error_set(why, ERROR_INPUT,
		  REMOTE_BOT_NOT_AGAIN
		  "%s is checked here, with the token that "
		  "it first said; one bot at a time",
		  listener->name);
	return REMOTE_BOT_REFUSED;
}

static void
on_refused(void *arg, enum refusal kind UNUSED, const char *from,
	   const char *bot UNUSED, const char *why)
{
	struct check_listener *listener = arg;

	if (from[0] == '\0')
		from = "somebody";
	snprintf(listener->word, sizeof(listener->word),
		 "; the last that came, from %s, got no further: %s", from,
		 why);
	note("%s came and got no further: %s", from, why);
}

/* ---- whether it is there ---------------------------------------------- */

static void
on_came(void *arg, struct remote_bot *bot)
{
	struct check_listener *listener = arg;

	listener->bot = bot;
	listener->word[0] = '\0';
	snprintf(bot->participant.bot, sizeof(bot->participant.bot), "%s",
		 bot->name);
	note("%s has come from %s", bot->name, bot->from);
}

static void
on_sat(void *arg, struct remote_bot *bot UNUSED, const char *ladders UNUSED,
       size_t n UNUSED)
{
	struct check_listener *listener = arg;

	listener->sits = true;
	event_del(listener->absent);
	listener->calls->changed(listener->arg);
}

static void
on_resting(void *arg, struct remote_bot *bot UNUSED)
{
	((struct check_listener *)arg)->sits = false;
}

static void
on_quit(void *arg, struct remote_bot *bot UNUSED)
{
	struct check_listener *listener = arg;

	listener->quit = true;
	listener->sits = false;
	listener->calls->changed(listener->arg);
}

static void
on_lost(void *arg, struct remote_bot *bot)
{
	struct check_listener *listener = arg;

	listener->sits = false;
	snprintf(listener->lost, sizeof(listener->lost), "%s", bot->why);
}

static void
on_back(void *arg, struct remote_bot *bot UNUSED)
{
	struct check_listener *listener = arg;

	listener->calls->back(listener->arg);
}

static void
on_left(void *arg, struct remote_bot *bot)
{
	struct check_listener *listener = arg;

	snprintf(listener->lost, sizeof(listener->lost), "%s", bot->why);
	listener->bot = NULL;
	listener->sits = false;
	listener->calls->changed(listener->arg);
}

static bool
has_played(const struct check_listener *listener, const char *id)
{
	unsigned i;

	for (i = 0; i < listener->games; i++)
		if (memcmp(listener->id[i], id, ID_BYTES) == 0)
			return true;
	return false;
}

/* What is wrong with a line; NULL: nothing, an answer may have been on its way
 * when its game ended. */
static const char *
look_at_line(const struct check_listener *listener,
	     const struct remote_bot *bot, const char *line, size_t n)
{
	const char *space =
		n > 0 && line[0] == '@' ? memchr(line, ' ', n) : NULL;
	const char *from = space == NULL ? line : space + 1;
	struct message message;

	message_read(from, (size_t)(line + n - from), &message);
	if (message.verb != MESSAGE_DO && message.verb != MESSAGE_SAY &&
	    message.verb != MESSAGE_ENTROPY)
		return "outside of its games, where it means nothing";
	if (space == NULL)
		return bot->multi ? "without the `@ID ` that `multi=yes` puts "
				    "in front of each line of a game"
				  : NULL;
	if (space - line != ID_BYTES + 1 || !has_played(listener, line + 1))
		return "with an ID that no `game` line had";
	return NULL;
}

static void
on_useless(void *arg, struct remote_bot *bot, const char *line, size_t n)
{
	struct check_listener *listener = arg;
	const char *wrong = look_at_line(listener, bot, line, n);
	char shown[256], why[WORD_BYTES];

	if (wrong == NULL)
		return;
	text_escape(shown, sizeof(shown), line, n);
	snprintf(why, sizeof(why), "said `%s` %s", shown, wrong);
	if (listener->games == 0)
		snprintf(listener->word, sizeof(listener->word), "; it %.400s",
			 why);
	listener->calls->useless(listener->arg, why);
}

static void
on_absent(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct check_listener *listener = arg;
	const struct counted s = counted(listener->absent_s, "second");
	char why[2 * WORD_BYTES];

	if (listener->name[0] == '\0')
		snprintf(why, sizeof(why), "no bot came to %s within %s%s",
			 listener->where, s.text, listener->word);
	else if (listener->bot != NULL && listener->bot->here)
		snprintf(why, sizeof(why),
			 "was there and did not say `sit LADDER` within %s%s",
			 s.text, listener->word);
	else
		snprintf(why, sizeof(why),
			 "left and did not come back within %s: %s", s.text,
			 listener->lost);
	listener->calls->absent(listener->arg, why);
}

bool
check_listen_ready(struct check_listener *listener, bool idle)
{
	if (listener->sits && listener->bot->here && !listener->quit)
		return true;
	if (idle && !event_pending(listener->absent, EV_TIMEOUT, NULL))
		loop_after_us(listener->absent,
			      listener->absent_s * (uint64_t)1000000);
	return false;
}

/* ---- its games -------------------------------------------------------- */

unsigned
check_listen_games(const struct check_listener *listener)
{
	return listener->bot == NULL ? 1 : listener->bot->games_max;
}

struct bot *
check_listen_seat(struct check_listener *listener, const char *id, bool drip)
{
	listener->id =
		grown(listener->id, listener->games, sizeof(*listener->id));
	memcpy(listener->id[listener->games++], id, ID_BYTES);
	if (listener->absent_s > CHECK_AWAY_S)
		listener->absent_s = CHECK_AWAY_S;
	listener->remotes.links.limits.piece_bytes = drip ? 1 : 0;
	return remote_game_new(listener->bot, id);
}

const char *
check_listen_where(const struct check_listener *listener, uint64_t *seconds)
{
	*seconds = listener->absent_s;
	return listener->where;
}

const char *
check_listen_name(const struct check_listener *listener)
{
	return listener->name;
}

bool
check_listen_has_quit(const struct check_listener *listener)
{
	return listener->quit;
}

bool
check_listen_entropy(const struct check_listener *listener)
{
	return listener->bot != NULL && listener->bot->entropy;
}

void
check_listen_cut(struct check_listener *listener)
{
	if (listener->bot != NULL)
		remote_bot_cut(listener->bot);
}

bool
check_listen_is_lost(const struct check_listener *listener)
{
	return listener->bot == NULL || !listener->bot->here;
}

const char *
check_listen_why(const struct check_listener *listener)
{
	return listener->lost;
}

/* ---- life ------------------------------------------------------------- */

static const struct remote_bot_calls remote_calls = {
	.authenticate = on_authenticate,
	.came = on_came,
	.sat = on_sat,
	.resting = on_resting,
	.quit = on_quit,
	.lost = on_lost,
	.back = on_back,
	.left = on_left,
	.refused = on_refused,
	.useless = on_useless,
};

static void
on_connection(void *arg, int fd, const struct tls *tls, struct visitor *visitor)
{
	struct check_listener *listener = arg;

	remote_bots_arrive(&listener->remotes, fd, tls, visitor);
}

struct check_listener *
check_listen_open(struct loop *loop, const char *host, const char *port,
		  bool plain, uint64_t limit_s,
		  const struct check_listen_calls *calls, void *arg,
		  struct error *why)
{
	struct check_listener *listener = memory(NULL, sizeof(*listener));
	struct remote_bot_limits limits = remote_bot_limits;
	struct door_limits door = door_limits;

	*listener = (struct check_listener){
		.calls = calls,
		.arg = arg,
		.loop = loop,
		.absent_s = limit_s < CHECK_LISTEN_S ? limit_s : CHECK_LISTEN_S,
	};
	limits.grace_ms = CHECK_AWAY_S * 1000;
	door.plain_anywhere = plain;
	remote_bots_init(&listener->remotes, loop, &link_limits, &limits,
			 &remote_calls, listener);
	listener->door = door_new(loop, &door, on_connection, NULL, listener);
	listener->absent = loop_timer(loop->base, on_absent, listener);
	if (door_listen(listener->door, host, port, NULL, why) < 0) {
		if (why->kind == ERROR_INPUT)
			error_set(why, ERROR_INPUT, "%s; --plain does without",
				  why->text);
		check_listen_close(listener);
		return NULL;
	}
	snprintf(listener->where, sizeof(listener->where), "%s port %u", host,
		 door_port(listener->door, 0));
	return listener;
}

void
check_listen_close(struct check_listener *listener)
{
	static const char over[] = REMOTE_BOT_NOT_AGAIN "the check is over";

	event_free(listener->absent);
	door_close_all(listener->door);
	if (listener->bot != NULL)
		remote_bot_dismiss(listener->bot, over);
	remote_bots_refuse(&listener->remotes, over);
	/* Each has a time of its own in which it ends. */
	while (listener->remotes.links.count > 0)
		loop_pass(listener->loop);
	remote_bots_release(&listener->remotes);
	door_free(listener->door);
	free(listener->id);
	free(listener);
}
