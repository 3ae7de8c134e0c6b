/* tests/unit/test-remote-bot-lost.c - the clocks of remote bots, the loss of a
 * connection and the way back. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

TestSuite(remote_bot_lost, .init = begin, .fini = end);

/* ---- the clock ------------------------------------------------------ */

/* Fills the connection; the other end does not read. */
static void
fill(void)
{
	static const char line[] =
		"ping 12345678901234567890123456789012345678901234567890";
	unsigned i;

	client.deaf = true;
	while (link_written(inn.remote->link) ==
	       link_collected(inn.remote->link)) {
		for (i = 0; i < 100; i++)
			link_line(inn.remote->link, NULL, line,
				  sizeof(line) - 1);
		link_flush(inn.remote->link);
		inn_passes(&inn, 1);
	}
}

static void
no_time_to_start(void)
{
	uint64_t us = first_ask_take(inn.remote->first_ask, fake_now_us);

	first_ask_give(inn.remote->first_ask, us, us, fake_now_us);
}

static void
begin_a_game(bool full)
{
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 2, 0);
	client_init(&client, &inn);
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 3);
	no_time_to_start();
	client.mute = true;
	if (full)
		fill();
	inn_play(&inn, 0, inn.remote);
	inn_passes(&inn, 3);
}

/* Expects a timeout after `ms` from now on. */
static void
times_out_after(unsigned ms)
{
	unsigned over = inn.over;

	inn_wait(&inn, ms);
	cr_assert_eq(inn.over, over, "exactly then is in time");
	inn_wait(&inn, 1);
	inn_until_over(&inn, over + 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[0]), "\nfault 0 timeout"));
}

Test(remote_bot_lost, the_clock_of_an_ask)
{
	begin_a_game(false);
	times_out_after(1000);
}

/* It does not read: the clock runs WRITE_MS later, not from the ask. */
Test(remote_bot_lost, the_clock_of_one_who_does_not_read)
{
	begin_a_game(true);
	times_out_after(1000 + WRITE_MS);
}

/* It reads late, but sooner than that: the clock runs from there. */
Test(remote_bot_lost, the_clock_of_one_who_reads_late)
{
	begin_a_game(true);
	inn_wait(&inn, 50);
	client.deaf = false;
	stream_pause(client.stream, false);
	inn_passes(&inn, 300);
	cr_assert_eq(client.games, 1);
	times_out_after(1000);
}

/* The bot is lost before the ask has left: the clock runs from the loss. */
Test(remote_bot_lost, the_clock_of_one_who_is_lost_before_it_reads)
{
	begin_a_game(true);
	inn_wait(&inn, 50);
	client_cut(&client);
	inn_passes(&inn, 3);
	cr_assert_eq(inn.lost, 1);
	times_out_after(1000);
}

/* If another connection takes over, it is told the ask at once, and the clock runs
 * on. */
Test(remote_bot_lost, the_clock_of_one_who_takes_over)
{
	struct client other;

	begin_a_game(true);
	inn_wait(&inn, 50);
	client_init(&other, &inn);
	other.mute = true;
	client_connect(&other, INN_HELLO);
	inn_passes(&inn, 3);
	cr_assert_eq(inn.back, 1);
	times_out_after(1000);
	cr_assert_eq(other.games, 1);
	client_release(&other);
}

/* Plays without an answer; expects the time of the first ask, then that of the
 * second. */
static void
play_mute(unsigned t, unsigned start_ms)
{
	inn_play(&inn, t, inn.remote);
	inn_passes(&inn, 3);
	inn_wait(&inn, 1000 + start_ms);
	cr_assert_eq(inn.over, t, "exactly then is in time");
	inn_wait(&inn, 1);
	inn_until_over(&inn, t + 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[t]), "\nfault 0 timeout"));
}

/* The first ask of each game gets the unused part of START_MS on top, which is
 * refilled slowly. */
Test(remote_bot_lost, the_clock_of_first_asks)
{
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 2, 0);
	client_come(&client, &inn);
	client.mute = true;
	play_mute(0, START_MS);
	play_mute(1, 0);
	inn_wait(&inn, 200 * START_PART - 1001);
	play_mute(2, 200);
	inn_wait(&inn, 2 * START_MS * START_PART);
	play_mute(3, START_MS);
}

