/* tests/unit/test-spawner.c - bots start, end, and leave nothing. */
#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/sandbox/sandbox-start.h"
#include "referee/sandbox/spawner-domain.h"
#include "referee/spawner/spawner-order.h"
#include "referee/spawner/spawner.h"
#include "tests/unit/rounds.h"

#define PATIENCE_MS 600000 /* only a test that hangs waits so long */

/* An argv wants strings that are not const. */
#define WORD(word) ((char[]){ word })
#define PROGRAM(name) ((char *[]){ WORD(name), NULL })
#define SHELL(script) ((char *[]){ WORD("sh"), WORD("-c"), script, NULL })

/* Holds what the callbacks said about one child. */
struct kid {
	struct spawner_child *child;
	unsigned starts, fails, ends;
	pid_t pid;
	const char *step;
	int error;
	struct spawner_end end;
};

static struct spawner *spawner;

static void
begin(void)
{
	spawner = spawner_new();
	cr_assert_not_null(spawner, "%s", strerror(errno));
}

static void
end(void)
{
	spawner_free(spawner);
	spawner = NULL;
}

TestSuite(spawner, .init = begin, .fini = end);
/* Tests that begin none, or later. */
TestSuite(spawner_alone, .fini = end);

static void
on_started(void *arg, pid_t pid)
{
	struct kid *kid = arg;

	kid->starts++;
	kid->pid = pid;
}

static void
on_failed(void *arg, const char *step, int error)
{
	struct kid *kid = arg;

	kid->fails++;
	kid->step = step;
	kid->error = error;
}

static void
on_ended(void *arg, const struct spawner_end *end)
{
	struct kid *kid = arg;

	kid->ends++;
	kid->end = *end;
}

static const struct spawner_calls calls = { .started = on_started,
					    .failed = on_failed,
					    .ended = on_ended };

/* Dispatches until `*count` is at least `wanted`. */
static void
pump(const unsigned *count, unsigned wanted)
{
	struct pollfd ready = { .fd = spawner_fd(spawner), .events = POLLIN };

	while (*count < wanted) {
		cr_assert_eq(poll(&ready, 1, PATIENCE_MS), 1);
		cr_assert_eq(spawner_dispatch(spawner), 0);
	}
}

static void
pump_end(struct kid *kid)
{
	pump(&kid->ends, 1);
	cr_assert_eq(kid->starts, 1u);
	cr_assert_eq(kid->fails, 0u);
	cr_assert_not(kid->end.lost);
}

static void
start_task(const struct spawner_task *task, struct kid *kid)
{
	*kid = (struct kid){ .pid = 0 };
	kid->child = spawner_start(spawner, task, &calls, kid);
	cr_assert_not_null(kid->child, "%s", strerror(errno));
}

/* Starts it with its standard input from `in`, which is closed here, and its standard
 * output in a pipe; returns the reading end. */
static int
start_piped(struct spawner_task *task, int in, struct kid *kid)
{
	int out[2];

	cr_assert_geq(in, 0);
	cr_assert_eq(pipe2(out, O_CLOEXEC), 0);
	memcpy(task->fds, (int[]){ in, out[1], 2 }, sizeof(task->fds));
	start_task(task, kid);
	close(in);
	close(out[1]);
	return out[0];
}

static int
open_null(void)
{
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

/* Starts argv without input. */
static int
start(char *const *argv, struct kid *kid)
{
	struct spawner_task task = { .argv = argv };

	return start_piped(&task, open_null(), kid);
}

static int
start_sh(const char *script, struct kid *kid)
{
	char *copy = strdup(script);
	int out;

	cr_assert_not_null(copy);
	out = start(SHELL(copy), kid);
	free(copy);
	return out;
}

/* Reads all that comes from `fd` up to its end, which is closed. */
static void
read_all(int fd, char *to, size_t size)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	size_t used = 0;
	ssize_t n = 1;

	while (n > 0) {
		cr_assert_eq(poll(&ready, 1, PATIENCE_MS), 1);
		n = read(fd, to + used, size - 1 - used);
		cr_assert_geq(n, 0);
		used += (size_t)n;
		cr_assert_lt(used, size - 1);
	}
	to[used] = '\0';
	close(fd);
}

/* Reads a line that is one number; `fd` stays open. */
static pid_t
read_pid(int fd)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	char line[16] = "";
	size_t used = 0;

	while (used < sizeof(line) - 1 && strchr(line, '\n') == NULL) {
		cr_assert_eq(poll(&ready, 1, PATIENCE_MS), 1);
		cr_assert_eq(read(fd, line + used, 1), 1);
		used++;
	}
	return (pid_t)strtol(line, NULL, 10);
}

/* Returns true if the process lives.  Zombies do not count: they may be waiting for a
 * slow init. */
static bool
is_alive(pid_t pid)
{
	char path[64], state = 'X';
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	stat = fopen(path, "re");
	if (stat == NULL)
		return false;
	if (fscanf(stat, "%*d %*s %c", &state) != 1)
		state = 'X';
	fclose(stat);
	return state != 'Z' && state != 'X';
}

