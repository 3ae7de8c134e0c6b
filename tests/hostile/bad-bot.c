/* bad-bot.c - `bad-bot MANNER`: a bot that misbehaves in one way.
 *
 * The referee's tests seat it beside decent bots.  If its manner leaves room it
 * plays on with house moves.  It always ends by itself: bytes and lines are
 * counted, and a timer kills it after --seconds (at most 600) in any state,
 * even stopped or with every signal ignored, and so ends its grandchild. */
#include <argp.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_MAX 600
#define BYTES_MAX 200000000L
#define LINE_BYTES 8191

static long opt_ms = -1, opt_at = 1, opt_count = 500;
static long opt_seconds = 20, opt_bytes = BYTES_MAX;

/* ---- reading and writing ----------------------------------------------- */

struct ask {
	unsigned long number;
	char token[LINE_BYTES + 1]; /* the house move */
};

/* Reads the next line without its LF; returns false at the end of the input. */
static bool
next_line(char line[LINE_BYTES + 1])
{
	static char bytes[65536];
	static size_t start, end;
	size_t used = 0;

	for (;;) {
		ssize_t n;

		while (start < end) {
			char byte = bytes[start++];

			if (byte == '\n') {
				line[used] = '\0';
				return true;
			}
			if (used < LINE_BYTES)
				line[used++] = byte;
		}
		n = read(STDIN_FILENO, bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		start = 0;
		end = (size_t)n;
	}
}

/* Reads the next ask; returns false when the referee has said `bye` or is gone. */
static bool
next_ask(struct ask *ask)
{
	char line[LINE_BYTES + 1];

	while (next_line(line)) {
		if (strcmp(line, "bye") == 0)
			return false;
		if (sscanf(line, "ask %lu %*u %8191s", &ask->number,
			   ask->token) == 2)
			return true;
	}
	return false;
}

static void
put(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno != EINTR)
			exit(0); /* the referee has closed the pipe */
		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		}
	}
}

static void
answer(unsigned long number, const char *token)
{
	char line[LINE_BYTES + 40];
	int n = snprintf(line, sizeof(line), "do %lu %s\n", number, token);

	put(STDOUT_FILENO, line, (size_t)n);
}

static void
play_on(void)
{
	struct ask ask;

	while (next_ask(&ask))
		answer(ask.number, ask.token);
}

static void
read_on(void)
{
	char line[LINE_BYTES + 1];

	while (next_line(line))
		;
}

static void
nap(long ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

/* Writes the same bytes again and again, opt_bytes in all. */
static void
repeat(int fd, const char *bytes)
{
	char block[4096];
	size_t length = strlen(bytes), used = 0;
	long left = opt_bytes;

	while (used + length <= sizeof(block)) {
		memcpy(block + used, bytes, length);
		used += length;
	}
	for (; left > 0; left -= (long)used)
		put(fd, block, left < (long)used ? (size_t)left : used);
}

/* Kills this process after opt_seconds, even one that is stopped. */
static void
set_end(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGKILL };
	struct itimerspec when = { .it_value = { .tv_sec = opt_seconds } };
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0 ||
	    timer_settime(timer, 0, &when, NULL) < 0) {
		perror("bad-bot: no timer, no misbehaviour");
		exit(3);
	}
}

static void
stay(void)
{
	for (;;)
		pause();
}

/* ---- manners ----------------------------------------------------------- */

static void
be_slow(void)
{
	struct ask ask;

	while (next_ask(&ask)) {
		nap(opt_ms < 0 ? 1000 : opt_ms);
		answer(ask.number, ask.token);
	}
}

static void
be_flood(void)
{
	repeat(STDOUT_FILENO, "pong flood\n");
	read_on();
}

static void
be_half_line(void)
{
	struct ask ask;

	if (next_ask(&ask)) {
		put(STDOUT_FILENO, "do 1 pa", 7);
		raise(SIGKILL);
	}
}

