/* tests/unit/test-seat.c - one seat: its asks, its clock, its faults. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "referee/table/seat.h"
#include "tests/unit/fake-bot.h"

#define MS (uint64_t)1000

/* Holds a table with one seat. */
static struct {
	uint32_t late_ask;
	uint64_t late_us;
	struct loop loop;
	struct seat_clock clock;
	struct seat seat;
	struct fake_bot bot;
	unsigned answers, entropies, remarks;
	char remark[SAY_BYTES + 1];
} stub;
static bool begun;

static const struct move house = { .verb = 7 }, own = { .verb = 9 };

static bool
judge(void *arg, unsigned seat, const char *token, size_t n, struct move *move)
{
	(void)arg;
	(void)seat;
	*move = own;
	return n == 4 && memcmp(token, "good", 4) == 0;
}

static void
on_answered(void *arg, unsigned seat)
{
	(void)arg;
	(void)seat;
	stub.answers++;
}

static void
on_deadline(void *arg, uint64_t deadline_us)
{
	(void)arg;
	cr_expect_leq(deadline_us, stub.seat.deadline_us);
}

static void
on_entropy(void *arg, unsigned seat)
{
	(void)arg;
	(void)seat;
	stub.entropies++;
}

static void
on_remark(void *arg, unsigned seat, const char *text, size_t n)
{
	(void)arg;
	(void)seat;
	stub.remarks++;
	snprintf(stub.remark, sizeof(stub.remark), "%.*s", (int)n, text);
}

static void
on_late(void *arg, unsigned seat, uint32_t ask, uint64_t us)
{
	(void)arg;
	(void)seat;
	stub.late_ask = ask;
	stub.late_us = us;
}

static const struct seat_table up = {
	.judge = judge,
	.answered = on_answered,
	.deadline = on_deadline,
	.entropy = on_entropy,
	.remark = on_remark,
	.late = on_late,
};

static void
end(void)
{
	if (!begun)
		return;
	seat_let_go(&stub.seat, 0);
	fake_release(&stub.bot);
	loop_release(&stub.loop);
}

/* Begins with a time for a move, bank and increment, in milliseconds.  The process has
 * answered before, unless `fresh`. */
static void
begin(unsigned time, unsigned bank, unsigned increment, bool fresh)
{
	end();
	begun = true;
	memset(&stub, 0, sizeof(stub));
	fake_clock_begin();
	cr_assert_eq(loop_init(&stub.loop), 0);
	fake_init(&stub.bot, &stub.loop);
	stub.bot.bot.started = !fresh;
	stub.clock = (struct seat_clock){ .time_us = time * MS,
					  .bank_us = bank * MS,
					  .increment_us = increment * MS };
	seat_init(&stub.seat, 2, &stub.bot.bot, &stub.clock, &up, NULL);
}

/* Asks and hands the ask over. */
static void
ask(void)
{
	seat_ask(&stub.seat, house, "pass good", 9);
	if (stub.seat.state == SEAT_ASKED)
		bot_stamp(&stub.bot.bot);
	fake_pass(&stub.loop);
}

/* Ends the decision; the seat's own move took effect if `moved`. */
static void
resolve(bool moved)
{
	seat_decision_over(&stub.seat, moved);
	fake_pass(&stub.loop);
}

/* A move has a second. */
static void
begin_as_usual(void)
{
	begin(1000, 0, 0, false);
}

TestSuite(seat, .init = begin_as_usual, .fini = end);

static void
expect_fault(enum fault fault)
{
	cr_assert_eq(stub.seat.state, SEAT_ANSWERED);
	cr_assert_eq(stub.seat.fault, fault, "%s, not %s",
		     fault_name(stub.seat.fault), fault_name(fault));
	cr_assert_eq(stub.seat.answer.verb,
		     fault == FAULT_NONE ? own.verb : house.verb);
}

/* ---- asks -------------------------------------------------------------- */

Test(seat, asks_are_numbered_and_tell_the_time)
{
	begin(1000, 250, 0, true);
	ask();
	cr_expect_str_eq(fake_read(&stub.bot), "ask 1 1250 pass good\n");
	fake_say(&stub.bot, "do 1 good");
	expect_fault(FAULT_NONE);
	cr_expect_eq(stub.answers, 1);
	resolve(false);
	ask();
	cr_expect_str_eq(fake_last_write(&stub.bot), "ask 2 1250 pass good\n");
}

Test(seat, an_answer_at_the_deadline_counts_one_later_does_not)
{
	unsigned late;

	for (late = 0; late < 2; late++) {
		begin(1000, 500, 0, false);
		ask();
		cr_expect_eq(stub.seat.deadline_us, fake_now_us + 1500 * MS);
		fake_now_us += 1500 * MS + late;
		fake_say(&stub.bot, "do 1 good");
		expect_fault(late ? FAULT_TIMEOUT : FAULT_NONE);
		cr_expect_eq(stub.answers, 1);
		cr_expect_eq(stub.seat.bank_us, 0);
	}
}

