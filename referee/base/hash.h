/* referee/base/hash.h - hashes a list of parts for our recipes.
 *
 * Each part is preceded by its length as 8 bytes, little-endian, so that no two
 * lists run together.  The hash is BLAKE2b of libsodium; see RECORD.md. */
#ifndef REFEREE_HASH_H
#define REFEREE_HASH_H

#include <endian.h>
#include <inttypes.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define HASH_BYTES 32

static inline void
hash_begin(crypto_generichash_state *hash, const unsigned char *key,
	   size_t key_bytes)
{
	crypto_generichash_init(hash, key, key_bytes, HASH_BYTES);
}

static inline void
hash_part(crypto_generichash_state *hash, const void *part, size_t n)
{
	uint64_t length = htole64(n);

	crypto_generichash_update(hash, (const unsigned char *)&length,
				  sizeof(length));
	crypto_generichash_update(hash, part, n);
}

static inline void
hash_string(crypto_generichash_state *hash, const char *string)
{
	hash_part(hash, string, strlen(string));
}

/* Hashes the number in decimal. */
static inline void
hash_number(crypto_generichash_state *hash, uint64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	hash_string(hash, digits);
}

static inline void
hash_end(crypto_generichash_state *hash, unsigned char out[HASH_BYTES])
{
	crypto_generichash_final(hash, out, HASH_BYTES);
}

#endif