static bool
goes_away(pid_t pid)
{
	struct pollfd end = { .fd = (int)syscall(SYS_pidfd_open, pid, 0),
			      .events = POLLIN };
	bool gone =
		end.fd < 0 ? errno == ESRCH : poll(&end, 1, PATIENCE_MS) == 1;

	close(end.fd);
	return gone;
}

static pid_t
spawner_pid(void)
{
	struct kid kid;
	int out = start_sh("echo $PPID", &kid);
	pid_t pid = read_pid(out);

	close(out);
	pump_end(&kid);
	return pid;
}

Test(spawner, bot_talks_over_its_three_descriptors)
{
	struct kid kid;
	int in[2], out[2], err[2];
	struct spawner_task task = { .argv = SHELL(
					     WORD("cat; echo broken >&2")) };
	char text[64];

	cr_assert_eq(pipe2(in, O_CLOEXEC), 0);
	cr_assert_eq(pipe2(out, O_CLOEXEC), 0);
	cr_assert_eq(pipe2(err, O_CLOEXEC), 0);
	memcpy(task.fds, (int[]){ in[0], out[1], err[1] }, sizeof(task.fds));
	start_task(&task, &kid);
	close(in[0]);
	close(out[1]);
	close(err[1]);
	pump(&kid.starts, 1);
	cr_expect_gt(kid.pid, 0);
	cr_assert_eq(write(in[1], "ask 1\n", 6), 6);
	close(in[1]);
	read_all(out[0], text, sizeof(text));
	cr_expect_str_eq(text, "ask 1\n");
	read_all(err[0], text, sizeof(text));
	cr_expect_str_eq(text, "broken\n");
	pump_end(&kid);
	cr_expect_eq(kid.end.status, 0);
}

Test(spawner, why_a_bot_did_not_start)
{
	static const struct {
		char argv0[32];
		const char *folder, *step;
		int error;
	} cases[] = {
		{ "/nowhere/bot", NULL, "exec", ENOENT },
		{ "no-such-bot-in-path", NULL, "exec", ENOENT },
		{ "/etc/passwd", NULL, "exec", EACCES },
		{ "cat", "/nowhere", "chdir", ENOENT },
		{ "cat", "/etc/passwd", "chdir", ENOTDIR },
	};
	struct kid kid;

	for (size_t i = 0; i < NELEM(cases); i++) {
		char argv0[32];
		struct spawner_task task = {
			.argv = (char *[]){ argv0, NULL },
			.folder = cases[i].folder,
			.fds = { 0, 1, 2 },
		};

		memcpy(argv0, cases[i].argv0, sizeof(argv0));
		start_task(&task, &kid);
		pump(&kid.fails, 1);
		cr_expect_str_eq(kid.step, cases[i].step, "case %zu", i);
		cr_expect_eq(kid.error, cases[i].error, "case %zu", i);
		cr_expect_eq(kid.starts + kid.ends, 0u, "case %zu", i);
	}
}

Test(spawner, how_a_bot_ended)
{
	static const struct {
		const char *script;
		int exit, signal;
	} cases[] = {
		{ "exit 0", 0, 0 },
		{ "exit 7", 7, 0 },
		{ "exit 139", 139, 0 },
		{ "kill -KILL $$", 0, SIGKILL },
		{ "kill -SEGV $$", 0, SIGSEGV },
		{ "kill -TERM $$", 0, SIGTERM },
	};
	struct kid kid;

	for (size_t i = 0; i < NELEM(cases); i++) {
		close(start_sh(cases[i].script, &kid));
		pump_end(&kid);
		if (cases[i].signal != 0) {
			cr_expect(WIFSIGNALED(kid.end.status), "case %zu", i);
			cr_expect_eq(WTERMSIG(kid.end.status), cases[i].signal,
				     "case %zu", i);
			cr_expect_not(WCOREDUMP(kid.end.status), "case %zu", i);
		} else {
			cr_expect(WIFEXITED(kid.end.status), "case %zu", i);
			cr_expect_eq(WEXITSTATUS(kid.end.status), cases[i].exit,
				     "case %zu", i);
		}
	}
}

Test(spawner, what_a_bot_used)
{
	struct kid idle, big, busy;
	char *dd[] = { WORD("dd"),
		       WORD("if=/dev/zero"),
		       WORD("of=/dev/null"),
		       WORD("bs=96M"),
		       WORD("count=1"),
		       WORD("status=none"),
		       NULL };

	close(start_sh("exit 0", &idle));
	close(start(dd, &big));
	close(start_sh("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done",
		       &busy));
	pump_end(&idle);
	pump_end(&big);
	pump_end(&busy);
	cr_expect_lt(idle.end.peak_kib, 96u * 1024);
	cr_expect_geq(big.end.peak_kib, 96u * 1024);
	cr_expect_lt(big.end.peak_kib, 512u * 1024);
	cr_expect_gt(busy.end.cpu_us, idle.end.cpu_us);
	cr_expect_gt(busy.end.cpu_us, 5000u);
	cr_expect_lt(busy.end.cpu_us, 60u * 1000 * 1000);
}

