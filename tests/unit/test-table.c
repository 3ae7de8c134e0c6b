/* tests/unit/test-table.c - what a table sends, waits for, and writes down. */
#include "config.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/asks.h"
#include "protocol/record.h"
#include "referee/table/fault-note.h"
#include "tests/unit/scene.h"

static struct scene scene;
static bool begun;

static void
end(void)
{
	if (begun)
		scene_end(&scene);
	begun = false;
}

TestSuite(table, .fini = end);

/* Makes a table as scene_init() does; the one before ends. */
static void
prepare(unsigned seats, enum parley_kind kind, unsigned turns)
{
	end();
	scene_init(&scene, seats, kind, turns);
	begun = true;
}

static void
begin(unsigned seats, enum parley_kind kind, unsigned turns)
{
	prepare(seats, kind, turns);
	scene_begin(&scene);
}

static void
answer(unsigned seat, const char *token)
{
	scene_do(&scene, seat, token);
	scene_pass(&scene);
}

static void
expect_last(unsigned seat, const char *lines)
{
	cr_expect_str_eq(fake_last_write(&scene.bot[seat]), lines, "seat %u",
			 seat);
}

/* Expects the places of the outcome to be those that a ladder finds in the record. */
static void
expect_places(const int place[])
{
	const char *text = scene_record(&scene);
	struct error why = { 0 };
	struct table_outcome outcome;
	struct record *record;
	int found[SEATS_MAX];
	long points[SEATS_MAX];
	unsigned s;

	table_outcome(scene.table, &outcome);
	cr_assert_eq(record_parse(text, strlen(text), &record, &why), 0, "%s",
		     why.text);
	cr_assert_eq(record_places(record, found, points, &why), 0, "%s",
		     why.text);
	for (s = 0; s < record->seats; s++) {
		cr_expect_eq(outcome.place[s], place[s], "seat %u: %d", s,
			     outcome.place[s]);
		cr_expect_eq(found[s], place[s], "seat %u: %d", s, found[s]);
		cr_expect_eq(points[s], outcome.points[s]);
	}
	record_free(record);
}

/* ---- the order of lines ------------------------------------------------ */

Test(table, all_that_a_seat_reads_first_comes_in_one_write)
{
	char expected[1024], hex[2 * DEAL_COMMIT_BYTES + 1];

	prepare(2, PARLEY_HELD, 3);
	scene.setup.clock.bank_us = 2500000;
	scene.setup.clock.increment_us = 100000;
	scene.setup.show_names = true;
	scene_begin(&scene);
	sodium_bin2hex(hex, sizeof(hex), scene.setup.deal.commit,
		       DEAL_COMMIT_BYTES);
	snprintf(expected, sizeof(expected),
		 "referee 1 referee-" PACKAGE_VERSION "\n"
		 "game %s parley seat 1 of 2 kind=2 turns=3 noise=0 "
		 "open=priority time=1000 bank=2500 increment=100 faults=3 "
		 "names=bot0,bot1\n"
		 "commit %s\n"
		 "deal 0 ?\n"
		 "deal 1 41\n"
		 "ask 1 3500 pass bid:1..9 call\n",
		 scene.setup.deal.id, hex);
	cr_expect_str_eq(fake_read(&scene.bot[1]), expected);
	cr_expect_eq(scene.bot[1].writes, 1);
	cr_expect_eq(scene.bot[0].writes, 1);
	cr_expect_not_null(strstr(fake_read(&scene.bot[0]),
				  "\ndeal 0 40\ndeal 1 ?\n"
				  "ask 1 3500 lead bid:1..9 call\n"));
}

/* The `game` line and the record have the total, if there is one. */
Test(table, a_total_is_told)
{
	prepare(2, PARLEY_HELD, 3);
	scene.setup.clock.total_us = 900000;
	scene_begin(&scene);
	cr_expect_not_null(strstr(fake_read(&scene.bot[1]),
				  " increment=0 total=900 faults=3\n"));
	cr_expect_not_null(strstr(fake_read(&scene.bot[1]), "\nask 1 900 "));
	cr_expect_not_null(strstr(scene_record(&scene),
				  "\nincrement 0\ntotal 900\nfaults 3\n"));
	begin(2, PARLEY_HELD, 3);
	cr_expect_null(strstr(fake_read(&scene.bot[1]), "total"));
	cr_expect_null(strstr(scene_record(&scene), "total"));
}

/* A seat that always answers just in time uses up its total, is no longer asked
 * and is soon retired; seats that think at the same time pay only for their own
 * time. */
Test(table, who_is_always_slow_loses)
{
	struct table_outcome outcome;
	unsigned turn;

	prepare(2, PARLEY_OPEN, 40);
	scene.setup.clock.total_us = 3500000;
	scene_begin(&scene);
	for (turn = 1; turn <= 40; turn++) {
		answer(0, "bid:9");
		if (scene.bot[1].asks < turn)
			continue;
		scene_wait(&scene, 1000);
		answer(1, "pass");
	}
	cr_assert_eq(scene.over, 1);
	cr_expect_eq(scene.bot[1].asks, 4);
	cr_expect(fake_has_read(&scene.bot[1], "retired"));
	table_outcome(scene.table, &outcome);
	cr_expect_eq(outcome.aborted, ABORT_NONE);
	cr_expect_eq(outcome.faults[0], 0);
	cr_expect_eq(outcome.place[0], 1);
	cr_expect_eq(outcome.place[1], 2);
	cr_expect_not_null(strstr(scene_body(&scene), "forfeit 1 timeout"));
}

Test(table, a_bot_that_plays_on_is_not_greeted_again)
{
	prepare(2, PARLEY_HELD, 3);
	scene.bot[1].bot.greeted = true;
	scene_begin(&scene);
	cr_expect_eq(strncmp(fake_read(&scene.bot[0]), "referee 1 ", 10), 0);
	cr_expect_eq(strncmp(fake_read(&scene.bot[1]), "game ", 5), 0);
	cr_expect_null(strstr(fake_read(&scene.bot[0]), "names="));
}

