/* referee/games/chance.c - the seeded stream, and the other sources. */
#include "referee/games/chance.h"

#include <endian.h>
#include <sodium.h>
#include <string.h>

#include "protocol/message.h"

_Static_assert(CHANCE_SEED_BYTES == crypto_stream_chacha20_ietf_KEYBYTES,
	       "the seed is a key");
_Static_assert(UINT32_MAX / CHANCE_ROUNDS_MAX == CHANCE_ROUND_BLOCKS - 1,
	       "every block of every round has a number of its own");
_Static_assert(CHANCE_ROUNDS_MAX % CHANCE_TOGETHER == 0,
	       "rounds made together end with the last one");

#define TOGETHER_WORDS (CHANCE_TOGETHER * CHANCE_BLOCK_WORDS)
#define TOKEN_BYTES 32

void
chance_seed(struct chance *chance, const unsigned char seed[CHANCE_SEED_BYTES])
{
	memset(chance, 0, sizeof(*chance));
	memcpy(chance->seed, seed, CHANCE_SEED_BYTES);
}

void
chance_drawn(struct chance *chance, struct draws *draws)
{
	memset(chance, 0, sizeof(*chance));
	chance->draws = draws;
}

void
chance_scripted(struct chance *chance, struct chance_script *script)
{
	memset(chance, 0, sizeof(*chance));
	chance->script = script;
}

static bool
is_seeded(const struct chance *chance)
{
	return !chance->draws && !chance->script;
}

void
chance_round(struct chance *chance, uint32_t round)
{
	if (round >= CHANCE_ROUNDS_MAX)
		bug("round %u is one too many", round);
	if (!is_seeded(chance))
		return;
	if (round <= chance->round)
		bug("round %u begins after round %u: a seeded chance is for "
		    "one game, played once (see chance_drawn)",
		    round, chance->round);
	chance->round = round;
	chance->block = 0;
	chance->next = 0;
}

/* Makes this many words of block `block` of round `round` and the rounds after it. */
static void
make_blocks(struct chance *chance, uint64_t block, uint32_t round,
	    uint32_t *word, uint32_t words)
{
	static const unsigned char zero[TOGETHER_WORDS * sizeof(*word)];
	unsigned char nonce[crypto_stream_chacha20_ietf_NONCEBYTES] = { 0 };
	uint64_t next_nonce = htole64(block / CHANCE_ROUND_BLOCKS);
	uint32_t number =
		(uint32_t)(block % CHANCE_ROUND_BLOCKS) * CHANCE_ROUNDS_MAX +
		round;

	memcpy(nonce, &next_nonce, sizeof(next_nonce));
	crypto_stream_chacha20_ietf_xor_ic((unsigned char *)word, zero,
					   words * sizeof(*word), nonce, number,
					   chance->seed);
	for (uint32_t i = 0; i < words; i++)
		word[i] = le32toh(word[i]);
}

/* Returns where block `block` of this round stands in word[].  Eight blocks take
 * libsodium hardly longer than one, and few rounds have a third one. */
static uint32_t
find_block(struct chance *chance, uint64_t block)
{
	uint32_t nth = chance->round % CHANCE_TOGETHER;
	uint32_t first = chance->round - nth;
	uint32_t at;

	if (block >= CHANCE_KEPT) {
		at = CHANCE_KEPT * TOGETHER_WORDS;
		make_blocks(chance, block, chance->round, &chance->word[at],
			    CHANCE_BLOCK_WORDS);
		return at;
	}
	at = (uint32_t)block * TOGETHER_WORDS;
	if (chance->made[block] != first + 1) {
		make_blocks(chance, block, first, &chance->word[at],
			    TOGETHER_WORDS);
		chance->made[block] = first + 1;
	}
	return at + nth * CHANCE_BLOCK_WORDS;
}

uint32_t
chance_block(struct chance *chance)
{
	uint32_t at;

	if (!is_seeded(chance))
		bug("words of a chance that is not seeded");
	at = find_block(chance, chance->block++);
	chance->next = at + 1;
	return chance->word[at];
}

/* Writes the token of the script that the game writes after `skip` others; false: there
 * is none. */
static bool
scripted_token(struct chance *chance, const struct events *ev, unsigned skip,
	       char token[TOKEN_BYTES])
{
	if (!ev->wanted)
		bug("scripted chance without the event text");
	return chance->script->token(chance->script, ev->lines,
				     ev->tokens + skip, token);
}

static unsigned
below(struct chance *chance, unsigned n)
{
	return chance->draws ? draws_below(chance->draws, n)
			     : chance_below(chance, n);
}

/* Returns the piece that the script names, or -1. */
static int
named_card(struct chance *chance, const struct events *ev,
	   const struct deck *deck)
{
	char token[TOKEN_BYTES];

	if (!scripted_token(chance, ev, 0, token))
		return -1;
	return card_find(deck, token, strlen(token));
}

static unsigned
scripted_card(struct chance *chance, const struct events *ev, card_set from,
	      card_set twice, const struct deck *deck)
{
	struct chance_script *script = chance->script;
	int card = script->card ? script->card(script, ev, from, twice, deck)
				: named_card(chance, ev, deck);

	if (card >= 0 && from >> card & 1)
		return (unsigned)card;
	chance->failed = true;
	return card_lowest(from);
}

unsigned
chance_card(struct chance *chance, const struct events *ev, card_set from,
	    const struct deck *deck)
{
	if (chance->script)
		return scripted_card(chance, ev, from, 0, deck);
	return card_nth(from, below(chance, cards_count(from)));
}

unsigned
chance_two_decks(struct chance *chance, const struct events *ev, card_set from,
		 card_set twice, const struct deck *deck)
{
	unsigned k, card, copies;

	if (chance->script)
		return scripted_card(chance, ev, from, twice, deck);
	if (!twice)
		return chance_card(chance, ev, from, deck);
	k = below(chance, cards_count(from) + cards_count(twice));
	for (;;) {
		card = card_take_lowest(&from);
		copies = 1 + (unsigned)(twice >> card & 1);
		if (k < copies)
			return card;
		k -= copies;
	}
}

unsigned
chance_number(struct chance *chance, const struct events *ev, unsigned skip,
	      unsigned n)
{
	char token[TOKEN_BYTES];
	uint64_t number;

	if (!chance->script)
		return below(chance, n);
	if (scripted_token(chance, ev, skip, token) &&
	    message_number(token, strlen(token), n - 1, &number) == 0)
		return (unsigned)number;
	chance->failed = true;
	return 0;
}
