/* referee/table/table.c - the way of a move.
 *
 * step() asks the seats of the decision that stands; their answers come in as
 * the loop reads; settle(), at the end of a pass, resolves the decision when it
 * is ripe: the game applies the move, and its event lines go to the record and,
 * redacted, to the seats; then step() again.  What was collected leaves when
 * the loop flushes, the ask with what led to it. */
#include "referee/table/table.h"

#include "config.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/asks.h"
#include "protocol/clock.h"
#include "protocol/date.h"
#include "protocol/hidden.h"
#include "protocol/record.h"
#include "referee/table/fault-note.h"

/* A table settles at most so many decisions in one pass, when it need not wait for a
 * program: built-in bots and retired seats must not keep the loop. */
#define DECISIONS_A_PASS 16

enum table_state {
	TABLE_ENTROPY, /* waiting for the seats' entropy */
	TABLE_SEALED,  /* waiting for table_deal() */
	TABLE_PLAYING,
	TABLE_OVER, /* waiting for table_receipt() */
};

/* The fields that every turn needs come first, and together: with hundreds of tables a
 * turn waits for the memory of its own. */
struct table {
	struct loop *loop;
	struct loop_task settle_task;
	enum table_state state;
	enum abort_word aborted;
	unsigned seats;
	unsigned turns, decisions;
	bool told;	  /* over() was called */
	uint64_t told_us; /* when a line was last added, */
	uint64_t then_us; /* and when `then` last was */
	unsigned thens;	  /* ever */
	struct table_record record;
	struct asks_writer asks;
	size_t asked_at; /* bytes of the body when the last decision began */
	struct game game;
	struct chance chance;
	struct seat seat[SEATS_MAX];
	struct table_setup setup;
	struct timer timer;
	struct chance arrival; /* draws among simultaneous answers */
	char ended[RECORD_DATE_BYTES];
	unsigned retired_in[SEATS_MAX];	   /* the decision, from 1; 0: not */
	unsigned retired_order[SEATS_MAX]; /* the seats, as they retired */
	enum fault retired_why[SEATS_MAX]; /* in that order */
	unsigned retired_count;
	/* Notes when the body had so many bytes, once a second; a ring. */
	struct {
		uint64_t us;
		size_t used;
	} then[TABLE_DELAY_S + 2];
	struct fault_notes faults;
	struct bot_usage used[SEATS_MAX]; /* cpu_us 0: not known */
	void (*over)(struct table *table, void *arg);
	void (*sealed)(struct table *table, const struct entropy *entropy,
		       void *arg); /* NULL: no listener */
	void *over_arg;
};

/* Holds what lives for one step only: one loop, one thread, so all tables share it, and
 * it stays in the processor's cache, where 40 KB at each of hundreds of tables would
 * not. */
static struct {
	struct legal legal;
	struct events events;
} scratch;

static void step(struct table *table);

/* ---- lines to the seats ----------------------------------------------- */

/* Tells a seat the event lines of a step, each through the one redaction function. */
static void
tell_seat(struct seat *seat, const char *text, size_t n)
{
	const char *lf, *end = text + n;
	ssize_t used;
	char *to;

	if (!seat_hears(seat) || (to = bot_room(seat->bot, n)) == NULL)
		return;
	for (; text < end; text = lf + 1) {
		lf = memchr(text, '\n', (size_t)(end - text));
		used = hidden_redact(text, (size_t)(lf - text), seat->number,
				     to);
		if (used < 0)
			bug("cannot redact the event line %.*s",
			    (int)(lf - text), text);
		to += used;
		*to++ = '\n';
		bot_added(seat->bot, (size_t)used + 1);
	}
}

static void
publish(struct table *table, const char *text, size_t n)
{
	for (unsigned s = 0; s < table->seats; s++)
		tell_seat(&table->seat[s], text, n);
}

/* Records how often the bots slipped, in the last lines of a game. */
static void
record_slips(struct table *table)
{
	char text[SAY_BYTES];
	unsigned count;
	int n;

	for (unsigned s = 0; s < table->seats; s++) {
		count = table->seat[s].slip[SLIP_FALLBACK].count;
		if (count == 0)
			continue;
		n = snprintf(text, sizeof(text), "fallback %s",
			     counted(count, "time").text);
		table_record_remark(&table->record, s, text, (size_t)n);
	}
}

