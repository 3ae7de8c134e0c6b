/* tests/unit/test-guest.c - bots from elsewhere: hello, games over a link, the
 * loss of a connection and the way back. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/door.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/inn.h"
#include "tests/unit/leaks.h"
#include "tests/unit/parley.h"

#define HELLO "bot 1 knock token=secret\n"
#define GREETING "referee 1 referee-0.1.0\n"

static void
pass(struct inn *inn, unsigned n)
{
	while (n-- > 0)
		inn_pass(inn);
}

static void
pass_until(struct inn *inn, const unsigned *count)
{
	unsigned i;

	for (i = 0; i < 200 && *count == 0; i++)
		inn_pass(inn);
	cr_assert_neq(*count, 0);
}

static void
pass_until_over(struct inn *inn, unsigned over)
{
	unsigned i;

	for (i = 0; i < 2000 && inn->over < over; i++)
		inn_pass(inn);
	cr_assert_eq(inn->over, over);
	pass(inn, 5);
}

static void
finish(struct inn *inn, struct client *client)
{
	client_release(client);
	inn_release(inn);
	NO_LEAKS();
}

/* ---- hello
 * ---------------------------------------------------------------------- */

Test(guest, says_who_it_is)
{
	struct client client;
	struct inn inn;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, NULL);
	pass(&inn, 3);
	cr_assert_eq(inn.came, 0);
	client_say(&client, "bot 1 knock entropy=yes multi=yes games=3 "
			    "token=secret colour=red\n");
	pass(&inn, 3);
	cr_assert_eq(inn.came, 1);
	cr_assert_str_eq(inn.guest->name, "knock");
	cr_assert(inn.guest->here && inn.guest->entropy && inn.guest->multi);
	cr_assert_eq(inn.guest->games_max, 3);
	cr_assert_eq(inn.guest, guests_find(&inn.guests, "knock"));
	cr_assert_null(guests_find(&inn.guests, "knoc"));
	cr_assert_str_eq(client_other(&client), GREETING);
	client_say(&client, "sit main night\nrest\nsit late\n");
	pass(&inn, 3);
	cr_assert_eq(inn.sat, 2);
	cr_assert_eq(inn.resting, 1);
	cr_assert_str_eq(inn.sat_for, "late");
	client_say(&client, "quit\n");
	pass(&inn, 4);
	cr_assert_eq(inn.quit, 1);
	cr_assert_eq(inn.left, 1);
	cr_assert(client.ended);
	cr_assert_str_eq(client_other(&client), GREETING "bye\n");
	finish(&inn, &client);
}

Test(guest, hello_that_is_none)
{
	static const struct {
		const char *said, *answer;
	} hellos[] = {
		{ "hello\n",
		  "error the first line is: bot 1 NAME token=SECRET" },
		{ "\n", "error the first line is: bot 1 NAME token=SECRET" },
		{ "bot 1 knock\n",
		  "error the first line is: bot 1 NAME token=SECRET" },
		{ "do 1 pass\n",
		  "error the first line is: bot 1 NAME token=SECRET" },
		{ "\x16\x03\x01\n",
		  "error the first line is: bot 1 NAME token=SECRET" },
		{ "bot 2 knock token=secret\n",
		  "error bot needs the protocol's number, 1: bot 1 NAME" },
		{ "bot 1 knock token=secret games=17\n",
		  "error games stands once and is a number from 1 to 16: "
		  "games=N" },
		{ "bot 1 banned token=secret\n", "error banned may not come" },
	};
	struct client client;
	struct inn inn;
	char answer[200];
	size_t i;

	inn_init(&inn);
	for (i = 0; i < NELEM(hellos); i++) {
		client_init(&client, &inn);
		client_connect(&client, hellos[i].said);
		pass(&inn, 5);
		snprintf(answer, sizeof(answer), "%s\nbye\n", hellos[i].answer);
		cr_assert_str_eq(client_other(&client), answer);
		cr_assert(client.ended);
		client_release(&client);
	}
	cr_assert_eq(inn.came, 0);
	pass(&inn, 3);
	cr_assert_eq(inn.guests.links.count, 0);
	inn_release(&inn);
	NO_LEAKS();
}

Test(guest, a_wrong_token_is_answered_late)
{
	struct client client;
	struct inn inn;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=guess\nsit main\n");
	pass(&inn, 5);
	inn_wait(&inn, WRONG_MS - 1);
	cr_assert_str_eq(client_other(&client), "");
	inn_wait(&inn, 1);
	cr_assert_str_eq(client_other(&client),
			 "error this is no bot's name and token\nbye\n");
	cr_assert_eq(inn.came, 0);
	cr_assert_eq(inn.sat, 0);
	finish(&inn, &client);
}

