/* tests/unit/fake-bot.c - see fake-bot.h. */
#include "tests/unit/fake-bot.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/limits.h"

uint64_t fake_now_us;

static uint64_t
fake_clock(void)
{
	return fake_now_us;
}

void
fake_clock_begin(void)
{
	fake_now_us = 1000000000;
	clock_us = fake_clock;
}

/* ---- the transport ----------------------------------------------------- */

static void
find_asks(struct fake_bot *fake)
{
	const char *start = fake->bot.out, *end = start + fake->bot.used;
	const char *at = start;

	for (; at < end; at = (char *)memchr(at, '\n', (size_t)(end - at)) + 1)
		if (end - at > 4 && memcmp(at, "ask ", 4) == 0) {
			fake->last_ask = fake->read.used + (size_t)(at - start);
			fake->asks++;
		}
}

static void
hand_over(struct fake_bot *fake)
{
	struct bot *bot = &fake->bot;

	if (bot->used == 0)
		return;
	find_asks(fake);
	fake->last_write = fake->read.used;
	fake->writes++;
	text_add(&fake->read, bot->out, bot->used);
	bot->bytes_out += bot->used;
	bot->used = 0;
}

static void
fake_flush(struct bot *bot, uint64_t now_us)
{
	struct fake_bot *fake = (struct fake_bot *)bot;

	if (fake->stuck) {
		if (bot->stamp)
			bot->listener->stuck(bot->listener_arg, now_us);
		return;
	}
	hand_over(fake);
	if (!bot->stamp)
		return;
	bot->stamp = false;
	bot->listener->handed(bot->listener_arg, now_us - fake->handed_late);
}

static void
fake_part(struct bot *bot, unsigned grace_ms)
{
	struct fake_bot *fake = (struct fake_bot *)bot;

	if (!fake->stuck)
		hand_over(fake);
	fake->parted = true;
	fake->grace_ms = grace_ms;
}

static const char *
fake_complaint(struct bot *bot)
{
	(void)bot;
	return NULL;
}

static void
fake_watch(struct bot *bot)
{
	((struct fake_bot *)bot)->watched++;
}

static struct bot_seen
fake_doing(struct bot *bot)
{
	return ((struct fake_bot *)bot)->seen;
}

static size_t
fake_unended(const struct bot *bot, const char **line)
{
	*line = ((const struct fake_bot *)bot)->unended;
	return *line == NULL ? 0 : strlen(*line);
}

static const struct bot_ops fake_ops = {
	.unended = fake_unended,
	.watch = fake_watch,
	.doing = fake_doing,
	.flush = fake_flush,
	.part = fake_part,
	.complaint = fake_complaint,
};

void
fake_init(struct fake_bot *fake, struct loop *loop)
{
	memset(fake, 0, sizeof(*fake));
	bot_init(&fake->bot, &fake_ops, loop);
	text_init(&fake->read, 64 << 20);
}

void
fake_release(struct fake_bot *fake)
{
	bot_release(&fake->bot);
	text_release(&fake->read);
}

/* ---- what it has read -------------------------------------------------- */

const char *
fake_read(struct fake_bot *fake)
{
	return text_string(&fake->read);
}

const char *
fake_last_write(struct fake_bot *fake)
{
	return text_string(&fake->read) + fake->last_write;
}

unsigned
fake_count(struct fake_bot *fake, const char *line)
{
	const char *at = fake_read(fake);
	size_t n = strlen(line);
	unsigned count = 0;

	for (; *at != '\0'; at = strchr(at, '\n') + 1)
		count += strncmp(at, line, n) == 0 && at[n] == '\n';
	return count;
}

bool
fake_has_read(struct fake_bot *fake, const char *line)
{
	return fake_count(fake, line) > 0;
}

/* ---- what it says ------------------------------------------------------ */

void
fake_say(struct fake_bot *fake, const char *fmt, ...)
{
	char line[LINE_BOT_BYTES + 1];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof(line))
		bug("a fake bot says a line that is too long");
	if (fake->bot.listener != NULL)
		fake->bot.listener->line(fake->bot.listener_arg, LINE_OK, line,
					 (size_t)n, fake_now_us);
}

void
fake_break(struct fake_bot *fake, enum line_result result)
{
	if (fake->bot.listener != NULL)
		fake->bot.listener->line(fake->bot.listener_arg, result, NULL,
					 0, fake_now_us);
}

void
fake_die(struct fake_bot *fake)
{
	bot_tell_gone(&fake->bot, false);
}

void
fake_unstick(struct fake_bot *fake)
{
	fake->stuck = false;
	fake_flush(&fake->bot, fake_now_us);
}

/* ---- the loop ---------------------------------------------------------- */

static void
do_nothing(struct loop_task *task)
{
	(void)task;
}

void
fake_pass(struct loop *loop)
{
	struct loop_task nothing = { .run = do_nothing };

	/* Something to do, so that the pass does not wait. */
	loop_post(loop, LOOP_SETTLE, &nothing);
	loop_pass(loop);
}