static void
comes_with_several(void)
{
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 2, 0);
	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=4\n");
	inn_passes(&inn, 3);
	client.mute = true;
}

/* If games begin together, the first ask of one has the account, and the used
 * part is gone before its game is over. */
Test(remote_bot_lost, games_that_begin_together_share_the_time_to_start)
{
	unsigned t;

	comes_with_several();
	for (t = 0; t < 3; t++)
		inn_play(&inn, t, inn.remote);
	inn_passes(&inn, 3);
	inn_wait(&inn, 1000);
	cr_expect_eq(inn.over, 0, "exactly then is in time");
	inn_wait(&inn, 1);
	inn_passes(&inn, 3);
	cr_expect_eq(inn.over, 2);
	inn_play(&inn, 3, inn.remote);
	inn_passes(&inn, 3);
	inn_wait(&inn, 1001);
	inn_passes(&inn, 3);
	cr_expect_eq(inn.over, 3, "what is taken comes back by no other way");
	inn_wait(&inn, START_MS - 1002);
	cr_expect_eq(inn.over, 3);
	inn_wait(&inn, 1);
	inn_until_over(&inn, 4);
}

/* A quick first answer leaves all of it to the next game. */
Test(remote_bot_lost, what_was_not_used_to_start_is_there_again)
{
	comes_with_several();
	inn_play(&inn, 0, inn.remote);
	inn_passes(&inn, 3);
	client.mute = false;
	client_answer(&client);
	inn_until_over(&inn, 1);
	client.mute = true;
	play_mute(1, START_MS);
}

/* The account is that of the name. */
Test(remote_bot_lost_alone, who_leaves_and_comes_has_no_more_time_to_start)
{
	struct client again;

	inn_init(&inn);
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 2, 0);
	client_come(&client, &inn);
	client.mute = true;
	play_mute(0, START_MS);
	client_say(&client, "quit\n");
	inn_until(&inn, &inn.left);
	client_release(&client);
	client_come(&again, &inn);
	again.mute = true;
	play_mute(1, 0);
	inn_finish(&inn, &again);
}

/* After a loss an ask counts as handed over: its clock runs. */
Test(remote_bot_lost, the_clock_of_one_who_is_lost)
{
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 2, 0);
	client_come(&client, &inn);
	no_time_to_start();
	client_cut(&client);
	inn_play(&inn, 0, inn.remote); /* not yet seen to be lost */
	inn_passes(&inn, 3);
	cr_assert_eq(inn.lost, 1);
	inn_wait(&inn, 1000);
	cr_assert_eq(inn.over, 0);
	inn_wait(&inn, 1);
	inn_until_over(&inn, 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[0]), "fault 0 timeout"));
	cr_assert_eq(inn.left, 0, "it may still come back to read the end");
	inn_wait(&inn, GRACE_MS);
	cr_assert_eq(inn.left, 1);
}

/* ---- lost, and back ------------------------------------------------- */