static void
on_in(void *arg, int fd, const struct tls *tls, struct visitor *visitor)
{
	guests_arrive(arg, fd, tls, visitor);
}

/* A bare connection through the door. */
static int
knock(struct inn *inn, struct door *door, const char *hello)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	to.sin_port = htons((uint16_t)door_port(door, 0));
	cr_assert_eq(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	net_write(fd, hello);
	pass(inn, 4);
	return fd;
}

/* Each further one from the same address waits longer. */
Test(guest, through_the_door)
{
	struct door_limits limits = door_limits;
	struct text text = { .max = 1000 };
	char why[DOOR_WHY_BYTES];
	struct door *door;
	struct inn inn;
	unsigned i, ms;
	int fd;

	inn_init(&inn);
	limits.strangers = 1;
	door = door_new(&inn.loop, &limits, on_in, &inn.guests);
	cr_assert_eq(door_listen(door, "127.0.0.1", "0", NULL, why), 0);
	for (i = 0, ms = WRONG_MS; i < 3; i++, ms *= 2) {
		fd = knock(&inn, door, "bot 1 knock token=guess\n");
		cr_assert_eq(door_count(door), 1);
		inn_wait(&inn, ms - 1);
		cr_assert(net_read(fd, &text));
		cr_assert_eq(text.used, 0);
		inn_wait(&inn, 1);
		cr_assert_not(net_read(fd, &text));
		cr_assert_str_eq(text_string(&text),
				 "error this is no bot's name and token\n"
				 "bye\n");
		text_clear(&text);
		close(fd);
		pass(&inn, 3);
		cr_assert_eq(door_count(door), 0);
	}
	/* Who is known is no stranger, and makes room for the next. */
	fd = knock(&inn, door, HELLO);
	cr_assert_eq(inn.came, 1);
	cr_assert_eq(strncmp(inn.guest->from, "127.0.0.1:", 10), 0);
	close(knock(&inn, door, "bot 1 other token=secret\n"));
	cr_assert_eq(inn.came, 2);
	pass(&inn, 4);
	cr_assert_eq(door_count(door), 1);
	close(fd);
	text_release(&text);
	for (i = 0; i < 3; i++)
		inn_wait(&inn, BYE_MS);
	cr_assert_eq(door_count(door), 0);
	door_free(door);
	inn_release(&inn);
	NO_LEAKS();
}

Test(guest, is_sent_away)
{
	struct client client;
	struct inn inn;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, HELLO "sit nowhere\nsit main\n");
	pass(&inn, 5);
	cr_assert_eq(inn.sat, 1);
	cr_assert_eq(inn.left, 1);
	cr_assert_str_eq(client_other(&client),
			 GREETING "error there is no ladder nowhere\nbye\n");
	finish(&inn, &client);
}

/* ---- games
 * ------------------------------------------------------------------------ */

/* What `game` must be, played without any trouble. */
static const char *
undisturbed(unsigned t)
{
	static struct text lines[INN_TABLES];
	struct client client;
	struct inn inn;

	if (lines[t].used > 0)
		return text_string(&lines[t]);
	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	inn_play(&inn, t, inn.guest);
	pass_until_over(&inn, 1);
	cr_assert_eq(client.games, 1);
	cr_assert(client.game[0].over);
	cr_assert_eq(inn.ended, 1);
	text_init(&lines[t], RECORD_BYTES);
	text_add(&lines[t], client.game[0].lines.bytes,
		 client.game[0].lines.used);
	cr_assert_null(strstr(text_string(&lines[t]), "\nfault "));
	client_release(&client);
	inn_release(&inn);
	return text_string(&lines[t]);
}

Test(guest, a_game_over_a_link)
{
	struct client client;
	struct inn inn;
	const char *lines;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	inn_play(&inn, 0, inn.guest);
	pass_until_over(&inn, 1);
	lines = text_string(&client.game[0].lines);
	cr_assert_eq(strncmp(lines, "game ", 5), 0);
	cr_assert_not_null(strstr(lines, "\nask 1 "));
	cr_assert_not_null(strstr(lines, "\nask 3 "));
	cr_assert_not_null(strstr(lines, "\nover "));
	cr_assert_null(strstr(lines, "bye"), "the connection outlives it");
	cr_assert_null(strstr(lines, "referee"));
	cr_assert_null(strstr(lines, "\nfault "));
	cr_assert_str_eq(client_other(&client), GREETING);
	/* And the next one over the same link. */
	inn_play(&inn, 1, inn.guest);
	pass_until_over(&inn, 2);
	cr_assert_eq(client.games, 2);
	cr_assert(client.game[1].over);
	cr_assert_eq(inn.guest->games, 0);
	finish(&inn, &client);
}

