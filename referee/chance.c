/* referee/chance.c - the seeded stream and the scripted one. */
#include "referee/chance.h"

#include <endian.h>
#include <sodium.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/hash.h"

#define BLOCK_WORDS 16 /* ChaCha20 makes 64 bytes a block */
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
	crypto_generichash_state hash;

	if (chance->script)
		return;
	hash_begin(&hash, chance->seed, sizeof(chance->seed));
	hash_string(&hash, "referee round 1");
	hash_number(&hash, round);
	hash_end(&hash, chance->key);
	chance->block = 0;
	chance->next = CHANCE_WORDS;
}

uint32_t
chance_refill(struct chance *chance)
{
	static const unsigned char
		nonce[crypto_stream_chacha20_ietf_NONCEBYTES];
	unsigned char *bytes = (unsigned char *)chance->word;
	unsigned i;

	memset(chance->word, 0, sizeof(chance->word));
	crypto_stream_chacha20_ietf_xor_ic(bytes, bytes, sizeof(chance->word),
					   nonce, chance->block, chance->key);
	for (i = 0; i < CHANCE_WORDS; i++)
		chance->word[i] = le32toh(chance->word[i]);
	chance->block += CHANCE_WORDS / BLOCK_WORDS;
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
