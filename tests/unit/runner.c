/* tests/unit/runner.c - runs the tests of a program, each in a process of its own.
 *
 * Tests are written with Criterion's header: its macros put each test and suite
 * into a section of the program, and call the functions below.  Criterion's
 * library is not linked.  Its runner has threads, forks beside them, and
 * executes the whole program again for each test; under AddressSanitizer such
 * a fork hung now and then, and cost a quarter of a second.  Here a process
 * with one thread forks, and the child runs the test at once.  It draws from
 * CHECK_SEED and the name of the test, so a test that fails does so again alone.
 *
 * A test fails if an assertion fails, also in a process that it has forked; if
 * it crashes, leaks, leaves by exit() or files in TMPDIR, or does not end.  What it
 * leaves running is killed.  Everything that it prints becomes comments of TAP. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <criterion/redirect.h>
#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "protocol/util.h"
#include "tests/seeded/seeded.h"
#include "tests/unit/rounds.h"

/* The most processor time and waiting time of a test; only a test that hangs
 * reaches them. */
#define CPU_S check_rounds(300, 3000)
#define WALL_S check_rounds(900, 7200)
/* Much more than what tests that run at once write. */
#define FOLDER_BYTES (512u << 20)

/* The test's process tells the runner this, in memory that both share. */
struct told {
	unsigned failures;
	bool ended; /* the test returned, and so did its .fini */
	char skipped[256];
};

/* The linker's names of the two sections.  A program may have none of them. */
#define SECTION_END __attribute__((weak))
extern struct criterion_test *__start_cr_tst[] SECTION_END;
extern struct criterion_test *__stop_cr_tst[] SECTION_END;
extern struct criterion_suite *__start_cr_sts[] SECTION_END;
extern struct criterion_suite *__stop_cr_sts[] SECTION_END;

struct criterion_options criterion_options;

static struct told of_this_process, *told = &of_this_process;
static char base[320];		   /* where folders of tests are made */
static char left[256];		   /* a file that a test has left there */
static int report = STDERR_FILENO; /* failed assertions are printed there */
static pid_t self;		   /* the process of the test */
static const struct criterion_test *now;
static const struct criterion_suite *now_in;
static void *parameter; /* of a test that has one; else NULL */
static jmp_buf out_of_test;
static bool given_up;
static _Thread_local char *values; /* of the comparison that fails */

/* ---- what AddressSanitizer asks ------------------------------------------ */

/* A leak check takes longer than most tests; if no more is allocated than
 * before the test, nothing can have leaked. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));
const char *__asan_default_options(void);
int __lsan_is_turned_off(void);

static size_t allocated_before;

static size_t
allocated(void)
{
	return __sanitizer_get_current_allocated_bytes
		       ? __sanitizer_get_current_allocated_bytes()
		       : 0;
}

__attribute__((used)) int
__lsan_is_turned_off(void)
{
	return allocated() == allocated_before;
}

/* The exit code of a leak must not be one that a test asks for.  A test is short:
 * what it has freed need not wait for 256 MB before it is used again, all of them
 * fresh pages. */
__attribute__((used)) const char *
__asan_default_options(void)
{
	return "exitcode=99:quarantine_size_mb=8";
}

/* ---- what the macros call ------------------------------------------------ */

