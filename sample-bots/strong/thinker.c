/* thinker.c - the example of README.md: plays each of its moves out a few times
 * and takes the one that was best. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "referee-bot.h"
#include "follow.h"

static struct follow follow;
static struct chance chance; /* drawn from follow.draws, too */

static void
start(void *own, struct bot_game *game)
{
	unsigned char seed[DRAWS_SEED_BYTES] = { 0 };
	char why[SENTENCE_BYTES];
	struct game_setup setup;
	unsigned i;

	(void)own;
	game_setup_init(&setup, game_find(game->name), game->seats);
	for (i = 0; i < game->pairs; i++) /* those that are options of it */
		if (game_setup_option(&setup, game->pair[i].key,
				      game->pair[i].value, why) != 0)
			continue;
	snprintf((char *)seed, sizeof(seed), "%u %s", game->seat, game->id);
	follow_release(&follow); /* of the game before */
	follow_begin(&follow, &setup, 3, (int)game->seat, seed);
	chance_drawn(&chance, &follow.draws);
}

static void
event(void *own, struct bot_game *game, unsigned words, char *const word[])
{
	char line[BOT_LINE_BYTES + 1] = "";
	size_t used = 0;
	unsigned i;

	(void)own;
	(void)game;
	for (i = 0; i < words; i++)
		used += (size_t)snprintf(line + used, sizeof(line) - used,
					 "%s%s", i ? " " : "", word[i]);
	if (follow_line(&follow, line, used) != 0)
		fprintf(stderr, "lost at: %s\n", line);
}

/* Returns any move; of a range the lowest one. */
static struct move
any_move(const struct game *game, unsigned seat, struct legal *legal)
{
	struct move move;

	game_legal(game, seat, legal);
	move = legal->move[draws_below(&follow.draws, legal->count)];
	move.top = move.n;
	return move;
}

/* Lets all answer that are asked; `mine`: what I do, if this is my first move. */
static void
step(struct game *game, unsigned me, const struct move *mine)
{
	static struct events quiet; /* the game is played without text */
	struct move answer[SEATS_MAX];
	struct legal legal;
	unsigned i, seat;
	int first;

	for (i = 0; i < game->decision.count; i++) {
		seat = game->decision.seat[i];
		answer[seat] = mine && seat == me
				       ? *mine
				       : any_move(game, seat, &legal);
	}
	first = game->decision.kind == DECISION_SINGLE
			? game->decision.holder
			: game_first(game, answer);
	if (first < 0)
		game_quiet(game, &chance, &quiet);
	else if (!game_play(game, (unsigned)first, answer[first], &chance,
			    &quiet))
		fprintf(stderr, "a move was refused\n");
}

/* Returns my points less the best other's when the round is over. */
static long
play_out(unsigned me, struct move mine)
{
	long points[SEATS_MAX] = { 0 }, best = -1000000;
	unsigned round, seat;
	struct game game;

	follow_deal(&follow, &game);
	round = game_standing(&game, points);
	step(&game, me, &mine);
	while (!game_is_over(&game) && game_standing(&game, points) == round)
		step(&game, me, NULL);
	game_standing(&game, points);
	for (seat = 0; seat < game.setup.seats; seat++)
		if (seat != me && points[seat] > best)
			best = points[seat];
	return points[me] - best;
}

static struct bot_answer
choose(void *own, struct bot_game *game, const struct bot_ask *ask)
{
	long sum, most = 0;
	unsigned i, k, best = 0;
	struct legal legal;

	(void)own;
	if (follow_settle(&follow) != 0)
		return (struct bot_answer){ 0, 0 };
	game_legal(&follow.sample.game, game->seat,
		   &legal); /* in the ask's order */
	for (i = 0; i < ask->moves; i++) {
		legal.move[i].top = legal.move[i].n;
		for (sum = 0, k = 0; k < 20; k++)
			sum += play_out(game->seat, legal.move[i]);
		if (i == 0 || sum > most) {
			most = sum;
			best = i;
		}
	}
	return (struct bot_answer){ best, (uint32_t)legal.move[best].n };
}

int
main(int argc, char **argv)
{
	if (sodium_init() < 0)
		return 1;
	return bot_main(argc, argv,
			&(struct bot){ .start = start,
				       .event = event,
				       .choose = choose },
			NULL);
}
