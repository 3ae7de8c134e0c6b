/* referee/cli/main.c - finds a command by its name and runs it. */
#include "config.h"
#include "referee/base/suggest.h"
#include "referee/cli/commands.h"
#include "referee/cli/complete.h"
#include "referee/queue/bot-keep.h"
#include "referee/runner/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const struct command *const commands[] = {
	&command_backup, &command_restore, &command_bench,	&command_bots,
	&command_check,	 &command_connect, &command_games,	&command_ladder,
	&command_match,	 &command_owners,  &command_queue,	&command_replay,
	&command_report, &command_serve,   &command_tournament, &command_verify,
	&command_worker,
};

static int
help(void)
{
	puts("Usage: referee COMMAND [ARGUMENT...]\n"
	     "\n"
	     "A referee for bots that play card games with hidden"
	     " information.\n");
	for (size_t i = 0; i < NELEM(commands); i++)
		printf("  %-10s %s\n", commands[i]->name, commands[i]->brief);
	puts("  help       show this list; `help COMMAND` shows its --help\n"
	     "\n"
	     "`referee COMMAND --help` lists a command's options and shows an "
	     "example;\n"
	     "`man referee` names the pages of the manual.\n"
	     "Exit codes: 0 done, 1 the answer is no, 2 wrong usage or input,"
	     " 3 the\n"
	     "machine's fault.");
	return finish_output();
}

static bool
is_one_of(const char *word, const char *one, const char *other)
{
	return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

static int
version(void)
{
	puts(PACKAGE_STRING);
	return finish_output();
}

/* Opens the standard descriptors that are closed.  Otherwise the next file to
 * be opened would get that descriptor, and text for people would be written
 * into the file.  Printing to a closed standard output stays an error, like a
 * full disk. */
static int
open_standard_files(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null",
			 fd == STDOUT_FILENO ? O_RDONLY : O_RDWR) != fd)
			return -1;
	return 0;
}

/* Flushes what a command has not flushed, above all argp's --help. */
static void
finish_at_exit(void)
{
	if (finish_output() != EXIT_DONE)
		_exit(EXIT_MACHINE);
}

/* Runs the command argv[0] with its arguments. */
static int
run(int argc, char **argv)
{
	struct suggestion meant = suggest(argv[0]);
	const struct command *command = NULL;
	char name[64];

	for (size_t i = 0; i < NELEM(commands) && command == NULL; i++) {
		suggest_offer(&meant, commands[i]->name);
		if (strcmp(commands[i]->name, argv[0]) == 0)
			command = commands[i];
	}
	if (command == NULL)
		return complain_usage("there is no command %s; `referee help` "
				      "lists them%s",
				      quoted(argv[0]).text, meant.text);
	snprintf(name, sizeof(name), "referee %s", command->name);
	argv[0] = name;
	return command->run(argc, argv);
}

/* Runs `complete WORD...` for a shell.  A word that cannot be completed is no
 * error. */
static int
complete(int argc, char **argv)
{
	completing = true;
	if (argc > 2)
		return run(argc - 1, argv + 1);
	for (size_t i = 0; i < NELEM(commands) && argc == 2; i++)
		complete_offer(argv[1], commands[i]->name, commands[i]->brief);
	return finish_output();
}

/* Runs `help COMMAND...` as `COMMAND... --help`. */
static int
help_with(int argc, char **argv)
{
	static char option[] = "--help";

	if (argc == 1)
		return help();
	memmove(argv, argv + 1, (size_t)(argc - 1) * sizeof(*argv));
	argv[argc - 1] = option;
	return run(argc, argv);
}

int
main(int argc, char **argv)
{
	if (open_standard_files() < 0)
		return EXIT_MACHINE;
	/* Bots run as the same user: they must not read the cards from our
	 * memory. */
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		return complain_machine(
			"cannot close our memory to other processes: %m");
	/* A write beyond the limit of a file's size must be an error like
	 * others, and not end us. */
	signal(SIGXFSZ, SIG_IGN);
	if (atexit(finish_at_exit) != 0)
		return complain_machine("out of memory at the start");
	if (argc < 2 || is_one_of(argv[1], "--help", "-h"))
		return help();
	if (is_one_of(argv[1], "--version", "-V"))
		return version();
	/* The library is initialised once for all commands. */
	if (sodium_init() < 0)
		return complain_machine("libsodium does not start");
	if (strcmp(argv[1], WORKER_COMMAND) == 0 && argc == 4)
		return worker_play(WORKER_FD,
				   (unsigned)strtoul(argv[2], NULL, 10),
				   (int)strtol(argv[3], NULL, 10));
	if (strcmp(argv[1], BOT_KEEP_COMMAND) == 0 &&
	    argc == 2 + BOT_KEEP_WORDS)
		return bot_keep(argv + 2);
	if (strcmp(argv[1], "complete") == 0)
		return complete(argc - 1, argv + 1);
	if (strcmp(argv[1], "help") == 0)
		return help_with(argc - 1, argv + 1);
	return run(argc - 1, argv + 1);
}
