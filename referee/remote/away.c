/* referee/remote/away.c - the connection of a bot that plays elsewhere:
 * dialling, hello, loss, return.  Its games are in away-game.c.
 *
 * enter() alone changes the state.  TCP itself notices that the other side has
 * silently gone: the referee asks us with `ping`, but we cannot ask it. */
#include "referee/remote/away-inside.h"

#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocol/message.h"
#include "referee/base/address.h"
#include "referee/base/command.h"
#include "referee/remote/connect.h"
#include "referee/spawner/spawner.h"

/* TCP's keep-alive probes: the first after a third of the time, then three. */
#define SILENCE_S (AWAY_SILENCE_MS / 1000)
#define QUESTIONS 3

/* No pings and no rates: the referee asks and counts, not we. */
static const struct link_limits limits = {
	.line_bytes = LINE_REFEREE_BYTES + LINK_PREFIX_BYTES,
	.out_bytes = OUT_BYTES,
	.lines_a_second = UINT_MAX,
	.lines_at_once = 1,
	.useless_max = 1,
	.bye_ms = BYE_MS,
	.no_bye = true,
};

static const int signals[2] = { SIGTERM, SIGINT };

static void lost(struct away *away, const char *why);
static connect_done on_connected;

/* ---- states ----------------------------------------------------------- */

static void
arm(struct away *away, unsigned ms)
{
	timer_after(&away->timer, ms * (uint64_t)1000);
}

static void
hang_up(struct away *away)
{
	if (away->connecting != NULL)
		connect_cancel(away->connecting);
	if (away->link != NULL)
		link_close(away->link, NULL);
	away->connecting = NULL;
	away->link = NULL;
}

static void
enter(struct away *away, enum away_state state)
{
	timer_stop(&away->timer);
	if (away->state == AWAY_IN)
		away->lost_us = clock_us();
	away->state = state;
	switch (state) {
	case AWAY_WAITING:
	case AWAY_DONE:
		hang_up(away);
		break;
	case AWAY_DIALING:
		away->connecting =
			connect_start(&away->loop, away->setup->host,
				      away->setup->port, on_connected, away);
		arm(away, AWAY_HELLO_MS);
		break;
	case AWAY_HELLO:
		arm(away, AWAY_HELLO_MS);
		break;
	case AWAY_IN:
		away->in_us = clock_us();
		break;
	}
}

/* ---- the end ---------------------------------------------------------- */

/* Ends as soon as all processes have left. */
void
away_finish(struct away *away, int code, unsigned grace_ms)
{
	struct away_game *game;

	if (away->code == EXIT_DONE)
		away->code = code;
	enter(away, AWAY_DONE);
	for (game = away->game; game != NULL; game = game->next)
		away_game_end(game, grace_ms);
	away_tidy(away);
}

/* Ends when the running games are over. */
void
away_quit(struct away *away, int code)
{
	if (away->code == EXIT_DONE)
		away->code = code;
	if (away->quitting)
		return;
	away->quitting = true;
	if (away->state == AWAY_IN)
		(void)!away_say(away, NULL, "quit", 4);
	else if (away_running(away) == 0)
		away_finish(away, code, BYE_MS);
}

/* ---- lines of the connection ------------------------------------------ */

bool
away_say(struct away *away, const char *id, const char *line, size_t n)
{
	struct link *link = away->link;

	if (link == NULL || link_collected(link) - link_written(link) +
					    LINK_PREFIX_BYTES + n + 1 >
				    OUT_BYTES)
		return false;
	link_line(link, id, line, n);
	link_flush(link);
	return true;
}

static void
say(struct away *away, struct text *line)
{
	(void)!away_say(away, NULL, line->bytes, line->used);
	sodium_memzero(line->bytes, line->used);
	text_release(line);
}

static void
say_hello(struct away *away)
{
	const struct away_setup *setup = away->setup;
	const struct away_game *game;
	const char *before = " resume=";
	unsigned named = 0;
	struct text line = { .max = LINE_BOT_BYTES };

	text_fmt(&line,
		 "bot " PROTOCOL_NUMBER
		 " %s token=%s multi=yes games=%u entropy=yes",
		 setup->name, setup->token, setup->jobs);
	for (game = away->game; game != NULL; game = game->next) {
		if (game->over || named++ == GAMES_AT_ONCE)
			continue;
		text_fmt(&line, "%s%s:%llu", before, game->id,
			 (unsigned long long)game->lines);
		before = ",";
	}
	say(away, &line);
}

static void
say_sit(struct away *away)
{
	struct text line = { .max = LINE_BOT_BYTES };

	text_str(&line, away->quitting ? "quit" : "sit");
	for (unsigned i = 0; i < away->setup->ladders && !away->quitting; i++)
		text_fmt(&line, " %s", away->setup->ladder[i]);
	say(away, &line);
}

