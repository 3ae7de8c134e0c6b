/* referee/chance.c - the seeded stream and the scripted one. */
#include "referee/chance.h"

#include <string.h>

#include "protocol/message.h"
#include "referee/chacha20.h"

_Static_assert(CHANCE_SEED_BYTES == CHACHA20_KEY_BYTES, "the seed is a key");
_Static_assert(CHANCE_WORDS == CHACHA20_WORDS, "a refill is a block");

#define TOKEN_BYTES 32

void
chance_seed(struct chance *chance, const unsigned char seed[CHANCE_SEED_BYTES])
{
	memset(chance, 0, sizeof(*chance));
	memcpy(chance->seed, seed, CHANCE_SEED_BYTES);
	chance_round(chance, 0);
}

void
chance_scripted(struct chance *chance, struct chance_script *script)
{
	memset(chance, 0, sizeof(*chance));
	chance->script = script;
}

void
chance_round(struct chance *chance, uint32_t round)
{
	chance->round = round;
	chance->block = 0;
	chance->next = CHANCE_WORDS;
}

uint32_t
chance_refill(struct chance *chance)
{
	chacha20_block(chance->seed, chance->round, chance->block++,
		       chance->word);
	chance->next = 1;
	return chance->word[0];
}

/* The token that the game writes after `skip` others. */
static bool
scripted_token(struct chance *chance, const struct events *ev, unsigned skip,
	       char token[TOKEN_BYTES])
{
	if (!ev->wanted)
		bug("scripted chance without the event text");
	return chance->script->token(chance->script, ev->lines,
				     ev->tokens + skip, token);
}

/* The piece that the script names. */
static unsigned
scripted_card(struct chance *chance, const struct events *ev, card_set from,
	      const struct deck *deck)
{
	char token[TOKEN_BYTES];
	int card;

	if (scripted_token(chance, ev, 0, token)) {
		card = card_find(deck, token, strlen(token));
		if (card >= 0 && from >> card & 1)
			return (unsigned)card;
	}
	chance->failed = true;
	return card_lowest(from);
}

unsigned
chance_card(struct chance *chance, const struct events *ev, card_set from,
	    const struct deck *deck)
{
	if (chance->script)
		return scripted_card(chance, ev, from, deck);
	return card_nth(from, chance_below(chance, cards_count(from)));
}

unsigned
chance_two_decks(struct chance *chance, const struct events *ev, card_set from,
		 card_set twice, const struct deck *deck)
{
	unsigned k, card, copies;

	if (!twice || chance->script)
		return chance_card(chance, ev, from, deck);
	k = chance_below(chance, cards_count(from) + cards_count(twice));
	for (;;) {
		card = card_take_lowest(&from);
		copies = 1 + (unsigned)(twice >> card & 1);
		if (k < copies)
			return card;
		k -= copies;
	}
}

unsigned
chance_number(struct chance *chance, const struct events *ev, unsigned n)
{
	return chance_number_after(chance, ev, 0, n);
}

unsigned
chance_number_after(struct chance *chance, const struct events *ev,
		    unsigned skip, unsigned n)
{
	char token[TOKEN_BYTES];
	uint64_t number;

	if (!chance->script)
		return chance_below(chance, n);
	if (scripted_token(chance, ev, skip, token) &&
	    message_number(token, strlen(token), n - 1, &number) == 0)
		return (unsigned)number;
	chance->failed = true;
	return 0;
}
