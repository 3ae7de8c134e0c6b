/* referee/table/bot-builtin.c - bots that need no program: random and house.
 *
 * They read the very lines that another bot would get and know nothing else.
 * An answer is told to the listener while the loop flushes; the table settles
 * it in the next pass, as if it had come through a pipe. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/limits.h"
#include "protocol/message.h"
#include "referee/table/bot.h"

struct builtin {
	struct bot bot;
	bool randomly;
	bool parted;
	struct chance chance; /* random: its own */
};

/* Picks one of the tokens of the list; a range counts as one token, and each number in
 * it is equally likely then. */
static size_t
pick_random(struct builtin *b, const char *tokens, char answer[MOVE_BYTES])
{
	const char *token = tokens, *end, *dots;
	unsigned count = 1, pick;
	const char *p;
	long low, high;

	for (p = tokens; *p != '\0'; p++)
		count += *p == ' ';
	for (pick = chance_below(&b->chance, count); pick > 0; pick--)
		token = strchr(token, ' ') + 1;
	end = strchrnul(token, ' ');
	dots = memmem(token, (size_t)(end - token), "..", 2);
	if (dots == NULL)
		return (size_t)snprintf(answer, MOVE_BYTES, "%.*s",
					(int)(end - token), token);
	high = strtol(dots + 2, NULL, 10);
	for (p = dots; p[-1] != ':'; p--)
		;
	low = strtol(p, NULL, 10);
	low += (long)chance_below(&b->chance, (unsigned)(high - low + 1));
	return (size_t)snprintf(answer, MOVE_BYTES, "%.*s%ld", (int)(p - token),
				token, low);
}

/* `line` is "ask K MS TOKEN…", NUL-terminated. */
static void
answer(struct builtin *b, const char *line)
{
	const char *number = line + 4, *tokens;
	char move[MOVE_BYTES], text[LINE_BOT_BYTES + 1];
	int n;

	tokens = strchr(strchr(number, ' ') + 1, ' ') + 1;
	if (b->randomly)
		pick_random(b, tokens, move);
	else
		snprintf(move, sizeof(move), "%.*s", (int)strcspn(tokens, " "),
			 tokens);
	n = snprintf(text, sizeof(text), "do %.*s %s",
		     (int)strcspn(number, " "), number, move);
	b->bot.listener->line(b->bot.listener_arg, LINE_OK, text, (size_t)n,
			      clock_us());
}

static void
builtin_end(struct builtin *b)
{
	const struct bot_end end = { .started = true, .status = 0 };

	if (b->bot.ended != NULL)
		b->bot.ended(b->bot.ended_arg, &b->bot, &end);
	bot_release(&b->bot);
	free(b);
}

static void
builtin_flush(struct bot *bot, uint64_t now_us)
{
	struct builtin *b = (struct builtin *)bot;
	char *line = bot->out, *end = bot->out + bot->used, *lf, *ask = NULL;

	if (b->parted) {
		builtin_end(b);
		return;
	}
	if (bot->stamp) {
		bot->stamp = false;
		bot->listener->handed(bot->listener_arg, now_us);
	}
	for (; line < end; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		*lf = '\0';
		if (strncmp(line, "ask ", 4) == 0)
			ask = line;
		else if (strncmp(line, "void ", 5) == 0)
			ask = NULL;
	}
	bot->used = 0;
	if (ask != NULL)
		answer(b, ask);
}

static void
builtin_part(struct bot *bot, unsigned grace_ms UNUSED)
{
	struct builtin *b = (struct builtin *)bot;

	/* The bot's own code may be on the stack: it leaves at the next flush. */
	b->parted = true;
	loop_post(bot->loop, LOOP_TELL, &bot->tell_task);
}

static const struct bot_ops builtin_ops = {
	.flush = builtin_flush,
	.part = builtin_part,
};

bool
bot_builtin_is(const char *name)
{
	const char *builtin = message_builtin(name);

	return builtin != NULL && strcmp(builtin, name) == 0;
}

struct bot *
bot_builtin_new(struct loop *loop, const char *name,
		const struct chance *chance)
{
	struct builtin *b = calloc(1, sizeof(*b));

	if (b == NULL)
		return NULL;
	bot_init(&b->bot, &builtin_ops, loop);
	b->randomly = strcmp(name, "random") == 0;
	b->chance = *chance;
	return &b->bot;
}
