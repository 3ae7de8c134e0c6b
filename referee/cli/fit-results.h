/* referee/cli/fit-results.h - reads games for a fit from a CSV file. */
#ifndef REFEREE_FIT_RESULTS_H
#define REFEREE_FIT_RESULTS_H

#include "ladder/fit.h"
#include "protocol/error.h"

#define RESULTS_LINE_BYTES 1024
#define RESULTS_NAME_BYTES 64 /* of a bot */

/* Adds what stands in the file: first a line `game,block,bot,place`, then a
 * line for each seat; those of one game follow each other.  `block` may be
 * empty; games with the same one count as one for the errors.  0, or -1:
 * ERROR_INPUT with the number of the line that is wrong, or ERROR_MACHINE. */
int fit_add_results(struct fit *fit, const char *file,
		    struct error *why) MUST_CHECK;

#endif
