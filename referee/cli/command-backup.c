/* referee/cli/command-backup.c - `referee backup` copies a data folder,
 * `referee restore` restores it. */
#include <argp.h>
#include <stdio.h>

#include "referee/base/serve-limits.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/serve/backup.h"

struct arguments {
	const char *data, *dir;
};

static const struct argument options[] = {
	{ "data", 'd', "DIR",
	  "The daemon's data folder (default: " SERVE_DATA ")",
	  STORE_TEXT(struct arguments, data) },
	{ 0 },
};

static struct arguments
parse(const struct argp *argp, int argc, char **argv)
{
	struct arguments arguments = { .data = SERVE_DATA };
	const struct words words =
		parse_arguments(argp, options, argc, argv, &arguments);

	if (words.count > 1)
		refuse_argument("only one folder is allowed; remove %s",
				quoted(words.word[1]).text);
	if (words.count == 0 || *words.word[0] == '\0')
		refuse_argument("name the folder of the backup");
	arguments.dir = words.word[0];
	return arguments;
}

#define EXIT_CODES                                                             \
	"Exit codes: 0 done, 2 wrong usage, a missing folder, a folder that "  \
	"is not "                                                              \
	"empty, or a damaged database, 3 the machine's fault.\n\n"

static const struct argp argp_backup = {
	.args_doc = "DIR",
	.doc = "Copy a daemon's data folder to DIR, whether the daemon runs or "
	       "not.\v"
	       "DIR must not exist, or must be empty.  Keep it as secret "
	       "as the data folder: it contains the roster's key.  A game that "
	       "ends during the copy may be in it as a record only; the first "
	       "start after `restore` rates it.  The copy has "
	       "check-record/check-record.py, which proves the records with "
	       "Python alone.  See "
	       "doc/BACKUP.md.\n\n" EXIT_CODES "Example: a copy for each day\n"
	       "  $ referee backup --data /var/lib/referee "
	       "/backup/referee-monday\n",
};

static const struct argp argp_restore = {
	.args_doc = "DIR",
	.doc = "Restore a data folder from DIR, a copy made by `referee "
	       "backup`.\v"
	       "The data folder must not exist, or must be empty.  "
	       "The databases are checked.\n\n" EXIT_CODES
	       "Example: after the disk was lost\n"
	       "  $ referee restore --data /var/lib/referee "
	       "/backup/referee-monday\n",
};

static int
run(bool restore, int argc, char **argv)
{
	const struct arguments arguments =
		parse(restore ? &argp_restore : &argp_backup, argc, argv);
	const char *data = arguments.data, *dir = arguments.dir;
	struct error why = { 0 };
	struct backup_report report;
	int result = restore ? backup_restore(dir, data, &report, &why)
			     : backup_make(data, dir, &report, &why);

	if (result < 0)
		return complain_error(&why);
	fputs(restore ? "restored to " : "copied to ", stdout);
	print_escaped(stdout, restore ? data : dir);
	printf(": %s, %s\n", counted(report.databases, "database").text,
	       counted(report.files, "other file").text);
	return finish_output();
}

static int
run_backup(int argc, char **argv)
{
	return run(false, argc, argv);
}

static int
run_restore(int argc, char **argv)
{
	return run(true, argc, argv);
}

const struct command command_backup = {
	.name = "backup",
	.brief = "copy a daemon's data folder, while it plays",
	.run = run_backup,
};

const struct command command_restore = {
	.name = "restore",
	.brief = "restore a data folder from such a copy",
	.run = run_restore,
};