static void
note_time(struct table *table)
{
	const unsigned n = NELEM(table->then);
	const uint64_t now_us = clock_us();

	table->told_us = now_us;
	if (table->thens > 0 && now_us - table->then_us < 1000000)
		return;
	table->then_us = now_us;
	table->then[table->thens % n].us = now_us;
	table->then[table->thens++ % n].used = table->record.body.used;
}

/* Returns how much of the body there was then. */
static size_t
used_then(const struct table *table, uint64_t then_us)
{
	const unsigned n = NELEM(table->then);
	unsigned i;

	if (table->told_us <= then_us)
		return table->record.body.used;
	for (unsigned back = 1; back <= n && back <= table->thens; back++) {
		i = (table->thens - back) % n;
		if (table->then[i].us <= then_us)
			return table->then[i].used;
	}
	return 0;
}

size_t
table_public(const struct table *table, size_t from, uint64_t delay_us,
	     struct text *to)
{
	const uint64_t now_us = clock_us();
	const size_t until =
		now_us < delay_us ? 0 : used_then(table, now_us - delay_us);

	return table_record_public(&table->record.body, from, until, to);
}

/* Publishes what the last step of the game wrote; `thought_us` is how long its move was
 * thought about. */
static void
publish_events(struct table *table, const uint64_t *thought_us)
{
	struct events *ev = &scratch.events;

	if (game_is_over(&table->game))
		record_slips(table);
	note_time(table);
	table_record_events(&table->record, ev->text, ev->used, thought_us);
	publish(table, ev->text, ev->used);
	events_clear(ev);
}

/* Hands everything collected over at the end of the pass.  The order in which the seats
 * are written to rotates. */
static void
flush_seats(struct table *table)
{
	unsigned s;

	for (unsigned i = 0; i < table->seats; i++) {
		s = (i + table->decisions) % table->seats;
		if (!seat_hears(&table->seat[s]))
			continue;
		if (table->seat[s].state == SEAT_ASKED)
			bot_stamp(table->seat[s].bot);
		else
			bot_flush(table->seat[s].bot);
	}
}

/* ---- what was asked ---------------------------------------------------- */

/* Returns the seats of the decision whose answers count: a bit for each. */
static unsigned
answered_seats(const struct table *table)
{
	const struct seat *seat;
	unsigned s, bits = 0;

	for (s = 0; s < table->seats; s++) {
		seat = &table->seat[s];
		bits |= (unsigned)(seat->state == SEAT_ANSWERED &&
				   seat->fault == FAULT_NONE && !seat->retired)
			<< s;
	}
	return bits;
}

static unsigned
retired_seats(const struct table *table)
{
	unsigned s, bits = 0;

	for (s = 0; s < table->seats; s++)
		bits |= (unsigned)table->seat[s].retired << s;
	return bits;
}

/* Notes what became of the decision's asks, when the clocks have stopped. */
static void
note_asks(struct table *table, unsigned asked, unsigned answered)
{
	struct asks_writer *asks = &table->asks;
	struct asks_ask ask = {
		.line = asks_count_lines(asks, table->record.body.bytes,
					 table->asked_at),
	};
	const struct seat *seat;

	for (unsigned s = 0; s < table->seats; s++) {
		if (!(asked >> s & 1))
			continue;
		seat = &table->seat[s];
		ask.seat = (uint8_t)s;
		ask.fault = seat->fault;
		ask.number =
			ask.fault != FAULT_NONE && seat->unsent ? 0 : seat->ask;
		ask.us = seat->used_us;
		ask.bank = seat->bank_us / 1000;
		ask.wrote = seat->wrote;
		ask.answer[0] = '\0';
		if (answered >> s & 1)
			game_move_token(table->setup.game.rules, seat->answer,
					ask.answer);
		asks_add(asks, &ask);
	}
}

/* ---- the end ---------------------------------------------------------- */

