/* referee/check/check-tap.c - sits between a seat and its bot.
 *
 * The table collects lines in the outer bot.  At a flush they go line by line
 * into the inner bot and leave there.  What the inner bot says goes to the
 * listener of the outer one, which is the seat.  With `drip` the bytes of a
 * flush go one by one, with a pause in the middle of the last line; later bytes
 * wait behind them. */
#include "referee/check/check-tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRIP_US 2000 /* the pause in the middle of an ask */

struct tap {
	struct bot bot;	   /* the outer one */
	struct bot *inner; /* NULL: it has ended */
	struct tap_orders orders;
	const struct tap_calls *calls;
	void *arg;
	struct watch watch;
	char line[TAP_LINES][TAP_LINE_BYTES];
	unsigned lines;	  /* lines so far; the last TAP_LINES are kept */
	struct text drip; /* bytes that wait for the end of the pause */
	size_t dripped;	  /* bytes of it that have left */
	bool drip_stamp;
	struct timer drip_timer, delay_timer;
	char held[LINE_BOT_BYTES + 1]; /* an answer that is delayed */
	size_t held_bytes;
	uint32_t held_ask;
	uint64_t asked_us;  /* time when the ask was handed over; 0: not yet */
	uint32_t missed;    /* the ask of its last timeout */
	uint64_t missed_us; /* time of that timeout; 0: answered since */
	bool spoken;	    /* it has said a line */
	bool first;	    /* no answer yet from this process */
	bool parted, cut, flooded;
	uint64_t stderr_bytes;
};

/* ---- the transcript --------------------------------------------------- */

static void
note_line(struct tap *tap, const char *mark, const char *line, size_t n)
{
	char *to = tap->line[tap->lines++ % TAP_LINES];
	size_t used = strlen(mark);

	memcpy(to, mark, used);
	text_escape(to + used, TAP_LINE_BYTES - used, line, n);
}

void
tap_last_lines(const struct bot *bot, struct tap_lines *lines)
{
	const struct tap *tap = (const struct tap *)bot;
	unsigned i, from = tap->lines > TAP_LINES ? tap->lines - TAP_LINES : 0;

	lines->count = 0;
	for (i = from; i < tap->lines; i++)
		memcpy(lines->line[lines->count++], tap->line[i % TAP_LINES],
		       TAP_LINE_BYTES);
}

/* ---- to the bot ------------------------------------------------------- */

static void
inner_bytes(struct tap *tap, const char *bytes, size_t n)
{
	char *to = bot_room(tap->inner, n);

	if (to == NULL)
		return; /* the loop calls gone() */
	memcpy(to, bytes, n);
	bot_added(tap->inner, n);
}

static void
inner_flush(struct tap *tap, bool stamp, uint64_t now_us)
{
	if (tap->inner == NULL || tap->inner->gone || tap->inner->overfull)
		return;
	tap->inner->stamp |= stamp;
	tap->inner->ops->flush(tap->inner, now_us);
}

/* Sends the bytes up to `end`, each in a write of its own. */
static void
drip_bytes(struct tap *tap, size_t end, uint64_t now_us)
{
	bool last;

	for (; tap->dripped < end && tap->inner != NULL; tap->dripped++) {
		last = tap->dripped + 1 == tap->drip.used;
		inner_bytes(tap, tap->drip.bytes + tap->dripped, 1);
		inner_flush(tap, last && tap->drip_stamp, now_us);
	}
	if (tap->dripped < tap->drip.used)
		return;
	text_clear(&tap->drip);
	tap->dripped = 0;
	tap->drip_stamp = false;
}

static void
drip_rest(struct tap *tap, uint64_t now_us)
{
	timer_stop(&tap->drip_timer);
	drip_bytes(tap, tap->drip.used, now_us);
}

static void
on_drip(void *arg)
{
	drip_rest(arg, clock_us());
}

/* Sends all but the second half of the last line, which follows later. */
static void
drip(struct tap *tap, uint64_t now_us)
{
	size_t middle;
	const char *lf;

	if (timer_runs(&tap->drip_timer) || tap->drip.used < 2)
		return;
	lf = memrchr(tap->drip.bytes, '\n', tap->drip.used - 1);
	middle = lf == NULL ? 0 : (size_t)(lf + 1 - tap->drip.bytes);
	middle += (tap->drip.used - middle) / 2;
	drip_bytes(tap, middle, now_us);
	timer_after(&tap->drip_timer, DRIP_US);
}

