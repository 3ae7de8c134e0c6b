/* tests/unit/test-remote-bot.c - bots from elsewhere: hello, games over a link,
 * the loss of a connection and the way back. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/remote/door.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/inn.h"
#include "tests/unit/parley.h"

static struct inn inn;
static struct client client;

static void
begin(void)
{
	inn_init(&inn);
}

static void
end(void)
{
	inn_finish(&inn, &client);
}

TestSuite(remote, .init = begin, .fini = end);

/* ---- hello ---------------------------------------------------------- */

Test(remote, says_who_it_is)
{
	client_init(&client, &inn);
	client_connect(&client, NULL);
	inn_passes(&inn, 3);
	cr_assert_eq(inn.came, 0);
	client_say(&client, "bot 1 knock entropy=yes multi=yes games=3 "
			    "token=secret colour=red\n");
	inn_passes(&inn, 3);
	cr_assert_eq(inn.came, 1);
	cr_assert_str_eq(inn.remote->name, "knock");
	cr_assert(inn.remote->here && inn.remote->entropy && inn.remote->multi);
	cr_assert_eq(inn.remote->games_max, 3);
	cr_assert_eq(inn.remote, remote_bots_find(&inn.remotes, "knock"));
	cr_assert_null(remote_bots_find(&inn.remotes, "knoc"));
	cr_assert_str_eq(client_other(&client), INN_GREETING);
	client_say(&client, "sit main night\nrest\nsit late\n");
	inn_passes(&inn, 3);
	cr_assert_eq(inn.sat, 2);
	cr_assert_eq(inn.resting, 1);
	cr_assert_str_eq(inn.sat_for, "late");
	client_say(&client, "quit\n");
	inn_passes(&inn, 4);
	cr_assert_eq(inn.quit, 1);
	cr_assert_eq(inn.left, 1);
	cr_assert(client.ended);
	cr_assert_str_eq(client_other(&client), INN_GREETING "bye\n");
}

/* There is one pair for each limit that differs from PROTOCOL.md, and no other. */
Test(remote, says_where_its_limits_are_others)
{
	client_init(&client, &inn);
	inn.remotes.limits.grace_ms = GRACE_MS - 1;
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 3);
	cr_assert_str_eq(client_other(&client),
			 "referee 1 referee-" PACKAGE_VERSION " grace=59999\n");
	client_release(&client);
	inn_passes(&inn, 3);
	client_init(&client, &inn);
	inn.remotes.limits.grace_ms = 0;
	inn.remotes.links.limits.hello_ms = 1;
	inn.remotes.links.limits.ping_ms = 3600000;
	inn.remotes.links.limits.lines_a_second = 1000000;
	inn.remotes.links.limits.out_bytes = 67108864;
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 3);
	cr_assert_str_eq(client_other(&client),
			 "referee 1 referee-" PACKAGE_VERSION
			 " hello=1 ping=3600000 lines=1000000 grace=0 "
			 "out=67108864\n");
}

Test(remote_alone, hello_that_is_none)
{
	static const struct {
		const char *said, *answer;
	} hellos[] = {
		{ "hello\n",
		  "error again=no the first line is: bot 1 NAME token=SECRET" },
		{ "\n",
		  "error again=no the first line is: bot 1 NAME token=SECRET" },
		{ "bot 1 knock\n",
		  "error again=no the first line is: bot 1 NAME token=SECRET" },
		{ "do 1 pass\n",
		  "error again=no the first line is: bot 1 NAME token=SECRET" },
		{ "\x16\x03\x01\n",
		  "error again=no the first line is: bot 1 NAME token=SECRET" },
		{ "bot 2 knock token=secret\n",
		  "error again=no bot needs the protocol's number, 1: bot 1 "
		  "NAME" },
		{ "bot 1 knock token=secret games=17\n",
		  "error again=no games comes once and is a number from 1 to "
		  "16: "
		  "games=N" },
		{ "bot 1 banned token=secret\n", "error banned may not come" },
	};
	const char *reason;
	char answer[200];
	size_t i;

	inn_init(&inn);
	for (i = 0; i < NELEM(hellos); i++) {
		client_init(&client, &inn);
		client_connect(&client, hellos[i].said);
		inn_passes(&inn, 5);
		snprintf(answer, sizeof(answer), "%s\nbye\n", hellos[i].answer);
		cr_assert_str_eq(client_other(&client), answer);
		cr_assert(client.ended);
		client_release(&client);
		cr_assert_eq(inn.refused, i + 1);
		reason = strstr(hellos[i].answer, "=no ");
		cr_assert_str_eq(strstr(inn.refusal, ": ") + 2,
				 reason == NULL ? hellos[i].answer + 6
						: reason + 4);
		cr_assert_eq(inn.refusal[0] - '0',
			     reason == NULL ? REFUSAL_BOT : REFUSAL_HELLO);
	}
	cr_assert_str_eq(inn.refusal, "3  banned: banned may not come");
	cr_assert_eq(inn.came, 0);
	inn_passes(&inn, 3);
	cr_assert_eq(inn.remotes.links.count, 0);
	inn_release(&inn);
}