/* The timer may fire before a line of the same pass is read. */
Test(seat, the_timer_leaves_the_last_microsecond_to_the_bot)
{
	ask();
	fake_now_us += 1000 * MS;
	seat_check_deadline(&stub.seat, fake_now_us);
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	fake_now_us++;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(FAULT_TIMEOUT);
}

/* It does not matter if the timer has fired. */
Test(seat, after_the_deadline_everything_is_a_timeout)
{
	static const char *const lines[] = { "do 1 bad", "do 1 good", "hm",
					     "do 9 good" };
	size_t i;

	for (i = 0; i <= NELEM(lines); i++) {
		begin(1000, 0, 0, false);
		ask();
		fake_now_us += 1000 * MS + 1;
		if (i < NELEM(lines))
			fake_say(&stub.bot, "%s", lines[i]);
		else
			fake_die(&stub.bot);
		expect_fault(FAULT_TIMEOUT);
		cr_expect_eq(stub.answers, 1);
		fake_pass(&stub.loop);
		if (i < NELEM(lines))
			cr_expect(fake_has_read(&stub.bot, "void 1"));
		resolve(true);
		ask();
		if (i < 2) /* a late answer is useless, no more */
			cr_expect_eq(stub.seat.state, SEAT_ASKED);
		else if (i < 4)
			expect_fault(FAULT_PROTOCOL);
		else
			expect_fault(FAULT_CRASH);
	}
}

Test(seat, nothing_that_a_bot_sends_moves_the_deadline)
{
	unsigned i;

	ask();
	for (i = 0; i < 9; i++) {
		fake_now_us += 100 * MS;
		fake_say(&stub.bot, i % 2 ? "say hm" : "pong hm");
		seat_check_deadline(&stub.seat, fake_now_us);
		cr_assert_eq(stub.seat.state, SEAT_ASKED);
	}
	fake_now_us += 100 * MS + 1;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(FAULT_TIMEOUT);
}

/* ---- the clock --------------------------------------------------------- */

Test(seat, the_first_ask_of_a_process_has_time_to_start)
{
	begin(1000, 300, 0, true);
	ask();
	fake_now_us += (START_MS + 1000) * MS;
	fake_say(&stub.bot, "do 1 good");
	expect_fault(FAULT_NONE);
	cr_expect_eq(stub.seat.bank_us, 300 * MS);
	cr_expect(stub.bot.bot.started);
	resolve(false);
	ask(); /* the second has not */
	fake_now_us += 1300 * MS + 1;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(FAULT_TIMEOUT);
}

Test(seat, an_ask_behind_a_voided_first_one_has_the_rest_of_the_time_to_start)
{
	unsigned late;

	for (late = 0; late < 2; late++) {
		begin(1000, 0, 0, true);
		ask();
		fake_now_us += 2000 * MS;
		resolve(false);
		ask();
		fake_now_us += 500 * MS;
		resolve(false);
		ask();
		fake_now_us += (START_MS - 2500 + 1000) * MS + late;
		fake_say(&stub.bot, "do 3 good");
		expect_fault(late ? FAULT_TIMEOUT : FAULT_NONE);
		resolve(false);
		ask(); /* it has started */
		fake_now_us += 1000 * MS + 1;
		seat_check_deadline(&stub.seat, fake_now_us);
		expect_fault(FAULT_TIMEOUT);
	}
}

Test(seat, the_first_ask_too_ends_in_a_timeout)
{
	begin(1000, 300, 0, true);
	ask();
	fake_now_us += (START_MS + 1300) * MS + 1;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(FAULT_TIMEOUT);
	cr_expect_eq(stub.seat.bank_us, 0);
}

Test(seat, what_passes_the_time_of_a_move_comes_from_the_bank)
{
	begin(1000, 500, 70, false);
	ask();
	fake_now_us += 1000 * MS;
	fake_say(&stub.bot, "do 1 good");
	cr_expect_eq(stub.seat.used_us, 1000 * MS);
	cr_expect_eq(stub.seat.bank_us, 500 * MS);
	resolve(false); /* its answer was not used: no increment */
	cr_expect_eq(stub.seat.bank_us, 500 * MS);
	ask();
	fake_now_us += 1200 * MS;
	fake_say(&stub.bot, "do 2 good");
	cr_expect_eq(stub.seat.bank_us, 300 * MS);
	resolve(true);
	cr_expect_eq(stub.seat.bank_us, 370 * MS);
	ask();
	cr_expect_str_eq(fake_last_write(&stub.bot), "ask 3 1370 pass good\n");
	fake_now_us += 1100 * MS;
	resolve(false); /* void: the time is used all the same */
	cr_expect_eq(stub.seat.bank_us, 270 * MS);
	cr_expect_str_eq(fake_last_write(&stub.bot), "void 3\n");
}

Test(seat, the_clock_of_a_bot_that_does_not_read_runs_soon)
{
	unsigned i;

	stub.bot.stuck = true;
	ask();
	cr_expect_eq(stub.seat.deadline_us,
		     fake_now_us + (WRITE_MS + 1000) * MS);
	/* Reading a little now and then moves nothing. */
	for (i = 0; i < 6; i++) {
		fake_now_us += 200 * MS;
		bot_stamp(&stub.bot.bot);
		stub.bot.bot.ops->flush(&stub.bot.bot, fake_now_us);
		seat_check_deadline(&stub.seat, fake_now_us);
		cr_assert_eq(stub.seat.state, SEAT_ASKED);
	}
	fake_now_us++;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(FAULT_TIMEOUT);
}