/* Leaves the test. */
static void __attribute__((noreturn)) give_up(void)
{
	if (getpid() != self || gettid() != self)
		_exit(1);
	given_up = true;
	longjmp(out_of_test, 1);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

bool
keep_values(const char *op, const char *conversion, ...)
{
	const int number = errno; /* of the caller's message */
	char format[64];
	va_list args;

	snprintf(format, sizeof(format), "\nfound %s, expected %s %s",
		 conversion, op, conversion);
	va_start(args, conversion);
	free(values);
	if (vasprintf(&values, format, args) < 0)
		values = NULL;
	va_end(args);
	errno = number;
	return false;
}

void
criterion_send_assert(struct criterion_assert_stats *stats)
{
	if (stats->passed)
		return;
	fflush(NULL);
	dprintf(report, "%s:%u: Assertion failed: %s%s\n", stats->file,
		stats->line, stats->message, values ? values : "");
	free(values);
	values = NULL;
	__atomic_add_fetch(&told->failures, 1, __ATOMIC_SEQ_CST);
}

void
criterion_abort_test(void)
{
	give_up();
}

void
criterion_continue_test(void)
{
}

void
cri_asserts_passed_incr(void)
{
}

PRINTF_LIKE(1, 2) void criterion_skip_test(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(told->skipped, sizeof(told->skipped), format, args);
	va_end(args);
	give_up();
}

void
cr_log(enum criterion_severity severity, const char *format, ...)
{
	va_list args;

	(void)severity;
	fflush(NULL);
	va_start(args, format);
	vdprintf(report, format, args);
	va_end(args);
	dprintf(report, "\n");
}

int
cr_asprintf(char **text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(text, format, args);
	va_end(args);
	if (length < 0)
		*text = NULL;
	return length;
}

void
cr_asprintf_free(char *text)
{
	free(text);
}

static const char *const sentences[] = {
	[CRITERION_ASSERT_MSG_FAIL] =
		"The conditions for this assertion were not met.",
	[CRITERION_ASSERT_MSG_EXPR_FALSE] = "The expression %s is false.",
	[CRITERION_ASSERT_MSG_IS_NULL] = "%s is null.",
	[CRITERION_ASSERT_MSG_IS_NOT_NULL] = "%s is not null.",
	[CRITERION_ASSERT_MSG_IS_EMPTY] = "%s is empty.",
	[CRITERION_ASSERT_MSG_IS_NOT_EMPTY] = "%s is not empty.",
	[CRITERION_ASSERT_MSG_FILE_STR_MATCH] =
		"The file contents of %s does not match the string \"%s\".",
	[CRITERION_ASSERT_MSG_FILE_MATCH] =
		"The file contents of %s does not match the contents of %s.",
};

char *
cr_translate_assert_msg(int which, ...)
{
	va_list args;
	char *text;

	va_start(args, which);
	if (vasprintf(&text, sentences[which], args) < 0)
		text = NULL;
	va_end(args);
	return text;
}

/* ---- standard output and error as files --------------------------------- */

static FILE *kept[3]; /* by descriptor: what was printed since */

static void
redirect(int fd, FILE *stream)
{
	char path[64];
	int file = memfd_create("redirected", MFD_CLOEXEC);

	fflush(stream);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	kept[fd] = fopen(path, "re");
	if (!kept[fd] || dup2(file, fd) != fd)
		abort();
	close(file);
}

static int
is_rest(int fd, FILE *stream, const char *wanted)
{
	char *found = NULL;
	size_t size = 0;
	int same;

	fflush(stream);
	same = getdelim(&found, &size, '\0', kept[fd]) < 0
		       ? *wanted == '\0'
		       : strcmp(found, wanted) == 0;
	if (!same)
		dprintf(report, "found: %s\n", found ? found : "");
	free(found);
	return same;
}

void
cr_redirect_stdout(void)
{
	redirect(STDOUT_FILENO, stdout);
}

void
cr_redirect_stderr(void)
{
	redirect(STDERR_FILENO, stderr);
}

FILE *
cr_get_redirected_stdout(void)
{
	fflush(stdout);
	return kept[STDOUT_FILENO];
}

int
cr_stdout_match_str(const char *wanted)
{
	return is_rest(STDOUT_FILENO, stdout, wanted);
}

int
cr_stderr_match_str(const char *wanted)
{
	return is_rest(STDERR_FILENO, stderr, wanted);
}

/* ---- one test, in its process ------------------------------------------- */

enum { NAME_BYTES = 512 };

static const char *
test_name(const struct criterion_test *test, char name[NAME_BYTES])
{
	snprintf(name, NAME_BYTES, "%s/%s", test->category, test->name);
	return name;
}

static void
try(void (*function)(void))
{
	if (function && setjmp(out_of_test) == 0)
		function();
}

void
criterion_internal_test_setup(void)
{
	if (now_in)
		try(now_in->data->init);
	if (!given_up)
		try(now->data->init);
}

/* A function with a parameter is called through a different type. */
__attribute__((no_sanitize("undefined"))) void
criterion_internal_test_main(void (*function)(void))
{
	if (given_up || setjmp(out_of_test) != 0)
		return;
	if (parameter)
		((void (*)(void *))function)(parameter);
	else
		function();
}

void
criterion_internal_test_teardown(void)
{
	try(now->data->fini);
	if (now_in)
		try(now_in->data->fini);
}

/* Runs the test, in this process, and leaves.  exit() looks for leaks. */
static void __attribute__((noreturn)) run_here(void)
{
	char name[NAME_BYTES];

	self = getpid();
	seeded_begin(test_name(now, name));
	allocated_before = allocated();
	now->test();
	fflush(NULL);
	if (told->failures != 0 || *told->skipped)
		_exit(told->failures != 0);
	told->ended = true;
	exit(0);
}

/* ---- the runner ---------------------------------------------------------- */

static double
seconds(clockid_t clock)
{
	struct timespec t = { 0, 0 };

	clock_gettime(clock, &t); /* luck: it only ends what hangs */
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Waits for `pid`, and for orphans that were given to us.  Returns false if it
 * hangs. */
static bool
ends(pid_t pid, int *status)
{
	const struct timespec look = { .tv_sec = 1 };
	double begun = seconds(CLOCK_MONOTONIC);
	sigset_t child;
	clockid_t used;
	pid_t ended;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	for (;;) {
		while ((ended = waitpid(-1, status, WNOHANG)) > 0)
			if (ended == pid)
				return true;
		if (seconds(CLOCK_MONOTONIC) - begun > (double)WALL_S ||
		    (clock_getcpuclockid(pid, &used) == 0 &&
		     seconds(used) > (double)CPU_S))
			return false;
		/* luck: between two looks */
		sigtimedwait(&child, NULL, &look);
	}
}

/* Kills the processes that a test has left, which are given to us when their
 * parents end. */
static void
kill_the_rest(void)
{
	char path[64];
	bool killed;
	FILE *list;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	do {
		killed = false;
		list = fopen(path, "re");
		while (list && fscanf(list, "%d", &pid) == 1)
			killed |= kill(pid, SIGKILL) == 0;
		if (list)
			fclose(list);
	} while (killed && waitpid(-1, NULL, 0) > 0);
}

/* Prints the output of a test as comments of TAP. */
static void
print_output(int fd)
{
	bool fresh = true;
	char text[4096];
	ssize_t n, i;

	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, text, sizeof(text))) > 0)
		for (i = 0; i < n; i++) {
			if (fresh && text[i] != '#')
				fputs("# ", stdout);
			putchar(text[i]);
			fresh = text[i] == '\n';
		}
	if (!fresh)
		putchar('\n');
}

