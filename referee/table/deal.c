/* referee/table/deal.c - the recipe of deal.h. */
#include "referee/table/deal.h"

#include <sodium.h>

#include "protocol/record.h"
#include "referee/base/hash.h"

void
deal_commit(struct deal *deal)
{
	crypto_generichash_state hash;

	hash_begin(&hash, NULL, 0);
	hash_string(&hash, deal->in_block > 0 ? "referee block 1"
					      : "referee commit 1");
	hash_string(&hash, deal->id);
	if (deal->in_block > 0) {
		hash_string(&hash, deal->block);
		hash_number(&hash, deal->in_block);
	}
	hash_part(&hash, deal->secret, sizeof(deal->secret));
	hash_end(&hash, deal->commit);
}

void
deal_random(struct deal *deal)
{
	id_draw(deal->id);
	randombytes_buf(deal->secret, sizeof(deal->secret));
	deal->seeded = false;
	deal->block[0] = '\0';
	deal->in_block = 0;
	deal_commit(deal);
}

static void
seeded_bytes(const char *what, const char *text, uint64_t i,
	     unsigned char out[HASH_BYTES])
{
	crypto_generichash_state hash;

	hash_begin(&hash, NULL, 0);
	hash_string(&hash, what);
	hash_string(&hash, text);
	hash_number(&hash, i);
	hash_end(&hash, out);
}

static void
seeded_id(const char *what, const char *text, uint64_t i, char id[ID_BYTES + 1])
{
	unsigned char bytes[HASH_BYTES];

	seeded_bytes(what, text, i, bytes);
	sodium_bin2hex(id, ID_BYTES + 1, bytes, ID_BYTES / 2);
}

void
deal_from_seed(struct deal *deal, const char *text, uint64_t i)
{
	*deal = (struct deal){ .seeded = true };
	seeded_bytes("referee secret 1", text, i, deal->secret);
	seeded_id("referee id 1", text, i, deal->id);
	deal_commit(deal);
}

void
deal_block_from_seed(struct deal *deal, const char *text, uint64_t i,
		     unsigned seats)
{
	const uint64_t block = (i - 1) / seats + 1;

	deal_from_seed(deal, text, i);
	seeded_bytes("referee block secret 1", text, block, deal->secret);
	seeded_id("referee block id 1", text, block, deal->block);
	deal->in_block = (unsigned)((i - 1) % seats) + 1;
	deal_commit(deal);
}

void
deal_chance(const struct deal *deal, const struct game_setup *setup,
	    const struct entropy *entropy, struct chance *chance)
{
	unsigned char seed[CHANCE_SEED_BYTES];
	crypto_generichash_state hash;
	char options[512];

	game_setup_text(setup, false, options, sizeof(options));
	hash_begin(&hash, deal->secret, sizeof(deal->secret));
	hash_string(&hash, "referee deal 1");
	hash_string(&hash, deal->in_block > 0 ? deal->block : deal->id);
	hash_string(&hash, setup->rules->name);
	hash_number(&hash, setup->seats);
	hash_string(&hash, options);
	for (unsigned seat = 0; seat < setup->seats; seat++)
		hash_part(&hash, entropy->byte[seat], entropy->bytes[seat]);
	hash_end(&hash, seed);
	chance_seed(chance, seed);
}

void
deal_side_chance(const struct deal *deal, const char *what, uint64_t number,
		 struct chance *chance)
{
	crypto_generichash_state hash;
	unsigned char seed[CHANCE_SEED_BYTES];

	hash_begin(&hash, deal->secret, sizeof(deal->secret));
	hash_string(&hash, what);
	hash_number(&hash, number);
	if (deal->in_block > 0)
		hash_string(&hash, deal->id);
	hash_end(&hash, seed);
	chance_seed(chance, seed);
}
