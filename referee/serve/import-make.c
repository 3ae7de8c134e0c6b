/* referee/serve/import-make.c - see import-make.h. */
#include "referee/serve/import-make.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/text.h"
#include "referee/command.h"
#include "referee/serve/import-files.h"
#include "referee/table/loop.h"
#include "referee/child/nursery.h"
#include "referee/child/program-exec.h"

#define PART_BYTES 8192

/* ---- logs ------------------------------------------------------------- */

static int
write_log(const struct incoming *incoming, const char *name,
	  const struct text *text, char *why)
{
	int fd = openat(incoming->fd, name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
	size_t at = 0;
	ssize_t n = 0;

	while (fd >= 0 && at < text->used && n >= 0) {
		n = write(fd, text->bytes + at, text->used - at);
		at += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0 && close(fd) == 0 && n >= 0)
		return 0;
	snprintf(why, IMPORT_WHY_BYTES, "cannot write %s/%s: %s",
		 incoming->path, name, strerror(errno));
	return -1;
}

/* Keeps the last `max` bytes; `text` has room for more than that. */
static void
keep_last(struct text *text, const char *bytes, size_t n, size_t max)
{
	size_t drop;

	if (text->used + n > max) {
		drop = text->used + n - max;
		if (drop > text->used)
			drop = text->used;
		memmove(text->bytes, text->bytes + drop, text->used - drop);
		text->used -= drop;
	}
	text_add(text, bytes, n);
}

/* ---- the build -------------------------------------------------------- */

struct build {
	struct nursery *nursery;
	struct nursery_child *child; /* NULL: it has ended */
	bool started;
	const char *step; /* that failed */
	int error, status;
	bool late, lost;
	struct text log;
};

static void
on_started(void *arg, pid_t pid)
{
	(void)pid;
	((struct build *)arg)->started = true;
}

static void
on_failed(void *arg, const char *step, int error)
{
	struct build *build = arg;

	build->step = step;
	build->error = error;
	build->child = NULL;
}

static void
on_ended(void *arg, const struct nursery_end *end)
{
	struct build *build = arg;

	build->status = end->status;
	build->lost = end->lost;
	build->child = NULL;
}

static const struct nursery_calls calls = { on_started, on_failed, on_ended };

static bool
take_output(struct build *build, int fd)
{
	char bytes[PART_BYTES];
	ssize_t n = read(fd, bytes, sizeof(bytes));

	if (n > 0)
		keep_last(&build->log, bytes, (size_t)n, BUILD_LOG_BYTES);
	return n > 0;
}

/* Its time is over; or, the second time, that of its end. */
static void
call_off(struct build *build)
{
	if (build->late)
		nursery_drop(build->nursery, build->child);
	else
		nursery_kill(build->nursery, build->child);
	if (build->late)
		build->child = NULL;
	build->late = true;
}

/* Until it has ended, whose fault that may be.  A wait that fails is the end of
 * its time. */
static void
watch(struct build *build, int output)
{
	uint64_t until_us = clock_us() + BUILD_MS * (uint64_t)1000, now_us;
	struct pollfd wait[2] = {
		{ .fd = nursery_fd(build->nursery), .events = POLLIN },
		{ .fd = output, .events = POLLIN },
	};

	while (build->child != NULL) {
		now_us = clock_us();
		if (now_us >= until_us) {
			call_off(build);
			until_us = now_us + BUILD_END_MS * (uint64_t)1000;
			continue;
		}
		if (poll(wait, 2, (int)((until_us - now_us) / 1000 + 1)) < 0) {
			if (errno != EINTR)
				until_us = 0;
			continue;
		}
		if (wait[1].revents != 0 && !take_output(build, output))
			wait[1].fd = -1;
		if (wait[0].revents != 0 &&
		    nursery_dispatch(build->nursery) < 0)
			return;
	}
	fcntl(output, F_SETFL, O_NONBLOCK);
	while (take_output(build, output))
		;
}

static int
judge(const struct build *build, const char *program, char *why)
{
	if (build->step != NULL)
		snprintf(why, IMPORT_WHY_BYTES,
			 "its build cannot be started: %s: %s: %s",
			 quoted(program).text, build->step,
			 program_exec_words(build->error));
	else if (build->lost)
		snprintf(why, IMPORT_WHY_BYTES,
			 "the process that starts builds was killed");
	else if (build->late)
		snprintf(why, IMPORT_WHY_BYTES,
			 "its build took longer than %d seconds",
			 BUILD_MS / 1000);
	else if (WIFSIGNALED(build->status))
		snprintf(why, IMPORT_WHY_BYTES,
			 "its build was ended by signal %d",
			 WTERMSIG(build->status));
	else if (WEXITSTATUS(build->status) != 0)
		snprintf(why, IMPORT_WHY_BYTES,
			 "its build has failed with exit code %d",
			 WEXITSTATUS(build->status));
	else
		return 0;
	return -1;
}

static void
fill_box(struct sandbox_box *box, const char *home, enum sandbox_tier tier)
{
	memset(box, 0, sizeof(*box));
	box->tier = tier;
	box->limits = sandbox_limits_default;
	box->limits.memory_mib = BUILD_MIB;
	box->limits.tmp_mib = BUILD_TMP_MIB;
	box->limits.file_mib = BUILD_FILE_MIB;
	box->limits.processes = BUILD_PROCESSES;
	if (tier > SANDBOX_NONE)
		box->folder = home;
	box->writable = true;
}

static int
start(struct build *build, const char *home, char *const *argv,
      enum sandbox_tier tier)
{
	struct sandbox_box box;
	struct nursery_job job = { .argv = argv, .folder = home, .box = &box };
	int ends[2], error;

	fill_box(&box, home, tier);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	job.fds[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	job.fds[1] = job.fds[2] = ends[1];
	build->child = job.fds[0] < 0 ? NULL
				      : nursery_start(build->nursery, &job,
						      &calls, build);
	error = errno;
	close(ends[1]);
	if (job.fds[0] >= 0)
		close(job.fds[0]);
	if (build->child == NULL) {
		close(ends[0]);
		errno = error;
		return -1;
	}
	return ends[0];
}

int
import_build(const struct incoming *incoming, const struct bot_folder *folder,
	     struct nursery *nursery, enum sandbox_tier tier,
	     char why[IMPORT_WHY_BYTES])
{
	struct build build = { .nursery = nursery };
	char ignored[IMPORT_WHY_BYTES];
	char *home;
	int output, result;

	if (folder->build == NULL)
		return 0;
	home = realpath(folder->path, NULL);
	if (home == NULL)
		bug("%s is there, and is not", folder->path);
	text_init(&build.log, BUILD_LOG_BYTES + PART_BYTES);
	output = start(&build, home, folder->build, tier);
	if (output < 0) {
		snprintf(why, IMPORT_WHY_BYTES, "cannot start its build: %s",
			 strerror(errno));
		result = -1;
	} else {
		watch(&build, output);
		close(output);
		result = judge(&build, folder->build[0], why);
		if (result == 0)
			result = import_built(home, why);
		if (write_log(incoming, "build", &build.log,
			      result == 0 ? why : ignored) < 0)
			result = -1;
	}
	text_release(&build.log);
	free(home);
	return result;
}

/* ---- the check -------------------------------------------------------- */

/* This program again, which ends when we do. */
static void
become_check(const char *bot, const char *want, int output, pid_t parent)
{
	char *const argv[] = { (char *)(uintptr_t) "referee",
			       (char *)(uintptr_t) "check",
			       (char *)(uintptr_t) "--quick",
			       (char *)(uintptr_t) "--sandbox",
			       (char *)(uintptr_t)want,
			       (char *)(uintptr_t)bot,
			       NULL };

	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent)
		execv("/proc/self/exe", argv);
	_exit(EXIT_MACHINE);
}

/* Its output comes at the descriptor. */
static int
spawn_check(const char *bot, const char *want, pid_t *pid)
{
	const pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	*pid = fork();
	if (*pid == 0)
		become_check(bot, want, ends[1], parent);
	close(ends[1]);
	if (*pid > 0)
		return ends[0];
	close(ends[0]);
	return -1;
}

/* Whether there is something to read before its time is over. */
static bool
await_check(int output, uint64_t until_us)
{
	struct pollfd ready = { .fd = output, .events = POLLIN };
	uint64_t now_us;
	int result;

	do {
		now_us = clock_us();
		if (now_us >= until_us)
			return false;
		result = poll(&ready, 1, (int)((until_us - now_us) / 1000 + 1));
	} while (result == 0 || (result < 0 && errno == EINTR));
	return result > 0;
}

static int
read_check(int output, pid_t pid, struct text *report)
{
	const uint64_t until_us = clock_us() + CHECK_MS * (uint64_t)1000;
	char bytes[PART_BYTES];
	int status = 0;
	ssize_t n = -1;

	while (await_check(output, until_us) &&
	       (n = read(output, bytes, sizeof(bytes))) > 0)
		if (report->used + (size_t)n <= CHECK_LOG_BYTES)
			text_add(report, bytes, (size_t)n);
	/* With all that it has started: its output has not ended. */
	if (n != 0)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_MACHINE;
}

int
import_check(const struct incoming *incoming, enum sandbox_want want,
	     char why[IMPORT_WHY_BYTES])
{
	char bot[IMPORT_PATH_BYTES + 8];
	struct text report;
	pid_t pid;
	int output, code;

	snprintf(bot, sizeof(bot), "%s/bot", incoming->path);
	output = spawn_check(bot, sandbox_wants[want], &pid);
	if (output < 0) {
		snprintf(why, IMPORT_WHY_BYTES, "cannot start its check: %s",
			 strerror(errno));
		return EXIT_MACHINE;
	}
	text_init(&report, CHECK_LOG_BYTES + PART_BYTES);
	code = read_check(output, pid, &report);
	close(output);
	if (code == EXIT_NEGATIVE)
		snprintf(why, IMPORT_WHY_BYTES,
			 "`referee check` has found something wrong with it");
	else if (code != EXIT_DONE)
		snprintf(why, IMPORT_WHY_BYTES, "it cannot be checked");
	if (write_log(incoming, "check", &report, why) < 0)
		code = EXIT_MACHINE;
	text_release(&report);
	return code;
}