Test(spawner, killed_before_it_has_started)
{
	struct kid kid;
	int out = start_sh("sleep 1000", &kid);

	spawner_kill(spawner, kid.child);
	pump_end(&kid);
	cr_expect_eq(WTERMSIG(kid.end.status), SIGKILL);
	close(out);
}

/* Ways of a bot to leave a process behind.  Each prints its pid while all its
 * parents still live: an orphan may be killed before it can print. */
#define NESTED "setsid sh -c \"sleep 1000 & echo \\$!; wait\" & wait"
static const char *const daemons[] = {
	/* an orphan in the bot's session */
	"(sleep 1000 & echo $!)",
	/* a session of its own, but still the bot's child */
	"setsid sh -c 'echo $$; exec sleep 1000' &",
	/* a daemon by the book: fork, setsid, fork */
	"setsid sh -c '(sleep 1000 & echo $!)'",
	/* sessions within sessions, deaf to all that can be refused */
	"trap '' TERM HUP INT; setsid sh -c '" NESTED "' &",
};

/* Ends the bot, by the end of its input or by the spawner, and expects the process
 * that it left to end with it. */
static void
expect_gone(size_t i, bool kills)
{
	char script[512];
	struct spawner_task task = { .argv = SHELL(script) };
	struct kid kid;
	int in[2], out;
	pid_t daemon;
	bool lived;

	snprintf(script, sizeof(script), "%s\nread line", daemons[i]);
	cr_assert_eq(pipe2(in, O_CLOEXEC), 0);
	out = start_piped(&task, in[0], &kid);
	daemon = read_pid(out);
	lived = is_alive(daemon);
	if (kills)
		spawner_kill(spawner, kid.child);
	else
		close(in[1]);
	pump_end(&kid);
	cr_expect(goes_away(daemon), "case %zu", i);
	/* While the bot lived, when it ended, or with its group. */
	cr_expect(kid.end.left + kid.end.strayed > 0 || (kills && lived),
		  "case %zu", i);
	if (kills)
		close(in[1]);
	close(out);
}

Test(spawner, daemons_end_with_the_bot_that_leaves_or_is_killed)
{
	for (size_t i = 0; i < NELEM(daemons); i++) {
		expect_gone(i, false);
		expect_gone(i, true);
	}
}

Test(spawner, who_leaves_nothing_behind)
{
	static const struct {
		const char *script;
		bool leaves;
	} cases[] = {
		{ "true", false },
		{ "true; true", false },
		{ "true & wait", false },
		{ "sh -c 'sh -c true; true'", false },
		{ "sleep 1000 & exit 3", true },
		{ "sh -c 'sleep 1000 & sleep 1000 & exit 0'", true },
	};
	struct kid kid;

	for (size_t i = 0; i < NELEM(cases); i++) {
		close(start_sh(cases[i].script, &kid));
		pump_end(&kid);
		cr_expect_eq(kid.end.left > 0, cases[i].leaves, "%s: %u",
			     cases[i].script, kid.end.left);
		cr_expect_eq(kid.end.strayed, 0u, "%s", cases[i].script);
	}
}

Test(spawner, orphan_of_a_living_bot_lives)
{
	struct kid living, other, later;
	int out = start_sh("(sleep 1000 & echo $!); sleep 1000; :", &living);
	pid_t orphan = read_pid(out);

	close(start_sh("exit 0", &other));
	pump_end(&other);
	/* The spawner has looked for strays once it answers again. */
	close(start_sh("exit 0", &later));
	pump_end(&later);
	cr_expect(is_alive(orphan));
	cr_expect_eq(living.ends, 0u);
	spawner_kill(spawner, living.child);
	pump_end(&living);
	cr_expect(goes_away(orphan));
	close(out);
}

/* Returns how many pids are in the kernel's list of a process's children, zombies
 * included. */
static unsigned
children_of(pid_t pid)
{
	char path[64];
	unsigned count = 0;
	FILE *list;
	int child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid,
		 (int)pid);
	list = fopen(path, "re");
	cr_assert_not_null(list);
	while (fscanf(list, "%d", &child) == 1)
		count++;
	fclose(list);
	return count;
}

Test(spawner, no_zombies)
{
	pid_t pid = spawner_pid();
	struct spawner_task bad = { .argv = PROGRAM("/nowhere"),
				    .fds = { 0, 1, 2 } };
	struct kid kid;

	for (int i = 0; i < 20; i++) {
		close(start_sh(daemons[0], &kid));
		pump_end(&kid);
		start_task(&bad, &kid);
		pump(&kid.fails, 1);
	}
	while (children_of(pid) != 0)
		poll(NULL, 0, 2); /* luck: between two looks */
}

