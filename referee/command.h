/* referee/command.h - what every command of the program has.
 *
 * One file a command, command-NAME.c, which defines its struct command; main.c
 * lists them.  A command parses its own arguments with argp.  Results go to
 * standard output, progress and complaints to standard error. */
#ifndef REFEREE_COMMAND_H
#define REFEREE_COMMAND_H

#include "protocol/util.h"

/* Exit codes of every command. */
enum {
	EXIT_DONE = 0,	   /* what was asked is done */
	EXIT_NEGATIVE = 1, /* it turned out negative: does not verify, … */
	EXIT_USAGE = 2,	   /* wrong usage or bad input */
	EXIT_MACHINE = 3,  /* the machine's fault: disk full, no permission */
};

struct command {
	const char *name;
	const char *brief; /* one line for `referee help` */
	/* argv[0] is "referee NAME"; returns the exit code. */
	int (*run)(int argc, char **argv);
};

extern const struct command command_bench;
extern const struct command command_games;
extern const struct command command_ladder;
extern const struct command command_match;
extern const struct command command_replay;
extern const struct command command_verify;

/* Prints "referee: SENTENCE" and a newline to standard error, with whatever is
 * not printable ASCII escaped, and returns the exit code of its name. */
int complain_usage(const char *fmt, ...) PRINTF_LIKE(1, 2) COLD;
int complain_machine(const char *fmt, ...) PRINTF_LIKE(1, 2) COLD;

/* Flushes standard output: EXIT_DONE, or EXIT_MACHINE and a sentence (the first
 * time) if what was printed could not all be written (a full disk, a closed
 * pipe).  main() does it once more at exit, for what argp prints. */
int finish_output(void) MUST_CHECK;

#endif
