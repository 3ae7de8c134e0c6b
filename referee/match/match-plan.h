/* referee/match/match-plan.h - keeps the plan of a match that can be resumed in
 * a file.
 *
 * DIR/plan is JSON: the game, its setup, the seed and the hashes of the bots'
 * commands and files.  Every option that changes the games changes the plan:
 * tests/end-to-end/test-resume.py tries each, and refuses one it does not know.
 * Its mode is 0600: the seed tells all cards. */
#ifndef REFEREE_MATCH_PLAN_H
#define REFEREE_MATCH_PLAN_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/match/match.h"

#define MATCH_PLAN_FILE "plan"

struct match_plan {
	int lock; /* owned: descriptor that locks the folder for one match at a
		   * time; 0: none */
	bool resumed; /* there was a plan */
	char seed[SEED_BYTES + 1];
	bool seeded; /* the seed was given, not drawn */
};

bool match_plan_is_there(const char *dir);
/* Writes the plan of the setup into the folder `dir`, which exists, or checks
 * that the plan that is there is the same.  The seed is the setup's; but if it
 * was drawn and there is a plan, it is the plan's.  Returns 0, or -1 and an
 * error; release the plan in either case. */
int match_plan_take(struct match_plan *plan, const char *dir,
		    const struct match_setup *setup,
		    struct error *why) MUST_CHECK;
void match_plan_release(struct match_plan *plan);

#endif