static void
finish(struct table *table)
{
	table->state = TABLE_OVER;
	date_write(clock_seconds(), table->ended);
	timer_stop(&table->timer);
	if (table->aborted == ABORT_NONE)
		table_record_forfeits(&table->record, table->retired_order,
				      table->retired_count, table->retired_why);
	flush_seats(table);
	loop_post(table->loop, LOOP_SETTLE, &table->settle_task);
}

void
table_abort(struct table *table, enum abort_word why)
{
	const unsigned answered = answered_seats(table);
	unsigned s, asked = 0;

	if (table->state == TABLE_OVER)
		return;
	table->aborted = why;
	for (s = 0; s < table->seats; s++) {
		asked |= (unsigned)(table->seat[s].state != SEAT_IDLE &&
				    !table->seat[s].retired)
			 << s;
		seat_decision_over(&table->seat[s], false);
		table->seat[s].sent_away = why == ABORT_ORGANISER;
	}
	note_asks(table, asked, answered);
	finish(table);
}

/* ---- a decision ------------------------------------------------------- */

static size_t write_tokens(struct table *table, char *to);

/* Notes a fault of the decision that stands. */
static void
note_fault(struct table *table, const struct seat *seat)
{
	struct fault_note *note = fault_notes_add(&table->faults, seat->number);
	char tokens[LINE_REFEREE_BYTES];

	if (note == NULL)
		return;
	note->fault = seat->fault;
	note->seen = seat->seen;
	note->ask = seat->unsent ? 0 : seat->ask;
	note->used_us = seat->used_us;
	note->again = seat->again;
	note->late_us = seat->missed == seat->ask ? seat->late_us : 0;
	note->said = seat->said;
	game_legal(&table->game, seat->number, &scratch.legal);
	fault_note_legal(note, tokens, write_tokens(table, tokens));
}

static void
charge_faults(struct table *table, unsigned asked)
{
	static const struct seat_said nothing;
	struct seat *seat;
	char line[48];
	int n;

	for (unsigned s = 0; s < table->seats; s++) {
		seat = &table->seat[s];
		if (!(asked >> s & 1) || seat->state != SEAT_ANSWERED ||
		    seat->fault == FAULT_NONE)
			continue;
		n = snprintf(line, sizeof(line), "fault %u %s\n", s,
			     fault_name(seat->fault));
		table_record_fault(&table->record, line, (size_t)n,
				   seat->fault == FAULT_TIMEOUT ||
						   seat->fault == FAULT_CRASH
					   ? &nothing
					   : &seat->said,
				   &seat->seen);
		publish(table, line, (size_t)n);
		note_fault(table, seat);
		if (++seat->faults < table->setup.faults)
			continue;
		table->retired_in[s] = table->decisions;
		table->retired_order[table->retired_count] = s;
		table->retired_why[table->retired_count++] = seat->fault;
		seat_retire(seat);
	}
}

/* Resolves the decision: `mover` moves, or -1: everybody passed. */
static void
resolve(struct table *table, int mover)
{
	const struct decision decision = table->game.decision;
	const unsigned answered = answered_seats(table);
	const unsigned retired = retired_seats(table);
	uint64_t thought_us = 0;
	struct move move = { 0 };
	unsigned s;

	table_record_asks(&table->record);
	if (mover >= 0) {
		move = table->seat[mover].answer;
		thought_us = table->seat[mover].used_us;
	}
	charge_faults(table, decision.asked);
	for (unsigned i = 0; i < decision.count; i++) {
		s = decision.seat[i];
		table->turns += table->seat[s].state == SEAT_ANSWERED &&
				table->seat[s].fault == FAULT_NONE &&
				!table->seat[s].retired;
		seat_decision_over(&table->seat[s], (int)s == mover);
	}
	note_asks(table, decision.asked & ~retired, answered);
	if (mover < 0)
		game_quiet(&table->game, &table->chance, &scratch.events);
	else if (!game_play(&table->game, (unsigned)mover, move, &table->chance,
			    &scratch.events))
		bug("the game refuses a legal move");
	publish_events(table, mover < 0 ? NULL : &thought_us);
	step(table);
}

