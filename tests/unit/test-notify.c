/* tests/unit/test-notify.c - messages to the process that started us. */
#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "referee/serve/notify.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/net-kit.h"

static struct loop loop;
static unsigned descriptors;

static void
begin(void)
{
	descriptors = net_descriptors();
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
	fake_clock_begin();
	cr_assert_eq(loop_init(&loop), 0);
}

static void
end(void)
{
	loop_release(&loop);
	cr_assert_eq(net_descriptors(), descriptors);
}

TestSuite(notify, .init = begin, .fini = end);

/* Listens at `name`, a path, or behind `@` one of the kernel's. */
static int
listen_at(const char *name)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	size_t n = strlen(name);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "%s", name);
	if (name[0] == '@')
		at.sun_path[0] = '\0';
	else
		n++;
	cr_assert_eq(
		bind(fd, (struct sockaddr *)&at,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n)),
		0, "%s: %s", name, strerror(errno));
	setenv("NOTIFY_SOCKET", name, 1);
	return fd;
}

static int
listen_somewhere(void)
{
	char name[64];

	snprintf(name, sizeof(name), "@referee-test-notify-%d", (int)getpid());
	return listen_at(name);
}

/* Returns the next datagram, "" if there is none; borrowed. */
static const char *
heard(int fd)
{
	static char text[256];
	ssize_t n = recv(fd, text, sizeof(text) - 1, 0);

	text[n < 0 ? 0 : n] = '\0';
	return text;
}

static void
tells_all(int fd)
{
	struct notify *notify = notify_new(&loop);
	char reloading[64];

	cr_expect_null(getenv("NOTIFY_SOCKET"), "bots need not know it");
	cr_expect_str_eq(heard(fd), "");
	notify_ready(notify);
	cr_expect_str_eq(heard(fd), "READY=1");
	notify_reloading(notify);
	snprintf(reloading, sizeof(reloading),
		 "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, fake_now_us);
	cr_expect_str_eq(heard(fd), reloading);
	notify_stopping(notify);
	cr_expect_str_eq(heard(fd), "STOPPING=1");
	cr_expect_str_eq(heard(fd), "");
	notify_free(notify);
	close(fd);
}

Test(notify, tells_what_it_does)
{
	tells_all(listen_somewhere());
}

Test(notify, by_a_path)
{
	char folder[] = "/tmp/referee-notify-XXXXXX", path[64];

	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/socket", folder);
	tells_all(listen_at(path));
	unlink(path);
	cr_expect_eq(rmdir(folder), 0);
}

/* A wrong name has no listener and does no harm. */
Test(notify, nobody_listens)
{
	static const char *const names[] = { NULL,
					     "",
					     "@",
					     "/",
					     "relative/path",
					     "vsock:2:1234",
					     "/nowhere/at/all" };
	char far[200];
	struct notify *notify;
	unsigned i;

	memset(far, 'x', sizeof(far) - 1);
	far[0] = '/';
	far[sizeof(far) - 1] = '\0';
	for (i = 0; i <= NELEM(names); i++) {
		if (i == NELEM(names))
			setenv("NOTIFY_SOCKET", far, 1);
		else if (names[i] != NULL)
			setenv("NOTIFY_SOCKET", names[i], 1);
		setenv("WATCHDOG_USEC", "x", 1);
		notify = notify_new(&loop);
		notify_ready(notify);
		notify_reloading(notify);
		notify_stopping(notify);
		notify_free(notify);
		cr_expect_null(getenv("NOTIFY_SOCKET"));
		cr_expect_null(getenv("WATCHDOG_USEC"));
	}
	notify_free(NULL);
}

/* A listener that does not read blocks nothing, and misses messages. */
Test(notify, who_does_not_read)
{
	struct notify *notify;
	unsigned i, n = 0;
	int fd;

	fd = listen_somewhere();
	notify = notify_new(&loop);
	for (i = 0; i < 10000; i++)
		notify_ready(notify);
	while (strcmp(heard(fd), "READY=1") == 0)
		n++;
	cr_expect(n > 0 && n < 10000, "%u were kept", n);
	close(fd);
	notify_stopping(notify); /* nor one that has ended */
	notify_free(notify);
}

/* ---- the watchdog ----------------------------------------------------- */

static struct notify *
with_watchdog(const char *usec, const char *pid)
{
	struct notify *notify;

	setenv("WATCHDOG_USEC", usec, 1);
	if (pid != NULL)
		setenv("WATCHDOG_PID", pid, 1);
	notify = notify_new(&loop);
	cr_expect_null(getenv("WATCHDOG_USEC"));
	cr_expect_null(getenv("WATCHDOG_PID"));
	return notify;
}

/* Runs a pass so much later. */
static void
pass_after(uint64_t us)
{
	fake_now_us += us;
	fake_pass(&loop);
}

Test(notify, the_watchdog_hears_of_us_in_half_its_time)
{
	struct notify *notify;
	char pid[16];
	int fd;

	fd = listen_somewhere();
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	notify = with_watchdog("60000000", pid);
	for (unsigned i = 1; i <= 120; i++) {
		pass_after(1000000);
		cr_expect_str_eq(heard(fd), i % 30 == 0 ? "WATCHDOG=1" : "",
				 "%u", i);
	}
	/* The loop's clock moves by a beat alone in each pass of a swamped machine. */
	pass_after(30000000 - CLOCK_BEAT_US);
	cr_expect_str_eq(heard(fd), "");
	pass_after(CLOCK_BEAT_US);
	cr_expect_str_eq(heard(fd), "WATCHDOG=1");
	notify_free(notify);
	close(fd);
}

Test(notify, a_watchdog_of_others)
{
	static const struct {
		const char *usec, *pid;
		bool ours;
	} cases[] = {
		{ "60000000", NULL, true },    { "60000000", "1", false },
		{ "60000000", "", false },     { "0", NULL, false },
		{ "1", NULL, false },	       { "-60000000", NULL, false },
		{ "60000000x", NULL, false },  { "86400000001", NULL, false },
		{ "86400000000", NULL, true },
	};
	struct notify *notify;
	unsigned i;
	int fd;

	for (i = 0; i < NELEM(cases); i++) {
		fd = listen_somewhere();
		notify = with_watchdog(cases[i].usec, cases[i].pid);
		pass_after(UINT64_C(43200000000));
		cr_expect_str_eq(heard(fd), cases[i].ours ? "WATCHDOG=1" : "",
				 "%s", cases[i].usec);
		notify_free(notify);
		close(fd);
	}
	/* Without a socket there is nothing to say. */
	notify = with_watchdog("60000000", NULL);
	cr_expect_eq(loop.timers.count, 1, "the loop's own");
	notify_free(notify);
}