Test(seat, a_bot_that_reads_soon_has_its_clock_from_then)
{
	uint64_t asked_us;

	stub.bot.stuck = true;
	ask();
	asked_us = fake_now_us;
	fake_now_us += 50 * MS;
	fake_unstick(&stub.bot);
	cr_expect_eq(stub.seat.deadline_us, asked_us + 1050 * MS);
	fake_now_us += 10 * MS;
	fake_say(&stub.bot, "do 1 good");
	cr_expect_eq(stub.seat.used_us, 10 * MS);
}

Test(seat, a_bot_that_reads_late_has_its_clock_running)
{
	uint64_t asked_us;

	stub.bot.stuck = true;
	ask();
	asked_us = fake_now_us;
	fake_now_us += 700 * MS;
	fake_unstick(&stub.bot);
	cr_expect_eq(stub.seat.deadline_us, asked_us + (WRITE_MS + 1000) * MS);
	fake_say(&stub.bot, "do 1 good");
	cr_expect_eq(stub.seat.used_us, (700 - WRITE_MS) * MS);
}

/* ---- the whole game ---------------------------------------------------- */

/* Begins with a seat that has been asked before and has `total` milliseconds in
 * all. */
static void
begin_total(unsigned time, unsigned total, bool fresh)
{
	begin(time, 0, 0, fresh);
	stub.clock.total_us = total * MS;
	stub.seat.total_us = total * MS;
}

/* Asks, answers after `ms`, and ends the decision. */
static void
answer_after(unsigned ms)
{
	ask();
	fake_now_us += ms * MS;
	fake_say(&stub.bot, "do %u good", stub.seat.ask);
	expect_fault(FAULT_NONE);
	resolve(false);
}

Test(seat, a_seat_begins_with_the_whole_total)
{
	cr_expect_eq(stub.seat.total_us, 0);
	stub.clock.total_us = 7;
	seat_init(&stub.seat, 2, &stub.bot.bot, &stub.clock, &up, NULL);
	cr_expect_eq(stub.seat.total_us, 7);
}

/* The last ask has the remaining time, to the microsecond. */
Test(seat, what_is_left_of_the_total_bounds_the_ask)
{
	unsigned late;

	for (late = 0; late < 2; late++) {
		begin_total(1000, 2500, false);
		answer_after(1000);
		cr_expect_str_eq(fake_read(&stub.bot),
				 "ask 1 1000 pass good\n");
		answer_after(1000);
		ask();
		cr_expect_str_eq(fake_last_write(&stub.bot),
				 "ask 3 500 pass good\n");
		cr_expect_eq(stub.seat.deadline_us, fake_now_us + 500 * MS);
		fake_now_us += 500 * MS + late;
		fake_say(&stub.bot, "do 3 good");
		expect_fault(late ? FAULT_TIMEOUT : FAULT_NONE);
		cr_expect_eq(stub.seat.total_us, 0);
	}
}

/* An ask has whole milliseconds: with one it is sent, with less it is not. */
Test(seat, without_time_it_is_not_asked_any_more)
{
	unsigned less, i;

	for (less = 0; less < 2; less++) {
		begin_total(1000, 1001, false);
		stub.seat.total_us -= less;
		answer_after(1000);
		ask();
		if (!less) {
			cr_expect_str_eq(fake_last_write(&stub.bot),
					 "ask 2 1 pass good\n");
			continue;
		}
		for (i = 0; i < 5; i++) {
			expect_fault(FAULT_TIMEOUT);
			resolve(true);
			ask();
		}
		cr_expect_eq(stub.seat.ask, 1);
		cr_expect_eq(stub.bot.asks, 1);
		cr_expect_eq(stub.answers, 1, "the caller sees the state");
	}
}

/* A fault that is owed comes first: one for each decision. */
Test(seat, without_time_it_pays_first_what_it_owes)
{
	begin_total(1000, 1000, false);
	answer_after(1000);
	fake_say(&stub.bot, "hm");
	ask();
	expect_fault(FAULT_PROTOCOL);
	resolve(true);
	ask();
	expect_fault(FAULT_TIMEOUT);
}

Test(seat, the_time_to_start_does_not_pass_the_total)
{
	unsigned total, most, late;

	for (total = 3000; total <= 9000; total += 6000) {
		most = total < START_MS + 1000 ? total : START_MS + 1000;
		for (late = 0; late < 2; late++) {
			begin_total(1000, total, true);
			ask();
			fake_now_us += most * MS + late;
			fake_say(&stub.bot, "do 1 good");
			expect_fault(late ? FAULT_TIMEOUT : FAULT_NONE);
			cr_expect_eq(stub.seat.total_us,
				     total > most ? (total - most) * MS - late
						  : 0);
		}
	}
}

