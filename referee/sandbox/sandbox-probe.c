/* referee/sandbox/sandbox-probe.c - finds out what this machine lets us do.
 *
 * It starts a box in which the first process looks around, and makes a control
 * group. */
#include "protocol/clock.h"
#include "referee/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/sandbox/box.h"
#include "referee/sandbox/sandbox-filter.h"
#include "referee/sandbox/sandbox-group.h"
#include "referee/sandbox/sandbox-start.h"
#include "referee/sandbox/sandbox-walls.h"
#include "referee/sandbox/spawner-domain.h"

#define GUARD_LATE 126 /* exit code of a guard whose patience is over */
#define CURE_PACKAGE "install bubblewrap (apt-get install bubblewrap)"
#define CURE_SYSCTL                                                            \
	"sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an "        \
	"AppArmor "                                                            \
	"profile for bwrap that allows userns"

/* The error output of a box that could not be started. */
struct refusal {
	char text[256];
};

static bool
file_says(const char *path, char first)
{
	char text[2];

	return file_peek(text, sizeof(text), "%s", path) > 0 &&
	       text[0] == first;
}

/* Writes the reason and the cure, as far as both are known. */
static void
explain(struct refusal *refusal)
{
	char said[128];

	snprintf(said, sizeof(said), "%.*s", (int)strcspn(refusal->text, "\n"),
		 refusal->text);
	if (file_says("/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		      '1'))
		snprintf(refusal->text, sizeof(refusal->text),
			 "AppArmor refuses user namespaces (" CURE_SYSCTL ")");
	else if (file_says("/proc/sys/kernel/unprivileged_userns_clone", '0'))
		snprintf(refusal->text, sizeof(refusal->text),
			 "user namespaces are switched off (sysctl "
			 "kernel.unprivileged_userns_clone=1)");
	else if (file_says("/proc/sys/user/max_user_namespaces", '0'))
		snprintf(refusal->text, sizeof(refusal->text),
			 "user namespaces are switched off (sysctl "
			 "user.max_user_namespaces=15000)");
	else
		snprintf(refusal->text, sizeof(refusal->text),
			 "bubblewrap cannot start here (%s)",
			 *said != '\0' ? said : "it printed no error");
}

/* Runs in the fork: looks around in a box. */
static _Noreturn void
look(int complaints)
{
	static char *const envp[] = { NULL };
	const struct sandbox_box box = { .tier = SANDBOX_BOX,
					 .limits = sandbox_limits_default };
	const struct sandbox_order order = { .box = &box,
					     .folder = "/",
					     .envp = envp,
					     .fds = { -1, -1, complaints } };

	setsid();
	sandbox_enter(&order);
	dprintf(complaints, "%s", strerror(errno));
	_exit(127);
}

/* Reads to the end of the file or of our patience.  Returns the number of
 * bytes. */
static size_t
hear(int fd, char *to, size_t bytes)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	size_t used = 0;
	ssize_t n;

	while (used < bytes - 1 &&
	       clock_poll(&ready, 1, SANDBOX_LOOK_S * 1000) > 0) {
		n = RETRIED(read(fd, to + used, bytes - 1 - used));
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	to[used] = '\0';
	return used;
}

/* Waits until the process has ended, our patience is over, or the referee is
 * gone (end of file).  Returns false if our patience is over. */
static bool
watch_over(pid_t pid, int referee)
{
	struct pollfd ready[2] = { { .fd = referee, .events = POLLIN },
				   { .fd = (int)syscall(SYS_pidfd_open, pid, 0),
				     .events = POLLIN } };

	/* There is no pidfd before Linux 5.3. */
	if (ready[1].fd < 0) {
		waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT);
		return true;
	}
	return RETRIED(clock_poll(ready, 2, SANDBOX_LOOK_S * 1000)) != 0;
}

/* Runs in the fork: starts the box, and ends all its processes whatever
 * happens.  To exit would not be enough: bubblewrap is two processes, and the
 * second may wait for ever while the first dies.  Exits with the code of the
 * look. */
static _Noreturn void
guard(int complaints, int referee)
{
	pid_t pid;
	int status = 0;
	bool in_time;

	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	if (pid == 0)
		look(complaints);
	close(complaints);
	if (pid < 0)
		_exit(127);
	in_time = watch_over(pid, referee);
	/* The process leads a group by now, or never will. */
	kill(pid, SIGKILL);
	kill(-pid, SIGKILL);
	RETRIED(waitpid(pid, &status, 0));
	while (wait(NULL) > 0 || errno == EINTR)
		;
	if (!in_time)
		_exit(GUARD_LATE);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

/* Returns true if a box can be started and the look finds everything right. */
static bool
try_box(struct refusal *refusal)
{
	int ends[2], alive[2], status = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	if (pipe2(alive, O_CLOEXEC) < 0) {
		close(ends[0]);
		close(ends[1]);
		return false;
	}
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		close(alive[1]);
		guard(ends[1], alive[0]);
	}
	close(ends[1]);
	close(alive[0]);
	if (pid > 0)
		hear(ends[0], refusal->text, sizeof(refusal->text));
	close(ends[0]);
	if (pid > 0)
		RETRIED(waitpid(pid, &status, 0));
	close(alive[1]);
	if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == BOX_LOOKED)
		return true;
	if (WIFEXITED(status) && WEXITSTATUS(status) > 1 &&
	    WEXITSTATUS(status) < BOX_LOOKED)
		snprintf(refusal->text, sizeof(refusal->text),
			 "the sandbox leaks here (only %d of %d checks passed)",
			 WEXITSTATUS(status), BOX_LOOKED);
	else if (pid > 0 && WIFEXITED(status) &&
		 WEXITSTATUS(status) == GUARD_LATE)
		snprintf(refusal->text, sizeof(refusal->text),
			 "no box has started within %d seconds: the machine is "
			 "too busy, or bubblewrap hangs",
			 SANDBOX_LOOK_S);
	else
		explain(refusal);
	return false;
}