Test(remote, a_wrong_token_is_answered_late)
{
	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=guess\nsit main\n");
	inn_passes(&inn, 5);
	inn_wait(&inn, WRONG_MS - 1);
	cr_assert_str_eq(client_other(&client), "");
	inn_wait(&inn, 1);
	cr_assert_str_eq(
		client_other(&client),
		"error again=no unknown bot name or wrong token\nbye\n");
	cr_assert_eq(inn.came, 0);
	cr_assert_eq(inn.sat, 0);
}

static void
on_in(void *arg, int fd, const struct tls *tls, struct visitor *visitor)
{
	remote_bots_arrive(arg, fd, tls, visitor);
}

static struct listener *listener; /* the door's */

static void
open_door(struct door *door)
{
	struct error why;

	listener = listener_open("127.0.0.1", "0", true, &why);
	cr_assert_not_null(listener, "%s", why.text);
	cr_assert_eq(door_listen(door, listener, NULL, &why), 0);
}

/* Makes a bare connection through the door. */
static int
knock(const char *hello)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	to.sin_port = htons((uint16_t)listener_port(listener));
	cr_assert_eq(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	net_write(fd, hello);
	inn_passes(&inn, 4);
	return fd;
}

/* Each further one from the same address waits longer. */
Test(remote_alone, through_the_door)
{
	struct door_limits limits = door_limits;
	struct text text = { .max = 1000 };
	struct door *door;
	unsigned i, ms;
	int fd;

	inn_init(&inn);
	limits.strangers = 1;
	door = door_new(&inn.loop, &limits, on_in, NULL, &inn.remotes);
	open_door(door);
	for (i = 0, ms = WRONG_MS; i < 3; i++, ms *= 2) {
		fd = knock("bot 1 knock token=guess\n");
		cr_assert_eq(door_count(door), 1);
		cr_assert_str_eq(inn.refusal, "2 127.0.0.1 knock: unknown bot "
					      "name or wrong token");
		inn_wait(&inn, ms - 1);
		cr_assert(net_read(fd, &text));
		cr_assert_eq(text.used, 0);
		inn_wait(&inn, 1);
		cr_assert_not(net_read(fd, &text));
		cr_assert_str_eq(
			text_string(&text),
			"error again=no unknown bot name or wrong token\n"
			"bye\n");
		text_clear(&text);
		close(fd);
		inn_passes(&inn, 3);
		cr_assert_eq(door_count(door), 0);
		cr_assert_eq(inn.refused, i + 1, "it is told once");
	}
	/* A silent connection also leaves a trace. */
	fd = knock("");
	inn_wait(&inn, HELLO_MS);
	cr_assert_eq(inn.refused, 4);
	cr_assert_str_eq(inn.refusal, "1 127.0.0.1 : no bot line came in time");
	close(fd);
	close(knock("bot 1 kno"));
	inn_passes(&inn, 4);
	cr_assert_eq(inn.refused, 5);
	cr_assert_str_eq(inn.refusal,
			 "1 127.0.0.1 : the connection was lost: the other "
			 "side closed it");
	/* A known bot is no stranger, and makes room for the next. */
	fd = knock(INN_HELLO);
	cr_assert_eq(inn.came, 1);
	cr_assert_eq(strncmp(inn.remote->from, "127.0.0.1:", 10), 0);
	close(knock("bot 1 other token=secret\n"));
	cr_assert_eq(inn.came, 2);
	inn_passes(&inn, 4);
	cr_assert_eq(door_count(door), 1);
	close(fd);
	text_release(&text);
	for (i = 0; i < 3; i++)
		inn_wait(&inn, BYE_MS);
	cr_assert_eq(door_count(door), 0);
	door_free(door);
	inn_release(&inn);
}

