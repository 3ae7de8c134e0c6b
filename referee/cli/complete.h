/* referee/cli/complete.h - the words that a shell may complete at the cursor.
 *
 * `referee complete WORD...` prints a line "CANDIDATE<TAB>WHAT IT IS" for each
 * word that may stand in place of the last one, which may be empty; nothing if
 * that is a file's name or a text.  It asks the command itself: main() runs it
 * with `completing`, and parse_arguments() answers out of its options in place
 * of parsing. */
#ifndef REFEREE_COMPLETE_H
#define REFEREE_COMPLETE_H

#include <stdbool.h>

struct argp;

extern bool completing;

/* Prints the candidate if it begins with what was typed. */
void complete_offer(const char *typed, const char *candidate, const char *what);

/* The candidates for argv[argc - 1], and exit().  Options are those of `argp`;
 * values are those that its texts list: `a|b|c` in an option's or the command's
 * arguments, GAME, and in the command's the first word of each line if that is
 * in small letters.  A shell that splits at `=` gives that as a word. */
_Noreturn void complete_arguments(const struct argp *argp, int argc,
				  char **argv);

#endif
