/* hand-bot.c - does what an author should not do, to see the kit put up with
 * it: prints, answers what is not allowed.  At each ask it says its hand and
 * its table, and two times out of three makes the last move of the list. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample-bots/c/referee-bot.h"

#define TEXT_BYTES 2048

static void
start(void *own, struct bot_game *game)
{
	(void)own;
	puts("a game begins");
	fflush(stdout);
	bot_say(game, "tab\there");
}

static int
by_name(const void *one, const void *other)
{
	return strcmp(one, other);
}

/* Words into a remark. */
static void
put(char **at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	*at += vsprintf(*at, format, args);
	va_end(args);
}

static void
say_hand(struct bot_game *game)
{
	bot_card hand[BOT_CARDS];
	char text[TEXT_BYTES], *at = text;
	unsigned i;

	memcpy(hand, game->hand, sizeof(hand));
	qsort(hand, game->cards, sizeof(hand[0]), by_name);
	put(&at, "hand");
	for (i = 0; i < game->cards; i++)
		put(&at, " %s", hand[i]);
	bot_say(game, text);
}

static void
say_table(struct bot_game *game)
{
	char text[TEXT_BYTES], *at = text;
	unsigned i;

	put(&at, "table %u %u %u held", game->round, game->stake, game->stock);
	for (i = 0; i < game->seats; i++)
		put(&at, " %u", game->held[i]);
	put(&at, " points");
	for (i = 0; i < game->seats; i++)
		put(&at, " %ld", game->points[i]);
	put(&at, " inside");
	for (i = 0; i < game->seats; i++)
		if (game->inside[i])
			put(&at, " %u", i);
	put(&at, " seen %u %s", game->sees, game->trump[0] ? game->trump : "-");
	for (i = 0; i < game->lies; i++)
		put(&at, " %u:%s", game->lying[i].seat, game->lying[i].card);
	bot_say(game, text);
}

static struct bot_answer
choose(void *own, struct bot_game *game, const struct bot_ask *ask)
{
	struct bot_answer answer = { .move = ask->moves };

	(void)own;
	puts("do 1 noise");
	fflush(stdout);
	say_hand(game);
	say_table(game);
	if (ask->number % 3) {
		answer.move--;
		answer.number = ask->move[answer.move].low;
	}
	return answer;
}

int
main(int argc, char **argv)
{
	return bot_main(argc, argv,
			&(struct bot){ .name = "hand",
				       .entropy = true,
				       .start = start,
				       .choose = choose },
			NULL);
}
