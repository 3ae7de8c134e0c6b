/* referee/serve/seating.h - notes where each bot sits, and shares its room out
 * among those ladders (share.h). */
#ifndef REFEREE_SEATING_H
#define REFEREE_SEATING_H

#include <stdint.h>

#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/remote/remote-bot.h"
#include "referee/scheduler/ladders.h"
#include "referee/scheduler/local-bot.h"

struct seating;

/* All arguments are borrowed.  A remote bot that has come has its struct share
 * at `owner`; while that is NULL, it plays nowhere. */
struct seating *seating_new(struct loop *loop, const struct ladders *ladders,
			    const struct remote_bots *remotes,
			    const struct local_bots *locals) MUST_CHECK;
void seating_free(struct seating *seating); /* NULL is allowed */

/* Offers no room any more.  NULL is allowed. */
void seating_stop(struct seating *seating);
/* Lets the bot, remote or local, sit on these ladders from now on, and on no
 * others. */
void seating_sit(struct seating *seating, struct participant *participant,
		 uint64_t ladders);
/* Lets it sit on no ladder. */
void seating_rise(struct seating *seating, struct participant *participant);
/* Lets all bots leave the ladder at this place, which another ladder may get. */
void seating_close(struct seating *seating, unsigned place);
/* Both tell the ladders where the bot sits its room, if it may have changed.
 * seating_offer_again() tells them even if it has not, because the bot's owner
 * has changed. */
void seating_offer(struct seating *seating, struct participant *participant);
void seating_offer_again(struct seating *seating,
			 struct participant *participant);
/* Notes that a game of this ladder begins for the bot. */
void seating_began(struct seating *seating, const char *ladder,
		   struct participant *participant);

#endif