static void
pass_bytes(struct tap *tap, const char *bytes, size_t n)
{
	if (tap->orders.drip)
		text_add(&tap->drip, bytes, n);
	else
		inner_bytes(tap, bytes, n);
}

static void
pass_line(struct tap *tap, const char *line, size_t n)
{
	note_line(tap, "< ", line, n);
	pass_bytes(tap, line, n);
	pass_bytes(tap, "\n", 1);
}

/* Passes a line on with added words.  `line` ends in a NUL. */
static void
pass_with_words(struct tap *tap, char *line, size_t n)
{
	static const char pairs[] = " weather=fine moon=3.5",
			  news[] = "news the moon is full";
	char longer[LINE_REFEREE_BYTES + 1];

	if (strncmp(line, "game ", 5) == 0 &&
	    n + sizeof(pairs) <= LINE_REFEREE_BYTES) {
		n = (size_t)snprintf(longer, sizeof(longer), "%s%s", line,
				     pairs);
		pass_line(tap, longer, n);
		return;
	}
	if (strncmp(line, "ask ", 4) == 0 || strncmp(line, "commit ", 7) == 0)
		pass_line(tap, news, sizeof(news) - 1);
	pass_line(tap, line, n);
}

/* Ends the bot's input, as if the referee had died: the seat hears that the bot
 * is gone, and the bot loses its listener. */
static void
cut_line(struct tap *tap)
{
	struct bot *inner = tap->inner;

	note_line(tap, "", "(its input ends)", 16);
	tap->cut = true;
	tap->parted = true;
	drip_rest(tap, clock_us());
	bot_part(inner, BYE_MS);
	bot_tell_gone(&tap->bot, false);
}

/* Takes one line of the table.  Returns false once the bot's input has ended. */
static bool
take_line(struct tap *tap, char *line, size_t n)
{
	enum fault fault = watch_sent(&tap->watch, line, n);

	if (tap->orders.words)
		pass_with_words(tap, line, n);
	else
		pass_line(tap, line, n);
	if (fault == FAULT_TIMEOUT) {
		tap->missed = tap->watch.ask;
		tap->missed_us = clock_us();
	}
	if (fault != FAULT_NONE && tap->calls != NULL)
		tap->calls->fault(tap->arg, fault);
	return tap->orders.end_at == 0 || tap->watch.ask < tap->orders.end_at;
}

static void
tap_flush(struct bot *bot, uint64_t now_us)
{
	struct tap *tap = (struct tap *)bot;
	char *line = bot->out, *end = bot->out + bot->used, *lf;
	bool stamp = bot->stamp, goes_on = true;

	bot->stamp = false;
	if (tap->inner == NULL || tap->cut) {
		bot->used = 0;
		return;
	}
	if (stamp)
		tap->asked_us = 0;
	for (; line < end && goes_on; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		*lf = '\0';
		goes_on = take_line(tap, line, (size_t)(lf - line));
	}
	bot->used = 0;
	if (!goes_on) {
		cut_line(tap);
	} else if (tap->orders.drip) {
		tap->drip_stamp |= stamp;
		drip(tap, now_us);
	} else {
		inner_flush(tap, stamp, now_us);
	}
}

/* ---- from the bot ----------------------------------------------------- */

static void
say(struct tap *tap, enum line_result result, char *line, size_t n,
    uint64_t now_us)
{
	if (tap->bot.listener != NULL)
		tap->bot.listener->line(tap->bot.listener_arg, result, line, n,
					now_us);
}

static void
on_delay(void *arg)
{
	struct tap *tap = arg;

	/* The ask may be void by now. */
	if (tap->watch.ask == tap->held_ask && tap->bot.listener != NULL)
		say(tap, LINE_OK, tap->held, tap->held_bytes, clock_us());
}

static void
hold(struct tap *tap, const char *line, size_t n)
{
	memcpy(tap->held, line, n + 1);
	tap->held_bytes = n;
	tap->held_ask = tap->watch.ask;
	timer_after(&tap->delay_timer, tap->orders.delay_us);
}

/* Sends an illegal answer in place of the bot's. */
static void
spoil(struct tap *tap, uint64_t now_us)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "do %u no-such-move",
			 tap->watch.ask);

	note_line(tap, "", "(the check has spoilt this answer)", 34);
	say(tap, LINE_OK, line, (size_t)n, now_us);
}

static void
measure(struct tap *tap, uint64_t now_us)
{
	uint64_t us = 0;

	if (tap->asked_us != 0 && now_us > tap->asked_us)
		us = now_us - tap->asked_us;
	if (tap->calls != NULL)
		tap->calls->thought(tap->arg, us, tap->first);
	tap->first = false;
}

