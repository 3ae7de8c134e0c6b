/* referee/spawner/spawner-order.c - starts a bot: its environment, its walls, its
 * exec. */
#include "referee/spawner/spawner-order.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "referee/sandbox/program-exec.h"
#include "referee/sandbox/sandbox-others.h"
#include "referee/sandbox/sandbox-start.h"
#include "referee/sandbox/spawner-domain.h"

/* A program that exists everywhere, needs nothing and prints nothing. */
#define REFERENCE "/bin/true"

/* ---- the spawner -------------------------------------------------------- */

static int
settle_domain(struct spawner_home *home)
{
	int abi = domain_abi();

	home->domain = -1;
	if (abi == 0)
		return 0;
	home->domain = domain_open(abi);
	return home->domain < 0 ? -1 : 0;
}

int
spawner_home_settle(struct spawner_home *home)
{
	home->pid = getpid();
	if (getcwd(home->here, sizeof(home->here)) == NULL)
		home->here[0] = '\0';
	subprocess_environment(home->kept);
	return settle_domain(home);
}

/* ---- the request ------------------------------------------------------- */

static bool
names_same(const char *variable, const char *other)
{
	size_t n = strcspn(variable, "=");

	return strncmp(variable, other, n) == 0 && other[n] == '=';
}

/* In a box the paths of the referee's folders mean nothing. */
static const char *const boxed_environment[] = {
	("PATH=" SANDBOX_PATH), "HOME=/tmp", "LANG=C.UTF-8", "USER=bot",
	"TMPDIR=/tmp",		NULL,
};

static void
add_kept(const struct spawner_home *home, bool boxed, char **envp,
	 size_t extras)
{
	size_t count = extras;
	const char *const *has =
		boxed ? boxed_environment : (const char *const *)home->kept;

	for (; *has != NULL; has++) {
		bool replaced = false;

		for (size_t j = 0; j < extras && !replaced; j++)
			replaced = names_same(*has, envp[j]);
		/* An envp needs strings that are not const. */
		if (!replaced)
			envp[count++] = (char *)(uintptr_t)*has;
	}
}

static char *
string_take(char **at)
{
	char *string = *at;

	*at += strlen(string) + 1;
	return string;
}

/* Reads the part of a request that describes a box. */
static void
box_read(const struct spawner_request *request, char *at,
	 struct spawner_order *order)
{
	char *folder = string_take(&at);

	order->see = zeroed((size_t)request->sees + 1, sizeof(char *));
	order->hide = zeroed((size_t)request->hides + 1, sizeof(char *));
	for (uint32_t i = 0; i < request->sees; i++)
		order->see[i] = string_take(&at);
	for (uint32_t i = 0; i < request->hides; i++)
		order->hide[i] = string_take(&at);
	order->box = request->box;
	order->box.folder = *folder == '\0' ? NULL : folder;
	order->box.see = order->see;
	order->box.hide = order->hide;
}

void
spawner_order_read(const struct spawner_home *home,
		   struct spawner_request *request, struct spawner_order *order)
{
	char *at = request->strings, *folder = string_take(&at);

	order->folder = *folder == '\0' ? NULL : folder;
	order->argv = zeroed((size_t)request->args + 1, sizeof(char *));
	order->envp =
		zeroed(request->extras + NELEM(home->kept) + 1, sizeof(char *));
	for (uint32_t i = 0; i < request->args; i++)
		order->argv[i] = string_take(&at);
	for (uint32_t i = 0; i < request->extras; i++)
		order->envp[i] = string_take(&at);
	add_kept(home, request->box.tier > SANDBOX_NONE, order->envp,
		 request->extras);
	box_read(request, at, order);
}

void
spawner_order_release(struct spawner_order *order)
{
	free(order->argv);
	free(order->envp);
	free(order->see);
	free(order->hide);
}

/* ---- the fork ------------------------------------------------------------ */

static _Noreturn void
give_up(int report, enum spawner_step step)
{
	struct spawner_report said = { .step = step, .error = errno };

	if (write(report, &said, sizeof(said)) != sizeof(said))
		_exit(126);
	_exit(127);
}

/* Returns true if another program starts here, though the bot's has not. */
static bool
starts_any(void)
{
	static char *const argv[] = { (char *)(uintptr_t)REFERENCE, NULL };
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		execv(REFERENCE, argv);
		_exit(errno == ENOENT ? 0 : 126); /* nothing is known */
	}
	return pid > 0 && RETRIED(waitpid(pid, &status, 0)) == pid &&
	       status == 0;
}

