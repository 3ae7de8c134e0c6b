/* referee/nursery-program.c - whether a bot's program can be started at all.
 *
 * To say so before the first game; what counts is the exec that comes. */
#include "referee/nursery.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool
nursery_program_ok(const char *argv0, char *why, size_t why_bytes)
{
	const char *at = getenv("PATH"), *wrong;
	char path[4096];
	size_t n;

	if (strchr(argv0, '/') != NULL) {
		wrong = not_executable(argv0);
		if (wrong != NULL)
			snprintf(why, why_bytes, "%s: %s", argv0, wrong);
		return wrong == NULL;
	}
	if (at == NULL)
		at = "/bin:/usr/bin"; /* as execvp(3) has it */
	for (; *argv0 != '\0' && at != NULL; at = at[n] ? at + n + 1 : NULL) {
		n = strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s%s%s", (int)n, at,
			 n == 0 ? "" : "/", argv0);
		if (not_executable(path) == NULL)
			return true;
	}
	snprintf(why, why_bytes, "%s: no such program in PATH%s", argv0,
		 access(argv0, F_OK) == 0 && *argv0 != '\0'
			 ? " (a file here is ./NAME)"
			 : "");
	return false;
}