/* Lists, with open=arrival, the seats whose answers are there and are no pass and no
 * house move; returns how many. */
static unsigned
arrivals(const struct table *table, unsigned candidate[SEATS_MAX])
{
	const struct decision *decision = &table->game.decision;
	const struct seat *seat;
	unsigned count = 0, i;

	if (decision->kind != DECISION_OPEN || !table->setup.arrival)
		return 0;
	for (i = 0; i < decision->count; i++) {
		seat = &table->seat[decision->seat[i]];
		if (seat->state == SEAT_ANSWERED && seat->fault == FAULT_NONE &&
		    !seat->retired && seat->answer.verb != VERB_PASS)
			candidate[count++] = seat->number;
	}
	return count;
}

/* Resolves the decision if it is ripe. */
static bool
try_resolve(struct table *table)
{
	const struct decision *decision = &table->game.decision;
	struct move answer[SEATS_MAX];
	unsigned candidate[SEATS_MAX], count, i, s, waiting = 0;
	int mover;

	count = arrivals(table, candidate);
	if (count > 0) { /* chance decides among several */
		resolve(table,
			(int)candidate[chance_below(&table->arrival, count)]);
		return true;
	}
	for (i = 0; i < decision->count; i++) {
		s = decision->seat[i];
		waiting += table->seat[s].state != SEAT_ANSWERED;
		answer[s] = table->seat[s].answer;
	}
	if (waiting > 0)
		return false;
	if (decision->kind == DECISION_SINGLE)
		mover = decision->holder;
	else
		mover = game_first(&table->game, answer);
	resolve(table, mover);
	return true;
}

/* Writes the tokens of the legal list, separated by spaces; returns their length. */
static size_t
write_tokens(struct table *table, char *to)
{
	const struct game_rules *rules = table->setup.game.rules;
	char *start = to;

	for (unsigned i = 0; i < scratch.legal.count; i++) {
		if ((size_t)(to - start) > LINE_REFEREE_BYTES - 2 * MOVE_BYTES)
			bug("a legal list is longer than a line");
		if (i > 0)
			*to++ = ' ';
		to += game_move_token(rules, scratch.legal.move[i], to);
	}
	return (size_t)(to - start);
}

/* Asks the seats of the decision that stands. */
static void
step(struct table *table)
{
	const struct decision *decision = &table->game.decision;
	char tokens[LINE_REFEREE_BYTES];
	size_t n;

	if (table->record.body.full) {
		table_record_cut(&table->record);
		table_abort(table, ABORT_RECORD_TOO_LONG);
		return;
	}
	if (game_is_over(&table->game)) {
		finish(table);
		return;
	}
	table->decisions++;
	table->asked_at = table->record.body.used;
	for (unsigned s = 0; s < table->seats; s++) {
		if (!(decision->asked >> s & 1))
			continue;
		game_legal(&table->game, s, &scratch.legal);
		n = write_tokens(table, tokens);
		if (table->setup.record_asks)
			table_record_ask(&table->record, s, tokens, n);
		seat_ask(&table->seat[s], scratch.legal.move[0], tokens, n);
		if (table->seat[s].state == SEAT_ANSWERED)
			loop_post(table->loop, LOOP_SETTLE,
				  &table->settle_task);
	}
	flush_seats(table);
}

/* ---- the beginning ---------------------------------------------------- */

