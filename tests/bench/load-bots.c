/* tests/bench/load-bots.c - thousands of bots that answer at once, from one
 * process, to see what a daemon can bear.
 *
 *	load-bots PORT TOKENS SECONDS [LADDER [SLOW MS]]
 *
 * TOKENS is a file of lines `NAME TOKEN`, one for each bot.  Each connects from
 * an address of its own in 127.0.0.0/8 and sits down at LADDER, or, without
 * one, just stays.  The first SLOW bots take MS for each answer.  At the end it
 * prints connections, finished games, answers a second, and the time from an
 * answer to the next line of the same bot (median and 99th percentile).  If
 * SECONDS is 0, each line of the standard input asks for these figures since
 * the last time, and its end is the end. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define IN_BYTES 65536
#define OPENING 200 /* connections begun and not welcome yet */
#define SAMPLES 1000000

struct bot {
	int fd; /* -1: none */
	bool welcome;
	bool slow;
	char name[64], token[80];
	char *in; /* the beginning of an incomplete line */
	size_t used;
	uint64_t answered_us; /* 0: no line is waited for */
	char due[96];	      /* slow: the answer, and when it leaves */
	uint64_t due_us;
};

static struct bot *bots;
static unsigned count, opened, welcome, lost, slow_count;
static uint64_t answers, overs, slow_ms;
static uint32_t *sample;
static unsigned samples;
static int epoll;
static const char *ladder;
static unsigned port;
static bool asked;  /* for the figures */
static bool at_end; /* standard input has ended */

static uint64_t
now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static unsigned
below(unsigned n)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)((state >> 32) * n >> 32);
}

static void
die(const char *what)
{
	fprintf(stderr, "load-bots: %s: %s\n", what, strerror(errno));
	exit(3);
}

static void
read_tokens(const char *path)
{
	FILE *file = fopen(path, "re");
	struct bot bot = { .fd = -1 };

	if (file == NULL)
		die(path);
	while (fscanf(file, "%63s %79s", bot.name, bot.token) == 2) {
		bots = reallocarray(bots, count + 1, sizeof(*bots));
		if (bots == NULL)
			die("memory");
		bot.slow = count < slow_count;
		bots[count++] = bot;
	}
	fclose(file);
}

static void
lose(struct bot *bot)
{
	close(bot->fd);
	bot->fd = -1;
	lost++;
}

static void
say(struct bot *bot, const char *line, size_t n)
{
	/* Such a short line always fits into an empty socket. */
	if (send(bot->fd, line, n, MSG_NOSIGNAL) != (ssize_t)n)
		lose(bot);
}

static void
open_bot(struct bot *bot, unsigned number)
{
	struct sockaddr_in from = { .sin_family = AF_INET };
	struct sockaddr_in to = { .sin_family = AF_INET };
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = bot };
	char hello[256];
	int n, on = 1;

	from.sin_addr.s_addr =
		htonl(0x7f000000 + 256 * (1 + number / 200) + 1 + number % 200);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	to.sin_port = htons((uint16_t)port);
	bot->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bot->fd < 0)
		die("socket");
	setsockopt(bot->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (bind(bot->fd, (struct sockaddr *)&from, sizeof(from)) < 0 ||
	    connect(bot->fd, (struct sockaddr *)&to, sizeof(to)) < 0)
		die("connect");
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, bot->fd, &event) < 0)
		die("epoll_ctl");
	n = snprintf(hello, sizeof(hello), "bot 1 %s token=%s\n", bot->name,
		     bot->token);
	if (ladder != NULL)
		n += snprintf(hello + n, sizeof(hello) - (size_t)n, "sit %s\n",
			      ladder);
	say(bot, hello, (size_t)n);
	opened++;
}

/* `ask K MS TOKEN…`: one of the tokens, a range by its first value. */
static void
answer(struct bot *bot, const char *line)
{
	const char *k = line + 4, *token = k;
	unsigned tokens = 1, pick, i;
	char reply[96];
	int n;

	for (i = 0; i < 2; i++)
		token = strchr(token, ' ') + 1;
	for (i = 0; token[i] != '\0'; i++)
		tokens += token[i] == ' ';
	for (pick = below(tokens); pick > 0; pick--)
		token = strchr(token, ' ') + 1;
	n = snprintf(reply, sizeof(reply), "do %.*s %.*s", (int)strcspn(k, " "),
		     k, (int)strcspn(token, " "), token);
	if (strstr(reply, "..") != NULL)
		n = (int)(strstr(reply, "..") - reply);
	reply[n++] = '\n';
	answers++;
	if (bot->slow) {
		memcpy(bot->due, reply, (size_t)n);
		bot->due[n] = '\0';
		bot->due_us = now_us() + slow_ms * 1000;
		return;
	}
	bot->answered_us = now_us();
	say(bot, reply, (size_t)n);
}

