/* tests/unit/runner-sample.c - tests for tests/end-to-end/test-runner.py, which looks
 * at what runner.c does with them. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void
print_draws(const char *who)
{
	printf("%s %08x %08x\n", who, randombytes_random(),
	       randombytes_random());
}

Test(draws, first)
{
	print_draws("test");
}

Test(draws, second)
{
	pid_t pid = fork();

	print_draws(pid == 0 ? "child" : "parent");
	if (pid == 0)
		_exit(fflush(stdout));
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
}
