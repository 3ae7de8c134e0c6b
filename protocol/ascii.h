/* protocol/ascii.h - is every byte printable?  Eight at a time.
 *
 * Every line that comes in or goes out is checked, so the function is inline
 * and works on eight bytes at a time. */
#ifndef PROTOCOL_ASCII_H
#define PROTOCOL_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ASCII_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Returns true if each of the eight bytes in `word` is from 0x20 to `top` (at most
 * 0x7e).  No sum or difference here carries from one byte to the next. */
static inline bool
ascii_word_within(uint64_t word, unsigned top)
{
	const uint64_t high = ASCII_EACH(0x80);
	uint64_t low_enough = (word & ~high) + ASCII_EACH(0x7f - top);
	uint64_t high_enough = (word | high) - ASCII_EACH(0x20);

	return ((word | low_enough | ~high_enough) & high) == 0;
}

/* Returns true if all `n` bytes are from 0x20 to `top`. */
static inline bool
ascii_within(const char *bytes, size_t n, unsigned top)
{
	uint64_t word = ASCII_EACH(0x20);
	size_t i;

	if (n < sizeof(word)) {
		if (n > 0)
			memcpy(&word, bytes, n);
		return ascii_word_within(word, top);
	}
	for (i = 0; i + sizeof(word) <= n; i += sizeof(word)) {
		memcpy(&word, bytes + i, sizeof(word));
		if (!ascii_word_within(word, top))
			return false;
	}
	/* These are the last eight bytes; some may have been looked at before. */
	memcpy(&word, bytes + n - sizeof(word), sizeof(word));
	return ascii_word_within(word, top);
}

/* Returns true if all `n` bytes are printable ASCII: 0x20 to 0x7e. */
static inline bool
ascii_printable(const char *bytes, size_t n)
{
	return ascii_within(bytes, n, 0x7e);
}

#endif
