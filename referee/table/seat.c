/* referee/table/seat.c - asks, clocks and faults of one seat.
 *
 * An ask ends in exactly one of three ways: an answer, a fault, or void.  The
 * deadline is one moment, fixed when the ask has been handed to the kernel
 * (or WRITE_MS after it could not be); nothing that the bot sends moves it. */
#include "referee/table/seat.h"

#include <stdio.h>
#include <string.h>

#include "referee/table/starved.h"

/* Returns true if the whole game is bounded, too. */
static bool
has_total(const struct seat *seat)
{
	return seat->clock->total_us != 0;
}

/* ---- the end of an ask ------------------------------------------------ */

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Ends an ask, which used so much of what it had on top.  A bot whose ask is voided may
 * not run yet: its next ask has what is left. */
static void
end_start(struct seat *seat, uint64_t used_us, bool voided)
{
	struct bot *bot = seat->bot;

	if (bot != NULL && !bot->started) {
		bot_end_start(bot, seat->start_us, used_us);
		bot->started = !voided;
		bot->starting_us += seat->used_us;
	}
	seat->start_us = 0;
}

/* Charges all the time since the ask was posted: a bot that does not read uses it,
 * too. */
static void
charge_total(struct seat *seat, uint64_t now_us)
{
	uint64_t us = now_us > seat->asked_us ? now_us - seat->asked_us : 0;

	seat->total_us -= least(us, seat->total_us);
}

/* Charges the time that the ask took.  A process's first ask has more on top
 * that costs nothing of the bank. */
static void
stop_clock(struct seat *seat, uint64_t now_us, bool voided)
{
	uint64_t free_us = seat->clock->time_us, over, start_us;

	charge_total(seat, now_us);
	seat->used_us = 0;
	if (seat->from_us != 0 && now_us > seat->from_us)
		seat->used_us = now_us - seat->from_us;
	over = seat->used_us > free_us ? seat->used_us - free_us : 0;
	start_us = least(over, seat->start_us);
	if (seat->from_us != 0)
		end_start(seat, start_us, voided);
	seat->from_us = 0;
	seat->bank_us -= least(over - start_us, seat->bank_us);
}

/* Notes how much the bot has written: what comes later belongs to its next
 * ask. */
static void
note_wrote(struct seat *seat)
{
	if (seat->bot != NULL)
		seat->wrote = seat->bot->wrote;
}

static void
stand(struct seat *seat, struct move answer, enum fault fault)
{
	note_wrote(seat);
	seat->answer = answer;
	seat->fault = (uint8_t)fault;
	seat->seen.doing = BOT_UNSEEN;
	seat->state = SEAT_ANSWERED;
}

/* Tells the bot that the answer to the last ask is not awaited any more. */
static void
send_void(struct seat *seat)
{
	char line[32];
	int n;

	if (!seat_hears(seat))
		return;
	n = snprintf(line, sizeof(line), "void %u", seat->ask);
	bot_line(seat->bot, line, (size_t)n);
	bot_flush(seat->bot);
}

/* Lets the bot rest, which is not asked any more. */
static void
rest(const struct seat *seat)
{
	if (seat->bot != NULL)
		bot_rest(seat->bot);
}

/* Keeps what the seat is charged for: the line that is heard now, if any. */
static void
keep_said(const struct seat *seat, struct seat_said *said)
{
	size_t n = seat->line == NULL ? 0 : seat->line_bytes;

	said->why = seat->why;
	said->bytes = (uint32_t)n;
	said->kept = (uint32_t)least(n, SAID_BYTES);
	if (said->kept > 0)
		memcpy(said->text, seat->line, said->kept);
}

/* Keeps a line without its end.  The seat is not charged for it, but may have meant it
 * as its answer. */
static void
keep_unended(struct seat *seat)
{
	const char *line;
	const size_t n = bot_unended(seat->bot, &line);

	seat->said.bytes = (uint32_t)n;
	seat->said.kept = (uint32_t)least(n, SAID_BYTES);
	if (n > 0)
		memcpy(seat->said.text, line, seat->said.kept);
}

/* Charges a fault.  This is the one place where a bot's misbehaviour becomes a
 * fault. */