/* Returns how long its games wait for us, which a pair of the greeting says. */
static unsigned
grace_of(const char *greeting)
{
	static const char key[] = " grace=";
	const char *at = strstr(greeting, key);
	uint64_t ms;

	if (at == NULL)
		return GRACE_MS;
	at += sizeof(key) - 1;
	return message_number(at, strcspn(at, " "), UINT32_MAX, &ms) == 0
		       ? (unsigned)ms
		       : GRACE_MS;
}

static void
on_greeting(struct away *away, const char *line)
{
	struct away_game *game;

	away->grace_ms = grace_of(line);
	snprintf(away->greeting, sizeof(away->greeting), "%s", line);
	away->told[0] = '\0';
	away->awaited = 0;
	note("connected to %s port %s as %s", away->setup->host,
	     away->setup->port, away->setup->name);
	enter(away, AWAY_IN);
	say_sit(away);
	for (game = away->game; game != NULL; game = game->next)
		away_game_say(game);
}

static bool
has_begun_well(const struct away *away)
{
	return away->proved ||
	       (away->state == AWAY_IN &&
		clock_us() - away->in_us > AWAY_PROVED_MS * (uint64_t)1000);
}

/* Returns the sentence behind the pairs that may precede it.  Sets `*again` to
 * false if a pair says that coming again is useless. */
static const char *
sentence_of(const char *text, bool *again)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
	size_t word, key;

	for (;; text += word + (text[word] == ' ')) {
		word = strcspn(text, " ");
		key = strspn(text, letters);
		if (key == 0 || text[key] != '=' || word < key + 2)
			return text;
		if (word == 8 && memcmp(text, "again=no", word) == 0)
			*again = false;
	}
}

static void
on_error(struct away *away, const char *text)
{
	char why[AWAY_TROUBLE_BYTES];
	bool again = true;

	snprintf(why, sizeof(why), "the referee says: %.500s",
		 sentence_of(text, &again));
	if (again)
		lost(away, why);
	else
		away_finish(away, complain_usage("%s", why), BYE_MS);
}

static void
on_bye(struct away *away)
{
	if (away->quitting && away_running(away) == 0)
		away_finish(away, away->code, BYE_MS);
	else
		lost(away, "the referee has said bye");
}

static void
on_ping(struct away *away, const char *text)
{
	struct text line = { .max = LINE_BOT_BYTES };

	text_fmt(&line, "pong %s", text);
	say(away, &line);
}

static void
on_line(struct link *link UNUSED, void *arg, enum line_result result,
	char *line, size_t n, uint64_t now_us UNUSED)
{
	static const char greeting[] = "referee " PROTOCOL_NUMBER " ";
	struct away *away = arg;

	if (result != LINE_OK)
		lost(away, "what came in was no line");
	else if (strncmp(line, "error ", 6) == 0)
		on_error(away, line + 6);
	else if (strcmp(line, "bye") == 0)
		on_bye(away);
	else if (away->state == AWAY_HELLO &&
		 strncmp(line, greeting, strlen(greeting)) == 0)
		on_greeting(away, line);
	else if (away->state == AWAY_HELLO)
		away_finish(away,
			    complain_usage("%s port %s is no referee with "
					   "protocol " PROTOCOL_NUMBER
					   ": it says %s",
					   away->setup->host, away->setup->port,
					   quoted(line).text),
			    BYE_MS);
	else if (line[0] == '@')
		away_on_game_line(away, line, n);
	else if (strncmp(line, "ping ", 5) == 0)
		on_ping(away, line + 5);
	else if (strncmp(line, "awaits ", 7) == 0)
		away_on_awaits(away, line + 7, n - 7);
	else if (strncmp(line, "gone ", 5) == 0)
		away_on_gone(away, line + 5, n - 5);
}

/* ---- lost, and back --------------------------------------------------- */

/* Returns true if coming back is useless. */
static bool
is_useless(const struct away *away)
{
	return away->quitting &&
	       (away_running(away) == 0 ||
		clock_us() - away->lost_us > away->grace_ms * (uint64_t)1000);
}

static void
wait_and_dial(struct away *away)
{
	unsigned half = away->wait_ms / 2;
	unsigned ms = half + randombytes_uniform(half + 1);

	away->wait_ms *= 2;
	if (away->wait_ms > AWAY_WAIT_MS_MAX)
		away->wait_ms = AWAY_WAIT_MS_MAX;
	enter(away, AWAY_WAITING);
	arm(away, ms);
}

/* Handles a lost connection.  The same trouble in a row is printed once. */
static void
lost(struct away *away, const char *why)
{
	unsigned left = away_running(away);

	away->proved = has_begun_well(away);
	wait_and_dial(away);
	if (is_useless(away)) {
		if (left > 0)
			note("%s; games are left behind: %u", why, left);
		away_finish(away, left > 0 ? EXIT_NEGATIVE : away->code,
			    BYE_MS);
		return;
	}
	if (strcmp(why, away->told) != 0)
		note("%s; trying again", why);
	snprintf(away->told, sizeof(away->told), "%s", why);
}

