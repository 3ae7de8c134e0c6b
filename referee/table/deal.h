/* referee/table/deal.h - fair deals: what binds the referee before it deals,
 * and the seed of a game's chance.
 *
 * The secret is fixed, and all bots are told its hash (`commit`), before any
 * seat's entropy is asked for; the secret is told when the game is over.  So
 * neither side can choose the cards, and all can check it afterwards.  All of
 * it is BLAKE2b-256 of lists of parts, each preceded by its length as 8 bytes,
 * little-endian (referee/base/hash.h):
 *
 *	commit	"referee commit 1", ID, secret; of a game of a block "referee
 *		block 1", ID, block ID, its number there, secret
 *	seed	keyed with the secret: "referee deal 1", ID, game, seats,
 *		options, entropy of seat 0, …; of a game of a block the block's
 *		ID in place of its own; seats in decimal, options as
 *		"name=value" in the rules' order joined by one space, no
 *		entropy as an empty part
 *
 * The seed is the key of the rounds' streams (referee/games/chance.h), and of nothing
 * else.  `open` is no option of the game and not in the seed.
 *
 * The games of a block are dealt alike.  Each has a commitment of its own, in
 * which two of them cannot be recognised as one block's; but the secret that one
 * game's record tells is that of all of them. */
#ifndef REFEREE_DEAL_H
#define REFEREE_DEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "referee/games/chance.h"
#include "referee/games/game.h"

#define DEAL_SECRET_BYTES 32
#define DEAL_COMMIT_BYTES 32

struct deal {
	char id[ID_BYTES + 1];	  /* NUL-terminated */
	char block[ID_BYTES + 1]; /* "": the game is of none */
	unsigned in_block;	  /* its number there, from 1; 0: of none */
	unsigned char secret[DEAL_SECRET_BYTES];
	unsigned char commit[DEAL_COMMIT_BYTES];
	bool seeded; /* repeatable, so no secret from who knows the text */
};

/* Holds what the seats gave; zeroed: nothing. */
struct entropy {
	unsigned char byte[SEATS_MAX][ENTROPY_BYTES];
	uint8_t bytes[SEATS_MAX]; /* how many */
};

/* Draws a new ID and secret, and works out their commitment. */
void deal_random(struct deal *deal);

/* Makes the deal of game `i` (from 1) of the match with this seed text: secret from
 * "referee secret 1", text, i; ID the first 16 bytes, in hex, from "referee id 1",
 * text, i. */
void deal_from_seed(struct deal *deal, const char *text, uint64_t i);

/* Makes the deal of game `i` as one of the block of `seats` games that it falls into:
 * the secret from "referee block secret 1", text and the block's number (from 1), the
 * block's ID like a game's from "referee block id 1". */
void deal_block_from_seed(struct deal *deal, const char *text, uint64_t i,
			  unsigned seats);

/* Works `commit` out of the rest. */
void deal_commit(struct deal *deal);

/* Makes the chance of this game before its first draw.  In a block there is no
 * entropy. */
void deal_chance(const struct deal *deal, const struct game_setup *setup,
		 const struct entropy *entropy, struct chance *chance);

/* Makes a stream of the game's own that deals no cards: for what the referee has to
 * draw beside them (built-in bots, answers that arrive together).  It comes from the
 * secret, `what` and `number`, so a repeatable game repeats that, too; in a block also
 * from the game's ID, for only the deal is the same there. */
void deal_side_chance(const struct deal *deal, const char *what,
		      uint64_t number, struct chance *chance);

#endif
