/* referee/cli/match-run.h - plays what a command line asks for: from the plan, the
 * folders and the seed to the exit code. */
#ifndef REFEREE_MATCH_RUN_H
#define REFEREE_MATCH_RUN_H

#include "protocol/util.h"
#include "referee/cli/match-arguments.h"
#include "referee/match/match.h"

/* What makes it a match, or a tournament.  Each prints a sentence if it fails,
 * and returns an exit code. */
struct match_kind {
	/* The seed is known: fills in source, rule, games and what the plan
	 * says of them.  Once more if the plan has another seed. */
	int (*begin)(void *arg, struct match_setup *setup);
	/* It is played: prints the result. */
	int (*print)(void *arg, const struct match_setup *setup,
		     const struct match_report *report);
	void *arg;
};

/* The exit code; the arguments' bots are released. */
int match_run(struct match_arguments *arguments, const struct match_kind *kind);

#endif