static void
greet(struct table *table, struct seat *seat)
{
	const struct table_setup *setup = &table->setup;
	const struct game_rules *rules = setup->game.rules;
	struct text line = { .max = LINE_REFEREE_BYTES };
	char value[16], hex[2 * DEAL_COMMIT_BYTES + 1];

	if (seat->bot == NULL)
		return;
	if (!seat->bot->greeted)
		text_str(&line, "referee " PROTOCOL_NUMBER
				" referee-" PACKAGE_VERSION "\n");
	seat->bot->greeted = true;
	text_fmt(&line, "game %s %s seat %u of %u", setup->deal.id, rules->name,
		 seat->number, table->seats);
	for (unsigned i = 0; rules->options[i].name != NULL; i++) {
		game_setup_value(&setup->game, i, value);
		text_fmt(&line, " %s=%s", rules->options[i].name, value);
	}
	text_fmt(&line, " open=%s time=%llu bank=%llu increment=%llu",
		 setup->arrival ? "arrival" : "priority",
		 (unsigned long long)setup->clock.time_us / 1000,
		 (unsigned long long)setup->clock.bank_us / 1000,
		 (unsigned long long)setup->clock.increment_us / 1000);
	if (setup->clock.total_us != 0)
		text_fmt(&line, " total=%llu",
			 (unsigned long long)setup->clock.total_us / 1000);
	text_fmt(&line, " faults=%u", setup->faults);
	for (unsigned i = 0; setup->show_names && i < table->seats; i++)
		text_fmt(&line, "%s%s", i == 0 ? " names=" : ",",
			 setup->name[i]);
	sodium_bin2hex(hex, sizeof(hex), setup->deal.commit, DEAL_COMMIT_BYTES);
	text_fmt(&line, "\ncommit %s", hex);
	bot_line(seat->bot, line.bytes, line.used);
	text_release(&line);
}

static void
collect_entropy(const struct table *table, struct entropy *entropy)
{
	memset(entropy, 0, sizeof(*entropy));
	for (unsigned s = 0; s < table->seats; s++) {
		memcpy(entropy->byte[s], table->seat[s].entropy,
		       table->seat[s].entropy_bytes);
		entropy->bytes[s] = (uint8_t)table->seat[s].entropy_bytes;
	}
}

static void
deal_and_begin(struct table *table)
{
	struct entropy entropy;

	collect_entropy(table, &entropy);
	deal_chance(&table->setup.deal, &table->setup.game, &entropy,
		    &table->chance);
	table->state = TABLE_PLAYING;
	game_start(&table->game, &table->setup.game, &table->chance,
		   &scratch.events);
	publish_events(table, NULL);
	step(table);
}

void
table_seal(struct table *table,
	   void (*sealed)(struct table *, const struct entropy *, void *))
{
	table->sealed = sealed;
}

void
table_deal(struct table *table)
{
	if (table->state == TABLE_SEALED)
		deal_and_begin(table);
}

/* Seals the deal: the seats have given what they give. */
static void
seal(struct table *table)
{
	struct entropy entropy;

	timer_stop(&table->timer);
	if (table->sealed == NULL) {
		deal_and_begin(table);
		return;
	}
	table->state = TABLE_SEALED;
	collect_entropy(table, &entropy);
	table->sealed(table, &entropy, table->over_arg);
}

/* ---- what the loop and the seats tell --------------------------------- */

static bool
entropy_is_due(const struct table *table)
{
	for (unsigned s = 0; s < table->seats; s++)
		if (table->seat[s].entropy_wanted)
			return true;
	return false;
}

static void
settle(struct loop_task *task)
{
	struct table *table = ENCLOSING(task, struct table, settle_task);
	unsigned i;

	if (table->state == TABLE_ENTROPY) {
		if (entropy_is_due(table))
			return; /* its timer, or the last seat, calls again */
		seal(table);
	}
	for (i = 0; i < DECISIONS_A_PASS && table->state == TABLE_PLAYING; i++)
		if (!try_resolve(table))
			return;
	if (table->state == TABLE_PLAYING) {
		loop_post(table->loop, LOOP_SETTLE, &table->settle_task);
	} else if (table->state == TABLE_OVER && !table->told) {
		table->told = true;
		table->over(table, table->over_arg);
	}
}

/* Hears a deadline.  The timer is armed for the earliest one it has heard of and finds
 * a new one when it fires; so a turn that is answered in time costs no timer. */
static void
on_deadline(void *arg, uint64_t deadline_us)
{
	struct table *table = arg;

	timer_by(&table->timer, deadline_us);
}