static void
reads_every_line_once(bool tls, unsigned step)
{
	char *wanted = strdup(inn_undisturbed(0));
	size_t n = strlen(wanted) + strlen(INN_GREETING), at;
	struct net_kit kit;
	struct tls_trust trust = { 0 };
	struct tls *server = NULL, *client_tls = NULL;
	struct error why;

	net_kit_init(&kit);
	if (tls) {
		trust.pin = kit.pin[0];
		server = tls_server_new(kit.chain[0], kit.key[0], &why);
		client_tls = tls_client_new(&trust, &why);
	}
	for (at = 0; at <= n; at += step) {
		inn_init(&inn);
		inn.server = server;
		inn.client_tls = client_tls;
		client_init(&client, &inn);
		client_connect(&client, INN_HELLO);
		client.most = at;
		inn_until(&inn, &inn.came);
		inn_play(&inn, 0, inn.remote);
		inn_passes(&inn, 40);
		cr_assert_eq(client.bytes, at);
		client_cut(&client);
		inn_passes(&inn, 3);
		cr_assert_eq(inn.lost, 1);
		client.most = SIZE_MAX;
		client_return(&client, "");
		inn_until(&inn, &inn.back);
		client_answer(&client); /* what may have been lost */
		if (inn.over == 0)
			inn_until_over(&inn, 1);
		inn_passes(&inn, 10);
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
}

Test(remote_bot_lost_alone, cut_at_each_byte_it_reads_every_line_once)
{
	reads_every_line_once(false, 1);
}

Test(remote_bot_lost_alone, cut_over_tls_it_reads_every_line_once)
{
	reads_every_line_once(true, 97);
}

/* The answer is cut at each byte, too: half a line does not count. */
Test(remote_bot_lost_alone, half_an_answer_is_none)
{
	static const char answer[] = "do 1 stay\n";
	char part[sizeof(answer)];
	size_t at;

	for (at = 0; at < sizeof(answer); at++) {
		inn_init(&inn);
		client_come(&client, &inn);
		client.mute = true;
		inn_play(&inn, 0, inn.remote);
		inn_passes(&inn, 4);
		snprintf(part, at + 1, "%s", answer);
		client_say(&client, part);
		client_cut(&client);
		inn_passes(&inn, 5);
		cr_assert_eq(inn.lost, 1);
		client.mute = false;
		client_return(&client, "");
		inn_passes(&inn, 4);
		client_answer(&client);
		inn_until_over(&inn, 1);
		cr_assert_str_eq(text_string(&client.game[0].lines),
				 inn_undisturbed(0));
		client_release(&client);
		inn_release(&inn);
	}
}

Test(remote_bot_lost, several_games_are_told_on)
{
	unsigned t;

	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=4\n");
	inn_passes(&inn, 3);
	for (t = 0; t < 4; t++)
		inn_play(&inn, t, inn.remote);
	client.most = client.bytes + 700;
	inn_passes(&inn, 20);
	client_cut(&client);
	inn_passes(&inn, 3);
	/* A bot with several games cannot return without multi=yes. */
	client.most = SIZE_MAX;
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 4);
	cr_assert_not_null(
		strstr(client_other(&client),
		       "error again=no several of your games run: say "
		       "multi=yes\nbye\n"));
	cr_assert_eq(inn.back, 0);
	client_cut(&client);
	client_return(&client, " multi=yes games=4");
	inn_passes(&inn, 4);
	cr_assert_eq(inn.back, 1);
	client_answer(&client);
	inn_until_over(&inn, 4);
	for (t = 0; t < 4; t++) {
		cr_assert(client.game[t].over);
		cr_assert_null(
			strstr(text_string(&client.game[t].lines), "\nfault "));
		cr_assert_null(
			strstr(strchr(text_string(&client.game[t].lines), '\n'),
			       "\ngame "),
			"told twice");
	}
}

Test(remote_bot_lost, retired_and_lost_it_is_told_the_end)
{
	char text[200];
	unsigned i;

	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 12, 0);
	client_come_and_sit_mute(&client, &inn);
	for (i = 0; i < 3; i++) {
		inn_passes(&inn, 6);
		client_say(&client, "nonsense\n");
	}
	inn_passes(&inn, 1);
	client_cut(&client);
	inn_until_over(&inn, 1);
	snprintf(text, sizeof(text), "bot 1 knock token=secret resume=%s:%u\n",
		 client.game[0].id, client.game[0].count);
	client_connect(&client, text);
	inn_passes(&inn, 6);
	snprintf(text, sizeof(text), "\nretired\nover %s ", client.game[0].id);
	cr_assert_not_null(strstr(text_string(&client.game[0].lines), text),
			   "%s", text_string(&client.game[0].lines));
}

/* Lets a client come that knows nothing, and reads the game from its beginning. */
static void
expect_retold(const char *wanted, const char *unwanted)
{
	struct client again;
	const char *lines;

	client_init(&again, &inn);
	again.mute = true;
	client_connect(&again, INN_HELLO);
	inn_passes(&inn, 4);
	cr_assert_eq(again.games, 1);
	lines = text_string(&again.game[0].lines);
	cr_expect_not_null(strstr(lines, wanted), "%s", lines);
	cr_expect_null(strstr(lines, unwanted), "%s", lines);
	client_release(&again);
	inn_passes(&inn, 4);
}

