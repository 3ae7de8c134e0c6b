/* referee/games/chance.h - where the cards come from.
 *
 * A game draws at the moment and in the order in which the next event line
 * shows what was drawn, while it writes that line.  So one draw can come from
 * three sources, and the game cannot tell which:
 *
 *  seeded    ChaCha20 with the seed as its key, each round with blocks of its
 *	      own: the recipe that RECORD.md describes;
 *  drawn     a struct draws: for a bot that plays on from a copy of a game;
 *  scripted  the token that stands at this very place in a record: the line
 *	      and token that the game is about to write.  So a record without
 *	      a seed can be checked by the rules alone.
 *
 * A seeded chance is for one game, played once.  Each round of it draws the
 * same numbers whenever it begins, so a bot that plays many playouts with one
 * seeded chance would see the same cards in all of them.  Therefore its rounds
 * only rise: a round that begins a second time is a bug().  For the same reason
 * game_resample() takes a struct draws and not a struct chance.
 *
 * A seeded chance is a plain value: copy it with `=`.  The others keep a
 * pointer to their draws and their script, which the caller owns.  Scripted
 * draws need the event text (ev->wanted).  Call sodium_init() first: without
 * it the same numbers come, but slowly. */
#ifndef REFEREE_CHANCE_H
#define REFEREE_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/card.h"
#include "protocol/event.h"
#include "referee/games/draws.h"

#define CHANCE_SEED_BYTES 32
/* Rounds are numbered below this.  The recipe gives each round CHANCE_ROUND_BLOCKS, a
 * million words; games draw a few dozen.  Any that follow come from the same blocks
 * under the next nonce. */
#define CHANCE_ROUNDS_MAX 65536
#define CHANCE_ROUND_BLOCKS 65536
#define CHANCE_BLOCK_WORDS 16
/* Blocks with one place in their rounds' streams follow one another in
 * ChaCha20: for this many rounds they are made at once ... */
#define CHANCE_TOGETHER 8
/* ... the first ones, and the second ones; each later block by itself. */
#define CHANCE_KEPT 2
#define CHANCE_WORDS ((CHANCE_KEPT * CHANCE_TOGETHER + 1) * CHANCE_BLOCK_WORDS)

/* Writes a token of the record under check to `to`, NUL-terminated and without marks:
 * number `token` (from 0) of line number `line` (from 0, counted from the last
 * events_clear()).  Returns false where there is none. */
struct chance_script {
	bool (*token)(struct chance_script *script, unsigned line,
		      unsigned token, char to[32]);
	/* If not NULL, this is asked for pieces in place of `token`: it returns one of
	 * `from`, of which those in `twice` are there twice, or -1. */
	int (*card)(struct chance_script *script, const struct events *ev,
		    card_set from, card_set twice, const struct deck *deck);
};

struct chance {
	unsigned char seed[CHANCE_SEED_BYTES];
	uint32_t round; /* whose stream this is */
	uint64_t block; /* the next one of this round */
	/* Says which word comes next.  Where a block would begin, that block is yet to
	 * be looked up or made. */
	uint32_t next;
	/* word[] has block k of round made[k] - 1 and those after it; 0: of
	 * none. */
	uint32_t made[CHANCE_KEPT];
	struct draws *draws;	      /* drawn; else NULL */
	struct chance_script *script; /* scripted; else NULL */
	bool failed; /* scripted: a token was none of the possible ones */
	uint32_t word[CHANCE_WORDS];
};

void chance_seed(struct chance *chance,
		 const unsigned char seed[CHANCE_SEED_BYTES]);
/* Makes the chance draw from `draws`, which is also for game_resample(), and for all
 * else that the bot draws: whatever is drawn in between, each draw comes once. */
void chance_drawn(struct chance *chance, struct draws *draws);
void chance_scripted(struct chance *chance, struct chance_script *script);
/* Begins round `round` (below CHANCE_ROUNDS_MAX), to which the draws that follow
 * belong.  A seeded chance goes to the beginning of the round's stream; the rounds of a
 * game only rise.  chance_seed() begins with 0: draws before the first round.  It costs
 * nothing until the first draw.  Does nothing if the chance is not seeded. */
void chance_round(struct chance *chance, uint32_t round);

/* Returns the first word of the next block. */
uint32_t chance_block(struct chance *chance);

/* Returns the next word of the stream; the chance must be seeded. */
static inline uint32_t
chance_word(struct chance *chance)
{
	if (chance->next % CHANCE_BLOCK_WORDS == 0)
		return chance_block(chance);
	return chance->word[chance->next++];
}

/* Returns a number below `n` (1 or more), each equally likely; the chance must be
 * seeded.  A draw with n = 1 takes no word. */
static inline unsigned
chance_below(struct chance *chance, unsigned n)
{
	uint64_t product;

	if (n == 1)
		return 0;
	do
		product = (uint64_t)chance_word(chance) * n;
	while (!draws_is_fair(product, n));
	return (unsigned)(product >> 32);
}

/* Returns one of the pieces of `from` (not empty), each equally likely: the token that
 * the game writes next into the line that it has begun in `ev`.  A seeded chance takes
 * piece number chance_below(count) in rising order.  If the script's token is none of
 * these, `failed` is set and the lowest piece returned. */
unsigned chance_card(struct chance *chance, const struct events *ev,
		     card_set from, const struct deck *deck);

/* Returns a piece of a stock that may hold a piece twice: those of `twice`, all of them
 * in `from`, too.  A seeded chance takes number chance_below(pieces, each copy counted)
 * in rising order, where copies stand side by side. */
unsigned chance_two_decks(struct chance *chance, const struct events *ev,
			  card_set from, card_set twice,
			  const struct deck *deck);

/* Draws a number from 0 to n-1, or reads it as a token in decimal.  `skip` more
 * tokens of the line come first: what they tell depends on this number. */
unsigned chance_number(struct chance *chance, const struct events *ev,
		       unsigned skip, unsigned n);

#endif
