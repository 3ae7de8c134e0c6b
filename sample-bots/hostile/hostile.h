/* hostile.h - what the hostile bots in C have in common: an end of their own,
 * legal play, and a report.
 *
 * A bot here is `main` that calls hostile_run().  It reads up to its first ask,
 * does what it came for, answers with the house move, and plays on like that.
 * What it tried and what it got it says twice, on standard error and as remarks
 * that stand in the record of the game:
 *
 *	tried WHAT: got it
 *	tried WHAT: refused (Operation not permitted)
 *	tried WHAT: 30 of 2000
 *
 * In the third form the second number is a bound of the bot's own; a sandbox
 * that lets it get so far does not bound it.  Whatever happens, a timer of the
 * kernel kills it after the seconds that it gave itself, even stopped.
 *
 * An argument may have an `@` before it, which is taken off: for a sandbox may
 * well show a bot the files that its command line names, and these are not
 * meant to be shown. */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HOSTILE_SECONDS 300 /* that most of them live at most */

/* An attack is made at the bot's first ask; `args` are those of the command line. */
typedef void hostile_attack(char **args);

/* Kills this process after so many seconds.  A child needs its own. */
static inline void
hostile_end(unsigned seconds)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGKILL };
	struct itimerspec when = { .it_value = { .tv_sec = seconds } };
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0 ||
	    timer_settime(timer, 0, &when, NULL) < 0)
		_exit(3); /* no end, no misbehaviour */
}

/* Makes a child that ends after so many seconds; does what fork(2) does otherwise. */
static inline pid_t
hostile_fork(unsigned seconds)
{
	pid_t pid = fork();

	if (pid == 0)
		hostile_end(seconds);
	return pid;
}

/* Waits for a child: its status as of wait(2), or -1. */
static inline int
hostile_wait(pid_t pid)
{
	int status;
	pid_t done;

	do
		done = waitpid(pid, &status, 0);
	while (done < 0 && errno == EINTR);
	return done == pid ? status : -1;
}

/* Returns a page that is shared with what is forked, or NULL.  In a box that takes a
 * file. */
static inline void *
hostile_shared(void)
{
	char path[] = "/tmp/hostile-XXXXXX";
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd;

	if (page != MAP_FAILED)
		return page;
	fd = mkstemp(path);
	if (fd < 0)
		return NULL;
	unlink(path);
	if (ftruncate(fd, 4096) == 0)
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			    0);
	close(fd);
	return page == MAP_FAILED ? NULL : page;
}

static inline void
hostile_nap(long ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

/* Stays until hostile_end() ends it. */
static inline _Noreturn void
hostile_stay(void)
{
	for (;;)
		pause();
}

static inline void
hostile_put(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno != EINTR)
			return;
		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		}
	}
}

/* ---- the report ---------------------------------------------------------- */

/* Writes the text behind `tried `. */
__attribute__((format(printf, 1, 2))) static inline void
hostile_say(const char *format, ...)
{
	char line[180] = "say tried ";
	size_t head = strlen(line);
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line + head, sizeof(line) - head - 1, format, args);
	va_end(args);
	if (n < 0)
		return;
	head = strlen(line);
	for (size_t i = 0; i < head; i++)
		if (line[i] < ' ' || line[i] > '~')
			line[i] = '?';
	line[head] = '\n';
	hostile_put(STDERR_FILENO, line + 4, head + 1 - 4);
	hostile_put(STDOUT_FILENO, line, head + 1);
}

/* `error` is of interest where it did not get it; 0: no more is known. */
static inline void
hostile_tried(const char *what, bool got, int error)
{
	if (got)
		hostile_say("%s: got it", what);
	else if (error == 0)
		hostile_say("%s: refused", what);
	else
		hostile_say("%s: refused (%s)", what, strerror(error));
}

/* `error` is what stopped it; 0: nothing but its own bound. */
static inline void
hostile_counted(const char *what, long count, long bound, int error)
{
	if (error == 0)
		hostile_say("%s: %ld of %ld", what, count, bound);
	else
		hostile_say("%s: %ld of %ld (%s)", what, count, bound,
			    strerror(error));
}

/* Tells what a system call gave back: below 0 it was refused. */
static inline void
hostile_call(const char *what, long result)
{
	int error = errno;

	hostile_tried(what, result >= 0, error);
}

/* ---- legal play ------------------------------------------------------- */

struct hostile_ask {
	unsigned long number;
	unsigned ms;
	char move[8192]; /* the house move */
};

/* Reads the next line without its LF; returns false at the end of the input. */
static inline bool
hostile_line(char line[8192])
{
	static char bytes[16384];
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
			if (used < 8191)
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
static inline bool
hostile_next(struct hostile_ask *ask)
{
	static char line[8192];

	while (hostile_line(line)) {
		if (strcmp(line, "bye") == 0)
			return false;
		if (sscanf(line, "ask %lu %u %8191s", &ask->number, &ask->ms,
			   ask->move) == 3)
			return true;
	}
	return false;
}

static inline void
hostile_answer(const struct hostile_ask *ask)
{
	static char line[sizeof(ask->move) + 40];
	int n = snprintf(line, sizeof(line), "do %lu %s\n", ask->number,
			 ask->move);

	hostile_put(STDOUT_FILENO, line, (size_t)n);
}

static inline char **
hostile_args(char **args)
{
	char **arg;

	for (arg = args; *arg != NULL && strcmp(*arg, "--") != 0; arg++)
		*arg += **arg == '@';
	*arg = NULL;
	return args;
}

static inline int
hostile_run(unsigned seconds, hostile_attack *attack, char **argv)
{
	static struct hostile_ask ask;

	hostile_end(seconds);
	if (!hostile_next(&ask))
		return 0;
	attack(hostile_args(argv + 1));
	do
		hostile_answer(&ask);
	while (hostile_next(&ask));
	return 0;
}

#endif
