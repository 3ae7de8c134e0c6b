/* tests/unit/test-seat.c - one seat: its asks, its clock, its faults. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "referee/table/seat.h"
#include "tests/unit/fake-bot.h"

#define MS (uint64_t)1000

/* Holds a table with one seat. */
struct stub {
	uint32_t late_ask;
	uint64_t late_us;
	struct loop loop;
	struct seat_clock clock;
	struct seat seat;
	struct fake_bot bot;
	unsigned answers, entropies, remarks;
	char remark[SAY_BYTES + 1];
};

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
	struct stub *stub = arg;

	(void)seat;
	stub->answers++;
}

static void
on_deadline(void *arg, uint64_t deadline_us)
{
	struct stub *stub = arg;

	cr_expect_leq(deadline_us, stub->seat.deadline_us);
}

static void
on_entropy(void *arg, unsigned seat)
{
	struct stub *stub = arg;

	(void)seat;
	stub->entropies++;
}

static void
on_remark(void *arg, unsigned seat, const char *text, size_t n)
{
	struct stub *stub = arg;

	(void)seat;
	stub->remarks++;
	snprintf(stub->remark, sizeof(stub->remark), "%.*s", (int)n, text);
}

static void
on_late(void *arg, unsigned seat, uint32_t ask, uint64_t us)
{
	struct stub *stub = arg;

	(void)seat;
	stub->late_ask = ask;
	stub->late_us = us;
}

static const struct seat_table up = {
	.judge = judge,
	.answered = on_answered,
	.deadline = on_deadline,
	.entropy = on_entropy,
	.remark = on_remark,
	.late = on_late,
};

/* Begins with a time for a move, bank and increment, in milliseconds.  The process has
 * been asked before, unless `fresh`. */
static void
begin(struct stub *stub, unsigned time, unsigned bank, unsigned increment,
      bool fresh)
{
	memset(stub, 0, sizeof(*stub));
	fake_clock_begin();
	cr_assert_eq(loop_init(&stub->loop), 0);
	fake_init(&stub->bot, &stub->loop);
	stub->bot.bot.asked = !fresh;
	stub->clock = (struct seat_clock){ .time_us = time * MS,
					   .bank_us = bank * MS,
					   .increment_us = increment * MS };
	seat_init(&stub->seat, 2, &stub->bot.bot, &stub->clock, &up, stub);
}

static void
end(struct stub *stub)
{
	seat_let_go(&stub->seat, 0);
	fake_release(&stub->bot);
	loop_release(&stub->loop);
}

/* Asks and hands the ask over. */
static void
ask(struct stub *stub)
{
	seat_ask(&stub->seat, house, "pass good", 9);
	if (stub->seat.state == SEAT_ASKED)
		bot_stamp(&stub->bot.bot);
	fake_pass(&stub->loop);
}

/* Ends the decision; the seat's own move took effect if `moved`. */
static void
resolve(struct stub *stub, bool moved)
{
	seat_decision_over(&stub->seat, moved);
	fake_pass(&stub->loop);
}

static void
expect_fault(const struct stub *stub, enum fault fault)
{
	cr_assert_eq(stub->seat.state, SEAT_ANSWERED);
	cr_assert_eq(stub->seat.fault, fault, "%s, not %s",
		     fault_name(stub->seat.fault), fault_name(fault));
	cr_assert_eq(stub->seat.answer.verb,
		     fault == FAULT_NONE ? own.verb : house.verb);
}

/* ---- asks -------------------------------------------------------------- */

Test(seat, asks_are_numbered_and_tell_the_time)
{
	struct stub stub;

	begin(&stub, 1000, 250, 0, true);
	ask(&stub);
	cr_expect_str_eq(fake_read(&stub.bot), "ask 1 1250 pass good\n");
	fake_say(&stub.bot, "do 1 good");
	expect_fault(&stub, FAULT_NONE);
	cr_expect_eq(stub.answers, 1);
	resolve(&stub, false);
	ask(&stub);
	cr_expect_str_eq(fake_last_write(&stub.bot), "ask 2 1250 pass good\n");
	end(&stub);
}

Test(seat, an_answer_at_the_deadline_counts_one_later_does_not)
{
	struct stub stub;
	unsigned late;

	for (late = 0; late < 2; late++) {
		begin(&stub, 1000, 500, 0, false);
		ask(&stub);
		cr_expect_eq(stub.seat.deadline_us, fake_now_us + 1500 * MS);
		fake_now_us += 1500 * MS + late;
		fake_say(&stub.bot, "do 1 good");
		expect_fault(&stub, late ? FAULT_TIMEOUT : FAULT_NONE);
		cr_expect_eq(stub.answers, 1);
		cr_expect_eq(stub.seat.bank_us, 0);
		end(&stub);
	}
}

