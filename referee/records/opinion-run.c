/* referee/records/opinion-run.c - see opinion-run.h. */
#include "referee/records/opinion-run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/base/loop.h"

#define PART_BYTES 16384

const char *
opinion_program(struct error *why)
{
	/* Beside the program in a build tree, for its tests, too. */
	static const char *const places[] = { "", "/../sample-bots/strong",
					      "/../../sample-bots/strong" };
	static char path[PATH_MAX + 64];
	char here[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here) - 1);
	size_t i;

	here[n < 0 ? 0 : n] = '\0';
	slash = strrchr(here, '/');
	for (i = 0; slash != NULL && i < NELEM(places); i++) {
		*slash = '\0';
		snprintf(path, sizeof(path), "%s%s/" OPINION_PROGRAM, here,
			 places[i]);
		if (access(path, X_OK) == 0)
			return path;
	}
	snprintf(path, sizeof(path), "%s/" OPINION_PROGRAM, PKGLIBEXECDIR);
	if (access(path, X_OK) == 0)
		return path;
	error_set(why, ERROR_MACHINE,
		  "there is no program " OPINION_PROGRAM
		  "; run make install, or name one");
	return NULL;
}

/* ---- the process ------------------------------------------------------ */

/* A file in memory: no writer has to wait until it is read. */
static int
make_input(const struct text *input)
{
	int fd = memfd_create("opinion", MFD_CLOEXEC), error;

	if (fd < 0)
		return -1;
	if (file_write(fd, input->bytes, input->used) == 0 &&
	    lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* Where the kernel shares processors among sessions, priorities count only
 * within one: so this one's goes down, too. */
static void
lower(pid_t pid)
{
	char path[64], nice[8];
	int n = snprintf(nice, sizeof(nice), "%d", OPINION_NICE), fd;

	setpriority(PRIO_PROCESS, (id_t)pid, OPINION_NICE);
	snprintf(path, sizeof(path), "/proc/%d/autogroup", (int)pid);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, nice, (size_t)n) < 0)
		errno = 0; /* it is a favour to others */
	close(fd);
}

/* 0 or an errno. */
static int
spawn(const struct opinion_job *job, int in, int out, pid_t *pid)
{
	char option[] = "--playouts", *program = copied(job->program);
	char *playouts = job->playouts == NULL ? NULL : copied(job->playouts);
	char *const argv[] = { program, playouts == NULL ? NULL : option,
			       playouts, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none;
	int error;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
	error = posix_spawn(pid, program, &files, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	free(playouts);
	free(program);
	if (error == 0)
		lower(*pid);
	return error;
}

/* ---- its output ------------------------------------------------------- */

/* 1: there is something to read, or its end; 0: its time is over; -1: it is to
 * stop. */
static int
await(int fd, int stop, uint64_t until_us)
{
	struct pollfd ready[] = { { .fd = fd, .events = POLLIN },
				  { .fd = stop, .events = POLLIN } };
	uint64_t now_us;
	int n;

	do {
		now_us = clock_us();
		if (now_us >= until_us)
			return 0;
		n = poll(ready, NELEM(ready),
			 (int)((until_us - now_us) / 1000 + 1));
	} while (n == 0 || (n < 0 && errno == EINTR));
	if (ready[1].revents != 0)
		return -1;
	return n < 0 ? 0 : 1;
}

/* -1 and a sentence, by what await() has said. */
static int
give_up(const struct opinion_job *job, int waited, struct error *why)
{
	if (waited < 0)
		return error_set(why, ERROR_MACHINE, "%s was stopped",
				 job->program);
	return error_set(why, ERROR_MACHINE,
			 "%s took more than %u ms and was killed", job->program,
			 job->ms);
}

/* Until its end: 0, or -1 and a sentence. */
static int
read_output(const struct opinion_job *job, int out, uint64_t until_us,
	    struct text *output, struct error *why)
{
	char bytes[PART_BYTES];
	int waited;
	ssize_t n;

	while ((waited = await(out, job->stop, until_us)) > 0) {
		n = read(out, bytes, sizeof(bytes));
		if (n == 0)
			return 0;
		if (n < 0)
			return error_set(why, ERROR_MACHINE,
					 "cannot read what %s writes: %m",
					 job->program);
		text_add(output, bytes, (size_t)n);
		if (output->full)
			return error_set(why, ERROR_MACHINE,
					 "%s writes too much", job->program);
	}
	return give_up(job, waited, why);
}

/* Its output may end before it does: 0, or -1 and a sentence. */
static int
await_end(const struct opinion_job *job, pid_t pid, uint64_t until_us,
	  struct error *why)
{
	int ends = (int)syscall(SYS_pidfd_open, pid, 0), waited;

	if (ends < 0)
		return error_set(why, ERROR_MACHINE, "cannot wait for %s: %m",
				 job->program);
	waited = await(ends, job->stop, until_us);
	close(ends);
	return waited > 0 ? 0 : give_up(job, waited, why);
}

/* The last line of what it wrote, which tells why it gave up. */
static int
tell_end(const struct opinion_job *job, int status, struct text *output,
	 struct error *why)
{
	const char *text = text_string(output), *last = text, *at;
	char shown[256];

	if (WIFSIGNALED(status))
		return error_set(why, ERROR_MACHINE, "%s was killed: %s",
				 job->program, strsignal(WTERMSIG(status)));
	for (at = text; *at != '\0'; at++)
		if (*at == '\n' && at[1] != '\0')
			last = at + 1;
	if (*last == '\0')
		return error_set(why, ERROR_MACHINE,
				 "%s ended with status %d and wrote nothing",
				 job->program, WEXITSTATUS(status));
	text_escape(shown, sizeof(shown), last, strcspn(last, "\n"));
	return error_set(why, ERROR_MACHINE, "%s ended with status %d: `%s`",
			 job->program, WEXITSTATUS(status), shown);
}

static int
run_process(const struct opinion_job *job, int in, int out[2],
	    struct text *output, struct error *why)
{
	const uint64_t until_us = clock_us() + job->ms * UINT64_C(1000);
	int error, status = 0, result;
	pid_t pid;

	error = spawn(job, in, out[1], &pid);
	close(out[1]);
	out[1] = -1;
	if (error != 0)
		return error_set(why, ERROR_MACHINE, "cannot start %s: %s",
				 job->program, strerror(error));
	result = read_output(job, out[0], until_us, output, why);
	if (result == 0)
		result = await_end(job, pid, until_us, why);
	if (result < 0)
		kill(-pid, SIGKILL); /* and what it may have started */
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (result == 0 && status != 0)
		result = tell_end(job, status, output, why);
	return result;
}

int
opinion_run(const struct opinion_job *job, const struct text *input,
	    struct text *output, struct error *why)
{
	int in = make_input(input), out[2] = { -1, -1 }, result;

	text_init(output, OPINION_BYTES);
	if (in < 0 || pipe2(out, O_CLOEXEC) < 0)
		result = error_set(why, ERROR_MACHINE, "cannot start %s: %m",
				   job->program);
	else
		result = run_process(job, in, out, output, why);
	if (in >= 0)
		close(in);
	if (out[0] >= 0)
		close(out[0]);
	if (out[1] >= 0)
		close(out[1]);
	return result;
}
