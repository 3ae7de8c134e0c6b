/* protocol/put.h - writes words and numbers one behind the other.
 *
 * Lines of every turn are written so: printf() takes several times as long. */
#ifndef PROTOCOL_PUT_H
#define PROTOCOL_PUT_H

#include <stdint.h>
#include <string.h>

/* Both return the end of what they wrote, and write no NUL. */
static inline char *
put_word(char *to, const char *word)
{
	const size_t n = strlen(word);

	memcpy(to, word, n);
	return to + n;
}

/* Writes a number in decimal, of 20 digits at most. */
static inline char *
put_number(char *to, uint64_t number)
{
	char digits[20];
	size_t n = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	while (n > 0)
		*to++ = digits[--n];
	return to;
}

#endif