/* The timer may fire before a line of the same pass is read. */
Test(seat, the_timer_leaves_the_last_microsecond_to_the_bot)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	ask(&stub);
	fake_now_us += 1000 * MS;
	seat_check_deadline(&stub.seat, fake_now_us);
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	fake_now_us++;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(&stub, FAULT_TIMEOUT);
	end(&stub);
}

/* It does not matter if the timer has fired. */
Test(seat, after_the_deadline_everything_is_a_timeout)
{
	static const char *const lines[] = { "do 1 bad", "do 1 good", "hm",
					     "do 9 good" };
	struct stub stub;
	size_t i;

	for (i = 0; i <= NELEM(lines); i++) {
		begin(&stub, 1000, 0, 0, false);
		ask(&stub);
		fake_now_us += 1000 * MS + 1;
		if (i < NELEM(lines))
			fake_say(&stub.bot, "%s", lines[i]);
		else
			fake_die(&stub.bot);
		expect_fault(&stub, FAULT_TIMEOUT);
		cr_expect_eq(stub.answers, 1);
		fake_pass(&stub.loop);
		if (i < NELEM(lines))
			cr_expect(fake_has_read(&stub.bot, "void 1"));
		resolve(&stub, true);
		ask(&stub);
		if (i < 2) /* a late answer is useless, no more */
			cr_expect_eq(stub.seat.state, SEAT_ASKED);
		else if (i < 4)
			expect_fault(&stub, FAULT_PROTOCOL);
		else
			expect_fault(&stub, FAULT_CRASH);
		end(&stub);
	}
}

Test(seat, nothing_that_a_bot_sends_moves_the_deadline)
{
	struct stub stub;
	unsigned i;

	begin(&stub, 1000, 0, 0, false);
	ask(&stub);
	for (i = 0; i < 9; i++) {
		fake_now_us += 100 * MS;
		fake_say(&stub.bot, i % 2 ? "say hm" : "pong hm");
		seat_check_deadline(&stub.seat, fake_now_us);
		cr_assert_eq(stub.seat.state, SEAT_ASKED);
	}
	fake_now_us += 100 * MS + 1;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(&stub, FAULT_TIMEOUT);
	end(&stub);
}

/* ---- the clock --------------------------------------------------------- */

Test(seat, the_first_ask_of_a_process_has_time_to_start)
{
	struct stub stub;

	begin(&stub, 1000, 300, 0, true);
	ask(&stub);
	fake_now_us += (START_MS + 1000) * MS;
	fake_say(&stub.bot, "do 1 good");
	expect_fault(&stub, FAULT_NONE);
	cr_expect_eq(stub.seat.bank_us, 300 * MS);
	cr_expect(stub.bot.bot.asked);
	resolve(&stub, false);
	ask(&stub); /* the second has not */
	fake_now_us += 1300 * MS + 1;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(&stub, FAULT_TIMEOUT);
	end(&stub);
}

Test(seat, the_first_ask_too_ends_in_a_timeout)
{
	struct stub stub;

	begin(&stub, 1000, 300, 0, true);
	ask(&stub);
	fake_now_us += (START_MS + 1300) * MS + 1;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(&stub, FAULT_TIMEOUT);
	cr_expect_eq(stub.seat.bank_us, 0);
	end(&stub);
}

Test(seat, what_passes_the_time_of_a_move_comes_from_the_bank)
{
	struct stub stub;

	begin(&stub, 1000, 500, 70, false);
	ask(&stub);
	fake_now_us += 1000 * MS;
	fake_say(&stub.bot, "do 1 good");
	cr_expect_eq(stub.seat.used_us, 1000 * MS);
	cr_expect_eq(stub.seat.bank_us, 500 * MS);
	resolve(&stub, false); /* its answer was not used: no increment */
	cr_expect_eq(stub.seat.bank_us, 500 * MS);
	ask(&stub);
	fake_now_us += 1200 * MS;
	fake_say(&stub.bot, "do 2 good");
	cr_expect_eq(stub.seat.bank_us, 300 * MS);
	resolve(&stub, true);
	cr_expect_eq(stub.seat.bank_us, 370 * MS);
	ask(&stub);
	cr_expect_str_eq(fake_last_write(&stub.bot), "ask 3 1370 pass good\n");
	fake_now_us += 1100 * MS;
	resolve(&stub, false); /* void: the time is used all the same */
	cr_expect_eq(stub.seat.bank_us, 270 * MS);
	cr_expect_str_eq(fake_last_write(&stub.bot), "void 3\n");
	end(&stub);
}

Test(seat, the_clock_of_a_bot_that_does_not_read_runs_soon)
{
	struct stub stub;
	unsigned i;

	begin(&stub, 1000, 0, 0, false);
	stub.bot.stuck = true;
	ask(&stub);
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
	expect_fault(&stub, FAULT_TIMEOUT);
	end(&stub);
}

