/* hand-bot.c - makes an author's mistakes, which the kit must tolerate: it
 * prints and gives illegal answers.  At each ask it says its hand and its
 * table, and two times out of three makes the last move of the list. */
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

/* Puts words into a remark, which has room for TEXT_BYTES from `text` on. */
static void __attribute__((format(printf, 3, 4)))
put(char *text, char **at, const char *format, ...)
{
	size_t room = TEXT_BYTES - (size_t)(*at - text);
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(*at, room, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= room)
		abort();
	*at += n;
}

static void
say_hand(struct bot_game *game)
{
	bot_card hand[BOT_CARDS];
	char text[TEXT_BYTES], *at = text;
	unsigned i;

	memcpy(hand, game->hand, sizeof(hand));
	qsort(hand, game->cards, sizeof(hand[0]), by_name);
	put(text, &at, "hand");
	for (i = 0; i < game->cards; i++)
		put(text, &at, " %s", hand[i]);
	bot_say(game, text);
}

static void
say_table(struct bot_game *game)
{
	char text[TEXT_BYTES], *at = text;
	unsigned i;

	put(text, &at, "table %u %u %u held", game->round, game->stake,
	    game->stock);
	for (i = 0; i < game->seats; i++)
		put(text, &at, " %u", game->held[i]);
	put(text, &at, " points");
	for (i = 0; i < game->seats; i++)
		put(text, &at, " %ld", game->points[i]);
	put(text, &at, " inside");
	for (i = 0; i < game->seats; i++)
		if (game->inside[i])
			put(text, &at, " %u", i);
	put(text, &at, " seen %u %s", game->sees,
	    game->trump[0] ? game->trump : "-");
	for (i = 0; i < game->lies; i++)
		put(text, &at, " %u:%s", game->lying[i].seat,
		    game->lying[i].card);
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
				       .start = start,
				       .choose = choose },
			NULL);
}