/* Handles an answer to a void ask. */
static void
tell_late(struct tap *tap, uint64_t now_us)
{
	const uint64_t since_us = tap->missed_us;

	if (since_us == 0 || tap->watch.late != tap->missed)
		return;
	tap->missed_us = 0;
	if (tap->calls != NULL)
		tap->calls->late(tap->arg,
				 now_us > since_us ? now_us - since_us : 0);
}

static void
inner_line(void *arg, enum line_result result, char *line, size_t n,
	   uint64_t now_us)
{
	struct tap *tap = arg;
	bool waited = watch_waits(&tap->watch), answered;
	enum watch_verdict verdict;

	tap->spoken = true;
	if (result == LINE_OK && watch_is_stale(&tap->watch, line, n)) {
		note_line(tap, "> ", line, n);
		return;
	}
	verdict = watch_said(&tap->watch, result, line, n);
	answered = waited && !watch_waits(&tap->watch);
	if (result == LINE_TOO_LONG)
		note_line(tap, "> ", "(a line that is too long)", 25);
	else
		note_line(tap, "> ", line, n);
	if (answered)
		measure(tap, now_us);
	if (verdict == WATCH_LATE)
		tell_late(tap, now_us);
	if (verdict == WATCH_USELESS && tap->calls != NULL)
		tap->calls->useless(tap->arg);
	if (verdict == WATCH_SLIP && tap->calls != NULL)
		tap->calls->slipped(tap->arg, tap->watch.slipped);
	if (watch_flooded(&tap->watch) && !tap->flooded) {
		tap->flooded = true;
		if (tap->calls != NULL)
			tap->calls->broken(tap->arg, FAULT_PROTOCOL);
	}
	if (answered && tap->orders.spoil_from != 0 &&
	    tap->watch.ask >= tap->orders.spoil_from)
		spoil(tap, now_us);
	else if (answered && tap->orders.delay_us != 0)
		hold(tap, line, n);
	else
		say(tap, result, line, n, now_us);
}

static void
inner_handed(void *arg, uint64_t now_us)
{
	struct tap *tap = arg;

	tap->asked_us = now_us;
	if (tap->bot.listener != NULL)
		tap->bot.listener->handed(tap->bot.listener_arg, now_us);
}

static void
inner_stuck(void *arg, uint64_t now_us)
{
	struct tap *tap = arg;

	if (tap->bot.listener != NULL)
		tap->bot.listener->stuck(tap->bot.listener_arg, now_us);
}

static void
inner_gone(void *arg, bool flooded)
{
	static const char why[] =
		"sent a line without end, or read nothing of what it was sent";
	struct tap *tap = arg;

	if (flooded)
		memcpy(tap->watch.why, why, sizeof(why));
	if (tap->calls != NULL)
		tap->calls->broken(tap->arg,
				   flooded ? FAULT_PROTOCOL : FAULT_CRASH);
	bot_tell_gone(&tap->bot, flooded);
}

static uint32_t
inner_awaits(void *arg, uint64_t now_us, uint64_t *left_us)
{
	const struct bot *outer = &((struct tap *)arg)->bot;

	*left_us = 0;
	return outer->listener == NULL
		       ? UINT32_MAX
		       : outer->listener->awaits(outer->listener_arg, now_us,
						 left_us);
}

static const struct bot_listener inner_listener = {
	.line = inner_line,
	.handed = inner_handed,
	.stuck = inner_stuck,
	.gone = inner_gone,
	.awaits = inner_awaits,
};

/* ---- the end ---------------------------------------------------------- */

static void
tap_free(struct tap *tap)
{
	timer_stop(&tap->drip_timer);
	timer_stop(&tap->delay_timer);
	text_release(&tap->drip);
	bot_release(&tap->bot);
	free(tap);
}

static void
on_failed(void *arg, struct bot *inner UNUSED, const struct bot_end *end)
{
	struct tap *tap = arg;

	if (tap->bot.failed != NULL)
		tap->bot.failed(tap->bot.ended_arg, &tap->bot, end);
}

static void
on_complained(void *arg, const char *bytes, size_t n)
{
	struct tap *tap = arg;

	tap->stderr_bytes += n;
	if (tap->bot.complained != NULL)
		tap->bot.complained(tap->bot.ended_arg, bytes, n);
}

static void
on_ended(void *arg, struct bot *inner UNUSED, const struct bot_end *end)
{
	struct tap *tap = arg;

	if (tap->bot.ended != NULL)
		tap->bot.ended(tap->bot.ended_arg, &tap->bot, end);
	tap_free(tap);
}