Test(table, what_a_move_leads_to_leaves_with_the_next_ask)
{
	begin(2, PARLEY_SINGLE, 3);
	cr_expect_eq(scene_asks(&scene, 1), 0);
	fake_now_us += 123456;
	scene_do(&scene, 0, "stake:17");
	cr_expect_eq(scene.bot[1].writes, 1, "nothing leaves in between");
	scene_pass(&scene);
	expect_last(0, "move 0 stake:17\n");
	expect_last(1, "move 0 stake:17\nask 1 1000 stay stake:4..30\n");
	answer(1, "stay");
	expect_last(0, "move 1 stay\nask 2 1000 stay stake:4..30\n");
	answer(0, "stake:4");
	expect_last(1, "move 0 stake:4\nresult 0 1 2\nresult 1 2 1\n");
	cr_expect_eq(scene.over, 1);
	cr_expect_str_eq(scene_body(&scene), "deal 0 {40}0\n"
					     "deal 1 {41}1\n"
					     "move 0 stake:17 ; 123.456ms\n"
					     "move 1 stay ; 0.000ms\n"
					     "move 0 stake:4 ; 0.000ms\n"
					     "result 0 1 2\n"
					     "result 1 2 1\n");
	cr_expect_eq(table_turns(scene.table), 3);
}

static unsigned order[2], orders;

static void
note_order(struct bot *bot, uint64_t now_us)
{
	if (bot->used > 0 && orders < 2)
		order[orders++] = (unsigned)bot->bytes_in;
	bot->used = 0;
	if (bot->stamp) {
		bot->stamp = false;
		bot->listener->handed(bot->listener_arg, now_us);
	}
}

static void
let_go(struct bot *bot, unsigned grace_ms)
{
	(void)bot;
	(void)grace_ms;
}

Test(table, who_is_written_to_first_rotates)
{
	static const struct bot_ops ops = { .flush = note_order,
					    .part = let_go };
	unsigned first[4], turn, s;
	char line[32];

	prepare(2, PARLEY_OPEN, 4);
	for (s = 0; s < 2; s++) {
		scene.bot[s].bot.ops = &ops;
		scene.bot[s].bot.bytes_in = s;
	}
	scene_begin(&scene);
	for (turn = 0; turn < 4; turn++) {
		cr_assert_eq(orders, 2);
		first[turn] = order[0];
		orders = 0;
		for (s = 0; s < 2; s++) {
			snprintf(line, sizeof(line), "do %u pass", turn + 1);
			fake_say(&scene.bot[s], "%s", line);
		}
		scene_pass(&scene);
	}
	for (turn = 1; turn < 4; turn++)
		cr_expect_neq(first[turn], first[turn - 1]);
}

/* ---- entropy ----------------------------------------------------------- */

Test(table, entropy_is_asked_only_of_those_known_to_send_some)
{
	prepare(3, PARLEY_SINGLE, 1);
	scene.setup.entropy[1] = true;
	scene_begin(&scene);
	cr_expect_not_null(
		strstr(fake_last_write(&scene.bot[1]), "\nentropy?\n"));
	cr_expect_null(strstr(fake_read(&scene.bot[0]), "entropy"));
	cr_expect_null(strstr(fake_read(&scene.bot[0]), "deal"),
		       "all wait for it");
	fake_say(&scene.bot[0], "entropy 77"); /* useless, and of no effect */
	fake_say(&scene.bot[1], "entropy 00FF");
	scene_pass(&scene);
	expect_last(0, "deal 0 40\ndeal 1 ?\ndeal 2 ?\n"
		       "ask 1 1000 stay stake:4..30\n");
	expect_last(1, "deal 0 ?\ndeal 1 41\ndeal 2 ?\n");
	answer(0, "stay");
	cr_expect_not_null(strstr(scene_record(&scene), "\nentropy 1 00ff\n"));
	cr_expect_null(strstr(scene_record(&scene), "entropy 0"));
}

Test(table, entropy_that_does_not_come_is_not_waited_for_longer)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		prepare(2, PARLEY_SINGLE, 1);
		scene.setup.entropy[0] = scene.setup.entropy[1] = true;
		scene_begin(&scene);
		fake_say(&scene.bot[0], "entropy aa");
		scene_wait(&scene, ENTROPY_MS - 1); /* a timer too early */
		cr_assert_null(strstr(fake_read(&scene.bot[0]), "deal"));
		scene_wait(&scene, 2);
		if (i == 0) /* late, in the pass of the timer or after it */
			fake_say(&scene.bot[1], "entropy bb");
		scene_pass(&scene);
		cr_assert_eq(scene_asks(&scene, 0), 1);
		if (i == 1)
			fake_say(&scene.bot[1], "entropy bb");
		answer(0, "stay");
		cr_expect_not_null(
			strstr(scene_record(&scene), "\nentropy 0 aa\n"));
		cr_expect_null(strstr(scene_record(&scene), "entropy 1"));
	}
}

/* Waiting posts nothing for the next pass. */
Test(table, waiting_for_entropy_does_not_keep_the_loop)
{
	unsigned stage;

	prepare(2, PARLEY_SINGLE, 1);
	scene.setup.entropy[1] = true;
	scene_begin(&scene);
	for (stage = 0; stage < LOOP_STAGES; stage++)
		cr_expect(TAILQ_EMPTY(&scene.loop.queue[stage]));
}

Test(table, nobody_waits_for_the_entropy_of_the_dead)
{
	prepare(2, PARLEY_SINGLE, 1);
	scene.setup.entropy[1] = true;
	scene_begin(&scene);
	fake_die(&scene.bot[1]);
	scene_pass(&scene);
	cr_expect_eq(scene_asks(&scene, 0), 1);
}

/* ---- open decisions: priority ------------------------------------------ */

Test(table, priority_waits_for_all_and_shows_one_answer)
{
	begin(3, PARLEY_OPEN, 2);
	answer(0, "bid:7");
	answer(2, "call");
	cr_expect_eq(scene.bot[0].writes, 1);
	answer(1, "bid:3");
	/* The lower class goes first; other answers are not shown. */
	expect_last(0, "move 2 call\nask 2 1000 pass bid:1..9 call\n");
	expect_last(1, "move 2 call\nask 2 1000 pass bid:1..9 call\n");
	cr_expect_null(strstr(scene_record(&scene), "bid"));
	/* Within a class the order of the seats: here from seat 1. */
	scene_do(&scene, 0, "bid:9");
	scene_do(&scene, 1, "pass");
	answer(2, "bid:1");
	cr_expect_eq(
		strncmp(fake_last_write(&scene.bot[0]), "move 2 bid:1\n", 13),
		0);
	cr_expect_null(strstr(scene_record(&scene), "bid:9"));
}

Test(table, quiet_if_all_pass_the_house_of_the_holder_if_there_is_one)
{
	unsigned s;

	begin(3, PARLEY_OPEN, 1);
	for (s = 0; s < 3; s++)
		answer(s, "pass");
	cr_expect_not_null(strstr(scene_body(&scene), "\nquiet\nresult 0"));

	begin(3, PARLEY_HELD, 1);
	scene_do(&scene, 0, "pass"); /* the holder may not */
	for (s = 1; s < 3; s++)
		answer(s, "pass");
	expect_last(1, "fault 0 illegal\nmove 0 lead\n"
		       "result 0 1 1\nresult 1 2 0\nresult 2 2 0\n");
}

