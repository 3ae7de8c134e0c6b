/* hand-bot.c - does what an author should not do, to see the kit put up with
 * it: prints, answers what is not allowed.  At each ask it says its hand, and
 * two times out of three makes the last move of the list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample-bots/c/referee-bot.h"

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

static struct bot_answer
choose(void *own, struct bot_game *game, const struct bot_ask *ask)
{
	char hand[BOT_HAND][BOT_CARD_BYTES], text[BOT_SAY_BYTES + 1] = "hand";
	size_t used = strlen(text);
	unsigned i;

	(void)own;
	puts("do 1 noise");
	fflush(stdout);
	memcpy(hand, game->hand, sizeof(hand));
	qsort(hand, game->cards, sizeof(hand[0]), by_name);
	for (i = 0; i < game->cards; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 " %s", hand[i]);
	bot_say(game, text);
	return (struct bot_answer){ .move = ask->moves -
					    (ask->number % 3 ? 1 : 0) };
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