/* Returns what is missing for tier B, or NULL. */
static const char *
box_missing(struct refusal *refusal)
{
	size_t bytes;

	if (sandbox_bwrap() == NULL)
		return "bubblewrap is not installed (" CURE_PACKAGE ")";
	if (sandbox_shim() == NULL)
		return "referee-box is not installed (run make install)";
	if (sandbox_filter(true, false, &bytes) == NULL)
		return "libseccomp cannot make a filter here";
	return try_box(refusal) ? NULL : refusal->text;
}

/* Runs in a fork: exits with 0 if the walls of tier C hold. */
static _Noreturn void
try_walls(void)
{
	const struct sandbox_box box = { .tier = SANDBOX_LANDLOCK,
					 .limits = sandbox_limits_default };
	const struct sandbox_order order = { .box = &box, .folder = "/" };

	if (sandbox_wall_in(&order) < 0)
		_exit(1);
	if (open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0 ||
	    open("/usr", O_RDONLY | O_CLOEXEC) < 0 ||
	    socket(AF_INET, SOCK_STREAM, 0) >= 0)
		_exit(1);
	_exit(0);
}

/* Returns true if tier C works here. */
static bool
has_walls(void)
{
	size_t bytes;
	int status = 1;
	pid_t pid;

	/* Made here, so that all forks have it. */
	if (domain_abi() == 0 || sandbox_filter(false, false, &bytes) == NULL)
		return false;
	pid = fork();
	if (pid == 0)
		try_walls();
	return pid > 0 && RETRIED(waitpid(pid, &status, 0)) == pid &&
	       status == 0;
}

static void say(struct sandbox_probe *probe, enum sandbox_tier tier,
		const char *fmt, ...) PRINTF_LIKE(3, 4);

static void
say(struct sandbox_probe *probe, enum sandbox_tier tier, const char *fmt, ...)
{
	va_list ap;

	probe->tier = tier;
	va_start(ap, fmt);
	vsnprintf(probe->sentence, sizeof(probe->sentence), fmt, ap);
	va_end(ap);
}

static void
look_around(struct sandbox_probe *probe)
{
	struct refusal refusal = { .text = "" };
	const char *missing = box_missing(&refusal);
	struct sandbox_groups *groups;
	char why[128];

	if (missing != NULL)
		snprintf(probe->missing, sizeof(probe->missing), "%s", missing);
	if (missing != NULL && has_walls()) {
		say(probe, SANDBOX_LANDLOCK,
		    "tier C: no network, read-only access to the system's "
		    "files and the bot's own, limits for each process, total "
		    "memory watched; not hidden: the names of files and "
		    "processes; not bounded: a bot's total processor time (%s)",
		    missing);
		return;
	}
	if (missing != NULL) {
		say(probe, SANDBOX_NONE, "tier D, no sandbox: %s", missing);
		return;
	}
	groups = sandbox_groups_open(why);
	if (groups == NULL)
		snprintf(probe->missing, sizeof(probe->missing), "%s", why);
	if (groups == NULL)
		say(probe, SANDBOX_BOX,
		    "tier B: no network, no other process, read-only files, "
		    "limits for each process, total memory watched; not "
		    "bounded: a bot's total processor time (%s)",
		    why);
	else
		say(probe, SANDBOX_FULL,
		    "tier A: no network, no other process, read-only files; "
		    "bounded for each bot: memory, processes%s",
		    sandbox_groups_bound_cpu(groups) ? " and processor time"
						     : "");
	sandbox_groups_close(groups);
}

const struct sandbox_probe *
sandbox_probe(void)
{
	static struct sandbox_probe probe;

	if (probe.sentence[0] == '\0')
		look_around(&probe);
	return &probe;
}

void
sandbox_prepare(void)
{
	size_t bytes;

	/* A failure here is reported when a box is started. */
	if (sandbox_shim() == NULL ||
	    sandbox_filter(true, false, &bytes) == NULL ||
	    sandbox_filter(false, false, &bytes) == NULL)
		return;
}
