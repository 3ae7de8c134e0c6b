/* attacker.c - `attacker [OPTION...] PORT|PATH`: attacks by many connections
 * from one process.
 *
 * Each connection sends the bytes of one file, then those of another over and
 * over, and is made again when it ends.  At SIGTERM or after --seconds the
 * program prints what it did.  In a file, `########` is the connection's
 * number. */
#include <argp.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define FILES_MAX 32
#define FILE_BYTES 65536
#define OPEN_MAX 20000
#define OPENING 256 /* connections opened at once */
#define NUMBER "########"
#define NUMBER_BYTES 8

struct bytes {
	char *at;
	size_t n;
};

struct connection {
	int fd; /* -1: none */
	unsigned number;
	size_t said;	  /* of `first`, then of `again` */
	bool first_said;  /* then `again` is said */
	bool waits;	  /* for room in the socket, or for its end */
	uint64_t made_us; /* when it was made */
	uint64_t due_us;  /* the next byte */
};

static struct bytes first[FILES_MAX], again;
static unsigned firsts;
static const char *target;
static uint32_t from = 0x7f000002; /* 127.0.0.2 */
static unsigned long addresses = 1, open_max = 1, most, seconds = 30;
static unsigned long drip_ms, life_ms;
static bool deaf, half, resets;

static struct connection connection[OPEN_MAX];
static unsigned long made, failed, ended, is_open;
static uint64_t sent, heard;
static int epoll;
static volatile sig_atomic_t stopped;

static uint64_t
now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void
die(const char *what)
{
	fprintf(stderr, "attacker: %s: %s\n", what, strerror(errno));
	exit(3);
}

static struct bytes
read_file(const char *path)
{
	FILE *file = fopen(path, "re");
	struct bytes bytes = { malloc(FILE_BYTES), 0 };

	if (file == NULL || bytes.at == NULL)
		die(path);
	bytes.n = fread(bytes.at, 1, FILE_BYTES, file);
	fclose(file);
	return bytes;
}

/* ---- one connection ---------------------------------------------------- */

static void
watch(struct connection *c, int how)
{
	struct epoll_event event = { .data.ptr = c };

	event.events = (deaf ? 0 : (uint32_t)EPOLLIN) |
		       (c->waits ? 0 : (uint32_t)EPOLLOUT);
	if (epoll_ctl(epoll, how, c->fd, &event) < 0)
		die("epoll_ctl");
}

static void
end(struct connection *c)
{
	const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };

	if (resets)
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &at_once,
			   sizeof(at_once));
	close(c->fd);
	c->fd = -1;
	is_open--;
}

static int
connect_tcp(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int on = 1;

	if (fd < 0)
		return -1;
	/* The kernel then chooses the port at connect(). */
	setsockopt(fd, IPPROTO_IP, 24 /* IP_BIND_ADDRESS_NO_PORT */, &on,
		   sizeof(on));
	at.sin_addr.s_addr = htonl(from + (uint32_t)(made % addresses));
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0)
		die("bind");
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	at.sin_port = htons((uint16_t)strtoul(target, NULL, 10));
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0 ||
	    errno == EINPROGRESS)
		return fd;
	close(fd);
	return -1;
}

static int
connect_unix(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	snprintf(at.sun_path, sizeof(at.sun_path), "%s", target);
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0)
		return fd;
	close(fd);
	return -1;
}

static bool
begin(struct connection *c)
{
	int fd = target[0] == '/' ? connect_unix() : connect_tcp();

	if (fd < 0) {
		failed++;
		return false;
	}
	*c = (struct connection){ .fd = fd,
				  .number = (unsigned)made++,
				  .waits = drip_ms > 0,
				  .made_us = now_us(),
				  .due_us = now_us() + drip_ms * 1000 };
	is_open++;
	watch(c, EPOLL_CTL_ADD);
	return true;
}

/* Finds what a connection has to say next; returns false if there is nothing. */
static bool
next_bytes(struct connection *c, struct bytes *next, char own[FILE_BYTES])
{
	struct bytes whole = { NULL, 0 };
	char number[NUMBER_BYTES + 1], *at;

	if (!c->first_said && firsts > 0)
		whole = first[c->number % firsts];
	if (c->said >= whole.n && !c->first_said) {
		c->first_said = true;
		c->said = 0;
		if (half)
			shutdown(c->fd, SHUT_WR);
	}
	if (c->first_said)
		whole = again;
	if (whole.n == 0 || (half && c->first_said))
		return false;
	if (c->said >= whole.n)
		c->said = 0;
	at = memmem(whole.at, whole.n, NUMBER, NUMBER_BYTES);
	if (at != NULL) {
		snprintf(number, sizeof(number), "%08x", c->number);
		memcpy(own, whole.at, whole.n);
		memcpy(own + (at - whole.at), number, NUMBER_BYTES);
		whole.at = own;
	}
	*next = (struct bytes){ whole.at + c->said, whole.n - c->said };
	return true;
}

/* Speaks; returns false if the connection has ended. */
static bool
speak(struct connection *c, size_t at_most)
{
	static char own[FILE_BYTES];
	struct bytes next;
	ssize_t n;

	if (!next_bytes(c, &next, own)) {
		if (!c->waits) {
			c->waits = true;
			watch(c, EPOLL_CTL_MOD);
		}
		return true;
	}
	n = send(c->fd, next.at, next.n < at_most ? next.n : at_most,
		 MSG_NOSIGNAL);
	if (n < 0)
		return errno == EAGAIN || errno == ENOTCONN;
	c->said += (size_t)n;
	sent += (size_t)n;
	return true;
}

