/* tests/seeded/seeded.h - replaces libsodium's random numbers by those of a
 * seed.
 *
 * The seed is the text of CHECK_SEED in the environment.  Without it nothing is
 * replaced, and programs draw from the system as they do for users. */
#ifndef TESTS_SEEDED_SEEDED_H
#define TESTS_SEEDED_SEEDED_H

/* Makes randombytes_*() of this process draw from a stream that depends on
 * CHECK_SEED and `name`.  A child of fork() gets a stream of its own, which
 * depends on its parent's and on its number among its parent's children.  Any
 * thread may draw; the order of two threads is not fixed. */
void seeded_begin(const char *name);

#endif
