/* tests/unit/test-control.c - the socket of the daemon's owner. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "referee/data/control.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/net-kit.h"

static struct loop loop;

static int
run(void *arg, uint64_t number, unsigned words, char *const word[],
    struct text *out, struct error *why)
{
	(void)arg;
	(void)number;
	(void)words;
	(void)why->text;
	text_fmt(out, "you said %s\n", word[0]);
	return 0;
}

static void
pass(unsigned times)
{
	while (times-- > 0)
		fake_pass(&loop);
}

static int
come(const char *folder)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	snprintf(to.sun_path, sizeof(to.sun_path), "%s/control", folder);
	cr_assert_eq(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	net_write(fd, "hello\n");
	return fd;
}

/* The socket pauses, and does not spin. */
Test(control, without_descriptors)
{
	char folder[] = "/tmp/referee-control-XXXXXX";
	struct error why;
	const unsigned descriptors = net_descriptors();
	struct text text = { .max = 1000 };
	struct rlimit limit, old;
	struct control *control;
	int fd, next;

	fake_clock_begin();
	cr_assert_eq(loop_init(&loop), 0);
	cr_assert_not_null(mkdtemp(folder));
	control = control_new(&loop, folder, run, NULL, &why);
	cr_assert_not_null(control, "%s", why.text);
	fd = come(folder);
	getrlimit(RLIMIT_NOFILE, &old);
	next = dup(0);
	close(next);
	limit = old;
	limit.rlim_cur = (rlim_t)next;
	setrlimit(RLIMIT_NOFILE, &limit);
	pass(3);
	setrlimit(RLIMIT_NOFILE, &old);
	pass(3);
	cr_assert(net_read(fd, &text));
	cr_assert_eq(text.used, 0, "nothing is accepted in the pause");
	fake_now_us += CONTROL_PAUSE_MS * 1000;
	pass(3);
	cr_assert_not(net_read(fd, &text));
	cr_assert_str_eq(text_string(&text), "0\nyou said hello\n");
	text_release(&text);
	close(fd);
	control_free(control);
	loop_release(&loop);
	cr_assert_eq(rmdir(folder), 0);
	cr_assert_eq(net_descriptors(), descriptors);
}