static void
commit_fault(struct seat *seat, enum fault fault, uint64_t now_us)
{
	if (seat->state != SEAT_ASKED) {
		/* It is charged at the next ask, in place of the answer. */
		if (seat->owed != FAULT_NONE)
			return;
		seat->owed = (uint8_t)fault;
		keep_said(seat, &seat->owed_said);
		return;
	}
	if (fault == FAULT_TIMEOUT) {
		seat->missed = seat->ask;
		seat->missed_us = seat->deadline_us;
	}
	stop_clock(seat, now_us, false);
	keep_said(seat, &seat->said);
	if ((fault == FAULT_TIMEOUT || fault == FAULT_CRASH) &&
	    seat->bot != NULL)
		keep_unended(seat);
	stand(seat, seat->house, fault);
	if (fault == FAULT_TIMEOUT && seat->bot != NULL)
		seat->seen = bot_doing(seat->bot);
	if (fault == FAULT_TIMEOUT)
		send_void(seat);
	rest(seat);
	seat->up->answered(seat->table, seat->number);
}

/* Ends the seat's answers: none comes any more. */
static void
break_off(struct seat *seat, enum fault fault, uint64_t now_us)
{
	if (seat->sent_away)
		return;
	seat->broken = true;
	seat->broken_fault = (uint8_t)fault;
	seat->broken_why = seat->why;
	if (seat->entropy_wanted)
		seat_end_entropy(seat);
	if (seat->state == SEAT_ASKED)
		commit_fault(seat, fault, now_us);
}

static void
break_line(struct seat *seat, enum fault fault, uint64_t now_us)
{
	if (seat->broken)
		return;
	break_off(seat, fault, now_us);
	seat_let_go(seat, 0);
}

/* ---- what the bot says ------------------------------------------------ */

static void
useless_line(struct seat *seat, uint64_t now_us)
{
	if (++seat->useless <= CHATTER_MAX)
		return;
	/* A bot that floods is no longer listened to.  This line may be right. */
	seat->line = NULL;
	seat->why = SAID_MUCH;
	if (seat->bot->stays) /* its connection hears how the game ends */
		break_off(seat, FAULT_PROTOCOL, now_us);
	else
		break_line(seat, FAULT_PROTOCOL, now_us);
}

/* Charges a fault, and counts one of the lines of which there is an end. */
static void
bad_line(struct seat *seat, uint64_t now_us)
{
	commit_fault(seat, FAULT_PROTOCOL, now_us);
	useless_line(seat, now_us);
}

/* Returns true if this may be the answer to an ask of a game before. */
static bool
is_late(struct seat *seat, uint32_t ask)
{
	struct bot_late *late = &seat->bot->late;

	if (ask >= late->first && ask <= late->last)
		return true;
	late->last = 0;
	return false;
}

static void
on_do(struct seat *seat, const struct message *message, uint64_t now_us)
{
	const bool late = is_late(seat, message->ask);
	struct move move;

	if (message->ask > seat->ask && !late) {
		bad_line(seat, now_us);
		return;
	}
	if (message->ask == seat->missed && seat->missed_us != 0 && !late) {
		seat->late_us = now_us - seat->missed_us;
		seat->up->late(seat->table, seat->number, seat->missed,
			       seat->late_us);
		seat->missed_us = 0;
	} else if (message->ask <= seat->heard && message->ask < seat->ask &&
		   seat->state == SEAT_ASKED && !late) {
		seat->again = message->ask;
	}
	if (message->ask > seat->heard && !late)
		seat->heard = message->ask;
	if (message->ask != seat->ask || seat->state != SEAT_ASKED) {
		useless_line(seat, now_us);
		return;
	}
	if (!seat->up->judge(seat->table, seat->number, message->text,
			     message->n, &move)) {
		/* If two asks have one number, it can only be the other's. */
		if (late)
			useless_line(seat, now_us);
		else
			commit_fault(seat, FAULT_ILLEGAL, now_us);
		return;
	}
	seat->heard = seat->ask;
	stop_clock(seat, now_us, false);
	stand(seat, move, FAULT_NONE);
	rest(seat);
	seat->up->answered(seat->table, seat->number);
}

/* Returns true if the record has no slip of this type yet; what stands before the first
 * colon of a remark is the type. */
