/* referee/base/command.h - shared by all commands of the program.
 *
 * Each command has one file, command-NAME.c, which defines its struct command;
 * commands.h lists them.  A command reads its own arguments.  Results go to
 * standard output, progress and errors to standard error. */
#ifndef REFEREE_COMMAND_H
#define REFEREE_COMMAND_H

#include <stdio.h>
#include <stdlib.h>

#include "protocol/error.h"
#include "protocol/util.h"

/* Exit codes of every command, which are the kinds of errors. */
enum {
	EXIT_DONE = ERROR_NONE,	      /* the task is done */
	EXIT_NEGATIVE = ERROR_ANSWER, /* the answer is no: a record does not
				       * verify, … */
	EXIT_USAGE = ERROR_INPUT,     /* wrong usage or bad input */
	EXIT_MACHINE = ERROR_MACHINE, /* the machine's fault: disk full, no
				       * permission */
};

struct command {
	const char *name;
	const char *brief; /* one line for `referee help` */
	/* argv[0] is "referee NAME"; returns the exit code. */
	int (*run)(int argc, char **argv);
};

/* Prints "referee: SENTENCE" and a newline to standard error, with the sentence
 * escaped. */
void note(const char *fmt, ...) PRINTF_LIKE(1, 2) COLD;

/* Print a sentence as note() does and yield the exit code of their name. */
#define complain_usage(...) (note(__VA_ARGS__), EXIT_USAGE)
#define complain_machine(...) (note(__VA_ARGS__), EXIT_MACHINE)

/* Prints a sentence as note() does and ends the program with EXIT_USAGE. */
#define refuse_argument(...) (note(__VA_ARGS__), exit(EXIT_USAGE))

/* Prints an error's sentence and returns the exit code of its kind. */
int complain_error(const struct error *error) COLD;

/* Prints a text, such as a file's name, escaped as text_shown() escapes it: no
 * name can look like a line that we print. */
void print_escaped(FILE *to, const char *text);

/* Prints a text in '…' so that a shell reads all of it as one word. */
void print_shell_word(FILE *to, const char *text);

#define TERMINAL_COLUMNS 80

/* Prints words with a space before each except the first of a line.  The first
 * word stands at `column`; further lines begin `indent` columns in.  Returns
 * the column where the words end. */
int print_words(const char *text, int indent, int column);

/* Flushes standard output and returns EXIT_DONE. If not all that was printed
 * could be written (a full disk, a closed pipe), it returns EXIT_MACHINE and,
 * the first time, prints a sentence. main() does it once more at exit, for what
 * argp prints. */
int finish_output(void) MUST_CHECK;

#endif