Test(guest, several_games_at_a_time)
{
	struct client client;
	struct inn inn;
	unsigned t;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=4\n");
	pass(&inn, 3);
	client.mute = true;
	for (t = 0; t < 4; t++)
		inn_play(&inn, t, inn.guest);
	pass(&inn, 5);
	cr_assert_eq(client.games, 4);
	for (t = 0; t < 4; t++)
		cr_assert_neq(client.game[t].ask, 0);
	/* In one write: the first pass of all four asks. */
	client.mute = false;
	client_answer(&client);
	pass_until_over(&inn, 4);
	cr_assert_eq(inn.ended, 4);
	for (t = 0; t < 4; t++) {
		cr_assert(client.game[t].over);
		cr_assert_null(
			strstr(text_string(&client.game[t].lines), "\nfault "));
	}
	finish(&inn, &client);
}

/* All games that there are, one after the other, over one connection. */
static void
plays_all_games(bool tls)
{
	struct tls_trust trust = { 0 };
	char why[TLS_WHY_BYTES];
	struct client client;
	struct net_kit kit;
	struct inn inn;
	unsigned i, passes;

	net_kit_init(&kit);
	inn_init(&inn);
	trust.pin = kit.pin[0];
	inn.server = tls ? tls_server_new(kit.chain[0], kit.key[0], why) : NULL;
	inn.client_tls = tls ? tls_client_new(&trust, why) : NULL;
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 5);
	for (i = 0; games[i] != NULL; i++) {
		game_setup_init(&inn.setup.game, games[i], games[i]->min_seats);
		inn_play(&inn, i, inn.guest);
		for (passes = 0; passes < 50000 && inn.over <= i; passes++)
			inn_pass(&inn);
		cr_assert_eq(inn.over, i + 1, "%s", games[i]->name);
		pass(&inn, 5);
		cr_assert_null(strstr(text_string(&client.current->lines),
				      "\nfault "));
		cr_assert_not_null(strstr(text_string(&client.current->lines),
					  "\nresult 0 "));
	}
	cr_assert_eq(i, 5);
	cr_assert_str_eq(client_other(&client), GREETING);
	client_release(&client);
	tls_free(inn.server);
	tls_free(inn.client_tls);
	net_kit_release(&kit);
	inn_release(&inn);
	NO_LEAKS();
}

Test(guest, plays_all_games)
{
	plays_all_games(false);
	plays_all_games(true);
}

/* Lines for no game disturb nobody; lines that break the grammar are told to
 * the games of the link. */
Test(guest, lines_find_their_game)
{
	struct client client;
	struct inn inn;
	char line[256], *id;
	unsigned g;

	inn_init(&inn);
	inn.setup.faults = 9;
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 20, 0);
	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=2\n");
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	inn_play(&inn, 1, inn.guest);
	pass(&inn, 5);
	cr_assert_eq(client.games, 2);
	client_say(&client, "@00000000000000000000000000000000 do 1 stay\n"
			    "@0 do 1 stay\n@\n@ do 1 stay\n"
			    "do 1 stay\nsay hello\npong 7\n"
			    "bot 1 knock token=secret\n");
	id = client.game[0].id;
	snprintf(line, sizeof(line), "@%s  do 1 stay\n@%s\n@%.20s do 1 stay\n",
		 "0123456789abcdef0123456789abcdef", id, id);
	client_say(&client, line);
	pass(&inn, 5);
	for (g = 0; g < 2; g++)
		cr_assert_null(
			strstr(text_string(&client.game[g].lines), "\nfault "));
	/* One game's line breaks the grammar: its own fault. */
	snprintf(line, sizeof(line), "@%s dance\n", id);
	client_say(&client, line);
	pass(&inn, 5);
	cr_assert_not_null(
		strstr(text_string(&client.game[0].lines), "fault 0 protocol"));
	cr_assert_null(strstr(text_string(&client.game[1].lines), "\nfault "));
	/* Nobody's line does: that of all games. */
	client_say(&client, "dance\n");
	pass(&inn, 5);
	cr_assert_not_null(
		strstr(text_string(&client.game[1].lines), "fault 0 protocol"));
	client_say(&client, "\x01\n");
	pass(&inn, 5);
	cr_assert_eq(inn.guest->games, 2);
	client.mute = false;
	client_answer(&client);
	pass_until_over(&inn, 2);
	cr_assert_eq(inn.lost, 0);
	finish(&inn, &client);
}

