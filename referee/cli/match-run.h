/* referee/cli/match-run.h - plays what a command line asks for: from the plan, the
 * folders and the seed to the exit code. */
#ifndef REFEREE_MATCH_RUN_H
#define REFEREE_MATCH_RUN_H

#include "referee/cli/match-arguments.h"

/* The functions that differ between a match and a tournament.  Each returns an
 * exit code, and prints a sentence if it fails. */
struct match_kind {
	/* Called when the seed is known.  Fills in source, rule, games and the
	 * plan's text about them.  Called again if there is a plan, which may
	 * have another seed. */
	int (*begin)(void *arg, struct match_setup *setup);
	/* Called when the match has been played.  Prints the result. */
	int (*print)(void *arg, const struct match_setup *setup,
		     const struct match_report *report);
	void *arg;
};

/* Plays the match.  Returns the exit code.  Releases the arguments' bots. */
int match_run(struct match_arguments *arguments, const struct match_kind *kind);

#endif
