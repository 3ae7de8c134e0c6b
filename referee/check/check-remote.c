/* referee/check/check-remote.c - handles a checked bot that comes by TCP: who
 * it is, if it is there, and what happens to its games when it comes, leaves,
 * loses its connection or comes back.
 *
 * The first connection with a good `bot` line is the bot, with any name and
 * token.  No other bot gets in after that.  It plays as many games at once as
 * it says, and may lose its connection and come back. */
#include "referee/check/check-inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"
#include "protocol/text.h"
#include "referee/base/command.h"
#include "referee/remote/door.h"
#include "referee/remote/remote-bot.h"

#define LISTEN_S 60    /* time for it to come and to sit */
#define WORD_BYTES 512 /* bytes of a sentence about it */

struct check_listener {
	struct check *check;
	struct door *door;
	struct listener *open; /* the door's */
	struct remote_bots remotes;
	struct remote_bot *bot; /* NULL: not known yet, or it has left */
	char name[NAME_BYTES + 1], token[BOT_TOKEN_BYTES + 1];
	bool sits, quit;
	char (*id)[ID_BYTES]; /* owned; the IDs of all its games */
	unsigned games;
	struct timer absent;
	uint64_t absent_s;
	char word[WORD_BYTES]; /* the words about a bot that was sent away, or
			       * about this one before it sat */
	char lost[WORD_BYTES];
};

/* ---- who it is -------------------------------------------------------- */

static enum remote_bot_answer
on_authenticate(void *arg, char name[NAME_BYTES + 1], const char *token,
		size_t n, struct error *why)
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
	timer_stop(&listener->absent);
	check_wake(listener->check);
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
	check_wake(listener->check);
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
	struct check *check = ((struct check_listener *)arg)->check;
	struct check_game *game = check->game;

	for (; game < check->game + GAMES_AT_ONCE; game++) {
		if (game->own == NULL)
			continue;
		if (check->cut)
			game->missed = tap_watch(game->own)->ask;
		tap_returned(game->own);
	}
	check->cut = false;
}

static void
on_left(void *arg, struct remote_bot *bot)
{
	struct check_listener *listener = arg;

	snprintf(listener->lost, sizeof(listener->lost), "%s", bot->why);
	listener->bot = NULL;
	listener->sits = false;
	check_wake(listener->check);
}

static bool
has_played(const struct check_listener *listener, const char *id)
{
	for (unsigned i = 0; i < listener->games; i++)
		if (memcmp(listener->id[i], id, ID_BYTES) == 0)
			return true;
	return false;
}

/* Returns what is wrong with a line, or NULL. An answer may have been under way
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
	check_on_useless(listener->check, why);
}

/* Ends the check because the bot was not there, or did not sit, for too long. */
static void
give_up(struct check *check, const char *why)
{
	struct check_report *report = check->report;
	const struct check_game *last = check_last_game(check);
	const char *name = check->listener->name;

	if (check->begun > 0) {
		report->gave_up = true;
		if (!check->loss_told)
			check_report_add(report, CHECK_CRASH, &last->trial,
					 last->number, NULL, why);
	} else {
		snprintf(report->why, sizeof(report->why), "%s%s%s", name,
			 name[0] == '\0' ? "" : " ", why);
		report->not_started = true;
	}
	check->stopping = true;
	check_wake(check);
}

static void
on_absent(void *arg)
{
	struct check_listener *listener = arg;
	const struct counted s = counted(listener->absent_s, "second");
	char why[2 * WORD_BYTES];

	if (listener->name[0] == '\0')
		snprintf(why, sizeof(why),
			 "no bot came to %s port %u within %s%s",
			 listener->check->setup->listen->host,
			 listener_port(listener->open), s.text, listener->word);
	else if (listener->bot != NULL && listener->bot->here)
		snprintf(why, sizeof(why),
			 "was there and did not say `sit LADDER` within %s%s",
			 s.text, listener->word);
	else
		snprintf(why, sizeof(why),
			 "left and did not come back within %s: %s", s.text,
			 listener->lost);
	give_up(listener->check, why);
}

bool
check_remote_is_there(struct check *check, bool idle)
{
	struct check_listener *listener = check->listener;
	struct check_report *report = check->report;

	if (listener->sits && listener->bot->here && !listener->quit) {
		snprintf(report->name, sizeof(report->name), "%s",
			 listener->name);
		return true;
	}
	if (idle && !timer_runs(&listener->absent))
		timer_after(&listener->absent,
			    listener->absent_s * (uint64_t)1000000);
	if (!listener->quit)
		return false;
	report->quit = check->begun > 0;
	if (!report->quit)
		give_up(check, "quit before its first game");
	check->stopping = true;
	return true;
}

/* ---- its games -------------------------------------------------------- */