/* ---- open decisions: arrival ------------------------------------------- */

Test(table, the_first_to_arrive_moves_at_once)
{
	prepare(3, PARLEY_HELD, 2);
	scene.setup.arrival = true;
	scene_begin(&scene);
	cr_expect_not_null(strstr(fake_read(&scene.bot[0]), "open=arrival"));
	answer(1, "pass");
	cr_expect_eq(scene.bot[0].writes, 1);
	answer(2, "bid:5");
	/* A seat that waits reads `void`, one that has passed does not. */
	expect_last(0, "void 1\nmove 2 bid:5\n"
		       "ask 2 1000 pass bid:1..9 call\n");
	expect_last(1, "move 2 bid:5\nask 2 1000 lead bid:1..9 call\n");
	expect_last(2, "move 2 bid:5\nask 2 1000 pass bid:1..9 call\n");
	/* The answer that crossed it is ignored. */
	fake_say(&scene.bot[0], "do 1 call");
	scene_pass(&scene);
	cr_expect_null(strstr(fake_read(&scene.bot[1]), "\nfault"));
	/* The holder's own move does not wait. */
	answer(1, "lead");
	cr_expect_not_null(strstr(scene_body(&scene), "\nmove 1 lead"));
}

/* Returns which of two answers of one pass moves. */
static unsigned
draw_arrival(unsigned seed, unsigned first)
{
	unsigned mover;

	prepare(3, PARLEY_OPEN, 1);
	scene.setup.arrival = true;
	deal_from_seed(&scene.setup.deal, "arrival", seed);
	scene_begin(&scene);
	scene_do(&scene, first, "bid:1");
	answer(2 - first, "bid:2");
	mover = fake_has_read(&scene.bot[1], "move 2 bid:1") ||
				fake_has_read(&scene.bot[1], "move 2 bid:2")
			? 2
			: 0;
	cr_expect_eq(scene.over, 1);
	return mover;
}

Test(table, answers_of_one_pass_are_put_in_order_by_chance)
{
	unsigned seed, late = 0, mover;

	for (seed = 1; seed <= 40; seed++) {
		mover = draw_arrival(seed, 0);
		late += mover == 2;
		/* The order of reading means nothing; the seed decides. */
		cr_expect_eq(draw_arrival(seed, 2), mover);
	}
	cr_expect_gt(late, 8);
	cr_expect_lt(late, 32);
}

Test(table, the_house_move_of_a_holder_waits_for_the_others)
{
	prepare(3, PARLEY_HELD, 2);
	scene.setup.arrival = true;
	scene_begin(&scene);
	answer(0, "nonsense");
	cr_expect_eq(scene.bot[1].writes, 1);
	answer(1, "pass");
	answer(2, "pass");
	expect_last(2, "fault 0 illegal\nmove 0 lead\n"
		       "ask 2 1000 pass bid:1..9 call\n");
	/* Now seat 1 holds; its fault is overtaken. */
	answer(1, "nonsense");
	answer(2, "call");
	cr_expect_not_null(strstr(fake_last_write(&scene.bot[2]),
				  "fault 1 illegal\nmove 2 call\nresult"));
}

/* ---- faults ------------------------------------------------------------ */

Test(table, a_move_is_exactly_a_token_of_the_list)
{
	static const char *const good[] = { "stay", "stake:4", "stake:30",
					    "stake:17" };
	static const char *const bad[] = {
		"stake:3",     "stake:31",
		"stake:04",    "stake:+4",
		"stake:-4",    "stake:4..5",
		"stake:",      "stake",
		"stake:4:4",   "stake:4x",
		"Stay",	       "stay:",
		"pass",	       "stake:65540" /* 4 in 16 bits */,
		"stake:4..30",
	};
	size_t i;

	for (i = 0; i < NELEM(good) + NELEM(bad); i++) {
		const char *token =
			i < NELEM(good) ? good[i] : bad[i - NELEM(good)];

		begin(2, PARLEY_SINGLE, 2);
		answer(0, token);
		cr_expect_eq(fake_has_read(&scene.bot[1], "fault 0 illegal"),
			     i >= NELEM(good), "%s", token);
		cr_expect_eq(fake_has_read(&scene.bot[1], "move 0 stay"),
			     i == 0 || i >= NELEM(good), "%s", token);
	}
}

Test(table, a_timeout_comes_without_any_line_of_the_bot)
{
	begin(2, PARLEY_SINGLE, 2);
	scene_wait(&scene, 999);
	cr_expect_eq(scene.bot[1].writes, 1);
	scene_wait(&scene, 1); /* the last microsecond is the bot's */
	cr_expect_eq(scene.bot[1].writes, 1);
	scene_wait(&scene, 1);
	expect_last(0, "void 1\nfault 0 timeout\nmove 0 stay\n");
	expect_last(1, "fault 0 timeout\nmove 0 stay\n"
		       "ask 1 1000 stay stake:4..30\n");
	cr_expect_not_null(strstr(scene_body(&scene),
				  "fault 0 timeout\nmove 0 stay ; 1001.000ms"));
	answer(1, "stay");
	cr_expect_eq(table_turns(scene.table), 1, "answered ones only");
}

/* The timer was armed for a deadline that was met. */
Test(table, a_timer_that_is_too_early_finds_the_next_deadline)
{
	begin(2, PARLEY_SINGLE, 9);
	fake_now_us += 900000;
	answer(0, "stay");
	scene_wait(&scene, 150); /* 1050 ms after the first ask */
	cr_expect_null(strstr(fake_read(&scene.bot[0]), "\nfault"));
	scene_wait(&scene, 851);
	cr_expect(fake_has_read(&scene.bot[0], "fault 1 timeout"));
}

Test(table, clocks_of_an_open_decision_run_side_by_side)
{
	begin(3, PARLEY_HELD, 2);
	scene_do(&scene, 1, "bid:1");
	scene_wait(&scene, 1001);
	/* One pass for both; the order is that of the seats. */
	expect_last(1, "fault 0 timeout\nfault 2 timeout\nmove 1 bid:1\n"
		       "ask 2 1000 lead bid:1..9 call\n");
	expect_last(2,
		    "void 1\nfault 0 timeout\nfault 2 timeout\nmove 1 bid:1\n"
		    "ask 2 1000 pass bid:1..9 call\n");
}