Test(seat, a_bot_that_reads_soon_has_its_clock_from_then)
{
	struct stub stub;
	uint64_t asked_us;

	begin(&stub, 1000, 0, 0, false);
	stub.bot.stuck = true;
	ask(&stub);
	asked_us = fake_now_us;
	fake_now_us += 50 * MS;
	fake_unstick(&stub.bot);
	cr_expect_eq(stub.seat.deadline_us, asked_us + 1050 * MS);
	fake_now_us += 10 * MS;
	fake_say(&stub.bot, "do 1 good");
	cr_expect_eq(stub.seat.used_us, 10 * MS);
	end(&stub);
}

Test(seat, a_bot_that_reads_late_has_its_clock_running)
{
	struct stub stub;
	uint64_t asked_us;

	begin(&stub, 1000, 0, 0, false);
	stub.bot.stuck = true;
	ask(&stub);
	asked_us = fake_now_us;
	fake_now_us += 700 * MS;
	fake_unstick(&stub.bot);
	cr_expect_eq(stub.seat.deadline_us, asked_us + (WRITE_MS + 1000) * MS);
	fake_say(&stub.bot, "do 1 good");
	cr_expect_eq(stub.seat.used_us, (700 - WRITE_MS) * MS);
	end(&stub);
}

/* ---- the whole game ---------------------------------------------------- */

/* Begins with a seat that has been asked before and has `total` milliseconds in
 * all. */
static void
begin_total(struct stub *stub, unsigned time, unsigned total, bool fresh)
{
	begin(stub, time, 0, 0, fresh);
	stub->clock.total_us = total * MS;
	stub->seat.total_us = total * MS;
}

/* Asks, answers after `ms`, and ends the decision. */
static void
answer_after(struct stub *stub, unsigned ms)
{
	ask(stub);
	fake_now_us += ms * MS;
	fake_say(&stub->bot, "do %u good", stub->seat.ask);
	expect_fault(stub, FAULT_NONE);
	resolve(stub, false);
}

Test(seat, a_seat_begins_with_the_whole_total)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	cr_expect_eq(stub.seat.total_us, 0);
	stub.clock.total_us = 7;
	seat_init(&stub.seat, 2, &stub.bot.bot, &stub.clock, &up, &stub);
	cr_expect_eq(stub.seat.total_us, 7);
	end(&stub);
}

/* The last ask has the remaining time, to the microsecond. */
Test(seat, what_is_left_of_the_total_bounds_the_ask)
{
	struct stub stub;
	unsigned late;

	for (late = 0; late < 2; late++) {
		begin_total(&stub, 1000, 2500, false);
		answer_after(&stub, 1000);
		cr_expect_str_eq(fake_read(&stub.bot),
				 "ask 1 1000 pass good\n");
		answer_after(&stub, 1000);
		ask(&stub);
		cr_expect_str_eq(fake_last_write(&stub.bot),
				 "ask 3 500 pass good\n");
		cr_expect_eq(stub.seat.deadline_us, fake_now_us + 500 * MS);
		fake_now_us += 500 * MS + late;
		fake_say(&stub.bot, "do 3 good");
		expect_fault(&stub, late ? FAULT_TIMEOUT : FAULT_NONE);
		cr_expect_eq(stub.seat.total_us, 0);
		end(&stub);
	}
}

/* An ask has whole milliseconds: with one it is sent, with less it is not. */
Test(seat, without_time_it_is_not_asked_any_more)
{
	struct stub stub;
	unsigned less, i;

	for (less = 0; less < 2; less++) {
		begin_total(&stub, 1000, 1001, false);
		stub.seat.total_us -= less;
		answer_after(&stub, 1000);
		ask(&stub);
		if (!less) {
			cr_expect_str_eq(fake_last_write(&stub.bot),
					 "ask 2 1 pass good\n");
			end(&stub);
			continue;
		}
		for (i = 0; i < 5; i++) {
			expect_fault(&stub, FAULT_TIMEOUT);
			resolve(&stub, true);
			ask(&stub);
		}
		cr_expect_eq(stub.seat.ask, 1);
		cr_expect_eq(stub.bot.asks, 1);
		cr_expect_eq(stub.answers, 1, "the caller sees the state");
		end(&stub);
	}
}

/* A fault that is owed comes first: one for each decision. */
Test(seat, without_time_it_pays_first_what_it_owes)
{
	struct stub stub;

	begin_total(&stub, 1000, 1000, false);
	answer_after(&stub, 1000);
	fake_say(&stub.bot, "hm");
	ask(&stub);
	expect_fault(&stub, FAULT_PROTOCOL);
	resolve(&stub, true);
	ask(&stub);
	expect_fault(&stub, FAULT_TIMEOUT);
	end(&stub);
}

