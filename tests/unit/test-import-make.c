/* tests/unit/test-import-make.c - no build and no check takes the one slot of
 * imports for ever.  The clock of this test is faster than real time;
 * tests/end-to-end/test-builds.py and test-import.py test everything else. */
#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "referee/base/loop.h"
#include "referee/import/make.h"
#include "referee/spawner/spawner.h"

#define LOOK_MS 1 /* of real time, for every wait that need not see anything */
#define BUILD_TIME_US (BUILD_MS * (uint64_t)1000)
#define CHECK_TIME_US (CHECK_MS * (uint64_t)1000)
#define END_TIME_US (BUILD_END_MS * (uint64_t)1000)
/* Each wait advances the clock by this much, also if something comes. */
#define STEP_US ((uint64_t)500000)

/* ---- what this program calls of the system and of others -------------- */

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout_ms);
int __real_poll(struct pollfd *fds, nfds_t n, int timeout_ms);
struct spawner_child *__wrap_spawner_start(struct spawner *spawner,
					   const struct spawner_task *task,
					   const struct spawner_calls *calls,
					   void *arg);
struct spawner_child *__real_spawner_start(struct spawner *spawner,
					   const struct spawner_task *task,
					   const struct spawner_calls *calls,
					   void *arg);
void __wrap_spawner_kill(struct spawner *spawner, struct spawner_child *child);
void __real_spawner_kill(struct spawner *spawner, struct spawner_child *child);

static pid_t self; /* the process with the fast clock; others have real time */
static uint64_t time_us, killed_us;
static bool ends_when_killed, polls;
static int look_ms = LOOK_MS;

static uint64_t
tell_time(void)
{
	return time_us;
}

int
__wrap_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	int result;

	if (self != getpid())
		return __real_poll(fds, n, timeout_ms);
	if (!polls) {
		errno = ENOMEM;
		return -1;
	}
	cr_assert_geq(timeout_ms, 0);
	result = __real_poll(fds, n, look_ms);
	time_us += STEP_US;
	return result;
}

void
__wrap_spawner_kill(struct spawner *spawner, struct spawner_child *child)
{
	killed_us = time_us;
	if (ends_when_killed)
		__real_spawner_kill(spawner, child);
}

static bool runs_out; /* builds, of their memory */
static const struct spawner_calls *real_calls;

static void
end_over(void *arg, const struct spawner_end *end)
{
	struct spawner_end over = *end;

	over.over = true;
	real_calls->ended(arg, &over);
}

struct spawner_child *
__wrap_spawner_start(struct spawner *spawner, const struct spawner_task *task,
		     const struct spawner_calls *calls, void *arg)
{
	static struct spawner_calls other;

	if (!runs_out)
		return __real_spawner_start(spawner, task, calls, arg);
	real_calls = calls;
	other = *calls;
	other.ended = end_over;
	return __real_spawner_start(spawner, task, &other, arg);
}

static void
set_time(void)
{
	self = getpid();
	clock_us = tell_time;
	time_us = 1000000;
	killed_us = 0;
	ends_when_killed = polls = true;
}

/* ---- builds ----------------------------------------------------------- */

static struct error why;

/* Builds like a stranger, without a sandbox; returns the time by the clock. */
static uint64_t
build(char *script, struct text *log)
{
	char sh[] = "sh", c[] = "-c", here[] = "/";
	struct bot_folder folder = {
		.path = here, .build = (char *[]){ sh, c, script, NULL }
	};
	struct spawner *spawner = spawner_new();
	uint64_t begun_us = time_us;
	int made = -1;

	cr_assert_not_null(spawner, "%s", strerror(errno));
	text_init(log, BUILD_LOG_BYTES + 16);
	cr_assert_eq(import_run_build(&folder, spawner, SANDBOX_NONE, log,
				      &made, &why),
		     -1);
	close(made);
	spawner_free(spawner);
	return time_us - begun_us;
}

Test(import_make, a_build_has_its_time_and_no_more)
{
	char script[] = "sleep 1000";
	uint64_t took_us;
	struct text log;

	set_time();
	took_us = build(script, &log);
	cr_expect_str_eq(why.text, "its build took longer than 120 seconds");
	cr_expect_geq(took_us, BUILD_TIME_US);
	cr_expect_leq(killed_us - 1000000, BUILD_TIME_US + STEP_US);
	text_release(&log);
}

Test(import_make, a_build_that_does_not_end_is_not_waited_for)
{
	char script[] = "sleep 1000";
	uint64_t took_us;
	struct text log;

	set_time();
	ends_when_killed = false;
	took_us = build(script, &log);
	cr_expect_str_eq(why.text, "its build took longer than 120 seconds");
	cr_expect_geq(took_us, BUILD_TIME_US + END_TIME_US);
	cr_expect_leq(took_us, BUILD_TIME_US + END_TIME_US + 2 * STEP_US);
	text_release(&log);
}

Test(import_make, a_build_that_talks_gets_no_more_time)
{
	char script[] = "yes";
	uint64_t took_us;
	struct text log;

	set_time();
	ends_when_killed = false;
	look_ms = 600000; /* something always comes */
	took_us = build(script, &log);
	cr_expect_str_eq(why.text, "its build took longer than 120 seconds");
	cr_expect_leq(took_us, BUILD_TIME_US + END_TIME_US + 2 * STEP_US);
	cr_expect_eq(log.used, (size_t)BUILD_LOG_BYTES);
	text_release(&log);
}