Test(table, with_arrival_a_void_ask_is_no_timeout)
{
	prepare(2, PARLEY_OPEN, 2);
	scene.setup.arrival = true;
	scene_begin(&scene);
	fake_now_us += 999000;
	answer(1, "call");
	scene_wait(&scene, 900); /* long after the first deadline */
	cr_expect_null(strstr(fake_read(&scene.bot[0]), "\nfault"));
}

/* The answer is read in the pass in which the other's time is over. */
Test(table, with_arrival_an_answer_comes_before_the_timer_of_its_pass)
{
	prepare(2, PARLEY_OPEN, 2);
	scene.setup.arrival = true;
	scene_begin(&scene);
	fake_now_us += 999000;
	scene_do(&scene, 1, "call");
	scene_wait(&scene, 2);
	cr_expect_not_null(
		strstr(fake_read(&scene.bot[0]), "void 1\nmove 1 call\n"));
	cr_expect_null(strstr(fake_read(&scene.bot[0]), "\nfault"));
}

Test(table, an_owed_fault_stands_in_place_of_the_answer)
{
	begin(3, PARLEY_SINGLE, 4);
	fake_say(&scene.bot[1], "what?");
	fake_die(&scene.bot[2]);
	answer(0, "stay");
	scene_pass(&scene);
	expect_last(0, "move 0 stay\nfault 1 protocol\nmove 1 stay\n"
		       "fault 2 crash\nmove 2 stay\n"
		       "ask 2 1000 stay stake:4..30\n");
	cr_expect_eq(scene_asks(&scene, 1), 0);
}

Test(table, a_fault_that_is_never_charged_is_in_the_header_alone)
{
	struct table_outcome outcome;

	begin(3, PARLEY_SINGLE, 1);
	fake_say(&scene.bot[1], "what?");
	fake_die(&scene.bot[2]);
	answer(0, "stay");
	cr_expect_not_null(strstr(scene_record(&scene), "\nowed 1 protocol\n"));
	cr_expect_not_null(strstr(scene_record(&scene), "\nbroken 2 crash\n"));
	cr_expect_null(strstr(scene_record(&scene), "fault "));
	table_outcome(scene.table, &outcome);
	cr_expect_eq(outcome.faults[1] + outcome.faults[2], 0);
}

/* ---- retirement -------------------------------------------------------- */

Test(table, at_its_last_fault_a_seat_is_retired)
{
	struct table_outcome outcome;

	prepare(2, PARLEY_SINGLE, 5);
	scene.setup.faults = 2;
	scene_begin(&scene);
	answer(0, "x");
	answer(1, "stay");
	answer(0, "y");
	cr_expect(scene.bot[0].parted);
	cr_expect_eq(scene.bot[0].grace_ms, BYE_MS);
	cr_expect_not_null(strstr(fake_read(&scene.bot[0]),
				  "\nfault 0 illegal\nretired\nbye\n"));
	cr_expect_str_eq(strstr(fake_read(&scene.bot[0]), "retired"),
			 "retired\nbye\n", "and nothing after it");
	answer(1, "stake:9");
	expect_last(
		1, "move 1 stake:9\nmove 0 stay\nresult 0 1 3\nresult 1 2 2\n");
	cr_expect_str_eq(strstr(scene_body(&scene), "result"),
			 "result 0 1 3\nresult 1 2 2\nforfeit 0 illegal\n");
	table_outcome(scene.table, &outcome);
	cr_expect_eq(outcome.faults[0], 2);
	cr_expect(outcome.retired[0]);
	cr_expect_not(outcome.retired[1]);
	expect_places((int[]){ 2, 1 });
}

Test(table, who_is_retired_earlier_is_placed_lower_together_alike)
{
	unsigned turn;

	prepare(5, PARLEY_OPEN, 4);
	scene.setup.faults = 1;
	scene_begin(&scene);
	scene_do(&scene, 3, "x"); /* the first one */
	for (turn = 0; turn < 4; turn++) {
		scene_do(&scene, 0, "call");
		scene_do(&scene, 1, turn == 2 ? "x" : "pass");
		scene_do(&scene, 2, "pass");
		answer(4, turn == 2 ? "bid:0" : "bid:1");
	}
	cr_assert_eq(scene.over, 1);
	cr_expect_str_eq(strstr(scene_body(&scene), "forfeit"),
			 "forfeit 3 illegal\nforfeit 1 illegal\n"
			 "forfeit 4 illegal\n");
	expect_places((int[]){ 1, 3, 2, 5, 3 });
}

Test(table, a_game_of_the_retired_comes_to_its_end)
{
	unsigned i;

	prepare(3, PARLEY_HELD, 200);
	scene.setup.faults = 1;
	scene.setup.arrival = true;
	scene_begin(&scene);
	for (i = 0; i < 3; i++)
		fake_die(&scene.bot[i]);
	for (i = 0; i < 300 && scene.over == 0; i++)
		scene_pass(&scene);
	cr_expect_eq(scene.over, 1);
	cr_expect_gt(i, 4, "it does not keep the loop");
	expect_places((int[]){ 1, 1, 1 });
}

/* ---- the end ----------------------------------------------------------- */

Test(table, the_receipt_is_the_hash_of_the_record)
{
	unsigned char hash[RECORD_HASH_BYTES];
	char hex[2 * RECORD_HASH_BYTES + 1], expected[256];
	const char *text;
	unsigned s;

	begin(2, PARLEY_SINGLE, 1);
	answer(0, "stay");
	cr_expect_eq(scene.over, 1);
	scene_pass(&scene);
	cr_expect_eq(scene.over, 1);
	cr_expect_null(strstr(fake_read(&scene.bot[0]), "over"));
	text = scene_record(&scene);
	record_hash_text(text, strlen(text), hash);
	sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	snprintf(expected, sizeof(expected), "over %s %s\nbye\n",
		 scene.setup.deal.id, hex);
	scene_receipt(&scene);
	for (s = 0; s < 2; s++) {
		expect_last(s, expected);
		cr_expect(scene.bot[s].parted);
		cr_expect_eq(scene.bot[s].grace_ms, BYE_MS);
	}
}

Test(table, without_a_record_the_game_is_aborted)
{
	char expected[256];

	begin(2, PARLEY_SINGLE, 1);
	answer(0, "stay");
	table_receipt(scene.table, NULL, NULL);
	scene.table = NULL;
	snprintf(expected, sizeof(expected), "abort %s machine\nbye\n",
		 scene.setup.deal.id);
	expect_last(0, expected);
}

