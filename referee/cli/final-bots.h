/* referee/cli/final-bots.h - takes the bots of a final from a ladder of a data
 * folder: the best that still play and live on this machine.
 *
 * A bot's seed is its place among these by the ladder's fit.  A bot without a rank
 * does not play.  At tables of more than two seats an owner has one bot, the best.
 * With --resume the bots and the ladder's limits of time are kept in DIR/final, so
 * that the same final goes on even if the ladder has changed meanwhile.
 *
 * The seeds tell the order of now.  So while the ladder's standings are frozen, bots
 * are chosen only if the organiser says so, and the daemon does not show the final
 * until the standings are shown. */
#ifndef REFEREE_FINAL_BOTS_H
#define REFEREE_FINAL_BOTS_H

#include <stdbool.h>

#include "protocol/util.h"
#include "referee/cli/match-arguments.h"

#define FINAL_FILE "final"
#define FINAL_BOTS 8 /* --top by default */

/* Sets the arguments' bots, by their seeds, at most `top` of them, and game,
 * options, seats and how open decisions are resolved, all as the last game of the
 * ladder `name` in the folder of --data had them; and the limits of time, if those
 * of the arguments are the defaults.  Prints a note that names the bots that are left
 * out.  `*frozen` allows frozen standings, and then says if they were frozen when the
 * bots were chosen.  Returns EXIT_DONE, or prints a sentence and returns an exit
 * code. */
int final_bots_take(struct match_arguments *arguments, const char *name,
		    unsigned top, bool *frozen) MUST_CHECK;

#endif
