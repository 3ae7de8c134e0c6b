/* tests/unit/test-subprocess.c - our processes that a loop watches.
 * test-opinion.c and test-import-make.c test waiting for one. */
#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/base/subprocess.h"

static struct loop loop;
static unsigned calls;
static enum subprocess_how how;
static int status;
static char said[256];

static void
on_end(void *arg UNUSED, struct subprocess_end *end)
{
	calls++;
	how = end->how;
	status = end->status;
	snprintf(said, sizeof(said), "%s", text_string(&end->output));
	loop.stop = true;
}

/* Runs a script to its end; at most 100 bytes of what it writes are kept. */
static void
run(const char *script, const char *input, bool bounded, unsigned ms)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	struct subprocess_order order = { .program = "/bin/sh",
					  .argv = argv,
					  .in = -1,
					  .most = 100,
					  .bounded = bounded,
					  .ms = ms };
	struct subprocess *process;

	calls = 0;
	cr_assert_eq(loop_init(&loop), 0);
	if (input != NULL)
		order.in = subprocess_input(input, strlen(input));
	process = subprocess_start(&order);
	cr_assert_not_null(process, "%s", strerror(errno));
	if (order.in >= 0)
		close(order.in);
	subprocess_watch(process, &loop, on_end, NULL);
	loop_run(&loop);
	loop_release(&loop);
	cr_assert_eq(calls, 1u);
}

Test(subprocess, its_output_and_its_end_are_told)
{
	run("read word; echo $word; echo no >&2; exit 4", "yes\n", false, 0);
	cr_expect_eq(how, SUBPROCESS_ENDED);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 4);
	cr_expect_str_eq(said, "yes\nno\n");
	run("read word || echo nothing", NULL, false, 0);
	cr_expect_str_eq(said, "nothing\n");
	run("kill -9 $$", NULL, false, 0);
	cr_expect_eq(how, SUBPROCESS_ENDED);
	cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Another program does not inherit our descriptors and environment. */
Test(subprocess, another_program_gets_what_a_bot_gets)
{
	int fd;

	setenv("SECRET", "x", 1);
	setenv("HOME", "/home/x", 1);
	fd = dup2(STDIN_FILENO, 50);
	cr_assert_eq(fd, 50);
	run("echo $HOME$SECRET; ls /proc/self/fd | tr '\\n' ' '", NULL, false,
	    0);
	cr_expect_str_eq(said, "/home/x\n0 1 2 3 ", "3 is the folder of ls");
	close(fd);
}

Test(subprocess, its_output_may_end_before_it_does)
{
	run("exec >/dev/null 2>&1; exit 7", NULL, false, 0);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

Test(subprocess, what_it_leaves_running_is_not_waited_for)
{
	run("echo yes; sleep 1000 & exit 0", NULL, false, 0);
	cr_expect_eq(how, SUBPROCESS_ENDED);
	cr_expect_str_eq(said, "yes\n");
}

Test(subprocess, the_first_of_its_output_is_kept)
{
	run("i=0; while [ $i -lt 99 ]; do echo 012345678; i=$((i + 1)); done",
	    NULL, false, 0);
	cr_expect_eq(how, SUBPROCESS_ENDED);
	cr_expect_eq(status, 0);
	cr_expect_eq(strlen(said), 100u);
	run("yes", NULL, true, 0);
	cr_expect_eq(how, SUBPROCESS_FULL);
}

Test(subprocess, it_has_its_time_and_no_more)
{
	run("echo yes; exec sleep 1000", NULL, false, 50);
	cr_expect_eq(how, SUBPROCESS_LATE);
	cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

Test(subprocess, one_that_is_freed_ends_with_all_that_it_has_started)
{
	const char *const argv[] = { "sh", "-c", "sleep 1000 & exec sleep 1000",
				     NULL };
	const struct subprocess_order order = { .program = "/bin/sh",
						.argv = argv,
						.in = -1,
						.errors_apart = true };
	struct subprocess *process;
	int ends[2], kept = dup(STDERR_FILENO);
	char byte;

	cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
	cr_assert_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
	close(ends[1]);
	process = subprocess_start(&order);
	cr_assert_eq(dup2(kept, STDERR_FILENO), STDERR_FILENO);
	close(kept);
	cr_assert_not_null(process, "%s", strerror(errno));
	cr_expect_null(subprocess_wait(process, -1, 1));
	subprocess_free(process);
	/* Both have had its other end. */
	cr_expect_eq(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}

Test(subprocess, what_cannot_be_executed_is_known_at_once)
{
	const char *const argv[] = { "no", NULL };
	const struct subprocess_order order = { .program = "/no/program",
						.argv = argv,
						.in = -1 };

	cr_expect_null(subprocess_start(&order));
	cr_expect_eq(errno, ENOENT);
}
