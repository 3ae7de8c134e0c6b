/* referee/serve/server-remote-bots.c - the remote bots of the server: admits,
 * seats and renames them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/roster-owner.h"
#include "referee/scheduler/who.h"
#include "referee/serve/bots.h"
#include "referee/serve/server-inside.h"

const char server_stopping[] = "the referee is stopping";

static void
log_remote_bot(struct server *server, const char *event,
	       const struct remote_bot *remote)
{
	log_event(server->logger, LOG_LEVEL_INFO, event, "bot=%s",
		  remote->name);
}

static void
log_connection(struct server *server, const char *event,
	       const struct remote_bot *remote)
{
	char host[ADDRESS_TEXT_BYTES];

	address_host(remote->from, host);
	log_event(server->logger, LOG_LEVEL_INFO, event,
		  "bot=%s address=%s why=%s", remote->name, host,
		  remote->why[0] == '\0' ? NULL : remote->why);
}

void
server_refused(void *arg, enum refusal kind, const char *from, const char *bot,
	       const char *why)
{
	const struct server *server = arg;

	refusals_tell(server->pages.refusals, kind, from, bot, why);
}

static bool
is_local(const struct server *server, const char *name)
{
	struct roster_entry entry;

	return who_is_local(server->pages.roster, name, &entry);
}

static enum remote_bot_answer
on_authenticate(void *arg, char name[NAME_BYTES + 1], const char *token,
		size_t n, struct error *why)
{
	struct server *server = arg;
	const struct remote_bot *known;
	struct roster_bot bot;

	switch (who_check_token(server->pages.roster, server->logger, name,
				token, n, &bot)) {
	case WHO_TOKEN_UNKNOWN:
		error_set(why, ERROR_MACHINE,
			  "the referee cannot look up your token now; try "
			  "again later");
		return REMOTE_BOT_REFUSED;
	case WHO_TOKEN_WRONG:
		return REMOTE_BOT_WRONG;
	case WHO_TOKEN_FITS:
		break;
	}
	memcpy(name, bot.name, sizeof(bot.name));
	known = remote_bots_find(&server->remotes, name);
	if (server->stopping && known == NULL) {
		error_set(why, ERROR_INPUT, "%s", server_stopping);
		return REMOTE_BOT_REFUSED;
	}
	if (known == NULL && is_local(server, name)) {
		error_set(why, ERROR_INPUT,
			  REMOTE_BOT_NOT_AGAIN
			  "%s runs on the referee's machine",
			  name);
		return REMOTE_BOT_REFUSED;
	}
	if (bot.state == ROSTER_ENABLED)
		return REMOTE_BOT_WELCOME;
	error_set(why, ERROR_INPUT, REMOTE_BOT_NOT_AGAIN "%s is %s%s%.180s",
		  name, roster_state_word(bot.state), bot.reason[0] ? ": " : "",
		  bot.reason);
	return REMOTE_BOT_REFUSED;
}

static void
take_owner(struct server *server, struct remote_bot *remote)
{
	struct roster_bot bot;

	who_look_up(server->pages.roster, remote->name, &bot);
	memcpy(remote->participant.owner, bot.owner,
	       sizeof(remote->participant.owner));
}

static void
on_came(void *arg, struct remote_bot *remote)
{
	const struct server *server = arg;

	remote->owner = zeroed(1, sizeof(struct share));
	who_stands_as(server->pages.roster, remote->name,
		      remote->participant.stands_as);
	who_first_name(server->pages.roster, remote->name,
		       remote->participant.bot);
	take_owner(arg, remote);
	log_connection(arg, "bot-came", remote);
}

static void
on_sat(void *arg, struct remote_bot *remote, const char *ladders, size_t n)
{
	struct server *server = arg;
	const char *end = ladders + n, *space;
	char name[NAME_BYTES + 2]; /* one that is too long is no ladder's */
	struct error sentence;
	uint64_t sits = 0;
	int ladder;

	for (; ladders < end; ladders = space + 1) {
		space = memchr(ladders, ' ', (size_t)(end - ladders));
		if (space == NULL)
			space = end;
		snprintf(name, sizeof(name), "%.*s", (int)(space - ladders),
			 ladders);
		ladder = ladders_find(&server->ladders, name);
		if (ladder < 0 || server->ladders.closing >> ladder & 1) {
			ladders_none(&server->ladders, name, &sentence);
			error_prefix(&sentence, REMOTE_BOT_NOT_AGAIN);
			seating_rise(server->seating, &remote->participant);
			remote_bot_end(remote, sentence.text);
			return;
		}
		sits |= UINT64_C(1) << ladder;
	}
	log_remote_bot(server, "bot-sits", remote);
	seating_sit(server->seating, &remote->participant, sits);
}

static void
on_resting(void *arg, struct remote_bot *remote)
{
	const struct server *server = arg;

	seating_rise(server->seating, &remote->participant);
	log_remote_bot(arg, "bot-rests", remote);
}

