/* referee/match/match-resume.h - finds the games of a match that were played
 * before. */
#ifndef REFEREE_MATCH_RESUME_H
#define REFEREE_MATCH_RESUME_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/match/match-done.h"
#include "referee/match/match.h"

/* Reads and verifies the records of the setup's games in `dir`, whose plan the
 * caller has taken.  Removes half-written ones, and looks at no other files.
 * Returns 0, or -1 and an error; release it in either case. */
int match_resume_read(struct match_resume *resume, const char *dir,
		      const struct match_setup *setup,
		      struct error *why) MUST_CHECK;

#endif
