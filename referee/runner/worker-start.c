/* referee/runner/worker-start.c - see worker-start.h. */
#include "referee/runner/worker-start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/runner/worker.h"

/* Returns true for a variable that a worker inherits: those that bots get, and
 * those of the sanitizers. */
static bool
is_kept(const char *variable)
{
	static const char *const kept[] = {
		"PATH=",   "HOME=",	    "LANG=",	      "USER=",
		"TMPDIR=", "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "LSAN_OPTIONS=",
	};

	for (size_t i = 0; i < NELEM(kept); i++)
		if (strncmp(variable, kept[i], strlen(kept[i])) == 0)
			return true;
	return false;
}

static char **
environment(void)
{
	size_t all = 0, n = 0;
	char **envp;

	while (environ[all] != NULL)
		all++;
	envp = memory(NULL, (all + 1) * sizeof(*envp));
	for (size_t i = 0; i < all; i++)
		if (is_kept(environ[i]))
			envp[n++] = environ[i];
	envp[n] = NULL;
	return envp;
}

/* Starts the process.  Returns 0 or an errno. */
static int
spawn(unsigned jobs_most, int on_core, int fd, pid_t *pid)
{
	static char self[] = "/proc/self/exe", command[] = WORKER_COMMAND;
	char jobs[16], core[16];
	char *argv[] = { self, command, jobs, core, NULL };
	char **envp = environment();
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t held;
	int error;

	snprintf(jobs, sizeof(jobs), "%u", jobs_most);
	snprintf(core, sizeof(core), "%d", on_core);
	/* Signals that come before the worker ignores them must not end it. */
	sigemptyset(&held);
	for (size_t i = 0; i < NELEM(worker_deaf); i++)
		sigaddset(&held, worker_deaf[i]);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, fd, WORKER_FD);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &held);
	/* Ctrl-C goes to the parent alone, which decides what to do. */
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
	error = posix_spawn(pid, self, &files, &attributes, argv, envp);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	free(envp);
	return error;
}

int
worker_start(unsigned jobs, int core, int *fd, pid_t *pid)
{
	int pair[2], theirs, error;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return errno;
	/* Above the descriptors that are set in the new process. */
	theirs = fcntl(pair[1], F_DUPFD_CLOEXEC, WORKER_FD + 1);
	error = theirs < 0 ? errno : spawn(jobs, core, theirs, pid);
	close(pair[1]);
	if (theirs >= 0)
		close(theirs);
	if (error != 0)
		close(pair[0]);
	else
		*fd = pair[0];
	return error;
}