Test(remote_bot_lost_alone, entropy_that_is_over_is_not_asked_for_again)
{
	bool gives;
	int i;

	for (i = 0; i < 2; i++) {
		gives = i > 0;
		inn_init(&inn);
		/* The other, which answers nothing, is waited for, too. */
		inn.setup.entropy[0] = inn.setup.entropy[1] = true;
		client_come_and_sit_mute(&client, &inn);
		inn_passes(&inn, 4);
		if (gives)
			client_say(&client, "entropy 00ff\n");
		inn_passes(&inn, 4);
		client_cut(&client);
		expect_retold(gives ? "\nentropy-over\n" : "\nentropy?\n",
			      gives ? "\nentropy?\n" : "\nentropy-over\n");
		inn_wait(&inn, ENTROPY_MS + 1);
		inn_passes(&inn, 4);
		expect_retold("\nentropy-over\ndeal 0 ", "\nentropy?\n");
		client_return(&client, "");
		client.mute = false;
		inn_passes(&inn, 4);
		client_answer(&client);
		inn_until_over(&inn, 1);
		inn_finish(&inn, &client);
	}
}

Test(remote_bot_lost, what_it_names_in_resume)
{
	static const char gone[] =
		INN_GREETING "gone 0123456789abcdef0123456789abcdef\n";
	struct client again;
	char hello[200];

	client_come_and_sit_mute(&client, &inn);
	inn_passes(&inn, 4);
	client_cut(&client);
	inn_passes(&inn, 3);
	/* A count that is too large is refused, and does no harm. */
	client_init(&again, &inn);
	snprintf(hello, sizeof(hello),
		 "bot 1 knock token=secret resume=%s:%u\n", client.game[0].id,
		 client.game[0].count + 1);
	client_connect(&again, hello);
	inn_passes(&inn, 4);
	cr_assert_str_eq(client_other(&again),
			 "error again=no resume= names more lines than were "
			 "sent\nbye\n");
	client_release(&again);
	/* A game that is not named is sent from its first line; before that an
	 * unknown one is reported as gone. */
	client_init(&again, &inn);
	client_connect(&again, "bot 1 knock token=secret resume="
			       "0123456789abcdef0123456789abcdef:5\n");
	again.most = 0;
	while (strcmp(client_other(&again), gone) != 0 &&
	       again.game[0].count == 0) {
		again.most++;
		stream_pause(again.stream, false);
		inn_pass(&inn);
	}
	cr_assert_eq(again.game[0].count, 0);
	again.most = SIZE_MAX;
	inn_until_over(&inn, 1);
	cr_assert_str_eq(text_string(&again.game[0].lines), inn_undisturbed(0));
	client_release(&again);
}

/* The bot is not back in time: a crash for each game. */
Test(remote_bot_lost, too_late)
{
	inn.setup.clock.time_us = 600000000;
	client_come_and_sit_mute(&client, &inn);
	inn_passes(&inn, 4);
	client_cut(&client);
	inn_passes(&inn, 3);
	cr_assert_eq(inn.lost, 1);
	cr_assert_str_eq(inn.remote->why,
			 "the connection was lost: the other side closed it");
	cr_assert_str_eq(inn.remote->from, "");
	inn_wait(&inn, GRACE_MS - 1);
	cr_assert_eq(inn.left, 0);
	cr_assert_eq(inn.over, 0);
	inn_wait(&inn, 1);
	inn_until_over(&inn, 1);
	cr_assert_eq(inn.left, 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[0]), "fault 0 crash"));
	/* A bot that comes now is new. */
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 4);
	cr_assert_eq(inn.came, 2);
	cr_assert_eq(inn.back, 0);
}

/* The lines of this game cannot be kept, so the loss is final for that game
 * alone. */
Test(remote_bot_lost, too_long_a_story)
{
	unsigned g;

	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=2\n");
	inn_passes(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.remote);
	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 24, 30);
	inn_play(&inn, 1, inn.remote);
	for (g = 0; g < 40; g++) {
		inn_passes(&inn, 4);
		client.game[0].ask = 0;
		client_answer(&client); /* the long game only */
	}
	client.game[0].ask = 1;
	cr_assert_eq(client.games, 2);
	cr_assert_gt(client.game[1].lines.used, RESUME_BYTES);
	cr_assert_not(client.game[1].over);
	client_cut(&client);
	inn_passes(&inn, 4);
	inn_until_over(&inn, 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[1]), "fault 0 crash"));
	client.mute = false;
	client_return(&client, " multi=yes games=2");
	inn_passes(&inn, 4);
	cr_assert_not_null(strstr(client_other(&client), "\ngone "));
	client_answer(&client);
	inn_until_over(&inn, 2);
	cr_assert_null(strstr(text_string(&inn.record[0]), "\nfault "));
}