Test(seat, the_time_to_start_does_not_pass_the_total)
{
	struct stub stub;
	unsigned total, most, late;

	for (total = 3000; total <= 9000; total += 6000) {
		most = total < START_MS + 1000 ? total : START_MS + 1000;
		for (late = 0; late < 2; late++) {
			begin_total(&stub, 1000, total, true);
			ask(&stub);
			fake_now_us += most * MS + late;
			fake_say(&stub.bot, "do 1 good");
			expect_fault(&stub, late ? FAULT_TIMEOUT : FAULT_NONE);
			cr_expect_eq(stub.seat.total_us,
				     total > most ? (total - most) * MS - late
						  : 0);
			end(&stub);
		}
	}
}

/* The total runs from the posting of the ask, whether it is read or not. */
Test(seat, who_does_not_read_uses_its_total)
{
	struct stub stub;
	uint64_t asked_us;
	unsigned read;

	for (read = 0; read < 2; read++) {
		begin_total(&stub, 1000, 1100, false);
		stub.bot.stuck = true;
		ask(&stub);
		asked_us = fake_now_us;
		cr_expect_eq(stub.seat.deadline_us, asked_us + 1100 * MS,
			     "before WRITE_MS and the time for a move");
		fake_now_us += 700 * MS;
		if (read)
			fake_unstick(&stub.bot);
		fake_say(&stub.bot, "do 1 good");
		cr_expect_eq(stub.seat.used_us, (700 - WRITE_MS) * MS);
		cr_expect_eq(stub.seat.total_us, 400 * MS);
		end(&stub);
	}
}

Test(seat, who_has_answered_pays_no_more)
{
	struct stub stub;

	begin_total(&stub, 1000, 5000, false);
	ask(&stub);
	fake_now_us += 300 * MS;
	fake_say(&stub.bot, "do 1 good");
	fake_now_us += 3600000 * MS; /* the others think */
	resolve(&stub, true);
	cr_expect_eq(stub.seat.total_us, 4700 * MS);
	fake_now_us += 3600000 * MS;
	ask(&stub);
	fake_now_us += 100 * MS;
	resolve(&stub, false); /* void */
	cr_expect_eq(stub.seat.total_us, 4600 * MS);
	ask(&stub);
	fake_now_us += 100 * MS;
	fake_say(&stub.bot, "do 3 bad");
	expect_fault(&stub, FAULT_ILLEGAL);
	cr_expect_eq(stub.seat.total_us, 4500 * MS);
	end(&stub);
}

/* The bank may be longer, and grow. */
Test(seat, bank_and_increment_do_not_add_to_the_total)
{
	struct stub stub;

	begin(&stub, 1000, 500, 9000, false);
	stub.clock.total_us = stub.seat.total_us = 2000 * MS;
	ask(&stub);
	cr_expect_str_eq(fake_last_write(&stub.bot), "ask 1 1500 pass good\n");
	fake_now_us += 400 * MS;
	fake_say(&stub.bot, "do 1 good");
	resolve(&stub, true);
	ask(&stub);
	cr_expect_str_eq(fake_last_write(&stub.bot), "ask 2 1600 pass good\n");
	end(&stub);
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
	struct stub stub;
	size_t i;

	for (i = 0; i < NELEM(cases); i++) {
		begin(&stub, 1000, 0, 0, false);
		ask(&stub);
		fake_say(&stub.bot, "%s", cases[i].line);
		cr_assert_eq(stub.seat.state, SEAT_ANSWERED, "%s",
			     cases[i].line);
		expect_fault(&stub, cases[i].fault);
		cr_expect_eq(stub.answers, 1, "%s", cases[i].line);
		cr_expect_eq(stub.seat.faults, 0); /* the table counts */
		end(&stub);
	}
}

Test(seat, lines_that_are_none_are_protocol_faults)
{
	static const enum line_result results[] = { LINE_TOO_LONG,
						    LINE_BAD_BYTE };
	struct stub stub;
	size_t i;

	for (i = 0; i < NELEM(results); i++) {
		begin(&stub, 1000, 0, 0, false);
		ask(&stub);
		fake_break(&stub.bot, results[i]);
		expect_fault(&stub, FAULT_PROTOCOL);
		end(&stub);
	}
}