Test(remote_alone, a_newcomer_takes_the_place_of_a_stranger)
{
	static const char *const first[] = { "", "bot 1 kno",
					     "bot 1 knock token=guess\n" };
	struct door_limits limits = door_limits;
	struct text text = { .max = 1000 };
	struct door *door;
	int fd, late;
	unsigned i;

	inn_init(&inn);
	limits.strangers = 1;
	door = door_new(&inn.loop, &limits, on_in, NULL, &inn.remotes);
	open_door(door);
	for (i = 0; i < NELEM(first); i++) {
		fd = knock(first[i]);
		late = knock("bot 1 other token=secret\n");
		cr_assert_eq(inn.came, i + 1, "it is let in");
		cr_assert_not(net_read(fd, &text));
		cr_assert_str_eq(text_string(&text),
				 "error too many have not yet said who they "
				 "are\nbye\n");
		cr_assert_eq(inn.refused, i + 1);
		cr_assert_eq(door_count(door), 1);
		text_clear(&text);
		close(fd);
		close(late);
		inn_passes(&inn, 4);
		cr_assert_eq(door_count(door), 0);
		cr_assert_eq(inn.left, i + 1);
	}
	text_release(&text);
	door_free(door);
	inn_release(&inn);
}

Test(remote, is_sent_away)
{
	client_init(&client, &inn);
	client_connect(&client, INN_HELLO "sit nowhere\nsit main\n");
	inn_passes(&inn, 5);
	cr_assert_eq(inn.sat, 1);
	cr_assert_eq(inn.left, 1);
	cr_assert_str_eq(client_other(&client), INN_GREETING
			 "error there is no ladder nowhere\nbye\n");
}

/* ---- games ---------------------------------------------------------- */

Test(remote, a_game_over_a_link)
{
	const char *lines;

	client_come(&client, &inn);
	inn_play(&inn, 0, inn.remote);
	inn_until_over(&inn, 1);
	lines = text_string(&client.game[0].lines);
	cr_assert_eq(strncmp(lines, "game ", 5), 0);
	cr_assert_not_null(strstr(lines, "\nask 1 "));
	cr_assert_not_null(strstr(lines, "\nask 3 "));
	cr_assert_not_null(strstr(lines, "\nover "));
	cr_assert_null(strstr(lines, "bye"), "the connection outlives it");
	cr_assert_null(strstr(lines, "referee"));
	cr_assert_null(strstr(lines, "\nfault "));
	cr_assert_str_eq(client_other(&client), INN_GREETING);
	/* And the next one over the same link. */
	inn_play(&inn, 1, inn.remote);
	inn_until_over(&inn, 2);
	cr_assert_eq(client.games, 2);
	cr_assert(client.game[1].over);
	cr_assert_eq(inn.remote->games, 0);
}

Test(remote, several_games_at_a_time)
{
	unsigned t;

	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=4\n");
	inn_passes(&inn, 3);
	client.mute = true;
	for (t = 0; t < 4; t++)
		inn_play(&inn, t, inn.remote);
	inn_passes(&inn, 5);
	cr_assert_eq(client.games, 4);
	for (t = 0; t < 4; t++)
		cr_assert_neq(client.game[t].ask, 0);
	/* All four asks are answered in one write, with the first token. */
	client.mute = false;
	client_answer(&client);
	inn_until_over(&inn, 4);
	cr_assert_eq(inn.ended, 4);
	for (t = 0; t < 4; t++) {
		cr_assert(client.game[t].over);
		cr_assert_null(
			strstr(text_string(&client.game[t].lines), "\nfault "));
	}
}