static void
be_two_answers(void)
{
	char line[2 * LINE_BYTES + 80];
	struct ask ask;

	while (next_ask(&ask)) {
		int n = snprintf(line, sizeof(line), "do %lu %s\ndo %lu %s\n",
				 ask.number, ask.token, ask.number, ask.token);

		put(STDOUT_FILENO, line, (size_t)n);
	}
}

static void
be_nul(void)
{
	static const char bytes[] = "do 1 \0pass\nsay \x01\x1b[2J\n\0\0\0\n";
	struct ask ask;

	while (next_ask(&ask))
		put(STDOUT_FILENO, bytes, sizeof(bytes) - 1);
}

static void
be_endless_line(void)
{
	struct ask ask;

	if (next_ask(&ask))
		repeat(STDOUT_FILENO, "do 1 ");
	read_on();
}

static void
be_exit_now(void)
{
}

static void
be_close_stdout(void)
{
	close(STDOUT_FILENO);
	/* read_on() would return at once and leave, because its input is
	 * closed. */
	for (;;)
		pause();
}

static void
be_no_bye(void)
{
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	play_on();
	stay();
}

/* At the default pace the 1000 useless lines of a game are not reached. */
static void
be_chatter(void)
{
	static const char *const lines[] = { "say x\n", "pong x\n" };
	struct pollfd in = { STDIN_FILENO, POLLIN, 0 };
	char bytes[4096];
	long ms = opt_ms < 0 ? 40 : opt_ms, left = opt_bytes;
	unsigned i;

	for (i = 0; left > 0; i++) {
		const char *line = lines[i % 2];

		put(STDOUT_FILENO, line, strlen(line));
		left -= (long)strlen(line);
		if (poll(&in, 1, 0) > 0 &&
		    read(STDIN_FILENO, bytes, sizeof(bytes)) <= 0)
			return;
		nap(ms);
	}
	read_on();
}

static void
be_illegal(void)
{
	struct ask ask;

	while (next_ask(&ask))
		answer(ask.number, "dance:naked");
}

static void
be_slipping(void)
{
	static const char slip[] = "say fallback TypeError: there is no hand\n";
	struct ask ask;

	while (next_ask(&ask)) {
		put(STDOUT_FILENO, slip, sizeof(slip) - 1);
		answer(ask.number, ask.token);
	}
}

static void
be_wrong_ask(void)
{
	struct ask ask;

	while (next_ask(&ask))
		answer(ask.number + 1000, ask.token);
}

static void
be_early(void)
{
	char line[2 * LINE_BYTES + 80];
	struct ask ask;

	while (next_ask(&ask)) {
		int n = snprintf(line, sizeof(line), "do %lu %s\ndo %lu %s\n",
				 ask.number, ask.token, ask.number + 1,
				 ask.token);

		put(STDOUT_FILENO, line, (size_t)n);
	}
}

static void
be_grandchild(void)
{
	if (fork() == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		set_end();
		stay();
	}
	play_on();
}

static void
be_stderr_flood(void)
{
	struct ask ask;

	if (next_ask(&ask)) {
		repeat(STDERR_FILENO, "bad-bot: something to complain of\n");
		answer(ask.number, ask.token);
	}
	play_on();
}

static void
be_say_flood(void)
{
	struct ask ask;
	long i;

	if (next_ask(&ask)) {
		for (i = 0; i < opt_count; i++)
			put(STDOUT_FILENO, "say so\n", 7);
		answer(ask.number, ask.token);
	}
	play_on();
}

static void
be_crash_at(void)
{
	struct ask ask;
	long asks = 0;

	while (next_ask(&ask)) {
		if (++asks == opt_at)
			raise(SIGKILL);
		answer(ask.number, ask.token);
	}
}

static void
be_stops_itself(void)
{
	struct ask ask;

	if (next_ask(&ask)) {
		raise(SIGSTOP);
		answer(ask.number, ask.token);
	}
	play_on();
}

static void
be_loops(void)
{
	struct ask ask;
	long asks = 0;

	while (next_ask(&ask)) {
		for (volatile bool forever = ++asks == opt_at; forever;)
			;
		answer(ask.number, ask.token);
	}
}