Test(seat, a_decision_has_one_fault_the_next_is_owed)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	ask(&stub);
	fake_say(&stub.bot, "do 1 bad");
	fake_say(&stub.bot, "hm");
	fake_say(&stub.bot, "hm");
	fake_say(&stub.bot, "do 1 good"); /* useless */
	expect_fault(&stub, FAULT_ILLEGAL);
	cr_expect_eq(stub.answers, 1);
	resolve(&stub, true);
	/* Charged in place of the answer: nothing is sent, no number taken. */
	ask(&stub);
	expect_fault(&stub, FAULT_PROTOCOL);
	cr_expect_eq(stub.seat.used_us, 0);
	resolve(&stub, true);
	ask(&stub);
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	cr_expect_str_eq(fake_last_write(&stub.bot), "ask 2 1000 pass good\n");
	end(&stub);
}

Test(seat, the_first_of_several_owed_faults_is_charged)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	fake_say(&stub.bot, "do 1 good"); /* not asked yet */
	cr_expect_eq(stub.seat.owed, FAULT_PROTOCOL);
	fake_die(&stub.bot);
	cr_expect(stub.bot.parted);
	ask(&stub);
	expect_fault(&stub, FAULT_PROTOCOL);
	resolve(&stub, true);
	ask(&stub);
	expect_fault(&stub, FAULT_CRASH);
	resolve(&stub, true);
	ask(&stub);
	expect_fault(&stub, FAULT_CRASH);
	end(&stub);
}

Test(seat, a_crash_while_asked_is_one_and_so_is_every_ask_after_it)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	ask(&stub);
	fake_now_us += 5 * MS;
	fake_die(&stub.bot);
	expect_fault(&stub, FAULT_CRASH);
	cr_expect_eq(stub.seat.used_us, 5 * MS);
	cr_expect_eq(stub.answers, 1);
	resolve(&stub, true);
	ask(&stub);
	expect_fault(&stub, FAULT_CRASH);
	cr_expect_eq(stub.answers, 1); /* it stands at once */
	end(&stub);
}

/* The program behind a connection crashes; the connection goes on and is told
 * how the game ends. */
Test(seat, what_says_that_it_has_crashed_has)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	ask(&stub);
	fake_say(&stub.bot, "crashed"); /* of a child it is a useless line */
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	stub.bot.bot.stays = true;
	fake_say(&stub.bot, "crashed");
	expect_fault(&stub, FAULT_CRASH);
	cr_expect_eq(stub.seat.said.bytes, 0);
	cr_expect_not_null(stub.seat.bot);
	fake_say(&stub.bot, "crashed");
	resolve(&stub, true);
	ask(&stub);
	expect_fault(&stub, FAULT_CRASH);
	cr_expect_eq(stub.answers, 1); /* it stands at once */
	end(&stub);
}

Test(seat, a_bot_that_is_gone_before_it_sat_down_crashes)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	fake_die(&stub.bot);
	seat_init(&stub.seat, 0, &stub.bot.bot, &stub.clock, &up, &stub);
	seat_ask_entropy(&stub.seat, fake_now_us);
	cr_expect_not(stub.seat.entropy_wanted);
	ask(&stub);
	expect_fault(&stub, FAULT_CRASH);
	end(&stub);
}

Test(seat, late_answers_are_ignored)
{
	struct stub stub;
	unsigned i;

	begin(&stub, 1000, 0, 0, false);
	for (i = 1; i <= 5; i++) {
		ask(&stub);
		resolve(&stub, false); /* void */
		fake_say(&stub.bot, "do %u good", i);
		fake_say(&stub.bot, "do %u bad", i);
	}
	cr_expect_eq(stub.seat.owed, FAULT_NONE);
	cr_expect_eq(stub.answers, 0);
	cr_expect_eq(stub.seat.useless, 10);
	end(&stub);
}

/* ---- chatter ----------------------------------------------------------- */

static void
say_useless(struct stub *stub, unsigned kind)
{
	switch (kind) {
	case 0:
		fake_say(&stub->bot, "do 1 good");
		break;
	case 1:
		fake_say(&stub->bot, "entropy 00");
		break;
	case 2:
		fake_say(&stub->bot, "sit here");
		break;
	case 3:
		fake_say(&stub->bot, "bot 1 me");
		break;
	}
}

Test(seat, so_many_useless_lines_are_forgiven_and_no_more)
{
	struct stub stub;
	unsigned kind, i;

	for (kind = 0; kind < 4; kind++) {
		begin(&stub, 1000, 0, 0, false);
		fake_say(&stub.bot, "bot 1 me"); /* the first one is not */
		cr_expect_eq(stub.seat.useless, 0);
		ask(&stub);
		fake_say(&stub.bot, "do 1 good");
		for (i = 0; i < CHATTER_MAX; i++)
			say_useless(&stub, kind);
		cr_assert_eq(stub.seat.useless, CHATTER_MAX);
		cr_assert_not(stub.bot.parted);
		cr_assert_eq(stub.seat.owed, FAULT_NONE);
		say_useless(&stub, kind);
		cr_assert(stub.bot.parted, "kind %u", kind);
		cr_expect_eq(stub.seat.fault, FAULT_NONE); /* it had answered */
		resolve(&stub, true);
		ask(&stub);
		expect_fault(&stub, FAULT_PROTOCOL);
		cr_expect_eq(stub.seat.said.why, SAID_MUCH);
		cr_expect_eq(stub.seat.said.bytes, 0, "the line was right");
		end(&stub);
	}
}

