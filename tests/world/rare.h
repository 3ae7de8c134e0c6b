/* tests/world/rare.h - words of chance that hardly ever come.
 *
 * A draw refuses a few of the words that ChaCha20 gives, about one of ten million, so
 * that all pieces are equally likely.  No test plays so many games.  In a scenario with
 * rare words one word of sixteen is 0, which every draw refuses unless the number of
 * pieces is a power of two.  check-record.py gets the same words (moves.c). */
#ifndef TESTS_WORLD_RARE_H
#define TESTS_WORLD_RARE_H

#include <stdbool.h>

/* This scenario has them.  Set it before the first life. */
extern bool rare_words;

/* Words that are divisible by this are 0. */
#define RARE_EACH 16

#endif
