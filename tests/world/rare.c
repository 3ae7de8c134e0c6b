/* tests/world/rare.c - see rare.h.
 *
 * It stands in place of the function of libsodium from which only the chance of a game
 * (referee/games/chance.c) gets its words. */
#include "tests/world/rare.h"

#include <dlfcn.h>
#include <endian.h>
#include <sodium.h>
#include <stdint.h>
#include <string.h>

bool rare_words;

typedef int stream(unsigned char *to, const unsigned char *from,
		   unsigned long long bytes, const unsigned char *nonce,
		   uint32_t counter, const unsigned char *key);

int
crypto_stream_chacha20_ietf_xor_ic(unsigned char *to, const unsigned char *from,
				   unsigned long long bytes,
				   const unsigned char *nonce, uint32_t counter,
				   const unsigned char *key)
{
	static stream *real;
	uint32_t word;
	size_t at;

	if (real == NULL)
		*(void **)&real =
			dlsym(RTLD_NEXT, "crypto_stream_chacha20_ietf_xor_ic");
	if (real(to, from, bytes, nonce, counter, key) != 0)
		return -1;
	for (at = 0; rare_words && at + sizeof(word) <= bytes;
	     at += sizeof(word)) {
		memcpy(&word, to + at, sizeof(word));
		if (le32toh(word) % RARE_EACH == 0)
			memset(to + at, 0, sizeof(word));
	}
	return 0;
}