/* A connection outlives the game, of which it hears the end. */
Test(seat, one_that_stays_is_not_let_go_for_useless_lines)
{
	struct stub stub;
	unsigned i;

	begin(&stub, 1000, 0, 0, false);
	stub.bot.bot.stays = true;
	ask(&stub);
	fake_say(&stub.bot, "do 1 good");
	for (i = 0; i <= CHATTER_MAX; i++)
		fake_say(&stub.bot, "do 1 good");
	cr_expect_not(stub.bot.parted);
	cr_expect(seat_hears(&stub.seat));
	for (i = 0; i < 2; i++) {
		resolve(&stub, true);
		ask(&stub);
		expect_fault(&stub, FAULT_PROTOCOL);
		cr_expect_eq(stub.seat.said.why, SAID_MUCH);
		fake_say(&stub.bot, "do 2 good");
	}
	end(&stub);
}

Test(seat, what_it_answered_instead_and_too_late_is_known)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	ask(&stub);
	fake_say(&stub.bot, "do 1 good");
	resolve(&stub, true);
	ask(&stub);
	fake_say(&stub.bot, "do 1 good");
	cr_expect_eq(stub.seat.again, 1);
	fake_now_us += 1001 * MS;
	seat_check_deadline(&stub.seat, fake_now_us);
	expect_fault(&stub, FAULT_TIMEOUT);
	cr_expect_eq(stub.seat.again, 1);
	cr_expect_eq(stub.late_ask, 0);
	fake_now_us += 199 * MS;
	fake_say(&stub.bot, "do 2 good");
	cr_expect_eq(stub.late_ask, 2);
	cr_expect_eq(stub.late_us, 200 * MS);
	stub.late_ask = 0;
	fake_say(&stub.bot, "do 2 good");
	cr_expect_eq(stub.late_ask, 0, "once");
	resolve(&stub, false);
	ask(&stub);
	cr_expect_eq(stub.seat.again, 0);
	end(&stub);
}

Test(seat, a_line_without_its_end_is_kept_with_the_fault)
{
	static const enum fault faults[] = { FAULT_TIMEOUT, FAULT_CRASH };
	struct stub stub;
	size_t i;

	for (i = 0; i < NELEM(faults); i++) {
		begin(&stub, 1000, 0, 0, false);
		ask(&stub);
		stub.bot.unended = "do 1 good";
		fake_now_us += (faults[i] == FAULT_TIMEOUT ? 1001 : 1) * MS;
		if (faults[i] == FAULT_TIMEOUT)
			seat_check_deadline(&stub.seat, fake_now_us);
		else
			fake_die(&stub.bot);
		expect_fault(&stub, faults[i]);
		cr_expect_eq(stub.seat.said.kept, 9);
		cr_expect_eq(memcmp(stub.seat.said.text, "do 1 good", 9), 0);
		end(&stub);
	}
	begin(&stub, 1000, 0, 0, false);
	ask(&stub);
	stub.bot.unended = "do 2 good";
	fake_say(&stub.bot, "do 1 other");
	expect_fault(&stub, FAULT_ILLEGAL);
	cr_expect_eq(memcmp(stub.seat.said.text, "do 1 other", 10), 0);
	end(&stub);
}

/* Every kind of flood ends. */
Test(seat, bad_lines_are_counted_too)
{
	static const char *const lines[] = { "hm", "do 99 good" };
	struct stub stub;
	unsigned i;
	size_t k;

	for (k = 0; k < NELEM(lines); k++) {
		begin(&stub, 1000, 0, 0, false);
		for (i = 0; i < CHATTER_MAX; i++)
			fake_say(&stub.bot, "%s", lines[k]);
		cr_assert_not(stub.bot.parted);
		fake_say(&stub.bot, "%s", lines[k]);
		cr_expect(stub.bot.parted, "%s", lines[k]);
		end(&stub);
	}
}

Test(seat, slips_are_counted_apart_and_kept_once)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	fake_say(&stub.bot, "say failed KeyError: start");
	cr_expect_eq(stub.seat.slip[SLIP_FAILED].count, 1);
	ask(&stub);
	fake_say(&stub.bot, "say fallback TypeError: one");
	fake_say(&stub.bot, "do 1 good");
	resolve(&stub, true);
	cr_expect_eq(stub.remarks, 2);
	ask(&stub);
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
	end(&stub);
}

