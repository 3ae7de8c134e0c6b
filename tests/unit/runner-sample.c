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

/* Each side of a comparison is evaluated once. */
static int
next(int *count)
{
	return ++*count;
}

Test(values, passes)
{
	struct {
		unsigned bits : 3;
	} field = { 5 };
	int count = 0;
	unsigned many = 3;

	cr_assert_eq(next(&count), 1);
	cr_assert_lt(next(&count), 3);
	cr_assert_eq(field.bits, 5);
	cr_assert_eq(many, 3);
	cr_assert_neq(&many, 0);
	cr_assert_gt(-1L, -2);
	cr_assert_str_eq("same", "same");
	cr_assert_float_eq(0.5, 0.25, 0.25);
}

Test(values, fails)
{
	static const char here[2];
	unsigned long long many = 1ULL << 63;
	int count = 6;

	cr_expect_eq(next(&count), 8);
	cr_expect_leq(many, 4, "of case %d", 17);
	cr_expect_geq(-0.5, 0);
	cr_expect_neq(true, true);
	cr_expect_eq(&here[1], NULL);
	cr_expect_str_eq("these", "others", "of case %d", 18);
	cr_expect_float_eq(0.5, 1, 0.25);
	cr_expect(false, "no values");
	cr_assert_eq(next(&count), 9);
}
