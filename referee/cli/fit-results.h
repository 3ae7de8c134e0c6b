/* referee/cli/fit-results.h - reads games for a fit from a CSV file. */
#ifndef REFEREE_FIT_RESULTS_H
#define REFEREE_FIT_RESULTS_H

#include "ladder/fit.h"
#include "protocol/error.h"

#define RESULTS_LINE_BYTES 1024
#define RESULTS_NAME_BYTES 64 /* most bytes of a bot's name */

/* Adds the games of the file: first a line `game,block,bot,place`, then a line
 * for each seat; the lines of a game follow each other.  `block` may be empty;
 * games with the same block count as one for the errors.  Returns 0, or -1 and
 * ERROR_INPUT with the number of the wrong line, or ERROR_MACHINE. */
int fit_add_results(struct fit *fit, const char *file,
		    struct error *why) MUST_CHECK;

#endif