/* Plays all games that there are, one after the other, over one connection. */
static void
plays_all_games(bool tls)
{
	struct tls_trust trust = { 0 };
	struct error why;
	struct net_kit kit;
	unsigned i, passes;

	net_kit_init(&kit);
	inn_init(&inn);
	trust.pin = kit.pin[0];
	inn.server =
		tls ? tls_server_new(kit.chain[0], kit.key[0], &why) : NULL;
	inn.client_tls = tls ? tls_client_new(&trust, &why) : NULL;
	client_init(&client, &inn);
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 5);
	for (i = 0; games[i] != NULL; i++) {
		game_setup_init(&inn.setup.game, games[i], games[i]->min_seats);
		inn_play(&inn, i, inn.remote);
		for (passes = 0; passes < 50000 && inn.over <= i; passes++)
			inn_pass(&inn);
		cr_assert_eq(inn.over, i + 1, "%s", games[i]->name);
		inn_passes(&inn, 5);
		cr_assert_null(strstr(text_string(&client.current->lines),
				      "\nfault "));
		cr_assert_not_null(strstr(text_string(&client.current->lines),
					  "\nresult 0 "));
	}
	cr_assert_eq(i, 5);
	cr_assert_str_eq(client_other(&client), INN_GREETING);
	client_release(&client);
	tls_free(inn.server);
	tls_free(inn.client_tls);
	net_kit_release(&kit);
	inn_release(&inn);
}

Test(remote_alone, plays_all_games)
{
	plays_all_games(false);
	plays_all_games(true);
}

/* Lines for unknown games disturb no game; lines that break the grammar are
 * charged to the games of the link. */
Test(remote, lines_find_their_game)
{
	char line[256], *id;
	unsigned g;

	inn.setup.faults = 9;
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 20, 0);
	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=2\n");
	inn_passes(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.remote);
	inn_play(&inn, 1, inn.remote);
	inn_passes(&inn, 5);
	cr_assert_eq(client.games, 2);
	client_say(&client, "@00000000000000000000000000000000 do 1 stay\n"
			    "@0 do 1 stay\n@\n@ do 1 stay\n"
			    "do 1 stay\nsay hello\npong 7\n"
			    "bot 1 knock token=secret\n");
	id = client.game[0].id;
	snprintf(line, sizeof(line), "@%s  do 1 stay\n@%s\n@%.20s do 1 stay\n",
		 "0123456789abcdef0123456789abcdef", id, id);
	client_say(&client, line);
	inn_passes(&inn, 5);
	for (g = 0; g < 2; g++)
		cr_assert_null(
			strstr(text_string(&client.game[g].lines), "\nfault "));
	/* One game's line breaks the grammar: its own fault. */
	snprintf(line, sizeof(line), "@%s dance\n", id);
	client_say(&client, line);
	inn_passes(&inn, 5);
	cr_assert_not_null(
		strstr(text_string(&client.game[0].lines), "fault 0 protocol"));
	cr_assert_null(strstr(text_string(&client.game[1].lines), "\nfault "));
	/* A wrong line without a game is charged to all games. */
	client_say(&client, "dance\n");
	inn_passes(&inn, 5);
	cr_assert_not_null(
		strstr(text_string(&client.game[1].lines), "fault 0 protocol"));
	client_say(&client, "\x01\n");
	inn_passes(&inn, 5);
	cr_assert_eq(inn.remote->games, 2);
	client.mute = false;
	client_answer(&client);
	inn_until_over(&inn, 2);
	cr_assert_eq(inn.lost, 0);
}

/* The line of a remote bot is quoted like that of a local bot, and its ID
 * selects the game; an empty line has one, too. */
Test(remote_alone, lines_with_other_bytes_find_their_game)
{
	static const char *const wrong[] = { "do\t1\tstay", "do 1 \xc3\xa4",
					     "" };
	static const char *const kept[] = {
		"fault 0 protocol ; said do%091%09stay\n",
		"fault 0 protocol ; said do%201%20%C3%A4\n",
		"fault 0 protocol\n",
	};
	char line[256];
	unsigned t;

	for (t = 0; t < NELEM(wrong); t++) {
		inn_init(&inn);
		inn.setup.faults = 9;
		parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 20, 0);
		client_init(&client, &inn);
		client_connect(&client, "bot 1 knock token=secret multi=yes "
					"games=2\n");
		inn_passes(&inn, 3);
		client.mute = true;
		inn_play(&inn, 0, inn.remote);
		inn_play(&inn, 1, inn.remote);
		inn_passes(&inn, 5);
		snprintf(line, sizeof(line), "@%s %s\n", client.game[0].id,
			 wrong[t]);
		client_say(&client, line);
		inn_passes(&inn, 5);
		cr_assert_not_null(strstr(text_string(&client.game[0].lines),
					  "\nfault 0 protocol\n"));
		cr_assert_null(
			strstr(text_string(&client.game[1].lines), "\nfault "));
		client.mute = false;
		client_answer(&client);
		inn_until_over(&inn, 2);
		cr_assert_not_null(strstr(text_string(&inn.record[0]), kept[t]),
				   "%s", text_string(&inn.record[0]));
		inn_finish(&inn, &client);
	}
}