static const struct manner {
	const char *name;
	void (*be)(void);
	const char *brief;
} manners[] = {
	{ "polite", play_on, "house moves, no fault at all" },
	{ "silent", read_on, "reads, never answers" },
	{ "loops", be_loops, "computes for ever at its ask number --at (1)" },
	{ "slow", be_slow, "answers after --ms (1000)" },
	{ "flood", be_flood, "--bytes of useless lines at once" },
	{ "never-reads", stay, "reads nothing, stays alive" },
	{ "half-line", be_half_line, "half an answer, then dead" },
	{ "two-answers", be_two_answers, "answers every ask twice" },
	{ "nul", be_nul, "answers with NULs and control bytes" },
	{ "endless-line", be_endless_line, "a line of --bytes without end" },
	{ "exit-now", be_exit_now, "exits before anything" },
	{ "close-stdout", be_close_stdout, "closes its output and lives on" },
	{ "no-bye", be_no_bye, "plays, but never leaves" },
	{ "chatter", be_chatter, "a harmless line every --ms (40), no play" },
	{ "illegal", be_illegal, "answers what is not in the list" },
	{ "slipping", be_slipping, "tells that it could not choose" },
	{ "wrong-ask", be_wrong_ask, "answers asks never made" },
	{ "early", be_early, "answers the next ask, too" },
	{ "grandchild", be_grandchild, "leaves a daemon with its output" },
	{ "stderr-flood", be_stderr_flood, "--bytes to standard error" },
	{ "say-flood", be_say_flood, "--count (500) remarks at once" },
	{ "crash-at", be_crash_at, "dies at its ask number --at (1)" },
	{ "stops-itself", be_stops_itself, "stops itself at its first ask" },
};

/* ---- the command line -------------------------------------------------- */

static const struct argp_option options[] = {
	{ "ms", 'm', "MS", 0, "milliseconds, for slow and chatter", 0 },
	{ "at", 'a', "N", 0, "which ask, for crash-at and loops", 0 },
	{ "count", 'c', "N", 0, "how many remarks, for say-flood", 0 },
	{ "bytes", 'b', "N", 0, "how many bytes, at most 200 million", 0 },
	{ "seconds", 's', "N", 0, "until it dies, 20; at most 30", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static void
number(struct argp_state *state, const char *arg, long max, long *to)
{
	char *end;

	errno = 0;
	*to = strtol(arg, &end, 10);
	if (errno || end == arg || *end || *to < 0 || *to > max)
		argp_error(state, "expected a number from 0 to %ld, not %s",
			   max, arg);
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	const struct manner **manner = state->input;
	size_t i;

	switch (key) {
	case 'm':
		number(state, arg, 1000L * SECONDS_MAX, &opt_ms);
		break;
	case 'a':
		number(state, arg, 1000000, &opt_at);
		break;
	case 'c':
		number(state, arg, 1000000, &opt_count);
		break;
	case 'b':
		number(state, arg, BYTES_MAX, &opt_bytes);
		break;
	case 's':
		number(state, arg, SECONDS_MAX, &opt_seconds);
		if (opt_seconds == 0)
			argp_error(state, "--seconds begins at 1");
		break;
	case ARGP_KEY_ARG:
		if (*manner)
			argp_error(state, "one manner is enough");
		for (i = 0; i < sizeof(manners) / sizeof(*manners); i++)
			if (strcmp(arg, manners[i].name) == 0)
				*manner = &manners[i];
		if (!*manner)
			argp_error(state, "no such manner: %s", arg);
		break;
	case ARGP_KEY_NO_ARGS:
		for (i = 0; i < sizeof(manners) / sizeof(*manners); i++)
			printf("%-13s %s\n", manners[i].name, manners[i].brief);
		exit(0);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct argp argp = {
		options,
		parse,
		"MANNER",
		"A bot that misbehaves; without MANNER it lists them.",
		NULL,
		NULL,
		NULL,
	};
	const struct manner *manner = NULL;

	argp_err_exit_status = 2;
	if (argp_parse(&argp, argc, argv, 0, NULL, &manner) != 0)
		return 2;
	set_end();
	manner->be();
	return 0;
}