static const char *
tap_complaint(struct bot *bot)
{
	struct tap *tap = (struct tap *)bot;

	return bot_complaint(tap->inner);
}

static void
tap_part(struct bot *bot, unsigned grace_ms)
{
	struct tap *tap = (struct tap *)bot;
	uint64_t now_us = clock_us();

	if (tap->cut)
		return;
	if (bot->used > 0 && !bot->gone)
		tap_flush(bot, now_us);
	if (tap->cut)
		return;
	drip_rest(tap, now_us);
	timer_stop(&tap->delay_timer);
	tap->parted = grace_ms > 0;
	tap->inner->late = bot->late;
	bot_part(tap->inner, grace_ms);
}

static uint64_t
tap_take_start(struct bot *bot)
{
	struct bot *inner = ((struct tap *)bot)->inner;

	inner->starting_us = bot->starting_us;
	return bot_take_start(inner);
}

static void
tap_give_start(struct bot *bot, uint64_t taken_us, uint64_t used_us)
{
	bot_end_start(((struct tap *)bot)->inner, taken_us, used_us);
}

static void
tap_watch_inner(struct bot *bot)
{
	const struct tap *tap = (struct tap *)bot;

	if (tap->inner != NULL)
		bot_watch(tap->inner);
}

static struct bot_seen
tap_doing(struct bot *bot)
{
	struct tap *tap = (struct tap *)bot;

	if (tap->inner == NULL)
		return (struct bot_seen){ .doing = BOT_UNSEEN };
	return bot_doing(tap->inner);
}

static size_t
tap_unended(const struct bot *bot, const char **line)
{
	const struct tap *tap = (const struct tap *)bot;

	return tap->inner == NULL ? 0 : bot_unended(tap->inner, line);
}

static const struct bot_ops tap_ops = {
	.unended = tap_unended,
	.watch = tap_watch_inner,
	.doing = tap_doing,
	.flush = tap_flush,
	.part = tap_part,
	.complaint = tap_complaint,
	.take_start = tap_take_start,
	.give_start = tap_give_start,
};

/* ---- for its owner ---------------------------------------------------- */

struct bot *
tap_new(struct loop *loop, struct bot *inner)
{
	struct tap *tap = zeroed(1, sizeof(*tap));

	bot_init(&tap->bot, &tap_ops, loop);
	tap->bot.greeted = inner->greeted;
	tap->bot.stays = inner->stays;
	tap->bot.late = inner->late;
	tap->inner = inner;
	tap->first = true;
	text_init(&tap->drip, 2 * OUT_BYTES);
	timer_init(&tap->drip_timer, &loop->timers, on_drip, tap);
	timer_init(&tap->delay_timer, &loop->timers, on_delay, tap);
	bot_listen(inner, &inner_listener, tap);
	inner->failed = on_failed;
	inner->complained = on_complained;
	inner->ended = on_ended;
	inner->ended_arg = tap;
	return &tap->bot;
}

void
tap_follow(struct bot *bot, const struct watch *before)
{
	struct tap *tap = (struct tap *)bot;

	tap->watch = *before;
	tap->first = false;
}

void
tap_begin(struct bot *bot, unsigned seat, const struct tap_orders *orders,
	  const struct tap_calls *calls, void *arg, struct watch_seen *seen)
{
	struct tap *tap = (struct tap *)bot;

	/* Lines of its last game come before this game. */
	if (tap->drip.used > 0 && tap->inner != NULL)
		drip_rest(tap, clock_us());
	tap->orders = *orders;
	tap->calls = calls;
	tap->arg = arg;
	tap->missed_us = 0;
	watch_begin(&tap->watch, seat, seen);
}

void
tap_returned(struct bot *bot)
{
	watch_returned(&((struct tap *)bot)->watch);
}

const struct watch *
tap_watch(const struct bot *bot)
{
	return &((const struct tap *)bot)->watch;
}

void
tap_look(const struct bot *bot, struct bot_look *look)
{
	const struct tap *tap = (const struct tap *)bot;

	memset(look, 0, sizeof(*look));
	if (tap->orders.child && tap->inner != NULL)
		bot_child_look(tap->inner, look);
}

bool
tap_has_spoken(const struct bot *bot)
{
	return ((const struct tap *)bot)->spoken;
}

void
tap_end(const struct bot *bot, struct tap_end *end)
{
	const struct tap *tap = (const struct tap *)bot;

	end->parted = tap->parted;
	end->stderr_bytes = tap->stderr_bytes;
}