Test(table, without_news_of_its_record_bots_are_let_go_and_told_nothing)
{
	begin(2, PARLEY_SINGLE, 1);
	answer(0, "stay");
	table_leave(scene.table);
	scene.table = NULL;
	expect_last(0, "bye\n");
	expect_last(1, "bye\n");
	cr_expect(scene.bot[0].parted);
}

Test(table, bots_without_a_fault_may_play_on)
{
	unsigned char hash[RECORD_HASH_BYTES] = { 1 };
	struct bot *bot[SEATS_MAX];

	begin(3, PARLEY_SINGLE, 3);
	answer(0, "stay");
	answer(1, "x");
	answer(2, "stay");
	table_receipt(scene.table, hash, bot);
	scene.table = NULL;
	scene_pass(&scene);
	cr_expect_eq(bot[0], &scene.bot[0].bot);
	cr_expect_null(bot[1]);
	cr_expect_eq(bot[2], &scene.bot[2].bot);
	cr_expect_eq(strncmp(fake_last_write(&scene.bot[0]), "over ", 5), 0);
	cr_expect_null(strstr(fake_last_write(&scene.bot[0]), "bye"));
	cr_expect_not_null(strstr(fake_last_write(&scene.bot[1]), "\nbye\n"));
	cr_expect_not(scene.bot[0].parted);
	cr_expect(scene.bot[1].parted);
}

/* A bot that reads nothing has no room left for the receipt either. */
Test(table, a_bot_that_never_reads_gets_no_receipt_and_hurts_nobody)
{
	static char line[OUT_BYTES];

	memset(line, 'x', sizeof(line));
	begin(2, PARLEY_SINGLE, 1);
	answer(0, "stay");
	scene.bot[1].stuck = true;
	bot_line(&scene.bot[1].bot, line, OUT_BYTES - 5);
	scene_receipt(&scene);
	scene_pass(&scene);
	cr_expect(scene.bot[1].parted);
	cr_expect_not_null(strstr(fake_read(&scene.bot[0]), "\nbye\n"));
}

Test(table, what_a_bot_does_not_read_has_a_limit)
{
	unsigned i;

	prepare(2, PARLEY_SINGLE, 50);
	parley_setup(&scene.setup.game, 2, PARLEY_SINGLE, 50, 30);
	scene_begin(&scene);
	scene.bot[1].stuck = true;
	for (i = 0; i < 50 && !scene.bot[1].parted; i++) {
		scene_do(&scene, 0, "stay");
		scene_wait(&scene, 1001 + WRITE_MS);
		cr_assert_leq(scene.bot[1].bot.used, OUT_BYTES);
	}
	cr_expect(scene.bot[1].parted);
	for (i = 0; i < 200 && scene.over == 0; i++) {
		answer(0, "stay");
	}
	cr_expect_eq(scene.over, 1);
	cr_expect_not_null(strstr(scene_body(&scene), "forfeit 1 timeout"));
}

/* ---- abort ------------------------------------------------------------- */

Test(table, an_aborted_game_has_no_result)
{
	struct table_outcome outcome;
	char expected[256];

	prepare(2, PARLEY_OPEN, 9);
	scene.setup.faults = 1;
	scene_begin(&scene);
	scene_do(&scene, 0, "x");
	answer(1, "call");
	scene_do(&scene, 1, "bid:2");
	table_abort(scene.table, ABORT_INTERRUPTED);
	cr_expect_eq(scene.over, 0, "never from inside");
	fake_say(&scene.bot[1], "do 2 call");
	fake_say(&scene.bot[1], "what?");
	scene_pass(&scene);
	cr_expect_eq(scene.over, 1);
	table_abort(scene.table, ABORT_SHUTDOWN);
	scene_pass(&scene);
	cr_expect_eq(scene.over, 1);
	table_outcome(scene.table, &outcome);
	cr_expect_eq(outcome.aborted, ABORT_INTERRUPTED);
	cr_expect_not_null(
		strstr(scene_record(&scene), "\naborted interrupted\n"));
	cr_expect_not_null(strstr(scene_record(&scene), "\nsecret "));
	/* It only ends, without a `forfeit` line. */
	cr_expect_str_eq(scene_body(&scene),
			 "deal 0 {40}0\n"
			 "deal 1 {41}1\n"
			 "fault 0 illegal ; said do%201%20x\n"
			 "move 1 call ; 0.000ms\n");
	snprintf(expected, sizeof(expected), "abort %s interrupted\nbye\n",
		 scene.setup.deal.id);
	scene_receipt(&scene);
	expect_last(1, expected);
}

Test(table, a_bot_that_the_organiser_sends_away_is_not_broken)
{
	prepare(3, PARLEY_SINGLE, 1);
	scene_begin(&scene);
	fake_die(&scene.bot[2]);
	table_abort(scene.table, ABORT_ORGANISER);
	fake_die(&scene.bot[1]);
	scene_pass(&scene);
	cr_expect_not_null(
		strstr(scene_record(&scene), "\naborted organiser\n"));
	cr_expect_null(strstr(scene_record(&scene), "\nbroken 1 "));
	cr_expect_not_null(strstr(scene_record(&scene), "\nbroken 2 crash\n"));
}

Test(table, a_bot_that_does_not_start_is_broken)
{
	prepare(2, PARLEY_SINGLE, 1);
	scene_begin(&scene);
	table_abort(scene.table, ABORT_NOT_STARTED);
	fake_die(&scene.bot[1]);
	scene_pass(&scene);
	cr_expect_not_null(strstr(scene_record(&scene), "\nbroken 1 crash\n"));
}

Test(table, a_game_can_be_aborted_before_its_first_card)
{
	struct record *record;
	struct error why = { 0 };
	const char *text;

	prepare(2, PARLEY_OPEN, 9);
	scene.setup.entropy[0] = true;
	scene_begin(&scene);
	table_abort(scene.table, ABORT_INTERRUPTED);
	fake_say(&scene.bot[0], "entropy aa");
	scene_pass(&scene);
	cr_expect_eq(scene.over, 1);
	cr_expect_str_eq(scene_body(&scene), "");
	cr_expect_null(strstr(fake_read(&scene.bot[0]), "deal"));
	text = scene_record(&scene);
	cr_assert_eq(record_parse(text, strlen(text), &record, &why), 0, "%s",
		     why.text);
	record_free(record);
}

/* ---- the record -------------------------------------------------------- */