/* A line of LINE_BOT_BYTES is not too long, with or without a prefix. */
Test(remote_alone, how_long_a_line_may_be)
{
	char line[LINE_BOT_BYTES + 64];
	int prefix, more, n;
	unsigned t = 0;

	for (prefix = 0; prefix < 2; prefix++)
		for (more = 0; more < 2; more++) {
			inn_init(&inn);
			client_come(&client, &inn);
			client.mute = true;
			inn_play(&inn, t, inn.remote);
			inn_passes(&inn, 4);
			n = prefix ? snprintf(line, sizeof(line), "@%s ",
					      client.game[0].id)
				   : 0;
			memset(line + n, 'a', sizeof(line) - (size_t)n);
			memcpy(line + n, "do 1 ", 5);
			snprintf(line + n + LINE_BOT_BYTES + more, 2, "\n");
			client_say(&client, line);
			inn_passes(&inn, 4);
			cr_assert_not_null(strstr(
				text_string(&client.game[0].lines),
				more ? "fault 0 protocol" : "fault 0 illegal"));
			client_release(&client);
			inn_release(&inn);
		}
}

Test(remote, retired_it_is_told_the_end_and_nothing_else)
{
	const char *lines, *end;
	char wanted[64];
	unsigned i;

	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 12, 0);
	client_come_and_sit_mute(&client, &inn);
	for (i = 0; i < 3; i++) {
		inn_passes(&inn, 6);
		client_say(&client, "nonsense\n");
	}
	inn_passes(&inn, 6);
	client_say(&client, "more nonsense\n");
	inn_until_over(&inn, 1);
	lines = text_string(&client.game[0].lines);
	end = strstr(lines, "\nretired\n");
	cr_assert_not_null(end);
	snprintf(wanted, sizeof(wanted), "\nretired\nover %s ",
		 client.game[0].id);
	cr_assert_eq(strncmp(end, wanted, strlen(wanted)), 0, "%s", end);
	cr_assert_eq(strchr(end + strlen(wanted), '\n')[1], '\0');
	cr_assert_str_eq(client_other(&client), INN_GREETING);
	cr_assert(inn.remote->here);
	cr_assert_eq(inn.remote->games, 0);
	client.mute = false;
	inn_play(&inn, 1, inn.remote);
	inn_until_over(&inn, 2);
	cr_assert(client.game[1].over);
}

/* ---- too much ------------------------------------------------------- */

Test(remote, a_flood_ends_its_games)
{
	static char block[32768];
	unsigned i;

	memset(block, 'x', sizeof(block) - 1);
	client_come_and_sit_mute(&client, &inn);
	inn_passes(&inn, 4);
	for (i = 0; i < 2000 && inn.left == 0; i++) {
		(void)!stream_write(client.stream, block, sizeof(block) - 1);
		inn_passes(&inn, 1);
	}
	cr_assert_eq(inn.left, 1);
	cr_assert_eq(inn.lost, 0, "there is no way back");
	inn_until_over(&inn, 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[0]), "fault 0 protocol"));
}

Test(remote, useless_lines_end_the_connection_not_the_games)
{
	unsigned i;

	client_come_and_sit_mute(&client, &inn);
	inn_passes(&inn, 4);
	for (i = 0; i < CHATTER_MAX + 1; i++) {
		client_say(&client, "@0 do 1 stay\n");
		if (i % 50 == 0)
			inn_passes(&inn, 2);
	}
	inn_passes(&inn, 5);
	cr_assert_eq(inn.lost, 1);
	cr_assert_not_null(strstr(client_other(&client),
				  "error too many useless lines\nbye\n"));
	client_cut(&client);
	client.mute = false;
	client_return(&client, "");
	inn_passes(&inn, 4);
	client_answer(&client);
	inn_until_over(&inn, 1);
	cr_assert_str_eq(text_string(&client.game[0].lines),
			 inn_undisturbed(0));
}