Test(seat, so_many_types_of_slips_are_kept)
{
	struct stub stub;
	unsigned i;

	begin(&stub, 1000, 0, 0, false);
	for (i = 0; i < SLIP_TYPES + 1; i++) {
		ask(&stub);
		fake_say(&stub.bot, "say fallback Type%u: why", i);
		fake_say(&stub.bot, "do %u good", i + 1);
		resolve(&stub, true);
		cr_expect_eq(stub.remarks, i < SLIP_TYPES ? i + 1 : SLIP_TYPES);
	}
	cr_expect_eq(stub.seat.slip[SLIP_FALLBACK].count, SLIP_TYPES + 1);
	end(&stub);
}

Test(seat, remarks_are_kept_up_to_their_number)
{
	char longest[SAY_BYTES + 2];
	struct stub stub;
	unsigned i;

	memset(longest, 'y', SAY_BYTES);
	longest[SAY_BYTES] = '\0';
	begin(&stub, 1000, 0, 0, false);
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
	end(&stub);

	begin(&stub, 1000, 0, 0, false);
	fake_say(&stub.bot, "say %sy", longest);
	cr_expect_eq(stub.remarks, 0);
	cr_expect_eq(stub.seat.owed, FAULT_PROTOCOL);
	end(&stub);
}

/* ---- entropy ----------------------------------------------------------- */

Test(seat, entropy_counts_once_and_in_time)
{
	struct stub stub;
	uint64_t until;

	begin(&stub, 1000, 0, 0, false);
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
	end(&stub);

	begin(&stub, 1000, 0, 0, false);
	seat_ask_entropy(&stub.seat, fake_now_us);
	fake_now_us++;
	fake_say(&stub.bot, "entropy 00ff");
	cr_expect_eq(stub.seat.entropy_bytes, 0, "late counts as empty");
	cr_expect_eq(stub.entropies, 1);
	cr_expect_eq(stub.seat.useless, 1);
	cr_expect_eq(stub.seat.owed, FAULT_NONE);
	end(&stub);
}

/* All seats wait for it. */
Test(seat, the_time_for_entropy_is_a_part_of_the_total)
{
	struct stub stub;

	begin_total(&stub, 1000, 5000, false);
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
	end(&stub);
}

Test(seat, who_dies_gives_no_entropy_and_nobody_waits)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	seat_ask_entropy(&stub.seat, fake_now_us + 9);
	fake_die(&stub.bot);
	cr_expect_not(stub.seat.entropy_wanted);
	cr_expect_eq(stub.entropies, 1);
	end(&stub);
}

/* ---- too much for a bot ------------------------------------------------ */

/* Fills the buffer of a bot that does not read. */
static void
fill_up(struct stub *stub, size_t leave)
{
	static char line[OUT_BYTES];

	memset(line, 'x', sizeof(line));
	stub->bot.stuck = true;
	bot_line(&stub->bot.bot, line, OUT_BYTES - leave - 1);
	cr_assert_not(stub->bot.parted);
}

Test(seat, whoever_does_not_read_at_all_is_lost)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	fill_up(&stub, 10);
	ask(&stub); /* does not fit */
	expect_fault(&stub, FAULT_PROTOCOL);
	cr_expect(stub.bot.parted);
	cr_expect_eq(stub.answers, 1);
	resolve(&stub, true);
	ask(&stub);
	expect_fault(&stub, FAULT_PROTOCOL);
	end(&stub);
}

/* The line that is one too many may be any line. */
Test(seat, no_line_to_a_bot_that_does_not_read_hurts)
{
	struct stub stub;
	unsigned i;

	for (i = 0; i < 4; i++) {
		begin(&stub, 1000, 0, 0, false);
		if (i == 1 || i == 2)
			ask(&stub);
		fill_up(&stub, i == 3 ? 9 : 4);
		switch (i) {
		case 0:
			seat_ask_entropy(&stub.seat, fake_now_us);
			break;
		case 1:
			resolve(&stub, false); /* void */
			break;
		case 2:
			fake_now_us += 1000 * MS + 1;
			seat_check_deadline(&stub.seat, fake_now_us);
			expect_fault(&stub, FAULT_TIMEOUT);
			break;
		case 3:
			seat_retire(&stub.seat); /* `bye` does not fit */
			break;
		}
		fake_pass(&stub.loop);
		cr_expect(stub.bot.parted, "case %u", i);
		end(&stub);
	}
}

/* ---- the end ----------------------------------------------------------- */