static void
on_quit(void *arg, struct remote_bot *remote)
{
	const struct server *server = arg;

	seating_rise(server->seating, &remote->participant);
	log_remote_bot(arg, "bot-quits", remote);
}

static void
on_lost(void *arg, struct remote_bot *remote)
{
	const struct server *server = arg;

	seating_rise(server->seating, &remote->participant);
	log_connection(arg, "bot-lost", remote);
}

static void
on_back(void *arg, struct remote_bot *remote)
{
	const struct server *server = arg;

	log_connection(arg, "bot-back", remote);
	if (is_local(server, remote->name))
		remote_bot_end(remote, SERVER_NOW_LOCAL);
}

static void
on_left(void *arg, struct remote_bot *remote)
{
	struct server *server = arg;

	server_part(server, &remote->participant, SCHEDULER_LOST);
	log_connection(server, "bot-left", remote);
	free(remote->owner);
	remote->owner = NULL;
	/* The local bot of the same name may have waited for its end. */
	if (remote->ending[0] != '\0' && !server->stopping)
		server_look_local_bots(server);
}

static const struct remote_bot_calls remote_bot_calls = {
	.authenticate = on_authenticate,
	.came = on_came,
	.sat = on_sat,
	.resting = on_resting,
	.quit = on_quit,
	.lost = on_lost,
	.back = on_back,
	.left = on_left,
	.refused = server_refused,
};

/* Takes a bot out.  It did not choose to leave, so none of its games is charged
 * to it. */
static void
take_out(struct server *server, struct remote_bot *remote, const char *why)
{
	server_part(server, &remote->participant, SCHEDULER_WITHDRAWN);
	remote_bot_dismiss(remote, why);
}

/* Sends a bot away.  Its owner could choose the moment, as when it loses: then its
 * games go on to their end. */
static void
send_away(struct server *server, struct remote_bot *remote, bool by_owner,
	  const char *why)
{
	if (by_owner) {
		seating_rise(server->seating, &remote->participant);
		remote_bot_end(remote, why);
	} else {
		take_out(server, remote, why);
	}
}

static void
look_owner(void *arg, const char *bot)
{
	struct server *server = arg;
	struct remote_bot *remote = remote_bots_find(&server->remotes, bot);

	if (remote != NULL)
		take_out(server, remote,
			 REMOTE_BOT_NOT_AGAIN "your owner is banned");
}

void
server_look_remote_bot(struct server *server, const char *by, unsigned words,
		       char *const word[])
{
	const bool by_owner = strcmp(by, ROSTER_ORGANISER) != 0;
	struct remote_bot *remote =
		words > 1 ? remote_bots_find(&server->remotes, word[1]) : NULL;
	const char *what = word[0];
	struct error ignored;

	if (strcmp(what, "ban") == 0)
		(void)!roster_owner_bots(server->pages.roster, word[1],
					 look_owner, server, &ignored);
	if (remote == NULL || bots_is_of_owner(what))
		return;
	if (strcmp(what, "owner") == 0) {
		take_owner(server, remote);
		seating_offer_again(server->seating, &remote->participant);
	} else if (strcmp(what, "rename") == 0) {
		remote_bot_rename(remote, word[2]);
	} else if (strcmp(what, "disable") == 0) {
		take_out(server, remote,
			 REMOTE_BOT_NOT_AGAIN "you were disabled");
	} else if (strcmp(what, "withdraw") == 0) {
		send_away(server, remote, by_owner,
			  REMOTE_BOT_NOT_AGAIN "you were withdrawn");
	} else if (strcmp(what, "remove") == 0) {
		take_out(server, remote,
			 REMOTE_BOT_NOT_AGAIN "you were removed");
	} else if (strcmp(what, "token") == 0 || strcmp(what, "replace") == 0 ||
		   strcmp(what, "revoke") == 0) {
		send_away(server, remote, by_owner,
			  REMOTE_BOT_NOT_AGAIN "your token has changed");
	}
}

void
server_remote_bot_limits(const struct config *config,
			 struct remote_bot_limits *remote,
			 struct link_limits *link)
{
	const struct config_limits *from = &config->limits;

	*remote = remote_bot_limits;
	*link = link_limits;
	link->out_bytes = from->queue_bytes;
	link->hello_ms = (unsigned)from->hello_ms;
	link->ping_ms = (unsigned)from->keep_alive_ms;
	link->lines_a_second = (unsigned)from->lines_second;
	remote->grace_ms = (unsigned)from->return_ms;
}

void
server_open_remote_bots(struct server *server)
{
	struct remote_bot_limits remote;
	struct link_limits link;

	server_remote_bot_limits(server->pages.config, &remote, &link);
	remote_bots_init(&server->remotes, &server->loop, &link, &remote,
			 &remote_bot_calls, server);
}