/* Returns why a test that ended like this has failed; NULL if it has not. */
static const char *
judge(bool hangs, int status)
{
	static char why[128];

	if (hangs)
		return "it did not end";
	if (told->failures != 0)
		return "an assertion failed";
	if (*told->skipped)
		return NULL;
	if (now->data->signal != 0 && WIFSIGNALED(status) &&
	    WTERMSIG(status) == now->data->signal)
		return NULL;
	if (now->data->exit_code != 0 && WIFEXITED(status) &&
	    WEXITSTATUS(status) == now->data->exit_code)
		return NULL;
	if (WIFSIGNALED(status))
		snprintf(why, sizeof(why), "it ended by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (!told->ended)
		snprintf(why, sizeof(why), "it left by exit(%d)",
			 WEXITSTATUS(status));
	else if (now->data->signal != 0 || now->data->exit_code != 0)
		return "it returned";
	else if (status != 0)
		snprintf(why, sizeof(why),
			 "its memory leaked, or an exit handler failed (%d)",
			 WEXITSTATUS(status));
	else
		return NULL;
	return why;
}

/* Makes the folder that is TMPDIR for one test. */
static void
make_folder(char folder[PATH_MAX])
{
	snprintf(folder, PATH_MAX, "%s/unit-XXXXXX", base);
	if (!mkdtemp(folder) || chmod(folder, 01777) < 0) {
		perror(folder);
		exit(1);
	}
	setenv("TMPDIR", folder, 1);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type;
	if (at->level == 1)
		snprintf(left, sizeof(left), "%s", path + at->base);
	return remove(path);
}

/* Removes the folder of a test that has not failed.  Returns why it has, if something
 * was in it; else NULL.  A test that has to crash may leave what it likes. */
static const char *
remove_folder(const char *folder)
{
	static char why[320];

	*left = '\0';
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	snprintf(why, sizeof(why), "it left %s in TMPDIR", left);
	return *left && told->ended ? why : NULL;
}

/* Runs `now` in a child.  True if it passed. */
static bool
run(unsigned number)
{
	static char program[PATH_MAX]; /* as it runs from any folder */
	static char line[BUFSIZ];
	int output = memfd_create("output", MFD_CLOEXEC);
	char folder[PATH_MAX];
	const char *why;
	int status = 0;
	bool hangs;
	pid_t pid;

	if (!realpath("/proc/self/exe", program)) {
		perror("/proc/self/exe");
		exit(1);
	}
	make_folder(folder);
	memset(told, 0, sizeof(*told));
	fflush(NULL);
	pid = fork();
	if (output < 0 || pid < 0) {
		perror(program);
		exit(1);
	}
	if (pid == 0) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0);
		report = output;
		dup2(output, STDOUT_FILENO);
		dup2(output, STDERR_FILENO);
		setvbuf(stdout, line, _IOLBF, sizeof(line));
		run_here();
	}
	hangs = !ends(pid, &status);
	if (hangs)
		kill(pid, SIGKILL);
	kill(-pid, SIGKILL);
	kill_the_rest();
	why = judge(hangs, status);
	if (!why)
		why = remove_folder(folder);
	printf("%sok %u - %s::%s", why ? "not " : "", number, now->category,
	       now->name);
	if (!why && *told->skipped)
		printf(" # SKIP %s", told->skipped);
	putchar('\n');
	if (why)
		printf("# %s; alone: CHECK_SEED=%s %s%s --filter '%s/%s'\n",
		       why, getenv("CHECK_SEED"),
		       check_is_all() ? "CHECK_ALL=1 " : "", program,
		       now->category, now->name);
	if (rmdir(folder) < 0 && errno != ENOENT)
		printf("# files: %s\n", folder);
	print_output(output);
	close(output);
	return !why;
}

