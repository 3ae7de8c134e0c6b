/* referee/chacha20.h - ChaCha20 (RFC 8439), a block at a time.
 *
 * A round takes one to four blocks from the beginning of its stream.
 * libsodium makes long streams several times as fast as this, but one block
 * in twice the time. */
#ifndef REFEREE_CHACHA20_H
#define REFEREE_CHACHA20_H

#include <stdint.h>

#define CHACHA20_KEY_BYTES 32
#define CHACHA20_WORDS 16 /* of a block */

/* Block number `block` of the stream under this key whose nonce, as a number
 * of 12 bytes, little-endian, is `nonce`.  Its 64 bytes come as words, the
 * first of four bytes the lowest. */
void chacha20_block(const unsigned char key[CHACHA20_KEY_BYTES], uint32_t nonce,
		    uint32_t block, uint32_t word[CHACHA20_WORDS]);

#endif
