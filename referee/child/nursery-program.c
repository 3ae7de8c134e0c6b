/* referee/child/nursery-program.c - whether a bot's program can be started at
 * all.
 *
 * To say so before the first game; what counts is the exec that comes. */
#include "referee/child/nursery.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "referee/command.h"

/* Whether `path` can be executed, as far as one can see; else the reason. */
static const char *
not_executable(const char *path)
{
	struct stat found;

	if (stat(path, &found) < 0)
		return errno == ENOENT || errno == ENOTDIR ? "no such file"
							   : strerror(errno);
	if (S_ISDIR(found.st_mode))
		return "a folder, not a program";
	if (!S_ISREG(found.st_mode))
		return "not a program";
	if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0)
		return "not executable (chmod +x)";
	return NULL;
}

/* The interpreter of the script `path`, by its first line; "" if it has none or
 * cannot be read, which a program need not be. */
static void
read_interpreter(const char *path, char to[256])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : read(fd, to, 255);
	size_t skip;

	if (fd >= 0)
		close(fd);
	to[n < 0 ? 0 : n] = '\0';
	if (strncmp(to, "#!", 2) != 0) {
		to[0] = '\0';
		return;
	}
	skip = 2 + strspn(to + 2, " \t");
	memmove(to, to + skip, strlen(to + skip) + 1);
	to[strcspn(to, " \t\n")] = '\0';
}

static bool
interpreter_ok(const char *path, char *why, size_t why_bytes)
{
	char interpreter[256];

	read_interpreter(path, interpreter);
	if (interpreter[0] == '\0' || not_executable(interpreter) == NULL)
		return true;
	snprintf(why, why_bytes, "%s: its interpreter %s is %s",
		 quoted(path).text, quoted(interpreter).text,
		 access(interpreter, F_OK) < 0 ? "missing" : "no program");
	return false;
}

/* Looks for it in PATH: where it is, in `path`, or false. */
static bool
find_program(const char *name, char path[4096])
{
	const char *at = getenv("PATH");
	size_t n;

	if (at == NULL)
		at = "/bin:/usr/bin"; /* as execvp(3) has it */
	for (; *name != '\0' && at != NULL; at = at[n] ? at + n + 1 : NULL) {
		n = strcspn(at, ":");
		snprintf(path, 4096, "%.*s%s%s", (int)n, at, n == 0 ? "" : "/",
			 name);
		if (not_executable(path) == NULL)
			return true;
	}
	return false;
}

bool
nursery_program_ok(const char *argv0, char *why, size_t why_bytes)
{
	const char *wrong;
	char path[4096];

	if (strchr(argv0, '/') != NULL) {
		wrong = not_executable(argv0);
		if (wrong == NULL)
			return interpreter_ok(argv0, why, why_bytes);
		snprintf(why, why_bytes, "%s: %s", quoted(argv0).text, wrong);
		return false;
	}
	if (find_program(argv0, path))
		return interpreter_ok(path, why, why_bytes);
	snprintf(why, why_bytes, "%s: no such program in PATH%s",
		 quoted(argv0).text,
		 access(argv0, F_OK) == 0 && *argv0 != '\0'
			 ? " (a file here is ./NAME)"
			 : "");
	return false;
}
