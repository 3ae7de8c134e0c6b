/* random-bot.c - every legal move is as likely as any other; so is every number
 * of a range.
 *
 * What it does follows from the game's ID and its seat alone. */
#include "referee-bot.h"

static struct bot_answer
choose(void *own, struct bot_game *game, const struct bot_ask *ask)
{
	struct bot_answer answer = { .move = bot_random(game, ask->moves) };
	const struct bot_move *move = &ask->move[answer.move];

	(void)own;
	if (move->range)
		answer.number = move->low +
				bot_random(game, move->high - move->low + 1);
	return answer;
}

int
main(int argc, char **argv)
{
	return bot_main(argc, argv, &(struct bot){ .choose = choose }, NULL);
}