/* A line of LINE_BOT_BYTES is none too long, with or without a prefix. */
Test(guest, how_long_a_line_may_be)
{
	char line[LINE_BOT_BYTES + 64];
	struct client client;
	struct inn inn;
	int prefix, more, n;
	unsigned t = 0;

	for (prefix = 0; prefix < 2; prefix++)
		for (more = 0; more < 2; more++) {
			inn_init(&inn);
			client_init(&client, &inn);
			client_connect(&client, HELLO);
			pass(&inn, 3);
			client.mute = true;
			inn_play(&inn, t, inn.guest);
			pass(&inn, 4);
			n = prefix ? snprintf(line, sizeof(line), "@%s ",
					      client.game[0].id)
				   : 0;
			memset(line + n, 'a', sizeof(line) - (size_t)n);
			memcpy(line + n, "do 1 ", 5);
			snprintf(line + n + LINE_BOT_BYTES + more, 2, "\n");
			client_say(&client, line);
			pass(&inn, 4);
			cr_assert_not_null(strstr(
				text_string(&client.game[0].lines),
				more ? "fault 0 protocol" : "fault 0 illegal"));
			client_release(&client);
			inn_release(&inn);
		}
	NO_LEAKS();
}

Test(guest, retired_its_connection_stays)
{
	struct client client;
	struct inn inn;
	const char *lines;
	unsigned i;

	inn_init(&inn);
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 12, 0);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	for (i = 0; i < 3; i++) {
		pass(&inn, 6);
		client_say(&client, "nonsense\n");
	}
	pass_until_over(&inn, 1);
	lines = text_string(&client.game[0].lines);
	cr_assert_not_null(strstr(lines, "\nretired\n"));
	cr_assert_null(strstr(lines, "bye"));
	cr_assert_null(strstr(lines, "over "), "it is not told any more");
	cr_assert_str_eq(client_other(&client), GREETING);
	cr_assert(inn.guest->here);
	cr_assert_eq(inn.guest->games, 0);
	client.mute = false;
	inn_play(&inn, 1, inn.guest);
	pass_until_over(&inn, 2);
	cr_assert(client.game[1].over);
	finish(&inn, &client);
}

/* ---- the clock
 * ---------------------------------------------------------------------- */

/* Nothing more goes into the connection: the other end does not read. */
static void
fill(struct inn *inn, struct client *client)
{
	static const char line[] =
		"ping 12345678901234567890123456789012345678901234567890";
	unsigned i;

	client->deaf = true;
	while (link_written(inn->guest->link) ==
	       link_collected(inn->guest->link)) {
		for (i = 0; i < 100; i++)
			link_line(inn->guest->link, line, sizeof(line) - 1);
		link_flush(inn->guest->link);
		pass(inn, 1);
	}
}

static void
begin_a_game(struct inn *inn, struct client *client, bool full)
{
	inn_init(inn);
	parley_setup(&inn->setup.game, 2, PARLEY_SINGLE, 2, 0);
	client_init(client, inn);
	client_connect(client, HELLO);
	pass(inn, 3);
	inn->guest->asked = true; /* no time to start */
	client->mute = true;
	if (full)
		fill(inn, client);
	inn_play(inn, 0, inn->guest);
	pass(inn, 3);
}

/* It has `ms` from now on. */
static void
times_out_after(struct inn *inn, unsigned ms)
{
	unsigned over = inn->over;

	inn_wait(inn, ms);
	cr_assert_eq(inn->over, over, "exactly then is in time");
	inn_wait(inn, 1);
	pass_until_over(inn, over + 1);
	cr_assert_not_null(
		strstr(text_string(&inn->record[0]), "\nfault 0 timeout"));
}

Test(guest, the_clock_of_an_ask)
{
	struct client client;
	struct inn inn;

	begin_a_game(&inn, &client, false);
	times_out_after(&inn, 1000);
	finish(&inn, &client);
}

/* It does not read: the clock runs WRITE_MS later, not from the ask. */
Test(guest, the_clock_of_one_who_does_not_read)
{
	struct client client;
	struct inn inn;

	begin_a_game(&inn, &client, true);
	times_out_after(&inn, 1000 + WRITE_MS);
	finish(&inn, &client);
}

