/* referee/net/start.h - START_MS of those who play from elsewhere.
 *
 * What the first asks of their games have on top comes from an account, one for
 * each name, which holds START_MS at most.  A first ask takes all that is there
 * when its clock begins and gives back what it did not use: however many games
 * begin together, and however often a bot comes and goes, no more than the
 * account is used.  It fills up again by a START_PART of the time that passes:
 * slow programs have their time in each game, and who would only hold games up
 * has a part of it.
 *
 * All times in microseconds of clock_us(). */
#ifndef REFEREE_START_H
#define REFEREE_START_H

#include <stdint.h>

struct start;

/* The account of that name (copied; at most NAME_BYTES), also if it is open
 * already; start_close() for each time.  One that is not open is kept among
 * `*starts` until it is full again, and then forgotten. */
struct start *start_open(struct start **starts, const char *name,
			 uint64_t now_us);
void start_close(struct start *start);

/* Takes all that is there. */
uint64_t start_take(struct start *start, uint64_t now_us);
/* What one start_take() took is needed no more; so much of it was used. */
void start_give(struct start *start, uint64_t taken_us, uint64_t used_us,
		uint64_t now_us);

/* Frees all, open or not. */
void starts_release(struct start **starts);

#endif