Test(spawner, a_dead_spawner_is_noticed)
{
	pid_t pid = spawner_pid();
	struct kid kid, late;
	int out = start((char *[]){ WORD("sleep"), WORD("1000"), NULL }, &kid);
	struct pollfd ready = { .fd = spawner_fd(spawner), .events = POLLIN };
	struct spawner_task task = { .argv = SHELL(WORD("exit 0")),
				     .fds = { 0, 1, 2 } };

	pump(&kid.starts, 1);
	cr_assert_eq(kill(pid, SIGSTOP), 0);
	start_task(&task, &late);
	cr_assert_eq(kill(pid, SIGKILL), 0);
	cr_assert_eq(poll(&ready, 1, PATIENCE_MS), 1);
	spawner_kill(spawner, kid.child);
	cr_expect_eq(spawner_dispatch(spawner), -1);
	cr_expect_eq(kid.ends, 1u);
	cr_expect(kid.end.lost);
	cr_expect_eq(WTERMSIG(kid.end.status), SIGKILL);
	cr_expect_eq(late.fails, 1u);
	cr_expect_eq(late.error, EPIPE);
	cr_expect(goes_away(kid.pid));
	cr_expect_null(spawner_start(spawner, &task, &calls, &late));
	cr_expect_eq(errno, EPIPE);
	cr_expect_eq(spawner_dispatch(spawner), -1);
	cr_expect_eq(kid.ends, 1u);
	close(out);
}

Test(spawner, deaf_to_the_terminal)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	pid_t pid = spawner_pid();

	cr_expect_neq(getsid(pid), getsid(0));
	for (size_t i = 0; i < NELEM(signals); i++)
		cr_assert_eq(kill(pid, signals[i]), 0);
	cr_expect_eq(spawner_pid(), pid);
	end();
	cr_expect_not(is_alive(pid));
}

Test(spawner, a_dropped_bot_is_silent_and_dead)
{
	struct kid early, running;
	int out = start_sh("echo $$; sleep 1000; :", &running);
	pid_t pid = read_pid(out);

	spawner_drop(spawner, running.child);
	close(start_sh("sleep 1000; :", &early));
	spawner_drop(spawner, early.child);
	cr_expect(goes_away(pid));
	spawner_pid();
	cr_expect_eq(running.ends + running.fails, 0u);
	cr_expect_eq(early.starts + early.ends + early.fails, 0u);
	close(out);
}

static unsigned many_started, many_ended;

static void
on_many_started(void *arg, pid_t pid)
{
	struct kid *kid = arg;

	kid->pid = pid;
	many_started++;
}

static void
on_many_ended(void *arg, const struct spawner_end *end)
{
	on_ended(arg, end);
	many_ended++;
}

