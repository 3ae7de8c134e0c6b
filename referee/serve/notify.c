/* referee/serve/notify.c - see notify.h. */
#include "referee/serve/notify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "protocol/message.h"

#define WATCHDOG_US_MAX UINT64_C(86400000000)

struct notify {
	int fd; /* -1: no NOTIFY_SOCKET */
	struct sockaddr_un to;
	socklen_t size;
	struct timer watchdog;
	uint64_t half_us,
		told_us; /* half the watchdog's time; when it was told */
};

static void
say(struct notify *notify, const char *text)
{
	if (notify->fd < 0)
		return;
	/* We never wait: a manager that does not read misses the message. */
	(void)!sendto(notify->fd, text, strlen(text),
		      MSG_NOSIGNAL | MSG_DONTWAIT,
		      (struct sockaddr *)&notify->to, notify->size);
}

void
notify_ready(struct notify *notify)
{
	say(notify, "READY=1");
}

void
notify_reloading(struct notify *notify)
{
	char text[64];

	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
		 clock_machine_us());
	say(notify, text);
}

void
notify_stopping(struct notify *notify)
{
	say(notify, "STOPPING=1");
}

/* The watchdog's time goes on while we are stopped or swamped, and timers do not:
 * then a beat passes in each pass of the loop. */
static void
on_watchdog(void *arg)
{
	struct notify *notify = arg;
	const uint64_t now_us = clock_machine_us();

	if (now_us - notify->told_us < notify->half_us)
		return;
	notify->told_us = now_us;
	say(notify, "WATCHDOG=1");
}

/* Opens a socket to a path, or to an abstract name behind `@`. */
static void
open_socket(struct notify *notify, const char *path)
{
	size_t n = path == NULL ? 0 : strlen(path);

	if (n < 2 || n >= sizeof(notify->to.sun_path) ||
	    (path[0] != '/' && path[0] != '@'))
		return;
	notify->to.sun_family = AF_UNIX;
	memcpy(notify->to.sun_path, path, n + 1);
	if (path[0] == '@')
		notify->to.sun_path[0] = '\0';
	notify->size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n +
				   (path[0] == '/'));
	notify->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

static void
watch(struct notify *notify, struct loop *loop)
{
	const char *usec = getenv("WATCHDOG_USEC"),
		   *pid = getenv("WATCHDOG_PID");
	uint64_t us, number;

	if (notify->fd < 0 || usec == NULL ||
	    message_number(usec, strlen(usec), WATCHDOG_US_MAX, &us) < 0 ||
	    us < 2)
		return;
	if (pid != NULL &&
	    (message_number(pid, strlen(pid), INT32_MAX, &number) < 0 ||
	     number != (uint64_t)getpid()))
		return;
	timer_init(&notify->watchdog, &loop->timers, on_watchdog, notify);
	notify->half_us = us / 2;
	notify->told_us = clock_machine_us();
	timer_every(&notify->watchdog,
		    us / 20 < CLOCK_BEAT_US ? us / 20 + 1 : CLOCK_BEAT_US);
}

struct notify *
notify_new(struct loop *loop)
{
	struct notify *notify = zeroed(1, sizeof(*notify));

	notify->fd = -1;
	open_socket(notify, getenv("NOTIFY_SOCKET"));
	watch(notify, loop);
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
	return notify;
}

void
notify_free(struct notify *notify)
{
	if (notify == NULL)
		return;
	timer_stop(&notify->watchdog);
	if (notify->fd >= 0)
		close(notify->fd);
	free(notify);
}