/* Two dead bots and 30000 bytes of events a turn. */
Test(table, a_record_that_grows_too_long_ends_the_game)
{
	struct error why = { 0 };
	struct record *record;
	const char *text;
	unsigned i, turns;
	int place[SEATS_MAX];
	long points[SEATS_MAX];

	/* The number of turns fits, is one too many, or more. */
	for (turns = 2232; turns <= 2236; turns += 2) {
		prepare(2, PARLEY_SINGLE, turns);
		parley_setup(&scene.setup.game, 2, PARLEY_SINGLE, turns, 30);
		scene.setup.faults = 1;
		scene_begin(&scene);
		for (i = 0; i < 2; i++)
			fake_die(&scene.bot[i]);
		for (i = 0; i < turns && scene.over == 0; i++)
			scene_pass(&scene);
		cr_assert_eq(scene.over, 1);
		text = scene_record(&scene);
		cr_expect_leq(strlen(text), RECORD_BYTES);
		cr_assert_eq(record_parse(text, strlen(text), &record, &why), 0,
			     "%s", why.text);
		cr_assert_eq(turns == 2232, record->aborted == NULL, "%u",
			     turns);
		if (record->aborted == NULL)
			cr_expect_eq(record_places(record, place, points, &why),
				     0, "%s", why.text);
		else
			cr_expect_str_eq(record->aborted, "record-too-long");
		record_free(record);
	}
}

Test(table, asks_are_recorded_on_demand)
{
	prepare(2, PARLEY_HELD, 1);
	scene.setup.record_asks = true;
	scene_begin(&scene);
	scene_do(&scene, 1, "x");
	answer(0, "lead");
	cr_expect_str_eq(strstr(scene_body(&scene), "ask"),
			 "ask 0 lead bid:1..9 call\n"
			 "ask 1 pass bid:1..9 call\n"
			 "fault 1 illegal ; said do%201%20x\n"
			 "move 0 lead ; 0.000ms\n"
			 "result 0 1 1\n"
			 "result 1 2 0\n");
}

/* Expects the lines of its side file but the first two. */
static void
expect_asks(const char *lines)
{
	struct text asks = { .max = ASKS_BYTES };

	table_take_asks(scene.table, &asks);
	cr_expect_str_eq(strchr(strchr(text_string(&asks), '\n') + 1, '\n') + 1,
			 lines);
	text_release(&asks);
}

Test(table, every_ask_has_its_time)
{
	prepare(3, PARLEY_HELD, 3);
	scene.setup.arrival = true;
	scene.setup.faults = 2;
	scene.setup.clock.bank_us = 2000000;
	scene.setup.clock.increment_us = 5000;
	scene_begin(&scene);
	scene_do(&scene, 1, "pass");
	scene_wait(&scene, 20);
	scene.bot[2].bot.wrote = 77;
	scene_do(&scene, 2, "bid:5"); /* seat 0 is not awaited any more */
	scene_pass(&scene);
	scene_do(&scene, 0, "x");
	scene_wait(&scene, 1500);
	answer(1, "lead");
	scene_do(&scene, 0, "y"); /* it is retired, and asked no more */
	scene_do(&scene, 1, "pass");
	fake_die(&scene.bot[2]);
	scene_pass(&scene);
	expect_asks("3 0 20000 -\n"
		    "0 1 0 pass\n"
		    "0 2 20000 bid:5 bank=2005 stderr=77\n"
		    "1 0 0 - fault=illegal\n"
		    "0 1 1500000 lead bank=1505\n"
		    "0 2 1500000 - bank=1505\n"
		    "2 0 0 - fault=illegal\n"
		    "0 1 0 pass\n"
		    "0 2 0 - fault=crash bank=1510\n");
}

/* A bot may go on to write while others are still asked. */
Test(table, what_is_written_after_an_answer_belongs_to_the_next_ask)
{
	prepare(2, PARLEY_OPEN, 3);
	scene_begin(&scene);
	scene.bot[0].bot.wrote = 5;
	scene_do(&scene, 0, "pass");
	scene.bot[0].bot.wrote = 30;
	scene_do(&scene, 1, "call");
	scene_pass(&scene);
	scene_do(&scene, 0, "pass");
	table_abort(scene.table, ABORT_INTERRUPTED);
	scene_pass(&scene);
	expect_asks("2 0 0 pass stderr=5\n"
		    "0 1 0 call\n"
		    "1 0 0 pass stderr=30\n"
		    "0 1 0 -\n");
}

Test(table, an_ask_that_was_not_sent_has_no_time)
{
	begin(2, PARLEY_SINGLE, 2);
	fake_say(&scene.bot[1], "what?");
	answer(0, "stay");
	scene_pass(&scene);
	expect_asks("2 0 0 stay\n1 1 - - fault=protocol\n");
}

Test(table, the_asks_of_an_aborted_game_are_told)
{
	begin(2, PARLEY_OPEN, 9);
	scene_do(&scene, 0, "call");
	scene_wait(&scene, 3);
	table_abort(scene.table, ABORT_INTERRUPTED);
	scene_pass(&scene);
	expect_asks("2 0 0 call\n0 1 3000 -\n");
}

/* Only the charged seat is told the line that it was charged for. */
Test(table, a_wrong_answer_is_kept)
{
	char long_line[2 * SAID_BYTES], sentence[FAULT_SENTENCE_BYTES];
	struct fault_notes notes;
	unsigned i;

	begin(2, PARLEY_SINGLE, 5);
	memset(long_line, 'x', sizeof(long_line));
	long_line[SAID_BYTES + 1] = '\0';
	long_line[0] = ';';
	fake_say(&scene.bot[0], "%s", long_line);
	scene_pass(&scene);
	for (i = 0; i < FAULT_NOTES_A_SEAT; i++) {
		answer(1, "y");
		answer(0, "stay");
	}
	table_take_faults(scene.table, &notes);
	cr_assert_geq(notes.count, 2);
	cr_expect_eq(notes.note[0].seat, 0);
	cr_expect_eq(notes.note[0].fault, FAULT_PROTOCOL);
	cr_expect_eq(notes.note[0].ask, 1);
	cr_expect_eq(notes.note[0].said.bytes, SAID_BYTES + 1);
	cr_expect_eq(notes.note[0].said.kept, SAID_BYTES);
	fault_note_sentence(&notes.note[1], sentence);
	cr_expect_str_eq(sentence, "illegal: answered ask 1 with `y`; legal: "
				   "stay stake:4..30");
	long_line[SAID_BYTES] = '\n';
	cr_expect_not_null(
		strstr(scene_body(&scene), "fault 0 protocol ; said %3Bxxx"));
	cr_expect_not_null(strstr(scene_body(&scene), long_line + 1));
	long_line[SAID_BYTES] = 'x';
	cr_expect_null(strstr(scene_body(&scene), long_line + 1));
	cr_expect_null(strstr(fake_read(&scene.bot[1]), "said"));
	fault_notes_release(&notes);
}