/* It reads late, but sooner than that: the clock runs from there. */
Test(guest, the_clock_of_one_who_reads_late)
{
	struct client client;
	struct inn inn;

	begin_a_game(&inn, &client, true);
	inn_wait(&inn, 50);
	client.deaf = false;
	stream_pause(client.stream, false);
	pass(&inn, 300);
	cr_assert_eq(client.games, 1);
	times_out_after(&inn, 1000);
	finish(&inn, &client);
}

/* Lost before the ask has left: the clock runs from the loss. */
Test(guest, the_clock_of_one_who_is_lost_before_it_reads)
{
	struct client client;
	struct inn inn;

	begin_a_game(&inn, &client, true);
	inn_wait(&inn, 50);
	client_cut(&client);
	pass(&inn, 3);
	cr_assert_eq(inn.lost, 1);
	times_out_after(&inn, 1000);
	finish(&inn, &client);
}

/* The same, when another connection takes over: it is told the ask at once. */
Test(guest, the_clock_of_one_who_takes_over)
{
	struct client client, other;
	struct inn inn;

	begin_a_game(&inn, &client, true);
	inn_wait(&inn, 50);
	client_init(&other, &inn);
	other.mute = true;
	client_connect(&other, HELLO);
	pass(&inn, 3);
	cr_assert_eq(inn.back, 1);
	times_out_after(&inn, 1000);
	cr_assert_eq(other.games, 1);
	client_release(&other);
	finish(&inn, &client);
}

/* START_MS comes on top once for a guest, not for each game. */
Test(guest, the_clock_of_its_first_ask)
{
	struct client client;
	struct inn inn;

	inn_init(&inn);
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 2, 0);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	pass(&inn, 3);
	times_out_after(&inn, 1000 + START_MS);
	inn_play(&inn, 1, inn.guest);
	pass(&inn, 3);
	inn_wait(&inn, 1001);
	pass_until_over(&inn, 2);
	finish(&inn, &client);
}

/* Lost, an ask counts as handed over: its clock runs. */
Test(guest, the_clock_of_one_who_is_lost)
{
	struct client client;
	struct inn inn;

	inn_init(&inn);
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 2, 0);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	inn.guest->asked = true;
	client_cut(&client);
	inn_play(&inn, 0, inn.guest); /* not yet seen to be lost */
	pass(&inn, 3);
	cr_assert_eq(inn.lost, 1);
	inn_wait(&inn, 1000);
	cr_assert_eq(inn.over, 0);
	inn_wait(&inn, 1);
	pass_until_over(&inn, 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[0]), "fault 0 timeout"));
	cr_assert_eq(inn.left, 0, "it may still come back to read the end");
	inn_wait(&inn, GRACE_MS);
	cr_assert_eq(inn.left, 1);
	finish(&inn, &client);
}

/* ---- lost, and back
 * ------------------------------------------------------------------- */

static void
reads_every_line_once(bool tls, unsigned step)
{
	char *wanted = strdup(undisturbed(0));
	size_t n = strlen(wanted) + strlen(GREETING), at;
	struct net_kit kit;
	struct tls_trust trust = { 0 };
	struct tls *server = NULL, *client_tls = NULL;
	char why[TLS_WHY_BYTES];
	struct client client;
	struct inn inn;

	net_kit_init(&kit);
	if (tls) {
		trust.pin = kit.pin[0];
		server = tls_server_new(kit.chain[0], kit.key[0], why);
		client_tls = tls_client_new(&trust, why);
	}
	for (at = 0; at <= n; at += step) {
		inn_init(&inn);
		inn.server = server;
		inn.client_tls = client_tls;
		client_init(&client, &inn);
		client_connect(&client, HELLO);
		client.most = at;
		pass_until(&inn, &inn.came);
		inn_play(&inn, 0, inn.guest);
		pass(&inn, 40);
		cr_assert_eq(client.bytes, at);
		client_cut(&client);
		pass(&inn, 3);
		cr_assert_eq(inn.lost, 1);
		client.most = SIZE_MAX;
		client_return(&client, "");
		pass_until(&inn, &inn.back);
		client_answer(&client); /* what may have been lost */
		if (inn.over == 0)
			pass_until_over(&inn, 1);
		pass(&inn, 10);
		cr_assert_eq(client.games, 1);
		cr_assert_str_eq(text_string(&client.game[0].lines), wanted,
				 "cut at byte %zu", at);
		cr_assert_eq(inn.came, 1);
		cr_assert_eq(inn.back, 1);
		cr_assert_null(strstr(client_other(&client), "gone"));
		client_release(&client);
		inn_release(&inn);
	}
	tls_free(server);
	tls_free(client_tls);
	net_kit_release(&kit);
	free(wanted);
	NO_LEAKS();
}