/* Reports a failed exec.  It is the bot's fault if other programs start, unless
 * the machine is short of something. */
static _Noreturn void
give_up_exec(int report)
{
	int error = errno;
	bool starts = program_is_shortage(error) || starts_any();

	errno = error;
	give_up(report, starts ? STEP_EXEC : STEP_EXEC_ANY);
}

/* Calls the kernel directly: the C library refuses two signals that it uses
 * itself, though our parent may have ignored them. */
void
spawner_forget_signals(void)
{
	static const unsigned long plain[16]; /* the kernel's struct; SIG_DFL is
					       * 0 */
	sigset_t none;

	/* The signals that cannot be changed refuse; they are at their default
	 * anyway. */
	for (int i = 1; i < NSIG; i++)
		syscall(SYS_rt_sigaction, i, plain, NULL, (NSIG - 1) / 8);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The fork starts a session of its own and will die with the spawner. */
static void
leave_home(const struct spawner_home *home, int report)
{
	if (setsid() < 0)
		give_up(report, STEP_SETSID);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		give_up(report, STEP_PRCTL);
	if (getppid() != home->pid)
		_exit(127); /* the parent is gone already */
}

/* Returns the order of a sandbox for this start. */
static struct sandbox_order
box_order(const struct spawner_home *home, const struct spawner_order *order)
{
	return (struct sandbox_order){
		.box = &order->box,
		.folder = order->folder != NULL ? order->folder
			  : *home->here != '\0' ? home->here
						: NULL,
		.argv = order->argv,
		.envp = order->envp,
		.fds = { order->fds[0], order->fds[1], order->fds[2] },
	};
}

/* Runs in the fork.  The first process of the box sets the limits inside the
 * box. */
static _Noreturn void
become_boxed(const struct spawner_home *home, const struct spawner_order *order,
	     const struct boxes *boxes, const struct boxed *boxed, int report)
{
	struct sandbox_order box = box_order(home, order);

	leave_home(home, report);
	spawner_forget_signals();
	boxed_enter(boxes, boxed, &box);
	give_up(report, STEP_BOX);
}

/* Runs in the fork: sets the restrictions that every bot has. */
static void
wall_in(const struct spawner_home *home, const struct spawner_order *order,
	int report)
{
	if (setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }) < 0)
		give_up(report, STEP_SETRLIMIT);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		give_up(report, STEP_PRCTL);
	if (home->domain >= 0 && domain_enter(home->domain) < 0)
		give_up(report, STEP_LANDLOCK);
	if (sandbox_leave_others() < 0)
		give_up(report, STEP_SECCOMP);
	if (order->folder != NULL && chdir(order->folder) < 0)
		give_up(report, STEP_CHDIR);
}

/* Runs in the fork.  The order of the steps matters. */
static _Noreturn void
become_bot(const struct spawner_home *home, const struct spawner_order *order,
	   const struct boxed *boxed, int report)
{
	struct sandbox_order box = box_order(home, order);

	leave_home(home, report);
	if (boxed == NULL)
		wall_in(home, order, report);
	else if (boxed_wall_in(boxed, &box) < 0)
		give_up(report, STEP_BOX);
	for (int i = 0; i < 3; i++)
		if (dup2(order->fds[i], i) < 0)
			give_up(report, STEP_DUP);
	if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) < 0)
		give_up(report, STEP_CLOSE);
	spawner_forget_signals();
	environ = order->envp; /* execvp() takes the PATH from there */
	program_exec(order->argv);
	give_up_exec(report);
}

void
spawner_become(const struct spawner_home *home,
	       const struct spawner_order *order, const struct boxes *boxes,
	       const struct boxed *boxed, int report)
{
	if (boxed != NULL && boxed->report >= 0)
		become_boxed(home, order, boxes, boxed, report);
	become_bot(home, order, boxed, report);
}

bool
spawner_has_become(int report, struct spawner_report *said)
{
	struct pollfd ready = { .fd = report, .events = POLLIN };
	ssize_t n;

	n = RETRIED(clock_poll(&ready, 1, SPAWNER_EXEC_MS));
	if (n <= 0) {
		*said = (struct spawner_report){ .step = STEP_EXEC_SOON,
						 .error = n < 0 ? errno
								: ETIMEDOUT };
		return false;
	}
	n = RETRIED(read(report, said, sizeof(*said)));
	return n != sizeof(*said);
}
