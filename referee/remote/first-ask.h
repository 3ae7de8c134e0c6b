/* referee/remote/first-ask.h - gives START_MS to bots that play from elsewhere.
 *
 * The extra time of first asks comes from an account, one for each name, which
 * holds START_MS at most.  A first ask takes all of it when its clock begins
 * and gives back what it did not use.  So no more than the account is used,
 * however many games begin together and however often a bot comes and goes.
 * The account fills up by a START_PART of the time that passes: slow programs
 * have their time in each game, and a bot that only holds games up has a part
 * of it.
 *
 * All times are microseconds of clock_us(). */
#ifndef REFEREE_FIRST_ASK_H
#define REFEREE_FIRST_ASK_H

#include <stdint.h>

struct first_ask;

/* Opens the account of that name, which is copied (at most NAME_BYTES).  It may
 * be open already; call first_ask_close() once for each open.  A closed account
 * stays in `*accounts` until it is full again. */
struct first_ask *first_ask_open(struct first_ask **accounts, const char *name,
				 uint64_t now_us);
void first_ask_close(struct first_ask *account);

/* Takes and returns the whole balance. */
uint64_t first_ask_take(struct first_ask *account, uint64_t now_us);
/* Returns the unused part of what one first_ask_take() took. */
void first_ask_give(struct first_ask *account, uint64_t taken_us,
		    uint64_t used_us, uint64_t now_us);

/* Frees all accounts, open or not. */
void first_asks_release(struct first_ask **accounts);

#endif