Test(guest, cut_at_each_byte_it_reads_every_line_once)
{
	reads_every_line_once(false, 1);
}

Test(guest, cut_over_tls_it_reads_every_line_once)
{
	reads_every_line_once(true, 97);
}

/* What it says is cut at each byte, too: half a line is none. */
Test(guest, half_an_answer_is_none)
{
	static const char answer[] = "do 1 stay\n";
	char part[sizeof(answer)];
	struct client client;
	struct inn inn;
	size_t at;

	for (at = 0; at < sizeof(answer); at++) {
		inn_init(&inn);
		client_init(&client, &inn);
		client_connect(&client, HELLO);
		pass(&inn, 3);
		client.mute = true;
		inn_play(&inn, 0, inn.guest);
		pass(&inn, 4);
		snprintf(part, at + 1, "%s", answer);
		client_say(&client, part);
		client_cut(&client);
		pass(&inn, 5);
		cr_assert_eq(inn.lost, 1);
		client.mute = false;
		client_return(&client, "");
		pass(&inn, 4);
		client_answer(&client);
		pass_until_over(&inn, 1);
		cr_assert_str_eq(text_string(&client.game[0].lines),
				 undisturbed(0));
		client_release(&client);
		inn_release(&inn);
	}
	NO_LEAKS();
}

Test(guest, several_games_are_told_on)
{
	struct client client;
	struct inn inn;
	unsigned t;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=4\n");
	pass(&inn, 3);
	for (t = 0; t < 4; t++)
		inn_play(&inn, t, inn.guest);
	client.most = client.bytes + 700;
	pass(&inn, 20);
	client_cut(&client);
	pass(&inn, 3);
	/* With several games, not without multi=yes. */
	client.most = SIZE_MAX;
	client_connect(&client, HELLO);
	pass(&inn, 4);
	cr_assert_not_null(strstr(client_other(&client),
				  "error several of your games run: say "
				  "multi=yes\nbye\n"));
	cr_assert_eq(inn.back, 0);
	client_cut(&client);
	client_return(&client, " multi=yes games=4");
	pass(&inn, 4);
	cr_assert_eq(inn.back, 1);
	client_answer(&client);
	pass_until_over(&inn, 4);
	for (t = 0; t < 4; t++) {
		cr_assert(client.game[t].over);
		cr_assert_null(
			strstr(text_string(&client.game[t].lines), "\nfault "));
		cr_assert_null(
			strstr(strchr(text_string(&client.game[t].lines), '\n'),
			       "\ngame "),
			"told twice");
	}
	finish(&inn, &client);
}

Test(guest, what_it_names_in_resume)
{
	struct client client, again;
	char hello[200];
	struct inn inn;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	pass(&inn, 4);
	client_cut(&client);
	pass(&inn, 3);
	/* More than there is: refused, and nothing is lost by it. */
	client_init(&again, &inn);
	snprintf(hello, sizeof(hello),
		 "bot 1 knock token=secret resume=%s:%u\n", client.game[0].id,
		 client.game[0].count + 1);
	client_connect(&again, hello);
	pass(&inn, 4);
	cr_assert_str_eq(
		client_other(&again),
		"error resume= names more lines than were sent\nbye\n");
	client_release(&again);
	/* Not named: from the first line.  Unknown: said to be gone. */
	client_init(&again, &inn);
	client_connect(&again, "bot 1 knock token=secret resume="
			       "0123456789abcdef0123456789abcdef:5\n");
	pass(&inn, 4);
	cr_assert_str_eq(client_other(&again),
			 GREETING "gone 0123456789abcdef0123456789abcdef\n");
	pass_until_over(&inn, 1);
	cr_assert_str_eq(text_string(&again.game[0].lines), undisturbed(0));
	client_release(&again);
	finish(&inn, &client);
}

/* Not back in time: a crash for each game. */
Test(guest, too_late)
{
	struct client client;
	struct inn inn;

	inn_init(&inn);
	inn.setup.clock.time_us = 600000000;
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	pass(&inn, 4);
	client_cut(&client);
	pass(&inn, 3);
	cr_assert_eq(inn.lost, 1);
	cr_assert_str_eq(inn.guest->why, "the connection was lost: ended");
	cr_assert_str_eq(inn.guest->from, "");
	inn_wait(&inn, GRACE_MS - 1);
	cr_assert_eq(inn.left, 0);
	cr_assert_eq(inn.over, 0);
	inn_wait(&inn, 1);
	pass_until_over(&inn, 1);
	cr_assert_eq(inn.left, 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[0]), "fault 0 crash"));
	/* Who comes now is new. */
	client_connect(&client, HELLO);
	pass(&inn, 4);
	cr_assert_eq(inn.came, 2);
	cr_assert_eq(inn.back, 0);
	finish(&inn, &client);
}