static bool
is_new_type(struct seat *seat, const struct message *say)
{
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */

	for (size_t i = 0; i < say->n && say->text[i] != ':'; i++)
		hash = (hash ^ (unsigned char)say->text[i]) * 0x100000001b3;
	for (size_t i = 0; i < seat->types; i++)
		if (seat->type[i] == hash)
			return false;
	if (seat->types == SLIP_TYPES)
		return false;
	seat->type[seat->types++] = hash;
	return true;
}

/* Takes note of a slip, of which there is one of each kind an ask; more of them
 * are remarks like others.  Returns whether it was one. */
static bool
on_slip(struct seat *seat, const struct message *say)
{
	struct seat_slip *slip;
	const char *what;
	enum slip kind;
	size_t n;

	kind = message_slip(say, &what, &n);
	if (kind == SLIPS || seat->slip[kind].count > seat->ask)
		return false;
	slip = &seat->slip[kind];
	if (slip->count++ == 0)
		memcpy(slip->first, what, n);
	if (is_new_type(seat, say))
		seat->up->remark(seat->table, seat->number, say->text, say->n);
	return true;
}

static void
on_say(struct seat *seat, const struct message *message, uint64_t now_us)
{
	if (on_slip(seat, message))
		return;
	if (++seat->says > SAY_COUNT)
		useless_line(seat, now_us);
	else
		seat->up->remark(seat->table, seat->number, message->text,
				 message->n);
}

static void
on_entropy(struct seat *seat, const struct message *message, uint64_t now_us)
{
	if (seat->entropy_wanted && now_us > seat->entropy_until_us)
		seat_end_entropy(seat);
	if (!seat->entropy_wanted) {
		useless_line(seat, now_us);
		return;
	}
	memcpy(seat->entropy, message->hex, message->hex_bytes);
	seat->entropy_bytes = message->hex_bytes;
	seat_end_entropy(seat);
}

static void
hear(struct seat *seat, const char *line, size_t n, uint64_t now_us)
{
	struct message message;

	message_read(line, n, &message);
	switch (message.verb) {
	case MESSAGE_DO:
		on_do(seat, &message, now_us);
		break;
	case MESSAGE_SAY:
		on_say(seat, &message, now_us);
		break;
	case MESSAGE_ENTROPY:
		on_entropy(seat, &message, now_us);
		break;
	case MESSAGE_BAD:
		bad_line(seat, now_us);
		break;
	case MESSAGE_BOT:
		if (seat->greeted)
			useless_line(seat, now_us);
		seat->greeted = true;
		break;
	case MESSAGE_CRASHED:
		/* A program has crashed; its connection hears how the game ends. */
		seat->line = NULL;
		if (seat->bot->stays)
			break_off(seat, FAULT_CRASH, now_us);
		else
			useless_line(seat, now_us);
		break;
	case MESSAGE_PONG:
	case MESSAGE_SIT:
	case MESSAGE_REST:
	case MESSAGE_QUIT:
		/* These are words of a connection; from a child they mean nothing. */
		useless_line(seat, now_us);
		break;
	}
}

static void
seat_line(void *arg, enum line_result result, char *line, size_t n,
	  uint64_t now_us)
{
	static const uint8_t whys[] = { [LINE_OK] = SAID_WRONG,
					[LINE_TOO_LONG] = SAID_LONG,
					[LINE_BAD_BYTE] = SAID_BYTE };
	struct seat *seat = arg;

	if (seat->broken)
		return;
	seat_check_deadline(seat, now_us);
	seat->line = result == LINE_TOO_LONG ? NULL : line;
	seat->line_bytes = n;
	seat->why = result == LINE_OK && n == 0 ? SAID_EMPTY : whys[result];
	if (result == LINE_OK)
		hear(seat, line, n, now_us);
	else
		bad_line(seat, now_us);
	seat->line = NULL;
}

static void
seat_gone(void *arg, bool flooded)
{
	uint64_t now_us = clock_us();
	struct seat *seat = arg;

	seat_check_deadline(seat, now_us);
	seat->why = seat->bot != NULL && seat->bot->overfull ? SAID_NOT_READ
							     : SAID_ENDLESS;
	break_line(arg, flooded ? FAULT_PROTOCOL : FAULT_CRASH, now_us);
}