/* The bot may have missed more than a connection may leave unread. */
Test(remote_bot_lost, much_to_tell)
{
	unsigned t, i;

	parley_setup(&inn.setup.game, 2, PARLEY_SINGLE, 18, 12);
	client_init(&client, &inn);
	client_connect(&client, "bot 1 knock token=secret multi=yes games=4\n");
	inn_passes(&inn, 3);
	for (t = 0; t < 4; t++)
		inn_play(&inn, t, inn.remote);
	inn_until_over(&inn, 4);
	inn_passes(&inn, 200);
	client_cut(&client);
	inn_passes(&inn, 3);
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
}

/* Only as many games that are over are kept as are played at a time, the last ones. */
Test(remote_bot_lost, what_is_kept_of_games_that_are_over)
{
	client_come(&client, &inn);
	inn_play(&inn, 0, inn.remote);
	inn_until_over(&inn, 1);
	inn_play(&inn, 1, inn.remote);
	inn_until_over(&inn, 2);
	client_cut(&client);
	inn_passes(&inn, 3);
	client.game[0].count = client.game[1].count = 1;
	client_return(&client, "");
	inn_passes(&inn, 5);
	cr_assert_not_null(strstr(client_other(&client), "\ngone "));
	cr_assert_not_null(strstr(client_other(&client), client.game[0].id));
	cr_assert_null(strstr(client_other(&client), client.game[1].id));
	/* They are not kept for ever. */
	inn_wait(&inn, GRACE_MS - PING_MS);
	cr_assert_not_null(inn.remote->game);
	client_say(&client, "rest\n");
	inn_passes(&inn, 2);
	inn_wait(&inn, PING_MS);
	cr_assert_null(inn.remote->game);
	cr_assert(inn.remote->here);
}

Test(remote_bot_lost, another_connection_takes_over)
{
	struct client other;

	client_init(&client, &inn);
	client_init(&other, &inn);
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.remote);
	inn_passes(&inn, 4);
	/* A wrong token does not take over. */
	client_connect(&other, "bot 1 knock token=guess\n");
	inn_passes(&inn, 4);
	cr_assert_eq(inn.lost, 0);
	client_cut(&other);
	client_connect(&other, INN_HELLO);
	inn_passes(&inn, 6);
	cr_assert_eq(inn.lost, 1);
	cr_assert_eq(inn.back, 1);
	cr_assert_str_eq(client_other(&client), INN_GREETING
			 "error again=no another connection of yours has "
			 "come\nbye\n");
	/* The old connection is not heard any more. */
	client_say(&client, "do 1 nonsense\n");
	inn_until_over(&inn, 1);
	cr_assert_str_eq(text_string(&other.game[0].lines), inn_undisturbed(0));
	cr_assert_eq(inn.came, 1);
	client_release(&other);
}

/* Each return may cost megabytes of lines. */
Test(remote_bot_lost, comes_back_too_often)
{
	struct client other;
	unsigned i;

	client_init(&client, &inn);
	client_init(&other, &inn);
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 3);
	client.mute = true;
	inn_play(&inn, 0, inn.remote);
	for (i = 0; i < RETURNS_AT_ONCE; i++) {
		client_cut(&client);
		client_connect(&client, INN_HELLO);
		inn_passes(&inn, 6);
	}
	cr_assert_eq(inn.back, RETURNS_AT_ONCE);
	cr_assert(inn.remote->here);
	client_connect(&other, INN_HELLO);
	inn_passes(&inn, 6);
	cr_assert_str_eq(client_other(&other),
			 "error you come back too often\nbye\n");
	cr_assert_eq(inn.back, RETURNS_AT_ONCE);
	cr_assert(inn.remote->here);
	inn_wait(&inn, RETURN_MS);
	client_cut(&client);
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 6);
	cr_assert_eq(inn.back, RETURNS_AT_ONCE + 1);
	client_release(&other);
}

Test(remote_bot_lost, leaves_when_its_game_is_over)
{
	client_come_and_sit_mute(&client, &inn);
	client_say(&client, "quit\nsit main\n");
	inn_passes(&inn, 4);
	cr_assert_eq(inn.quit, 1);
	cr_assert_eq(inn.sat, 0);
	cr_assert_eq(inn.left, 0);
	client.mute = false;
	client_answer(&client);
	inn_until_over(&inn, 1);
	cr_assert_eq(inn.left, 1);
	cr_assert_str_eq(text_string(&client.game[0].lines),
			 inn_undisturbed(0));
	cr_assert_str_eq(client_other(&client), INN_GREETING "bye\n");
}

