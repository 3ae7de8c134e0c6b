/* referee/cli/complete.h - prints the words that a shell may complete at the
 * cursor.
 *
 * `referee complete WORD...` prints a line "CANDIDATE<TAB>WHAT IT IS" for each
 * word that may stand in place of the last one, which may be empty.  It prints
 * nothing where a file's name or any text may stand.  The command itself
 * answers: main() runs it with `completing` set, and then parse_arguments()
 * prints candidates from its options instead of parsing. */
#ifndef REFEREE_COMPLETE_H
#define REFEREE_COMPLETE_H

#include <stdbool.h>

struct argp;

extern bool completing;

/* Prints the candidate if it begins with what was typed. */
void complete_offer(const char *typed, const char *candidate, const char *what);

/* Prints the candidates for argv[argc - 1] and calls exit().  Options come from
 * `argp`.  Values come from its texts: `a|b|c` in the argument of an option or
 * of the command, the games for GAME, and the first word of each line of the
 * command's arguments if it is in small letters.  A shell that splits at `=`
 * gives `=` as a word. */
_Noreturn void complete_arguments(const struct argp *argp, int argc,
				  char **argv);

#endif