/* A story that cannot be kept: the loss is final for that game alone. */
Test(guest, too_long_a_story)
{
	struct client client;
	struct inn inn;
	unsigned g;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=2\n");
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 24, 30);
	inn_play(&inn, 1, inn.guest);
	for (g = 0; g < 40; g++) {
		pass(&inn, 4);
		client.game[0].ask = 0;
		client_answer(&client); /* the long game only */
	}
	client.game[0].ask = 1;
	cr_assert_eq(client.games, 2);
	cr_assert_gt(client.game[1].lines.used, RESUME_BYTES);
	cr_assert_not(client.game[1].over);
	client_cut(&client);
	pass(&inn, 4);
	pass_until_over(&inn, 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[1]), "fault 0 crash"));
	client.mute = false;
	client_return(&client, " multi=yes games=2");
	pass(&inn, 4);
	cr_assert_not_null(strstr(client_other(&client), "\ngone "));
	client_answer(&client);
	pass_until_over(&inn, 2);
	cr_assert_null(strstr(text_string(&inn.record[0]), "\nfault "));
	finish(&inn, &client);
}

/* More may have been missed than a connection may leave unread. */
Test(guest, much_to_tell)
{
	struct client client;
	struct inn inn;
	unsigned t, i;

	inn_init(&inn);
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 18, 12);
	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=4\n");
	pass(&inn, 3);
	for (t = 0; t < 4; t++)
		inn_play(&inn, t, inn.guest);
	pass_until_over(&inn, 4);
	pass(&inn, 200);
	client_cut(&client);
	pass(&inn, 3);
	for (t = 0; t < 4; t++) {
		cr_assert(client.game[t].over);
		text_clear(&client.game[t].lines);
		client.game[t].count = 0;
	}
	client_return(&client, " multi=yes games=4");
	for (i = 0; i < 500; i++)
		inn_pass(&inn);
	cr_assert_eq(inn.back, 1);
	for (t = 0, i = 0; t < 4; t++) {
		cr_assert_not_null(
			strstr(text_string(&client.game[t].lines), "\nover "));
		i += (unsigned)client.game[t].lines.used;
	}
	cr_assert_gt(i, 2 * OUT_BYTES);
	finish(&inn, &client);
}

/* Of what is over no more is kept than is played at a time, the last. */
Test(guest, what_is_kept_of_games_that_are_over)
{
	struct client client;
	struct inn inn;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	inn_play(&inn, 0, inn.guest);
	pass_until_over(&inn, 1);
	inn_play(&inn, 1, inn.guest);
	pass_until_over(&inn, 2);
	client_cut(&client);
	pass(&inn, 3);
	client.game[0].count = client.game[1].count = 1;
	client_return(&client, "");
	pass(&inn, 5);
	cr_assert_not_null(strstr(client_other(&client), "\ngone "));
	cr_assert_not_null(strstr(client_other(&client), client.game[0].id));
	cr_assert_null(strstr(client_other(&client), client.game[1].id));
	/* And not for ever. */
	inn_wait(&inn, GRACE_MS - PING_MS);
	cr_assert_not_null(inn.guest->remote);
	client_say(&client, "rest\n");
	pass(&inn, 2);
	inn_wait(&inn, PING_MS);
	cr_assert_null(inn.guest->remote);
	cr_assert(inn.guest->here);
	finish(&inn, &client);
}

