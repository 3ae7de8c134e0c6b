/* referee/runner/wire.h - writes and reads plain values as bytes.
 *
 * Every number is 8 bytes, little-endian; bytes and strings have their length
 * before them, and a string is followed by a NUL that the length does not
 * count, so that it can be used where it stands. */
#ifndef REFEREE_WIRE_H
#define REFEREE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/text.h"

/* A value that does not fit sets to->full. */
void wire_put(struct text *to, uint64_t value);
void wire_put_bytes(struct text *to, const void *bytes, size_t n);
void wire_put_string(struct text *to,
		     const char *string); /* NULL is written as "" */

/* The bytes that are left to read.  An invalid value sets `bad`, and everything
 * taken after that is 0 or empty. */
struct wire {
	struct text *to; /* NULL: a wire to read; else a wire to write on */
	char *at;
	size_t left;
	bool bad;
};

uint64_t wire_take(struct wire *from);
/* Takes a number; more than `max` is bad. */
uint64_t wire_take_max(struct wire *from, uint64_t max);
/* Take bytes or a string, borrowed from the message. */
size_t wire_take_bytes(struct wire *from, char **bytes);
char *wire_take_string(struct wire *from);
/* Takes a string that fits into `bytes` with its NUL. */
void wire_take_into(struct wire *from, char *to, size_t bytes);

/* On a wire to write on, puts the value and returns it.  On a wire to read,
 * returns wire_take_max(). */
uint64_t wire_code(struct wire *wire, uint64_t value, uint64_t max);

#endif
