/* referee/table/bot.c - what all transports share: the lines that wait to
 * leave. */
#include "referee/table/bot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
tell_run(struct loop_task *task)
{
	struct bot *bot = ENCLOSING(task, struct bot, tell_task);

	if (bot->overfull && bot->listener != NULL)
		bot_tell_gone(bot, true);
	else
		bot->ops->flush(bot, clock_us());
}

static void
ask_run(struct loop_task *task)
{
	struct bot *bot = ENCLOSING(task, struct bot, ask_task);

	/* All that the bot was to be told leaves with the ask. */
	loop_cancel(bot->loop, &bot->tell_task);
	tell_run(&bot->tell_task);
}

void
bot_init(struct bot *bot, const struct bot_ops *ops, struct loop *loop)
{
	memset(bot, 0, sizeof(*bot));
	bot->ops = ops;
	bot->loop = loop;
	bot->ask_task.run = ask_run;
	bot->tell_task.run = tell_run;
}

void
bot_release(struct bot *bot)
{
	loop_cancel(bot->loop, &bot->ask_task);
	loop_cancel(bot->loop, &bot->tell_task);
	free(bot->out);
	bot->out = NULL;
}

void
bot_tell_gone(struct bot *bot, bool flooded)
{
	if (bot->gone)
		return;
	bot->gone = true;
	bot->used = 0;
	if (bot->listener != NULL)
		bot->listener->gone(bot->listener_arg, flooded);
}

void
bot_listen(struct bot *bot, const struct bot_listener *listener, void *arg)
{
	bot->listener = listener;
	bot->listener_arg = arg;
	bot->stamp = false;
}

static char *
grow(struct bot *bot, size_t need)
{
	size_t size = bot->size == 0 ? 1024 : bot->size;

	if (need > OUT_BYTES) {
		/* The listener is in the middle of something: it is told later. */
		bot->overfull = true;
		bot->used = 0;
		loop_post(bot->loop, LOOP_TELL, &bot->tell_task);
		return NULL;
	}
	while (size < need)
		size *= 2;
	bot->out = memory(bot->out, size);
	bot->size = size;
	return bot->out + bot->used;
}

char *
bot_room(struct bot *bot, size_t n)
{
	if (bot->gone || bot->overfull)
		return NULL;
	if (bot->used + n > bot->size)
		return grow(bot, bot->used + n);
	return bot->out + bot->used;
}

void
bot_line(struct bot *bot, const char *line, size_t n)
{
	char *to = bot_room(bot, n + 1);

	if (to == NULL)
		return;
	memcpy(to, line, n);
	to[n] = '\n';
	bot_added(bot, n + 1);
}

void
bot_flush(struct bot *bot)
{
	if (!bot->gone && bot->used > 0)
		loop_post(bot->loop, LOOP_TELL, &bot->tell_task);
}

void
bot_stamp(struct bot *bot)
{
	bot->stamp = true;
	if (!bot->gone && bot->used > 0)
		loop_post(bot->loop, LOOP_ASK, &bot->ask_task);
}

uint64_t
bot_take_start(struct bot *bot)
{
	const uint64_t us = START_MS * (uint64_t)1000;

	if (bot->ops->take_start != NULL)
		return bot->ops->take_start(bot);
	return us - (bot->starting_us < us ? bot->starting_us : us);
}

void
bot_end_start(struct bot *bot, uint64_t taken_us, uint64_t used_us)
{
	bot->asked = true;
	if (bot->ops->give_start != NULL)
		bot->ops->give_start(bot, taken_us, used_us);
}

bool
bot_usage(struct bot *bot, struct bot_usage *usage)
{
	return bot->ops->usage != NULL && bot->ops->usage(bot, usage);
}

void
bot_watch(struct bot *bot)
{
	if (bot->ops->watch != NULL)
		bot->ops->watch(bot);
}

struct bot_seen
bot_doing(struct bot *bot)
{
	const struct bot_seen unseen = { .doing = BOT_UNSEEN };

	return bot->ops->doing == NULL ? unseen : bot->ops->doing(bot);
}

size_t
bot_unended(const struct bot *bot, const char **line)
{
	return bot->ops->unended == NULL ? 0 : bot->ops->unended(bot, line);
}

static const char *
words(enum bot_doing doing, bool spoken)
{
	switch (doing) {
	case BOT_STARVED: /* its words have numbers */
	case BOT_UNSEEN:
		return spoken ? ""
			      : "; did it flush its output, or is it in an "
				"endless loop?";
	case BOT_WAITS:
		return spoken ? "; it was waiting, not computing"
			      : "; it was waiting, not computing: did it flush "
				"its output?";
	case BOT_RUNS:
		return "; it was still computing: is it too slow, or in an "
		       "endless loop?";
	case BOT_UNREAD:
		return "; it had not even read the ask";
	case BOT_STOPPED:
		return "; it was stopped, as by SIGSTOP";
	}
	return "";
}

void
bot_doing_words(const struct bot_seen *seen, bool spoken,
		char to[BOT_DOING_BYTES])
{
	if (seen->doing == BOT_STARVED)
		snprintf(to, BOT_DOING_BYTES,
			 "; it had the processor for %" PRIu32 " of %" PRIu32
			 " ms: the machine is overloaded",
			 seen->had_ms, seen->of_ms);
	else
		snprintf(to, BOT_DOING_BYTES, "%s", words(seen->doing, spoken));
}

void
bot_part(struct bot *bot, unsigned grace_ms)
{
	bot->listener = NULL;
	bot->stamp = false;
	bot->ops->part(bot, grace_ms);
}
