/* referee/cli/match-setup.h - a match, made of the command line. */
#ifndef REFEREE_MATCH_SETUP_H
#define REFEREE_MATCH_SETUP_H

#include "protocol/util.h"
#include "referee/cli/match-arguments.h"
#include "referee/match/match.h"

/* The game, its bots and how it is played, but neither seed, source nor
 * writer.  The setup borrows from the arguments.  EXIT_DONE; else a sentence
 * has been printed and this is the exit code. */
int match_set_up(struct match_arguments *arguments,
		 struct match_setup *setup) MUST_CHECK;
/* What the match needs of this machine: its ladder's folder, boxes for the
 * bots, descriptors.  Likewise. */
int match_set_up_machine(struct match_arguments *arguments,
			 const struct match_setup *setup) MUST_CHECK;
bool match_has_programs(const struct match_setup *setup);

#endif