Test(remote_bot_lost, sent_away_in_a_game)
{
	client_come_and_sit_mute(&client, &inn);
	inn_passes(&inn, 4);
	remote_bot_dismiss(inn.remote, "go");
	cr_assert_eq(inn.left, 1);
	cr_assert_null(remote_bots_find(&inn.remotes, "knock"));
	inn_until_over(&inn, 1);
	cr_assert_not_null(
		strstr(text_string(&inn.record[0]), "fault 0 crash"));
	inn_passes(&inn, 4);
	cr_assert_null(inn.remotes.first, "freed with its last game");
}

/* It comes back under any of its names, and finds its game. */
Test(remote_bot_lost, renamed_in_a_game_it_plays_on)
{
	char hello[128];

	client_come_and_sit_mute(&client, &inn);
	inn_passes(&inn, 4);
	remote_bot_rename(inn.remote, "tap");
	cr_assert_eq(remote_bots_find(&inn.remotes, "tap"), inn.remote);
	cr_assert_null(remote_bots_find(&inn.remotes, "knock"));
	remote_bot_rename(inn.remote, "knock");
	client_cut(&client);
	inn_passes(&inn, 3);
	snprintf(hello, sizeof(hello), "bot 1 tap token=secret resume=%s:%u\n",
		 client.game[0].id, client.game[0].count);
	client.mute = false;
	client_connect(&client, hello);
	inn_until_over(&inn, 1);
	cr_assert_eq(inn.came, 1);
	cr_assert_eq(inn.back, 1);
	cr_assert_str_eq(text_string(&client.game[0].lines),
			 inn_undisturbed(0));
}

/* It begins no more games, and is not charged for the running one. */
Test(remote_bot_lost, it_ends_when_its_game_is_over)
{
	client_come_and_sit_mute(&client, &inn);
	inn_passes(&inn, 4);
	remote_bot_end(inn.remote, "go");
	client_say(&client, "sit main\n");
	inn_passes(&inn, 4);
	cr_assert_eq(inn.sat, 0);
	cr_assert_eq(inn.left, 0);
	cr_assert_eq(
		inn.remote->participant.ops->room(&inn.remote->participant), 0);
	client.mute = false;
	client_answer(&client);
	inn_until_over(&inn, 1);
	cr_assert_eq(inn.left, 1);
	cr_assert_str_eq(text_string(&client.game[0].lines),
			 inn_undisturbed(0));
	cr_assert_str_eq(client_other(&client), INN_GREETING "error go\nbye\n");
}

Test(remote_bot_lost, it_does_not_end_if_it_comes_again)
{
	client_come_and_sit_mute(&client, &inn);
	inn_passes(&inn, 4);
	remote_bot_end(inn.remote, "go");
	client_cut(&client);
	inn_passes(&inn, 3);
	client.mute = false;
	client_return(&client, "");
	inn_until_over(&inn, 1);
	inn_passes(&inn, 4);
	cr_assert_eq(inn.left, 0);
}

/* A program that has forgotten everything answers the current one of all asks,
 * and knows its remaining time. */
Test(remote_bot_lost, is_told_which_ask_counts)
{
	unsigned left;

	client_come_and_sit_mute(&client, &inn);
	inn_passes(&inn, 4);
	client.mute = false;
	client_answer(&client);
	client.mute = true;
	inn_passes(&inn, 6);
	inn_wait(&inn, 300);
	left = (unsigned)(inn.setup.clock.time_us / 1000) - 300;
	client_release(&client);
	inn_passes(&inn, 3);
	client_init(&client, &inn);
	client.mute = true;
	client_connect(&client, INN_HELLO);
	inn_passes(&inn, 6);
	cr_assert_str_eq(client_other(&client), INN_GREETING);
	cr_assert_eq(client.game[0].awaits, 2);
	cr_assert_eq(client.game[0].left_ms, left);
	cr_assert_eq(client.game[0].retold, 1);
	cr_assert_not_null(
		strstr(text_string(&client.game[0].lines), "ask 1 1000 "));
	client.mute = false;
	client_answer(&client);
	inn_until_over(&inn, 1);
}
