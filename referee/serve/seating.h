/* referee/serve/seating.h - where each bot sits, and what it has room for, shared
 * out among the ladders where it sits (share.h). */
#ifndef REFEREE_SEATING_H
#define REFEREE_SEATING_H

#include <stdint.h>

#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/remote/remote-bot.h"
#include "referee/scheduler/ladders.h"
#include "referee/scheduler/local-bot.h"

struct seating;

/* All is borrowed.  A remote bot that has come has its struct share at `owner`; it
 * plays nowhere as long as that is NULL. */
struct seating *seating_new(struct loop *loop, const struct ladders *ladders,
			    const struct remote_bots *remotes,
			    const struct local_bots *locals) MUST_CHECK;
void seating_free(struct seating *seating); /* NULL is fine */

/* No room is offered any more.  NULL is fine. */
void seating_stop(struct seating *seating);
/* The bot, remote or local, sits in these ladders from now on, and in no other. */
void seating_sit(struct seating *seating, struct participant *participant,
		 uint64_t ladders);
/* It sits in none. */
void seating_rise(struct seating *seating, struct participant *participant);
/* All bots rise there: another ladder may come in its place. */
void seating_close(struct seating *seating, unsigned place);
/* Tells the ladders where the bot sits what it has room for, or that it has none.
 * The second does so though it is as before, for its owner is another one. */
void seating_offer(struct seating *seating, struct participant *participant);
void seating_offer_again(struct seating *seating,
			 struct participant *participant);
/* A game of this ladder begins for the bot. */
void seating_began(struct seating *seating, const char *ladder,
		   struct participant *participant);

#endif
