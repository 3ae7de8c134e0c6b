/* tests/seeded/seeded.h - chance that a seed fixes, in place of libsodium's.
 *
 * The seed is the text of CHECK_SEED in the environment.  Without it nothing is
 * replaced, and programs draw from the system as they do for users. */
#ifndef TESTS_SEEDED_SEEDED_H
#define TESTS_SEEDED_SEEDED_H

/* Makes randombytes_*() of this process draw from now on from a stream that CHECK_SEED
 * and `name` decide.  A child of fork() gets a stream of its own, which its parent's
 * and its number among its parent's children decide.  Any thread may draw; which of two
 * threads draws first is not decided. */
void seeded_begin(const char *name);

#endif