/* The total runs from the posting of the ask, whether it is read or not. */
Test(seat, who_does_not_read_uses_its_total)
{
	uint64_t asked_us;
	unsigned read;

	for (read = 0; read < 2; read++) {
		begin_total(1000, 1100, false);
		stub.bot.stuck = true;
		ask();
		asked_us = fake_now_us;
		cr_expect_eq(stub.seat.deadline_us, asked_us + 1100 * MS,
			     "before WRITE_MS and the time for a move");
		fake_now_us += 700 * MS;
		if (read)
			fake_unstick(&stub.bot);
		fake_say(&stub.bot, "do 1 good");
		cr_expect_eq(stub.seat.used_us, (700 - WRITE_MS) * MS);
		cr_expect_eq(stub.seat.total_us, 400 * MS);
	}
}

/* A look tells if it starves, although its clock would run only later. */
Test(seat, who_does_not_read_is_looked_at_before_its_total_is_over)
{
	for (unsigned ms = WRITE_MS - 1; ms < WRITE_MS + 10; ms++) {
		begin_total(1000, ms, false);
		stub.bot.stuck = true;
		ask();
		fake_now_us = stub.seat.deadline_us - 1;
		cr_expect_eq(seat_due(&stub.seat, fake_now_us),
			     stub.seat.deadline_us, "%u", ms);
		cr_expect_eq(stub.bot.watched, 1u, "%u", ms);
	}
}

Test(seat, who_has_answered_pays_no_more)
{
	begin_total(1000, 5000, false);
	ask();
	fake_now_us += 300 * MS;
	fake_say(&stub.bot, "do 1 good");
	fake_now_us += 3600000 * MS; /* the others think */
	resolve(true);
	cr_expect_eq(stub.seat.total_us, 4700 * MS);
	fake_now_us += 3600000 * MS;
	ask();
	fake_now_us += 100 * MS;
	resolve(false); /* void */
	cr_expect_eq(stub.seat.total_us, 4600 * MS);
	ask();
	fake_now_us += 100 * MS;
	fake_say(&stub.bot, "do 3 bad");
	expect_fault(FAULT_ILLEGAL);
	cr_expect_eq(stub.seat.total_us, 4500 * MS);
}

/* The bank may be longer, and grow. */
Test(seat, bank_and_increment_do_not_add_to_the_total)
{
	begin(1000, 500, 9000, false);
	stub.clock.total_us = stub.seat.total_us = 2000 * MS;
	ask();
	cr_expect_str_eq(fake_last_write(&stub.bot), "ask 1 1500 pass good\n");
	fake_now_us += 400 * MS;
	fake_say(&stub.bot, "do 1 good");
	resolve(true);
	ask();
	cr_expect_str_eq(fake_last_write(&stub.bot), "ask 2 1600 pass good\n");
}

/* ---- faults ------------------------------------------------------------ */

Test(seat, each_bad_answer_is_its_fault)
{
	static const struct {
		const char *line;
		enum fault fault;
	} cases[] = {
		{ "do 1 bad", FAULT_ILLEGAL },
		{ "do 1 Good", FAULT_ILLEGAL },
		{ "do 2 good", FAULT_PROTOCOL }, /* never asked */
		{ "do 1", FAULT_PROTOCOL },
		{ "do 0 good", FAULT_PROTOCOL },
		{ "do 01 good", FAULT_PROTOCOL },
		{ "do +1 good", FAULT_PROTOCOL },
		{ "do 1 good ", FAULT_PROTOCOL },
		{ "do 1  good", FAULT_PROTOCOL },
		{ "do 1 good good", FAULT_PROTOCOL },
		{ "do 4294967297 good", FAULT_PROTOCOL },
		{ "fold", FAULT_PROTOCOL },
		{ "", FAULT_PROTOCOL },
		{ "say", FAULT_PROTOCOL },
		{ "entropy x", FAULT_PROTOCOL },
		{ "bot 2 name", FAULT_PROTOCOL },
	};
	size_t i;

	for (i = 0; i < NELEM(cases); i++) {
		begin(1000, 0, 0, false);
		ask();
		fake_say(&stub.bot, "%s", cases[i].line);
		cr_assert_eq(stub.seat.state, SEAT_ANSWERED, "%s",
			     cases[i].line);
		expect_fault(cases[i].fault);
		cr_expect_eq(stub.answers, 1, "%s", cases[i].line);
		cr_expect_eq(stub.seat.faults, 0); /* the table counts */
	}
}

Test(seat, lines_that_are_none_are_protocol_faults)
{
	static const enum line_result results[] = { LINE_TOO_LONG,
						    LINE_BAD_BYTE };
	size_t i;

	for (i = 0; i < NELEM(results); i++) {
		begin(1000, 0, 0, false);
		ask();
		fake_break(&stub.bot, results[i]);
		expect_fault(FAULT_PROTOCOL);
	}
}