Test(seat, a_retired_seat_reads_so_and_makes_house_moves)
{
	struct stub stub;

	begin(&stub, 1000, 0, 50, false);
	seat_retire(&stub.seat);
	cr_expect_str_eq(fake_read(&stub.bot), "retired\nbye\n");
	cr_expect(stub.bot.parted);
	cr_expect_eq(stub.bot.grace_ms, BYE_MS);
	ask(&stub);
	cr_expect_eq(stub.seat.state, SEAT_ANSWERED);
	cr_expect_eq(stub.seat.fault, FAULT_NONE);
	cr_expect_eq(stub.seat.answer.verb, house.verb);
	resolve(&stub, true);
	cr_expect_eq(stub.seat.bank_us, 0);
	end(&stub);
}

Test(seat, only_a_bot_without_fault_plays_on)
{
	struct stub stub;
	unsigned i;

	for (i = 0; i < 4; i++) {
		begin(&stub, 1000, 0, 0, false);
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
		end(&stub);
	}
}

/* ---- answers that cross the end of a game ------------------------------ */

/* The bot's next game begins. */
static void
play_on(struct stub *stub)
{
	cr_assert_eq(seat_give_back(&stub->seat), &stub->bot.bot);
	seat_init(&stub->seat, 2, &stub->bot.bot, &stub->clock, &up, stub);
}

/* Plays a game of `asks`, of which it answers the first `answered`, and begins its next
 * one. */
static void
play_and_go_on(struct stub *stub, unsigned asks, unsigned answered)
{
	unsigned i;

	for (i = 1; i <= asks; i++) {
		ask(stub);
		if (i <= answered)
			fake_say(&stub->bot, "do %u good", i);
		resolve(stub, false);
	}
	play_on(stub);
}

Test(seat, an_answer_to_the_game_before_is_no_fault)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	play_and_go_on(&stub, 5, 3);
	fake_say(&stub.bot, "do 4 good");
	ask(&stub);
	fake_say(&stub.bot, "do 5 what");
	cr_expect_eq(stub.seat.owed, FAULT_NONE);
	cr_expect_eq(stub.seat.useless, 2);
	fake_say(&stub.bot, "do 1 good");
	expect_fault(&stub, FAULT_NONE);
	resolve(&stub, true);
	/* Every answer from now on is for this game. */
	ask(&stub);
	fake_say(&stub.bot, "do 4 good");
	expect_fault(&stub, FAULT_PROTOCOL);
	end(&stub);
}

Test(seat, asks_that_were_answered_or_never_made_are_not_late)
{
	static const struct {
		unsigned asks, answered, says;
	} wrong[] = { { 5, 5, 5 }, { 5, 3, 6 }, { 5, 3, 3 }, { 0, 0, 2 } };
	struct stub stub;
	unsigned i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		begin(&stub, 1000, 0, 0, false);
		play_and_go_on(&stub, wrong[i].asks, wrong[i].answered);
		ask(&stub);
		fake_say(&stub.bot, "do %u good", wrong[i].says);
		expect_fault(&stub, FAULT_PROTOCOL);
		end(&stub);
	}
}

Test(seat, an_answer_that_came_late_in_its_game_does_not_come_again)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	ask(&stub);
	resolve(&stub, false);
	ask(&stub);
	resolve(&stub, false);
	fake_say(&stub.bot, "do 2 good");
	play_on(&stub);
	ask(&stub);
	fake_say(&stub.bot, "do 2 good");
	expect_fault(&stub, FAULT_PROTOCOL);
	end(&stub);
}

/* The answer may be for either ask: it is accepted if it fits, so that a bot
 * that never sent a late one does not lose a good answer. */
Test(seat, of_two_asks_with_one_number_the_answer_goes_where_it_fits)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	play_and_go_on(&stub, 2, 0);
	ask(&stub);
	fake_say(&stub.bot, "do 1 what");
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	fake_say(&stub.bot, "do 2 what");
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	fake_say(&stub.bot, "do 1 good");
	expect_fault(&stub, FAULT_NONE);
	resolve(&stub, true);
	ask(&stub);
	resolve(&stub, false);
	ask(&stub);
	fake_say(&stub.bot, "do 3 what"); /* never late */
	expect_fault(&stub, FAULT_ILLEGAL);
	end(&stub);
}

Test(seat, what_is_late_waits_through_a_game_without_a_word)
{
	struct stub stub;

	begin(&stub, 1000, 0, 0, false);
	play_and_go_on(&stub, 7, 5);
	play_and_go_on(&stub, 2, 0); /* for example, it was aborted */
	ask(&stub);
	fake_say(&stub.bot, "do 6 good");
	fake_say(&stub.bot, "do 7 good");
	fake_say(&stub.bot, "do 2 good");
	cr_expect_eq(stub.seat.state, SEAT_ASKED);
	cr_expect_eq(stub.seat.useless, 3);
	fake_say(&stub.bot, "do 1 good");
	expect_fault(&stub, FAULT_NONE);
	end(&stub);
}
