/* referee/cli/match-setup.h - makes the setup of a match from the command line. */
#ifndef REFEREE_MATCH_SETUP_H
#define REFEREE_MATCH_SETUP_H

#include "protocol/util.h"
#include "referee/cli/match-arguments.h"

/* Sets the game, its bots and how it is played, but neither seed, source nor
 * writer.  The setup borrows from the arguments.  Returns EXIT_DONE, or prints
 * a sentence and returns the exit code. */
int match_set_up(struct match_arguments *arguments,
		 struct match_setup *setup) MUST_CHECK;
/* Gets what the match needs from this machine: checks its ladder's folder, puts
 * the bots into boxes, raises the limit of descriptors.  Returns EXIT_DONE, or
 * prints a sentence and returns the exit code. */
int match_set_up_machine(struct match_arguments *arguments,
			 const struct match_setup *setup) MUST_CHECK;
bool match_has_programs(const struct match_setup *setup);

#endif