static void
on_line(struct bot *bot, char *line)
{
	char pong[300];
	int n;

	if (bot->answered_us != 0 && samples < SAMPLES)
		sample[samples++] = (uint32_t)(now_us() - bot->answered_us);
	bot->answered_us = 0;
	if (strncmp(line, "ask ", 4) == 0) {
		answer(bot, line);
	} else if (strncmp(line, "over ", 5) == 0) {
		overs++;
	} else if (strncmp(line, "referee ", 8) == 0) {
		bot->welcome = true;
		welcome++;
	} else if (strncmp(line, "ping ", 5) == 0) {
		n = snprintf(pong, sizeof(pong), "pong %.200s\n", line + 5);
		say(bot, pong, (size_t)n);
	} else if (strncmp(line, "error ", 6) == 0) {
		fprintf(stderr, "%s: %s\n", bot->name, line);
	}
}

static void
on_bytes(struct bot *bot)
{
	static char bytes[IN_BYTES + 1];
	char *line = bytes, *lf;
	ssize_t n;

	memcpy(bytes, bot->in == NULL ? "" : bot->in, bot->used);
	n = recv(bot->fd, bytes + bot->used, IN_BYTES - bot->used,
		 MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN)
		return;
	if (n <= 0) {
		lose(bot);
		return;
	}
	bytes[bot->used + (size_t)n] = '\0';
	while (bot->fd >= 0 && (lf = strchr(line, '\n')) != NULL) {
		*lf = '\0';
		on_line(bot, line);
		line = lf + 1;
	}
	bot->used = strlen(line);
	if (bot->used > 0 && bot->in == NULL)
		bot->in = malloc(IN_BYTES);
	if (bot->used > 0)
		memcpy(bot->in, line, bot->used);
}

static void
send_due(void)
{
	uint64_t now = now_us();
	unsigned i;

	for (i = 0; i < slow_count && i < count; i++) {
		if (bots[i].fd < 0 || bots[i].due_us == 0 ||
		    bots[i].due_us > now)
			continue;
		bots[i].due_us = 0;
		bots[i].answered_us = now_us();
		say(&bots[i], bots[i].due, strlen(bots[i].due));
	}
}

static void
on_input(void)
{
	char bytes[64];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

	at_end = n <= 0;
	asked = n > 0;
}

static void
pass(void)
{
	struct epoll_event event[256];
	int n, i;

	while (opened < count && opened - welcome - lost < OPENING)
		open_bot(&bots[opened], opened);
	n = epoll_wait(epoll, event, 256, slow_count > 0 ? 1 : 10);
	for (i = 0; i < n; i++)
		if (event[i].data.ptr == NULL)
			on_input();
		else if (((struct bot *)event[i].data.ptr)->fd >= 0)
			on_bytes(event[i].data.ptr);
	send_due();
}

static int
compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void
report(double seconds)
{
	if (samples > 0)
		qsort(sample, samples, sizeof(*sample), compare);
	printf("connections %u lost %u games %llu answers/s %.0f", welcome,
	       lost, (unsigned long long)overs, (double)answers / seconds);
	if (samples > 0)
		printf(" reply-us median %u p99 %u", sample[samples / 2],
		       sample[samples - samples / 100 - 1]);
	putchar('\n');
	fflush(stdout);
	answers = overs = samples = 0;
}

static void
report_when_asked(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	uint64_t began = now_us();

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, STDIN_FILENO, &event) < 0)
		die("standard input");
	while (!at_end) {
		pass();
		if (!asked)
			continue;
		report((double)(now_us() - began) / 1e6);
		asked = false;
		began = now_us();
	}
}

int
main(int argc, char **argv)
{
	uint64_t began, until;

	if (argc < 4) {
		fprintf(stderr, "load-bots PORT TOKENS SECONDS [LADDER [SLOW "
				"MS]]\n");
		return 2;
	}
	port = (unsigned)strtoul(argv[1], NULL, 10);
	ladder = argc > 4 ? argv[4] : NULL;
	slow_count = argc > 5 ? (unsigned)strtoul(argv[5], NULL, 10) : 0;
	slow_ms = argc > 6 ? strtoul(argv[6], NULL, 10) : 1000;
	sample = malloc(SAMPLES * sizeof(*sample));
	epoll = epoll_create1(EPOLL_CLOEXEC);
	if (sample == NULL || epoll < 0)
		die("begin");
	read_tokens(argv[2]);
	began = now_us();
	while (welcome + lost < count)
		pass();
	fprintf(stderr, "%u connected in %.1f s\n", welcome,
		(double)(now_us() - began) / 1e6);
	answers = overs = samples = 0;
	began = now_us();
	until = began + strtoul(argv[3], NULL, 10) * 1000000;
	if (until == began) {
		report_when_asked();
		return lost > 0;
	}
	while (now_us() < until)
		pass();
	report((double)(now_us() - began) / 1e6);
	return lost > 0;
}