Test(import_make, a_wait_that_fails_ends_a_build)
{
	char script[] = "sleep 1000";
	struct text log;

	set_time();
	ends_when_killed = polls = false;
	cr_expect_leq(build(script, &log), STEP_US);
	cr_expect_geq(killed_us, 1000000u);
	text_release(&log);
}

#define MEMORY                                                                 \
	"it ran out of memory; all of its processes, /bot and /tmp may have "  \
	"2048 MiB together"

/* The texts are those of the tools themselves. */
Test(import_make, a_build_that_runs_out_of_memory_says_so)
{
	static const struct {
		bool over;
		const char *script, *sentence;
	} tries[] = {
		{ true, "exit 2",
		  "its build failed with exit code 2: " MEMORY },
		{ true, "kill -9 $$",
		  "its build was ended by signal 9: " MEMORY },
		{ false, "kill -9 $$",
		  "its build was ended by signal 9: perhaps " MEMORY },
		{ false,
		  "echo 'make: *** [Makefile:2: bot] Error 137' >&2; exit 2",
		  "its build failed with exit code 2: perhaps " MEMORY },
		{ false,
		  "echo 'gcc: fatal error: Killed signal terminated program "
		  "cc1' >&2; exit 1",
		  "its build failed with exit code 1: perhaps " MEMORY },
		{ false,
		  "echo 'go build x: /usr/lib/go/compile: signal: killed' "
		  ">&2; exit 1",
		  "its build failed with exit code 1: perhaps " MEMORY },
		{ false, "echo '(signal: 9, SIGKILL: kill)' >&2; exit 101",
		  "its build failed with exit code 101: perhaps " MEMORY },
		{ false,
		  "echo 'MemoryError'; echo 'make: *** [all] Error 1'; exit 2",
		  "its build failed with exit code 2: perhaps " MEMORY },
		{ false, "echo 'bot.c:1: error' >&2; exit 1",
		  "its build failed with exit code 1" },
		{ false, "kill -15 $$", "its build was ended by signal 15" },
	};
	char script[256];
	struct text log;

	ends_when_killed = true; /* with the machine's time */
	for (size_t i = 0; i < NELEM(tries); i++) {
		runs_out = tries[i].over;
		snprintf(script, sizeof(script), "%s", tries[i].script);
		(void)build(script, &log);
		cr_expect_str_eq(why.text, tries[i].sentence);
		text_release(&log);
	}
}

/* ---- checks ----------------------------------------------------------- */

/* `referee check` is /proc/self/exe, so this program; its environment says what
 * to do. */
static void __attribute__((constructor)) be_check(int argc, char **argv)
{
	const char *how = getenv("CHECK_LIKE");

	if (how == NULL || argc < 2 || strcmp(argv[1], "check") != 0)
		return;
	if (strcmp(how, "good") == 0) {
		printf("good: %s %s %s", argv[2], argv[4], argv[6]);
		fflush(stdout);
		_exit(0);
	}
	while (strcmp(how, "talk") == 0)
		if (write(STDOUT_FILENO, "and so on, ", 11) != 11)
			_exit(0);
	for (;;)
		pause();
}

/* Returns the kind of error; `report` gets the report and the time by the
 * clock. */
static int
check(const char *how, char *report, size_t size, uint64_t *took_us)
{
	struct incoming incoming = { .name = "1" };
	char template[] = "/tmp/referee-test-XXXXXX", path[64];
	uint64_t begun_us = time_us;
	ssize_t n;
	int code, fd;

	cr_assert_not_null(mkdtemp(template));
	snprintf(incoming.path, sizeof(incoming.path), "%s", template);
	snprintf(incoming.bot, sizeof(incoming.bot), "%s/bot", template);
	incoming.fd = open(template, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_geq(incoming.fd, 0);
	cr_assert_eq(setenv("CHECK_LIKE", how, 1), 0);
	code = import_check(&incoming, SANDBOX_AUTO, 37, &why);
	*took_us = time_us - begun_us;
	snprintf(path, sizeof(path), "%s/check", template);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	cr_assert_geq(fd, 0);
	n = read(fd, report, size);
	cr_assert_geq(n, 0);
	report[n < (ssize_t)size ? n : (ssize_t)size - 1] = '\0';
	close(fd);
	close(incoming.fd);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(rmdir(template), 0);
	return code < 0 ? (int)why.kind : 0;
}

Test(import_make, a_check_is_told_what_to_do)
{
	char report[64];
	uint64_t took_us;

	self = 0; /* with the machine's time */
	cr_expect_eq(check("good", report, sizeof(report), &took_us),
		     ERROR_NONE);
	cr_expect_str_eq(report, "good: --quick auto --processes=37");
}

Test(import_make, a_check_has_its_time_and_no_more)
{
	static char report[CHECK_LOG_BYTES + 64];
	const char *const hows[] = { "silent", "talk" };
	uint64_t took_us;
	unsigned i;

	for (i = 0; i < NELEM(hows); i++) {
		set_time();
		cr_expect_eq(check(hows[i], report, sizeof(report), &took_us),
			     ERROR_MACHINE);
		cr_expect_str_eq(why.text, "cannot check the bot");
		cr_expect_geq(took_us, CHECK_TIME_US);
		cr_expect_leq(took_us, CHECK_TIME_US + STEP_US + 2000);
		cr_expect_leq(strlen(report), (size_t)CHECK_LOG_BYTES);
	}
}

Test(import_make, a_wait_that_fails_ends_a_check)
{
	char report[64];
	uint64_t took_us;

	set_time();
	polls = false;
	cr_expect_eq(check("silent", report, sizeof(report), &took_us),
		     ERROR_MACHINE);
	cr_expect_eq(took_us, 0u);
}