unsigned
check_remote_games(const struct check *check)
{
	return check->listener == NULL || check->listener->bot == NULL
		       ? 1
		       : check->listener->bot->games_max;
}

struct bot *
check_remote_seat(struct check_game *game, const char *id)
{
	struct check *check = game->check;
	struct check_listener *listener = check->listener;
	bool drip = false;

	for (unsigned i = 0; i < GAMES_AT_ONCE; i++)
		drip |= check->game[i].playing &&
			check->game[i].trial.style == CHECK_DRIP;
	check->loss_told = false;
	memcpy(*ADDED(listener->id, listener->games), id, ID_BYTES);
	if (listener->absent_s > CHECK_AWAY_S)
		listener->absent_s = CHECK_AWAY_S;
	listener->remotes.links.limits.piece_bytes = drip ? 1 : 0;
	return remote_game_new(listener->bot, id);
}

void
check_remote_ended(struct check_game *game)
{
	struct check *check = game->check;

	/* If there are several games each line names its own, so we need not
	 * follow. */
	check->followed = game->trial.at_once <= 1;
	if (check->followed)
		check->watch = *tap_watch(game->own);
	check_report_ended(check->report, check->listener->lost, NULL);
}

bool
check_remote_entropy(const struct check *check)
{
	const struct remote_bot *bot = check->listener->bot;

	return bot != NULL && bot->entropy;
}

const char *
check_remote_lost(const struct check *check)
{
	const struct check_listener *listener = check->listener;

	return listener == NULL ||
			       (listener->bot != NULL && listener->bot->here)
		       ? NULL
		       : listener->lost;
}

static void
cut_connection(struct loop_task *task)
{
	struct check *check = ENCLOSING(task, struct check, cut_task);

	check->cut = check_remote_lost(check) == NULL;
	if (check->listener->bot != NULL)
		remote_bot_cut(check->listener->bot);
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

/* Listens as the setup says.  Returns -1 and a sentence on failure. */
static int
listen_as_wished(struct check *check, struct error *why)
{
	const struct check_setup *setup = check->setup;
	struct check_listener *listener = zeroed(1, sizeof(*listener));
	struct remote_bot_limits limits = remote_bot_limits;
	struct door_limits door = door_limits;

	check->listener = listener;
	listener->check = check;
	listener->absent_s =
		setup->limit_s < LISTEN_S ? setup->limit_s : LISTEN_S;
	limits.grace_ms = CHECK_AWAY_S * 1000;
	door.plain_anywhere = setup->listen->plain;
	remote_bots_init(&listener->remotes, &check->loop, &link_limits,
			 &limits, &remote_calls, listener);
	listener->door =
		door_new(&check->loop, &door, on_connection, NULL, listener);
	timer_init(&listener->absent, &check->loop.timers, on_absent, listener);
	listener->open = listener_open(setup->listen->host, setup->listen->port,
				       true, why);
	if (listener->open != NULL &&
	    door_listen(listener->door, listener->open, NULL, why) == 0)
		return 0;
	if (why->kind == ERROR_INPUT)
		error_set(why, ERROR_INPUT, "%s; --plain does without",
			  why->text);
	check_remote_close(check);
	return -1;
}

int
check_remote_open(struct check *check)
{
	const struct check_setup *setup = check->setup;
	struct check_report *report = check->report;
	struct error why;

	if (setup->listen == NULL)
		return 0;
	report->by_tcp = true;
	check->cut_task.run = cut_connection;
	if (listen_as_wished(check, &why) == 0) {
		note("listening at %s port %u for %s: come with any name and "
		     "any token, and sit on any ladder; %s, at most %s; --seed "
		     "%s",
		     setup->listen->host, listener_port(check->listener->open),
		     counted(check->listener->absent_s, "second").text,
		     counted(report->planned, "game").text,
		     counted(setup->limit_s, "second").text, setup->seed);
		return 0;
	}
	snprintf(report->why, sizeof(report->why), "%.500s", why.text);
	report->failed = why.kind == ERROR_MACHINE;
	report->not_started = !report->failed;
	return -1;
}

void
check_remote_close(struct check *check)
{
	static const char over[] = REMOTE_BOT_NOT_AGAIN "the check is over";
	struct check_listener *listener = check->listener;

	if (listener == NULL)
		return;
	timer_stop(&listener->absent);
	door_close_all(listener->door);
	if (listener->bot != NULL)
		remote_bot_dismiss(listener->bot, over);
	links_refuse(&listener->remotes.links, over);
	/* Each link ends within a time of its own. */
	while (listener->remotes.links.count > 0)
		loop_pass(&check->loop);
	remote_bots_release(&listener->remotes);
	door_free(listener->door);
	free(listener->id);
	free(listener);
	check->listener = NULL;
}