Test(seat, a_decision_has_one_fault_the_next_is_owed)
{
	ask();
	fake_say(&stub.bot, "do 1 bad");
	fake_say(&stub.bot, "hm");
	fake_say(&stub.bot, "hm");
	fake_say(&stub.bot, "do 1 good"); /* useless */
	expect_fault(FAULT_ILLEGAL);
	cr_expect_eq(stub.answers, 1);
	resolve(true);
	/* Charged in place of the answer: nothing is sent, no number taken. */
	ask();
	expect_fault(FAULT_PROTOCOL);
	cr_expect_eq(stub.seat.used_us, 0);
	resolve(true);
	ask();
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	cr_expect_str_eq(fake_last_write(&stub.bot), "ask 2 1000 pass good\n");
}

Test(seat, the_first_of_several_owed_faults_is_charged)
{
	fake_say(&stub.bot, "do 1 good"); /* not asked yet */
	cr_expect_eq(stub.seat.owed, FAULT_PROTOCOL);
	fake_die(&stub.bot);
	cr_expect(stub.bot.parted);
	ask();
	expect_fault(FAULT_PROTOCOL);
	resolve(true);
	ask();
	expect_fault(FAULT_CRASH);
	resolve(true);
	ask();
	expect_fault(FAULT_CRASH);
}

Test(seat, a_crash_while_asked_is_one_and_so_is_every_ask_after_it)
{
	ask();
	fake_now_us += 5 * MS;
	fake_die(&stub.bot);
	expect_fault(FAULT_CRASH);
	cr_expect_eq(stub.seat.used_us, 5 * MS);
	cr_expect_eq(stub.answers, 1);
	resolve(true);
	ask();
	expect_fault(FAULT_CRASH);
	cr_expect_eq(stub.answers, 1); /* it stands at once */
}

/* The program behind a connection crashes; the connection goes on and is told
 * how the game ends. */
Test(seat, what_says_that_it_has_crashed_has)
{
	ask();
	fake_say(&stub.bot, "crashed"); /* of a child it is a useless line */
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	stub.bot.bot.stays = true;
	fake_say(&stub.bot, "crashed");
	expect_fault(FAULT_CRASH);
	cr_expect_eq(stub.seat.said.bytes, 0);
	cr_expect_not_null(stub.seat.bot);
	fake_say(&stub.bot, "crashed");
	resolve(true);
	ask();
	expect_fault(FAULT_CRASH);
	cr_expect_eq(stub.answers, 1); /* it stands at once */
}

Test(seat, a_bot_that_is_gone_before_it_sat_down_crashes)
{
	fake_die(&stub.bot);
	seat_init(&stub.seat, 0, &stub.bot.bot, &stub.clock, &up, NULL);
	seat_ask_entropy(&stub.seat, fake_now_us);
	cr_expect_not(stub.seat.entropy_wanted);
	ask();
	expect_fault(FAULT_CRASH);
}

Test(seat, late_answers_are_ignored)
{
	unsigned i;

	for (i = 1; i <= 5; i++) {
		ask();
		resolve(false); /* void */
		fake_say(&stub.bot, "do %u good", i);
		fake_say(&stub.bot, "do %u bad", i);
	}
	cr_expect_eq(stub.seat.owed, FAULT_NONE);
	cr_expect_eq(stub.answers, 0);
	cr_expect_eq(stub.seat.useless, 10);
}

/* ---- chatter ----------------------------------------------------------- */

static void
say_useless(unsigned kind)
{
	switch (kind) {
	case 0:
		fake_say(&stub.bot, "do 1 good");
		break;
	case 1:
		fake_say(&stub.bot, "entropy 00");
		break;
	case 2:
		fake_say(&stub.bot, "sit here");
		break;
	case 3:
		fake_say(&stub.bot, "bot 1 me");
		break;
	}
}

Test(seat, so_many_useless_lines_are_forgiven_and_no_more)
{
	unsigned kind, i;

	for (kind = 0; kind < 4; kind++) {
		begin(1000, 0, 0, false);
		fake_say(&stub.bot, "bot 1 me"); /* the first one is not */
		cr_expect_eq(stub.seat.useless, 0);
		ask();
		fake_say(&stub.bot, "do 1 good");
		for (i = 0; i < CHATTER_MAX; i++)
			say_useless(kind);
		cr_assert_eq(stub.seat.useless, CHATTER_MAX);
		cr_assert_not(stub.bot.parted);
		cr_assert_eq(stub.seat.owed, FAULT_NONE);
		say_useless(kind);
		cr_assert(stub.bot.parted, "kind %u", kind);
		cr_expect_eq(stub.seat.fault, FAULT_NONE); /* it had answered */
		resolve(true);
		ask();
		expect_fault(FAULT_PROTOCOL);
		cr_expect_eq(stub.seat.said.why, SAID_MUCH);
		cr_expect_eq(stub.seat.said.bytes, 0, "the line was right");
	}
}

/* A connection outlives the game, of which it hears the end. */
Test(seat, one_that_stays_is_not_let_go_for_useless_lines)
{
	unsigned i;

	stub.bot.bot.stays = true;
	ask();
	fake_say(&stub.bot, "do 1 good");
	for (i = 0; i <= CHATTER_MAX; i++)
		fake_say(&stub.bot, "do 1 good");
	cr_expect_not(stub.bot.parted);
	cr_expect(seat_hears(&stub.seat));
	for (i = 0; i < 2; i++) {
		resolve(true);
		ask();
		expect_fault(FAULT_PROTOCOL);
		cr_expect_eq(stub.seat.said.why, SAID_MUCH);
		fake_say(&stub.bot, "do 2 good");
	}
}

