/* tests/world/moves.c - see moves.h. */
#include "tests/world/moves.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/serve/checker.h"
#include "tests/world/rare.h"

/* Lives have this process's descriptors, and find the lowest numbers free. */
#define HIGH_DESCRIPTOR 900

#define STRING_OF(text) #text
#define STRING(macro) STRING_OF(macro)

/* The process: it is told folders, a line each, with 1 before one that has rare words
 * (rare.h), else 0.  It answers each with lines that say what is wrong there, and with
 * a line `.`. */
static const char program[] =
	"import glob, importlib, sys\n"
	"sys.path.insert(0, sys.argv[1])\n"
	"checker = importlib.import_module('check-record')\n"
	"usual = checker.Stream\n"
	"class Rare(usual):\n"
	"    def word(self):\n"
	"        word = super().word()\n"
	"        return word if word % " STRING(
		RARE_EACH) " else 0\n"
			   "print('.', flush=True)\n"
			   "for line in sys.stdin:\n"
			   "    rare, folder = line.rstrip('\\n').split(' ', "
			   "1)\n"
			   "    checker.Stream = Rare if rare == '1' else "
			   "usual\n"
			   "    for path in sorted(glob.glob(folder + '/*')):\n"
			   "        try:\n"
			   "            with open(path, encoding='latin-1', "
			   "newline='') as file:\n"
			   "                checker.check(file.read())\n"
			   "        except (checker.Wrong, checker.Unfit) as "
			   "why:\n"
			   "            print(path, *why.args, sep=': ')\n"
			   "    print('.', flush=True)\n";

static struct {
	FILE *to, *from; /* NULL: there is no Python */
	pid_t pid;
} python;

static void
put_checker(const char *folder)
{
	const struct checker_file *file;
	char *path;
	FILE *to;

	for (file = checker_files; file->name != NULL; file++) {
		path = formatted("%s/%s", folder, file->name);
		to = fopen(path, "we");
		if (to == NULL ||
		    fwrite(file->bytes, 1, file->n, to) != file->n ||
		    fclose(to) != 0)
			bug("cannot write %s: %s", path, strerror(errno));
		free(path);
	}
}

static void
remove_checker(const char *folder)
{
	const struct checker_file *file;
	char *path;

	for (file = checker_files; file->name != NULL; file++) {
		path = formatted("%s/%s", folder, file->name);
		unlink(path);
		free(path);
	}
	rmdir(folder);
}

static FILE *
put_high(int fd, const char *how)
{
	const int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
	FILE *file = high < 0 ? NULL : fdopen(high, how);

	if (file == NULL)
		bug("cannot move a descriptor: %s", strerror(errno));
	close(fd);
	return file;
}

static void
start(const char *folder)
{
	/* The shell finds Python. */
	char shell[] = "sh", option[] = "-c",
	     line[] = "exec python3 -S -c \"$1\" \"$2\"";
	char *const words[] = { shell,
				option,
				line,
				shell,
				(char *)(uintptr_t)program,
				(char *)(uintptr_t)folder,
				NULL };
	int in[2], out[2];
	pid_t pid;

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		bug("cannot make a pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		bug("cannot start a process: %s", strerror(errno));
	if (pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		execv("/bin/sh", words);
		_exit(127);
	}
	python.pid = pid;
	close(in[0]);
	close(out[1]);
	python.to = put_high(in[1], "w");
	python.from = put_high(out[0], "r");
}

/* Reads an answer, and tells in the file `wrong` of lines other than the last one.
 * Returns true if there are none; `ended` is set where it has no last line. */
static bool
is_all_right(bool *ended, int wrong)
{
	char *line = NULL;
	bool good = true;
	size_t room = 0;

	*ended = false;
	while (!*ended) {
		*ended = getline(&line, &room, python.from) < 0;
		if (*ended || strcmp(line, ".\n") == 0)
			break;
		dprintf(wrong, "world: %s", line);
		good = false;
	}
	free(line);
	return good;
}

void
moves_end(void)
{
	if (python.to == NULL)
		return;
	fclose(python.to);
	fclose(python.from);
	python.to = NULL;
	waitpid(python.pid, NULL, 0);
}

void
moves_begin(void)
{
	char folder[] = "/tmp/world-checker-XXXXXX";
	bool ended;

	if (mkdtemp(folder) == NULL)
		bug("cannot make %s: %s", folder, strerror(errno));
	put_checker(folder);
	start(folder);
	(void)!is_all_right(&ended, STDERR_FILENO);
	remove_checker(folder);
	if (!ended)
		return;
	moves_end();
	printf("# there is no python3: no moves are checked\n");
}

int
moves_keep(const struct text *record, const char *hash)
{
	char *path;
	FILE *file;
	int result = 0;

	if (python.to == NULL)
		return 0;
	path = formatted(MOVES_FOLDER "/%s", hash);
	if (mkdir(MOVES_FOLDER, 0700) < 0 && errno != EEXIST)
		result = -1;
	if (result == 0 && access(path, F_OK) < 0) {
		file = fopen(path, "we");
		if (file == NULL ||
		    fwrite(record->bytes, 1, record->used, file) !=
			    record->used ||
		    fclose(file) != 0)
			result = -1;
	}
	free(path);
	return result;
}

bool
moves_hold(bool rare, int wrong)
{
	char *folder;
	bool ended, good;

	if (python.to == NULL)
		return true;
	folder = realpath(MOVES_FOLDER, NULL);
	if (folder == NULL) /* no game was played */
		return true;
	fprintf(python.to, "%d %s\n", rare, folder);
	fflush(python.to);
	free(folder);
	good = is_all_right(&ended, wrong);
	if (ended)
		dprintf(wrong, "world: check-record.py has ended\n");
	return good && !ended;
}