Test(table, a_remark_is_a_comment_of_the_next_event_line)
{
	begin(2, PARLEY_SINGLE, 3);
	fake_say(&scene.bot[1], "say a;b 100%%");
	fake_say(&scene.bot[0], "say  ~");
	answer(0, "stay");
	cr_expect_not_null(strstr(scene_body(&scene),
				  "move 0 stay ; 0.000ms"
				  " ; say 1 a%3Bb%20100%25 ; say 0 %20~\n"));
	fake_say(&scene.bot[0], "say x");
	answer(1, "x");
	cr_expect_not_null(
		strstr(scene_body(&scene),
		       "fault 1 illegal ; said do%201%20x ; say 0 x\n"));
	cr_expect_null(strstr(fake_read(&scene.bot[1]), "say"));
}

static void
check_lines(const char *body, const char *remark, unsigned count)
{
	const char *at = body, *lf;
	unsigned found = 0;

	for (; *at != '\0'; at = lf + 1) {
		lf = strchr(at, '\n');
		cr_assert_leq(lf - at, LINE_REFEREE_BYTES);
	}
	for (at = body; (at = strstr(at, remark)) != NULL; at++)
		found++;
	cr_expect_eq(found, count, "%u of %u", found, count);
}

Test(table, remarks_that_do_not_fit_into_a_line_wait_for_the_next)
{
	char text[SAY_BYTES + 1] = "", coded[3 * SAY_BYTES + 1] = "";
	unsigned i, s;

	for (i = 0; i < SAY_BYTES; i++) {
		memcpy(text + i, ";", 2);
		memcpy(coded + (size_t)3 * i, "%3B", 4);
	}
	begin(2, PARLEY_SINGLE, 16);
	for (i = 0; i < SAY_COUNT; i++)
		for (s = 0; s < 2; s++)
			fake_say(&scene.bot[s], "say %s", text);
	for (i = 0; i < 16; i++) {
		answer(i % 2, "stay");
	}
	cr_assert_eq(scene.over, 1);
	check_lines(scene_body(&scene), coded, 2 * SAY_COUNT);
}

/* A bot that has never answered may hold its answers back, or compute. */
Test(table, an_ask_without_an_answer_tells_what_the_bot_was_doing)
{
	static const char *const words[][2] = {
		[BOT_UNSEEN] = { "; did it flush its output, or is it in an "
				 "endless loop?",
				 "" },
		[BOT_WAITS] = { "; it was waiting, not computing: did it flush "
				"its output?",
				"; it was waiting, not computing" },
		[BOT_RUNS] = { "; it was still computing: is it too slow, or "
			       "in an endless loop?",
			       "; it was still computing: is it too slow, or "
			       "in an endless loop?" },
		[BOT_UNREAD] = { "; it had not even read the ask",
				 "; it had not even read the ask" },
		[BOT_STOPPED] = { "; it was stopped, as by SIGSTOP",
				  "; it was stopped, as by SIGSTOP" },
		[BOT_STARVED] = { "; it had the processor for 6 of 44 ms: the "
				  "machine is overloaded",
				  "; it had the processor for 6 of 44 ms: the "
				  "machine is overloaded" },
	};
	struct fault_note note = { .fault = FAULT_TIMEOUT,
				   .used_us = 300000,
				   .legal = "pass knock" };
	char sentence[FAULT_SENTENCE_BYTES], expected[FAULT_SENTENCE_BYTES];

	for (unsigned i = 0; i < 2 * NELEM(words); i++) {
		note.seen = (struct bot_seen){ (enum bot_doing)(i / 2), 6, 44 };
		note.ask = 1 + i % 2;
		fault_note_sentence(&note, sentence);
		snprintf(expected, sizeof(expected),
			 "timeout: no answer to ask %u in 300 ms%s; legal: "
			 "pass knock",
			 (unsigned)note.ask, words[i / 2][i % 2]);
		cr_expect_str_eq(sentence, expected);
	}
}

/* A fault whose line says nothing, or was right, says its reason. */
Test(table, each_reason_of_a_bad_line_has_its_words)
{
	static const struct {
		enum said_why why;
		const char *said, *sentence;
	} cases[] = {
		{ SAID_EMPTY, "", "protocol: said an empty line" },
		{ SAID_LONG, "",
		  "protocol: said a line of more than 1023 "
		  "bytes" },
		{ SAID_BYTE, "do 2\tpass",
		  "protocol: said a line with the byte 0x09, which is not "
		  "printable ASCII: `do 2\tpass`" },
		{ SAID_BYTE, "do 2 \xc3\xa4",
		  "protocol: said a line with the byte 0xc3, which is not "
		  "printable ASCII: `do 2 \xc3\xa4`" },
		{ SAID_MUCH, "",
		  "protocol: said more than 1000 useless lines in one game: "
		  "second answers, remarks beyond the 100th, or lines that "
		  "mean nothing here" },
		{ SAID_ENDLESS, "",
		  "protocol: said 1048576 bytes without the end of a line" },
		{ SAID_NOT_READ, "",
		  "protocol: did not read what it was told" },
	};
	char sentence[FAULT_SENTENCE_BYTES], expected[FAULT_SENTENCE_BYTES];

	for (size_t i = 0; i < NELEM(cases); i++) {
		struct fault_note note = { .ask = 2,
					   .legal = "pass",
					   .fault = FAULT_PROTOCOL };
		size_t n = strlen(cases[i].said);

		memcpy(note.said.text, cases[i].said, n);
		note.said.bytes = note.said.kept = (uint32_t)n;
		note.said.why = (uint8_t)cases[i].why;
		fault_note_sentence(&note, sentence);
		snprintf(expected, sizeof(expected), "%s; legal: pass",
			 cases[i].sentence);
		cr_expect_str_eq(sentence, expected);
	}
}

Test(table, a_line_that_was_cut_is_told_with_its_reason)
{
	char sentence[FAULT_SENTENCE_BYTES];

	for (unsigned i = 0; i < 3; i++) {
		struct fault_note note = { .ask = 2,
					   .legal = "pass",
					   .fault = FAULT_PROTOCOL };

		memset(note.said.text, 'x', SAID_BYTES);
		memcpy(note.said.text, i > 0 ? "say " : "sax ", 4);
		note.said.kept = SAID_BYTES;
		note.said.bytes = 4 + SAY_BYTES + (i != 1);
		fault_note_sentence(&note, sentence);
		cr_expect_eq(strstr(sentence, "...`: say takes at most 200 "
					      "bytes; legal: pass") != NULL,
			     i == 2, "%s", sentence);
	}
}