static void
on_timer(void *arg)
{
	struct table *table = arg;
	uint64_t now_us = clock_us(), next_us = UINT64_MAX, due_us;
	unsigned candidate[SEATS_MAX], s;
	/* The others' asks are void, as soon as this pass is settled. */
	bool moved = arrivals(table, candidate) > 0;
	struct seat *seat;

	for (s = 0; s < table->seats; s++) {
		seat = &table->seat[s];
		if (seat->entropy_wanted) {
			if (now_us > seat->entropy_until_us)
				seat_end_entropy(seat);
			else
				next_us = seat->entropy_until_us;
		}
		if (!moved)
			seat_check_deadline(seat, now_us);
		due_us = seat_due(seat, now_us);
		if (due_us < next_us)
			next_us = due_us;
	}
	/* A deadline is over when the clock has passed it. */
	if (next_us != UINT64_MAX)
		timer_by(&table->timer,
			 next_us > now_us ? next_us : now_us + 1);
}

static bool
judge(void *arg, unsigned seat, const char *token, size_t n, struct move *move)
{
	struct table *table = arg;

	if (game_move_read(table->setup.game.rules, token, n, move) < 0)
		return false;
	game_legal(&table->game, seat, &scratch.legal);
	return game_is_legal(&scratch.legal, *move);
}

static void
on_answered(void *arg, unsigned seat UNUSED)
{
	struct table *table = arg;

	loop_post(table->loop, LOOP_SETTLE, &table->settle_task);
}

static void
on_remark(void *arg, unsigned seat, const char *text, size_t n)
{
	struct table *table = arg;

	table_record_remark(&table->record, seat, text, n);
}

static void
on_late(void *arg, unsigned seat, uint32_t ask, uint64_t us)
{
	struct table *table = arg;
	struct fault_note *note = table->faults.note;

	for (unsigned i = 0; i < table->faults.count; i++)
		if (note[i].seat == seat && note[i].ask == ask &&
		    note[i].fault == FAULT_TIMEOUT)
			note[i].late_us = us;
}

static const struct seat_table seat_table = {
	.judge = judge,
	.answered = on_answered,
	.deadline = on_deadline,
	.entropy = on_answered,
	.remark = on_remark,
	.late = on_late,
};

/* ---- life ------------------------------------------------------------- */

struct table *
table_new(struct loop *loop, const struct table_setup *setup,
	  struct bot *const bot[], void (*over)(struct table *, void *),
	  void *arg)
{
	uint64_t now_us = clock_us(), until_us;
	struct table *table = zeroed(1, sizeof(*table));

	until_us = now_us + ENTROPY_MS * (uint64_t)1000;
	table->loop = loop;
	table->setup = *setup;
	table->seats = setup->game.seats;
	table->settle_task.run = settle;
	scratch.events.wanted = true;
	table->over = over;
	table->over_arg = arg;
	table_record_init(&table->record);
	asks_begin(&table->asks, setup->deal.id, setup->clock.bank_us / 1000);
	deal_side_chance(&setup->deal, "referee arrival 1", 0, &table->arrival);
	timer_init(&table->timer, &loop->timers, on_timer, table);
	for (unsigned s = 0; s < table->seats; s++) {
		seat_init(&table->seat[s], s, bot[s], &table->setup.clock,
			  &seat_table, table);
		greet(table, &table->seat[s]);
		if (setup->given)
			seat_set_entropy(&table->seat[s],
					 setup->given_entropy.byte[s],
					 setup->given_entropy.bytes[s]);
		else if (setup->entropy[s])
			seat_ask_entropy(&table->seat[s], until_us);
	}
	table->state = TABLE_ENTROPY;
	if (entropy_is_due(table)) {
		flush_seats(table);
		timer_by(&table->timer, until_us);
	}
	loop_post(loop, LOOP_SETTLE, &table->settle_task);
	return table;
}