/* ---- clock ------------------------------------------------------------ */

/* Returns what an ask may take now, but for what a first one has on top. */
static uint64_t
time_left(const struct seat *seat)
{
	uint64_t us = seat->clock->time_us + seat->bank_us;

	return has_total(seat) ? least(us, seat->total_us) : us;
}

static void
start_clock(struct seat *seat, uint64_t from_us)
{
	if (seat->state != SEAT_ASKED)
		return;
	if (seat->from_us == 0 && !seat->bot->started)
		seat->start_us = bot_take_start(seat->bot);
	seat->from_us = from_us;
	seat->deadline_us =
		from_us + seat->clock->time_us + seat->bank_us + seat->start_us;
	if (has_total(seat))
		seat->deadline_us = least(seat->deadline_us,
					  seat->asked_us + seat->total_us);
	/* The deadline of one that does not read may come before its clock runs, or so
	 * soon after it that no time for a look is left. */
	if (from_us + WATCH_MIN_US >= seat->deadline_us)
		from_us = seat->asked_us;
	seat->watch_us =
		from_us +
		most((seat->deadline_us - from_us) / WATCH_PART, WATCH_MIN_US);
	seat->up->deadline(seat->table,
			   least(seat->watch_us, seat->deadline_us));
}

static void
seat_handed(void *arg, uint64_t now_us)
{
	struct seat *seat = arg;

	/* After seat_stuck() the earlier of the two moments counts. */
	if (seat->from_us == 0 || now_us < seat->from_us)
		start_clock(seat, now_us);
}

static void
seat_stuck(void *arg, uint64_t now_us)
{
	struct seat *seat = arg;

	/* This counts only the first time: a bot that reads a little now and then gets
	 * no new clock for it. */
	if (seat->from_us == 0)
		start_clock(seat, now_us + WRITE_MS * (uint64_t)1000);
}

static uint32_t
seat_awaits(void *arg, uint64_t now_us, uint64_t *left_us)
{
	const struct seat *seat = arg;

	*left_us = 0;
	if (seat->state != SEAT_ASKED)
		return seat->ask + 1;
	/* An ask that is told at the end of this pass is still to come. */
	if (seat->from_us != 0)
		*left_us = seat->deadline_us - least(seat->deadline_us, now_us);
	return seat->ask;
}

static const struct bot_listener listener = {
	.line = seat_line,
	.handed = seat_handed,
	.stuck = seat_stuck,
	.gone = seat_gone,
	.awaits = seat_awaits,
};

/* ---- for the table ---------------------------------------------------- */

void
seat_init(struct seat *seat, unsigned number, struct bot *bot,
	  const struct seat_clock *clock, const struct seat_table *up,
	  void *table)
{
	memset(seat, 0, sizeof(*seat));
	seat->number = (uint8_t)number;
	seat->bot = bot;
	seat->clock = clock;
	seat->bank_us = clock->bank_us;
	seat->total_us = clock->total_us;
	seat->up = up;
	seat->table = table;
	bot_listen(bot, &listener, seat);
	if (bot->gone)
		break_line(seat, FAULT_CRASH, clock_us());
}

void
seat_ask_entropy(struct seat *seat, uint64_t until_us)
{
	seat->entropy_wanted = !seat->broken;
	seat->entropy_until_us = until_us;
	seat->asked_us = clock_us();
	if (seat->broken)
		return;
	bot_line(seat->bot, "entropy?", 8);
	bot_stamp(seat->bot); /* it may rest since its last game */
}

void
seat_set_entropy(struct seat *seat, const unsigned char *bytes, size_t n)
{
	memcpy(seat->entropy, bytes, n);
	seat->entropy_bytes = n;
}

void
seat_end_entropy(struct seat *seat)
{
	seat->entropy_wanted = false;
	charge_total(seat, clock_us());
	seat->up->entropy(seat->table, seat->number);
}