Test(spawner, many_at_a_time)
{
	static const struct spawner_calls many = { .started = on_many_started,
						   .ended = on_many_ended };
	const unsigned number = (unsigned)check_rounds(150, 500);
	struct kid *kid = calloc(number, sizeof(*kid));
	int in[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct spawner_task task = { .argv = PROGRAM("cat") };

	cr_assert_not_null(kid);
	cr_assert_eq(pipe2(in, O_CLOEXEC), 0);
	memcpy(task.fds, (int[]){ in[0], null, null }, sizeof(task.fds));
	for (unsigned i = 0; i < number; i++)
		cr_assert_not_null(
			spawner_start(spawner, &task, &many, &kid[i]));
	close(in[0]);
	close(null);
	pump(&many_started, number);
	for (unsigned i = 0; i < number; i++)
		cr_expect_eq(kill(kid[i].pid, 0), 0);
	cr_expect_eq(many_ended, 0u);
	close(in[1]);
	pump(&many_ended, number);
	for (unsigned i = 0; i < number; i++) {
		cr_expect_eq(kid[i].ends, 1u);
		cr_expect_eq(kid[i].end.status, 0);
	}
	free(kid);
}

Test(spawner, large_requests_wait_their_turn)
{
	char *long_text = malloc(SPAWNER_REQUEST_BYTES);
	char *argv[] = { WORD("sh"), WORD("-c"), WORD("echo ${#1}"),
			 WORD("sh"), long_text,	 NULL };
	struct kid kid[64];
	int out[NELEM(kid)];
	char text[64];

	cr_assert_not_null(long_text);
	memset(long_text, 'x', SPAWNER_REQUEST_BYTES);
	long_text[60000] = '\0';
	for (size_t i = 0; i < NELEM(kid); i++)
		out[i] = start(argv, &kid[i]);
	for (size_t i = 0; i < NELEM(kid); i++) {
		pump_end(&kid[i]);
		read_all(out[i], text, sizeof(text));
		cr_expect_str_eq(text, "60000\n");
	}
	/* Without a folder: its NUL, "sh", "-c", the script, "sh". */
	long_text[60000] = 'x';
	long_text[SPAWNER_REQUEST_BYTES - 1 - 3 - 3 - 11 - 3 - 1] = '\0';
	close(start(argv, &kid[0]));
	pump_end(&kid[0]);
	long_text[strlen(long_text)] = 'x';
	long_text[SPAWNER_REQUEST_BYTES - 1] = '\0';
	cr_expect_null(spawner_start(
		spawner,
		&(struct spawner_task){ .argv = argv, .fds = { 0, 1, 2 } },
		&calls, &kid[0]));
	cr_expect_eq(errno, E2BIG);
	free(long_text);
}

Test(spawner, no_descriptor_of_ours_reaches_a_bot)
{
	int left_open = open("/dev/null", O_RDONLY);
	struct kid sleeper, kid;
	int out = start_sh("sleep 1000; :", &sleeper);
	char text[256];

	/* 3 is the folder that ls reads. */
	read_all(start((char *[]){ WORD("ls"), WORD("/proc/self/fd"), NULL },
		       &kid),
		 text, sizeof(text));
	cr_expect_str_eq(text, "0\n1\n2\n3\n");
	pump_end(&kid);
	close(left_open);
	close(out);
}

static unsigned
descriptors_open(void)
{
	unsigned count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

Test(spawner_alone, no_descriptor_is_leaked)
{
	struct rlimit limit;
	unsigned before = descriptors_open();
	struct kid kid;

	/* So that the spawner runs out of them soon if it keeps any. */
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = 48;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	begin();
	for (int i = 0; i < 60; i++) {
		close(start_sh("exit 0", &kid));
		pump_end(&kid);
		close(start(PROGRAM("/nowhere"), &kid));
		pump(&kid.fails, 1);
		cr_expect_eq(kid.error, ENOENT);
	}
	end();
	cr_expect_eq(descriptors_open(), before);
}

Test(spawner_alone, environment_is_clean)
{
	char *extra[] = { WORD("BOT_KEY=7"), WORD("LANG=nl_NL"), NULL };
	struct kid kid;
	struct spawner_task task = { .argv = PROGRAM("env"), .extra = extra };
	char text[4096];

	cr_assert_eq(clearenv(), 0);
	cr_assert_eq(setenv("PATH", "/usr/bin:/bin", 1), 0);
	cr_assert_eq(setenv("HOME", "/", 1), 0);
	cr_assert_eq(setenv("LANG", "C", 1), 0);
	cr_assert_eq(setenv("LANGUAGE", "C", 1), 0);
	cr_assert_eq(setenv("TOKEN", "secret", 1), 0);
	begin();
	read_all(start_piped(&task, open_null(), &kid), text, sizeof(text));
	cr_expect_str_eq(text, "BOT_KEY=7\nLANG=nl_NL\n"
			       "PATH=/usr/bin:/bin\nHOME=/\n");
	pump_end(&kid);
}

Test(spawner_alone, signals_limits_and_folder_are_plain)
{
	struct kid kid;
	struct spawner_task task = {
		.argv = SHELL(
			WORD("pwd; ulimit -c;"
			     " grep -E 'Sig(Blk|Ign)' /proc/self/status;"
			     " [ $(cut -d' ' -f6 /proc/$$/stat) = $$ ] && echo "
			     "leads")),
		.folder = "/usr",
	};
	static const unsigned long ignore[16] = { (unsigned long)SIG_IGN };
	struct rlimit cores;
	sigset_t blocked;
	char text[512];

	cr_assert_eq(getrlimit(RLIMIT_CORE, &cores), 0);
	cores.rlim_cur = cores.rlim_max;
	cr_assert_eq(setrlimit(RLIMIT_CORE, &cores), 0);
	/* In the kernel's own form: glibc refuses signal 32. */
	cr_assert_eq(syscall(SYS_rt_sigaction, 32, ignore, NULL, 8), 0);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	cr_assert_eq(sigprocmask(SIG_BLOCK, &blocked, NULL), 0);
	begin();
	read_all(start_piped(&task, open_null(), &kid), text, sizeof(text));
	cr_expect_str_eq(text, "/usr\n0\n"
			       "SigBlk:\t0000000000000000\n"
			       "SigIgn:\t0000000000000000\n"
			       "leads\n");
	pump_end(&kid);
}

/* ---- walls between bots -------------------------------------------------- */

/* One bot tries these on another, whose pid is $1.  The outer shell says if it
 * has worked. */
static const struct {
	const char *name, *script;
	bool signals; /* needs the newer Landlock */
	bool plain;   /* root may (of late by CAP_PERFMON) */
} tries[] = {
	{ "open its input", ": </proc/$1/fd/0", false, false },
	{ "open its output", ": >/proc/$1/fd/1", false, false },
	{ "see what it has open", "readlink /proc/$1/fd/0", false, false },
	{ "read its environment", "cat /proc/$1/environ", false, true },
	{ "open its memory", ": </proc/$1/mem", false, false },
	{ "see where it is", "readlink /proc/$1/cwd", false, false },
	{ "stop it", "kill -STOP $1", true, false },
	{ "kill it", "kill -KILL $1", true, false },
};

/* Returns true if a bot could do it to `pid`. */
static bool
bot_tries(const char *script, pid_t pid)
{
	char text[128], number[16], said[16];
	char *argv[] = {
		WORD("sh"), WORD("-c"), text, WORD("sh"), number, NULL
	};
	struct kid kid;

	snprintf(number, sizeof(number), "%d", (int)pid);
	snprintf(text, sizeof(text),
		 "if (%s) >/dev/null 2>&1; then echo yes; else echo no; fi",
		 script);
	read_all(start(argv, &kid), said, sizeof(said));
	pump_end(&kid);
	cr_assert(strcmp(said, "yes\n") == 0 || strcmp(said, "no\n") == 0);
	return said[0] == 'y';
}

/* Writes a byte for each try: 'y' it could, 'n' it could not.  `drop`: as the user
 * `nobody`, so it needs a process of its own. */
static _Noreturn void
try_all(int to, bool drop, const char *who)
{
	char *sleeps[] = { WORD("sleep"), WORD("1000"), NULL };
	struct kid victim;
	char said[NELEM(tries)];
	pid_t pid;

	/* The change of user has made us undumpable; our bots are not. */
	if (drop)
		cr_assert(setgroups(0, NULL) == 0 && setgid(65534) == 0 &&
			  setuid(65534) == 0);
	begin();
	for (size_t i = 0; i < NELEM(tries); i++) {
		close(start(sleeps, &victim));
		pump(&victim.starts, 1);
		pid = strcmp(who, "referee") == 0 ? getpid() : victim.pid;
		said[i] = bot_tries(tries[i].script, pid) ? 'y' : 'n';
		if (victim.ends == 0)
			spawner_drop(spawner, victim.child);
	}
	cr_assert_eq(write(to, said, sizeof(said)), (ssize_t)sizeof(said));
	end();
	_exit(0);
}

static void
expect_walls(bool drop, const char *who)
{
	bool scopes = domain_abi() >= DOMAIN_ABI_SCOPES;
	char said[NELEM(tries)] = "";
	int out[2], status;
	pid_t pid;

	cr_assert_eq(pipe2(out, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0)
		try_all(out[1], drop, who);
	close(out[1]);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert_eq(status, 0, "as %s: status %x", drop ? "nobody" : "we are",
		     (unsigned)status);
	cr_assert_eq(read(out[0], said, sizeof(said)), (ssize_t)sizeof(said));
	close(out[0]);
	for (size_t i = 0; i < NELEM(tries); i++)
		if ((!tries[i].signals || scopes) &&
		    (!tries[i].plain || drop || geteuid() != 0))
			cr_expect_eq(said[i], 'n', "%s of a %s: %c, as %s",
				     tries[i].name, who, said[i],
				     drop ? "nobody" : "we are");
}

Test(spawner_alone, bots_cannot_look_into_or_end_each_other)
{
	if (domain_abi() == 0)
		cr_skip_test("the kernel has no Landlock");
	expect_walls(false, "sibling");
	if (geteuid() == 0)
		expect_walls(true, "sibling");
}

Test(spawner_alone, bots_cannot_look_into_or_end_the_referee)
{
	if (domain_abi() < DOMAIN_ABI_SCOPES)
		cr_skip_test("the kernel's Landlock does not scope signals");
	expect_walls(false, "referee");
	if (geteuid() == 0)
		expect_walls(true, "referee");
}

Test(spawner, a_bot_may_end_and_look_into_what_it_started)
{
	struct kid kid;
	char text[64];
	int out = start_sh("sleep 1000 & cat /proc/$!/environ >/dev/null && "
			   "readlink /proc/$!/fd/2 >/dev/null && kill $! && "
			   "echo done; wait",
			   &kid);

	read_all(out, text, sizeof(text));
	cr_expect_str_eq(text, "done\n");
	pump_end(&kid);
}

Test(spawner, no_program_gives_a_bot_privileges)
{
	struct kid kid;
	char text[64];
	int out = start_sh("grep NoNewPrivs /proc/self/status", &kid);

	read_all(out, text, sizeof(text));
	cr_expect_str_eq(text, "NoNewPrivs:\t1\n");
	pump_end(&kid);
}

/* Tries it on our parent from a Landlock domain of version `abi`; the parent
 * has none.  The exit code is 1 if it could, 0 if it could not, above on
 * trouble.  Files are not restricted. */
static _Noreturn void
be_in_a_domain(int abi, bool signal_it)
{
	char path[64];
	int fd = domain_open(abi), parent = getppid();

	if (fd < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    domain_enter(fd) < 0)
		_exit(2);
	fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	if (fd < 0 || write(fd, "x", 1) != 1)
		_exit(3);
	if (signal_it)
		_exit(kill(parent, 0) == 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/0", parent);
	_exit(open(path, O_RDONLY) >= 0);
}

/* Returns the exit code of a process that does this. */
static int
code_of(void (*be)(int abi, bool how), int abi, bool how)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		be(abi, how);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Makes two processes in a domain each, the one tracing the other; ends as
 * be_in_a_domain() does. */
static _Noreturn void
trace_a_sibling(int abi, bool drop)
{
	int fd = domain_open(abi), traced, status;
	pid_t sibling, pid;

	if (fd < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		_exit(2);
	if (drop && (setgid(65534) < 0 || setuid(65534) < 0 ||
		     prctl(PR_SET_DUMPABLE, 1) < 0))
		_exit(3);
	sibling = fork();
	if (sibling == 0)
		_exit(domain_enter(fd) < 0 || pause() < 0);
	pid = fork();
	if (pid == 0)
		_exit(domain_enter(fd) < 0
			      ? 4
			      : ptrace(PTRACE_SEIZE, sibling, NULL, NULL) == 0);
	traced = waitpid(pid, &status, 0) == pid && WIFEXITED(status)
			 ? WEXITSTATUS(status)
			 : 5;
	kill(sibling, SIGKILL);
	_exit(traced);
}

Test(spawner_alone, domains_of_every_version)
{
	int abi;

	if (domain_abi() == 0)
		cr_skip_test("the kernel has no Landlock");
	for (abi = 1; abi <= domain_abi(); abi++) {
		cr_expect_eq(code_of(be_in_a_domain, abi, false), 0,
			     "version %d", abi);
		cr_expect_eq(code_of(be_in_a_domain, abi, true),
			     abi < DOMAIN_ABI_SCOPES, "version %d", abi);
		cr_expect_eq(code_of(trace_a_sibling, abi, false), 0,
			     "version %d", abi);
		if (geteuid() == 0)
			cr_expect_eq(code_of(trace_a_sibling, abi, true), 0,
				     "version %d, as nobody", abi);
	}
}

/* ---- whose fault it is ------------------------------------------------ */

Test(spawner_alone, the_machine_or_the_bot)
{
	static const struct {
		const char *step;
		int error;
		bool machine;
	} cases[] = {
		{ "exec", ENOENT, false },
		{ "exec", EACCES, false },
		{ "exec", ENOEXEC, false },
		{ "exec", E2BIG, false },
		{ "exec", ELOOP, false },
		{ "exec", ETXTBSY, false },
		{ "exec", EIO, false },
		{ "exec", ELIBBAD, false },
		{ "exec", EISDIR, false },
		{ "exec", EINVAL, false },
		{ "exec", ENOTDIR, false },
		{ "exec", ENAMETOOLONG, false },
		{ "exec", EPERM, false },
		{ "exec", ESTALE, false },
		{ "exec", EFAULT, false },
		{ "exec", ETIMEDOUT, false },
		/* The machine is to blame: no other program starts either. */
		{ "exec of any program", EIO, true },
		{ "exec in 10 seconds", ETIMEDOUT, true },
		{ "exec of any program", ENOENT, true },
		{ "chdir", EIO, true },
		{ "chdir", ENOENT, false },
		{ "chdir", EACCES, false },
		{ "exec", EAGAIN, true },
		{ "exec", ENOMEM, true },
		{ "exec", EMFILE, true },
		{ "exec", ENFILE, true },
		{ "chdir", ENOMEM, true },
		{ "fork", EAGAIN, true },
		{ "fork", EMFILE, true },
		{ "setsid", EPERM, true },
		{ "prctl", EINVAL, true },
		{ "dup2", EBADF, true },
		{ "landlock", E2BIG, true },
		{ "send", EPIPE, true },
	};

	for (size_t i = 0; i < NELEM(cases); i++)
		cr_expect_eq(spawner_is_machine(cases[i].step, cases[i].error),
			     cases[i].machine, "%s, %s", cases[i].step,
			     strerror(cases[i].error));
}

Test(spawner, without_descriptors_it_says_so)
{
	pid_t pid = spawner_pid();
	struct rlimit old, none = { .rlim_cur = 4 };
	struct kid kid;

	cr_assert_eq(prlimit(pid, RLIMIT_NOFILE, NULL, &old), 0);
	none.rlim_max = old.rlim_max;
	cr_assert_eq(prlimit(pid, RLIMIT_NOFILE, &none, NULL), 0);
	close(start_sh("exit 0", &kid));
	pump(&kid.fails, 1);
	cr_expect_str_eq(kid.step, "fork");
	cr_expect_eq(kid.error, EMFILE);
	cr_expect_eq(kid.starts + kid.ends, 0u);
	cr_assert_eq(prlimit(pid, RLIMIT_NOFILE, &old, NULL), 0);
	cr_expect_eq(spawner_pid(), pid);
}

/* ---- bounds that nothing here can bring about ------------------------- */

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout_ms);
int __real_poll(struct pollfd *fds, nfds_t n, int timeout_ms);

static int waited_ms = -1; /* not -1: time goes by at once */
/* Then what is awaited comes in the last moment, or later, or has come before. */
static bool at_last, too_late;

int
__wrap_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	if (waited_ms < 0)
		return __real_poll(fds, n, timeout_ms);
	waited_ms = timeout_ms;
	return too_late ? 0 : __real_poll(fds, n, at_last ? -1 : 0);
}

Test(spawner_alone, an_exec_that_does_not_come_about_is_not_waited_for)
{
	struct spawner_report said = { .step = STEP_FORK };
	int report[2];

	cr_assert_eq(pipe2(report, O_CLOEXEC), 0);
	waited_ms = 0;
	cr_expect_not(spawner_has_become(report[0], &said));
	cr_expect_eq(waited_ms, SPAWNER_EXEC_MS);
	cr_expect_eq(said.step, (uint32_t)STEP_EXEC_SOON);
	cr_expect_eq(said.error, ETIMEDOUT);
	close(report[1]);
	cr_expect(spawner_has_become(report[0], &said));
	waited_ms = -1;
	close(report[0]);
}

static const struct sandbox_probe *
probe_at_once(void)
{
	const struct sandbox_probe *probe;

	if (sandbox_bwrap() == NULL || sandbox_shim() == NULL)
		cr_skip_test("no bubblewrap here");
	waited_ms = 0;
	probe = sandbox_probe();
	cr_expect_eq(waited_ms, SANDBOX_LOOK_S * 1000);
	waited_ms = -1;
	return probe;
}

Test(spawner_alone, a_box_that_starts_in_the_last_moment_is_one)
{
	at_last = true;
	cr_expect_null(strstr(probe_at_once()->missing, "seconds"));
}

Test(spawner_alone, a_box_that_does_not_start_is_none)
{
	const struct sandbox_probe *probe;

	too_late = true;
	probe = probe_at_once();
	cr_expect_leq(probe->tier, SANDBOX_LANDLOCK);
	cr_expect_str_eq(probe->missing,
			 "no box has started within 60 seconds: the machine is "
			 "too busy, or bubblewrap hangs");
	cr_expect_not_null(strstr(probe->sentence, probe->missing));
}

/* ---- the memory of bots in no box ------------------------------------- */

Test(spawner_alone, a_bot_that_cannot_be_looked_at_is_ended)
{
	struct sandbox_box box = { .tier = SANDBOX_LANDLOCK,
				   .limits = sandbox_limits_default };
	struct spawner_task task = { .argv = (char *[]){ WORD("sleep"),
							 WORD("1000"), NULL },
				     .fds = { 0, 1, 2 },
				     .box = &box };
	struct rlimit old, few;
	struct kid kid;
	pid_t pid;

	if (sandbox_probe()->tier < SANDBOX_LANDLOCK)
		cr_skip_test("no Landlock here");
	/* Where we are may be closed to the bot's user. */
	cr_assert_eq(chdir("/"), 0);
	begin();
	pid = spawner_pid();
	cr_assert_eq(prlimit(pid, RLIMIT_NOFILE, NULL, &old), 0);
	start_task(&task, &kid);
	pump(&kid.starts, 1);
	few = (struct rlimit){ 4, old.rlim_max };
	cr_assert_eq(prlimit(pid, RLIMIT_NOFILE, &few, NULL), 0);
	pump_end(&kid);
	cr_expect(kid.end.over);
	cr_expect_eq(WTERMSIG(kid.end.status), SIGKILL);
}

Test(spawner, callbacks_may_be_absent)
{
	static const struct spawner_calls none = { .started = NULL };
	struct spawner_task good = { .argv = SHELL(WORD("exit 0")),
				     .fds = { 0, 1, 2 } };
	struct spawner_task bad = { .argv = PROGRAM("/nowhere"),
				    .fds = { 0, 1, 2 } };
	pid_t pid = spawner_pid();

	cr_expect_not_null(spawner_start(spawner, &good, &none, NULL));
	cr_expect_not_null(spawner_start(spawner, &bad, &none, NULL));
	cr_expect_eq(spawner_pid(), pid);
	end();
	spawner_free(NULL);
}

Test(spawner_alone, program_is_looked_for)
{
	char folder[] = "/tmp/spawner-XXXXXX";
	char plain[64], runs[64], script[64], sentence[128];
	const struct {
		const char *argv0, *why; /* NULL: fine */
	} cases[] = {
		{ "sh", NULL },
		{ "/bin/sh", NULL },
		{ runs, NULL },
		{ script, sentence },
		{ "script", sentence },
		{ "runs", NULL },
		{ "plain", "'plain': no such program in PATH" },
		{ "no-such-bot", "'no-such-bot': no such program in PATH" },
		{ "", "'': no such program in PATH" },
		{ "/nowhere/bot", "'/nowhere/bot': no such file" },
		{ "/etc/passwd/bot", "'/etc/passwd/bot': no such file" },
		{ "/etc/passwd", "'/etc/passwd': not executable (chmod +x)" },
		{ "/usr/", "'/usr/': a folder, not a program" },
		{ "/dev/null", "'/dev/null': not a program" },
	};
	char path[128], why[128];
	int fd;

	cr_assert_not_null(mkdtemp(folder));
	snprintf(plain, sizeof(plain), "%s/plain", folder);
	snprintf(runs, sizeof(runs), "%s/runs", folder);
	close(open(plain, O_CREAT | O_WRONLY, 0644));
	close(open(runs, O_CREAT | O_WRONLY, 0755));
	snprintf(script, sizeof(script), "%s/script", folder);
	fd = open(script, O_CREAT | O_WRONLY, 0755);
	cr_assert_eq(write(fd, "#! /no/such/interp -x\n", 22), 22);
	close(fd);
	snprintf(sentence, sizeof(sentence),
		 "'%s': its interpreter '/no/such/interp' is missing", script);
	snprintf(path, sizeof(path), "/nowhere:%s:/usr/bin:/bin", folder);
	cr_assert_eq(setenv("PATH", path, 1), 0);
	for (size_t i = 0; i < NELEM(cases); i++) {
		why[0] = '\0';
		cr_expect_eq(
			spawner_program_ok(cases[i].argv0, why, sizeof(why)),
			cases[i].why == NULL, "case %zu", i);
		cr_expect_str_eq(why, cases[i].why ? cases[i].why : "",
				 "case %zu", i);
	}
	unlink(plain);
	unlink(runs);
	unlink(script);
	rmdir(folder);
}