void
table_outcome(const struct table *table, struct table_outcome *outcome)
{
	struct game_score score[SEATS_MAX];
	int key[SEATS_MAX];

	memset(outcome, 0, sizeof(*outcome));
	outcome->aborted = table->aborted;
	outcome->turns = table->turns;
	for (unsigned s = 0; s < table->seats; s++) {
		outcome->faults[s] = table->seat[s].faults;
		outcome->retired[s] = table->seat[s].retired;
		memcpy(outcome->slip[s], table->seat[s].slip,
		       sizeof(outcome->slip[s]));
	}
	if (table->aborted != ABORT_NONE)
		return;
	game_result(&table->game, score);
	/* They stand behind all others, the earlier retired the lower. */
	for (unsigned s = 0; s < table->seats; s++)
		key[s] = table->retired_in[s] == 0
				 ? score[s].place
				 : SEATS_MAX + 1 +
					   (int)(table->decisions -
						 table->retired_in[s]);
	for (unsigned s = 0; s < table->seats; s++) {
		outcome->points[s] = score[s].points;
		outcome->place[s] = 1;
		for (unsigned t = 0; t < table->seats; t++)
			outcome->place[s] += key[t] < key[s];
	}
}

void
table_ended(const struct table *table, char date[RECORD_DATE_BYTES])
{
	memcpy(date, table->ended, RECORD_DATE_BYTES);
}

void
table_record(const struct table *table, struct text *header,
	     const struct text **body)
{
	struct entropy entropy;

	collect_entropy(table, &entropy);
	table_record_header(header, &table->setup, table->seat, &entropy,
			    table->ended, table->aborted);
	table_record_usage(header, table->used, table->seats);
	*body = &table->record.body;
}

void
table_take_asks(struct table *table, struct text *asks)
{
	text_release(asks);
	*asks = table->asks.text;
	table->asks.text = (struct text){ .max = ASKS_BYTES };
}

void
table_take_faults(struct table *table, struct fault_notes *notes)
{
	*notes = table->faults;
	table->faults = (struct fault_notes){ .count = 0 };
}

void
table_used(struct table *table, unsigned seat, const struct bot_usage *usage)
{
	uint64_t before_kib = table->used[seat].peak_kib;

	table->used[seat] = *usage;
	if (before_kib > usage->peak_kib)
		table->used[seat].peak_kib = before_kib;
}

unsigned
table_turns(const struct table *table)
{
	return table->turns;
}

/* `over ID HASH`, or `abort ID WHY`. */
static void
tell_over(struct table *table, struct bot *bot, const unsigned char *hash)
{
	char line[LINE_BOT_BYTES], hex[2 * RECORD_HASH_BYTES + 1];
	enum abort_word why = table->aborted;
	int n;

	if (hash == NULL && why == ABORT_NONE)
		why = ABORT_MACHINE;
	if (why == ABORT_NONE) {
		sodium_bin2hex(hex, sizeof(hex), hash, RECORD_HASH_BYTES);
		n = snprintf(line, sizeof(line), "over %s %s",
			     table->setup.deal.id, hex);
	} else {
		n = snprintf(line, sizeof(line), "abort %s %s",
			     table->setup.deal.id, abort_name(why));
	}
	bot_line(bot, line, (size_t)n);
}

static void
table_free(struct table *table)
{
	loop_cancel(table->loop, &table->settle_task);
	timer_stop(&table->timer);
	table_record_release(&table->record);
	asks_release(&table->asks);
	fault_notes_release(&table->faults);
	free(table);
}

/* `bot` NULL: all of them leave; not `told`: without the outcome. */
static void
close_table(struct table *table, const unsigned char *hash, bool told,
	    struct bot *bot[SEATS_MAX])
{
	struct seat *seat;

	if (table->state != TABLE_OVER)
		bug("a receipt for a game that runs");
	for (unsigned s = 0; s < table->seats; s++) {
		seat = &table->seat[s];
		if (seat->bot != NULL && told)
			tell_over(table, seat->bot, hash);
		if (bot != NULL && (bot[s] = seat_give_back(seat)) != NULL)
			bot_flush(bot[s]);
		if (seat->bot != NULL && !seat->bot->stays)
			bot_line(seat->bot, "bye", 3);
		seat_let_go(seat, BYE_MS);
	}
	table_free(table);
}

void
table_receipt(struct table *table, const unsigned char *hash,
	      struct bot *bot[SEATS_MAX])
{
	close_table(table, hash, true, bot);
}

void
table_leave(struct table *table)
{
	close_table(table, NULL, false, NULL);
}