/* The bot is no longer heard in that game, but told its end; then it plays on. */
Test(remote, too_many_useless_lines_of_a_game_end_that)
{
	const char *told;
	unsigned i;

	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 12, 0);
	client_come_and_sit_mute(&client, &inn);
	inn_passes(&inn, 4);
	for (i = 0; i < CHATTER_MAX + 2; i++) {
		client_say(&client, "do 1 stay\n");
		if (i % 50 == 0)
			inn_passes(&inn, 3);
	}
	inn_until_over(&inn, 1);
	told = text_string(&client.game[0].lines);
	told = strstr(told, "\nfault 0 protocol\n");
	cr_assert_not_null(told);
	told = strstr(told, "\nretired\nover ");
	cr_assert_not_null(told);
	cr_assert_str_eq(client_other(&client), INN_GREETING);
	cr_assert_eq(inn.remote->games, 0);
	client.mute = false;
	inn_play(&inn, 1, inn.remote);
	inn_until_over(&inn, 2);
	cr_assert(client.game[1].over);
	cr_assert_null(strstr(text_string(&client.game[1].lines), "\nfault "));
}

/* All lines for a finished game are useless, and so is a `sit` that is too
 * long.  Only a bot that asks is told about that game. */
Test(remote, a_game_that_is_over)
{
	char line[LINE_BOT_BYTES + 10];
	struct client again;
	unsigned i;

	client_come(&client, &inn);
	inn_play(&inn, 0, inn.remote);
	inn_until_over(&inn, 1);
	memset(line, 'a', sizeof(line));
	memcpy(line, "sit a ", 6);
	for (i = 6; i < sizeof(line); i += 10)
		line[i] = ' ';
	line[6] = 'a';
	memcpy(line + sizeof(line) - 3, "a\n", 3);
	client_say(&client, line);
	inn_passes(&inn, 3);
	cr_assert_eq(inn.sat, 0);
	snprintf(line, sizeof(line), "@%s do 1 stay\n", client.game[0].id);
	for (i = 0; i < CHATTER_MAX - 1; i++) {
		client_say(&client, line);
		if (i % 50 == 0)
			inn_passes(&inn, 3);
	}
	inn_passes(&inn, 5);
	cr_assert_eq(inn.lost, 0);
	client_say(&client, line);
	inn_passes(&inn, 5);
	cr_assert_eq(inn.lost, 1);
	client_init(&again, &inn);
	client_connect(&again, INN_HELLO);
	inn_passes(&inn, 5);
	cr_assert_eq(inn.back, 1);
	cr_assert_eq(again.games, 0);
	cr_assert_str_eq(client_other(&again), INN_GREETING);
	client_release(&again);
}

/* ---- an answer that crosses the end of its game --------------------- */

/* Game 0 is called off while ask number `unanswered` waits; game 1 begins. */
static void
end_in_an_ask(unsigned unanswered)
{
	client_come_and_sit_mute(&client, &inn);
	for (;;) {
		inn_passes(&inn, 6);
		if (client.game[0].ask == unanswered)
			break;
		client_answer(&client);
	}
	table_abort(inn.table[0], ABORT_INTERRUPTED);
	inn_until_over(&inn, 1);
	inn_play(&inn, 1, inn.remote);
	inn_passes(&inn, 6);
	cr_assert_eq(client.game[1].ask, 1);
}

static bool
was_charged(void)
{
	return strstr(text_string(&client.game[1].lines), "\nfault 0 ") != NULL;
}

Test(remote, answers_to_its_last_game_are_no_fault_in_the_next)
{
	end_in_an_ask(3);
	client_say(&client, "do 3 stay\n");
	inn_passes(&inn, 6);
	cr_expect_not(was_charged());
	client_say(&client, "do 3 stay\ndo 4 stay\n");
	inn_passes(&inn, 6);
	cr_expect(was_charged(), "ask 4 was never made");
	client.mute = false;
	client_answer(&client);
	inn_until_over(&inn, 2);
}

/* An answer with a game's ID counts for that game. */
Test(remote, an_answer_with_its_game_is_of_that_game)
{
	char line[128];

	end_in_an_ask(1);
	client_say(&client, "do 1 nonsense\n");
	inn_passes(&inn, 6);
	cr_expect_not(was_charged());
	snprintf(line, sizeof(line), "@%s do 1 nonsense\n", client.game[1].id);
	client_say(&client, line);
	inn_passes(&inn, 6);
	cr_expect(was_charged());
	client.mute = false;
	client_answer(&client);
	inn_until_over(&inn, 2);
}