Test(seat, what_it_answered_instead_and_too_late_is_known)
{
	ask();
	fake_say(&stub.bot, "do 1 good");
	resolve(true);
	ask();
	fake_say(&stub.bot, "do 1 good");
	cr_expect_eq(stub.seat.again, 1);
	fake_now_us += 1001 * MS;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(FAULT_TIMEOUT);
	cr_expect_eq(stub.seat.again, 1);
	cr_expect_eq(stub.late_ask, 0);
	fake_now_us += 199 * MS;
	fake_say(&stub.bot, "do 2 good");
	cr_expect_eq(stub.late_ask, 2);
	cr_expect_eq(stub.late_us, 200 * MS);
	stub.late_ask = 0;
	fake_say(&stub.bot, "do 2 good");
	cr_expect_eq(stub.late_ask, 0, "once");
	resolve(false);
	ask();
	cr_expect_eq(stub.seat.again, 0);
}

Test(seat, a_line_without_its_end_is_kept_with_the_fault)
{
	static const enum fault faults[] = { FAULT_TIMEOUT, FAULT_CRASH };
	size_t i;

	for (i = 0; i < NELEM(faults); i++) {
		begin(1000, 0, 0, false);
		ask();
		stub.bot.unended = "do 1 good";
		fake_now_us += (faults[i] == FAULT_TIMEOUT ? 1001 : 1) * MS;
		if (faults[i] == FAULT_TIMEOUT)
			seat_check_deadline(&stub.seat, fake_now_us);
		else
			fake_die(&stub.bot);
		expect_fault(faults[i]);
		cr_expect_eq(stub.seat.said.kept, 9);
		cr_expect_eq(memcmp(stub.seat.said.text, "do 1 good", 9), 0);
	}
	begin(1000, 0, 0, false);
	ask();
	stub.bot.unended = "do 2 good";
	fake_say(&stub.bot, "do 1 other");
	expect_fault(FAULT_ILLEGAL);
	cr_expect_eq(memcmp(stub.seat.said.text, "do 1 other", 10), 0);
}

/* Every kind of flood ends. */
Test(seat, bad_lines_are_counted_too)
{
	static const char *const lines[] = { "hm", "do 99 good" };
	unsigned i;
	size_t k;

	for (k = 0; k < NELEM(lines); k++) {
		begin(1000, 0, 0, false);
		for (i = 0; i < CHATTER_MAX; i++)
			fake_say(&stub.bot, "%s", lines[k]);
		cr_assert_not(stub.bot.parted);
		fake_say(&stub.bot, "%s", lines[k]);
		cr_expect(stub.bot.parted, "%s", lines[k]);
	}
}

Test(seat, slips_are_counted_apart_and_kept_once)
{
	fake_say(&stub.bot, "say failed KeyError: start");
	cr_expect_eq(stub.seat.slip[SLIP_FAILED].count, 1);
	ask();
	fake_say(&stub.bot, "say fallback TypeError: one");
	fake_say(&stub.bot, "do 1 good");
	resolve(true);
	cr_expect_eq(stub.remarks, 2);
	ask();
	fake_say(&stub.bot, "say failed KeyError: event");
	fake_say(&stub.bot, "say fallback TypeError: two");
	cr_expect_eq(stub.remarks, 2);
	cr_expect_str_eq(stub.remark, "fallback TypeError: one");
	cr_expect_eq(stub.seat.slip[SLIP_FAILED].count, 2);
	cr_expect_eq(stub.seat.slip[SLIP_FALLBACK].count, 2);
	cr_expect_str_eq(stub.seat.slip[SLIP_FAILED].first, "KeyError: start");
	cr_expect_str_eq(stub.seat.slip[SLIP_FALLBACK].first, "TypeError: one");
	cr_expect_eq(stub.seat.says, 0);
	/* One `fallback` may still come: an answer to a void ask. */
	fake_say(&stub.bot, "say fallback TypeError: late");
	cr_expect_eq(stub.seat.says, 0);
	fake_say(&stub.bot, "say fallback TypeError: too many");
	cr_expect_eq(stub.seat.says, 1);
	cr_expect_eq(stub.remarks, 3);
	cr_expect_eq(stub.seat.slip[SLIP_FALLBACK].count, 3);
	fake_say(&stub.bot, "say fallback");
	fake_say(&stub.bot, "say fallbacks: none");
	cr_expect_eq(stub.seat.says, 3);
}

Test(seat, so_many_types_of_slips_are_kept)
{
	unsigned i;

	for (i = 0; i < SLIP_TYPES + 1; i++) {
		ask();
		fake_say(&stub.bot, "say fallback Type%u: why", i);
		fake_say(&stub.bot, "do %u good", i + 1);
		resolve(true);
		cr_expect_eq(stub.remarks, i < SLIP_TYPES ? i + 1 : SLIP_TYPES);
	}
	cr_expect_eq(stub.seat.slip[SLIP_FALLBACK].count, SLIP_TYPES + 1);
}

