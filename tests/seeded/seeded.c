/* tests/seeded/seeded.c - a generator for libsodium whose stream a seed decides.
 *
 * Each draw is a keystream of ChaCha20 under a number of its own, so draws need
 * no lock.  The key changes in a child of fork(), or both processes would draw
 * the same IDs. */
#include "tests/seeded/seeded.h"

#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static unsigned char key[crypto_stream_chacha20_KEYBYTES];
static atomic_uint_fast64_t draws;
static uint64_t children;

/* Makes the key a hash of itself and of these bytes. */
static void
mix(const void *bytes, size_t count)
{
	crypto_generichash_state hash;

	crypto_generichash_init(&hash, NULL, 0, sizeof(key));
	crypto_generichash_update(&hash, key, sizeof(key));
	crypto_generichash_update(&hash, bytes, count);
	crypto_generichash_final(&hash, key, sizeof(key));
	atomic_store(&draws, 0);
}

static void
draw(void *to, size_t count)
{
	uint64_t number = atomic_fetch_add(&draws, 1);
	unsigned char nonce[crypto_stream_chacha20_NONCEBYTES] = { 0 };

	memcpy(nonce, &number, sizeof(number));
	crypto_stream_chacha20(to, count, nonce, key);
}

static uint32_t
draw_number(void)
{
	uint32_t number;

	draw(&number, sizeof(number));
	return number;
}

static const char *
name_generator(void)
{
	return "seeded";
}

static void
before_fork(void)
{
	children++;
}

static void
in_child(void)
{
	mix(&children, sizeof(children));
	children = 0;
}

void
seeded_begin(const char *name)
{
	static struct randombytes_implementation generator = {
		.implementation_name = name_generator,
		.random = draw_number,
		.buf = draw,
	};
	static bool began;
	const char *seed = getenv("CHECK_SEED");

	if (seed == NULL)
		return;
	memset(key, 0, sizeof(key));
	mix(seed, strlen(seed));
	mix(name, strlen(name));
	children = 0;
	if (began)
		return;
	began = true;
	randombytes_set_implementation(&generator);
	pthread_atfork(before_fork, NULL, in_child);
}
