/* referee/sandbox/program-exec.c - exec, and its errors. */
#include "referee/sandbox/program-exec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHELL "/bin/sh"
#define LOOK_BYTES 256

static bool
is_text(const char *path)
{
	char bytes[LOOK_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : read(fd, bytes, sizeof(bytes));

	if (fd >= 0)
		close(fd);
	return n > 0 && memchr(bytes, '\0', (size_t)n) == NULL;
}

static void
exec_by_shell(const char *path, char *const argv[])
{
	char **words;
	size_t n = 0;

	while (argv[n] != NULL)
		n++;
	words = calloc(n + 2, sizeof(*words));
	if (words == NULL)
		return;
	words[0] = (char *)(uintptr_t)SHELL;
	words[1] = (char *)(uintptr_t)path;
	memcpy(words + 2, argv + 1,
	       n * sizeof(*words)); /* and the final NULL */
	execv(SHELL, words);
	free(words);
}

static void
exec_file(const char *path, char *const argv[])
{
	execv(path, argv);
	if (errno != ENOEXEC)
		return;
	if (is_text(path))
		exec_by_shell(path, argv);
	else
		errno = ENOEXEC;
}

void
program_exec(char *const argv[])
{
	const char *at = getenv("PATH");
	char path[PATH_MAX + NAME_MAX + 2];
	int error = ENOENT;
	size_t n;

	if (strchr(argv[0], '/') != NULL || argv[0][0] == '\0') {
		exec_file(argv[0], argv);
		return;
	}
	if (at == NULL)
		at = "/bin:/usr/bin"; /* execvp(3) does this, too */
	for (; at != NULL; at = at[n] != '\0' ? at + n + 1 : NULL) {
		n = strcspn(at, ":");
		if (snprintf(path, sizeof(path), "%.*s%s%s", (int)n, at,
			     n == 0 ? "" : "/", argv[0]) >= (int)sizeof(path))
			continue;
		exec_file(path, argv);
		if (errno == EACCES)
			error = EACCES; /* unless another error follows */
		else if (errno != ENOENT && errno != ENOTDIR)
			return;
	}
	errno = error;
}

bool
program_is_shortage(int error)
{
	return error == EAGAIN || error == ENOMEM || error == EMFILE ||
	       error == ENFILE;
}

const char *
program_exec_words(int error)
{
	static char words[128];
	const char *what = NULL;

	switch (error) {
	case ENOEXEC:
		what = "neither a program for this machine nor a script";
		break;
	case EIO:
	case ELIBBAD:
	case EISDIR:
	case EINVAL:
		what = "a damaged program, or a program with a wrong "
		       "interpreter";
		break;
	case ELOOP:
		what = "a link to itself, or a script that names itself as its "
		       "interpreter";
		break;
	default:
		break;
	}
	if (what == NULL)
		snprintf(words, sizeof(words), "%s", strerror(error));
	else
		snprintf(words, sizeof(words), "%s (%s)", what,
			 strerror(error));
	return words;
}
