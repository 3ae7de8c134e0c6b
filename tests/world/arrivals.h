/* tests/world/arrivals.h - answers that come at one moment, where the first one counts.
 *
 * With open=arrival chance decides among the answers that the referee finds at once.
 * Honest programs of this machine give such answers together, at certain moments.  If
 * the same seats do so again and again in a game, not always the same one may win. */
#ifndef TESTS_WORLD_ARRIVALS_H
#define TESTS_WORLD_ARRIVALS_H

#include <stdint.h>

/* Returns the moment from `us` on at which answers are given together. */
uint64_t arrivals_moment(uint64_t us);
/* The bot on this seat says something else than `pass` now, which is such a moment. */
void arrivals_answer(const char *id, unsigned seat);
/* A bot has read that this seat made a move.  Ends the life if chance does not
 * decide. */
void arrivals_move(const char *id, unsigned seat);

#endif