Test(table, a_timeout_tells_of_answers_to_others_and_too_late)
{
	struct fault_note note = { .ask = 2,
				   .legal = "pass",
				   .fault = FAULT_TIMEOUT,
				   .used_us = 1000000,
				   .again = 1 };
	char sentence[FAULT_SENTENCE_BYTES];

	fault_note_sentence(&note, sentence);
	cr_expect_str_eq(sentence, "timeout: no answer to ask 2 in 1000 ms; it "
				   "answered ask 1 again; legal: pass");
	note.again = 0;
	note.late_us = 200000;
	fault_note_sentence(&note, sentence);
	cr_expect_str_eq(sentence, "timeout: no answer to ask 2 in 1000 ms; "
				   "its answer came 200 ms late; legal: pass");
}

Test(table, a_line_without_its_end_is_told_with_the_fault)
{
	struct fault_note note = {
		.ask = 2,
		.legal = "pass",
		.used_us = 1000000,
		.fault = FAULT_TIMEOUT,
		.seen.doing = BOT_WAITS,
		.said = { .bytes = 9, .kept = 9, .text = "do 2 pass" }
	};
	char sentence[FAULT_SENTENCE_BYTES], token[SAID_BYTES + 1];

	fault_note_sentence(&note, sentence);
	cr_expect_str_eq(sentence,
			 "timeout: no answer to ask 2 in 1000 ms; its "
			 "line `do 2 pass` has no end (no line feed)"
			 "; legal: pass");
	fault_note_token(&note, token);
	cr_expect_str_eq(token, "");
	note.fault = FAULT_CRASH;
	note.said.bytes = 300;
	fault_note_sentence(&note, sentence);
	cr_expect_str_eq(sentence, "crash: ended, or closed its output, before "
				   "it answered ask 2; its line `do 2 pass...` "
				   "has no end (no line feed); legal: pass");
	note.seen = (struct bot_seen){ BOT_STARVED, 6, 44 };
	note.fault = FAULT_TIMEOUT;
	fault_note_sentence(&note, sentence);
	cr_expect_not_null(strstr(sentence, "overloaded"));
}

Test(table, an_unended_line_is_not_in_the_record)
{
	begin(2, PARLEY_SINGLE, 5);
	scene.bot[0].unended = "do 1 stay";
	fake_now_us += 3600 * (uint64_t)1000000;
	answer(0, "stay");
	cr_expect_not_null(strstr(scene_record(&scene), "\nfault 0 timeout\n"));
}

Test(table, an_answer_that_comes_late_is_noted_with_the_fault)
{
	struct fault_notes notes;

	begin(2, PARLEY_SINGLE, 5);
	fake_now_us += 3600 * (uint64_t)1000000;
	answer(0, "stay");
	table_take_faults(scene.table, &notes);
	cr_assert_geq(notes.count, 1);
	cr_expect_eq(notes.note[0].fault, FAULT_TIMEOUT);
	cr_expect_gt(notes.note[0].late_us, 0);
	fault_notes_release(&notes);
}

/* The bot is observed after a part of its time and at its deadline; the record
 * has the result. */
Test(table, a_bot_that_starves_is_told_from_one_that_computes)
{
	struct fault_notes notes;

	prepare(2, PARLEY_SINGLE, 3);
	scene.bot[0].seen = (struct bot_seen){ BOT_STARVED, 6, 875 };
	scene_begin(&scene);
	scene_wait(&scene, 124);
	cr_expect_eq(scene.bot[0].watched, 0);
	scene_wait(&scene, 1);
	cr_expect_eq(scene.bot[0].watched, 1);
	scene_wait(&scene, 400);
	cr_expect_eq(scene.bot[0].watched, 1, "once an ask");
	scene_wait(&scene, 500);
	cr_assert_not_null(strstr(scene_body(&scene),
				  "\nfault 0 timeout ; starved 6 of 875ms\n"));
	cr_expect(fake_has_read(&scene.bot[1], "fault 0 timeout"));
	scene.bot[1].seen.doing = BOT_RUNS;
	scene_wait(&scene, 1001);
	cr_expect_not_null(strstr(scene_body(&scene), "\nfault 1 timeout\n"));
	table_take_faults(scene.table, &notes);
	cr_assert_eq(notes.count, 2);
	cr_expect_eq(notes.note[0].seen.doing, BOT_STARVED);
	cr_expect_eq(notes.note[0].seen.had_ms, 6);
	cr_expect_eq(notes.note[1].seen.doing, BOT_RUNS);
	fault_notes_release(&notes);
}

/* An answer in time costs no look. */
Test(table, a_quick_bot_is_not_watched)
{
	begin(2, PARLEY_SINGLE, 3);
	for (unsigned i = 0; i < 3; i++) {
		scene_wait(&scene, 100);
		answer(i % 2, "stay");
	}
	cr_assert_eq(scene.over, 1);
	cr_expect_eq(scene.bot[0].watched + scene.bot[1].watched, 0);
}

/* The sentence has the bot's line, what is wrong with it, and the likely cause. */
Test(table, a_fault_names_its_cause)
{
	static const struct {
		const char *said, *sentence;
	} cases[] = {
		{ "do 300 pass", "said `do 300 pass`, but ask 300 was not made "
				 "yet; the last was 2" },
		{ "do2pass", "said `do2pass`: a line begins with bot, do, say, "
			     "entropy, pong, sit, rest, quit or crashed; put a "
			     "space after "
			     "`do`" },
		{ "I think", "crashed; is it a debug print? they belong on "
			     "standard error" },
		{ "pass", "an answer begins with `do` and the number of its "
			  "ask" },
	};
	struct fault_note note = { .ask = 2, .legal = "pass knock" };
	char sentence[FAULT_SENTENCE_BYTES];
	size_t i, n;

	for (i = 0; i < NELEM(cases); i++) {
		n = strlen(cases[i].said);
		memcpy(note.said.text, cases[i].said, n);
		note.said.bytes = note.said.kept = (uint32_t)n;
		note.fault = FAULT_PROTOCOL;
		fault_note_sentence(&note, sentence);
		cr_expect_not_null(strstr(sentence, cases[i].sentence), "%s",
				   sentence);
	}
	memcpy(note.said.text, "do 2 PASS", 9);
	note.said.bytes = note.said.kept = 9;
	note.fault = FAULT_ILLEGAL;
	fault_note_sentence(&note, sentence);
	cr_expect_str_eq(sentence,
			 "illegal: answered ask 2 with `PASS`; small and "
			 "capital letters differ; legal: pass knock");
}