static bool
listen_to(struct connection *c)
{
	static char bytes[65536];
	ssize_t n = recv(c->fd, bytes, sizeof(bytes), 0);

	if (n > 0)
		heard += (size_t)n;
	return n > 0 || (n < 0 && errno == EAGAIN);
}

static void
on_event(struct connection *c, uint32_t what)
{
	bool lives = true;

	if (c->fd < 0)
		return;
	if (what & EPOLLIN)
		lives = listen_to(c);
	if (lives && what & EPOLLOUT)
		lives = speak(c, SIZE_MAX);
	if (lives && !(what & (EPOLLERR | EPOLLHUP)))
		return;
	ended++;
	end(c);
}

/* ---- all of them ------------------------------------------------------- */

static void
on_time(struct connection *c, uint64_t now)
{
	if (life_ms > 0 && now >= c->made_us + life_ms * 1000) {
		end(c);
		return;
	}
	if (drip_ms == 0 || now < c->due_us)
		return;
	c->due_us = now + drip_ms * 1000;
	if (!speak(c, 1)) {
		ended++;
		end(c);
	}
}

static void
pass(void)
{
	struct epoll_event event[256];
	unsigned i, begun = 0;
	uint64_t now = now_us();
	int n;

	for (i = 0; i < open_max; i++) {
		if (connection[i].fd >= 0)
			on_time(&connection[i], now);
		else if (begun < OPENING && (most == 0 || made < most)) {
			if (!begin(&connection[i]))
				break;
			begun++;
		}
	}
	n = epoll_wait(epoll, event, 256, begun > 0 ? 0 : 2);
	while (n-- > 0)
		on_event(event[n].data.ptr, event[n].events);
}

static void
on_signal(int number)
{
	(void)number;
	stopped = 1;
}

/* ---- arguments --------------------------------------------------------- */

enum { RESETS = 1000 };

static const struct argp_option options[] = {
	{ "from", 'a', "N", 0, "From the Nth address behind 127.0.0.0", 0 },
	{ "addresses", 'A', "N", 0, "And from so many", 0 },
	{ "open", 'o', "N", 0, "So many at a time", 0 },
	{ "most", 'm', "N", 0, "So many in all", 0 },
	{ "first", 'f', "FILE", 0, "Said first; of several, in turns", 0 },
	{ "again", 'b', "FILE", 0, "Said then, over and over", 0 },
	{ "drip", 'd', "MS", 0, "A byte each so long", 0 },
	{ "life", 'c', "MS", 0, "Ends after so long", 0 },
	{ "resets", RESETS, NULL, 0, "By a reset", 0 },
	{ "deaf", 'n', NULL, 0, "Never reads", 0 },
	{ "half", 'w', NULL, 0, "Closes the sending half after FILE", 0 },
	{ "seconds", 's', "N", 0, "Until then at most", 0 },
	{ 0 },
};

static unsigned long
number(const char *text, unsigned long max, struct argp_state *state)
{
	char *end_of;
	unsigned long value = strtoul(text, &end_of, 10);

	if (*end_of != '\0' || value > max)
		argp_error(state, "no such number: %s", text);
	return value;
}

static error_t
take(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'a':
		from = 0x7f000000 + (uint32_t)number(arg, 0xfffffe, state);
		break;
	case 'A':
		addresses = number(arg, 0xffff, state);
		break;
	case 'o':
		open_max = number(arg, OPEN_MAX, state);
		break;
	case 'm':
		most = number(arg, 1000000000, state);
		break;
	case 'f':
		if (firsts < FILES_MAX)
			first[firsts++] = read_file(arg);
		break;
	case 'b':
		again = read_file(arg);
		break;
	case 'd':
		drip_ms = number(arg, 100000, state);
		break;
	case 'c':
		life_ms = number(arg, 100000, state);
		break;
	case RESETS:
		resets = true;
		break;
	case 'n':
		deaf = true;
		break;
	case 'w':
		half = true;
		break;
	case 's':
		seconds = number(arg, 3600, state);
		break;
	case ARGP_KEY_ARG:
		if (target != NULL)
			argp_usage(state);
		target = arg;
		break;
	case ARGP_KEY_END:
		if (target == NULL)
			argp_usage(state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct argp argp = { .options = options,
					  .parser = take,
					  .args_doc = "PORT|PATH" };
	struct rlimit files;
	uint64_t until;
	unsigned i;

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	signal(SIGTERM, on_signal);
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	epoll = epoll_create1(EPOLL_CLOEXEC);
	if (epoll < 0)
		die("epoll");
	for (i = 0; i < OPEN_MAX; i++)
		connection[i].fd = -1;
	until = now_us() + seconds * 1000000;
	while (!stopped && now_us() < until &&
	       (most == 0 || made < most || is_open > 0))
		pass();
	for (i = 0; i < open_max; i++)
		if (connection[i].fd >= 0)
			end(&connection[i]);
	printf("%lu %llu %llu %lu %lu\n", made, (unsigned long long)sent,
	       (unsigned long long)heard, ended, failed);
	return 0;
}
