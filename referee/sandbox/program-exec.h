/* referee/sandbox/program-exec.h - from a command line to a running program. */
#ifndef REFEREE_PROGRAM_EXEC_H
#define REFEREE_PROGRAM_EXEC_H

#include <stdbool.h>

#include "protocol/util.h"

/* Does the same as execvp(3) with the present environment, but gives a file
 * that is neither a program nor a script to the shell only if it is text: not
 * if it is empty or has a NUL, like a program for another machine.  Returns if
 * it has failed, with errno. */
void program_exec(char *const argv[]);

/* True if the machine is short of something: no fault of the program. */
bool program_is_shortage(int error) MUST_CHECK;

/* Returns what is wrong with a program whose exec has failed with `error`, in
 * words without a full stop.  Borrowed until the next call. */
const char *program_exec_words(int error) MUST_CHECK;

#endif