Test(seat, remarks_are_kept_up_to_their_number)
{
	char longest[SAY_BYTES + 2];
	unsigned i;

	memset(longest, 'y', SAY_BYTES);
	longest[SAY_BYTES] = '\0';
	fake_say(&stub.bot, "say %s", longest);
	cr_expect_eq(stub.remarks, 1);
	cr_expect_str_eq(stub.remark, longest);
	for (i = 1; i < SAY_COUNT; i++)
		fake_say(&stub.bot, "say  two spaces ");
	cr_expect_eq(stub.remarks, SAY_COUNT);
	cr_expect_str_eq(stub.remark, " two spaces ");
	cr_expect_eq(stub.seat.useless, 0);
	fake_say(&stub.bot, "say one more");
	cr_expect_eq(stub.remarks, SAY_COUNT);
	cr_expect_eq(stub.seat.useless, 1);
	cr_expect_eq(stub.seat.owed, FAULT_NONE);

	begin(1000, 0, 0, false);
	fake_say(&stub.bot, "say %sy", longest);
	cr_expect_eq(stub.remarks, 0);
	cr_expect_eq(stub.seat.owed, FAULT_PROTOCOL);
}

/* ---- entropy ----------------------------------------------------------- */

Test(seat, entropy_counts_once_and_in_time)
{
	uint64_t until;

	until = fake_now_us + ENTROPY_MS * MS;
	seat_ask_entropy(&stub.seat, until);
	fake_pass(&stub.loop);
	cr_expect_str_eq(fake_read(&stub.bot), "entropy?\n");
	cr_expect(stub.seat.entropy_wanted);
	fake_now_us = until;
	fake_say(&stub.bot, "entropy 00fF");
	cr_expect_eq(stub.entropies, 1);
	cr_expect_eq(stub.seat.entropy_bytes, 2);
	cr_expect_eq(stub.seat.entropy[1], 0xff);
	fake_say(&stub.bot, "entropy 11");
	cr_expect_eq(stub.seat.entropy_bytes, 2);
	cr_expect_eq(stub.seat.useless, 1);

	begin(1000, 0, 0, false);
	seat_ask_entropy(&stub.seat, fake_now_us);
	fake_now_us++;
	fake_say(&stub.bot, "entropy 00ff");
	cr_expect_eq(stub.seat.entropy_bytes, 0, "late counts as empty");
	cr_expect_eq(stub.entropies, 1);
	cr_expect_eq(stub.seat.useless, 1);
	cr_expect_eq(stub.seat.owed, FAULT_NONE);
}

/* All seats wait for it. */
Test(seat, the_time_for_entropy_is_a_part_of_the_total)
{
	begin_total(1000, 5000, false);
	seat_ask_entropy(&stub.seat, fake_now_us + 1000 * MS);
	fake_now_us += 400 * MS;
	fake_say(&stub.bot, "entropy 00");
	cr_expect_eq(stub.seat.total_us, 4600 * MS);
	fake_now_us += 400 * MS;
	fake_say(&stub.bot, "entropy 00");
	cr_expect_eq(stub.seat.total_us, 4600 * MS);
	seat_ask_entropy(&stub.seat, fake_now_us + 1000 * MS);
	fake_now_us += 1001 * MS;
	seat_end_entropy(&stub.seat);
	cr_expect_eq(stub.seat.total_us, 3599 * MS);
}

Test(seat, who_dies_gives_no_entropy_and_nobody_waits)
{
	seat_ask_entropy(&stub.seat, fake_now_us + 9);
	fake_die(&stub.bot);
	cr_expect_not(stub.seat.entropy_wanted);
	cr_expect_eq(stub.entropies, 1);
}

/* ---- too much for a bot ------------------------------------------------ */

/* Fills the buffer of a bot that does not read. */
static void
fill_up(size_t leave)
{
	static char line[OUT_BYTES];

	memset(line, 'x', sizeof(line));
	stub.bot.stuck = true;
	bot_line(&stub.bot.bot, line, OUT_BYTES - leave - 1);
	cr_assert_not(stub.bot.parted);
}

Test(seat, whoever_does_not_read_at_all_is_lost)
{
	fill_up(10);
	ask(); /* does not fit */
	expect_fault(FAULT_PROTOCOL);
	cr_expect(stub.bot.parted);
	cr_expect_eq(stub.answers, 1);
	resolve(true);
	ask();
	expect_fault(FAULT_PROTOCOL);
}

/* The line that is one too many may be any line. */
Test(seat, no_line_to_a_bot_that_does_not_read_hurts)
{
	unsigned i;

	for (i = 0; i < 4; i++) {
		begin(1000, 0, 0, false);
		if (i == 1 || i == 2)
			ask();
		fill_up(i == 3 ? 9 : 4);
		switch (i) {
		case 0:
			seat_ask_entropy(&stub.seat, fake_now_us);
			break;
		case 1:
			resolve(false); /* void */
			break;
		case 2:
			fake_now_us += 1000 * MS + 1;
			seat_check_deadline(&stub.seat, fake_now_us);
			expect_fault(FAULT_TIMEOUT);
			break;
		case 3:
			seat_retire(&stub.seat); /* `bye` does not fit */
			break;
		}
		fake_pass(&stub.loop);
		cr_expect(stub.bot.parted, "case %u", i);
	}
}