Test(guest, another_connection_takes_over)
{
	struct client client, other;
	struct inn inn;

	inn_init(&inn);
	client_init(&client, &inn);
	client_init(&other, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	pass(&inn, 4);
	/* Not with a wrong token. */
	client_connect(&other, "bot 1 knock token=guess\n");
	pass(&inn, 4);
	cr_assert_eq(inn.lost, 0);
	client_cut(&other);
	client_connect(&other, HELLO);
	pass(&inn, 6);
	cr_assert_eq(inn.lost, 1);
	cr_assert_eq(inn.back, 1);
	cr_assert_str_eq(client_other(&client),
			 GREETING "error another connection of yours has "
				  "come\nbye\n");
	/* What the old one says now nobody hears. */
	client_say(&client, "do 1 nonsense\n");
	pass_until_over(&inn, 1);
	cr_assert_str_eq(text_string(&other.game[0].lines), undisturbed(0));
	cr_assert_eq(inn.came, 1);
	client_release(&other);
	finish(&inn, &client);
}

Test(guest, leaves_when_its_game_is_over)
{
	struct client client;
	struct inn inn;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	client_say(&client, "quit\nsit main\n");
	pass(&inn, 4);
	cr_assert_eq(inn.quit, 1);
	cr_assert_eq(inn.sat, 0);
	cr_assert_eq(inn.left, 0);
	client.mute = false;
	client_answer(&client);
	pass_until_over(&inn, 1);
	cr_assert_eq(inn.left, 1);
	cr_assert_str_eq(text_string(&client.game[0].lines), undisturbed(0));
	cr_assert_str_eq(client_other(&client), GREETING "bye\n");
	finish(&inn, &client);
}

Test(guest, sent_away_in_a_game)
{
	struct client client;
	struct inn inn;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	pass(&inn, 4);
	guest_dismiss(inn.guest, "go");
	cr_assert_eq(inn.left, 1);
	cr_assert_null(guests_find(&inn.guests, "knock"));
	pass_until_over(&inn, 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[0]), "fault 0 crash"));
	pass(&inn, 4);
	cr_assert_null(inn.guests.first, "freed with its last game");
	finish(&inn, &client);
}

/* ---- too much
 * ------------------------------------------------------------------------ */

Test(guest, a_flood_ends_its_games)
{
	static char block[32768];
	struct client client;
	struct inn inn;
	unsigned i;

	memset(block, 'x', sizeof(block) - 1);
	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	pass(&inn, 4);
	for (i = 0; i < 2000 && inn.left == 0; i++) {
		(void)!stream_write(client.stream, block, sizeof(block) - 1);
		pass(&inn, 1);
	}
	cr_assert_eq(inn.left, 1);
	cr_assert_eq(inn.lost, 0, "there is no way back");
	pass_until_over(&inn, 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[0]), "fault 0 protocol"));
	finish(&inn, &client);
}

Test(guest, useless_lines_end_the_connection_not_the_games)
{
	struct client client;
	struct inn inn;
	unsigned i;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.guest);
	pass(&inn, 4);
	for (i = 0; i < CHATTER_MAX + 1; i++) {
		client_say(&client, "@0 do 1 stay\n");
		if (i % 50 == 0)
			pass(&inn, 2);
	}
	pass(&inn, 5);
	cr_assert_eq(inn.lost, 1);
	cr_assert_not_null(strstr(client_other(&client),
				  "error too many lines of no use\nbye\n"));
	client_cut(&client);
	client.mute = false;
	client_return(&client, "");
	pass(&inn, 4);
	client_answer(&client);
	pass_until_over(&inn, 1);
	cr_assert_str_eq(text_string(&client.game[0].lines), undisturbed(0));
	finish(&inn, &client);
}

/* Lines for a game that is over are of no use, whatever they are; so is a
 * `sit` that is too long.  And nobody is told of that game who does not ask. */
Test(guest, a_game_that_is_over)
{
	char line[LINE_BOT_BYTES + 10];
	struct client client, again;
	struct inn inn;
	unsigned i;

	inn_init(&inn);
	client_init(&client, &inn);
	client_connect(&client, HELLO);
	pass(&inn, 3);
	inn_play(&inn, 0, inn.guest);
	pass_until_over(&inn, 1);
	memset(line, 'a', sizeof(line));
	memcpy(line, "sit a ", 6);
	for (i = 6; i < sizeof(line); i += 10)
		line[i] = ' ';
	line[6] = 'a';
	memcpy(line + sizeof(line) - 3, "a\n", 3);
	client_say(&client, line);
	pass(&inn, 3);
	cr_assert_eq(inn.sat, 0);
	snprintf(line, sizeof(line), "@%s do 1 stay\n", client.game[0].id);
	for (i = 0; i < CHATTER_MAX - 1; i++) {
		client_say(&client, line);
		if (i % 50 == 0)
			pass(&inn, 3);
	}
	pass(&inn, 5);
	cr_assert_eq(inn.lost, 0);
	client_say(&client, line);
	pass(&inn, 5);
	cr_assert_eq(inn.lost, 1);
	client_init(&again, &inn);
	client_connect(&again, HELLO);
	pass(&inn, 5);
	cr_assert_eq(inn.back, 1);
	cr_assert_eq(again.games, 0);
	cr_assert_str_eq(client_other(&again), GREETING);
	client_release(&again);
	finish(&inn, &client);
}