/* Returns why the seat cannot be asked; FAULT_NONE: it can. */
static enum fault
fault_at_once(const struct seat *seat)
{
	if (seat->owed != FAULT_NONE)
		return seat->owed;
	if (seat->broken)
		return seat->broken_fault;
	/* So little is less than an ask can tell. */
	if (has_total(seat) && seat->total_us < 1000)
		return FAULT_TIMEOUT;
	return FAULT_NONE;
}

void
seat_ask(struct seat *seat, struct move house, const char *tokens, size_t n)
{
	enum fault fault;
	char *to;
	size_t head;

	house.forced = 1;
	seat->house = house;
	seat->fault = FAULT_NONE;
	seat->used_us = 0;
	if (seat->retired) {
		stand(seat, house, FAULT_NONE);
		return;
	}
	fault = fault_at_once(seat);
	seat->unsent = fault != FAULT_NONE;
	if (fault != FAULT_NONE) {
		/* It was never sent, so it has no number either. */
		stand(seat, house, fault);
		seat->said = seat->owed_said;
		if (seat->owed == FAULT_NONE)
			seat->said.why = seat->broken_why;
		seat->owed_said.bytes = seat->owed_said.kept = 0;
		seat->owed = FAULT_NONE;
		return;
	}
	seat->ask++;
	seat->again = 0;
	seat->late_us = 0;
	seat->state = SEAT_ASKED;
	seat->asked_us = clock_us();
	seat->from_us = 0;
	to = bot_room(seat->bot, MESSAGE_ASK_BYTES + n + 1);
	if (to == NULL) /* the fault follows at the end of the pass */
		return;
	head = message_ask(to, seat->ask, time_left(seat) / 1000);
	memcpy(to + head, tokens, n);
	to[head + n] = '\n';
	bot_added(seat->bot, head + n + 1);
}

void
seat_check_deadline(struct seat *seat, uint64_t now_us)
{
	if (seat->state != SEAT_ASKED || seat->from_us == 0 ||
	    now_us <= seat->deadline_us)
		return;
	commit_fault(seat, FAULT_TIMEOUT, now_us);
}

uint64_t
seat_due(struct seat *seat, uint64_t now_us)
{
	if (seat->state != SEAT_ASKED || seat->from_us == 0)
		return UINT64_MAX;
	if (seat->watch_us == 0 || seat->watch_us >= seat->deadline_us)
		return seat->deadline_us;
	if (now_us < seat->watch_us)
		return seat->watch_us;
	seat->watch_us = 0;
	bot_watch(seat->bot);
	return seat->deadline_us;
}

void
seat_decision_over(struct seat *seat, bool moved)
{
	if (seat->state == SEAT_ASKED) {
		stop_clock(seat, clock_us(), true);
		note_wrote(seat);
		send_void(seat);
		rest(seat);
	}
	if (moved && !seat->retired)
		seat->bank_us += seat->clock->increment_us;
	seat->state = SEAT_IDLE;
}

void
seat_retire(struct seat *seat)
{
	seat->retired = true;
	if (seat->bot == NULL)
		return;
	bot_line(seat->bot, "retired", 7);
	if (seat->bot->stays) {
		/* The bot stays until it can be told how the game has ended. */
		bot_listen(seat->bot, NULL, NULL);
		bot_flush(seat->bot);
		return;
	}
	bot_line(seat->bot, "bye", 3);
	seat_let_go(seat, BYE_MS);
}

/* Notes what the bot may still answer when it plays its next game. */
static void
leave_late(struct seat *seat)
{
	struct bot_late *late = &seat->bot->late;

	if (seat->heard == seat->ask)
		return;
	if (late->last == 0 || late->first > seat->heard + 1)
		late->first = seat->heard + 1;
	if (late->last < seat->ask)
		late->last = seat->ask;
}

struct bot *
seat_give_back(struct seat *seat)
{
	struct bot *bot = seat->bot;

	if (bot == NULL || bot->gone || bot->overfull || seat->faults > 0 ||
	    seat->owed != FAULT_NONE)
		return NULL;
	leave_late(seat);
	bot_listen(bot, NULL, NULL);
	seat->bot = NULL;
	return bot;
}

void
seat_let_go(struct seat *seat, unsigned grace_ms)
{
	if (seat->bot == NULL)
		return;
	leave_late(seat);
	bot_part(seat->bot, grace_ms);
	seat->bot = NULL;
}