/* ---- the end ----------------------------------------------------------- */

Test(seat, a_retired_seat_reads_so_and_makes_house_moves)
{
	begin(1000, 0, 50, false);
	seat_retire(&stub.seat);
	cr_expect_str_eq(fake_read(&stub.bot), "retired\nbye\n");
	cr_expect(stub.bot.parted);
	cr_expect_eq(stub.bot.grace_ms, BYE_MS);
	ask();
	cr_expect_eq(stub.seat.state, SEAT_ANSWERED);
	cr_expect_eq(stub.seat.fault, FAULT_NONE);
	cr_expect_eq(stub.seat.answer.verb, house.verb);
	resolve(true);
	cr_expect_eq(stub.seat.bank_us, 0);
}

Test(seat, only_a_bot_without_fault_plays_on)
{
	unsigned i;

	for (i = 0; i < 4; i++) {
		begin(1000, 0, 0, false);
		if (i == 1)
			stub.seat.faults = 1;
		else if (i == 2)
			fake_say(&stub.bot, "hm");
		else if (i == 3)
			fake_die(&stub.bot);
		if (i == 0) {
			cr_expect_eq(seat_give_back(&stub.seat), &stub.bot.bot);
			cr_expect_null(stub.bot.bot.listener);
		} else {
			cr_expect_null(seat_give_back(&stub.seat), "%u", i);
		}
	}
}

/* ---- answers that cross the end of a game ------------------------------ */

/* The bot's next game begins. */
static void
play_on(void)
{
	cr_assert_eq(seat_give_back(&stub.seat), &stub.bot.bot);
	seat_init(&stub.seat, 2, &stub.bot.bot, &stub.clock, &up, NULL);
}

/* Plays a game of `asks`, of which it answers the first `answered`, and begins its next
 * one. */
static void
play_and_go_on(unsigned asks, unsigned answered)
{
	unsigned i;

	for (i = 1; i <= asks; i++) {
		ask();
		if (i <= answered)
			fake_say(&stub.bot, "do %u good", i);
		resolve(false);
	}
	play_on();
}

Test(seat, an_answer_to_the_game_before_is_no_fault)
{
	play_and_go_on(5, 3);
	fake_say(&stub.bot, "do 4 good");
	ask();
	fake_say(&stub.bot, "do 5 what");
	cr_expect_eq(stub.seat.owed, FAULT_NONE);
	cr_expect_eq(stub.seat.useless, 2);
	fake_say(&stub.bot, "do 1 good");
	expect_fault(FAULT_NONE);
	resolve(true);
	/* Every answer from now on is for this game. */
	ask();
	fake_say(&stub.bot, "do 4 good");
	expect_fault(FAULT_PROTOCOL);
}

Test(seat, asks_that_were_answered_or_never_made_are_not_late)
{
	static const struct {
		unsigned asks, answered, says;
	} wrong[] = { { 5, 5, 5 }, { 5, 3, 6 }, { 5, 3, 3 }, { 0, 0, 2 } };
	unsigned i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		begin(1000, 0, 0, false);
		play_and_go_on(wrong[i].asks, wrong[i].answered);
		ask();
		fake_say(&stub.bot, "do %u good", wrong[i].says);
		expect_fault(FAULT_PROTOCOL);
	}
}

Test(seat, an_answer_that_came_late_in_its_game_does_not_come_again)
{
	ask();
	resolve(false);
	ask();
	resolve(false);
	fake_say(&stub.bot, "do 2 good");
	play_on();
	ask();
	fake_say(&stub.bot, "do 2 good");
	expect_fault(FAULT_PROTOCOL);
}

/* The answer may be for either ask: it is accepted if it fits, so that a bot
 * that never sent a late one does not lose a good answer. */
Test(seat, of_two_asks_with_one_number_the_answer_goes_where_it_fits)
{
	play_and_go_on(2, 0);
	ask();
	fake_say(&stub.bot, "do 1 what");
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	fake_say(&stub.bot, "do 2 what");
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	fake_say(&stub.bot, "do 1 good");
	expect_fault(FAULT_NONE);
	resolve(true);
	ask();
	resolve(false);
	ask();
	fake_say(&stub.bot, "do 3 what"); /* never late */
	expect_fault(FAULT_ILLEGAL);
}

Test(seat, what_is_late_waits_through_a_game_without_a_word)
{
	play_and_go_on(7, 5);
	play_and_go_on(2, 0); /* for example, it was aborted */
	ask();
	fake_say(&stub.bot, "do 6 good");
	fake_say(&stub.bot, "do 7 good");
	fake_say(&stub.bot, "do 2 good");
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	cr_expect_eq(stub.seat.useless, 3);
	fake_say(&stub.bot, "do 1 good");
	expect_fault(FAULT_NONE);
}
