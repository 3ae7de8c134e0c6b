/* referee/import/build.c - runs a build from its start to its end.
 *
 * In a box a build works in a folder in memory.  The box's first process sends
 * a descriptor of it before any of the stranger's code runs.  So the build's
 * files are never on our disk, are limited while they are made, and vanish with
 * the last descriptor, whatever happens to us. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/base/loop.h"
#include "referee/import/make.h"
#include "referee/sandbox/program-exec.h"
#include "referee/spawner/spawner.h"

#define PART_BYTES 8192
#define BUILD_LOOK_MS 20 /* time between two counts of the files */

/* Appends bytes and keeps the last `max`; `text` has room for more. */
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

struct build {
	struct spawner *spawner;
	struct spawner_child *child; /* NULL: it has ended */
	bool started;
	const char *step; /* the step that failed */
	int error;
	struct spawner_end end;
	bool late;
	bool crowded; /* it has made too many files */
	int handed;   /* the socket that brings its folder; -1: closed */
	int home;     /* a descriptor of that folder; -1: it has not come */
	bool counted; /* the folder is in memory, so its files can be counted */
	struct text *log;
};

static void
on_started(void *arg, pid_t pid UNUSED)
{
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
on_ended(void *arg, const struct spawner_end *end)
{
	struct build *build = arg;

	build->end = *end;
	build->child = NULL;
}

static const struct spawner_calls calls = { on_started, on_failed, on_ended };

static bool
take_output(struct build *build, int fd)
{
	char bytes[PART_BYTES];
	ssize_t n = read(fd, bytes, sizeof(bytes));

	if (n > 0)
		keep_last(build->log, bytes, (size_t)n, BUILD_LOG_BYTES);
	return n > 0;
}

/* Takes the folder of its box.  Nothing else comes over the socket. */
static void
take_home(struct build *build)
{
	_Alignas(8) char control[CMSG_SPACE(sizeof(int))];
	char byte;
	struct iovec part = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *rights;
	struct statfs fs;

	if (recvmsg(build->handed, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) >
		    0 &&
	    (rights = CMSG_FIRSTHDR(&message)) != NULL &&
	    rights->cmsg_type == SCM_RIGHTS &&
	    rights->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&build->home, CMSG_DATA(rights), sizeof(int));
	if (build->home >= 0 &&
	    (fstatfs(build->home, &fs) < 0 || fs.f_type != TMPFS_MAGIC)) {
		close(build->home);
		build->home = -1;
	}
	build->counted = build->home >= 0;
	close(build->handed);
	build->handed = -1;
}

/* Returns true if there are too many files.  The folder's size limits only the
 * bytes. */
static bool
is_crowded(const struct build *build)
{
	struct statfs fs;

	return build->counted && fstatfs(build->home, &fs) == 0 &&
	       fs.f_files - fs.f_ffree >
		       BUILT_FILES + 1; /* + 1 for the folder */
}

/* Asks the build to end, once, if its time is over or it made too many files.
 * Returns true if it shall end. */
static bool
look(struct build *build, uint64_t now_us, uint64_t until_us)
{
	bool late = now_us >= until_us, crowded = is_crowded(build);

	if (!late && !crowded)
		return false;
	build->late = late;
	build->crowded = !late;
	spawner_kill(build->spawner, build->child);
	return true;
}

/* Watches a build until it has ended.  A failed wait ends its time. */
static void
watch(struct build *build, int output)
{
	uint64_t until_us = clock_us() + BUILD_MS * (uint64_t)1000, now_us;
	bool ending = false;
	struct pollfd wait[3] = {
		{ .fd = spawner_fd(build->spawner), .events = POLLIN },
		{ .fd = output, .events = POLLIN },
		{ .fd = build->handed, .events = POLLIN },
	};

	while (build->child != NULL) {
		now_us = clock_us();
		if (ending && now_us >= until_us) {
			/* We do not wait for it. */
			spawner_drop(build->spawner, build->child);
			build->child = NULL;
			break;
		}
		if (!ending && look(build, now_us, until_us)) {
			ending = true;
			until_us = now_us + BUILD_END_MS * (uint64_t)1000;
		}
		if (clock_poll(wait, 3, BUILD_LOOK_MS) < 0) {
			if (errno != EINTR)
				until_us = 0;
			continue;
		}
		if (wait[1].revents != 0 && !take_output(build, output))
			wait[1].fd = -1;
		if (wait[2].revents != 0) {
			take_home(build);
			wait[2].fd = -1;
			wait[2].revents = 0;
		}
		if (wait[0].revents != 0 &&
		    spawner_dispatch(build->spawner) < 0)
			return;
	}
	fcntl(output, F_SETFL, O_NONBLOCK);
	while (take_output(build, output))
		;
}

/* Returns true if make, cargo, go or gcc said that a process was killed or got
 * no memory. */
static bool
tells_of_memory(const struct text *log)
{
	static const char *const words[] = {
		"Killed",	    "Error 137",    "signal: killed",
		"signal: 9",	    "signal 9",	    "annot allocate memory",
		"memory exhausted", "ut of memory", "MemoryError",
		"bad_alloc",
	};

	for (size_t i = 0; log->used > 0 && i < NELEM(words); i++)
		if (memmem(log->bytes, log->used, words[i], strlen(words[i])) !=
		    NULL)
			return true;
	return false;
}

/* Sets the error: how the build failed, and if memory was the cause. */
static void
tell_failure(const struct build *build, struct error *why)
{
	const int number = WIFSIGNALED(build->end.status)
				   ? WTERMSIG(build->end.status)
				   : 0;
	char how[64];

	if (number != 0)
		snprintf(how, sizeof(how), "was ended by signal %d", number);
	else
		snprintf(how, sizeof(how), "failed with exit code %d",
			 WEXITSTATUS(build->end.status));
	if (build->end.over)
		error_set(why, ERROR_INPUT,
			  "its build %s: it ran out of memory; all of its "
			  "processes, /bot and /tmp may have %d MiB together",
			  how, BUILD_MIB);
	else if (number == SIGKILL || tells_of_memory(build->log))
		error_set(why, ERROR_INPUT,
			  "its build %s: perhaps it ran out of memory; all of "
			  "its processes, /bot and /tmp may have %d MiB "
			  "together",
			  how, BUILD_MIB);
	else
		error_set(why, ERROR_INPUT, "its build %s", how);
}

static int
judge(const struct build *build, const char *program, struct error *why)
{
	if (build->step != NULL)
		error_set(why,
			  spawner_is_machine(build->step, build->error)
				  ? ERROR_MACHINE
				  : ERROR_INPUT,
			  "cannot start its build: %s: %s: %s",
			  quoted(program).text, build->step,
			  program_exec_words(build->error));
	else if (build->end.lost)
		error_set(why, ERROR_INPUT,
			  "the process that starts builds was killed");
	else if (build->late)
		error_set(why, ERROR_INPUT,
			  "its build took longer than %d seconds",
			  BUILD_MS / 1000);
	else if (build->crowded)
		error_set(why, ERROR_INPUT,
			  "its build made more than %d files and folders",
			  BUILT_FILES);
	else if (build->end.status != 0)
		tell_failure(build, why);
	else if (build->home < 0)
		error_set(why, ERROR_INPUT, "its build left no folder");
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
	box->limits.folder_mib = BUILT_BYTES >> 20;
	if (tier > SANDBOX_NONE)
		box->folder = home;
	box->writable = true;
}

/* Returns the build's standard input, or -1 and errno.  In a box it is the
 * socket for the folder; without one the build works where the folder lies. */
static int
make_input(struct build *build, const char *home, enum sandbox_tier tier)
{
	int ends[2];

	if (tier < SANDBOX_BOX) {
		build->home = open(home, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
						 O_CLOEXEC);
		return build->home < 0
			       ? -1
			       : open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	build->handed = ends[0];
	return ends[1];
}

/* Starts the build.  Returns the descriptor of its output, or -1 and errno. */
static int
start(struct build *build, const char *home, char *const *argv,
      enum sandbox_tier tier)
{
	struct sandbox_box box;
	struct spawner_task task = { .argv = argv,
				     .folder = home,
				     .box = &box };
	int ends[2];

	fill_box(&box, home, tier);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	task.fds[0] = make_input(build, home, tier);
	task.fds[1] = task.fds[2] = ends[1];
	build->child = task.fds[0] < 0 ? NULL
				       : spawner_start(build->spawner, &task,
						       &calls, build);
	close_quietly(ends[1]);
	close_quietly(task.fds[0]);
	if (build->child != NULL)
		return ends[0];
	close_quietly(ends[0]);
	return -1;
}

int
import_run_build(const struct bot_folder *folder, struct spawner *spawner,
		 enum sandbox_tier tier, struct text *log, int *made,
		 struct error *why)
{
	struct build build = {
		.spawner = spawner, .handed = -1, .home = -1, .log = log
	};
	char *home = realpath(folder->path, NULL);
	int output, result = -1;

	if (home == NULL)
		bug("%s exists, but is not", folder->path);
	output = start(&build, home, folder->build, tier);
	if (output < 0) {
		error_set(why, ERROR_MACHINE, "cannot start its build: %m");
	} else {
		watch(&build, output);
		close(output);
		result = judge(&build, folder->build[0], why);
	}
	close_quietly(build.handed);
	free(home);
	*made = build.home;
	return result;
}