static void
on_gone(struct link *link, void *arg, bool flooded UNUSED, const char *why)
{
	struct away *away = arg;
	bool open = link_is_open(link);

	away->link = NULL;
	if (open || away->proved)
		lost(away, why);
	else
		away_finish(away,
			    complain_usage(
				    "no TLS with %s port %s: %s; %s",
				    away->setup->host, away->setup->port, why,
				    strncmp(why, "certificate", 11) == 0
					    ? "--ca FILE or --fingerprint "
					      "HEX says which certificate "
					      "is right"
					    : "if it listens without TLS, "
					      "leave out --tls, --ca and "
					      "--fingerprint"),
			    BYE_MS);
}

/* ---- dialling --------------------------------------------------------- */

static bool
is_local(int fd)
{
	struct sockaddr_storage peer;
	socklen_t n = sizeof(peer);

	return getpeername(fd, (struct sockaddr *)&peer, &n) == 0 &&
	       address_is_local((const struct sockaddr *)&peer);
}

static void
watch_silence(int fd)
{
	const unsigned silence_ms = AWAY_SILENCE_MS;
	const int on = 1, idle_s = SILENCE_S / 3, count = QUESTIONS;
	const int each_s = (SILENCE_S - SILENCE_S / 3) / QUESTIONS;

	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof(idle_s));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &each_s, sizeof(each_s));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence_ms,
		   sizeof(silence_ms));
}

static const struct link_calls link_calls = {
	.line = on_line,
	.gone = on_gone,
};

static void
on_connected(void *arg, int fd, const char *why)
{
	struct away *away = arg;
	const struct away_setup *setup = away->setup;

	away->connecting = NULL;
	if (fd < 0) {
		lost(away, why);
		return;
	}
	if (setup->tls == NULL && !setup->plain && !is_local(fd)) {
		close(fd);
		away_finish(
			away,
			complain_usage("%s is another machine, and others "
				       "could read the token on the way: give "
				       "--tls, or --plain to accept that",
				       setup->host),
			BYE_MS);
		return;
	}
	watch_silence(fd);
	away->link = link_new(&away->links, fd, setup->tls, setup->host, NULL);
	if (away->link == NULL) {
		lost(away, "TLS cannot begin");
		return;
	}
	link_listen(away->link, &link_calls, away);
	link_welcome(away->link);
	say_hello(away); /* sent after the TLS handshake */
	enter(away, AWAY_HELLO);
}

static void
on_timer(void *arg)
{
	struct away *away = arg;

	if (away->state == AWAY_WAITING)
		enter(away, AWAY_DIALING);
	else
		lost(away, "the referee does not greet");
}

/* ---- life ------------------------------------------------------------- */

static void
on_signal(evutil_socket_t number, short what UNUSED, void *arg)
{
	struct away *away = arg;

	if (away->quitting) {
		away->caught = number;
		away_finish(away, EXIT_DONE, 0);
		return;
	}
	if (away_running(away) > 0)
		note("leaving when the games that run are over (%u); a second "
		     "signal ends them at once",
		     away_running(away));
	away_quit(away, EXIT_DONE);
}

static void
on_spawner(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct away *away = arg;

	if (spawner_dispatch(away->setup->spawner) == 0)
		return;
	event_del(away->spawner_event);
	away_finish(
		away,
		complain_machine("the process that starts the bots has died"),
		0);
}

static void
open_events(struct away *away)
{
	struct event_base *base = away->loop.base;

	timer_init(&away->timer, &away->loop.timers, on_timer, away);
	away->spawner_event = loop_reads(base, spawner_fd(away->setup->spawner),
					 on_spawner, away);
	loop_signals(base, away->signal_event, signals, NELEM(signals),
		     on_signal, away);
}

static void
release(struct away *away)
{
	hang_up(away);
	links_release(&away->links);
	timer_stop(&away->timer);
	event_free(away->spawner_event);
	for (unsigned i = 0; i < NELEM(signals); i++)
		event_free(away->signal_event[i]);
	loop_release(&away->loop);
}

int
away_run(const struct away_setup *setup, int *caught)
{
	struct away away = { .setup = setup, .wait_ms = AWAY_WAIT_MS };

	if (loop_init(&away.loop) < 0)
		return complain_machine("cannot make an event loop: %m");
	links_init(&away.links, &away.loop, &limits);
	open_events(&away);
	enter(&away, AWAY_DIALING);
	loop_run(&away.loop);
	release(&away);
	*caught = away.caught;
	return away.code;
}