/* Folders of tests are made in memory, if it has room and may hold programs.  Half
 * of the time of some tests was that of names on a real disk. */
static void
set_folder(void)
{
	struct statvfs memory;
	const bool fits = statvfs("/dev/shm", &memory) == 0 &&
			  (memory.f_flag & ST_NOEXEC) == 0 &&
			  memory.f_bavail * memory.f_frsize >= FOLDER_BYTES &&
			  access("/dev/shm", W_OK) == 0;

	setenv("TMPDIR", "/tmp", 0);
	if (fits)
		setenv("TMPDIR", "/dev/shm", 1);
	snprintf(base, sizeof(base), "%.300s", getenv("TMPDIR"));
}

static const struct criterion_suite *
suite_of(const struct criterion_test *test)
{
	struct criterion_suite **suite;

	for (suite = __start_cr_sts; suite < __stop_cr_sts; suite++)
		if (*suite && strcmp((*suite)->name, test->category) == 0)
			return *suite;
	return NULL;
}

static bool
matches(const struct criterion_test *test, const char *pattern)
{
	char name[NAME_BYTES];

	return fnmatch(pattern, test_name(test, name), FNM_EXTMATCH) == 0;
}

/* Returns how often a test is run: once for each parameter. */
static size_t
times(const struct criterion_test *test, struct criterion_test_params *list)
{
	if (test->data->kind_ != CR_TEST_PARAMETERIZED)
		return 1;
	*list = test->data->param_();
	return list->length;
}

/* Tools have a main() of their own, but also use kits that assert. */
__attribute__((weak)) int
main(int argc, char **argv)
{
	const char *pattern = "*";
	bool here = false, only_list = false;
	struct criterion_test_params list;
	unsigned count = 0, failed = 0;
	struct criterion_test **test;
	sigset_t child;
	size_t i, n;

	for (i = 1; i < (size_t)argc; i++)
		if (strcmp(argv[i], "--list") == 0)
			only_list = true;
		else if (strcmp(argv[i], "--here") == 0)
			here = true;
		else if (strcmp(argv[i], "--filter") == 0 && argv[i + 1])
			pattern = argv[++i];
		else {
			fprintf(stderr,
				"%s [--list] [--filter 'suite/test*'] "
				"[--here]\n"
				"--here runs the first of them in this "
				"process, "
				"for a debugger.\n",
				argv[0]);
			return 2;
		}
	setenv("CHECK_SEED", "1", 0);
	set_folder();
	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (told == MAP_FAILED || !freopen("/dev/null", "re", stdin) ||
	    sodium_init() < 0) {
		perror(argv[0]);
		return 1;
	}
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(here ? SIG_UNBLOCK : SIG_BLOCK, &child, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (test = __start_cr_tst; test < __stop_cr_tst; test++) {
		if (!*test || !matches(*test, pattern))
			continue;
		now = *test;
		now_in = suite_of(now);
		if (only_list) {
			printf("%s/%s\n", now->category, now->name);
			count++;
			continue;
		}
		n = times(now, &list);
		for (i = 0; i < n; i++) {
			parameter =
				now->data->kind_ == CR_TEST_PARAMETERIZED
					? (char *)list.params + i * list.size
					: NULL;
			if (here)
				run_here();
			failed += !run(++count);
		}
	}
	if (!only_list)
		printf("1..%u\n", count);
	return failed != 0 || count == 0;
}
